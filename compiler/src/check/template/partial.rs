//! Partial specialisations: which form of a class template holds for arguments (C++17, [temp.class.spec]).

use super::deduce::Deduction;
use super::kind::{Kind, kind};
use super::order::Forms;
use crate::check::state::Checker;
use crate::check::state::scopes::Context;
use crate::check::state::templates::Argument;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::TemplateArgument;
use std::sync::Arc;

/// A form of a class template with the arguments of its own parameters, and its scope.
pub(super) type Fitting = (Arc<ast::Template>, Vec<Argument>, Context);

impl Checker {
    /// The form of a class template that holds for arguments: a partial specialisation, or itself.
    pub(super) fn form_for(
        &mut self,
        index: usize,
        list: &[Argument],
        span: Span,
    ) -> Option<Fitting> {
        let mut fitting = Vec::new();
        for position in 0..self.templates[index].partial.len() {
            let (tree, context) = &self.templates[index].partial[position];
            if surely_differ(patterns(tree), list) {
                continue;
            }
            // Comparing may need other types, which may need this one.
            let (tree, context) = (tree.clone(), context.clone().deeper(self.scopes.depth()));
            if let Some(own) = self.own_arguments(index, &tree, &context, list, span)? {
                fitting.push((tree, own, context));
            }
        }
        match fitting.len() {
            0 => {
                let info = &self.templates[index];
                Some((info.tree.clone(), list.to_vec(), info.context.clone()))
            }
            1 => fitting.pop(),
            _ => self.most_special(index, fitting, list, span),
        }
    }

    /// The arguments of a partial specialisation's parameters, if it matches a list of arguments:
    /// they follow from the list, and substituting them gives the list. `None`: a fault was
    /// reported.
    fn own_arguments(
        &mut self,
        index: usize,
        tree: &ast::Template,
        context: &Context,
        list: &[Argument],
        span: Span,
    ) -> Option<Option<Vec<Argument>>> {
        let mut deduction = Deduction::new(tree);
        let aside = self.scopes.enter(&context.clone().with(deduction.unknown()));
        let fits = self.unify_arguments(&mut deduction, patterns(tree), list);
        self.scopes.leave(aside);
        if !fits {
            return Some(None);
        }
        let own = match self.complete_parameters(tree, context, deduction.found(), span)? {
            Ok(own) => own,
            Err(missing) => {
                let which = missing.as_deref().unwrap_or("a parameter");
                let message = format!(
                    "`{which}` does not follow from the arguments of this partial specialisation"
                );
                return self.fail(
                    Diagnostic::error(code::NO_MATCHING_CALL, tree.span, message)
                        .secondary(span, "needed here"),
                );
            }
        };
        let aside = self.scopes.enter(&context.clone().with(self.bound(tree, &own)));
        let said = self.tried(|this| this.template_arguments(index, patterns(tree), span));
        self.scopes.leave(aside);
        Some(said.filter(|said| are_same(said, list)).map(|_| own))
    }

    /// The most specialised one of several partial specialisations (C++17, [temp.class.order]).
    fn most_special(
        &mut self,
        index: usize,
        mut fitting: Vec<Fitting>,
        list: &[Argument],
        span: Span,
    ) -> Option<Fitting> {
        let forms: Vec<Forms> =
            fitting.iter().map(|one| self.forms(&one.0, &one.2, list.len())).collect();
        let best = forms.iter().position(|one| {
            forms.iter().all(|other| std::ptr::eq(one, other) || one.is_more_special(other))
        });
        if let Some(best) = best {
            return Some(fitting.swap_remove(best));
        }
        let name = format!("{}<{}>", self.templates[index].name, self.spell_arguments(list));
        let message =
            format!("several partial specialisations are for `{name}`, and none says most");
        let mut found = Diagnostic::error(code::AMBIGUOUS, span, message);
        for (tree, ..) in fitting.iter().take(4) {
            found = found.secondary(tree.span, "this is for it");
        }
        self.fail(found)
    }

    /// The arguments that a partial specialisation is for, `length` of them.
    fn forms(&mut self, tree: &ast::Template, context: &Context, length: usize) -> Forms {
        let unknown = Deduction::new(tree).unknown();
        let aside = self.scopes.enter(&context.clone().with(unknown));
        let known = patterns(tree).iter().map(|pattern| {
            let known = self.silently(|this| match pattern {
                TemplateArgument::Type(ty) => this.type_name(ty).map(Argument::Type),
                TemplateArgument::Value(value) => this.value_argument(value),
            });
            known.is_some()
        });
        let known = known.collect();
        self.scopes.leave(aside);
        Forms::new(tree, patterns(tree), known, length)
    }
}

/// The arguments that a partial specialisation is for.
fn patterns(tree: &ast::Template) -> &[TemplateArgument] {
    match kind(&tree.item) {
        Kind::Struct(found) => found.arguments.as_deref().unwrap_or_default(),
        _ => &[],
    }
}

/// Returns true if two lists of arguments mean the same; a function may have several names.
fn are_same(one: &[Argument], two: &[Argument]) -> bool {
    let is_same = |(one, two): (&Argument, &Argument)| match (one, two) {
        (Argument::Function(_, one), Argument::Function(_, two)) => one == two,
        (one, two) => one == two,
    };
    one.len() == two.len() && one.iter().zip(two).all(is_same)
}

/// Returns true if a number in a partial specialisation differs from the argument: among many
/// forms, one number distinguishes most.
fn surely_differ(patterns: &[TemplateArgument], list: &[Argument]) -> bool {
    patterns.iter().zip(list).any(|pair| match pair {
        (TemplateArgument::Value(pattern), Argument::Value(value, _)) => {
            matches!(pattern.kind, ast::ExprKind::Int(known, _) if known as i64 != *value)
        }
        _ => false,
    })
}

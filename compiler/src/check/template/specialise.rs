//! Explicit specialisations and instantiations: `template <> …` and `template …`.

use super::kind::{Kind, kind};
use crate::check::declare::declarator::function_parts;
use crate::check::declare::function::{Head, same_parameters};
use crate::check::state::Checker;
use crate::check::state::functions::{Binding, FunctionInfo};
use crate::check::state::scopes::{Symbol, TypeMeaning};
use crate::check::state::templates::Argument;
use crate::check::types::CType;
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, TemplateArgument};
use std::sync::Arc;

impl Checker {
    pub(super) fn report_no_template(&mut self, name: &str, span: Span) {
        let message = format!("there is no template `{name}` to be specialised");
        self.report(Diagnostic::error(code::UNKNOWN_TYPE, span, message));
    }

    /// `template <>`: the instance of a template for certain arguments, declared explicitly.
    pub(super) fn specialisation(&mut self, tree: &Arc<ast::Template>) {
        match kind(&tree.item) {
            Kind::Function(declarator) => self.function_specialisation(tree, declarator),
            Kind::Struct(found) => {
                let (Some(name), Some(given)) = (&found.tag, &found.arguments) else {
                    let message = "a specialisation names the arguments it is for";
                    let found = Diagnostic::error(code::BAD_DECLARATION, tree.span, message);
                    return self.report(found);
                };
                let Some(TypeMeaning::Template(index)) = self.scopes.find_type(name) else {
                    return self.report_no_template(name, found.span);
                };
                let Some(list) = self.template_arguments(index, given, found.span) else {
                    return;
                };
                if self.instance(index, &list).is_some() {
                    return self.report_redefinition(name, found.span, None);
                }
                let members = found.members.clone().unwrap_or_default();
                let context = self.scopes.context_here();
                let is_defined = found.members.is_some();
                self.make_struct_of(index, list, found, members, context, is_defined);
            }
            Kind::Variable(declared) => self.variable_specialisation(tree, &declared.declarator),
            _ => {
                let message =
                    "unsupported: specialisations of anything but functions, types and variables";
                self.report(Diagnostic::error(code::UNSUPPORTED_TEMPLATE, tree.span, message));
            }
        }
    }

    pub(super) fn function_specialisation(
        &mut self,
        tree: &Arc<ast::Template>,
        declarator: &ast::Declarator,
    ) {
        let Some((index, list)) = self.specialised(&tree.item, declarator) else {
            return;
        };
        let ast::Item::Function(definition) = &tree.item else {
            // Only declared: the definition counts.
            return;
        };
        if self.instance(index, &list).is_some() {
            return self.report_redefinition(
                &self.templates[index].name.clone(),
                declarator.name_span,
                None,
            );
        }
        let context = self.scopes.context_here();
        self.make_function(index, list, definition.clone(), context);
    }

    /// The template and the arguments that a declaration of one of its functions means.
    pub(super) fn specialised(
        &mut self,
        item: &ast::Item,
        declarator: &ast::Declarator,
    ) -> Option<(usize, Vec<Argument>)> {
        let name = declarator.name.clone()?;
        let specifiers = specifiers_of(item)?;
        let parts = function_parts(declarator)?;
        let specifiers = self.specifiers(specifiers);
        let head = Head { defines: false, constant: false, owner: None };
        let info = self.function_info(&specifiers, declarator, &parts, head, None, &name)?;
        let operands: Vec<Operand> = info
            .parameters
            .iter()
            .map(|parameter| {
                let parameter = parameter.as_ref()?;
                let null = Value::int(1, CType::INT, parameter.span);
                let place = Lvalue::deref(null.expr, parameter.ty.clone(), parameter.span);
                let expires = parameter.reference && parameter.binding == Binding::Values;
                Some(Operand::Place(Lvalue { expires, ..place }))
            })
            .collect::<Option<_>>()?;
        let list = match self.scopes.find(&name).map(|entry| entry.meaning.clone()) {
            Some(Symbol::Functions(list)) => list,
            _ => {
                self.report_no_template(&name, declarator.name_span);
                return None;
            }
        };
        let result = match (&info.reference, &info.result) {
            (Some(to), _) => Some(to.clone().reference(info.gives_up)),
            (None, result) => result.clone().map(CType::plain),
        };
        let given = declarator.arguments.as_deref();
        let span = declarator.name_span;
        let mut fitting = Vec::new();
        for &index in &list.templates {
            let found = self.tried(|this| {
                let found = this.deduce(index, given, &operands, result.as_ref(), span)?;
                this.declares(index, &found, &info).then_some(found)
            });
            fitting.extend(found.map(|found| (index, found)));
        }
        self.most_special_of(fitting, &name, span)
    }

    /// The most specialised of the templates that make a function, with its arguments.
    fn most_special_of(
        &mut self,
        mut fitting: Vec<(usize, Vec<Argument>)>,
        name: &Name,
        span: Span,
    ) -> Option<(usize, Vec<Argument>)> {
        let best = fitting.iter().position(|(one, _)| {
            let is_more_special = |other: &usize| {
                other == one || self.templates[*one].is_more_special(&self.templates[*other])
            };
            fitting.iter().all(|(other, _)| is_more_special(other))
        });
        match best {
            Some(best) => Some(fitting.swap_remove(best)),
            None if fitting.is_empty() => {
                self.report_no_template(name, span);
                None
            }
            None => {
                let message = format!("several templates `{name}` make this, and none says most");
                let mut report = Diagnostic::error(code::AMBIGUOUS, span, message);
                for &(index, _) in fitting.iter().take(4) {
                    report = report.secondary(self.templates[index].span, "this makes it");
                }
                self.fail(report)
            }
        }
    }

    /// Returns true if a function template's instance for arguments has the parameters of a
    /// declared function.
    fn declares(&mut self, index: usize, list: &[Argument], declared: &FunctionInfo) -> bool {
        let template = &self.templates[index];
        let (tree, name, owner) = (template.tree.clone(), template.name.clone(), template.owner);
        let context = template.context.clone().with(self.bound(&tree, list));
        let (Kind::Function(declarator), Some(specifiers)) =
            (kind(&tree.item), specifiers_of(&tree.item))
        else {
            return false;
        };
        let aside = self.scopes.enter(&context);
        let made = function_parts(declarator).and_then(|parts| {
            let specifiers = self.head_specifiers(specifiers, declarator, true);
            let head = Head { defines: false, constant: false, owner };
            self.function_info(&specifiers, declarator, &parts, head, owner, &name)
        });
        self.scopes.leave(aside);
        made.is_some_and(|made| same_parameters(&made.parameters, &declared.parameters))
    }

    /// `template` in front of a use, which makes it exist.
    pub(crate) fn instance_declaration(&mut self, declaration: &ast::Declaration) {
        let Some(first) = declaration.declarators.first() else {
            self.specifiers(&declaration.specifiers);
            return;
        };
        let item = ast::Item::Declaration(declaration.clone());
        let found = match (&first.declarator.name, &first.declarator.arguments) {
            // With all arguments written, the parameters add nothing.
            (Some(name), Some(given)) if function_parts(&first.declarator).is_none() => {
                self.named_instance(name, given, first.declarator.name_span)
            }
            _ => self.specialised(&item, &first.declarator),
        };
        let Some((index, list)) = found else {
            return;
        };
        if let Some(made) = self.instantiate_function(index, list, first.declarator.name_span) {
            self.note_call(made, first.declarator.name_span);
        }
    }

    /// The first function template of a name that takes the arguments.
    pub(super) fn named_instance(
        &mut self,
        name: &Name,
        given: &[TemplateArgument],
        span: Span,
    ) -> Option<(usize, Vec<Argument>)> {
        let list = self.templates_of(name, span)?;
        let (&first, rest) = list.templates.split_first()?;
        for &index in rest {
            let found = self.tried(|this| this.template_arguments(index, given, span));
            if let Some(found) = found {
                return Some((index, found));
            }
        }
        Some((first, self.template_arguments(first, given, span)?))
    }
}

/// The words and the type in front of a function's name.
fn specifiers_of(item: &ast::Item) -> Option<&ast::Specifiers> {
    match item {
        ast::Item::Function(definition) => Some(&definition.specifiers),
        ast::Item::Declaration(declaration) => Some(&declaration.specifiers),
        _ => None,
    }
}

//! Templates of variables: `template <class T> constexpr T pi = T(3.14);`.

use super::kind::{Kind, kind};
use crate::check::state::Checker;
use crate::check::state::scopes::{Context, Symbol, Variable};
use crate::check::state::templates::{Argument, Made};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, TemplateArgument};
use std::rc::Rc;
use std::sync::Arc;

impl Checker {
    /// A template of variables that is declared.
    pub(super) fn variable_template(
        &mut self,
        declared: &ast::InitDeclarator,
        tree: &Arc<ast::Template>,
    ) {
        let declarator = &declared.declarator;
        let Some(name) = &declarator.name else {
            return;
        };
        if declarator.arguments.is_some() {
            let message = "unsupported: partial specialisations of variables";
            return self.report(Diagnostic::error(code::UNSUPPORTED_TEMPLATE, tree.span, message));
        }
        if let Some(earlier) = self.scopes.find_own(name) {
            let earlier = earlier.span;
            return self.report_redefinition(name, declarator.name_span, earlier);
        }
        let index = self.add_template(name, tree, None, declarator.name_span);
        let symbol = Symbol::VariableTemplate(index);
        self.scopes.set(name.clone(), symbol, Some(declarator.name_span));
    }

    /// `template <> constexpr int pi<int> = 3;`
    pub(super) fn variable_specialisation(
        &mut self,
        tree: &Arc<ast::Template>,
        declarator: &ast::Declarator,
    ) {
        let (Some(name), Some(given)) = (&declarator.name, &declarator.arguments) else {
            let message = "a specialisation names the arguments it is for";
            return self.report(Diagnostic::error(code::BAD_DECLARATION, tree.span, message));
        };
        let Some(Symbol::VariableTemplate(index)) = self.symbol_of(name) else {
            return self.report_no_template(name, declarator.name_span);
        };
        let Some(list) = self.template_arguments(index, given, declarator.name_span) else {
            return;
        };
        if self.instance(index, &list).is_some() {
            return self.report_redefinition(name, declarator.name_span, None);
        }
        let context = self.scopes.context_here();
        self.make_variable(index, list, tree, context);
    }

    /// The variable that a template makes of arguments.
    pub(crate) fn instantiate_variable(
        &mut self,
        index: usize,
        given: &[TemplateArgument],
        span: Span,
    ) -> Option<Rc<Variable>> {
        let list = self.template_arguments(index, given, span)?;
        if let Some(Made::Variable(made)) = self.instance(index, &list) {
            return Some(made);
        }
        let name = self.templates[index].name.clone();
        self.check_depth(&name, span)?;
        let tree = self.templates[index].tree.clone();
        let scope = self.bound(&tree, &list);
        let context = self.templates[index].context.clone().with(scope);
        let context = context.deeper(self.scopes.depth());
        self.make_variable(index, list, &tree, context)
    }

    fn make_variable(
        &mut self,
        index: usize,
        list: Vec<Argument>,
        tree: &ast::Template,
        context: Context,
    ) -> Option<Rc<Variable>> {
        let (Kind::Variable(declared), ast::Item::Declaration(declaration)) =
            (kind(&tree.item), &tree.item)
        else {
            return None;
        };
        let name: Name =
            format!("{}<{}>", self.templates[index].name, self.spell_arguments(&list)).into();
        let mut declared = declared.clone();
        declared.declarator.name = Some(name.clone());
        let body = self.body.take();
        let aside = self.scopes.enter(&context);
        // The name of the instance, which nothing can be written as, is the innermost block's.
        self.scopes.open_block();
        let specifiers = self.specifiers(&declaration.specifiers);
        self.global_declaration(&specifiers, &declared);
        let made = self.scopes.find_in_blocks(&name).map(|entry| entry.meaning.clone());
        self.scopes.close_block();
        self.scopes.leave(aside);
        self.body = body;
        let Some(Symbol::Variable(made)) = made else {
            return None;
        };
        self.templates.note_instance(index, list, Made::Variable(made.clone()));
        Some(made)
    }
}

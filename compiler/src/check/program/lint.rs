//! Warnings about names: variables that hide others, and unused declarations. They follow clang's
//! `-Wunused` and, for variables in functions, `-Wshadow`.

use crate::check::state::Checker;
use crate::check::state::scopes::{Role, Symbol, Variable};
use crate::check::types::CType;
use crate::check::value::Value;
use crate::diagnostic::{Code, Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, UnaryOp};
use std::rc::Rc;

impl Checker {
    /// Reports advice to the program, if the text is its own.
    pub(crate) fn advise(&mut self, found: Diagnostic) {
        if !self.program.is_supplied(found.primary.span.file) {
            self.report(found);
        }
    }

    /// Warnings about a variable at the end of its block.
    pub(crate) fn warn_unused(&mut self, variable: &Variable) {
        let unsure = self.body.as_ref().is_some_and(|body| body.errors != self.reports.errors());
        if variable.role != Role::Local || unsure {
            return;
        }
        let name = &variable.name;
        let message = match (variable.uses.get(), variable.sets.get()) {
            (0, _) => format!("`{name}` is never used"),
            (uses, sets) if uses == sets && !variable.ty.volatile && !variable.reference => {
                format!("`{name}` is set, but never read")
            }
            _ => return,
        };
        self.advise(Diagnostic::warning(code::UNUSED_VARIABLE, variable.span, message));
    }

    /// Reports that a variable declared here hides one of the function's.
    pub(crate) fn warn_hidden(&mut self, name: &Name, span: Span) {
        let Some(base) = self.body.as_ref().map(|body| body.base) else {
            return;
        };
        // A second declaration in one block is an error; the program has no names for the variables
        // of a range-based `for`.
        if self.scopes.find_own(name).is_some() || name.starts_with('(') {
            return;
        }
        let Some(Symbol::Variable(outer)) =
            self.scopes.find_around(name, base).map(|entry| entry.meaning.clone())
        else {
            return;
        };
        let what = match outer.role {
            Role::Parameter => "parameter",
            _ => "variable",
        };
        self.advise(
            Diagnostic::warning(code::SHADOWED, span, format!("`{name}` hides another `{name}`"))
                .secondary(outer.span, format!("the {what} that is hidden")),
        );
    }

    /// The value of an expression that nothing uses: the expression does not read the variables
    /// that it sets.
    pub(crate) fn unused_value(&mut self, value: &ast::Expr) -> Option<Value> {
        let set: Vec<Rc<Variable>> = self.set_by(value);
        let mark = self.open_temporaries();
        let found = self.value(value);
        let found = found.and_then(|found| self.dropped(found));
        let found =
            found.map(|found| Value { expr: self.full_expression(mark, found.expr), ..found });
        set.iter().for_each(|variable| variable.sets.set(variable.sets.get() + 1));
        found
    }

    /// The variables that an expression whose value nothing takes only sets.
    fn set_by(&self, value: &ast::Expr) -> Vec<Rc<Variable>> {
        let place = match &value.kind {
            ast::ExprKind::Assign(_, place, _) => place,
            ast::ExprKind::Unary(
                UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::PostIncrement
                | UnaryOp::PostDecrement,
                place,
            ) => place,
            ast::ExprKind::Comma(first, second) => {
                let mut both = self.set_by(first);
                both.extend(self.set_by(second));
                return both;
            }
            _ => return Vec::new(),
        };
        let ast::ExprKind::Name(name) = &place.kind else {
            return Vec::new();
        };
        let found = self.scopes.find_in_blocks(name).map(|entry| &entry.meaning);
        match found {
            // The operators of structures are functions, which may read.
            Some(Symbol::Variable(variable)) if !matches!(variable.ty.ty, CType::Struct(_)) => {
                vec![variable.clone()]
            }
            _ => Vec::new(),
        }
    }

    /// Counts the names in a part of the body that is not compiled.
    pub(crate) fn note_uses_in(&mut self, part: Span) {
        let Some(body) = &self.body else {
            return;
        };
        for name in body.piece.names_in(part) {
            if let Some(entry) = self.scopes.find_in_blocks(name)
                && let Symbol::Variable(variable) = &entry.meaning
            {
                variable.uses.set(variable.uses.get() + 1);
            }
        }
    }

    /// Returns true if a constructor makes objects of a type, which may be their only purpose.
    pub(crate) fn is_constructed(&self, ty: &CType) -> bool {
        match ty {
            CType::Array(element, _) => self.is_constructed(&element.ty),
            CType::Struct(id) => self.structure(*id).constructed || self.structure(*id).destroyed,
            _ => false,
        }
    }

    /// Reports something static that the program names nowhere but here.
    pub(crate) fn warn_unnamed(&mut self, name: &Name, span: Span, what: &str, code: Code) {
        let last = name.rsplit("::").next().unwrap_or(name);
        if self.program.is_single(last) && !last.starts_with("operator") {
            let message = format!("the static {what} `{last}` is never used");
            self.advise(Diagnostic::warning(code, span, message));
        }
    }

    /// Reports static functions that the program does not name.
    pub(crate) fn warn_unused_functions(&mut self) {
        for index in 0..self.functions.len() {
            let info = &self.functions[index];
            if info.internal && info.defined && info.first_use.is_none() {
                let (name, span) = (info.name.clone(), info.span);
                self.warn_unnamed(&name, span, "function", code::UNUSED_FUNCTION);
            }
        }
    }
}

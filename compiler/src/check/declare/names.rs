//! Declared names: once in their scope, with warnings about them at its end.

use crate::check::builtin::TABLE;
use crate::check::library::known;
use crate::check::state::Checker;
use crate::check::state::scopes::{Entry, Symbol};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree::Name;
use reconverge_isa::nearest::nearest;

impl Checker {
    pub(crate) fn open_scope(&mut self) {
        self.scopes.open_block();
    }

    /// Closes a block, and reports its unused declarations.
    pub(crate) fn close_scope(&mut self) {
        for variable in self.scopes.close_block() {
            self.warn_unused(&variable);
        }
    }

    /// Declares a name that may be declared once in its scope.
    pub(crate) fn declare(&mut self, name: &Name, symbol: Symbol, span: Span) {
        let earlier = self.scopes.find_own(name).cloned();
        match earlier {
            Some(Entry { meaning: Symbol::Poisoned, .. }) => {
                // The meaning of later uses is unknown.
            }
            Some(earlier) if !same_type(&earlier.meaning, &symbol) => {
                self.report_redefinition(name, span, earlier.span);
            }
            _ => self.scopes.set(name.clone(), symbol, Some(span)),
        }
    }

    pub(crate) fn report_redefinition(&mut self, name: &str, span: Span, earlier: Option<Span>) {
        let message = format!("`{name}` is defined twice");
        let mut found = Diagnostic::error(code::REDEFINED, span, message);
        if let Some(earlier) = earlier {
            found = found.secondary(earlier, "first defined here");
        }
        self.report(found);
    }

    /// The visible name that `name` most likely was meant to be.
    pub(crate) fn nearest(&self, name: &str) -> Option<&str> {
        let supplied = known::names();
        let builtins = TABLE.iter().flat_map(|row| row.names.iter().copied());
        // A program that writes `y` hardly means the Bessel function `y0`.
        let builtins = builtins.filter(|name| name.len() > 2 && !name.contains('.'));
        let own = nearest(name, self.scopes.visible());
        own.or_else(|| nearest(name, builtins.chain(supplied)))
    }
}

/// Types may be named again if they are the same.
fn same_type(a: &Symbol, b: &Symbol) -> bool {
    matches!((a, b), (Symbol::Type(a), Symbol::Type(b)) if a == b)
}

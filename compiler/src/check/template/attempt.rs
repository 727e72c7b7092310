//! Function templates by their names, and attempts to make something of one.

use crate::check::state::Checker;
use crate::check::state::scopes::{Overloads, Symbol};
use crate::syntax::source::Span;
use crate::syntax::tree::Name;
use std::rc::Rc;

impl Checker {
    /// Does something whose faults are no faults of the program.
    pub(crate) fn silently<T>(
        &mut self,
        attempt: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let mark = self.reports.mark();
        let found = attempt(self);
        let failed = self.reports.go_back(mark);
        found.filter(|_| !failed)
    }

    /// Attempts a reading whose faults mean that another reading applies. Faults that the program
    /// may not have in any case are reported.
    pub(crate) fn tried<T>(&mut self, attempt: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let mark = self.reports.mark();
        let found = attempt(self);
        let failed = self.reports.go_back_surely(mark);
        found.filter(|_| !failed)
    }

    /// The functions of a name with arguments.
    pub(crate) fn templates_of(&mut self, name: &Name, span: Span) -> Option<Rc<Overloads>> {
        match self.symbol_of(name) {
            Some(Symbol::Functions(list)) => Some(list),
            Some(Symbol::Poisoned) => {
                self.note_poison(name, span);
                None
            }
            _ => {
                self.report_unknown(name, span, "the function template ");
                None
            }
        }
    }
}

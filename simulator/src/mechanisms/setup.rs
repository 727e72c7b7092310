//! The options of a mechanism, and the place that it is constructed for.

use crate::machine::Machine;
use std::ops::Deref;

/// The options of a mechanism, as a table, and the place that it is constructed for. A machine file's mechanisms are also
/// constructed once for the check of their options, and for questions about their capabilities, in no place.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    options: &'a toml::Table,
    /// The machine; `None` for questions about a mechanism by itself.
    pub machine: Option<&'a Machine>,
    /// The SM, from 0; `None` for parts of the machine beside SMs.
    pub sm: Option<usize>,
    /// The scheduler of the SM, from 0, of a mechanism that each scheduler has.
    pub scheduler: Option<usize>,
}

impl<'a> Setup<'a> {
    /// Options by themselves, for tests.
    pub const fn of(options: &'a toml::Table) -> Setup<'a> {
        Setup { options, machine: None, sm: None, scheduler: None }
    }

    /// The options of a mechanism of a machine.
    pub fn on(machine: &'a Machine, mechanism: &str) -> Setup<'a> {
        Setup { machine: Some(machine), ..Setup::of(machine.options(mechanism)) }
    }

    /// The same for an SM.
    pub const fn of_sm(self, sm: usize) -> Setup<'a> {
        Setup { sm: Some(sm), ..self }
    }

    /// The same for a scheduler of its SM.
    pub const fn of_scheduler(self, scheduler: usize) -> Setup<'a> {
        Setup { scheduler: Some(scheduler), ..self }
    }
}

/// The options.
impl Deref for Setup<'_> {
    type Target = toml::Table;

    fn deref(&self) -> &toml::Table {
        self.options
    }
}

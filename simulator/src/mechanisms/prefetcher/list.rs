//! The mechanisms of the slot `prefetcher`.

use super::slot::{Build, Prefetcher};
use super::{many_thread, next_line, none, stride};
use crate::machine::Machine;
use crate::mechanisms::mechanism::{List, Mechanism};
use crate::mechanisms::setup::Setup;

/// The mechanisms that exist.
pub static MECHANISMS: List<Build> = List::new(
    "prefetcher",
    &[none::MECHANISM, next_line::MECHANISM, stride::MECHANISM, many_thread::MECHANISM],
);

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    MECHANISMS.find(name)
}

/// The prefetcher of an SM; `None` for the one that prefetches nothing.
pub(crate) fn build(machine: &Machine, sm: usize) -> Result<Option<Box<dyn Prefetcher>>, String> {
    let mechanism = find(&machine.prefetcher)?;
    (mechanism.build)(&Setup::on(machine, mechanism.name).of_sm(sm))
}

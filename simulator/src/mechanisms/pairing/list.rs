//! The mechanisms of the slot `pairing`.

use super::slot::{Build, Pairing};
use super::{next_instruction, nothing, other_path, other_warp};
use crate::machine::Machine;
use crate::mechanisms::mechanism::{List, Mechanism};
use crate::mechanisms::setup::Setup;

/// The mechanisms that exist.
pub static MECHANISMS: List<Build> = List::new(
    "pairing",
    &[
        nothing::MECHANISM,
        next_instruction::MECHANISM,
        other_path::MECHANISM,
        other_warp::MECHANISM,
    ],
);

/// The default.
pub(crate) const NOTHING: &str = nothing::MECHANISM.name;

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    MECHANISMS.find(name)
}

/// The pairing of an SM.
pub(crate) fn build(machine: &Machine, sm: usize) -> Result<Option<Box<dyn Pairing>>, String> {
    let mechanism = find(&machine.sm.pairing)?;
    (mechanism.build)(&Setup::on(machine, mechanism.name).of_sm(sm))
}

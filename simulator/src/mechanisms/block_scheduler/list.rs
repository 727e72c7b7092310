//! The mechanisms of the slot `block-scheduler`.

use super::slot::{BlockScheduler, Build};
use super::{locality, round_robin, throttled};
use crate::machine::Machine;
use crate::mechanisms::mechanism::{List, Mechanism};
use crate::mechanisms::setup::Setup;

/// The mechanisms that exist.
pub static MECHANISMS: List<Build> = List::new(
    "block-scheduler",
    &[round_robin::MECHANISM, throttled::MECHANISM, locality::MECHANISM],
);

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    MECHANISMS.find(name)
}

/// The block scheduler of a launch.
pub(crate) fn build(machine: &Machine) -> Result<Box<dyn BlockScheduler>, String> {
    let mechanism = find(&machine.block_scheduler)?;
    (mechanism.build)(&Setup::on(machine, mechanism.name), machine.sms as usize)
}

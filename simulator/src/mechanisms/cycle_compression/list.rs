//! The mechanisms of the slot `cycle-compression`.

use super::slot::{Build, CycleCompression};
use super::{bcc, ivb_half, none, scc};
use crate::machine::Machine;
use crate::mechanisms::mechanism::{List, Mechanism};
use crate::mechanisms::setup::Setup;

/// The schemes that exist.
pub static MECHANISMS: List<Build> = List::new(
    "cycle-compression",
    &[none::MECHANISM, ivb_half::MECHANISM, bcc::MECHANISM, scc::MECHANISM],
);

/// The scheme of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    MECHANISMS.find(name)
}

/// The cycle compression of an SM's pipes.
pub(crate) fn build(machine: &Machine) -> Result<Box<dyn CycleCompression>, String> {
    let mechanism = find(&machine.cycle_compression)?;
    (mechanism.build)(&Setup::on(machine, mechanism.name))
}

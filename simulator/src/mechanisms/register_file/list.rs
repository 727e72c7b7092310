//! The mechanisms of the slot `register-file`.

use super::slot::{Build, RegisterFile, Shape};
use super::{
    banked, compiler_managed, compressed, drowsy, pilot, register_cache, regless, virtualized,
};
use crate::machine::Machine;
use crate::mechanisms::mechanism::{List, Mechanism};
use crate::mechanisms::setup::Setup;

/// The mechanism whose options, those of banks and collectors, all of the slot share.
pub(crate) const SHARED: &str = banked::MECHANISM.name;

/// The register files that exist.
pub static MECHANISMS: List<Build> = List::new(
    "register-file",
    &[
        banked::MECHANISM,
        register_cache::MECHANISM,
        drowsy::MECHANISM,
        pilot::MECHANISM,
        compressed::MECHANISM,
        virtualized::MECHANISM,
        compiler_managed::MECHANISM,
        regless::MECHANISM,
    ],
);

/// The register file of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    MECHANISMS.find(name)
}

/// The register file of a sub-core. `is_serial` is a capability of the divergence scheme.
pub(crate) fn build(machine: &Machine, is_serial: bool) -> Result<Box<dyn RegisterFile>, String> {
    let mechanism = find(&machine.register_file)?;
    let shape = shape(machine, is_serial);
    (mechanism.build)(&Setup::on(machine, mechanism.name), &shape)
}

/// The shape of the register file of a sub-core.
pub(crate) fn shape(machine: &Machine, is_serial: bool) -> Shape {
    Shape {
        banked: machine.options(SHARED).clone(),
        is_serial,
        registers: machine.sm.warp_registers() / u64::from(machine.sm.sub_cores),
        width: machine.sm.warp_width,
        warps: machine.sm.warps.div_ceil(machine.sm.sub_cores),
    }
}

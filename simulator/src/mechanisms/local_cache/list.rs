//! The mechanisms of the slot `local-cache`.

use super::slot::{Build, LocalCache, LocalShape};
use super::{affine_vector_cache, none};
use crate::machine::Machine;
use crate::mechanisms::lane_permutation;
use crate::mechanisms::mechanism::{List, Mechanism};
use crate::mechanisms::setup::Setup;

/// The mechanisms that exist.
pub static MECHANISMS: List<Build> =
    List::new("local-cache", &[none::MECHANISM, affine_vector_cache::MECHANISM]);

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    MECHANISMS.find(name)
}

/// The cache for local memory of an SM; `None` for the one that keeps nothing.
pub(crate) fn build(machine: &Machine) -> Result<Option<Box<dyn LocalCache>>, String> {
    let mechanism = find(&machine.local_cache)?;
    (mechanism.build)(&Setup::on(machine, mechanism.name), shape(machine)?)
}

/// The accesses of warps to local memory, as the slot `local-cache` sees them.
pub(crate) fn shape(machine: &Machine) -> Result<LocalShape, String> {
    let (warp_width, line) = (machine.sm.warp_width, machine.l1.line);
    Ok(LocalShape {
        warp_width,
        line,
        in_order: lane_permutation::list::map(machine)?.is_identity(),
    })
}

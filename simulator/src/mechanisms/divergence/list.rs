//! The mechanisms of the slot `divergence`.

use super::slot::{Build, Capabilities, Divergence};
use super::{
    block_compaction, capri, convergence_barrier, dual_path, large_warp, likely_convergence,
    multi_path, simt_stack, thread_frontiers, warp_formation, warp_subdivision,
};
use crate::machine::Machine;
use crate::mechanisms::mechanism::{List, Mechanism};
use crate::mechanisms::setup::Setup;

/// The schemes that exist.
pub static MECHANISMS: List<Build> = List::new(
    "divergence",
    &[
        simt_stack::MECHANISM,
        dual_path::MECHANISM,
        warp_subdivision::MECHANISM,
        convergence_barrier::MECHANISM,
        thread_frontiers::MECHANISM,
        multi_path::MECHANISM,
        likely_convergence::MECHANISM,
        block_compaction::MECHANISM,
        block_compaction::PLUS,
        capri::MECHANISM,
        warp_formation::MECHANISM,
        large_warp::MECHANISM,
    ],
);

/// The scheme in which all paths of a warp may run at any time, and threads meet at the compiler's
/// reconvergence points.
pub(crate) const INTERLEAVED: &str = multi_path::MECHANISM.name;

/// The scheme that forms warps from a block's threads.
pub(crate) const FORMATION: &str = warp_formation::MECHANISM.name;

/// The scheme of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    MECHANISMS.find(name)
}

/// The capabilities of the scheme of a name with its default options; `None` if there is no such
/// scheme.
pub fn capabilities(name: &str) -> Option<Capabilities> {
    let scheme = (find(name).ok()?.build)(&Setup::of(&toml::Table::new())).ok()?;
    Some(scheme.capabilities())
}

/// The divergence scheme of one block.
pub(crate) fn build(machine: &Machine) -> Result<Box<dyn Divergence>, String> {
    let mechanism = find(&machine.divergence)?;
    (mechanism.build)(&Setup::on(machine, mechanism.name))
}

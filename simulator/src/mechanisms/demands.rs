//! The demands of a machine's mechanisms on the compiler.

use crate::machine::Machine;
use crate::mechanisms::affine::slot::Streams;
use crate::mechanisms::event::EventSet;
use crate::mechanisms::register_file::{self, ManagedLevels, Properties};
use crate::mechanisms::{affine, scheduler};
use crate::program::regions::RegionCapacity;

/// The annotations and streams that a machine's mechanisms need from the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demands {
    /// The scheduler needs hints about loops around loads.
    pub load_hints: bool,
    /// The register file needs the number of long-lived registers.
    pub lifetimes: bool,
    /// The levels in front of the main register file, for the compiler to fill.
    pub levels: Option<ManagedLevels>,
    /// The capacity of a register file that holds registers of regions only.
    pub regions: Option<RegionCapacity>,
    /// The kernels to compile into two streams.
    pub streams: Streams,
}

/// The demands of a machine on the compiler, for [`Machine::demands`].
pub(crate) fn find(machine: &Machine) -> Demands {
    let file = register_file::list::build(machine, true)
        .map_or_else(|_| Properties::default(), |file| file.properties());
    Demands {
        load_hints: scheduler::list::build(machine)
            .is_ok_and(|scheduler| scheduler.events().has(EventSet::IN_LOOP)),
        lifetimes: file.needs_lifetimes,
        levels: file.levels,
        regions: file.regions,
        streams: affine::list::build(machine).map_or(Streams::One, |affine| affine.streams()),
    }
}

//! Builds the mechanisms that a machine names, with their options. A [`Machine`] itself is data: it imports no mechanism.

use crate::machine::Machine;
use crate::mechanisms::affine::{self, Design, Streams};
use crate::mechanisms::block_scheduler::{self, BlockScheduler};
use crate::mechanisms::cycle_compression::{self, CycleCompression};
use crate::mechanisms::divergence::{self, Divergence};
use crate::mechanisms::dram_scheduler::{self, DramScheduler};
use crate::mechanisms::event::EventSet;
use crate::mechanisms::lane_permutation::{self, LaneMap};
use crate::mechanisms::local_cache::{self, LocalCache, LocalShape};
use crate::mechanisms::prefetcher::{self, Prefetcher};
use crate::mechanisms::register_file::{
    self, ManagedLevels, Properties, RegisterFile, Shape, StagingUnit,
};
use crate::mechanisms::scheduler::{self, Scheduler};

/// The divergence scheme of one block.
pub(crate) fn divergence(machine: &Machine) -> Result<Box<dyn Divergence>, String> {
    let mechanism = divergence::list::find(&machine.divergence)?;
    (mechanism.build)(&machine.options(mechanism.name))
}

/// One warp scheduler.
pub(crate) fn scheduler(machine: &Machine) -> Result<Box<dyn Scheduler>, String> {
    let mechanism = scheduler::list::find(&machine.scheduler)?;
    (mechanism.build)(&machine.options(mechanism.name))
}

/// The warp schedulers of an SM.
pub(crate) fn schedulers(machine: &Machine) -> Result<Vec<Box<dyn Scheduler>>, String> {
    let mut all = vec![scheduler(machine)?];
    for _ in 1..machine.sm.schedulers {
        let next = all[0].sibling().map_or_else(|| scheduler(machine), Ok)?;
        all.push(next);
    }
    Ok(all)
}

/// The cycle compression of an SM's pipes.
pub(crate) fn cycle_compression(machine: &Machine) -> Result<Box<dyn CycleCompression>, String> {
    let mechanism = cycle_compression::list::find(&machine.cycle_compression)?;
    (mechanism.build)(&machine.options(mechanism.name))
}

/// The mechanism in the slot `affine`.
pub(crate) fn affine(machine: &Machine) -> Result<Box<dyn Design>, String> {
    let mechanism = affine::list::find(&machine.affine)?;
    (mechanism.build)(&machine.options(mechanism.name))
}

/// The prefetcher of an SM; `None` for the one that prefetches nothing.
pub(crate) fn prefetcher(machine: &Machine) -> Result<Option<Box<dyn Prefetcher>>, String> {
    let mechanism = prefetcher::list::find(&machine.prefetcher)?;
    (mechanism.build)(&machine.options(mechanism.name))
}

/// The cache for local memory of an SM; `None` for the one that keeps nothing.
pub(crate) fn local_cache(machine: &Machine) -> Result<Option<Box<dyn LocalCache>>, String> {
    let mechanism = local_cache::list::find(&machine.local_cache)?;
    (mechanism.build)(&machine.options(mechanism.name), local_shape(machine)?)
}

/// The accesses of warps to local memory, as the slot `local-cache` sees them.
pub(crate) fn local_shape(machine: &Machine) -> Result<LocalShape, String> {
    let (warp_width, line) = (machine.sm.warp_width, machine.l1.line);
    Ok(LocalShape { warp_width, line, in_order: lane_map(machine)?.is_identity() })
}

/// The register file of a sub-core. `is_serial` is a capability of the divergence scheme.
pub(crate) fn register_file(
    machine: &Machine,
    is_serial: bool,
) -> Result<Box<dyn RegisterFile>, String> {
    let mechanism = register_file::list::find(&machine.register_file)?;
    let shape = register_file_shape(machine, is_serial);
    (mechanism.build)(&machine.options(mechanism.name), &shape)
}

/// The shape of the register file of a sub-core.
pub(crate) fn register_file_shape(machine: &Machine, is_serial: bool) -> Shape {
    Shape {
        banked: machine.options(register_file::list::SHARED),
        is_serial,
        registers: machine.sm.warp_registers() / u64::from(machine.sm.sub_cores),
        width: machine.sm.warp_width,
        warps: machine.sm.warps.div_ceil(machine.sm.sub_cores),
    }
}

/// The physical lanes of the threads of warps.
pub(crate) fn lane_map(machine: &Machine) -> Result<LaneMap, String> {
    let permutation = lane_permutation::list::find(&machine.lane_permutation)?;
    let options = machine.options(permutation.name);
    let map = (permutation.build)(&options, machine.sm.warp_width as usize);
    map.map_err(|error| match error.contains("warp width") {
        true => error,
        false => format!("options of `{}`: {error}", permutation.name),
    })
}

/// The block scheduler of a launch.
pub(crate) fn block_scheduler(machine: &Machine) -> Result<Box<dyn BlockScheduler>, String> {
    let mechanism = block_scheduler::list::find(&machine.block_scheduler)?;
    (mechanism.build)(&machine.options(mechanism.name), machine.sms as usize)
}

/// The scheduler of a memory channel, or of one of its sub-ranks.
pub(crate) fn dram_scheduler(machine: &Machine) -> Result<Box<dyn DramScheduler>, String> {
    let mechanism = dram_scheduler::list::find(&machine.dram_scheduler)?;
    (mechanism.build)(&machine.options(mechanism.name), &machine.dram.sub_rank())
}

/// The annotations and streams that a machine's mechanisms need from the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demands {
    /// The scheduler needs hints about loops around loads.
    pub load_hints: bool,
    /// The register file needs the number of long-lived registers.
    pub lifetimes: bool,
    /// The levels in front of the main register file, for the compiler to fill.
    pub levels: Option<ManagedLevels>,
    /// The staging unit of a register file that holds the registers of regions only.
    pub staging: Option<StagingUnit>,
    /// The kernels to compile into two streams.
    pub streams: Streams,
}

/// The demands of a machine on the compiler.
pub fn demands(machine: &Machine) -> Demands {
    let file = register_file(machine, true)
        .map_or_else(|_| Properties::default(), |file| file.properties());
    Demands {
        load_hints: scheduler(machine)
            .is_ok_and(|scheduler| scheduler.events().has(EventSet::IN_LOOP)),
        lifetimes: file.needs_lifetimes,
        levels: file.levels,
        staging: file.staging,
        streams: affine(machine).map_or(Streams::One, |affine| affine.streams()),
    }
}

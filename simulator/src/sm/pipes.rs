//! The pipes of an SM: how many passes an instruction takes, and when a pipe accepts it.

use reconverge_isa::Unit;

use crate::execute::lanes::count_lanes;
use crate::machine::{Machine, ResolvedUnit};
use crate::mechanisms::cycle_compression::{CycleCompression, Widths};
use crate::mechanisms::register_file::Leave;
use crate::mechanisms::{cycle_compression, lane_permutation};
use crate::observe::statistics::Statistics;
use crate::program::decoded::{Decoded, unit_index};

/// The place of the unit of matrices in [`Unit::ALL`].
const TENSOR: u8 = Unit::ALL.len() as u8 - 1;

/// The pipes of an SM.
pub(super) struct Pipes {
    /// By sub-core and pipe, then instance: when it accepts an instruction.
    free: Vec<Vec<u64>>,
    /// Pipes of a sub-core.
    pipes: usize,
    units: Vec<ResolvedUnit>,
    /// Lanes of a warp.
    width: u32,
    /// Leaves out passes, if the scheme ever does.
    compression: Option<Box<dyn CycleCompression>>,
    permutes: bool,
    barriers: Barriers,
}

/// The times at which an SM's barriers take arrivals, and the wait of their paths.
struct Barriers {
    /// Cycles that an arrival occupies them.
    interval: u64,
    /// From the end of the arrival that opens one until the waiting paths can issue.
    latency: u64,
    /// The cycle in which they take the next arrival.
    free: u64,
}

/// An instruction takes no pass: the lanes of a mask were counted as acting, and do not.
pub(super) fn no_pass(instruction: &Decoded, mask: u64, statistics: &mut Statistics) -> u64 {
    let [_, acting] = statistics.of_unit(instruction.unit);
    *acting -= u64::from(count_lanes(mask));
    0
}

impl Pipes {
    pub(super) fn new(machine: &Machine) -> Result<Pipes, String> {
        let compression = cycle_compression::list::build(machine)?;
        let each = machine.pipes.values().map(|pipe| vec![0; pipe.count as usize]);
        let sub_cores = machine.sm.sub_cores as usize;
        Ok(Pipes {
            pipes: each.len(),
            free: std::iter::repeat_n(each, sub_cores).flatten().collect(),
            units: machine.resolved_units(),
            width: machine.sm.warp_width,
            permutes: compression.compresses()
                && !lane_permutation::list::map(machine)?.is_identity(),
            compression: Some(compression).filter(|scheme| scheme.compresses()),
            barriers: Barriers {
                interval: u64::from(machine.barrier.interval),
                latency: u64::from(machine.barrier.latency),
                free: 0,
            },
        })
    }

    /// Returns true if they depend on the physical lanes of threads.
    #[inline]
    pub(super) fn permutes(&self) -> bool {
        self.permutes
    }

    /// A unit, or an operation with a time of its own, by its index in [`Machine::resolved_units`].
    #[inline]
    pub(super) fn unit(&self, unit: u8) -> &ResolvedUnit {
        &self.units[usize::from(unit)]
    }

    /// A path arrives at a barrier. Returns the cycle in which the waiting paths can issue if that
    /// opens it.
    pub(super) fn arrive(&mut self, now: u64) -> u64 {
        let Barriers { interval, latency, free } = &mut self.barriers;
        *free = now.max(*free) + *interval;
        match *latency {
            0 => *free + self.control_latency(),
            latency => *free + latency,
        }
    }

    /// Cycles from the issue of an instruction of control flow to that of the next one of its path.
    pub(super) fn control_latency(&self) -> u64 {
        self.unit(unit_index(Unit::Control)).latency
    }

    /// The passes of an instruction that acts in the lanes of a mask, in its pipe.
    #[inline(always)]
    pub(super) fn passes(
        &self,
        instruction: &Decoded,
        mask: u64,
        statistics: &mut Statistics,
    ) -> u64 {
        let unit = self.unit(instruction.timing);
        let passes = unit.passes[usize::from(instruction.is_wide)];
        if instruction.accesses_memory() {
            return passes;
        }
        if instruction.unit == TENSOR {
            statistics.tensor_busy_cycles += passes * unit.initiation;
        }
        if let Some(compression) = &self.compression {
            return self.compressed(&**compression, unit, passes, mask, statistics);
        }
        statistics.execution_cycles += passes * unit.initiation;
        passes
    }

    /// The passes of an instruction without those that a scheme skips.
    #[inline(never)]
    fn compressed(
        &self,
        compression: &dyn CycleCompression,
        unit: &ResolvedUnit,
        passes: u64,
        mask: u64,
        statistics: &mut Statistics,
    ) -> u64 {
        let widths = Widths { warp: self.width, pipe: unit.lanes };
        let saved = compression.saved(mask, widths);
        // A group's pass of wide operands is several.
        let each = passes / u64::from(widths.groups());
        let cycles = |groups: u32| u64::from(groups) * each * unit.initiation;
        statistics.execution_cycles += cycles(widths.groups() - saved.passes());
        statistics.execution_cycles_saved_half += cycles(saved.half);
        statistics.execution_cycles_saved_groups += cycles(saved.groups);
        statistics.execution_cycles_saved_swizzle += cycles(saved.swizzle);
        passes - u64::from(saved.passes()) * each
    }

    /// The passes of an instruction that computes in one lane of a mask only: those of its group of lanes. The other
    /// lanes of the mask were counted as acting, and do not.
    pub(super) fn one_pass(
        &self,
        instruction: &Decoded,
        mask: u64,
        statistics: &mut Statistics,
    ) -> u64 {
        no_pass(instruction, mask & mask.wrapping_sub(1), statistics);
        let unit = self.unit(instruction.timing);
        let widths = Widths { warp: self.width, pipe: unit.lanes };
        let passes = unit.passes[usize::from(instruction.is_wide)] / u64::from(widths.groups());
        statistics.execution_cycles += passes * unit.initiation;
        passes
    }

    /// The first cycle in which a pipe of a sub-core accepts an instruction.
    #[inline(always)]
    pub(super) fn first_free(&self, sub_core: usize, pipe: u16) -> u64 {
        let instances = &self.free[sub_core * self.pipes + usize::from(pipe)];
        instances.iter().copied().min().unwrap_or(0)
    }

    /// An instruction starts in a pipe of a sub-core as soon as that accepts it, from a cycle on, and
    /// takes it for `cycles` cycles. Returns the cycle in which it starts.
    pub(super) fn reserve(&mut self, sub_core: usize, pipe: u16, cycles: u64, from: u64) -> u64 {
        match self.start(sub_core, pipe, cycles, from) {
            Leave::Left => from,
            Leave::NotBefore(free) => {
                self.start(sub_core, pipe, cycles, free);
                free
            }
        }
    }

    /// An instruction is to start that takes a pipe of a sub-core for `cycles` cycles, if it takes
    /// it at all.
    #[inline]
    pub(super) fn start(&mut self, sub_core: usize, pipe: u16, cycles: u64, now: u64) -> Leave {
        if cycles == 0 {
            return Leave::Left;
        }
        let instances = &mut self.free[sub_core * self.pipes + usize::from(pipe)];
        // Free instances are interchangeable.
        if let Some(free) = instances.iter_mut().find(|free| **free <= now) {
            *free = now + cycles;
            return Leave::Left;
        }
        Leave::NotBefore(instances.iter().copied().min().unwrap_or(u64::MAX))
    }
}

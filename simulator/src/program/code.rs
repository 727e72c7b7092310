//! A kernel, decoded for a launch.

use std::ops::Range;
use std::sync::Arc;

use reconverge_isa::{AffineStream, FixedLatencies, Kernel, Vectors};

use crate::machine::Machine;
use crate::mechanisms::divergence::layout::Layout;
use crate::mechanisms::divergence::slot::BlockShape;
use crate::observe::statistics::Statistics;
use crate::observe::tally::Sums;
use crate::program::control_bits::{self, Stated};
use crate::program::decoded::{Decoded, computes_row};
use crate::program::loops::Loops;
use crate::program::operands::{Source, Target};
use crate::program::regions::{Misfit, RegionCapacity, Regions};
use crate::run::fault::Fault;
use crate::verify::claim::Register;

/// A kernel, decoded for a launch.
#[derive(Debug)]
pub struct Code {
    /// The host's vector instructions that evaluate operations.
    pub(crate) vectors: Vectors,
    pub(crate) instructions: Vec<Decoded>,
    /// By place in them, the end included: the sums of those before it.
    pub(crate) sums: Vec<Sums>,
    /// The layout for divergence schemes; only if the launch's reads it.
    pub(crate) layout: Option<Layout>,
    /// Loops around loads.
    pub(crate) loops: Loops,
    /// Rows of `width` words: those of thread indices, `(warp * 3 + axis) * width + lane`, then a row for each constant.
    pub(crate) pool: Vec<u32>,
    pub(crate) shape: BlockShape,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// The number of a thread's general registers, at least 1.
    pub(crate) registers: usize,
    /// The number of a warp's predicate registers, at least 1.
    pub(crate) predicates: usize,
    /// Bytes of a block's shared memory, dynamic included.
    pub(crate) shared_bytes: usize,
    /// Bytes of a thread's local memory.
    pub(crate) local_bytes: usize,
    /// True if claims are to be checked.
    pub(crate) verify: bool,
    /// The second stream, which begins after the last instruction of the first one.
    pub(crate) second_stream: Option<AffineStream>,
    /// True if it states the levels of registers.
    pub(crate) has_levels: bool,
    /// Its regions, of a kernel that has some; and of one that has none for machines which need them.
    pub(crate) regions: Option<Arc<Regions>>,
    /// True if the kernel has some.
    pub(crate) has_regions: bool,
    /// Registers below it live long.
    pub(crate) long_lived: u32,
    /// The first uniform register; the number of registers if there is none.
    pub(crate) first_uniform: usize,
    /// On a machine that checks no dependences: the entries of those that the kernel states.
    pub(crate) stated: Option<Stated>,
    /// Its control bits may be wrong: registers have their old values until results can be read.
    pub(crate) writes_late: bool,
    /// Scoreboards have an entry for the reads of each register too: instructions of varying latency read their sources
    /// some time after they issue.
    pub(crate) awaits_reads: bool,
    /// Its start in memory, in bytes from that of all code: a multiple of the largest line.
    pub(crate) place: u64,
}

impl Code {
    /// Sets the regions of the code to a kernel's, for a register file that holds registers of
    /// regions only; a region that it cannot hold rejects the launch.
    pub(crate) fn fit_regions(
        &mut self,
        kernel: &Kernel,
        capacity: RegionCapacity,
    ) -> Result<(), Fault> {
        let regions = match self.regions.take() {
            Some(regions) => (*regions).clone(),
            None => Regions::single(kernel),
        };
        let fitted = regions.fitted(kernel, capacity).map_err(misfit)?;
        self.regions = Some(Arc::new(fitted));
        Ok(())
    }

    /// The statistics of a launch that has not begun: the resources of its blocks and threads.
    pub(crate) fn statistics(&self) -> Statistics {
        Statistics {
            registers: self.registers as u64,
            shared_bytes: self.shared_bytes as u64,
            ..Statistics::default()
        }
    }

    /// Returns true if the code has claims on the registers that regions hold, and they are checked.
    #[inline]
    pub(crate) fn checks_regions(&self) -> bool {
        self.verify && self.has_regions
    }

    /// Returns true if claims on where registers are, of which there are some, are to be checked.
    #[inline]
    pub(crate) fn checks_levels(&self) -> bool {
        self.verify && self.has_levels
    }

    /// The next instructions that only compute: `count` of them, at least one, follow from a place
    /// on. Limited to `most`, and to those before `end` if that is later.
    #[inline(always)]
    pub(crate) fn computations(&self, pc: u32, count: u32, most: u32, end: u32) -> &[Decoded] {
        let further = (count - 1).min(most - 1).min(end.wrapping_sub(pc + 1));
        self.instructions.get(pc as usize..(pc + 1 + further) as usize).unwrap_or_default()
    }

    /// The index of each lane's thread along an axis, for a warp.
    pub(crate) fn thread_row(&self, warp: usize, axis: usize) -> &[u32] {
        let width = self.shape.width as usize;
        &self.pool[(warp * 3 + axis) * width..][..width]
    }

    /// A thread's index in the block from its number.
    pub(crate) fn thread_index(&self, thread: u32) -> [u32; 3] {
        split(thread, self.block)
    }

    /// The row of a block's registers that has its index along the first axis.
    #[inline(always)]
    pub(crate) fn block_row(&self) -> usize {
        self.shape.warps() as usize * self.registers
    }

    /// A block's index in the grid from its number.
    pub(crate) fn block_index(&self, block: u64) -> [u32; 3] {
        let [x, y, _] = self.grid.map(u64::from);
        [block % x, block / x % y, block / x / y].map(|i| i as u32)
    }

    /// Entries of one scoreboard: general registers, then predicates.
    pub(crate) fn scoreboard_entries(&self) -> usize {
        self.registers + self.predicates
    }

    /// Entries of one scoreboard: also those of reads, or of dependences that the kernel states.
    pub(crate) fn all_entries(&self) -> usize {
        let results = self.scoreboard_entries();
        let unstated = if self.awaits_reads { 2 * results } else { results };
        self.stated.as_ref().map_or(unstated, Stated::all_entries)
    }

    /// Lets instructions have their operands in a fixed time; see [`control_bits::deliver`].
    pub(crate) fn deliver_in_fixed_time(
        &mut self,
        kernel: &Kernel,
        fixed: &FixedLatencies,
        machine: &Machine,
    ) {
        control_bits::deliver(&mut self.instructions, kernel, fixed, machine);
    }

    /// Lets instructions wait for reads of the registers that they overwrite.
    pub(crate) fn await_reads(&mut self) {
        let results = self.scoreboard_entries();
        for instruction in &mut self.instructions {
            control_bits::wait_for_reads(instruction, results);
        }
        self.awaits_reads = true;
    }

    /// Lets instructions wait for what the kernel states; see [`Stated`].
    pub(crate) fn use_control_bits(
        &mut self,
        kernel: &Kernel,
        machine: &Machine,
    ) -> Result<(), Fault> {
        let counters = machine.sm.dependence_counters as u8;
        let mut stated = Stated::new(self.scoreboard_entries(), counters);
        stated.apply(&mut self.instructions, kernel, machine)?;
        self.stated = Some(stated);
        if self.writes_late {
            self.instructions.iter_mut().for_each(|instruction| instruction.is_straight = false);
        }
        Ok(())
    }

    /// The register of a scoreboard entry.
    pub(crate) fn register(&self, entry: usize) -> Register {
        match entry.checked_sub(self.registers) {
            None => Register::General(entry as u16),
            Some(predicate) => Register::Predicate(predicate as u16),
        }
    }

    /// The scoreboard entry of a predicate.
    pub(crate) fn predicate_entry(&self, index: u16) -> usize {
        self.registers + usize::from(index)
    }

    /// The scoreboard entries that a source is read from.
    pub(crate) fn source_entries(&self, source: Source) -> Range<usize> {
        match source {
            Source::Register { index, words } => general_entries(index, words),
            Source::Predicate { index, .. } => one(self.predicate_entry(index)),
            _ => 0..0,
        }
    }

    /// The scoreboard entries that a result is written to.
    pub(crate) fn target_entries(&self, target: Target) -> Range<usize> {
        match target {
            Target::None => 0..0,
            Target::Register { index, words } => general_entries(index, words),
            Target::Predicate(index) => one(self.predicate_entry(index)),
        }
    }
}

/// Says of each instruction how many from it on only compute.
pub(crate) fn count_computations(instructions: &mut [Decoded]) {
    let mut computations = 0;
    for instruction in instructions.iter_mut().rev() {
        computations = if computes_row(instruction) { computations + 1 } else { 0 };
        instruction.computations = computations;
    }
}

fn one(entry: usize) -> Range<usize> {
    entry..entry + 1
}

fn general_entries(index: u16, words: u8) -> Range<usize> {
    usize::from(index)..usize::from(index) + usize::from(words)
}

pub(super) fn split(number: u32, [x, y, _]: [u32; 3]) -> [u32; 3] {
    [number % x, number / x % y, number / x / y]
}

/// Regions that do not fit are the program's fault.
pub(super) fn misfit(Misfit { pc, problem }: Misfit) -> Fault {
    Fault::BadProgram { pc, problem }
}

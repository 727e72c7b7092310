//! Barriers with a count of threads: `bar.sync a, b`, `bar.arrive` and `bar.red` of PTX.
//!
//! A warp counts once all its threads that have not ended have arrived, with all its lanes. The last warp of a block counts up to
//! a multiple of 32 threads.

use reconverge_isa::{NO_BARRIER, WarpSource};

use super::Block;
use crate::block::opening::Opening;
use crate::block::path::{Lanes, SlotId};
use crate::block::votes::Votes;
use crate::check::event::CheckEvent;
use crate::execute::lanes::lanes_of;
use crate::execute::{Executor, LaneTrap};
use crate::mechanisms::divergence::slot::{BlockShape, Step};
use crate::memory::device::GlobalPort;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::run::fault::{Trap, TrapKind, WaitReason};

/// The barriers per block.
const BARRIERS: usize = 16;

/// A path's arrival at a barrier with a reduction.
#[derive(Debug)]
struct Vote {
    instruction: Decoded,
    lanes: Lanes,
    mask: u64,
    /// The lanes whose predicate is true.
    holds: u64,
}

/// A barrier.
#[derive(Debug, Default)]
struct Barrier {
    /// Threads that open it, by the last arrival.
    count: u32,
    /// Threads of the warps that have arrived.
    counted: u32,
    /// By warp that does not count yet, the lanes that have arrived.
    arrived: Vec<u64>,
    /// By warp, the lanes that wait.
    waiting: Vec<u64>,
    votes: Vec<Vote>,
}

/// Lanes of a warp that arrive at a barrier.
struct Arrival {
    number: usize,
    warp: usize,
    lanes: u64,
}

/// A block's barriers with a count; empty until one is used.
#[derive(Debug, Default)]
pub(super) struct CountedBarriers(Vec<Barrier>);

impl CountedBarriers {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns true if no thread waits at any.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        self.0.iter().all(|barrier| barrier.waiting.iter().all(|&lanes| lanes == 0))
    }

    /// By warp, the lanes that wait at none.
    pub(super) fn others(&self) -> Vec<u64> {
        let warps = self.0.first().map_or(0, |barrier| barrier.waiting.len());
        let waiting = |warp: usize| self.0.iter().fold(0, |all, it| all | it.waiting[warp]);
        (0..warps).map(|warp| !waiting(warp)).collect()
    }

    /// The wait of a path's lanes: the barrier and the threads that it lacks.
    pub(super) fn wait(&self, lanes: &Lanes, width: usize) -> Option<WaitReason> {
        let (warp, mask) = lanes.by_warp(lanes.mask(), width).next()?;
        let waits = |barrier: &Barrier| barrier.waiting[warp] & mask != 0;
        let number = self.0.iter().position(waits)?;
        let Barrier { count, counted, .. } = self.0[number];
        let missing = count.saturating_sub(counted);
        Some(WaitReason::CountedBarrier { number: number as u8, missing })
    }

    /// Counts the arrivals, and the warps that they complete.
    fn arrive(&mut self, arrivals: &[Arrival], count: u32, waits: bool, warps: usize) {
        if self.0.is_empty() {
            self.0.resize_with(BARRIERS, Barrier::default);
            for barrier in &mut self.0 {
                barrier.arrived.resize(warps, 0);
                barrier.waiting.resize(warps, 0);
            }
        }
        for &Arrival { number, warp, lanes } in arrivals {
            let barrier = &mut self.0[number];
            barrier.count = count.checked_next_multiple_of(32).unwrap_or(u32::MAX);
            barrier.arrived[warp] |= lanes;
            barrier.waiting[warp] |= if waits { lanes } else { 0 };
        }
    }

    /// Counts the warps whose threads have all arrived, and returns a barrier that opens.
    fn opens(&mut self, alive: &[u64], shape: BlockShape) -> Option<usize> {
        let counts = |barrier: &mut Barrier| {
            let mut is_new = false;
            for (warp, arrived) in barrier.arrived.iter_mut().enumerate() {
                if *arrived != 0 && alive[warp] & !*arrived == 0 {
                    *arrived = 0;
                    barrier.counted = barrier.counted.saturating_add(threads_of(warp, shape));
                    is_new = true;
                }
            }
            is_new && barrier.counted >= barrier.count
        };
        self.0.iter_mut().position(counts)
    }

    /// Opens a barrier. Returns by warp the lanes that continue, and their votes.
    fn open(&mut self, number: usize, width: usize) -> (Vec<u64>, Votes) {
        let barrier = &mut self.0[number];
        barrier.counted = 0;
        let mut continues = Vec::new();
        for (waiting, arrived) in barrier.waiting.iter_mut().zip(&barrier.arrived) {
            // A warp that does not count yet waits for the next opening.
            continues.push(*waiting & !arrived);
            *waiting &= arrived;
        }
        let mut votes = Votes::default();
        let opening = Opening::Lanes { by_warp: &continues, width };
        for vote in std::mem::take(&mut barrier.votes) {
            let mask = opening.part(&vote.lanes) & vote.mask;
            if mask != 0 {
                votes.add(&vote.instruction, vote.lanes.clone(), mask, vote.holds);
            }
            if mask != vote.mask {
                barrier.votes.push(Vote { mask: vote.mask & !mask, ..vote });
            }
        }
        (continues, votes)
    }
}

/// The threads that a warp counts as.
fn threads_of(warp: usize, shape: BlockShape) -> u32 {
    let first = warp as u32 * shape.width;
    match first + shape.width >= shape.threads {
        true => shape.threads.next_multiple_of(32) - first,
        false => shape.width,
    }
}

/// The arrivals of a path's lanes at the barriers that they name, or the first lane whose barrier does not exist.
fn arrivals(
    lanes: &Lanes,
    mask: u64,
    numbers: &WarpSource,
    width: usize,
) -> Result<Vec<Arrival>, usize> {
    let mut found: Vec<Arrival> = Vec::new();
    for lane in lanes_of(mask) {
        let number = numbers.low[lane] as usize;
        if number >= BARRIERS {
            return Err(lane);
        }
        let thread = lanes.thread(lane, width).map_or(0, |thread| usize::from(thread.0));
        let (warp, place) = (thread / width, thread % width);
        match found.iter_mut().find(|it| it.number == number && it.warp == warp) {
            Some(arrival) => arrival.lanes |= 1 << place,
            None => found.push(Arrival { number, warp, lanes: 1 << place }),
        }
    }
    Ok(found)
}

impl Block {
    /// The lanes of `mask` arrive at the barrier with a count that is the next instruction of a slot's path. They wait there,
    /// except at `barrier.arrive`. Returns true if barriers open.
    #[cold]
    pub(super) fn arrive_counted(
        &mut self,
        code: &Code,
        slot: SlotId,
        mask: u64,
        executor: &mut Executor,
        port: &mut GlobalPort,
    ) -> Result<bool, Box<Trap>> {
        let path = self.paths.path(slot);
        let (lanes, instruction) = (path.lanes.clone(), &code.instructions[path.pc as usize]);
        let width = code.shape.width as usize;
        let waits = instruction.waits_at_barrier();
        let sources = executor.sources(code, instruction, &self.threads.registers, &lanes);
        let arrivals = arrivals(&lanes, mask, &sources[0], width).map_err(|lane| {
            let kind = TrapKind::Program { reason: NO_BARRIER };
            Box::new(self.trap(code, slot, LaneTrap { lane, kind }))
        })?;
        let count = lanes_of(mask).next().map_or(0, |lane| sources[1].low[lane]);
        self.counted.arrive(&arrivals, count, waits, code.shape.warps() as usize);
        if instruction.reduces() {
            let (numbers, holds) = (sources[0].low, sources[2].predicate);
            for number in 0..BARRIERS {
                let lanes = lanes.clone();
                let at = lanes_of(mask).filter(|&lane| numbers[lane] as usize == number);
                let mask = at.fold(0, |all, lane| all | 1 << lane);
                if mask != 0 {
                    let vote = Vote { instruction: *instruction, lanes, mask, holds };
                    self.counted.0[number].votes.push(vote);
                }
            }
        }
        if port.is_checked {
            for &Arrival { number, warp, lanes } in &arrivals {
                let (number, warp) = (number as u8, warp as u16);
                port.raise(self.number, CheckEvent::Count { number, warp, lanes });
            }
        }
        if waits {
            self.advance(slot, Step::Barrier);
        }
        Ok(self.open_counted(code, port))
    }

    /// Opens the barriers with a count that are complete. Returns true if there are any.
    #[inline]
    pub(super) fn open_counted(&mut self, code: &Code, port: &mut GlobalPort) -> bool {
        let mut any = false;
        while let Some(number) = self.counted.opens(&self.threads.alive, code.shape) {
            let width = code.shape.width as usize;
            let (by_warp, mut votes) = self.counted.open(number, width);
            if port.is_checked {
                let lanes = by_warp.clone();
                port.raise(self.number, CheckEvent::Opened { number: number as u8, lanes });
            }
            votes.deliver(code, &mut self.threads.registers);
            self.divergence.release(Opening::Lanes { by_warp: &by_warp, width }, &mut self.paths);
            any = true;
        }
        any
    }
}

//! A cycle-by-cycle trace of an SM's instructions, for viewers.
//!
//! Each SM records its own, so that a trace does not depend on the number of threads. Without a
//! [`Window`] nothing is recorded.

use std::ops::Range;

use crate::handles::{BlockSlot, CandidateId, LoadId, Token, WarpSlot};
use crate::observe::profile::NOWHERE;
use crate::observe::steps::BlockState;

/// The window to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Instructions that issue from this cycle on.
    pub first: u64,
    /// And before this one.
    pub end: u64,
    /// The SM to trace; all SMs if there is none.
    pub sm: Option<u32>,
    /// The most instructions of one SM.
    pub limit: u32,
    /// If set, nothing but the instructions of the block with this number in the grid, each with the block's state after it
    /// ([`Trace::states`]), and those of warps of its SM's own that work for it.
    pub follow: Option<u64>,
}

/// The trace of an SM.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// In the order of issue.
    pub instructions: Vec<TracedInstruction>,
    /// The state of the block that is followed after each of them; empty if none is.
    pub states: Vec<BlockState>,
    /// Blocks that were here in some cycle of the window, in the order in which they ended.
    pub blocks: Vec<TracedBlock>,
    /// Issue slots that were lost in the window, in the order of their first cycles.
    pub stalls: Vec<TracedStall>,
    /// The cycle in which the first instruction issued that is missing, because the window's limit was
    /// reached. Stalls that begin later are missing too.
    pub full: Option<u64>,
}

/// A block on an SM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedBlock {
    /// Its number in the grid.
    pub number: u64,
    /// The hardware warps that it has.
    pub warps: Vec<u16>,
    /// The cycle in which it started.
    pub start: u64,
    /// The cycle in which its place was free again.
    pub end: u64,
}

/// Cycles in a row in which a scheduler issued nothing, for one reason and one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracedStall {
    /// The number of the scheduler in its SM.
    pub scheduler: u16,
    /// Why: one of [`SLOT_REASONS`](crate::observe::statistics::SLOT_REASONS).
    pub reason: &'static str,
    /// The place in the kernel of the instruction that would have issued: that of the path known to resume first, or else
    /// of the oldest that waits for this reason. None if no path waits for it.
    pub pc: Option<u32>,
    /// The first cycle.
    pub start: u64,
    /// The cycle after the last.
    pub end: u64,
}

/// The passage of a warp's instruction through an SM. Times are cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracedInstruction {
    /// The number of its block in the grid.
    pub block: u64,
    /// The hardware warp.
    pub warp: u16,
    /// The slot of the warp: 0 unless the machine has several paths of a warp at a time.
    pub slot: u16,
    /// Its place in the kernel.
    pub pc: u32,
    /// Lanes of the path.
    pub active: u64,
    /// Lanes in which it acted.
    pub acted: u64,
    /// The cycle of its fetch. Until it issues it is in the instruction buffer.
    pub fetch: u64,
    /// The cycle of its issue.
    pub issue: u64,
    /// The cycle in which it had its operands and started in its pipe; none if it passes no pipe.
    pub start: Option<u64>,
    /// The cycle in which the load/store unit had its addresses.
    pub memory: Option<u64>,
    /// The cycle of its result. Without a result: the cycle in which its last request was served,
    /// the pipe had finished it, or control flow let its path continue.
    pub end: u64,
    /// It has a result.
    pub has_result: bool,
    /// It waited at a barrier for its end.
    pub is_barrier: bool,
}

/// A stage of an instruction's passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Fetched, and in the instruction buffer.
    Fetch,
    /// The cycle of issue.
    Issue,
    /// Collects operands.
    Operands,
    /// In its pipe; for control flow, until the path can continue.
    Execute,
    /// At a barrier.
    Barrier,
    /// In the load/store unit, and its requests in flight.
    Memory,
    /// The cycle of the result's arrival.
    Written,
}

impl Stage {
    /// The letter of the stage.
    pub fn letter(self) -> &'static str {
        match self {
            Stage::Fetch => "F",
            Stage::Issue => "I",
            Stage::Operands => "O",
            Stage::Execute => "X",
            Stage::Barrier => "B",
            Stage::Memory => "M",
            Stage::Written => "W",
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Fetch => "fetch",
            Stage::Issue => "issue",
            Stage::Operands => "operands",
            Stage::Execute => "execute",
            Stage::Barrier => "barrier",
            Stage::Memory => "memory",
            Stage::Written => "written",
        }
    }
}

impl TracedInstruction {
    /// Its stages without gaps, each with its first cycle and the one after its last.
    pub fn stages(&self) -> Vec<(Stage, u64, u64)> {
        let mut stages = vec![
            (Stage::Fetch, self.fetch, self.issue),
            (Stage::Issue, self.issue, self.issue + 1),
        ];
        match self.start {
            Some(start) => {
                let memory = self.memory.unwrap_or(self.end);
                stages.push((Stage::Operands, self.issue + 1, start));
                stages.push((Stage::Execute, start, memory));
                stages.push((Stage::Memory, memory, self.end));
            }
            None if self.is_barrier => stages.push((Stage::Barrier, self.issue + 1, self.end)),
            None => stages.push((Stage::Execute, self.issue + 1, self.end)),
        }
        if self.has_result {
            stages.push((Stage::Written, self.end, self.end + 1));
        }
        stages.retain(|(_, from, to)| from < to);
        stages
    }

    /// The cycle after its last stage.
    pub fn last(&self) -> u64 {
        self.stages().last().map_or(self.issue + 1, |&(.., to)| to)
    }
}

/// Number of an instruction in a trace.
pub(crate) type TraceId = u32;

/// The recorder of an SM.
#[derive(Debug)]
pub(crate) struct Recorder {
    window: Window,
    trace: Trace,
    /// By candidate: the cycle of its last fetch.
    fetched: Vec<u64>,
    /// By candidate: the instruction that waits at a barrier.
    waiting: Vec<Option<TraceId>>,
    /// The instruction that has just issued.
    issued: Option<TraceId>,
    /// By token of an instruction that collects operands, and by load.
    flights: Vec<Option<TraceId>>,
    loads: Vec<Option<TraceId>>,
    /// By place: the block in it.
    blocks: Vec<Option<TracedBlock>>,
    /// By scheduler: its last stall.
    stalls: Vec<Option<usize>>,
}

impl Recorder {
    /// A recorder for an SM, if the window has it.
    pub(crate) fn new(window: Window, sm: usize, candidates: usize) -> Option<Box<Recorder>> {
        let is_watched = window.sm.is_none_or(|is_watched| is_watched as usize == sm);
        is_watched.then(|| {
            Box::new(Recorder {
                window,
                trace: Trace::default(),
                fetched: vec![0; candidates],
                waiting: vec![None; candidates],
                issued: None,
                flights: Vec::new(),
                loads: Vec::new(),
                blocks: Vec::new(),
                stalls: Vec::new(),
            })
        })
    }

    #[cold]
    pub(crate) fn started_block(
        &mut self,
        place: BlockSlot,
        number: u64,
        warps: &[WarpSlot],
        now: u64,
    ) {
        let block = TracedBlock {
            number,
            warps: warps.iter().map(|warp| warp.0).collect(),
            start: now,
            end: now,
        };
        *at(&mut self.blocks, place.index()) = Some(block);
    }

    #[cold]
    pub(crate) fn ended_block(&mut self, place: BlockSlot, now: u64) {
        let block = at(&mut self.blocks, place.index()).take();
        let Some(block) = block.filter(|block| block.start < self.window.end) else {
            return;
        };
        if now >= self.window.first && self.trace.blocks.len() < self.window.limit as usize {
            self.trace.blocks.push(TracedBlock { end: now, ..block });
        }
    }

    /// A candidate's next instructions were fetched.
    #[cold]
    pub(crate) fn fetched(&mut self, candidate: CandidateId, now: u64) {
        self.fetched[candidate.index()] = now;
    }

    /// An instruction of a candidate issues. It ends at once unless later events extend it.
    #[cold]
    pub(crate) fn issued(&mut self, candidate: CandidateId, now: u64, traced: TracedInstruction) {
        self.issued = None;
        if self.window.follow.is_some_and(|block| block != traced.block) {
            return;
        }
        if !(self.window.first..self.window.end).contains(&now) {
            return;
        }
        let id = self.trace.instructions.len() as TraceId;
        if id >= self.window.limit {
            self.trace.full.get_or_insert(now);
            return;
        }
        self.issued = Some(id);
        if traced.is_barrier {
            self.waiting[candidate.index()] = Some(id);
        }
        let fetch = self.fetched[candidate.index()];
        self.trace.instructions.push(TracedInstruction { fetch, issue: now, ..traced });
    }

    /// Returns true if a block is followed.
    pub(crate) fn follows(&self, block: u64) -> bool {
        self.window.follow == Some(block)
    }

    /// The state of the block that is followed, after the instruction that has just issued.
    pub(crate) fn state(&mut self, state: impl FnOnce(Option<&BlockState>) -> BlockState) {
        if self.issued.is_some() {
            let state = state(self.trace.states.last());
            self.trace.states.push(state);
        }
    }

    /// A scheduler issued nothing in some cycles, for a reason, and because of an instruction.
    #[cold]
    pub(crate) fn lost(
        &mut self,
        scheduler: usize,
        reason: &'static str,
        cycles: Range<u64>,
        pc: u32,
    ) {
        let (start, end) = (cycles.start.max(self.window.first), cycles.end.min(self.window.end));
        if start >= end || self.window.follow.is_some() {
            return;
        }
        let pc = (pc != NOWHERE).then_some(pc);
        let last = at(&mut self.stalls, scheduler);
        if let Some(last) = last.and_then(|last| self.trace.stalls.get_mut(last))
            && (last.end, last.reason, last.pc) == (start, reason, pc)
        {
            last.end = end;
            return;
        }
        // A waiting instruction is in flight, so that their number bounds that of stalls.
        if self.trace.full.is_none() {
            *last = Some(self.trace.stalls.len());
            let scheduler = scheduler as u16;
            self.trace.stalls.push(TracedStall { scheduler, reason, pc, start, end });
        }
    }

    /// The instruction that just issued collects operands; `load` is the number under which its
    /// result arrives.
    #[cold]
    pub(crate) fn collects(&mut self, token: Token, load: Option<LoadId>) {
        *at(&mut self.flights, token.0 as usize) = self.issued;
        if let Some(load) = load {
            *at(&mut self.loads, load.0 as usize) = self.issued;
        }
    }

    /// An instruction starts in its pipe; it ends at a known cycle, or is handed to the load/store unit
    /// at one.
    #[cold]
    pub(crate) fn starts(&mut self, token: Token, now: u64, end: End) -> Option<TraceId> {
        let id = at(&mut self.flights, token.0 as usize).take()?;
        let traced = &mut self.trace.instructions[id as usize];
        traced.start = Some(now);
        match end {
            End::Known(end) => traced.end = end,
            End::InMemory(cycle) => {
                traced.memory = Some(cycle);
                traced.end = traced.end.max(cycle);
            }
        }
        Some(id)
    }

    /// A load's result arrives in a cycle.
    #[cold]
    pub(crate) fn loaded(&mut self, load: LoadId, end: u64) {
        if let Some(id) = at(&mut self.loads, load.0 as usize).take() {
            self.trace.instructions[id as usize].end = end;
        }
    }

    /// An instruction ends.
    #[cold]
    pub(crate) fn ends(&mut self, id: TraceId, end: u64) {
        self.trace.instructions[id as usize].end = end;
    }

    /// The path of a candidate continues in a cycle.
    #[cold]
    pub(crate) fn goes_on(&mut self, candidate: CandidateId, next: u64) {
        if let Some(id) = self.waiting[candidate.index()].take() {
            self.trace.instructions[id as usize].end = next;
        }
    }

    pub(crate) fn finish(self) -> Trace {
        self.trace
    }
}

/// The end of an instruction that starts in its pipe.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    Known(u64),
    /// Not known yet: the load/store unit has it from a cycle on.
    InMemory(u64),
}

/// A place of a table that grows.
fn at<T: Default + Clone>(table: &mut Vec<T>, index: usize) -> &mut T {
    if index >= table.len() {
        table.resize(index + 1, T::default());
    }
    &mut table[index]
}

//! A resident block: its threads' state, its paths, its barrier.

mod barrier;
mod claims;
pub(crate) mod copies;
mod counted;
pub(crate) mod issued;
mod meeting;
pub(crate) mod opening;
pub(crate) mod operand_queues;
pub mod path;
mod queues;
mod reports;
pub(crate) mod straight;
#[cfg(test)]
mod tests;
pub(crate) mod threads;
pub(crate) mod votes;

use std::sync::Arc;

use reconverge_isa::planted::Planted;
use reconverge_isa::{Effect, MAX_LANES, Op};

use self::counted::CountedBarriers;
use self::meeting::{Arrival, Meetings};
use crate::block::issued::Issued;
use crate::block::operand_queues::OperandQueues;
use crate::block::path::{Lanes, Path, Paths, SlotId};
use crate::block::threads::Threads;
use crate::block::votes::Votes;
use crate::check::event::CheckEvent;
use crate::execute::lanes::lanes_of;
use crate::execute::matrix::WHOLE_WARP;
use crate::execute::{DynamicInstruction, Executor, LaneTrap};
use crate::handles::LoadId;
use crate::machine::BarrierCounts;
use crate::mechanisms::divergence::slot::{Capabilities, Divergence, Step};
use crate::mechanisms::lane_permutation::LaneMap;
use crate::memory::device::GlobalPort;
use crate::observe::profile::NOWHERE;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::run::fault::{Trap, TrapKind};
use crate::verify::hints::HintChecks;
use crate::verify::placements::Placed;
use crate::verify::regions::RegionRegisters;
use crate::verify::released::Released;

/// A block on an SM.
pub(crate) struct Block {
    /// Its number in the grid.
    pub(crate) number: u64,
    pub(crate) threads: Threads,
    pub(crate) paths: Paths,
    pub(crate) divergence: Box<dyn Divergence>,
    /// The scheme's capabilities, and the steps that it receives.
    pub(crate) capabilities: Capabilities,
    /// Its scheme needs neither each branch nor each step, so paths may run straight.
    pub(crate) runs_straight: bool,
    /// Registers that no instruction may read; empty unless claims are checked.
    released: Released,
    /// The checks of hints; empty unless claims are checked.
    hints: HintChecks,
    /// The places of registers; empty unless claims are checked.
    placed: Placed,
    /// The registers that regions hold; empty unless claims are checked.
    regions: RegionRegisters,
    /// Threads that have not ended.
    pub(crate) live: u32,
    /// Threads that wait at the barrier.
    arrived: u32,
    barrier_counts: BarrierCounts,
    votes: Votes,
    counted: CountedBarriers,
    /// Lanes that act together although they are at different places.
    meetings: Meetings,
    /// The queues that its warps dequeue, if the kernel has a second stream.
    pub(crate) queues: Option<Box<OperandQueues>>,
}

impl Block {
    /// An empty block, to be started.
    pub(crate) fn new(
        divergence: Box<dyn Divergence>,
        lane_map: Arc<LaneMap>,
        barrier_counts: BarrierCounts,
    ) -> Block {
        let capabilities = divergence.capabilities();
        let receives = capabilities.receives_every_branch | capabilities.receives_steps();
        Block {
            number: 0,
            threads: Threads::default(),
            paths: Paths::new(lane_map),
            runs_straight: !(receives | capabilities.regroups),
            capabilities,
            divergence,
            released: Released::default(),
            hints: HintChecks::default(),
            placed: Placed::default(),
            regions: RegionRegisters::default(),
            live: 0,
            arrived: 0,
            barrier_counts,
            votes: Votes::default(),
            counted: CountedBarriers::default(),
            meetings: Meetings::default(),
            queues: None,
        }
    }

    /// Becomes a block of the grid, all state zero, at instruction 0.
    pub(crate) fn start(&mut self, code: &Code, number: u64) {
        let (shape, width) = (code.shape, code.shape.width as usize);
        let warps = shape.warps() as usize;
        self.number = number;
        self.threads.block = number;
        self.live = shape.threads;
        self.arrived = 0;
        self.votes.clear();
        self.counted.clear();
        self.meetings.clear();
        let threads = &mut self.threads;
        threads.alive.clear();
        threads.alive.extend((0..shape.warps()).map(|warp| shape.mask(warp)));
        clear(&mut threads.registers.general, code.block_row() * width);
        clear(&mut threads.registers.predicates, warps * code.predicates);
        clear(&mut threads.shared, code.shared_bytes);
        threads.copies.reset(width);
        clear(&mut threads.local, warps * width * code.local_bytes);
        for index in code.block_index(number) {
            threads.registers.general.extend(std::iter::repeat_n(index, width));
        }
        self.queues = self.queues.take().filter(|_| code.second_stream.is_some());
        if code.second_stream.is_some() {
            self.queues.get_or_insert_default().reset(warps);
            clear(&mut threads.registers.queued, width);
        }
        self.released.reset(code);
        self.hints.reset(code.verify);
        self.placed.reset(code);
        self.regions.reset(code);
        self.paths.reset(warps * self.capabilities.slots_per_warp);
        if let Some(layout) = &code.layout {
            self.divergence.learn(layout);
        }
        self.divergence.start(shape, &mut self.paths);
    }

    /// Returns true if [`Block::step`] may be `STRAIGHT` for the next instruction of a slot's path, of a scheme that
    /// [runs straight](Block::runs_straight).
    #[inline(always)]
    pub(crate) fn is_straight(&self, code: &Code, slot: SlotId) -> bool {
        let path = self.paths.path(slot);
        let instruction = &code.instructions[path.pc as usize];
        instruction.is_straight
            && instruction.effect != Effect::Collective
            && matches!(path.lanes, Lanes::Warp { .. })
    }

    /// Executes the next instruction of a runnable slot's path at time `now` and moves the path on. Afterwards the
    /// barrier opens if that leaves nothing else to wait for. `STRAIGHT` is for instructions that concern no other path
    /// ([`Block::is_straight`]): the compiler then leaves out all that others need.
    #[inline(always)]
    pub(crate) fn step<'a, const STRAIGHT: bool>(
        &mut self,
        code: &Code,
        slot: SlotId,
        now: u64,
        executor: &'a mut Executor,
        port: &mut GlobalPort,
    ) -> Result<Issued<'a>, Box<Trap>> {
        let mut issued = self.execute_next::<STRAIGHT>(code, slot, now, executor, port)?;
        issued.progress |= self.open_if_held_up(code, slot, port);
        Ok(issued)
    }

    /// Paths of a slot's warp that can be scheduled, its own included, which can.
    #[inline(always)]
    fn schedulable(&self, slot: SlotId) -> u64 {
        match self.capabilities.slots_per_warp {
            1 => 1,
            slots => self.paths.runnable(slot, slots),
        }
    }

    /// Opens the barrier if a step of a slot's path leaves nothing else to wait for; whether it does.
    #[inline(always)]
    fn open_if_held_up(&mut self, code: &Code, slot: SlotId, port: &mut GlobalPort) -> bool {
        let opens = self.arrived != 0 && self.is_held_up(slot);
        if opens {
            self.release(code, port);
        }
        opens
    }

    /// Executes the next instruction of a slot's path.
    #[inline(always)]
    fn execute_next<'a, const STRAIGHT: bool>(
        &mut self,
        code: &Code,
        slot: SlotId,
        now: u64,
        executor: &'a mut Executor,
        port: &mut GlobalPort,
    ) -> Result<Issued<'a>, Box<Trap>> {
        let path = self.paths.path(slot);
        let (pc, reconvergence_pc) = (path.pc, path.reconvergence_pc);
        let instruction = &code.instructions[pc as usize];
        let active = path.lanes.mask();
        let registers = &self.threads.registers;
        let mut mask = executor.guard(code, instruction, registers, &path.lanes, active);
        if !STRAIGHT && instruction.queue.is_some() {
            self.dequeue(code, slot)?;
            if instruction.effect == Effect::Branch {
                let truth = self.threads.registers.truth;
                mask = active & if instruction.negated { !truth } else { truth };
            }
        }
        let paths = self.schedulable(slot);
        let mut issued = Issued::new(pc, active, paths, mask);
        let mut acts = mask != 0;
        let is_counted = !STRAIGHT && instruction.effect == Effect::CountedBarrier;
        if !STRAIGHT {
            let regroups = self.capabilities.regroups;
            if instruction.meets() || is_counted && regroups {
                match self.meet(code, slot, mask, executor, port)? {
                    MeetOutcome::Defers => return Ok(issued),
                    MeetOutcome::Executes => {}
                    MeetOutcome::Done => acts = false,
                }
            }
            if instruction.verify {
                self.verify_before(code, instruction, slot, mask)?;
            }
        }
        if instruction.effect == Effect::Branch {
            issued.divergent = mask != 0 && mask != active;
            issued.backward = mask != 0 && instruction.jump <= pc;
            if issued.divergent || !STRAIGHT && self.capabilities.receives_every_branch {
                self.branch(instruction, slot, mask);
            } else {
                issued.next = if mask != 0 { instruction.jump } else { pc + 1 };
            }
        } else {
            if !STRAIGHT {
                if is_counted {
                    issued.progress = self.arrive_counted(code, slot, mask, executor, port)?;
                    acts = false;
                    if instruction.waits_at_barrier() {
                        return Ok(issued);
                    }
                } else if self.control(code, slot, &mut issued, executor, port) {
                    return Ok(issued);
                }
                if acts && instruction.is_marked {
                    self.raise_moved(code, slot, mask, port);
                }
            }
            if acts {
                let lanes = &self.paths.path(slot).lanes;
                let dynamic = DynamicInstruction { code, instruction, pc, now };
                match executor.execute(dynamic, &mut self.threads, lanes, mask, port) {
                    Ok(done) => (issued.access, issued.changed) = (done.access, done.changed),
                    Err(trap) => return Err(Box::new(self.trap(code, slot, trap))),
                }
                // An atomic's old value may arrive later.
                let is_there = instruction.effect != Effect::Atomic || port.log().is_none();
                if !STRAIGHT && instruction.verify && is_there {
                    let lanes = &self.paths.path(slot).lanes;
                    self.verify_result(code, instruction, lanes, mask, pc)?;
                }
                if !STRAIGHT && instruction.verify && issued.access.is_some() {
                    self.verify_hints(code, instruction, slot, mask, issued.access)?;
                }
            }
            issued.next = pc + 1;
        }
        if issued.next != NOWHERE {
            self.go(slot, issued.next, reconvergence_pc);
            let receives = !STRAIGHT && self.capabilities.receives_steps();
            let is_branch = instruction.effect == Effect::Branch;
            if receives && !is_branch && issued.next != reconvergence_pc {
                self.notify_scheme(slot, instruction, mask);
            }
        }
        Ok(issued)
    }

    /// Executes control flow other than a branch: an exit, a barrier of the block, or one of convergence. Returns false for
    /// any other instruction, and for an exit in no lane.
    #[inline]
    fn control(
        &mut self,
        code: &Code,
        slot: SlotId,
        issued: &mut Issued,
        executor: &mut Executor,
        port: &mut GlobalPort,
    ) -> bool {
        let (instruction, mask) = (&code.instructions[issued.pc as usize], issued.mask);
        match instruction.effect {
            Effect::Exit if mask != 0 => {
                let ended = match Planted::ExitCountsWarp.is_on() {
                    true => code.shape.width,
                    false => mask.count_ones(),
                };
                self.live = self.live.saturating_sub(ended);
                self.end(code, slot, mask, port);
                self.advance(slot, Step::Exit { lanes: mask });
                self.release_if_complete(code, port);
                self.open_counted(code, port);
                issued.progress = true;
            }
            Effect::Barrier => {
                self.arrive(code, slot, mask, port);
                if instruction.op != Op::Barrier {
                    let lanes = self.paths.path(slot).lanes.clone();
                    let holds = executor.truth(code, instruction, &self.threads.registers, &lanes);
                    self.votes.add(instruction, lanes, mask, holds);
                }
                self.advance(slot, Step::Barrier);
                issued.progress = self.release_if_complete(code, port);
            }
            Effect::Bssy => {
                let (barrier, place) = (instruction.barrier, instruction.jump);
                self.advance(slot, Step::Arm { barrier, place });
            }
            Effect::Bsync => self.advance(slot, Step::Meet { barrier: instruction.barrier }),
            _ => return false,
        }
        true
    }

    /// Notifies the checker of an instruction that may set or clear marks.
    #[cold]
    fn raise_moved(&self, code: &Code, slot: SlotId, mask: u64, port: &mut GlobalPort) {
        let Path { lanes, pc, .. } = self.paths.path(slot);
        let of_warp = |(warp, mask): (usize, u64)| (warp as u16, mask);
        let lanes = lanes.by_warp(mask, code.shape.width as usize).map(of_warp).collect();
        port.raise(self.number, CheckEvent::Moved { pc: *pc, lanes });
    }

    /// Notifies the scheme of an executed instruction, if it receives such steps.
    #[cold]
    fn notify_scheme(&mut self, slot: SlotId, instruction: &Decoded, mask: u64) {
        if self.capabilities.receives_long_latency && mask != 0 && instruction.is_long {
            self.advance(slot, Step::LongLatency);
        }
        if self.capabilities.receives_every_step {
            self.advance(slot, Step::Next);
        }
    }

    /// Arrival of a path at a vote, a shuffle or the like: another path of the warp runs first if lanes elsewhere are
    /// needed, and the path acts with these when they have arrived too.
    #[cold]
    fn meet(
        &mut self,
        code: &Code,
        slot: SlotId,
        mask: u64,
        executor: &mut Executor,
        port: &mut GlobalPort,
    ) -> Result<MeetOutcome, Box<Trap>> {
        let instruction = &code.instructions[self.paths.path(slot).pc as usize];
        if instruction.op.is_per_lane() {
            return Ok(MeetOutcome::Executes);
        }
        if self.capabilities.regroups {
            return Ok(self.assemble(code, slot, mask, executor));
        }
        let Lanes::Warp { warp, .. } = self.paths.path(slot).lanes else {
            return Ok(MeetOutcome::Executes);
        };
        let is_matrix = instruction.op.is_matrix();
        let is_sync = is_matrix || instruction.op == Op::WarpSync;
        if mask == 0 || !(is_sync || self.meetings.has(warp.into())) {
            return Ok(MeetOutcome::Executes);
        }
        // Lanes that leave a `warp.sync` go on together if they were at one place.
        if is_sync && self.meetings.has(warp.into()) && self.divergence.join(slot, &mut self.paths)
        {
            return Ok(MeetOutcome::Defers);
        }
        let (index, width) = (usize::from(warp), code.shape.width as usize);
        let lanes = Lanes::Warp { warp, mask };
        let sources = executor.sources(code, instruction, &self.threads.registers, &lanes);
        let arrival = match is_sync {
            true => {
                let alive = self.threads.alive[index];
                let (named, leads_to) = match is_matrix {
                    true => (&[u32::MAX; MAX_LANES][..], Some(instruction.op)),
                    false => (sources[0].low, instruction.leads_to),
                };
                self.meetings.sync(index, named, leads_to, alive, mask)
            }
            false => self.meetings.operate(index, instruction.op, &sources, mask, width),
        };
        match arrival {
            Arrival::Alone => return Ok(MeetOutcome::Executes),
            Arrival::Waits { .. } if self.divergence.defer(slot, &mut self.paths) => {
                return Ok(MeetOutcome::Defers);
            }
            Arrival::Waits { lane, mask, missing } => {
                let kind = TrapKind::NotTogether { mask, missing };
                return Err(Box::new(self.trap(code, slot, LaneTrap { lane, kind })));
            }
            // The rows of a matrix are those of lanes at one place.
            Arrival::Together if is_matrix => {
                let kind = TrapKind::NotWhole { missing: WHOLE_WARP & !mask };
                let lane = mask.trailing_zeros() as usize;
                return Err(Box::new(self.trap(code, slot, LaneTrap { lane, kind })));
            }
            Arrival::Together => self.divergence.retry(slot, &mut self.paths),
        }
        if is_sync && port.is_checked {
            let named = sources[0].low.to_vec();
            self.raise_meeting(code, slot, warp, mask, named, port);
        }
        if let (false, Some(result)) = (is_sync, self.meetings.result(index)) {
            executor.write(code, instruction, &mut self.threads.registers, &lanes, mask, result);
        }
        Ok(MeetOutcome::Done)
    }

    /// The same for schemes that regroup threads: a path that needs lanes elsewhere lets others run
    /// first.
    fn assemble(
        &mut self,
        code: &Code,
        slot: SlotId,
        mask: u64,
        executor: &mut Executor,
    ) -> MeetOutcome {
        if self.divergence.assemble(slot, &mut self.paths) {
            return MeetOutcome::Defers;
        }
        let path = self.paths.path(slot);
        let instruction = &code.instructions[path.pc as usize];
        if instruction.op.is_matrix() {
            let mut warps = path.lanes.by_warp(mask, code.shape.width as usize);
            let misses = warps.any(|(warp, lanes)| self.threads.alive[warp] & !lanes != 0);
            return match misses && self.divergence.defer(slot, &mut self.paths) {
                true => MeetOutcome::Defers,
                false => MeetOutcome::Executes,
            };
        }
        if instruction.op != Op::WarpSync {
            return MeetOutcome::Executes;
        }
        let found = executor.collective(code, instruction, &mut self.threads, &path.lanes, mask);
        let misses =
            matches!(found, Err(LaneTrap { kind: TrapKind::NotTogether { missing: 1.., .. }, .. }));
        match misses && self.divergence.defer(slot, &mut self.paths) {
            true => MeetOutcome::Defers,
            false => MeetOutcome::Executes,
        }
    }

    /// Notifies the checks that lanes of several paths have synchronised.
    #[cold]
    fn raise_meeting(
        &self,
        code: &Code,
        slot: SlotId,
        warp: u16,
        mask: u64,
        mut named: Vec<u32>,
        port: &mut GlobalPort,
    ) {
        let alive = self.threads.alive[usize::from(warp)];
        let pc = self.paths.path(slot).pc;
        let own = named.clone();
        let all = lanes_of(mask).fold(mask, |all, lane| all | u64::from(own[lane]) & alive);
        for lane in lanes_of(mask) {
            for other in lanes_of(u64::from(own[lane]) & alive & !mask) {
                named[other] = own[lane];
            }
        }
        named.truncate(code.shape.width as usize);
        port.raise(self.threads.block, CheckEvent::Sync { pc, warp, lanes: all, named });
    }

    /// Moves a path to an instruction. The scheme is notified only at the path's
    /// `reconvergence_pc`.
    #[inline(always)]
    fn go(&mut self, slot: SlotId, pc: u32, reconvergence_pc: u32) {
        self.paths.step(slot, pc);
        if pc == reconvergence_pc {
            self.divergence.advance(slot, Step::Reconverged, &mut self.paths);
        }
    }

    fn advance(&mut self, slot: SlotId, step: Step) {
        self.divergence.advance(slot, step, &mut self.paths);
    }

    /// Lets the scheme decide how a path continues after a branch that some lanes have taken.
    #[inline(never)]
    fn branch(&mut self, instruction: &Decoded, slot: SlotId, taken: u64) {
        self.advance(
            slot,
            Step::Branch {
                taken,
                target: instruction.jump,
                conditional: instruction.is_conditional(),
                annotations: instruction.annotations,
            },
        );
    }

    /// A load of a slot's path has returned in all lanes but `missed`. The scheme may let the
    /// others continue.
    pub(crate) fn missed(&mut self, slot: SlotId, load: LoadId, missed: u64) {
        self.divergence.missed(slot, load.0, missed, &mut self.paths);
    }

    /// A load of a slot's path has returned.
    pub(crate) fn loaded(&mut self, slot: SlotId, load: LoadId) {
        self.divergence.loaded(slot, load.0, &mut self.paths);
    }
}

/// The next action of a path at a warp-level collective.
enum MeetOutcome {
    /// It lets other paths run first, and tries again.
    Defers,
    /// It executes the instruction with the lanes that it has.
    Executes,
    /// It has acted with lanes of other paths.
    Done,
}

/// Makes a vector hold `count` zeroes, keeping its allocation.
fn clear<T: Copy + Default>(vector: &mut Vec<T>, count: usize) {
    vector.clear();
    vector.resize(count, T::default());
}

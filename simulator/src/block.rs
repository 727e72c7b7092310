//! A resident block: its threads' state, its paths, its barrier.

use std::sync::Arc;

use reconverge_isa::{Effect, Op, Queue, ValueClass, WarpResult};
use reconverge_planted::Planted;

use crate::check::Told;
use crate::claim::Claim;
use crate::decode::{Code, Decoded};
use crate::device::GlobalPort;
use crate::divergence::{Capabilities, Divergence, Step};
use crate::execute::{Access, DynamicInstruction, Executor, LaneTrap, write_back};
use crate::fault::{Trap, TrapKind, WaitReason, Waiter};
use crate::lane_permutation::LaneMap;
use crate::log::Owner;
use crate::machine::BarrierCounts;
use crate::operand_queues::{OperandQueues, QueueFault, QueueStall};
use crate::path::{Lanes, Path, Paths, SlotId, SlotState, ThreadIndex};
use crate::released::Released;
use crate::sm::{LoadId, PinId};
use crate::verify;
use crate::votes::Votes;

/// The registers of a block's threads.
#[derive(Debug, Default)]
pub(crate) struct Registers {
    /// `(warp * registers + register) * width + lane`.
    pub(crate) general: Vec<u32>,
    /// `warp * predicates + predicate`, a bit a lane.
    pub(crate) predicates: Vec<u64>,
    /// Rows of the block's index: `axis * width + lane`.
    pub(crate) block_rows: Vec<u32>,
    /// What was taken last from a queue of a warp: addresses by lane, and a predicate.
    pub(crate) queued: Vec<u32>,
    pub(crate) truth: u64,
}

/// What the instructions of a block's threads read and write, beside global memory.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    /// The number of their block in the grid.
    pub(crate) block: u64,
    pub(crate) registers: Registers,
    /// The lanes of each warp whose threads exist and have not ended.
    pub(crate) alive: Vec<u64>,
    pub(crate) shared: Vec<u8>,
    /// `thread * local_bytes + offset`.
    pub(crate) local: Vec<u8>,
}

/// A block on an SM.
pub(crate) struct Block {
    /// Its number in the grid.
    pub(crate) number: u64,
    pub(crate) threads: Threads,
    pub(crate) paths: Paths,
    pub(crate) divergence: Box<dyn Divergence>,
    /// What the scheme can do and wants to hear of.
    pub(crate) capabilities: Capabilities,
    /// Registers that nobody may read; empty unless claims are checked.
    released: Released,
    /// Threads that have not ended.
    pub(crate) live: u32,
    /// Threads that wait at the barrier.
    arrived: u32,
    barrier_counts: BarrierCounts,
    votes: Votes,
    /// What its warps dequeue, if the kernel has a second stream.
    pub(crate) queues: Option<Box<OperandQueues>>,
}

/// What became of one instruction of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Issued<'a> {
    /// The instruction's place.
    pub(crate) pc: u32,
    /// Lanes of the path before it.
    pub(crate) active: u64,
    /// Paths of its warp that could be scheduled, itself included.
    pub(crate) paths: u64,
    /// Lanes in which it acted.
    pub(crate) mask: u64,
    /// A branch whose lanes diverged.
    pub(crate) divergent: bool,
    /// Threads ended or a barrier was passed.
    pub(crate) progress: bool,
    /// A branch to itself or before itself was taken.
    pub(crate) backward: bool,
    /// What it accessed, if it accesses memory.
    pub(crate) access: Option<&'a Access>,
    /// Whether it has changed a byte of memory, or printed.
    pub(crate) changed: bool,
}

impl Issued<'_> {
    /// An instruction at `pc` that acts in the lanes `mask` of a path of `active` lanes, one of so many paths.
    fn new(pc: u32, active: u64, paths: u64, mask: u64) -> Issued<'static> {
        Issued {
            pc,
            active,
            paths,
            mask,
            divergent: false,
            progress: false,
            backward: false,
            access: None,
            changed: false,
        }
    }

    /// An instruction of a warp that belongs to a mechanism and has one lane.
    pub(crate) fn of_one_lane(pc: u32) -> Issued<'static> {
        Issued::new(pc, 1, 1, 1)
    }
}

impl Block {
    /// An empty block, to be started.
    pub(crate) fn new(
        divergence: Box<dyn Divergence>,
        lane_map: Arc<LaneMap>,
        barrier_counts: BarrierCounts,
    ) -> Block {
        Block {
            number: 0,
            threads: Threads::default(),
            paths: Paths::new(lane_map),
            capabilities: divergence.capabilities(),
            divergence,
            released: Released::default(),
            live: 0,
            arrived: 0,
            barrier_counts,
            votes: Votes::default(),
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
        let threads = &mut self.threads;
        threads.alive.clear();
        threads.alive.extend((0..shape.warps()).map(|warp| shape.mask(warp)));
        clear(&mut threads.registers.general, warps * code.registers * width);
        clear(&mut threads.registers.predicates, warps * code.predicates);
        clear(&mut threads.shared, code.shared_bytes);
        clear(&mut threads.local, warps * width * code.local_bytes);
        let rows = &mut threads.registers.block_rows;
        rows.clear();
        for index in code.block_index(number) {
            rows.extend(std::iter::repeat_n(index, width));
        }
        self.queues = self.queues.take().filter(|_| code.second_stream.is_some());
        if code.second_stream.is_some() {
            self.queues.get_or_insert_default().reset(warps);
            clear(&mut threads.registers.queued, width);
        }
        self.released.reset(code);
        self.paths.reset(warps * self.capabilities.slots_per_warp);
        if let Some(layout) = &code.layout {
            self.divergence.learn(layout);
        }
        self.divergence.start(shape, &mut self.paths);
    }

    /// Executes the next instruction of a runnable slot's path at time `now` and moves the path on. Afterwards the
    /// barrier opens if that leaves nothing else to wait for.
    #[inline]
    pub(crate) fn step<'a>(
        &mut self,
        code: &Code,
        slot: SlotId,
        now: u64,
        executor: &'a mut Executor,
        port: &mut GlobalPort,
    ) -> Result<Issued<'a>, Box<Trap>> {
        let mut issued = self.execute_next(code, slot, now, executor, port)?;
        if self.arrived != 0 && self.is_held_up(slot) {
            self.release(code, port);
            issued.progress = true;
        }
        Ok(issued)
    }

    #[inline]
    fn execute_next<'a>(
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
        let mut mask =
            executor.guard(code, instruction, &self.threads.registers, &path.lanes, active);
        if instruction.queue.is_some() {
            self.dequeue(code, slot)?;
            if instruction.effect == Effect::Branch {
                let truth = self.threads.registers.truth;
                mask = active & if instruction.negated { !truth } else { truth };
            }
        }
        let paths = match self.capabilities.slots_per_warp {
            1 => 1,
            slots => self.paths.runnable(slot, slots),
        };
        let mut issued = Issued::new(pc, active, paths, mask);
        if instruction.effect == Effect::Collective && self.defers(code, slot, mask, executor) {
            return Ok(issued);
        }
        if instruction.verify {
            self.verify_before(code, instruction, slot, mask)?;
        }
        match instruction.effect {
            Effect::Branch => {
                self.branch(instruction, slot, reconvergence_pc, &mut issued);
                return Ok(issued);
            }
            Effect::Exit if mask != 0 => {
                let ended = match Planted::ExitCountsWarp.is_on() {
                    true => code.shape.width,
                    false => mask.count_ones(),
                };
                self.live = self.live.saturating_sub(ended);
                self.end(code, slot, mask, port);
                self.advance(slot, Step::Exit { lanes: mask });
                self.release_if_complete(code, port);
                issued.progress = true;
                return Ok(issued);
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
                return Ok(issued);
            }
            Effect::Bssy => {
                let (barrier, place) = (instruction.barrier, instruction.jump);
                self.advance(slot, Step::Arm { barrier, place });
                return Ok(issued);
            }
            Effect::Bsync => {
                self.advance(slot, Step::Meet { barrier: instruction.barrier });
                return Ok(issued);
            }
            _ if mask == 0 => {}
            _ => {
                let lanes = &self.paths.path(slot).lanes;
                let dynamic = DynamicInstruction { code, instruction, pc, now };
                match executor.execute(dynamic, &mut self.threads, lanes, mask, port) {
                    Ok(done) => (issued.access, issued.changed) = (done.access, done.changed),
                    Err(trap) => return Err(Box::new(self.trap(code, slot, trap))),
                }
                // What an atomic finds may come later.
                let is_there = instruction.effect != Effect::Atomic || port.log().is_none();
                if instruction.verify && is_there {
                    let lanes = &self.paths.path(slot).lanes;
                    self.verify_result(code, instruction, lanes, mask, pc)?;
                }
            }
        }
        self.go(slot, pc + 1, reconvergence_pc);
        let tells = self.capabilities.wants_long_latency | self.capabilities.wants_every_step;
        if tells && pc + 1 != reconvergence_pc {
            self.tell(slot, instruction, mask);
        }
        Ok(issued)
    }

    /// What the next instruction of a slot's path takes from a queue of its warp: by warp, the queue and
    /// the site. Nothing if it takes nothing.
    pub(crate) fn next_dequeue(&self, code: &Code, slot: SlotId) -> Option<(usize, Queue, u8)> {
        let path = self.paths.path(slot);
        let instruction = &code.instructions[path.pc as usize];
        let (queue, site) = instruction.queue?;
        match path.lanes {
            Lanes::Warp { warp, .. } => Some((usize::from(warp), queue, site)),
            Lanes::Mixed(_) => None,
        }
    }

    /// Puts what the next instruction of a slot's path will take from a queue where it is read, having
    /// found that it is meant for it.
    #[cold]
    pub(crate) fn present(&mut self, code: &Code, slot: SlotId) -> Result<(), Box<Trap>> {
        let lanes = self.paths.path(slot).lanes.mask();
        let fault = match (self.next_dequeue(code, slot), &self.queues) {
            (Some((warp, queue, site)), Some(queues)) => {
                match queues.warps[warp].of(queue).front() {
                    None => QueueFault::NotEnqueued { warp: warp as u32, site },
                    Some(record) if (record.queue, record.site) != (queue, site) => {
                        let (warp, enqueued) = (warp as u32, record.site);
                        QueueFault::OtherSite { warp, site, queue, enqueued }
                    }
                    Some(record) if record.mask != lanes => {
                        let (warp, enqueued) = (warp as u32, record.mask);
                        QueueFault::OtherThreads { warp, site, lanes, enqueued }
                    }
                    Some(record) => {
                        let registers = &mut self.threads.registers;
                        let instruction = &code.instructions[self.paths.path(slot).pc as usize];
                        registers.truth = match instruction.negated {
                            true if instruction.effect != Effect::Branch => !record.truth,
                            _ => record.truth,
                        };
                        if !record.addresses.is_empty() {
                            registers.queued.copy_from_slice(&record.addresses);
                        }
                        return Ok(());
                    }
                }
            }
            (_, _) => QueueFault::NotEnqueued { warp: 0, site: 0 },
        };
        Err(self.disagreement(code, slot, fault))
    }

    /// The streams do not fit each other at the next instruction of a slot's path.
    #[cold]
    pub(crate) fn disagreement(&self, code: &Code, slot: SlotId, fault: QueueFault) -> Box<Trap> {
        let lane = self.paths.path(slot).lanes.mask().trailing_zeros() as usize;
        let kind = TrapKind::Queue(fault);
        Box::new(self.trap(code, slot, LaneTrap { lane: lane.min(63), kind }))
    }

    /// Takes what the next instruction of a slot's path wants from a queue of its warp.
    #[cold]
    fn dequeue(&mut self, code: &Code, slot: SlotId) -> Result<(), Box<Trap>> {
        self.present(code, slot)?;
        if let (Some((warp, queue, _)), Some(queues)) =
            (self.next_dequeue(code, slot), &mut self.queues)
        {
            queues.take(warp, queue);
        }
        Ok(())
    }

    /// The load that was just executed, if its lines were asked for early.
    pub(crate) fn take_early_load(&mut self) -> Option<PinId> {
        self.queues.as_mut()?.early.take()
    }

    /// What is left in the queues when all threads have ended, or else on its way there for a site.
    pub(crate) fn left_over(&self, code: &Code, site: Option<u8>) -> Option<Box<Trap>> {
        let left = self.queues.as_ref()?.left();
        let left = left.map(|(warp, record)| (warp, record.site, record.mask));
        let (warp, site, mask) = left.or(site.map(|site| (0, site, 1)))?;
        let thread = warp as u32 * code.shape.width + mask.trailing_zeros().min(63);
        Some(Box::new(Trap {
            kind: TrapKind::Queue(QueueFault::Left { warp: warp as u32, site }),
            block: code.block_index(self.number),
            thread: code.thread_index(thread),
            pc: 0,
        }))
    }

    /// Tells the scheme of an instruction that was executed, if it wants to know.
    #[cold]
    fn tell(&mut self, slot: SlotId, instruction: &Decoded, mask: u64) {
        if self.capabilities.wants_long_latency && mask != 0 && instruction.is_long {
            self.advance(slot, Step::LongLatency);
        }
        if self.capabilities.wants_every_step {
            self.advance(slot, Step::Next);
        }
    }

    /// Whether a path lets another one of its warp go first, because it needs lanes that are elsewhere.
    #[cold]
    fn defers(&mut self, code: &Code, slot: SlotId, mask: u64, executor: &mut Executor) -> bool {
        let instruction = &code.instructions[self.paths.path(slot).pc as usize];
        let collective = self.capabilities.regroups && !instruction.op.is_per_lane();
        if collective && self.divergence.assemble(slot, &mut self.paths) {
            return true;
        }
        if instruction.op != Op::WarpSync {
            return false;
        }
        let path = self.paths.path(slot);
        let found = executor.collective(code, instruction, &mut self.threads, &path.lanes, mask);
        let misses =
            matches!(found, Err(LaneTrap { kind: TrapKind::NotTogether { missing: 1.., .. }, .. }));
        misses && self.divergence.defer(slot, &mut self.paths)
    }

    /// Checks the claims on what an instruction reads and on where it goes.
    #[cold]
    fn verify_before(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        slot: SlotId,
        mask: u64,
    ) -> Result<(), Box<Trap>> {
        let path = self.paths.path(slot);
        let active = path.lanes.mask();
        if let Some((lane, claim)) = self.released.read(code, instruction, &path.lanes, mask) {
            return Err(self.broken(code, slot, lane, claim));
        }
        let uniform = instruction.annotations.uniform && self.capabilities.reconverges_as_compiled;
        if uniform && mask != 0 && mask != active {
            // The threads of a warp agree; those of several need not.
            let width = code.shape.width as usize;
            let taken = path.lanes.by_warp(mask, width);
            let mut parted = taken.filter(|(warp, taken)| {
                path.lanes
                    .by_warp(active, width)
                    .any(|(other, all)| other == *warp && all != *taken)
            });
            if let Some((warp, taken)) = parted.next() {
                let thread = warp * width + taken.trailing_zeros() as usize;
                let lane = path.lanes.lane_of(ThreadIndex(thread as u16), width);
                return Err(self.broken(code, slot, lane, Claim::UniformBranch));
            }
        }
        let serial = self.capabilities.is_serial;
        self.released.execute(code, instruction, path, mask, serial);
        Ok(())
    }

    /// An atomic that was deferred has taken place: its result goes to the registers.
    pub(crate) fn complete(
        &mut self,
        code: &Code,
        owner: &Owner,
        result: &WarpResult,
    ) -> Result<(), Box<Trap>> {
        let Owner { instruction, lanes, mask, pc, .. } = owner;
        write_back(code, instruction, &mut self.threads.registers, lanes, *mask, result);
        if instruction.verify {
            self.verify_result(code, instruction, lanes, *mask, *pc)?;
        }
        Ok(())
    }

    /// Checks the claim on what an instruction has just computed.
    #[cold]
    fn verify_result(
        &self,
        code: &Code,
        instruction: &Decoded,
        lanes: &Lanes,
        mask: u64,
        pc: u32,
    ) -> Result<(), Box<Trap>> {
        if !self.capabilities.reconverges_as_compiled {
            return Ok(());
        }
        let claim = match instruction.annotations.class {
            ValueClass::Affine => Claim::Affine,
            _ => Claim::Uniform,
        };
        match verify::broken(code, instruction, &self.threads.registers, lanes, mask) {
            None => Ok(()),
            Some(lane) => {
                let kind = TrapKind::BrokenClaim(claim);
                Err(Box::new(self.trap_at(code, lanes, pc, LaneTrap { lane, kind })))
            }
        }
    }

    fn broken(&self, code: &Code, slot: SlotId, lane: usize, claim: Claim) -> Box<Trap> {
        let kind = TrapKind::BrokenClaim(claim);
        Box::new(self.trap(code, slot, LaneTrap { lane, kind }))
    }

    /// Moves a path to an instruction; the scheme hears of it only at its `reconvergence_pc`.
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

    #[inline]
    fn branch(
        &mut self,
        instruction: &Decoded,
        slot: SlotId,
        reconvergence_pc: u32,
        issued: &mut Issued,
    ) {
        let taken = issued.mask;
        issued.divergent = taken != 0 && taken != issued.active;
        issued.backward = taken != 0 && instruction.jump <= issued.pc;
        if issued.divergent || self.capabilities.wants_every_branch {
            self.advance(
                slot,
                Step::Branch {
                    taken,
                    target: instruction.jump,
                    conditional: instruction.is_conditional(),
                    annotations: instruction.annotations,
                },
            );
        } else if taken != 0 {
            self.go(slot, instruction.jump, reconvergence_pc);
        } else {
            self.go(slot, issued.pc + 1, reconvergence_pc);
        }
    }

    /// A load of a slot's path has come, but in the lanes `missed`: the scheme may let the others go on.
    pub(crate) fn missed(&mut self, slot: SlotId, load: LoadId, missed: u64) {
        self.divergence.missed(slot, load.0, missed, &mut self.paths);
    }

    /// A load of a slot's path has come.
    pub(crate) fn loaded(&mut self, slot: SlotId, load: LoadId) {
        self.divergence.loaded(slot, load.0, &mut self.paths);
    }

    /// Takes threads that have ended out of what their warps wait for.
    fn end(&mut self, code: &Code, slot: SlotId, mask: u64, port: &mut GlobalPort) {
        let Path { lanes, pc, .. } = self.paths.path(slot);
        for (warp, mask) in lanes.by_warp(mask, code.shape.width as usize) {
            self.threads.alive[warp] &= !mask;
            if port.is_checked {
                port.tell(self.number, Told::End { pc: *pc, warp: warp as u16, lanes: mask });
            }
        }
    }

    /// Threads of a slot's path arrive at the barrier that is its next instruction.
    fn arrive(&mut self, code: &Code, slot: SlotId, mask: u64, port: &mut GlobalPort) {
        self.arrived += mask.count_ones();
        let width = code.shape.width as usize;
        let Path { lanes, pc, .. } = self.paths.path(slot);
        if code.instructions[*pc as usize].matched
            && let Some(queues) = &mut self.queues
        {
            lanes.by_warp(mask, width).for_each(|(warp, _)| queues.arrive(warp));
        }
        if port.is_checked {
            let lane = mask.trailing_zeros().min(63) as usize;
            let thread = lanes.thread(lane, width).unwrap_or_default().0;
            port.tell(self.number, Told::Arrive { pc: *pc, thread });
        }
    }

    /// Opens the barrier when every thread that has not ended waits at it.
    fn release_if_complete(&mut self, code: &Code, port: &mut GlobalPort) -> bool {
        let missing = self.live.saturating_sub(self.arrived);
        let early = Planted::BarrierOpensEarly.is_on() && missing <= 32;
        let complete = self.arrived != 0 && (missing == 0 || early);
        if complete {
            self.release(code, port);
        }
        complete
    }

    /// Lets all who wait at the barrier go on.
    fn release(&mut self, code: &Code, port: &mut GlobalPort) {
        if port.is_checked {
            port.tell(self.number, Told::Open);
        }
        self.arrived = 0;
        if let Some(queues) = &mut self.queues {
            queues.open();
        }
        self.votes.deliver(code, &mut self.threads.registers);
        self.divergence.release(&mut self.paths);
    }

    /// Whether a barrier that counts warps has to open though threads are missing: of each warp some threads have
    /// arrived, and the others, which stand in no slot, cannot go on before those. Asked while some wait, after
    /// each step of a slot's path; nothing changes unless the slot has no path that may issue any more.
    #[inline]
    fn is_held_up(&self, slot: SlotId) -> bool {
        let may_issue = |slot| self.paths.state(slot) == SlotState::Runnable;
        self.barrier_counts == BarrierCounts::Warps
            && !may_issue(slot)
            && !self.paths.slots().any(may_issue)
    }

    /// The machine contradicts itself at the next instruction of a slot's path.
    #[cold]
    pub(crate) fn contradiction(&self, code: &Code, slot: SlotId, what: &'static str) -> Box<Trap> {
        let lane = self.paths.path(slot).lanes.mask().trailing_zeros() as usize;
        let kind = TrapKind::Contradiction { what };
        Box::new(self.trap(code, slot, LaneTrap { lane: lane.min(63), kind }))
    }

    fn trap(&self, code: &Code, slot: SlotId, trap: LaneTrap) -> Trap {
        let path = self.paths.path(slot);
        self.trap_at(code, &path.lanes, path.pc, trap)
    }

    fn trap_at(&self, code: &Code, lanes: &Lanes, pc: u32, trap: LaneTrap) -> Trap {
        let thread = lanes.thread(trap.lane, code.shape.width as usize);
        Trap {
            kind: trap.kind,
            block: code.block_index(self.number),
            thread: code.thread_index(thread.map_or(0, |thread| u32::from(thread.0))),
            pc,
        }
    }

    /// Describes all paths of the block as waiters: those that are parked, in slots or outside, wait at
    /// a barrier; the others wait to dequeue something, or spin where `recurs` says.
    pub(crate) fn waiters(
        &self,
        code: &Code,
        recurs: impl Fn(SlotId) -> Option<u32>,
    ) -> Vec<Waiter> {
        let missing = self.live.saturating_sub(self.arrived);
        let waiter = |slot: SlotId| {
            let state = self.paths.state(slot);
            if state == SlotState::Empty {
                return None;
            }
            let path = self.paths.path(slot);
            let held = (self.divergence.waiting_for(slot) & !path.lanes.mask()).count_ones();
            let (pc, reason) = match (state, recurs(slot), self.missing_operand(code, slot)) {
                (SlotState::Waiting, ..) => {
                    (None, WaitReason::Barrier { missing, same_warp: held })
                }
                (_, None, Some(site)) => (None, WaitReason::Dequeue { site }),
                (_, pc, _) => (pc, WaitReason::Spin { holds_back: held }),
            };
            let waiter = self.waiter(code, path, reason);
            Some(Waiter { pc: pc.unwrap_or(waiter.pc), ..waiter })
        };
        let barrier = WaitReason::Barrier { missing, same_warp: 0 };
        let outside = self.divergence.parked();
        let outside = outside.iter().map(|path| self.waiter(code, path, barrier));
        self.paths.slots().filter_map(waiter).chain(outside).collect()
    }

    /// The site of something that the path of a slot has to dequeue and that is not there.
    pub(crate) fn missing_operand(&self, code: &Code, slot: SlotId) -> Option<u8> {
        let (warp, queue, site) = self.next_dequeue(code, slot)?;
        let queues = self.queues.as_ref()?;
        queues.warps[warp].of(queue).is_empty().then_some(site)
    }

    /// What keeps the next instruction of a slot's path from dequeuing, if it dequeues something.
    #[cold]
    pub(crate) fn queue_stall(&self, code: &Code, slot: SlotId) -> Option<QueueStall> {
        let (warp, queue, _) = self.next_dequeue(code, slot)?;
        self.queues.as_ref()?.stall(warp, queue)
    }

    fn waiter(&self, code: &Code, path: &Path, reason: WaitReason) -> Waiter {
        let (width, mask) = (code.shape.width, path.lanes.mask());
        let lane = mask.trailing_zeros() as usize;
        let first = path.lanes.thread(lane, width as usize);
        let first = first.map_or(0, |thread| u32::from(thread.0));
        Waiter {
            block: code.block_index(self.number),
            warp: first / width,
            thread: code.thread_index(first),
            threads: mask.count_ones(),
            pc: path.pc,
            reason,
        }
    }

    /// The rows of registers and predicates of the warps that a path's threads belong to.
    pub(crate) fn state_of<'a>(
        &'a self,
        code: &Code,
        lanes: &Lanes,
    ) -> impl Iterator<Item = (&'a [u32], &'a [u64])> {
        let width = code.shape.width as usize;
        let (size, predicates) = (code.registers * width, code.predicates);
        let registers = &self.threads.registers;
        let mut warps: Vec<usize> = match lanes {
            Lanes::Warp { warp, .. } => vec![usize::from(*warp)],
            Lanes::Mixed(threads) => {
                threads.iter().flatten().map(|thread| usize::from(thread.0) / width).collect()
            }
        };
        warps.sort_unstable();
        warps.dedup();
        warps.into_iter().map(move |warp| {
            (
                &registers.general[warp * size..(warp + 1) * size],
                &registers.predicates[warp * predicates..(warp + 1) * predicates],
            )
        })
    }
}

/// Makes a vector hold `count` zeroes, keeping its allocation.
fn clear<T: Copy + Default>(vector: &mut Vec<T>, count: usize) {
    vector.clear();
    vector.resize(count, T::default());
}

#[cfg(test)]
mod tests {
    use std::hash::Hasher;

    use super::*;
    use crate::device::DeviceMemory;
    use crate::divergence::{BlockShape, Observe};
    use crate::emitted::Emitted;
    use crate::launch::{Launch, Limits, Model};
    use crate::path::{NEVER, Path, ThreadIndex};
    use reconverge_isa::GLOBAL_BASE;

    /// Two warps whose odd lanes have changed places: what a compaction would publish.
    struct Swapped;

    impl Divergence for Swapped {
        fn capabilities(&self) -> Capabilities {
            Capabilities::default()
        }

        fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
            for slot in 0..2 {
                let thread =
                    |lane: u32| ThreadIndex(((slot ^ lane & 1) * shape.width + lane) as u16);
                let lanes = (0..shape.width).map(|lane| Some(thread(lane))).collect();
                let path = Path {
                    pc: 0,
                    reconvergence_pc: NEVER,
                    lanes: Lanes::Mixed(lanes),
                    scoreboard: slot as u16,
                };
                paths.publish(SlotId(slot as u16), path);
            }
        }

        fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths) {
            match step {
                Step::Exit { .. } => paths.clear(slot),
                Step::Barrier => paths.park(slot),
                _ => unreachable!("the test's kernel does not branch"),
            }
        }
    }

    impl Observe for Swapped {
        fn fingerprint(&self, _slot: SlotId, _hash: &mut dyn Hasher) {}

        fn waiting_for(&self, _slot: SlotId) -> u64 {
            0
        }
    }

    /// What a kernel of eight threads leaves in eight words, in warps of four lanes that have changed
    /// places.
    fn swapped(text: &str) -> Vec<u8> {
        let program = reconverge_isa::text::parse(text).expect("it is good");
        let parameters = u64::from(GLOBAL_BASE).to_le_bytes();
        let request =
            Launch { parameters: &parameters, ..Launch::of_block([8, 1, 1], Model::Functional) };
        let affine = crate::Machine::load("tiny", &[]).and_then(|tiny| tiny.affine());
        let (affine, scheme) = (affine.expect("it is good"), Capabilities::default());
        let code = Code::new(&program.kernels[0], &request, 4, &scheme, &*affine).expect("good");
        let mut global = [0; 32];
        let allocation = GLOBAL_BASE..GLOBAL_BASE + 32;
        let mut memory = DeviceMemory {
            global: &mut global,
            allocations: std::slice::from_ref(&allocation),
            constant: &[],
            emitted: Emitted::default(),
            checker: None,
        };
        let mut port = GlobalPort::direct(&mut memory);
        let lane_map = LaneMap::identity(4).into();
        let mut block = Block::new(Box::new(Swapped), lane_map, BarrierCounts::Threads);
        let mut executor = Executor::new();
        block.start(&code, 0);
        while block.live != 0 {
            for slot in block.paths.slots() {
                if block.paths.state(slot) == SlotState::Runnable {
                    block.step(&code, slot, 0, &mut executor, &mut port).expect("it does not trap");
                }
            }
        }
        global.iter().step_by(4).copied().collect()
    }

    #[test]
    fn threads_of_several_warps_execute_together() {
        // out[x] = x & 3 < 2 ? 2 * (3 * (7 - x) + x) : 0, by way of shared and local memory.
        let text = ".kernel k\n.param out 0 8\n.registers 12\n.predicates 1\n.shared 32\n.local 8\n\
            mov.b32 r0, tid.x\n shl.b32 r1, r0, 2\n or.b32 r2, r1, 0x1000000\n\
            st.shared.b32 [r2], r0\n bar.sync\n sub.i32 r3, 28, r1\n or.b32 r3, r3, 0x1000000\n\
            ld.shared.b32 r4, [r3]\n mul.i32 r4, r4, 3\n add.i32 r4, r4, r0\n cvt.u64.u32 r6:7, r4\n\
            add.i64 r6:7, r6:7, r6:7\n low.b64 r5, r6:7\n mov.b32 r8, 0x2000000\n\
            st.local.b32 [r8], r5\n ld.local.b32 r9, [r8]\n and.b32 r10, r0, 3\n\
            setp.lt.u32 p0, r10, 2\n add.i32 r1, r1, c[0]\n @p0 st.global.b32 [r1], r9\n exit";
        let expected = |x: u8| if x & 3 < 2 { 2 * (3 * (7 - x) + x) } else { 0 };
        assert_eq!(swapped(text), (0..8).map(expected).collect::<Vec<u8>>());
    }

    #[test]
    fn threads_of_several_warps_vote_with_their_own() {
        // A path has the even lanes of one warp and the odd ones of the other.
        let text = ".kernel k\n.param out 0 8\n mov.b32 r0, tid.x\n setp.ne.i32 p0, r0, 2\n\
            vote.ballot r1, p0\n mov.b32 r2, 0\n shfl.xor r3, r0, 2, r2\n shl.b32 r3, r3, 4\n\
            or.b32 r1, r1, r3\n shl.b32 r4, r0, 2\n add.i32 r4, r4, c[0]\n st.global.b32 [r4], r1\n exit";
        let expected = |x: u8| {
            let votes = [if x < 4 { 0b0001 } else { 0b0101 }, 0b1010][usize::from(x & 1)];
            votes | (x ^ 2) << 4
        };
        assert_eq!(swapped(text), (0..8).map(expected).collect::<Vec<u8>>());
    }

    #[test]
    fn threads_of_several_warps_hear_the_count_of_all() {
        let text = ".kernel k\n.param out 0 8\n mov.b32 r0, tid.x\n setp.gt.u32 p0, r0, 4\n\
            bar.red.popc r1, p0\n bar.red.and p0, p0\n bar.red.or p1, !p0\n @p1 add.i32 r1, r1, 16\n\
            shl.b32 r4, r0, 2\n add.i32 r4, r4, c[0]\n st.global.b32 [r4], r1\n exit";
        assert_eq!(swapped(text), [19; 8]);
    }
}

//! The stages of an SM that delivers operands in a fixed time: what each does with the other components.

use super::Sm;
use super::delivery::allocate::{Allocated, TO_ALLOCATE};
use super::delivery::memory::{LANE_ADDRESSES, Stage, Step, Waiting};
use super::delivery::results::Arrival;
use super::delivery::{Delivery, Rising};
use crate::handles::{CandidateId, LoadId, Resource, WarpSlot};
use crate::mechanisms::event::{Event, EventSet};
use crate::observe::trace::End;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::Target;
use crate::sm::audit::ResultId;
use crate::sm::context::Context;
use crate::sm::execute::{Executed, StateBefore};
use crate::sm::issue::ports::Written;
use crate::sm::issue::queue::blocked::BlockedSet;
use crate::sm::issue::scoreboard::{Ready, Writer};
use crate::sm::lsu::loads::Load;
use crate::sm::lsu::request::MemRequest;
use crate::sm::residency::Candidate;
use crate::sm::unwritten::ReadTime;

/// An instruction that has issued, on its way to its unit.
#[derive(Clone, Copy)]
pub(super) struct Delivered<'a> {
    pub(super) id: CandidateId,
    pub(super) candidate: Candidate,
    pub(super) instruction: &'a Decoded,
    pub(super) pc: u32,
    pub(super) writer: Writer<'a>,
    /// The lanes in which it acts.
    pub(super) mask: u64,
}

/// The time of an instruction in its pipe.
struct Occupied {
    sub_core: usize,
    pipe: u16,
    /// The cycles for which it takes it.
    cycles: u64,
    /// From its start to its result.
    latency: u64,
}

impl Sm {
    /// An instruction goes to its unit. Returns the cycles for which it is held on the way.
    #[inline(always)]
    pub(super) fn deliver(
        &mut self,
        delivered: Delivered,
        request: Option<Box<MemRequest>>,
        code: &Code,
        now: u64,
    ) -> u64 {
        let instruction = delivered.instruction;
        let statistics = self.observer.statistics();
        statistics.register_reads += instruction.operands.registers().len() as u64;
        statistics.register_writes += instruction.result().map_or(0, |it| u64::from(it.words));
        if instruction.is_fixed {
            return self.start_fixed(delivered, code, now);
        }
        match request {
            Some(request) => self.queue_memory(delivered, request, code, now),
            None => self.start_varying(delivered, code, now),
        }
        0
    }

    /// The next instruction of a candidate's path, which a scheduler has picked, looks up its constant operand. Returns true
    /// if it has to wait for that.
    #[inline(always)]
    pub(super) fn waits_for_constant(
        &mut self,
        id: CandidateId,
        candidate: Candidate,
        context: &Context,
    ) -> bool {
        let pc = self.residency.slot(candidate.block).paths().path(candidate.slot).pc;
        let line = context.code.instructions[pc as usize].constant;
        line.is_some_and(|line| self.misses_constant(id, candidate, line, context))
    }

    #[inline(never)]
    fn misses_constant(
        &mut self,
        id: CandidateId,
        candidate: Candidate,
        line: u32,
        context: &Context,
    ) -> bool {
        let (code, now, warp) = (context.code, context.now, self.residency.warp_of(id));
        let Some(delivery) = self.delivery.as_deref_mut() else { return false };
        let scheduler = delivery.allocate.scheduler_of(warp);
        let cache = delivery.constants.get_mut(scheduler);
        let Some(miss) = cache.and_then(|cache| cache.look_up(line, now)) else { return false };
        self.issue.resources(scheduler).close(miss.opens);
        let (issue, mut ports) = self.issue(code, now);
        issue.refresh(candidate, Some(miss.ready), &mut ports);
        true
    }

    /// When the next instruction of a candidate's path reads its operands, if it issues now and registers are written late.
    #[inline(always)]
    pub(super) fn read_time(
        &self,
        id: CandidateId,
        candidate: Candidate,
        code: &Code,
        now: u64,
    ) -> Option<ReadTime> {
        code.writes_late.then(|| self.read_time_of(id, candidate, code, now))
    }

    #[cold]
    fn read_time_of(
        &self,
        id: CandidateId,
        candidate: Candidate,
        code: &Code,
        now: u64,
    ) -> ReadTime {
        let pc = self.residency.slot(candidate.block).paths().path(candidate.slot).pc;
        let instruction = &code.instructions[pc as usize];
        let forwards = !instruction.control.reads_unforwarded;
        let Some(delivery) = self.delivery.as_deref().filter(|_| instruction.is_fixed) else {
            // An instruction of varying latency reads later; its reads do not wait for others.
            return ReadTime { at: now, forwards };
        };
        let warp = self.residency.warp_of(id);
        let pipe = self.pipes.unit(instruction.timing).pipe as u16;
        let free = match instruction.control.uniform.computes {
            true => 0,
            false => self.pipes.first_free(self.collector.sub_core_of(warp), pipe),
        };
        let Allocated { at, .. } = delivery.allocate.clone().pass(warp, instruction, free, now);
        ReadTime { at: at - TO_ALLOCATE, forwards: true }
    }

    /// With control bits the next instruction of an executed one's path waits for its stall count, and as long as it is
    /// `held` itself; see [`Delivery::distance`](super::delivery::Delivery::distance).
    #[inline(always)]
    pub(super) fn stall(
        &mut self,
        id: CandidateId,
        executed: &Executed,
        before: Option<&StateBefore>,
        held: u64,
        code: &Code,
        now: u64,
    ) {
        let (Some(stated), Some(delivery)) = (&code.stated, self.delivery.as_deref_mut()) else {
            return;
        };
        let cycles = delivery.distance(id, executed.instruction.control.stall, held);
        if cycles <= 1 {
            return;
        }
        let block = self.residency.candidate(id).block;
        let lanes = before.and_then(|before| before.lanes.as_ref());
        let by_thread = lanes.filter(|_| self.residency.scheme().tracks_threads);
        let lanes = by_thread.map(|lanes| (lanes, lanes.mask()));
        let writer = Writer { scoreboard: executed.scoreboard, lanes };
        self.issue.expect(block, writer, stated.stall(), Ready::computed(now + cycles), now);
    }

    /// The time that an instruction takes its pipe.
    #[inline(always)]
    fn occupied(&mut self, warp: WarpSlot, instruction: &Decoded, mask: u64) -> Occupied {
        // The uniform datapath takes an instruction per cycle, as many as issue.
        let passes = match instruction.control.uniform.computes {
            true => 0,
            false => self.pipes.passes(instruction, mask, self.observer.statistics()),
        };
        let unit = self.pipes.unit(instruction.timing);
        Occupied {
            sub_core: self.collector.sub_core_of(warp),
            pipe: unit.pipe as u16,
            cycles: passes * unit.initiation,
            latency: unit.latency + passes.saturating_sub(1) * unit.initiation,
        }
    }

    /// A pipe starts an instruction. No other one that needs it issues before its latch will be free.
    #[inline(always)]
    fn start_in(&mut self, occupied: &Occupied, start: u64, now: u64) -> u64 {
        let &Occupied { sub_core, pipe, cycles, .. } = occupied;
        if cycles == 0 {
            return start;
        }
        let start = self.pipes.reserve(sub_core, pipe, cycles, start);
        let free = self.pipes.first_free(sub_core, pipe);
        // The next instruction is in Allocate then, or after this one.
        if free > (now + 1 + TO_ALLOCATE).max(start + 1) {
            let need = Resource::pipe(usize::from(pipe));
            self.issue.of_sub_core(sub_core, |it| it.take(need, free - TO_ALLOCATE));
        }
        start
    }

    /// An instruction of fixed latency passes Allocate and starts in its pipe.
    #[inline(always)]
    fn start_fixed(&mut self, delivered: Delivered, code: &Code, now: u64) -> u64 {
        let Delivered { id, candidate, instruction, writer, mask, .. } = delivered;
        let warp = self.residency.warp_of(id);
        let occupied = self.occupied(warp, instruction, mask);
        let pipe_free = match instruction.control.uniform.computes {
            true => 0,
            false => self.pipes.first_free(occupied.sub_core, occupied.pipe),
        };
        let Some(delivery) = self.delivery.as_deref_mut() else { return 0 };
        let Allocated { at, opens } = delivery.allocate.pass(warp, instruction, pipe_free, now);
        let scheduler = delivery.allocate.scheduler_of(warp);
        let end = at + occupied.latency;
        delivery.results.forward(scheduler, instruction.result(), end, now);
        self.start_in(&occupied, at, now);
        if opens > now + 1 {
            self.issue.resources(scheduler).close(opens);
        }
        if code.stated.is_none() {
            let ready = Ready::computed(end);
            self.issue.expect(candidate.block, writer, &instruction.writes, ready, now);
            self.frontend.occupy(id, ready);
        }
        self.write_ports(now).at_once(candidate, instruction, at, end);
        at - (now + TO_ALLOCATE)
    }

    /// An instruction of varying latency that is no access starts in its pipe.
    fn start_varying(&mut self, delivered: Delivered, code: &Code, now: u64) {
        let Delivered { id, candidate, instruction, mask, .. } = delivered;
        let warp = self.residency.warp_of(id);
        let occupied = self.occupied(warp, instruction, mask);
        let Some(delivery) = self.delivery.as_deref() else { return };
        let scheduler = delivery.allocate.scheduler_of(warp);
        let reads = |&cycle: &u64| delivery.allocate.can_read(warp, instruction, cycle);
        let from = (now + TO_ALLOCATE..).find(reads).unwrap_or(now + TO_ALLOCATE);
        let start = self.start_in(&occupied, from, now);
        let token = self.collector.token();
        let name = ResultId::Collecting(token);
        self.residency.slot_mut(candidate.block).begin(instruction, name);
        self.raise_counters(
            &delivered,
            Ready::collecting(token),
            Ready::computed(start),
            code,
            now,
        );
        if let Some(recorder) = self.observer.recorder() {
            recorder.collects(token, None);
        }
        let (block, slot) = (candidate.block, candidate.slot);
        let result = instruction.result().copied();
        let load = Load::new(block, slot, instruction.writes, result, mask);
        let ready = start + occupied.latency;
        let arrival = Arrival { ready, id: name, load, warp, scheduler, start };
        if let Some(delivery) = self.delivery.as_deref_mut() {
            delivery.results.await_arrival(arrival);
        }
    }

    /// A memory instruction enters the queue of its sub-core.
    fn queue_memory(
        &mut self,
        delivered: Delivered,
        request: Box<MemRequest>,
        code: &Code,
        now: u64,
    ) {
        let Delivered { id, candidate, instruction, pc, .. } = delivered;
        let warp = self.residency.warp_of(id);
        let token = self.collector.token();
        let name = request.load.map_or(ResultId::Collecting(token), ResultId::Load);
        let result = request.load.map_or(Ready::collecting(token), Ready::pending);
        self.residency.slot_mut(candidate.block).begin(instruction, name);
        let read = match instruction.memory.holds_sources {
            true => result,
            false => Ready::collecting(token),
        };
        self.raise_counters(&delivered, result, read, code, now);
        if let Some(recorder) = self.observer.recorder() {
            recorder.collects(token, request.load);
        }
        if self.issue.events().has(EventSet::COLLECTED) {
            self.issue.raise(id, |candidate| Event::Collected { candidate });
        }
        let sub_core = self.collector.sub_core_of(warp);
        let (issued, stage) = (now, Stage::Queued);
        let waiting = Waiting { token, candidate, id, warp, pc, request, issued, stage };
        if let Some(delivery) = self.delivery.as_deref_mut()
            && delivery.memory.enter(sub_core, waiting)
        {
            self.issue.set_room(sub_core, false);
        }
    }

    /// The entries of an instruction of varying latency wait for its result, and for the read of its
    /// sources.
    fn raise_counters(
        &mut self,
        delivered: &Delivered,
        result: Ready,
        read: Ready,
        code: &Code,
        now: u64,
    ) {
        let &Delivered { id, candidate, instruction, writer, .. } = delivered;
        let raised = [
            (&instruction.writes, result, instruction.target != Target::None),
            (&instruction.reads, read, true),
        ];
        for (entries, falls, is_awaited) in raised {
            if entries.is_empty() || !is_awaited {
                continue;
            }
            if !instruction.control.rises_late {
                self.issue.expect(candidate.block, writer, entries, falls, now);
                continue;
            }
            let lanes = writer.lanes.map(|(lanes, mask)| (lanes.clone(), mask));
            let scoreboard = writer.scoreboard;
            let rising =
                Rising { cycle: now + 2, candidate, scoreboard, lanes, entries: *entries, falls };
            if let Some(delivery) = self.delivery.as_deref_mut() {
                delivery.rising.push(rising);
            }
        }
        if code.stated.is_none() && instruction.target != Target::None {
            self.frontend.occupy(id, result);
        }
    }

    /// Counters rise, results arrive, and memory instructions go on. Returns true if there was
    /// something to do.
    #[inline]
    pub(super) fn step_delivery(&mut self, context: &mut Context) -> bool {
        let is_due = |delivery: &Delivery| delivery.next_event() <= context.now;
        if !self.delivery.as_deref().is_some_and(is_due) {
            return false;
        }
        self.step_due_delivery(context);
        true
    }

    #[inline(never)]
    fn step_due_delivery(&mut self, context: &mut Context) {
        let (code, now, room) = (context.code, context.now, self.lsu.room());
        self.raise_late(code, now);
        while let Some(arrival) = self.delivery.as_deref_mut().and_then(|it| it.results.take(now)) {
            self.arrive(&arrival, context);
        }
        let Some(delivery) = self.delivery.as_deref_mut() else { return };
        let mut steps = std::mem::take(&mut delivery.steps);
        delivery.memory.step(&delivery.allocate, code, room, now, &mut steps);
        for step in steps.drain(..) {
            match step {
                Step::Read { token, candidate, id, pc } => {
                    let instruction = &code.instructions[pc as usize];
                    if !instruction.memory.holds_sources && !instruction.reads.is_empty() {
                        let (pending, ready) = (Ready::collecting(token), Ready::computed(now));
                        let writes = &instruction.reads;
                        let written = Written { candidate, id, writes, pending, ready };
                        self.resolve(&written, code, now);
                    }
                }
                Step::Leaves(waiting, was_full) => {
                    self.leave_queue(waiting, was_full, context);
                }
            }
        }
        if let Some(delivery) = self.delivery.as_deref_mut() {
            delivery.steps = steps;
        }
    }

    /// Counters rise that their instructions have not raised at issue.
    fn raise_late(&mut self, code: &Code, now: u64) {
        let Some(delivery) = self.delivery.as_deref_mut() else { return };
        let due = |rising: &mut Rising| rising.cycle <= now;
        if delivery.rising.is_empty() {
            return;
        }
        let due: Vec<Rising> = delivery.rising.extract_if(.., due).collect();
        for Rising { candidate, scoreboard, lanes, entries, falls, .. } in due {
            let lanes = lanes.as_ref().map(|(lanes, mask)| (lanes, *mask));
            let writer = Writer { scoreboard, lanes };
            self.issue.expect(candidate.block, writer, &entries, falls, now);
            let (issue, mut ports) = self.issue(code, now);
            issue.wake(std::iter::once(candidate), BlockedSet::ISSUING, None, &mut ports);
        }
    }

    /// A memory instruction goes to the load/store unit.
    fn leave_queue(&mut self, waiting: Waiting, was_full: bool, context: &mut Context) {
        let now = context.now;
        let Waiting { token, candidate, id, warp, pc, mut request, .. } = waiting;
        let instruction = &context.code.instructions[pc as usize];
        self.residency.slot_mut(candidate.block).end();
        if self.issue.events().has(EventSet::EXECUTING) {
            self.issue.raise(id, |candidate| Event::Executing { candidate });
        }
        let lanes = if instruction.memory.by_lane { LANE_ADDRESSES } else { 0 };
        let to_unit = self.delivery.as_deref().map_or(0, |delivery| delivery.to_unit);
        request.ready = now + to_unit + lanes;
        if let Some(recorder) = self.observer.recorder() {
            request.traced = recorder.starts(token, now, End::InMemory(request.ready));
        }
        self.collector.give_back(token);
        self.lsu.push(request);
        if was_full {
            self.issue.set_room(self.collector.sub_core_of(warp), true);
        }
        self.retire_if_done(candidate.block, context);
    }

    /// A load has ended: its result arrives in a cycle.
    pub(super) fn await_load(&mut self, id: LoadId, load: Load, ready: u64) {
        let candidate = Candidate { block: load.block, slot: load.slot };
        let warp = self.residency.hardware_of(candidate);
        if let Some(delivery) = self.delivery.as_deref_mut() {
            let scheduler = delivery.allocate.scheduler_of(warp);
            let id = ResultId::Load(id);
            let arrival = Arrival { ready, id, load, warp, scheduler, start: 0 };
            delivery.results.await_arrival(arrival);
        }
    }

    /// A result is in its registers.
    fn arrive(&mut self, arrival: &Arrival, context: &mut Context) {
        let (code, now) = (context.code, context.now);
        let Arrival { id, load, start, .. } = arrival;
        let candidate = Candidate { block: load.block, slot: load.slot };
        let resident = self.residency.slot_mut(load.block);
        let candidate_id = resident.id(load.slot);
        resident.know_result(*id, now);
        resident.end();
        let (pending, ready) = match *id {
            ResultId::Load(load) => (Ready::pending(load), Ready::loaded(now)),
            _ => (arrival.token().map_or(Ready::NOW, Ready::collecting), Ready::computed(now)),
        };
        if let Some(recorder) = self.observer.recorder() {
            match *id {
                ResultId::Load(load) => recorder.loaded(load, now),
                _ => {
                    arrival.token().map(|token| recorder.starts(token, *start, End::Known(now)));
                }
            }
        }
        if let Some(token) = arrival.token() {
            self.collector.give_back(token);
        }
        let writes = &load.writes;
        let written = Written { candidate, id: candidate_id, writes, pending, ready };
        self.resolve(&written, code, now);
        if let ResultId::Load(id) = *id {
            self.lsu.forget(id);
            if self.residency.scheme().receives_misses {
                let (issue, mut ports) = self.issue(code, now);
                ports.residency.blocks_mut().block_mut(load.block).loaded(load.slot, id);
                issue.refresh_parted(candidate, &mut ports);
            }
        }
        self.retire_if_done(load.block, context);
    }
}

//! The stages of an SM's cycle: each calls a component with its ports, and passes on the result.

use reconverge_isa::{Effect, Hints};

use super::deliver::Delivered;
use super::dispatch::{DispatchPorts, Work};
use super::execute::{Executed, ExecutionPorts, StateBefore, execute};
use super::frontend::Fetched;
use super::issue::Need;
use super::issue::scoreboard::Ready;
use super::operand_collector::{Entering, Flight, OperandCollector};
use super::residency::{Candidate, Residency};
use super::{Sm, pipes};
use crate::block::issued::Issued;
use crate::block::path::Lanes;
use crate::execute::access::Access;
use crate::handles::{BlockSlot, CandidateId, RegisterRow, Token};
use crate::mechanisms::affine::slot::{BlockView, How, Takes};
use crate::mechanisms::event::{CandidateSet, Effects, Event, EventSet};
use crate::memory::cache::CacheEvent;
use crate::memory::packet::Waiter;
use crate::observe::slot_use::SlotUse;
use crate::observe::trace::End;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::Target;
use crate::run::fault::Trap;
use crate::sm::context::Context;
use crate::sm::issue::place::QueuePlace;
use crate::sm::issue::ports::{Following, Place, Written};
use crate::sm::issue::queue::blocked::BlockedSet;
use crate::sm::issue::scoreboard::Writer;
use crate::sm::lsu::request::MemRequest;

/// All candidates of a scheduler.
const ALL: CandidateSet = CandidateSet::MAX;

/// The events of the L1.
const CACHE_EVENTS: EventSet =
    EventSet::EVICTED.and(EventSet::MISSED).and(EventSet::MISSES_PENDING);

/// The events of an instruction that compares or branches.
const CONTROL_EVENTS: EventSet = EventSet::COMPARED.and(EventSet::BRANCHED_BACKWARD);

impl Sm {
    /// Takes replies and works on memory instructions. Returns true if that may affect others.
    #[inline]
    pub(super) fn step_lsu(&mut self, context: &mut Context) -> bool {
        let mut ports = self.observer.ports(context.now, self.index, context.memory);
        while let Some(reply) = ports.memory.receive(ports.now) {
            match reply.waiter {
                Waiter::InstructionFetch => {
                    self.frontend.fill(&reply, ports.now);
                    // It may go on to the cache of a sub-core, in a cycle that was not known.
                    self.quiet_until = 0;
                }
                _ => self.lsu.reply(&reply, context.port.view(), &mut ports),
            }
        }
        let was_full = self.lsu.is_full();
        if self.lsu.has_waiting_replays() {
            self.lsu.set_owners(self.issue.owners(self.residency.scheme().slots_per_warp));
        }
        if !self.lsu.step(&mut ports) && !self.issue.events().has(CACHE_EVENTS) {
            return self.lsu.has_news() || self.frontend.has_filled();
        }
        while let Some(served) = self.lsu.take_served() {
            if let Some(recorder) = self.observer.recorder() {
                recorder.ends(served, context.now + 1);
            }
        }
        if self.issue.events().has(CACHE_EVENTS) {
            self.raise_cache_events(context.now);
        }
        let has_room = was_full && !self.lsu.is_full();
        if has_room {
            self.collector.wake(context.now);
            if let Some(delivery) = &mut self.delivery {
                delivery.wake(context.now);
            }
        }
        has_room || self.lsu.has_news() || self.frontend.has_filled()
    }

    /// Raises the events of the L1.
    #[cold]
    fn raise_cache_events(&mut self, now: u64) {
        let slots = self.residency.scheme().slots_per_warp;
        for event in self.lsu.take_events() {
            let (CacheEvent::Evicted { warp, line } | CacheEvent::Missed { warp, line }) = event;
            for id in CandidateId::of_warp(warp, slots) {
                self.issue.raise(id, |candidate| match event {
                    CacheEvent::Evicted { .. } => Event::Evicted { candidate, line },
                    CacheEvent::Missed { .. } => Event::Missed { candidate, line, now },
                });
            }
        }
        let (used, all) = self.lsu.mshrs_in_use();
        self.issue.raise_all(&Event::MissesPending { used, all });
    }

    /// Writes arrived data, and notifies the paths that wait for it. Returns true if a candidate's
    /// state changed.
    #[inline(never)]
    pub(super) fn write_back(&mut self, context: &mut Context) -> bool {
        let (code, now) = (context.code, context.now);
        let mut has_news = false;
        while let Some(hit) = self.lsu.take_partial_hit() {
            let load = *self.lsu.load(hit.load);
            let block = load.block;
            if self.issue.awaits_beside(block, Ready::pending(hit.load), hit.missed) {
                let written = self.write_ports(now).part_of_load(&hit, &load);
                self.lsu.part_load(hit.load, hit.missed);
                let (issue, mut ports) = self.issue(code, now);
                issue.arrive_in_part(&written, hit.missed);
                issue.refresh_parted(written.candidate, &mut ports);
            }
            has_news = true;
        }
        if self.frontend.has_filled() {
            self.wake_filled(code, now);
            has_news = true;
        }
        while let Some((id, load, ready)) = self.lsu.take_finished() {
            if load.is_copy {
                self.copies.add(id, ready);
                has_news = true;
                continue;
            }
            if self.delivery.is_some() {
                self.await_load(id, load, ready);
                has_news = true;
                continue;
            }
            self.lsu.forget(id);
            if let Some(RegisterRow { warp, register }) = load.filled {
                self.collector.raise(warp, |warp| Event::RegisterLoaded {
                    warp,
                    register,
                    ready,
                    now,
                });
                has_news = true;
                continue;
            }
            let written = self.write_ports(now).load(id, &load, ready);
            let Candidate { block, slot } = written.candidate;
            self.resolve(&written, code, now);
            if self.residency.scheme().receives_misses {
                let (issue, mut ports) = self.issue(code, now);
                ports.residency.blocks_mut().block_mut(block).loaded(slot, id);
                issue.refresh_parted(written.candidate, &mut ports);
            }
            self.retire_if_done(block, context);
            has_news = true;
        }
        has_news
    }

    /// Instruction lines have arrived: the candidates that have waited for them fetch.
    #[inline(never)]
    pub(super) fn wake_filled(&mut self, code: &Code, now: u64) {
        for id in self.frontend.take_filled() {
            // Another path may be in the slot by now.
            let candidate = std::iter::once(self.residency.candidate(id));
            let (issue, mut ports) = self.issue(code, now);
            issue.gains_room(id);
            issue.wake(candidate, BlockedSet::INSTRUCTIONS, None, &mut ports);
        }
    }

    /// Lets instructions read operands and start in their pipes, whose results are then known.
    pub(super) fn step_collector(&mut self, context: &mut Context) -> bool {
        if self.collector.next_event() > context.now {
            return false;
        }
        let (pipes, issue) = (&mut self.pipes, &mut self.issue);
        let eased = |sub_core| issue.set_room(sub_core, true);
        self.collector.step(context.now, pipes, self.lsu.room(), eased);
        for at in 0.. {
            let Some((token, flight)) = self.collector.take_left(at) else {
                break;
            };
            self.start_pipe(token, flight, context);
        }
        true
    }

    /// An instruction starts in its pipe, or joins the queue of the load/store unit.
    fn start_pipe(&mut self, token: Token, flight: Flight, context: &mut Context) {
        let now = context.now;
        let block = flight.candidate.block;
        self.residency.slot_mut(block).end();
        if self.issue.events().has(EventSet::EXECUTING) {
            let id = self.residency.slot(block).id(flight.candidate.slot);
            self.issue.raise(id, |candidate| Event::Executing { candidate });
        }
        let written = match self.collector.take_request(token, &flight) {
            Some(mut request) => {
                request.ready = now + flight.latency;
                if let Some(recorder) = self.observer.recorder() {
                    request.traced = recorder.starts(token, now, End::InMemory(request.ready));
                }
                self.lsu.push(request);
                None
            }
            None => {
                let instruction = &context.code.instructions[flight.pc as usize];
                let end = now + flight.latency;
                Some(self.write_ports(now).computed(token, &flight, instruction, end))
            }
        };
        if let Some(written) = written {
            self.resolve(&written, context.code, now);
        }
        if context.code.stated.is_some() {
            self.has_read(token, &flight, context.code, now);
        }
        if !self.collector.properties().admits_all {
            let readers = self.residency.concerned(flight.candidate);
            let (issue, mut ports) = self.issue(context.code, now);
            issue.wake(readers, BlockedSet::OPERANDS, None, &mut ports);
        }
        self.retire_if_done(block, context);
    }

    /// An instruction that leaves the operand collector has read its sources.
    fn has_read(&mut self, token: Token, flight: &Flight, code: &Code, now: u64) {
        let reads = &code.instructions[flight.pc as usize].reads;
        if !reads.is_empty() {
            let &Flight { candidate, id, .. } = flight;
            let (pending, ready) = (Ready::collecting(token), Ready::computed(now));
            self.resolve(&Written { candidate, id, writes: reads, pending, ready }, code, now);
        }
    }

    /// Passes a result's arrival to scoreboards and waiting paths.
    #[inline(always)]
    pub(super) fn resolve(&mut self, written: &Written, code: &Code, now: u64) {
        if !self.issue.resolve(written, &self.residency, &mut self.frontend) {
            return;
        }
        if self.is_plain
            && self.residency.concerns_itself()
            && self.issue.wake_straight(written, code, &self.residency, now)
        {
            return;
        }
        // A copy, so that it need not be in memory for most.
        let written = *written;
        let (issue, mut ports) = self.issue(code, now);
        issue.wake_waiting(&written, &mut ports);
    }

    /// Lets every scheduler issue.
    #[inline(always)]
    pub(super) fn step_issue(&mut self, context: &mut Context) -> Result<(), Box<Trap>> {
        match self.pairing {
            None => self.issue_by_scheduler::<false>(context),
            Some(_) => self.issue_in_pairs(context),
        }
    }

    /// Lets every scheduler issue an instruction, and another one beside it.
    #[inline(never)]
    fn issue_in_pairs(&mut self, context: &mut Context) -> Result<(), Box<Trap>> {
        self.issue_by_scheduler::<true>(context)
    }

    #[inline(always)]
    fn issue_by_scheduler<const PAIRS: bool>(
        &mut self,
        context: &mut Context,
    ) -> Result<(), Box<Trap>> {
        if self.limits_warps {
            self.issue.set_limit(self.lsu.allocation().warp_limit());
        }
        let (mut next, count) = (self.issue.first_turn(context.now), self.issue.schedulers());
        for _ in 0..count {
            let scheduler = next;
            next = if scheduler + 1 == count { 0 } else { scheduler + 1 };
            let Some((id, index)) = self.pick(scheduler, ALL, context) else {
                let blocked = self.blocked(self.issue.sub_core_of(scheduler));
                let cycles = context.now..context.now + 1;
                let (residency, observer) = (&self.residency, &mut self.observer);
                self.issue.count_stall(scheduler, blocked, cycles, residency, observer);
                continue;
            };
            let place = QueuePlace { scheduler, index };
            let first = match PAIRS {
                true => self.first_of_pair(id, place, context.code),
                false => None,
            };
            let before = self.observer.before();
            let pc = before.as_ref().map_or(0, |_| self.residency.next_pc(id));
            let slot_use = self.issue_next(id, place, context)?;
            self.observer.attribute(slot_use, before.as_ref(), pc);
            if PAIRS && let Some(first) = first.filter(|_| slot_use == SlotUse::Issued) {
                self.issue_beside(&first, context)?;
            }
        }
        Ok(())
    }

    /// The candidate that a scheduler issues, one of some, which has registers for its result, with its number there.
    #[inline(always)]
    pub(super) fn pick(
        &mut self,
        scheduler: usize,
        among: CandidateSet,
        context: &Context,
    ) -> Option<(CandidateId, usize)> {
        let (collector, residency) = (&mut self.collector, &self.residency);
        let next = |id| residency.next_instruction(id, context.code);
        self.issue.pick(scheduler, context.now, among, next, |id| {
            !collector.has_limits() || has_registers(id, collector, residency, context)
        })
    }

    /// Raises the end of a cycle, and applies the effects of its events. Returns true if a candidate's state changed.
    #[cold]
    pub(super) fn end_cycle(&mut self, context: &Context) -> bool {
        let (code, now) = (context.code, context.now);
        self.collector.raise_all(&Event::CycleEnded { now });
        let Effects { freed_registers, transfers } = self.collector.take_effects();
        if freed_registers {
            let (issue, mut ports) = self.issue(code, now);
            issue.wake_throttled(&mut ports);
        }
        for transfer in transfers {
            let request = self.coalescer.transfer(code, &transfer, &mut self.lsu);
            self.lsu.push_register(request);
        }
        freed_registers
    }

    /// Raises the events of the warps that have entered an active pool or left it.
    #[inline]
    pub(super) fn raise_pool_changes(&mut self, now: u64) {
        if self.issue.has_pools() {
            let (collector, slots) = (&mut self.collector, self.residency.scheme().slots_per_warp);
            self.issue.pool_changes(slots, |hardware, active| {
                collector.raise(hardware, |warp| Event::ActiveChanged { warp, active, now });
            });
        }
    }

    /// Issues the next instruction of a candidate's path, unless it has to wait after all. `place` is the candidate's place at its
    /// scheduler.
    #[inline(always)]
    pub(super) fn issue_next(
        &mut self,
        id: CandidateId,
        place: QueuePlace,
        context: &mut Context,
    ) -> Result<SlotUse, Box<Trap>> {
        let candidate = self.residency.candidate(id);
        if self.delivery.is_some() && self.waits_for_constant(id, candidate, context) {
            return Ok(SlotUse::Memory);
        }
        match self.issues_straight(candidate, context) {
            true => self.issue_instruction::<true>(id, candidate, place, context, &mut None),
            false => self.issue_any(id, candidate, place, context),
        }
    }

    /// Returns true if the next instruction of a candidate's path concerns no other path and need not wait in this epoch,
    /// and if no mechanism is notified of it ([`Sm::is_plain`]) and nothing records it.
    #[inline(always)]
    fn issues_straight(&self, candidate: Candidate, context: &mut Context) -> bool {
        let is_watched = context.epoch.searching || self.observer.records();
        let block = self.residency.slot(candidate.block).block();
        self.is_plain
            && !is_watched
            && block.is_straight(context.code, candidate.slot)
            && context.port.log().is_none_or(|log| !log.has_atomics())
    }

    /// [`Sm::issue_instruction`] for any instruction, out of the way of the common case.
    #[inline(never)]
    fn issue_any(
        &mut self,
        id: CandidateId,
        candidate: Candidate,
        place: QueuePlace,
        context: &mut Context,
    ) -> Result<SlotUse, Box<Trap>> {
        self.issue_instruction::<false>(id, candidate, place, context, &mut None)
    }

    /// Issues the next instruction of a candidate's path. `STRAIGHT` is for the common case, in which an instruction
    /// leaves its path as it is and nothing else is notified of it ([`Sm::issues_straight`]): the compiler then leaves
    /// out all that others need.
    #[inline(always)]
    fn issue_instruction<const STRAIGHT: bool>(
        &mut self,
        id: CandidateId,
        candidate: Candidate,
        place: QueuePlace,
        context: &mut Context,
        before: &mut Option<StateBefore>,
    ) -> Result<SlotUse, Box<Trap>> {
        if !STRAIGHT {
            if let Some(warp) = self.residency.own_warp_of(candidate) {
                return self.issue_own_warp(warp, id, context);
            }
            if self.lacks_slot(candidate) {
                let (issue, mut ports) = self.issue(context.code, context.now);
                issue.refresh(candidate, Some(context.now + 1), &mut ports);
                return Ok(SlotUse::RegisterFile);
            }
        }
        let (code, now, block) = (context.code, context.now, candidate.block);
        let read_time = if STRAIGHT { None } else { self.read_time(id, candidate, code, now) };
        let (statistics, executions) = self.observer.counters_of_instructions();
        let ports = ExecutionPorts {
            read_time,
            now,
            executor: &mut *context.executor,
            global: &mut *context.port,
            affine: self.affine.as_deref_mut(),
            statistics,
            executions,
            outcome: &mut *context.outcome,
            searching: context.epoch.searching,
            keeps_lanes: self.residency.scheme().tracks_threads
                || self.pipes.permutes()
                || self.watches_values,
            keeps_compared: self.issue.events().has(EventSet::COMPARED),
        };
        let Some(executed) =
            execute::<STRAIGHT>(&mut self.residency, code, candidate, ports, before)?
        else {
            let (issue, mut ports) = self.issue(code, now);
            issue.refresh(candidate, Some(context.epoch.to), &mut ports);
            return Ok(SlotUse::Memory);
        };
        let (instruction, issued) = (executed.instruction, &executed.issued);
        let before = if STRAIGHT { None } else { before.as_ref() };
        let collects = executed.collects::<STRAIGHT>();
        // Control flow with an effect: the path continues later.
        let is_control = executed.is_control(collects);
        let mut next = match is_control {
            true if !STRAIGHT && instruction.is_barrier() => self.pipes.arrive(now),
            true => now + self.pipes.control_latency(),
            false => now + 1,
        };
        if !STRAIGHT && self.observer.records() {
            self.record_issued(id, code, instruction, issued, now, next);
        }
        // If the scheme has changed this path or another one, the path is entered with all checks.
        let following = code.instructions.get(issued.next as usize).filter(|following| {
            let paths = self.residency.slot(block).paths();
            STRAIGHT && !(paths.has_touched() || paths.has_carried() || following.may_be_held())
        });
        let is_buffered = match following {
            Some(_) => self.frontend.issue_and_go_on(id, issued.next),
            None => {
                self.frontend.issue(id);
                false
            }
        };
        if !STRAIGHT && self.issue.events().has(CONTROL_EVENTS) {
            self.raise_control_events(id, issued, instruction.hints, before, now);
        }
        let mut held = 0;
        if collects && issued.mask != 0 {
            held = self.dispatch::<STRAIGHT>(id, candidate, &executed, before, code, now)?;
        } else if !STRAIGHT && is_control && self.watches_values {
            self.raise_controlled(instruction, issued, before, code, block);
        }
        self.stall(id, &executed, before, held, code, now);
        if following.is_some() {
            if is_buffered && self.frontend.fetches_ahead() {
                next = next.max(self.frontend.arrival(id));
            }
            let following = Following {
                instruction: following.filter(|_| is_buffered),
                block,
                scoreboard: executed.scoreboard,
            };
            self.issue.refresh_straight(place, following, Place::Picked, next, now);
        } else {
            let (issue, mut ports) = self.issue(code, now);
            issue.refresh_issued(candidate, id, next, &mut ports);
        }
        if issued.progress {
            if instruction.effect == Effect::Exit {
                self.raise_ended(block, now);
            }
            self.retire_if_done(block, context);
        }
        Ok(SlotUse::Issued)
    }

    /// Returns true if the register file keeps a candidate's path from issuing in this cycle.
    fn lacks_slot(&mut self, candidate: Candidate) -> bool {
        self.collector.has_limits()
            && self.residency.path_at(candidate).is_some_and(|path| {
                self.collector.limits().is_some_and(|limits| limits.takes_slot(path))
            })
    }

    /// Notifies the mechanism that receives values of control flow that has taken effect.
    #[cold]
    fn raise_controlled(
        &mut self,
        instruction: &Decoded,
        issued: &Issued,
        before: Option<&StateBefore>,
        code: &Code,
        block: BlockSlot,
    ) {
        let lanes = before.and_then(|before| before.lanes.as_ref());
        if let (Some(affine), Some(lanes)) = (&mut self.affine, lanes) {
            let threads = self.residency.slot(block).threads();
            let block = BlockView { code, slot: block, threads };
            let statistics = self.observer.statistics();
            affine.controlled(block, instruction, lanes, issued.mask, statistics);
        }
    }

    /// Raises the end of the warps of a block that have no threads any more.
    #[cold]
    fn raise_ended(&mut self, block: BlockSlot, now: u64) {
        let (lsu, collector) = (&mut self.lsu, &mut self.collector);
        let (issue, slots) = (&mut self.issue, self.residency.scheme().slots_per_warp);
        self.residency.slot_mut(block).end_warps(|warp| {
            lsu.raise(&Event::ThreadsEnded { warp, now });
            collector.raise(warp, |warp| Event::ThreadsEnded { warp, now });
            if issue.events().has(EventSet::WARP_ENDED) {
                CandidateId::of_warp(warp, slots).for_each(|id| {
                    issue.raise(id, |candidate| Event::WarpEnded { candidate });
                });
            }
        });
    }

    /// The request to the load/store unit of a candidate's instruction that has accessed memory.
    #[inline]
    fn request(
        &mut self,
        candidate: Candidate,
        instruction: &Decoded,
        pc: u32,
        access: &Access,
        code: &Code,
        now: u64,
    ) -> Result<Box<MemRequest>, Box<Trap>> {
        let ports = DispatchPorts {
            code,
            now,
            residency: &mut self.residency,
            coalescer: &mut self.coalescer,
            lsu: &mut self.lsu,
            affine: self.affine.as_deref_mut(),
            statistics: self.observer.statistics(),
        };
        ports.request(candidate, instruction, pc, access)
    }

    /// Raises the events of an instruction that compared, or that branched backward.
    #[cold]
    fn raise_control_events(
        &mut self,
        id: CandidateId,
        issued: &Issued,
        hints: Hints,
        before: Option<&StateBefore>,
        now: u64,
    ) {
        let pc = issued.pc;
        let compared = before.and_then(|before| before.compared);
        if let Some(value) = compared.filter(|_| issued.mask != 0) {
            self.issue.raise(id, |candidate| Event::Compared { candidate, pc, hints, value });
        }
        if issued.backward {
            self.issue.raise(id, |candidate| Event::BranchedBackward { candidate, pc, hints, now });
        }
    }

    /// An instruction that was just executed goes to the operand collector, or to a unit of a mechanism's own.
    #[inline(always)]
    fn dispatch<const STRAIGHT: bool>(
        &mut self,
        id: CandidateId,
        candidate: Candidate,
        executed: &Executed,
        before: Option<&StateBefore>,
        code: &Code,
        now: u64,
    ) -> Result<u64, Box<Trap>> {
        let (instruction, issued) = (executed.instruction, &executed.issued);
        let before = if STRAIGHT { None } else { before };
        let before = before.and_then(|before| before.lanes.as_ref());
        let by_thread = before.filter(|_| self.residency.scheme().tracks_threads);
        let lanes = by_thread.map(|lanes| (lanes, issued.mask));
        let writer = Writer { scoreboard: executed.scoreboard, lanes };
        if self.delivery.is_some() {
            let request = match issued.access {
                None => None,
                Some(access) => {
                    Some(self.request(candidate, instruction, issued.pc, access, code, now)?)
                }
            };
            let (pc, mask) = (issued.pc, issued.mask);
            let delivered = Delivered { id, candidate, instruction, pc, writer, mask };
            return Ok(self.deliver(delivered, request, code, now));
        }
        let how = match before.filter(|_| self.watches_values) {
            Some(lanes) => self.how(candidate, instruction, lanes, issued.mask, code, now),
            None => None,
        };
        if let Some(start) = how.as_ref().and_then(|how| how.starts) {
            self.execute_at_once(id, writer, instruction, issued.mask, start, now);
            return Ok(0);
        }
        let request = match issued.access {
            None => None,
            Some(access) => {
                Some(self.request(candidate, instruction, issued.pc, access, code, now)?)
            }
        };
        let acting = match before.filter(|_| self.pipes.permutes()) {
            Some(lanes) => {
                let block = self.residency.slot(candidate.block).block();
                lanes.physical(issued.mask, block.paths.lane_map())
            }
            None => issued.mask,
        };
        let statistics = self.observer.statistics();
        let mut passes = match how.as_ref().map_or(Takes::Lanes, |how| how.takes) {
            Takes::Lanes => self.pipes.passes(instruction, acting, statistics),
            Takes::OneLane => self.pipes.one_pass(instruction, issued.mask, statistics),
            Takes::NoPipe => pipes::no_pass(instruction, issued.mask, statistics),
        };
        let mut operands = &instruction.operands;
        if let Some(how) = &how {
            operands = &how.operands;
            // The lanes expand a register as they would compute it.
            passes += u64::from(how.expansions) * self.pipes.unit(instruction.timing).passes[0];
        }
        let work = Work { pc: issued.pc, operands, lanes: issued.mask, passes, request };
        self.collect(candidate, id, writer, instruction, work, now);
        Ok(0)
    }

    /// The timing of an instruction's execution, for a mechanism that receives values.
    #[cold]
    fn how(
        &mut self,
        candidate: Candidate,
        instruction: &Decoded,
        lanes: &Lanes,
        mask: u64,
        code: &Code,
        now: u64,
    ) -> Option<How> {
        let affine = self.affine.as_mut()?;
        let slot = candidate.block;
        let threads = self.residency.slot(slot).threads();
        let block = BlockView { code, slot, threads };
        affine.executed(block, instruction, lanes, mask, now, self.observer.statistics())
    }

    /// An instruction enters the operand collector; its result is awaited from now on.
    #[inline(always)]
    pub(super) fn collect(
        &mut self,
        candidate: Candidate,
        id: CandidateId,
        writer: Writer,
        instruction: &Decoded,
        work: Work,
        now: u64,
    ) {
        let block = candidate.block;
        let token = self.collector.token();
        let (pending, awaited) = work.result(token);
        self.residency.slot_mut(block).begin(instruction, awaited);
        if instruction.target != Target::None {
            self.issue.expect(block, writer, &instruction.writes, pending, now);
            self.frontend.occupy(id, pending);
        }
        if !instruction.reads.is_empty() {
            self.issue.expect(block, writer, &instruction.reads, Ready::collecting(token), now);
        }
        if let Some(recorder) = self.observer.recorder() {
            recorder.collects(token, awaited.load());
        }
        let (unit, is_memory) = (self.pipes.unit(instruction.timing), work.request.is_some());
        // An instruction without a pass has its result when the first pass would give it; memory
        // begins with the first one.
        let more_passes = if is_memory { 0 } else { work.passes.saturating_sub(1) };
        let flight = Flight {
            candidate,
            id,
            warp: self.residency.warp_of(id),
            pc: work.pc,
            pipe: unit.pipe as u16,
            is_memory,
            lanes: work.lanes,
            cycles: work.passes * unit.initiation,
            latency: unit.latency + more_passes * unit.initiation,
        };
        let slot = self.residency.slot_of_warp(candidate);
        let Work { operands, request, .. } = work;
        let entering = Entering { operands, result: instruction.result(), slot, request };
        if let Some(sub_core) = self.collector.enter(token, flight, entering, now) {
            self.issue.set_room(sub_core, false);
        }
        if self.issue.events().has(EventSet::COLLECTED) {
            self.issue.raise(id, |candidate| Event::Collected { candidate });
        }
    }

    /// An instruction that was just executed goes to a unit of a mechanism's own, which starts it in a cycle.
    pub(super) fn execute_at_once(
        &mut self,
        id: CandidateId,
        writer: Writer,
        instruction: &Decoded,
        lanes: u64,
        start: u64,
        now: u64,
    ) {
        let end = start + self.pipes.unit(instruction.timing).latency;
        let ready = Ready::computed(end);
        let candidate = self.residency.candidate(id);
        self.issue.expect(candidate.block, writer, &instruction.writes, ready, now);
        if let Some(result) = instruction.result() {
            let hardware = self.residency.warp_of(id);
            let result = self.collector.destination(hardware, lanes, result);
            self.collector.raise(hardware, |_| Event::Bypassed { result: &result, now });
        }
        self.frontend.occupy(id, ready);
        self.write_ports(now).at_once(candidate, instruction, start, end);
    }

    /// Fetches for one path of each sub-core.
    pub(super) fn step_fetch(&mut self, context: &mut Context) {
        for sub_core in 0..self.collector.sub_cores() {
            let (code, now, frontend) = (context.code, context.now, &self.frontend);
            let ahead = frontend.fetches_ahead();
            let room = ahead.then_some(|id| frontend.room(code, id, now));
            let Some((place, need)) = self.issue.next_to_fetch(sub_core, room) else {
                continue;
            };
            let id = self.issue.id(place.scheduler, place.index);
            let statistics = self.observer.statistics();
            // It stays full until its path is notified, unless entries are carried from other
            // paths.
            if need == Need::Discarded && self.residency.concerns_itself() {
                debug_assert!(self.frontend.is_full(code, id, now));
                statistics.refetches += 1;
                continue;
            }
            let memory = &mut *context.memory;
            let fetched = self.frontend.fetch(code, id, sub_core, now, memory, statistics);
            if need == Need::Ahead {
                // Its state is that of the instruction at the head of its buffer.
                continue;
            }
            if self.is_plain && fetched == Fetched::Buffered && !self.observer.records() {
                let Candidate { block, slot } = self.residency.candidate(id);
                let path = self.residency.blocks().block(block).paths.path(slot);
                let instruction = &code.instructions[path.pc as usize];
                if !instruction.may_be_held() {
                    let next = now + self.frontend.latency();
                    let (instruction, scoreboard) = (Some(instruction), path.scoreboard);
                    let following = Following { instruction, block, scoreboard };
                    self.issue.refresh_straight(place, following, Place::Fetching, next, now);
                    continue;
                }
            }
            let (issue, mut ports) = self.issue(code, now);
            issue.fetched(id, fetched, &mut ports);
        }
    }

    /// The reason that keeps instructions of a sub-core out of the operand collector now, if it has
    /// no room.
    pub(super) fn blocked(&self, sub_core: usize) -> Option<SlotUse> {
        if let Some(delivery) = &self.delivery {
            return self.issue.kept_from_pipes(sub_core, delivery.is_full(sub_core));
        }
        if self.collector.has_room(sub_core) {
            return None;
        }
        Some(if self.collector.is_reading(sub_core) {
            SlotUse::RegisterRead
        } else if self.lsu.is_full() {
            SlotUse::LoadStoreFull
        } else {
            SlotUse::PipeBusy
        })
    }

    /// Frees a block's slot when its threads have ended, its instructions have started in their
    /// pipes, and its loads have returned.
    #[inline]
    pub(super) fn retire_if_done(&mut self, block: BlockSlot, context: &mut Context) {
        if self.residency.is_done(block) {
            self.retire(block, context);
        }
    }

    #[inline(never)]
    fn retire(&mut self, block: BlockSlot, context: &mut Context) {
        if context.code.second_stream.is_some()
            && let Some(affine) = &mut self.affine
        {
            let site = affine.leave(block, context.now);
            let left = self.residency.slot(block).block().left_over(context.code, site);
            let trap = left.map(|trap| (context.now, trap));
            context.outcome.trap = context.outcome.trap.take().or(trap);
        }
        self.observer.leaves(&mut self.residency, block, context.now);
        self.raise_pool_changes(context.now);
        let (now, registers) = (context.now, context.code.registers as u16);
        for &hardware in self.residency.slot(block).hardware() {
            if !self.issue.has_pools() {
                self.collector.raise(hardware, |warp| Event::ActiveChanged {
                    warp,
                    active: false,
                    now,
                });
            }
            self.collector.raise(hardware, |warp| Event::WarpReleased { warp, registers, now });
        }
        self.residency.release(block);
        context.outcome.blocks_done += 1;
        if self.residency.resident_warps() == 0 {
            self.lsu.rest();
        }
    }
}

/// Returns true if the next instruction of a candidate may issue as far as registers are concerned.
#[cold]
fn has_registers(
    id: CandidateId,
    collector: &mut OperandCollector,
    residency: &Residency,
    context: &Context,
) -> bool {
    let Some(path) = residency.path_at(residency.candidate(id)) else {
        return true;
    };
    let result = context.code.instructions.get(path.pc as usize).and_then(Decoded::result);
    collector.limits().is_none_or(|limits| limits.may_issue(path, result, context.now))
}

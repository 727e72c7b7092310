//! What the schedulers have chosen is executed, and goes on to the operand collector.

use reconverge_isa::Effect;

use super::SlotUse;
use crate::affine::How;
use crate::block::Issued;
use crate::decode::{Code, Decoded, Target};
use crate::execute::Access;
use crate::fault::Trap;
use crate::functional::count;
use crate::livelock::{Key, fingerprint};
use crate::log::Log;
use crate::path::{Lanes, SlotId};
use crate::profile::NOWHERE;
use crate::register_file::Operands;
use crate::sm::audit::ResultId;
use crate::sm::lsu::{Accessor, MemRequest};
use crate::sm::operand_collector::{Flight, Token};
use crate::sm::residency::{BlockSlot, Candidate};
use crate::sm::runner::Outcome;
use crate::sm::{Context, Ready, Sm, collects};
use crate::trace::{End, TracedInstruction};

/// Where a result is entered: a scoreboard, or that of the lanes in which an instruction acted.
type Entry<'a> = (u16, Option<(&'a Lanes, u64)>);

impl Sm {
    /// Counts the issue slots of cycles before `now` in which the SM slept.
    pub(in crate::sm) fn account(&mut self, now: u64) {
        let cycles = now - self.observer.accounted;
        if cycles == 0 {
            return;
        }
        let kept_out = self.issue.kept_out;
        for queue in 0..self.issue.queues.len() {
            let reason = self.issue.queues[queue].stall(kept_out);
            let (issue, residency) = (&self.issue, &self.residency);
            self.observer.slots(reason, cycles, || {
                issue.blamed(queue, kept_out).map_or(NOWHERE, |number| residency.next_pc(number))
            });
        }
        let refetches = self.frontend.skip_fetches(&mut self.issue.queues, cycles);
        self.observer.statistics.refetches += refetches;
        self.observer.count_residents(&self.residency, cycles);
        self.observer.accounted = now;
    }

    /// Lets every scheduler issue; the first turn at what they share goes round.
    pub(in crate::sm) fn step_issue(&mut self, context: &mut Context) -> Result<(), Box<Trap>> {
        let count = self.issue.queues.len();
        let first = context.now as usize % count;
        for queue in (first..count).chain(0..first) {
            self.step_scheduler(queue, context)?;
        }
        Ok(())
    }

    fn step_scheduler(&mut self, index: usize, context: &mut Context) -> Result<(), Box<Trap>> {
        let room = self.collector.has_room();
        let queue = &mut self.issue.queues[index];
        queue.wake(context.now);
        let Some(local) = queue.pick(room) else {
            let blocked = self.blocked();
            let reason = self.issue.queues[index].stall(blocked);
            let (issue, residency) = (&self.issue, &self.residency);
            self.observer.slots(reason, 1, || {
                issue.blamed(index, blocked).map_or(NOWHERE, |number| residency.next_pc(number))
            });
            return Ok(());
        };
        queue.issued(local);
        let number = self.issue.number(index, local);
        let before = self.observer.before();
        let pc = before.as_ref().map_or(0, |_| self.residency.next_pc(number));
        let slot_use = self.issue_next(number, context)?;
        slot_use.count(&mut self.observer.statistics, 1);
        self.observer.attribute(before, pc);
        Ok(())
    }

    /// Issues the next instruction of a candidate's path, unless it has to wait after all.
    fn issue_next(&mut self, number: usize, context: &mut Context) -> Result<SlotUse, Box<Trap>> {
        let candidate = self.residency.candidate(number);
        if self.residency.is_own_warp(candidate) {
            return self.issue_own_warp(number, context);
        }
        let (index, slot, now) = (usize::from(candidate.block), candidate.slot, context.now);
        let code = context.code;
        let resident = self.residency.slots.get_mut(index);
        let pc = resident.block.paths.path(slot).pc;
        let instruction = &code.instructions[pc as usize];
        if instruction.queue.is_some() {
            resident.block.present(code, slot)?;
        }
        let path = resident.block.paths.path(slot);
        let scoreboard = path.scoreboard;
        if resident.audit.is_early(&path.lanes, instruction, now) {
            return Err(resident.block.contradiction(code, slot, "reads what is not there yet"));
        }
        if code.verify
            && let Some(affine) = &self.affine
            && affine.is_broken(code, index, instruction, &resident.block.threads, &path.lanes)
        {
            return Err(resident.block.contradiction(code, slot, "has a tag that is wrong"));
        }
        if must_wait(resident, slot, instruction, context) {
            self.refresh(code, index, slot, Some(context.epoch.to), now);
            return Ok(SlotUse::Memory);
        }
        if let Some(log) = context.port.log() {
            (log.now, log.place) = (now, candidate.block);
        }
        // After the step other lanes may stand in the slot.
        let tracks = self.residency.scheme.tracks_threads;
        let asks = code.verify || tracks || self.pipes.permutes() || self.watches_values;
        let lanes = asks.then(|| path.lanes.clone());
        let issued = resident.block.step(code, slot, now, context.executor, context.port)?;
        if let Some(lanes) = &lanes {
            resident.audit.issued(lanes, issued.mask);
        }
        if let Some(affine) = &mut self.affine {
            affine.issued(instruction.queue.is_some(), issued.progress, now);
        }
        let outcome = &mut *context.outcome;
        outcome.instructions += 1;
        count(&mut self.observer.statistics, code, instruction.effect, &issued);
        let searching = context.port.log().filter(|_| context.epoch.searching);
        observe(code, (resident, slot), &issued, searching, outcome);
        let acts = issued.mask != 0 || instruction.effect == Effect::Branch;
        let is_control = acts && !collects(instruction.effect);
        let next = now + if is_control { self.pipes.control_latency() } else { 1 };
        if self.observer.recorder.is_some() {
            self.record_issue(number, instruction, &issued, (now, next));
        }
        self.frontend.issue(number);
        if acts && !is_control {
            let acted = lanes.as_ref().filter(|_| tracks).map(|lanes| (lanes, issued.mask));
            let entry = (scoreboard, acted);
            let lanes = lanes.as_ref().map(|lanes| (lanes, issued.mask));
            self.dispatch(number, entry, (instruction, &issued), lanes, (code, now))?;
        } else if let (true, true, Some(lanes)) = (is_control, self.watches_values, &lanes)
            && let Some(affine) = &mut self.affine
        {
            let block = (code, index, &self.residency.slots.block(index).threads);
            let lanes = (lanes, issued.mask);
            affine.controlled(block, instruction, lanes, &mut self.observer.statistics);
        }
        self.refresh_touched(code, index, next, now);
        self.refresh(code, index, slot, Some(next), now);
        if issued.progress {
            self.free_if_done(index, context);
        }
        Ok(SlotUse::Issued)
    }

    /// An instruction that was just executed goes to the operand collector, or to a unit of a mechanism's own.
    fn dispatch(
        &mut self,
        number: usize,
        entry: Entry,
        (instruction, issued): (&Decoded, &Issued),
        lanes: Option<(&Lanes, u64)>,
        (code, now): (&Code, u64),
    ) -> Result<(), Box<Trap>> {
        let index = usize::from(self.residency.candidate(number).block);
        let block = self.residency.slots.block(index);
        let how = match (lanes, &mut self.affine) {
            (Some(lanes), Some(affine)) if self.watches_values => {
                let block = (code, index, &block.threads);
                affine.executed(block, instruction, lanes, now, &mut self.observer.statistics)
            }
            _ => None,
        };
        if let Some(start) = how.and_then(|how| how.starts) {
            self.execute_at_once(number, entry, instruction, (start, now));
            return Ok(());
        }
        let map = block.paths.lane_map();
        let acting = match lanes.filter(|_| self.pipes.permutes()) {
            Some((lanes, mask)) => lanes.physical(mask, map),
            None => issued.mask,
        };
        self.collect(number, entry, (instruction, issued, acting), how, (code, now))
    }

    /// An instruction that was just executed enters the operand collector. Its path's scoreboard has to
    /// know, or that of the lanes in which it acted.
    fn collect(
        &mut self,
        number: usize,
        entry: Entry,
        (instruction, issued, mask): (&Decoded, &Issued, u64),
        how: Option<How>,
        (code, now): (&Code, u64),
    ) -> Result<(), Box<Trap>> {
        let candidate = self.residency.candidate(number);
        let token = self.collector.token();
        let request = match issued.access {
            Some(access) => {
                let asked = (instruction, issued.pc, access);
                Some(self.request(candidate, asked, (code, now))?)
            }
            None => None,
        };
        let mut passes = self.pipes.passes(instruction, mask, &mut self.observer.statistics);
        let mut operands = instruction.operands;
        if let Some(how) = how {
            operands = how.operands;
            // The lanes expand a register as they would compute it.
            passes += u64::from(how.expansions) * self.pipes.unit(instruction.unit).passes[0];
        }
        self.enter(number, entry, instruction, (token, request), (passes, operands, now));
        Ok(())
    }

    /// What a memory instruction that was just executed asks the load/store unit for.
    fn request(
        &mut self,
        candidate: Candidate,
        (instruction, pc, access): (&Decoded, u32, &Access),
        (code, now): (&Code, u64),
    ) -> Result<Box<MemRequest>, Box<Trap>> {
        let resident = self.residency.slots.get_mut(usize::from(candidate.block));
        let mut accessor = Accessor {
            code,
            candidate,
            scheme: self.residency.scheme,
            pc,
            instruction,
            access,
            block: &resident.block,
            hardware: &resident.hardware,
            home: &mut resident.home,
        };
        let statistics = &mut self.observer.statistics;
        let request = self.coalescer.request(&mut accessor, &mut self.lsu, statistics);
        let mut request =
            request.map_err(|what| resident.block.contradiction(code, candidate.slot, what))?;
        if instruction.queue.is_some() {
            // The lines that were asked for early and are pinned for it.
            let queues = &mut resident.block.queues;
            let early = queues.as_mut().and_then(|queues| queues.early.take());
            if let (Some(early), Some(affine)) = (early, &mut self.affine) {
                request.pinned = affine.take_pinned(early, now, statistics);
            }
        }
        Ok(request)
    }

    /// An instruction enters the operand collector under a token.
    pub(in crate::sm) fn enter(
        &mut self,
        number: usize,
        (scoreboard, acted): Entry,
        instruction: &Decoded,
        (token, request): (Token, Option<Box<MemRequest>>),
        (passes, operands, now): (u64, Operands, u64),
    ) {
        let candidate = self.residency.candidate(number);
        let index = usize::from(candidate.block);
        let load = request.as_ref().and_then(|request| request.load);
        let (pending, id) = match load {
            Some(load) => (Ready::pending(load), ResultId::Load(load)),
            None => (Ready::collecting(token), ResultId::Collecting(token)),
        };
        let resident = self.residency.slots.get_mut(index);
        resident.outstanding += 1 + u32::from(load.is_some());
        if instruction.target != Target::None {
            let (boards, writes) = (self.issue.scoreboards(index), &instruction.writes);
            match acted {
                None => boards.write(scoreboard, writes, pending),
                Some(acted) => boards.write_lanes(acted, writes, pending, now),
            }
            resident.audit.loading(instruction, id);
            self.frontend.occupy(number, pending);
        }
        if let Some(recorder) = &mut self.observer.recorder {
            recorder.collects(token, load);
        }
        let (result, writes, unit) = (instruction.result(), instruction.writes, instruction.unit);
        let warp = self.residency.warp_of(number);
        let flight = Flight { candidate, warp, result, writes, unit, passes, request };
        self.collector.enter(token, flight, operands, now);
    }

    /// An instruction that was just executed goes to a unit of a mechanism's own, which starts it in a cycle.
    fn execute_at_once(
        &mut self,
        number: usize,
        (scoreboard, acted): Entry,
        instruction: &Decoded,
        (start, now): (u64, u64),
    ) {
        let end = start + self.pipes.unit(instruction.unit).latency;
        let ready = Ready::computed(end);
        let index = usize::from(self.residency.candidate(number).block);
        let boards = self.issue.scoreboards(index);
        match acted {
            None => boards.write(scoreboard, &instruction.writes, ready),
            Some(acted) => boards.write_lanes(acted, &instruction.writes, ready, now),
        }
        let resident = self.residency.slots.get_mut(index);
        resident.audit.loading(instruction, ResultId::AtOnce);
        resident.audit.loaded(ResultId::AtOnce, end);
        self.frontend.occupy(number, ready);
        if let Some(recorder) = &mut self.observer.recorder {
            let token = self.collector.token();
            recorder.collects(token, None);
            recorder.starts(token, start, End::Known(end));
            self.collector.give_back(token);
        }
    }

    /// Records an instruction that was just executed, with the cycle in which its path can go on.
    pub(in crate::sm) fn record_issue(
        &mut self,
        number: usize,
        instruction: &Decoded,
        issued: &Issued,
        (now, next): (u64, u64),
    ) {
        let Some(recorder) = &mut self.observer.recorder else {
            return;
        };
        let Candidate { block, .. } = self.residency.candidate(number);
        let slots = self.residency.scheme.slots_per_warp;
        let traced = TracedInstruction {
            block: self.residency.slots.block(usize::from(block)).number,
            warp: (number / slots) as u16,
            slot: (number % slots) as u16,
            pc: issued.pc,
            active: issued.active,
            acted: issued.mask,
            fetch: 0,
            issue: now,
            start: None,
            memory: None,
            end: next,
            has_result: issued.mask != 0 && instruction.target != Target::None,
            is_barrier: instruction.effect == Effect::Barrier,
        };
        recorder.issued(number, now, traced);
    }
}

/// Notes for the livelock watch what an instruction did.
#[inline(always)]
fn observe(
    code: &Code,
    (resident, slot): (&BlockSlot, SlotId),
    issued: &Issued,
    searching: Option<&mut Log>,
    outcome: &mut Outcome,
) {
    if issued.progress | issued.changed {
        outcome.progress = true;
        outcome.backward.clear();
    } else if issued.backward
        && let Some(log) = searching
    {
        // A state is whole when nothing is still to be written to registers.
        if !log.has_atomic_of(log.place) {
            let state = fingerprint(code, &resident.block, slot);
            let pc = resident.block.paths.path(slot).pc;
            outcome.backward.push((Key::Path(resident.block.number, slot), (pc, state)));
        }
    }
}

/// Whether the next instruction of a slot's path is a load that must see an atomic which takes place
/// at the epoch's end.
#[inline]
fn must_wait(
    resident: &BlockSlot,
    slot: SlotId,
    instruction: &Decoded,
    context: &mut Context,
) -> bool {
    let Some(log) = context.port.log().filter(|log| log.has_atomics()) else {
        return false;
    };
    if instruction.effect != Effect::Load {
        return false;
    }
    let (code, lanes) = (context.code, &resident.block.paths.path(slot).lanes);
    let threads = &resident.block.threads;
    let mask = context.executor.guard(code, instruction, &threads.registers, lanes, lanes.mask());
    context.executor.awaits(code, instruction, threads, (lanes, mask), log)
}

//! Issue: the scheduler's choice is executed.

mod queue;
mod ready;
mod scoreboard;

use reconverge_isa::Effect;

use super::{BlockSlot, Context, Sm};
use crate::block::Issued;
use crate::decode::{Decoded, Target};
use crate::fault::Trap;
use crate::functional::count;
use crate::livelock::{Key, fingerprint};
use crate::path::SlotId;
use crate::profile::Row;
use crate::trace::TracedInstruction;
pub(crate) use queue::{IssueQueue, SlotUse};
pub(crate) use scoreboard::{Ready, Scoreboards};

impl Sm {
    pub(in crate::sm) fn step_scheduler(
        &mut self,
        index: usize,
        context: &mut Context,
    ) -> Result<(), Box<Trap>> {
        let room = self.register_file.has_room();
        let queue = &mut self.queues[index];
        queue.wake(context.now);
        let Some(local) = queue.pick(room) else {
            let blocked = self.blocked();
            let reason = self.queues[index].stall(blocked);
            reason.count(&mut self.statistics, 1);
            if self.profile.is_some() {
                let pc = self.blamed(index, blocked);
                self.profile.iter_mut().for_each(|profile| profile.slots(pc, reason, 1));
            }
            return Ok(());
        };
        queue.issued(local);
        let number = self.number(index, local);
        let before =
            self.profile.is_some().then(|| (self.next_pc(number), Row::of(&self.statistics)));
        let slot_use = self.issue(number, context)?;
        slot_use.count(&mut self.statistics, 1);
        if let (Some((pc, before)), Some(profile)) = (before, &mut self.profile) {
            profile.row(pc).add_between(&before, &Row::of(&self.statistics));
        }
        Ok(())
    }

    /// Issues the next instruction of a candidate's path, unless it has to wait after all.
    pub(in crate::sm) fn issue(
        &mut self,
        number: usize,
        context: &mut Context,
    ) -> Result<SlotUse, Box<Trap>> {
        let candidate = self.candidates[number];
        let (index, slot, now) = (usize::from(candidate.place), candidate.slot, context.now);
        let code = context.code;
        if index == self.block_places {
            return self.issue_affine(number, context);
        }
        let place = &mut self.places[index];
        let pc = place.block.paths.path(slot).pc;
        if code.instructions[pc as usize].queue.is_some() {
            place.block.present(code, slot)?;
        }
        let path = place.block.paths.path(slot);
        let scoreboard = path.scoreboard;
        let instruction = &code.instructions[pc as usize];
        if place.audit.is_early(&path.lanes, instruction, now) {
            return Err(place.block.contradiction(code, slot, "reads what is not there yet"));
        }
        if code.verify
            && let Some(compact) = &self.compact
            && compact.is_broken(code, index, instruction, &place.block.threads, &path.lanes)
        {
            return Err(place.block.contradiction(code, slot, "has a tag that is wrong"));
        }
        if must_wait(place, slot, instruction, context) {
            self.refresh(code, index, slot, Some(context.epoch.to), now);
            return Ok(SlotUse::Memory);
        }
        context.executor.now = now;
        if let Some(log) = context.port.log() {
            (log.now, log.place) = (now, candidate.place);
        }
        // Behind the step other lanes may stand in the slot.
        let asks = code.verify || self.tracks_threads || self.permutes || self.compact.is_some();
        let lanes = asks.then(|| path.lanes.clone());
        let issued = place.block.step(code, slot, context.executor, context.port)?;
        if let Some(lanes) = &lanes {
            place.audit.issued(lanes, issued.mask);
        }
        let sits = lanes.as_ref().filter(|_| self.permutes);
        let map = place.block.paths.lane_map();
        let acting = sits.map_or(issued.mask, |lanes| lanes.physical(issued.mask, map));
        if let Some(affine) = &mut self.affine {
            if instruction.queue.is_some() {
                affine.dequeued(now);
            } else if issued.progress {
                affine.wake_at(now + 1);
            }
        }
        context.outcome.instructions += 1;
        count(&mut self.statistics, code, instruction.effect, &issued);
        observe(place, slot, &issued, context);
        let acts = issued.mask != 0 || instruction.effect == Effect::Branch;
        let is_control = acts && !collects(instruction.effect);
        let next = now + if is_control { self.control_latency } else { 1 };
        if self.recorder.is_some() {
            self.record_issue(number, instruction, &issued, (now, next));
        }
        self.front.issue(number);
        if acts && !is_control {
            let acted = lanes.as_ref().filter(|_| self.tracks_threads);
            let acted = acted.map(|lanes| (lanes, issued.mask));
            let how = match &lanes {
                Some(lanes) if self.compact.is_some() => {
                    self.tag(index, instruction, (lanes, issued.mask), context)
                }
                _ => None,
            };
            if how.is_some_and(|how| how.is_compact) {
                self.execute_compactly(number, (scoreboard, acted), instruction, context);
            } else {
                let collected = (pc, instruction, acting);
                self.collect(number, (scoreboard, acted), collected, how, context)?;
            }
        } else if let (true, true, Some(lanes)) = (is_control, self.compact.is_some(), &lanes) {
            self.tag_control(index, instruction, (lanes, issued.mask), context);
        }
        self.refresh_touched(code, index, next, now);
        self.refresh(code, index, slot, Some(next), now);
        if issued.progress {
            self.free_if_done(index, context);
        }
        Ok(SlotUse::Issued)
    }

    /// Records an instruction that was just executed, with the cycle in which its path can go on.
    pub(in crate::sm) fn record_issue(
        &mut self,
        number: usize,
        instruction: &Decoded,
        issued: &Issued,
        (now, next): (u64, u64),
    ) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        let traced = TracedInstruction {
            block: self.places[usize::from(self.candidates[number].place)].block.number,
            warp: (number / self.slots_per_warp) as u16,
            slot: (number % self.slots_per_warp) as u16,
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
pub(in crate::sm) fn observe(
    place: &BlockSlot,
    slot: SlotId,
    issued: &Issued,
    context: &mut Context,
) {
    let outcome = &mut *context.outcome;
    if issued.progress | context.executor.changed {
        context.executor.changed = false;
        outcome.progress = true;
        outcome.backward.clear();
    } else if issued.backward && context.epoch.searching {
        // A state is whole when nothing is still to be written to registers.
        let log = context.port.log();
        if !log.is_some_and(|log| log.has_atomic_of(log.place)) {
            let state = fingerprint(context.code, &place.block, slot);
            let pc = place.block.paths.path(slot).pc;
            outcome.backward.push((Key::Path(place.block.number, slot), (pc, state)));
        }
    }
}

/// Whether the next instruction of a slot's path is a load that must see an atomic which takes place
/// at the epoch's end.
#[inline]
pub(in crate::sm) fn must_wait(
    place: &BlockSlot,
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
    let (code, lanes) = (context.code, &place.block.paths.path(slot).lanes);
    let threads = &place.block.threads;
    let mask = context.executor.guard(code, instruction, &threads.registers, lanes, lanes.mask());
    context.executor.awaits(code, instruction, threads, (lanes, mask), log)
}

/// Whether an instruction passes the register file to a pipe; control flow reads predicates only.
pub(in crate::sm) fn collects(effect: Effect) -> bool {
    match effect {
        Effect::Branch | Effect::Exit | Effect::Barrier | Effect::Bssy | Effect::Bsync => false,
        // The expansion units read tuples.
        Effect::Enqueue => false,
        Effect::Compute | Effect::Divide | Effect::Collective => true,
        Effect::Load | Effect::Store | Effect::Atomic => true,
    }
}

pub(in crate::sm) fn is_memory(effect: Effect) -> bool {
    matches!(effect, Effect::Load | Effect::Store | Effect::Atomic)
}

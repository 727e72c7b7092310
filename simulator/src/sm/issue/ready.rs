//! Which paths may issue, and what makes them wait no longer.

use super::{Ready, SlotUse};
use crate::decode::{Code, Entries};
use crate::operand_queues::QueueStall;
use crate::path::{Carry, SlotId, SlotState};
use crate::sm::residency::Candidate;
use crate::sm::{Sm, collects};

impl Sm {
    /// Puts a slot's path where it belongs among its scheduler's candidates: control flow lets it
    /// issue from cycle `next` on, or as before.
    #[inline]
    pub(in crate::sm) fn refresh(
        &mut self,
        code: &Code,
        index: usize,
        slot: SlotId,
        next: Option<u64>,
        now: u64,
    ) {
        let resident = self.residency.slots.get(index);
        let number = usize::from(resident.numbers[usize::from(slot.0)]);
        let (at, local) = self.issue.locals[number];
        let (queue, local) = (&mut self.issue.queues[usize::from(at)], usize::from(local));
        queue.remove(local);
        if let Some(next) = next {
            queue.set_not_before(local, next);
        }
        match resident.block.paths.state(slot) {
            SlotState::Empty => queue.empty(local),
            SlotState::Waiting => queue.wait_at_barrier(local),
            SlotState::Runnable => {
                let path = resident.block.paths.path(slot);
                if !self.frontend.has(number, path.pc) {
                    queue.wait_to_fetch(local, now);
                    return;
                }
                let instruction = &code.instructions[path.pc as usize];
                if instruction.queue.is_some() | instruction.matched {
                    let stall = if index == self.residency.block_slots() {
                        self.affine.as_ref().and_then(|affine| affine.own_stall())
                    } else {
                        resident.block.queue_stall(code, slot).map(|stall| match stall {
                            QueueStall::Empty => SlotUse::Dequeue,
                            QueueStall::EarlyLoad => SlotUse::EarlyLoad,
                        })
                    };
                    if let Some(stall) = stall {
                        queue.wait_for_queue(local, stall);
                        return;
                    }
                }
                let collects = collects(instruction.effect);
                if collects && !self.collector.admits(self.residency.warp_of(number)) {
                    queue.wait_for_reads(local);
                    return;
                }
                let registers = self.issue.scoreboards[index].ready(path, &instruction.needs);
                queue.wait(local, collects, registers, now);
            }
        }
    }

    /// Does so for all slots that the scheme has changed.
    pub(in crate::sm) fn refresh_touched(
        &mut self,
        code: &Code,
        index: usize,
        next: u64,
        now: u64,
    ) {
        if self.residency.slots.block(index).paths.has_carried() {
            self.carry(index);
        }
        if self.residency.slots.block(index).paths.has_touched() {
            self.residency.census(index);
        }
        while let Some(slot) = self.residency.slots.block_mut(index).paths.take_touched() {
            self.refresh(code, index, slot, Some(next), now);
            if let Some(recorder) = &mut self.observer.recorder {
                let resident = self.residency.slots.get(index);
                if resident.block.paths.state(slot) == SlotState::Runnable {
                    recorder.goes_on(usize::from(resident.numbers[usize::from(slot.0)]), next);
                }
            }
        }
    }

    /// An instruction has read its operands: those that wait for that may issue.
    pub(in crate::sm) fn refresh_readers(&mut self, code: &Code, candidate: Candidate, now: u64) {
        let index = usize::from(candidate.block);
        for slot in self.residency.concerned(candidate) {
            let number = usize::from(self.residency.slots.get(index).numbers[slot]);
            let (queue, local) = self.issue.local(number);
            if queue.waits_for_reads(local) {
                self.refresh(code, index, SlotId(slot as u16), None, now);
            }
        }
    }

    /// When a result is there has become known: whoever waits for it learns it.
    pub(in crate::sm) fn resolve(
        &mut self,
        code: &Code,
        candidate: Candidate,
        writes: &Entries,
        (pending, ready): (Ready, Ready),
        now: u64,
    ) {
        let index = usize::from(candidate.block);
        let slots = self.residency.concerned(candidate);
        self.issue.scoreboards[index].resolve(slots.clone(), writes, pending, ready);
        let tracks_threads = self.residency.scheme.tracks_threads;
        let own = usize::from(candidate.slot.0);
        for slot in slots {
            let number = usize::from(self.residency.slots.get(index).numbers[slot]);
            // Where nothing is carried between scoreboards, only the slot that has issued has an entry for it,
            // and paths know the last thing that they wait for.
            if !tracks_threads || slot == own {
                self.frontend.resolve(number, pending, ready);
            }
            let (queue, local) = self.issue.local(number);
            let waits = match tracks_threads {
                true => queue.waits_for_result(local, pending),
                false => queue.waits_for(local),
            };
            if waits {
                self.refresh(code, index, SlotId(slot as u16), None, now);
            }
        }
    }

    /// Splits of a warp have parted or reconverged, or some of their lanes have a register: whoever waits learns it.
    #[cold]
    pub(in crate::sm) fn refresh_parted(&mut self, code: &Code, candidate: Candidate, now: u64) {
        let index = usize::from(candidate.block);
        let mut next = now;
        for slot in self.residency.concerned(candidate) {
            let number = usize::from(self.residency.slots.get(index).numbers[slot]);
            let (queue, local) = self.issue.local(number);
            next = next.max(queue.not_before(local));
            if queue.waits_for(local) {
                self.refresh(code, index, SlotId(slot as u16), None, now);
            }
        }
        self.refresh_touched(code, index, next, now);
    }

    /// Does to scoreboards what a block's scheme asks for.
    #[cold]
    fn carry(&mut self, index: usize) {
        let resident = self.residency.slots.get_mut(index);
        let numbers = &resident.numbers;
        let candidate = |slot: u16| usize::from(numbers[usize::from(slot)]);
        for carry in resident.block.paths.take_carried() {
            self.issue.scoreboards[index].carry(carry);
            match carry {
                Carry::Copy { from, to } => {
                    self.frontend.carry(candidate(from), candidate(to), false);
                }
                Carry::Merge { from, into } => {
                    self.frontend.carry(candidate(from), candidate(into), true);
                }
                Carry::Share { .. } => {}
                Carry::Clear { scoreboard } => self.frontend.clear_entries(candidate(scoreboard)),
            }
        }
    }
}

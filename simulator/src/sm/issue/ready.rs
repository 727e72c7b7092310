//! Which paths may issue, and what makes them wait no longer.

use std::ops::Range;

use super::Ready;
use super::collects;
use crate::decode::{Code, Entries};
use crate::path::{Carry, SlotId, SlotState};
use crate::sm::lsu::{Load, Parted};
use crate::sm::{Candidate, Context, Sm};

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
        let place = &self.places[index];
        let number = usize::from(place.numbers[usize::from(slot.0)]);
        let (at, local) = self.local(number);
        let queue = &mut self.queues[at];
        queue.remove(local);
        if let Some(next) = next {
            queue.set_not_before(local, next);
        }
        match place.block.paths.state(slot) {
            SlotState::Empty => queue.empty(local),
            SlotState::Waiting => queue.wait_at_barrier(local),
            SlotState::Runnable => {
                let path = place.block.paths.path(slot);
                if !self.front.has(number, path.pc) {
                    queue.wait_to_fetch(local, now);
                    return;
                }
                let instruction = &code.instructions[path.pc as usize];
                if (instruction.queue.is_some() | instruction.matched)
                    && let Some(queue_stall) = self.queue_stall(index, slot, instruction)
                {
                    self.queues[at].wait_for_queue(local, queue_stall);
                    return;
                }
                let queue = &mut self.queues[at];
                let collects = collects(instruction.effect);
                let warp = (number / self.slots_per_warp) as u16;
                if collects && !self.register_file.admits(warp) {
                    queue.wait_for_reads(local);
                    return;
                }
                let registers = place.scoreboards.ready(path, &instruction.needs);
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
        if self.places[index].block.paths.has_carried() {
            self.carry(index);
        }
        if self.places[index].block.paths.has_touched() {
            self.census(index);
        }
        while let Some(slot) = self.places[index].block.paths.take_touched() {
            self.refresh(code, index, slot, Some(next), now);
            if let Some(recorder) = &mut self.recorder {
                let place = &self.places[index];
                if place.block.paths.state(slot) == SlotState::Runnable {
                    recorder.goes_on(usize::from(place.numbers[usize::from(slot.0)]), next);
                }
            }
        }
    }

    /// An instruction has read its operands: those that wait for that may issue.
    pub(in crate::sm) fn refresh_readers(&mut self, code: &Code, candidate: Candidate, now: u64) {
        let index = usize::from(candidate.place);
        for slot in self.concerned(candidate) {
            let (queue, local) = self.local(usize::from(self.places[index].numbers[slot]));
            if self.queues[queue].waits_for_reads(local) {
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
        let index = usize::from(candidate.place);
        let slots = self.concerned(candidate);
        self.places[index].scoreboards.resolve(slots.clone(), writes, pending, ready);
        let own = usize::from(candidate.slot.0);
        for slot in slots {
            let number = usize::from(self.places[index].numbers[slot]);
            let (queue, local) = self.local(number);
            // Where nothing is carried between scoreboards, only the slot that has issued has an entry for it,
            // and paths know the last thing that they wait for.
            if !self.tracks_threads || slot == own {
                self.front.resolve(number, pending, ready);
            }
            let waits = match self.tracks_threads {
                true => self.queues[queue].waits_for_result(local, pending),
                false => self.queues[queue].waits_for(local),
            };
            if waits {
                self.refresh(code, index, SlotId(slot as u16), None, now);
            }
        }
    }

    /// Of a load some lanes have hit in the first-level cache: they have their registers, and the scheme may
    /// let them go on without the others.
    #[cold]
    pub(in crate::sm) fn part(&mut self, parted: &Parted, context: &Context) {
        let &Parted { load: id, missed, ready } = parted;
        let &Load { place, slot, result, .. } = self.load_store.load(id);
        let candidate = Candidate { place, slot: SlotId(slot) };
        let place = &mut self.places[usize::from(place)];
        let pending = Ready::pending(id);
        let warp = place.hardware[usize::from(slot) / self.slots_per_warp];
        if !place.scoreboards.awaits_beside(pending, missed) {
            return;
        }
        let written = match result {
            Some((register, pair)) => {
                self.register_file.write(warp, register, pair, ready, context.now)
            }
            None => ready,
        };
        place.scoreboards.come(pending, missed, Ready::loaded(written));
        place.audit.partly_loaded(id, missed, written);
        let block = &mut place.block;
        block.divergence.missed(candidate.slot, id, missed, &mut block.paths);
        self.refresh_parted(context.code, candidate, context.now);
    }

    /// Splits of a warp have parted or met, or some of their lanes have a register: whoever waits learns it.
    #[cold]
    pub(in crate::sm) fn refresh_parted(&mut self, code: &Code, candidate: Candidate, now: u64) {
        let index = usize::from(candidate.place);
        let mut next = now;
        for slot in self.concerned(candidate) {
            let (queue, local) = self.local(usize::from(self.places[index].numbers[slot]));
            next = next.max(self.queues[queue].not_before(local));
            if self.queues[queue].waits_for(local) {
                self.refresh(code, index, SlotId(slot as u16), None, now);
            }
        }
        self.refresh_touched(code, index, next, now);
    }

    /// The slots of a block that what happens to one of them can concern: those of its warp, or all
    /// when paths are regrouped.
    pub(in crate::sm) fn concerned(&self, candidate: Candidate) -> Range<usize> {
        let slots = self.slots_per_warp;
        if self.regroups {
            return 0..self.places[usize::from(candidate.place)].block.paths.len();
        }
        let first = usize::from(candidate.slot.0) / slots * slots;
        first..first + slots
    }

    /// Does to scoreboards what a block's scheme asks for.
    #[cold]
    pub(in crate::sm) fn carry(&mut self, index: usize) {
        let place = &mut self.places[index];
        let numbers = &place.numbers;
        let candidate = |slot: u16| usize::from(numbers[usize::from(slot)]);
        for carry in place.block.paths.take_carried() {
            place.scoreboards.carry(carry);
            match carry {
                Carry::Copy { from, to } => {
                    self.front.carry(candidate(from), candidate(to), false);
                }
                Carry::Merge { from, into } => {
                    self.front.carry(candidate(from), candidate(into), true);
                }
                Carry::Share { .. } => {}
                Carry::Clear { scoreboard } => self.front.clear_entries(candidate(scoreboard)),
            }
        }
    }
}

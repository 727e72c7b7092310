//! The paths that may issue, and the events that end their waits.

use super::Issue;
use crate::block::path::{Carry, SlotState};
use crate::handles::{BlockSlot, CandidateId};
use crate::mechanisms::event::{Event, EventSet};
use crate::mechanisms::register_file::PathAt;
use crate::mechanisms::scheduler::members;
use crate::program::code::Code;
use crate::sm::frontend::{Fetched, Frontend};
use crate::sm::issue::place::QueuePlace;
use crate::sm::issue::ports::{Following, IssuePorts, Place, Written};
use crate::sm::issue::queue::blocked::{Blocked, BlockedSet};
use crate::sm::residency::{Candidate, Residency};

/// Raises the event of a path that has arrived at an instruction, or has stopped. One that may wait for a queue counts
/// as stopped until it continues.
#[inline]
fn raise_position(candidate: Candidate, ports: &mut IssuePorts) {
    if ports.collector.events().has(EventSet::PATH_ARRIVED) {
        raise_position_of(candidate, ports);
    }
}

#[cold]
fn raise_position_of(candidate: Candidate, ports: &mut IssuePorts) {
    let (residency, now) = (&*ports.residency, ports.now);
    if residency.own_warp_of(candidate).is_some() {
        return;
    }
    let needs_no_queue = |pc: u32| {
        let instruction = ports.code.instructions.get(pc as usize);
        instruction.is_none_or(|it| it.queue.is_none() && !it.matched)
    };
    let hardware = residency.hardware_of(candidate);
    match residency.path_at(candidate).filter(|path| needs_no_queue(path.pc)) {
        Some(path) => ports
            .collector
            .raise(hardware, |warp| Event::PathArrived { path: PathAt { warp, ..path }, now }),
        None => {
            let slot = residency.slot_of_warp(candidate);
            ports.collector.raise(hardware, |warp| Event::PathStopped { warp, slot });
        }
    }
}

/// Returns true if a path that waits for registers still does in the next cycle.
fn is_held_back(candidate: Candidate, ports: &mut IssuePorts) -> bool {
    let next = ports.now + 1;
    ports.residency.path_at(candidate).is_some_and(|path| ports.collector.holds_back(path, next))
}

impl Issue {
    /// Puts a candidate's path where it belongs in its scheduler's queue: control flow lets it issue from cycle `next`
    /// on, or as before.
    #[inline(never)]
    pub(crate) fn refresh(
        &mut self,
        candidate: Candidate,
        next: Option<u64>,
        ports: &mut IssuePorts,
    ) {
        let id = ports.residency.slot(candidate.block).id(candidate.slot);
        self.enter(candidate, id, next, ports, Place::Any);
    }

    /// Puts a candidate's path, which is in a place, where it belongs in its scheduler's queue.
    #[inline(always)]
    fn enter(
        &mut self,
        candidate: Candidate,
        id: CandidateId,
        next: Option<u64>,
        ports: &mut IssuePorts,
        place: Place,
    ) {
        let Candidate { block, slot } = candidate;
        let resident = ports.residency.slot(block);
        let (scheduler, index) = self.places[id.index()];
        let (queue, index) = (&mut self.queues[usize::from(scheduler)], usize::from(index));
        if let Some(next) = next {
            queue.set_not_before(index, next);
        }
        if self.events.has(EventSet::IN_LOOP) {
            let paths = resident.paths();
            let path = (paths.state(slot) == SlotState::Runnable).then(|| paths.path(slot));
            let place = path.and_then(|path| {
                ports.code.loops.place(path.pc, path.lanes.mask().count_ones(), self.line)
            });
            queue.raise(&Event::InLoop { candidate: index, place });
        }
        let now = ports.now;
        match ports.blocked(candidate, id, place == Place::Fetching) {
            Ok((path, instruction)) => {
                let registers = self.scoreboards[block.index()].ready(path, &instruction.needs);
                let (need, accesses) = (instruction.need, instruction.accesses_cache());
                if ports.frontend.fetches_ahead() {
                    queue.delay(index, ports.frontend.arrival(id));
                }
                place.put(queue, index, need, registers, now);
                if self.events.has(EventSet::CHOOSING) && accesses {
                    queue.accesses(index);
                }
            }
            Err(Blocked::Fetch) => place.fetch(queue, index, now),
            Err(blocked) => {
                if blocked == Blocked::Empty && ports.frontend.fetches_ahead() {
                    ports.frontend.clear_instructions(id);
                }
                place.take_out(queue, index);
                queue.block(index, blocked);
            }
        }
    }

    /// Refreshes a candidate that has issued, and those of all slots of its block that the scheme has changed: they can
    /// issue from cycle `next` on.
    #[inline(never)]
    pub(crate) fn refresh_issued(
        &mut self,
        candidate: Candidate,
        id: CandidateId,
        next: u64,
        ports: &mut IssuePorts,
    ) {
        let block = candidate.block;
        let paths = ports.residency.slot(block).paths();
        if !(paths.has_touched() || paths.has_carried()) {
            self.enter(candidate, id, Some(next), ports, Place::Picked);
            self.raise_switch_point(candidate, ports);
            raise_position(candidate, ports);
            return;
        }
        let is_touched = paths.is_touched(candidate.slot);
        self.refresh_touched(block, next, ports);
        if !is_touched {
            self.refresh(candidate, Some(next), ports);
            self.raise_switch_point(candidate, ports);
            raise_position(candidate, ports);
        }
    }

    /// A candidate that was picked or has fetched, is
    /// at an instruction, or has none in its buffer. Control flow lets it issue from cycle `next`
    /// on, and otherwise only the registers in its scoreboard can prevent it. See
    /// [`Sm::is_plain`](crate::sm::Sm).
    #[inline(always)]
    pub(crate) fn refresh_straight(
        &mut self,
        QueuePlace { scheduler, index }: QueuePlace,
        following: Following,
        place: Place,
        next: u64,
        now: u64,
    ) {
        let queue = &mut self.queues[scheduler];
        queue.set_not_before(index, next);
        let Some(instruction) = following.instruction else {
            return place.fetch(queue, index, now);
        };
        let boards = &self.scoreboards[following.block.index()];
        let registers = boards.ready_in(following.scoreboard, &instruction.needs);
        place.put(queue, index, instruction.need, registers, now);
        if self.events.has(EventSet::CHOOSING) && instruction.accesses_cache() {
            queue.accesses(index);
        }
    }

    /// Raises the event of a path that has arrived at its next instruction, if that is a switch point.
    #[inline]
    fn raise_switch_point(&mut self, candidate: Candidate, ports: &IssuePorts) {
        if self.events.has(EventSet::REACHED_SWITCH_POINT) {
            self.raise_switch_point_of(candidate, ports);
        }
    }

    #[cold]
    fn raise_switch_point_of(&mut self, candidate: Candidate, ports: &IssuePorts) {
        let resident = ports.residency.slot(candidate.block);
        let paths = resident.paths();
        if paths.state(candidate.slot) == SlotState::Runnable {
            let pc = paths.path(candidate.slot).pc as usize;
            let id = resident.id(candidate.slot);
            if ports.code.instructions.get(pc).is_some_and(|it| it.placement.is_switch_point()) {
                self.raise(id, |candidate| Event::ReachedSwitchPoint { candidate });
            }
        }
    }

    /// Refreshes the candidates of all slots of a block that its scheme has changed.
    pub(crate) fn refresh_touched(&mut self, block: BlockSlot, next: u64, ports: &mut IssuePorts) {
        let paths = ports.residency.slot(block).paths();
        let (has_carried, has_touched) = (paths.has_carried(), paths.has_touched());
        if has_carried {
            self.carry(block, ports);
        }
        if has_touched {
            ports.residency.census(block);
        }
        while let Some(slot) = ports.residency.blocks_mut().block_mut(block).paths.take_touched() {
            let candidate = Candidate { block, slot };
            self.refresh(candidate, Some(next), ports);
            self.raise_switch_point(candidate, ports);
            raise_position(candidate, ports);
            if let Some(recorder) = ports.observer.recorder() {
                let resident = ports.residency.slot(block);
                if resident.paths().state(slot) == SlotState::Runnable {
                    recorder.goes_on(resident.id(slot), next);
                }
            }
        }
    }

    /// Something has ended that may have blocked candidates: those among some that one of `reasons` blocks are refreshed.
    /// They can issue from cycle `from` on, or as control flow lets them.
    #[cold]
    pub(crate) fn wake(
        &mut self,
        candidates: impl Iterator<Item = Candidate>,
        reasons: BlockedSet,
        from: Option<u64>,
        ports: &mut IssuePorts,
    ) {
        for candidate in candidates {
            let id = ports.residency.slot(candidate.block).id(candidate.slot);
            let (queue, index) = self.queue_of(id);
            if !queue.is_blocked_by(index, reasons) {
                continue;
            }
            if let Some(from) = from {
                queue.delay(index, from);
            }
            self.refresh(candidate, None, ports);
        }
    }

    /// Sets the release time of a result in scoreboards and in the entries of the front end.
    /// Returns true if a path may have waited for it; then [`Issue::wake_waiting`] must be called.
    #[inline(always)]
    pub(crate) fn resolve(
        &mut self,
        written: &Written,
        residency: &Residency,
        frontend: &mut Frontend,
    ) -> bool {
        if !residency.concerns_itself() {
            let written = *written;
            self.resolve_all(&written, residency, frontend);
            return true;
        }
        let &Written { candidate, id, writes, pending, ready } = written;
        let block = candidate.block;
        self.scoreboards[block.index()].resolve_one(candidate.slot.0, writes, pending, ready);
        frontend.resolve(id, pending, ready);
        let (queue, index) = self.queue_of(id);
        queue.gains_room(index);
        queue.waits_for_result(index, pending) || self.scoreboards[block.index()].counts_each()
    }

    /// The same if it may concern several path slots.
    #[inline(never)]
    fn resolve_all(&mut self, written: &Written, residency: &Residency, frontend: &mut Frontend) {
        let &Written { candidate, writes, pending, ready, .. } = written;
        let block = candidate.block;
        let candidates = residency.concerned(candidate);
        self.scoreboards[block.index()].resolve(candidates.scoreboards(), writes, pending, ready);
        for Candidate { slot, .. } in candidates {
            // If nothing is carried between scoreboards, only the slot that has issued has an entry
            // for it.
            if slot == candidate.slot || !residency.scheme().tracks_threads {
                let id = residency.slot(block).id(slot);
                frontend.resolve(id, pending, ready);
                let (queue, index) = self.queue_of(id);
                queue.gains_room(index);
            }
        }
    }

    /// Fast wake-up: the single waiter for a resolved result now waits for its remaining source
    /// registers. Returns false if it may wait for anything else; then [`Issue::wake_waiting`] must
    /// be called. See [`Sm::is_plain`](crate::sm::Sm).
    #[inline(always)]
    pub(crate) fn wake_straight(
        &mut self,
        written: &Written,
        code: &Code,
        residency: &Residency,
        now: u64,
    ) -> bool {
        let &Written { candidate: Candidate { block, slot }, id, .. } = written;
        let (scheduler, index) = self.places[id.index()];
        let (queue, index) = (&mut self.queues[usize::from(scheduler)], usize::from(index));
        let path = residency.blocks().block(block).paths.path(slot);
        let instruction = &code.instructions[path.pc as usize];
        if !queue.is_blocked_by(index, BlockedSet::RESULTS) || instruction.may_be_held() {
            return false;
        }
        let boards = &self.scoreboards[block.index()];
        let registers = boards.ready_in(path.scoreboard, &instruction.needs);
        queue.await_others(index, registers, now);
        true
    }

    /// Paths that have waited for a result that has been resolved wait no longer for it.
    #[inline(never)]
    pub(crate) fn wake_waiting(&mut self, written: &Written, ports: &mut IssuePorts) {
        let &Written { candidate, pending, .. } = written;
        let candidates = ports.residency.concerned(candidate);
        // If there are several scoreboards, one may have been carried into another since its path
        // looked. Otherwise paths know the last result that they wait for.
        let boards = &self.scoreboards[candidate.block.index()];
        let is_carried = !ports.residency.scheme().tracks_threads && candidates.len() > 1;
        // A path that waits until a counter is above 0 may issue when any of its results is there.
        if is_carried || boards.counts_each() {
            return self.wake(candidates, BlockedSet::SCOREBOARD, None, ports);
        }
        for candidate in candidates {
            let id = ports.residency.slot(candidate.block).id(candidate.slot);
            let (queue, index) = self.queue_of(id);
            if queue.waits_for_result(index, pending) {
                self.await_others(candidate, id, ports);
            }
        }
    }

    /// The time of a register that a candidate waits for, or of an entry of its scoreboard, is
    /// known: it now waits for its remaining needs.
    #[inline]
    fn await_others(&mut self, candidate: Candidate, id: CandidateId, ports: &mut IssuePorts) {
        let block = candidate.block;
        let paths = ports.residency.slot(block).paths();
        let path = paths.path(candidate.slot);
        let instruction = &ports.code.instructions[path.pc as usize];
        let (scheduler, index) = self.places[id.index()];
        let (queue, index) = (&mut self.queues[usize::from(scheduler)], usize::from(index));
        // Nothing else than registers keeps it from issuing, unless one of these may by now.
        if !queue.is_blocked_by(index, BlockedSet::RESULTS)
            || instruction.may_be_held()
            || self.events.has(EventSet::IN_LOOP)
            || !ports.collector.properties().admits_all
        {
            return self.refresh(candidate, None, ports);
        }
        let registers = self.scoreboards[block.index()].ready(path, &instruction.needs);
        queue.await_others(index, registers, ports.now);
    }

    /// Splits of a candidate's warp have parted or reconverged, or some of their lanes have a register: paths that wait
    /// are refreshed.
    #[cold]
    pub(crate) fn refresh_parted(&mut self, candidate: Candidate, ports: &mut IssuePorts) {
        let block = candidate.block;
        let candidates = ports.residency.concerned(candidate);
        let mut next = ports.now;
        for candidate in candidates.clone() {
            let (queue, index) = self.queue_of(ports.residency.slot(block).id(candidate.slot));
            next = next.max(queue.not_before(index));
        }
        self.wake(candidates, BlockedSet::SCOREBOARD, None, ports);
        self.refresh_touched(block, next, ports);
    }

    /// Registers have become free: candidates that the register file no longer holds back can issue in the next cycle.
    #[cold]
    pub(crate) fn wake_throttled(&mut self, ports: &mut IssuePorts) {
        let next = Some(ports.now + 1);
        for scheduler in 0..self.queues.len() {
            for index in members(self.queues[scheduler].set(Blocked::Registers)) {
                let candidate = ports.residency.candidate(self.id(scheduler, index));
                if !is_held_back(candidate, ports) {
                    self.wake(std::iter::once(candidate), BlockedSet::REGISTERS, next, ports);
                }
            }
        }
    }

    /// A candidate has fetched.
    pub(crate) fn fetched(&mut self, id: CandidateId, fetched: Fetched, ports: &mut IssuePorts) {
        let (queue, index) = self.queue_of(id);
        match fetched {
            Fetched::Buffered => {
                if let Some(recorder) = ports.observer.recorder() {
                    recorder.fetched(id, ports.now);
                }
                let next = ports.now + ports.frontend.latency();
                let candidate = ports.residency.candidate(id);
                self.enter(candidate, id, Some(next), ports, Place::Fetching);
            }
            Fetched::Discarded(_) if queue.is_blocked(index, Blocked::ScoreboardFull) => {}
            Fetched::Discarded(until) => queue.wait_for_entry(index, until, ports.now),
            Fetched::Missing => {
                queue.remove(index);
                queue.block(index, Blocked::Instructions);
            }
        }
    }

    /// Some lanes of a load have returned (per-thread scoreboards); `missed` are outstanding.
    #[cold]
    pub(crate) fn arrive_in_part(&mut self, written: &Written, missed: u64) {
        let boards = &mut self.scoreboards[written.candidate.block.index()];
        boards.arrive_in_part(written.pending, missed, written.ready);
    }

    /// Performs a scheme's operations on scoreboards.
    #[cold]
    fn carry(&mut self, block: BlockSlot, ports: &mut IssuePorts) {
        let (carried, ids) = ports.residency.slot_mut(block).take_carried();
        let candidate = |slot: u16| ids[usize::from(slot)];
        for carry in carried {
            self.scoreboards[block.index()].carry(carry);
            match carry {
                Carry::Copy { from, to } => {
                    ports.frontend.carry(candidate(from), candidate(to), false);
                }
                Carry::Merge { from, into } => {
                    ports.frontend.carry(candidate(from), candidate(into), true);
                }
                Carry::Share { .. } => {}
                Carry::Clear { scoreboard } => ports.frontend.clear_entries(candidate(scoreboard)),
            }
        }
    }
}

//! Issue: each scheduler chooses a path whose next instruction can issue, and that instruction is executed.

pub(crate) mod place;
pub(crate) mod ports;
pub(crate) mod queue;
mod ready;
pub(crate) mod scoreboard;

use crate::handles::{BlockSlot, CandidateId, WarpSlot};
use std::ops::Range;

use super::frontend::Room;
use super::observe::Observer;
use super::residency::Residency;
use crate::machine::Machine;
use crate::machine::clock::{NEVER, in_turn};
use crate::mechanisms::event::{
    CandidateSet, Event, EventSet, InstructionHints, IssuedInstruction,
};
use crate::mechanisms::scheduler;
use crate::mechanisms::scheduler::NextInstruction;
#[cfg(test)]
use crate::mechanisms::scheduler::Scheduler;
use crate::observe::mechanism_statistics::MechanismStatistics;
use crate::observe::profile::NOWHERE;
use crate::observe::slot_use::SlotUse;
use crate::program::decoded::Entries;
use crate::sm::issue::place::QueuePlace;
use crate::sm::issue::queue::blocked::Blocked;
use crate::sm::issue::scoreboard::Writer;
use crate::sm::lsu::replay_queue::Owners;
use queue::IssueQueue;
use queue::resources::Resources;
use scoreboard::{Outstanding, Ready, Scoreboards};

/// Why a candidate fetches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// It has no instruction.
    Empty,
    /// It has none, and its fetch is known to be discarded.
    Discarded,
    /// It has instructions, and room for more.
    Ahead,
}

/// The schedulers of an SM with the scoreboards of its blocks.
pub(crate) struct Issue {
    queues: Vec<IssueQueue>,
    /// By candidate: its scheduler, and its index there.
    places: Vec<(u16, u16)>,
    /// The inverse: the candidate, by its index at a scheduler and by the scheduler.
    ids: Vec<CandidateId>,
    /// By block slot.
    scoreboards: Vec<Scoreboards>,
    /// By scheduler: its sub-core.
    sub_cores: Vec<u16>,
    /// Schedulers of a sub-core.
    each: usize,
    /// By sub-core: the scheduler whose paths fetch next.
    next_to_fetch: Vec<usize>,
    /// By scheduler: its active pool at the last query. Empty if schedulers have none.
    pools: Vec<CandidateSet>,
    /// By sub-core: the reason that keeps instructions out of the operand collector in cycles that
    /// are not counted yet.
    kept_out: Vec<Option<SlotUse>>,
    /// The events that the schedulers receive, the same for each.
    events: EventSet,
    /// Bytes of a line of the first level.
    line: u32,
}

impl Issue {
    /// For an SM whose mechanism has a number of warps of its own.
    pub(crate) fn new(
        machine: &Machine,
        sm: usize,
        residency: &Residency,
        own_warps: usize,
    ) -> Result<Issue, String> {
        let slots = residency.scheme().slots_per_warp;
        let schedulers = machine.sm.schedulers as usize;
        let sub_cores = machine.sm.sub_cores as usize;
        let warps = (machine.sm.warps as usize).div_ceil(schedulers) + own_warps;
        let ahead = machine.fetch.policy;
        let policies = scheduler::list::build_all(machine, sm)?.into_iter();
        let mut queues: Vec<IssueQueue> =
            policies.map(|policy| IssueQueue::new(policy, warps * slots, ahead)).collect();
        let places = places(residency, machine.sm.warps as usize, schedulers);
        let events = queues.first().map_or(EventSet::NONE, IssueQueue::events);
        let lines = machine.l1.size / machine.l1.line / machine.sm.schedulers;
        queues.iter_mut().for_each(|queue| queue.raise(&Event::CacheShared { lines }));
        Ok(Issue {
            pools: queues.iter().filter_map(IssueQueue::pool).collect(),
            queues,
            ids: ids(&places, schedulers),
            places,
            scoreboards: vec![Scoreboards::default(); residency.all_slots()],
            sub_cores: (0..schedulers).map(|it| (it % sub_cores) as u16).collect(),
            each: schedulers / sub_cores,
            next_to_fetch: (0..sub_cores).collect(),
            kept_out: vec![None; sub_cores],
            events,
            line: machine.l1.line,
        })
    }

    pub(crate) fn schedulers(&self) -> usize {
        self.queues.len()
    }

    /// The sub-core of a scheduler.
    #[inline]
    pub(crate) fn sub_core_of(&self, scheduler: usize) -> usize {
        usize::from(self.sub_cores[scheduler])
    }

    /// The scheduler that issues first in a cycle, before those after it and then those before it:
    /// the first turn at shared resources rotates.
    #[inline]
    pub(crate) fn first_turn(&self, now: u64) -> usize {
        in_turn(now, 0, self.queues.len())
    }

    /// The candidate of the SM that a scheduler issues in a cycle, one of those of `among`, with its number there; `next`
    /// computes the next instruction of one. A candidate that `has_registers` does not name waits for registers from now on.
    #[inline(always)]
    pub(crate) fn pick(
        &mut self,
        scheduler: usize,
        now: u64,
        among: CandidateSet,
        next: impl Fn(CandidateId) -> Option<NextInstruction>,
        mut has_registers: impl FnMut(CandidateId) -> bool,
    ) -> Option<(CandidateId, usize)> {
        let (ids, count) = (&self.ids, self.queues.len());
        let id_of = |index: usize| ids[index * count + scheduler];
        let queue = &mut self.queues[scheduler];
        queue.wake(now);
        loop {
            let index = match queue.looks_ahead() {
                true => pick_by_instructions(queue, now, among, |index| next(id_of(index)))?,
                false => queue.pick(now, among, &|_| None)?,
            };
            let id = id_of(index);
            if has_registers(id) {
                let issued = || next(id).map(|it| InstructionHints { pc: it.pc, hints: it.hints });
                queue.issued(index, IssuedInstruction::new(&issued));
                return Some((id, index));
            }
            queue.throttle(index);
        }
    }

    /// The candidates that a scheduler may issue, as far as was known when a cycle began, and those that can issue in the
    /// next one.
    pub(crate) fn ready(&self, scheduler: usize) -> CandidateSet {
        self.queues[scheduler].ready()
    }

    /// The cycle from which control flow lets a candidate issue.
    pub(crate) fn not_before(&self, id: CandidateId) -> u64 {
        let (queue, index) = self.places[id.index()];
        self.queues[usize::from(queue)].not_before(usize::from(index))
    }

    /// The events that the schedulers receive. A stage tests them before it computes an event.
    #[inline(always)]
    pub(crate) fn events(&self) -> EventSet {
        self.events
    }

    /// Adds the schedulers' own counters until a cycle.
    pub(crate) fn count_mechanisms(&self, own: &mut MechanismStatistics, cycle: u64) {
        self.queues.iter().for_each(|queue| queue.count(own, cycle));
    }

    /// Schedulers receive events of some kinds no longer.
    pub(crate) fn ignore(&mut self, kinds: EventSet) {
        self.events = self.events.without(kinds);
    }

    /// Passes an event of a candidate to its scheduler, given the candidate's index there.
    #[inline]
    pub(crate) fn raise(&mut self, id: CandidateId, event: impl FnOnce(usize) -> Event<'static>) {
        let (queue, candidate) = self.queue_of(id);
        queue.raise(&event(candidate));
    }

    /// The size of the replay queue: loads that cannot continue and may wait there.
    pub(crate) fn replay_queue(&self) -> usize {
        self.queues.iter().map(IssueQueue::replay_queue).max().unwrap_or(0)
    }

    /// By scheduler, the hardware warp that owns memory; each has `slots_per_warp` path slots.
    #[cold]
    pub(crate) fn owners(&self, slots_per_warp: usize) -> Owners {
        let warp = |scheduler, index| self.id(scheduler, index).warp(slots_per_warp);
        let owners = self.queues.iter().enumerate();
        owners.map(|(at, queue)| Some(queue.owner()?.map(|index| warp(at, index)))).collect()
    }

    /// From now on each scheduler runs `count` paths that are not at a barrier.
    #[cold]
    pub(crate) fn set_limit(&mut self, count: u32) {
        self.queues.iter_mut().for_each(|queue| queue.set_limit(count));
    }

    /// Passes an event to every scheduler.
    pub(crate) fn raise_all(&mut self, event: &Event) {
        self.queues.iter_mut().for_each(|queue| queue.raise(event));
    }

    /// Returns true if schedulers have active pools.
    #[inline]
    pub(crate) fn has_pools(&self) -> bool {
        !self.pools.is_empty()
    }

    /// Reports the hardware warps, of a number of path slots each, that have left active pools
    /// since the last call, and then those that have entered one.
    #[cold]
    pub(crate) fn pool_changes(
        &mut self,
        slots_per_warp: usize,
        mut notify: impl FnMut(WarpSlot, bool),
    ) {
        let mut entered = Vec::new();
        for scheduler in 0..self.pools.len() {
            let pool = self.queues[scheduler].pool().unwrap_or_default();
            let before = std::mem::replace(&mut self.pools[scheduler], pool);
            let mut changed = before ^ pool;
            while changed != 0 {
                let first = changed.trailing_zeros() as usize / slots_per_warp * slots_per_warp;
                let slots = first..first + slots_per_warp;
                let warp: CandidateSet = slots.fold(0, |set, slot| set | 1 << slot);
                changed &= !warp;
                let hardware = self.id(scheduler, first).warp(slots_per_warp);
                match (before & warp != 0, pool & warp != 0) {
                    (true, false) => notify(hardware, false),
                    (false, true) => entered.push(hardware),
                    _ => {}
                }
            }
        }
        entered.into_iter().for_each(|hardware| notify(hardware, true));
    }

    /// Counts the issue slots of a scheduler that issues nothing in some cycles; `blocked` is the
    /// reason that keeps instructions out of the operand collector, if it has no room.
    #[inline(always)]
    pub(crate) fn count_stall(
        &self,
        scheduler: usize,
        blocked: Option<SlotUse>,
        cycles: Range<u64>,
        residency: &Residency,
        observer: &mut Observer,
    ) {
        observer.lost(scheduler, self.queues[scheduler].stall(blocked), cycles, || {
            self.blamed(scheduler).map_or(NOWHERE, |id| residency.next_pc(id))
        });
    }

    /// Counts the issue slots of cycles in which the SM slept, and fetches that were discarded in them.
    pub(crate) fn count_sleep(
        &mut self,
        cycles: Range<u64>,
        residency: &Residency,
        observer: &mut Observer,
    ) {
        for scheduler in 0..self.queues.len() {
            let kept_out = self.kept_out[self.sub_core_of(scheduler)];
            self.count_stall(scheduler, kept_out, cycles.clone(), residency, observer);
        }
        if self.queues.iter().any(IssueQueue::needs_fetch) {
            let cycles = cycles.end - cycles.start;
            let skipped: u64 =
                (0..self.kept_out.len()).map(|sub_core| self.skip_fetches(sub_core, cycles)).sum();
            observer.statistics().refetches += skipped;
        }
    }

    /// The next candidate of a sub-core to fetch, the paths of its schedulers in turn: its
    /// place at its scheduler, and how it fetches. `room` computes the room of a candidate
    /// of the SM, if paths fetch ahead.
    pub(crate) fn next_to_fetch(
        &mut self,
        sub_core: usize,
        room: Option<impl Fn(CandidateId) -> Room>,
    ) -> Option<(QueuePlace, Need)> {
        let (count, sub_cores) = (self.queues.len(), self.next_to_fetch.len());
        for _ in 0..self.each {
            let scheduler = self.next_to_fetch[sub_core];
            let next = scheduler + sub_cores;
            self.next_to_fetch[sub_core] = if next >= count { sub_core } else { next };
            let queue = &mut self.queues[scheduler];
            let index = match &room {
                None => queue.next_to_fetch(),
                Some(room) => {
                    queue.next_with_room(|index| room(self.ids[index * count + scheduler]))
                }
            };
            if let Some(index) = index {
                let need = match () {
                    () if room.is_some() && !queue.is_to_fetch(index) => Need::Ahead,
                    () if queue.is_blocked(index, Blocked::ScoreboardFull) => Need::Discarded,
                    () => Need::Empty,
                };
                return Some((QueuePlace { scheduler, index }, need));
            }
        }
        None
    }

    /// A candidate of the SM may have room for more instructions.
    pub(crate) fn gains_room(&mut self, id: CandidateId) {
        let (queue, index) = self.queue_of(id);
        queue.gains_room(index);
    }

    /// So many cycles pass in which only paths of a sub-core fetch whose instructions are discarded, if any do; how many
    /// such fetches there are.
    fn skip_fetches(&mut self, sub_core: usize, cycles: u64) -> u64 {
        let queues = &mut self.queues;
        let (count, sub_cores) = (queues.len(), self.next_to_fetch.len());
        let first = self.next_to_fetch[sub_core];
        let turns = (0..self.each).map(|turn| (first + turn * sub_cores) % count);
        let all = turns.clone().filter(|&scheduler| queues[scheduler].needs_fetch()).count() as u64;
        if all == 0 {
            return 0;
        }
        let mut place = 0;
        for scheduler in turns {
            if queues[scheduler].needs_fetch() {
                queues[scheduler].skip_fetches(cycles / all + u64::from(place < cycles % all));
                if place == (cycles + all - 1) % all {
                    self.next_to_fetch[sub_core] = (scheduler + sub_cores) % count;
                }
                place += 1;
            }
        }
        cycles
    }

    /// The number among the SM's candidates of one of a scheduler's.
    #[inline]
    pub(crate) fn id(&self, scheduler: usize, index: usize) -> CandidateId {
        self.ids[index * self.queues.len() + scheduler]
    }

    /// The scheduler of a candidate of the SM, and its index there.
    #[inline]
    pub(crate) fn queue_of(&mut self, id: CandidateId) -> (&mut IssueQueue, usize) {
        let (scheduler, index) = self.places[id.index()];
        (&mut self.queues[usize::from(scheduler)], usize::from(index))
    }

    /// The scheduler that a hardware warp belongs to.
    pub(crate) fn scheduler_of(&self, warp: WarpSlot) -> u16 {
        warp.0 % self.queues.len() as u16
    }

    /// Sets the arrival of a candidate's block, for schedulers that prefer older ones.
    pub(crate) fn set_age(&mut self, id: CandidateId, age: u64) {
        let (queue, index) = self.queue_of(id);
        queue.set_age(index, age);
    }

    /// Resets the scoreboards of the block in a slot: `scoreboards` of them, with `entries` entries
    /// each.
    pub(crate) fn reset(
        &mut self,
        block: BlockSlot,
        scoreboards: usize,
        entries: usize,
        outstanding: Outstanding,
    ) {
        self.scoreboards[block.index()].reset(scoreboards, entries, outstanding);
    }

    /// The scoreboards of the block in a slot.
    pub(crate) fn scoreboards(&self, block: BlockSlot) -> &Scoreboards {
        &self.scoreboards[block.index()]
    }

    /// The block in a slot has per-thread scoreboards, for `warps` warps of `width` lanes.
    pub(crate) fn track_threads(&mut self, block: BlockSlot, warps: usize, width: usize) {
        self.scoreboards[block.index()].track_threads(warps, width);
    }

    /// An instruction of the block in a slot is to write some entries.
    #[inline(always)]
    pub(crate) fn expect(
        &mut self,
        block: BlockSlot,
        writer: Writer,
        writes: &Entries,
        ready: Ready,
        now: u64,
    ) {
        self.scoreboards[block.index()].expect(writer, writes, ready, now);
    }

    /// Returns true if a load of the block in a slot is for other lanes than some too, where that
    /// is known by threads.
    pub(crate) fn awaits_beside(&self, block: BlockSlot, pending: Ready, missed: u64) -> bool {
        self.scoreboards[block.index()].awaits_beside(pending, missed)
    }

    /// The operand collector of a sub-core has room, or has none.
    #[inline(always)]
    pub(crate) fn set_room(&mut self, sub_core: usize, room: bool) {
        // All schedulers of a sub-core have the same value; the first of them has its number.
        if self.queues[sub_core].resources.has_room() != room {
            self.of_sub_core(sub_core, |resources| resources.set_room(room));
        }
    }

    /// Changes the resources of all schedulers of a sub-core.
    #[inline(always)]
    pub(crate) fn of_sub_core(&mut self, sub_core: usize, change: impl Fn(&mut Resources)) {
        let mut at = sub_core;
        while let Some(queue) = self.queues.get_mut(at) {
            change(&mut queue.resources);
            at += self.kept_out.len();
        }
    }

    /// The reason that keeps instructions of a sub-core from their pipes, or from memory if that `is_full`.
    pub(crate) fn kept_from_pipes(&self, sub_core: usize, is_full: bool) -> Option<SlotUse> {
        let resources = &self.queues[sub_core].resources;
        match () {
            () if resources.is_closed() => Some(SlotUse::RegisterRead),
            () if is_full => Some(SlotUse::LoadStoreFull),
            () if resources.is_pipe_busy() => Some(SlotUse::PipeBusy),
            () => None,
        }
    }

    /// The resources of a scheduler.
    #[inline(always)]
    pub(crate) fn resources(&mut self, scheduler: usize) -> &mut Resources {
        &mut self.queues[scheduler].resources
    }

    /// Returns true if something can issue or fetch in a cycle.
    #[inline]
    pub(crate) fn may_act(&self, now: u64) -> bool {
        self.queues.iter().any(|queue| queue.may_issue(now) || queue.can_fetch())
    }

    /// The next cycle in which an instruction can issue, or a fetch is not discarded, as far as is
    /// known.
    #[inline]
    pub(crate) fn next_event(&self, now: u64) -> u64 {
        let mut first = NEVER;
        for queue in &self.queues {
            let next = queue.next_event(now);
            // None is sooner.
            if next == now + 1 {
                return next;
            }
            first = first.min(next);
        }
        first
    }

    /// In the cycles from here on that are not counted yet, this keeps instructions of a sub-core out of the operand
    /// collector.
    #[inline]
    pub(crate) fn keep_out(&mut self, sub_core: usize, reason: Option<SlotUse>) {
        self.kept_out[sub_core] = reason;
    }

    /// The candidate that a scheduler's slot belongs to in which it issues nothing, by its number.
    fn blamed(&self, scheduler: usize) -> Option<CandidateId> {
        let closest = self.queues[scheduler].closest();
        closest.map(|index| self.id(scheduler, index))
    }
}

/// The scheduler of each candidate, and its index there: hardware warps in turn. A mechanism's own
/// The candidate to issue, picked by a scheduler that may look at the next instructions.
#[inline(never)]
fn pick_by_instructions(
    queue: &mut IssueQueue,
    now: u64,
    among: CandidateSet,
    next: impl Fn(usize) -> Option<NextInstruction>,
) -> Option<usize> {
    queue.pick(now, among, &next)
}

/// warps follow the warps of the first scheduler.
fn places(residency: &Residency, warps: usize, schedulers: usize) -> Vec<(u16, u16)> {
    let slots = residency.scheme().slots_per_warp;
    let candidates = (0..warps * slots).map(|candidate| {
        let (hardware, slot) = (candidate / slots, candidate % slots);
        ((hardware % schedulers) as u16, (hardware / schedulers * slots + slot) as u16)
    });
    let mut places: Vec<_> = candidates.collect();
    let first = places.iter().filter(|(scheduler, _)| *scheduler == 0).count();
    let own = 0..residency.candidates() - places.len();
    places.extend(own.map(|slot| (0, (first + slot) as u16)));
    places
}

/// The inverse of [`places`].
fn ids(places: &[(u16, u16)], schedulers: usize) -> Vec<CandidateId> {
    let entry =
        |&(scheduler, index): &(u16, u16)| usize::from(index) * schedulers + usize::from(scheduler);
    let mut ids =
        vec![CandidateId(0); places.iter().map(|place| entry(place) + 1).max().unwrap_or(0)];
    for (id, place) in (0..).zip(places) {
        ids[entry(place)] = CandidateId(id);
    }
    ids
}

#[cfg(test)]
impl Issue {
    /// Replaces the scheduler of an SM that has one.
    pub(crate) fn replace_scheduler(&mut self, policy: Box<dyn Scheduler>) {
        self.queues[0].replace_scheduler(policy);
    }
}

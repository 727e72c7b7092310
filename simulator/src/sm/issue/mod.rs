//! Issue: each scheduler chooses a path whose next instruction can issue, and that instruction is executed.

mod execute;
mod queue;
mod ready;
mod scoreboard;

use super::residency::Residency;
use crate::machine::Machine;
use crate::memory::NEVER;
use crate::scheduler;
pub(crate) use queue::{IssueQueue, SlotUse};
pub(crate) use scoreboard::{Ready, Scoreboards};

/// The schedulers of an SM with the scoreboards of its blocks.
pub(in crate::sm) struct Issue {
    queues: Vec<IssueQueue>,
    /// By candidate: its scheduler, and its number there.
    locals: Vec<(u16, u16)>,
    /// The other way: by number at the scheduler, then scheduler.
    numbers: Vec<u16>,
    /// By block slot.
    scoreboards: Vec<Scoreboards>,
    /// What keeps instructions out of the operand collector in cycles that are not counted yet.
    kept_out: Option<SlotUse>,
}

impl Issue {
    /// For an SM whose mechanism has a warp of its own, or has not.
    pub(in crate::sm) fn new(
        machine: &Machine,
        residency: &Residency,
        own_warp: bool,
    ) -> Result<Issue, String> {
        let policy = scheduler::find(&machine.scheduler)?;
        let options = machine.options(policy.name);
        let slots = residency.scheme.slots_per_warp;
        let schedulers = machine.core.schedulers as usize;
        let warps = (machine.core.warps as usize).div_ceil(schedulers) + usize::from(own_warp);
        let queues =
            (0..schedulers).map(|_| Ok(IssueQueue::new((policy.build)(&options)?, warps * slots)));
        let locals = locals(residency, machine.core.warps as usize, schedulers);
        Ok(Issue {
            queues: queues.collect::<Result<_, String>>()?,
            numbers: numbers(&locals, schedulers),
            locals,
            scoreboards: vec![Scoreboards::default(); residency.all_slots()],
            kept_out: None,
        })
    }

    pub(in crate::sm) fn schedulers(&self) -> usize {
        self.queues.len()
    }

    /// The schedulers, by turns of which the front end fetches.
    pub(in crate::sm) fn queues(&mut self) -> &mut [IssueQueue] {
        &mut self.queues
    }

    /// The number among the SM's candidates of one of a scheduler's.
    #[inline]
    pub(in crate::sm) fn number(&self, queue: usize, local: usize) -> usize {
        usize::from(self.numbers[local * self.queues.len() + queue])
    }

    /// The scheduler of a candidate of the SM, and its number there.
    #[inline]
    pub(in crate::sm) fn local(&mut self, number: usize) -> (&mut IssueQueue, usize) {
        let (queue, local) = self.locals[number];
        (&mut self.queues[usize::from(queue)], usize::from(local))
    }

    /// When a candidate's block arrived, for schedulers that prefer older ones.
    pub(in crate::sm) fn set_age(&mut self, number: usize, age: u64) {
        let (queue, local) = self.local(number);
        queue.set_age(local, age);
    }

    /// The scoreboards of the block in a slot.
    #[inline]
    pub(in crate::sm) fn scoreboards(&mut self, block: usize) -> &mut Scoreboards {
        &mut self.scoreboards[block]
    }

    /// Whether something can issue or fetch in a cycle.
    #[inline]
    pub(in crate::sm) fn may_act(&self, now: u64) -> bool {
        self.queues.iter().any(|queue| queue.may_issue(now) || queue.can_fetch())
    }

    /// Whether a candidate wants to fetch whose instructions would not be discarded.
    #[inline]
    pub(in crate::sm) fn can_fetch(&self) -> bool {
        self.queues.iter().any(IssueQueue::can_fetch)
    }

    /// The next cycle in which something can issue, as far as is known; `room` says whether the operand collector has any.
    #[inline]
    pub(in crate::sm) fn next_event(&self, now: u64, room: bool) -> u64 {
        self.queues.iter().map(|queue| queue.next_event(now, room)).min().unwrap_or(NEVER)
    }

    /// In the cycles from here on that are not counted yet, this keeps instructions out of the operand collector.
    #[inline]
    pub(in crate::sm) fn keep_out(&mut self, reason: Option<SlotUse>) {
        self.kept_out = reason;
    }

    /// The candidate that a scheduler's slot belongs to in which it issues nothing, by its number.
    fn blamed(&self, queue: usize, blocked: Option<SlotUse>) -> Option<usize> {
        let closest = self.queues[queue].closest(blocked);
        closest.map(|local| self.number(queue, local))
    }
}

/// The scheduler of each candidate, and its number there: hardware warps in turn. A mechanism's own warp comes after the
/// warps of the first scheduler.
fn locals(residency: &Residency, warps: usize, schedulers: usize) -> Vec<(u16, u16)> {
    let slots = residency.scheme.slots_per_warp;
    let candidates = (0..warps * slots).map(|number| {
        let (hardware, slot) = (number / slots, number % slots);
        ((hardware % schedulers) as u16, (hardware / schedulers * slots + slot) as u16)
    });
    let mut locals: Vec<_> = candidates.collect();
    let first = locals.iter().filter(|(queue, _)| *queue == 0).count();
    let own = 0..residency.candidates() - locals.len();
    locals.extend(own.map(|slot| (0, (first + slot) as u16)));
    locals
}

/// The number of each candidate of the schedulers.
fn numbers(locals: &[(u16, u16)], schedulers: usize) -> Vec<u16> {
    let place = |&(queue, local): &(u16, u16)| usize::from(local) * schedulers + usize::from(queue);
    let mut numbers = vec![0; locals.iter().map(|local| place(local) + 1).max().unwrap_or(0)];
    for (number, local) in locals.iter().enumerate() {
        numbers[place(local)] = number as u16;
    }
    numbers
}

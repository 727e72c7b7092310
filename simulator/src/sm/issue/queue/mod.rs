//! One scheduler of an SM: its candidates, which of them can issue, and why not.

mod alarms;
pub(crate) mod blocked;
mod group;
pub(crate) mod resources;
mod stalls;

use super::scoreboard::Ready;
use crate::handles::Resource;
use crate::machine::FetchPolicy;
use crate::machine::clock::NEVER;
use crate::mechanisms::event::{CandidateSet, Event, EventSet, IssuedInstruction, LeaveReason};
use crate::mechanisms::scheduler::{self, NextInstruction, Scheduler, View};
use crate::observe::mechanism_statistics::MechanismStatistics;
use crate::sm::frontend::Room;
use alarms::GROUP;
use blocked::{Blocked, BlockedSet};
use group::Group;
use resources::{Busy, Resources};

/// A scheduler's candidates.
pub(crate) struct IssueQueue {
    policy: Box<dyn Scheduler>,
    /// By candidate: when its block arrived.
    ages: Vec<u64>,
    /// The first [`GROUP`] candidates, and the others, of which most machines have none.
    first: Group,
    second: Option<Box<Group>>,
    /// The candidate from which on the next one to fetch is looked for.
    next_fetch: u32,
    /// Paths with instructions fetch the following ones. Then the candidates that may have room for
    /// them: they have issued, fetched, or received what they lacked, since they had none.
    fetches_ahead: bool,
    with_room: CandidateSet,
    /// The one that has issued last fetches first, then the youngest; the one that has.
    is_greedy: bool,
    last: usize,
    /// The resources that instructions need to issue, beside results.
    pub(super) resources: Resources,
    /// The events that the scheduler receives.
    events: EventSet,
    /// It may look at the next instructions of candidates.
    looks_ahead: bool,
    limit: Limit,
}

/// The number of candidates that may issue, among those that wait neither at a barrier nor for a
/// queue: the oldest.
struct Limit {
    count: u32,
    /// From this cycle on another one goes, for once.
    patience: u64,
}

/// A ready candidate beyond the limit issues once in this many cycles, so that it continues if
/// those within the limit wait for it: it may have their lock.
const PATIENCE: u64 = 1000;

impl IssueQueue {
    pub(crate) fn new(
        policy: Box<dyn Scheduler>,
        candidates: usize,
        policy_of_fetch: FetchPolicy,
    ) -> IssueQueue {
        IssueQueue {
            resources: Resources::default(),
            events: policy.events(),
            looks_ahead: policy.looks_ahead(),
            limit: Limit { count: u32::MAX, patience: 0 },
            policy,
            ages: vec![0; candidates],
            first: Group::new(),
            second: (candidates > GROUP).then(|| Box::new(Group::new())),
            next_fetch: 0,
            fetches_ahead: policy_of_fetch != FetchPolicy::Empty,
            with_room: 0,
            is_greedy: policy_of_fetch == FetchPolicy::Greedy,
            last: 0,
        }
    }

    pub(crate) fn set_age(&mut self, candidate: usize, age: u64) {
        self.ages[candidate] = age;
    }

    /// The group of a candidate.
    #[inline(always)]
    fn group(&self, candidate: usize) -> &Group {
        if candidate < GROUP { &self.first } else { self.far_group() }
    }

    #[inline(always)]
    fn group_mut(&mut self, candidate: usize) -> &mut Group {
        if candidate < GROUP { &mut self.first } else { self.far_group_mut() }
    }

    #[inline(never)]
    fn far_group(&self) -> &Group {
        self.second.as_deref().unwrap_or(&self.first)
    }

    #[inline(never)]
    fn far_group_mut(&mut self) -> &mut Group {
        self.second.as_deref_mut().unwrap_or(&mut self.first)
    }

    /// A set of all groups.
    #[inline(always)]
    fn all(&self, set: impl Fn(&Group) -> u64) -> CandidateSet {
        let first = CandidateSet::from(set(&self.first));
        match &self.second {
            None => first,
            Some(second) => first | CandidateSet::from(set(second)) << GROUP,
        }
    }

    /// Returns true if a set has a candidate.
    #[inline(always)]
    fn any(&self, set: impl Fn(&Group) -> u64) -> bool {
        set(&self.first) != 0 || self.second.as_ref().is_some_and(|second| set(second) != 0)
    }

    /// The candidates that one reason blocks.
    #[inline(always)]
    pub(crate) fn set(&self, blocked: Blocked) -> CandidateSet {
        self.all(|group| group.set(blocked))
    }

    /// Takes a candidate out of all sets.
    #[inline]
    pub(crate) fn remove(&mut self, candidate: usize) {
        self.group_mut(candidate).remove(candidate);
    }

    /// Takes out a candidate that is ready: it waits for nothing.
    #[inline(always)]
    pub(crate) fn remove_ready(&mut self, candidate: usize) {
        self.group_mut(candidate).remove_ready(candidate);
    }

    /// Removes a candidate that needs to fetch.
    #[inline(always)]
    pub(crate) fn remove_fetching(&mut self, candidate: usize) {
        self.group_mut(candidate).remove_fetching(candidate);
    }

    /// A reason blocks a candidate, which is in no set now.
    #[inline(always)]
    pub(crate) fn block(&mut self, candidate: usize, blocked: Blocked) {
        self.group_mut(candidate).block(candidate, blocked);
        if let Some(reason) = blocked.leave_reason() {
            self.raise(&Event::Left { candidate, reason });
        }
    }

    /// Returns true if one reason blocks a candidate.
    #[inline]
    pub(crate) fn is_blocked(&self, candidate: usize, blocked: Blocked) -> bool {
        self.group(candidate).is_blocked(candidate, blocked)
    }

    /// Returns true if one of some reasons blocks a candidate.
    #[inline]
    pub(crate) fn is_blocked_by(&self, candidate: usize, reasons: BlockedSet) -> bool {
        self.group(candidate).is_blocked_by(candidate, reasons)
    }

    /// Control flow lets a candidate issue not before a cycle.
    pub(crate) fn delay(&mut self, candidate: usize, next: u64) {
        let entry = self.group_mut(candidate).entry_mut(candidate);
        entry.not_before = entry.not_before.max(next);
    }

    /// Control flow lets a candidate issue from cycle `next` on.
    #[inline]
    pub(crate) fn set_not_before(&mut self, candidate: usize, next: u64) {
        self.group_mut(candidate).entry_mut(candidate).not_before = next;
    }

    /// The cycle from which control flow lets a candidate issue.
    pub(crate) fn not_before(&self, candidate: usize) -> u64 {
        self.group(candidate).entry(candidate).not_before
    }

    /// A candidate, in no set now, can issue when control flow lets it and its registers have
    /// arrived, and what its instruction needs is free.
    #[inline(always)]
    pub(crate) fn wait(&mut self, candidate: usize, need: Resource, registers: Ready, now: u64) {
        let waits = self.group_mut(candidate).wait(candidate, need, registers, now);
        if waits {
            self.raise(&Event::Left { candidate, reason: LeaveReason::Memory });
        }
    }

    /// Returns true if control flow and registers let a candidate issue in the next cycle. After
    /// schedulers have picked, it can be made ready already then, because the ready sets are not
    /// read before that cycle.
    #[inline(always)]
    pub(crate) fn can_issue_next(&self, candidate: usize, registers: Ready, now: u64) -> bool {
        self.not_before(candidate) == now + 1 && registers <= Ready::loaded(now + 1)
    }

    /// A candidate that has issued in this cycle and can issue in the next one stays ready.
    #[inline(always)]
    pub(crate) fn goes_on(&mut self, candidate: usize, need: Resource) {
        self.group_mut(candidate).goes_on(candidate, need);
    }

    /// A candidate, in no set now, that can issue in the next cycle is ready.
    #[inline(always)]
    pub(crate) fn issue_next(&mut self, candidate: usize, need: Resource) {
        self.group_mut(candidate).issue_next(candidate, need);
    }

    /// A candidate that waits for a register of unknown end waits for others.
    #[inline(always)]
    pub(crate) fn await_others(&mut self, candidate: usize, registers: Ready, now: u64) {
        let waits = self.group_mut(candidate).await_others(candidate, registers, now);
        if waits {
            self.raise(&Event::Left { candidate, reason: LeaveReason::Memory });
        }
    }

    /// The next instruction of a candidate, which is in a set of those with an instruction, accesses the first-level cache.
    #[inline]
    pub(crate) fn accesses(&mut self, candidate: usize) {
        self.group_mut(candidate).accesses(candidate);
    }

    /// A candidate, in no set now, has an empty instruction buffer: it needs to fetch as soon as
    /// control flow lets it.
    #[inline(always)]
    pub(crate) fn wait_to_fetch(&mut self, candidate: usize, now: u64) {
        self.group_mut(candidate).wait_to_fetch(candidate, now);
    }

    /// The same for a candidate that has issued in this cycle.
    #[inline(always)]
    pub(crate) fn fetch_next(&mut self, candidate: usize, now: u64) {
        self.group_mut(candidate).fetch_next(candidate, now);
    }

    /// A candidate that was picked waits for registers for its result.
    #[cold]
    pub(crate) fn throttle(&mut self, candidate: usize) {
        self.remove_ready(candidate);
        self.block(candidate, Blocked::Registers);
    }

    /// A candidate's fetches are discarded, until a cycle if that is known.
    pub(crate) fn wait_for_entry(&mut self, candidate: usize, until: Option<u64>, now: u64) {
        self.group_mut(candidate).wait_for_entry(candidate, until, now);
        if until.is_none() {
            self.raise(&Event::Left { candidate, reason: LeaveReason::Memory });
        }
    }

    /// Makes candidates ready whose cycle has arrived.
    #[inline]
    pub(crate) fn wake(&mut self, now: u64) {
        self.resources.ease(now);
        self.first.wake(now);
        if let Some(second) = &mut self.second {
            second.wake(now);
        }
    }

    /// Candidates that may issue, as of the last [`IssueQueue::wake`].
    #[inline]
    pub(crate) fn ready(&self) -> CandidateSet {
        match self.resources.is_closed() {
            true => 0,
            false => self.all(|group| group.ready(self.resources.busy())),
        }
    }

    /// Returns true if the scheduler may look at the next instructions of candidates.
    #[inline(always)]
    pub(crate) fn looks_ahead(&self) -> bool {
        self.looks_ahead
    }

    /// The candidate to issue, one of those of `among`; `next` computes the next instruction of one.
    #[inline]
    pub(crate) fn pick(
        &mut self,
        now: u64,
        among: CandidateSet,
        next: &dyn Fn(usize) -> Option<NextInstruction>,
    ) -> Option<usize> {
        let mut ready = self.ready() & among;
        if ready == 0 {
            return None;
        }
        if self.limit.count != u32::MAX {
            ready = self.within_limit(ready, now);
            if ready == 0 {
                return None;
            }
        }
        if self.events.has(EventSet::CHOOSING) {
            let accesses = self.all(|group| group.accesses);
            self.policy.on_event(&Event::Choosing { accesses });
        }
        let (first, second) = (&self.first, &self.second);
        let stall = |candidate| {
            let far = second.as_deref().filter(|_| candidate >= GROUP);
            far.unwrap_or(first).blocked(candidate).for_schedulers()
        };
        self.policy.pick(ready, &View::new(&self.ages, now, next, &stall))
    }

    /// From now on `count` candidates may issue.
    pub(crate) fn set_limit(&mut self, count: u32) {
        self.limit.count = count;
    }

    /// The ready candidates that the limit lets issue.
    #[cold]
    fn within_limit(&mut self, ready: CandidateSet, now: u64) -> CandidateSet {
        // Candidates at a barrier, or that wait for a queue or for registers, wait for others.
        let counted = [
            Blocked::No,
            Blocked::Operands,
            Blocked::Arithmetic,
            Blocked::Control,
            Blocked::Memory,
            Blocked::Fetch,
            Blocked::Instructions,
            Blocked::ScoreboardFull,
        ];
        let mut others = counted.into_iter().fold(0, |all, blocked| all | self.set(blocked));
        let mut within = 0;
        for _ in 0..self.limit.count {
            let Some(candidate) = scheduler::oldest(others, &self.ages) else {
                break;
            };
            within |= 1 << candidate;
            others &= !(1 << candidate);
        }
        let beyond = ready & !within;
        if beyond == 0 || now >= self.limit.patience {
            self.limit.patience = now + PATIENCE;
            return scheduler::oldest(beyond, &self.ages).map_or(ready, |candidate| 1 << candidate);
        }
        ready & within
    }

    /// The next candidate that needs to fetch.
    pub(crate) fn next_to_fetch(&mut self) -> Option<usize> {
        let needs_fetch = self.all(|group| group.needs_fetch);
        self.next_of(needs_fetch)
    }

    /// The first candidate of a set in the order in which they fetch.
    #[inline]
    fn next_of(&mut self, set: CandidateSet) -> Option<usize> {
        if set == 0 {
            return None;
        }
        let ahead = set & CandidateSet::MAX << self.next_fetch;
        let candidate = if ahead == 0 { set } else { ahead }.trailing_zeros();
        self.next_fetch = (candidate + 1) % CandidateSet::BITS;
        Some(candidate as usize)
    }

    /// The next candidate that needs to fetch, or has room for more instructions; `room` computes
    /// the room of one that has some.
    #[cold]
    pub(crate) fn next_with_room(&mut self, room: impl Fn(usize) -> Room) -> Option<usize> {
        let needs_fetch = self.all(|group| group.needs_fetch);
        let mut others = self.with_room & !needs_fetch;
        if self.is_greedy {
            others &= !self.set(Blocked::Empty);
        }
        let turn = self.next_fetch;
        while let Some(candidate) = self.next_of_all(needs_fetch | others) {
            let bit = 1 << candidate;
            if needs_fetch & bit != 0 {
                self.with_room |= bit;
                return Some(candidate);
            }
            match room(candidate) {
                Room::Now => return Some(candidate),
                Room::Later => {}
                Room::Nothing => self.with_room &= !bit,
            }
            others &= !bit;
        }
        self.next_fetch = turn;
        None
    }

    /// The first candidate of a set in the order of the policy.
    fn next_of_all(&mut self, set: CandidateSet) -> Option<usize> {
        match self.is_greedy {
            false => self.next_of(set),
            true if set >> self.last & 1 != 0 => Some(self.last),
            true => scheduler::youngest(set, &self.ages),
        }
    }

    /// A candidate may have room for more instructions.
    #[inline(always)]
    pub(crate) fn gains_room(&mut self, candidate: usize) {
        if self.fetches_ahead {
            self.with_room |= 1 << candidate;
        }
    }

    /// So many candidates fetch in turn and have it discarded.
    pub(crate) fn skip_fetches(&mut self, count: u64) {
        let all = u64::from(self.all(|group| group.needs_fetch).count_ones());
        // After all of them it is the turn of the one whose turn it was.
        for _ in 0..count.checked_sub(1).map_or(0, |more| more % all + 1) {
            self.next_to_fetch();
        }
    }

    /// Returns true if a candidate, given by its number, needs to fetch.
    pub(crate) fn is_to_fetch(&self, candidate: usize) -> bool {
        self.group(candidate).needs_fetch & self.group(candidate).entry(candidate).bit != 0
    }

    /// Returns true if a candidate needs to fetch.
    #[inline]
    pub(crate) fn needs_fetch(&self) -> bool {
        self.any(|group| group.needs_fetch)
    }

    /// Returns true if a candidate needs to fetch whose instructions would not be discarded.
    #[inline]
    pub(crate) fn can_fetch(&self) -> bool {
        self.with_room != 0 || self.any(Group::can_fetch)
    }

    /// Returns true if a candidate waits for a pending result, or for an entry of its scoreboard.
    #[inline]
    pub(crate) fn waits_for_result(&self, candidate: usize, pending: Ready) -> bool {
        self.group(candidate).waits_for_result(candidate, pending)
    }

    /// Passes an event to the scheduler if it receives its kind.
    #[inline(always)]
    pub(crate) fn raise(&mut self, event: &Event) {
        if self.events.has(event.kind()) {
            self.policy.on_event(event);
        }
    }

    /// The events that the scheduler receives.
    pub(crate) fn events(&self) -> EventSet {
        self.events
    }

    /// See [`Scheduler::count`].
    pub(crate) fn count(&self, own: &mut MechanismStatistics, cycle: u64) {
        self.policy.count(own, cycle);
    }

    /// The candidates in the active pool, if the scheduler has one. A scheduler may name candidates that do not exist.
    pub(crate) fn pool(&self) -> Option<CandidateSet> {
        let beyond = CandidateSet::MAX.checked_shl(self.ages.len() as u32).unwrap_or(0);
        self.policy.pool().map(|pool| pool & !beyond)
    }

    /// See [`Scheduler::replay_queue`].
    pub(crate) fn replay_queue(&self) -> usize {
        self.policy.replay_queue()
    }

    /// See [`Scheduler::owner`]. A candidate that does not exist is none.
    pub(crate) fn owner(&self) -> Option<Option<usize>> {
        let owner = self.policy.owner()?;
        Some(owner.filter(|candidate| *candidate < self.ages.len()))
    }

    /// A candidate was picked and did issue.
    #[inline(always)]
    pub(crate) fn issued(&mut self, candidate: usize, instruction: IssuedInstruction) {
        self.last = candidate;
        self.gains_room(candidate);
        self.raise(&Event::Issued { candidate, instruction });
    }

    /// Returns true if something can issue or becomes ready in a cycle.
    #[inline]
    pub(crate) fn may_issue(&self, now: u64) -> bool {
        self.next_alarm() <= now || self.next_ready(now) <= now
    }

    /// The next cycle that a candidate waits for.
    #[inline]
    fn next_alarm(&self) -> u64 {
        let first = self.first.alarms.next;
        self.second.as_ref().map_or(first, |second| first.min(second.alarms.next))
    }

    /// The next cycle in which an instruction can issue, or a fetch is not discarded, as far as is
    /// known.
    #[inline]
    pub(crate) fn next_event(&self, now: u64) -> u64 {
        match self.can_fetch() {
            true => now + 1,
            false => self.next_ready(now + 1).min(self.next_alarm()),
        }
    }

    /// The first cycle, `next` or a later one, in which a candidate that now waits for resources at
    /// most can issue.
    #[inline]
    fn next_ready(&self, next: u64) -> u64 {
        let open = self.resources.opens().max(next);
        match self.resources.busy_at(open) {
            busy if self.any(|group| group.ready(busy)) => open,
            Busy::NOTHING => NEVER,
            _ => self.next_free(open),
        }
    }

    /// The same if all such candidates wait for resources that are busy in a cycle.
    #[inline(never)]
    fn next_free(&self, open: u64) -> u64 {
        let is_enough = |cycle: &u64| self.any(|group| group.ready(self.resources.busy_at(*cycle)));
        self.resources.ends(open).filter(is_enough).min().unwrap_or(NEVER)
    }
}

#[cfg(test)]
impl IssueQueue {
    /// Replaces the scheduler, which must have seen nothing.
    pub(crate) fn replace_scheduler(&mut self, policy: Box<dyn Scheduler>) {
        self.events = policy.events();
        self.looks_ahead = policy.looks_ahead();
        self.policy = policy;
    }
}

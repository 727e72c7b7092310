//! One scheduler of an SM: its candidates, which of them can issue, and why not.

mod alarms;
mod slot_use;
mod stalls;

use super::scoreboard::Ready;
use crate::scheduler::{self, CandidateSet, Scheduler, has, members};
use alarms::Alarms;
pub(crate) use slot_use::SlotUse;

/// Where a candidate is: each is in the set of one of these, or in none when its slot is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It has an instruction, and may issue as far as registers are concerned.
    Ready,
    /// It has one, and waits until older instructions of its warp have read their operands.
    Reading,
    /// For registers for its result.
    Throttled,
    /// For an arithmetic result.
    Arithmetic,
    /// For control flow.
    Control,
    /// For memory.
    Memory,
    /// For a queue between the two streams.
    Queued,
    /// At a barrier.
    Barrier,
    /// It has no instruction: it wants to fetch, waits until control flow lets it, or waits for the instruction cache.
    Unfetched,
    /// Its slot is empty.
    Nowhere,
}

/// A scheduler's candidates.
pub(crate) struct IssueQueue {
    policy: Box<dyn Scheduler>,
    /// By candidate: when its block arrived.
    ages: Vec<u64>,
    /// By candidate: what else is known of it.
    seats: Vec<Seat>,
    /// By [`Standing`]: the candidates.
    sets: [CandidateSet; Standing::Nowhere as usize + 1],
    /// Of those that are ready, the ones whose instruction has to pass the register file: it reads registers or computes. And of
    /// those with an instruction, the ones that access the first-level cache; only if the scheduler wants to know.
    collects: CandidateSet,
    accesses: CandidateSet,
    /// Of those without an instruction: want to fetch; and of these in turn: what they fetch is discarded, because their
    /// scoreboard is full.
    wants_fetch: CandidateSet,
    scoreboard_full: CandidateSet,
    /// Of those without an instruction: want to fetch from the next cycle on. They have issued in this one.
    fetches_next: CandidateSet,
    /// The candidate from which on the next one to fetch is looked for.
    next_fetch: u32,
    /// Those that wait for a known cycle.
    alarms: Alarms,
    /// The operand collector of its sub-core has room.
    pub(super) room: bool,
    /// The scheduler wants to know which accesses there are.
    tells_accesses: bool,
    limit: Limit,
}

/// What is known of a candidate beside its age.
#[derive(Clone, Copy, Debug)]
struct Seat {
    /// The set of it alone.
    bit: CandidateSet,
    standing: Standing,
    /// Why, if it waits for a queue.
    queue_stall: SlotUse,
    /// Its instruction has to pass the register file.
    collects: bool,
    /// The cycle from which control flow lets it issue.
    not_before: u64,
    /// When what it waits for is there, if it waits for registers.
    awaits: Ready,
}

/// How many candidates may issue, of those that wait neither at a barrier nor for a queue: the oldest.
struct Limit {
    count: u32,
    /// From this cycle on another one goes, for once.
    patience: u64,
}

/// A candidate beyond the limit that is ready issues once in so many cycles, so that one goes on for which those within it
/// wait: it may have their lock.
const PATIENCE: u64 = 1000;

impl IssueQueue {
    pub(crate) fn new(policy: Box<dyn Scheduler>, candidates: usize) -> IssueQueue {
        let seat = |candidate: usize| Seat {
            bit: 1 << candidate,
            standing: Standing::Nowhere,
            queue_stall: SlotUse::Idle,
            collects: false,
            not_before: 0,
            awaits: Ready::NOW,
        };
        IssueQueue {
            room: true,
            tells_accesses: policy.wants().cache,
            limit: Limit { count: u32::MAX, patience: 0 },
            policy,
            ages: vec![0; candidates],
            seats: (0..candidates).map(seat).collect(),
            sets: [0; Standing::Nowhere as usize + 1],
            collects: 0,
            accesses: 0,
            wants_fetch: 0,
            scoreboard_full: 0,
            fetches_next: 0,
            next_fetch: 0,
            alarms: Alarms::new(candidates),
        }
    }

    pub(crate) fn set_age(&mut self, candidate: usize, age: u64) {
        self.ages[candidate] = age;
    }

    /// The candidates that stand somewhere.
    #[inline(always)]
    fn set(&self, standing: Standing) -> CandidateSet {
        self.sets[standing as usize]
    }

    /// Whether a candidate stands there.
    #[inline]
    fn stands(&self, candidate: usize, standing: Standing) -> bool {
        self.seats[candidate].standing == standing
    }

    /// A candidate, in no set now, stands somewhere from now on.
    #[inline(always)]
    fn put(&mut self, candidate: usize, standing: Standing) {
        let seat = &mut self.seats[candidate];
        seat.standing = standing;
        self.sets[standing as usize] |= seat.bit;
    }

    /// Takes a candidate out of all sets.
    #[inline]
    pub(crate) fn remove(&mut self, candidate: usize) {
        let seat = &mut self.seats[candidate];
        let keep = !seat.bit;
        let standing = std::mem::replace(&mut seat.standing, Standing::Nowhere);
        self.sets[standing as usize] &= keep;
        match standing {
            Standing::Ready => self.collects &= keep,
            Standing::Nowhere => {}
            Standing::Unfetched => {
                self.wants_fetch &= keep;
                self.scoreboard_full &= keep;
                self.fetches_next &= keep;
                self.alarms.remove(candidate, keep);
            }
            _ => self.alarms.remove(candidate, keep),
        }
        if self.tells_accesses {
            self.accesses &= keep;
        }
    }

    /// Takes out a candidate that is ready: it waits for nothing.
    #[inline(always)]
    pub(crate) fn remove_ready(&mut self, candidate: usize) {
        debug_assert!(self.stands(candidate, Standing::Ready) && !self.alarms.waits(candidate));
        let seat = &mut self.seats[candidate];
        let keep = !seat.bit;
        seat.standing = Standing::Nowhere;
        self.sets[Standing::Ready as usize] &= keep;
        self.collects &= keep;
        if self.tells_accesses {
            self.accesses &= keep;
        }
    }

    /// Takes out a candidate that wants to fetch.
    #[inline(always)]
    pub(crate) fn remove_fetching(&mut self, candidate: usize) {
        debug_assert!(self.stands(candidate, Standing::Unfetched));
        let seat = &mut self.seats[candidate];
        let keep = !seat.bit;
        seat.standing = Standing::Nowhere;
        self.sets[Standing::Unfetched as usize] &= keep;
        self.wants_fetch &= keep;
        // Otherwise it does not wait for a cycle.
        if self.scoreboard_full & seat.bit != 0 {
            self.scoreboard_full &= keep;
            self.alarms.remove(candidate, keep);
        }
    }

    /// A candidate, in no set now, has no path.
    pub(crate) fn empty(&mut self, candidate: usize) {
        self.policy.leaves(candidate);
    }

    /// A candidate, in no set now, waits at a barrier.
    pub(crate) fn wait_at_barrier(&mut self, candidate: usize) {
        self.put(candidate, Standing::Barrier);
        self.policy.leaves(candidate);
    }

    /// A candidate, in no set now, waits for a queue between the two streams.
    #[cold]
    pub(crate) fn wait_for_queue(&mut self, candidate: usize, queue_stall: SlotUse) {
        self.put(candidate, Standing::Queued);
        self.seats[candidate].queue_stall = queue_stall;
        self.policy.leaves(candidate);
    }

    /// A candidate comes to a strand of its code.
    pub(crate) fn begins_strand(&mut self, candidate: usize) {
        self.policy.leaves(candidate);
    }

    /// Whether a candidate does.
    pub(crate) fn waits_for_queue(&self, candidate: usize) -> bool {
        self.stands(candidate, Standing::Queued)
    }

    /// Control flow lets a candidate issue not before a cycle.
    pub(crate) fn delay(&mut self, candidate: usize, next: u64) {
        let seat = &mut self.seats[candidate];
        seat.not_before = seat.not_before.max(next);
    }

    /// Control flow lets a candidate issue from cycle `next` on.
    #[inline]
    pub(crate) fn set_not_before(&mut self, candidate: usize, next: u64) {
        self.seats[candidate].not_before = next;
    }

    /// The cycle from which control flow lets a candidate issue.
    pub(crate) fn not_before(&self, candidate: usize) -> u64 {
        self.seats[candidate].not_before
    }

    /// A candidate, in no set now, can issue when control flow lets it and its registers are there;
    /// `collects` says whether its instruction passes the register file, and `stays` whether it keeps its place in an active pool.
    #[inline(always)]
    pub(crate) fn wait(
        &mut self,
        candidate: usize,
        (collects, stays): (bool, bool),
        registers: Ready,
        now: u64,
    ) {
        self.seats[candidate].collects = collects;
        self.wait_for_registers(candidate, stays, registers, now);
    }

    /// Whether control flow and registers let a candidate issue in the next cycle. After schedulers have picked, it can be ready already
    /// then, since no one asks for who is before that.
    #[inline(always)]
    pub(crate) fn can_issue_next(&self, candidate: usize, registers: Ready, now: u64) -> bool {
        self.seats[candidate].not_before == now + 1 && registers <= Ready::loaded(now + 1)
    }

    /// A candidate that has issued in this cycle and can issue in the next one stays ready.
    #[inline(always)]
    pub(crate) fn goes_on(&mut self, candidate: usize, collects: bool) {
        let seat = &self.seats[candidate];
        debug_assert_eq!(seat.standing, Standing::Ready);
        self.collects = self.collects & !seat.bit | if collects { seat.bit } else { 0 };
        if self.tells_accesses {
            self.accesses &= !seat.bit;
        }
    }

    /// A candidate, in no set now, that can issue in the next cycle is ready.
    #[inline(always)]
    pub(crate) fn issue_next(&mut self, candidate: usize, collects: bool) {
        self.put(candidate, Standing::Ready);
        self.collects |= if collects { self.seats[candidate].bit } else { 0 };
    }

    /// A candidate, in no set now, waits for control flow and registers.
    #[inline(always)]
    fn wait_for_registers(&mut self, candidate: usize, stays: bool, registers: Ready, now: u64) {
        let seat = &mut self.seats[candidate];
        seat.awaits = registers;
        let next = seat.not_before;
        let Some(cycle) = registers.cycle() else {
            if registers.is_memory() {
                self.put(candidate, Standing::Memory);
                if !stays {
                    self.policy.leaves(candidate);
                }
            } else {
                self.put(candidate, Standing::Arithmetic);
            }
            return;
        };
        let standing = if cycle <= next {
            Standing::Control
        } else if registers.is_memory() {
            Standing::Memory
        } else {
            Standing::Arithmetic
        };
        self.put(candidate, standing);
        self.alarms.set(candidate, self.seats[candidate].bit, next.max(cycle), now);
    }

    /// A candidate that waits for a register of unknown end waits for others; `stays` as in [`IssueQueue::wait`].
    #[inline(always)]
    pub(crate) fn await_others(
        &mut self,
        candidate: usize,
        stays: bool,
        registers: Ready,
        now: u64,
    ) {
        let seat = &self.seats[candidate];
        self.sets[seat.standing as usize] &= !seat.bit;
        self.wait_for_registers(candidate, stays, registers, now);
    }

    /// The next instruction of a candidate, which is in a set of those with an instruction, accesses the first-level cache.
    #[inline]
    pub(crate) fn accesses(&mut self, candidate: usize) {
        self.accesses |= 1 << candidate;
    }

    /// A candidate, in no set now, has nothing in its instruction buffer: it wants to fetch as soon as
    /// control flow lets it.
    #[inline(always)]
    pub(crate) fn wait_to_fetch(&mut self, candidate: usize, now: u64) {
        self.put(candidate, Standing::Unfetched);
        let seat = &self.seats[candidate];
        self.alarms.set(candidate, seat.bit, seat.not_before, now);
    }

    /// The same of a candidate that has issued in this cycle.
    #[inline(always)]
    pub(crate) fn fetch_next(&mut self, candidate: usize, now: u64) {
        if self.seats[candidate].not_before != now + 1 {
            return self.wait_to_fetch(candidate, now);
        }
        self.put(candidate, Standing::Unfetched);
        self.fetches_next |= self.seats[candidate].bit;
        self.alarms.next = self.alarms.next.min(now + 1);
    }

    /// A candidate, in no set now, waits for the instruction cache.
    pub(crate) fn wait_for_instructions(&mut self, candidate: usize) {
        self.put(candidate, Standing::Unfetched);
    }

    /// A candidate, in no set now, waits until older instructions of its warp have read their operands.
    pub(crate) fn wait_for_reads(&mut self, candidate: usize) {
        self.put(candidate, Standing::Reading);
    }

    /// Whether a candidate does.
    #[inline]
    pub(crate) fn waits_for_reads(&self, candidate: usize) -> bool {
        self.stands(candidate, Standing::Reading)
    }

    /// A candidate that is ready waits for registers for its result.
    #[cold]
    pub(crate) fn throttle(&mut self, candidate: usize) {
        self.remove_ready(candidate);
        self.put(candidate, Standing::Throttled);
        self.policy.leaves(candidate);
    }

    /// The candidates that do.
    pub(crate) fn throttled(&self) -> CandidateSet {
        self.set(Standing::Throttled)
    }

    /// What a candidate fetches is discarded, until a cycle if that is known; `stays` as in [`IssueQueue::wait`].
    pub(crate) fn wait_for_entry(
        &mut self,
        candidate: usize,
        stays: bool,
        until: Option<u64>,
        now: u64,
    ) {
        self.scoreboard_full |= 1 << candidate;
        match until {
            Some(until) => self.alarms.set(candidate, 1 << candidate, until, now),
            None if stays => {}
            None => self.policy.leaves(candidate),
        }
    }

    /// Makes candidates ready whose cycle has come.
    #[inline]
    pub(crate) fn wake(&mut self, now: u64) {
        if self.alarms.next > now {
            return;
        }
        self.wants_fetch |= std::mem::take(&mut self.fetches_next);
        for candidate in members(self.alarms.take_due(now)) {
            let seat = &mut self.seats[candidate];
            let bit = seat.bit;
            if seat.standing == Standing::Unfetched {
                self.wants_fetch |= bit;
                self.scoreboard_full &= !bit;
                continue;
            }
            self.sets[seat.standing as usize] &= !bit;
            self.sets[Standing::Ready as usize] |= bit;
            seat.standing = Standing::Ready;
            self.collects |= if seat.collects { bit } else { 0 };
        }
    }

    /// Those that may issue.
    #[inline]
    fn ready(&self) -> CandidateSet {
        let ready = self.set(Standing::Ready);
        if self.room { ready } else { ready & !self.collects }
    }

    /// The candidate to issue.
    #[inline]
    pub(crate) fn pick(&mut self, now: u64) -> Option<usize> {
        let mut ready = self.ready();
        if ready == 0 {
            return None;
        }
        if self.limit.count != u32::MAX {
            ready = self.within_limit(ready, now);
            if ready == 0 {
                return None;
            }
        }
        if self.tells_accesses {
            self.policy.next_accesses(self.accesses);
        }
        self.policy.pick(ready, &self.ages, now)
    }

    /// From now on so many candidates may issue.
    pub(crate) fn set_limit(&mut self, count: u32) {
        self.limit.count = count;
    }

    /// Those of some candidates that are ready which the limit lets issue.
    #[cold]
    fn within_limit(&mut self, ready: CandidateSet, now: u64) -> CandidateSet {
        // What waits at a barrier, for a queue or for registers waits for others.
        let counted = [
            Standing::Ready,
            Standing::Reading,
            Standing::Arithmetic,
            Standing::Control,
            Standing::Memory,
            Standing::Unfetched,
        ];
        let mut others = counted.into_iter().fold(0, |all, standing| all | self.set(standing));
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

    /// The next candidate that wants to fetch.
    pub(crate) fn next_to_fetch(&mut self) -> Option<usize> {
        if self.wants_fetch == 0 {
            return None;
        }
        let rotated = self.wants_fetch.rotate_right(self.next_fetch);
        let width = CandidateSet::BITS;
        let candidate = (rotated.trailing_zeros() + self.next_fetch) % width;
        self.next_fetch = (candidate + 1) % width;
        Some(candidate as usize)
    }

    /// So many candidates fetch in turn and have it discarded.
    pub(crate) fn skip_fetches(&mut self, count: u64) {
        let all = u64::from(self.wants_fetch.count_ones());
        // All come round equally often; where that ends depends on the rest alone.
        for _ in 0..count.min(count % all + all) {
            self.next_to_fetch();
        }
    }

    /// Whether a candidate wants to fetch.
    #[inline]
    pub(crate) fn wants_fetch(&self) -> bool {
        self.wants_fetch != 0
    }

    /// Whether a candidate wants to fetch whose instructions would not be discarded.
    #[inline]
    pub(crate) fn can_fetch(&self) -> bool {
        self.wants_fetch & !self.scoreboard_full != 0
    }

    /// Whether what a candidate fetches is discarded.
    pub(crate) fn is_scoreboard_full(&self, candidate: usize) -> bool {
        has(self.scoreboard_full, candidate)
    }

    /// Whether a candidate waits for what has been pending, or for an entry of its scoreboard.
    #[inline]
    pub(crate) fn waits_for_result(&self, candidate: usize, pending: Ready) -> bool {
        let seat = &self.seats[candidate];
        match seat.standing {
            Standing::Arithmetic | Standing::Memory => seat.awaits == pending,
            Standing::Unfetched => self.is_scoreboard_full(candidate),
            _ => false,
        }
    }

    /// Whether a candidate waits for registers.
    #[inline]
    pub(crate) fn waits_for_registers(&self, candidate: usize) -> bool {
        matches!(self.seats[candidate].standing, Standing::Arithmetic | Standing::Memory)
    }

    /// The scheduler, for what it wants to hear of beside paths.
    pub(crate) fn policy(&mut self) -> &mut dyn Scheduler {
        &mut *self.policy
    }

    /// The candidates in the active pool, if the scheduler has one.
    pub(crate) fn pool(&self) -> Option<CandidateSet> {
        self.policy.pool()
    }

    /// See [`Scheduler::reexecution`].
    pub(crate) fn reexecution(&self) -> usize {
        self.policy.reexecution()
    }

    /// See [`Scheduler::owner`].
    pub(crate) fn owner(&self) -> Option<Option<usize>> {
        self.policy.owner()
    }

    pub(crate) fn issued(&mut self, candidate: usize) {
        self.policy.issued(candidate);
    }

    /// Whether something can issue or becomes ready in a cycle.
    #[inline]
    pub(crate) fn may_issue(&self, now: u64) -> bool {
        self.ready() != 0 || self.alarms.next <= now
    }

    /// The next cycle in which something can issue, or fetch what is not discarded, as far as is known.
    #[inline]
    pub(crate) fn next_event(&self, now: u64) -> u64 {
        if self.ready() != 0 || self.can_fetch() { now + 1 } else { self.alarms.next }
    }

    /// Whether a candidate waits for the instruction cache.
    pub(crate) fn waits_for_instructions(&self, candidate: usize) -> bool {
        self.stands(candidate, Standing::Unfetched)
            && !has(self.wants_fetch | self.fetches_next, candidate)
            && !self.alarms.waits(candidate)
    }
}

//! One scheduler of an SM: its candidates, which of them can issue, and why not.

use super::scoreboard::Ready;
use crate::memory::NEVER;
use crate::profile::Row;
use crate::scheduler::{self, CandidateSet, Scheduler};
use crate::statistics::{SLOT_REASONS, Statistics};

/// Why a scheduler did not issue in a cycle; or that it did. In the order of [`SLOT_REASONS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotUse {
    Issued,
    Metadata,
    RegisterRead,
    Throttled,
    PipeBusy,
    LoadStoreFull,
    Arithmetic,
    Control,
    Fetch,
    Memory,
    Scoreboard,
    EarlyLoad,
    Dequeue,
    Enqueue,
    Barrier,
    Inactive,
    Idle,
}

/// Adds issue slots to a reason's counter, of the machine or of an instruction.
macro_rules! count {
    ($reason:expr, $counters:expr, $slots:expr) => {{
        $counters.issue_slots += $slots;
        let counter = match $reason {
            SlotUse::Issued => &mut $counters.slots_issued,
            SlotUse::Metadata => &mut $counters.slots_metadata,
            SlotUse::RegisterRead => &mut $counters.slots_register_read,
            SlotUse::Throttled => &mut $counters.slots_throttled,
            SlotUse::PipeBusy => &mut $counters.slots_pipe_busy,
            SlotUse::LoadStoreFull => &mut $counters.slots_load_store_full,
            SlotUse::Arithmetic => &mut $counters.slots_arithmetic,
            SlotUse::Control => &mut $counters.slots_control,
            SlotUse::Fetch => &mut $counters.slots_fetch,
            SlotUse::Memory => &mut $counters.slots_memory,
            SlotUse::Scoreboard => &mut $counters.slots_scoreboard,
            SlotUse::EarlyLoad => &mut $counters.slots_early_load,
            SlotUse::Dequeue => &mut $counters.slots_dequeue,
            SlotUse::Enqueue => &mut $counters.slots_enqueue,
            SlotUse::Barrier => &mut $counters.slots_barrier,
            SlotUse::Inactive => &mut $counters.slots_inactive,
            SlotUse::Idle => &mut $counters.slots_idle,
        };
        *counter += $slots;
    }};
}

impl SlotUse {
    /// What people call it.
    pub(crate) fn name(self) -> &'static str {
        SLOT_REASONS[self as usize]
    }

    /// Adds so many issue slots to the reason's counter.
    pub(crate) fn count(self, statistics: &mut Statistics, slots: u64) {
        count!(self, statistics, slots);
    }

    /// Adds so many issue slots to the reason's counter of an instruction.
    pub(crate) fn count_of(self, row: &mut Row, slots: u64) {
        count!(self, row, slots);
    }
}

/// A scheduler's candidates. Each is in exactly one set of `waiting` and `unfetched`, or in none when its slot is
/// empty.
pub(crate) struct IssueQueue {
    policy: Box<dyn Scheduler>,
    /// By candidate: when its block arrived.
    ages: Vec<u64>,
    /// By candidate: the cycle from which control flow lets it issue.
    not_before: Vec<u64>,
    /// By candidate: when what it waits for is there, if it waits for registers.
    awaits: Vec<Ready>,
    /// Those that wait for a known cycle.
    alarms: Alarms,
    /// Those with an instruction, by what it waits for.
    waiting: Waiting,
    /// Those without one.
    unfetched: Unfetched,
    /// The scheduler wants to know which accesses there are.
    tells_accesses: bool,
    limit: Limit,
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

/// Candidates whose next instruction is in their buffer: each is in one of the sets, and may be in `collects` too.
#[derive(Default)]
struct Waiting {
    /// May issue as far as registers are concerned.
    ready: CandidateSet,
    /// Wait for an arithmetic result, for memory, for control flow.
    arithmetic: CandidateSet,
    memory: CandidateSet,
    control: CandidateSet,
    /// Wait until older instructions of their warp have read their operands.
    reading: CandidateSet,
    /// Wait for registers for their results.
    throttled: CandidateSet,
    /// Wait for a queue between the two streams, and which way, by candidate.
    queued: CandidateSet,
    queue_stall: Vec<SlotUse>,
    /// Wait at a barrier.
    barrier: CandidateSet,
    /// Their next instruction reads registers or computes: it has to pass the register file.
    collects: CandidateSet,
    /// It accesses the first-level cache; only if the scheduler wants to know.
    accesses: CandidateSet,
}

impl Waiting {
    /// Takes out those that `keep` does not name.
    #[inline]
    fn retain(&mut self, keep: CandidateSet) {
        self.ready &= keep;
        self.arithmetic &= keep;
        self.memory &= keep;
        self.control &= keep;
        self.reading &= keep;
        self.throttled &= keep;
        self.queued &= keep;
        self.barrier &= keep;
        self.collects &= keep;
        self.accesses &= keep;
    }

    /// Those that may issue; `room` says whether the register file has any.
    #[inline]
    fn ready(&self, room: bool) -> CandidateSet {
        if room { self.ready } else { self.ready & !self.collects }
    }
}

/// Candidates with an empty instruction buffer.
#[derive(Default)]
struct Unfetched {
    /// All of them: they want to fetch, wait until control flow lets them, or wait for the instruction cache.
    all: CandidateSet,
    /// Of these: want to fetch; and of these in turn: what they fetch is discarded, because their
    /// scoreboard is full.
    wants_fetch: CandidateSet,
    scoreboard_full: CandidateSet,
    /// The candidate from which on the next one to fetch is looked for.
    next: u32,
}

impl Unfetched {
    /// Takes out those that `keep` does not name.
    #[inline]
    fn retain(&mut self, keep: CandidateSet) {
        self.all &= keep;
        self.wants_fetch &= keep;
        self.scoreboard_full &= keep;
    }
}

/// How far ahead alarms are sorted by cycle: the bits of a word.
const NEAR: u64 = 64;

/// Candidates that wait for a known cycle.
struct Alarms {
    /// By candidate: that cycle.
    cycles: Vec<u64>,
    /// By cycle modulo [`NEAR`]: candidates that wait for it; and which of these are not empty.
    near: [CandidateSet; NEAR as usize],
    near_cycles: u64,
    /// Wait for a cycle that is further away.
    far: CandidateSet,
    /// The earliest of `cycles` over `far`, and over all candidates that are in a set.
    next_far: u64,
    next: u64,
}

impl Alarms {
    fn new(candidates: usize) -> Alarms {
        Alarms {
            cycles: vec![0; candidates],
            near: [0; NEAR as usize],
            near_cycles: 0,
            far: 0,
            next_far: NEVER,
            next: NEVER,
        }
    }

    /// A candidate no longer waits; `keep` names all others.
    #[inline]
    fn remove(&mut self, candidate: usize, keep: CandidateSet) {
        self.near[(self.cycles[candidate] % NEAR) as usize] &= keep;
        self.far &= keep;
    }

    /// A candidate that does not wait is to wake in a cycle; in this one if that has passed.
    #[inline]
    fn set(&mut self, candidate: usize, cycle: u64, now: u64) {
        let (bit, wake) = (1 << candidate, cycle.max(now));
        self.cycles[candidate] = wake;
        self.next = self.next.min(wake);
        if wake - now < NEAR {
            self.near[(wake % NEAR) as usize] |= bit;
            self.near_cycles |= 1 << (wake % NEAR);
        } else {
            self.far |= bit;
            self.next_far = self.next_far.min(wake);
        }
    }

    /// Takes out candidates whose cycle has come.
    #[inline]
    fn take_due(&mut self, now: u64) -> CandidateSet {
        // The SM never sleeps beyond a cycle in which something becomes ready, so that only the
        // present one's set can be due.
        let today = (now % NEAR) as usize;
        let mut due = std::mem::take(&mut self.near[today]);
        self.near_cycles &= !(1 << today);
        if self.next_far <= now {
            due |= self.take_far(now);
        }
        let ahead = self.near_cycles.rotate_right(today as u32);
        let near = if ahead == 0 { NEVER } else { now + u64::from(ahead.trailing_zeros()) };
        self.next = near.min(self.next_far);
        due
    }

    /// Takes out of the far candidates those whose cycle has come.
    fn take_far(&mut self, now: u64) -> CandidateSet {
        let (mut due, mut rest) = (0, self.far);
        self.next_far = NEVER;
        while rest != 0 {
            let candidate = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if self.cycles[candidate] <= now {
                due |= 1 << candidate;
            } else {
                self.next_far = self.next_far.min(self.cycles[candidate]);
            }
        }
        self.far &= !due;
        due
    }

    /// All candidates that wait.
    fn all(&self) -> CandidateSet {
        self.near.iter().fold(self.far, |all, set| all | set)
    }

    /// Whether a candidate does.
    fn waits(&self, candidate: usize) -> bool {
        let near = self.near[(self.cycles[candidate] % NEAR) as usize];
        (near | self.far) >> candidate & 1 != 0
    }
}

impl IssueQueue {
    pub(crate) fn new(policy: Box<dyn Scheduler>, candidates: usize) -> IssueQueue {
        IssueQueue {
            tells_accesses: policy.wants().cache,
            limit: Limit { count: u32::MAX, patience: 0 },
            policy,
            ages: vec![0; candidates],
            not_before: vec![0; candidates],
            awaits: vec![Ready::NOW; candidates],
            alarms: Alarms::new(candidates),
            waiting: Waiting::default(),
            unfetched: Unfetched::default(),
        }
    }

    pub(crate) fn set_age(&mut self, candidate: usize, age: u64) {
        self.ages[candidate] = age;
    }

    /// Takes a candidate out of all sets.
    #[inline]
    pub(crate) fn remove(&mut self, candidate: usize) {
        let bit = 1 << candidate;
        self.alarms.remove(candidate, !bit);
        if self.unfetched.all & bit != 0 {
            self.unfetched.retain(!bit);
        } else {
            self.waiting.retain(!bit);
        }
    }

    /// Takes out a candidate that is ready: it waits for nothing.
    #[inline]
    pub(crate) fn remove_ready(&mut self, candidate: usize) {
        let bit = 1 << candidate;
        debug_assert!(self.waiting.ready & bit != 0 && !self.alarms.waits(candidate));
        self.waiting.ready &= !bit;
        self.waiting.collects &= !bit;
        self.waiting.accesses &= !bit;
    }

    /// A candidate, in no set now, has no path.
    pub(crate) fn empty(&mut self, candidate: usize) {
        self.policy.leaves(candidate);
    }

    /// A candidate, in no set now, waits at a barrier.
    pub(crate) fn wait_at_barrier(&mut self, candidate: usize) {
        self.waiting.barrier |= 1 << candidate;
        self.policy.leaves(candidate);
    }

    /// A candidate, in no set now, waits for a queue between the two streams.
    #[cold]
    pub(crate) fn wait_for_queue(&mut self, candidate: usize, queue_stall: SlotUse) {
        self.waiting.queued |= 1 << candidate;
        self.waiting.queue_stall.resize(self.ages.len(), SlotUse::Idle);
        self.waiting.queue_stall[candidate] = queue_stall;
        self.policy.leaves(candidate);
    }

    /// A candidate comes to a strand of its code.
    pub(crate) fn begins_strand(&mut self, candidate: usize) {
        self.policy.leaves(candidate);
    }

    /// Whether a candidate does.
    pub(crate) fn waits_for_queue(&self, candidate: usize) -> bool {
        self.waiting.queued >> candidate & 1 != 0
    }

    /// Of the candidates that do, those that lack what is first in the order of reasons.
    #[cold]
    fn closest_queue_stall(&self) -> (SlotUse, CandidateSet) {
        let reasons = [SlotUse::EarlyLoad, SlotUse::Dequeue, SlotUse::Enqueue];
        let found = reasons.map(|reason| {
            let all = (0..self.waiting.queue_stall.len())
                .filter(|&at| self.waiting.queue_stall[at] == reason);
            (reason, all.fold(0, |set, at| set | 1 << at) & self.waiting.queued)
        });
        found
            .into_iter()
            .find(|(_, set)| *set != 0)
            .unwrap_or((SlotUse::Dequeue, self.waiting.queued))
    }

    /// Control flow lets a candidate issue not before a cycle.
    pub(crate) fn delay(&mut self, candidate: usize, next: u64) {
        self.not_before[candidate] = self.not_before[candidate].max(next);
    }

    /// Control flow lets a candidate issue from cycle `next` on.
    #[inline]
    pub(crate) fn set_not_before(&mut self, candidate: usize, next: u64) {
        self.not_before[candidate] = next;
    }

    /// The cycle from which control flow lets a candidate issue.
    pub(crate) fn not_before(&self, candidate: usize) -> u64 {
        self.not_before[candidate]
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
        let next = self.not_before[candidate];
        self.awaits[candidate] = registers;
        let bit = 1 << candidate;
        self.waiting.collects |= if collects { bit } else { 0 };
        let Some(cycle) = registers.cycle() else {
            if registers.is_memory() {
                self.waiting.memory |= bit;
                if !stays {
                    self.policy.leaves(candidate);
                }
            } else {
                self.waiting.arithmetic |= bit;
            }
            return;
        };
        if cycle <= next {
            self.waiting.control |= bit;
        } else if registers.is_memory() {
            self.waiting.memory |= bit;
        } else {
            self.waiting.arithmetic |= bit;
        }
        self.alarms.set(candidate, next.max(cycle), now);
    }

    /// The next instruction of a candidate, which is in a set of those with an instruction, accesses the first-level cache.
    #[inline]
    pub(crate) fn accesses(&mut self, candidate: usize) {
        self.waiting.accesses |= 1 << candidate;
    }

    /// A candidate, in no set now, has nothing in its instruction buffer: it wants to fetch as soon as
    /// control flow lets it.
    #[inline]
    pub(crate) fn wait_to_fetch(&mut self, candidate: usize, now: u64) {
        self.unfetched.all |= 1 << candidate;
        self.alarms.set(candidate, self.not_before[candidate], now);
    }

    /// A candidate, in no set now, waits for the instruction cache.
    pub(crate) fn wait_for_instructions(&mut self, candidate: usize) {
        self.unfetched.all |= 1 << candidate;
    }

    /// A candidate, in no set now, waits until older instructions of its warp have read their operands.
    pub(crate) fn wait_for_reads(&mut self, candidate: usize) {
        self.waiting.reading |= 1 << candidate;
    }

    /// Whether a candidate does.
    #[inline]
    pub(crate) fn waits_for_reads(&self, candidate: usize) -> bool {
        self.waiting.reading >> candidate & 1 != 0
    }

    /// A candidate that is ready waits for registers for its result.
    #[cold]
    pub(crate) fn throttle(&mut self, candidate: usize) {
        self.remove_ready(candidate);
        self.waiting.throttled |= 1 << candidate;
        self.policy.leaves(candidate);
    }

    /// The candidates that do.
    pub(crate) fn throttled(&self) -> CandidateSet {
        self.waiting.throttled
    }

    /// What a candidate fetches is discarded, until a cycle if that is known; `stays` as in [`IssueQueue::wait`].
    pub(crate) fn wait_for_entry(
        &mut self,
        candidate: usize,
        stays: bool,
        until: Option<u64>,
        now: u64,
    ) {
        self.unfetched.scoreboard_full |= 1 << candidate;
        match until {
            Some(until) => self.alarms.set(candidate, until, now),
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
        let woken = self.alarms.take_due(now);
        let (waiting, unfetched) = (&mut self.waiting, &mut self.unfetched);
        unfetched.wants_fetch |= woken & unfetched.all;
        unfetched.scoreboard_full &= !woken;
        waiting.ready |= woken & !unfetched.all;
        waiting.arithmetic &= !woken;
        waiting.memory &= !woken;
        waiting.control &= !woken;
    }

    /// The candidate to issue; `room` says whether the register file has any.
    #[inline]
    pub(crate) fn pick(&mut self, room: bool, now: u64) -> Option<usize> {
        let mut ready = self.waiting.ready(room);
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
            self.policy.next_accesses(self.waiting.accesses);
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
        // What waits at a barrier or for a queue waits for others.
        let Waiting { arithmetic, memory, control, reading, .. } = self.waiting;
        let waiting = arithmetic | memory | control | reading;
        let mut others = self.waiting.ready | waiting | self.unfetched.all;
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
        let fetch = &mut self.unfetched;
        if fetch.wants_fetch == 0 {
            return None;
        }
        let rotated = fetch.wants_fetch.rotate_right(fetch.next);
        let width = CandidateSet::BITS;
        let candidate = (rotated.trailing_zeros() + fetch.next) % width;
        fetch.next = (candidate + 1) % width;
        Some(candidate as usize)
    }

    /// So many candidates fetch in turn and have it discarded.
    pub(crate) fn skip_fetches(&mut self, count: u64) {
        let all = u64::from(self.unfetched.wants_fetch.count_ones());
        // All come round equally often; where that ends depends on the rest alone.
        for _ in 0..count.min(count % all + all) {
            self.next_to_fetch();
        }
    }

    /// Whether a candidate wants to fetch.
    #[inline]
    pub(crate) fn wants_fetch(&self) -> bool {
        self.unfetched.wants_fetch != 0
    }

    /// Whether a candidate wants to fetch whose instructions would not be discarded.
    #[inline]
    pub(crate) fn can_fetch(&self) -> bool {
        self.unfetched.wants_fetch & !self.unfetched.scoreboard_full != 0
    }

    /// Whether what a candidate fetches is discarded.
    pub(crate) fn is_scoreboard_full(&self, candidate: usize) -> bool {
        self.unfetched.scoreboard_full >> candidate & 1 != 0
    }

    /// Whether a candidate waits for registers whose time is not known.
    #[inline]
    pub(crate) fn waits_for(&self, candidate: usize) -> bool {
        let waiting = &self.waiting;
        (waiting.arithmetic | waiting.memory | self.unfetched.scoreboard_full) >> candidate & 1 != 0
    }

    /// Whether a candidate waits for what has been pending, or for an entry of its scoreboard.
    #[inline]
    pub(crate) fn waits_for_result(&self, candidate: usize, pending: Ready) -> bool {
        let registers = (self.waiting.arithmetic | self.waiting.memory) >> candidate & 1 != 0;
        registers && self.awaits[candidate] == pending || self.is_scoreboard_full(candidate)
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

    /// Why nothing issues now: the reason of the candidate that is closest to issuing, by kind;
    /// `blocked` is what keeps instructions out of the register file, if it has no room.
    #[inline]
    pub(crate) fn stall(&self, blocked: Option<SlotUse>) -> SlotUse {
        self.stalled(blocked).0
    }

    /// That reason with the candidates that have it.
    #[inline]
    fn stalled(&self, blocked: Option<SlotUse>) -> (SlotUse, CandidateSet) {
        let (waiting, unfetched) = (&self.waiting, &self.unfetched);
        let reasons = [
            // If there was room, the scheduler lets none of them issue.
            (blocked.unwrap_or(SlotUse::Inactive), waiting.ready),
            (SlotUse::RegisterRead, waiting.reading),
            (SlotUse::Throttled, waiting.throttled),
            (SlotUse::Arithmetic, waiting.arithmetic),
            (SlotUse::Control, waiting.control),
            (SlotUse::Fetch, unfetched.all & !unfetched.scoreboard_full),
            (SlotUse::Memory, waiting.memory),
            (SlotUse::Scoreboard, unfetched.scoreboard_full),
            // And what else is between the streams, see `closest_queue_stall`.
            (SlotUse::Dequeue, waiting.queued),
            (SlotUse::Barrier, waiting.barrier),
        ];
        match reasons.into_iter().find(|(_, candidates)| *candidates != 0) {
            Some((SlotUse::Dequeue, _)) => self.closest_queue_stall(),
            Some(found) => found,
            None => (SlotUse::Idle, 0),
        }
    }

    /// The candidate that the reason stands for: the one that is known to go on first, or else the
    /// oldest of those that have it.
    pub(crate) fn closest(&self, blocked: Option<SlotUse>) -> Option<usize> {
        let mut rest = self.stalled(blocked).1;
        let timed = self.alarms.all();
        let mut closest = None;
        while rest != 0 {
            let candidate = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let is_timed = timed >> candidate & 1 != 0;
            let wake = if is_timed { self.alarms.cycles[candidate] } else { NEVER };
            let key = (wake, self.ages[candidate], candidate);
            if closest.is_none_or(|least| key < least) {
                closest = Some(key);
            }
        }
        closest.map(|(.., candidate)| candidate)
    }

    /// Whether something is or becomes ready in a cycle.
    #[inline]
    pub(crate) fn may_issue(&self, now: u64) -> bool {
        self.waiting.ready != 0 || self.alarms.next <= now
    }

    /// The next cycle in which something can issue, as far as is known.
    #[inline]
    pub(crate) fn next_event(&self, now: u64, room: bool) -> u64 {
        if self.waiting.ready(room) != 0 { now + 1 } else { self.alarms.next }
    }

    /// Whether a candidate waits for the instruction cache.
    pub(crate) fn waits_for_instructions(&self, candidate: usize) -> bool {
        let asks = self.unfetched.all & !self.unfetched.wants_fetch;
        asks >> candidate & 1 != 0 && !self.alarms.waits(candidate)
    }
}

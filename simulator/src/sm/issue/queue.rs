//! One scheduler of an SM: its candidates, which of them can issue, and why not.

use super::scoreboard::Ready;
use crate::memory::NEVER;
use crate::profile::Row;
use crate::scheduler::{CandidateSet, Scheduler};
use crate::statistics::Statistics;

/// Why a scheduler did not issue in a cycle; or that it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotUse {
    Issued,
    RegisterRead,
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
            SlotUse::RegisterRead => &mut $counters.slots_register_read,
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
    /// Adds so many issue slots to the reason's counter.
    pub(crate) fn count(self, statistics: &mut Statistics, slots: u64) {
        count!(self, statistics, slots);
    }

    /// Adds so many issue slots to the reason's counter of an instruction.
    pub(crate) fn count_of(self, row: &mut Row, slots: u64) {
        count!(self, row, slots);
    }
}

/// How far ahead waking candidates are sorted by cycle: the bits of a word.
const NEAR: u64 = 64;

/// A scheduler's candidates. Each is in exactly one of the sets below, or in none when its slot is
/// empty.
pub(crate) struct IssueQueue {
    policy: Box<dyn Scheduler>,
    /// By candidate: when its block arrived.
    ages: Vec<u64>,
    /// By candidate: the cycle from which control flow lets it issue.
    not_before: Vec<u64>,
    /// By candidate: the cycle in which it becomes ready, if it waits for a known one.
    wakes: Vec<u64>,
    /// By candidate: when what it waits for is there, if it waits for registers.
    awaits: Vec<Ready>,
    /// May issue as far as registers are concerned.
    ready: CandidateSet,
    /// By cycle modulo [`NEAR`]: candidates that become ready in it; and which of these are not empty.
    near: [CandidateSet; NEAR as usize],
    near_cycles: u64,
    /// Wait for a known cycle that is further away.
    far: CandidateSet,
    /// Wait for an arithmetic result, for memory, for control flow, at a barrier.
    arithmetic: CandidateSet,
    memory: CandidateSet,
    control: CandidateSet,
    barrier: CandidateSet,
    /// Wait for a queue between the two streams, and which way, by candidate.
    queued: CandidateSet,
    queue_stall: Vec<SlotUse>,
    /// Have an empty instruction buffer: want to fetch, wait until control flow lets them, or wait for
    /// the instruction cache.
    unfetched: CandidateSet,
    /// Of these: want to fetch; and of these in turn: what they fetch is discarded, because their
    /// scoreboard is full.
    wants_fetch: CandidateSet,
    scoreboard_full: CandidateSet,
    /// The candidate from which on the next one to fetch is looked for.
    next_fetch: u32,
    /// Wait until older instructions of their warp have read their operands.
    reading: CandidateSet,
    /// Their next instruction reads registers or computes: it has to pass the register file.
    collects: CandidateSet,
    /// The earliest of `wakes` over `far`, and over all candidates that wait for a known cycle.
    next_far: u64,
    next_wake: u64,
}

impl IssueQueue {
    pub(crate) fn new(policy: Box<dyn Scheduler>, candidates: usize) -> IssueQueue {
        IssueQueue {
            policy,
            ages: vec![0; candidates],
            not_before: vec![0; candidates],
            wakes: vec![0; candidates],
            awaits: vec![Ready::NOW; candidates],
            ready: 0,
            near: [0; NEAR as usize],
            near_cycles: 0,
            far: 0,
            arithmetic: 0,
            memory: 0,
            control: 0,
            barrier: 0,
            queued: 0,
            queue_stall: Vec::new(),
            unfetched: 0,
            wants_fetch: 0,
            scoreboard_full: 0,
            next_fetch: 0,
            reading: 0,
            collects: 0,
            next_far: NEVER,
            next_wake: NEVER,
        }
    }

    pub(crate) fn set_age(&mut self, candidate: usize, age: u64) {
        self.ages[candidate] = age;
    }

    /// Takes a candidate out of all sets.
    #[inline]
    pub(crate) fn remove(&mut self, candidate: usize) {
        let keep = !(1 << candidate);
        self.ready &= keep;
        self.near[(self.wakes[candidate] % NEAR) as usize] &= keep;
        self.far &= keep;
        self.arithmetic &= keep;
        self.memory &= keep;
        self.control &= keep;
        self.barrier &= keep;
        self.queued &= keep;
        self.unfetched &= keep;
        self.wants_fetch &= keep;
        self.scoreboard_full &= keep;
        self.reading &= keep;
        self.collects &= keep;
    }

    /// A candidate, in no set now, has no path.
    pub(crate) fn empty(&mut self, candidate: usize) {
        self.policy.leaves(candidate);
    }

    /// A candidate, in no set now, waits at a barrier.
    pub(crate) fn wait_at_barrier(&mut self, candidate: usize) {
        self.barrier |= 1 << candidate;
        self.policy.leaves(candidate);
    }

    /// A candidate, in no set now, waits for a queue between the two streams.
    #[cold]
    pub(crate) fn wait_for_queue(&mut self, candidate: usize, queue_stall: SlotUse) {
        self.queued |= 1 << candidate;
        self.queue_stall.resize(self.ages.len(), SlotUse::Idle);
        self.queue_stall[candidate] = queue_stall;
        self.policy.leaves(candidate);
    }

    /// Whether a candidate does.
    pub(crate) fn waits_for_queue(&self, candidate: usize) -> bool {
        self.queued >> candidate & 1 != 0
    }

    /// Of the candidates that do, those that lack what is first in the order of reasons.
    #[cold]
    fn closest_queue_stall(&self) -> (SlotUse, CandidateSet) {
        let reasons = [SlotUse::EarlyLoad, SlotUse::Dequeue, SlotUse::Enqueue];
        let found = reasons.map(|reason| {
            let all = (0..self.queue_stall.len()).filter(|&at| self.queue_stall[at] == reason);
            (reason, all.fold(0, |set, at| set | 1 << at) & self.queued)
        });
        found.into_iter().find(|(_, set)| *set != 0).unwrap_or((SlotUse::Dequeue, self.queued))
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
    /// `collects` says whether its instruction passes the register file.
    #[inline]
    pub(crate) fn wait(&mut self, candidate: usize, collects: bool, registers: Ready, now: u64) {
        let next = self.not_before[candidate];
        self.awaits[candidate] = registers;
        let bit = 1 << candidate;
        self.collects |= if collects { bit } else { 0 };
        let Some(cycle) = registers.cycle() else {
            if registers.is_memory() {
                self.memory |= bit;
                self.policy.leaves(candidate);
            } else {
                self.arithmetic |= bit;
            }
            return;
        };
        if cycle <= next {
            self.control |= bit;
        } else if registers.is_memory() {
            self.memory |= bit;
        } else {
            self.arithmetic |= bit;
        }
        self.wake_at(candidate, next.max(cycle), now);
    }

    /// A candidate, in no set now, has nothing in its instruction buffer: it wants to fetch as soon as
    /// control flow lets it.
    #[inline]
    pub(crate) fn wait_to_fetch(&mut self, candidate: usize, now: u64) {
        self.unfetched |= 1 << candidate;
        self.wake_at(candidate, self.not_before[candidate], now);
    }

    /// A candidate, in no set now, waits for the instruction cache.
    pub(crate) fn wait_for_instructions(&mut self, candidate: usize) {
        self.unfetched |= 1 << candidate;
    }

    /// A candidate, in no set now, waits until older instructions of its warp have read their operands.
    pub(crate) fn wait_for_reads(&mut self, candidate: usize) {
        self.reading |= 1 << candidate;
    }

    /// Whether a candidate does.
    #[inline]
    pub(crate) fn waits_for_reads(&self, candidate: usize) -> bool {
        self.reading >> candidate & 1 != 0
    }

    /// What a candidate fetches is discarded, until a cycle if that is known.
    pub(crate) fn wait_for_entry(&mut self, candidate: usize, until: Option<u64>, now: u64) {
        self.scoreboard_full |= 1 << candidate;
        match until {
            Some(until) => self.wake_at(candidate, until, now),
            None => self.policy.leaves(candidate),
        }
    }

    #[inline]
    fn wake_at(&mut self, candidate: usize, cycle: u64, now: u64) {
        let (bit, wake) = (1 << candidate, cycle.max(now));
        self.wakes[candidate] = wake;
        self.next_wake = self.next_wake.min(wake);
        if wake - now < NEAR {
            self.near[(wake % NEAR) as usize] |= bit;
            self.near_cycles |= 1 << (wake % NEAR);
        } else {
            self.far |= bit;
            self.next_far = self.next_far.min(wake);
        }
    }

    /// Makes candidates ready whose cycle has come.
    #[inline]
    pub(crate) fn wake(&mut self, now: u64) {
        if self.next_wake > now {
            return;
        }
        // The SM never sleeps beyond a cycle in which something becomes ready, so that only the
        // present one's set can be due.
        let today = (now % NEAR) as usize;
        let mut woken = std::mem::take(&mut self.near[today]);
        self.near_cycles &= !(1 << today);
        if self.next_far <= now {
            woken |= self.wake_far(now);
        }
        self.wants_fetch |= woken & self.unfetched;
        self.scoreboard_full &= !woken;
        self.ready |= woken & !self.unfetched;
        self.arithmetic &= !woken;
        self.memory &= !woken;
        self.control &= !woken;
        let ahead = self.near_cycles.rotate_right(today as u32);
        let near = if ahead == 0 { NEVER } else { now + u64::from(ahead.trailing_zeros()) };
        self.next_wake = near.min(self.next_far);
    }

    /// Takes out of the far candidates those whose cycle has come.
    fn wake_far(&mut self, now: u64) -> CandidateSet {
        let (mut woken, mut rest) = (0, self.far);
        self.next_far = NEVER;
        while rest != 0 {
            let candidate = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if self.wakes[candidate] <= now {
                woken |= 1 << candidate;
            } else {
                self.next_far = self.next_far.min(self.wakes[candidate]);
            }
        }
        self.far &= !woken;
        woken
    }

    /// The candidate to issue; `room` says whether the register file has any.
    #[inline]
    pub(crate) fn pick(&mut self, room: bool) -> Option<usize> {
        let ready = if room { self.ready } else { self.ready & !self.collects };
        if ready == 0 { None } else { self.policy.pick(ready, &self.ages) }
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
        self.scoreboard_full >> candidate & 1 != 0
    }

    /// Whether a candidate waits for registers whose time is not known.
    #[inline]
    pub(crate) fn waits_for(&self, candidate: usize) -> bool {
        (self.arithmetic | self.memory | self.scoreboard_full) >> candidate & 1 != 0
    }

    /// Whether a candidate waits for what has been pending, or for an entry of its scoreboard.
    #[inline]
    pub(crate) fn waits_for_result(&self, candidate: usize, pending: Ready) -> bool {
        let registers = (self.arithmetic | self.memory) >> candidate & 1 != 0;
        registers && self.awaits[candidate] == pending || self.is_scoreboard_full(candidate)
    }

    /// The candidates in the active pool, if the scheduler has one.
    pub(crate) fn pool(&self) -> Option<CandidateSet> {
        self.policy.pool()
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
        let reasons = [
            // If there was room, the scheduler lets none of them issue.
            (blocked.unwrap_or(SlotUse::Inactive), self.ready),
            (SlotUse::RegisterRead, self.reading),
            (SlotUse::Arithmetic, self.arithmetic),
            (SlotUse::Control, self.control),
            (SlotUse::Fetch, self.unfetched & !self.scoreboard_full),
            (SlotUse::Memory, self.memory),
            (SlotUse::Scoreboard, self.scoreboard_full),
            // And what else is between the streams, see `closest_queue_stall`.
            (SlotUse::Dequeue, self.queued),
            (SlotUse::Barrier, self.barrier),
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
        let timed = self.near.iter().fold(self.far, |all, set| all | set);
        let mut closest = None;
        while rest != 0 {
            let candidate = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let is_timed = timed >> candidate & 1 != 0;
            let wake = if is_timed { self.wakes[candidate] } else { NEVER };
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
        self.ready != 0 || self.next_wake <= now
    }

    /// The next cycle in which something can issue, as far as is known.
    #[inline]
    pub(crate) fn next_event(&self, now: u64, room: bool) -> u64 {
        let ready = if room { self.ready } else { self.ready & !self.collects };
        if ready != 0 { now + 1 } else { self.next_wake }
    }

    /// Whether a candidate waits for the instruction cache.
    pub(crate) fn waits_for_instructions(&self, candidate: usize) -> bool {
        let timed = self.near.get((self.wakes[candidate] % NEAR) as usize);
        let timed = timed.copied().unwrap_or(0) | self.far;
        (self.unfetched & !self.wants_fetch & !timed) >> candidate & 1 != 0
    }
}

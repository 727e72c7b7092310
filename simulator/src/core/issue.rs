//! One scheduler of a core: its candidates, which of them can issue, and why not.

use super::scoreboard::Ready;
use crate::memory::NEVER;
use crate::scheduler::{CandidateSet, Scheduler};
use crate::statistics::Statistics;

/// Why a scheduler did not issue in a cycle; or that it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotUse {
    Issued,
    PipeBusy,
    LoadStoreFull,
    Arithmetic,
    Control,
    Memory,
    Barrier,
    Idle,
}

impl SlotUse {
    /// Adds so many issue slots to the reason's counter.
    pub(crate) fn count(self, statistics: &mut Statistics, slots: u64) {
        statistics.issue_slots += slots;
        let counter = match self {
            SlotUse::Issued => &mut statistics.slots_issued,
            SlotUse::PipeBusy => &mut statistics.slots_pipe_busy,
            SlotUse::LoadStoreFull => &mut statistics.slots_load_store_full,
            SlotUse::Arithmetic => &mut statistics.slots_arithmetic,
            SlotUse::Control => &mut statistics.slots_control,
            SlotUse::Memory => &mut statistics.slots_memory,
            SlotUse::Barrier => &mut statistics.slots_barrier,
            SlotUse::Idle => &mut statistics.slots_idle,
        };
        *counter += slots;
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
    /// By pipe: candidates whose next instruction it executes; the last set is of memory
    /// instructions, whose pipe is the load/store unit's.
    by_pipe: Vec<CandidateSet>,
    /// The earliest of `wakes` over `far`, and over all candidates that wait for a known cycle.
    next_far: u64,
    next_wake: u64,
    /// The use of the slot of the present cycle, and of those after it until something happens.
    pub(crate) last_use: SlotUse,
}

impl IssueQueue {
    pub(crate) fn new(policy: Box<dyn Scheduler>, candidates: usize, pipes: usize) -> IssueQueue {
        IssueQueue {
            policy,
            ages: vec![0; candidates],
            not_before: vec![0; candidates],
            wakes: vec![0; candidates],
            ready: 0,
            near: [0; NEAR as usize],
            near_cycles: 0,
            far: 0,
            arithmetic: 0,
            memory: 0,
            control: 0,
            barrier: 0,
            by_pipe: vec![0; pipes + 1],
            next_far: NEVER,
            next_wake: NEVER,
            last_use: SlotUse::Idle,
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
        for set in &mut self.by_pipe {
            *set &= keep;
        }
    }

    /// A candidate, in no set now, waits at a barrier.
    pub(crate) fn wait_at_barrier(&mut self, candidate: usize) {
        self.barrier |= 1 << candidate;
    }

    /// Control flow lets a candidate issue from cycle `next` on.
    #[inline]
    pub(crate) fn set_not_before(&mut self, candidate: usize, next: u64) {
        self.not_before[candidate] = next;
    }

    /// A candidate, in no set now, can issue an instruction of a pipe when control flow lets it and
    /// its registers are there.
    #[inline]
    pub(crate) fn wait(&mut self, candidate: usize, pipe: usize, registers: Ready, now: u64) {
        let next = self.not_before[candidate];
        let bit = 1 << candidate;
        self.by_pipe[pipe] |= bit;
        let Some(cycle) = registers.cycle() else {
            self.memory |= bit;
            return;
        };
        let wake = next.max(cycle).max(now);
        if cycle <= next {
            self.control |= bit;
        } else if registers.is_memory() {
            self.memory |= bit;
        } else {
            self.arithmetic |= bit;
        }
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
        // The core never sleeps beyond a cycle in which something becomes ready, so that only the
        // present one's set can be due.
        let today = (now % NEAR) as usize;
        let mut woken = std::mem::take(&mut self.near[today]);
        self.near_cycles &= !(1 << today);
        if self.next_far <= now {
            woken |= self.wake_far(now);
        }
        self.ready |= woken;
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

    /// The candidate to issue, given which pipes accept an instruction.
    #[inline]
    pub(crate) fn pick(&mut self, mut pipes: u64) -> Option<usize> {
        if self.ready == 0 {
            return None;
        }
        let mut allowed = 0;
        while pipes != 0 {
            allowed |= self.by_pipe[pipes.trailing_zeros() as usize];
            pipes &= pipes - 1;
        }
        let ready = self.ready & allowed;
        (ready != 0).then(|| self.policy.pick(ready, &self.ages))
    }

    pub(crate) fn issued(&mut self, candidate: usize) {
        self.policy.issued(candidate);
    }

    /// Why nothing issues now: the reason of the candidate that is closest to issuing, by kind.
    pub(crate) fn stall(&self, load_store_full: bool) -> SlotUse {
        let memory = self.by_pipe.last().copied().unwrap_or(0);
        if self.ready & !memory != 0 || self.ready != 0 && !load_store_full {
            SlotUse::PipeBusy
        } else if self.ready != 0 {
            SlotUse::LoadStoreFull
        } else if self.arithmetic != 0 {
            SlotUse::Arithmetic
        } else if self.control != 0 {
            SlotUse::Control
        } else if self.memory != 0 {
            SlotUse::Memory
        } else if self.barrier != 0 {
            SlotUse::Barrier
        } else {
            SlotUse::Idle
        }
    }

    /// Whether something is or becomes ready in a cycle.
    #[inline]
    pub(crate) fn may_issue(&self, now: u64) -> bool {
        self.ready != 0 || self.next_wake <= now
    }

    /// The next cycle in which something can issue, as far as is known.
    #[inline]
    pub(crate) fn next_event(&self, now: u64) -> u64 {
        if self.ready != 0 { now + 1 } else { self.next_wake }
    }
}

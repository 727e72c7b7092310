//! Alarms: candidates of a scheduler that wait for a known cycle.

use crate::memory::NEVER;
use crate::scheduler::{CandidateSet, has, members};

/// How far ahead alarms are sorted by cycle: the bits of a word.
const NEAR: u64 = 64;

/// Candidates that wait for a known cycle.
pub(super) struct Alarms {
    /// By candidate: that cycle.
    pub(super) cycles: Vec<u64>,
    /// By cycle modulo [`NEAR`]: candidates that wait for it; and which of these are not empty.
    near: [CandidateSet; NEAR as usize],
    near_cycles: u64,
    /// Wait for a cycle that is further away.
    far: CandidateSet,
    /// The earliest of `cycles` over `far`, and over all candidates that are in a set.
    next_far: u64,
    pub(super) next: u64,
}

impl Alarms {
    pub(super) fn new(candidates: usize) -> Alarms {
        Alarms {
            cycles: vec![0; candidates],
            near: [0; NEAR as usize],
            near_cycles: 0,
            far: 0,
            next_far: NEVER,
            next: NEVER,
        }
    }

    /// A candidate no longer waits, if it did; `keep` names all others.
    #[inline]
    pub(super) fn remove(&mut self, candidate: usize, keep: CandidateSet) {
        self.near[(self.cycles[candidate] % NEAR) as usize] &= keep;
        if self.far != 0 {
            self.far &= keep;
        }
    }

    /// A candidate that does not wait, with the set of it alone, is to wake in a cycle; in this one if that has passed.
    #[inline(always)]
    pub(super) fn set(&mut self, candidate: usize, bit: CandidateSet, cycle: u64, now: u64) {
        let wake = cycle.max(now);
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
    pub(super) fn take_due(&mut self, now: u64) -> CandidateSet {
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
        let mut due = 0;
        self.next_far = NEVER;
        for candidate in members(self.far) {
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
    pub(super) fn all(&self) -> CandidateSet {
        self.near.iter().fold(self.far, |all, set| all | set)
    }

    /// Whether a candidate does.
    pub(super) fn waits(&self, candidate: usize) -> bool {
        let near = self.near[(self.cycles[candidate] % NEAR) as usize];
        has(near | self.far, candidate)
    }
}

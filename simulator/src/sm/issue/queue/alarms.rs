//! Alarms: candidates of a group that wait for a known cycle.

use crate::execute::lanes::lanes_of;
use crate::machine::clock::NEVER;

/// The candidates of a group: the bits of a word.
pub(super) const GROUP: usize = 64;

/// The distance up to which alarms are sorted by cycle: the bits of a word.
const NEAR: u64 = 64;

/// Candidates that wait for a known cycle.
pub(super) struct Alarms {
    /// By candidate: that cycle.
    cycles: [u64; GROUP],
    /// By cycle modulo [`NEAR`]: candidates that wait for it; and which of these are not empty.
    near: [u64; NEAR as usize],
    near_cycles: u64,
    /// Wait for a cycle that is further away.
    far: u64,
    /// The earliest of `cycles` over `far`, and over all candidates that are in a set.
    next_far: u64,
    pub(super) next: u64,
}

impl Alarms {
    pub(super) fn new() -> Alarms {
        Alarms {
            cycles: [0; GROUP],
            near: [0; NEAR as usize],
            near_cycles: 0,
            far: 0,
            next_far: NEVER,
            next: NEVER,
        }
    }

    /// A candidate no longer waits, if it did; `keep` names all others.
    #[inline]
    pub(super) fn remove(&mut self, candidate: usize, keep: u64) {
        self.near[(self.cycles[candidate % GROUP] % NEAR) as usize] &= keep;
        if self.far != 0 {
            self.far &= keep;
        }
    }

    /// A candidate that does not wait, with the set of it alone, is to wake in a cycle; in this one if that has passed.
    #[inline(always)]
    pub(super) fn set(&mut self, candidate: usize, bit: u64, cycle: u64, now: u64) {
        let wake = cycle.max(now);
        self.cycles[candidate % GROUP] = wake;
        self.next = self.next.min(wake);
        if wake - now < NEAR {
            self.near[(wake % NEAR) as usize] |= bit;
            self.near_cycles |= 1 << (wake % NEAR);
        } else {
            self.far |= bit;
            self.next_far = self.next_far.min(wake);
        }
    }

    /// Removes candidates whose cycle has arrived.
    #[inline]
    pub(super) fn take_due(&mut self, now: u64) -> u64 {
        // The SM never sleeps beyond a cycle in which something becomes ready, so only the current
        // cycle's set can be due.
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

    /// Removes the far candidates whose cycle has arrived.
    fn take_far(&mut self, now: u64) -> u64 {
        let mut due = 0;
        self.next_far = NEVER;
        for candidate in lanes_of(self.far) {
            if self.cycles[candidate % GROUP] <= now {
                due |= 1 << candidate;
            } else {
                self.next_far = self.next_far.min(self.cycles[candidate % GROUP]);
            }
        }
        self.far &= !due;
        due
    }

    /// The cycle that a candidate waits for, if it does.
    pub(super) fn cycle(&self, candidate: usize) -> Option<u64> {
        self.waits(candidate).then_some(self.cycles[candidate % GROUP])
    }

    /// Returns true if a candidate does.
    pub(super) fn waits(&self, candidate: usize) -> bool {
        let near = self.near[(self.cycles[candidate % GROUP] % NEAR) as usize];
        (near | self.far) >> (candidate % GROUP) & 1 != 0
    }
}

//! The asynchronous copies of an SM that are about to arrive.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::handles::LoadId;
use crate::machine::clock::NEVER;

/// The copies whose arrival is known, by its cycle.
#[derive(Debug, Default)]
pub(super) struct CopyArrivals(BinaryHeap<Reverse<(u64, LoadId)>>);

impl CopyArrivals {
    /// The load of copies has ended: their bytes arrive in a cycle.
    pub(super) fn add(&mut self, load: LoadId, cycle: u64) {
        self.0.push(Reverse((cycle, load)));
    }

    /// The next cycle in which copies arrive.
    #[inline]
    pub(super) fn next_event(&self) -> u64 {
        self.0.peek().map_or(NEVER, |Reverse((cycle, _))| *cycle)
    }

    pub(super) fn take(&mut self, now: u64) -> Option<LoadId> {
        let is_due = self.next_event() <= now;
        let Reverse((_, load)) = is_due.then(|| self.0.pop()).flatten()?;
        Some(load)
    }
}

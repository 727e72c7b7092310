//! A queue sorted by time.

use std::collections::VecDeque;

use crate::machine::clock::NEVER;

/// Items due at known times, soonest first; items of the same time in the order in which they
/// arrived.
pub(super) struct Timed<T> {
    entries: VecDeque<(u64, T)>,
    /// The time of the first, which is read more often than it changes; [`NEVER`] if there is none.
    next: u64,
}

impl<T: Copy> Timed<T> {
    pub(super) fn new() -> Timed<T> {
        Timed { entries: VecDeque::new(), next: NEVER }
    }

    /// Adds something, which is mostly the last.
    #[inline]
    pub(super) fn insert(&mut self, time: u64, what: T) {
        if self.entries.back().is_none_or(|(last, _)| *last <= time) {
            self.entries.push_back((time, what));
        } else {
            let later = self.entries.iter().rev().take_while(|(other, _)| *other > time).count();
            self.entries.insert(self.entries.len() - later, (time, what));
        }
        self.next = self.next.min(time);
    }

    /// The cycle in which the first is due.
    #[inline]
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// The first with its time, if it is due.
    #[inline]
    pub(super) fn due(&self, now: u64) -> Option<&(u64, T)> {
        if self.next > now { None } else { self.entries.front() }
    }

    /// Forgets the first.
    pub(super) fn pop(&mut self) {
        self.entries.pop_front();
        self.next = self.entries.front().map_or(NEVER, |(time, _)| *time);
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_time_is_taken_first() {
        let mut queue = Timed::new();
        for (place, time) in [5, 3, 5, 9, 3, 4].into_iter().enumerate() {
            queue.insert(time, place);
        }
        let mut order = Vec::new();
        assert_eq!((queue.len(), queue.due(2)), (6, None));
        while let Some(&(time, place)) = queue.due(queue.next()) {
            queue.pop();
            order.push((time, place));
        }
        assert_eq!(order, [(3, 1), (3, 4), (4, 5), (5, 0), (5, 2), (9, 3)]);
        assert!(queue.is_empty() && queue.next() == NEVER);
    }
}

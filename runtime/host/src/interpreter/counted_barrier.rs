//! Barriers with a count of threads: `bar.sync 1, 64` of `asm` statements.
//!
//! A thread that arrives receives the number of the opening that it waits for.

use std::collections::BTreeMap;

/// An arrival of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The barrier.
    pub number: u32,
    /// Threads that open it.
    pub count: u32,
    /// The thread's share of the count: each warp counts as 32 threads.
    pub share: u32,
    /// The thread's value, if the barrier has a result.
    pub value: bool,
    /// The thread waits for the opening.
    pub waits: bool,
}

/// The values that threads brought to an opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Threads whose value was true.
    pub held: u32,
    /// Threads that waited.
    pub threads: u32,
    /// Threads that have not read it.
    waiting: u32,
}

#[derive(Clone, Debug, Default)]
struct Barrier {
    counted: u32,
    next: Opening,
    openings: u64,
    /// Openings that threads still have to read.
    opened: BTreeMap<u64, Opening>,
}

/// The barriers of a block.
#[derive(Clone, Debug, Default)]
pub struct Barriers {
    all: BTreeMap<u32, Barrier>,
}

impl Barriers {
    /// Counts a thread; returns the number of the opening that it belongs to.
    pub fn arrive(&mut self, arrival: Arrival) -> u64 {
        let barrier = self.all.entry(arrival.number).or_default();
        let opening = barrier.openings;
        barrier.counted += arrival.share;
        barrier.next.threads += u32::from(arrival.waits);
        barrier.next.held += u32::from(arrival.value);
        barrier.next.waiting += u32::from(arrival.waits);
        if barrier.counted >= arrival.count {
            let next = std::mem::take(&mut barrier.next);
            if next.waiting > 0 {
                barrier.opened.insert(opening, next);
            }
            (barrier.counted, barrier.openings) = (0, opening + 1);
        }
        opening
    }

    /// Reads an opening for a thread that waits for it; `None` before it.
    pub fn read(&mut self, number: u32, opening: u64) -> Option<Opening> {
        let opened = &mut self.all.get_mut(&number)?.opened;
        let found = opened.get_mut(&opening)?;
        let read = *found;
        found.waiting -= 1;
        if found.waiting == 0 {
            opened.remove(&opening);
        }
        Some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_told_apart() {
        let mut barriers = Barriers::default();
        let arrival = |value, waits| Arrival { number: 1, count: 2, share: 1, value, waits };
        assert_eq!(barriers.arrive(arrival(true, true)), 0);
        assert_eq!(barriers.read(1, 0), None);
        assert_eq!(barriers.arrive(arrival(false, true)), 0);
        // The next threads arrive and open it again before the first ones have read.
        assert_eq!(barriers.arrive(arrival(true, false)), 1);
        assert_eq!(barriers.arrive(arrival(true, true)), 1);
        let found = [0, 0, 1].map(|opening| barriers.read(1, opening).unwrap());
        assert_eq!(found.map(|it| (it.held, it.threads)), [(1, 2), (1, 2), (2, 1)]);
        assert_eq!(barriers.read(1, 0), None);
    }
}

//! Events of an SM, in the form in which mechanisms receive them.
//!
//! The stage in which something happens raises its event once. Each mechanism states the kinds that it receives as an
//! [`EventSet`]; the stage tests the set before it computes anything for the event, so an empty set costs one test.
//! Decisions, such as the choice of a candidate, are methods of the slots' traits instead.

use crate::program::loops::LoopPlace;

/// A set of the candidates of one scheduler: bit `i` is candidate `i`.
pub type CandidateSet = u128;

/// An event of an SM. Candidates are indices at the scheduler that receives the event.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// An instruction of a candidate issued.
    Issued {
        /// The candidate.
        candidate: usize,
    },
    /// A candidate started to wait for memory, at a barrier or for a queue, or lost its path.
    Left {
        /// The candidate.
        candidate: usize,
    },
    /// An instruction of a candidate entered the operand collector.
    Collected {
        /// The candidate.
        candidate: usize,
    },
    /// An instruction of a candidate left the operand collector and began to execute.
    Executing {
        /// The candidate.
        candidate: usize,
    },
    /// The warp of a candidate started.
    WarpStarted {
        /// The candidate.
        candidate: usize,
    },
    /// An affine warp started, which belongs to no block.
    AffineWarpStarted {
        /// The candidate.
        candidate: usize,
    },
    /// All threads of a candidate's warp ended.
    WarpEnded {
        /// The candidate.
        candidate: usize,
    },
    /// The scheduler is about to choose.
    Choosing {
        /// The candidates whose next instruction accesses the L1.
        accesses: CandidateSet,
    },
    /// The L1 evicted a line that the warp of a candidate had fetched.
    Evicted {
        /// The candidate.
        candidate: usize,
        /// The line's number.
        line: u64,
    },
    /// A load of a candidate's warp missed a line in the L1 and requested it.
    Missed {
        /// The candidate.
        candidate: usize,
        /// The line's number.
        line: u64,
        /// The cycle.
        now: u64,
    },
    /// The load/store unit finished a cycle of work.
    MissesPending {
        /// MSHRs of the L1 in use.
        used: usize,
        /// MSHRs of the L1.
        all: usize,
    },
    /// The launch begins.
    CacheShared {
        /// Lines of the L1 per scheduler.
        lines: u32,
    },
    /// A candidate's path moved.
    InLoop {
        /// The candidate.
        candidate: usize,
        /// Its loop; `None` outside loops with loads, at a barrier, and without a path.
        place: Option<LoopPlace>,
    },
    /// An instruction of a candidate wrote a predicate.
    Compared {
        /// The candidate.
        candidate: usize,
        /// The instruction.
        pc: u32,
        /// A digest of the operands of one of its lanes.
        value: u64,
    },
    /// A candidate took a backward branch.
    BranchedBackward {
        /// The candidate.
        candidate: usize,
        /// The branch.
        pc: u32,
        /// The cycle.
        now: u64,
    },
}

/// A set of kinds of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventSet(u32);

macro_rules! kinds {
    ($($constant:ident $kind:ident $bit:literal,)*) => {
        impl EventSet {
            $(
                #[doc = concat!("The kind [`Event::", stringify!($kind), "`].")]
                pub const $constant: EventSet = EventSet(1 << $bit);
            )*
        }

        impl Event {
            /// The event's kind, as a set of one.
            #[inline(always)]
            pub const fn kind(&self) -> EventSet {
                match self {
                    $(Event::$kind { .. } => EventSet::$constant,)*
                }
            }
        }
    };
}

kinds! {
    ISSUED Issued 0,
    LEFT Left 1,
    COLLECTED Collected 2,
    EXECUTING Executing 3,
    WARP_STARTED WarpStarted 4,
    AFFINE_WARP_STARTED AffineWarpStarted 5,
    WARP_ENDED WarpEnded 6,
    CHOOSING Choosing 7,
    EVICTED Evicted 8,
    MISSED Missed 9,
    MISSES_PENDING MissesPending 10,
    CACHE_SHARED CacheShared 11,
    IN_LOOP InLoop 12,
    COMPARED Compared 13,
    BRANCHED_BACKWARD BranchedBackward 14,
}

impl EventSet {
    /// No kind.
    pub const NONE: EventSet = EventSet(0);

    /// The kinds of two sets.
    pub const fn and(self, other: EventSet) -> EventSet {
        EventSet(self.0 | other.0)
    }

    /// Returns true if the sets share a kind.
    #[inline(always)]
    pub const fn has(self, other: EventSet) -> bool {
        self.0 & other.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_the_kinds_that_were_added() {
        let set = EventSet::ISSUED.and(EventSet::MISSED);
        assert!(set.has(Event::Issued { candidate: 3 }.kind()));
        assert!(set.has(EventSet::MISSED.and(EventSet::LEFT)));
        assert!(!set.has(Event::Left { candidate: 3 }.kind()));
        assert!(!EventSet::NONE.has(set));
    }
}

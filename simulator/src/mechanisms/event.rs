//! Events of an SM, in the form in which mechanisms receive them.
//!
//! The stage in which something happens raises its event once. Each mechanism states the kinds that it receives as an
//! [`EventSet`]; the stage tests the set before it computes anything for the event, so an empty set costs one test.
//! Decisions, such as the choice of a candidate, are methods of the slots' traits instead.

use crate::handles::WarpSlot;
use crate::mechanisms::allocation::access::LineAccess;
use crate::mechanisms::register_file::operands::{Destination, PathAt, Transfer};
use crate::program::loops::LoopPlace;
use crate::program::regions::Regions;
use reconverge_isa::Hints;
use std::fmt;
use std::sync::Arc;

/// A set of the candidates of one scheduler: bit `i` is candidate `i`.
pub type CandidateSet = u128;

/// An event of an SM. Candidates are indices at the scheduler that receives the event; hardware warps are indices at the
/// SM, or at the sub-core of a register file that receives the event.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// An instruction of a candidate issued.
    Issued {
        /// The candidate.
        candidate: usize,
        /// The instruction.
        instruction: IssuedInstruction<'a>,
    },
    /// A candidate started to wait, or lost its path.
    Left {
        /// The candidate.
        candidate: usize,
        /// The reason.
        reason: LeaveReason,
    },
    /// A candidate's path arrived at a switch point of its code
    /// ([`Placement::is_switch_point`](reconverge_isa::Placement::is_switch_point)).
    ReachedSwitchPoint {
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
        /// Its hints.
        hints: Hints,
        /// A digest of the operands of one of its lanes.
        value: u64,
    },
    /// A candidate took a backward branch.
    BranchedBackward {
        /// The candidate.
        candidate: usize,
        /// The branch.
        pc: u32,
        /// Its hints.
        hints: Hints,
        /// The cycle.
        now: u64,
    },
    /// The code of the launch is known; raised with each block that arrives.
    CodeLoaded {
        /// Registers below this one live long, by the kernel's record.
        long_lived: u32,
        /// The regions of the code, if it has some.
        regions: Option<&'a Arc<Regions>>,
        /// The code has switch points, and the register file relies on them: a path leaves an active pool there, and keeps
        /// its place while it waits for memory.
        has_switch_points: bool,
    },
    /// A hardware warp arrived with its block.
    WarpArrived {
        /// The hardware warp.
        warp: WarpSlot,
        /// Its scheduler.
        scheduler: u16,
        /// Grows with the arrival of its block, then with the warp's index in the block.
        age: u64,
        /// Its registers.
        registers: u16,
        /// The cycle.
        now: u64,
    },
    /// All threads of a hardware warp ended: only its issued instructions still need its registers' contents.
    ThreadsEnded {
        /// The hardware warp.
        warp: WarpSlot,
        /// The cycle.
        now: u64,
    },
    /// The block of a hardware warp ended: the warp's registers are free.
    WarpReleased {
        /// The hardware warp.
        warp: WarpSlot,
        /// Its registers.
        registers: u16,
        /// The cycle.
        now: u64,
    },
    /// A hardware warp became active or inactive. Under a scheduler with an active pool it is active while one of its
    /// paths is in the pool; otherwise from the start of its block to the block's end.
    ActiveChanged {
        /// The hardware warp.
        warp: WarpSlot,
        /// It is active now.
        active: bool,
        /// The cycle.
        now: u64,
    },
    /// A path arrived at an instruction, and continues as soon as it may.
    PathArrived {
        /// The path.
        path: PathAt,
        /// The cycle.
        now: u64,
    },
    /// The path of a slot started to wait for others, or ended.
    PathStopped {
        /// The hardware warp.
        warp: WarpSlot,
        /// The path's slot among those of the warp.
        slot: u16,
    },
    /// A result is about to be written; not raised for the warps of a mechanism.
    Writing {
        /// The registers.
        result: &'a Destination,
        /// The words of the registers by lane, one register after the other.
        values: &'a [u32],
        /// The lanes of the warp whose threads have not ended.
        alive: u64,
    },
    /// A result replaced the registers' contents, but another mechanism of the SM keeps it: it is not written.
    Bypassed {
        /// The registers.
        result: &'a Destination,
        /// The cycle.
        now: u64,
    },
    /// A register that [`Effects::transfers`] loads arrived.
    RegisterLoaded {
        /// The hardware warp.
        warp: WarpSlot,
        /// The register.
        register: u16,
        /// The cycle of its arrival.
        ready: u64,
        /// The cycle; earlier ones are over.
        now: u64,
    },
    /// All stages of the SM finished their work of the cycle.
    CycleEnded {
        /// The cycle.
        now: u64,
    },
    /// All requested sectors of an access are in a way of its set.
    LineHit {
        /// The access.
        access: &'a LineAccess,
        /// The way.
        way: usize,
    },
    /// Some requested sectors of a load, or of a read or atomic at the L2, are in no way of its set. It has requested
    /// them, merges with a miss, or bypasses the cache.
    LineMissed {
        /// The access.
        access: &'a LineAccess,
    },
    /// A line took a way of its set.
    LinePlaced {
        /// The access.
        access: &'a LineAccess,
        /// The way.
        way: usize,
    },
    /// The line in a way was dropped: the way is empty.
    LineDropped {
        /// The set.
        set: usize,
        /// The way.
        way: usize,
    },
    /// The cache uses another choice from now on, of those that its mechanism samples.
    ChoiceMade {
        /// The choice.
        choice: usize,
    },
}

/// An instruction with its hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionHints {
    /// The instruction.
    pub pc: u32,
    /// Its hints, with its cache operator.
    pub hints: Hints,
}

/// The instruction of an event that most schedulers receive and few ask about: it is looked up when it is requested.
#[derive(Clone, Copy)]
pub struct IssuedInstruction<'a>(&'a dyn Fn() -> Option<InstructionHints>);

impl<'a> IssuedInstruction<'a> {
    /// No instruction of a kernel.
    pub const NONE: IssuedInstruction<'static> = IssuedInstruction(&|| None);

    pub(crate) fn new(find: &'a dyn Fn() -> Option<InstructionHints>) -> IssuedInstruction<'a> {
        IssuedInstruction(find)
    }

    /// The instruction; `None` for the warp of a mechanism.
    pub fn get(self) -> Option<InstructionHints> {
        (self.0)()
    }
}

impl fmt::Debug for IssuedInstruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// The reason for which a candidate cannot issue soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaveReason {
    /// It waits for memory.
    Memory,
    /// It waits at a barrier.
    Barrier,
    /// It waits for an operand queue.
    Queue,
    /// It waits for registers that are free.
    Registers,
    /// It has no path.
    End,
}

/// The reason for which a candidate does not issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stall {
    /// Nothing, as far as registers are concerned; its pipe may be busy.
    Nothing,
    /// Older instructions of its warp have not read their operands.
    OperandRead,
    /// The register file has no room for its result.
    Registers,
    /// The result of an arithmetic instruction.
    Arithmetic,
    /// The result of a load or an atomic.
    Memory,
    /// Control flow: it issues in a later cycle.
    Control,
    /// Its next instruction has not been fetched.
    Fetch,
    /// Its scoreboard is full.
    Scoreboard,
    /// An operand queue.
    Queue,
    /// A barrier.
    Barrier,
    /// It has no path.
    End,
}

/// Requests of mechanisms, which the stage that raised an event carries out after the call.
#[derive(Debug, Default)]
pub struct Effects {
    /// Registers became free: paths that wait for registers may issue.
    pub freed_registers: bool,
    /// Registers to load from their backing store in memory or to write to it, in order.
    pub transfers: Vec<Transfer>,
}

impl Event<'_> {
    /// [`Event::Issued`] of no instruction, for tests of schedulers.
    pub const fn issued(candidate: usize) -> Event<'static> {
        Event::Issued { candidate, instruction: IssuedInstruction::NONE }
    }
}

/// A set of kinds of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventSet(u64);

macro_rules! kinds {
    ($($constant:ident $kind:ident $bit:literal,)*) => {
        impl EventSet {
            $(
                #[doc = concat!("The kind [`Event::", stringify!($kind), "`].")]
                pub const $constant: EventSet = EventSet(1 << $bit);
            )*
        }

        impl Event<'_> {
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
    CODE_LOADED CodeLoaded 15,
    WARP_ARRIVED WarpArrived 16,
    THREADS_ENDED ThreadsEnded 17,
    WARP_RELEASED WarpReleased 18,
    ACTIVE_CHANGED ActiveChanged 19,
    PATH_ARRIVED PathArrived 20,
    PATH_STOPPED PathStopped 21,
    WRITING Writing 22,
    BYPASSED Bypassed 23,
    REGISTER_LOADED RegisterLoaded 24,
    CYCLE_ENDED CycleEnded 25,
    LINE_HIT LineHit 26,
    LINE_MISSED LineMissed 27,
    LINE_PLACED LinePlaced 28,
    LINE_DROPPED LineDropped 29,
    CHOICE_MADE ChoiceMade 30,
    REACHED_SWITCH_POINT ReachedSwitchPoint 31,
}

impl EventSet {
    /// No kind.
    pub const NONE: EventSet = EventSet(0);

    /// The kinds that an instruction raises which neither branches nor waits: whoever receives one needs every
    /// instruction.
    pub const PER_INSTRUCTION: EventSet = EventSet::COMPARED
        .and(EventSet::BRANCHED_BACKWARD)
        .and(EventSet::IN_LOOP)
        .and(EventSet::REACHED_SWITCH_POINT)
        .and(EventSet::PATH_ARRIVED);

    /// The kinds of two sets.
    pub const fn and(self, other: EventSet) -> EventSet {
        EventSet(self.0 | other.0)
    }

    /// The kinds of the first set that the second one lacks.
    pub const fn without(self, other: EventSet) -> EventSet {
        EventSet(self.0 & !other.0)
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
        assert!(set.has(Event::issued(3).kind()));
        assert!(set.has(EventSet::MISSED.and(EventSet::LEFT)));
        assert!(!set.has(Event::Collected { candidate: 3 }.kind()));
        assert!(!EventSet::NONE.has(set));
    }
}

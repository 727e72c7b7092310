//! Planted faults, by which the tester is tested: a tester that finds none of the known faults proves
//! nothing when it finds none at all.
//!
//! The compiler and the simulator call [`Planted::is_on`] at the place of each fault. Without the
//! feature `planted-faults` the answer is a constant, and the program contains no part of the fault.
//! With it, tests switch on one fault at a time in the running thread. The checked tree and the
//! interpreter never call it: the oracle has no planted faults.

/// A planted fault, with what tests need to find it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The fault to switch on.
    pub fault: Planted,
    /// Its name: the name of the variant.
    pub name: &'static str,
    /// The file that it is planted in.
    pub place: &'static str,
    /// The fault, in a sentence.
    pub sentence: &'static str,
    /// The number of generated programs, from seed 0 on, among which one must show it.
    pub within: u64,
}

#[cfg(feature = "planted-faults")]
mod switch {
    use super::Planted;
    use std::cell::Cell;

    thread_local! {
        static ON: Cell<Option<Planted>> = const { Cell::new(None) };
    }

    impl Planted {
        /// Returns true if the fault is switched on in this thread.
        #[inline(always)]
        pub fn is_on(self) -> bool {
            ON.get() == Some(self)
        }

        /// Does something with the fault switched on; also when that panics, it is off afterwards.
        pub fn during<T>(self, work: impl FnOnce() -> T) -> T {
            struct Restore(Option<Planted>);
            impl Drop for Restore {
                fn drop(&mut self) {
                    ON.set(self.0);
                }
            }
            let _restore = Restore(ON.replace(Some(self)));
            work()
        }
    }
}

#[cfg(not(feature = "planted-faults"))]
impl Planted {
    /// Always false: this program is built without planted faults.
    #[inline(always)]
    pub const fn is_on(self) -> bool {
        false
    }
}

macro_rules! faults {
    ($( $(#[doc = $doc:literal])+ $name:ident in $place:literal within $within:literal; )*) => {
        /// A fault; [`FAULTS`] has its sentence.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Planted {
            $( $(#[doc = $doc])+ $name, )*
        }

        /// Every fault, in the order in which a program passes their places.
        pub const FAULTS: &[Row] = &[
            $( Row {
                fault: Planted::$name,
                name: stringify!($name),
                place: $place,
                sentence: concat!($($doc),+).trim_ascii(),
                within: $within,
            }, )*
        ];
    };
}

faults! {
    /// A signed number is shifted to the right without its sign.
    LogicalShift in "compiler/src/lower/expr.rs" within 60;
    /// An `int` is widened with zeroes.
    ZeroExtended in "compiler/src/lower/convert.rs" within 20;
    /// `c++` of a small type is not cut to the type.
    IncrementNotCut in "compiler/src/lower/expr.rs" within 400;
    /// `||` of two cheap operands is an exclusive or.
    ExclusiveOr in "compiler/src/lower/expr.rs" within 400;
    /// A division on the right of `&&` is cheap enough to be made in any case.
    DivisionIsCheap in "compiler/src/lower/expr.rs" within 400;
    /// `a /= b` divides as the type of `a` says, not the common type.
    CompoundInOwnType in "compiler/src/lower/expr.rs" within 60;
    /// `i++` has the new value.
    PostfixIsPrefix in "compiler/src/lower/expr.rs" within 20;
    /// A pointer steps forward by a constant where it should step back.
    PointerForward in "compiler/src/lower/expr.rs" within 150;

    /// Threads that leave a loop in different rounds are taken to bring the same values.
    NoTemporalDivergence in "compiler/src/analysis/flow.rs" within 150;
    /// A divergent branch is taken not to matter at its reconvergence point.
    JoinsIgnored in "compiler/src/analysis/flow.rs" within 20;
    /// A store to a local variable counts as made by all threads, even under a condition.
    StoreIsCertain in "compiler/src/analysis/convergence.rs" within 60;
    /// Atomics return the same to all lanes.
    AtomicIsUniform in "compiler/src/analysis/convergence.rs" within 60;
    /// A branch is judged by its condition where that is computed, not where it is read.
    ConditionAtDefinition in "compiler/src/analysis/convergence.rs" within 400;
    /// Memory of a thread's own is uniform at a uniform address.
    OwnMemoryIsUniform in "compiler/src/analysis/convergence.rs" within 20;
    /// A word that may have wrapped is widened as if it had not.
    NothingWraps in "compiler/src/analysis/transfer.rs" within 150;
    /// A selection between uniform values is uniform, even if the condition is not.
    ChoiceIsUniform in "compiler/src/analysis/transfer.rs" within 20;
    /// A constant that shares a bit with a value is added instead of joined by or.
    OrIsSum in "compiler/src/analysis/transfer.rs" within 60;
    /// The smaller of two affine values is the first.
    MinimumIsFirst in "compiler/src/analysis/transfer.rs" within 400;

    /// Subtraction commutes.
    SubtractionCommutes in "compiler/src/pass/fold.rs" within 20;
    /// Two shifts to the left add up modulo the width.
    ShiftsWrap in "compiler/src/pass/fold.rs" within 400;
    /// A sign extension from 8 bits makes a zero extension from 16 superfluous.
    ExtensionIsDone in "compiler/src/pass/fold.rs" within 400;
    /// A constant is subtracted from 64 bits in 32.
    SubtractNarrow in "compiler/src/pass/fold.rs" within 400;
    /// A number that may be negative is divided as if it were not.
    SignForgotten in "compiler/src/pass/value_range.rs" within 20;
    /// Where `a < b` does not hold `a` is greater.
    LimitPassed in "compiler/src/analysis/value_range.rs" within 400;
    /// The sign that an arithmetic shift repeats is taken not to be read.
    SignNotAsked in "compiler/src/pass/demanded_bits.rs" within 60;
    /// A negative number divided by a power of two is rounded down.
    QuotientRoundsDown in "compiler/src/pass/strength.rs" within 20;
    /// The signed remainder by a power of two is a mask.
    RemainderIsMask in "compiler/src/pass/strength.rs" within 20;
    /// A block is bypassed although a phi distinguishes its edge from another.
    EdgesConfused in "compiler/src/pass/cfg.rs" within 20;
    /// A store does not end what is known of memory.
    StoreForgotten in "compiler/src/pass/gvn.rs" within 20;
    /// A store in a loop does not end the knowledge from before the loop.
    LoopWritesForgotten in "compiler/src/pass/memory_ssa.rs" within 60;
    /// A load where paths meet gives what one of them has stored.
    OnePathForAll in "compiler/src/pass/join_loads.rs" within 60;
    /// Accesses at different constants are apart, even if these are added to different bases.
    BaseForgotten in "compiler/src/pass/alias.rs" within 400;
    /// A load is computed where paths part, like a sum, even if a store is in between.
    LoadIsHoisted in "compiler/src/pass/hoist.rs" within 60;
    /// The two sides of a selection change places.
    SidesSwapped in "compiler/src/pass/if_convert.rs" within 20;
    /// An arm that divides is made a selection.
    DivisionIsSafe in "compiler/src/pass/if_convert.rs" within 20;
    /// In `a || b`, `a` itself is used in place of its complement.
    FirstNotNegated in "compiler/src/pass/join_conditions.rs" within 60;
    /// After a rotated loop stands what was there before it.
    ValueBeforeLoop in "compiler/src/pass/rotate.rs" within 20;
    /// A loop that is written out loses a round.
    RoundLost in "compiler/src/pass/unroll.rs" within 20;
    /// After an unrolled loop stands what its first iteration has computed.
    FirstRoundStays in "compiler/src/pass/unroll.rs" within 20;
    /// A partly unrolled loop is entered with fewer iterations left than it makes.
    MainLoopTooLong in "compiler/src/pass/partial_unroll.rs" within 20;
    /// The iterations that a partly unrolled loop leaves are not made.
    RemainderForgotten in "compiler/src/pass/partial_unroll.rs" within 20;
    /// A constant moves out of a shift as it is.
    ConstantNotShifted in "compiler/src/pass/reassociate.rs" within 400;
    /// A load leaves a loop that writes what it reads.
    LoadLeavesLoop in "compiler/src/pass/licm.rs" within 60;
    /// A division leaves a loop that does not make it in every round.
    DivisionLeavesLoop in "compiler/src/pass/licm.rs" within 400;
    /// An address that goes down steps up.
    StepSignLost in "compiler/src/pass/induction.rs" within 60;
    /// An address that may be in one of two windows is in the first.
    FirstWindow in "compiler/src/pass/address_space.rs" within 20;
    /// An atomic whose result is unused is dead.
    AtomicIsDead in "compiler/src/pass/dead.rs" within 20;
    /// A load may move before an earlier store.
    LoadPassesStore in "compiler/src/pass/schedule.rs" within 150;
    /// Adjacent words are accessed at once wherever they are.
    WideUnaligned in "compiler/src/pass/wide_access.rs" within 400;
    /// A part of a wide access passes accesses of the same memory.
    WidePasses in "compiler/src/pass/wide_access.rs" within 400;
    /// If a vector is read in part, the first members are read in place of the right ones.
    MembersMoveUp in "compiler/src/pass/wide_access.rs" within 60;
    /// Accesses may change places with a barrier.
    BarrierPassed in "compiler/src/pass/schedule.rs" within 150;

    /// The words of a funnel shift change places.
    FunnelHalves in "compiler/src/lower/fuse.rs" within 60;
    /// A comparison whose complement is joined with a condition is joined itself.
    JoinedComplement in "compiler/src/lower/fuse.rs" within 60;
    /// A negative quotient by a constant is rounded down.
    QuotientNotCorrected in "compiler/src/lower/divide.rs" within 60;
    /// A critical edge to the first target of a branch is not split.
    EdgeNotSplit in "compiler/src/lower/edges.rs" within 20;
    /// A vote counts all lanes that arrive, including those outside the mask.
    MaskNotCounted in "compiler/src/lower/collective.rs" within 150;
    /// The complement of a predicate is read as the predicate.
    ComplementLost in "compiler/src/lower/select.rs" within 20;
    /// A constant in the address of a local variable is dropped.
    OffsetForgotten in "compiler/src/lower/select.rs" within 20;
    /// 64-bit literals with the same low word share a place.
    LiteralsClash in "compiler/src/lower/select.rs" within 20;
    /// A register is free after its last read in a block, though other blocks read it.
    IntervalShort in "compiler/src/lower/interval.rs" within 20;
    /// A pair may start at an odd register.
    PairIsOdd in "compiler/src/lower/allocate.rs" within 20;
    /// A spilled pair has the place of one word.
    SpillPlaceShort in "compiler/src/lower/spill.rs" within 20;
    /// Parallel copies are made one by one in their order.
    CopiesInOrder in "compiler/src/lower/copies.rs" within 20;
    /// When two registers are exchanged, other copies go on reading the old places.
    ExchangeUnnoticed in "compiler/src/lower/copies.rs" within 20;
    /// A branch around the next block has the wrong polarity.
    WrongPolarity in "compiler/src/lower/emit.rs" within 20;
    /// Threads reconverge one block after their paths join.
    LateReconvergence in "compiler/src/lower/emit.rs" within 20;

    /// A read is the last although threads on the other path of a branch still read.
    OtherPathForgotten in "compiler/src/machine_code/last_read.rs" within 20;
    /// A value stays at an upper level of the register file where its warp may leave the active pool.
    PlacedAcrossStrands in "compiler/src/machine_code/placement.rs" within 150;
    /// A region that writes a register in some lanes does not bring in what the others have.
    OtherLanesNotStaged in "compiler/src/machine_code/staging.rs" within 150;
    /// A masked write ends the old value in all lanes.
    MaskedWriteEnds in "compiler/src/machine_code/last_read.rs" within 20;
    /// A value read after the reconvergence point is not kept live on the paths.
    ReconvergenceNeedsNothing in "compiler/src/machine_code/waiting.rs" within 20;
    /// Threads that wait at a barrier inside a side need nothing.
    NobodyWaitsAtBarriers in "compiler/src/machine_code/waiting.rs" within 400;
    /// A value that the next iteration of a loop reads is not live at the end of an iteration.
    LoopReadsForgotten in "compiler/src/machine_code/liveness.rs" within 20;
    /// Values are kept in uniform registers where threads of a warp have parted.
    UniformWhereParted in "compiler/src/lower/uniform.rs" within 20;
    /// A stall count is one too small.
    StallTooSmall in "compiler/src/machine_code/control_bits.rs" within 20;
    /// No instruction waits for dependence counter 0.
    CounterForgotten in "compiler/src/machine_code/control_bits.rs" within 20;

    /// A 64-bit immediate has no sign.
    ImmediateUnsigned in "simulator/src/program/decode.rs" within 20;
    /// All threads of a three-dimensional block are in its first plane.
    FlatBlock in "simulator/src/program/decode.rs" within 60;
    /// The scoreboard notes the register after the one that is written.
    ScoreboardOffByOne in "simulator/src/program/decode.rs" within 20;
    /// The last warp of a ragged block is full.
    RaggedWarpFull in "simulator/src/mechanisms/divergence/slot.rs" within 20;
    /// The lanes that do not jump are forgotten at the reconvergence point.
    LanesForgotten in "simulator/src/mechanisms/divergence/simt_stack.rs" within 20;
    /// The code after the reconvergence point runs before one of the paths.
    MeetingBeforeSide in "simulator/src/mechanisms/divergence/simt_stack.rs" within 20;
    /// A barrier opens when all but one warp have arrived.
    BarrierOpensEarly in "simulator/src/block/barrier.rs" within 150;
    /// An exit counts a whole warp.
    ExitCountsWarp in "simulator/src/block/mod.rs" within 60;
    /// Only the last warp's votes at a barrier count.
    LastVoteCounts in "simulator/src/block/votes.rs" within 150;
    /// Lanes that are elsewhere vote, and their votes count.
    AbsentVote in "simulator/src/execute/collective.rs" within 150;
    /// A shuffle upwards goes downwards.
    UpIsDown in "simulator/src/execute/collective.rs" within 150;
    /// Computations do not look at their guard.
    GuardIgnored in "simulator/src/execute/operands.rs" within 20;
    /// A result of many lanes is written in the others too.
    MaskIgnored in "simulator/src/execute/operands.rs" within 20;
    /// A predicate that some lanes write becomes false in the others.
    MaskedWriteKills in "simulator/src/execute/operands.rs" within 20;
    /// If only some lanes write a pair, the high word stays.
    HighWordStays in "simulator/src/execute/operands.rs" within 20;
    /// If the atomics of two neighbouring lanes hit one address, the second is lost.
    AtomicLost in "simulator/src/execute/memory.rs" within 20;
    /// A store of a byte or two writes a word.
    WordForByte in "simulator/src/execute/memory.rs" within 20;
    /// Local memory of neighbouring threads overlaps.
    LocalOverlaps in "simulator/src/execute/memory.rs" within 20;
    /// Addresses are consecutive if the first and the last are as far apart.
    EndsAreConsecutive in "simulator/src/execute/memory.rs" within 20;
    /// A result is there a cycle too early.
    ResultEarly in "simulator/src/sm/writeback.rs" within 20;
    /// The last line of a warp's access is not requested.
    LineDropped in "simulator/src/memory/coalesce.rs" within 20;
}

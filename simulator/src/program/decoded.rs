//! An instruction of a launch, resolved for execution.

use reconverge_isa::planted::Planted;
use reconverge_isa::{
    Annotations, Effect, Evaluator, Hints, MatrixMove, Op, Placement, Queue, Space, Unit, Width,
};

use crate::execute::source_rows::SourceRows;
use crate::handles::Resource;
use crate::mechanisms::register_file::{Operands, ResultRegisters};
use crate::program::memory_times::MemoryTimes;
use crate::program::operands::{Source, Target};

/// The most scoreboard entries an instruction reads or writes: for a product of matrices, sources of four, two and four
/// registers, a result of four, and a guard; with unlimited dependence counters ([`super::control_bits`]) also those of
/// the reads of its result, and the stall count.
const MAX_DEPENDENCES: usize = 20;

/// A short list of scoreboard entries.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entries {
    list: [u16; MAX_DEPENDENCES],
    count: u8,
    /// The number of entries at the beginning of which [`Entries::limit`] results may still be outstanding:
    /// they are dependence counters.
    limited: u8,
    limit: u8,
    /// For each entry, the bit of its number's low bits.
    bits: u64,
}

impl Entries {
    pub(super) fn push(&mut self, entry: usize) {
        if let Some(place) = self.list.get_mut(usize::from(self.count)) {
            *place = entry as u16;
            self.count += 1;
            self.bits |= 1 << (entry % 64);
        }
    }

    /// The same, where so many results of the first entries may still be outstanding.
    pub(crate) fn limited(self, limited: usize, limit: u8) -> Entries {
        Entries { limited: limited as u8, limit, ..self }
    }

    /// The number of entries at the beginning of which some results may still be outstanding.
    #[inline(always)]
    pub(crate) fn limited_count(&self) -> usize {
        usize::from(self.limited)
    }

    /// The number of results of each of these that may still be outstanding.
    pub(crate) fn limit(&self) -> usize {
        usize::from(self.limit)
    }

    /// Returns true if there are none.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns true if an entry is among those of both.
    #[inline]
    pub(crate) fn meet(&self, other: &Entries) -> bool {
        self.bits & other.bits != 0 && self.iter().any(|one| other.iter().any(|it| it == one))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.list[..usize::from(self.count)].iter().map(|&entry| usize::from(entry))
    }
}

impl FromIterator<usize> for Entries {
    fn from_iter<T: IntoIterator<Item = usize>>(entries: T) -> Entries {
        let mut all = Entries::default();
        entries.into_iter().for_each(|entry| all.push(entry));
        all
    }
}

/// The control bits of an instruction beside its counters, and their consequences. Without control bits the default.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Control {
    /// The cycles from its issue to that of the next instruction, at least 1.
    pub(crate) stall: u8,
    /// Bit `i` is set if source `i` stays in the operand cache.
    pub(crate) reuse: u8,
    /// The counters that it raises rise a cycle after its issue, and the next instruction, which waits
    /// for one of them, may issue before that.
    pub(crate) rises_late: bool,
    /// Results are not forwarded to it, as it is of varying latency.
    pub(crate) reads_unforwarded: bool,
    /// The compiler claims that all active threads of a warp access one address.
    pub(crate) common: bool,
    /// Its uniform registers, on a machine that keeps them apart.
    pub(crate) uniform: Uniform,
}

/// The uniform registers of an instruction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Uniform {
    /// Bit `i` is set if source `i` is one.
    pub(crate) sources: u8,
    /// The uniform datapath computes its result.
    pub(crate) computes: bool,
}

impl Default for Control {
    fn default() -> Control {
        Control {
            stall: 1,
            reuse: 0,
            rises_late: false,
            reads_unforwarded: false,
            common: false,
            uniform: Uniform::default(),
        }
    }
}

/// One instruction, resolved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
    pub(crate) op: Op,
    /// The function that evaluates it on this host.
    pub(crate) evaluator: Evaluator,
    pub(crate) effect: Effect,
    /// Index in [`Unit::ALL`].
    pub(crate) unit: u8,
    /// Index in [`Machine::resolved_units`]: of its unit, or of its operation's own timing.
    pub(crate) timing: u8,
    pub(crate) space: Space,
    /// For loads, stores and atomics.
    pub(crate) width: Width,
    pub(crate) guard: Option<(u16, bool)>,
    pub(crate) target: Target,
    pub(crate) sources: [Source; 3],
    /// The rows of its sources, if all have rows and warps have the width of the fast path.
    pub(crate) rows: Option<SourceRows>,
    /// The register that it writes, if it is one; a number that none has otherwise.
    pub(crate) target_row: u32,
    /// True if it accesses memory as rows ([`moves_as_row`]).
    pub(crate) moves_as_row: bool,
    /// The number of instructions from this one on that only compute, from rows ([`computes_row`]).
    pub(crate) computations: u32,
    /// The registers among its sources, and those that it writes.
    pub(crate) operands: Operands,
    pub(crate) result: Option<ResultRegisters>,
    /// The number of its sources that are neither registers nor predicates.
    pub(crate) other_operands: u8,
    /// The queue that it takes something from or puts something into, and the site.
    pub(crate) queue: Option<(Queue, u8)>,
    /// True if the dequeued value counts as its complement.
    pub(crate) negated: bool,
    /// A barrier that the second stream has too.
    pub(crate) matched: bool,
    /// Added to addresses modulo 2³².
    pub(crate) offset: u32,
    /// For branches and `bssy`.
    pub(crate) jump: u32,
    /// For `bssy` and `bsync`; for `cp.async.wait` the groups that it leaves pending.
    pub(crate) barrier: u8,
    pub(crate) annotations: Annotations,
    /// Its hints, with its cache operator.
    pub(crate) hints: Hints,
    /// The places of its registers.
    pub(crate) placement: Placement,
    /// Its result has a long latency: it arrives from memory outside the SM, or from a unit with a
    /// long latency.
    pub(crate) is_long: bool,
    /// True if a source or the result has 64 bits or more.
    pub(crate) is_wide: bool,
    /// For a `warp.sync`: the vote, shuffle, match or reduction that follows it.
    pub(crate) leads_to: Option<Op>,
    /// True if it can be part of a straight run ([`is_straight`]).
    pub(crate) is_straight: bool,
    /// True if the checker receives each of its executions: it may set or clear a mark ([`Flows`]).
    pub(crate) is_marked: bool,
    /// True if claims are to be checked, the same for all instructions of a launch. It is a field
    /// here because issue has the instruction, but not the launch.
    pub(crate) verify: bool,
    /// Scoreboard entries that must be ready before it issues: read and written ones.
    pub(crate) needs: Entries,
    /// Scoreboard entries that it writes.
    pub(crate) writes: Entries,
    /// The line of constant memory that one of its operands is in, if instructions look it up at issue.
    pub(crate) constant: Option<u32>,
    /// Its times as an access, if operands are delivered in a fixed time.
    pub(crate) memory: MemoryTimes,
    /// The resource that it needs to issue, beside results.
    pub(crate) need: Resource,
    /// Scoreboard entries that are free when its sources have been read; only if operands are delivered in a fixed time.
    pub(crate) reads: Entries,
    /// Its control bits beside counters.
    pub(crate) control: Control,
    /// Its result takes a fixed time from its issue; only if operands are delivered so.
    pub(crate) is_fixed: bool,
}

impl Decoded {
    /// Returns true if it accesses the L1, or may: a generic address can be in shared memory too.
    pub(crate) fn accesses_cache(&self) -> bool {
        matches!(self.effect, Effect::Load | Effect::Store | Effect::Atomic | Effect::Copy)
            && matches!(self.space, Space::Global | Space::Local | Space::Generic)
    }

    /// Returns true if operands are delivered in a fixed time, and its result is not.
    pub(crate) fn varies(&self) -> bool {
        self.collects() && !self.is_fixed
    }

    /// The registers that it writes.
    #[inline]
    pub(crate) fn result(&self) -> Option<&ResultRegisters> {
        self.result.as_ref()
    }

    /// Computes [`Decoded::result`].
    pub(super) fn find_result(&self) -> Option<ResultRegisters> {
        let Placement { result: level, and_main, .. } = self.placement;
        match self.target {
            Target::Register { index: register, words } => {
                Some(ResultRegisters { register, words, level, and_main, is_long: self.is_long })
            }
            _ => None,
        }
    }

    /// The lower (0) or upper (1) half of a load or store of sixteen bytes, at the same address.
    pub(crate) fn half(&self, at: u16) -> Decoded {
        let mut half = Decoded { width: Width::B64, rows: None, target_row: u32::MAX, ..*self };
        if let Target::Register { index, .. } = self.target {
            half.target = Target::Register { index: index + 2 * at, words: 2 };
            half.result = half.find_result();
        }
        if let Source::Register { index, .. } = self.sources[1] {
            half.sources[1] = Source::Register { index: index + 2 * at, words: 2 };
        }
        half
    }

    /// Half of the accesses of rows of matrices, eight bytes each, whose words are in other lanes' registers.
    pub(crate) fn half_of_rows(&self) -> Decoded {
        let sources = [self.sources[0], Source::None, Source::None];
        Decoded { width: Width::B64, target: Target::None, sources, ..*self }
    }

    /// The scoreboard entries that a load resolves: also those of its sources, if it keeps them.
    pub(crate) fn resolves(&self) -> Entries {
        match self.memory.holds_sources {
            true => self.writes.iter().chain(self.reads.iter()).collect(),
            false => self.writes,
        }
    }

    /// Its unit, the number of its sources that are no register or predicate, and its effect.
    pub(super) fn counted(&self) -> (u8, u8, Effect) {
        (self.unit, self.other_operands, self.effect)
    }

    /// Returns true if control may both take it and continue.
    pub(crate) fn is_conditional(&self) -> bool {
        self.guard.is_some() || self.dequeues()
    }

    /// Returns true if it accesses memory.
    #[inline]
    pub(crate) fn accesses_memory(&self) -> bool {
        matches!(self.effect, Effect::Load | Effect::Store | Effect::Atomic | Effect::Copy)
    }

    /// Returns true if lanes of a warp may have to meet at it.
    #[inline(always)]
    pub(crate) fn meets(&self) -> bool {
        self.effect == Effect::Collective || self.op.is_matrix_access()
    }

    /// Bytes that it loads into each lane, or stores from it: of an access of matrices, not those of a row.
    pub(crate) fn moved_bytes(&self) -> u32 {
        MatrixMove::of(self.op).map_or(self.width.bytes(), |it| 4 * it.count as u32)
    }

    /// Returns true if it passes the operand collector to a pipe; control flow and enqueues read no
    /// registers there.
    #[inline(always)]
    pub(crate) fn collects(&self) -> bool {
        use Effect::{AwaitCopies, Branch, Bssy, Bsync, Depbar, Enqueue, Exit};
        let is_control = matches!(self.effect, Branch | Exit | Bssy | Bsync | Enqueue | Depbar);
        !is_control && !self.is_barrier() && self.effect != AwaitCopies
    }

    /// Returns true if it arrives at a barrier of the block, with or without a count.
    #[inline]
    pub(crate) fn is_barrier(&self) -> bool {
        matches!(self.effect, Effect::Barrier | Effect::CountedBarrier)
    }

    /// Returns true if threads wait at it for others of their block.
    #[inline]
    pub(crate) fn waits_at_barrier(&self) -> bool {
        self.is_barrier() && self.op != Op::CountedBarrierArrive
    }

    /// Returns true for a barrier with a reduction.
    pub(crate) fn reduces(&self) -> bool {
        self.is_barrier() && self.op.row().result.is_some()
    }

    /// Returns true if it may have to wait for the other one of two streams, or for copies.
    #[inline]
    pub(crate) fn may_be_held(&self) -> bool {
        self.queue.is_some() | self.matched | (self.effect == Effect::AwaitCopies)
    }

    /// Returns true if it takes something from a queue.
    pub(crate) fn dequeues(&self) -> bool {
        self.queue.is_some() && self.effect != Effect::Enqueue
    }
}

/// Returns true if an instruction can be part of a straight run: it concerns no other path, and no
/// queue.
pub(crate) fn is_straight(instruction: &Decoded) -> bool {
    let by_itself = match instruction.effect {
        _ if instruction.op.is_matrix() => false,
        Effect::Compute | Effect::Divide | Effect::Load | Effect::Store | Effect::Atomic => true,
        Effect::Branch => true,
        Effect::Collective => instruction.op != Op::WarpSync,
        Effect::Exit | Effect::Bssy | Effect::Bsync => false,
        Effect::Barrier | Effect::CountedBarrier => false,
        Effect::Enqueue | Effect::Depbar | Effect::Copy | Effect::AwaitCopies => false,
    };
    by_itself && instruction.queue.is_none() && !instruction.verify
}

/// Returns true if an instruction can be part of a straight run, and only computes, from rows.
pub(crate) fn computes_row(instruction: &Decoded) -> bool {
    let is_straight = instruction.is_straight && instruction.effect == Effect::Compute;
    is_straight && instruction.rows.is_some()
}

/// Returns true if warps of [`BLOCK`] lanes may execute a memory instruction by rows
/// ([`warp_access`]): a load, or a store or atomic of a width with an implementation by rows.
///
/// [`BLOCK`]: reconverge_isa::BLOCK
pub(crate) fn moves_as_row(instruction: &Decoded) -> bool {
    if instruction.rows.is_none() || instruction.op.is_matrix_access() {
        return false;
    }
    match instruction.effect {
        Effect::Load => true,
        Effect::Store => matches!(instruction.width, Width::B32 | Width::B64),
        Effect::Atomic => instruction.width == Width::B32 && !Planted::AtomicLost.is_on(),
        _ => false,
    }
}

/// A unit's place in [`Unit::ALL`].
pub(crate) fn unit_index(unit: Unit) -> u8 {
    let index = Unit::ALL.iter().position(|(known, _)| *known == unit);
    index.unwrap_or(0) as u8
}

//! Why a candidate does not issue: the reasons that issue slots are charged to.

use crate::mechanisms::event::{LeaveReason, Stall};
use crate::observe::slot_use::SlotUse;

/// Why a candidate does not issue its next instruction, or that nothing keeps it from that. In the order of which is closest
/// to issuing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocked {
    /// Nothing does, as far as registers are concerned.
    No,
    /// Older instructions of its warp have not read their operands.
    Operands,
    /// The register file has no room for its result.
    Registers,
    /// An arithmetic result has not arrived.
    Arithmetic,
    /// Control flow lets it issue only later.
    Control,
    /// Its scoreboard is full: what it fetches is discarded.
    ScoreboardFull,
    /// Its instruction buffer is empty: it fetches, or will when control flow lets it.
    Fetch,
    /// The instruction cache does not have its next instruction.
    Instructions,
    /// The result of a load or an atomic has not arrived.
    Memory,
    /// Asynchronous copies that it waits for have not arrived.
    Copies,
    /// The memory instruction that fills its queue has not been executed.
    EarlyLoad,
    /// The queue that it reads is empty.
    Dequeue,
    /// The queue that it fills is full.
    Enqueue,
    /// It waits at a barrier.
    Barrier,
    /// It has no path.
    Empty,
}

/// A set of reasons.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockedSet(u16);

impl BlockedSet {
    pub(crate) const OPERANDS: BlockedSet = BlockedSet(1 << Blocked::Operands as u16);
    pub(crate) const REGISTERS: BlockedSet = BlockedSet(1 << Blocked::Registers as u16);
    pub(crate) const COPIES: BlockedSet = BlockedSet(1 << Blocked::Copies as u16);
    pub(crate) const INSTRUCTIONS: BlockedSet = BlockedSet(1 << Blocked::Instructions as u16);
    /// Nothing that is not known to end: it may be about to issue.
    pub(crate) const ISSUING: BlockedSet =
        BlockedSet(BlockedSet::RESULTS.0 | 1 << Blocked::No as u16 | 1 << Blocked::Control as u16);
    /// Results, of arithmetic and of memory.
    pub(crate) const RESULTS: BlockedSet =
        BlockedSet(1 << Blocked::Arithmetic as u16 | 1 << Blocked::Memory as u16);
    /// Results, and the entries that they hold in a scoreboard.
    pub(crate) const SCOREBOARD: BlockedSet =
        BlockedSet(BlockedSet::RESULTS.0 | 1 << Blocked::ScoreboardFull as u16);
    /// Queues between the two streams.
    pub(crate) const QUEUES: BlockedSet = BlockedSet(
        1 << Blocked::EarlyLoad as u16
            | 1 << Blocked::Dequeue as u16
            | 1 << Blocked::Enqueue as u16,
    );

    /// Returns true if a reason is in the set.
    #[inline(always)]
    pub(crate) fn has(self, blocked: Blocked) -> bool {
        self.0 >> blocked as u16 & 1 != 0
    }
}

impl Blocked {
    /// The number of reasons.
    pub(super) const ALL: usize = Blocked::Empty as usize + 1;

    /// All reasons but `Empty`, from the closest to issuing to the farthest.
    pub(super) const BY_CLOSENESS: [Blocked; Blocked::ALL - 1] = [
        Blocked::No,
        Blocked::Operands,
        Blocked::Registers,
        Blocked::Arithmetic,
        Blocked::Control,
        // Their fetches are discarded, and take the turns of paths that only have to fetch.
        Blocked::ScoreboardFull,
        Blocked::Fetch,
        Blocked::Instructions,
        Blocked::Memory,
        Blocked::Copies,
        Blocked::EarlyLoad,
        Blocked::Dequeue,
        Blocked::Enqueue,
        Blocked::Barrier,
    ];

    /// The use of an issue slot in which the closest candidate is blocked. A candidate that nothing
    /// blocks is one that the scheduler does not let issue.
    pub(super) fn slot_use(self) -> SlotUse {
        match self {
            Blocked::No => SlotUse::Inactive,
            Blocked::Operands => SlotUse::RegisterRead,
            Blocked::Registers => SlotUse::Throttled,
            Blocked::Arithmetic => SlotUse::Arithmetic,
            Blocked::Control => SlotUse::Control,
            Blocked::Fetch | Blocked::Instructions => SlotUse::Fetch,
            Blocked::Memory => SlotUse::Memory,
            Blocked::Copies => SlotUse::Copies,
            Blocked::ScoreboardFull => SlotUse::Scoreboard,
            Blocked::EarlyLoad => SlotUse::EarlyLoad,
            Blocked::Dequeue => SlotUse::Dequeue,
            Blocked::Enqueue => SlotUse::Enqueue,
            Blocked::Barrier => SlotUse::Barrier,
            Blocked::Empty => SlotUse::Idle,
        }
    }

    /// The same for schedulers.
    pub(super) fn for_schedulers(self) -> Stall {
        match self {
            Blocked::No => Stall::Nothing,
            Blocked::Operands => Stall::OperandRead,
            Blocked::Registers => Stall::Registers,
            Blocked::Arithmetic => Stall::Arithmetic,
            Blocked::Control => Stall::Control,
            Blocked::Fetch | Blocked::Instructions => Stall::Fetch,
            Blocked::Memory | Blocked::Copies => Stall::Memory,
            Blocked::ScoreboardFull => Stall::Scoreboard,
            Blocked::EarlyLoad | Blocked::Dequeue | Blocked::Enqueue => Stall::Queue,
            Blocked::Barrier => Stall::Barrier,
            Blocked::Empty => Stall::End,
        }
    }

    /// The reason for which a scheduler is notified that a candidate has left, for those that end
    /// at no known cycle.
    pub(super) fn leave_reason(self) -> Option<LeaveReason> {
        match self {
            Blocked::Registers => Some(LeaveReason::Registers),
            Blocked::Copies => Some(LeaveReason::Memory),
            Blocked::EarlyLoad | Blocked::Dequeue | Blocked::Enqueue => Some(LeaveReason::Queue),
            Blocked::Barrier => Some(LeaveReason::Barrier),
            Blocked::Empty => Some(LeaveReason::End),
            _ => None,
        }
    }
}

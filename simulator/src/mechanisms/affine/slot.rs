//! Slot `affine`: an SM's treatment of values that are equal in all threads, or grow evenly from
//! thread to thread.
//!
//! Source of the comparison: Wang and Lin, "Decoupled affine computation for SIMT GPUs", ISCA 2017,
//! beside Aamodt, Fung, Rogers, §3.5. All mechanisms except inexact ones (see [`Design::is_exact`])
//! decide time only, never a value. A [`Design`] is a machine file's description; each SM has its
//! own [`Affine`], whose hooks the SM's stages call, unless the design is `none`.

use crate::mechanisms::demands::Streams;
use crate::mechanisms::setup::Setup;
use reconverge_isa::{Instruction, WarpSource};

use crate::block::operand_queues::OperandQueues;
use crate::block::path::Lanes;
use crate::block::threads::Threads;
use crate::handles::{BlockSlot, HolderId};
use crate::machine::Machine;
use crate::machine::clock::NEVER;
use crate::mechanisms::mechanism::check_range;
use crate::mechanisms::register_file::Operands;
use crate::memory::link::Link;
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::run::fault::Trap;
use crate::run::livelock::{BackwardBranch, Producers};
use crate::sm::lsu::LoadStoreUnit;
use crate::sm::lsu::l1::holds::{Hold, HoldLimits};
use crate::sm::lsu::request::LsuPorts;
use crate::sm::residency::BlockSlots;

/// Constructs a mechanism from its options.
pub(crate) type Build = &'static (dyn Fn(&Setup) -> Result<Box<dyn Design>, String> + Sync);

/// A mechanism as a machine file describes it.
pub(crate) trait Design {
    /// Checks that it works on a machine whose other mechanisms exist, and whose threads are or are not in the lanes of
    /// their places; the error is a sentence.
    fn check(&self, _machine: &Machine, _lanes_in_order: bool) -> Result<(), String> {
        Ok(())
    }

    /// Returns true if instructions have the results that they have without it.
    fn is_exact(&self) -> bool {
        true
    }

    /// The kernels that are compiled into two streams for it.
    fn streams(&self) -> Streams {
        Streams::One
    }

    /// Its part of an SM of `_schedulers` schedulers and `_block_slots` block slots; none if it has
    /// none.
    fn of_sm(&self, _schedulers: u32, _block_slots: usize) -> Option<Box<dyn Affine>> {
        None
    }

    /// Checks that it can execute an instruction of a kernel's second stream; the error is a
    /// sentence.
    fn check_second_stream(&self, instruction: &Instruction) -> Result<(), String> {
        Err(format!("nothing executes `{}` of a second stream", instruction.op.row().mnemonic))
    }

    /// Executes the second stream of a kernel for a block without time: in the functional model.
    fn without_time(&self, _code: &Code, _block: u64) -> Option<Box<dyn SecondStream>> {
        None
    }
}

/// The second stream of a kernel, executed for one block without time. It fills the queues from which the block's
/// warps dequeue.
pub(crate) trait SecondStream {
    /// Its PC; none when it has ended.
    fn pc(&self) -> Option<u32>;

    /// Executes its next instruction, and counts it. Returns the instruction's PC. While
    /// `searching` for a livelock, its records carry its state.
    fn step(
        &mut self,
        code: &Code,
        constant: &[u8],
        searching: bool,
        queues: &mut OperandQueues,
        statistics: &mut Statistics,
    ) -> Result<u32, Box<Trap>>;

    /// A hash of the state that decides its later actions.
    fn fingerprint(&self) -> u64;

    /// Counts the totals when it has ended.
    fn finish(&self, statistics: &mut Statistics);

    /// Its line in the report of a deadlock: it waits for nothing, but may be in an endless loop.
    fn waits(&self, code: &Code) -> Option<MechanismWait>;
}

/// The wait reason of a mechanism, or of a part of it, in a deadlock.
#[derive(Clone, Debug)]
pub(crate) struct MechanismWait {
    /// Its SM; 0 in the functional model.
    pub(crate) sm: usize,
    /// The instruction that waits, or that has caused the wait.
    pub(crate) pc: u32,
    /// The wait reason; `None` if it does not wait, but executes a stream that may not end.
    pub(crate) waits: Option<String>,
    /// The sentence used instead if it executes a stream and was found to recur.
    pub(crate) recurs: Option<String>,
}

/// The form of an instruction's execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// By a unit of the mechanism's, which starts it in this cycle.
    pub(crate) starts: Option<u64>,
    /// Registers that are expanded into vectors first.
    pub(crate) expansions: u32,
    /// Its use of its pipe otherwise.
    pub(crate) takes: Takes,
    /// The registers that it reads from banks.
    pub(crate) operands: Operands,
}

impl How {
    /// As without a mechanism.
    pub(crate) fn in_lanes(instruction: &Decoded) -> How {
        How { starts: None, expansions: 0, takes: Takes::Lanes, operands: instruction.operands }
    }
}

/// An instruction's use of its pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// The passes of its lanes.
    Lanes,
    /// The pass of one lane; the others do nothing in it.
    OneLane,
    /// No pipe: its result arrives from elsewhere, at the time the pipe would have it.
    NoPipe,
}

/// The instruction that an affine warp executed, as far as the SM's stages need it.
pub(crate) struct OwnIssue {
    /// The instruction.
    pub(crate) pc: u32,
    /// The warp's PC now; none if it has ended.
    pub(crate) next: Option<u32>,
    /// The instruction's use of the SM.
    pub(crate) work: OwnWork,
    /// The program has broken a rule.
    pub(crate) trap: Option<Box<Trap>>,
}

/// The use of the SM by an instruction of an affine warp.
pub enum OwnWork {
    /// Its issue slot alone.
    Nothing,
    /// A pipe, for this many lanes.
    Lanes(u64),
    /// A unit of the mechanism's, and a pipe.
    Unit {
        /// The cycle in which the unit starts with the last part of it.
        last: u64,
        /// Lanes of the pipe, if there are any.
        lanes: u64,
    },
    /// These words of constant memory.
    Constants(Vec<u32>),
}

/// The start of an affine warp: its index, the first instruction, the block that reports name
/// for it, and its scoreboard's entries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnStart {
    pub(crate) warp: usize,
    pub(crate) pc: u32,
    pub(crate) block: u64,
    pub(crate) scoreboard_entries: usize,
}

/// The outcome of a cycle.
#[derive(Debug, Default)]
pub(crate) struct Ticked {
    /// Something that a warp may wait for has changed.
    pub(crate) has_news: bool,
    /// A warp of the mechanism's own starts.
    pub(crate) starts: Option<OwnStart>,
    /// Warps of its own that may continue, a bit each.
    pub(crate) resumes: u32,
}

/// The parts of the SM that a mechanism uses in a cycle.
pub struct Ports<'a> {
    /// The kernel.
    pub code: &'a Code,
    /// The cycle.
    pub now: u64,
    /// The SM's number.
    pub sm: usize,
    /// Blocks are in flight to the SM.
    pub arriving: bool,
    /// A livelock is being searched for.
    pub searching: bool,
    /// Constant memory.
    pub constant: &'a [u8],
    /// Blocks an atomic of which is still to take place, by block slot.
    pub has_atomic: &'a dyn Fn(BlockSlot) -> bool,
    /// The blocks that are here.
    pub blocks: &'a mut BlockSlots,
    /// Early loads go through it.
    pub lsu: &'a mut LoadStoreUnit,
    /// The link to memory.
    pub memory: &'a mut Link,
    /// The counters of the SM.
    pub statistics: &'a mut Statistics,
    /// Warps that may find their operands in their queues: block slot, and warp of the block.
    pub supplied: &'a mut Vec<(BlockSlot, usize)>,
    /// The backward branches, for the livelock watch.
    pub backward: &'a mut Vec<BackwardBranch>,
}

impl Ports<'_> {
    /// The queues that the warps of the block in a slot dequeue.
    pub fn queues(&mut self, slot: BlockSlot) -> Option<&mut OperandQueues> {
        self.blocks.block_mut(slot).queues.as_deref_mut()
    }

    /// Asks early for sectors of a line, given its address, for a load that has lines `own` already.
    pub fn hold_line(
        &mut self,
        line: u64,
        sectors: u8,
        load: HolderId,
        limits: HoldLimits,
        own: &mut Vec<u64>,
    ) -> Hold {
        let mut ports = LsuPorts {
            now: self.now,
            sm: self.sm,
            memory: &mut *self.memory,
            statistics: &mut *self.statistics,
            profile: None,
        };
        self.lsu.hold_line(line, sectors, load, limits, own, &mut ports)
    }
}

/// The block of an instruction.
#[derive(Clone, Copy)]
pub(crate) struct BlockView<'a> {
    pub code: &'a Code,
    /// Its block slot.
    pub slot: BlockSlot,
    pub threads: &'a Threads,
}

/// The block of an instruction whose results may change.
pub(crate) struct BlockViewMut<'a> {
    pub code: &'a Code,
    /// Its block slot.
    pub slot: BlockSlot,
    pub threads: &'a mut Threads,
}

/// A mechanism's part of an SM: its hooks, in the order in which a block meets them. Each does
/// nothing by default.
pub(crate) trait Affine: Send {
    /// Returns true if it receives the values that instructions write: [`Affine::executed`] and the
    /// methods that go with it.
    fn watches_values(&self) -> bool {
        false
    }

    /// Returns true if it receives the operands that instructions read: [`Affine::reads`].
    fn watches_operands(&self) -> bool {
        false
    }

    /// The number of its own warps, which issue beside those of blocks; at most 32.
    fn own_warps(&self) -> usize {
        0
    }

    /// A block has arrived in a slot; `_arrival` counts the arrivals.
    fn admit(&mut self, _code: &Code, _slot: BlockSlot, _arrival: u64, _now: u64) {}

    /// A block is about to leave its slot; the site of something that was enqueued for it and is left.
    fn leave(&mut self, _slot: BlockSlot, _now: u64) -> Option<u8> {
        None
    }

    /// Returns true if a source of an instruction that is about to issue disagrees with its tag.
    fn is_broken(
        &self,
        _code: &Code,
        _slot: BlockSlot,
        _instruction: &Decoded,
        _threads: &Threads,
        _lanes: &Lanes,
    ) -> bool {
        false
    }

    /// An instruction is about to be executed in some lanes and reads its sources.
    fn reads(
        &mut self,
        _instruction: &Decoded,
        _sources: [WarpSource; 3],
        _lanes: u64,
        _statistics: &mut Statistics,
    ) {
    }

    /// An instruction was executed in the lanes of a mask, and [`Affine::executed`] follows: a mechanism that is not
    /// exact gives lanes other results.
    fn approximate(
        &mut self,
        _block: BlockViewMut,
        _instruction: &Decoded,
        _lanes: &Lanes,
        _mask: u64,
        _statistics: &mut Statistics,
    ) {
    }

    /// An instruction has issued: `_dequeued` is true if it has dequeued, `_progress` if threads
    /// have ended or passed a barrier.
    fn issued(&mut self, _dequeued: bool, _progress: bool, _now: u64) {}

    /// An instruction that computes or accesses memory was executed in the lanes of a mask: how, as far as time is
    /// concerned.
    fn executed(
        &mut self,
        _block: BlockView,
        _instruction: &Decoded,
        _lanes: &Lanes,
        _mask: u64,
        _now: u64,
        _statistics: &mut Statistics,
    ) -> Option<How> {
        None
    }

    /// An instruction of control flow was executed in the lanes of a mask.
    fn controlled(
        &mut self,
        _block: BlockView,
        _instruction: &Decoded,
        _lanes: &Lanes,
        _mask: u64,
        _statistics: &mut Statistics,
    ) {
    }

    /// A load whose lines were requested early has issued. Returns the lines that are held for
    /// it, by number.
    fn take_held_lines(
        &mut self,
        _load: HolderId,
        _now: u64,
        _statistics: &mut Statistics,
    ) -> Vec<u64> {
        Vec::new()
    }

    /// Everything that happens in a cycle.
    fn tick(&mut self, _ports: &mut Ports) -> Ticked {
        Ticked::default()
    }

    /// Executes the next instruction of a warp of its own.
    fn issue_own(
        &mut self,
        _warp: usize,
        _ports: &mut Ports,
    ) -> Result<Option<OwnIssue>, Box<Trap>> {
        Ok(None)
    }

    /// Returns true if the queue that the next instruction of an own warp fills has no room.
    fn lacks_room(&self, _warp: usize) -> bool {
        false
    }

    /// Updates the counters that are sums over cycles, until a cycle. `_held` lines are held.
    fn count(&mut self, _held: u64, _statistics: &mut Statistics, _now: u64) {}

    /// The next cycle in which something can happen, as far as is known.
    fn next_event(&self) -> u64 {
        NEVER
    }

    /// Returns true if it waits for room towards memory.
    fn needs_room(&self) -> bool {
        false
    }

    /// Returns true if nothing is stored or in flight.
    fn is_idle(&self) -> bool {
        true
    }

    /// The entries that still arrive in the queues of warps as long as all paths continue as now.
    fn producers(&self, _blocks: &BlockSlots, _lsu: &LoadStoreUnit) -> Producers {
        Producers::MayGoOn
    }

    /// No search for a livelock is in progress: only later actions are of interest.
    fn forget_actions(&mut self) {}

    /// The wait reasons of its parts, for the report of a deadlock.
    fn waits(
        &self,
        _code: &Code,
        _sm: usize,
        _blocks: &BlockSlots,
        _lsu: &LoadStoreUnit,
    ) -> Vec<MechanismWait> {
        Vec::new()
    }
}

/// Refuses numbers of units that there cannot be.
pub(super) fn units(units: Option<u32>) -> Result<(), String> {
    units.map_or(Ok(()), |count| check_range("units", count, 1..=16))
}

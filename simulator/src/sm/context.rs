//! The context of an SM's step: what surrounds it, and what it gives back.
use crate::execute::Executor;
use crate::mechanisms::block_scheduler::slot::SmRoom;
use crate::memory::device::GlobalPort;
use crate::memory::link::Link;
use crate::program::code::Code;
use crate::run::fault::Trap;
use crate::run::livelock::BackwardBranch;

/// Cycles that an SM runs without hearing of the others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Epoch {
    /// The first.
    pub(crate) from: u64,
    /// The one after the last.
    pub(crate) to: u64,
    /// Do not jump over cycles in which nothing can happen.
    pub(crate) all: bool,
    /// A livelock is being searched for: backward branches are of interest.
    pub(crate) searching: bool,
}

/// The outcome of an epoch that other parts need.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The trap that ended it, with its cycle.
    pub(crate) trap: Option<(u64, Box<Trap>)>,
    /// Warp instructions.
    pub(crate) instructions: u64,
    /// Blocks that have left.
    pub(crate) blocks_done: u64,
    /// Its room, if blocks have left.
    pub(crate) room: SmRoom,
    /// Threads have ended, passed a barrier, or changed shared or local memory.
    pub(crate) progress: bool,
    /// Backward branches taken since then, with the place and state of the path that took them or
    /// waits for it.
    pub(crate) backward: Vec<BackwardBranch>,
}

/// The context of an SM's step.
pub(crate) struct Context<'a, 'm> {
    pub(crate) code: &'a Code,
    pub(crate) executor: &'a mut Executor,
    pub(crate) port: &'a mut GlobalPort<'m>,
    pub(crate) memory: &'a mut Link,
    pub(crate) outcome: &'a mut Outcome,
    pub(crate) epoch: Epoch,
    /// Blocks are in flight to this SM.
    pub(crate) arriving: bool,
    pub(crate) now: u64,
}

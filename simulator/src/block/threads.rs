//! The state of a block's threads, with their registers.

use crate::block::copies::Copies;

/// The registers of a block's threads.
#[derive(Debug, Default)]
pub(crate) struct Registers {
    /// `(warp * registers + register) * width + lane`, and then a row of the block's index along each axis.
    pub(crate) general: Vec<u32>,
    /// `warp * predicates + predicate`, a bit a lane.
    pub(crate) predicates: Vec<u64>,
    /// The entry taken last from a warp's queue: addresses by lane, and a predicate.
    pub(crate) queued: Vec<u32>,
    pub(crate) truth: u64,
}

/// The state that a block's threads read and write, except global memory.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    /// The number of their block in the grid.
    pub(crate) block: u64,
    pub(crate) registers: Registers,
    /// The lanes of each warp whose threads exist and have not ended.
    pub(crate) alive: Vec<u64>,
    pub(crate) shared: Vec<u8>,
    /// `thread * local_bytes + offset`.
    pub(crate) local: Vec<u8>,
    /// Their asynchronous copies, if the machine has time.
    pub(crate) copies: Copies,
}

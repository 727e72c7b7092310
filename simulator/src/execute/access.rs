//! An access of a warp to memory.

use reconverge_isa::MAX_LANES;

use crate::execute::rows::Span;

/// The addresses that a memory instruction accessed.
#[derive(Debug)]
pub(crate) struct Access {
    /// Generic addresses by lane, meaningful in the lanes of the masks.
    pub(crate) addresses: [u32; MAX_LANES],
    pub(crate) global: u64,
    pub(crate) shared: u64,
    pub(crate) local: u64,
    pub(crate) constant: u64,
    /// The lanes whose address does not fit 32 bits.
    pub(crate) beyond: u64,
    /// The common extent of the addresses of all these lanes.
    pub(crate) span: Span,
    /// All lanes of the warp access global memory, each the word after that of the lane before.
    pub(crate) consecutive: bool,
    /// The warp of all lanes, if they are of one.
    pub(crate) warp: Option<u16>,
    /// Threads by lane, meaningful in the lanes of `local`, and in all if they are of several warps.
    pub(crate) threads: [u16; MAX_LANES],
}

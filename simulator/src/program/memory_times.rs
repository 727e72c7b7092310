//! The times of a memory instruction on a machine that delivers operands in a fixed time.
//!
//! The sources and their division into stages are those of `sm/delivery/memory.rs`.

/// The times of a memory instruction, in cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemoryTimes {
    /// From issue until its sources are free, if nothing is in front of it.
    pub(crate) sources: u8,
    /// The cycles in which its sub-core reads its data; 0 for a load.
    pub(crate) data: u8,
    /// From the first part of its result to the last at least.
    pub(crate) transfer: u8,
    /// The cycles in which its result takes the way to registers; 0 if it takes none.
    pub(crate) cycles: u8,
    /// Its lanes have an address each.
    pub(crate) by_lane: bool,
    /// Its sources are free when its result is there.
    pub(crate) holds_sources: bool,
    /// It is a load from shared memory on a counter that code waits for above 0: such loads of a warp end
    /// in the order of their issue.
    pub(crate) is_ordered: bool,
}

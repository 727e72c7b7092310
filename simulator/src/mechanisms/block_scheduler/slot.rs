//! Slot `block-scheduler`: which SM the next block of the grid goes to, and when.
//!
//! Source: Aamodt, Fung, Rogers, §3.3 and §5.1.1. Blocks are given out between epochs, in the order of
//! their numbers; an SM takes at most one a cycle. A mechanism may hold blocks back although an SM has room. While
//! no block is resident anywhere, one goes to the first SM with room nevertheless, so that every launch ends.

use crate::mechanisms::setup::Setup;

/// Constructs a mechanism for a number of SMs from its options.
pub type Build = &'static (dyn Fn(&Setup, usize) -> Result<Box<dyn BlockScheduler>, String> + Sync);

/// The free room of an SM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SmRoom {
    /// Blocks that are resident or in flight.
    pub resident: u64,
    /// Blocks of the grid that fit beside these.
    pub free: u64,
    /// True if it has been given a block in this cycle already.
    pub taken: bool,
    /// The use of its issue slots since the launch began, if the mechanism watches that.
    pub slots: SlotCounts,
}

/// The use of an SM's issue slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotCounts {
    /// All of them: a slot for each scheduler and cycle.
    pub all: u64,
    /// An instruction issued.
    pub issued: u64,
    /// The next instructions waited for memory, or for room in the load/store unit.
    pub memory: u64,
    /// No path was there that could have issued.
    pub idle: u64,
}

/// Gives the blocks of a grid to SMs.
pub trait BlockScheduler: Send {
    /// The SM that block `block` goes to in cycle `cycle`: one with room that has not been given a block in
    /// this cycle; `None` for no SM in this cycle.
    fn pick(&mut self, block: u64, cycle: u64, sms: &[SmRoom]) -> Option<usize>;

    /// Returns true if it reads [`SmRoom::slots`], which costs time.
    fn watches_slots(&self) -> bool {
        false
    }
}

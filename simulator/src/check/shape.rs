//! The shape of a launch.

use super::finding::Place;
use reconverge_isa::Location;

/// Properties that all blocks of a launch share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// Lanes of a warp.
    pub(crate) width: usize,
    /// The lanes of each warp that exist.
    pub(crate) lanes: Vec<u64>,
    /// Bytes of shared memory.
    pub(crate) shared: usize,
    /// Bytes of a thread's local memory.
    pub(crate) local: usize,
    pub(crate) instructions: usize,
    /// By instruction, where it is in the source.
    pub(crate) lines: Vec<Location>,
}

impl Shape {
    /// Returns true if two instructions are the same place in the source: copies that the compiler has made.
    pub(super) fn is_same_place(&self, one: u32, other: u32) -> bool {
        let at = |pc: u32| self.lines.get(pc as usize);
        one == other || at(one).is_some() && at(one) == at(other)
    }

    pub(super) fn place(&self, block: u32, thread: usize, pc: u32) -> Place {
        let split = |number: u32, [x, y, _]: [u32; 3]| {
            let (x, y) = (x.max(1), y.max(1));
            [number % x, number / x % y, number / x / y]
        };
        let thread = split(thread as u32, self.block);
        Place { block: split(block, self.grid), thread, pc }
    }
}

//! Numbers by which one component of the machine names a record of another one.

use std::fmt;

/// A hardware warp of an SM. For the register file of a sub-core, one of the sub-core's warps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WarpSlot(pub u16);

impl WarpSlot {
    /// Its index in a table by hardware warp.
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// One of its registers.
    #[inline(always)]
    pub fn row(self, register: u16) -> RegisterRow {
        RegisterRow { warp: self, register }
    }
}

impl fmt::Display for WarpSlot {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(to)
    }
}

/// A register of a hardware warp, with a word for each lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegisterRow {
    /// The hardware warp.
    pub warp: WarpSlot,
    /// Its register.
    pub register: u16,
}

/// A place for a block on an SM, or for a warp of a mechanism's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BlockSlot(pub(crate) u16);

impl BlockSlot {
    /// The block slot of an index.
    pub(crate) fn of(index: usize) -> BlockSlot {
        BlockSlot(index as u16)
    }

    /// Its index among the SM's block slots.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A candidate of an SM: a path slot of one of its hardware warps or of a warp of a mechanism's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CandidateId(pub(crate) u16);

impl CandidateId {
    /// The candidates of a hardware warp, which has a number of path slots.
    pub(crate) fn of_warp(warp: WarpSlot, slots: usize) -> impl Iterator<Item = CandidateId> {
        let first = warp.0 * slots as u16;
        (first..first + slots as u16).map(CandidateId)
    }

    /// Its hardware warp, given the path slots of each.
    #[inline(always)]
    pub(crate) fn warp(self, slots: usize) -> WarpSlot {
        WarpSlot((self.index() / slots) as u16)
    }

    /// Its index among the SM's candidates.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Number of an in-flight load or atomic; free for another one when it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoadId(pub(crate) u32);

/// Names an instruction that collects operands; free for another one when it has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token(pub(crate) u32);

/// Number of a load that holds lines of the L1, assigned by the mechanism that requests them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HolderId(pub u32);

/// A resource that an instruction needs to issue, beside results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Resource(pub(crate) u8);

impl Resource {
    /// Nothing.
    pub(crate) const NOTHING: Resource = Resource(0);
    /// Room in the operand collector of its sub-core or, without one, in its queue of memory
    /// instructions.
    pub(crate) const ROOM: Resource = Resource(1);
    /// The number of different needs.
    pub(crate) const ALL: usize = 16;
    /// The most pipes that can be needed.
    pub(crate) const PIPES: usize = Resource::ALL - 2;

    /// The input latch of a pipe, by its number.
    pub(crate) fn pipe(pipe: usize) -> Resource {
        Resource((2 + pipe).min(Resource::ALL - 1) as u8)
    }

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0) % Resource::ALL
    }
}

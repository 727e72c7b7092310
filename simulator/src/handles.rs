//! Numbers by which one component of the machine names a record of another one.

/// A candidate of an SM: a path slot of one of its hardware warps or of a warp of a mechanism's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CandidateId(pub(crate) u16);

impl CandidateId {
    /// The candidates of a hardware warp, which has a number of path slots.
    pub(crate) fn of_warp(warp: u16, slots: usize) -> impl Iterator<Item = CandidateId> {
        let first = warp * slots as u16;
        (first..first + slots as u16).map(CandidateId)
    }

    /// Its index among the SM's candidates.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Number of an in-flight load or atomic; free for another one when it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoadId(pub(crate) u32);

/// Names an instruction that collects operands; free for another one when it has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token(pub(crate) u32);

/// Number of a load that holds lines of the L1, assigned by the mechanism that requests them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HolderId(pub u32);

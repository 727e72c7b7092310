//! An instruction that a block has executed.

use crate::execute::access::Access;
use crate::observe::profile::NOWHERE;

/// The outcome of one instruction of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Issued<'a> {
    /// The instruction's place.
    pub(crate) pc: u32,
    /// The next instruction of all its lanes, if the scheme does not redirect them; [`NOWHERE`] if they part, or if it is
    /// control flow other than a branch.
    pub(crate) next: u32,
    /// Lanes of the path before it.
    pub(crate) active: u64,
    /// Paths of its warp that could be scheduled, itself included.
    pub(crate) paths: u64,
    /// Lanes in which it acted.
    pub(crate) mask: u64,
    /// A branch whose lanes diverged.
    pub(crate) divergent: bool,
    /// Threads ended or a barrier was passed.
    pub(crate) progress: bool,
    /// A branch to itself or before itself was taken.
    pub(crate) backward: bool,
    /// The access, if the instruction accesses memory.
    pub(crate) access: Option<&'a Access>,
    /// True if it has changed a byte of memory, or printed.
    pub(crate) changed: bool,
}

impl Issued<'_> {
    /// An instruction at `pc` that acts in the lanes `mask` of a path of `active` lanes, one of
    /// `paths` paths.
    pub(crate) fn new(pc: u32, active: u64, paths: u64, mask: u64) -> Issued<'static> {
        Issued {
            pc,
            next: NOWHERE,
            active,
            paths,
            mask,
            divergent: false,
            progress: false,
            backward: false,
            access: None,
            changed: false,
        }
    }

    /// An instruction of a warp that belongs to a mechanism and has one lane.
    pub(crate) fn of_one_lane(pc: u32) -> Issued<'static> {
        Issued::new(pc, 1, 1, 1)
    }
}

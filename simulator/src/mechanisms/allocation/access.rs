//! Accesses of the data caches: the requester, and the line.

use crate::handles::WarpSlot;
use reconverge_isa::Hints;

/// The purpose of a cache access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requester {
    /// The requesting SM.
    pub sm: u16,
    /// The hardware warp of that SM; `None` if no warp waits for it: instructions and constants are fetched,
    /// prefetched, or written back.
    pub warp: Option<WarpSlot>,
    /// The warp's token when it made the access.
    pub token: Token,
    /// The instruction, if a warp's.
    pub pc: u32,
    /// The hints of its instruction, with its cache operator.
    pub hints: Hints,
    /// Lines of the first level that the instruction accesses, at most 255; 0 if no warp waits for it.
    pub lines: u8,
}

/// The priority of a warp's accesses over those of other warps (Rhu's dissertation, §6.2.2). The
/// first-level mechanism of its SM hands it out, and every access carries it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Token {
    /// Nothing: the warp has no priority.
    #[default]
    None,
    /// Priority in the first-level cache of its SM.
    First,
    /// Priority in the second-level cache.
    Second,
}

impl Requester {
    /// No warp of SM 0: for requests that mechanisms never receive.
    pub const NONE: Requester = Requester::of(0);

    /// No warp in particular of an SM.
    pub const fn of(sm: u16) -> Requester {
        Requester { sm, warp: None, token: Token::None, pc: 0, hints: Hints::NONE, lines: 0 }
    }
}

/// An access of a line of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineAccess {
    /// The requester.
    pub requester: Requester,
    /// The line's number: its address by its size, within the slice at the second level.
    pub line: u64,
    /// The set that the line belongs to.
    pub set: usize,
}

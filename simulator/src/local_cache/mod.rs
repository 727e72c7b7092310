//! Slot `local-cache`: what serves accesses of local memory before the first-level data cache does.
//!
//! Each SM has an instance. It sees every access of local memory when the instruction issues, those of a warp in the
//! order of the program, and serves as many of its lanes as it can; the others access the first-level cache. The
//! first-level cache carries no values: a mechanism that depends on them gets what a store writes with the access.
//! The registers of loads have their values already; mechanisms decide time only.

mod none;

use reconverge_isa::{Effect, LOCAL_BASE};

use crate::allocation::Requester;
use crate::mechanism::{self, Mechanism};

/// Constructs a mechanism for warps of so many lanes from its options.
pub type Build = fn(&toml::Table, u32) -> Result<Box<dyn LocalCache>, String>;

/// The mechanisms that exist.
pub static MECHANISMS: &[Mechanism<Build>] = &[none::MECHANISM];

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    mechanism::find("local-cache", MECHANISMS, name)
}

/// An access of local memory by the lanes of an instruction.
pub struct LocalAccess<'a> {
    /// Who it is for.
    pub requester: Requester,
    /// A load, a store or an atomic.
    pub effect: Effect,
    /// The lanes that access local memory.
    pub lanes: u64,
    /// Bytes that each of them accesses: 1, 2, 4, 8 or 16, aligned.
    pub bytes: u32,
    pub(crate) addresses: &'a [u32],
    pub(crate) values: &'a dyn Fn(usize) -> u128,
}

impl LocalAccess<'_> {
    /// Where a lane accesses the local memory of its thread: bytes from its start.
    pub fn offset(&self, lane: usize) -> u32 {
        self.addresses[lane].wrapping_sub(LOCAL_BASE)
    }

    /// What a store writes in a lane.
    pub fn value(&self, lane: usize) -> u128 {
        (self.values)(lane)
    }
}

/// A word of local memory in some lanes of a hardware warp: 4 bytes in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalVector {
    /// The hardware warp.
    pub warp: u16,
    /// The word's number from the start of local memory.
    pub word: u32,
    /// The lanes whose word it is.
    pub lanes: u64,
}

/// Passes of an access in the load/store unit that the mechanism serves; each takes a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalPasses {
    /// How many.
    pub passes: u32,
    /// From a pass until its words are in registers.
    pub latency: u32,
}

/// How an access is served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalServed {
    /// The lanes, of those that access local memory, that access the first-level cache.
    pub first_level: u64,
    /// What the mechanism serves itself; at least one pass if `first_level` is empty.
    pub own: LocalPasses,
    /// What it evicts for that: it is written to the first-level cache before the access.
    pub evicted: Vec<LocalVector>,
}

/// Serves local memory in an SM.
pub trait LocalCache: Send {
    /// An instruction accesses local memory.
    fn access(&mut self, access: &LocalAccess) -> LocalServed;
}

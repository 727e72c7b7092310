//! Slot `allocation`: whether a line that misses takes a way of its cache or bypasses it, and which ways it
//! may take.
//!
//! The key `allocation` fills it for the first-level data caches, `l2.allocation` for the slices of the
//! second level; each cache has an instance of its own. The instruction and constant caches have none: all
//! their lines are allocated. An empty way is always taken first. Among the ways that the allocation leaves,
//! those are not offered whose lines are pinned: a line that a replayed load is still to find, and one that
//! an early load of decoupled affine computation holds. The slot `replacement` picks among the rest.
//!
//! A bypassing miss has an MSHR all the same, so that others can merge with it; its data goes to the requests that
//! wait, and no way is reserved for it.

mod all;

use crate::mechanism::{self, Mechanism};
pub use crate::replacement::Ways;

/// Constructs a mechanism for a cache of (sets, ways) from its options.
pub type Build = fn(&toml::Table, usize, usize) -> Result<Box<dyn Allocation>, String>;

/// The mechanisms that exist.
pub static MECHANISMS: &[Mechanism<Build>] = &[all::MECHANISM];

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    mechanism::find("allocation", MECHANISMS, name)
}

/// What an access of a cache is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requester {
    /// The SM that it comes from.
    pub sm: u16,
    /// The hardware warp of that SM; `None` if no warp waits for it: instructions and constants are fetched,
    /// prefetched, or written back.
    pub warp: Option<u16>,
    /// The instruction, if a warp's.
    pub pc: u32,
}

impl Requester {
    /// No warp of SM 0: for requests that a mechanism never hears of.
    pub const NONE: Requester = Requester::of(0);

    /// No warp in particular of an SM.
    pub const fn of(sm: u16) -> Requester {
        Requester { sm, warp: None, pc: 0 }
    }
}

/// The default, for caches that have no such slot.
pub(crate) fn all() -> Box<dyn Allocation> {
    Box::new(all::All)
}

/// An access of a line of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineAccess {
    /// Who it is for.
    pub requester: Requester,
    /// The line's number: its address by its size, within the slice at the second level.
    pub line: u64,
    /// The set that the line belongs to.
    pub set: usize,
}

/// A warp whose block has come to an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpStart {
    /// The hardware warp.
    pub warp: u16,
    /// The scheduler that it belongs to.
    pub scheduler: u16,
    /// Grows with the time at which its block came, then with the warp's number in the block.
    pub age: u64,
}

/// Decides which lines one cache holds.
pub trait Allocation: Send {
    /// All sectors that an access wants are in a way of its set.
    fn hit(&mut self, _access: &LineAccess, _way: usize) {}

    /// A read misses that no MSHR covers: whether its line takes a way when it comes; otherwise it bypasses
    /// the cache. `has_way` says whether a way of the set is free of pinned and reserved lines; without
    /// one, a miss that allocates stalls.
    fn allocates(&mut self, access: &LineAccess, has_way: bool) -> bool;

    /// The ways of a set that a line may evict, a subset of `ways`; all of them hold lines. At least one
    /// must be left. The answer stays until something else is called.
    fn victims(&self, access: &LineAccess, ways: Ways) -> Ways;

    /// A line takes a way of its set.
    fn placed(&mut self, _access: &LineAccess, _way: usize) {}

    /// A warp of the cache's SM starts. Only first-level caches hear of it.
    fn warp_started(&mut self, _start: &WarpStart) {}

    /// All threads of a hardware warp have ended. Only first-level caches hear of it.
    fn warp_ended(&mut self, _warp: u16) {}
}

/// For a mechanism without options.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct NoOptions {}

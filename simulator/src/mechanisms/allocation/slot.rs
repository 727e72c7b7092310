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

use super::sampling::Sampling;
use crate::mechanisms::replacement::Ways;
use reconverge_isa::Locality;

/// Constructs a mechanism for a cache from its options.
pub type Build = fn(&toml::Table, CacheShape) -> Result<Box<dyn Allocation>, String>;

/// A cache for which a mechanism is constructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheShape {
    /// Where it is.
    pub level: Level,
    /// Its sets; 0 for no cache.
    pub sets: usize,
    /// Lines of a set, at least 1.
    pub ways: usize,
}

/// A level of the data caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The cache of an SM.
    First,
    /// A slice of the second-level cache.
    Second,
}

/// The purpose of a cache access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requester {
    /// The SM that it comes from.
    pub sm: u16,
    /// The hardware warp of that SM; `None` if no warp waits for it: instructions and constants are fetched,
    /// prefetched, or written back.
    pub warp: Option<u16>,
    /// The warp's token when it made the access.
    pub token: Token,
    /// The instruction, if a warp's.
    pub pc: u32,
    /// The profile's hint for it, if it is a load.
    pub locality: Option<Locality>,
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
    /// No warp of SM 0: for requests that a mechanism never hears of.
    pub const NONE: Requester = Requester::of(0);

    /// No warp in particular of an SM.
    pub const fn of(sm: u16) -> Requester {
        Requester { sm, warp: None, token: Token::None, pc: 0, locality: None, lines: 0 }
    }
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
    /// Returns true if every line allocates, and may evict any other, always: then it hears of
    /// nothing, and gives no tokens. It is asked once.
    fn is_open(&self) -> bool {
        false
    }

    /// All sectors that an access wants are in a way of its set.
    fn hit(&mut self, _access: &LineAccess, _way: usize) {}

    /// Some of what a load, or a read or atomic at the second level, wants is in no way of its set: it has asked for it, merges
    /// with a miss, or bypasses the cache.
    fn missed(&mut self, _access: &LineAccess) {}

    /// A read misses that no MSHR covers, of a line that has no way: whether it takes one when it comes; otherwise
    /// it bypasses the cache. `has_way` says whether a way of the set is free of pinned and reserved lines;
    /// without one, a miss that allocates stalls.
    fn allocates(&mut self, access: &LineAccess, has_way: bool) -> bool;

    /// The ways of a set that a line may evict, a subset of `ways`; all of them hold lines. If none is left, a line that
    /// was read bypasses the cache after all, and one that has to be kept (written, or held for an early load) evicts any
    /// of `ways`. The answer stays until something else is called.
    fn victims(&self, access: &LineAccess, ways: Ways) -> Ways;

    /// A read merges with an outstanding miss of its line: whether the line counts as fetched for `by`, and not for
    /// `first`, which missed before. If the line was to bypass the cache, it takes a way then, if one is free of
    /// pinned and reserved lines.
    fn takes_over(&self, _by: &Requester, _first: &Requester) -> bool {
        false
    }

    /// Returns true if some reads go by a cache without a lookup. Only second-level caches are
    /// asked, once.
    fn passes_reads(&self) -> bool {
        false
    }

    /// Returns true if a read does, where some do.
    fn passes(&self, _by: &Requester) -> bool {
        false
    }

    /// Returns true if a line that takes a way is inserted where the slot `replacement` evicts
    /// next.
    fn evicted_first(&self, _access: &LineAccess) -> bool {
        false
    }

    /// The token that a request carries on from an L2 to memory.
    fn onward(&self, by: &Requester) -> Token {
        by.token
    }

    /// A line takes a way of its set.
    fn placed(&mut self, _access: &LineAccess, _way: usize) {}

    /// The line in a way was dropped: the way is empty.
    fn dropped(&mut self, _set: usize, _way: usize) {}

    /// The token of a hardware warp's accesses. Only first-level caches are asked.
    fn token(&self, _warp: u16) -> Token {
        Token::None
    }

    /// Its choices, if the best of them is to be found at run time. The first-level mechanism of
    /// one SM is asked, once a launch.
    fn sampling(&self) -> Option<Sampling> {
        None
    }

    /// It is to use one of its choices from now on. Only first-level caches hear of it.
    fn choose(&mut self, _choice: usize) {}

    /// How many memory instructions the load/store unit can hold beside its own, if it is to serve the accesses of the cache in
    /// the order of hardware warps. Only first-level caches are asked, once.
    fn buffers_requests(&self) -> Option<u32> {
        None
    }

    /// Returns true if it limits the warps that run, at some time. Only first-level caches are
    /// asked, once.
    fn limits_warps(&self) -> bool {
        false
    }

    /// How many warps each scheduler of the SM runs now, the oldest that wait neither at a barrier nor for a queue; at least 1.
    fn warp_limit(&self) -> u32 {
        u32::MAX
    }

    /// A warp of the cache's SM starts. Only first-level caches hear of it.
    fn warp_started(&mut self, _start: &WarpStart) {}

    /// All threads of a hardware warp have ended. Only first-level caches hear of it.
    fn warp_ended(&mut self, _warp: u16) {}
}

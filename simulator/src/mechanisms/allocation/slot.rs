//! Slot `allocation`: decides if a missing line takes a way of its cache or bypasses it, and which
//! ways it may take.
//!
//! The key `allocation` selects it for the L1 data caches, `l2.allocation` for the slices of the
//! L2; each cache has an instance of its own. The instruction and constant caches have none: all
//! their lines are allocated. An empty way is always taken first. The allocation then leaves some
//! ways, and those with pinned lines are excluded: a line that a replayed load is still to find,
//! and one that an early load of decoupled affine computation holds. The slot `replacement` picks
//! among the rest.
//!
//! A bypassing miss has an MSHR too, so that others can merge with it. Its data goes to the waiting
//! requests, and it reserves no way.

use super::sampling::Sampling;
use crate::mechanisms::replacement::Ways;
use reconverge_isa::Locality;

/// Constructs a mechanism for a cache from its options.
pub type Build = fn(&toml::Table, CacheShape) -> Result<Box<dyn Allocation>, String>;

/// A cache for which a mechanism is constructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheShape {
    /// The level of the cache.
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
    /// The requesting SM.
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
    /// No warp of SM 0: for requests that mechanisms never receive.
    pub const NONE: Requester = Requester::of(0);

    /// No warp in particular of an SM.
    pub const fn of(sm: u16) -> Requester {
        Requester { sm, warp: None, token: Token::None, pc: 0, locality: None, lines: 0 }
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

/// A warp whose block has arrived at an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpStart {
    /// The hardware warp.
    pub warp: u16,
    /// The scheduler that it belongs to.
    pub scheduler: u16,
    /// Grows with the time of its block's arrival, then with the warp's number in the block.
    pub age: u64,
}

/// Decides which lines one cache holds.
pub trait Allocation: Send {
    /// Returns true if every line always allocates, and may evict any other. Then it receives no
    /// calls, and gives no tokens. Called once.
    fn is_open(&self) -> bool {
        false
    }

    /// All requested sectors of an access are in a way of its set.
    fn hit(&mut self, _access: &LineAccess, _way: usize) {}

    /// Some requested sectors of a load, or of a read or atomic at the L2, are in no way of its
    /// set. It has requested them, merges with a miss, or bypasses the cache.
    fn missed(&mut self, _access: &LineAccess) {}

    /// A read of a line without a way misses, and no MSHR covers it. Returns true if the line takes
    /// a way when it arrives; otherwise it bypasses the cache. `has_way` is true if a way of the
    /// set is free of pinned and reserved lines; without one, a miss that allocates stalls.
    fn allocates(&mut self, access: &LineAccess, has_way: bool) -> bool;

    /// The ways of a set that a line may evict, a subset of `ways`; all of them hold lines. If none is left, a line that
    /// was read bypasses the cache after all, and one that has to be kept (written, or held for an early load) evicts any
    /// of `ways`. The answer stays until something else is called.
    fn victims(&self, access: &LineAccess, ways: Ways) -> Ways;

    /// A read merges with an outstanding miss of its line. Returns true if the line counts as
    /// fetched for `by`, and not for `first`, which missed before. If the line was to bypass the
    /// cache, it now takes a way, if one is free of pinned and reserved lines.
    fn takes_over(&self, _by: &Requester, _first: &Requester) -> bool {
        false
    }

    /// Returns true if some reads bypass a cache without a lookup. Called once, and only for the
    /// L2.
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

    /// The token of a hardware warp's accesses. Called only for L1 caches.
    fn token(&self, _warp: u16) -> Token {
        Token::None
    }

    /// Its choices, if the best of them is to be found at run time. Called once per launch, for the
    /// L1 of one SM.
    fn sampling(&self) -> Option<Sampling> {
        None
    }

    /// Sets the choice to use from now on. Called only for L1 caches.
    fn choose(&mut self, _choice: usize) {}

    /// The memory instructions that the load/store unit can hold in addition to its own, if it
    /// serves the accesses of the cache in the order of hardware warps. Called once, and only for
    /// L1 caches.
    fn buffers_requests(&self) -> Option<u32> {
        None
    }

    /// Returns true if it limits the number of running warps at some time. Called once, and only
    /// for L1 caches.
    fn limits_warps(&self) -> bool {
        false
    }

    /// The number of warps that each scheduler of the SM runs now: the oldest that wait neither at
    /// a barrier nor for a queue; at least 1.
    fn warp_limit(&self) -> u32 {
        u32::MAX
    }

    /// A warp of the cache's SM starts. Called only for L1 caches.
    fn warp_started(&mut self, _start: &WarpStart) {}

    /// All threads of a hardware warp have ended. Called only for L1 caches.
    fn warp_ended(&mut self, _warp: u16) {}
}

//! Slot `allocation`: decides if a missing line takes a way of its cache or bypasses it, and which
//! ways it may take.
//!
//! The key `allocation` selects it for the L1 data caches, `l2.allocation` for the slices of the
//! L2; each cache has an instance of its own. The instruction and constant caches have none: all
//! their lines are allocated. An empty way is always taken first. The allocation then leaves some
//! ways, and those with held lines are excluded: a line that a replayed load is still to find,
//! and one that an early load of decoupled affine computation holds. The slot `replacement` picks
//! among the rest.
//!
//! A bypassing miss has an MSHR too, so that others can merge with it. Its data goes to the waiting
//! requests, and it reserves no way.

pub use super::access::{LineAccess, Requester, Token};
use super::sampling::Sampling;
use crate::handles::WarpSlot;
use crate::mechanisms::event::{Event, EventSet};
use crate::mechanisms::replacement::Ways;
use crate::mechanisms::setup::Setup;
use crate::observe::mechanism_statistics::MechanismStatistics;

/// Constructs a mechanism for a cache from its options.
pub type Build =
    &'static (dyn Fn(&Setup, CacheShape) -> Result<Box<dyn Allocation>, String> + Sync);

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

/// The constant properties of a mechanism.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    /// Every line always allocates, and may evict any other. Then the mechanism receives no calls, and gives no tokens.
    pub is_open: bool,
    /// Some reads bypass the cache without a lookup: [`Allocation::passes`]. Only for the L2.
    pub passes_reads: bool,
    /// The memory instructions that the load/store unit can hold in addition to its own, if it serves the accesses of
    /// the cache in the order of hardware warps. Only for the L1.
    pub request_buffer: Option<u32>,
    /// It limits the number of running warps at some time: [`Allocation::warp_limit`]. Only for the L1.
    pub limits_warps: bool,
    /// Its choices, if the best of them is to be found at run time. Only for the L1.
    pub sampling: Option<Sampling>,
}

/// Decides which lines one cache holds.
pub trait Allocation: Send {
    /// Its properties, constant from its construction on.
    fn properties(&self) -> Properties {
        Properties::default()
    }

    /// The kinds of events that it receives, constant from its construction on. Events of warps, and
    /// [`Event::ChoiceMade`], are raised for L1 caches only.
    fn events(&self) -> EventSet {
        EventSet::NONE
    }

    /// Receives an event of a kind in [`Allocation::events`].
    fn on_event(&mut self, _event: &Event) {}

    /// Adds the counters that it declares ([`Mechanism::statistics`](crate::Mechanism::statistics)), with their values at
    /// the beginning of a cycle.
    fn count(&self, _own: &mut MechanismStatistics, _cycle: u64) {}

    /// A read of a line without a way misses, and no MSHR covers it. Returns true if the line takes
    /// a way when it arrives; otherwise it bypasses the cache. `has_way` is true if a way of the
    /// set is free of held and reserved lines; without one, a miss that allocates stalls.
    fn allocates(&mut self, access: &LineAccess, has_way: bool) -> bool;

    /// The ways of a set that a line may evict, a subset of `ways`; all of them hold lines. If none is left, a line that
    /// was read bypasses the cache after all, and one that has to be kept (written, or held for an early load) evicts any
    /// of `ways`. The answer stays until something else is called.
    fn victims(&self, access: &LineAccess, ways: Ways) -> Ways;

    /// A read merges with an outstanding miss of its line. Returns true if the line counts as
    /// fetched for `by`, and not for `first`, which missed before. If the line was to bypass the
    /// cache, it now takes a way, if one is free of held and reserved lines.
    fn takes_over(&self, _by: &Requester, _first: &Requester) -> bool {
        false
    }

    /// Returns true if a read bypasses the cache without a lookup, where some reads do
    /// ([`Properties::passes_reads`]).
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

    /// The token of a hardware warp's accesses. Called only for L1 caches.
    fn token(&self, _warp: WarpSlot) -> Token {
        Token::None
    }

    /// The number of warps that each scheduler of the SM runs now: the oldest that wait neither at
    /// a barrier nor for a queue; at least 1.
    fn warp_limit(&self) -> u32 {
        u32::MAX
    }
}

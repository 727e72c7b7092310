//! Slot `replacement`: which line of a cache set is evicted, of those that may be (slot `allocation`).

use super::ways::Ways;
use crate::mechanisms::allocation::access::LineAccess;
use crate::mechanisms::setup::Setup;
use crate::observe::mechanism_statistics::MechanismStatistics;

/// Constructs a policy for a cache of (sets, ways) from its options.
pub type Build =
    &'static (dyn Fn(&Setup, usize, usize) -> Result<Box<dyn Replacement>, String> + Sync);

/// Remembers how the lines of one cache were used. An access states its requester, if the cache is a data cache.
pub trait Replacement: Send {
    /// An access found its line in a way of its set, or filled or wrote more of it.
    fn touch(&mut self, access: &LineAccess, way: usize);

    /// A way of its set was given to the line of an access.
    fn place(&mut self, access: &LineAccess, way: usize);

    /// A way of its set was given to the line of an access, which is to be evicted before all others of the set, as far
    /// as the policy orders them.
    fn place_last(&mut self, access: &LineAccess, way: usize);

    /// The way of a set to evict for an access, one of those that are offered, of which there is at least one; all ways
    /// of the set hold lines. The answer for an access stays until the next call of another method. A way that would be
    /// chosen among all is chosen whenever it is offered.
    fn victim(&self, access: &LineAccess, offered: &Ways) -> usize;

    /// Adds the counters that it declares ([`Mechanism::statistics`](crate::Mechanism::statistics)), with their values at
    /// the beginning of a cycle.
    fn count(&self, _own: &mut MechanismStatistics, _cycle: u64) {}
}

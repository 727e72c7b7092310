//! Slot `replacement`: which line of a cache set is evicted, of those that may be (slot `allocation`).

use super::ways::Ways;

/// Constructs a policy for a cache of (sets, ways) from its options.
pub type Build = fn(&toml::Table, usize, usize) -> Result<Box<dyn Replacement>, String>;

/// Remembers how the lines of one cache were used.
pub trait Replacement: Send {
    /// A line was found, or more of it was filled or written.
    fn touch(&mut self, set: usize, way: usize);

    /// A way was given to another line.
    fn place(&mut self, set: usize, way: usize);

    /// A way was given to another line, which is to be evicted before all others of its set, as far
    /// as the policy orders them.
    fn place_last(&mut self, set: usize, way: usize);

    /// The way of a set to evict, one of those that are offered, of which there is at least one; all ways
    /// of the set hold lines. The answer stays until the next call of another method. A way that would be
    /// chosen among all is chosen whenever it is offered.
    fn victim(&self, set: usize, offered: &Ways) -> usize;
}

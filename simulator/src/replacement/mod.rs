//! Slot `replacement`: which line of a cache set gives way.

mod fifo;
mod lru;
mod random;
#[cfg(test)]
mod tests;
mod tree_pseudo_lru;

use crate::mechanism::{self, Mechanism};

/// Constructs a policy for a cache of (sets, ways) from its options.
pub type Build = fn(&toml::Table, usize, usize) -> Result<Box<dyn Replacement>, String>;

/// The policies that exist.
pub static MECHANISMS: &[Mechanism<Build>] =
    &[lru::MECHANISM, tree_pseudo_lru::MECHANISM, fifo::MECHANISM, random::MECHANISM];

/// The policy of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    mechanism::find("replacement", MECHANISMS, name)
}

/// Remembers how the lines of one cache were used.
pub trait Replacement: Send {
    /// A line was found, or more of it was filled or written.
    fn touch(&mut self, set: usize, way: usize);

    /// A way was given to another line.
    fn place(&mut self, set: usize, way: usize);

    /// The way of a set to evict; all of its ways hold lines. The same until the next call of `touch`
    /// or `place`.
    fn victim(&self, set: usize) -> usize;
}

/// For a policy without options.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct NoOptions {}

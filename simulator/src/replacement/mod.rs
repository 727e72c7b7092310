//! Slot `replacement`: which line of a cache set gives way.

mod lru;

use crate::mechanism::{self, Mechanism};

/// Constructs a policy for a cache of (sets, ways) from its options.
pub type Build = fn(&toml::Table, usize, usize) -> Result<Box<dyn Replacement>, String>;

/// The policies that exist.
pub static MECHANISMS: &[Mechanism<Build>] = &[lru::MECHANISM];

/// The policy of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    mechanism::find("replacement", MECHANISMS, name)
}

/// Remembers how the lines of one cache were used.
pub trait Replacement: Send {
    /// A line was found or filled.
    fn touch(&mut self, set: usize, way: usize);

    /// The way of a set to evict; all of its ways hold lines.
    fn victim(&mut self, set: usize) -> usize;
}

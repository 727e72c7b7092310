//! Slot `granularity`: which sectors of a line a miss fetches.
//!
//! Source: Rhu's dissertation, §5.2 (LAMAR), where fine-grained accesses fetch the sectors that are wanted and
//! coarse-grained ones the whole line. The key `granularity` fills it for the first-level data caches,
//! `l2.granularity` for the slices of the second level; each cache has an instance of its own. The
//! instruction and constant caches have none: they fetch whole lines.

mod fine;

use crate::allocation::Requester;
use crate::mechanism::{self, Mechanism};

/// Constructs a mechanism for a cache whose lines have so many sectors from its options.
pub type Build = fn(&toml::Table, u32) -> Result<Box<dyn Granularity>, String>;

/// The mechanisms that exist.
pub static MECHANISMS: &[Mechanism<Build>] = &[fine::MECHANISM];

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    mechanism::find("granularity", MECHANISMS, name)
}

/// The default, for caches that have no such slot.
pub(crate) fn fine() -> Box<dyn Granularity> {
    Box::new(fine::Fine)
}

/// A miss of sectors of a line; sectors are bits, the lowest address first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectorMiss {
    /// Who wants them.
    pub requester: Requester,
    /// The line's number: its address by its size, within the slice at the second level.
    pub line: u64,
    /// Sectors that are wanted and not valid; at least one.
    pub missing: u8,
    /// Sectors that are valid, if the line is there in part.
    pub valid: u8,
}

/// Decides how much of a line one cache fetches.
pub trait Granularity: Send {
    /// The sectors to fetch for a miss that no MSHR covers: those that are missing, and perhaps more, but none
    /// that is valid.
    fn fetch(&mut self, miss: &SectorMiss) -> u8;

    /// A line leaves the cache of which these sectors have been used (read or written) since it came.
    fn evicted(&mut self, _line: u64, _used: u8) {}
}

/// For a mechanism without options.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct NoOptions {}

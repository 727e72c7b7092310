//! Slot `prefetcher`: which lines are asked for before a load wants them, and where they wait for it.
//!
//! An SM's load/store unit tells the prefetcher of every load from global memory that issues. In cycles in which
//! nothing else accesses the first-level cache it asks memory for the line that the prefetcher wants next. A load that
//! misses in the first level looks for its line in the prefetcher's buffer before it becomes a miss.

use crate::memory::coalesce::LineAccess;
use crate::observe::statistics::Statistics;
use crate::sm::LoadId;

/// Constructs a prefetcher from its options; nothing for the mechanism that prefetches nothing.
pub(crate) type Build = fn(&toml::Table) -> Result<Option<Box<dyn Prefetcher>>, String>;

/// A load of a warp, as it issues.
#[derive(Clone, Copy, Debug)]
pub struct LoadOfWarp {
    /// The instruction.
    pub pc: u32,
    /// The hardware warp.
    pub hardware: u16,
    /// The warp's number in the grid.
    pub warp: u64,
}

/// The result of a missing load's look-up among prefetched lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Its line.
    There,
    /// Its line is under way: the load waits for it.
    Coming,
    /// Nothing.
    Nowhere,
}

/// The prefetcher of an SM.
pub(crate) trait Prefetcher: Send {
    /// A warp loads from global memory, from some addresses in the order of its lanes, so many bytes
    /// each; a line of the first level has `line` bytes.
    fn load(&mut self, load: LoadOfWarp, addresses: &[u64], bytes: u32, line: u32);

    /// The line to request next.
    fn next(&self) -> Option<LineAccess>;

    /// The next one is not needed after all.
    fn skip(&mut self);

    /// The next one is asked for, under the number that this returns; nothing if there is no room for it, or it is
    /// in the buffer or under way.
    fn ask(&mut self, line: u64, statistics: &mut Statistics) -> Option<u32>;

    /// A load misses some sectors of a line in the first level: whether they were prefetched.
    fn find(&mut self, line: u64, sectors: u8, load: LoadId, statistics: &mut Statistics) -> Found;

    /// A line that was asked for has come; the loads that wait for it.
    fn fill(&mut self, number: u32) -> Vec<LoadId>;

    /// A line changes elsewhere: what was prefetched of it is not valid.
    fn drop_line(&mut self, line: u64, statistics: &mut Statistics);

    /// No warp is left: nothing more is wanted.
    fn rest(&mut self);

    /// Returns true if nothing is under way.
    fn is_idle(&self) -> bool;

    /// At the end: prefetched lines that no access used.
    fn left(&self) -> u64;
}

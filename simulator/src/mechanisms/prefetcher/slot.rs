//! Slot `prefetcher`: the lines that are requested before a load needs them, and the buffer where
//! they wait for it.
//!
//! An SM's load/store unit notifies the prefetcher of every load from global memory that issues. In
//! cycles without another access to the L1 it requests the prefetcher's next line from memory. A
//! load that misses in the L1 looks up its line in the prefetcher's buffer before it becomes a
//! miss.

use crate::handles::{LoadId, WarpSlot};
use crate::mechanisms::setup::Setup;
use crate::memory::coalesce::LineAccess;
use crate::observe::mechanism_statistics::MechanismStatistics;

/// Constructs a prefetcher from its options; nothing for the mechanism that prefetches nothing.
pub type Build = &'static (dyn Fn(&Setup) -> Result<Option<Box<dyn Prefetcher>>, String> + Sync);

/// A load of a warp, as it issues.
#[derive(Clone, Copy, Debug)]
pub struct LoadOfWarp {
    /// The instruction.
    pub pc: u32,
    /// The hardware warp.
    pub hardware: WarpSlot,
    /// The warp's number in the grid.
    pub warp: u64,
}

/// The result of a missing load's look-up among prefetched lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Its line.
    There,
    /// Its line is in flight: the load waits for it.
    InFlight,
    /// Nothing.
    Nowhere,
}

/// The prefetcher of an SM.
pub trait Prefetcher: Send {
    /// A warp loads from global memory, from some addresses in the order of its lanes, `bytes`
    /// bytes each; a line of the L1 has `line` bytes.
    fn load(&mut self, load: LoadOfWarp, addresses: &[u64], bytes: u32, line: u32);

    /// The line to request next.
    fn next(&self) -> Option<LineAccess>;

    /// The next one is not needed after all.
    fn skip(&mut self);

    /// Requests the next line, under the number that this returns; none if it has no room for the
    /// line, or the line is in the buffer or in flight.
    fn request(&mut self, line: u64) -> Option<u32>;

    /// A load misses some sectors of a line in the L1. Returns the state of the line among the
    /// prefetched ones.
    fn find(&mut self, line: u64, sectors: u8, load: LoadId) -> Found;

    /// A requested line has arrived. Returns the loads that wait for it.
    fn fill(&mut self, number: u32) -> Vec<LoadId>;

    /// A line changes elsewhere: its prefetched sectors are invalid.
    fn drop_line(&mut self, line: u64);

    /// No warp is left: it drops its queued requests.
    fn rest(&mut self);

    /// Returns true if no request is in flight.
    fn is_idle(&self) -> bool;

    /// The run ends: lines that no load has accessed count as unused.
    fn end(&mut self);

    /// A sentence about requests or counters that do not add up at the end of a run.
    fn unbalanced(&self) -> Option<&'static str>;

    /// Adds the counters that it declares ([`Mechanism::statistics`](crate::Mechanism::statistics)), with their values at
    /// the beginning of a cycle.
    fn count(&self, _own: &mut MechanismStatistics, _cycle: u64) {}
}

//! Slot `granularity`: which sectors of a line a miss fetches.
//!
//! Source: Rhu's dissertation, §5.2 (LAMAR), where fine-grained accesses fetch the requested
//! sectors and coarse-grained ones the whole line. The key `granularity` selects it for the L1 data
//! caches, `l2.granularity` for the slices of the L2; each cache has an instance of its own. The
//! instruction and constant caches have none: they fetch whole lines.

use crate::mechanisms::allocation::Requester;
use crate::mechanisms::setup::Setup;
use crate::observe::mechanism_statistics::MechanismStatistics;

/// Constructs a mechanism for a cache from its options.
pub type Build =
    &'static (dyn Fn(&Setup, LineShape) -> Result<Box<dyn Granularity>, String> + Sync);

/// The lines of a cache for which a mechanism is constructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineShape {
    /// Places for lines: sets times ways; 0 for no cache.
    pub places: usize,
    /// Sectors of 32 bytes in a line, 1 to 8.
    pub sectors: u32,
    /// The number of sectors that are fetched together in any case: those of the machine's sector.
    pub grain: u32,
}

impl LineShape {
    /// All sectors of a line.
    pub fn all(&self) -> u8 {
        ((1u16 << self.sectors) - 1) as u8
    }

    /// Sectors with those that are fetched together with them in any case.
    pub fn together(&self, sectors: u8) -> u8 {
        if self.grain == 1 {
            return sectors;
        }
        let group = ((1u16 << self.grain) - 1) as u8;
        let groups = (0..self.sectors).step_by(self.grain as usize).map(|first| group << first);
        groups.filter(|group| group & sectors != 0).fold(0, |all, group| all | group)
    }
}

/// A miss of sectors of a line; sectors are bits, the lowest address first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectorMiss {
    /// The requester.
    pub requester: Requester,
    /// The line's number: its address by its size, within the slice at the second level.
    pub line: u64,
    /// Requested sectors that are not valid; at least one.
    pub missing: u8,
    /// The valid sectors, if the line is present in part.
    pub valid: u8,
    /// Other sectors of the line have been fetched since it arrived, or are in flight.
    pub later: bool,
}

/// Decides how much of a line one cache fetches.
pub trait Granularity: Send {
    /// The sectors to fetch for a miss that no MSHR covers: those that are missing, and perhaps more, but none
    /// that is valid.
    fn fetch(&mut self, miss: &SectorMiss) -> u8;

    /// Returns true if it needs the places of lines. Called once.
    fn learns(&self) -> bool {
        true
    }

    /// A line takes a place, for an access of some sectors.
    fn placed(&mut self, _place: usize, _by: &Requester, _sectors: u8) {}

    /// A line leaves its place; these sectors of it have been used (read or written) since it
    /// arrived.
    fn evicted(&mut self, _place: usize, _line: u64, _used: u8) {}

    /// Adds the counters that it declares ([`Mechanism::statistics`](crate::Mechanism::statistics)), with their values at
    /// the beginning of a cycle.
    fn count(&self, _own: &mut MechanismStatistics, _cycle: u64) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_are_fetched_in_groups() {
        let with = |grain| LineShape { places: 1, sectors: 8, grain };
        for (grain, sectors, expected) in [
            (1, 0b101, 0b101),
            (2, 0b1, 0b11),
            (2, 0b1001, 0b1111),
            (2, 0b1000_0000, 0b1100_0000),
            (4, 0b10, 0b1111),
            (8, 0b10, 0xff),
            (4, 0, 0),
        ] {
            assert_eq!(with(grain).together(sectors), expected, "{grain}, {sectors:b}");
        }
    }
}

//! `spatial-pattern`: a table of patterns predicts which sectors of a line will be used.
//!
//! Source: Rhu's dissertation, §5.2.2 (SPP), after Chen, Yang, Falsafi, Moshovos, "Accurate and
//! complexity-effective spatial pattern prediction", HPCA 2004, and Kumar and Wilkerson,
//! "Exploiting spatial locality in data caches using spatial footprints", ISCA 1998. When a line is
//! evicted, the sectors that were used are noted in the pattern history table; a miss of a line
//! fetches those of the table, and the requested ones. The table is indexed as in Chen et al., by
//! the instruction that missed and the requested sector's place within the line, or by the line
//! instead of the instruction. `spec/machine.md`, "Granularity", has the points that the sources
//! leave open.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::slot::{Build, Granularity, LineShape, SectorMiss};
use crate::mechanisms::allocation::Requester;
use crate::mechanisms::mechanism::{Mechanism, options};

/// The most entries of the table: those of the dissertation, which has no limit in effect (§5.3.1).
const MOST_ENTRIES: u32 = 1 << 20;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "spatial-pattern",
    sentence: "fetches the sectors that were used when the instruction missed at that place of a line before",
    options: &[
        (
            "entries",
            "entries of the pattern history table, a power of two, 1 to 1048576; default 1048576",
        ),
        (
            "index",
            "what an entry is of, beside a place in the line: the `instruction` that missed, or the `line`; default `instruction`",
        ),
    ],
    trials: &[&[("spatial-pattern.entries", "2")], &[("spatial-pattern.index", "line")]],
    statistics: &[],
    build: &|table, shape| {
        let Options { entries, index } = options(table)?;
        if !(1..=MOST_ENTRIES).contains(&entries) || !entries.is_power_of_two() {
            return Err(format!(
                "`entries` is {entries}; it must be a power of two, 1 to {MOST_ENTRIES}"
            ));
        }
        Ok(Box::new(SpatialPattern::new(entries, index, shape)))
    },
};

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    entries: u32,
    index: Index,
}

/// The key of a table entry, beside a place in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Index {
    /// The instruction that missed: the sectors of one line hold for the next line that it
    /// accesses.
    Instruction,
    /// The line: its used sectors hold when it is fetched again.
    Line,
}

impl Default for Options {
    fn default() -> Options {
        Options { entries: MOST_ENTRIES, index: Index::Instruction }
    }
}

/// The key of a miss: the instruction or the line, and the lowest sector that it requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    of: u64,
    sector: u8,
}

/// The noted part of a miss.
#[derive(Clone, Copy)]
struct Noted {
    pc: u32,
    /// The lowest sector that it requests.
    sector: u8,
}

struct SpatialPattern {
    shape: LineShape,
    entries: u32,
    index: Index,
    /// By index: whose entry it is, and the sectors. Entries that were never written are left out.
    table: BTreeMap<u64, (Key, u8)>,
    /// By place: the instruction whose miss fetched the line there, and the lowest sector that it
    /// requested.
    missed: Vec<Option<Noted>>,
}

impl SpatialPattern {
    fn new(entries: u32, index: Index, shape: LineShape) -> SpatialPattern {
        let missed = vec![None; shape.places];
        SpatialPattern { shape, entries, index, table: BTreeMap::new(), missed }
    }

    /// The noted part of a miss of sectors; nothing if no warp waits for it.
    fn note(by: &Requester, sectors: u8) -> Option<Noted> {
        by.warp.filter(|_| sectors != 0)?;
        Some(Noted { pc: by.pc, sector: sectors.trailing_zeros() as u8 })
    }

    /// The key of a line's miss.
    fn key(&self, Noted { pc, sector }: Noted, line: u64) -> Key {
        let of = match self.index {
            Index::Instruction => u64::from(pc),
            Index::Line => line,
        };
        Key { of, sector }
    }

    /// The place of a miss's entry.
    fn place(&self, key: Key) -> u64 {
        key.of.wrapping_mul(u64::from(self.shape.sectors)).wrapping_add(u64::from(key.sector))
            % u64::from(self.entries)
    }
}

impl Granularity for SpatialPattern {
    fn fetch(&mut self, miss: &SectorMiss) -> u8 {
        let Some(noted) = Self::note(&miss.requester, miss.missing).filter(|_| !miss.later) else {
            return miss.missing;
        };
        let key = self.key(noted, miss.line);
        match self.table.get(&self.place(key)) {
            Some((of, pattern)) if *of == key => miss.missing | pattern & !miss.valid,
            _ => self.shape.all() & !miss.valid,
        }
    }

    fn placed(&mut self, place: usize, by: &Requester, sectors: u8) {
        self.missed[place] = Self::note(by, sectors);
    }

    fn evicted(&mut self, place: usize, line: u64, used: u8) {
        if let Some(noted) = self.missed[place].take() {
            let key = self.key(noted, line);
            self.table.insert(self.place(key), (key, used));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handles::WarpSlot;

    const SHAPE: LineShape = LineShape { places: 2, sectors: 4, grain: 1 };

    fn by(pc: u32) -> Requester {
        Requester { warp: Some(WarpSlot(0)), pc, ..Requester::NONE }
    }

    fn miss(pc: u32, missing: u8) -> SectorMiss {
        SectorMiss { requester: by(pc), line: 9, missing, valid: 0, later: false }
    }

    #[test]
    fn a_pattern_is_learnt_and_used() {
        let mut spp = SpatialPattern::new(1 << 20, Index::Instruction, SHAPE);
        // Nothing is known: the whole line.
        assert_eq!(spp.fetch(&miss(7, 0b0010)), 0b1111);
        spp.placed(0, &by(7), 0b0010);
        // Another sector is requested later, and is not predicted.
        assert_eq!(spp.fetch(&SectorMiss { later: true, ..miss(7, 0b1000) }), 0b1000);
        spp.evicted(0, 9, 0b1010);
        assert_eq!(spp.fetch(&miss(7, 0b0010)), 0b1010);
        // At another place of the line, and by another instruction, nothing is known yet.
        assert_eq!(spp.fetch(&miss(7, 0b0001)), 0b1111);
        assert_eq!(spp.fetch(&miss(8, 0b0010)), 0b1111);
        // Valid sectors are not fetched.
        assert_eq!(spp.fetch(&SectorMiss { valid: 0b1000, ..miss(7, 0b0110) }), 0b0110);
    }

    #[test]
    fn a_line_is_recognised_when_it_arrives_again() {
        let mut spp = SpatialPattern::new(1 << 20, Index::Line, SHAPE);
        spp.placed(0, &by(7), 0b0010);
        spp.evicted(0, 9, 0b1010);
        // Whoever misses it at the same place; of another line nothing is known.
        assert_eq!(spp.fetch(&miss(8, 0b0010)), 0b1010);
        assert_eq!(spp.fetch(&SectorMiss { line: 10, ..miss(7, 0b0010) }), 0b1111);
    }

    #[test]
    fn entries_are_shared_by_a_small_table() {
        let mut spp = SpatialPattern::new(1, Index::Instruction, SHAPE);
        spp.placed(0, &by(1), 0b1);
        spp.evicted(0, 5, 0b1);
        assert_eq!(spp.fetch(&miss(1, 0b1)), 0b1);
        spp.placed(1, &by(2), 0b1);
        spp.evicted(1, 6, 0b11);
        assert_eq!([1, 2].map(|pc| spp.fetch(&miss(pc, 0b1))), [0b1111, 0b11]);
    }

    #[test]
    fn what_is_fetched_for_no_warp_is_not_predicted() {
        let mut spp = SpatialPattern::new(16, Index::Instruction, SHAPE);
        let nobody = SectorMiss { requester: Requester::NONE, ..miss(0, 0b100) };
        assert_eq!(spp.fetch(&nobody), 0b100);
        spp.placed(0, &Requester::NONE, 0b100);
        spp.evicted(0, 9, 0b100);
        assert!(spp.table.is_empty());
    }
}

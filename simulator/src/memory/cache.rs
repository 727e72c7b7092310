//! A set-associative array of tags with valid and dirty sectors.

use crate::replacement::{self, Replacement};

#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Line number plus 1; 0 for an empty way.
    tag: u64,
    valid: u8,
    dirty: u8,
}

/// The tags of a cache. Lines are known by number: address divided by line size.
pub(crate) struct Cache {
    sets: usize,
    ways: usize,
    lines: Vec<Line>,
    policy: Box<dyn Replacement>,
}

/// A dirty line that gave way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evicted {
    pub(crate) line: u64,
    pub(crate) dirty: u8,
}

impl Cache {
    /// A cache of so many lines, none for a cache that never holds anything.
    pub(crate) fn new(
        lines: usize,
        ways: usize,
        replacement: &str,
        options: &toml::Table,
    ) -> Result<Cache, String> {
        let sets = lines / ways;
        Ok(Cache {
            sets,
            ways,
            lines: vec![Line::default(); sets * ways],
            policy: (replacement::find(replacement)?.build)(options, sets, ways)?,
        })
    }

    /// Whether the cache can hold nothing.
    pub(crate) fn is_absent(&self) -> bool {
        self.sets == 0
    }

    /// The set of a line, given that there is one.
    #[inline]
    fn set(&self, line: u64) -> usize {
        if self.sets.is_power_of_two() {
            line as usize & (self.sets - 1)
        } else {
            (line % self.sets as u64) as usize
        }
    }

    #[inline]
    fn find(&self, line: u64) -> Option<(usize, usize)> {
        if self.sets == 0 {
            return None;
        }
        let set = self.set(line);
        let ways = &self.lines[set * self.ways..(set + 1) * self.ways];
        let way = ways.iter().position(|way| way.tag == line + 1)?;
        Some((set, way))
    }

    /// The valid sectors of a line, which counts as used if any of the wanted ones is.
    pub(crate) fn lookup(&mut self, line: u64, wanted: u8) -> u8 {
        let Some((set, way)) = self.find(line) else {
            return 0;
        };
        let valid = self.lines[set * self.ways + way].valid;
        if valid & wanted != 0 {
            self.policy.touch(set, way);
        }
        valid
    }

    /// Drops a line without writing it back.
    pub(crate) fn invalidate(&mut self, line: u64) {
        if let Some((set, way)) = self.find(line) {
            self.lines[set * self.ways + way] = Line::default();
        }
    }

    /// The dirty line that [`Cache::fill`] of a line would evict.
    pub(crate) fn would_evict(&mut self, line: u64) -> Option<Evicted> {
        if self.sets == 0 || self.find(line).is_some() {
            return None;
        }
        let set = self.set(line);
        let way = self.place(set);
        dirty(self.lines[set * self.ways + way])
    }

    /// An empty way of a set, or the victim.
    fn place(&mut self, set: usize) -> usize {
        let ways = &self.lines[set * self.ways..(set + 1) * self.ways];
        match ways.iter().position(|way| way.tag == 0) {
            Some(empty) => empty,
            None => self.policy.victim(set).min(self.ways - 1),
        }
    }

    /// Makes sectors of a line valid, and dirty if they were written; the line that this evicts, if
    /// it was dirty.
    pub(crate) fn fill(&mut self, line: u64, sectors: u8, written: bool) -> Option<Evicted> {
        if self.sets == 0 {
            return None;
        }
        let set = self.set(line);
        let mut evicted = None;
        let way = match self.find(line) {
            Some((_, way)) => way,
            None => {
                let way = self.place(set);
                let place = &mut self.lines[set * self.ways + way];
                evicted = dirty(*place);
                *place = Line { tag: line + 1, valid: 0, dirty: 0 };
                way
            }
        };
        let place = &mut self.lines[set * self.ways + way];
        place.valid |= sectors;
        if written {
            place.dirty |= sectors;
        }
        self.policy.touch(set, way);
        evicted
    }
}

fn dirty(line: Line) -> Option<Evicted> {
    let number = line.tag.checked_sub(1)?;
    (line.dirty != 0).then_some(Evicted { line: number, dirty: line.dirty })
}

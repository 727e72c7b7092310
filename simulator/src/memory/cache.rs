//! A set-associative array of tags with valid and dirty sectors.

use super::bytes::Bytes;
use crate::machine::SetHash;
use crate::replacement::{self, Replacement};

#[derive(Clone, Copy, Debug, Default)]
struct Line {
    valid: u8,
    dirty: u8,
    /// Accesses that are still to find it here.
    locks: u16,
    /// Early loads of it that the warps that want them have not read.
    early: u16,
}

impl Line {
    /// Whether it stays.
    fn is_kept(&self) -> bool {
        self.locks != 0 || self.early != 0
    }

    /// Sectors that were written in part.
    fn partial(self) -> u8 {
        self.dirty & !self.valid
    }
}

/// The tags of a cache. Lines are known by number: address divided by line size.
pub(crate) struct Cache {
    sets: usize,
    ways: usize,
    hash: SetHash,
    /// Bits of a set's number, and the mask of them if there is a power of two of sets.
    set_bits: u32,
    set_mask: Option<usize>,
    /// By set and way: the line's number plus 1; 0 for an empty way.
    tags: Vec<u64>,
    /// Empty ways of all sets: soon there are none, and none is looked for.
    empty: usize,
    lines: Vec<Line>,
    /// By line: what was written of sectors that are not valid. Not looked at unless there are some, and
    /// nothing when there are none. Empty until the first of them: many programs write whole sectors only.
    written: Vec<Bytes>,
    policy: Box<dyn Replacement>,
}

/// A dirty line that gave way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evicted {
    pub(crate) line: u64,
    /// Its sectors that were written, and what of them.
    pub(crate) dirty: u8,
    pub(crate) bytes: Bytes,
}

/// Where a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    set: u32,
    way: u32,
}

impl Place {
    fn new(set: usize, way: usize) -> Place {
        Place { set: set as u32, way: way as u32 }
    }

    /// The set that it is in.
    pub(crate) fn set(self) -> usize {
        self.set as usize
    }

    fn way(self) -> usize {
        self.way as usize
    }
}

/// What filling a line brings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Filled {
    /// Where the line is now; nowhere if there is no cache.
    pub(crate) place: Option<Place>,
    /// The dirty line that had to give way.
    pub(crate) evicted: Option<Evicted>,
    /// Sectors that had been written in part.
    pub(crate) completed: u8,
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
            hash: SetHash::None,
            set_bits: sets.max(1).next_power_of_two().ilog2(),
            set_mask: sets.is_power_of_two().then(|| sets - 1),
            tags: vec![0; sets * ways],
            empty: sets * ways,
            lines: vec![Line::default(); sets * ways],
            written: Vec::new(),
            policy: (replacement::find(replacement)?.build)(options, sets, ways)?,
        })
    }

    /// Whether the cache can hold nothing.
    pub(crate) fn is_absent(&self) -> bool {
        self.sets == 0
    }

    /// The same cache with another way from a line to its set.
    pub(crate) fn hashed(self, hash: SetHash) -> Cache {
        Cache { hash, ..self }
    }

    /// The set of a line, given that there is one.
    #[inline]
    pub(crate) fn set(&self, line: u64) -> usize {
        let line = match self.hash {
            SetHash::None => line,
            SetHash::Xor => fold(line, self.set_bits),
            SetHash::Fermi => {
                line ^ (line >> 6 & 0b111 | line >> 7 & 0b1000 | line >> 8 & 0b1_0000)
            }
        };
        match self.set_mask {
            Some(mask) => line as usize & mask,
            None => (line % self.sets as u64) as usize,
        }
    }

    /// Where a line is, if it is here.
    #[inline]
    pub(crate) fn find(&self, line: u64) -> Option<Place> {
        if self.sets == 0 {
            return None;
        }
        self.find_in(self.set(line), line)
    }

    /// The same, given the line's set.
    #[inline]
    pub(crate) fn find_in(&self, set: usize, line: u64) -> Option<Place> {
        let ways = &self.tags[set * self.ways..(set + 1) * self.ways];
        let way = ways.iter().position(|tag| *tag == line + 1)?;
        Some(Place::new(set, way))
    }

    fn index(&self, place: Place) -> usize {
        place.set() * self.ways + place.way()
    }

    fn line(&mut self, place: Place) -> &mut Line {
        let index = self.index(place);
        &mut self.lines[index]
    }

    /// The valid sectors of a line, which counts as used if any of the wanted ones is.
    pub(crate) fn lookup(&mut self, line: u64, wanted: u8) -> u8 {
        self.find(line).map_or(0, |place| self.lookup_at(place, wanted))
    }

    /// The same of a line that is somewhere.
    pub(crate) fn lookup_at(&mut self, place: Place, wanted: u8) -> u8 {
        let valid = self.valid_at(place);
        if valid & wanted != 0 {
            self.policy.touch(place.set(), place.way());
        }
        valid
    }

    /// The valid sectors of a line, which does not count as used.
    pub(crate) fn valid(&self, line: u64) -> u8 {
        self.find(line).map_or(0, |place| self.valid_at(place))
    }

    /// The same of a line that is somewhere.
    pub(crate) fn valid_at(&self, place: Place) -> u8 {
        self.lines[self.index(place)].valid
    }

    /// Keeps a line that is somewhere, until it was unlocked as often.
    pub(crate) fn lock(&mut self, place: Place) {
        self.line(place).locks += 1;
    }

    /// Whether a line is locked.
    pub(crate) fn has_locks(&self) -> bool {
        self.lines.iter().any(Line::is_kept)
    }

    /// Keeps a line, for an early load, until it was released as often. If it is not here it takes a way,
    /// of which no sector is valid yet; and the dirty line that this evicts.
    pub(crate) fn hold(&mut self, line: u64) -> Option<Evicted> {
        let mut evicted = None;
        let place = match self.find(line) {
            Some(place) => place,
            None => {
                let (place, gone) = self.allocate(line)?;
                evicted = gone;
                place
            }
        };
        self.line(place).early += 1;
        evicted
    }

    /// How many early loads hold a line.
    pub(crate) fn holders(&self, line: u64) -> u16 {
        self.find(line).map_or(0, |place| self.lines[self.index(place)].early)
    }

    /// Undoes [`Cache::hold`].
    pub(crate) fn release(&mut self, line: u64) {
        if let Some(place) = self.find(line) {
            let early = &mut self.line(place).early;
            *early = early.saturating_sub(1);
        }
    }

    /// Undoes [`Cache::lock`] of a line that was at a place. It may have been dropped.
    pub(crate) fn unlock(&mut self, line: u64, place: Place) {
        let is_there = self.tags[self.index(place)] == line + 1;
        if let Some(place) = if is_there { Some(place) } else { self.find(line) } {
            let locks = &mut self.line(place).locks;
            *locks = locks.saturating_sub(1);
        }
    }

    /// Whether a line is here, or one of its set can give way.
    pub(crate) fn can_hold(&self, line: u64) -> bool {
        let ways = self.set(line) * self.ways;
        self.find(line).is_some()
            || self.lines[ways..ways + self.ways].iter().any(|line| !line.is_kept())
    }

    /// Drops a line without writing it back. One that early loads hold keeps its way.
    pub(crate) fn invalidate(&mut self, line: u64) {
        if let Some(place) = self.find(line) {
            let index = self.index(place);
            let Line { locks, early, .. } = self.lines[index];
            self.reset(index);
            if early == 0 {
                self.tags[index] = 0;
                self.empty += 1;
            } else {
                (self.lines[index].locks, self.lines[index].early) = (locks, early);
            }
        }
    }

    /// The dirty line that [`Cache::fill`] of a line would evict.
    pub(crate) fn would_evict(&self, line: u64) -> Option<Evicted> {
        if self.sets == 0 || self.find(line).is_some() {
            return None;
        }
        let set = self.set(line);
        self.dirty(set * self.ways + self.empty_way(set).unwrap_or_else(|| self.victim(set)))
    }

    /// The first way of a set that is empty.
    fn empty_way(&self, set: usize) -> Option<usize> {
        if self.empty == 0 {
            return None;
        }
        self.tags[set * self.ways..(set + 1) * self.ways].iter().position(|tag| *tag == 0)
    }

    /// The victim of a set; if that is locked, the next one that is not.
    fn victim(&self, set: usize) -> usize {
        let victim = self.policy.victim(set).min(self.ways - 1);
        let ways = &self.lines[set * self.ways..(set + 1) * self.ways];
        if !ways[victim].is_kept() {
            return victim;
        }
        let mut next = (victim..self.ways).chain(0..victim);
        next.find(|&way| !ways[way].is_kept()).unwrap_or(victim)
    }

    /// Makes sectors of a line valid, and dirty if they were written.
    pub(crate) fn fill(&mut self, line: u64, sectors: u8, written: bool) -> Filled {
        let Some((place, evicted)) = self.allocate(line) else {
            return Filled::default();
        };
        let index = self.index(place);
        let entry = &mut self.lines[index];
        let completed = entry.partial() & sectors;
        entry.valid |= sectors;
        if written {
            entry.dirty |= sectors;
        }
        if completed != 0 {
            self.written[index] = self.written[index].without(completed);
        }
        Filled { place: Some(place), evicted, completed }
    }

    /// Writes bytes of a line. Sectors of which all bytes have been written are valid. The line that
    /// this evicts, if it was dirty.
    pub(crate) fn write(&mut self, line: u64, bytes: &Bytes) -> Option<Evicted> {
        let (place, evicted) = self.allocate(line)?;
        let place = self.index(place);
        let (sectors, entry) = (bytes.sectors(), &mut self.lines[place]);
        entry.dirty |= sectors;
        let incomplete = sectors & !entry.valid;
        if incomplete != 0 {
            self.written.resize(self.tags.len(), Bytes::default());
            let written = &mut self.written[place];
            written.join(&bytes.without(entry.valid));
            let whole = written.whole();
            entry.valid |= whole;
            *written = written.without(whole);
        }
        evicted
    }

    /// The place of a line, which counts as used, and what it evicts; nothing if there is no cache.
    fn allocate(&mut self, line: u64) -> Option<(Place, Option<Evicted>)> {
        if self.sets == 0 {
            return None;
        }
        let set = self.set(line);
        if let Some(place) = self.find_in(set, line) {
            self.policy.touch(place.set(), place.way());
            return Some((place, None));
        }
        let way = match self.empty_way(set) {
            Some(way) => {
                self.empty -= 1;
                way
            }
            None => self.victim(set),
        };
        let place = Place::new(set, way);
        let index = self.index(place);
        let evicted = self.dirty(index);
        self.tags[index] = line + 1;
        self.reset(index);
        self.policy.place(set, way);
        Some((place, evicted))
    }

    /// Nothing is known any more of the line at a place.
    fn reset(&mut self, place: usize) {
        if std::mem::take(&mut self.lines[place]).partial() != 0 {
            self.written[place] = Bytes::default();
        }
    }

    /// What must be written when a place is given to another line.
    fn dirty(&self, place: usize) -> Option<Evicted> {
        let entry @ Line { valid, dirty, .. } = self.lines[place];
        if dirty == 0 {
            return None;
        }
        let line = self.tags[place].checked_sub(1)?;
        let mut bytes = Bytes::of(dirty & valid);
        if entry.partial() != 0 {
            bytes.join(&self.written[place]);
        }
        Some(Evicted { line, dirty, bytes })
    }
}

/// The groups of `bits` bits of a line's number, added without carry: what a set is chosen by if sets
/// are hashed.
fn fold(line: u64, bits: u32) -> u64 {
    if bits == 0 {
        return line;
    }
    let mut folded = 0;
    let mut rest = line;
    while rest != 0 {
        folded ^= rest & ((1 << bits) - 1);
        rest >>= bits;
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Cache {
        /// The sectors of a line that were written in part and are not valid.
        fn partial(&self, line: u64) -> u8 {
            self.find(line).map_or(0, |place| self.lines[self.index(place)].partial())
        }
    }

    fn cache(lines: usize, ways: usize) -> Cache {
        Cache::new(lines, ways, "lru", &toml::Table::new()).expect("it is a policy")
    }

    #[test]
    fn sets_by_number() {
        // 8 sets: the number's low 3 bits. 6 sets: the remainder.
        let (eight, six) = (cache(16, 2), cache(12, 2));
        for line in [0, 5, 8, 13, 1000] {
            assert_eq!(eight.set(line), line as usize % 8);
            assert_eq!(six.set(line), line as usize % 6);
        }
    }

    #[test]
    fn hashed_sets() {
        let hashed = cache(16, 2).hashed(SetHash::Xor);
        // 0b101_110_011: 101 ^ 110 ^ 011 = 000.
        assert_eq!(hashed.set(0b101_110_011), 0);
        assert_eq!(hashed.set(0b001_000_000), 1);
        // Eight lines that meet in one set without it lie in eight.
        let mut sets: Vec<usize> = (0..8).map(|index| hashed.set(index * 8 + 3)).collect();
        sets.sort_unstable();
        assert_eq!(sets, [0, 1, 2, 3, 4, 5, 6, 7]);
        // Any eight neighbours, too.
        let mut sets: Vec<usize> = (0..8).map(|index| hashed.set(index + 8 * 77)).collect();
        sets.sort_unstable();
        assert_eq!(sets, [0, 1, 2, 3, 4, 5, 6, 7]);
        // Six sets are chosen by the remainder of the folded three bits.
        let six = cache(12, 2).hashed(SetHash::Xor);
        assert_eq!([0b111, 0b001_111].map(|line| six.set(line)), [1, 0]);
        assert_eq!(cache(2, 2).hashed(SetHash::Xor).set(12345), 0);
    }

    #[test]
    fn sets_of_a_fermi() {
        let (small, large) = [128, 256].map(|lines| cache(lines, 4).hashed(SetHash::Fermi)).into();
        // Address bits 7 to 11 are added to bits 13, 14, 15, 17 and 19; bit 12 chooses the half of 64 sets.
        let set = |bit: u32| [small.set(1 << (bit - 7)), large.set(1 << (bit - 7))];
        for (bit, value) in [(7, 1), (8, 2), (9, 4), (10, 8), (11, 16)] {
            assert_eq!(set(bit), [value; 2]);
        }
        for (bit, value) in [(13, 1), (14, 2), (15, 4), (17, 8), (19, 16)] {
            assert_eq!(set(bit), [value; 2]);
        }
        assert_eq!(set(12), [0, 32]);
        assert_eq!([set(16), set(18), set(20), set(40)], [[0; 2]; 4]);
        // Both are added: bits 7 and 13.
        assert_eq!(small.set(1 | 1 << 6), 0);
    }

    #[test]
    fn every_line_is_found_again() {
        for hash in [SetHash::None, SetHash::Xor, SetHash::Fermi] {
            let mut cache = cache(48, 4).hashed(hash);
            for line in 0..10_000u64 {
                let line = line * line % 977;
                cache.fill(line, 1, false);
                assert_eq!(cache.lookup(line, 1), 1);
            }
        }
    }

    #[test]
    fn sectors_written_in_part() {
        let part = |from, to| {
            let mut bytes = Bytes::default();
            bytes.insert(from, to);
            bytes
        };
        let mut cache = cache(2, 1);
        // Half of sector 0, all of sector 1.
        assert!(cache.write(0, &part(16, 64)).is_none());
        assert_eq!((cache.valid(0), cache.partial(0)), (0b10, 0b01));
        // The other half.
        cache.write(0, &part(0, 16));
        assert_eq!((cache.valid(0), cache.partial(0)), (0b11, 0));
        // A part of sector 2, which is fetched then.
        cache.write(0, &part(70, 71));
        assert_eq!((cache.valid(0), cache.partial(0)), (0b011, 0b100));
        assert_eq!(cache.fill(0, 0b100, false).completed, 0b100);
        assert_eq!((cache.valid(0), cache.partial(0)), (0b111, 0));
        // Sector 2 is written in part again: it is valid. A part of sector 3, which stays so.
        cache.write(0, &part(80, 90));
        cache.write(0, &part(100, 101));
        assert_eq!((cache.valid(0), cache.partial(0)), (0b111, 0b1000));
        let evicted = cache.write(2, &part(0, 1)).expect("it was dirty");
        assert_eq!((evicted.line, evicted.dirty), (0, 0b1111));
        assert_eq!((evicted.bytes.whole(), evicted.bytes.sectors()), (0b0111, 0b1111));
        assert_eq!((cache.valid(2), cache.partial(2)), (0, 1));
        cache.invalidate(2);
        assert_eq!((cache.valid(2), cache.partial(2)), (0, 0));
    }
}

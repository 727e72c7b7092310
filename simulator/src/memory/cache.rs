//! A set-associative array of tags with valid and dirty sectors.

use super::bytes::Bytes;
use super::mshr::Placement;
use crate::allocation::{self, Allocation, CacheShape, Level, LineAccess, Requester, Token};
use crate::granularity::{self, Granularity, SectorMiss};
use crate::machine::{Machine, SetHash};
use crate::replacement::{self, Replacement, Ways};

#[derive(Clone, Copy, Debug, Default)]
struct Line {
    valid: u8,
    dirty: u8,
    /// Sectors that were read or written since the line came.
    used: u8,
    /// Accesses that are still to find it here.
    locks: u16,
    /// Early loads of it that the warps that want them have not read.
    early: u16,
}

impl Line {
    /// Whether it stays: it is not offered to be evicted.
    fn is_pinned(&self) -> bool {
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
    /// Lines that are pinned: mostly none, and then none is looked for.
    pinned: usize,
    /// Lines that have taken a way.
    placed: u64,
    /// By line: what was written of sectors that are not valid. Not looked at unless there are some, and
    /// nothing when there are none. Empty until the first of them: many programs write whole sectors only.
    written: Vec<Bytes>,
    replacement: Box<dyn Replacement>,
    allocation: Box<dyn Allocation>,
    granularity: Box<dyn Granularity>,
}

/// A dirty line that was evicted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evicted {
    pub(crate) line: u64,
    /// What was written.
    pub(crate) bytes: Bytes,
}

/// A way of a set: where a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    set: u32,
    way: u32,
}

impl Way {
    fn new(set: usize, way: usize) -> Way {
        Way { set: set as u32, way: way as u32 }
    }

    /// The set that it belongs to.
    pub(crate) fn set(self) -> usize {
        self.set as usize
    }

    /// Its number within the set.
    fn number(self) -> usize {
        self.way as usize
    }
}

/// What filling a line brings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Filled {
    /// Where the line is now; nowhere if there is no cache.
    pub(crate) way: Option<Way>,
    /// The dirty line that was evicted for it.
    pub(crate) evicted: Option<Evicted>,
    /// Sectors that had been written in part.
    pub(crate) completed: u8,
}

impl Cache {
    /// A cache of so many lines, none for a cache that never holds anything. It allocates every line, and
    /// fetches what is wanted; see [`Cache::of_data`].
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
            pinned: 0,
            placed: 0,
            written: Vec::new(),
            replacement: (replacement::find(replacement)?.build)(options, sets, ways)?,
            allocation: allocation::all(),
            granularity: granularity::fine(),
        })
    }

    /// The cache with the mechanisms of the slots `allocation` and `granularity` at its level; `sectors` are
    /// those of a line.
    pub(crate) fn of_data(
        self,
        machine: &Machine,
        (level, sectors): (Level, u32),
    ) -> Result<Cache, String> {
        let [allocation, granularity] = match level {
            Level::First => [&machine.allocation, &machine.granularity],
            Level::Second => [&machine.l2.allocation, &machine.l2.granularity],
        };
        let (allocation, granularity) =
            (allocation::find(allocation)?, granularity::find(granularity)?);
        let options = [machine.options(allocation.name), machine.options(granularity.name)];
        let shape = CacheShape { level, sets: self.sets, ways: self.ways };
        Ok(Cache {
            allocation: (allocation.build)(&options[0], shape)?,
            granularity: (granularity.build)(&options[1], sectors)?,
            ..self
        })
    }

    /// Whether the cache can hold nothing.
    pub(crate) fn is_absent(&self) -> bool {
        self.sets == 0
    }

    /// The cache with another function from a line to its set.
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
    pub(crate) fn find(&self, line: u64) -> Option<Way> {
        if self.sets == 0 {
            return None;
        }
        self.find_in(self.set(line), line)
    }

    /// Where a line is, if it is here, given its set.
    #[inline]
    pub(crate) fn find_in(&self, set: usize, line: u64) -> Option<Way> {
        let ways = &self.tags[set * self.ways..(set + 1) * self.ways];
        let way = ways.iter().position(|tag| *tag == line + 1)?;
        Some(Way::new(set, way))
    }

    fn index(&self, way: Way) -> usize {
        way.set() * self.ways + way.number()
    }

    /// Changes what pins the line in a way.
    fn pin(&mut self, way: Way, change: impl FnOnce(&mut Line)) {
        let index = self.index(way);
        let line = &mut self.lines[index];
        let was = usize::from(line.is_pinned());
        change(line);
        self.pinned = self.pinned + usize::from(line.is_pinned()) - was;
    }

    fn access(&self, line: u64, by: Requester) -> LineAccess {
        LineAccess { requester: by, line, set: self.set(line) }
    }

    /// All that an access wants of a line was found in a way.
    #[inline]
    pub(crate) fn hit(&mut self, line: u64, way: Way, by: Requester) {
        self.allocation.hit(&LineAccess { requester: by, line, set: way.set() }, way.number());
    }

    /// What a hardware warp's accesses carry.
    #[inline]
    pub(crate) fn token(&self, warp: u16) -> Token {
        self.allocation.token(warp)
    }

    /// Whether a line of which sectors miss takes a way when it comes, given where it is and whether a way is free for
    /// it. Without a cache it does not; a line that is here has one.
    pub(crate) fn allocates(
        &mut self,
        line: u64,
        way: Option<Way>,
        by: Requester,
        has_way: bool,
    ) -> bool {
        way.is_some()
            || !self.is_absent() && self.allocation.allocates(&self.access(line, by), has_way)
    }

    /// Whether a miss that `first` has outstanding counts as that of `by` from now on, who merges with it.
    pub(crate) fn takes_over(&self, by: &Requester, first: &Requester) -> bool {
        self.allocation.takes_over(by, first)
    }

    /// The slot `allocation`.
    pub(crate) fn allocation(&mut self) -> &mut dyn Allocation {
        &mut *self.allocation
    }

    /// Lines that have taken a way.
    pub(crate) fn placed(&self) -> u64 {
        self.placed
    }

    /// The sectors to fetch for a miss of some.
    pub(crate) fn fetch(&mut self, miss: &SectorMiss) -> u8 {
        let sectors = self.granularity.fetch(miss);
        debug_assert_eq!(sectors & miss.missing, miss.missing);
        debug_assert_eq!(sectors & miss.valid, 0);
        sectors
    }

    /// The valid sectors of a line, which counts as used if any of the wanted ones is.
    pub(crate) fn lookup(&mut self, line: u64, wanted: u8) -> u8 {
        self.find(line).map_or(0, |way| self.lookup_at(way, wanted))
    }

    /// The valid sectors of the line in a way, which counts as used if any of the wanted ones is.
    pub(crate) fn lookup_at(&mut self, way: Way, wanted: u8) -> u8 {
        let index = self.index(way);
        let valid = self.lines[index].valid;
        if valid & wanted != 0 {
            self.lines[index].used |= valid & wanted;
            self.replacement.touch(way.set(), way.number());
        }
        valid
    }

    /// The valid sectors of a line, which does not count as used.
    pub(crate) fn valid(&self, line: u64) -> u8 {
        self.find(line).map_or(0, |way| self.valid_at(way))
    }

    /// The valid sectors of the line in a way, which does not count as used.
    pub(crate) fn valid_at(&self, way: Way) -> u8 {
        self.lines[self.index(way)].valid
    }

    /// Pins the line in a way until it was unlocked as often.
    pub(crate) fn lock(&mut self, way: Way) {
        self.pin(way, |line| line.locks += 1);
    }

    /// Whether a line is pinned.
    pub(crate) fn has_locks(&self) -> bool {
        self.lines.iter().any(Line::is_pinned)
    }

    /// Pins a line, for an early load, until it was released as often. If it is not here it takes a way,
    /// of which no sector is valid yet; and the dirty line that this evicts.
    pub(crate) fn hold(&mut self, line: u64, by: Requester) -> Option<Evicted> {
        let mut evicted = None;
        let way = match self.find(line) {
            Some(way) => way,
            None => {
                let (way, gone) = self.allocate(line, by, Placement::Always)?;
                evicted = gone;
                way
            }
        };
        self.pin(way, |line| line.early += 1);
        evicted
    }

    /// How many early loads hold a line.
    pub(crate) fn holders(&self, line: u64) -> u16 {
        self.find(line).map_or(0, |way| self.lines[self.index(way)].early)
    }

    /// Undoes [`Cache::hold`].
    pub(crate) fn release(&mut self, line: u64) {
        if let Some(way) = self.find(line) {
            self.pin(way, |line| line.early = line.early.saturating_sub(1));
        }
    }

    /// Undoes [`Cache::lock`] of a line that was in a way. It may have been dropped.
    pub(crate) fn unlock(&mut self, line: u64, way: Way) {
        let is_there = self.tags[self.index(way)] == line + 1;
        if let Some(way) = if is_there { Some(way) } else { self.find(line) } {
            self.pin(way, |line| line.locks = line.locks.saturating_sub(1));
        }
    }

    /// Whether a line is here, or one of its set can be evicted.
    pub(crate) fn can_hold(&self, line: u64) -> bool {
        let ways = self.set(line) * self.ways;
        self.find(line).is_some()
            || self.lines[ways..ways + self.ways].iter().any(|line| !line.is_pinned())
    }

    /// The bytes of a line that were written and not written back; none if there are none.
    pub(crate) fn dirty_bytes(&self, line: u64) -> Option<Bytes> {
        let way = self.find(line)?;
        self.dirty(self.index(way)).map(|evicted| evicted.bytes)
    }

    /// Drops a line without writing it back. One that early loads hold keeps its way.
    pub(crate) fn invalidate(&mut self, line: u64) {
        if let Some(way) = self.find(line) {
            let index = self.index(way);
            let Line { locks, early, .. } = self.lines[index];
            self.reset(index);
            if early == 0 {
                self.tags[index] = 0;
                self.empty += 1;
                self.allocation.dropped(way.set(), way.number());
            } else {
                self.pin(way, |line| (line.locks, line.early) = (locks, early));
            }
        }
    }

    /// The dirty line that [`Cache::fill`] of a line, or [`Cache::write`] if it is placed in any case, would evict.
    pub(crate) fn would_evict(
        &self,
        line: u64,
        by: Requester,
        placement: Placement,
    ) -> Option<Evicted> {
        if self.sets == 0 || self.find(line).is_some() {
            return None;
        }
        let access = self.access(line, by);
        if self.empty_way(access.set).is_some() {
            return None;
        }
        let way = self.victim(&access, placement)?;
        self.dirty(access.set * self.ways + way)
    }

    /// The first way of a set that is empty.
    fn empty_way(&self, set: usize) -> Option<usize> {
        if self.empty == 0 {
            return None;
        }
        self.tags[set * self.ways..(set + 1) * self.ways].iter().position(|tag| *tag == 0)
    }

    /// The way of a set, all of which hold lines, that a line evicts: one that is not pinned, of those
    /// that the allocation leaves, as the replacement policy says. None if the line bypasses the cache.
    fn victim(&self, access: &LineAccess, placement: Placement) -> Option<usize> {
        let mut ways = Ways::all(self.ways);
        if self.pinned != 0 {
            let lines = &self.lines[access.set * self.ways..(access.set + 1) * self.ways];
            ways.retain(|way| !lines[way].is_pinned());
            // The caller knows that there is a way for the line; if there is not, any is as good.
            if ways.is_empty() {
                ways = Ways::all(self.ways);
            }
        }
        let all = (placement == Placement::Always).then(|| ways.clone());
        let offered = self.allocation.victims(access, ways);
        let offered = if offered.is_empty() { all? } else { offered };
        Some(self.replacement.victim(access.set, &offered).min(self.ways - 1))
    }

    /// Makes sectors of a line valid, of which some are used at once, and dirty if they were written. The line
    /// takes a way in any case then.
    pub(crate) fn fill(
        &mut self,
        line: u64,
        [sectors, used]: [u8; 2],
        (written, placement): (bool, Placement),
        by: Requester,
    ) -> Filled {
        let Some((way, evicted)) = self.allocate(line, by, placement) else {
            return Filled::default();
        };
        let index = self.index(way);
        let entry = &mut self.lines[index];
        let completed = entry.partial() & sectors;
        entry.valid |= sectors;
        entry.used |= used;
        if written {
            entry.dirty |= sectors;
        }
        if completed != 0 {
            self.written[index] = self.written[index].without(completed);
        }
        Filled { way: Some(way), evicted, completed }
    }

    /// Writes bytes of a line. Sectors of which all bytes have been written are valid. The line that
    /// this evicts, if it was dirty.
    pub(crate) fn write(&mut self, line: u64, bytes: &Bytes, by: Requester) -> Option<Evicted> {
        let (way, evicted) = self.allocate(line, by, Placement::Always)?;
        let index = self.index(way);
        let (sectors, entry) = (bytes.sectors(), &mut self.lines[index]);
        entry.dirty |= sectors;
        entry.used |= sectors;
        let incomplete = sectors & !entry.valid;
        if incomplete != 0 {
            self.written.resize(self.tags.len(), Bytes::default());
            let written = &mut self.written[index];
            written.join(&bytes.without(entry.valid));
            let whole = written.whole();
            entry.valid |= whole;
            *written = written.without(whole);
        }
        evicted
    }

    /// The way of a line, which counts as used, and what it evicts; nothing if the line bypasses the cache, or if there
    /// is none.
    fn allocate(
        &mut self,
        line: u64,
        by: Requester,
        placement: Placement,
    ) -> Option<(Way, Option<Evicted>)> {
        if self.sets == 0 || placement == Placement::Bypass {
            return None;
        }
        let set = self.set(line);
        if let Some(way) = self.find_in(set, line) {
            self.replacement.touch(way.set(), way.number());
            return Some((way, None));
        }
        let access = LineAccess { requester: by, line, set };
        let way = match self.empty_way(set) {
            Some(way) => {
                self.empty -= 1;
                way
            }
            None => self.victim(&access, placement)?,
        };
        let place = Way::new(set, way);
        let index = self.index(place);
        let evicted = self.dirty(index);
        self.reset(index);
        self.tags[index] = line + 1;
        self.placed += 1;
        self.replacement.place(set, way);
        self.allocation.placed(&access, way);
        Some((place, evicted))
    }

    /// The line at an index, if there is one, is gone: nothing is known of it any more.
    fn reset(&mut self, index: usize) {
        let gone = std::mem::take(&mut self.lines[index]);
        self.pinned -= usize::from(gone.is_pinned());
        if gone.partial() != 0 {
            self.written[index] = Bytes::default();
        }
        if let Some(line) = self.tags[index].checked_sub(1) {
            self.granularity.evicted(line, gone.used);
        }
    }

    /// What must be written when the way at an index is given to another line.
    fn dirty(&self, index: usize) -> Option<Evicted> {
        let entry @ Line { valid, dirty, .. } = self.lines[index];
        if dirty == 0 {
            return None;
        }
        let line = self.tags[index].checked_sub(1)?;
        let mut bytes = Bytes::of(dirty & valid);
        if entry.partial() != 0 {
            bytes.join(&self.written[index]);
        }
        Some(Evicted { line, bytes })
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
impl Cache {
    /// Has another allocation from now on.
    pub(crate) fn replace_allocation(&mut self, allocation: Box<dyn Allocation>) {
        self.allocation = allocation;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Cache {
        /// Puts another allocation in.
        pub(in crate::memory) fn set_allocation(&mut self, allocation: Box<dyn Allocation>) {
            self.allocation = allocation;
        }

        /// The sectors of a line that were written in part and are not valid.
        fn partial(&self, line: u64) -> u8 {
            self.find(line).map_or(0, |way| self.lines[self.index(way)].partial())
        }
    }

    /// Requests of these tests belong to no instruction.
    const NOBODY: Requester = Requester::NONE;
    /// Lines that were read and not written.
    const READ: (bool, Placement) = (false, Placement::IfAllowed);

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
                cache.fill(line, [1, 1], READ, NOBODY);
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
        assert!(cache.write(0, &part(16, 64), NOBODY).is_none());
        assert_eq!((cache.valid(0), cache.partial(0)), (0b10, 0b01));
        // The other half.
        cache.write(0, &part(0, 16), NOBODY);
        assert_eq!((cache.valid(0), cache.partial(0)), (0b11, 0));
        // A part of sector 2, which is fetched then.
        cache.write(0, &part(70, 71), NOBODY);
        assert_eq!((cache.valid(0), cache.partial(0)), (0b011, 0b100));
        assert_eq!(cache.fill(0, [0b100, 0b100], READ, NOBODY).completed, 0b100);
        assert_eq!((cache.valid(0), cache.partial(0)), (0b111, 0));
        // Sector 2 is written in part again: it is valid. A part of sector 3, which stays so.
        cache.write(0, &part(80, 90), NOBODY);
        cache.write(0, &part(100, 101), NOBODY);
        assert_eq!((cache.valid(0), cache.partial(0)), (0b111, 0b1000));
        let evicted = cache.write(2, &part(0, 1), NOBODY).expect("it was dirty");
        assert_eq!((evicted.line, evicted.bytes.sectors()), (0, 0b1111));
        assert_eq!((evicted.bytes.whole(), evicted.bytes.sectors()), (0b0111, 0b1111));
        assert_eq!((cache.valid(2), cache.partial(2)), (0, 1));
        cache.invalidate(2);
        assert_eq!((cache.valid(2), cache.partial(2)), (0, 0));
    }

    /// What a policy was told: the event, the line and the way.
    type Heard = Vec<(&'static str, u64, usize)>;

    /// Lets warp 0 evict way 0 only, and no other warp allocate; notes what it hears of.
    #[derive(Default)]
    struct OnlyWarpZero {
        heard: std::sync::Arc<std::sync::Mutex<Heard>>,
    }

    impl OnlyWarpZero {
        fn note(&self, what: &'static str, line: u64, way: usize) {
            self.heard.lock().expect("no test panics").push((what, line, way));
        }
    }

    impl Allocation for OnlyWarpZero {
        fn hit(&mut self, access: &LineAccess, way: usize) {
            self.note("hit", access.line, way);
        }

        fn allocates(&mut self, access: &LineAccess, has_way: bool) -> bool {
            has_way && access.requester.warp == Some(0)
        }

        fn victims(&self, access: &LineAccess, mut ways: Ways) -> Ways {
            assert_eq!(access.set, 0);
            ways.retain(|way| way == 0);
            ways
        }

        fn placed(&mut self, access: &LineAccess, way: usize) {
            self.note("placed", access.line, way);
        }
    }

    /// Notes the lines that leave a cache.
    struct Leaving(std::sync::Arc<std::sync::Mutex<Vec<(u64, u8)>>>);

    impl Granularity for Leaving {
        fn fetch(&mut self, miss: &SectorMiss) -> u8 {
            !miss.valid
        }

        fn evicted(&mut self, line: u64, used: u8) {
            self.0.lock().expect("no test panics").push((line, used));
        }
    }

    #[test]
    fn an_allocation_says_who_evicts_what() {
        let allocation = OnlyWarpZero::default();
        let heard = allocation.heard.clone();
        let mut cache = Cache { allocation: Box::new(allocation), ..cache(2, 2) };
        let [zero, one] = [Some(0), Some(1)].map(|warp| Requester { warp, ..NOBODY });
        assert!(cache.allocates(0, None, zero, true) && !cache.allocates(0, None, zero, false));
        assert!(!cache.allocates(0, None, one, true));
        for line in [0, 2] {
            cache.fill(line, [1, 1], READ, zero);
        }
        // The older line is in way 0; then way 1 has the older one, and way 0 is evicted all the same.
        cache.fill(4, [1, 1], READ, zero);
        cache.fill(6, [1, 1], READ, zero);
        assert_eq!([0, 2, 4, 6].map(|line| cache.valid(line)), [0, 1, 0, 1]);
        let way = cache.find(2).expect("it is here");
        cache.hit(2, way, one);
        let placed = [("placed", 0, 0), ("placed", 2, 1), ("placed", 4, 0), ("placed", 6, 0)];
        let expected: Vec<_> = placed.into_iter().chain([("hit", 2, 1)]).collect();
        assert_eq!(*heard.lock().expect("no test panics"), expected);
    }

    #[test]
    fn pinned_lines_are_not_offered() {
        let mut cache = cache(3, 3);
        for line in [0, 1, 2] {
            cache.fill(line, [1, 1], READ, NOBODY);
        }
        // The least recently used is locked, the next one held: the last one is evicted.
        let way = cache.find(0).expect("it is here");
        cache.lock(way);
        assert!(cache.hold(1, NOBODY).is_none());
        cache.fill(3, [1, 1], READ, NOBODY);
        assert_eq!([0, 1, 2, 3].map(|line| cache.valid(line)), [1, 1, 0, 1]);
        assert!(cache.has_locks() && cache.can_hold(9));
        cache.unlock(0, way);
        cache.fill(4, [1, 1], READ, NOBODY);
        assert_eq!([0, 1, 3, 4].map(|line| cache.valid(line)), [0, 1, 1, 1]);
        // A held line keeps its way when it is dropped, a locked one does not.
        cache.lock(cache.find(3).expect("it is here"));
        [1, 3].into_iter().for_each(|line| cache.invalidate(line));
        assert!(cache.find(1).is_some() && cache.find(3).is_none());
        cache.release(1);
        assert!(!cache.has_locks() && cache.pinned == 0);
    }

    #[test]
    fn a_granularity_hears_which_sectors_were_used() {
        let left = std::sync::Arc::default();
        let granularity: Box<dyn Granularity> = Box::new(Leaving(std::sync::Arc::clone(&left)));
        let mut cache = Cache { granularity, ..cache(1, 1) };
        let miss = SectorMiss { requester: NOBODY, line: 5, missing: 0b1, valid: 0xf0 };
        assert_eq!(cache.fetch(&miss), 0b1111);
        cache.fill(5, [0b1111, 0b1], READ, NOBODY);
        cache.lookup(5, 0b100);
        cache.fill(6, [0b10, 0b10], READ, NOBODY);
        cache.invalidate(6);
        assert_eq!(*left.lock().expect("no test panics"), [(5, 0b101), (6, 0b10)]);
    }
}

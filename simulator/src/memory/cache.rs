//! A set-associative array of tags with valid and dirty sectors.

use super::bytes::Bytes;
use super::mshr::{FetchedSectors, Placement};
use crate::handles::WarpSlot;
use crate::machine::{Machine, SetHash};
use crate::mechanisms::allocation::{
    self, Allocation, CacheShape, Level, LineAccess, Requester, Token,
};
use crate::mechanisms::event::{Event, EventSet};
use crate::mechanisms::granularity::{self, Granularity, LineShape, SectorMiss};
use crate::mechanisms::replacement::{self, Replacement, Ways};
use crate::mechanisms::setup::Setup;
use crate::memory::bytes::SECTOR;
use crate::observe::mechanism_statistics::MechanismStatistics;

#[derive(Clone, Copy, Debug, Default)]
struct Line {
    valid: u8,
    dirty: u8,
    /// Sectors that were read or written since the line arrived, in this launch.
    used: u8,
    /// The same for earlier launches; none for a line that arrived in this launch.
    used_before: u8,
    /// Sectors that were fetched without an access to them, and have not been used.
    predicted: u8,
    /// Some of it was fetched.
    fetched: bool,
    /// Accesses that are still to find it here.
    locks: u16,
    /// Holders of the line ([`Cache::hold`]).
    holders: u16,
}

impl Line {
    /// Returns true if it stays: it is not offered to be evicted.
    fn is_held(&self) -> bool {
        self.locks != 0 || self.holders != 0
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
    /// By set: lines that are held. Mostly there are none, and then none is looked for.
    held: Vec<u16>,
    counts: CacheCounts,
    /// The counts of its mechanisms before the launch.
    counted_before: MechanismStatistics,
    shape: LineShape,
    /// By line: the written bytes of sectors that are not valid. Only read if there are some, and
    /// empty until the first of them: many programs write whole sectors only.
    written: Vec<Bytes>,
    replacement: Box<dyn Replacement>,
    /// The ways of a set.
    all_ways: Ways,
    allocation: Box<dyn Allocation>,
    /// The allocation restricts nothing.
    open: bool,
    /// The events that the allocation receives.
    events: EventSet,
    granularity: Box<dyn Granularity>,
    /// The granularity needs the places of lines.
    learns: bool,
    /// The events of an L1, if schedulers receive them.
    recorded: Option<Box<CacheEvents>>,
    /// No line is evicted: sets get more ways.
    grows: bool,
}

/// The events of an L1 that are recorded.
#[derive(Default)]
struct CacheEvents {
    /// By set and way: the hardware warp that fetched the line, if one did.
    owners: Vec<Option<WarpSlot>>,
    /// Since the last query.
    events: Vec<CacheEvent>,
}

/// The replacement policy of a cache that evicts nothing.
struct NoReplacement;

impl Replacement for NoReplacement {
    fn touch(&mut self, _access: &LineAccess, _way: usize) {}

    fn place(&mut self, _access: &LineAccess, _way: usize) {}

    fn place_last(&mut self, _access: &LineAccess, _way: usize) {}

    fn victim(&self, _access: &LineAccess, _offered: &Ways) -> usize {
        0
    }
}

/// An event of an L1 that schedulers receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CacheEvent {
    /// A line was evicted that a hardware warp had fetched.
    Evicted { warp: WarpSlot, line: u64 },
    /// A hardware warp's load missed a line.
    Missed { warp: WarpSlot, line: u64 },
}

/// A dirty line that was evicted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evicted {
    pub(crate) line: u64,
    /// The bytes that were written.
    pub(crate) bytes: Bytes,
}

/// The counters of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CacheCounts {
    /// Lines that have taken a way, or that were present when the launch began and were used; and
    /// the number of their used sectors.
    pub(crate) lines: u64,
    pub(crate) sectors_used: u64,
    /// Fetched sectors, by cause: requested by the first miss of their line, by a later one, or by
    /// none, used or unused.
    pub(crate) demand: u64,
    pub(crate) not_predicted: u64,
    pub(crate) predicted_used: u64,
    pub(crate) predicted_unused: u64,
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

/// The result of filling a line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Filled {
    /// The way of the line now; none if there is no cache.
    pub(crate) way: Option<Way>,
    /// The dirty line that was evicted for it.
    pub(crate) evicted: Option<Evicted>,
    /// Sectors that had been written in part.
    pub(crate) completed: u8,
}

impl Cache {
    /// A cache of `lines` lines, none for a cache that never holds anything. It allocates every
    /// line, and fetches the requested sectors; see [`Cache::of_data`].
    pub(crate) fn new(
        lines: usize,
        ways: usize,
        replacement: &str,
        setup: &Setup,
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
            held: vec![0; sets],
            counts: CacheCounts::default(),
            counted_before: MechanismStatistics::default(),
            shape: LineShape { places: sets * ways, sectors: 8, grain: 1 },
            written: Vec::new(),
            replacement: (replacement::list::find(replacement)?.build)(setup, sets, ways)?,
            all_ways: Ways::all(ways),
            allocation: allocation::list::all(),
            open: true,
            events: EventSet::NONE,
            granularity: granularity::list::fine(),
            learns: false,
            recorded: None,
            grows: false,
        })
    }

    /// The cache with more ways as soon as a set is full (`ideal.l1`, `ideal.l2`). Replacement and allocation are of no use
    /// then.
    pub(crate) fn without_evictions(self) -> Cache {
        Cache {
            grows: true,
            replacement: Box::new(NoReplacement),
            allocation: allocation::list::all(),
            open: true,
            events: EventSet::NONE,
            ..self
        }
    }

    /// Takes the lines of a cache of the same sets and ways; this one is empty.
    pub(crate) fn take_lines(&mut self, other: &Cache) {
        debug_assert_eq!((self.sets, self.ways), (other.sets, other.ways));
        self.tags.clone_from(&other.tags);
        self.lines.clone_from(&other.lines);
        self.written.clone_from(&other.written);
        self.held.clone_from(&other.held);
        self.empty = other.empty;
        for set in 0..self.sets {
            let mut left = self.all_ways.clone();
            left.retain(|way| self.tags[set * self.ways + way] != 0);
            loop {
                let Some(first) = left.iter().next() else { break };
                let access = LineAccess { requester: Requester::NONE, line: 0, set };
                let next = other.replacement.victim(&access, &left);
                let way = if left.contains(next) { next } else { first };
                let line = self.tags[set * self.ways + way] - 1;
                self.replacement.place(&LineAccess { line, ..access }, way);
                left.retain(|other| other != way);
            }
        }
    }

    /// Doubles the ways of each set.
    #[cold]
    fn grow(&mut self) {
        fn spread<T: Copy>(of_ways: &mut Vec<T>, ways: usize, none: T) {
            let mut wider = Vec::with_capacity(2 * of_ways.len());
            for set in of_ways.chunks(ways) {
                wider.extend_from_slice(set);
                wider.resize(wider.len() + ways, none);
            }
            *of_ways = wider;
        }
        let ways = self.ways;
        spread(&mut self.tags, ways, 0);
        spread(&mut self.lines, ways, Line::default());
        spread(&mut self.written, ways, Bytes::default());
        if let Some(recorded) = &mut self.recorded {
            spread(&mut recorded.owners, ways, None);
        }
        self.empty += self.sets * ways;
        self.ways = 2 * ways;
        self.all_ways = Ways::all(self.ways);
    }

    /// The cache with the mechanisms of the slots `allocation` and `granularity` at its level.
    pub(crate) fn of_data(
        self,
        machine: &Machine,
        level: Level,
        sm: Option<usize>,
    ) -> Result<Cache, String> {
        let (l1, l2) = (&machine.l1, &machine.l2);
        let (allocation, granularity, line, sector) = match level {
            Level::First => (&machine.allocation, &machine.granularity, l1.line, l1.sector),
            Level::Second => (&l2.allocation, &l2.granularity, l2.line, l2.sector),
        };
        let (allocation, granularity) =
            (allocation::list::find(allocation)?, granularity::list::find(granularity)?);
        let setup = |name| {
            let setup = Setup::on(machine, name);
            sm.map_or(setup, |sm| setup.of_sm(sm))
        };
        let shape = CacheShape { level, sets: self.sets, ways: self.ways };
        let of_line = LineShape { sectors: line / SECTOR, grain: sector / SECTOR, ..self.shape };
        let allocation = (allocation.build)(&setup(allocation.name), shape)?;
        let granularity = (granularity.build)(&setup(granularity.name), of_line)?;
        Ok(Cache {
            open: allocation.properties().is_open,
            events: allocation.events(),
            allocation,
            learns: granularity.learns(),
            granularity,
            shape: of_line,
            ..self
        })
    }

    /// Returns true if the cache can hold nothing.
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

    /// The way of a line, if it is present.
    #[inline]
    pub(crate) fn find(&self, line: u64) -> Option<Way> {
        if self.sets == 0 {
            return None;
        }
        self.find_in(self.set(line), line)
    }

    /// The way of a line, if it is present, given its set.
    #[inline]
    pub(crate) fn find_in(&self, set: usize, line: u64) -> Option<Way> {
        let ways = &self.tags[set * self.ways..(set + 1) * self.ways];
        let way = ways.iter().position(|tag| *tag == line + 1)?;
        Some(Way::new(set, way))
    }

    fn index(&self, way: Way) -> usize {
        way.set() * self.ways + way.number()
    }

    /// Changes the locks and holders of the line in a way.
    fn change_holds(&mut self, way: Way, change: impl FnOnce(&mut Line)) {
        let index = self.index(way);
        let line = &mut self.lines[index];
        let was = u16::from(line.is_held());
        change(line);
        let held = &mut self.held[way.set()];
        *held = *held + u16::from(line.is_held()) - was;
    }

    fn access(&self, line: u64, by: Requester) -> LineAccess {
        LineAccess { requester: by, line, set: self.set(line) }
    }

    /// All requested sectors of a line were found in a way.
    #[inline]
    pub(crate) fn hit(&mut self, line: u64, way: Way, by: Requester) {
        if self.events.has(EventSet::LINE_HIT) {
            let access = LineAccess { requester: by, line, set: way.set() };
            self.allocation.on_event(&Event::LineHit { access: &access, way: way.number() });
        }
    }

    /// Returns true if the allocation restricts nothing, and need not be called.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// The token of a hardware warp's accesses.
    #[inline]
    pub(crate) fn token(&self, warp: WarpSlot) -> Token {
        if self.open { Token::None } else { self.allocation.token(warp) }
    }

    /// Returns true if a line with missing sectors takes a way when it arrives, given its place and
    /// if a way is free for it. Without a cache it takes none; a present line has one.
    pub(crate) fn allocates(
        &mut self,
        line: u64,
        way: Option<Way>,
        by: Requester,
        has_way: bool,
    ) -> bool {
        way.is_some()
            || !self.is_absent()
                && (self.open || self.allocation.allocates(&self.access(line, by), has_way))
    }

    /// Returns true if an outstanding miss of `first` counts from now on as that of `by`, which
    /// merges with it.
    pub(crate) fn takes_over(&self, by: &Requester, first: &Requester) -> bool {
        !self.open && self.allocation.takes_over(by, first)
    }

    /// The slot `allocation`.
    pub(crate) fn allocation(&mut self) -> &mut dyn Allocation {
        &mut *self.allocation
    }

    /// Passes an event to the slot `allocation`, if that receives its kind.
    pub(crate) fn raise(&mut self, event: &Event) {
        if self.events.has(event.kind()) {
            self.allocation.on_event(event);
        }
    }

    /// From now on it records its events.
    pub(crate) fn record_events(&mut self) {
        let owners = vec![None; self.tags.len()];
        self.recorded = Some(Box::new(CacheEvents { owners, events: Vec::new() }));
    }

    /// The recorded events since the last call, in order.
    #[inline]
    pub(crate) fn take_events(&mut self) -> Vec<CacheEvent> {
        match &mut self.recorded {
            Some(recorded) => std::mem::take(&mut recorded.events),
            None => Vec::new(),
        }
    }

    /// A load misses a line, or at the second level any request that is not a write.
    #[inline]
    pub(crate) fn missed(&mut self, line: u64, by: Requester) {
        if let (Some(recorded), Some(warp)) = (&mut self.recorded, by.warp) {
            recorded.events.push(CacheEvent::Missed { warp, line });
        }
        if self.events.has(EventSet::LINE_MISSED) && !self.is_absent() {
            let access = self.access(line, by);
            self.allocation.on_event(&Event::LineMissed { access: &access });
        }
    }

    /// A launch begins: present lines stay, with their state, and counts begin at 0.
    pub(crate) fn begin_launch(&mut self) {
        self.counts = CacheCounts::default();
        self.counted_before = self.counted_by_mechanisms(0);
        for line in &mut self.lines {
            line.used_before |= std::mem::take(&mut line.used);
            // The launch that fetched them has counted them as unused.
            line.predicted = 0;
        }
    }

    /// Adds its mechanisms' own counters from the beginning of the launch until a cycle.
    pub(crate) fn count_mechanisms(&self, own: &mut MechanismStatistics, cycle: u64) {
        own.merge(&self.counted_by_mechanisms(cycle).since(&self.counted_before));
    }

    fn counted_by_mechanisms(&self, cycle: u64) -> MechanismStatistics {
        let mut own = MechanismStatistics::default();
        self.replacement.count(&mut own, cycle);
        self.allocation.count(&mut own, cycle);
        self.granularity.count(&mut own, cycle);
        own
    }

    /// The counters; resident lines count as evicted.
    pub(crate) fn counts(&self) -> CacheCounts {
        let mut counts = self.counts;
        if self.empty == self.tags.len() {
            return counts;
        }
        // Hosts are not assumed to count bits, and there are many lines: so it is lines with the same sectors that are counted.
        let (mut used, mut predicted) = ([0; 256], [0; 256]);
        for line in &self.lines {
            used[usize::from(line.used)] += 1;
            predicted[usize::from(line.predicted)] += 1;
        }
        for (sectors, (used, predicted)) in (0_u8..=255).zip(used.into_iter().zip(predicted)) {
            let ones = u64::from(sectors.count_ones());
            counts.sectors_used += ones * used;
            counts.predicted_unused += ones * predicted;
        }
        counts
    }

    /// Returns true if some reads go by it without a lookup.
    pub(crate) fn passes_reads(&self) -> bool {
        !self.is_absent() && self.allocation.properties().passes_reads
    }

    /// Returns true if a read of sectors of a line bypasses the cache, where some reads do. Dirty
    /// data exists only here, so such reads do not.
    pub(crate) fn passes(&self, line: u64, sectors: u8, by: &Requester) -> bool {
        let dirty = |way| self.lines[self.index(way)].dirty & sectors != 0;
        self.allocation.passes(by) && !self.find(line).is_some_and(dirty)
    }

    /// The requester that a request carries on to memory.
    pub(crate) fn onward(&self, by: Requester) -> Requester {
        if self.open { by } else { Requester { token: self.allocation.onward(&by), ..by } }
    }

    /// Returns true if part of the line in a way was fetched.
    pub(crate) fn was_fetched(&self, way: Way) -> bool {
        self.lines[self.index(way)].fetched
    }

    /// The sectors to fetch for a miss of some.
    pub(crate) fn fetch(&mut self, miss: &SectorMiss) -> u8 {
        let sectors = self.shape.together(self.granularity.fetch(miss)) & !miss.valid;
        debug_assert_eq!(sectors & miss.missing, miss.missing);
        let requested = u64::from(miss.missing.count_ones());
        match miss.later {
            true => self.counts.not_predicted += requested,
            false => self.counts.demand += requested,
        }
        sectors
    }

    /// The valid sectors of a line, which counts as used if any of the requested ones is valid.
    pub(crate) fn lookup(&mut self, line: u64, requested: u8, by: Requester) -> u8 {
        self.find(line).map_or(0, |way| self.lookup_at(line, way, requested, by))
    }

    /// The valid sectors of a line in a way. The line counts as used if any requested sector is valid.
    pub(crate) fn lookup_at(&mut self, line: u64, way: Way, requested: u8, by: Requester) -> u8 {
        let index = self.index(way);
        let valid = self.lines[index].valid;
        if valid & requested != 0 {
            self.use_sectors(index, valid & requested);
            let access = LineAccess { requester: by, line, set: way.set() };
            self.replacement.touch(&access, way.number());
        }
        valid
    }

    /// Sectors of the line at an index are read or written.
    #[inline]
    fn use_sectors(&mut self, index: usize, sectors: u8) {
        let line = &mut self.lines[index];
        self.counts.lines += u64::from(line.used_before != 0 && line.used == 0 && sectors != 0);
        line.used |= sectors;
        let predicted = line.predicted & sectors;
        if predicted != 0 {
            line.predicted &= !sectors;
            self.counts.predicted_used += u64::from(predicted.count_ones());
        }
    }

    /// The valid sectors of a line, which does not count as used.
    pub(crate) fn valid(&self, line: u64) -> u8 {
        self.find(line).map_or(0, |way| self.valid_at(way))
    }

    /// The valid sectors of the line in a way, which does not count as used.
    pub(crate) fn valid_at(&self, way: Way) -> u8 {
        self.lines[self.index(way)].valid
    }

    /// Holds the line in a way until it was unlocked as often.
    pub(crate) fn lock(&mut self, way: Way) {
        self.change_holds(way, |line| line.locks += 1);
    }

    /// Returns true if a line is held.
    pub(crate) fn has_locks(&self) -> bool {
        self.lines.iter().any(Line::is_held)
    }

    /// Holds a line in the cache until it was released as often. A missing line takes a way, with no
    /// valid sector yet; returns the dirty line that this evicts.
    pub(crate) fn hold(&mut self, line: u64, by: Requester) -> Option<Evicted> {
        let mut evicted = None;
        let way = match self.find(line) {
            Some(way) => way,
            None => {
                let (way, gone) = self.allocate(line, by, 0, Placement::Always)?;
                evicted = gone;
                way
            }
        };
        self.change_holds(way, |line| line.holders += 1);
        evicted
    }

    /// Returns how many holds there are on a line.
    pub(crate) fn holders(&self, line: u64) -> u16 {
        self.find(line).map_or(0, |way| self.lines[self.index(way)].holders)
    }

    /// Undoes [`Cache::hold`].
    pub(crate) fn release(&mut self, line: u64) {
        if let Some(way) = self.find(line) {
            self.change_holds(way, |line| line.holders = line.holders.saturating_sub(1));
        }
    }

    /// Undoes [`Cache::lock`] of a line that was in a way. It may have been dropped.
    pub(crate) fn unlock(&mut self, line: u64, way: Way) {
        let is_there = self.tags[self.index(way)] == line + 1;
        if let Some(way) = if is_there { Some(way) } else { self.find(line) } {
            self.change_holds(way, |line| line.locks = line.locks.saturating_sub(1));
        }
    }

    /// Returns true if a line is present, or one of its set can be evicted.
    pub(crate) fn can_hold(&self, line: u64) -> bool {
        let ways = self.set(line) * self.ways;
        self.grows
            || self.find(line).is_some()
            || self.lines[ways..ways + self.ways].iter().any(|line| !line.is_held())
    }

    /// The bytes of a line that were written and not written back; none if there are none.
    pub(crate) fn dirty_bytes(&self, line: u64) -> Option<Bytes> {
        let way = self.find(line)?;
        self.dirty(self.index(way)).map(|evicted| evicted.bytes)
    }

    /// Drops a line without writing it back. One with a holder keeps its way.
    pub(crate) fn invalidate(&mut self, line: u64) {
        if let Some(way) = self.find(line) {
            let index = self.index(way);
            let Line { locks, holders, .. } = self.lines[index];
            self.reset(way);
            if holders == 0 {
                self.tags[index] = 0;
                self.empty += 1;
                let (set, way) = (way.set(), way.number());
                self.raise(&Event::LineDropped { set, way });
            } else {
                self.change_holds(way, |line| (line.locks, line.holders) = (locks, holders));
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
        if self.sets == 0 || self.grows || self.find(line).is_some() {
            return None;
        }
        let set = self.set(line);
        if self.empty_way(set).is_some() {
            return None;
        }
        let way = self.victim(&LineAccess { requester: by, line, set }, placement)?;
        self.dirty(set * self.ways + way)
    }

    /// The first way of a set that is empty.
    fn empty_way(&self, set: usize) -> Option<usize> {
        if self.empty == 0 {
            return None;
        }
        self.tags[set * self.ways..(set + 1) * self.ways].iter().position(|tag| *tag == 0)
    }

    /// The way of a full set that a line evicts: one that is not held, among those that the
    /// allocation leaves, chosen by the replacement policy. None if the line bypasses the cache.
    fn victim(&self, access: &LineAccess, placement: Placement) -> Option<usize> {
        let set = access.set;
        if self.open && self.held[set] == 0 {
            return Some(self.replacement.victim(access, &self.all_ways).min(self.ways - 1));
        }
        let mut ways = self.all_ways.clone();
        if self.held[set] != 0 {
            let lines = &self.lines[set * self.ways..(set + 1) * self.ways];
            ways.retain(|way| !lines[way].is_held());
            // The caller knows that there is a way for the line. If there is none, any way will do.
            if ways.is_empty() {
                ways = self.all_ways.clone();
            }
        }
        if !self.open {
            ways = self.offered(access, ways, placement)?;
        }
        Some(self.replacement.victim(access, &ways).min(self.ways - 1))
    }

    /// The ways, of some that are not held, that a line may evict. None if it bypasses the cache.
    fn offered(&self, access: &LineAccess, ways: Ways, placement: Placement) -> Option<Ways> {
        let all = (placement == Placement::Always).then(|| ways.clone());
        let offered = self.allocation.victims(access, ways);
        if offered.is_empty() { all } else { Some(offered) }
    }

    /// Makes sectors of a line valid, of which some are used at once, and dirty if they were written. The line
    /// takes a way in any case then.
    pub(crate) fn fill(
        &mut self,
        line: u64,
        FetchedSectors { sectors, used, first }: FetchedSectors,
        written: bool,
        placement: Placement,
        by: Requester,
    ) -> Filled {
        let predicted = sectors & !first;
        let allocated = self.allocate(line, by, first, placement);
        if predicted != 0 {
            self.count_predicted(predicted, used, allocated.map(|(way, _)| way));
        }
        let Some((way, evicted)) = allocated else {
            return Filled::default();
        };
        let index = self.index(way);
        self.use_sectors(index, used);
        let entry = &mut self.lines[index];
        let completed = entry.partial() & sectors;
        entry.valid |= sectors;
        entry.fetched |= !written;
        if written {
            entry.dirty |= sectors;
        }
        if completed != 0 {
            self.written[index] = self.written[index].without(completed);
        }
        Filled { way: Some(way), evicted, completed }
    }

    /// Predicted sectors arrive, some of which have been requested meanwhile.
    fn count_predicted(&mut self, predicted: u8, used: u8, way: Option<Way>) {
        self.counts.predicted_used += u64::from((predicted & used).count_ones());
        let mut unused = predicted & !used;
        if let Some(way) = way {
            let index = self.index(way);
            let line = &mut self.lines[index];
            let new = unused & !line.valid & !line.predicted;
            line.predicted |= new;
            unused &= !new;
        }
        self.counts.predicted_unused += u64::from(unused.count_ones());
    }

    /// Writes bytes of a line. Sectors of which all bytes have been written are valid. The line that
    /// this evicts, if it was dirty.
    pub(crate) fn write(&mut self, line: u64, bytes: &Bytes, by: Requester) -> Option<Evicted> {
        let sectors = bytes.sectors();
        let (way, evicted) = self.allocate(line, by, sectors, Placement::Always)?;
        let index = self.index(way);
        self.use_sectors(index, sectors);
        let entry = &mut self.lines[index];
        entry.dirty |= sectors;
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

    /// Gives a line a way, which counts as used. Returns the way and the evicted line; none if the
    /// line bypasses the cache, or if there is no cache. The access is to some sectors.
    fn allocate(
        &mut self,
        line: u64,
        by: Requester,
        sectors: u8,
        placement: Placement,
    ) -> Option<(Way, Option<Evicted>)> {
        if self.sets == 0 || placement == Placement::Bypass {
            return None;
        }
        let set = self.set(line);
        let access = LineAccess { requester: by, line, set };
        if let Some(way) = self.find_in(set, line) {
            self.replacement.touch(&access, way.number());
            return Some((way, None));
        }
        let way = match self.empty_way(set) {
            Some(way) => {
                self.empty -= 1;
                way
            }
            None if self.grows => {
                self.grow();
                self.empty -= 1;
                self.ways / 2
            }
            None => self.victim(&access, placement)?,
        };
        let place = Way::new(set, way);
        let index = self.index(place);
        let evicted = self.dirty(index);
        if let Some(recorded) = &mut self.recorded {
            let owner = std::mem::replace(&mut recorded.owners[index], by.warp);
            if let (Some(warp), Some(line)) = (owner, self.tags[index].checked_sub(1)) {
                recorded.events.push(CacheEvent::Evicted { warp, line });
            }
        }
        self.reset(place);
        self.tags[index] = line + 1;
        self.counts.lines += 1;
        if self.learns {
            self.granularity.placed(index, &by, sectors);
        }
        if self.open {
            self.replacement.place(&access, way);
            return Some((place, evicted));
        }
        match self.allocation.evicted_first(&access) {
            true => self.replacement.place_last(&access, way),
            false => self.replacement.place(&access, way),
        }
        if self.events.has(EventSet::LINE_PLACED) {
            self.allocation.on_event(&Event::LinePlaced { access: &access, way });
        }
        Some((place, evicted))
    }

    /// The line in a way, if there is one, is gone, and its history is forgotten.
    fn reset(&mut self, way: Way) {
        let index = self.index(way);
        let gone = std::mem::take(&mut self.lines[index]);
        self.held[way.set()] -= u16::from(gone.is_held());
        if gone.partial() != 0 {
            self.written[index] = Bytes::default();
        }
        if let Some(line) = self.tags[index].checked_sub(1) {
            self.counts.sectors_used += u64::from(gone.used.count_ones());
            if gone.predicted != 0 {
                self.counts.predicted_unused += u64::from(gone.predicted.count_ones());
            }
            if self.learns {
                self.granularity.evicted(index, line, gone.used | gone.used_before);
            }
        }
    }

    /// The dirty data to write when the way at an index is given to another line.
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

/// The groups of `bits` bits of a line's number, added without carry: the choice of a set if sets
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
mod tests;

//! Tests of the cache.

use super::*;
use crate::mechanisms::setup::Setup;

impl Cache {
    /// Has another allocation from now on.
    pub(crate) fn replace_allocation(&mut self, allocation: Box<dyn Allocation>) {
        self.open = allocation.properties().is_open;
        self.events = allocation.events();
        self.allocation = allocation;
    }

    /// The sectors of a line that were written in part and are not valid.
    fn partial(&self, line: u64) -> u8 {
        self.find(line).map_or(0, |way| self.lines[self.index(way)].partial())
    }
}

/// Requests of these tests belong to no instruction.
const NOBODY: Requester = Requester::NONE;

fn cache(lines: usize, ways: usize) -> Cache {
    Cache::new(lines, ways, "lru", &Setup::of(&toml::Table::new())).expect("it is a policy")
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
            cache.fill(line, FetchedSectors::requested(1), false, Placement::IfAllowed, NOBODY);
            assert_eq!(cache.lookup(line, 1, NOBODY), 1);
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
    assert_eq!(
        cache
            .fill(0, FetchedSectors::requested(0b100), false, Placement::IfAllowed, NOBODY)
            .completed,
        0b100
    );
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

/// The events that a policy received, each with the line and the way.
type Received = Vec<(&'static str, u64, usize)>;

/// Lets warp 0 evict way 0 only, and no other warp allocate; records the calls that it receives.
#[derive(Default)]
struct OnlyWarpZero {
    received: std::sync::Arc<std::sync::Mutex<Received>>,
}

impl OnlyWarpZero {
    fn note(&self, what: &'static str, line: u64, way: usize) {
        self.received.lock().expect("no test panics").push((what, line, way));
    }
}

impl Allocation for OnlyWarpZero {
    fn events(&self) -> EventSet {
        EventSet::LINE_HIT.and(EventSet::LINE_PLACED)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::LineHit { access, way } => self.note("hit", access.line, way),
            Event::LinePlaced { access, way } => self.note("placed", access.line, way),
            other => panic!("{other:?} is of another kind"),
        }
    }

    fn allocates(&mut self, access: &LineAccess, has_way: bool) -> bool {
        has_way && access.requester.warp == Some(WarpSlot(0))
    }

    fn victims(&self, access: &LineAccess, mut ways: Ways) -> Ways {
        assert_eq!(access.set, 0);
        ways.retain(|way| way == 0);
        ways
    }
}

/// Notes the lines that leave a cache.
struct Leaving(std::sync::Arc<std::sync::Mutex<Vec<(u64, u8)>>>);

impl Granularity for Leaving {
    fn fetch(&mut self, miss: &SectorMiss) -> u8 {
        !miss.valid
    }

    fn evicted(&mut self, _: usize, line: u64, used: u8) {
        self.0.lock().expect("no test panics").push((line, used));
    }
}

#[test]
fn an_allocation_decides_who_evicts_what() {
    let allocation = OnlyWarpZero::default();
    let received = allocation.received.clone();
    let mut cache = cache(2, 2);
    cache.replace_allocation(Box::new(allocation));
    let [zero, one] = [0, 1].map(|warp| Requester { warp: Some(WarpSlot(warp)), ..NOBODY });
    assert!(cache.allocates(0, None, zero, true) && !cache.allocates(0, None, zero, false));
    assert!(!cache.allocates(0, None, one, true));
    for line in [0, 2] {
        cache.fill(line, FetchedSectors::requested(1), false, Placement::IfAllowed, zero);
    }
    // The older line is in way 0; then way 1 has the older one, but way 0 is still evicted.
    cache.fill(4, FetchedSectors::requested(1), false, Placement::IfAllowed, zero);
    cache.fill(6, FetchedSectors::requested(1), false, Placement::IfAllowed, zero);
    assert_eq!([0, 2, 4, 6].map(|line| cache.valid(line)), [0, 1, 0, 1]);
    let way = cache.find(2).expect("it is here");
    cache.hit(2, way, one);
    let placed = [("placed", 0, 0), ("placed", 2, 1), ("placed", 4, 0), ("placed", 6, 0)];
    let expected: Vec<_> = placed.into_iter().chain([("hit", 2, 1)]).collect();
    assert_eq!(*received.lock().expect("no test panics"), expected);
}

#[test]
fn held_lines_are_not_offered() {
    let mut cache = cache(3, 3);
    for line in [0, 1, 2] {
        cache.fill(line, FetchedSectors::requested(1), false, Placement::IfAllowed, NOBODY);
    }
    // The least recently used is locked, the next one held: the last one is evicted.
    let way = cache.find(0).expect("it is here");
    cache.lock(way);
    assert!(cache.hold(1, NOBODY).is_none());
    cache.fill(3, FetchedSectors::requested(1), false, Placement::IfAllowed, NOBODY);
    assert_eq!([0, 1, 2, 3].map(|line| cache.valid(line)), [1, 1, 0, 1]);
    assert!(cache.has_locks() && cache.can_hold(9));
    cache.unlock(0, way);
    cache.fill(4, FetchedSectors::requested(1), false, Placement::IfAllowed, NOBODY);
    assert_eq!([0, 1, 3, 4].map(|line| cache.valid(line)), [0, 1, 1, 1]);
    // A held line keeps its way when it is dropped, a locked one does not.
    cache.lock(cache.find(3).expect("it is here"));
    [1, 3].into_iter().for_each(|line| cache.invalidate(line));
    assert!(cache.find(1).is_some() && cache.find(3).is_none());
    cache.release(1);
    assert!(!cache.has_locks() && cache.held.iter().all(|lines| *lines == 0));
}

#[test]
fn a_granularity_receives_the_used_sectors() {
    let left = std::sync::Arc::default();
    let granularity: Box<dyn Granularity> = Box::new(Leaving(std::sync::Arc::clone(&left)));
    let mut cache = Cache { granularity, learns: true, ..cache(1, 1) };
    let later = false;
    let miss = SectorMiss { requester: NOBODY, line: 5, missing: 0b1, valid: 0xf0, later };
    assert_eq!(cache.fetch(&miss), 0b1111);
    cache.fill(
        5,
        FetchedSectors { sectors: 0b1111, used: 0b1, first: 0b1 },
        false,
        Placement::IfAllowed,
        NOBODY,
    );
    cache.lookup(5, 0b100, NOBODY);
    // Three sectors were predicted: one was used, two are not.
    let counts = CacheCounts { lines: 1, sectors_used: 2, demand: 1, ..CacheCounts::default() };
    let counts = CacheCounts { predicted_used: 1, predicted_unused: 2, ..counts };
    assert_eq!(cache.counts(), counts);
    cache.fill(6, FetchedSectors::requested(0b10), false, Placement::IfAllowed, NOBODY);
    cache.invalidate(6);
    assert_eq!(*left.lock().expect("no test panics"), [(5, 0b101), (6, 0b10)]);
    assert_eq!(cache.counts(), CacheCounts { lines: 2, sectors_used: 3, ..counts });
}

#[test]
fn each_fetched_sector_is_counted_once() {
    let mut cache = Cache { granularity: Box::new(AllButValid), ..cache(1, 1) };
    let miss =
        |missing, valid, later| SectorMiss { requester: NOBODY, line: 5, missing, valid, later };
    // Bypassing: one sector was requested by the miss, another one by a miss that merged, and two
    // by none.
    cache.fetch(&miss(0b1, 0xf0, false));
    cache.fill(
        5,
        FetchedSectors { sectors: 0b1111, used: 0b11, first: 0b1 },
        false,
        Placement::Bypass,
        NOBODY,
    );
    // A later miss requests a sector that was not fetched: it was not predicted.
    cache.fetch(&miss(0b1000, 0xf7, true));
    cache.fill(5, FetchedSectors::requested(0b1000), false, Placement::IfAllowed, NOBODY);
    // A predicted sector is written; another one was written before it arrived.
    cache.write(5, &Bytes::of(0b1), NOBODY);
    cache.fetch(&miss(0b10, 0xf8, false));
    cache.fill(
        5,
        FetchedSectors { sectors: 0b111, used: 0b10, first: 0b10 },
        false,
        Placement::IfAllowed,
        NOBODY,
    );
    cache.write(5, &Bytes::of(0b100), NOBODY);
    let counts = cache.counts();
    let fetched = [counts.demand, counts.not_predicted];
    assert_eq!(fetched, [2, 1]);
    assert_eq!([counts.predicted_used, counts.predicted_unused], [2, 3]);
    assert_eq!((counts.lines, counts.sectors_used), (1, 4));
}

/// Fetches all of eight sectors that are not valid.
struct AllButValid;

impl Granularity for AllButValid {
    fn fetch(&mut self, miss: &SectorMiss) -> u8 {
        !miss.valid
    }
}

#[test]
fn sectors_of_64_bytes() {
    let mut cache = cache(1, 1);
    cache.shape.grain = 2;
    let miss = SectorMiss { requester: NOBODY, line: 5, missing: 0b100, valid: 0, later: false };
    assert_eq!(cache.fetch(&miss), 0b1100);
    assert_eq!(cache.fetch(&SectorMiss { valid: 0b1000, ..miss }), 0b100);
}

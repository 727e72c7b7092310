//! `affine-vector-cache`: keeps vectors of local memory that are uniform or affine as base and stride.
//!
//! Source: Collange and Kouyoumdjian, "Affine vector cache for memory bandwidth savings", 2012
//! (AVC), section 4. A line has a tag and 16 vectors; a vector has a base, a stride and a valid bit
//! for each of its words. In the data array it takes as much space as an L1 line, and covers 16 of
//! these. `spec/machine.md` has the differences and the points that the paper leaves open: dirty
//! bits, bytes and halfwords, and the contents of an encoded vector where no pair of neighbours is
//! active. It also has the paper's suggestions: vectors of global memory, and compressed
//! write-backs.

mod statistics;

use super::affine_vector::{AffineVector, LANES};
use super::slot::{Build, LocalCache, LocalShape, Origin, Outcome, Space, Transaction, Victim};
use crate::mechanisms::allocation::{LineAccess, Requester};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::mechanisms::replacement::{self, Replacement, Ways};
use crate::mechanisms::setup::Setup;
use crate::observe::mechanism_statistics::MechanismStatistics;
use statistics::{Counter, Counts};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "affine-vector-cache",
    sentence: "keeps uniform and affine vectors of local memory as base and stride beside the L1",
    options: &[
        (
            "size",
            "capacity in bytes, 128 for a line of 16 vectors; a multiple of 128 times `ways`; default 16384",
        ),
        ("ways", "lines of a set, 1 to 64; default 2"),
        ("vector-words", "words of a vector, 16 or 32; default 32"),
        ("latency", "cycles that it adds to each load of local memory, 0 to 64; default 1"),
        (
            "compressed-write-back",
            "a vector that is written back goes to the next level as base, stride and valid bits, not as its words; \
             default false",
        ),
        (
            "global",
            "lines of global memory that are uniform or affine are kept too, and take no way of the L1; default false",
        ),
    ],
    trials: &[
        &[("affine-vector-cache.vector-words", "16")],
        &[("affine-vector-cache.size", "128"), ("affine-vector-cache.ways", "1")],
        &[
            ("affine-vector-cache.compressed-write-back", "true"),
            ("affine-vector-cache.size", "256"),
        ],
        &[("l1.size", "0")],
        &[("interconnect.queue", "1"), ("affine-vector-cache.size", "256")],
        &[("divergence", "block-compaction")],
        &[("divergence", "warp-subdivision"), ("warp-subdivision.memory-divergence", "true")],
        &[("load-store.warp-parts", "2"), ("load-store.lines-per-cycle", "2")],
        &[("affine-vector-cache.global", "true"), ("affine-vector-cache.size", "256")],
        &[
            ("affine-vector-cache.global", "true"),
            ("affine-vector-cache.vector-words", "16"),
            ("allocation", "priority-allocation"),
            ("granularity", "bimodal"),
        ],
        &[
            ("affine-vector-cache.global", "true"),
            ("l1.size", "0"),
            ("prefetcher", "many-thread-prefetch"),
        ],
        &[("affine-vector-cache.global", "true"), ("affine", "decoupled")],
    ],
    statistics: statistics::DECLARATIONS,
    build: &|table, shape| {
        let options: Options = options(table)?;
        options.check(shape)?;
        Ok(Some(Box::new(AffineVectorCache::new(&options)?)))
    },
};

/// Vectors of a line.
const VECTORS: usize = 16;

/// Bytes of the data array that a line takes: bases and valid bits.
const LINE: u32 = 128;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
struct Options {
    size: u32,
    ways: u32,
    vector_words: u32,
    latency: u32,
    compressed_write_back: bool,
    global: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            size: 16384,
            ways: 2,
            vector_words: 32,
            latency: 1,
            compressed_write_back: false,
            global: false,
        }
    }
}

impl Options {
    fn check(&self, shape: LocalShape) -> Result<(), String> {
        let Options { size, ways, vector_words, latency, .. } = *self;
        check_range("ways", ways, 1..=64)?;
        if size == 0 || size > 1 << 22 || !size.is_multiple_of(LINE * ways) {
            return Err(format!(
                "`size` is {size}; it must be a multiple of {} (line and ways), up to {}",
                LINE * ways,
                1 << 22
            ));
        }
        if ![16, 32].contains(&vector_words) {
            return Err(format!("`vector-words` is {vector_words}; it must be 16 or 32"));
        }
        check_range("latency", latency, 0..=64)?;
        let lanes = LANES as u32;
        if (shape.warp_width, shape.line) != (lanes, 4 * lanes) {
            return Err(format!(
                "a vector is what a warp of {lanes} lanes accesses of one line of {} bytes; `sm.warp-width` is {} and \
                 `l1.line` {}",
                4 * lanes,
                shape.warp_width,
                shape.line
            ));
        }
        if !shape.in_order {
            return Err(
                "neighbouring lanes must have neighbouring threads; set `lane-permutation` to `identity`"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug)]
struct Vector {
    /// The lanes whose words are here, of those of its line of the first level.
    valid: u32,
    /// Some of them are not in memory.
    dirty: bool,
    /// Their contents, if there are any.
    form: Option<AffineVector>,
}

const EMPTY: Vector = Vector { valid: 0, dirty: false, form: None };

struct AffineVectorCache {
    part_lanes: u32,
    /// Vectors of a line of the first level.
    parts: u64,
    latency: u64,
    keeps_global: bool,
    /// Bytes of a vector that is written back as base, stride and valid bits, if it is.
    compressed: Option<u32>,
    sets: usize,
    ways: usize,
    /// By set and way: the line's number plus 1; 0 for an empty way.
    tags: Vec<u64>,
    lines: Vec<[Vector; VECTORS]>,
    /// By set and way: the line is of global memory.
    is_global: Vec<bool>,
    replacement: Box<dyn Replacement>,
    counts: Counts,
}

/// The place of a vector.
#[derive(Clone, Copy)]
struct Place {
    tag: u64,
    set: usize,
    /// Its number in the line.
    at: usize,
}

impl Place {
    /// The access of its line, of no warp in particular.
    fn access(self) -> LineAccess {
        LineAccess { requester: Requester::NONE, line: self.tag - 1, set: self.set }
    }
}

impl AffineVectorCache {
    fn new(options: &Options) -> Result<AffineVectorCache, String> {
        let lines = (options.size / LINE) as usize;
        let ways = options.ways as usize;
        let policy = replacement::list::find("tree-pseudo-lru")?;
        Ok(AffineVectorCache {
            part_lanes: options.vector_words,
            parts: LANES as u64 / u64::from(options.vector_words),
            latency: options.latency.into(),
            keeps_global: options.global,
            // A base, the stride's logarithm and a bit for each lane.
            compressed: options.compressed_write_back.then_some(4 + 1 + options.vector_words / 8),
            sets: lines / ways,
            ways,
            tags: vec![0; lines],
            lines: vec![[EMPTY; VECTORS]; lines],
            is_global: vec![false; lines],
            replacement: (policy.build)(&Setup::of(&toml::Table::new()), lines / ways, ways)?,
            counts: Counts::default(),
        })
    }

    /// The place of the vectors of an L1 line: that of its first part.
    fn place(&self, line: u64) -> Place {
        let number = line * self.parts;
        let own = number / VECTORS as u64;
        let set = (own % self.sets as u64) as usize;
        Place { tag: own + 1, set, at: (number % VECTORS as u64) as usize }
    }

    /// The way that holds a line.
    fn find(&self, place: Place) -> Option<usize> {
        let first = place.set * self.ways;
        self.tags[first..first + self.ways].iter().position(|tag| *tag == place.tag)
    }

    /// The way that a missing line takes: an empty one, or that of the line to be evicted.
    fn next_way(&self, place: Place) -> usize {
        let first = place.set * self.ways;
        let empty = self.tags[first..first + self.ways].iter().position(|tag| *tag == 0);
        empty.unwrap_or_else(|| self.replacement.victim(&place.access(), &Ways::all(self.ways)))
    }

    /// The vectors of an L1 line, if it is present.
    fn vectors(&self, line: u64) -> &[Vector] {
        let place = self.place(line);
        let Some(way) = self.find(place) else {
            return &[];
        };
        let line = &self.lines[place.set * self.ways + way];
        &line[place.at..place.at + self.parts as usize]
    }
}

/// Returns true if a form written to some lanes of a vector leaves others with another one.
fn conflicts(vector: &Vector, lanes: u32, form: Option<AffineVector>) -> bool {
    vector.valid & !lanes != 0 && vector.form != form
}

impl LocalCache for AffineVectorCache {
    fn part_lanes(&self) -> u32 {
        self.part_lanes
    }

    fn latency(&self) -> u64 {
        self.latency
    }

    fn keeps_global(&self) -> bool {
        self.keeps_global
    }

    fn compressed(&self) -> Option<u32> {
        self.compressed
    }

    fn load(&mut self, line: u64, lanes: u32) -> u32 {
        let found = self.valid(line) & lanes;
        let place = self.place(line);
        if found != 0
            && let Some(way) = self.find(place)
        {
            self.replacement.touch(&place.access(), way);
        }
        found
    }

    fn valid(&self, line: u64) -> u32 {
        self.vectors(line).iter().fold(0, |all, vector| all | vector.valid)
    }

    fn victim(&self, line: u64, transaction: &Transaction) -> Option<Victim> {
        let place = self.place(line);
        if self.find(place).is_some() {
            let vectors = self.vectors(line);
            let mut parts = transaction.within(transaction.affine).parts();
            return parts.find_map(|(part, lanes, form)| {
                let vector = &vectors[part as usize];
                let is_victim = vector.dirty && conflicts(vector, lanes, form);
                is_victim.then_some(Victim { line, lanes: vector.valid, conflict: true })
            });
        }
        let index = place.set * self.ways + self.next_way(place);
        let first = self.tags[index].checked_sub(1)? * VECTORS as u64;
        let at = self.lines[index].iter().position(|vector| vector.dirty)?;
        let lanes = self.lines[index][at].valid;
        Some(Victim { line: (first + at as u64) / self.parts, lanes, conflict: false })
    }

    fn evict(&mut self, victim: &Victim) {
        let place = self.place(victim.line);
        let Some(way) = self.find(place) else {
            return;
        };
        let line = &mut self.lines[place.set * self.ways + way];
        let vectors = &mut line[place.at..place.at + self.parts as usize];
        for vector in vectors.iter_mut().filter(|vector| vector.valid & victim.lanes != 0) {
            *vector = EMPTY;
            self.counts.add(Counter::EvictedVectors, 1);
        }
        self.counts.add(Counter::Conflicts, u64::from(victim.conflict));
    }

    fn fits(&self, line: u64, transaction: &Transaction) -> bool {
        let vectors = self.vectors(line);
        let mut parts = transaction.within(transaction.affine).parts();
        parts.all(|(part, lanes, form)| {
            vectors.get(part as usize).is_none_or(|vector| !conflicts(vector, lanes, form))
        })
    }

    fn put(&mut self, line: u64, transaction: &Transaction, origin: Origin) {
        let place = self.place(line);
        let (way, is_new) = match self.find(place) {
            Some(way) => (way, false),
            None => (self.next_way(place), true),
        };
        let index = place.set * self.ways + way;
        if is_new {
            let left = self.lines[index].iter().filter(|vector| vector.valid != 0).count();
            let counter = match self.is_global[index] {
                false => Counter::EvictedVectors,
                true => Counter::GlobalEvictedVectors,
            };
            self.counts.add(counter, left as u64);
            self.is_global[index] = origin == Origin::Global;
            self.counts.add(Counter::EvictedLines, u64::from(self.tags[index] != 0));
            self.lines[index] = [EMPTY; VECTORS];
            self.tags[index] = place.tag;
            self.replacement.place(&place.access(), way);
        } else {
            self.replacement.touch(&place.access(), way);
        }
        for (part, lanes, form) in transaction.within(transaction.affine).parts() {
            let vector = &mut self.lines[index][place.at + part as usize];
            if conflicts(vector, lanes, form) {
                self.counts.add(Counter::Conflicts, 1);
                self.counts.add(Counter::EvictedVectors, 1);
                *vector = EMPTY;
            }
            let is_new = origin == Origin::Global && vector.valid == 0;
            self.counts.add(Counter::GlobalVectors, u64::from(is_new));
            let was_dirty = vector.dirty && vector.valid & !lanes != 0;
            let dirty = was_dirty || origin == Origin::Stored;
            *vector = Vector { valid: vector.valid | lanes, dirty, form };
        }
    }

    fn clear(&mut self, line: u64, lanes: u32) {
        let place = self.place(line);
        let Some(way) = self.find(place) else {
            return;
        };
        let index = place.set * self.ways + way;
        let is_global = self.is_global[index];
        for vector in &mut self.lines[index][place.at..place.at + self.parts as usize] {
            let is_last = vector.valid != 0 && vector.valid & !lanes == 0;
            self.counts.add(Counter::GlobalInvalidatedVectors, u64::from(is_global && is_last));
            vector.valid &= !lanes;
            vector.dirty &= vector.valid != 0;
        }
    }

    fn observe(&mut self, outcome: Outcome) {
        let counts = &mut self.counts;
        match outcome {
            Outcome::Hit(Space::Local) => counts.add(Counter::Hits, 1),
            Outcome::Hit(Space::Global) => counts.add(Counter::GlobalHits, 1),
            Outcome::PartialHit(Space::Local) => {
                counts.add(Counter::PartialHits, 1);
                counts.add(Counter::Replays, 1);
            }
            Outcome::PartialHit(Space::Global) => counts.add(Counter::GlobalPartialHits, 1),
            Outcome::Miss(Space::Local) => counts.add(Counter::Misses, 1),
            Outcome::Miss(Space::Global) => counts.add(Counter::GlobalMisses, 1),
            Outcome::Stored { replayed } => {
                counts.add(Counter::Stores, 1);
                counts.add(Counter::Replays, replayed.into());
            }
            Outcome::Filled(Space::Local) => counts.add(Counter::Fills, 1),
            Outcome::Filled(Space::Global) => counts.add(Counter::GlobalFills, 1),
            Outcome::WrittenBack { merged, saved } => {
                counts.add(Counter::WriteBacks, 1);
                counts.add(Counter::Merges, merged.into());
                counts.add(Counter::Compressed, saved.is_some().into());
                counts.add(Counter::SavedBytes, saved.unwrap_or(0).into());
            }
            Outcome::Moved => counts.add(Counter::GlobalMoves, 1),
        }
    }

    fn count(&self, own: &mut MechanismStatistics, _cycle: u64) {
        self.counts.add_to(own);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Words by line and lane.
    type Words = BTreeMap<(u64, u32), u32>;

    fn cache(vector_words: u32, size: u32, ways: u32) -> AffineVectorCache {
        let options = Options { size, ways, vector_words, ..Options::default() };
        AffineVectorCache::new(&options).expect("it is good")
    }

    fn lanes_of(mask: u32) -> impl Iterator<Item = u32> {
        (0..LANES as u32).filter(move |lane| mask >> lane & 1 != 0)
    }

    /// The cache's contents of a line.
    fn held(cache: &AffineVectorCache, line: u64) -> Words {
        let vectors = cache.vectors(line).iter();
        let words = |vector: &Vector| {
            let form = vector.form;
            lanes_of(vector.valid)
                .map(move |lane| ((line, lane), form.expect("some are valid").word(lane)))
        };
        vectors.flat_map(words).collect()
    }

    /// Evicts the contents of the way into memory, and keeps a transaction.
    fn put(
        cache: &mut AffineVectorCache,
        memory: &mut Words,
        (line, transaction, origin): (u64, &Transaction, Origin),
    ) {
        while let Some(victim) = cache.victim(line, transaction) {
            let words = held(cache, victim.line);
            memory.extend(words.into_iter().filter(|((_, lane), _)| victim.lanes >> lane & 1 != 0));
            cache.evict(&victim);
        }
        cache.put(line, transaction, origin);
    }

    #[test]
    fn nothing_is_lost_and_nothing_is_out_of_date() {
        let mut seed = 0x1357_9bdf_0246_8aceu64;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as u32 % below
        };
        for (vector_words, size, ways) in [(32, 128, 1), (32, 512, 2), (16, 768, 3)] {
            let mut cache = cache(vector_words, size, ways);
            // The values that programs see, and those in memory or the L1.
            let (mut truth, mut memory) = (Words::new(), Words::new());
            for _ in 0..20_000 {
                let line = (1 << 33) + u64::from(random(9)) * 13 + u64::from(random(4));
                let lanes = match random(3) {
                    0 => u32::MAX,
                    1 => 0xffff << (16 * random(2)),
                    _ => random(u32::MAX) | random(u32::MAX),
                };
                let now = |lane: u32| truth.get(&(line, lane)).copied().unwrap_or(0);
                match random(4) {
                    // Fills load the memory's words that are missing here.
                    0 => {
                        let words = std::array::from_fn(|lane| now(lane as u32));
                        let transaction = Transaction::new(&words, lanes, vector_words);
                        let transaction = transaction.within(!cache.valid(line));
                        if transaction.affine != 0 {
                            let fill = (line, &transaction, Origin::Fetched);
                            put(&mut cache, &mut memory, fill);
                        }
                    }
                    // A load finds them, and nothing else.
                    1 => {
                        let found = held(&cache, line);
                        let lanes_found = cache.load(line, lanes);
                        assert!(
                            lanes_of(lanes_found).all(|lane| found.contains_key(&(line, lane)))
                        );
                    }
                    // Stores of few values and strides, so that they meet again.
                    kind => {
                        let (base, stride) = (random(4) * 64, [0, 1, 4, 3][random(4) as usize]);
                        let words = std::array::from_fn(|lane| base + lane as u32 * stride);
                        let transaction = Transaction::new(&words, lanes, vector_words);
                        truth.extend(
                            lanes_of(lanes).map(|lane| ((line, lane), words[lane as usize])),
                        );
                        if kind == 2 && transaction.affine != 0 {
                            let store = (line, &transaction, Origin::Stored);
                            put(&mut cache, &mut memory, store);
                        }
                        let rest = if kind == 2 { lanes & !transaction.affine } else { lanes };
                        memory.extend(
                            lanes_of(rest).map(|lane| ((line, lane), words[lane as usize])),
                        );
                        cache.clear(line, rest);
                    }
                }
                for lane in 0..LANES as u32 {
                    let seen = held(&cache, line).get(&(line, lane)).copied();
                    let seen = seen.or_else(|| memory.get(&(line, lane)).copied());
                    let real = truth.get(&(line, lane)).copied();
                    assert_eq!(seen.unwrap_or(0), real.unwrap_or(0), "line {line} lane {lane}");
                }
            }
            let count = |counter| cache.counts.get(counter);
            let conflicts = count(Counter::Conflicts);
            assert!(conflicts > 20 && count(Counter::EvictedLines) > 100, "{:?}", cache.counts);
            assert!(count(Counter::EvictedVectors) > conflicts + 100);
        }
    }

    #[test]
    fn vectors_of_global_memory_arrive_and_leave() {
        let mut seed = 0x0246_8ace_1357_9bdfu64;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as u32 % below
        };
        for vector_words in [32, 16] {
            let mut cache = cache(vector_words, 512, 2);
            let mut memory = Words::new();
            let (mut fitted, mut refused) = (0, 0);
            for _ in 0..20_000 {
                let line = u64::from(random(5)) * 13 + u64::from(random(4));
                let sectors = random(15) + 1;
                let lanes = (0..4)
                    .filter(|it| sectors >> it & 1 != 0)
                    .fold(0, |all, it| all | 0xff << (8 * it));
                // Vectors of local memory beside them, whose words are dirty.
                if random(4) == 0 {
                    let transaction = Transaction::new(&[random(4); LANES], lanes, vector_words);
                    let store = ((1 << 33) + line, &transaction, Origin::Stored);
                    put(&mut cache, &mut memory, store);
                    continue;
                }
                if random(4) == 0 {
                    let lanes = if random(2) == 0 { u32::MAX } else { lanes };
                    cache.clear(line, lanes);
                    assert_eq!(cache.valid(line) & lanes, 0);
                    continue;
                }
                let stride = random(2);
                let words = std::array::from_fn(|lane| lane as u32 * stride);
                let transaction = Transaction::new(&words, lanes, vector_words);
                let before = held(&cache, line);
                if transaction.affine == lanes && cache.fits(line, &transaction) {
                    let fill = (line, &transaction, Origin::Global);
                    put(&mut cache, &mut memory, fill);
                    // The words of the line that were here are here still.
                    let now = held(&cache, line);
                    let stays = |((line, lane), word): (&(u64, u32), &u32)| {
                        lanes >> lane & 1 != 0 || now.get(&(*line, *lane)) == Some(word)
                    };
                    assert!(before.iter().all(stays) && cache.valid(line) & lanes == lanes);
                    fitted += 1;
                } else {
                    refused += 1;
                }
            }
            let of_global = |(tags, is_global): (&[Vector; VECTORS], &bool)| {
                tags.iter().filter(|vector| *is_global && vector.valid != 0).count() as u64
            };
            let left: u64 = cache.lines.iter().zip(&cache.is_global).map(of_global).sum();
            let count = |counter| cache.counts.get(counter);
            let evicted = count(Counter::GlobalEvictedVectors);
            let invalidated = count(Counter::GlobalInvalidatedVectors);
            assert_eq!(count(Counter::GlobalVectors), evicted + invalidated + left);
            assert!(evicted > 100 && invalidated > 100);
            assert!(fitted > 1000 && refused > 100 && count(Counter::EvictedVectors) > 100);
        }
    }

    #[test]
    fn sixteen_lines_of_the_first_level_share_a_line() {
        let mut cache = cache(32, 16384, 2);
        let words = std::array::from_fn(|lane| lane as u32);
        let transaction = Transaction::new(&words, u32::MAX, 32);
        // 64 sets of two lines: 2048 vectors, of 16 times the words that their bytes could hold.
        for line in 0..2048 {
            assert_eq!(cache.victim(line, &transaction), None);
            cache.put(line, &transaction, Origin::Stored);
        }
        assert!((0..2048).all(|line| cache.valid(line) == u32::MAX));
        let victim = cache.victim(2048, &transaction).expect("the set is full");
        // Line 1024 was placed last, in the other half of the tree.
        assert_eq!((victim.line, victim.lanes, victim.conflict), (0, u32::MAX, false));
        cache.load(0, 1);
        assert_eq!(cache.victim(2048, &transaction).map(|victim| victim.line), Some(1024));
    }
}

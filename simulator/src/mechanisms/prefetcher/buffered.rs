//! A prefetcher that predicts the addresses of a load, and keeps the prefetched lines in a buffer
//! beside the L1.
//!
//! Lines are requested `distance` to `distance + degree - 1` steps ahead of a load, coalesced as
//! the load was. An unused prefetch reduces the number of later ones (`throttle`). A buffer of its
//! own evicts nothing from the cache: that is the prefetch cache of Lee et al. (see
//! [`super::many_thread`]).

use std::collections::VecDeque;

use serde::Deserialize;

use super::buffer::Buffer;
use super::slot::{Found, LoadOfWarp, Prefetcher};
use super::throttle::Throttle;
use crate::handles::LoadId;
use crate::mechanisms::mechanism::{check_range, options};
use crate::memory::coalesce::{LineAccess, LineKind, Lines, coalesce};
use crate::observe::mechanism_statistics::MechanismStatistics;
use crate::observe::statistic::Declaration;

/// The options of prefetchers that are made so.
pub const OPTIONS: &[(&str, &str)] = &[
    ("lines", "line accesses that the prefetch buffer holds, 1 to 4096; default 128"),
    ("distance", "prefetch distance in strides, 1 to 64; default 1"),
    ("degree", "prefetch degree: prefetches per access, one stride apart, 1 to 16; default 1"),
    ("throttle", "whether to prefetch less while many prefetches go unused; default `true`"),
];

const PREFETCHES: Declaration =
    Declaration::sum("prefetches", "accesses", "Lines prefetched.").after("l1_local_stores");
const USEFUL: Declaration = Declaration::sum(
    "prefetches_useful",
    "accesses",
    "Prefetched lines that had arrived when a load first accessed them.",
)
.after("l1_local_stores");
const LATE: Declaration = Declaration::sum(
    "prefetches_late",
    "accesses",
    "Prefetched lines that were still outstanding when a load first accessed them.",
)
.after("l1_local_stores");
const UNUSED: Declaration = Declaration::sum(
    "prefetches_unused",
    "accesses",
    "Prefetched lines that were evicted, or left at the end, without an access by a load.",
)
.after("l1_local_stores");
const HITS: Declaration = Declaration::sum(
    "prefetch_hits",
    "accesses",
    "Line loads that missed in the L1 and hit in the prefetch buffer.",
)
.after("l1_local_stores");
const ACCURACY: Declaration = Declaration::quotient(
    "prefetch_accuracy",
    "ratio",
    "Share of the prefetches that a load accessed, in time or late.",
    &[&USEFUL, &LATE],
    &PREFETCHES,
)
.after("passes_per_access");

/// The statistics of prefetchers that are made so.
pub const STATISTICS: &[Declaration] = &[PREFETCHES, USEFUL, LATE, UNUSED, HITS, ACCURACY];

/// From a load with its first address, and the bytes of a line, to how far ahead of it the next access is, if that is known.
pub type Step = Box<dyn FnMut(LoadOfWarp, u64, u32) -> Option<i64> + Send>;

/// A prefetcher with some options that goes by a step.
pub fn build(table: &toml::Table, step: Step) -> Result<Option<Box<dyn Prefetcher>>, String> {
    let options: Options = options(table)?;
    let ranges = [
        ("lines", options.lines, 4096),
        ("distance", options.distance, 64),
        ("degree", options.degree, 16),
    ];
    for (key, value, most) in ranges {
        check_range(key, value, 1..=most)?;
    }
    Ok(Some(Box::new(Buffered::new(options, step))))
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    lines: u32,
    distance: u32,
    degree: u32,
    throttle: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { lines: 128, distance: 1, degree: 1, throttle: true }
    }
}

/// Line accesses that can wait to be requested; further ones are dropped.
const QUEUE: usize = 64;

/// The prefetcher of an SM.
struct Buffered {
    options: Options,
    step: Step,
    /// The lines to request.
    queue: VecDeque<LineAccess>,
    buffer: Buffer,
    throttle: Throttle,
    lines: Lines,
    counts: Counts,
}

/// Prefetches; of these the useful, late and unused ones; and hits in the buffer.
#[derive(Debug, Default)]
struct Counts {
    all: u64,
    useful: u64,
    late: u64,
    unused: u64,
    hits: u64,
}

impl Buffered {
    fn new(options: Options, step: Step) -> Buffered {
        Buffered {
            options,
            step,
            queue: VecDeque::new(),
            buffer: Buffer::new(options.lines as usize),
            throttle: Throttle::new(options.throttle),
            lines: Lines::default(),
            counts: Counts::default(),
        }
    }
}

impl Prefetcher for Buffered {
    fn load(&mut self, load: LoadOfWarp, addresses: &[u64], bytes: u32, line: u32) {
        let Some(&first) = addresses.first() else {
            return;
        };
        let Some(stride) = (self.step)(load, first, line) else {
            return;
        };
        let Options { distance, degree, .. } = self.options;
        for ahead in u64::from(distance)..u64::from(distance + degree) {
            if !self.throttle.admits() {
                continue;
            }
            let offset = stride.wrapping_mul(ahead as i64);
            let moved = addresses.iter().map(|address| address.wrapping_add_signed(offset));
            // There is no memory outside of the device's.
            let moved = moved.filter(|address| DEVICE.contains(address));
            self.lines.clear();
            coalesce(moved, bytes, line, LineKind::Load, &mut self.lines);
            let room = QUEUE - self.queue.len().min(QUEUE);
            self.queue.extend(self.lines.accesses.iter().take(room));
        }
    }

    fn next(&self) -> Option<LineAccess> {
        self.queue.front().copied()
    }

    fn skip(&mut self) {
        self.queue.pop_front();
    }

    fn request(&mut self, line: u64) -> Option<u32> {
        let access = self.queue.pop_front()?;
        if self.buffer.has(line, access.sectors) {
            return None;
        }
        let (number, unused) = self.buffer.reserve(line, access.sectors)?;
        self.throttle.unused(unused);
        self.counts.unused += u64::from(unused);
        self.counts.all += 1;
        Some(number)
    }

    fn find(&mut self, line: u64, sectors: u8, load: LoadId) -> Found {
        let (found, is_first) = self.buffer.find(line, sectors, load);
        if is_first {
            self.throttle.used();
            match found {
                Found::There => self.counts.useful += 1,
                Found::InFlight => self.counts.late += 1,
                Found::Nowhere => {}
            }
        }
        self.counts.hits += u64::from(found == Found::There);
        found
    }

    fn fill(&mut self, number: u32) -> Vec<LoadId> {
        self.buffer.fill(number)
    }

    fn drop_line(&mut self, line: u64) {
        self.counts.unused += self.buffer.drop_line(line);
    }

    fn rest(&mut self) {
        self.queue.clear();
    }

    fn is_idle(&self) -> bool {
        !self.buffer.is_waiting()
    }

    fn end(&mut self) {
        self.counts.unused += self.buffer.left();
    }

    fn unbalanced(&self) -> Option<&'static str> {
        let Counts { all, useful, late, unused, .. } = self.counts;
        if !self.is_idle() {
            return Some("prefetches under way");
        }
        (all != useful + late + unused).then_some("prefetches without exactly one end")
    }

    fn count(&self, own: &mut MechanismStatistics, _cycle: u64) {
        let Counts { all, useful, late, unused, hits } = self.counts;
        own.add(&PREFETCHES, all);
        own.add(&USEFUL, useful);
        own.add(&LATE, late);
        own.add(&UNUSED, unused);
        own.add(&HITS, hits);
    }
}

/// Addresses of the device's global memory.
const DEVICE: std::ops::Range<u64> = reconverge_isa::GLOBAL_BASE as u64..0x8000_0000;

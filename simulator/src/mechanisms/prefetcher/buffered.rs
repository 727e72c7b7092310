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
use crate::observe::statistics::Statistics;

/// The options of prefetchers that are made so.
pub(super) const OPTIONS: &[(&str, &str)] = &[
    ("lines", "line accesses that the prefetch buffer holds, 1 to 4096; default 128"),
    ("distance", "prefetch distance in strides, 1 to 64; default 1"),
    ("degree", "prefetch degree: prefetches per access, one stride apart, 1 to 16; default 1"),
    ("throttle", "whether to prefetch less while many prefetches go unused; default `true`"),
];

/// From a load with its first address, and the bytes of a line, to how far ahead of it the next access is, if that is known.
pub(super) type Step = Box<dyn FnMut(LoadOfWarp, u64, u32) -> Option<i64> + Send>;

/// A prefetcher with some options that goes by a step.
pub(super) fn build(
    table: &toml::Table,
    step: Step,
) -> Result<Option<Box<dyn Prefetcher>>, String> {
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

    fn request(&mut self, line: u64, statistics: &mut Statistics) -> Option<u32> {
        let access = self.queue.pop_front()?;
        if self.buffer.has(line, access.sectors) {
            return None;
        }
        let (number, unused) = self.buffer.reserve(line, access.sectors)?;
        self.throttle.unused(unused);
        statistics.prefetches_unused += u64::from(unused);
        statistics.prefetches += 1;
        Some(number)
    }

    fn find(&mut self, line: u64, sectors: u8, load: LoadId, statistics: &mut Statistics) -> Found {
        let (found, is_first) = self.buffer.find(line, sectors, load);
        if is_first {
            self.throttle.used();
            match found {
                Found::There => statistics.prefetches_useful += 1,
                Found::InFlight => statistics.prefetches_late += 1,
                Found::Nowhere => {}
            }
        }
        statistics.prefetch_hits += u64::from(found == Found::There);
        found
    }

    fn fill(&mut self, number: u32) -> Vec<LoadId> {
        self.buffer.fill(number)
    }

    fn drop_line(&mut self, line: u64, statistics: &mut Statistics) {
        statistics.prefetches_unused += self.buffer.drop_line(line);
    }

    fn rest(&mut self) {
        self.queue.clear();
    }

    fn is_idle(&self) -> bool {
        !self.buffer.is_waiting()
    }

    fn left(&self) -> u64 {
        self.buffer.left()
    }
}

/// Addresses of the device's global memory.
const DEVICE: std::ops::Range<u64> = reconverge_isa::GLOBAL_BASE as u64..0x8000_0000;

//! Many-thread-aware prefetching: strides of loads, within a warp and from warp to warp.
//!
//! Source: Lee, Lakshminarayana, Kim, Vuduc, "Many-thread aware prefetching mechanisms for GPGPU
//! applications", MICRO 2010, the hardware scheme: a stride for each load of each warp, one for all
//! warps when several agree (stride promotion), one from warp to warp (inter-thread prefetching), a prefetch
//! cache, and throttling. It is what Wang and Lin call MTA and compare decoupled affine computation
//! with (§1, §2). We have not the text of the paper, but its outline: sizes and thresholds are ours,
//! large ones, since Wang and Lin provision it generously. See `spec/machine.md`.

mod buffer;
mod strides;
mod throttle;

use std::collections::VecDeque;

use serde::Deserialize;

use self::buffer::Buffer;
use self::strides::Strides;
use self::throttle::Throttle;
use super::{Build, Found, LoadOfWarp, Prefetcher};
use crate::mechanism::{Mechanism, options};
use crate::memory::coalesce::{LineAccess, Lines, coalesce};
use crate::sm::{LineKind, LoadId};
use crate::statistics::Statistics;

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "many-thread-prefetch",
    sentence: "detects strides of loads within a warp and across warps, and prefetches into a buffer \
               beside the L1",
    options: &[
        ("lines", "line accesses that the prefetch buffer holds, 1 to 4096; default 128"),
        ("distance", "prefetch distance in strides, 1 to 64; default 1"),
        ("degree", "prefetch degree: prefetches per access, one stride apart, 1 to 16; default 1"),
        ("throttle", "whether to prefetch less while many prefetches go unused; default `true`"),
    ],
    trials: &[
        &[("many-thread-prefetch.degree", "2")],
        &[("many-thread-prefetch.degree", "3"), ("l1.size", "0")],
        &[("many-thread-prefetch.lines", "3")],
        &[("interconnect.queue", "1")],
        &[("divergence", "block-compaction-plus")],
        &[("divergence", "warp-subdivision"), ("warp-subdivision.memory-divergence", "true")],
    ],
    build: |table| {
        let options: Options = options(table)?;
        let ranges = [
            ("lines", options.lines, 4096),
            ("distance", options.distance, 64),
            ("degree", options.degree, 16),
        ];
        for (key, value, most) in ranges {
            if !(1..=most).contains(&value) {
                return Err(format!(
                    "`{key}` is {value}; it must be a whole number from 1 to {most}"
                ));
            }
        }
        Ok(Some(Box::new(ManyThread::new(options))))
    },
};

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

/// Line accesses that can wait to be asked for; what comes beyond is dropped.
const QUEUE: usize = 64;

/// The many-thread aware prefetcher of an SM.
#[derive(Debug)]
struct ManyThread {
    options: Options,
    strides: Strides,
    /// What is to be asked for.
    queue: VecDeque<LineAccess>,
    buffer: Buffer,
    throttle: Throttle,
    lines: Lines,
}

impl ManyThread {
    fn new(options: Options) -> ManyThread {
        ManyThread {
            options,
            strides: Strides::default(),
            queue: VecDeque::new(),
            buffer: Buffer::new(options.lines as usize),
            throttle: Throttle::new(options.throttle),
            lines: Lines::default(),
        }
    }
}

impl Prefetcher for ManyThread {
    fn load(&mut self, load: LoadOfWarp, addresses: &[u64], bytes: u32, line: u32) {
        let Some(&first) = addresses.first() else {
            return;
        };
        let Some(stride) = self.strides.load(load, first) else {
            return;
        };
        let Options { distance, degree, .. } = self.options;
        for ahead in u64::from(distance)..u64::from(distance + degree) {
            if !self.throttle.lets_pass() {
                continue;
            }
            let offset = stride.wrapping_mul(ahead as i64);
            let moved = addresses.iter().map(|address| address.wrapping_add_signed(offset));
            // Nothing is there outside of the device's memory.
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

    fn ask(&mut self, line: u64, statistics: &mut Statistics) -> Option<u32> {
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
                Found::Coming => statistics.prefetches_late += 1,
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

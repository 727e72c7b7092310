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
use super::{Affine, Build};
use crate::mechanism::{Mechanism, options};
use crate::memory::coalesce::{LineAccess, Lines, coalesce};
use crate::sm::{LineKind, LoadId};
use crate::statistics::Statistics;
pub(crate) use buffer::Found;

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
                return Err(format!("`{key}` is {value}; it must be 1 to {most}"));
            }
        }
        Ok(Affine::Prefetch(Box::new(Prefetcher::new(options))))
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

/// A load of a warp, as it issues.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoadOfWarp {
    /// The instruction.
    pub(crate) pc: u32,
    /// The hardware warp.
    pub(crate) hardware: u16,
    /// The warp's number in the grid.
    pub(crate) warp: u64,
}

/// The prefetcher of a core.
#[derive(Debug)]
pub(crate) struct Prefetcher {
    options: Options,
    strides: Strides,
    /// What is to be asked for.
    queue: VecDeque<LineAccess>,
    buffer: Buffer,
    throttle: Throttle,
    /// The first in the queue waits for room towards memory.
    pub(crate) wants_room: bool,
    lines: Lines,
}

impl Prefetcher {
    fn new(options: Options) -> Prefetcher {
        Prefetcher {
            options,
            strides: Strides::default(),
            queue: VecDeque::new(),
            buffer: Buffer::new(options.lines as usize),
            throttle: Throttle::new(options.throttle),
            wants_room: false,
            lines: Lines::default(),
        }
    }

    /// A warp loads from global memory, from some addresses in the order of its lanes, so many bytes
    /// each.
    pub(crate) fn load(
        &mut self,
        load: LoadOfWarp,
        addresses: impl Iterator<Item = u64> + Clone,
        bytes: u32,
        line: u32,
    ) {
        let Some(first) = addresses.clone().next() else {
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
            let moved = addresses.clone().map(|address| address.wrapping_add_signed(offset));
            // Nothing is there outside of the device's memory.
            let moved = moved.filter(|address| DEVICE.contains(address));
            self.lines.clear();
            coalesce(moved, bytes, line, LineKind::Load, &mut self.lines);
            let room = QUEUE - self.queue.len().min(QUEUE);
            self.queue.extend(self.lines.accesses.iter().take(room));
        }
    }

    /// What is to be asked for next.
    pub(crate) fn next(&self) -> Option<LineAccess> {
        self.queue.front().copied()
    }

    /// The next one is not needed after all.
    pub(crate) fn skip(&mut self) {
        self.queue.pop_front();
    }

    /// The next one is wanted: the number to ask for it under, unless there is no room in the buffer, or it is
    /// there or under way.
    pub(crate) fn ask(&mut self, line: u64, statistics: &mut Statistics) -> Option<u32> {
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

    /// A load misses some sectors of a line in the first level: whether the buffer has them, or they are
    /// under way, for which the load then waits.
    pub(crate) fn find(
        &mut self,
        line: u64,
        sectors: u8,
        load: LoadId,
        statistics: &mut Statistics,
    ) -> Found {
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

    /// A line that was asked for has come; the loads that wait for it.
    pub(crate) fn fill(&mut self, number: u32) -> Vec<LoadId> {
        self.buffer.fill(number)
    }

    /// A line changes elsewhere.
    pub(crate) fn drop_line(&mut self, line: u64, statistics: &mut Statistics) {
        statistics.prefetches_unused += self.buffer.drop_line(line);
    }

    /// No warp is left: nothing more is wanted.
    pub(crate) fn rest(&mut self) {
        self.queue.clear();
        self.wants_room = false;
    }

    /// Whether nothing is under way.
    pub(crate) fn is_idle(&self) -> bool {
        !self.buffer.is_waiting()
    }

    /// At the end: lines that nobody wanted.
    pub(crate) fn left(&self) -> u64 {
        self.buffer.left()
    }
}

/// Addresses of the device's global memory.
const DEVICE: std::ops::Range<u64> = reconverge_isa::GLOBAL_BASE as u64..0x8000_0000;

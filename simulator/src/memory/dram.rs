//! A channel of memory: a queue, a latency and a bandwidth. Rows and banks are not modelled.

use std::collections::VecDeque;

use super::{NEVER, SECTOR};
use crate::machine::Dram as Config;
use crate::statistics::Statistics;

/// Fractions of a cycle that the channel's time is kept in.
const FRACTION: u64 = 1 << 16;

#[derive(Clone, Copy, Debug)]
struct Request {
    /// The pending entry of the slice that wants the data; `None` for a write.
    reader: Option<u32>,
    sectors: u32,
}

pub(crate) struct Dram {
    latency: u64,
    /// Fractions of a cycle that a sector takes.
    sector_time: u64,
    capacity: usize,
    queue: VecDeque<Request>,
    /// When the channel is free, in fractions of a cycle.
    free: u64,
    /// Reads under way: when their data is there.
    reads: VecDeque<(u64, u32)>,
    busy: u64,
    pub(crate) statistics: Statistics,
}

impl Dram {
    pub(crate) fn new(config: &Config) -> Dram {
        let sector_time = f64::from(SECTOR) / config.bytes_per_cycle * FRACTION as f64;
        Dram {
            latency: u64::from(config.latency),
            sector_time: (sector_time.round() as u64).max(1),
            capacity: config.queue as usize,
            queue: VecDeque::with_capacity(config.queue as usize),
            free: 0,
            reads: VecDeque::new(),
            busy: 0,
            statistics: Statistics::default(),
        }
    }

    pub(crate) fn has_room(&self) -> bool {
        self.queue.len() < self.capacity
    }

    /// Takes a request, given that there is room.
    pub(crate) fn push(&mut self, reader: Option<u32>, sectors: u8) {
        self.queue.push_back(Request { reader, sectors: sectors.count_ones() });
    }

    /// Starts the transfers that can start in this cycle.
    pub(crate) fn step(&mut self, now: u64) {
        while self.free < (now + 1) * FRACTION
            && let Some(request) = self.queue.pop_front()
        {
            let time = self.sector_time * u64::from(request.sectors);
            self.free = self.free.max(now * FRACTION) + time;
            self.busy += time;
            self.statistics.dram_requests += 1;
            let bytes = u64::from(SECTOR * request.sectors);
            match request.reader {
                Some(reader) => {
                    let done = self.free.div_ceil(FRACTION) + self.latency;
                    self.reads.push_back((done, reader));
                    self.statistics.dram_read_bytes += bytes;
                }
                None => self.statistics.dram_write_bytes += bytes,
            }
        }
    }

    /// The pending entry of a read whose data is there.
    pub(crate) fn done(&self, now: u64) -> Option<u32> {
        let &(time, reader) = self.reads.front()?;
        (time <= now).then_some(reader)
    }

    /// Forgets the read that [`Dram::done`] told of.
    pub(crate) fn pop_done(&mut self) {
        self.reads.pop_front();
    }

    /// The next cycle in which something can happen here.
    pub(crate) fn next_event(&self) -> u64 {
        let data = self.reads.front().map_or(NEVER, |&(time, _)| time);
        if self.queue.is_empty() { data } else { data.min(self.free / FRACTION) }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.reads.is_empty()
    }

    /// Cycles in which the channel moved data, rounded down.
    pub(crate) fn busy_cycles(&self) -> u64 {
        self.busy / FRACTION
    }
}

//! The instruction caches of an SM's sub-cores (L0), in front of that of the SM (L1).
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §5.2. Each sub-core has a cache with a stream buffer: a miss requests
//! its line and the lines that follow it ("prefetches successive memory blocks when a miss occurs",
//! after Jouppi, ISCA 1990, whose buffer also requests a line whenever one is used). A line that a
//! fetch finds in the buffer goes to the cache. A fetch of a line that is in neither drops the buffer.
//! Where the paper is silent: the L1 gives each sub-core a line every so many cycles, in the order of
//! its requests; a request that misses there gets its line when that has come.

use crate::mechanisms::setup::Setup;
use std::collections::VecDeque;
use std::ops::Range;

use crate::handles::CandidateId;
use crate::machine::Machine;
use crate::machine::clock::NEVER;
use crate::mechanisms::allocation::Requester;
use crate::memory::bytes::sectors;
use crate::memory::cache::Cache;
use crate::memory::mshr::{FetchedSectors, Placement};

/// A line that was requested from the L1.
struct Line {
    number: u64,
    /// The cycle in which it arrives, if that is known.
    ready: u64,
    /// The candidates that wait for it. If there are some, it goes to the cache.
    waiters: Vec<CandidateId>,
}

/// A sub-core's instruction cache.
pub(super) struct FirstCache {
    cache: Cache,
    sectors: u8,
    /// Lines that the stream buffer has or awaits, in the order of the code.
    stream: VecDeque<Line>,
    /// Awaited lines that are not in the buffer.
    missing: Vec<Line>,
    /// Lines of the buffer.
    capacity: usize,
    /// From a request to the arrival of its line, and from one line to the next.
    latency: u64,
    interval: u64,
    /// The cycle from which the L1 gives another line.
    free: u64,
    /// The line of the last look-up, if it was here and none has arrived since.
    latest: Option<u64>,
    /// The next cycle in which a line arrives that a candidate waits for.
    next: u64,
}

/// The outcome of a look-up.
pub(super) struct FirstLookup {
    /// The line is here.
    pub(super) is_here: bool,
    /// The lines that the L1 is to give, in this order.
    pub(super) requested: Range<u64>,
}

impl FirstLookup {
    fn of(is_here: bool) -> FirstLookup {
        FirstLookup { is_here, requested: 0..0 }
    }
}

impl FirstCache {
    /// The caches of an SM's sub-cores; none if they have none.
    pub(super) fn of(machine: &Machine) -> Result<Vec<FirstCache>, String> {
        let config = &machine.instruction_cache;
        if config.l0_size == 0 {
            return Ok(Vec::new());
        }
        let lines = (config.l0_size / config.line) as usize;
        let setup = Setup::on(machine, &config.replacement);
        let build = |_| {
            Ok(FirstCache {
                cache: Cache::new(lines, config.l0_ways as usize, &config.replacement, &setup)?,
                sectors: sectors(config.line),
                stream: VecDeque::new(),
                missing: Vec::new(),
                capacity: config.stream_buffer as usize,
                latency: config.l0_latency.into(),
                interval: config.l0_interval.into(),
                free: 0,
                latest: None,
                next: NEVER,
            })
        };
        (0..machine.sm.sub_cores).map(build).collect()
    }

    /// Looks up a line for a candidate; `last` is the last line of the code.
    pub(super) fn look_up(
        &mut self,
        number: u64,
        last: u64,
        candidate: CandidateId,
        now: u64,
    ) -> FirstLookup {
        if self.latest == Some(number) || self.has(number) {
            self.latest = Some(number);
            return FirstLookup::of(true);
        }
        if let Some(line) = self.missing.iter_mut().find(|line| line.number == number) {
            if !line.waiters.contains(&candidate) {
                line.waiters.push(candidate);
            }
            self.next = self.next.min(line.ready);
            return FirstLookup::of(false);
        }
        if let Some(at) = self.stream.iter().position(|line| line.number == number) {
            return FirstLookup::of(self.take_from_stream(at, candidate, now));
        }
        // Its lines are of no use; those on their way are dropped when they arrive.
        self.stream.clear();
        self.missing.push(Line { number, ready: NEVER, waiters: vec![candidate] });
        let end = (number + 1 + self.capacity as u64).min(last + 1);
        let ahead = (number + 1..end).map(|number| Line { number, ready: NEVER, waiters: vec![] });
        self.stream.extend(ahead);
        FirstLookup { is_here: false, requested: number..end }
    }

    /// A line of the buffer leaves it, for a candidate. Returns true if it is here.
    fn take_from_stream(&mut self, at: usize, candidate: CandidateId, now: u64) -> bool {
        let Some(mut line) = self.stream.remove(at) else { return false };
        let is_here = line.ready <= now;
        if is_here {
            self.fill(line.number);
        } else {
            line.waiters.push(candidate);
            self.next = self.next.min(line.ready);
            self.missing.push(line);
        }
        is_here
    }

    fn has(&mut self, number: u64) -> bool {
        self.cache.lookup(number, self.sectors, Requester::of(0)) != 0
    }

    fn fill(&mut self, number: u64) {
        let fetched = FetchedSectors::requested(self.sectors);
        self.cache.fill(number, fetched, false, Placement::Always, Requester::of(0));
        self.latest = None;
    }

    /// Returns true if a candidate waits for a line.
    pub(super) fn awaits(&self, number: u64, candidate: CandidateId) -> bool {
        let mut lines = self.missing.iter().filter(|line| line.number == number);
        lines.any(|line| line.waiters.contains(&candidate))
    }

    /// The L1 has a line that was requested in this cycle or before.
    pub(super) fn give(&mut self, number: u64, now: u64) {
        let lines = self.missing.iter_mut().chain(&mut self.stream);
        let requested = lines.filter(|line| line.number == number && line.ready == NEVER);
        let mut is_expected = false;
        let ready = self.free.max(now) + self.latency;
        for line in requested {
            is_expected = true;
            line.ready = ready;
            if !line.waiters.is_empty() {
                self.next = self.next.min(ready);
            }
        }
        if is_expected {
            self.free = self.free.max(now) + self.interval;
        }
    }

    /// The next cycle in which a line arrives that a candidate waits for.
    pub(super) fn next_event(&self) -> u64 {
        self.next
    }

    /// Takes the lines that have arrived: `filled` receives those who waited for them.
    pub(super) fn arrive(&mut self, now: u64, filled: &mut Vec<CandidateId>) {
        if self.next > now {
            return;
        }
        for line in self.missing.extract_if(.., |line| line.ready <= now).collect::<Vec<_>>() {
            self.fill(line.number);
            filled.extend(line.waiters);
        }
        let awaited = self.missing.iter().map(|line| line.ready);
        self.next = awaited.min().unwrap_or(NEVER);
    }

    /// Returns true if no candidate waits.
    pub(super) fn is_idle(&self) -> bool {
        self.missing.is_empty()
    }
}

//! The front end, the first loop: fetch, decode, and the instruction buffers with their scoreboards.
//!
//! Each cycle one path is chosen, the paths of the schedulers in turn; its next instructions, up to
//! the end of their cache line, are looked up in the instruction cache. When they enter the buffer
//! the scoreboard takes an entry for each result. When the path has none left, the instruction is
//! discarded and has to be fetched again (Aamodt, Fung, Rogers, §3.2, after Coon et al.).
//!
//! Under the policy `room` a path fetches while its buffer has room, in the book's words, and under
//! `empty` once its buffer is empty, as in GPGPU-Sim. The book leaves open the order of the paths:
//! they take turns under both. A path with instructions fetches the ones that follow in the code
//! only if its scoreboard has an entry: nothing fetched ahead of need is discarded.

use crate::handles::CandidateId;
use crate::mechanisms::setup::Setup;
use std::ops::Range;

use super::first_fetch::{FirstCache, FirstLookup};
use super::issue::scoreboard::Ready;
use crate::machine::clock::{Divisor, NEVER};
use crate::machine::{FetchPolicy, Machine};
use crate::mechanisms::allocation::Requester;
use crate::memory::bytes::sectors;
use crate::memory::cache::Cache;
use crate::memory::link::Link;
use crate::memory::mshr::{FetchedSectors, Placement};
use crate::memory::packet::{Packet, RequestKind, Waiter};
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::program::operands::Target;
use reconverge_isa::Effect;

/// The start of the physical addresses of instructions, above all of data.
const CODE: u64 = 1 << 41;

/// The most instructions of a buffer.
const LARGEST_BUFFER: usize = 8;

/// The front end's state of a candidate's path.
#[derive(Clone, Debug, Default)]
struct Buffer {
    /// The first instruction in it, or the next to be fetched.
    pc: u32,
    count: u32,
    /// By instruction modulo the buffer's largest size: the cycle from which it can issue. Only if
    /// paths fetch ahead.
    arrivals: [u64; LARGEST_BUFFER],
    /// Scoreboard entries of instructions that have issued: when each is free.
    entries: Vec<Ready>,
}

/// The outcome of a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fetched {
    /// Instructions are in the buffer.
    Buffered,
    /// The scoreboard has no entry for the first; one is free at a cycle, if that is known.
    Discarded(Option<u64>),
    /// The line is not in the cache, and is requested.
    Missing,
}

/// The room of a path that has instructions for those that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// It can fetch now.
    Now,
    /// Its scoreboard has an entry from a known cycle on.
    Later,
    /// It cannot fetch until it issues, a result is written, or a line arrives.
    Nothing,
}

/// A line in flight.
struct MissingLine {
    number: u64,
    /// Parts that were requested, and parts that have arrived.
    requested: u64,
    arrived: u64,
    /// The candidates that wait for it.
    waiters: Vec<CandidateId>,
}

/// The front end of an SM.
pub(super) struct Frontend {
    width: u32,
    latency: u64,
    capacity: u32,
    /// Paths with instructions fetch the following ones; and those that wait do too.
    fetches_ahead: bool,
    is_greedy: bool,
    past_branches: bool,
    entries: usize,
    line: u64,
    /// The first and the last line of the kernel's code; the first of all code before one has begun.
    lines: [u64; 2],
    /// The caches of sub-cores in front of this one, if they have some.
    first: Vec<FirstCache>,
    /// Instructions of a line.
    each: Divisor,
    /// Bytes of a request: a line, or its part within one line of the L2.
    part: u64,
    /// The sectors of a line.
    sectors: u8,
    cache: Cache,
    /// The line of the last lookup, if it was present and none has arrived since: another lookup of
    /// it changes nothing.
    latest: Option<u64>,
    missing: Vec<MissingLine>,
    /// The cycle in which the first line arrived.
    first_fetch: Option<u64>,
    /// Lines that are requested along with a missing one, which they follow.
    lines_ahead: u64,
    /// Parts of them that are still to be requested.
    unrequested: u64,
    /// The number of lines of a kernel's code, from the first on, that are requested when it begins
    /// here.
    at_launch: u64,
    /// True if it has begun.
    begun: bool,
    /// The remaining ones of these lines. They are requested when no missing line is to be.
    ahead: Range<u64>,
    /// From one request for instructions to the next.
    interval: u64,
    /// The first cycle in which the next one may be sent.
    request_from: u64,
    buffers: Vec<Buffer>,
    /// Candidates whose instructions have arrived since they were last taken.
    filled: Vec<CandidateId>,
    /// The SM's number.
    sm: u16,
}

impl Frontend {
    pub(super) fn new(machine: &Machine, sm: usize, candidates: usize) -> Result<Frontend, String> {
        let (fetch, cache) = (&machine.fetch, &machine.instruction_cache);
        let lines = (cache.size / cache.line) as usize;
        let setup = Setup::on(machine, &cache.replacement);
        Ok(Frontend {
            width: fetch.width,
            latency: u64::from(fetch.latency),
            capacity: fetch.buffer,
            fetches_ahead: fetch.policy != FetchPolicy::Empty,
            is_greedy: fetch.policy == FetchPolicy::Greedy,
            past_branches: fetch.past_branches,
            first: FirstCache::of(machine)?,
            entries: match machine.scoreboard.entries {
                0 => usize::MAX,
                entries => entries as usize,
            },
            line: u64::from(cache.line),
            lines: [CODE / u64::from(cache.line); 2],
            each: Divisor::by(u64::from(cache.line / cache.instruction_bytes)),
            part: u64::from(cache.line.min(machine.l2.line)),
            sectors: sectors(cache.line),
            cache: Cache::new(lines, cache.ways as usize, &cache.replacement, &setup)?,
            latest: None,
            missing: Vec::new(),
            first_fetch: None,
            lines_ahead: u64::from(cache.lines_ahead),
            unrequested: 0,
            at_launch: u64::from(cache.launch_bytes.min(cache.size) / cache.line),
            begun: false,
            ahead: 0..0,
            interval: u64::from(cache.interval),
            request_from: 0,
            buffers: vec![Buffer::default(); candidates],
            filled: Vec::new(),
            sm: sm as u16,
        })
    }

    /// A block of the kernel starts here. Before the first one, none of the kernel's code is
    /// present.
    pub(super) fn begin(&mut self, code: &Code) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let first = (CODE + code.place) / self.line;
        let last = (code.instructions.len() as u64).saturating_sub(1);
        self.lines = [first, first + self.each.quotient(last)];
        self.ahead = first..(self.lines[1] + 1).min(first + self.at_launch);
    }

    /// A block starts in the place of a candidate.
    pub(super) fn reset(&mut self, candidate: CandidateId) {
        let buffer = &mut self.buffers[candidate.index()];
        buffer.count = 0;
        buffer.entries.clear();
    }

    /// Returns true if the buffer of a candidate, whose path is at `pc`, holds its next
    /// instruction. Instructions fetched from elsewhere are dropped.
    #[inline]
    pub(super) fn has(&mut self, candidate: CandidateId, pc: u32) -> bool {
        let buffer = &mut self.buffers[candidate.index()];
        if buffer.pc != pc {
            buffer.pc = pc;
            buffer.count = 0;
        }
        buffer.count != 0
    }

    /// The instruction at the head of a buffer issues.
    #[inline(always)]
    pub(super) fn issue(&mut self, candidate: CandidateId) {
        let buffer = &mut self.buffers[candidate.index()];
        buffer.pc += 1;
        buffer.count = buffer.count.saturating_sub(1);
    }

    /// The same, after which its path continues at an instruction. Returns true if that is in the
    /// buffer.
    #[inline(always)]
    pub(super) fn issue_and_go_on(&mut self, candidate: CandidateId, pc: u32) -> bool {
        let buffer = &mut self.buffers[candidate.index()];
        buffer.count = if buffer.pc + 1 == pc { buffer.count.saturating_sub(1) } else { 0 };
        buffer.pc = pc;
        buffer.count != 0
    }

    /// The scoreboard entry of an instruction that issues is free at a time.
    #[inline]
    pub(super) fn occupy(&mut self, candidate: CandidateId, ready: Ready) {
        if self.entries != usize::MAX {
            self.buffers[candidate.index()].entries.push(ready);
        }
    }

    /// Replaces (or, with `also`, merges) the pending entries of `to` with those of `from`.
    pub(super) fn carry(&mut self, from: CandidateId, to: CandidateId, also: bool) {
        let moved = self.buffers[from.index()].entries.clone();
        let entries = &mut self.buffers[to.index()].entries;
        if !also {
            entries.clear();
        }
        for ready in moved {
            if !entries.contains(&ready) {
                entries.push(ready);
            }
        }
    }

    /// A candidate has no path: nothing of its buffer is needed.
    pub(super) fn clear_instructions(&mut self, candidate: CandidateId) {
        self.buffers[candidate.index()].count = 0;
    }

    /// Nothing is pending for a candidate.
    pub(super) fn clear_entries(&mut self, candidate: CandidateId) {
        self.buffers[candidate.index()].entries.clear();
    }

    /// Sets the release time of a pending entry.
    #[inline]
    pub(super) fn resolve(&mut self, candidate: CandidateId, pending: Ready, ready: Ready) {
        if self.entries == usize::MAX {
            return;
        }
        let mut entries = self.buffers[candidate.index()].entries.iter_mut();
        // No result has two.
        if let Some(entry) = entries.find(|entry| **entry == pending) {
            *entry = ready;
        }
    }

    /// Returns true if the scoreboard has no entry for the next instruction of a candidate.
    pub(super) fn is_full(&self, code: &Code, candidate: CandidateId, now: u64) -> bool {
        let buffer = &self.buffers[candidate.index()];
        let used = buffer.entries.iter().filter(|entry| entry.is_after(now));
        code.instructions[buffer.pc as usize].target != Target::None && used.count() >= self.entries
    }

    /// Returns true if paths with instructions fetch the following ones.
    #[inline(always)]
    pub(super) fn fetches_ahead(&self) -> bool {
        self.fetches_ahead
    }

    /// The cycle from which the instruction at the head of a buffer can issue, if paths fetch ahead.
    #[inline]
    pub(super) fn arrival(&self, candidate: CandidateId) -> u64 {
        let buffer = &self.buffers[candidate.index()];
        buffer.arrivals[buffer.pc as usize % LARGEST_BUFFER]
    }

    /// The room of a candidate that has a path; only if that is greedy, one whose buffer is empty may have some, as
    /// it waits at a barrier.
    pub(super) fn room(&self, code: &Code, candidate: CandidateId, now: u64) -> Room {
        let buffer = &self.buffers[candidate.index()];
        let next = buffer.pc + buffer.count;
        let Some(instruction) = code.instructions.get(next as usize) else {
            return Room::Nothing;
        };
        if buffer.count == 0 && !self.is_greedy || buffer.count >= self.capacity {
            return Room::Nothing;
        }
        if buffer.count != 0 && self.stops_behind(code, next - 1) {
            return Room::Nothing;
        }
        if instruction.target != Target::None && self.entries != usize::MAX {
            let pending = buffer.entries.iter().filter(|entry| entry.is_after(now));
            let buffered = results(code, buffer.pc..next);
            if pending.clone().count() + buffered >= self.entries {
                let is_known = pending.clone().any(|entry| entry.cycle().is_some());
                return if is_known { Room::Later } else { Room::Nothing };
            }
        }
        let number = self.lines[0] + self.each.quotient(u64::from(next));
        let mut missing = self.missing.iter().filter(|line| line.number == number);
        let mut first = self.first.iter();
        match missing.any(|line| line.waiters.contains(&candidate))
            || first.any(|cache| cache.awaits(number, candidate))
        {
            true => Room::Nothing,
            false => Room::Now,
        }
    }

    /// Returns true if no path fetches beyond an instruction before it has issued.
    fn stops_behind(&self, code: &Code, pc: u32) -> bool {
        !self.past_branches
            && matches!(code.instructions[pc as usize].effect, Effect::Branch | Effect::Exit)
    }

    /// Looks up the next instructions of a candidate of a sub-core after those in its buffer, which
    /// has room for them.
    pub(super) fn fetch(
        &mut self,
        code: &Code,
        candidate: CandidateId,
        sub_core: usize,
        now: u64,
        link: &mut Link,
        statistics: &mut Statistics,
    ) -> Fetched {
        let Buffer { pc, count, .. } = self.buffers[candidate.index()];
        let first = pc + count;
        // It may have fetched ahead while it waited for control flow.
        let is_buffered = count != 0;
        if first as usize >= code.instructions.len()
            || count >= self.capacity
            || is_buffered && self.stops_behind(code, first - 1)
        {
            return Fetched::Buffered;
        }
        let buffer = &mut self.buffers[candidate.index()];
        let has_result = |pc: u32| code.instructions[pc as usize].target != Target::None;
        let mut used = 0;
        if self.entries != usize::MAX {
            // Without branches, there being few.
            for at in 0..buffer.entries.len() {
                let entry = buffer.entries[at];
                buffer.entries[used] = entry;
                used += usize::from(entry.is_after(now));
            }
            buffer.entries.truncate(used);
            used += results(code, pc..first);
        }
        if has_result(first) && used >= self.entries {
            if is_buffered {
                return Fetched::Buffered;
            }
            statistics.refetches += 1;
            return Fetched::Discarded(buffer.entries.iter().filter_map(|e| e.cycle()).min());
        }
        let missing = if is_buffered { Fetched::Buffered } else { Fetched::Missing };
        let of_code = self.each.quotient(u64::from(first));
        let number = self.lines[0] + of_code;
        if let Some(first) = self.first.get_mut(sub_core) {
            let found = first.look_up(number, self.lines[1], candidate, now);
            let FirstLookup { is_here, requested } = found;
            self.request_for(sub_core, requested, now, link, statistics);
            if !is_here {
                return missing;
            }
        } else if !self.has_line(number) {
            match self.missing.iter_mut().find(|line| line.number == number) {
                // It requested the line ahead of need.
                Some(line) if self.fetches_ahead && line.waiters.contains(&candidate) => {
                    return missing;
                }
                Some(line) => line.waiters.push(candidate),
                None => self.miss(number, vec![candidate]),
            }
            statistics.instruction_misses += 1;
            self.request_ahead(number, self.lines[1]);
            self.request_lines(now, link);
            return missing;
        }
        statistics.fetches += 1;
        let end = ((of_code + 1) * self.each.number()) as u32;
        let end = end.min(first + self.width.min(self.capacity - count));
        let mut end = end.min(code.instructions.len() as u32);
        if !self.past_branches {
            end = (first..end).find(|&pc| self.stops_behind(code, pc)).map_or(end, |pc| pc + 1);
        }
        let buffer = &mut self.buffers[candidate.index()];
        for pc in first..end {
            if has_result(pc) {
                if used >= self.entries {
                    break;
                }
                used += 1;
            }
            if self.fetches_ahead {
                buffer.arrivals[pc as usize % LARGEST_BUFFER] = now + self.latency;
            }
            buffer.count += 1;
        }
        Fetched::Buffered
    }

    /// Looks a line up in the instruction cache. Returns true if it is present.
    #[inline]
    fn has_line(&mut self, number: u64) -> bool {
        if self.latest == Some(number) || self.cache.is_absent() {
            return true;
        }
        let is_here = self.cache.lookup(number, self.sectors, Requester::of(self.sm)) != 0;
        self.latest = Some(number).filter(|_| is_here);
        is_here
    }

    /// A sub-core's cache is to have some lines.
    fn request_for(
        &mut self,
        sub_core: usize,
        requested: Range<u64>,
        now: u64,
        link: &mut Link,
        statistics: &mut Statistics,
    ) {
        for number in requested {
            if self.has_line(number) {
                self.first[sub_core].give(number, now);
            } else if !self.missing.iter().any(|line| line.number == number) {
                self.miss(number, Vec::new());
                statistics.instruction_misses += 1;
                self.request_ahead(number, self.lines[1]);
                self.request_lines(now, link);
            }
        }
    }

    /// Lines arrive in the caches of sub-cores. Returns true if candidates have waited for some.
    pub(super) fn takes_lines(&mut self, now: u64) -> bool {
        self.first.iter_mut().for_each(|first| first.arrive(now, &mut self.filled));
        !self.first.is_empty() && self.has_filled()
    }

    /// Requests a line for which candidates wait.
    fn miss(&mut self, number: u64, waiters: Vec<CandidateId>) {
        self.missing.push(MissingLine { number, requested: 0, arrived: 0, waiters });
        self.unrequested += self.line / self.part;
    }

    /// Requests the lines after a missing one too, up to the last of the code.
    fn request_ahead(&mut self, number: u64, last: u64) {
        for next in number + 1..=last.min(number + self.lines_ahead) {
            let is_missing = self.missing.iter().any(|line| line.number == next);
            if !is_missing && self.cache.find(next).is_none() {
                self.miss(next, Vec::new());
            }
        }
    }

    /// Sends requests for missing lines, as far as there is room towards memory and the next
    /// request is due; then for those that are fetched when a kernel begins.
    pub(super) fn request_lines(&mut self, now: u64, link: &mut Link) {
        self.request_missing(now, link);
        while self.unrequested == 0 && self.needs_to_request(now) && link.accepts() {
            let Some(number) = self.ahead.next() else { return };
            let is_missing = self.missing.iter().any(|line| line.number == number);
            if !is_missing && self.cache.find(number).is_none() {
                self.miss(number, Vec::new());
                self.request_missing(now, link);
            }
        }
    }

    fn request_missing(&mut self, now: u64, link: &mut Link) {
        for line in &mut self.missing {
            while line.requested < self.line / self.part
                && self.request_from <= now
                && link.accepts()
            {
                let packet = Packet {
                    by: Requester::of(self.sm),
                    kind: RequestKind::Read,
                    line: line.number * self.line + line.requested * self.part,
                    sectors: sectors(self.part as u32),
                    waiter: Waiter::InstructionFetch,
                };
                line.requested += 1;
                self.unrequested -= 1;
                self.request_from = now + self.interval;
                link.send(packet, now);
            }
        }
    }

    /// Returns true if there is a line to request in a cycle.
    #[inline]
    pub(super) fn needs_to_request(&self, now: u64) -> bool {
        self.request_from <= now && (self.unrequested != 0 || !self.ahead.is_empty())
    }

    /// The cycle after `now` in which the next request for a waiting line is due.
    #[inline]
    pub(super) fn next_event(&self, now: u64) -> u64 {
        let first = self.first.iter().map(FirstCache::next_event).min().unwrap_or(NEVER);
        if self.request_from > now && self.needs_to_request(self.request_from) {
            self.request_from.min(first)
        } else {
            first
        }
    }

    /// A line, or a part of one, has arrived, for which candidates wait.
    pub(super) fn fill(&mut self, packet: &Packet, now: u64) {
        let number = packet.line / self.line;
        let Some(at) = self.missing.iter().position(|line| line.number == number) else {
            return;
        };
        self.missing[at].arrived += 1;
        if self.missing[at].arrived < self.line / self.part {
            return;
        }
        self.cache.fill(
            number,
            FetchedSectors::requested(self.sectors),
            false,
            Placement::Always,
            Requester::of(self.sm),
        );
        self.latest = None;
        self.first_fetch.get_or_insert(now);
        self.first.iter_mut().for_each(|first| first.give(number, now));
        self.filled.extend(self.missing.swap_remove(at).waiters);
    }

    /// The cycle in which the first line arrived, if one has.
    pub(super) fn first_fetch(&self) -> Option<u64> {
        self.first_fetch
    }

    /// Returns true if instructions have arrived.
    #[inline]
    pub(super) fn has_filled(&self) -> bool {
        !self.filled.is_empty()
    }

    /// The candidates whose instructions have arrived, in order.
    pub(super) fn take_filled(&mut self) -> Vec<CandidateId> {
        std::mem::take(&mut self.filled)
    }

    /// Cycles from a look-up to the instructions in a buffer.
    pub(super) fn latency(&self) -> u64 {
        self.latency
    }

    /// Returns true if no line is in flight. Unsent requests of a kernel's beginning are dropped
    /// when its blocks are over.
    pub(super) fn is_idle(&self) -> bool {
        self.missing.is_empty() && self.first.iter().all(FirstCache::is_idle)
    }
}

/// The number of instructions in a range that have a result.
fn results(code: &Code, range: Range<u32>) -> usize {
    let instructions = &code.instructions[range.start as usize..range.end as usize];
    instructions.iter().filter(|it| it.target != Target::None).count()
}

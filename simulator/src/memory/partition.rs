//! A memory partition: a slice of the second-level cache and a channel of memory.
//!
//! The slice examines one request per cycle, after a write to the line of the write before it none for `rewrite-cycles`. Reads that miss wait in MSHRs. Writes allocate without
//! fetching; sectors that were written in part are fetched when they are read. Dirty lines are
//! written when they are evicted. Atomics are performed here, operations on one address one after
//! the other.

use super::bytes::{Bytes, LineSectors};
use super::cache::{Cache, Evicted};
use super::channel::Channel;
use super::interconnect::Receiver;
use super::interleaving::Interleaving;
use super::mshr::{FetchedSectors, Merge, MshrId, Mshrs, Outstanding, Placement};
use super::timed::Timed;
use crate::machine::Machine;
use crate::machine::clock::NEVER;
use crate::mechanisms::allocation::{Level, Requester};
use crate::mechanisms::granularity::SectorMiss;
use crate::mechanisms::setup::Setup;
use crate::memory::packet::{Packet, RequestKind};
use crate::observe::statistics::Statistics;

pub(crate) struct Partition {
    interleaving: Interleaving,
    latency: u64,
    /// The number of replies, in flight within it or waiting to leave, at which lookups stop.
    most_replies: usize,
    atomic_cycles: u64,
    /// The cycles of a write to the line that was written last, and the number of that line.
    rewrite_cycles: u64,
    written: Option<u64>,
    /// From the lookup of an atomic until its reply can leave.
    atomic_latency: u64,
    cache: Cache,
    /// Some reads go by the slice without a lookup.
    passes_reads: bool,
    mshrs: Mshrs<Packet>,
    dram: Channel,
    /// The cycle since which the request at the head cannot continue.
    stalled_since: Option<u64>,
    /// Replies with the cycle from which they can leave, in that order.
    replies: Timed<Packet>,
    /// Atomics that wait for the MSHR that is being finished; kept for its allocation.
    woken: Vec<Packet>,
    /// The slice can examine the next request from here on: atomics and writes to one line can take long.
    free: u64,
    statistics: Statistics,
}

/// A slice of a machine's second-level cache, empty.
pub(super) fn slice(machine: &Machine) -> Result<Cache, String> {
    let l2 = &machine.l2;
    let lines = l2.size / l2.partitions / l2.line;
    let setup = Setup::on(machine, &l2.replacement);
    let cache = Cache::new(lines as usize, l2.ways as usize, &l2.replacement, &setup)?;
    let cache = cache.hashed(l2.hash).of_data(machine, Level::Second, None)?;
    Ok(if machine.ideal.l2 { cache.without_evictions() } else { cache })
}

impl Partition {
    pub(crate) fn new(machine: &Machine) -> Result<Partition, String> {
        let l2 = &machine.l2;
        let cache = slice(machine)?;
        Ok(Partition {
            interleaving: Interleaving::new(l2.partitions, l2.interleave, l2.line),
            latency: u64::from(l2.latency),
            most_replies: l2.replies as usize,
            atomic_cycles: u64::from(l2.atomic_cycles),
            rewrite_cycles: u64::from(l2.rewrite_cycles),
            written: None,
            atomic_latency: u64::from(l2.latency + l2.atomic_latency),
            passes_reads: cache.passes_reads(),
            cache,
            mshrs: Mshrs::new(l2.mshrs, l2.mshr_merges),
            dram: Channel::new(machine)?,
            stalled_since: None,
            replies: Timed::new(),
            woken: Vec::new(),
            free: 0,
            statistics: Statistics::default(),
        })
    }

    /// A line's number within the slice, and how many sectors of it lie before the packet's line.
    fn place(&self, packet: &Packet) -> (u64, u32) {
        self.interleaving.place(packet.line)
    }

    /// Exchanges its slice of the second-level cache with another one.
    pub(super) fn exchange_slice(&mut self, slice: &mut Cache) {
        std::mem::swap(&mut self.cache, slice);
    }

    /// A reply that can leave, with the cycle from which it could.
    #[inline]
    pub(crate) fn due_reply(&self, now: u64) -> Option<&(u64, Packet)> {
        self.replies.due(now)
    }

    /// Forgets the reply that [`Partition::due_reply`] returned.
    pub(crate) fn pop_reply(&mut self) {
        self.replies.pop();
    }

    /// Performs all actions of a cycle. Returns the next cycle in which something can happen.
    /// Requests arrive from the interconnect.
    pub(crate) fn step(&mut self, now: u64, requests: &mut Receiver) -> u64 {
        self.dram.advance(now);
        let mut waits_for_room = false;
        while let Some(mshr) = self.dram.done(now) {
            if !self.finish_read(MshrId(mshr), now) {
                waits_for_room = true;
                break;
            }
            self.dram.pop_done();
        }
        let is_free = self.free <= now;
        let mut waits_for_slice = false;
        if requests.next_event() <= now
            && (is_free || self.passes_reads)
            && let Some(&packet) = requests.peek(now)
        {
            waits_for_slice = !is_free && !self.passes(&packet);
            if !waits_for_slice {
                self.look(&packet, now, requests);
            }
        }
        let reply = self.replies.next();
        let data = if waits_for_room { NEVER } else { self.dram.next_data() };
        // A request that could not continue is examined again after a change.
        let request = match (self.stalled_since.is_some(), self.free <= now) {
            (true, true) => NEVER,
            (false, _) if self.passes_reads && !waits_for_slice => requests.next_event(),
            _ => requests.next_event().max(self.free),
        };
        waits_for_room |= self.stalled_since.is_some();
        let room = if waits_for_room { self.dram.next_room() } else { NEVER };
        reply.min(data).min(request).min(room)
    }

    /// Looks at the request at the port, or lets it go by; it leaves if it could be dealt with.
    #[inline]
    fn look(&mut self, packet: &Packet, now: u64, requests: &mut Receiver) {
        let can = self.replies.len() < self.most_replies;
        let accepted = can
            && match packet.kind {
                kind if kind.is_write() => self.accept_write(packet, requests.written(), now),
                _ => self.accept(packet, now),
            };
        if accepted {
            requests.remove(now);
            let since = self.stalled_since.take().unwrap_or(now);
            self.statistics.l2_stalls += now - since;
        } else {
            self.stalled_since.get_or_insert(now);
        }
    }

    /// The data of an MSHR has arrived. Returns true if there was room for the evicted line.
    fn finish_read(&mut self, mshr: MshrId, now: u64) -> bool {
        let miss = self.mshrs.get(mshr);
        let (fetched, Outstanding { line, by, placement, .. }) = (miss.fetched(), *miss);
        // Without a cache the result of an atomic, which is placed in any case, is written at once.
        let writes =
            || self.cache.is_absent() || self.cache.would_evict(line, by, placement).is_some();
        if placement != Placement::Bypass && !self.dram.has_write_room() && writes() {
            return false;
        }
        if self.fill(line, fetched, false, placement, by) {
            self.statistics.l2_fills += 1;
        } else {
            self.statistics.l2_bypasses += 1;
        }
        // Atomics take longer: their replies follow those of reads, in either order of service.
        let (replies, woken, ready) = (&mut self.replies, &mut self.woken, now + self.latency);
        self.mshrs.finish(mshr, |packet| match packet.kind {
            RequestKind::Atomic { .. } => woken.push(packet),
            _ => replies.insert(ready, packet),
        });
        if !self.woken.is_empty() {
            self.perform_woken(line, now);
        }
        true
    }

    #[cold]
    fn perform_woken(&mut self, line: u64, now: u64) {
        let mut woken = std::mem::take(&mut self.woken);
        for packet in woken.drain(..) {
            if let RequestKind::Atomic { serial, .. } = packet.kind {
                self.perform(line, &packet, serial, now);
            }
        }
        self.woken = woken;
    }

    /// Returns true if a request bypasses the slice without a lookup.
    #[inline]
    fn passes(&self, packet: &Packet) -> bool {
        if !self.passes_reads || packet.kind != RequestKind::Read {
            return false;
        }
        let (line, shift) = self.place(packet);
        self.cache.passes(line, packet.sectors << shift, &packet.by)
    }

    /// Looks at a write; whether it could be dealt with.
    fn accept_write(&mut self, packet: &Packet, bytes: Bytes, now: u64) -> bool {
        let (line, shift) = self.place(packet);
        let accepted = self.write(line, bytes.moved(shift), packet.by);
        if accepted && self.written.replace(line) == Some(line) {
            self.free = self.free.max(now + self.rewrite_cycles);
        }
        accepted
    }

    /// Looks at another request; whether it could be dealt with.
    fn accept(&mut self, packet: &Packet, now: u64) -> bool {
        let (line, shift) = self.place(packet);
        let sectors = packet.sectors << shift;
        let passes = self.passes(packet);
        let way = self.cache.find(line).filter(|_| !passes);
        let valid = way.map_or(0, |way| self.cache.valid_at(way));
        let missing = sectors & !valid;
        if missing == 0 {
            if let Some(way) = way {
                self.cache.lookup_at(line, way, sectors, packet.by);
                self.cache.hit(line, way, packet.by);
            }
            self.statistics.l2_hits += 1;
            match packet.kind {
                RequestKind::Atomic { serial, .. } => self.perform(line, packet, serial, now),
                _ => self.replies.insert(now + self.latency, *packet),
            }
            return true;
        }
        // An atomic's change stays in this slice.
        let is_atomic = matches!(packet.kind, RequestKind::Atomic { .. });
        match self.mshrs.merge(line, missing, *packet) {
            Merge::Full => return false,
            Merge::Merged(mshr) => {
                self.take_over(mshr, is_atomic, packet.by);
                self.statistics.l2_merges += 1;
            }
            Merge::New { .. } if !self.dram.has_read_room() || !self.mshrs.has_free() => {
                return false;
            }
            Merge::New { awaits } => {
                let by = packet.by;
                let was_fetched = way.is_some_and(|way| self.cache.was_fetched(way));
                let later = was_fetched || awaits;
                let sectors = SectorMiss { requester: by, line, missing, valid, later };
                let sectors = self.cache.fetch(&sectors);
                let placement = match is_atomic {
                    true => Placement::Always,
                    false => Placement::of(!passes && self.cache.allocates(line, way, by, true)),
                };
                let (requested, first) = (missing, missing);
                let miss = Outstanding { line, sectors, requested, first, by, placement };
                let mshr = self.mshrs.add(miss, *packet);
                self.dram.push_read(
                    mshr.0,
                    LineSectors { line, sectors },
                    self.cache.onward(by),
                    now,
                );
            }
        }
        way.map(|way| self.cache.lookup_at(line, way, sectors, packet.by));
        self.cache.missed(line, packet.by);
        self.statistics.l2_misses += 1;
        true
    }

    /// A request merges with an outstanding miss of another one: it may count as its own, and an
    /// atomic's result is kept here.
    fn take_over(&mut self, mshr: MshrId, is_atomic: bool, by: Requester) {
        let takes_over = self.cache.takes_over(&by, &self.mshrs.get(mshr).by);
        let miss = self.mshrs.get_mut(mshr);
        if takes_over {
            miss.by = by;
        }
        if is_atomic {
            miss.placement = Placement::Always;
        } else if takes_over && miss.placement == Placement::Bypass {
            miss.placement = Placement::IfAllowed;
        }
    }

    fn write(&mut self, line: u64, bytes: Bytes, by: Requester) -> bool {
        let evicts = || self.cache.would_evict(line, by, Placement::Always).is_some();
        let must_write = || self.cache.is_absent() || evicts();
        if !self.dram.has_write_room() && must_write() {
            return false;
        }
        self.statistics.l2_writes += 1;
        if self.cache.is_absent() {
            self.dram.push_write(line, &bytes, self.cache.onward(by));
        } else {
            let evicted = self.cache.write(line, &bytes, by);
            self.write_back(evicted, by);
        }
        true
    }

    /// Sectors of a line arrive, some of which are used at once. Returns true if the line has a
    /// way.
    fn fill(
        &mut self,
        line: u64,
        sectors: FetchedSectors,
        written: bool,
        placement: Placement,
        by: Requester,
    ) -> bool {
        let filled = self.cache.fill(line, sectors, written, placement, by);
        self.statistics.l2_sectors_completed += u64::from(filled.completed.count_ones());
        self.write_back(filled.evicted, by);
        filled.way.is_some()
    }

    /// Writes a line back that a request has evicted.
    fn write_back(&mut self, evicted: Option<Evicted>, by: Requester) {
        if let Some(evicted) = evicted {
            self.statistics.l2_write_backs += 1;
            self.dram.push_write(evicted.line, &evicted.bytes, self.cache.onward(by));
        }
    }

    /// Performs the atomics of a packet, whose line is present, and replies.
    fn perform(&mut self, line: u64, packet: &Packet, serial: u8, now: u64) {
        let (_, shift) = self.place(packet);
        let sectors = packet.sectors << shift;
        self.fill(line, FetchedSectors::requested(sectors), true, Placement::Always, packet.by);
        if self.cache.is_absent() {
            self.dram.push_write(line, &Bytes::of(sectors), self.cache.onward(packet.by));
        }
        self.free = self.free.max(now) + self.atomic_cycles * u64::from(serial);
        self.replies.insert(self.free + self.atomic_latency, *packet);
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.mshrs.is_empty() && self.dram.is_idle() && self.replies.is_empty()
    }

    /// A sentence about a resource that is not returned at the end of a run.
    pub(crate) fn unbalanced(&self) -> Option<&'static str> {
        let faults = [
            (!self.mshrs.is_empty(), "misses of the second level without data"),
            (!self.dram.is_idle(), "requests in memory"),
            (!self.replies.is_empty(), "replies that have not left"),
            (!self.woken.is_empty(), "requests without an answer"),
            (self.stalled_since.is_some(), "a request that cannot go on"),
        ];
        faults.into_iter().find_map(|(is, what)| is.then_some(what))
    }

    /// The counters, for a run of `cycles` cycles.
    pub(crate) fn statistics(&self, cycles: u64) -> Statistics {
        let mut total = self.own_statistics(cycles);
        total.merge(&self.dram.statistics(cycles));
        total
    }

    /// The counters until a cycle starts, before which nothing happens here any more. Counters
    /// known only at the end is not in it.
    pub(crate) fn counters(&mut self, cycle: u64) -> Statistics {
        // Commands of DRAM may start after the last cycle in which something happened here.
        self.dram.advance(cycle.saturating_sub(1));
        let mut total = self.own_statistics(cycle);
        total.l2_sectors_predicted_unused = 0;
        total.l2_stalls += self.stalled_since.map_or(0, |since| cycle.saturating_sub(since));
        total.merge(&self.dram.counters(cycle));
        total
    }

    fn own_statistics(&self, cycle: u64) -> Statistics {
        let mut total = self.statistics.clone();
        self.cache.count_mechanisms(&mut total.mechanisms, cycle);
        let counts = self.cache.counts();
        total.l2_lines = counts.lines;
        total.l2_sectors_used = counts.sectors_used;
        total.l2_sectors_demand = counts.demand;
        total.l2_sectors_not_predicted = counts.not_predicted;
        total.l2_sectors_predicted_used = counts.predicted_used;
        total.l2_sectors_predicted_unused = counts.predicted_unused;
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handles::WarpSlot;
    use crate::machine::load::load_machine;
    use crate::mechanisms::allocation::{Allocation, LineAccess};
    use crate::mechanisms::replacement::Ways;

    /// Nothing that is read allocates.
    struct Bypass;

    impl Allocation for Bypass {
        fn allocates(&mut self, _: &LineAccess, _: bool) -> bool {
            false
        }

        fn victims(&self, _: &LineAccess, ways: Ways) -> Ways {
            ways
        }
    }

    fn packet(kind: RequestKind, line: u64, tag: u32) -> Packet {
        let waiter = crate::memory::packet::Waiter::Unawaited(tag);
        Packet { by: Requester::NONE, kind, waiter, line, sectors: 1 }
    }

    /// Steps without requests from outside until a number of replies have left. Returns these with
    /// their cycles.
    fn replies(partition: &mut Partition, count: usize) -> Vec<(u64, u32)> {
        let mut found = Vec::new();
        for now in 0..1000 {
            partition.dram.advance(now);
            while let Some(mshr) = partition.dram.done(now) {
                assert!(partition.finish_read(MshrId(mshr), now));
                partition.dram.pop_done();
            }
            while let Some(&(_, packet)) = partition.due_reply(now) {
                partition.pop_reply();
                let crate::memory::packet::Waiter::Unawaited(number) = packet.waiter else {
                    panic!("another request's reply");
                };
                found.push((now, number));
            }
            if found.len() == count {
                return found;
            }
        }
        panic!("there are no more replies than {found:?}")
    }

    #[test]
    fn bypassing_misses_merge_and_leave_nothing() {
        let machine = load_machine("tiny", &[]).expect("it is shipped");
        let mut partition = Partition::new(&machine).expect("it was checked");
        partition.cache.replace_allocation(Box::new(Bypass));
        assert!(partition.accept(&packet(RequestKind::Read, 0, 1), 0));
        assert!(partition.accept(&packet(RequestKind::Read, 0, 2), 0));
        // The data arrives in 58 (see the tests of the channel), 10 more for the slice.
        assert_eq!(replies(&mut partition, 2), [(68, 1), (68, 2)]);
        let s = &partition.statistics;
        assert_eq!((s.l2_misses, s.l2_merges, s.l2_hits), (2, 1, 0));
        assert_eq!(partition.cache.valid(0), 0);
        assert!(partition.is_idle());
    }

    #[test]
    fn the_result_of_an_atomic_takes_longer_than_a_read() {
        let sets = [("dram.timing.refi", "0"), ("l2.atomic-latency", "30")];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        let machine = load_machine("tiny", &sets).expect("it is good");
        let mut partition = Partition::new(&machine).expect("it was checked");
        assert!(partition.accept(&packet(RequestKind::Atomic { serial: 1, lanes: 1 }, 0, 1), 0));
        // 68 as of a read, 4 for the operation.
        assert_eq!(replies(&mut partition, 1), [(102, 1)]);
    }

    #[test]
    fn an_atomic_keeps_the_line_that_it_merges_with() {
        let machine = load_machine("tiny", &[("dram.timing.refi".into(), "0".into())]);
        let mut partition = Partition::new(&machine.expect("it is good")).expect("it was checked");
        partition.cache.replace_allocation(Box::new(Bypass));
        assert!(partition.accept(&packet(RequestKind::Read, 0, 1), 0));
        assert!(partition.accept(&packet(RequestKind::Atomic { serial: 1, lanes: 1 }, 0, 2), 0));
        // The atomic occupies the slice for 4 cycles.
        assert_eq!(replies(&mut partition, 2), [(68, 1), (72, 2)]);
        assert_eq!(partition.cache.valid(0), 1);
    }

    /// A slice of `tiny` without refresh under `medic`, which classifies a warp by its first
    /// access, and its requests.
    fn medic(scheduler: &str) -> Partition {
        let sets = [
            ("l2.allocation", "medic"),
            ("medic.sample", "1"),
            ("medic.interval", "1000"),
            ("dram-scheduler", scheduler),
            ("dram.timing.refi", "0"),
        ];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        let machine = load_machine("tiny", &sets).expect("it is good");
        Partition::new(&machine).expect("it was checked")
    }

    /// Reads of (warp, line) of 128 bytes that arrive in a cycle. Returns the cycle of each reply,
    /// in the order of the replies.
    fn reads(partition: &mut Partition, from: u64, requested: &[(u16, u64)]) -> Vec<(u64, u16)> {
        partition.dram.advance(from);
        for (tag, (warp, line)) in (0..).zip(requested) {
            let by = Requester { warp: Some(WarpSlot(*warp)), ..Requester::NONE };
            let packet = Packet { by, ..packet(RequestKind::Read, 128 * line, tag) };
            assert!(partition.accept(&packet, from));
        }
        let mut found = Vec::new();
        for now in from..from + 200 {
            partition.dram.advance(now);
            while let Some(mshr) = partition.dram.done(now) {
                assert!(partition.finish_read(MshrId(mshr), now));
                partition.dram.pop_done();
            }
            while let Some(&(_, packet)) = partition.due_reply(now) {
                partition.pop_reply();
                found.push((now, packet.by.warp.unwrap_or_default().0));
            }
        }
        found
    }

    #[test]
    fn warps_that_hit_go_first_to_memory_and_those_that_miss_go_by() {
        for (scheduler, last) in [
            // Three rows of bank 0, all there in 200. Warp 1's goes first: activate 201, read 211, there in 258, and the slice's 10. Then
            // precharge 226 (ras 25), activate 236, read 246: 35 more for each.
            ("fp-frfcfs", [(268, 1), (303, 0), (338, 0)]),
            ("fr-fcfs", [(268, 0), (303, 0), (338, 1)]),
        ] {
            let mut partition = medic(scheduler);
            // Warp 0 misses line 8, in bank 2, and warp 1 hits it.
            assert_eq!(reads(&mut partition, 0, &[(0, 8)]), [(68, 0)]);
            assert_eq!(partition.cache.valid(8), 1);
            assert_eq!(reads(&mut partition, 100, &[(1, 8)]), [(110, 1)]);
            assert_eq!(reads(&mut partition, 200, &[(0, 32), (0, 64), (1, 96)]), last);
            let s = &partition.statistics;
            assert_eq!((s.l2_hits, s.l2_misses, s.l2_fills, s.l2_bypasses), (1, 4, 2, 2));
            assert_eq!([32, 64, 96].map(|line| partition.cache.valid(line)), [0, 0, 1]);
        }
    }

    #[test]
    fn what_is_dirty_does_not_go_by() {
        let mut partition = medic("fr-fcfs");
        reads(&mut partition, 0, &[(0, 8)]);
        // It would hit, but goes to memory: its row is open, column 201, data in 248.
        assert_eq!(reads(&mut partition, 200, &[(0, 8)]), [(258, 0)]);
        assert_eq!((partition.statistics.l2_hits, partition.statistics.l2_bypasses), (0, 1));
        assert!(partition.write(8, Bytes::of(1), Requester::NONE));
        assert_eq!(reads(&mut partition, 400, &[(0, 8)]), [(410, 0)]);
        assert!(partition.is_idle());
    }
}

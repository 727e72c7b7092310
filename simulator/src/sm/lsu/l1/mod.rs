//! The first-level data cache of an SM with its miss status holding registers.
//!
//! A load that misses is entered in the table of misses. When its line has arrived it is looked up
//! once more, one *replay* per cycle, and hits; the line's way is kept for it until then.

mod global;
pub(crate) mod holds;
mod local;

use crate::mechanisms::setup::Setup;
use std::collections::VecDeque;

use super::loads::Loads;
use crate::handles::{HolderId, LoadId, WarpSlot};
use crate::machine::Machine;
use crate::machine::clock::NEVER;
use crate::mechanisms::allocation::{Allocation, Level, Requester, Token};
use crate::mechanisms::event::Event;
use crate::mechanisms::granularity::SectorMiss;
use crate::mechanisms::prefetcher::slot::{Found, Prefetcher};
use crate::memory::bytes::{Bytes, LineSectors, SECTOR};
use crate::memory::cache::{Cache, CacheCounts, CacheEvent, Evicted, Way};
use crate::memory::coalesce::{LineKind, Lines};
use crate::memory::device::GlobalView;
use crate::memory::mshr::{Merge, MshrId, Mshrs, Outstanding, Placement};
use crate::memory::packet::{Packet, RequestKind, Waiter};
use crate::observe::mechanism_statistics::MechanismStatistics;
use crate::sm::lsu::request::LsuPorts;
use local::{Local, TransactionId};

/// A waiter for a line of the L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineWaiter {
    Load(LoadId),
    /// A load of local memory beside a cache of its own.
    Transaction(TransactionId),
    /// A load that has not issued, whose lines were requested early.
    EarlyLoad(HolderId),
}

/// A load whose line has arrived: it is looked up again, and hits.
#[derive(Clone, Copy, Debug)]
struct Replay {
    line: u64,
    /// The way that the line filled.
    way: Way,
    load: LoadId,
    /// Not before this cycle.
    ready: u64,
    /// No other load waits for the line.
    last: bool,
}

/// The outcome of a line access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineAccessed {
    /// It cannot continue before a reply arrives or, if `room` is true, before there is room
    /// towards memory.
    Waits { room: bool },
    /// It cannot continue before a set has a way for its line, and waits for nothing else.
    LacksWay(u32),
    /// It cannot continue in this cycle.
    Stalled,
    /// A pass of it is done: it continues with these lanes of its transaction.
    Again(u32),
    /// The same for global memory: it continues with these sectors.
    Rest(u8),
    /// It is in flight, or needs no answer.
    Sent,
    /// Its words are in registers at this cycle.
    Done(u64),
}

/// The first-level data cache of an SM.
pub(super) struct L1 {
    latency: u64,
    /// Bytes of a line as a power of two.
    line_shift: u32,
    ways: u16,
    cache: Cache,
    /// The cache of the slot `local-cache` beside it.
    local: Option<Local>,
    mshrs: Mshrs<LineWaiter>,
    /// Loads whose line has arrived, to be replayed.
    replays: VecDeque<Replay>,
    /// The cycle in which the first of them may be.
    next_replay: u64,
    /// By set: ways whose lines are in flight or locked.
    reserved: Vec<u16>,
    /// By set: ways whose lines are held.
    held: Vec<u16>,
    /// By MSHR: an early load waits with it, whose line has a way already.
    held_early: Vec<bool>,
    /// Early loads of which a line has arrived.
    arrived: Vec<HolderId>,
    /// Every load hits, and stores leave no traffic.
    hits_always: bool,
}

impl L1 {
    pub(super) fn new(machine: &Machine, sm: usize) -> Result<L1, String> {
        let l1 = &machine.l1;
        let setup = Setup::on(machine, &l1.replacement).of_sm(sm);
        let lines = (l1.size / l1.line) as usize;
        let ways = l1.ways as usize;
        let cache = Cache::new(lines, ways, &l1.replacement, &setup)?.hashed(l1.hash);
        let cache = cache.of_data(machine, Level::First, Some(sm))?;
        Ok(L1 {
            latency: u64::from(l1.latency),
            line_shift: l1.line.ilog2(),
            ways: if machine.ideal.l1 { u16::MAX } else { l1.ways as u16 },
            cache: if machine.ideal.l1 { cache.without_evictions() } else { cache },
            local: Local::new(machine)?,
            mshrs: Mshrs::new(l1.mshrs, l1.mshr_merges),
            replays: VecDeque::new(),
            next_replay: NEVER,
            reserved: vec![0; lines / ways],
            held: vec![0; lines / ways],
            held_early: vec![false; l1.mshrs as usize],
            arrived: Vec::new(),
            hits_always: machine.ideal.memory,
        })
    }

    /// The number of the line at an address.
    #[inline]
    pub(super) fn line_number(&self, address: u64) -> u64 {
        address >> self.line_shift
    }

    /// The slot `allocation`.
    pub(super) fn allocation(&mut self) -> &mut dyn Allocation {
        self.cache.allocation()
    }

    /// Passes an event to the slot `allocation`, if that receives its kind.
    pub(super) fn raise(&mut self, event: &Event) {
        self.cache.raise(event);
    }

    /// From now on it records its events.
    pub(super) fn record_events(&mut self) {
        self.cache.record_events();
    }

    /// The recorded events since the last call.
    #[inline]
    pub(super) fn take_events(&mut self) -> Vec<CacheEvent> {
        self.cache.take_events()
    }

    /// The number of MSHRs in use, and of all.
    pub(super) fn mshrs_in_use(&self) -> (usize, usize) {
        self.mshrs.in_use()
    }

    /// The token of a warp's accesses.
    #[inline]
    pub(super) fn token(&self, warp: Option<WarpSlot>) -> Token {
        warp.map_or(Token::None, |warp| self.cache.token(warp))
    }

    /// The counters of the cache.
    pub(super) fn counts(&self) -> CacheCounts {
        self.cache.counts()
    }

    /// Adds the own counters of the mechanisms of the cache and of the slot `local-cache`, until a cycle.
    pub(crate) fn count_mechanisms(&self, own: &mut MechanismStatistics, cycle: u64) {
        self.cache.count_mechanisms(own, cycle);
        if let Some(local) = &self.local {
            local.cache.count(own, cycle);
        }
    }

    /// From the lookup of a hit until its words are in registers.
    pub(super) fn latency(&self) -> u64 {
        self.latency
    }

    /// Returns true if sectors of a line, given its number, are here.
    pub(super) fn has(&self, line: u64, sectors: u8) -> bool {
        sectors & !self.cache.valid(line) == 0
    }

    /// Returns true if sectors of a line, given its number, are present or in flight.
    pub(super) fn has_or_awaits(&self, line: u64, sectors: u8) -> bool {
        let here = self.cache.valid(line) | self.kept_sectors(line);
        sectors & !here == 0 || self.mshrs.covers(line, sectors)
    }

    /// Bytes of a line.
    pub(super) fn line_bytes(&self) -> u32 {
        1 << self.line_shift
    }

    /// The cycle in which the next load may be replayed.
    #[inline]
    pub(super) fn next_event(&self) -> u64 {
        self.next_replay
    }

    /// Returns true if no line is in flight and no load is to be replayed.
    pub(super) fn is_idle(&self) -> bool {
        self.mshrs.is_empty()
            && self.replays.is_empty()
            && self.local.as_ref().is_none_or(Local::is_idle)
    }

    /// Replays a load whose line has arrived, or has vectors of local memory kept, if there are
    /// some. Returns true if others may have waited for that.
    #[inline]
    pub(super) fn replay(&mut self, loads: &mut Loads, ports: &mut LsuPorts) -> Option<bool> {
        if self.next_replay > ports.now {
            return None;
        }
        let is_due = |replay: &Replay| replay.ready <= ports.now;
        let Some(replay) = self.replays.pop_front_if(|replay| is_due(replay)) else {
            let did = self.replay_local(loads, ports);
            self.next_replay = self.next_replay();
            return did.then_some(true);
        };
        self.next_replay = self.next_replay();
        ports.statistics.l1_replays += 1;
        loads.finish_part(replay.load, ports.now + self.latency_of(replay.line));
        if replay.last {
            self.cache.unlock(replay.line, replay.way);
            self.reserved[replay.way.set()] -= 1;
        }
        Some(replay.last)
    }

    /// A line that loads have missed has arrived, in the cycle in which the SM may see global
    /// memory so.
    pub(super) fn fill(
        &mut self,
        entry: MshrId,
        global: GlobalView,
        loads: &mut Loads,
        ports: &mut LsuPorts,
    ) {
        if self.local.is_some() {
            let is_local = self.is_local(self.mshrs.get(entry).line);
            let kept = match is_local {
                true => self.fill_local(entry, ports),
                false => self.fill_global(entry, global, ports),
            };
            if kept {
                return;
            }
        }
        let ready = ports.now + 1;
        let miss = *self.mshrs.get(entry);
        let Outstanding { line, by, placement, .. } = miss;
        let filled = self.cache.fill(line, miss.fetched(), false, placement, by);
        if let Some(evicted) = filled.evicted {
            self.write_back(&evicted, ports);
        }
        let Some(way) = filled.way else {
            ports.statistics.l1_bypasses += 1;
            if placement != Placement::Bypass && !self.cache.is_absent() {
                self.reserved[self.cache.set(line)] -= 1;
            }
            let ready = ready + self.latency_of(line) - self.latency;
            self.mshrs.finish(entry, |waiter| {
                if let Some(load) = Self::waiter(&mut self.local, waiter) {
                    loads.finish_part(load, ready);
                }
            });
            return;
        };
        ports.statistics.l1_fills += 1;
        self.cache.lock(way);
        let (replays, arrived) = (&mut self.replays, &mut self.arrived);
        let waiting = replays.len();
        self.mshrs.finish(entry, |waiter| match waiter {
            LineWaiter::EarlyLoad(load) => arrived.push(load),
            waiter => {
                let load = Self::waiter(&mut self.local, waiter);
                replays.extend(load.map(|load| Replay { line, way, load, ready, last: false }));
            }
        });
        let had_way = std::mem::take(&mut self.held_early[entry.0 as usize]);
        let set = way.set();
        if replays.len() == waiting {
            self.cache.unlock(line, way);
            self.reserved[set] -= u16::from(!had_way);
        } else if let Some(replay) = replays.back_mut() {
            replay.last = true;
            self.next_replay = self.next_replay.min(ready);
            // Its way is kept for the replayed loads, independently of the early load.
            self.reserved[set] += u16::from(had_way);
        }
    }

    /// Sends a dirty line that was evicted to memory.
    pub(super) fn write_back(&self, evicted: &Evicted, ports: &mut LsuPorts) {
        let bytes = self.up_to_date(evicted.line, evicted.bytes);
        if bytes.sectors() != 0 {
            ports.statistics.l1_write_backs += 1;
            self.write_line(evicted.line, &bytes, ports.nobody(), ports);
        }
    }

    /// Asks memory for sectors of a line, given its number.
    pub(super) fn request(
        &self,
        LineSectors { line, sectors }: LineSectors,
        by: Requester,
        waiter: Waiter,
        ports: &mut LsuPorts,
    ) {
        if self.is_local(line) {
            ports.statistics.local_fetches += 1;
            ports.statistics.local_fetch_bytes += u64::from(SECTOR * sectors.count_ones());
        }
        let line = line << self.line_shift;
        let packet = Packet { by, kind: RequestKind::Read, waiter, line, sectors };
        ports.memory.send(packet, ports.now);
    }

    /// Accesses one of some lines, for a load if it is one.
    #[inline(always)]
    pub(super) fn access(
        &mut self,
        lines: &Lines,
        at: usize,
        load: Option<LoadId>,
        by: Requester,
        prefetcher: Option<&mut (dyn Prefetcher + 'static)>,
        ports: &mut LsuPorts,
    ) -> LineAccessed {
        let access = lines.accesses[at];
        let line = self.line_number(access.line);
        if self.hits_always && !matches!(access.kind, LineKind::Atomic { .. }) {
            return self.access_ideally(load.is_some(), ports);
        }
        let packet = Packet {
            by,
            kind: RequestKind::Write,
            waiter: Waiter::Nobody,
            line: access.line,
            sectors: access.sectors,
        };
        match (access.kind, load) {
            (LineKind::Load, Some(load)) => self.load_global(
                LineSectors { line, sectors: access.sectors },
                load,
                by,
                prefetcher,
                ports,
            ),
            (LineKind::LocalStore, _) => self.store_local(line, &lines.written(at), by, ports),
            _ if !ports.memory.accepts() => LineAccessed::Waits { room: true },
            (LineKind::Atomic { serial }, Some(load)) => {
                self.cache.invalidate(line);
                self.forget(line, !0);
                if let Some(prefetcher) = prefetcher {
                    prefetcher.drop_line(line);
                }
                let kind = RequestKind::Atomic { serial, lanes: access.lanes };
                let packet = Packet { kind, waiter: Waiter::Atomic(load), ..packet };
                ports.memory.send(packet, ports.now);
                LineAccessed::Sent
            }
            _ if self.move_vector(LineSectors { line, sectors: access.sectors }, by, ports) => {
                LineAccessed::Rest(access.sectors)
            }
            _ => {
                ports.statistics.l1_stores += 1;
                self.forget(line, access.sectors);
                ports.memory.write(packet, &lines.written(at), ports.now);
                LineAccessed::Sent
            }
        }
    }

    /// A load hits, and a store is done.
    #[cold]
    fn access_ideally(&self, is_load: bool, ports: &mut LsuPorts) -> LineAccessed {
        match is_load {
            true => {
                ports.statistics.l1_hits += 1;
                LineAccessed::Done(ports.now + self.latency)
            }
            false => {
                ports.statistics.l1_stores += 1;
                LineAccessed::Sent
            }
        }
    }

    /// An arrived line is not put into the cache.
    fn pass_by(&mut self, miss: &Outstanding, ports: &mut LsuPorts) {
        ports.statistics.l1_bypasses += 1;
        self.cache.fill(miss.line, miss.fetched(), false, Placement::Bypass, miss.by);
        if miss.placement != Placement::Bypass && !self.cache.is_absent() {
            self.reserved[self.cache.set(miss.line)] -= 1;
        }
    }

    /// Loads sectors of a line, given its number.
    #[inline(always)]
    fn load_line(
        &mut self,
        LineSectors { line, sectors }: LineSectors,
        load: LoadId,
        waiter: LineWaiter,
        by: Requester,
        prefetcher: Option<&mut (dyn Prefetcher + 'static)>,
        ports: &mut LsuPorts,
    ) -> LineAccessed {
        let set = if self.cache.is_absent() { None } else { Some(self.cache.set(line)) };
        let way = set.and_then(|set| self.cache.find_in(set, line));
        let valid = way.map_or(0, |way| self.cache.lookup_at(line, way, sectors, by));
        let missing = sectors & !valid;
        if missing == 0 {
            if let Some(way) = way {
                self.cache.hit(line, way, by);
            }
            ports.statistics.l1_hits += 1;
            return LineAccessed::Done(ports.now + self.latency_of(line));
        }
        if let Some(prefetcher) = prefetcher {
            let found = prefetcher.find(line, missing, load);
            ports.statistics.l1_misses += u64::from(found != Found::Nowhere);
            ports.statistics.l1_merges += u64::from(found == Found::InFlight);
            match found {
                Found::There => return LineAccessed::Done(ports.now + self.latency),
                Found::InFlight => return LineAccessed::Sent,
                Found::Nowhere => {}
            }
        }
        let accepts = ports.memory.accepts();
        match self.mshrs.merge(line, missing, waiter) {
            Merge::Merged(mshr) => {
                ports.statistics.l1_merges += 1;
                self.take_over(mshr, set, by);
            }
            Merge::New { awaits } if accepts && self.mshrs.has_free() => {
                // An arriving line finds a way that is not locked, or bypasses the cache.
                let has_way = set.is_none_or(|set| self.has_way(set));
                let allocates = self.cache.allocates(line, way, by, has_way);
                if let Some(set) = set.filter(|_| allocates) {
                    if !has_way {
                        // Otherwise it must receive each lookup.
                        let only = self.cache.is_open() && self.local.is_none();
                        return match only && way.is_none() && !awaits {
                            true => LineAccessed::LacksWay(set as u32),
                            false => LineAccessed::Waits { room: false },
                        };
                    }
                    self.reserved[set] += 1;
                }
                let sectors = self.sectors_to_fetch(line, way, missing, valid, awaits, by);
                let placement = Placement::of(allocates);
                let (requested, first) = (missing, missing);
                let miss = Outstanding { line, sectors, requested, first, by, placement };
                let mshr = self.mshrs.add(miss, waiter);
                self.request(LineSectors { line, sectors }, by, Waiter::Miss(mshr), ports);
            }
            Merge::Full | Merge::New { .. } => return LineAccessed::Waits { room: !accepts },
        }
        ports.statistics.l1_misses += 1;
        self.cache.missed(line, by);
        LineAccessed::Sent
    }

    /// The sectors to fetch for a miss of a line that may have a way, and of which others may be outstanding.
    fn sectors_to_fetch(
        &mut self,
        line: u64,
        way: Option<Way>,
        missing: u8,
        valid: u8,
        awaits: bool,
        by: Requester,
    ) -> u8 {
        let was_fetched = way.is_some_and(|way| self.cache.was_fetched(way));
        // An early load also fetches sectors that only the slot `local-cache` has.
        let kept = self.kept_sectors(line) & !missing;
        let (valid, later) = (valid | kept, was_fetched || kept != 0 || awaits);
        self.cache.fetch(&SectorMiss { requester: by, line, missing, valid, later })
    }

    /// Returns true if a way of a set is neither reserved nor held.
    #[inline]
    pub(super) fn has_way(&self, set: usize) -> bool {
        self.reserved[set] + self.held[set] < self.ways
    }

    /// A load merges with a miss that another one has outstanding: it may count as its own.
    fn take_over(&mut self, mshr: MshrId, set: Option<usize>, by: Requester) {
        if !self.cache.takes_over(&by, &self.mshrs.get(mshr).by) {
            return;
        }
        let has_way = set.is_some_and(|set| self.has_way(set));
        let miss = self.mshrs.get_mut(mshr);
        miss.by = by;
        if miss.placement == Placement::Bypass && has_way {
            miss.placement = Placement::IfAllowed;
            set.into_iter().for_each(|set| self.reserved[set] += 1);
        }
    }

    /// Stores to local memory, which is written back; the rest of a line is not fetched until it is
    /// loaded. Without a cache stores are written through.
    fn store_local(
        &mut self,
        line: u64,
        bytes: &Bytes,
        by: Requester,
        ports: &mut LsuPorts,
    ) -> LineAccessed {
        if self.cache.is_absent() {
            if !ports.memory.accepts() {
                return LineAccessed::Waits { room: true };
            }
            ports.statistics.l1_stores += 1;
            self.write_line(line, bytes, by, ports);
            return LineAccessed::Sent;
        }
        if !self.cache.can_hold(line) {
            return LineAccessed::Stalled;
        }
        let evicts = self.cache.would_evict(line, by, Placement::Always).is_some();
        if evicts && !ports.memory.accepts() {
            return LineAccessed::Waits { room: true };
        }
        ports.statistics.l1_local_stores += 1;
        if let Some(evicted) = self.cache.write(line, bytes, by) {
            self.write_back(&evicted, ports);
        }
        LineAccessed::Sent
    }

    /// A sentence about a resource that is not returned at the end of a run.
    pub(super) fn unbalanced(&self) -> Option<&'static str> {
        let faults = [
            (!self.mshrs.is_empty(), "misses of the first level without a reply"),
            (!self.replays.is_empty(), "loads to be replayed"),
            (self.reserved.iter().any(|lines| *lines != 0), "ways of the first level kept free"),
            (self.cache.has_locks(), "locked lines in the first level"),
            (self.held_lines() != 0, "lines held for early loads"),
            (!self.local.as_ref().is_none_or(Local::is_idle), "transactions of local memory"),
            (!self.arrived.is_empty(), "lines that arrived early and have no receiver"),
        ];
        faults.into_iter().find_map(|(is, what)| is.then_some(what))
    }
}

#[cfg(test)]
impl L1 {
    pub(super) fn replace_allocation(&mut self, allocation: Box<dyn Allocation>) {
        self.cache.replace_allocation(allocation);
    }
}

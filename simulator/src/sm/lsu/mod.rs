//! The load/store unit of a core with its first-level cache.
//!
//! Memory instructions wait in a queue in the order of issue; the head occupies the unit for a
//! cycle per pass: a bank-conflict-free part of a shared-memory access, one address of constant
//! memory, or one line of global or local memory.

mod request;

use std::collections::VecDeque;

use reconverge_isa::{Queue, Space};

use crate::affine::decoupled::Enqueued;
use crate::affine::{Found, LoadOfWarp, Prefetcher};
use crate::allocation::Requester;
use crate::decode::Entries;
use crate::granularity::SectorMiss;
use crate::machine::Machine;
use crate::memory::bytes::Bytes;
use crate::memory::cache::{Cache, Evicted, Filled, Way};
use crate::memory::coalesce::Lines;
use crate::memory::mshr::{Merge, Mshrs, Outstanding};
use crate::memory::{Client, Link, NEVER, Packet, RequestKind, SECTOR};
use crate::profile::{Row, Rows};
use crate::statistics::Statistics;
use crate::trace::TraceId;

/// Where the physical addresses of constant memory begin, above all others.
const CONSTANTS: u64 = 1 << 42;

/// Set in the marks of requests that nobody has asked for yet.
const PREFETCH: u32 = 1 << 31;

/// Number of a load or atomic under way.
pub(crate) type LoadId = u32;

/// A load or atomic under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    /// Its block among the core's places.
    pub(crate) place: u16,
    /// Its slot in the block.
    pub(crate) slot: u16,
    /// What it writes.
    pub(crate) writes: Entries,
    /// The register that it writes, and whether it is a pair.
    pub(crate) result: Option<(u16, bool)>,
    /// Parts that are not there yet.
    remaining: u32,
    /// When the latest part that is known is there.
    done: u64,
}

impl Load {
    pub(crate) fn new(place: u16, slot: u16, writes: Entries, result: Option<(u16, bool)>) -> Load {
        Load { place, slot, writes, result, remaining: 0, done: 0 }
    }
}

/// What a line access is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Load,
    /// Written through.
    GlobalStore,
    /// Written back.
    LocalStore,
    Atomic {
        serial: u8,
    },
}

/// A memory instruction in the queue.
#[derive(Debug, Default)]
pub(crate) struct MemRequest {
    /// The instruction that it is of.
    pub(crate) pc: u32,
    /// The hardware warp that waits for it.
    pub(crate) warp: Option<u16>,
    /// The load that it is, unless it is a store.
    pub(crate) load: Option<LoadId>,
    /// When its addresses are there.
    pub(crate) ready: u64,
    pub(crate) shared_passes: u32,
    /// Addresses of different words of constant memory.
    pub(crate) constants: Vec<u32>,
    pub(crate) lines: Lines,
    /// The lanes that want each line, if it matters which of them miss; and those that have.
    pub(crate) lanes: Vec<u64>,
    missed: u64,
    /// Its number in a trace.
    pub(crate) traced: Option<TraceId>,
    /// The lines, by number, that were asked for early and are held until it reads them.
    pub(crate) held: Vec<u64>,
    next_line: usize,
}

impl MemRequest {
    fn parts(&self) -> u32 {
        (self.shared_passes as usize + self.constants.len() + self.lines.accesses.len()) as u32
    }

    /// Empties it for reuse.
    fn clear(&mut self) {
        self.lines.clear();
        self.constants.clear();
        self.lanes.clear();
        let (lines, constants) =
            (std::mem::take(&mut self.lines), std::mem::take(&mut self.constants));
        let lanes = std::mem::take(&mut self.lanes);
        *self = MemRequest { lines, constants, lanes, ..MemRequest::default() };
    }
}

/// A load all of whose lines have been looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parted {
    pub(crate) load: LoadId,
    /// Lanes that wait for lines which were not there.
    pub(crate) missed: u64,
    /// When what the others wanted is there.
    pub(crate) ready: u64,
}

/// What a core lends its load/store unit for a cycle.
pub(crate) struct LsuPorts<'a> {
    pub(crate) now: u64,
    pub(crate) core: usize,
    pub(crate) memory: &'a mut Link,
    pub(crate) statistics: &'a mut Statistics,
    pub(crate) profile: Option<&'a mut Rows>,
}

impl LsuPorts<'_> {
    /// No warp in particular of this SM.
    fn nobody(&self) -> Requester {
        Requester::of(self.core as u16)
    }
}

pub(crate) struct LoadStoreUnit {
    capacity: usize,
    pub(in crate::sm) queue: VecDeque<Box<MemRequest>>,
    /// When the addresses of its head are there.
    head_ready: u64,
    #[expect(clippy::vec_box, reason = "they wait for use in the form in which they are used")]
    spare: Vec<Box<MemRequest>>,
    /// A store of a trace that was served in the last step.
    pub(crate) served: Option<TraceId>,
    /// A load of the last step, all of whose lines were looked up, and some missed.
    pub(crate) parted: Option<Parted>,
    pub(in crate::sm) unit: L1,
}

/// The part of the unit that works on the head of the queue.
pub(in crate::sm) struct L1 {
    shared_latency: u64,
    constant_latency: u64,
    constant_line: u64,
    constants: Cache,
    /// The line of constant memory that is under way.
    pub(in crate::sm) asked: Option<u64>,
    l1_latency: u64,
    /// Bytes of a line as a power of two.
    line_shift: u32,
    pub(in crate::sm) loads: Vec<Load>,
    pub(in crate::sm) free_loads: Vec<LoadId>,
    /// Loads whose end has become known: with the cycle in which their registers are there.
    pub(in crate::sm) finished: Vec<(LoadId, u64)>,
    pub(in crate::sm) l1: Cache,
    pub(in crate::sm) mshrs: Mshrs<LoadId>,
    /// Loads whose line has come, to be replayed.
    pub(in crate::sm) replays: VecDeque<Replay>,
    /// When the first of them may be.
    next_replay: u64,
    /// By set: lines that are to come or locked.
    pub(in crate::sm) reserved: Vec<u16>,
    ways: u16,
    /// Since when the head waits for a reply or, if it wants room, for room towards memory.
    pub(in crate::sm) stuck_since: Option<u64>,
    wants_room: bool,
    /// Asks for lines early, in cycles in which nothing else is looked up.
    pub(in crate::sm) prefetcher: Option<Box<Prefetcher>>,
    /// In the present cycle the cache has been accessed.
    busy: bool,
    /// By set: ways whose lines are held for early loads.
    held: Vec<u16>,
    /// By MSHR: an early load waits with it, whose line has a way already.
    has_way: Vec<bool>,
    /// Early loads a line of which has come.
    pub(in crate::sm) arrived: Vec<u32>,
    /// Something has come or was given back that early loads may wait for.
    pub(crate) eased: bool,
}

/// Marks the number of an early load among those that wait for a line.
const EARLY: LoadId = 1 << 31;

/// What became of an early request for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Early {
    /// The line is there, and held.
    Here,
    /// It is to come, and held.
    Asked,
    /// There are too few ways for all lines of the instruction: the load itself will ask for it.
    Left,
    /// Not now.
    Blocked,
    /// Not before there is room towards memory.
    WantsRoom,
}

/// A load whose line has come: it is looked up again, and hits.
#[derive(Clone, Copy, Debug)]
pub(in crate::sm) struct Replay {
    line: u64,
    /// Where the line came to.
    way: Way,
    load: LoadId,
    /// Not before this cycle.
    ready: u64,
    /// No other load waits for the line.
    last: bool,
}

impl LoadStoreUnit {
    pub(crate) fn new(
        machine: &Machine,
        prefetcher: Option<Box<Prefetcher>>,
    ) -> Result<LoadStoreUnit, String> {
        let l1 = &machine.l1;
        let constant = &machine.constant;
        let constant_lines = (constant.size / constant.line) as usize;
        let constant_options = machine.options(&constant.replacement);
        let constants = Cache::new(
            constant_lines,
            constant.ways as usize,
            &constant.replacement,
            &constant_options,
        )?;
        let options = machine.options(&l1.replacement);
        let lines = (l1.size / l1.line) as usize;
        Ok(LoadStoreUnit {
            capacity: machine.load_store.queue as usize,
            queue: VecDeque::new(),
            head_ready: NEVER,
            spare: Vec::new(),
            served: None,
            parted: None,
            unit: L1 {
                shared_latency: u64::from(machine.shared.latency),
                constant_latency: u64::from(constant.latency),
                constant_line: u64::from(constant.line),
                constants,
                asked: None,
                l1_latency: u64::from(l1.latency),
                line_shift: l1.line.ilog2(),
                loads: Vec::new(),
                free_loads: Vec::new(),
                finished: Vec::new(),
                l1: Cache::new(lines, l1.ways as usize, &l1.replacement, &options)?
                    .hashed(l1.hash)
                    .of_data(
                        machine,
                        [&machine.allocation, &machine.granularity],
                        l1.line / SECTOR,
                    )?,
                mshrs: Mshrs::new(l1.mshrs, l1.mshr_merges),
                replays: VecDeque::new(),
                next_replay: NEVER,
                reserved: vec![0; lines / l1.ways as usize],
                ways: l1.ways as u16,
                stuck_since: None,
                wants_room: false,
                prefetcher,
                busy: false,
                held: vec![0; lines / l1.ways as usize],
                has_way: vec![false; l1.mshrs as usize],
                arrived: Vec::new(),
                eased: false,
            },
        })
    }

    pub(crate) fn is_full(&self) -> bool {
        self.room() == 0
    }

    /// Memory instructions that can still be queued.
    pub(crate) fn room(&self) -> usize {
        self.capacity.saturating_sub(self.queue.len())
    }

    /// Whether nothing is in the unit. Loads under way belong to blocks, which wait for them.
    pub(crate) fn is_idle(&self) -> bool {
        self.queue.is_empty()
            && self.unit.mshrs.is_empty()
            && self.unit.replays.is_empty()
            && self.unit.prefetcher.as_ref().is_none_or(|prefetcher| prefetcher.is_idle())
    }

    /// An empty request to be filled and queued.
    pub(crate) fn new_request(&mut self) -> Box<MemRequest> {
        self.spare.pop().unwrap_or_default()
    }

    /// Registers a load that has the parts of a request.
    pub(crate) fn new_load(&mut self, mut load: Load, request: &MemRequest) -> LoadId {
        load.remaining = request.parts();
        match self.unit.free_loads.pop() {
            Some(id) => {
                self.unit.loads[id as usize] = load;
                id
            }
            None => {
                self.unit.loads.push(load);
                self.unit.loads.len() as LoadId - 1
            }
        }
    }

    /// A load under way.
    pub(crate) fn load(&self, id: LoadId) -> &Load {
        &self.unit.loads[id as usize]
    }

    /// A load that has finished; its number is free afterwards.
    pub(crate) fn take_load(&mut self, id: LoadId) -> Load {
        self.unit.free_loads.push(id);
        self.unit.loads[id as usize]
    }

    /// Whether loads have ended or parted in the last step.
    #[inline]
    pub(crate) fn has_news(&self) -> bool {
        !self.unit.finished.is_empty() || self.parted.is_some()
    }

    /// A load whose end has become known, with the cycle in which its registers are there.
    pub(crate) fn take_finished(&mut self) -> Option<(LoadId, u64)> {
        self.unit.finished.pop()
    }

    /// Queues a request with at least one part.
    pub(crate) fn push(&mut self, request: Box<MemRequest>) {
        if self.queue.is_empty() {
            self.head_ready = request.ready;
        }
        self.queue.push_back(request);
    }

    /// A warp loads from global memory: what it will want next may be asked for.
    pub(crate) fn learn(
        &mut self,
        load: LoadOfWarp,
        addresses: impl Iterator<Item = u64> + Clone,
        bytes: u32,
    ) {
        let line = 1 << self.unit.line_shift;
        if let Some(prefetcher) = &mut self.unit.prefetcher {
            prefetcher.load(load, addresses, bytes, line);
        }
    }

    /// Whether it wants to know of loads.
    #[inline]
    pub(crate) fn learns(&self) -> bool {
        self.unit.prefetcher.is_some()
    }

    /// The last warp of the core has ended.
    pub(crate) fn rest(&mut self) {
        if let Some(prefetcher) = &mut self.unit.prefetcher {
            prefetcher.rest();
        }
    }

    /// Lines that were asked for early and are still not used.
    pub(crate) fn left(&self) -> u64 {
        self.unit.prefetcher.as_ref().map_or(0, |prefetcher| prefetcher.left())
    }

    /// The next cycle in which the unit has something to do, replies aside.
    pub(crate) fn next_event(&self) -> u64 {
        if self.unit.prefetcher.as_ref().is_some_and(|it| it.next().is_some() && !it.wants_room) {
            return 0;
        }
        let replay = self.unit.next_replay;
        if self.unit.stuck_since.is_none() { self.head_ready.min(replay) } else { replay }
    }

    /// Whether the lines of something enqueued are asked for early: there must be a way beside those that are held.
    pub(crate) fn takes_early(&self, enqueued: &Enqueued) -> bool {
        let is_load = enqueued.queue == Queue::Data && enqueued.space == Space::Global;
        is_load && !self.unit.l1.is_absent() && self.unit.ways > 1
    }

    /// Whether a load or store accesses the cache in this cycle.
    pub(crate) fn is_busy(&self) -> bool {
        self.unit.busy
    }

    /// Asks early for sectors of a line, given its address, for an early load that holds some lines
    /// already, and keeps it. Not more than one way less than a set has are held.
    pub(crate) fn ask_early(
        &mut self,
        (address, sectors): (u64, u8),
        load: u32,
        own: &mut Vec<u64>,
        ports: &mut LsuPorts,
    ) -> Early {
        self.unit.ask_early((address, sectors), load, own, ports)
    }

    /// Whether a line, given its address, is not asked for before one of some lines, by number, is read, which are
    /// held for loads that have not issued. Of these, `own` are held for the same load.
    pub(crate) fn is_held_up(
        &self,
        address: u64,
        held: impl Iterator<Item = u64>,
        own: &[u64],
    ) -> bool {
        let (line, l1) = (address >> self.unit.line_shift, &self.unit.l1);
        let is_here = |other: &u64| l1.set(*other) == l1.set(line);
        let mut held: Vec<u64> = held.filter(is_here).collect();
        held.sort_unstable();
        held.dedup();
        let own = own.iter().filter(|other| is_here(other)).count();
        l1.holders(line) == 0 && held.len() + 1 >= usize::from(self.unit.ways) && own != held.len()
    }

    /// Early loads of which a line has come, each as often.
    pub(crate) fn take_arrived(&mut self) -> Option<u32> {
        self.unit.arrived.pop()
    }

    /// Lines that are held.
    pub(crate) fn held(&self) -> u64 {
        self.unit.held.iter().map(|held| u64::from(*held)).sum()
    }

    /// Whether something has come or was given back since this was asked last.
    pub(crate) fn take_eased(&mut self) -> bool {
        std::mem::take(&mut self.unit.eased)
    }

    /// Whether the unit waits for room towards memory.
    #[inline]
    pub(crate) fn wants_room(&self) -> bool {
        self.unit.wants_room
            || self.unit.prefetcher.as_ref().is_some_and(|prefetcher| prefetcher.wants_room)
    }

    /// A reply has arrived.
    pub(crate) fn reply(&mut self, packet: &Packet, ports: &mut LsuPorts) {
        // What it brings may be what the head wants.
        self.unit.unstick(ports);
        self.unit.reply(packet, ports);
    }

    /// One cycle of work: a replay, the head of the queue, or what is wanted early.
    #[inline]
    pub(crate) fn step(&mut self, ports: &mut LsuPorts) {
        self.unit.busy = self.unit.replay(ports) || self.step_head(ports);
        if !self.unit.busy && self.unit.prefetcher.is_some() {
            self.unit.prefetch(ports);
        }
    }

    /// Works on the head of the queue; whether there was something to do.
    #[inline]
    fn step_head(&mut self, ports: &mut LsuPorts) -> bool {
        if self.head_ready > ports.now {
            return false;
        }
        if self.unit.stuck_since.is_some() {
            if !self.unit.wants_room || !ports.memory.accepts() {
                return false;
            }
            self.unit.unstick(ports);
        }
        let Some(request) = self.queue.front_mut() else {
            return false;
        };
        let before = ports.profile.is_some().then(|| Row::of(ports.statistics));
        self.unit.work(request, ports);
        if let (Some(before), Some(profile)) = (before, &mut ports.profile) {
            profile.row(request.pc).add_between(&before, &Row::of(ports.statistics));
        }
        if request.parts() as usize == request.next_line
            && let Some(mut request) = self.queue.pop_front()
        {
            self.head_ready = self.queue.front().map_or(NEVER, |request| request.ready);
            self.served = request.traced.filter(|_| request.load.is_none());
            if request.missed != 0
                && let Some(id) = request.load
            {
                let load = &self.unit.loads[id as usize];
                let parted = Parted { load: id, missed: request.missed, ready: load.done };
                self.parted = (load.remaining != 0).then_some(parted);
            }
            request.clear();
            self.spare.push(request);
        }
        true
    }
}

impl L1 {
    /// What the head of the queue waits for may be there.
    fn unstick(&mut self, ports: &mut LsuPorts) {
        if let Some(since) = self.stuck_since.take() {
            ports.statistics.l1_stalls += ports.now - since;
            self.wants_room = false;
        }
    }

    /// The head of the queue waits for a reply, or for room towards memory. The caller counts this cycle.
    fn wait(&mut self, room: bool, ports: &LsuPorts) -> Access {
        self.stuck_since = Some(ports.now + 1);
        self.wants_room = room;
        Access::Stalled
    }

    /// Replays a load whose line has come; whether there was one.
    fn replay(&mut self, ports: &mut LsuPorts) -> bool {
        if self.next_replay > ports.now {
            return false;
        }
        let Some(replay) = self.replays.pop_front() else {
            return false;
        };
        self.next_replay = self.replays.front().map_or(NEVER, |replay| replay.ready);
        ports.statistics.l1_replays += 1;
        let done = ports.now + self.l1_latency;
        finish_part(&mut self.loads, &mut self.finished, replay.load, done);
        if replay.last {
            self.eased = true;
            self.l1.unlock(replay.line, replay.way);
            self.reserved[replay.way.set()] -= 1;
            self.unstick(ports);
        }
        true
    }

    fn reply(&mut self, packet: &Packet, ports: &mut LsuPorts) {
        let ready = ports.now + 1;
        self.eased = true;
        if packet.client == Client::Constants {
            let number = packet.line / self.constant_line;
            self.constants.fill(number, [packet.sectors; 2], false, packet.by);
            self.asked = None;
            return;
        }
        if !matches!(packet.kind, RequestKind::Read) {
            finish_part(&mut self.loads, &mut self.finished, packet.tag, ready);
            return;
        }
        if packet.tag & PREFETCH != 0 {
            let waiting = self.prefetcher.iter_mut().flat_map(|it| it.fill(packet.tag & !PREFETCH));
            let done = ready + self.l1_latency;
            for load in waiting.collect::<Vec<_>>() {
                finish_part(&mut self.loads, &mut self.finished, load, done);
            }
            return;
        }
        let Outstanding { line, sectors, wanted, by, allocates } = *self.mshrs.get(packet.tag);
        let filled = match allocates {
            true => self.l1.fill(line, [sectors, wanted], false, by),
            false => Filled::default(),
        };
        if let Some(evicted) = filled.evicted {
            ports.statistics.l1_write_backs += 1;
            self.write_back(&evicted, ports);
        }
        let Some(way) = filled.way else {
            let (loads, finished) = (&mut self.loads, &mut self.finished);
            self.mshrs.finish(packet.tag, |load| finish_part(loads, finished, load, ready));
            return;
        };
        self.l1.lock(way);
        let (replays, arrived) = (&mut self.replays, &mut self.arrived);
        let waiting = replays.len();
        self.mshrs.finish(packet.tag, |load| match load & EARLY {
            0 => replays.push_back(Replay { line, way, load, ready, last: false }),
            _ => arrived.push(load & !EARLY),
        });
        let had_way = std::mem::take(&mut self.has_way[packet.tag as usize]);
        let set = way.set();
        if replays.len() == waiting {
            self.l1.unlock(line, way);
            self.reserved[set] -= u16::from(!had_way);
        } else if let Some(replay) = replays.back_mut() {
            replay.last = true;
            self.next_replay = self.next_replay.min(ready);
            // Its way is kept for those that are replayed, whatever becomes of the early load.
            self.reserved[set] += u16::from(had_way);
        }
    }

    fn write_back(&self, evicted: &Evicted, ports: &mut LsuPorts) {
        let packet = Packet {
            by: ports.nobody(),
            kind: RequestKind::Write,
            client: Client::Data,
            line: evicted.line << self.line_shift,
            sectors: evicted.dirty,
            tag: 0,
        };
        ports.memory.write(packet, &evicted.bytes, ports.now);
    }

    fn work(&mut self, request: &mut MemRequest, ports: &mut LsuPorts) {
        let done = if request.shared_passes != 0 {
            request.shared_passes -= 1;
            ports.now + self.shared_latency
        } else if let Some(&word) = request.constants.last() {
            if !self.has_constant(word, ports) {
                return;
            }
            request.constants.pop();
            ports.now + self.constant_latency
        } else {
            let Some(&access) = request.lines.accesses.get(request.next_line) else {
                return;
            };
            let load = request.load.unwrap_or(0);
            let outcome = {
                let (sm, warp, pc) = (ports.core as u16, request.warp, request.pc);
                self.access(
                    &request.lines,
                    request.next_line,
                    load,
                    Requester { sm, warp, pc },
                    ports,
                )
            };
            if !request.held.is_empty() && !matches!(outcome, Access::Stalled) {
                self.release(access.line >> self.line_shift, &mut request.held);
            }
            match outcome {
                Access::Stalled => {
                    ports.statistics.l1_stalls += 1;
                    return;
                }
                // An atomic on local memory has no one to wait for.
                Access::Sent if access.kind == LineKind::LocalStore => {
                    request.next_line += 1;
                    ports.now + self.l1_latency
                }
                Access::Sent => {
                    request.missed |= request.lanes.get(request.next_line).copied().unwrap_or(0);
                    request.next_line += 1;
                    return;
                }
                Access::Done(cycle) => {
                    request.next_line += 1;
                    cycle
                }
            }
        };
        if let Some(load) = request.load {
            finish_part(&mut self.loads, &mut self.finished, load, done);
        }
    }

    /// Whether a word of constant memory is in its cache; asks for its line if it is not.
    fn has_constant(&mut self, word: u32, ports: &mut LsuPorts) -> bool {
        let number = (CONSTANTS + u64::from(word)) / self.constant_line;
        let sectors = (0xff >> (8 - self.constant_line / u64::from(SECTOR))) as u8;
        if self.constants.is_absent() || self.constants.lookup(number, sectors) != 0 {
            ports.statistics.constant_hits += 1;
            return true;
        }
        if self.asked.is_none() {
            if !ports.memory.accepts() {
                self.wait(true, ports);
                return false;
            }
            self.asked = Some(number);
            ports.statistics.constant_misses += 1;
            let packet = Packet {
                by: ports.nobody(),
                kind: RequestKind::Read,
                client: Client::Constants,
                line: number * self.constant_line,
                sectors,
                tag: 0,
            };
            ports.memory.send(packet, ports.now);
        }
        self.wait(false, ports);
        false
    }

    /// A line that was asked for early has been read.
    #[cold]
    fn release(&mut self, line: u64, held: &mut Vec<u64>) {
        if let Some(at) = held.iter().position(|other| *other == line) {
            held.swap_remove(at);
            self.l1.release(line);
            let set = self.l1.set(line);
            self.held[set] -= u16::from(self.l1.holders(line) == 0);
            self.eased = true;
        }
    }

    /// See [`LoadStoreUnit::ask_early`].
    fn ask_early(
        &mut self,
        (address, sectors): (u64, u8),
        load: u32,
        own: &mut Vec<u64>,
        ports: &mut LsuPorts,
    ) -> Early {
        let line = address >> self.line_shift;
        let set = self.l1.set(line);
        let (is_own, is_held) = (own.contains(&line), self.l1.holders(line) != 0);
        if !is_held {
            if self.held[set] + 1 >= self.ways {
                let own = own.iter().filter(|other| self.l1.set(**other) == set).count();
                return if own as u16 == self.held[set] { Early::Left } else { Early::Blocked };
            }
            if self.held[set] + self.reserved[set] >= self.ways {
                return Early::Blocked;
            }
        }
        let by = ports.nobody();
        let valid = self.l1.lookup(line, sectors);
        let missing = sectors & !valid;
        if missing != 0 {
            let accepts = ports.memory.accepts();
            let evicts = !is_held && self.l1.would_evict(line, by).is_some();
            if evicts && !accepts {
                return Early::WantsRoom;
            }
            match self.mshrs.merge(line, missing, load | EARLY) {
                Merge::Merged(mshr) if !self.mshrs.get(mshr).allocates => {
                    self.mshrs.keep(mshr);
                    self.has_way[mshr as usize] = true;
                }
                Merge::Merged(_) => {}
                _ if !accepts => return Early::WantsRoom,
                Merge::Full => return Early::Blocked,
                Merge::New if !self.mshrs.has_free() => return Early::Blocked,
                Merge::New => {
                    let sectors =
                        self.l1.fetch(&SectorMiss { requester: by, line, missing, valid });
                    let miss = Outstanding { line, sectors, wanted: missing, by, allocates: true };
                    let mshr = self.mshrs.add(miss, load | EARLY);
                    self.has_way[mshr as usize] = true;
                    let packet = Packet {
                        by,
                        kind: RequestKind::Read,
                        client: Client::Data,
                        line: line << self.line_shift,
                        sectors,
                        tag: mshr,
                    };
                    ports.memory.send(packet, ports.now);
                }
            }
        }
        if !is_own {
            own.push(line);
            self.held[set] += u16::from(!is_held);
            if let Some(evicted) = self.l1.hold(line, by) {
                ports.statistics.l1_write_backs += 1;
                self.write_back(&evicted, ports);
            }
        }
        if missing == 0 { Early::Here } else { Early::Asked }
    }

    /// Accesses one line.
    fn access(
        &mut self,
        lines: &Lines,
        at: usize,
        load: LoadId,
        by: Requester,
        ports: &mut LsuPorts,
    ) -> Access {
        let access = lines.accesses[at];
        let number = access.line >> self.line_shift;
        let packet = Packet {
            by,
            kind: RequestKind::Write,
            client: Client::Data,
            line: access.line,
            sectors: access.sectors,
            tag: load,
        };
        match access.kind {
            LineKind::Load => self.load_line(number, packet, ports),
            LineKind::LocalStore if !self.l1.is_absent() => {
                self.store_local(number, &lines.written(at), by, ports)
            }
            _ if !ports.memory.accepts() => self.wait(true, ports),
            LineKind::GlobalStore | LineKind::LocalStore => {
                ports.statistics.l1_stores += 1;
                ports.memory.write(packet, &lines.written(at), ports.now);
                Access::Sent
            }
            LineKind::Atomic { serial } => {
                self.l1.invalidate(number);
                if let Some(prefetcher) = &mut self.prefetcher {
                    prefetcher.drop_line(number, ports.statistics);
                }
                let kind = RequestKind::Atomic { serial, lanes: access.lanes };
                ports.memory.send(Packet { kind, ..packet }, ports.now);
                Access::Sent
            }
        }
    }

    /// Asks for a line that will be wanted, if there is one that is not here or under way.
    #[cold]
    fn prefetch(&mut self, ports: &mut LsuPorts) {
        let Some(prefetcher) = &mut self.prefetcher else {
            return;
        };
        let Some(access) = prefetcher.next() else {
            return;
        };
        prefetcher.wants_room = !ports.memory.accepts();
        if prefetcher.wants_room {
            return;
        }
        let number = access.line >> self.line_shift;
        let is_here = access.sectors & !self.l1.valid(number) == 0;
        if is_here || self.mshrs.covers(number, access.sectors) {
            return prefetcher.skip();
        }
        if let Some(entry) = prefetcher.ask(number, ports.statistics) {
            let packet = Packet {
                by: ports.nobody(),
                kind: RequestKind::Read,
                client: Client::Data,
                line: access.line,
                sectors: access.sectors,
                tag: PREFETCH | entry,
            };
            ports.memory.send(packet, ports.now);
        }
    }

    fn load_line(&mut self, number: u64, packet: Packet, ports: &mut LsuPorts) -> Access {
        let set = if self.l1.is_absent() { None } else { Some(self.l1.set(number)) };
        let way = set.and_then(|set| self.l1.find_in(set, number));
        let valid = way.map_or(0, |way| self.l1.lookup_at(way, packet.sectors));
        let missing = packet.sectors & !valid;
        if missing == 0 {
            way.map(|way| self.l1.hit(number, way, packet.by));
            ports.statistics.l1_hits += 1;
            return Access::Done(ports.now + self.l1_latency);
        }
        if let Some(prefetcher) = &mut self.prefetcher {
            let found = prefetcher.find(number, missing, packet.tag, ports.statistics);
            ports.statistics.l1_misses += u64::from(found != Found::Nowhere);
            ports.statistics.l1_merges += u64::from(found == Found::Coming);
            match found {
                Found::There => return Access::Done(ports.now + self.l1_latency),
                Found::Coming => return Access::Sent,
                Found::Nowhere => {}
            }
        }
        let accepts = ports.memory.accepts();
        match self.mshrs.merge(number, missing, packet.tag) {
            Merge::Full => return self.wait(!accepts, ports),
            Merge::Merged(_) => ports.statistics.l1_merges += 1,
            Merge::New if !accepts || !self.mshrs.has_free() => return self.wait(!accepts, ports),
            Merge::New => {
                // A line that comes finds a way that is not pinned, or bypasses the cache.
                let has_way = set.is_none_or(|set| self.reserved[set] + self.held[set] < self.ways);
                let allocates = self.l1.allocates(number, packet.by, has_way);
                if let Some(set) = set.filter(|_| allocates) {
                    if !has_way {
                        return self.wait(false, ports);
                    }
                    self.reserved[set] += 1;
                }
                let (line, by, wanted) = (number, packet.by, missing);
                let sectors = self.l1.fetch(&SectorMiss { requester: by, line, missing, valid });
                let miss = Outstanding { line, sectors, wanted, by, allocates };
                let tag = self.mshrs.add(miss, packet.tag);
                ports
                    .memory
                    .send(Packet { kind: RequestKind::Read, sectors, tag, ..packet }, ports.now);
            }
        }
        ports.statistics.l1_misses += 1;
        Access::Sent
    }

    /// Local memory is written back, without fetching what a store leaves out until it is loaded.
    fn store_local(
        &mut self,
        number: u64,
        bytes: &Bytes,
        by: Requester,
        ports: &mut LsuPorts,
    ) -> Access {
        if !self.l1.can_hold(number) {
            return Access::Stalled;
        }
        let evicts = self.l1.would_evict(number, by).is_some();
        if evicts && !ports.memory.accepts() {
            return self.wait(true, ports);
        }
        ports.statistics.l1_local_stores += 1;
        if let Some(evicted) = self.l1.write(number, bytes, by) {
            ports.statistics.l1_write_backs += 1;
            self.write_back(&evicted, ports);
        }
        Access::Sent
    }
}

/// What became of a line access.
enum Access {
    /// It could not go on in this cycle.
    Stalled,
    /// It is on its way, or needs no answer.
    Sent,
    /// Its words are in registers at this cycle.
    Done(u64),
}

/// A part of a load is there at a cycle.
fn finish_part(loads: &mut [Load], finished: &mut Vec<(LoadId, u64)>, id: LoadId, cycle: u64) {
    let load = &mut loads[id as usize];
    load.done = load.done.max(cycle);
    load.remaining = load.remaining.saturating_sub(1);
    if load.remaining == 0 {
        finished.push((id, load.done));
    }
}

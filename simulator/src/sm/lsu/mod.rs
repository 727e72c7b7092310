//! The load/store unit of an SM.
//!
//! Memory instructions wait in a queue in the order of issue; the head occupies the unit for a
//! cycle per pass: a bank-conflict-free part of a shared-memory access,
//! one address of constant memory, or one line of global or local memory.

pub(super) mod coalescer;
mod constants;
pub(crate) mod l1;
pub(crate) mod loads;
pub(crate) mod replay_queue;
pub(crate) mod request;

use std::collections::VecDeque;

use crate::handles::LoadId;
use crate::machine::Machine;
use crate::machine::clock::NEVER;
use crate::mechanisms::allocation::{Allocation, Requester};
use crate::mechanisms::event::Event;
use crate::mechanisms::local_cache::LocalCache;
use crate::mechanisms::prefetcher;
use crate::mechanisms::prefetcher::slot::{LoadOfWarp, Prefetcher};
use crate::memory::bytes::LineSectors;
use crate::memory::cache::CacheEvent;
use crate::memory::coalesce::LineKind;
use crate::memory::device::GlobalView;
use crate::memory::packet::{Packet, Waiter};
use crate::observe::mechanism_statistics::MechanismStatistics;
use crate::observe::profile::AtLookup;
use crate::observe::statistics::Statistics;
use crate::observe::trace::TraceId;
use crate::sm::lsu::loads::Load;
use crate::sm::lsu::request::{LsuPorts, MemRequest, PartialHit, Stall};
use constants::{ConstantCache, Lookup};
use l1::{L1, LineAccessed};
use loads::Loads;
use replay_queue::ReplayQueue;

/// The load/store unit of an SM.
pub struct LoadStoreUnit {
    capacity: usize,
    /// Accesses of the cache are served in the order of hardware warps.
    by_warp: bool,
    queue: VecDeque<Box<MemRequest>>,
    /// The replay queue: instructions that could not continue.
    replay_queue: ReplayQueue,
    /// Registers that go between the register file and its backing store.
    registers: VecDeque<Box<MemRequest>>,
    /// The arrival of its head's addresses.
    head_ready: u64,
    stall: Stall,
    /// The set in which the head of the queue found no way for its line at its lookup, if that was
    /// all it lacked: while the set has none, another lookup would find the same.
    lacks_way: Option<u32>,
    #[expect(clippy::vec_box, reason = "they wait for use in the form in which they are used")]
    spare: Vec<Box<MemRequest>>,
    /// Stores of a trace that were served in the last step.
    served: Vec<TraceId>,
    /// Loads of the last step, all of whose lines were looked up, and some missed.
    partial_hits: Vec<PartialHit>,
    /// Line accesses that it makes in a cycle.
    width: u32,
    shared_latency: u64,
    constants: ConstantCache,
    l1: L1,
    loads: Loads,
    /// Asks for lines early, in cycles in which nothing else is looked up.
    prefetcher: Option<Box<dyn Prefetcher>>,
    /// The next unawaited request waits for room towards memory.
    unawaited_needs_room: bool,
    /// The cache has been accessed in the current cycle.
    busy: bool,
    /// A line has arrived or was released, for which early loads may wait.
    eased: bool,
}

impl LoadStoreUnit {
    pub(crate) fn new(machine: &Machine, sm: usize) -> Result<LoadStoreUnit, String> {
        let mut l1 = L1::new(machine, sm)?;
        let buffer = l1.allocation().properties().request_buffer;
        Ok(LoadStoreUnit {
            capacity: (machine.load_store.queue + buffer.unwrap_or(0)) as usize,
            by_warp: buffer.is_some(),
            queue: VecDeque::new(),
            replay_queue: ReplayQueue::default(),
            registers: VecDeque::new(),
            head_ready: NEVER,
            stall: Stall::default(),
            lacks_way: None,
            spare: Vec::new(),
            served: Vec::new(),
            partial_hits: Vec::new(),
            width: machine.load_store.lines_per_cycle,
            shared_latency: u64::from(machine.shared.latency),
            constants: ConstantCache::new(machine)?,
            l1,
            loads: Loads::new(machine.load_store.pending_requests),
            prefetcher: prefetcher::list::build(machine, sm)?,
            unawaited_needs_room: false,
            busy: false,
            eased: false,
        })
    }

    pub(crate) fn is_full(&self) -> bool {
        self.room() == 0
    }

    /// Memory instructions that can still be queued.
    pub(crate) fn room(&self) -> usize {
        self.capacity.saturating_sub(self.queue.len())
    }

    /// Returns true if the unit is empty. In-flight loads belong to blocks, which wait for them.
    pub(crate) fn is_idle(&self) -> bool {
        self.queue.is_empty()
            && self.replay_queue.is_empty()
            && self.registers.is_empty()
            && self.l1.is_idle()
            && self.prefetcher.as_ref().is_none_or(|prefetcher| prefetcher.is_idle())
    }

    /// An empty request to be filled and queued.
    pub(crate) fn new_request(&mut self) -> Box<MemRequest> {
        self.spare.pop().unwrap_or_default()
    }

    /// Registers a load that has the parts of a request.
    pub(crate) fn start_load(&mut self, load: Load, request: &MemRequest) -> LoadId {
        self.loads.start(load, request.parts())
    }

    /// An in-flight load.
    pub(crate) fn load(&self, id: LoadId) -> &Load {
        self.loads.get(id)
    }

    /// Lanes of a load have their registers, all but some.
    pub(crate) fn part_load(&mut self, id: LoadId, missed: u64) {
        self.loads.part(id, missed);
    }

    /// Returns true if loads have ended or hit in part in the last step.
    #[inline]
    pub(crate) fn has_news(&self) -> bool {
        self.loads.has_finished() || !self.partial_hits.is_empty()
    }

    /// A load with a known end, with the cycle in which its registers arrive. Its number is not free before
    /// [`LoadStoreUnit::forget`].
    pub(crate) fn take_finished(&mut self) -> Option<(LoadId, Load, u64)> {
        self.loads.take_finished()
    }

    /// A load that was taken has ended: its number is free.
    pub(crate) fn forget(&mut self, id: LoadId) {
        self.loads.forget(id);
    }

    /// A load some of whose lanes missed in the last step.
    pub(crate) fn take_partial_hit(&mut self) -> Option<PartialHit> {
        self.partial_hits.pop()
    }

    /// A store of a trace that was served in the last step.
    pub(crate) fn take_served(&mut self) -> Option<TraceId> {
        self.served.pop()
    }

    /// Bytes of a line of the first level.
    pub fn line_bytes(&self) -> u32 {
        self.l1.line_bytes()
    }

    /// Queues a request with at least one part.
    pub(crate) fn push(&mut self, request: Box<MemRequest>) {
        if self.queue.is_empty() {
            self.head_ready = request.ready;
        }
        self.queue.push_back(request);
    }

    /// Queues a transfer of a register to its backing store or from it. Transfers are performed in
    /// order, before instructions.
    pub(crate) fn push_register(&mut self, request: Box<MemRequest>) {
        self.registers.push_back(request);
    }

    /// A warp loads from global memory: the prefetcher may request its next lines.
    pub(crate) fn learn(&mut self, load: LoadOfWarp, addresses: &[u64], bytes: u32) {
        if let Some(prefetcher) = &mut self.prefetcher {
            prefetcher.load(load, addresses, bytes, self.l1.line_bytes());
        }
    }

    /// Returns true if the prefetcher receives loads.
    #[inline]
    pub(crate) fn learns(&self) -> bool {
        self.prefetcher.is_some()
    }

    /// The slot `local-cache`, if something fills it.
    pub(crate) fn local_cache(&self) -> Option<&dyn LocalCache> {
        self.l1.local_cache()
    }

    /// The slot `allocation` of the first level.
    pub(crate) fn allocation(&mut self) -> &mut dyn Allocation {
        self.l1.allocation()
    }

    /// Passes an event to the slot `allocation` of the L1, if that receives its kind.
    pub(crate) fn raise(&mut self, event: &Event) {
        self.l1.raise(event);
    }

    /// From now on the L1 records its events.
    pub(crate) fn record_events(&mut self) {
        self.l1.record_events();
    }

    /// The recorded events of the L1 since the last call, in order.
    #[inline]
    pub(crate) fn take_events(&mut self) -> Vec<CacheEvent> {
        self.l1.take_events()
    }

    /// The number of the L1's MSHRs in use, and of all.
    pub(crate) fn mshrs_in_use(&self) -> (usize, usize) {
        self.l1.mshrs_in_use()
    }

    /// The last warp of the SM has ended.
    pub(crate) fn rest(&mut self) {
        if let Some(prefetcher) = &mut self.prefetcher {
            prefetcher.rest();
            self.unawaited_needs_room = false;
        }
    }

    /// Adds the counts of the L1.
    pub(crate) fn count(&self, statistics: &mut Statistics) {
        let counts = self.l1.counts();
        statistics.l1_lines = counts.lines;
        statistics.l1_sectors_used = counts.sectors_used;
        statistics.l1_sectors_demand = counts.demand;
        statistics.l1_sectors_not_predicted = counts.not_predicted;
        statistics.l1_sectors_predicted_used = counts.predicted_used;
        statistics.l1_sectors_predicted_unused = counts.predicted_unused;
    }

    /// Adds the counters of the mechanisms of the L1 and of the prefetcher, until a cycle.
    pub(crate) fn count_mechanisms(&self, own: &mut MechanismStatistics, cycle: u64) {
        self.l1.count_mechanisms(own, cycle);
        if let Some(prefetcher) = &self.prefetcher {
            prefetcher.count(own, cycle);
        }
    }

    /// Adds the cycles before this one that the head of the queue waits, which are not yet counted.
    pub(crate) fn count_stall(&self, now: u64, statistics: &mut Statistics) {
        self.stall.count(now, statistics);
    }

    /// The run ends.
    pub(crate) fn end_run(&mut self) {
        if let Some(prefetcher) = &mut self.prefetcher {
            prefetcher.end();
        }
    }

    /// The next cycle in which the unit has something to do, except for replies.
    pub(crate) fn next_event(&self) -> u64 {
        if !self.unawaited_needs_room
            && self.prefetcher.as_ref().is_some_and(|it| it.next().is_some())
        {
            return 0;
        }
        if self.has_waiting_replays() || !self.registers.is_empty() {
            return 0;
        }
        let replay = self.l1.next_event();
        if self.stall.since.is_none() { self.head_ready.min(replay) } else { replay }
    }

    /// Returns true if the unit waits for room towards memory.
    #[inline]
    pub(crate) fn needs_room(&self) -> bool {
        self.stall.needs_room || self.unawaited_needs_room
    }

    /// A reply has arrived for someone here, when the SM sees global memory so.
    pub(crate) fn reply(&mut self, packet: &Packet, global: GlobalView, ports: &mut LsuPorts) {
        // The head may need the arrived line.
        self.stall.end(ports);
        self.eased = true;
        match packet.waiter {
            Waiter::Constant => self.constants.fill(packet),
            Waiter::Atomic(load) => self.loads.finish_part(load, ports.now + 1),
            Waiter::Miss(entry) => self.l1.fill(entry, global, &mut self.loads, ports),
            Waiter::Unawaited(number) => {
                let done = ports.now + 1 + self.l1.latency();
                for load in self.prefetcher.iter_mut().flat_map(|it| it.fill(number)) {
                    self.loads.finish_part(load, done);
                }
            }
            Waiter::Nobody | Waiter::InstructionFetch => {}
        }
    }

    /// One cycle of work: replays and lines of the queue's head, another pass of it, or an unawaited request.
    /// Returns true if there may have been something to do.
    #[inline]
    pub(crate) fn step(&mut self, ports: &mut LsuPorts) -> bool {
        self.busy = false;
        if self.next_event() > ports.now && !self.needs_room() && !self.by_warp {
            return false;
        }
        for _ in 0..self.width {
            if self.replay(ports) {
                self.busy = true;
                continue;
            }
            if !self.registers.is_empty() && self.step_registers(ports) {
                self.busy = true;
                continue;
            }
            // Other accesses than lines take the array for the cycle.
            let is_line = self.width == 1 || self.head_needs_line();
            if self.busy && !is_line || !self.step_head(ports) {
                break;
            }
            self.busy = true;
            if !is_line {
                break;
            }
        }
        if !self.busy && self.prefetcher.is_some() {
            self.request_unawaited(ports);
        }
        true
    }

    /// Replays a load whose line has arrived. Returns true if there was one.
    #[inline]
    fn replay(&mut self, ports: &mut LsuPorts) -> bool {
        let Some(is_last) = self.l1.replay(&mut self.loads, ports) else {
            return false;
        };
        if is_last || self.stall.needs_entry && self.loads.has_entry() {
            self.eased = true;
            self.stall.end(ports);
        }
        true
    }

    /// Accesses a line for the first register in transit to its backing store or from it. Returns
    /// true if it could.
    #[cold]
    fn step_registers(&mut self, ports: &mut LsuPorts) -> bool {
        let is_due = |request: &mut Box<MemRequest>| request.ready <= ports.now;
        let Some(mut request) = self.registers.pop_front_if(is_due) else {
            return false;
        };
        let token = self.l1.token(request.warp);
        let MemRequest { warp, pc, hints, next_line, .. } = *request;
        let by = Requester { sm: ports.sm as u16, warp, token, pc, hints, lines: 1 };
        let load = request.load;
        let before = ports.profile.is_some().then(|| AtLookup::of(ports.statistics));
        let done = self.l1.access(&request.lines, next_line, load, by, None, ports);
        if let (Some(before), Some(profile)) = (before, &mut ports.profile) {
            profile.row(pc).add_lookup(&before, ports.statistics);
        }
        let done = match done {
            LineAccessed::Sent => None,
            LineAccessed::Done(cycle) => Some(cycle),
            _ => {
                self.registers.push_front(request);
                return false;
            }
        };
        ports.statistics.register_line_accesses += 1;
        if let (Some(load), Some(done)) = (request.load, done) {
            self.loads.finish_part(load, done);
        }
        request.next_line += 1;
        match request.is_done() {
            true => {
                request.clear();
                self.spare.push(request);
            }
            false => self.registers.push_front(request),
        }
        true
    }

    /// Returns true if the next part of the queue's head is a line.
    fn head_needs_line(&self) -> bool {
        self.queue.front().is_some_and(|head| head.shared_passes == 0 && head.constants.is_empty())
    }

    /// Works on the head of the queue; whether there was something to do.
    #[inline]
    fn step_head(&mut self, ports: &mut LsuPorts) -> bool {
        if self.replay_queue.exists()
            && let Some(did) = self.step_replay_queue(ports)
        {
            return did;
        }
        if self.by_warp && self.stall.since.is_none() {
            self.bring_first(ports.now);
        }
        if self.head_ready > ports.now {
            return false;
        }
        if self.stall.since.is_some() {
            if !self.stall.needs_room || !ports.memory.accepts() {
                return false;
            }
            self.stall.end(ports);
        }
        if let Some(set) = self.lacks_way
            && !self.l1.has_way(set as usize)
            && ports.profile.is_none()
        {
            self.stall.begin(!ports.memory.accepts(), ports.now);
            ports.statistics.l1_stalls += 1;
            return true;
        }
        self.lacks_way = None;
        let Some(mut request) = self.queue.pop_front() else {
            return false;
        };
        self.pass(&mut request, ports);
        if !request.is_done() {
            match self.stall.since.is_some() && self.replay_queue.takes(&request) {
                true => self.push_to_replay_queue(request),
                false => self.queue.push_front(request),
            }
            return true;
        }
        self.head_ready = self.queue.front().map_or(NEVER, |request| request.ready);
        self.end(request);
        true
    }

    /// If the head of the queue accesses the cache, the first of the instructions of the lowest warp that do so takes its place.
    #[cold]
    fn bring_first(&mut self, now: u64) {
        let goes = |request: &MemRequest| request.ready <= now && request.next_access().is_some();
        if self.queue.front().is_none_or(|head| head.next_access().is_none()) {
            return;
        }
        let all = self.queue.iter().enumerate().filter(|(_, request)| goes(request));
        let first = all.min_by_key(|(_, request)| request.warp).map_or(0, |(first, _)| first);
        if first != 0
            && let Some(request) = self.queue.remove(first)
        {
            self.head_ready = request.ready;
            self.queue.push_front(request);
        }
    }

    /// One pass of an instruction, which is counted at it.
    #[inline]
    fn pass(&mut self, request: &mut MemRequest, ports: &mut LsuPorts) {
        let before = ports.profile.is_some().then(|| AtLookup::of(ports.statistics));
        self.work(request, ports);
        if let (Some(before), Some(profile)) = (before, &mut ports.profile) {
            profile.row(request.pc).add_lookup(&before, ports.statistics);
        }
    }

    /// All parts of an instruction are served.
    fn end(&mut self, mut request: Box<MemRequest>) {
        self.served.extend(request.traced.filter(|_| request.load.is_none()));
        if request.missed != 0
            && let Some(load) = request.load
        {
            let since = self.loads.get(load).pending_since();
            self.partial_hits.extend(since.map(|ready| PartialHit {
                load,
                missed: request.missed,
                ready,
            }));
        }
        request.clear();
        self.spare.push(request);
    }

    /// One pass of the head of the queue.
    fn work(&mut self, request: &mut MemRequest, ports: &mut LsuPorts) {
        let done = if request.shared_passes != 0 {
            request.shared_passes -= 1;
            ports.now + self.shared_latency
        } else if let Some(&word) = request.constants.last() {
            match self.constants.lookup(word, ports) {
                Lookup::Hit(cycle) => {
                    request.constants.pop();
                    cycle
                }
                waits => return self.stall.begin(waits == Lookup::NoRoom, ports.now),
            }
        } else {
            match self.work_on_line(request, ports) {
                Some(cycle) => cycle,
                None => return,
            }
        };
        if let Some(load) = request.load {
            self.loads.finish_part(load, done);
        }
    }

    /// Works on the next line of the queue's head. Returns the cycle of its arrival, if known.
    fn work_on_line(&mut self, request: &mut MemRequest, ports: &mut LsuPorts) -> Option<u64> {
        let access = *request.lines.accesses.get(request.next_line)?;
        if let Some(load) = request.load
            && !self.loads.take_entry(load)
        {
            self.stall.begin_for_entry(ports.now);
            ports.statistics.pending_request_stalls += 1;
            return None;
        }
        let prefetcher = self.prefetcher.as_deref_mut();
        let token = self.l1.token(request.warp);
        let MemRequest { warp, pc, hints, .. } = *request;
        let lines = request.lines.accesses.len().min(255) as u8;
        let by = Requester { sm: ports.sm as u16, warp, token, pc, hints, lines };
        let load = request.load;
        let line = request.next_line;
        let done = match request.lines.transaction(line) {
            Some(local) => self.l1.access_local(&access, &local.transaction, load, by, ports),
            None => self.l1.access(&request.lines, line, load, by, prefetcher, ports),
        };
        match done {
            LineAccessed::Waits { room } => {
                self.stall.begin(room, ports.now);
                ports.statistics.l1_stalls += 1;
                return None;
            }
            LineAccessed::LacksWay(set) => {
                self.stall.begin(false, ports.now);
                ports.statistics.l1_stalls += 1;
                // The replay queue holds other instructions, and a prefetcher observes each
                // look-up.
                let is_head =
                    !(self.replay_queue.exists() || self.by_warp || self.prefetcher.is_some());
                self.lacks_way = Some(set).filter(|_| is_head);
                return None;
            }
            LineAccessed::Stalled => {
                ports.statistics.l1_stalls += 1;
                return None;
            }
            LineAccessed::Again(lanes) => {
                if let Some(local) = request.lines.transaction(line) {
                    local.replay(lanes);
                }
                // Threads of such an access are in the lanes of their places.
                if let Some(needed) = request.lanes.get_mut(line) {
                    *needed &= u64::from(lanes);
                }
                return None;
            }
            LineAccessed::Rest(sectors) => {
                request.lines.accesses[line].sectors = sectors;
                return None;
            }
            LineAccessed::Sent | LineAccessed::Done(_) => {}
        }
        if !request.held.is_empty() {
            self.eased |= self.l1.release_line(access.line, &mut request.held);
        }
        request.next_line += 1;
        match done {
            LineAccessed::Done(cycle) => Some(cycle),
            // An atomic on local memory has no one to wait for.
            _ if access.kind == LineKind::LocalStore => Some(ports.now + self.l1.latency()),
            _ => {
                request.missed |= request.lanes.get(line).copied().unwrap_or(0);
                None
            }
        }
    }

    /// Requests the next line that no instruction waits for, if one is neither present nor in flight.
    #[cold]
    fn request_unawaited(&mut self, ports: &mut LsuPorts) {
        let Some(prefetcher) = &mut self.prefetcher else {
            return;
        };
        let Some(access) = prefetcher.next() else {
            return;
        };
        self.unawaited_needs_room = !ports.memory.accepts();
        if self.unawaited_needs_room {
            return;
        }
        let line = self.l1.line_number(access.line);
        if self.l1.has_or_awaits(line, access.sectors) {
            return prefetcher.skip();
        }
        if let Some(number) = prefetcher.request(line) {
            let by = ports.nobody();
            self.l1.request(
                LineSectors { line, sectors: access.sectors },
                by,
                Waiter::Unawaited(number),
                ports,
            );
        }
    }

    /// A sentence about a resource that is not returned at the end of a run.
    pub(crate) fn unbalanced(&self) -> Option<&'static str> {
        let faults = [
            (!self.queue.is_empty(), "memory instructions in the load/store unit"),
            (!self.replay_queue.is_empty(), "memory instructions beside the load/store unit"),
            (!self.registers.is_empty(), "registers on the way to their backing store"),
            (self.loads.has_finished(), "loads whose end has no receiver"),
            (!self.loads.is_empty(), "loads that have not returned"),
            (!self.constants.is_idle(), "a line of constants under way"),
            (self.stall.since.is_some(), "a load that waits for room"),
        ];
        let found = faults.into_iter().find_map(|(is, what)| is.then_some(what));
        let prefetcher = self.prefetcher.as_ref();
        found
            .or_else(|| prefetcher.and_then(|prefetcher| prefetcher.unbalanced()))
            .or_else(|| self.l1.unbalanced())
    }
}

#[cfg(test)]
impl LoadStoreUnit {
    /// Its first-level cache has another allocation from now on.
    pub(crate) fn replace_allocation(&mut self, allocation: Box<dyn Allocation>) {
        self.l1.replace_allocation(allocation);
    }
}

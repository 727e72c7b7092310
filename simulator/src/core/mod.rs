//! A core: resident blocks, schedulers that issue their paths, pipes, the load/store unit.

mod access;
mod audit;
mod balance;
#[cfg(test)]
mod figures;
mod flight;
mod front;
mod home;
mod issue;
mod load_store;
mod scoreboard;
mod station;

use std::ops::Range;
use std::sync::Arc;

use reconverge_isa::{Effect, Unit, WarpResult};
use reconverge_planted::Planted;

use crate::block::{Block, Issued};
use crate::decode::{Code, Decoded, Entries, Target, unit_index};
use crate::device::GlobalPort;
use crate::divergence;
use crate::execute::Executor;
use crate::execute_width::{self, ExecuteWidth, Widths};
use crate::fault::Trap;
use crate::functional::count;
use crate::launch::most_blocks;
use crate::livelock::fingerprint;
use crate::log::Owner;
use crate::machine::{Machine, ResolvedUnit};
use crate::memory::{Client, Link, NEVER};
use crate::occupancy::{Footprint, Room};
use crate::path::{Carry, Lanes, SlotId, SlotState};
use crate::profile::{NOWHERE, Row, Rows};
use crate::register_file::{self, Leave, RegisterFile};
use crate::scheduler;
use crate::statistics::Statistics;
use crate::trace::{End, Recorder, Trace, TracedInstruction, Window};
use audit::Audit;
use flight::{Flight, Flights, Pipes};
use front::{Fetched, Front, Turn};
use home::HomeLines;
use issue::IssueQueue;
pub(crate) use issue::SlotUse;
pub(crate) use load_store::LineKind;
use load_store::{LoadStore, Surroundings};
use scoreboard::{Ready, Scoreboards};
use station::Outcome;
pub(crate) use station::{Epoch, Station};

/// What a core works with while it steps.
pub(crate) struct Context<'a, 'm> {
    pub(crate) code: &'a Code,
    pub(crate) executor: &'a mut Executor,
    pub(crate) port: &'a mut GlobalPort<'m>,
    pub(crate) memory: &'a mut Link,
    pub(crate) outcome: &'a mut Outcome,
    pub(crate) epoch: Epoch,
    pub(crate) now: u64,
}

/// A place for a block.
struct Place {
    block: Block,
    occupied: bool,
    scoreboards: Scoreboards,
    audit: Audit,
    /// Of schemes that regroup threads.
    home: HomeLines,
    /// Hardware warps by the block's warps.
    hardware: Vec<u16>,
    /// Numbers among the core's candidates by the block's slots.
    numbers: Vec<u16>,
    /// Loads and atomics under way, and instructions that collect operands.
    outstanding: u32,
    /// What the block held when the core last looked.
    held: Held,
}

/// What is integrated over time of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Held {
    paths: u64,
    entries: u64,
}

impl Held {
    fn of(block: &Block) -> Held {
        let paths = &block.paths;
        Held { paths: u64::from(paths.occupied()), entries: block.divergence.entries(paths) }
    }
}

/// A hardware warp's slot: whose path it may hold.
#[derive(Clone, Copy, Debug, Default)]
struct Candidate {
    place: u16,
    slot: SlotId,
}

pub(crate) struct Core {
    index: usize,
    slots_per_warp: usize,
    /// Paths may hold threads of several warps.
    regroups: bool,
    /// Scoreboards go by threads.
    tracks_threads: bool,
    footprint: Footprint,
    units: Vec<ResolvedUnit>,
    control_latency: u64,
    line: u32,
    banks: u32,
    places: Vec<Place>,
    /// By hardware warp.
    warp_used: Vec<bool>,
    free_registers: u64,
    free_shared: u64,
    /// By hardware warp and slot.
    candidates: Vec<Candidate>,
    /// Likewise: the scheduler, and the candidate's number there.
    locals: Vec<(u16, u16)>,
    /// The other way: by number at the scheduler, then scheduler.
    numbers: Vec<u16>,
    queues: Vec<IssueQueue>,
    front: Front,
    turn: Turn,
    register_file: Box<dyn RegisterFile>,
    /// The next cycle in which something can happen in the register file.
    next_read: u64,
    flights: Flights,
    pipes: Pipes,
    /// Lanes of a warp.
    width: u32,
    /// Leaves out passes, if the scheme ever does.
    compression: Option<Box<dyn ExecuteWidth>>,
    /// It has to be told in which physical lanes threads sit.
    permutes: bool,
    load_store: LoadStore,
    /// Blocks that ever came here: their ages.
    arrivals: u64,
    resident_warps: u64,
    /// What all blocks that are here hold.
    held: Held,
    /// Cycles whose issue slots are counted.
    accounted: u64,
    pub(crate) statistics: Statistics,
    /// What its instructions cost, if that is asked for.
    pub(crate) profile: Option<Box<Rows>>,
    words: Vec<u32>,
    addresses: Vec<u64>,
    /// Instructions that leave the register file in a cycle.
    left: Vec<u32>,
    recorder: Option<Box<Recorder>>,
}

impl Core {
    pub(crate) fn new(
        index: usize,
        machine: &Machine,
        footprint: Footprint,
    ) -> Result<Core, String> {
        let places = places(machine, footprint)?;
        let scheme = places.first().map(|place| &place.block.divergence);
        let slots_per_warp = scheme.map_or(1, |scheme| scheme.slots_per_warp());
        let regroups = scheme.is_some_and(|scheme| scheme.regroups());
        let tracks_threads = scheme.is_some_and(|scheme| scheme.tracks_threads());
        let units = machine.resolved_units();
        let control = unit_index(Unit::Control);
        let warps = machine.core.warps as usize;
        let file = register_file::find(&machine.register_file)?;
        let passes = execute_width::find(&machine.execute_width)?;
        let compression = (passes.build)(&machine.options(passes.name))?;
        let locals = locals(warps, slots_per_warp, machine.core.schedulers as usize);
        Ok(Core {
            index,
            slots_per_warp,
            regroups,
            tracks_threads,
            footprint,
            control_latency: units[usize::from(control)].latency,
            units,
            line: machine.l1.line,
            banks: machine.shared.banks,
            places,
            warp_used: vec![false; warps],
            free_registers: u64::from(machine.core.registers),
            free_shared: u64::from(machine.core.shared_memory),
            candidates: vec![Candidate::default(); warps * slots_per_warp],
            numbers: numbers(&locals, machine.core.schedulers as usize),
            locals,
            queues: queues(machine, slots_per_warp)?,
            front: Front::new(machine, index, warps * slots_per_warp)?,
            turn: Turn::default(),
            register_file: (file.build)(&machine.options(file.name))?,
            next_read: NEVER,
            flights: Flights::default(),
            pipes: Pipes::new(machine.pipes.values().map(|pipe| pipe.count)),
            width: machine.core.warp_width,
            permutes: compression.compresses() && !machine.lane_map()?.is_identity(),
            compression: Some(compression).filter(|scheme| scheme.compresses()),
            load_store: LoadStore::new(machine)?,
            arrivals: 0,
            resident_warps: 0,
            held: Held::default(),
            accounted: 0,
            statistics: Statistics::default(),
            profile: None,
            words: Vec::new(),
            addresses: Vec::new(),
            left: Vec::new(),
            recorder: None,
        })
    }

    /// Records for viewers what happens from now on, if that is asked for.
    pub(crate) fn record(&mut self, window: Option<Window>) {
        let (index, candidates) = (self.index, self.candidates.len());
        self.recorder = window.and_then(|window| Recorder::new(window, index, candidates));
    }

    /// What was recorded.
    pub(crate) fn take_trace(&mut self) -> Option<Trace> {
        self.recorder.take().map(|recorder| recorder.finish())
    }

    /// Blocks that fit beside those that are here.
    pub(crate) fn free_places(&self) -> u64 {
        let free = Room {
            blocks: self.places.iter().filter(|place| !place.occupied).count() as u64,
            warps: self.warp_used.len() as u64 - self.resident_warps,
            registers: self.free_registers,
            shared: self.free_shared,
        };
        self.footprint.blocks(&free)
    }

    /// Starts a block here in cycle `now`, given that it fits.
    pub(crate) fn start(&mut self, code: &Code, number: u64, now: u64) {
        let Some(index) = self.places.iter().position(|place| !place.occupied) else {
            return;
        };
        self.account(now);
        self.free_registers -= self.footprint.registers;
        self.free_shared -= self.footprint.shared;
        self.resident_warps += self.footprint.warps;
        self.arrivals += 1;
        let place = &mut self.places[index];
        place.occupied = true;
        place.outstanding = 0;
        place.block.start(code, number);
        place.scoreboards.reset(place.block.paths.len(), code.scoreboard_entries());
        if self.tracks_threads {
            let (warps, width) = (code.shape.warps() as usize, code.shape.width as usize);
            place.scoreboards.track_threads(warps, width);
        }
        place.audit.reset(code);
        place.hardware.clear();
        let free = self.warp_used.iter_mut().enumerate().filter(|(_, used)| !**used);
        for (hardware, used) in free.take(self.footprint.warps as usize) {
            *used = true;
            place.hardware.push(hardware as u16);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.started_block(index, number, &place.hardware, now);
        }
        self.set_candidates(index);
        self.refresh_touched(code, index, now, now);
    }

    /// Tells the schedulers which candidates belong to a block that has just arrived.
    fn set_candidates(&mut self, index: usize) {
        let slots = self.slots_per_warp;
        let place = &mut self.places[index];
        place.numbers.clear();
        for (warp, &hardware) in place.hardware.iter().enumerate() {
            for k in 0..slots {
                let number = usize::from(hardware) * slots + k;
                place.numbers.push(number as u16);
                let slot = SlotId((warp * slots + k) as u16);
                self.candidates[number] = Candidate { place: index as u16, slot };
                self.front.reset(number);
                let (queue, local) = self.locals[number];
                self.queues[usize::from(queue)]
                    .set_age(usize::from(local), self.arrivals << 16 | warp as u64);
            }
        }
    }

    /// Counts the issue slots of cycles before `now` in which the core slept.
    fn account(&mut self, now: u64) {
        let cycles = now - self.accounted;
        if cycles == 0 {
            return;
        }
        for queue in &self.queues {
            queue.last_use.count(&mut self.statistics, cycles);
            if let Some(profile) = &mut self.profile {
                profile.slots(queue.last_pc, queue.last_use, cycles);
            }
        }
        self.statistics.refetches += self.turn.skip(&mut self.queues, cycles);
        self.count_residents(cycles);
        self.accounted = now;
    }

    fn count_residents(&mut self, cycles: u64) {
        self.statistics.resident_warp_cycles += cycles * self.resident_warps;
        self.statistics.path_cycles += cycles * self.held.paths;
        self.statistics.stack_entry_cycles += cycles * self.held.entries;
        self.statistics.warp_capacity_cycles += cycles * self.warp_used.len() as u64;
    }

    /// Everything that happens in a cycle; the next one in which something can.
    pub(crate) fn step(&mut self, context: &mut Context) -> Result<u64, Box<Trap>> {
        let now = context.now;
        self.account(now);
        let mut has_news = self.step_load_store(context);
        if self.next_read <= now {
            self.step_register_file(context);
            has_news = true;
        }
        if self.front.wants_to_ask() {
            self.front.ask(now, context.memory);
        }
        if !self.queues.iter().any(|queue| queue.may_issue(now) || queue.can_fetch()) {
            // This cycle's slots are counted with the following ones, when the core wakes.
            if has_news {
                self.note_stalls();
            }
            return Ok(self.next_event(now));
        }
        let schedulers = self.queues.len();
        for turn in 0..schedulers {
            // The first turn at what they share goes round.
            self.step_scheduler((now as usize + turn) % schedulers, context)?;
        }
        self.fetch(context);
        self.count_residents(1);
        self.accounted = now + 1;
        self.note_stalls();
        Ok(self.next_event(now))
    }

    /// Whether something here waits for room towards memory.
    pub(crate) fn wants_room(&self) -> bool {
        self.load_store.wants_room() || self.front.wants_to_ask()
    }

    /// What keeps instructions out of the register file, if it has no room.
    fn blocked(&self) -> Option<SlotUse> {
        if self.register_file.has_room() {
            return None;
        }
        Some(if self.register_file.is_reading() {
            SlotUse::RegisterRead
        } else if self.load_store.is_full() {
            SlotUse::LoadStoreFull
        } else {
            SlotUse::PipeBusy
        })
    }

    /// Notes what the slots of the following cycles are lost to, should nothing issue in them.
    fn note_stalls(&mut self) {
        let blocked = self.blocked();
        for queue in &mut self.queues {
            queue.last_use = queue.stall(blocked);
        }
        if self.profile.is_some() {
            for index in 0..self.queues.len() {
                self.queues[index].last_pc = self.blamed(index, blocked);
            }
        }
    }

    /// The instruction that a slot belongs to in which a scheduler issues nothing.
    fn blamed(&self, index: usize, blocked: Option<SlotUse>) -> u32 {
        let closest = self.queues[index].closest(blocked);
        closest.map_or(NOWHERE, |local| self.next_pc(self.number(index, local)))
    }

    /// Where the path of a candidate stands.
    fn next_pc(&self, number: usize) -> u32 {
        let Candidate { place, slot } = self.candidates[number];
        self.places[usize::from(place)].block.paths.path(slot).pc
    }

    fn next_event(&self, now: u64) -> u64 {
        if self.queues.iter().any(IssueQueue::can_fetch) {
            return now + 1;
        }
        let room = self.register_file.has_room();
        let issue = self.queues.iter().map(|queue| queue.next_event(now, room)).min();
        issue.unwrap_or(NEVER).min(self.load_store.next_event()).min(self.next_read).max(now + 1)
    }

    /// Fetches for one path.
    fn fetch(&mut self, context: &mut Context) {
        let now = context.now;
        let Some((index, local)) = self.turn.next(&mut self.queues) else {
            return;
        };
        let number = self.number(index, local);
        let candidate = self.candidates[number];
        let statistics = &mut self.statistics;
        let fetched = self.front.fetch(context.code, number, now, context.memory, statistics);
        let queue = &mut self.queues[index];
        match fetched {
            Fetched::Buffered => {
                if let Some(recorder) = &mut self.recorder {
                    recorder.fetched(number, now);
                }
                let next = now + self.front.latency;
                let place = usize::from(candidate.place);
                self.refresh(context.code, place, candidate.slot, Some(next), now);
            }
            Fetched::Discarded(_) if queue.is_full(local) => {}
            Fetched::Discarded(until) => queue.wait_for_entry(local, until, now),
            Fetched::Missing => {
                queue.remove(local);
                queue.wait_for_instructions(local);
            }
        }
    }

    /// The number among the core's candidates of one of a scheduler's.
    #[inline]
    fn number(&self, queue: usize, local: usize) -> usize {
        usize::from(self.numbers[local * self.queues.len() + queue])
    }

    /// The scheduler of a candidate of the core, and its number there.
    #[inline]
    fn local(&self, number: usize) -> (usize, usize) {
        let (queue, local) = self.locals[number];
        (usize::from(queue), usize::from(local))
    }

    /// Lets instructions read operands and start in their pipes.
    fn step_register_file(&mut self, context: &mut Context) {
        let now = context.now;
        let (flights, pipes, units) = (&self.flights, &mut self.pipes, &self.units);
        let mut room = self.load_store.room();
        let left = &mut self.left;
        self.next_read = self.register_file.step(now, &mut |token| {
            let Some(flight) = flights.get(token) else {
                return Leave::Left;
            };
            if flight.job.is_some() && room == 0 {
                return Leave::NotBefore(NEVER);
            }
            let leave = pipes.start(&units[usize::from(flight.unit)], flight.passes, now);
            if leave == Leave::Left {
                room -= usize::from(flight.job.is_some());
                left.push(token);
            }
            leave
        });
        for i in 0..self.left.len() {
            let token = self.left[i];
            if let Some(flight) = self.flights.end(token) {
                self.start_pipe(token, flight, context);
            }
        }
        self.left.clear();
    }

    /// An instruction starts in its pipe.
    fn start_pipe(&mut self, token: u32, flight: Flight, context: &mut Context) {
        let now = context.now;
        let unit = self.units[usize::from(flight.unit)];
        let index = usize::from(flight.candidate.place);
        self.places[index].outstanding -= 1;
        if let Some(mut job) = flight.job {
            job.ready = now + unit.latency;
            if let Some(recorder) = &mut self.recorder {
                job.traced = recorder.starts(token, now, End::InMemory(job.ready));
            }
            self.load_store.push(job);
        } else {
            let end = now + unit.latency + (flight.passes - 1) * unit.initiation;
            let written = match flight.result {
                Some((register, pair)) => {
                    self.register_file.write(flight.warp, register, pair, end, now)
                }
                None => end,
            };
            if let Some(recorder) = &mut self.recorder {
                recorder.starts(token, now, End::Known(written));
            }
            let early = u64::from(Planted::ResultEarly.is_on());
            let ready = Ready::computed(written - early);
            self.places[index].audit.loaded(flight.audited, written);
            let pending = Ready::collecting(token);
            self.resolve(context.code, flight.candidate, &flight.writes, (pending, ready), now);
        }
        self.refresh_readers(context.code, flight.candidate, now);
        self.free_if_done(index, context);
    }

    /// The slots of a block that what happens to one of them can concern: those of its warp, or all
    /// when paths are regrouped.
    fn concerned(&self, candidate: Candidate) -> Range<usize> {
        let slots = self.slots_per_warp;
        if self.regroups {
            return 0..self.places[usize::from(candidate.place)].block.paths.len();
        }
        let first = usize::from(candidate.slot.0) / slots * slots;
        first..first + slots
    }

    /// An instruction has read its operands: those that wait for that may issue.
    fn refresh_readers(&mut self, code: &Code, candidate: Candidate, now: u64) {
        let index = usize::from(candidate.place);
        for slot in self.concerned(candidate) {
            let (queue, local) = self.local(usize::from(self.places[index].numbers[slot]));
            if self.queues[queue].waits_for_reads(local) {
                self.refresh(code, index, SlotId(slot as u16), None, now);
            }
        }
    }

    /// When a result is there has become known: whoever waits for it learns it.
    fn resolve(
        &mut self,
        code: &Code,
        candidate: Candidate,
        writes: &Entries,
        (pending, ready): (Ready, Ready),
        now: u64,
    ) {
        let index = usize::from(candidate.place);
        let slots = self.concerned(candidate);
        self.places[index].scoreboards.resolve(slots.clone(), writes, pending, ready);
        for slot in slots {
            let number = usize::from(self.places[index].numbers[slot]);
            self.front.resolve(number, pending, ready);
            let (queue, local) = self.local(number);
            if self.queues[queue].waits_for(local) {
                self.refresh(code, index, SlotId(slot as u16), None, now);
            }
        }
    }

    /// Does to scoreboards what a block's scheme asks for.
    #[cold]
    fn carry(&mut self, index: usize) {
        let place = &mut self.places[index];
        let numbers = &place.numbers;
        let candidate = |slot: u16| usize::from(numbers[usize::from(slot)]);
        for carry in place.block.paths.take_carried() {
            place.scoreboards.carry(carry);
            match carry {
                Carry::Copy { from, to } => {
                    self.front.carry(candidate(from), candidate(to), false);
                }
                Carry::Merge { from, into } => {
                    self.front.carry(candidate(from), candidate(into), true);
                }
                Carry::Share { .. } => {}
                Carry::Clear { scoreboard } => self.front.clear_entries(candidate(scoreboard)),
            }
        }
    }

    /// Takes replies and works on memory instructions; whether a candidate's state changed.
    fn step_load_store(&mut self, context: &mut Context) -> bool {
        let mut around = Surroundings {
            now: context.now,
            core: self.index,
            memory: &mut *context.memory,
            statistics: &mut self.statistics,
            profile: self.profile.as_deref_mut(),
        };
        let mut has_news = false;
        let mut filled = Vec::new();
        while let Some(reply) = around.memory.receive(around.now) {
            match reply.client {
                Client::Instructions => filled.extend(self.front.fill(&reply)),
                Client::Data | Client::Constants => self.load_store.reply(&reply, &mut around),
            }
        }
        let was_full = self.load_store.is_full();
        self.load_store.step(&mut around);
        if let Some(served) = self.load_store.served.take()
            && let Some(recorder) = &mut self.recorder
        {
            recorder.ends(served, context.now + 1);
        }
        if was_full && !self.load_store.is_full() {
            self.next_read = self.next_read.min(context.now);
        }
        for number in filled {
            let (queue, local) = self.local(number);
            // Another path may stand there by now.
            if self.queues[queue].waits_for_instructions(local) {
                let Candidate { place, slot } = self.candidates[number];
                self.refresh(context.code, usize::from(place), slot, None, context.now);
            }
            has_news = true;
        }
        while let Some((id, ready)) = self.load_store.take_finished() {
            let load = self.load_store.take_load(id);
            let index = usize::from(load.place);
            let candidate = Candidate { place: load.place, slot: SlotId(load.slot) };
            let place = &mut self.places[index];
            let warp = place.hardware[usize::from(load.slot) / self.slots_per_warp];
            let written = match load.result {
                Some((register, pair)) => {
                    self.register_file.write(warp, register, pair, ready, context.now)
                }
                None => ready,
            };
            place.audit.loaded(id, written);
            if let Some(recorder) = &mut self.recorder {
                recorder.loaded(id, written);
            }
            place.outstanding -= 1;
            let times = (Ready::pending(id), Ready::loaded(written));
            self.resolve(context.code, candidate, &load.writes, times, context.now);
            self.free_if_done(index, context);
            has_news = true;
        }
        has_news
    }

    /// Puts a slot's path where it belongs among its scheduler's candidates: control flow lets it
    /// issue from cycle `next` on, or as before.
    #[inline]
    fn refresh(&mut self, code: &Code, index: usize, slot: SlotId, next: Option<u64>, now: u64) {
        let place = &self.places[index];
        let number = usize::from(place.numbers[usize::from(slot.0)]);
        let (queue, local) = self.local(number);
        let queue = &mut self.queues[queue];
        queue.remove(local);
        if let Some(next) = next {
            queue.set_not_before(local, next);
        }
        match place.block.paths.state(slot) {
            SlotState::Empty => queue.empty(local),
            SlotState::Waiting => queue.wait_at_barrier(local),
            SlotState::Runnable => {
                let path = place.block.paths.path(slot);
                if !self.front.has(number, path.pc) {
                    queue.wait_to_fetch(local, now);
                    return;
                }
                let instruction = &code.instructions[path.pc as usize];
                let collects = collects(instruction.effect);
                let warp = (number / self.slots_per_warp) as u16;
                if collects && !self.register_file.admits(warp) {
                    queue.wait_for_reads(local);
                    return;
                }
                let registers = place.scoreboards.ready(path, &instruction.needs);
                queue.wait(local, collects, registers, now);
            }
        }
    }

    /// Counts the paths of a block, and the entries of its stacks, anew.
    #[cold]
    fn census(&mut self, index: usize) {
        let place = &mut self.places[index];
        let old = std::mem::replace(&mut place.held, Held::of(&place.block));
        self.held.paths = self.held.paths + place.held.paths - old.paths;
        self.held.entries = self.held.entries + place.held.entries - old.entries;
    }

    /// Does so for all slots that the scheme has changed.
    fn refresh_touched(&mut self, code: &Code, index: usize, next: u64, now: u64) {
        if self.places[index].block.paths.has_carried() {
            self.carry(index);
        }
        if self.places[index].block.paths.has_touched() {
            self.census(index);
        }
        while let Some(slot) = self.places[index].block.paths.take_touched() {
            self.refresh(code, index, slot, Some(next), now);
            if let Some(recorder) = &mut self.recorder {
                let place = &self.places[index];
                if place.block.paths.state(slot) == SlotState::Runnable {
                    recorder.goes_on(usize::from(place.numbers[usize::from(slot.0)]), next);
                }
            }
        }
    }

    fn step_scheduler(&mut self, index: usize, context: &mut Context) -> Result<(), Box<Trap>> {
        let room = self.register_file.has_room();
        let queue = &mut self.queues[index];
        queue.wake(context.now);
        let Some(local) = queue.pick(room) else {
            let blocked = self.blocked();
            let reason = self.queues[index].stall(blocked);
            reason.count(&mut self.statistics, 1);
            if self.profile.is_some() {
                let pc = self.blamed(index, blocked);
                self.profile.iter_mut().for_each(|profile| profile.slots(pc, reason, 1));
            }
            return Ok(());
        };
        queue.issued(local);
        let number = self.number(index, local);
        let before =
            self.profile.is_some().then(|| (self.next_pc(number), Row::of(&self.statistics)));
        let slot_use = self.issue(number, context)?;
        slot_use.count(&mut self.statistics, 1);
        if let (Some((pc, before)), Some(profile)) = (before, &mut self.profile) {
            profile.row(pc).add_between(&before, &Row::of(&self.statistics));
        }
        Ok(())
    }

    /// Issues the next instruction of a candidate's path, unless it has to wait after all.
    fn issue(&mut self, number: usize, context: &mut Context) -> Result<SlotUse, Box<Trap>> {
        let candidate = self.candidates[number];
        let (index, slot, now) = (usize::from(candidate.place), candidate.slot, context.now);
        let code = context.code;
        let place = &mut self.places[index];
        let path = place.block.paths.path(slot);
        let scoreboard = path.scoreboard;
        let pc = path.pc;
        let instruction = &code.instructions[pc as usize];
        if place.audit.is_early(&path.lanes, instruction, now) {
            return Err(place.block.contradiction(code, slot, "reads what is not there yet"));
        }
        if must_wait(place, slot, instruction, context) {
            self.refresh(code, index, slot, Some(context.epoch.to), now);
            return Ok(SlotUse::Memory);
        }
        context.executor.now = now;
        if let Some(log) = context.port.log() {
            (log.now, log.place) = (now, candidate.place);
        }
        // Behind the step other lanes may stand in the slot.
        let asks = code.verify || self.tracks_threads || self.permutes;
        let lanes = asks.then(|| path.lanes.clone());
        let issued = place.block.step(code, slot, context.executor, context.port)?;
        if let Some(lanes) = &lanes {
            place.audit.issued(lanes, issued.mask);
        }
        let sits = lanes.as_ref().filter(|_| self.permutes);
        let map = place.block.paths.lane_map();
        let acting = sits.map_or(issued.mask, |lanes| lanes.physical(issued.mask, map));
        context.outcome.instructions += 1;
        count(&mut self.statistics, code, instruction.effect, &issued);
        observe(place, slot, &issued, context);
        if self.recorder.is_some() {
            self.record_issue(number, instruction, &issued, context);
        }
        self.front.issue(number);
        let mut next = now + 1;
        if issued.mask != 0 && collects(instruction.effect) {
            let acted = lanes.as_ref().filter(|_| self.tracks_threads);
            let acted = acted.map(|lanes| (lanes, issued.mask));
            let collected = (pc, instruction, acting);
            self.collect(number, (scoreboard, acted), collected, context)?;
        } else if !collects(instruction.effect)
            && (issued.mask != 0 || instruction.effect == Effect::Branch)
        {
            next = now + self.control_latency;
        }
        self.refresh_touched(code, index, next, now);
        self.refresh(code, index, slot, Some(next), now);
        if issued.progress {
            self.free_if_done(index, context);
        }
        Ok(SlotUse::Issued)
    }

    /// Records an instruction that was just executed.
    fn record_issue(
        &mut self,
        number: usize,
        instruction: &Decoded,
        issued: &Issued,
        context: &Context,
    ) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        let is_barrier = instruction.effect == Effect::Barrier;
        let acts = issued.mask != 0 || instruction.effect == Effect::Branch;
        let ends_after =
            if acts && !collects(instruction.effect) { self.control_latency } else { 1 };
        let traced = TracedInstruction {
            block: self.places[usize::from(self.candidates[number].place)].block.number,
            warp: (number / self.slots_per_warp) as u16,
            slot: (number % self.slots_per_warp) as u16,
            pc: issued.pc,
            active: issued.active,
            acted: issued.mask,
            fetch: 0,
            issue: context.now,
            start: None,
            memory: None,
            end: context.now + ends_after,
            has_result: issued.mask != 0 && instruction.target != Target::None,
            is_barrier,
        };
        recorder.issued(number, context.now, traced);
    }

    /// An instruction that was just executed enters the register file. Its path's scoreboard has to
    /// know, or that of the lanes in which it acted.
    fn collect(
        &mut self,
        number: usize,
        (scoreboard, acted): (u16, Option<(&Lanes, u64)>),
        (pc, instruction, mask): (u32, &Decoded, u64),
        context: &mut Context,
    ) -> Result<(), Box<Trap>> {
        let candidate = self.candidates[number];
        let warp = (number / self.slots_per_warp) as u16;
        let token = self.flights.token();
        let (mut job, mut pending) = (None, Ready::collecting(token));
        // Loads and flights are numbered apart.
        let mut audited = 1 << 31 | token;
        if is_memory(instruction.effect) {
            let (mut asked, load) = self.memory_job(candidate, instruction, context)?;
            asked.pc = pc;
            job = Some(asked);
            if let Some(load) = load {
                (pending, audited) = (Ready::pending(load), load);
                self.places[usize::from(candidate.place)].outstanding += 1;
            }
        }
        let place = &mut self.places[usize::from(candidate.place)];
        place.outstanding += 1;
        if instruction.target != Target::None {
            let (boards, writes) = (&mut place.scoreboards, &instruction.writes);
            match acted {
                None => boards.write(scoreboard, writes, pending),
                Some(acted) => boards.write_lanes(acted, writes, pending, context.now),
            }
            place.audit.loading(instruction, audited);
            self.front.occupy(number, pending);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.collects(token, job.as_ref().and_then(|job| job.load));
        }
        let passes = self.passes(instruction, mask);
        let (result, writes) = (instruction.result(), instruction.writes);
        let unit = instruction.unit;
        let flight = Flight { candidate, warp, result, writes, unit, passes, job, audited };
        self.flights.start(token, flight);
        self.register_file.enter(token, instruction.operands.of(warp));
        self.next_read = self.next_read.min(context.now + 1);
        Ok(())
    }

    /// The passes of an instruction in its pipe.
    #[inline]
    fn passes(&mut self, instruction: &Decoded, mask: u64) -> u64 {
        let unit = &self.units[usize::from(instruction.unit)];
        let passes = unit.passes[usize::from(instruction.is_wide())];
        if is_memory(instruction.effect) {
            return passes;
        }
        let Some(compression) = &self.compression else {
            self.statistics.execution_cycles += passes * unit.initiation;
            return passes;
        };
        let widths = Widths { warp: self.width, pipe: unit.lanes };
        let saved = compression.saved(mask, widths);
        // A group's pass of wide operands is several.
        let each = passes / u64::from(widths.groups());
        let cycles = |groups: u32| u64::from(groups) * each * unit.initiation;
        let statistics = &mut self.statistics;
        statistics.execution_cycles += cycles(widths.groups() - saved.passes());
        statistics.execution_cycles_saved_half += cycles(saved.half);
        statistics.execution_cycles_saved_groups += cycles(saved.groups);
        statistics.execution_cycles_saved_swizzle += cycles(saved.swizzle);
        passes - u64::from(saved.passes()) * each
    }

    /// Frees a block's place when its threads have ended, its instructions have started in their pipes,
    /// and its loads have come back.
    fn free_if_done(&mut self, index: usize, context: &mut Context) {
        let place = &mut self.places[index];
        if !place.occupied || place.block.live != 0 || place.outstanding != 0 {
            return;
        }
        place.occupied = false;
        if let Some(recorder) = &mut self.recorder {
            recorder.ended_block(index, context.now);
        }
        for &hardware in &place.hardware {
            self.warp_used[usize::from(hardware)] = false;
        }
        let counts = place.block.divergence.counts();
        self.statistics.home_transactions += place.home.finish();
        if let Some(compaction) = counts.compaction {
            compaction.add_to(&mut self.statistics);
        }
        self.statistics.deepest_stack = self.statistics.deepest_stack.max(counts.deepest_stack);
        self.statistics.blocks += 1;
        context.outcome.blocks_done += 1;
        self.free_registers += self.footprint.registers;
        self.free_shared += self.footprint.shared;
        self.resident_warps -= self.footprint.warps;
    }

    /// Whether nothing is here or under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.resident_warps == 0 && self.load_store.is_idle() && self.front.is_idle()
    }

    /// Closes the accounts at the end of the run.
    pub(crate) fn finish(&mut self, cycles: u64) {
        self.account(cycles);
        let counts = self.register_file.counts();
        self.statistics.register_reads = counts.reads;
        self.statistics.register_writes = counts.writes;
        self.statistics.register_conflicts = counts.conflicts;
    }

    /// An atomic of a block here has taken place.
    pub(crate) fn complete(
        &mut self,
        code: &Code,
        owner: &Owner,
        result: &WarpResult,
    ) -> Result<(), Box<Trap>> {
        self.places[usize::from(owner.place)].block.complete(code, owner, result)
    }

    /// The blocks that are here.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.places.iter().filter(|place| place.occupied).map(|place| &place.block)
    }
}

/// A core's places for blocks.
fn places(machine: &Machine, footprint: Footprint) -> Result<Vec<Place>, String> {
    let scheme = divergence::find(&machine.divergence)?;
    let options = machine.options(scheme.name);
    let lane_map = Arc::new(machine.lane_map()?);
    let mut first = Some((scheme.build)(&options)?);
    let blocks = most_blocks(&footprint, machine);
    let sibling = first.as_ref().and_then(|first| first.sibling());
    (0..blocks)
        .map(|_| {
            let sibling = sibling.as_ref().and_then(|sibling| sibling.sibling());
            let divergence = match first.take().or(sibling) {
                Some(divergence) => divergence,
                None => (scheme.build)(&options)?,
            };
            Ok(Place {
                block: Block::new(divergence, lane_map.clone()),
                occupied: false,
                scoreboards: Scoreboards::default(),
                audit: Audit::default(),
                home: HomeLines::default(),
                hardware: Vec::new(),
                numbers: Vec::new(),
                outstanding: 0,
                held: Held::default(),
            })
        })
        .collect()
}

/// The scheduler of each candidate, and its number there: hardware warps in turn.
fn locals(warps: usize, slots: usize, schedulers: usize) -> Vec<(u16, u16)> {
    let candidates = (0..warps * slots).map(|number| {
        let (hardware, slot) = (number / slots, number % slots);
        ((hardware % schedulers) as u16, (hardware / schedulers * slots + slot) as u16)
    });
    candidates.collect()
}

/// The number of each candidate of the schedulers.
fn numbers(locals: &[(u16, u16)], schedulers: usize) -> Vec<u16> {
    let place = |&(queue, local): &(u16, u16)| usize::from(local) * schedulers + usize::from(queue);
    let mut numbers = vec![0; locals.iter().map(|local| place(local) + 1).max().unwrap_or(0)];
    for (number, local) in locals.iter().enumerate() {
        numbers[place(local)] = number as u16;
    }
    numbers
}

/// A core's schedulers.
fn queues(machine: &Machine, slots_per_warp: usize) -> Result<Vec<IssueQueue>, String> {
    let policy = scheduler::find(&machine.scheduler)?;
    let options = machine.options(policy.name);
    let candidates = machine.core.warps.div_ceil(machine.core.schedulers) as usize * slots_per_warp;
    (0..machine.core.schedulers)
        .map(|_| Ok(IssueQueue::new((policy.build)(&options)?, candidates)))
        .collect()
}

/// Whether an instruction passes the register file to a pipe; control flow reads predicates only.
fn collects(effect: Effect) -> bool {
    match effect {
        Effect::Branch | Effect::Exit | Effect::Barrier | Effect::Arm | Effect::Meet => false,
        Effect::Compute | Effect::Divide | Effect::Collective => true,
        Effect::Load | Effect::Store | Effect::Atomic => true,
    }
}

fn is_memory(effect: Effect) -> bool {
    matches!(effect, Effect::Load | Effect::Store | Effect::Atomic)
}

/// Notes for the livelock watch what an instruction did.
#[inline(always)]
fn observe(place: &Place, slot: SlotId, issued: &Issued, context: &mut Context) {
    let outcome = &mut *context.outcome;
    if issued.progress | context.executor.changed {
        context.executor.changed = false;
        outcome.progress = true;
        outcome.backward.clear();
    } else if issued.backward && context.epoch.searching {
        // A state is whole when nothing is still to be written to registers.
        let log = context.port.log();
        if !log.is_some_and(|log| log.has_atomic_of(log.place)) {
            let state = fingerprint(context.code, &place.block, slot);
            let pc = place.block.paths.path(slot).pc;
            outcome.backward.push(((place.block.number, slot), (pc, state)));
        }
    }
}

/// Whether the next instruction of a slot's path is a load that must see an atomic which takes place
/// at the epoch's end.
#[inline]
fn must_wait(place: &Place, slot: SlotId, instruction: &Decoded, context: &mut Context) -> bool {
    let Some(log) = context.port.log().filter(|log| log.has_atomics()) else {
        return false;
    };
    if instruction.effect != Effect::Load {
        return false;
    }
    let (code, lanes) = (context.code, &place.block.paths.path(slot).lanes);
    let threads = &place.block.threads;
    let mask = context.executor.guard(code, instruction, &threads.registers, lanes, lanes.mask());
    context.executor.awaits(code, instruction, threads, (lanes, mask), log)
}

//! A core: resident blocks, schedulers that issue their paths, pipes, the load/store unit.

mod access;
mod audit;
mod issue;
mod load_store;
mod scoreboard;
mod station;

use reconverge_isa::{Effect, Unit, WarpResult};
use reconverge_planted::Planted;

use crate::block::{Block, Issued};
use crate::decode::{Code, Decoded, unit_index};
use crate::device::GlobalPort;
use crate::divergence;
use crate::execute::Executor;
use crate::fault::Trap;
use crate::functional::count;
use crate::launch::Footprint;
use crate::livelock::fingerprint;
use crate::log::Owner;
use crate::machine::{Machine, ResolvedUnit};
use crate::memory::{Link, NEVER};
use crate::path::{SlotId, SlotState};
use crate::scheduler;
use crate::statistics::Statistics;
use audit::Audit;
use issue::{IssueQueue, SlotUse};
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
    /// Hardware warps by the block's warps.
    hardware: Vec<u16>,
    /// Loads and atomics under way.
    loads: u32,
}

/// A hardware warp's slot: whose path it may hold.
#[derive(Clone, Copy, Default)]
struct Candidate {
    place: u16,
    slot: SlotId,
}

pub(crate) struct Core {
    index: usize,
    slots_per_warp: usize,
    footprint: Footprint,
    units: Vec<ResolvedUnit>,
    memory_pipe: usize,
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
    queues: Vec<IssueQueue>,
    /// By pipe, by instance: when it accepts an instruction.
    pipes: Vec<Vec<u64>>,
    load_store: LoadStore,
    /// Blocks that ever came here: their ages.
    arrivals: u64,
    resident_warps: u64,
    /// Cycles whose issue slots are counted.
    accounted: u64,
    pub(crate) statistics: Statistics,
    words: Vec<u32>,
    addresses: Vec<u64>,
}

impl Core {
    pub(crate) fn new(
        index: usize,
        machine: &Machine,
        footprint: Footprint,
    ) -> Result<Core, String> {
        let places = places(machine, footprint)?;
        let slots_per_warp = places.first().map_or(1, |place| place.block.slots_per_warp());
        let units = machine.resolved_units();
        let (memory, control) = (unit_index(Unit::Memory), unit_index(Unit::Control));
        let warps = machine.core.warps as usize;
        Ok(Core {
            index,
            slots_per_warp,
            footprint,
            memory_pipe: units[usize::from(memory)].pipe,
            control_latency: units[usize::from(control)].latency,
            units,
            line: machine.l1.line,
            banks: machine.shared.banks,
            places,
            warp_used: vec![false; warps],
            free_registers: u64::from(machine.core.registers),
            free_shared: u64::from(machine.core.shared_memory),
            candidates: vec![Candidate::default(); warps * slots_per_warp],
            queues: queues(machine, slots_per_warp)?,
            pipes: machine.pipes.values().map(|&count| vec![0; count as usize]).collect(),
            load_store: LoadStore::new(machine)?,
            arrivals: 0,
            resident_warps: 0,
            accounted: 0,
            statistics: Statistics::default(),
            words: Vec::new(),
            addresses: Vec::new(),
        })
    }

    /// Blocks that fit beside those that are here.
    pub(crate) fn free_places(&self) -> u64 {
        let Footprint { warps, registers, shared } = self.footprint;
        let free_warps = self.warp_used.len() as u64 - self.resident_warps;
        let fitting = |free: u64, each: u64| free.checked_div(each).unwrap_or(u64::MAX);
        let places = self.places.iter().filter(|place| !place.occupied).count() as u64;
        places
            .min(fitting(free_warps, warps))
            .min(fitting(self.free_registers, registers))
            .min(fitting(self.free_shared, shared))
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
        place.loads = 0;
        place.block.start(code, number);
        place.scoreboards.reset(place.block.paths.len(), code.scoreboard_entries());
        place.audit.reset(code, place.block.paths.len());
        place.hardware.clear();
        let free = self.warp_used.iter_mut().enumerate().filter(|(_, used)| !**used);
        for (hardware, used) in free.take(self.footprint.warps as usize) {
            *used = true;
            place.hardware.push(hardware as u16);
        }
        self.set_candidates(index);
        self.refresh_touched(code, index, now, now);
    }

    /// Tells the schedulers which candidates belong to a block that has just arrived.
    fn set_candidates(&mut self, index: usize) {
        let slots = self.slots_per_warp;
        for (warp, &hardware) in self.places[index].hardware.iter().enumerate() {
            for k in 0..slots {
                let candidate = usize::from(hardware) * slots + k;
                self.candidates[candidate] =
                    Candidate { place: index as u16, slot: SlotId((warp * slots + k) as u16) };
                let queue = usize::from(hardware) % self.queues.len();
                let local = usize::from(hardware) / self.queues.len() * slots + k;
                self.queues[queue].set_age(local, self.arrivals << 16 | warp as u64);
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
        }
        self.count_residents(cycles);
        self.accounted = now;
    }

    fn count_residents(&mut self, cycles: u64) {
        self.statistics.resident_warp_cycles += cycles * self.resident_warps;
        self.statistics.warp_capacity_cycles += cycles * self.warp_used.len() as u64;
    }

    /// Everything that happens in a cycle; the next one in which something can.
    pub(crate) fn step(&mut self, context: &mut Context) -> Result<u64, Box<Trap>> {
        let now = context.now;
        self.account(now);
        let has_news = self.step_load_store(context);
        if !self.queues.iter().any(|queue| queue.may_issue(now)) {
            // This cycle's slots are counted with the following ones, when the core wakes.
            if has_news {
                self.note_stalls();
            }
            return Ok(self.next_event(context));
        }
        let schedulers = self.queues.len();
        for turn in 0..schedulers {
            // The first turn at shared pipes goes round.
            self.step_scheduler((now as usize + turn) % schedulers, context)?;
        }
        self.count_residents(1);
        self.accounted = now + 1;
        self.note_stalls();
        Ok(self.next_event(context))
    }

    /// Notes what the slots of the following cycles are lost to, should nothing issue in them.
    fn note_stalls(&mut self) {
        for queue in &mut self.queues {
            queue.last_use = queue.stall(self.load_store.is_full());
        }
    }

    fn next_event(&self, context: &Context) -> u64 {
        let now = context.now;
        let issue = self.queues.iter().map(|queue| queue.next_event(now)).min();
        issue.unwrap_or(NEVER).min(self.load_store.next_event()).max(now + 1)
    }

    /// Takes replies and works on memory instructions; whether a candidate's state changed.
    fn step_load_store(&mut self, context: &mut Context) -> bool {
        let mut around = Surroundings {
            now: context.now,
            core: self.index,
            memory: &mut *context.memory,
            statistics: &mut self.statistics,
        };
        while let Some(reply) = around.memory.receive(around.now) {
            self.load_store.reply(&reply, &mut around);
        }
        self.load_store.step(&mut around);
        let mut has_news = false;
        while let Some((id, ready)) = self.load_store.take_finished() {
            let load = self.load_store.take_load(id);
            let (index, slots) = (usize::from(load.place), self.slots_per_warp);
            let first = usize::from(load.slot) / slots * slots;
            let place = &mut self.places[index];
            place.scoreboards.resolve(first..first + slots, &load.writes, id, Ready::loaded(ready));
            place.audit.loaded(id, ready);
            place.loads -= 1;
            for slot in first..first + slots {
                self.refresh(context.code, index, SlotId(slot as u16), None, context.now);
            }
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
        let slots = self.slots_per_warp;
        let (warp, k) = (usize::from(slot.0) / slots, usize::from(slot.0) % slots);
        let hardware = usize::from(place.hardware[warp]);
        let schedulers = self.queues.len();
        let queue = &mut self.queues[hardware % schedulers];
        let candidate = hardware / schedulers * slots + k;
        queue.remove(candidate);
        if let Some(next) = next {
            queue.set_not_before(candidate, next);
        }
        match place.block.paths.state(slot) {
            SlotState::Empty => {}
            SlotState::Waiting => queue.wait_at_barrier(candidate),
            SlotState::Runnable => {
                let path = place.block.paths.path(slot);
                let instruction = &code.instructions[path.pc as usize];
                let registers = place.scoreboards.ready(path.scoreboard, &instruction.needs);
                let pipe = if is_memory(instruction.effect) {
                    self.pipes.len()
                } else {
                    self.units[usize::from(instruction.unit)].pipe
                };
                queue.wait(candidate, pipe, registers, now);
            }
        }
    }

    /// Does so for all slots that the scheme has changed.
    fn refresh_touched(&mut self, code: &Code, index: usize, next: u64, now: u64) {
        while let Some(slot) = self.places[index].block.paths.take_touched() {
            self.refresh(code, index, slot, Some(next), now);
        }
    }

    /// Which pipes accept an instruction now; the bit behind the last is the load/store unit.
    #[inline]
    fn open_pipes(&self, now: u64) -> u64 {
        let mut open = 0;
        for (pipe, instances) in self.pipes.iter().enumerate() {
            let is_open = instances.iter().any(|&free| free <= now);
            open |= u64::from(is_open) << pipe;
        }
        let memory = open >> self.memory_pipe & 1 != 0 && !self.load_store.is_full();
        open | u64::from(memory) << self.pipes.len()
    }

    fn step_scheduler(&mut self, index: usize, context: &mut Context) -> Result<(), Box<Trap>> {
        let open = self.open_pipes(context.now);
        let queue = &mut self.queues[index];
        queue.wake(context.now);
        let Some(local) = queue.pick(open) else {
            queue.stall(self.load_store.is_full()).count(&mut self.statistics, 1);
            return Ok(());
        };
        queue.issued(local);
        let slots = self.slots_per_warp;
        let hardware = local / slots * self.queues.len() + index;
        let candidate = self.candidates[hardware * slots + local % slots];
        let slot_use = self.issue(candidate, context)?;
        slot_use.count(&mut self.statistics, 1);
        Ok(())
    }

    /// Issues the next instruction of a candidate's path, unless it has to wait after all.
    fn issue(&mut self, candidate: Candidate, context: &mut Context) -> Result<SlotUse, Box<Trap>> {
        let (index, slot, now) = (usize::from(candidate.place), candidate.slot, context.now);
        let code = context.code;
        let place = &mut self.places[index];
        let path = place.block.paths.path(slot);
        let scoreboard = path.scoreboard;
        let instruction = &code.instructions[path.pc as usize];
        if place.audit.is_early(scoreboard, instruction, now) {
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
        let issued = place.block.step(code, slot, context.executor, context.port)?;
        context.outcome.instructions += 1;
        count(&mut self.statistics, code, instruction.effect, &issued);
        observe(place, slot, &issued, context);
        let unit = self.units[usize::from(instruction.unit)];
        let mut next = now + 1;
        if issued.mask != 0 || instruction.effect == Effect::Branch {
            if let Some(free) = self.pipes[unit.pipe].iter_mut().find(|free| **free <= now) {
                *free = now + unit.initiation;
            }
            match instruction.effect {
                Effect::Compute | Effect::Divide | Effect::Collective => {
                    let early = u64::from(Planted::ResultEarly.is_on());
                    let ready = Ready::computed(now + unit.latency - early);
                    place.scoreboards.write(scoreboard, &instruction.writes, ready);
                    place.audit.computed(scoreboard, instruction, now + unit.latency);
                }
                Effect::Branch | Effect::Exit | Effect::Barrier | Effect::Arm | Effect::Meet => {
                    next = now + unit.latency
                }
                Effect::Load | Effect::Store | Effect::Atomic => {
                    let ready = now + unit.latency;
                    let whole =
                        self.issue_memory(candidate, scoreboard, instruction, ready, context);
                    if !whole {
                        let block = &self.places[index].block;
                        return Err(block.contradiction(code, slot, "does not ask for every line"));
                    }
                }
            }
        }
        self.refresh_touched(code, index, now + self.control_latency, now);
        self.refresh(code, index, slot, Some(next), now);
        if issued.progress {
            self.free_if_done(index, context);
        }
        Ok(SlotUse::Issued)
    }

    /// Frees a block's place when its threads have ended and its loads have come back.
    fn free_if_done(&mut self, index: usize, context: &mut Context) {
        let place = &mut self.places[index];
        if !place.occupied || place.block.live != 0 || place.loads != 0 {
            return;
        }
        place.occupied = false;
        for &hardware in &place.hardware {
            self.warp_used[usize::from(hardware)] = false;
        }
        let counts = place.block.divergence.counts();
        self.statistics.deepest_stack = self.statistics.deepest_stack.max(counts.deepest_stack);
        self.statistics.blocks += 1;
        context.outcome.blocks_done += 1;
        self.free_registers += self.footprint.registers;
        self.free_shared += self.footprint.shared;
        self.resident_warps -= self.footprint.warps;
    }

    /// Whether nothing is here or under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.resident_warps == 0 && self.load_store.is_idle()
    }

    /// Closes the accounts at the end of the run.
    pub(crate) fn finish(&mut self, cycles: u64) {
        self.account(cycles);
        debug_assert!(self.warp_used.iter().all(|used| !used), "warps are given back");
        debug_assert!(self.places.iter().all(|place| place.loads == 0), "loads have come back");
        let reasons = self.statistics.slot_reasons();
        let slots: u64 = reasons.iter().map(|(_, slots)| slots).sum();
        debug_assert_eq!(slots, cycles * self.queues.len() as u64, "each slot has one reason");
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
    (0..footprint.most_blocks(machine))
        .map(|_| {
            Ok(Place {
                block: Block::new((scheme.build)(&options)?),
                occupied: false,
                scoreboards: Scoreboards::default(),
                audit: Audit::default(),
                hardware: Vec::new(),
                loads: 0,
            })
        })
        .collect()
}

/// A core's schedulers.
fn queues(machine: &Machine, slots_per_warp: usize) -> Result<Vec<IssueQueue>, String> {
    let policy = scheduler::find(&machine.scheduler)?;
    let options = machine.options(policy.name);
    let candidates = machine.core.warps.div_ceil(machine.core.schedulers) as usize * slots_per_warp;
    (0..machine.core.schedulers)
        .map(|_| Ok(IssueQueue::new((policy.build)(&options)?, candidates, machine.pipes.len())))
        .collect()
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

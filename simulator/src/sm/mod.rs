//! A core: resident blocks, schedulers that issue their paths, pipes, the load/store unit.

mod audit;
mod balance;
mod compact;
mod decoupled;
#[cfg(test)]
mod figures;
mod frontend;
mod home_lines;
mod issue;
mod operand_collector;
mod pipes;

mod lsu;

mod residency;

mod runner;

use reconverge_isa::{Unit, WarpResult};

use crate::affine::{self, Affine, Compact};
use crate::block::Block;
use crate::cycle_compression::{self, CycleCompression};
use crate::decode::{Code, unit_index};
use crate::device::GlobalPort;
use crate::divergence::CompactionCounts;
use crate::execute::Executor;
use crate::fault::Trap;
use crate::log::Owner;
use crate::machine::{Machine, ResolvedUnit};
use crate::memory::{Client, Link, NEVER};
use crate::occupancy::Footprint;
use crate::path::SlotId;
use crate::profile::{NOWHERE, Rows};
use crate::register_file::{self, RegisterFile};
use crate::scheduler;
use crate::statistics::Statistics;
use crate::trace::{Recorder, Trace, Window};
use audit::Audit;
use decoupled::AffineUnit;
use frontend::{Fetched, Frontend, Turn};
use home_lines::HomeLines;
use issue::IssueQueue;
pub(crate) use issue::SlotUse;
use issue::{Ready, Scoreboards};
pub(crate) use lsu::{LineKind, LoadId};
use lsu::{LoadStoreUnit, LsuPorts};
use pipes::{Flights, Pipes};
use residency::{affine_place, locals, numbers, places};
use runner::Outcome;
pub(crate) use runner::{Epoch, SmRunner};

/// What a core works with while it steps.
pub(crate) struct Context<'a, 'm> {
    pub(crate) code: &'a Code,
    pub(crate) executor: &'a mut Executor,
    pub(crate) port: &'a mut GlobalPort<'m>,
    pub(crate) memory: &'a mut Link,
    pub(crate) outcome: &'a mut Outcome,
    pub(crate) epoch: Epoch,
    /// Blocks are on their way here.
    pub(crate) arriving: bool,
    pub(crate) now: u64,
}

/// A place for a block.
struct BlockSlot {
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

pub(crate) struct Sm {
    index: usize,
    slots_per_warp: usize,
    /// Paths may hold threads of several warps.
    regroups: bool,
    /// Scoreboards go by threads.
    tracks_threads: bool,
    /// The scheme is told which lanes of loads miss.
    wants_misses: bool,
    /// What forming warps has brought in blocks that have ended. It is no instruction's of this cycle, and so
    /// added to the statistics at the end.
    compaction: CompactionCounts,
    footprint: Footprint,
    units: Vec<ResolvedUnit>,
    control_latency: u64,
    line: u32,
    banks: u32,
    places: Vec<BlockSlot>,
    /// How many of them are for blocks; another one is the affine warp's.
    block_places: usize,
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
    front: Frontend,
    turn: Turn,
    register_file: Box<dyn RegisterFile>,
    /// The next cycle in which something can happen in the register file.
    next_read: u64,
    /// Before this cycle only the load/store unit can have something to do.
    quiet_until: u64,
    flights: Flights,
    pipes: Pipes,
    /// Lanes of a warp.
    width: u32,
    /// Leaves out passes, if the scheme ever does.
    compression: Option<Box<dyn CycleCompression>>,
    /// It has to be told in which physical lanes threads sit.
    permutes: bool,
    /// Executes compact values once, if anything does.
    compact: Option<Box<Compact>>,
    load_store: LoadStoreUnit,
    /// The affine warp, if the machine has one.
    affine: Option<Box<AffineUnit>>,
    /// Its tuple queue has room, and the cycle from which control flow lets it go on.
    tuple_room: bool,
    affine_next: u64,
    /// Blocks that ever came here: their ages.
    arrivals: u64,
    resident_warps: u64,
    /// What all blocks that are here hold.
    held: Held,
    /// Cycles whose issue slots are counted.
    accounted: u64,
    /// What keeps instructions out of the register file in those after them.
    kept_out: Option<SlotUse>,
    pub(crate) statistics: Statistics,
    /// What its instructions cost, if that is asked for.
    pub(crate) profile: Option<Box<Rows>>,
    words: Vec<u32>,
    addresses: Vec<u64>,
    /// Instructions that leave the register file in a cycle.
    left: Vec<u32>,
    /// Candidates whose instructions have come.
    filled: Vec<usize>,
    recorder: Option<Box<Recorder>>,
}

impl Sm {
    pub(crate) fn new(index: usize, machine: &Machine, footprint: Footprint) -> Result<Sm, String> {
        let places = places(machine, footprint)?;
        let scheme = places.first().map(|place| place.block.capabilities).unwrap_or_default();
        let slots_per_warp = scheme.slots_per_warp;
        let regroups = scheme.regroups;
        let tracks_threads = scheme.tracks_threads;
        let wants_misses = scheme.wants_misses;
        let units = machine.resolved_units();
        let control = unit_index(Unit::Control);
        let warps = machine.core.warps as usize;
        let file = register_file::find(&machine.register_file)?;
        let passes = cycle_compression::find(&machine.cycle_compression)?;
        let compression = (passes.build)(&machine.options(passes.name))?;
        let regular = affine::find(&machine.affine)?;
        let (mut compact, mut prefetcher, mut decoupled) = (None, None, None);
        match (regular.build)(&machine.options(regular.name))? {
            Affine::None => {}
            Affine::Decoupled(built) => decoupled = Some(built),
            Affine::Compact(built) => {
                let built = built.of_core(machine.core.schedulers, places.len());
                compact = Some(Box::new(built));
            }
            Affine::Prefetch(built) => prefetcher = Some(built),
        }
        let mut locals = locals(warps, slots_per_warp, machine.core.schedulers as usize);
        let mut candidates = vec![Candidate::default(); warps * slots_per_warp];
        let affine = decoupled.map(|config| {
            let (place, number) = (places.len(), candidates.len());
            // The affine warp comes behind the warps of the first scheduler.
            let first = locals.iter().filter(|(queue, _)| *queue == 0).count();
            for slot in 0..slots_per_warp {
                candidates.push(Candidate { place: place as u16, slot: SlotId(slot as u16) });
                locals.push((0, (first + slot) as u16));
            }
            Box::new(AffineUnit::new(config, place, number))
        });
        let mut places = places;
        if affine.is_some() {
            places.push(affine_place(machine, candidates.len() - slots_per_warp)?);
        }
        Ok(Sm {
            index,
            slots_per_warp,
            regroups,
            tracks_threads,
            wants_misses,
            compaction: CompactionCounts::default(),
            footprint,
            control_latency: units[usize::from(control)].latency,
            units,
            line: machine.l1.line,
            banks: machine.shared.banks,
            block_places: affine.as_ref().map_or(usize::MAX, |_| places.len() - 1),
            places,
            warp_used: vec![false; warps],
            free_registers: u64::from(machine.core.registers),
            free_shared: u64::from(machine.core.shared_memory),
            front: Frontend::new(machine, index, candidates.len())?,
            candidates,
            numbers: numbers(&locals, machine.core.schedulers as usize),
            locals,
            queues: queues(machine, slots_per_warp)?,
            turn: Turn::default(),
            register_file: (file.build)(&machine.options(file.name))?,
            next_read: NEVER,
            quiet_until: 0,
            flights: Flights::default(),
            pipes: Pipes::new(machine.pipes.values().map(|pipe| pipe.count)),
            width: machine.core.warp_width,
            permutes: compression.compresses() && !machine.lane_map()?.is_identity(),
            compression: Some(compression).filter(|scheme| scheme.compresses()),
            compact,
            load_store: LoadStoreUnit::new(machine, prefetcher)?,
            affine,
            tuple_room: true,
            affine_next: 0,
            arrivals: 0,
            resident_warps: 0,
            held: Held::default(),
            accounted: 0,
            kept_out: None,
            statistics: Statistics::default(),
            profile: None,
            words: Vec::new(),
            addresses: Vec::new(),
            left: Vec::new(),
            filled: Vec::new(),
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

    /// Counts the issue slots of cycles before `now` in which the core slept.
    fn account(&mut self, now: u64) {
        let cycles = now - self.accounted;
        if cycles == 0 {
            return;
        }
        for index in 0..self.queues.len() {
            let reason = self.queues[index].stall(self.kept_out);
            reason.count(&mut self.statistics, cycles);
            if self.profile.is_some() {
                let pc = self.blamed(index, self.kept_out);
                self.profile.iter_mut().for_each(|profile| profile.slots(pc, reason, cycles));
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
    #[inline]
    pub(crate) fn step(&mut self, context: &mut Context) -> Result<u64, Box<Trap>> {
        let now = context.now;
        let has_come = self.step_load_store(context);
        if now < self.quiet_until && !has_come && !self.front.wants_to_ask() {
            // This cycle is counted with the following ones.
            return Ok(self.quiet_until.min(self.load_store.next_event()).max(now + 1));
        }
        self.step_others(has_come, context)
    }

    /// What happens in a cycle beside the work of the load/store unit, from which something may have come.
    #[inline(never)]
    fn step_others(&mut self, has_come: bool, context: &mut Context) -> Result<u64, Box<Trap>> {
        let now = context.now;
        self.account(now);
        let mut has_news = has_come && self.tell(context);
        if self.affine.is_some() {
            has_news |= self.step_affine(context);
        }
        if self.next_read <= now {
            self.step_register_file(context);
            has_news = true;
        }
        if self.front.wants_to_ask() {
            self.front.ask(now, context.memory);
        }
        if !self.queues.iter().any(|queue| queue.may_issue(now) || queue.can_fetch()) {
            // This cycle's slots are counted with the following ones, when the core wakes. Until then what
            // they are lost to stays the same.
            if has_news {
                self.kept_out = self.blocked();
            }
            return Ok(self.next_event(now));
        }
        // The first turn at what they share goes round.
        let first = now as usize % self.queues.len();
        for index in (first..self.queues.len()).chain(0..first) {
            self.step_scheduler(index, context)?;
        }
        self.fetch(context);
        self.count_residents(1);
        self.accounted = now + 1;
        self.kept_out = self.blocked();
        Ok(self.next_event(now))
    }

    /// Whether something here waits for room towards memory.
    pub(crate) fn wants_room(&self) -> bool {
        self.load_store.wants_room()
            || self.front.wants_to_ask()
            || self.affine.as_ref().is_some_and(|affine| affine.wants_room())
    }

    /// What keeps instructions out of the register file now, if it has no room.
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

    fn next_event(&mut self, now: u64) -> u64 {
        self.quiet_until = 0;
        if self.queues.iter().any(IssueQueue::can_fetch) {
            return now + 1;
        }
        let room = self.register_file.has_room();
        let issue = self.queues.iter().map(|queue| queue.next_event(now, room)).min();
        let rest = issue.unwrap_or(NEVER).min(self.next_read);
        let affine = match &self.affine {
            Some(affine) => affine.wake(),
            None => {
                self.quiet_until = rest;
                NEVER
            }
        };
        rest.min(affine).min(self.load_store.next_event()).max(now + 1)
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
            Fetched::Discarded(_) if queue.is_scoreboard_full(local) => {}
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

    /// Takes replies and works on memory instructions; whether something came of it for others.
    #[inline]
    fn step_load_store(&mut self, context: &mut Context) -> bool {
        let mut ports = LsuPorts {
            now: context.now,
            core: self.index,
            memory: &mut *context.memory,
            statistics: &mut self.statistics,
            profile: self.profile.as_deref_mut(),
        };
        while let Some(reply) = ports.memory.receive(ports.now) {
            match reply.client {
                Client::Instructions => self.filled.extend(self.front.fill(&reply)),
                Client::Data | Client::Constants => self.load_store.reply(&reply, &mut ports),
            }
        }
        let was_full = self.load_store.is_full();
        self.load_store.step(&mut ports);
        if let Some(served) = self.load_store.served.take()
            && let Some(recorder) = &mut self.recorder
        {
            recorder.ends(served, context.now + 1);
        }
        let has_room = was_full && !self.load_store.is_full();
        if has_room {
            self.next_read = self.next_read.min(context.now);
        }
        has_room || self.load_store.has_news() || !self.filled.is_empty()
    }

    /// Tells those concerned what has come from memory; whether a candidate's state changed.
    fn tell(&mut self, context: &mut Context) -> bool {
        let mut has_news = false;
        if let Some(parted) = self.load_store.parted.take() {
            self.part(&parted, context);
            has_news = true;
        }
        for number in std::mem::take(&mut self.filled) {
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
            if self.wants_misses {
                let block = &mut self.places[index].block;
                block.divergence.loaded(candidate.slot, id, &mut block.paths);
                self.refresh_parted(context.code, candidate, context.now);
            }
            self.free_if_done(index, context);
            has_news = true;
        }
        has_news
    }

    /// Whether nothing is here or under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.resident_warps == 0
            && self.load_store.is_idle()
            && self.front.is_idle()
            && self.affine_is_idle()
    }

    /// Closes the accounts at the end of the run.
    pub(crate) fn finish(&mut self, cycles: u64) {
        self.account(cycles);
        std::mem::take(&mut self.compaction).add_to(&mut self.statistics);
        self.statistics.prefetches_unused += self.load_store.left();
        self.count_affine(cycles);
        let counts = self.register_file.counts();
        self.statistics.register_reads = counts.reads;
        self.statistics.register_writes = counts.writes;
        self.statistics.register_bank_conflicts = counts.conflicts;
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

/// A core's schedulers.
fn queues(machine: &Machine, slots_per_warp: usize) -> Result<Vec<IssueQueue>, String> {
    let policy = scheduler::find(&machine.scheduler)?;
    let options = machine.options(policy.name);
    let warps = machine.core.warps.div_ceil(machine.core.schedulers) as usize;
    let affine = usize::from(machine.decoupled()?.is_some());
    let candidates = (warps + affine) * slots_per_warp;
    (0..machine.core.schedulers)
        .map(|_| Ok(IssueQueue::new((policy.build)(&options)?, candidates)))
        .collect()
}

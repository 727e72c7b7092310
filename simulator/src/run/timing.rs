//! The timing model: SMs and memory partitions, cycle by cycle, jumping over cycles in which nothing
//! can happen.
//!
//! An action of one of them reaches the others no sooner than the interconnect's latency later. So
//! they run *epochs* of that length independently of each other, in the available threads
//! (`parts.rs`), and hand over packets as they begin and end them (`exchange.rs`); between epochs,
//! on one thread, stores and atomics take place in the order of (cycle, SM), and blocks are given
//! to SMs, where there are any. Nothing depends on the number of threads.

use crate::machine::Machine;
use crate::machine::clock::{Clock, NEVER};
use crate::mechanisms::allocation::sampling::Sampler;
use crate::mechanisms::block_scheduler;
use crate::mechanisms::block_scheduler::{BlockScheduler, SmRoom};
use crate::mechanisms::event::Event;
use crate::memory::device::DeviceMemory;
use crate::memory::endpoint::Memory;
use crate::memory::log::{Applied, Emission};
use crate::observe::profile::Rows;
use crate::observe::samples::{Meter, Samples};
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::run::fault::{Fault, LimitKind, Trap, TrapKind};
use crate::run::livelock::Watch;
use crate::run::occupancy::Footprint;
use crate::run::parts::Parts;
use crate::run::request::{Launch, Limits, Progress, Report, Stopped, Watcher};
use crate::run::stuck::deadlock;
use crate::sm::context::Epoch;
use crate::sm::runner::SmRunner;

/// Epochs between two calls of the progress function.
const PROGRESS_INTERVAL: u64 = 1 << 12;

/// A cycle of an SM, in the order in which stores and atomics are applied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SmCycle {
    cycle: u64,
    sm: usize,
}

struct Gpu<'a> {
    code: &'a Code,
    machine: &'a Machine,
    footprint: Footprint,
    limits: Limits,
    /// The number of instructions, if they are counted individually.
    profile: Option<usize>,
    /// Cycles of an epoch.
    length: u64,
    parts: Parts,
    /// An SM without blocks, if SMs are built only when one arrives: it represents all other SMs
    /// without blocks.
    idle: Option<SmRunner>,
    watch: Watch,
    /// The epoch before.
    before: Epoch,
    instructions: u64,
    /// The first cycle in which a block can start.
    start: u64,
    /// The next block of the grid to start, and how many there are.
    next_block: u64,
    blocks: u64,
    /// Blocks of the grid: after its last, the first starts again.
    of_grid: u64,
    /// Blocks that have left their SMs.
    blocks_done: u64,
    block_scheduler: Box<dyn BlockScheduler>,
    /// The room of each SM.
    rooms: Vec<SmRoom>,
    /// By cycle of an epoch: SMs that do something to global memory in it; kept for its allocation.
    order: Vec<Vec<usize>>,
    /// Finds the best choice of the slot `allocation`, if it has several.
    sampler: Option<Sampler>,
    /// The counters that were read now and then, if that is requested.
    samples: Option<Samples>,
}

/// The cycles that nothing takes less than from an SM to a partition or back.
pub(crate) fn epoch_length(machine: &Machine) -> u64 {
    let interconnect = &machine.interconnect;
    Clock::new(interconnect.clock_mhz, machine.clock_mhz)
        .at_or_before(u64::from(interconnect.latency))
}

/// An SM with the records that a launch requests beside its counters; `profile` is the number of
/// instructions, if they are counted individually.
fn watched(mut sm: SmRunner, limits: &Limits, profile: Option<usize>) -> SmRunner {
    sm.sm().record(limits.trace);
    sm.meter = Meter::new(limits.sampling);
    if let Some(instructions) = profile {
        sm.sm().start_profile(instructions);
    }
    sm
}

/// The GPU at the start of a launch that runs in `threads` threads.
fn build<'a>(
    code: &'a Code,
    request: &Launch,
    footprint: Footprint,
    machine: &'a Machine,
    threads: usize,
) -> Result<Gpu<'a>, Fault> {
    // A machine that was loaded constructs without an error.
    let memories = (0..machine.l2.partitions).map(|_| {
        let mut memory = Memory::new(machine)?;
        memory.meter = Meter::new(request.limits.sampling);
        Ok(memory)
    });
    let block_scheduler = block_scheduler::list::build(machine).map_err(Fault::BadLaunch)?;
    let build_sm = |index| SmRunner::new(index, machine, footprint);
    let mut first = build_sm(0).map_err(Fault::BadLaunch)?;
    // The machine file may admit several blocks by registers; at least one has to fit.
    let need = u64::from(code.shape.warps()) * code.registers as u64;
    if let Some(have) = first.sm().register_capacity()
        && need > have
    {
        return Err(Fault::DoesNotFit { what: "physical registers of warps", need, have });
    }
    let sampling = first.sm().allocation().properties().sampling;
    let room = first.room(None);
    // A large machine takes longer to build than a small grid to run.
    let needs_all = request.timed_blocks() >= u64::from(machine.sms)
        || request.limits.trace.is_some()
        || request.limits.sampling.is_some()
        || sampling.is_some()
        || block_scheduler.watches_slots()
        || first.sm().has_affine();
    let profile = request.profile.then_some(code.instructions.len());
    let (sms, idle) = if needs_all {
        let others = (1..machine.sms as usize).map(build_sm);
        let all = [Ok(first)].into_iter().chain(others);
        let all = all.map(|sm| sm.map(|sm| Some(watched(sm, &request.limits, profile))));
        (all.collect::<Result<_, _>>().map_err(Fault::BadLaunch)?, None)
    } else {
        // Its counts belong to no instruction.
        let idle = watched(first, &request.limits, profile.and(Some(0)));
        ((0..machine.sms).map(|_| None).collect(), Some(idle))
    };
    let parts =
        Parts::new(sms, memories.collect::<Result<_, _>>().map_err(Fault::BadLaunch)?, threads);
    Ok(Gpu {
        code,
        machine,
        footprint,
        limits: request.limits,
        profile,
        length: epoch_length(machine).max(1),
        rooms: vec![room; machine.sms as usize],
        order: vec![Vec::new(); epoch_length(machine).max(1) as usize],
        parts,
        idle,
        watch: Watch::new(request.limits.patience),
        before: Epoch::default(),
        instructions: 0,
        start: machine.sm.launch_latency.into(),
        next_block: 0,
        blocks: request.timed_blocks(),
        of_grid: request.blocks(),
        blocks_done: 0,
        block_scheduler,
        sampler: sampling.map(|sampling| Sampler::new(sampling, machine.sms as usize)),
        samples: request.limits.sampling.map(Samples::new),
    })
}

/// Runs a kernel.
pub(crate) fn run(
    code: &Code,
    request: &Launch,
    footprint: Footprint,
    memory: &mut DeviceMemory,
    machine: &Machine,
    progress: Watcher,
) -> Result<Report, Stopped> {
    // More than there are processors would wait for each other in every epoch.
    let processors = match request.limits.oversubscribe {
        true => usize::MAX,
        false => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let parts = machine.sms as usize + machine.l2.partitions as usize;
    let threads = (request.limits.threads as usize).min(parts).min(processors).max(1);
    let mut gpu = build(code, request, footprint, machine, threads)?;
    let pool =
        match threads {
            1 => None,
            _ => Some(rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(
                |error| Fault::BadLaunch(format!("{threads} threads cannot be had: {error}")),
            )?),
        };
    if let Some(second_level) = &mut memory.second_level {
        second_level.pass_to(gpu.parts.memories());
    }
    let done = match pool {
        None => gpu.run(memory, progress, 1),
        Some(pool) => pool.install(|| gpu.run(memory, progress, threads)),
    };
    let ended = gpu.ended(done);
    if let Some(second_level) = &mut memory.second_level {
        second_level.take_back(gpu.parts.memories());
    }
    ended
}

impl Gpu<'_> {
    /// Runs to the end; the number of cycles.
    fn run(
        &mut self,
        memory: &mut DeviceMemory,
        progress: Watcher,
        threads: usize,
    ) -> Result<u64, Fault> {
        let mut now = 0;
        let mut until_progress = PROGRESS_INTERVAL;
        loop {
            self.sample(now);
            self.dispatch(now)?;
            let epoch = Epoch {
                from: now,
                to: now + self.length,
                all: !self.limits.skip,
                searching: self.watch.is_searching(self.instructions),
            };
            if epoch.searching && !self.before.searching {
                self.parts.sms().for_each(|sm| sm.forget_actions(self.before));
            }
            self.before = epoch;
            let brought = self.parts.run(self.code, memory, epoch, threads);
            self.take_samples();
            self.find_room();
            let trap = if brought.trapped { self.first_trap() } else { None };
            let until = trap.as_ref().map_or(SmCycle { cycle: NEVER, sm: 0 }, |(until, _)| *until);
            let changed = self.settle(memory, epoch, until)?;
            if let Some((_, trap)) = trap {
                return Err(Fault::Trap(*trap));
            }
            self.instructions += brought.instructions;
            self.blocks_done += brought.blocks_done;
            self.watch(epoch, changed || brought.progress)?;
            if self.is_done() {
                let cycles = self.parts.last() + 1;
                self.check_limits(cycles - 1)?;
                self.parts.settle();
                return Ok(cycles);
            }
            until_progress -= 1;
            if until_progress == 0 {
                until_progress = PROGRESS_INTERVAL;
                if progress(self.progress(now)).is_break() {
                    return Err(Fault::Interrupted);
                }
            }
            now = self.next_epoch(now)?;
            self.check_limits(now)?;
        }
    }

    /// Passes the issued instructions of SMs in the last epoch to the sampler, if there is one, and
    /// its choices to the SMs.
    fn sample(&mut self, now: u64) {
        let Some(sampler) = &mut self.sampler else {
            return;
        };
        for (index, sm) in self.parts.sms().enumerate() {
            sampler.issued(index, std::mem::take(&mut sm.outcome.instructions));
        }
        for (sm, choice) in self.parts.sms().zip(sampler.advance(now).into_iter().flatten()) {
            sm.sm().raise_in_l1(&Event::ChoiceMade { choice });
        }
    }

    /// Adds up the parts' readings of their counters in the last epoch.
    fn take_samples(&mut self) {
        let Some(samples) = &mut self.samples else {
            return;
        };
        samples.take(self.parts.meters());
        while samples.is_full() {
            samples.coarsen(self.parts.meters());
        }
    }

    /// SMs that blocks have left in the last epoch have room again.
    fn find_room(&mut self) {
        self.parts.take_left(|index, sm| self.rooms[index] = sm.outcome.room);
    }

    fn has_place(&self) -> bool {
        self.rooms.iter().any(|room| room.free != 0)
    }

    /// Gives blocks to SMs by the block scheduler: each takes at most one per cycle.
    fn dispatch(&mut self, now: u64) -> Result<(), Fault> {
        if self.next_block == self.blocks || !self.has_place() {
            return Ok(());
        }
        if self.block_scheduler.watches_slots() {
            self.rooms.clear();
            self.rooms.extend(self.parts.sms().map(|sm| sm.room(Some(now))));
        }
        debug_assert!((0..self.parts.sm_count()).all(|index| {
            let free = self.rooms[index].free;
            self.parts.sm(index).is_none_or(|sm| sm.room(None).free == free)
        }));
        for cycle in now.max(self.start).. {
            self.rooms.iter_mut().for_each(|room| room.taken = false);
            let mut given = false;
            while self.next_block < self.blocks
                && let Some(sm) = self
                    .block_scheduler
                    .pick(self.next_block, cycle, &self.rooms)
                    .or_else(|| first_of_idle(&self.rooms))
            {
                let room = &mut self.rooms[sm];
                (room.resident, room.free) = (room.resident + 1, room.free - 1);
                room.taken = true;
                let build = || {
                    let sm = SmRunner::new(sm, self.machine, self.footprint)?;
                    Ok(watched(sm, &self.limits, self.profile))
                };
                let block = self.next_block % self.of_grid;
                self.parts.assign(sm, block, cycle, build).map_err(Fault::BadLaunch)?;
                self.next_block += 1;
                given = true;
            }
            if !given {
                break;
            }
        }
        Ok(())
    }

    /// The first trap of an epoch with its cycle and SM.
    fn first_trap(&mut self) -> Option<(SmCycle, Box<Trap>)> {
        let traps = (0..self.parts.sm_count()).filter_map(|sm| {
            let (cycle, trap) = self.parts.sm(sm)?.outcome.trap.take()?;
            Some((SmCycle { cycle, sm }, trap))
        });
        traps.min_by_key(|(at, _)| *at)
    }

    /// Applies the stores and atomics before an SM's turn in a cycle, that turn included. Returns true if memory changed.
    fn settle(
        &mut self,
        memory: &mut DeviceMemory,
        epoch: Epoch,
        until: SmCycle,
    ) -> Result<bool, Fault> {
        let (order, mut any) = (&mut self.order, false);
        self.parts.take_logged(|index, sm| {
            any = true;
            sm.log.cycles().for_each(|cycle| order[(cycle - epoch.from) as usize].push(index));
        });
        let mut changed = false;
        if !any {
            return Ok(changed);
        }
        for (cycle, sms) in (epoch.from..).zip(&mut self.order) {
            for index in sms.drain(..).filter(|&sm| SmCycle { cycle, sm } <= until) {
                let Some(sm) = self.parts.sm(index) else { continue };
                loop {
                    changed |= sm.log.store(cycle, memory.global);
                    let Some(applied) = sm.log.apply(cycle, memory.global) else {
                        break;
                    };
                    changed |= take_place(self.code, memory, sm, applied)?;
                }
            }
        }
        Ok(changed)
    }

    /// Looks for a livelock, after an epoch with or without progress.
    fn watch(&mut self, epoch: Epoch, progress: bool) -> Result<(), Fault> {
        if progress {
            self.watch.progress(self.instructions);
        }
        if !epoch.searching {
            return Ok(());
        }
        let mut recurs = false;
        for sm in self.parts.sms() {
            for branch in sm.outcome.backward.drain(..) {
                recurs |= !progress && self.watch.backward(branch, self.instructions);
            }
        }
        if recurs {
            let mut all = self.parts.sms().flat_map(|sm| sm.runnable(self.code));
            if self.watch.all_recur(&mut all) {
                drop(all);
                return Err(self.deadlock());
            }
        }
        Ok(())
    }

    fn deadlock(&mut self) -> Fault {
        let waits = self.parts.sms().flat_map(|sm| sm.mechanism_waits(self.code)).collect();
        let mut blocks = self.parts.sms().flat_map(|sm| sm.blocks());
        deadlock(self.code, &self.watch, &mut blocks, waits, self.blocks - self.next_block)
    }

    fn is_done(&mut self) -> bool {
        self.blocks_done == self.blocks && self.parts.are_idle()
    }

    /// The start of the next epoch in which something can happen.
    fn next_epoch(&mut self, now: u64) -> Result<u64, Fault> {
        let next = now + self.length;
        if self.next_block < self.blocks && self.has_place() {
            return Ok(next);
        }
        match self.parts.wake(next) {
            // Only barriers, and queues between two streams, hold a path forever.
            NEVER => Err(self.deadlock()),
            wake if self.limits.skip => Ok((wake / self.length * self.length).max(next)),
            _ => Ok(next),
        }
    }

    fn check_limits(&self, now: u64) -> Result<(), Fault> {
        let over = |limit, value, count| {
            if count >= value { Err(Fault::Limit { limit, value }) } else { Ok(()) }
        };
        over(LimitKind::Cycles, self.limits.cycles, now)?;
        over(LimitKind::Instructions, self.limits.instructions, self.instructions)
    }

    fn progress(&self, now: u64) -> Progress {
        Progress {
            blocks_done: self.blocks_done,
            blocks: self.blocks,
            cycles: now,
            instructions: self.instructions,
        }
    }

    /// The report of a run with its number of cycles, or of one that a fault has ended.
    fn ended(&mut self, done: Result<u64, Fault>) -> Result<Report, Stopped> {
        let cycles = match done {
            Ok(cycles) => cycles,
            Err(fault) => {
                // A run that the limit of cycles ends has waited until then, if for nothing.
                let waited = match fault {
                    Fault::Limit { limit: LimitKind::Cycles, value } => value,
                    _ => 0,
                };
                let cycles = waited.max(self.parts.last() + 1);
                return Err(Stopped { fault, report: Some(Box::new(self.report(cycles))) });
            }
        };
        let report = self.report(cycles);
        match self.unbalanced(cycles) {
            Some(what) => {
                Err(Stopped { fault: Fault::Unbalanced { what }, report: Some(Box::new(report)) })
            }
            None => Ok(report),
        }
    }

    /// A sentence about a resource that is still in use, or missing, although the run has ended.
    fn unbalanced(&mut self, cycles: u64) -> Option<String> {
        let found = (0..self.parts.sm_count()).find_map(|index| {
            let what = self.parts.sm(index)?.unbalanced(self.machine, cycles)?;
            Some(format!("SM {index} has {what}"))
        });
        found.or_else(|| {
            self.parts.memories().enumerate().find_map(|(index, memory)| {
                Some(format!("partition {index} has {}", memory.unbalanced()?))
            })
        })
    }

    /// The counters of a finished run of `cycles` cycles: closes the accounts.
    fn report(&mut self, cycles: u64) -> Report {
        let start = self.code.statistics();
        if self.samples.is_some() {
            let before_end = cycles.saturating_sub(1);
            self.parts.sms().for_each(|sm| sm.measure(before_end));
            self.parts.memories().for_each(|memory| memory.measure(before_end));
            self.take_samples();
        }
        let mut total = start.clone();
        let mut sms = Vec::with_capacity(self.parts.sm_count());
        let traces = self.parts.sms().filter_map(|sm| sm.sm().take_trace()).collect();
        let mut profile = self.profile.map(Rows::new);
        let idle = self.idle.as_mut().map(|sm| Counted::by(sm, cycles)).unwrap_or_default();
        for index in 0..self.parts.sm_count() {
            let sm = self.parts.sm(index).map(|sm| Counted::by(sm, cycles));
            let Counted { statistics, rows } = sm.as_ref().unwrap_or(&idle);
            total.merge(statistics);
            sms.push(statistics.clone());
            if let (Some(profile), Some(rows)) = (&mut profile, rows) {
                profile.merge(rows);
            }
        }
        for memory in self.parts.memories() {
            total.merge(&memory.statistics(cycles));
        }
        let first_fetches = self.parts.sms().filter_map(|sm| sm.sm().first_fetch());
        total.first_fetch_cycles = first_fetches.min().unwrap_or(0);
        let profile = profile.map(|rows| Box::new(rows.finish(self.code)));
        let samples = self.samples.take().map(|samples| samples.finish(&start, cycles, &total));
        let samples = samples.unwrap_or_default();
        Report { cycles, statistics: total, sms, traces, profile, samples }
    }
}

/// The counters of an SM in a run.
#[derive(Default)]
struct Counted {
    statistics: Statistics,
    rows: Option<Box<Rows>>,
}

impl Counted {
    /// The counts of an SM in a finished run of `cycles` cycles.
    fn by(sm: &mut SmRunner, cycles: u64) -> Counted {
        Counted { statistics: sm.finish(cycles), rows: sm.sm().take_profile() }
    }
}

/// The first SM with room if no block is resident anywhere: then nothing would ever happen that could make a
/// scheduler give out a block which it holds back.
fn first_of_idle(rooms: &[SmRoom]) -> Option<usize> {
    let is_idle = rooms.iter().all(|room| room.resident == 0);
    if is_idle { rooms.iter().position(|room| room.free != 0) } else { None }
}

/// An SM's accesses to global memory become known to those that wait for them; whether they changed
/// memory.
fn take_place(
    code: &Code,
    memory: &mut DeviceMemory,
    sm: &mut SmRunner,
    applied: Applied,
) -> Result<bool, Fault> {
    match applied {
        Applied::Performed { owner, result, changed } => {
            let done = sm.sm().complete(code, &owner, &result);
            return done.map(|()| changed).map_err(|trap| Fault::Trap(*trap));
        }
        Applied::Emitted(emission) => emit(code, memory, emission)?,
        Applied::Check(waiting) => {
            if let Some(checker) = &mut memory.checker {
                checker.take(&waiting, memory.global);
            }
        }
    }
    Ok(false)
}

/// A thread prints a word.
fn emit(code: &Code, memory: &mut DeviceMemory, emission: Emission) -> Result<(), Fault> {
    let Emission { block, thread, pc, word } = emission;
    if memory.emitted.add(block, thread, word) {
        return Ok(());
    }
    Err(Fault::Trap(Trap {
        kind: TrapKind::OutputFull,
        block: code.block_index(block),
        thread: code.thread_index(u32::from(thread)),
        pc,
    }))
}

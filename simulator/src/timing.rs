//! The timing model: SMs and memory partitions, cycle by cycle, jumping over cycles in which nothing
//! can happen.
//!
//! What one of them does is known to the others no sooner than the interconnect's latency later. So
//! they run *epochs* of that length independently of each other, in as many threads as there are;
//! between epochs, on one thread, packets are handed over, stores and atomics take place in the order
//! of (cycle, SM), and blocks are given to SMs. Nothing depends on the number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::allocation::sampling::Sampler;
use crate::block_scheduler::{self, BlockScheduler, SmRoom};
use crate::clock::Clock;
use crate::decode::Code;
use crate::device::DeviceMemory;
use crate::fault::{Fault, LimitKind, Trap, TrapKind};
use crate::functional::deadlock;
use crate::launch::{Launch, Limits, Progress, Report, Stopped, Watcher};
use crate::livelock::Watch;
use crate::log::{Applied, Emission};
use crate::machine::Machine;
use crate::memory::{Memory, NEVER};
use crate::occupancy::Footprint;
use crate::profile::Rows;
use crate::samples::{Meter, Samples};
use crate::sm::{Epoch, SmRunner};

/// Epochs between two calls of the progress function.
const PROGRESS_INTERVAL: u64 = 1 << 12;

/// How often a thread that is through with an epoch looks whether the others are before it sleeps: fifty
/// microseconds or so.
const PATIENCE: u32 = 2500;

/// What runs an epoch by itself.
enum Part<'a> {
    Sm(&'a mut SmRunner),
    Memory(&'a mut Memory),
}

/// Counts down when a part has run its epoch, or panicked.
struct Ended<'a>(&'a AtomicUsize);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

struct Gpu<'a> {
    code: &'a Code,
    limits: Limits,
    /// Cycles of an epoch.
    length: u64,
    sms: Vec<SmRunner>,
    memories: Vec<Memory>,
    watch: Watch,
    instructions: u64,
    /// The first cycle in which a block can start.
    start: u64,
    /// The next block of the grid to start, and how many there are.
    next_block: u64,
    blocks: u64,
    /// Blocks that have left their SMs.
    blocks_done: u64,
    block_scheduler: Box<dyn BlockScheduler>,
    /// What SMs have room for; kept for its allocation.
    rooms: Vec<SmRoom>,
    /// Finds the best choice of the slot `allocation`, if it has several.
    sampler: Option<Sampler>,
    /// What was read of counters now and then, if that is asked for.
    samples: Option<Samples>,
}

/// The cycles that nothing takes less than from an SM to a partition or back.
pub(crate) fn epoch_length(machine: &Machine) -> u64 {
    let interconnect = &machine.interconnect;
    Clock::new(interconnect.clock_mhz, machine.clock_mhz)
        .at_or_before(u64::from(interconnect.latency))
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
    // A machine that was loaded constructs without an error.
    let sms = (0..machine.sms as usize).map(|index| SmRunner::new(index, machine, footprint));
    let memories = (0..machine.l2.partitions).map(|_| {
        let mut memory = Memory::new(machine)?;
        memory.meter = Meter::new(request.limits.sampling);
        Ok(memory)
    });
    let sms = sms.map(|sm| {
        sm.map(|mut sm| {
            sm.sm().record(request.limits.trace);
            sm.meter = Meter::new(request.limits.sampling);
            sm
        })
    });
    let scheduler = block_scheduler::find(&machine.block_scheduler).map_err(Fault::BadLaunch)?;
    let blocks = (scheduler.build)(&machine.options(scheduler.name), machine.sms as usize);
    let mut gpu = Gpu {
        code,
        limits: request.limits,
        length: epoch_length(machine).max(1),
        sms: sms.collect::<Result<_, _>>().map_err(Fault::BadLaunch)?,
        memories: memories.collect::<Result<_, _>>().map_err(Fault::BadLaunch)?,
        watch: Watch::new(request.limits.patience),
        instructions: 0,
        start: machine.sm.launch_latency.into(),
        next_block: 0,
        blocks: request.blocks(),
        blocks_done: 0,
        block_scheduler: blocks.map_err(Fault::BadLaunch)?,
        rooms: Vec::new(),
        sampler: None,
        samples: request.limits.sampling.map(Samples::new),
    };
    // Blocks come beside each other for as many registers as the machine file says; one has to fit.
    let need = u64::from(code.shape.warps()) * code.registers as u64;
    if let Some(have) = gpu.sms.first_mut().and_then(|sm| sm.sm().register_capacity())
        && need > have
    {
        return Err(Fault::DoesNotFit { what: "physical registers of warps", need, have }.into());
    }
    let sampling = gpu.sms.first_mut().and_then(|sm| sm.sm().allocation().sampling());
    gpu.sampler = sampling.map(|sampling| Sampler::new(sampling, gpu.sms.len()));
    if request.profile {
        for sm in &mut gpu.sms {
            sm.sm().start_profile(code.instructions.len());
        }
    }
    // More than there are processors would wait for each other in every epoch.
    let processors = match request.limits.oversubscribe {
        true => usize::MAX,
        false => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let parts = gpu.sms.len() + gpu.memories.len();
    let done = match (request.limits.threads as usize).min(parts).min(processors) {
        0 | 1 => gpu.run(memory, progress, 1),
        threads => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.map_err(|error| {
                Fault::BadLaunch(format!("{threads} threads cannot be had: {error}"))
            })?;
            pool.install(|| gpu.run(memory, progress, threads))
        }
    };
    let cycles = match done {
        Ok(cycles) => cycles,
        Err(fault) => {
            let cycles = gpu.last() + 1;
            return Err(Stopped { fault, report: Some(Box::new(gpu.report(cycles))) });
        }
    };
    let report = gpu.report(cycles);
    match gpu.unbalanced(machine, cycles) {
        Some(what) => {
            Err(Stopped { fault: Fault::Unbalanced { what }, report: Some(Box::new(report)) })
        }
        None => Ok(report),
    }
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
            self.dispatch(now);
            let epoch = Epoch {
                from: now,
                to: now + self.length,
                all: !self.limits.skip,
                searching: self.watch.is_searching(self.instructions),
            };
            self.step(memory, epoch, threads);
            self.take_samples();
            let trap = self.first_trap();
            self.exchange();
            let until = trap.as_ref().map_or((NEVER, 0), |(cycle, sm, _)| (*cycle, *sm));
            let changed = self.settle(memory, epoch, until)?;
            if let Some((.., trap)) = trap {
                return Err(Fault::Trap(*trap));
            }
            self.watch(changed)?;
            if self.is_done() {
                let cycles = self.last() + 1;
                self.check_limits(cycles - 1)?;
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

    /// Tells the sampler, if there is one, what SMs have issued in the last epoch, and SMs what to use in the next one.
    fn sample(&mut self, now: u64) {
        let Some(sampler) = &mut self.sampler else {
            return;
        };
        for (index, sm) in self.sms.iter().enumerate() {
            sampler.issued(index, sm.outcome.instructions);
        }
        for (sm, choice) in self.sms.iter_mut().zip(sampler.advance(now).into_iter().flatten()) {
            sm.sm().allocation().choose(choice);
        }
    }

    /// Adds up what parts have read of their counters in the last epoch.
    fn take_samples(&mut self) {
        let Some(samples) = &mut self.samples else {
            return;
        };
        samples.take(meters(&mut self.sms, &mut self.memories));
        while samples.is_full() {
            samples.coarsen(meters(&mut self.sms, &mut self.memories));
        }
    }

    /// Gives blocks to SMs, as the block scheduler says: each takes at most one a cycle.
    fn dispatch(&mut self, now: u64) {
        if self.next_block == self.blocks || !self.sms.iter().any(SmRunner::has_place) {
            return;
        }
        self.rooms.clear();
        let watches = self.block_scheduler.watches_slots();
        self.rooms.extend(self.sms.iter_mut().map(|sm| sm.room(watches, now)));
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
                self.sms[sm].assign(self.next_block, cycle);
                self.next_block += 1;
                given = true;
            }
            if !given {
                return;
            }
        }
    }

    /// Everything that happens in an epoch. Each thread begins with parts of its own, the same in every epoch, whose state is
    /// in its caches perhaps; one that is through takes what others have not begun.
    fn step(&mut self, memory: &DeviceMemory, epoch: Epoch, threads: usize) {
        let code = self.code;
        let (sms, memories) = (&mut self.sms, &mut self.memories);
        let run = |part: Part<'_>| match part {
            Part::Sm(sm) => sm.run(code, memory, epoch),
            Part::Memory(memory) => memory.run(epoch.from, epoch.to, epoch.all),
        };
        let sms = sms.iter_mut().map(Part::Sm);
        let parts = sms.chain(memories.iter_mut().map(Part::Memory));
        if threads <= 1 {
            return parts.for_each(run);
        }
        let parts: Vec<_> = parts.map(|part| Mutex::new(Some(part))).collect();
        let left = AtomicUsize::new(parts.len());
        let take = |part: &Mutex<Option<Part>>| {
            let part = part.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(part) = part {
                let _ended = Ended(&left);
                run(part);
            }
        };
        // The thread that has begun a part ends it; no other thread has to be scheduled for that.
        let work = &|first: usize| {
            parts.iter().skip(first).step_by(threads).for_each(take);
            parts.iter().rev().for_each(take);
            // What the others still have takes less time than falling asleep and waking up.
            for _ in 0..PATIENCE {
                if left.load(Ordering::Acquire) == 0 {
                    break;
                }
                std::hint::spin_loop();
            }
        };
        rayon::scope(|scope| {
            (1..threads).for_each(|first| scope.spawn(move |_| work(first)));
            work(0);
        });
    }

    /// The first trap of an epoch with its cycle and SM.
    fn first_trap(&mut self) -> Option<(u64, usize, Box<Trap>)> {
        let traps = self.sms.iter_mut().enumerate().filter_map(|(index, sm)| {
            let (cycle, trap) = sm.outcome.trap.take()?;
            Some((cycle, index, trap))
        });
        traps.min_by_key(|(cycle, ..)| *cycle)
    }

    /// Hands over packets and credits.
    fn exchange(&mut self) {
        for (index, sm) in self.sms.iter_mut().enumerate() {
            sm.link.sender.hand_over(|sent, written| {
                self.memories[usize::from(sent.sink)].receiver.arrive(index, sent, written);
            });
            for credit in sm.link.receiver.take_freed() {
                self.memories[usize::from(credit.source)].sender.credit(index, credit);
            }
        }
        for (index, memory) in self.memories.iter_mut().enumerate() {
            memory.sender.hand_over(|sent, written| {
                self.sms[usize::from(sent.sink)].link.receiver.arrive(index, sent, written);
            });
            for credit in memory.receiver.take_freed() {
                self.sms[usize::from(credit.source)].link.sender.credit(index, credit);
            }
        }
        self.sms.iter_mut().for_each(SmRunner::notice);
        self.memories.iter_mut().for_each(Memory::notice);
    }

    /// Lets stores and atomics take place, up to those of an SM in a cycle; whether that changed memory.
    fn settle(
        &mut self,
        memory: &mut DeviceMemory,
        epoch: Epoch,
        until: (u64, usize),
    ) -> Result<bool, Fault> {
        let mut changed = false;
        let next = |sms: &[SmRunner]| sms.iter().filter_map(|sm| sm.log.next_cycle()).min();
        let mut cycle = next(&self.sms);
        while let Some(now) = cycle.filter(|now| *now <= until.0) {
            debug_assert!((epoch.from..epoch.to).contains(&now));
            for (index, sm) in self.sms.iter_mut().enumerate() {
                if (now, index) > until {
                    break;
                }
                while sm.log.next_cycle() == Some(now)
                    && let Some(applied) = sm.log.apply(memory.global)
                {
                    match applied {
                        Applied::Stored(new) => changed |= new,
                        Applied::Performed { owner, result, changed: new } => {
                            changed |= new;
                            let done = sm.sm().complete(self.code, &owner, &result);
                            done.map_err(|trap| Fault::Trap(*trap))?;
                        }
                        Applied::Emitted(emission) => emit(self.code, memory, emission)?,
                        Applied::Check(waiting) => {
                            if let Some(checker) = &mut memory.checker {
                                checker.take(&waiting, memory.global);
                            }
                        }
                    }
                }
            }
            cycle = next(&self.sms).filter(|next| *next > now);
        }
        // After a trap there is something left that does not take place.
        if until.0 == NEVER {
            self.sms.iter_mut().for_each(|sm| sm.log.clear());
        }
        Ok(changed)
    }

    /// Looks for a livelock, after an epoch that changed global memory or did not.
    fn watch(&mut self, changed: bool) -> Result<(), Fault> {
        let outcomes = self.sms.iter().map(|sm| &sm.outcome);
        self.instructions += outcomes.clone().map(|outcome| outcome.instructions).sum::<u64>();
        self.blocks_done += outcomes.clone().map(|outcome| outcome.blocks_done).sum::<u64>();
        if changed || outcomes.clone().any(|outcome| outcome.progress) {
            self.watch.progress(self.instructions);
            return Ok(());
        }
        let mut recurs = false;
        for &(path, state) in outcomes.flat_map(|outcome| &outcome.backward) {
            recurs |= self.watch.backward(path, state, self.instructions);
        }
        let runnable = self.sms.iter().flat_map(|sm| sm.runnable(self.code));
        if recurs && self.watch.all_recur(runnable) {
            return Err(self.deadlock());
        }
        Ok(())
    }

    fn deadlock(&self) -> Fault {
        let waits = self.sms.iter().flat_map(|sm| sm.mechanism_waits(self.code)).collect();
        let mut blocks = self.sms.iter().flat_map(SmRunner::blocks);
        deadlock(self.code, &self.watch, &mut blocks, waits)
    }

    fn is_done(&self) -> bool {
        self.blocks_done == self.blocks
            && self.sms.iter().all(SmRunner::is_idle)
            && self.memories.iter().all(Memory::is_idle)
    }

    /// The last cycle in which something happened.
    fn last(&self) -> u64 {
        let sms = self.sms.iter().map(SmRunner::last);
        sms.chain(self.memories.iter().map(Memory::last)).max().unwrap_or(0)
    }

    /// The start of the next epoch in which something can happen.
    fn next_epoch(&self, now: u64) -> Result<u64, Fault> {
        let next = now + self.length;
        if self.next_block < self.blocks && self.sms.iter().any(SmRunner::has_place) {
            return Ok(next);
        }
        let wakes = self.sms.iter().map(SmRunner::wake);
        match wakes.chain(self.memories.iter().map(Memory::wake)).min() {
            None | Some(NEVER) => {
                // Only barriers hold a path without end, and queues between two streams.
                Err(self.deadlock())
            }
            Some(wake) if self.limits.skip => Ok((wake / self.length * self.length).max(next)),
            Some(_) => Ok(next),
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

    /// What is still somewhere in the machine, or missing, although the run is over.
    fn unbalanced(&self, machine: &Machine, cycles: u64) -> Option<String> {
        let sms = self.sms.iter().enumerate().find_map(|(index, sm)| {
            Some(format!("SM {index} has {}", sm.unbalanced(machine, cycles)?))
        });
        let mut memories = self.memories.iter().enumerate();
        sms.or_else(|| {
            memories.find_map(|(index, memory)| {
                Some(format!("partition {index} has {}", memory.unbalanced()?))
            })
        })
    }

    /// What was counted in a run of so many cycles, which is over: closes the accounts.
    fn report(&mut self, cycles: u64) -> Report {
        let start = self.code.statistics();
        if self.samples.is_some() {
            let before_end = cycles.saturating_sub(1);
            self.sms.iter_mut().for_each(|sm| sm.measure(before_end));
            self.memories.iter_mut().for_each(|memory| memory.measure(before_end));
            self.take_samples();
        }
        let mut total = start.clone();
        let mut sms = Vec::with_capacity(self.sms.len());
        let traces = self.sms.iter_mut().filter_map(|sm| sm.sm().take_trace()).collect();
        let mut profile: Option<Box<Rows>> = None;
        for sm in &mut self.sms {
            let statistics = sm.finish(cycles);
            total.merge(&statistics);
            sms.push(statistics);
            match (&mut profile, sm.sm().take_profile()) {
                (Some(profile), Some(other)) => profile.merge(&other),
                (None, first) => profile = first,
                (Some(_), None) => {}
            }
        }
        for memory in &self.memories {
            total.merge(&memory.statistics(cycles));
        }
        let profile = profile.map(|rows| rows.finish(self.code));
        let samples = self.samples.take().map(|samples| samples.finish(&start, cycles, &total));
        let samples = samples.unwrap_or_default();
        Report { cycles, statistics: total, sms, traces, profile, samples }
    }
}

/// What all parts read their counters with.
fn meters<'m>(
    sms: &'m mut [SmRunner],
    memories: &'m mut [Memory],
) -> impl Iterator<Item = &'m mut Meter> {
    let sms = sms.iter_mut().map(|sm| &mut sm.meter);
    sms.chain(memories.iter_mut().map(|memory| &mut memory.meter))
}

/// The first SM with room if no block is resident anywhere: then nothing would ever happen that could make a
/// scheduler give out a block which it holds back.
fn first_of_idle(rooms: &[SmRoom]) -> Option<usize> {
    let is_idle = rooms.iter().all(|room| room.resident == 0);
    if is_idle { rooms.iter().position(|room| room.free != 0) } else { None }
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

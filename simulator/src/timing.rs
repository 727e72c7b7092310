//! The timing model: cores and the memory system, cycle by cycle, jumping over cycles in which
//! nothing can happen.

use crate::core::{Context, Core};
use crate::decode::Code;
use crate::device::{DeviceMemory, GlobalPort};
use crate::execute::Executor;
use crate::fault::{Fault, LimitKind};
use crate::functional::{deadlock, runnable};
use crate::launch::{Footprint, Launch, Limits, Progress, Report};
use crate::livelock::Watch;
use crate::machine::Machine;
use crate::memory::{MemorySystem, NEVER};
use crate::statistics::Statistics;

/// Cycles that are stepped between two calls of the progress function.
const PROGRESS_INTERVAL: u64 = 1 << 16;

struct Gpu<'a, 'm, 'd> {
    code: &'a Code,
    limits: Limits,
    cores: Vec<Core>,
    /// By core: the next cycle in which something can happen there.
    wakes: Vec<u64>,
    memory: MemorySystem,
    executor: Executor,
    port: GlobalPort<'m, 'd>,
    watch: Watch,
    instructions: u64,
    /// The next block of the grid to start, and how many there are.
    next_block: u64,
    blocks: u64,
    /// Blocks that have left their cores.
    blocks_done: u64,
    /// The core that is offered a block first.
    next_core: usize,
    /// A core may have room for a block.
    can_dispatch: bool,
}

/// Runs a kernel.
pub(crate) fn run(
    code: &Code,
    request: &Launch,
    footprint: Footprint,
    memory: &mut DeviceMemory,
    machine: &Machine,
    progress: &mut dyn FnMut(Progress),
) -> Result<Report, Fault> {
    // A machine that was loaded constructs without an error.
    let cores = (0..machine.cores as usize)
        .map(|index| Core::new(index, machine, footprint))
        .collect::<Result<Vec<_>, _>>()
        .map_err(Fault::BadLaunch)?;
    let mut gpu = Gpu {
        code,
        limits: request.limits,
        wakes: vec![NEVER; cores.len()],
        cores,
        memory: MemorySystem::new(machine).map_err(Fault::BadLaunch)?,
        executor: Executor::new(),
        port: GlobalPort::new(memory),
        watch: Watch::new(request.limits.patience),
        instructions: 0,
        next_block: 0,
        blocks: request.blocks(),
        blocks_done: 0,
        next_core: 0,
        can_dispatch: true,
    };
    let cycles = gpu.run(progress)?;
    Ok(gpu.report(cycles))
}

impl Gpu<'_, '_, '_> {
    /// Runs to the end; the number of cycles.
    fn run(&mut self, progress: &mut dyn FnMut(Progress)) -> Result<u64, Fault> {
        let mut now = 0;
        let mut until_progress = PROGRESS_INTERVAL;
        loop {
            self.dispatch(now);
            self.step(now)?;
            if self.is_done() {
                return Ok(now + 1);
            }
            until_progress -= 1;
            if until_progress == 0 {
                until_progress = PROGRESS_INTERVAL;
                progress(self.progress(now));
            }
            now = self.next_cycle(now)?;
            self.check_limits(now)?;
        }
    }

    /// Offers blocks to the cores, one a core and cycle, in turn.
    fn dispatch(&mut self, now: u64) {
        if self.next_block == self.blocks || !self.can_dispatch {
            return;
        }
        self.can_dispatch = false;
        let count = self.cores.len();
        let first = self.next_core;
        for turn in 0..count {
            let index = (first + turn) % count;
            let core = &mut self.cores[index];
            if self.next_block < self.blocks && core.try_start(self.code, self.next_block, now) {
                self.next_block += 1;
                self.next_core = (index + 1) % count;
                self.can_dispatch = true;
                self.wakes[index] = now;
            }
        }
    }

    /// Everything that happens in a cycle.
    fn step(&mut self, now: u64) -> Result<(), Fault> {
        let all = !self.limits.skip;
        let mut context = Context {
            code: self.code,
            executor: &mut self.executor,
            port: &mut self.port,
            memory: &mut self.memory,
            watch: &mut self.watch,
            instructions: &mut self.instructions,
            now,
            recurs: false,
            blocks_done: 0,
        };
        for (core, wake) in self.cores.iter_mut().zip(&mut self.wakes) {
            if all || *wake <= now {
                *wake = core.step(&mut context).map_err(|trap| Fault::Trap(*trap))?;
            }
        }
        let (recurs, blocks_done) = (context.recurs, context.blocks_done);
        self.blocks_done += blocks_done;
        self.can_dispatch |= blocks_done != 0;
        if all || self.memory.wake <= now {
            let wakes = &mut self.wakes;
            self.memory.step(now, |core, cycle| wakes[core] = wakes[core].min(cycle));
        }
        if recurs && self.watch.all_recur(self.live_blocks().flat_map(runnable)) {
            return Err(self.deadlock());
        }
        Ok(())
    }

    fn live_blocks(&self) -> impl Iterator<Item = &crate::block::Block> {
        self.cores.iter().flat_map(Core::blocks)
    }

    fn deadlock(&self) -> Fault {
        deadlock(self.code, &mut self.live_blocks())
    }

    fn is_done(&self) -> bool {
        self.blocks_done == self.blocks
            && self.memory.is_idle()
            && self.cores.iter().all(Core::is_idle)
    }

    /// The next cycle in which something can happen.
    fn next_cycle(&self, now: u64) -> Result<u64, Fault> {
        if self.next_block < self.blocks && self.can_dispatch {
            return Ok(now + 1);
        }
        let wake = self.wakes.iter().fold(self.memory.wake, |wake, &core| wake.min(core));
        match wake {
            NEVER => {
                let mut runnable = self.live_blocks().flat_map(runnable);
                debug_assert!(runnable.next().is_none(), "only barriers hold a path for ever");
                Err(self.deadlock())
            }
            _ if self.limits.skip => Ok(wake.max(now + 1)),
            _ => Ok(now + 1),
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

    fn report(mut self, cycles: u64) -> Report {
        let mut total = Statistics::default();
        let mut cores = Vec::with_capacity(self.cores.len());
        for core in &mut self.cores {
            core.finish(cycles);
            core.statistics.cycles = cycles;
            total.merge(&core.statistics);
            cores.push(core.statistics.clone());
        }
        total.merge(&self.memory.statistics(cycles));
        Report { cycles, statistics: total, cores }
    }
}

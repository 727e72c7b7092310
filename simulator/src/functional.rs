//! The functional model: results and instruction counts, no time.
//!
//! Blocks run one after another; the paths of a block take turns, so that threads that wait for
//! each other can go on. A block that waits for a later block is stuck here, as it may be on a GPU.

use reconverge_isa::{BranchTaint, Effect};

use crate::affine::decoupled::{AffineWarp, Broken, Event, Executed};
use crate::block::Block;
use crate::decode::Code;
use crate::device::{DeviceMemory, GlobalPort};
use crate::divergence;
use crate::execute::Executor;
use crate::fault::{AffineWait, AffineWaiter, Fault, LimitKind, MAX_WAITERS, Waiter};
use crate::launch::{Launch, Limits, Progress, Report, Watcher};
use crate::livelock::{Key, Watch, fingerprint, waiting};
use crate::machine::Machine;
use crate::path::{SlotId, SlotState};
use crate::profile::{Row, Rows};
use crate::statistics::Statistics;

/// Instructions of a path's turn, and of the affine warp for it.
const TURN: u32 = 512;

/// Instructions between two calls of the progress function.
const PROGRESS_INTERVAL: u64 = 1 << 20;

/// Counts an instruction, for both models.
#[inline(always)]
pub(crate) fn count(
    statistics: &mut Statistics,
    code: &Code,
    effect: Effect,
    issued: &crate::block::Issued,
) {
    statistics.warp_instructions += 1;
    statistics.schedulable_paths += issued.paths;
    statistics.thread_instructions += u64::from(issued.active.count_ones());
    statistics.predicated_off_instructions +=
        u64::from(issued.mask == 0 && effect != Effect::Branch);
    match effect {
        Effect::Compute | Effect::Divide | Effect::Exit | Effect::Bssy | Effect::Bsync => {}
        Effect::Enqueue => {}
        Effect::Load => statistics.load_instructions += 1,
        Effect::Store => statistics.store_instructions += 1,
        Effect::Atomic => {
            statistics.atomic_instructions += 1;
            statistics.atomic_operations += u64::from(issued.mask.count_ones());
        }
        Effect::Branch => {
            statistics.branches += 1;
            let divergent = u64::from(issued.divergent);
            statistics.divergent_branches += divergent;
            match code.instructions[issued.pc as usize].annotations.taint {
                BranchTaint::Unknown => {}
                BranchTaint::Programmatic => {
                    statistics.programmatic_branches += 1;
                    statistics.divergent_programmatic_branches += divergent;
                }
                BranchTaint::Data => {
                    statistics.data_branches += 1;
                    statistics.divergent_data_branches += divergent;
                }
            }
        }
        Effect::Barrier => statistics.barriers += 1,
        Effect::Collective => statistics.collectives += 1,
    }
    statistics.lane_slots += u64::from(code.shape.width);
}

/// Counts an instruction of the affine warp, for both models.
pub(crate) fn count_affine(statistics: &mut Statistics, executed: &Executed) {
    statistics.warp_instructions += 1;
    statistics.affine_instructions += 1;
    statistics.schedulable_paths += 1;
    let [scalar, two, all] = executed.work.classes;
    statistics.predicates_scalar += scalar;
    statistics.predicates_endpoints += two;
    statistics.predicates_per_lane += all;
}

struct Run<'a> {
    code: &'a Code,
    /// The affine warp of the block at hand.
    affine: Option<AffineWarp>,
    limits: Limits,
    block: Block,
    executor: Executor,
    port: GlobalPort<'a>,
    watch: Watch,
    statistics: Statistics,
    profile: Option<Rows>,
    next_progress: u64,
}

/// Runs a kernel.
pub(crate) fn run(
    code: &Code,
    request: &Launch,
    memory: &mut DeviceMemory,
    machine: &Machine,
    progress: Watcher,
) -> Result<Report, Fault> {
    let scheme = divergence::find(&machine.divergence).map_err(Fault::BadLaunch)?;
    let scheme = (scheme.build)(&machine.options(scheme.name)).map_err(Fault::BadLaunch)?;
    let lane_map = machine.lane_map().map_err(Fault::BadLaunch)?;
    let mut run = Run {
        code,
        affine: None,
        limits: request.limits,
        block: Block::new(scheme, lane_map.into(), machine.barrier.counts),
        executor: Executor::new(),
        port: GlobalPort::direct(memory),
        watch: Watch::new(request.limits.patience),
        statistics: Statistics::default(),
        profile: request.profile.then(|| Rows::new(code.instructions.len())),
        next_progress: PROGRESS_INTERVAL,
    };
    let blocks = request.blocks();
    for number in 0..blocks {
        run.block.start(code, number);
        run.affine = code.affine.map(|affine| AffineWarp::new(code, &affine, vec![number]));
        run.watch.progress(run.statistics.warp_instructions);
        let mut report = |instructions| {
            progress(Progress { blocks_done: number, blocks, cycles: 0, instructions })
        };
        run.run_block(&mut report)?;
        run.end_affine()?;
        let counts = run.block.divergence.counts();
        if let Some(compaction) = counts.compaction {
            compaction.add_to(&mut run.statistics);
        }
        if let Some(profile) = &mut run.profile {
            profile.compaction(&run.block.divergence.branches());
        }
        run.statistics.max_stack_depth = run.statistics.max_stack_depth.max(counts.max_stack_depth);
        run.statistics.blocks += 1;
    }
    let profile = run.profile.map(|rows| rows.finish());
    Ok(Report { statistics: run.statistics, profile, ..Report::default() })
}

impl Run<'_> {
    /// Runs the block to its end.
    fn run_block(&mut self, report: &mut dyn FnMut(u64)) -> Result<(), Fault> {
        while self.block.live != 0 {
            let mut ran = false;
            for slot in self.block.paths.slots() {
                ran |= self.turn(slot)?;
            }
            self.block.paths.forget_touched();
            let instructions = self.statistics.warp_instructions;
            if instructions >= self.limits.instructions {
                return Err(Fault::Limit {
                    limit: LimitKind::Instructions,
                    value: self.limits.instructions,
                });
            }
            if instructions >= self.next_progress {
                self.next_progress = instructions + PROGRESS_INTERVAL;
                report(instructions);
            }
            if !ran {
                return Err(self.deadlock());
            }
        }
        Ok(())
    }

    /// Runs the path of one slot until its turn is over or it cannot go on; whether it ran at all.
    fn turn(&mut self, slot: SlotId) -> Result<bool, Fault> {
        for done in 0..TURN {
            if self.block.paths.state(slot) != SlotState::Runnable {
                return Ok(done != 0);
            }
            let pc = self.block.paths.path(slot).pc;
            let instruction = &self.code.instructions[pc as usize];
            let effect = instruction.effect;
            if instruction.queue.is_some() && !self.supply(slot)? {
                return Ok(true);
            }
            self.executor.now = self.statistics.warp_instructions;
            let issued = self
                .block
                .step(self.code, slot, &mut self.executor, &mut self.port)
                .map_err(|trap| Fault::Trap(*trap))?;
            let before = self.profile.is_some().then(|| Row::of(&self.statistics));
            count(&mut self.statistics, self.code, effect, &issued);
            if let (Some(before), Some(profile)) = (before, &mut self.profile) {
                profile.row(pc).add_between(&before, &Row::of(&self.statistics));
            }
            self.observe(slot, issued.progress, issued.backward)?;
        }
        Ok(true)
    }

    /// Lets the affine warp go on until there is something that the path of a slot can dequeue, or its turn is
    /// over; whether there is.
    fn supply(&mut self, slot: SlotId) -> Result<bool, Fault> {
        let Some((warp, queue, site)) = self.block.wants(self.code, slot) else {
            return Ok(true);
        };
        let is_empty = |block: &Block| {
            block.queues.as_ref().is_none_or(|queues| queues.warps[warp].of(queue).is_empty())
        };
        for _ in 0..TURN {
            if !is_empty(&self.block) {
                return Ok(true);
            }
            if !self.step_affine(Some(slot))? {
                let broken = Broken::NotEnqueued { warp: warp as u32, site };
                return Err(Fault::Trap(*self.block.disagreement(self.code, slot, broken)));
            }
        }
        Ok(!is_empty(&self.block))
    }

    /// Executes an instruction of the affine warp, if there is one, for a path that waits to dequeue or for none.
    fn step_affine(&mut self, waiter: Option<SlotId>) -> Result<bool, Fault> {
        let running = self.affine.as_mut().filter(|affine| affine.pc().is_some());
        let Some(affine) = running else {
            return Ok(false);
        };
        let value = self.limits.instructions;
        if self.statistics.warp_instructions >= value {
            return Err(Fault::Limit { limit: LimitKind::Instructions, value });
        }
        let searching = self.watch.is_searching(self.statistics.warp_instructions);
        let done = affine.step(self.code, self.port.constant(), searching);
        let executed = done.map_err(|trap| Fault::Trap(*trap))?;
        let turned = affine.pc().is_some_and(|pc| pc <= executed.pc);
        let before = self.profile.is_some().then(|| Row::of(&self.statistics));
        count_affine(&mut self.statistics, &executed);
        if let (Some(before), Some(profile)) = (before, &mut self.profile) {
            profile.row(executed.pc).add_between(&before, &Row::of(&self.statistics));
        }
        if let (Event::Enqueued(enqueued), Some(queues)) = (&executed.event, &mut self.block.queues)
        {
            for warp in enqueued.mask.occupied() {
                let record = enqueued.record(self.code, 0, warp);
                queues.warps[warp].of_mut(enqueued.queue).push_back(record);
            }
        }
        if turned && searching {
            self.affine_turned(waiter)?;
        }
        Ok(true)
    }

    /// Tells the livelock watch that the affine warp has turned.
    #[cold]
    fn affine_turned(&mut self, waiter: Option<SlotId>) -> Result<(), Fault> {
        let Some((affine, pc)) = self.affine.as_ref().and_then(|it| Some((it, it.pc()?))) else {
            return Ok(());
        };
        let (number, state) = (self.block.number, affine.fingerprint());
        let instructions = self.statistics.warp_instructions;
        let mut recurs = self.watch.backward(Key::Affine(0), (pc, state), instructions);
        if let Some(slot) = waiter.filter(|&slot| self.block.lacks(self.code, slot).is_some()) {
            let state = waiting(self.code, &self.block, slot, state);
            let path = (self.block.paths.path(slot).pc, state);
            recurs |= self.watch.backward(Key::Waiter(number, slot), path, instructions);
        }
        if recurs && self.watch.all_recur(runnable(&self.block)) {
            return Err(self.deadlock());
        }
        Ok(())
    }

    /// The threads of the block have ended: the affine warp comes to its end, and nothing is left.
    fn end_affine(&mut self) -> Result<(), Fault> {
        while self.step_affine(None)? {}
        if let Some(affine) = &self.affine {
            let deepest = affine.deepest() as u64;
            self.statistics.max_affine_stack_depth =
                self.statistics.max_affine_stack_depth.max(deepest);
        }
        match self.block.left_over(self.code, None) {
            None => Ok(()),
            Some(trap) => Err(Fault::Trap(*trap)),
        }
    }

    /// Whether a path that took a backward branch is found to be in a state in which it was before.
    #[cold]
    fn recurs(&mut self, slot: SlotId) -> bool {
        let state = fingerprint(self.code, &self.block, slot);
        let pc = self.block.paths.path(slot).pc;
        let path = Key::Path(self.block.number, slot);
        self.watch.backward(path, (pc, state), self.statistics.warp_instructions)
    }

    /// Tells the livelock watch what an instruction did.
    #[inline(always)]
    fn observe(&mut self, slot: SlotId, progress: bool, backward: bool) -> Result<(), Fault> {
        let instructions = self.statistics.warp_instructions;
        if progress | self.port.changed | self.executor.changed {
            (self.port.changed, self.executor.changed) = (false, false);
            self.watch.progress(instructions);
        } else if backward
            && self.watch.is_searching(instructions)
            && self.recurs(slot)
            && self.watch.all_recur(runnable(&self.block))
        {
            return Err(self.deadlock());
        }
        Ok(())
    }

    /// The affine warp goes on whenever a path wants something of it, and so never waits; but it may turn for ever.
    fn deadlock(&self) -> Fault {
        let block = self.code.block_index(self.block.number);
        let pc = self.affine.as_ref().and_then(|affine| affine.pc());
        let affine = pc.map(|pc| AffineWaiter { core: 0, block, pc, reason: AffineWait::Turns });
        let affine = affine.into_iter().collect();
        deadlock(self.code, &self.watch, &mut std::iter::once(&self.block), affine)
    }
}

/// The runnable paths of a block, named as the livelock watch names them.
pub(crate) fn runnable(block: &Block) -> impl Iterator<Item = Key> + '_ {
    block
        .paths
        .slots()
        .filter(|&slot| block.paths.state(slot) == SlotState::Runnable)
        .map(|slot| Key::Path(block.number, slot))
}

/// The report of a deadlock among the paths of some blocks, with what affine warps wait for. Paths and affine
/// warps that were found to recur are where that was found.
pub(crate) fn deadlock(
    code: &Code,
    watch: &Watch,
    blocks: &mut dyn Iterator<Item = &Block>,
    mut affine: Vec<AffineWaiter>,
) -> Fault {
    affine.retain_mut(|waiter| {
        let is_warp = matches!(waiter.reason, AffineWait::Turns | AffineWait::TupleQueue { .. });
        match watch.place(Key::Affine(waiter.core)).filter(|_| is_warp) {
            Some(pc) => (waiter.pc, waiter.reason) = (pc, AffineWait::Turns),
            None => return waiter.reason != AffineWait::Turns,
        }
        true
    });
    let mut waiters: Vec<Waiter> = blocks
        .flat_map(|block| block.waiters(code, |slot| watch.place(Key::Path(block.number, slot))))
        .collect();
    let order = |[x, y, z]: [u32; 3]| [z, y, x];
    waiters.sort_by_key(|waiter| (order(waiter.block), order(waiter.thread)));
    let paths = waiters.len();
    waiters.truncate(MAX_WAITERS);
    Fault::Deadlock { waiters, paths, affine }
}

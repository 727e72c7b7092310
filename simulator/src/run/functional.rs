//! The functional model: results and instruction counts, no time.
//!
//! Blocks run one after another; the paths of a block take turns, so that threads that wait for
//! each other can continue. A block that waits for a later block is stuck here, as it may be on a
//! GPU. [`Order`] selects another order.

use crate::block::Block;
use crate::block::operand_queues::QueueFault;
use crate::block::path::{SlotId, SlotState};
use crate::block::straight::StraightPorts;
use crate::execute::Executor;
use crate::machine::Machine;
use crate::mechanisms::affine::slot::{Design, SecondStream};
use crate::mechanisms::{affine, divergence, lane_permutation, registry};
use crate::memory::device::{DeviceMemory, GlobalPort};
use crate::observe::count::count;
use crate::observe::profile::{AtIssue, Rows};
use crate::observe::statistics::Statistics;
use crate::observe::tally::Tally;
use crate::program::code::Code;
use crate::run::fault::{Fault, LimitKind};
use crate::run::livelock::{BackwardBranch, Key, Watch};
use crate::run::occupancy::{Footprint, Room};
use crate::run::order::{Order, Turns};
use crate::run::request::{Launch, Limits, Progress, Report, Stopped, Watcher};
use crate::run::stuck::{deadlock, fingerprint, runnable, waiting};

/// Instructions of a path's turn, and of the second stream for it.
const TURN: u32 = 512;

/// Instructions between two calls of the progress function.
const PROGRESS_INTERVAL: u64 = 1 << 20;

/// A block that has started.
struct Resident {
    block: Block,
    second: Option<Box<dyn SecondStream>>,
}

struct Run<'a> {
    code: &'a Code,
    /// The executor of the kernel's second stream for the current block, if it has one.
    second: Option<Box<dyn SecondStream>>,
    limits: Limits,
    block: Block,
    /// Further blocks that have started, in another order than the usual one.
    others: Vec<Resident>,
    /// Blocks that have not started.
    unstarted: u64,
    /// Instructions of a path's turn.
    turn: u32,
    /// True if paths run straight: the scheme allows it, and no observer needs each instruction.
    straight: bool,
    executor: Executor,
    port: GlobalPort<'a>,
    watch: Watch,
    statistics: Statistics,
    /// The counts of straight runs not yet added to them.
    tally: Tally,
    profile: Option<Rows>,
    next_progress: u64,
}

/// An empty block of a machine.
fn empty_block(machine: &Machine) -> Result<Block, Fault> {
    let scheme = divergence::list::build(machine).map_err(Fault::BadLaunch)?;
    let lane_map = lane_permutation::list::map(machine).map_err(Fault::BadLaunch)?;
    Ok(Block::new(scheme, lane_map.into(), machine.barrier.counts))
}

/// Runs a kernel, in an order if one is given and else in the usual one. `footprint` has the
/// resources of a block on an SM.
pub(crate) fn run(
    code: &Code,
    request: &Launch,
    order: Option<Order>,
    footprint: Footprint,
    memory: &mut DeviceMemory,
    machine: &Machine,
    progress: Watcher,
) -> Result<Report, Stopped> {
    let block = empty_block(machine)?;
    let mut run = Run {
        code,
        second: None,
        limits: request.limits,
        straight: block.runs_straight && !request.profile,
        block,
        others: Vec::new(),
        unstarted: request.blocks(),
        turn: TURN,
        executor: Executor::new([0, 1]),
        port: GlobalPort::direct(memory),
        watch: Watch::new(request.limits.patience),
        statistics: code.statistics(),
        tally: Tally::default(),
        profile: request.profile.then(|| Rows::new(code.instructions.len())),
        next_progress: PROGRESS_INTERVAL,
    };
    let affine = affine::list::build(machine).map_err(Fault::BadLaunch)?;
    let blocks = request.blocks();
    let done = match order {
        None => run.run_blocks(blocks, &*affine, progress),
        Some(order) => {
            let most = footprint.blocks(&Room::of(&machine.sm)).max(1) * u64::from(machine.sms);
            for _ in 0..most.min(blocks) {
                run.others.push(Resident { block: empty_block(machine)?, second: None });
            }
            run.run_in_order(order, blocks, &*affine, progress)
        }
    };
    run.tally.add_to(&mut run.statistics);
    run.statistics.mechanisms.complete(registry::statistics());
    let profile = run.profile.map(|rows| Box::new(rows.finish(code)));
    let report = Report { statistics: run.statistics, profile, ..Report::default() };
    match done {
        Ok(()) => Ok(report),
        Err(fault) => Err(Stopped { fault, report: Some(Box::new(report)) }),
    }
}

impl Run<'_> {
    /// Runs one block of the grid after the other.
    fn run_blocks(
        &mut self,
        blocks: u64,
        affine: &dyn Design,
        progress: Watcher,
    ) -> Result<(), Fault> {
        for number in 0..blocks {
            self.unstarted -= 1;
            self.block.start(self.code, number);
            self.second = affine.without_time(self.code, number);
            self.watch.progress(self.statistics.warp_instructions);
            let done = self.run_block(number, blocks, progress);
            let done = done.and_then(|()| self.end_second_stream());
            self.count_block();
            done?;
            self.statistics.blocks += 1;
        }
        Ok(())
    }

    /// Adds the scheme's counts for the block.
    fn count_block(&mut self) {
        let counts = self.block.divergence.counts();
        self.block.divergence.count(&mut self.statistics.mechanisms);
        if let Some(compaction) = counts.compaction {
            compaction.add_to(&mut self.statistics);
        }
        if let Some(profile) = &mut self.profile {
            profile.compaction(&self.block.divergence.branches());
        }
        self.statistics.max_stack_depth =
            self.statistics.max_stack_depth.max(counts.max_stack_depth);
    }

    /// Runs the block to its end, `blocks_done` of the grid's `blocks` being done.
    fn run_block(&mut self, blocks_done: u64, blocks: u64, progress: Watcher) -> Result<(), Fault> {
        while self.block.live != 0 {
            let mut ran = false;
            for slot in self.block.paths.slots() {
                ran |= self.turn(slot)?;
            }
            self.block.paths.forget_touched();
            self.keep_limits(blocks_done, blocks, progress)?;
            if !ran {
                return Err(self.deadlock());
            }
        }
        Ok(())
    }

    /// Runs the path of one slot until its turn has ended or it cannot continue. Returns true if it
    /// ran at all.
    fn turn(&mut self, slot: SlotId) -> Result<bool, Fault> {
        let mut done = 0;
        while done < self.turn {
            if self.block.paths.state(slot) != SlotState::Runnable {
                return Ok(done != 0);
            }
            if self.straight {
                let ran = self.run_straight(slot, self.turn - done)?;
                if ran != 0 {
                    done += ran;
                    continue;
                }
            }
            done += 1;
            let pc = self.block.paths.path(slot).pc;
            let instruction = &self.code.instructions[pc as usize];
            if instruction.queue.is_some() && !self.supply(slot)? {
                return Ok(true);
            }
            let now = self.statistics.warp_instructions;
            let issued = self
                .block
                .step::<false>(self.code, slot, now, &mut self.executor, &mut self.port)
                .map_err(|trap| Fault::Trap(*trap))?;
            let before = self.profile.is_some().then(|| AtIssue::of(&self.statistics));
            count(&mut self.statistics, self.code, instruction, &issued);
            if let (Some(before), Some(profile)) = (before, &mut self.profile) {
                profile.row(pc).add_issue(&before, &self.statistics);
            }
            let progress = issued.progress | issued.changed;
            let backward = issued.backward;
            let parted = issued.divergent;
            self.observe(slot, progress, backward)?;
            // In another order either side may go first.
            if parted && !self.others.is_empty() {
                break;
            }
        }
        Ok(true)
    }

    /// Runs the path of a slot straight on, for at most `most` instructions. Returns their number.
    fn run_straight(&mut self, slot: SlotId, most: u32) -> Result<u32, Fault> {
        let ports = StraightPorts {
            executor: &mut self.executor,
            port: &mut self.port,
            watch: &mut self.watch,
            statistics: &mut self.statistics,
            tally: &mut self.tally,
        };
        let run =
            self.block.run(self.code, slot, most, ports).map_err(|trap| Fault::Trap(*trap))?;
        if run.backward {
            self.observe(slot, false, true)?;
        }
        Ok(run.instructions)
    }

    /// Lets the second stream continue until the path of a slot can dequeue, or its turn has ended.
    /// Returns true if it can.
    fn supply(&mut self, slot: SlotId) -> Result<bool, Fault> {
        let Some((warp, queue, site)) = self.block.next_dequeue(self.code, slot) else {
            return Ok(true);
        };
        let is_empty = |block: &Block| {
            block.queues.as_ref().is_none_or(|queues| queues.warps[warp].of(queue).is_empty())
        };
        for _ in 0..TURN {
            if !is_empty(&self.block) {
                return Ok(true);
            }
            if !self.step_second_stream(Some(slot))? {
                let fault = QueueFault::NotEnqueued { warp: warp as u32, site };
                return Err(Fault::Trap(*self.block.disagreement(self.code, slot, fault)));
            }
        }
        Ok(!is_empty(&self.block))
    }

    /// Executes an instruction of the second stream, if there is one, for a path that waits to dequeue or for none.
    fn step_second_stream(&mut self, waiter: Option<SlotId>) -> Result<bool, Fault> {
        let running = self.second.as_mut().filter(|second| second.pc().is_some());
        let (Some(second), Some(queues)) = (running, &mut self.block.queues) else {
            return Ok(false);
        };
        let value = self.limits.instructions;
        if self.statistics.warp_instructions >= value {
            return Err(Fault::Limit { limit: LimitKind::Instructions, value });
        }
        let searching = self.watch.is_searching(self.statistics.warp_instructions);
        let before = self.profile.is_some().then(|| AtIssue::of(&self.statistics));
        let constant = self.port.constant();
        let done = second.step(self.code, constant, searching, queues, &mut self.statistics);
        let pc = done.map_err(|trap| Fault::Trap(*trap))?;
        let turned = second.pc().is_some_and(|next| next <= pc);
        if let (Some(before), Some(profile)) = (before, &mut self.profile) {
            profile.row(pc).add_issue(&before, &self.statistics);
        }
        if turned && searching {
            self.second_stream_turned(waiter)?;
        }
        Ok(true)
    }

    /// Reports a backward branch of the second stream to the livelock watch.
    #[cold]
    fn second_stream_turned(&mut self, waiter: Option<SlotId>) -> Result<(), Fault> {
        let Some((second, pc)) = self.second.as_ref().and_then(|it| Some((it, it.pc()?))) else {
            return Ok(());
        };
        let (number, state) = (self.block.number, second.fingerprint());
        let instructions = self.statistics.warp_instructions;
        let branch = BackwardBranch { key: Key::Producer(0), pc, state };
        let mut recurs = self.watch.backward(branch, instructions);
        let waits = |&slot: &SlotId| self.block.missing_operand(self.code, slot).is_some();
        if let Some(slot) = waiter.filter(waits) {
            let state = waiting(self.code, &self.block, slot, state);
            let pc = self.block.paths.path(slot).pc;
            let branch = BackwardBranch { key: Key::Waiter(number, slot), pc, state };
            recurs |= self.watch.backward(branch, instructions);
        }
        if recurs && self.watch.all_recur(self.blocks().flat_map(runnable)) {
            return Err(self.deadlock());
        }
        Ok(())
    }

    /// The threads of the block have ended: the second stream runs to its end, and nothing remains.
    fn end_second_stream(&mut self) -> Result<(), Fault> {
        while self.step_second_stream(None)? {}
        if let Some(second) = &self.second {
            second.finish(&mut self.statistics);
        }
        match self.block.left_over(self.code, None) {
            None => Ok(()),
            Some(trap) => Err(Fault::Trap(*trap)),
        }
    }

    /// Returns true if a path that took a backward branch is found to be in a state in which it was
    /// before.
    #[cold]
    fn recurs(&mut self, slot: SlotId) -> bool {
        let state = fingerprint(self.code, &self.block, slot);
        let pc = self.block.paths.path(slot).pc;
        let branch = BackwardBranch { key: Key::Path(self.block.number, slot), pc, state };
        self.watch.backward(branch, self.statistics.warp_instructions)
    }

    /// Notifies the livelock watch of an instruction.
    #[inline(always)]
    fn observe(&mut self, slot: SlotId, progress: bool, backward: bool) -> Result<(), Fault> {
        let instructions = self.statistics.warp_instructions;
        if progress {
            self.watch.progress(instructions);
        } else if backward
            && self.watch.is_searching(instructions)
            && self.recurs(slot)
            && self.watch.all_recur(self.blocks().flat_map(runnable))
        {
            return Err(self.deadlock());
        }
        Ok(())
    }

    /// The second stream continues whenever a path is to dequeue, and so never waits; but it may
    /// not end.
    fn deadlock(&self) -> Fault {
        let waits = self.second.as_ref().and_then(|second| second.waits(self.code));
        let waits = waits.into_iter().collect();
        deadlock(self.code, &self.watch, &mut self.blocks(), waits, self.unstarted)
    }

    /// The blocks that have started and not ended.
    fn blocks(&self) -> impl Iterator<Item = &Block> {
        let others = self.others.iter().map(|other| &other.block);
        std::iter::once(&self.block).chain(others).filter(|block| block.live != 0)
    }
}

impl Run<'_> {
    /// Runs all blocks in an order; at most the number with room in `self.others` at once.
    fn run_in_order(
        &mut self,
        order: Order,
        blocks: u64,
        affine: &dyn Design,
        progress: Watcher,
    ) -> Result<(), Fault> {
        let mut turns = Turns::new(order, blocks);
        let mut running = 0;
        loop {
            while running < self.others.len()
                && let Some(number) = turns.next_block()
            {
                self.admit(running, number, affine);
                running += 1;
            }
            if running == 0 {
                return Ok(());
            }
            if order.number == 0 {
                self.reversed_turns(&mut running)?;
            } else {
                self.turn = turns.length();
                let at = turns.below(running);
                self.at(at, |run| {
                    let paths = &run.block.paths;
                    let runnable = |&slot: &SlotId| paths.state(slot) == SlotState::Runnable;
                    let count = paths.slots().filter(runnable).count();
                    let slot = paths.slots().filter(runnable).nth(turns.below(count));
                    slot.map_or(Ok(false), |slot| run.turn(slot))
                })?;
                self.retire(&mut running, at)?;
            }
            let done = blocks - turns.waiting() - running as u64;
            self.keep_limits(done, blocks, progress)?;
        }
    }

    /// Each path of each running block has a turn, the last first.
    fn reversed_turns(&mut self, running: &mut usize) -> Result<(), Fault> {
        for at in (0..*running).rev() {
            self.at(at, |run| {
                let mut slots: Vec<_> = run.block.paths.slots().collect();
                slots.reverse();
                let mut ran = false;
                for slot in slots {
                    ran |= run.turn(slot)?;
                }
                Ok(ran)
            })?;
            self.retire(running, at)?;
        }
        Ok(())
    }

    /// A block starts.
    fn admit(&mut self, at: usize, number: u64, affine: &dyn Design) {
        self.unstarted -= 1;
        let resident = &mut self.others[at];
        resident.block.start(self.code, number);
        resident.second = affine.without_time(self.code, number);
        self.watch.progress(self.statistics.warp_instructions);
    }

    /// Lets a block act; the closure returns true if it did. A block in which nothing runs is stuck
    /// for good.
    fn at(
        &mut self,
        at: usize,
        turn: impl FnOnce(&mut Self) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        self.exchange(at);
        let ran = turn(self);
        self.block.paths.forget_touched();
        let done = ran.and_then(|ran| match ran || self.block.live == 0 {
            true => Ok(()),
            false => Err(self.deadlock()),
        });
        self.exchange(at);
        done
    }

    fn exchange(&mut self, at: usize) {
        let other = &mut self.others[at];
        std::mem::swap(&mut self.block, &mut other.block);
        std::mem::swap(&mut self.second, &mut other.second);
    }

    /// A block that has ended makes room for another one.
    fn retire(&mut self, running: &mut usize, at: usize) -> Result<(), Fault> {
        if self.others[at].block.live != 0 {
            return Ok(());
        }
        self.exchange(at);
        let done = self.end_second_stream();
        self.count_block();
        self.exchange(at);
        self.statistics.blocks += 1;
        *running -= 1;
        self.others.swap(at, *running);
        done
    }

    /// Stops at a limit, and regularly reports the number of finished blocks.
    fn keep_limits(
        &mut self,
        blocks_done: u64,
        blocks: u64,
        progress: Watcher,
    ) -> Result<(), Fault> {
        let (instructions, value) = (self.statistics.warp_instructions, self.limits.instructions);
        if instructions >= value {
            return Err(Fault::Limit { limit: LimitKind::Instructions, value });
        }
        if instructions >= self.next_progress {
            self.next_progress = instructions + PROGRESS_INTERVAL;
            let now = Progress { blocks_done, blocks, cycles: 0, instructions };
            if progress(now).is_break() {
                return Err(Fault::Interrupted);
            }
        }
        Ok(())
    }
}

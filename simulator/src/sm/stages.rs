//! Stages of an SM's cycle that lead from one component to others, and what is asked of all of them.

use super::frontend::Fetched;
use super::{Context, SlotUse, Sm};
use crate::affine::MechanismWait;
use crate::decode::Code;
use crate::livelock::Producers;
use crate::machine::Machine;
use crate::memory::Waiter;
use crate::profile::Rows;
use crate::statistics::Statistics;
use crate::trace::{Trace, Window};

impl Sm {
    /// Takes replies and works on memory instructions; whether something came of it for others.
    #[inline]
    pub(super) fn step_lsu(&mut self, context: &mut Context) -> bool {
        let mut ports = self.observer.ports(context.now, self.index, context.memory);
        while let Some(reply) = ports.memory.receive(ports.now) {
            match reply.waiter {
                Waiter::InstructionFetch => self.frontend.fill(&reply),
                _ => self.lsu.reply(&reply, &mut ports),
            }
        }
        let was_full = self.lsu.is_full();
        self.lsu.step(&mut ports);
        if let Some(served) = self.lsu.take_served()
            && let Some(recorder) = &mut self.observer.recorder
        {
            recorder.ends(served, context.now + 1);
        }
        let has_room = was_full && !self.lsu.is_full();
        if has_room {
            self.collector.wake(context.now);
        }
        has_room || self.lsu.has_news() || self.frontend.has_filled()
    }

    /// Fetches for one path.
    pub(super) fn step_fetch(&mut self, context: &mut Context) {
        let now = context.now;
        let Some((index, local)) = self.frontend.next_to_fetch(self.issue.queues()) else {
            return;
        };
        let number = self.issue.number(index, local);
        let statistics = &mut self.observer.statistics;
        let fetched = self.frontend.fetch(context.code, number, now, context.memory, statistics);
        let (queue, local) = self.issue.local(number);
        match fetched {
            Fetched::Buffered => {
                if let Some(recorder) = &mut self.observer.recorder {
                    recorder.fetched(number, now);
                }
                let next = now + self.frontend.latency();
                let candidate = self.residency.candidate(number);
                let block = usize::from(candidate.block);
                self.refresh(context.code, block, candidate.slot, Some(next), now);
            }
            Fetched::Discarded(_) if queue.is_scoreboard_full(local) => {}
            Fetched::Discarded(until) => queue.wait_for_entry(local, until, now),
            Fetched::Missing => {
                queue.remove(local);
                queue.wait_for_instructions(local);
            }
        }
    }

    /// What keeps instructions out of the operand collector now, if it has no room.
    pub(super) fn blocked(&self) -> Option<SlotUse> {
        if self.collector.has_room() {
            return None;
        }
        Some(if self.collector.is_reading() {
            SlotUse::RegisterRead
        } else if self.lsu.is_full() {
            SlotUse::LoadStoreFull
        } else {
            SlotUse::PipeBusy
        })
    }

    /// Blocks that fit beside those that are here.
    pub(crate) fn room(&self) -> u64 {
        self.residency.room()
    }

    /// Starts a block here in cycle `now`, given that it fits.
    pub(crate) fn start(&mut self, code: &Code, number: u64, now: u64) {
        // Before the block counts among those that are here.
        self.account(now);
        let Some((index, arrival)) = self.residency.admit(code, number) else {
            return;
        };
        self.quiet_until = 0;
        let resident = self.residency.slots.get(index);
        let boards = self.issue.scoreboards(index);
        boards.reset(resident.block.paths.len(), code.scoreboard_entries());
        let scheme = self.residency.scheme;
        if scheme.tracks_threads {
            boards.track_threads(code.shape.warps() as usize, code.shape.width as usize);
        }
        if let Some(recorder) = &mut self.observer.recorder {
            recorder.started_block(index, number, &resident.hardware, now);
        }
        for (slot, &candidate) in resident.numbers.iter().enumerate() {
            let (candidate, warp) = (usize::from(candidate), slot / scheme.slots_per_warp);
            self.frontend.reset(candidate);
            self.issue.set_age(candidate, arrival << 16 | warp as u64);
        }
        if let Some(affine) = &mut self.affine {
            affine.admit(code, index, arrival, now);
        }
        self.refresh_touched(code, index, now, now);
    }

    /// Frees a block's slot when its threads have ended, its instructions have started in their pipes, and its loads
    /// have come back.
    pub(super) fn free_if_done(&mut self, index: usize, context: &mut Context) {
        if !self.residency.is_done(index) {
            return;
        }
        if context.code.second_stream.is_some()
            && let Some(affine) = &mut self.affine
        {
            let site = affine.leave(index, context.now);
            let left = self.residency.slots.block(index).left_over(context.code, site);
            let trap = left.map(|trap| (context.now, trap));
            context.outcome.trap = context.outcome.trap.take().or(trap);
        }
        self.observer.leaves(&mut self.residency, index, context.now);
        self.residency.release(index);
        context.outcome.blocks_done += 1;
        if self.residency.resident_warps() == 0 {
            self.lsu.rest();
        }
    }

    /// Records for viewers what happens from now on, if that is asked for.
    pub(crate) fn record(&mut self, window: Option<Window>) {
        self.observer.record(window, self.index, self.residency.candidates());
    }

    /// What was recorded.
    pub(crate) fn take_trace(&mut self) -> Option<Trace> {
        self.observer.take_trace()
    }

    /// Counts by instruction from now on, of so many.
    pub(crate) fn start_profile(&mut self, instructions: usize) {
        self.observer.profile = Some(Box::new(Rows::new(instructions)));
    }

    /// What was counted by instruction.
    pub(crate) fn take_profile(&mut self) -> Option<Box<Rows>> {
        self.observer.profile.take()
    }

    /// What comes to the queues of warps as long as all paths do what they do.
    pub(super) fn producers(&self) -> Producers {
        let (blocks, lsu) = (&self.residency.slots, &self.lsu);
        self.affine.as_ref().map_or(Producers::MayGoOn, |affine| affine.producers(blocks, lsu))
    }

    /// No search for a livelock is going on: what the mechanism of the slot `affine` does from now on is of interest.
    pub(super) fn forget_actions(&mut self) {
        if let Some(affine) = &mut self.affine {
            affine.forget_actions();
        }
    }

    /// What the parts of the mechanism of the slot `affine` wait for.
    pub(crate) fn mechanism_waits(&self, code: &Code) -> Vec<MechanismWait> {
        let (sm, blocks, lsu) = (self.index, &self.residency.slots, &self.lsu);
        self.affine.as_ref().map_or_else(Vec::new, |affine| affine.waits(code, sm, blocks, lsu))
    }

    /// Closes the accounts at the end of the run, after so many cycles; what was counted.
    pub(crate) fn finish(&mut self, cycles: u64) -> Statistics {
        self.account(cycles);
        let (unused, registers) = (self.lsu.unused_prefetches(), self.collector.counts());
        if let Some(affine) = &mut self.affine {
            affine.count(self.lsu.pinned(), &mut self.observer.statistics, cycles);
        }
        self.observer.finish(unused, registers);
        self.observer.statistics.clone()
    }

    /// What is not as it has to be at the end of a run of so many cycles, whose accounts are closed: everything that
    /// was lent has come back.
    pub(crate) fn unbalanced(&self, machine: &Machine, cycles: u64) -> Option<&'static str> {
        let affine_is_idle = self.affine.as_ref().is_none_or(|affine| affine.is_idle());
        let faults = [
            (!self.frontend.is_idle(), "lines of instructions under way"),
            (
                !affine_is_idle,
                "a warp of a mechanism that has not ended, or something in its queue",
            ),
        ];
        let found = faults.into_iter().find_map(|(is, what)| is.then_some(what));
        found
            .or_else(|| self.residency.unbalanced(machine))
            .or_else(|| self.collector.unbalanced())
            .or_else(|| self.lsu.unbalanced())
            .or_else(|| self.observer.unbalanced(cycles, self.issue.schedulers()))
    }
}

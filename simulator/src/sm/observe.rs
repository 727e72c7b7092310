//! An SM's reports: statistics, the profile of its instructions, and the trace.

use crate::handles::BlockSlot;
use std::ops::Range;

use super::residency::Residency;
use crate::mechanisms::divergence::CompactionCounts;
use crate::memory::link::Link;
use crate::observe::executions::Executions;
use crate::observe::profile::{AtIssue, Rows};
use crate::observe::slot_use::SlotUse;
use crate::observe::statistics::Statistics;
use crate::observe::trace::{Recorder, Trace, Window};
use crate::program::code::Code;
use crate::sm::lsu::request::LsuPorts;

/// The observer of an SM.
#[derive(Default)]
pub(super) struct Observer {
    statistics: Statistics,
    /// The counts still to be added to them.
    executions: Executions,
    /// The cost of its instructions, if that is requested.
    profile: Option<Box<Rows>>,
    recorder: Option<Box<Recorder>>,
    /// The cycle up to which issue slots are counted.
    accounted: u64,
    /// The counts of formed warps in blocks that have ended. They belong to no instruction of this
    /// cycle, and so are added to the statistics at the end.
    compaction: CompactionCounts,
}

impl Observer {
    /// The counters of the SM.
    #[inline]
    pub(super) fn statistics(&mut self) -> &mut Statistics {
        &mut self.statistics
    }

    /// The counters of the SM, with those of single instructions.
    #[inline]
    pub(super) fn counters_of_instructions(&mut self) -> (&mut Statistics, &mut Executions) {
        (&mut self.statistics, &mut self.executions)
    }

    /// The code of the launch, a block of which starts. A profile counts each execution by itself.
    pub(super) fn learn(&mut self, code: &Code) {
        if self.executions.is_empty() && self.profile.is_none() {
            self.executions = Executions::of(&code.instructions, code.shape.width);
        }
    }

    /// The recorder for viewers, if one is requested.
    #[inline]
    pub(super) fn recorder(&mut self) -> Option<&mut Recorder> {
        self.recorder.as_deref_mut()
    }

    /// Counts by instruction from now on, for `instructions` instructions.
    pub(super) fn start_profile(&mut self, instructions: usize) {
        self.profile = Some(Box::new(Rows::new(instructions)));
    }

    /// The counters by instruction.
    pub(super) fn take_profile(&mut self) -> Option<Box<Rows>> {
        self.profile.take()
    }

    /// Cycles before `now` with uncounted issue slots; from now on they are counted.
    #[inline]
    pub(super) fn take_unaccounted(&mut self, now: u64) -> u64 {
        now - std::mem::replace(&mut self.accounted, now)
    }

    /// Records events for viewers from now on, if requested.
    pub(super) fn record(&mut self, window: Option<Window>, sm: usize, candidates: usize) {
        self.recorder = window.and_then(|window| Recorder::new(window, sm, candidates));
    }

    /// The trace.
    pub(super) fn take_trace(&mut self) -> Option<Trace> {
        self.recorder.take().map(|recorder| recorder.finish())
    }

    /// The ports of the load/store unit in a cycle.
    #[inline]
    pub(super) fn ports<'a>(
        &'a mut self,
        now: u64,
        sm: usize,
        memory: &'a mut Link,
    ) -> LsuPorts<'a> {
        let (statistics, profile) = (&mut self.statistics, self.profile.as_deref_mut());
        LsuPorts { now, sm, memory, statistics, profile }
    }

    /// Returns true if events are recorded for viewers: then [`Sm::record_issued`](super::Sm)
    /// receives each instruction.
    #[inline]
    pub(super) fn records(&self) -> bool {
        self.recorder.is_some()
    }

    /// Counts the issue slots that a scheduler lost in some cycles, and those of the instruction to which they belong.
    #[inline(always)]
    pub(super) fn lost(
        &mut self,
        scheduler: usize,
        reason: SlotUse,
        cycles: Range<u64>,
        pc: impl Fn() -> u32,
    ) {
        let slots = cycles.end - cycles.start;
        reason.count(&mut self.statistics, slots);
        if self.profile.is_some() || self.recorder.is_some() {
            self.attribute_lost(scheduler, reason, cycles, pc());
        }
    }

    #[cold]
    fn attribute_lost(&mut self, scheduler: usize, reason: SlotUse, cycles: Range<u64>, pc: u32) {
        let slots = cycles.end - cycles.start;
        if let Some(profile) = &mut self.profile {
            profile.slots(pc, reason, slots);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.lost(scheduler, reason.name(), cycles, pc);
        }
    }

    /// The counters before an instruction, if there is a profile.
    #[inline]
    pub(super) fn before(&self) -> Option<AtIssue> {
        self.profile.is_some().then(|| AtIssue::of(&self.statistics))
    }

    /// A scheduler's issue slot was used; the counts since `before` are an instruction's.
    #[inline]
    pub(super) fn attribute(&mut self, slot_use: SlotUse, before: Option<&AtIssue>, pc: u32) {
        if slot_use == SlotUse::Issued {
            self.statistics.issue_slots += 1;
            self.statistics.slots_issued += 1;
        } else {
            self.count_not_issued(slot_use);
        }
        if let (Some(before), Some(profile)) = (before, &mut self.profile) {
            profile.slots(pc, slot_use, 1);
            profile.row(pc).add_issue(before, &self.statistics);
        }
    }

    /// An instruction issued beside another one, which has used the slot; the counts since `before` are its own.
    pub(super) fn attribute_paired(&mut self, before: Option<&AtIssue>, pc: u32) {
        self.statistics.paired_instructions += 1;
        if let (Some(before), Some(profile)) = (before, &mut self.profile) {
            profile.row(pc).add_issue(before, &self.statistics);
        }
    }

    #[cold]
    fn count_not_issued(&mut self, slot_use: SlotUse) {
        slot_use.count(&mut self.statistics, 1);
    }

    /// Counts the resident blocks and warps in `cycles` cycles.
    pub(super) fn count_residents(&mut self, residency: &Residency, cycles: u64) {
        let held = residency.held();
        let warps = residency.resident_warps();
        self.statistics.active_sm_cycles += if warps == 0 { 0 } else { cycles };
        self.statistics.resident_warp_cycles += cycles * warps;
        self.statistics.path_cycles += cycles * held.paths;
        self.statistics.stack_entry_cycles += cycles * held.entries;
        self.statistics.warp_capacity_cycles += cycles * residency.warps() as u64;
    }

    /// A block is about to leave its slot.
    pub(super) fn leaves(&mut self, residency: &mut Residency, index: BlockSlot, now: u64) {
        if let Some(recorder) = &mut self.recorder {
            recorder.ended_block(index, now);
        }
        let slot = residency.slot_mut(index);
        let counts = slot.divergence().counts();
        let home = slot.home_accesses();
        self.statistics.uncompacted_transactions += home.lines.finish();
        self.statistics.uncompacted_shared_passes += home.words.finish();
        if let Some(compaction) = counts.compaction {
            self.compaction.add(&compaction);
        }
        if let Some(profile) = &mut self.profile {
            profile.compaction(&slot.divergence().branches());
        }
        self.statistics.max_stack_depth =
            self.statistics.max_stack_depth.max(counts.max_stack_depth);
        slot.divergence().count(&mut self.statistics.mechanisms);
        self.statistics.blocks += 1;
    }

    /// The counters so far.
    pub(super) fn counters(&mut self) -> Statistics {
        self.executions.add_to(&mut self.statistics);
        let mut statistics = self.statistics.clone();
        self.compaction.add_to(&mut statistics);
        statistics
    }

    /// Closes the accounts at the end of a run. Returns the counters.
    pub(super) fn finish(&mut self) -> Statistics {
        std::mem::take(&mut self.compaction).add_to(&mut self.statistics);
        self.executions.add_to(&mut self.statistics);
        self.statistics.clone()
    }

    /// A sentence about counters that do not add up at the end of a run of `cycles` cycles, for
    /// `schedulers` schedulers.
    pub(super) fn unbalanced(&self, cycles: u64, schedulers: usize) -> Option<&'static str> {
        let statistics = &self.statistics;
        let slots: u64 = statistics.slot_reasons().iter().map(|(_, slots)| slots).sum();
        let is_balanced = slots == cycles * schedulers as u64;
        (!is_balanced).then_some("issue slots without exactly one use")
    }
}

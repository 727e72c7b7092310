//! Issue of two instructions by one scheduler in a cycle, which the slot `pairing` chooses.
//!
//! GPGPU-Sim's model of dual issue (`shader.cc`, `scheduler_unit::cycle`): the second instruction must be in the instruction
//! buffer, may not depend on the first, and goes to another kind of unit. Here it goes to another pipe, or is control flow,
//! which takes none. Nothing issues beside control flow: where its path continues is known only later.
//!
//! The second instruction takes no issue slot: slots are what a scheduler could begin, one per cycle.

use super::Sm;
use crate::handles::CandidateId;
use crate::mechanisms::event::CandidateSet;
use crate::mechanisms::pairing::{First, Pairing};
use crate::mechanisms::scheduler::members;
use crate::observe::slot_use::SlotUse;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::run::fault::Trap;
use crate::sm::context::Context;
use crate::sm::issue::place::QueuePlace;
use crate::sm::issue::scoreboard::Ready;

/// The first instruction of a pair, and its use of the SM.
pub(super) struct FirstIssue {
    /// Its candidate, by its number in the SM.
    id: CandidateId,
    /// Its pipe.
    pipe: usize,
    /// The instruction for the mechanism.
    first: First,
}

impl Sm {
    /// The next instruction of a candidate that a scheduler has picked, if another one may issue beside it.
    #[cold]
    pub(super) fn first_of_pair(
        &self,
        id: CandidateId,
        place: QueuePlace,
        code: &Code,
    ) -> Option<FirstIssue> {
        let (_, instruction) = self.residency.next_of(id, code)?;
        let pipe = self.pipe_of(instruction)?;
        let instruction = self.residency.next_instruction(id, code)?;
        let slots = self.residency.scheme().slots_per_warp;
        let QueuePlace { scheduler, index: candidate } = place;
        let begin = candidate / slots * slots;
        let warp = (begin..begin + slots).fold(0, |set, index| set | 1 << index);
        let first = First { scheduler, candidate, warp, instruction };
        Some(FirstIssue { id, pipe, first })
    }

    /// Issues an instruction beside one that has issued, if there is one.
    #[cold]
    pub(super) fn issue_beside(
        &mut self,
        issue: &FirstIssue,
        context: &mut Context,
    ) -> Result<(), Box<Trap>> {
        let Some(mut pairing) = self.pairing.take() else {
            return Ok(());
        };
        let among = self.seconds(issue, &mut *pairing, context);
        self.pairing = Some(pairing);
        if among == 0 {
            return Ok(());
        }
        let scheduler = issue.first.scheduler;
        let Some((id, index)) = self.pick(scheduler, among, context) else {
            return Ok(());
        };
        let before = self.observer.before();
        let pc = self.residency.next_pc(id);
        if self.issue_next(id, QueuePlace { scheduler, index }, context)? == SlotUse::Issued {
            self.observer.attribute_paired(before.as_ref(), pc);
        }
        Ok(())
    }

    /// The candidates whose instructions may issue beside the first one.
    fn seconds(
        &self,
        issue: &FirstIssue,
        pairing: &mut dyn Pairing,
        context: &Context,
    ) -> CandidateSet {
        let FirstIssue { first, .. } = issue;
        let mut among: CandidateSet = 0;
        for index in members(self.issue.ready(first.scheduler) & pairing.partners(first)) {
            let id = self.issue.id(first.scheduler, index);
            let second = self.residency.next_instruction(id, context.code);
            if self.pairs_with(issue, id, context)
                && second.is_some_and(|second| pairing.pairs(first, &second))
            {
                among |= 1 << index;
            }
        }
        among
    }

    /// Returns true if the next instruction of a candidate can issue in this cycle, and goes to another pipe than the
    /// first.
    fn pairs_with(&self, first: &FirstIssue, id: CandidateId, context: &Context) -> bool {
        let Some((_, next)) = self.residency.next_of(id, context.code) else {
            return false;
        };
        // The path of the first instruction may go on in this cycle, which only a pair makes possible.
        let may_begin = id == first.id || self.issue.not_before(id) <= context.now;
        let candidate = self.residency.candidate(id);
        let block = candidate.block;
        let path = self.residency.blocks().block(block).paths.path(candidate.slot);
        let registers = self.issue.scoreboards(block).ready(path, &next.needs);
        may_begin
            && registers <= Ready::loaded(context.now)
            && self.pipe_of(next).is_none_or(|pipe| pipe != first.pipe)
    }

    /// The pipe of an instruction; none for control flow.
    fn pipe_of(&self, instruction: &Decoded) -> Option<usize> {
        instruction.collects().then(|| self.pipes.unit(instruction.timing).pipe)
    }
}

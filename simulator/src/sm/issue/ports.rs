//! The ports of issue: the components beside the scoreboards that decide whether a path may issue.
use crate::block::operand_queues::QueueStall;
use crate::block::path::{Path, SlotState};
use crate::handles::{BlockSlot, CandidateId, Resource};
use crate::mechanisms::affine::slot::Affine;
use crate::program::code::Code;
use crate::program::decoded::{Decoded, Entries};
use crate::sm::frontend::Frontend;
use crate::sm::issue::queue::IssueQueue;
use crate::sm::issue::queue::blocked::Blocked;
use crate::sm::issue::scoreboard::Ready;
use crate::sm::observe::Observer;
use crate::sm::operand_collector::OperandCollector;
use crate::sm::residency::{Candidate, Residency};

/// The components beside the scoreboards that decide whether a path may issue.
pub(crate) struct IssuePorts<'a> {
    pub(crate) code: &'a Code,
    pub(crate) now: u64,
    /// The paths.
    pub(crate) residency: &'a mut Residency,
    /// Their instruction buffers.
    pub(crate) frontend: &'a mut Frontend,
    /// The operand collector, which may not admit their instructions.
    pub(crate) collector: &'a mut OperandCollector,
    /// The mechanism with affine warps, which may hold them back.
    pub(crate) affine: Option<&'a (dyn Affine + 'static)>,
    pub(crate) observer: &'a mut Observer,
}

impl IssuePorts<'_> {
    /// The reason that keeps a candidate's next instruction, which may wait for copies or for the
    /// second stream of the kernel, from issuing.
    #[cold]
    fn held_by(&self, candidate: Candidate) -> Option<Blocked> {
        if let Some(warp) = self.residency.own_warp_of(candidate) {
            let is_full = self.affine.is_some_and(|affine| affine.lacks_room(warp));
            return is_full.then_some(Blocked::Enqueue);
        }
        let block = self.residency.slot(candidate.block).block();
        if block.awaits_copies(self.code, candidate.slot) {
            return Some(Blocked::Copies);
        }
        block.queue_stall(self.code, candidate.slot).map(|stall| match stall {
            QueueStall::Empty => Blocked::Dequeue,
            QueueStall::EarlyLoad => Blocked::EarlyLoad,
        })
    }

    /// The reason other than results and control flow that keeps a candidate from issuing, and the instruction that it
    /// would issue, if it has one. A candidate that `has_fetched` has one.
    #[inline(always)]
    pub(super) fn blocked(
        &mut self,
        candidate: Candidate,
        id: CandidateId,
        has_fetched: bool,
    ) -> Result<(&Path, &Decoded), Blocked> {
        let paths = self.residency.slot(candidate.block).paths();
        match paths.state(candidate.slot) {
            SlotState::Empty => return Err(Blocked::Empty),
            SlotState::Waiting => return Err(Blocked::Barrier),
            SlotState::Runnable => {}
        }
        let path = paths.path(candidate.slot);
        if !has_fetched && !self.frontend.has(id, path.pc) {
            return Err(Blocked::Fetch);
        }
        let instruction = &self.code.instructions[path.pc as usize];
        if instruction.may_be_held()
            && let Some(blocked) = self.held_by(candidate)
        {
            return Err(blocked);
        }
        if instruction.collects() && !self.collector.admits(self.residency.warp_of(id)) {
            return Err(Blocked::Operands);
        }
        Ok((path, instruction))
    }
}

/// The next instruction of a path that only registers and control flow can hold back.
pub(crate) struct Following<'a> {
    /// None if it is not in the instruction buffer.
    pub(crate) instruction: Option<&'a Decoded>,
    /// The path's block slot.
    pub(crate) block: BlockSlot,
    pub(crate) scoreboard: u16,
}

/// The place of a candidate before it is entered again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Its scheduler has just picked it.
    Picked,
    /// It was waiting to fetch, and has fetched.
    Fetching,
    /// Anywhere.
    Any,
}

impl Place {
    /// Takes a candidate out of the sets of its scheduler.
    #[inline(always)]
    pub(super) fn take_out(self, queue: &mut IssueQueue, index: usize) {
        match self {
            Place::Picked => queue.remove_ready(index),
            Place::Fetching => queue.remove_fetching(index),
            Place::Any => queue.remove(index),
        }
    }

    /// Enters a candidate whose instruction buffer is empty.
    #[inline(always)]
    pub(super) fn fetch(self, queue: &mut IssueQueue, index: usize, now: u64) {
        self.take_out(queue, index);
        match self {
            Place::Picked => queue.fetch_next(index, now),
            _ => queue.wait_to_fetch(index, now),
        }
    }

    /// Enters a candidate that waits for control flow, registers, and what its instruction needs at
    /// most.
    #[inline(always)]
    pub(super) fn put(
        self,
        queue: &mut IssueQueue,
        index: usize,
        need: Resource,
        registers: Ready,
        now: u64,
    ) {
        let is_next = self != Place::Any && queue.can_issue_next(index, registers, now);
        if is_next && self == Place::Picked {
            return queue.goes_on(index, need);
        }
        self.take_out(queue, index);
        match is_next {
            true => queue.issue_next(index, need),
            false => queue.wait(index, need, registers, now),
        }
    }
}

/// A result with a known time: paths that wait for it may issue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'a> {
    /// The candidate of the instruction.
    pub(crate) candidate: Candidate,
    pub(crate) id: CandidateId,
    /// The scoreboard entries that it writes.
    pub(crate) writes: &'a Entries,
    /// Its release time until now, and from now on.
    pub(crate) pending: Ready,
    pub(crate) ready: Ready,
}

//! Why nothing issues in a slot.

use super::IssueQueue;
use super::group::{Group, Status};
use super::slot_use::SlotUse;
use crate::mechanisms::event::CandidateSet;
use crate::mechanisms::scheduler::members;
use crate::memory::NEVER;

impl IssueQueue {
    /// The reason why nothing issues now: that of the candidate that is closest to issuing, by
    /// kind; `blocked` is the reason that keeps instructions out of the register file, if it has no
    /// room.
    #[inline]
    pub(crate) fn stall(&self, blocked: Option<SlotUse>) -> SlotUse {
        // If there was room, the scheduler lets none of those that are ready issue.
        match self.status() {
            Status::Ready => blocked.unwrap_or(SlotUse::Inactive),
            Status::Reading => SlotUse::RegisterRead,
            Status::Throttled => SlotUse::Throttled,
            Status::Arithmetic => SlotUse::Arithmetic,
            Status::Control => SlotUse::Control,
            Status::Unfetched if self.any(Group::fetching) => SlotUse::Fetch,
            Status::Unfetched => SlotUse::Scoreboard,
            Status::Memory => SlotUse::Memory,
            Status::Queued => self.closest_queue_stall().0,
            Status::Barrier => SlotUse::Barrier,
            Status::Nowhere => SlotUse::Idle,
        }
    }

    /// The state of the candidates that are closest to issuing. Candidates with a full scoreboard
    /// wait longer than for memory.
    #[inline]
    fn status(&self) -> Status {
        let first = [
            Status::Ready,
            Status::Reading,
            Status::Throttled,
            Status::Arithmetic,
            Status::Control,
        ];
        if let Some(status) = first.into_iter().find(|&it| self.any(|group| group.set(it))) {
            return status;
        }
        if self.any(Group::fetching) {
            return Status::Unfetched;
        }
        let rest = [Status::Memory, Status::Unfetched, Status::Queued, Status::Barrier];
        let somebody = rest.into_iter().find(|&it| self.any(|group| group.set(it)));
        somebody.unwrap_or(Status::Nowhere)
    }

    /// The candidates with the reason.
    fn stalled(&self) -> CandidateSet {
        match self.status() {
            Status::Unfetched if self.any(Group::fetching) => self.all(Group::fetching),
            Status::Queued => self.closest_queue_stall().1,
            status => self.set(status),
        }
    }

    /// The candidate that the reason is charged to: the one that is known to resume first, or else
    /// the oldest with the reason.
    pub(crate) fn closest(&self) -> Option<usize> {
        let mut closest = None;
        for candidate in members(self.stalled()) {
            let wake = self.group(candidate).alarms.cycle(candidate).unwrap_or(NEVER);
            let key = (wake, self.ages[candidate], candidate);
            if closest.is_none_or(|least| key < least) {
                closest = Some(key);
            }
        }
        closest.map(|(.., candidate)| candidate)
    }

    /// The first reason, in the order of reasons, for which candidates wait for a queue, with these
    /// candidates.
    #[cold]
    fn closest_queue_stall(&self) -> (SlotUse, CandidateSet) {
        let queued = self.set(Status::Queued);
        let reasons = [SlotUse::EarlyLoad, SlotUse::Dequeue, SlotUse::Enqueue];
        let found = reasons.map(|reason| (reason, self.all(|group| group.queued_for(reason))));
        found.into_iter().find(|(_, set)| *set != 0).unwrap_or((SlotUse::Dequeue, queued))
    }
}

//! Why nothing issues in a slot.

use super::IssueQueue;
use super::group::Standing;
use super::slot_use::SlotUse;
use crate::memory::NEVER;
use crate::scheduler::{CandidateSet, members};

impl IssueQueue {
    /// Why nothing issues now: the reason of the candidate that is closest to issuing, by kind;
    /// `blocked` is what keeps instructions out of the register file, if it has no room.
    #[inline]
    pub(crate) fn stall(&self, blocked: Option<SlotUse>) -> SlotUse {
        self.stalled(blocked).0
    }

    /// That reason with the candidates that have it.
    #[inline]
    fn stalled(&self, blocked: Option<SlotUse>) -> (SlotUse, CandidateSet) {
        let reasons = [
            // If there was room, the scheduler lets none of them issue.
            (Standing::Ready, blocked.unwrap_or(SlotUse::Inactive)),
            (Standing::Reading, SlotUse::RegisterRead),
            (Standing::Throttled, SlotUse::Throttled),
            (Standing::Arithmetic, SlotUse::Arithmetic),
            (Standing::Control, SlotUse::Control),
        ];
        for (standing, reason) in reasons {
            let set = self.set(standing);
            if set != 0 {
                return (reason, set);
            }
        }
        let scoreboard_full = self.all(|group| group.scoreboard_full);
        let fetch = self.set(Standing::Unfetched) & !scoreboard_full;
        if fetch != 0 {
            return (SlotUse::Fetch, fetch);
        }
        let memory = self.set(Standing::Memory);
        if memory != 0 {
            return (SlotUse::Memory, memory);
        }
        if scoreboard_full != 0 {
            return (SlotUse::Scoreboard, scoreboard_full);
        }
        if self.set(Standing::Queued) != 0 {
            return self.closest_queue_stall();
        }
        match self.set(Standing::Barrier) {
            0 => (SlotUse::Idle, 0),
            barrier => (SlotUse::Barrier, barrier),
        }
    }

    /// The candidate that the reason stands for: the one that is known to go on first, or else the
    /// oldest of those that have it.
    pub(crate) fn closest(&self, blocked: Option<SlotUse>) -> Option<usize> {
        let mut closest = None;
        for candidate in members(self.stalled(blocked).1) {
            let wake = self.group(candidate).alarms.cycle(candidate).unwrap_or(NEVER);
            let key = (wake, self.ages[candidate], candidate);
            if closest.is_none_or(|least| key < least) {
                closest = Some(key);
            }
        }
        closest.map(|(.., candidate)| candidate)
    }

    /// Of the candidates that wait for a queue, those that lack what is first in the order of reasons.
    #[cold]
    fn closest_queue_stall(&self) -> (SlotUse, CandidateSet) {
        let queued = self.set(Standing::Queued);
        let reasons = [SlotUse::EarlyLoad, SlotUse::Dequeue, SlotUse::Enqueue];
        let found = reasons.map(|reason| (reason, self.all(|group| group.queued_for(reason))));
        found.into_iter().find(|(_, set)| *set != 0).unwrap_or((SlotUse::Dequeue, queued))
    }
}

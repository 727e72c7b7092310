//! Why nothing issues in a slot.

use super::slot_use::SlotUse;
use super::{IssueQueue, Standing};
use crate::memory::NEVER;
use crate::scheduler::{CandidateSet, has, members};

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
            if self.set(standing) != 0 {
                return (reason, self.set(standing));
            }
        }
        let fetch = self.set(Standing::Unfetched) & !self.scoreboard_full;
        if fetch != 0 {
            return (SlotUse::Fetch, fetch);
        }
        let memory = self.set(Standing::Memory);
        if memory != 0 {
            return (SlotUse::Memory, memory);
        }
        if self.scoreboard_full != 0 {
            return (SlotUse::Scoreboard, self.scoreboard_full);
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
        let timed = self.alarms.all();
        let mut closest = None;
        for candidate in members(self.stalled(blocked).1) {
            let wake = if has(timed, candidate) { self.alarms.cycles[candidate] } else { NEVER };
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
        let found = reasons.map(|reason| {
            let seats = self.seats.iter().enumerate();
            let all = seats.filter(|(_, seat)| seat.queue_stall == reason);
            (reason, all.fold(0, |set, (at, _)| set | 1 << at) & queued)
        });
        found.into_iter().find(|(_, set)| *set != 0).unwrap_or((SlotUse::Dequeue, queued))
    }
}

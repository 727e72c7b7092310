//! Issue slots: what each is used for, and why nothing issues in it.

use super::{IssueQueue, Standing};
use crate::memory::NEVER;
use crate::profile::Row;
use crate::scheduler::{CandidateSet, has, members};
use crate::statistics::{SLOT_REASONS, Statistics};

/// Why a scheduler did not issue in a cycle; or that it did. In the order of [`SLOT_REASONS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotUse {
    Issued,
    Metadata,
    RegisterRead,
    Throttled,
    PipeBusy,
    LoadStoreFull,
    Arithmetic,
    Control,
    Fetch,
    Memory,
    Scoreboard,
    EarlyLoad,
    Dequeue,
    Enqueue,
    Barrier,
    Inactive,
    Idle,
}

/// Adds issue slots to a reason's counter, of the machine or of an instruction.
macro_rules! count {
    ($reason:expr, $counters:expr, $slots:expr) => {{
        $counters.issue_slots += $slots;
        let counter = match $reason {
            SlotUse::Issued => &mut $counters.slots_issued,
            SlotUse::Metadata => &mut $counters.slots_metadata,
            SlotUse::RegisterRead => &mut $counters.slots_register_read,
            SlotUse::Throttled => &mut $counters.slots_throttled,
            SlotUse::PipeBusy => &mut $counters.slots_pipe_busy,
            SlotUse::LoadStoreFull => &mut $counters.slots_load_store_full,
            SlotUse::Arithmetic => &mut $counters.slots_arithmetic,
            SlotUse::Control => &mut $counters.slots_control,
            SlotUse::Fetch => &mut $counters.slots_fetch,
            SlotUse::Memory => &mut $counters.slots_memory,
            SlotUse::Scoreboard => &mut $counters.slots_scoreboard,
            SlotUse::EarlyLoad => &mut $counters.slots_early_load,
            SlotUse::Dequeue => &mut $counters.slots_dequeue,
            SlotUse::Enqueue => &mut $counters.slots_enqueue,
            SlotUse::Barrier => &mut $counters.slots_barrier,
            SlotUse::Inactive => &mut $counters.slots_inactive,
            SlotUse::Idle => &mut $counters.slots_idle,
        };
        *counter += $slots;
    }};
}

impl SlotUse {
    /// What people call it.
    pub(crate) fn name(self) -> &'static str {
        SLOT_REASONS[self as usize]
    }

    /// Adds so many issue slots to the reason's counter.
    pub(crate) fn count(self, statistics: &mut Statistics, slots: u64) {
        count!(self, statistics, slots);
    }

    /// Adds so many issue slots to the reason's counter of an instruction.
    pub(crate) fn count_of(self, row: &mut Row, slots: u64) {
        count!(self, row, slots);
    }
}

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

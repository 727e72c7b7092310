//! Why nothing issues in a slot.

use super::IssueQueue;
use super::blocked::Blocked;
use super::group::Group;
use crate::machine::clock::NEVER;
use crate::mechanisms::event::CandidateSet;
use crate::mechanisms::scheduler::members;
use crate::observe::slot_use::SlotUse;

impl IssueQueue {
    /// The reason why nothing issues now: that of the candidates that are closest to issuing;
    /// `no_room` is the reason that keeps instructions out of the register file, if it has no room.
    #[inline]
    pub(crate) fn stall(&self, no_room: Option<SlotUse>) -> SlotUse {
        let blocked = self.closest_reason();
        match no_room {
            Some(slot_use) if blocked == Blocked::No => slot_use,
            _ if blocked == Blocked::ScoreboardFull && self.is_full_of_loads() => SlotUse::Memory,
            // All of them will fetch when control flow lets them.
            _ if blocked == Blocked::Fetch && !self.any(Group::fetches) => SlotUse::Control,
            _ => blocked.slot_use(),
        }
    }

    /// Returns true if every full scoreboard waits for a load: of other results the time is known.
    fn is_full_of_loads(&self) -> bool {
        let is_known = |candidate: usize| self.group(candidate).alarms.cycle(candidate).is_some();
        !members(self.set(Blocked::ScoreboardFull)).any(is_known)
    }

    /// The reason that blocks the candidates that are closest to issuing.
    #[inline]
    fn closest_reason(&self) -> Blocked {
        let blocks = |&it: &Blocked| self.any(|group| group.set(it));
        Blocked::BY_CLOSENESS.into_iter().find(blocks).unwrap_or(Blocked::Empty)
    }

    /// The candidates with the reason, if they have paths.
    fn stalled(&self) -> CandidateSet {
        match self.closest_reason() {
            Blocked::Fetch | Blocked::Instructions => self.all(Group::fetching),
            Blocked::Empty => 0,
            blocked => self.set(blocked),
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
}

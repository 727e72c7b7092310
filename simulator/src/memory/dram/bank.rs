//! A bank: its open row, the commands that it can take, and the requests that wait for it.

use crate::mechanisms::dram_scheduler::{BankQueue, Choice, DramRequest, DramScheduler};
use crate::memory::dram::timing::Timing;

/// The direction of data: from memory or to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Read = 0,
    Write = 1,
}

/// A command for a bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Action {
    /// To read or write a burst for a waiting request, given by its place among those of the bank.
    Column(u32),
    /// To open the row of a waiting request, given as above.
    Activate(u32),
    /// To close its row.
    #[default]
    Precharge,
}

/// The next command for the waiting requests of a direction, as far as the bank alone decides: the
/// scheduler's choice.
#[derive(Clone, Copy, Debug, Default)]
struct Wish {
    action: Action,
    /// The cycle in which the bank can take it.
    time: u64,
    /// Its rank, and from the cycle `urgent` on.
    rank: u64,
    urgent: u64,
    urgent_rank: u64,
    /// The replacement from the cycle `limit` on: its cycle, and its rank.
    limit: u64,
    late: Action,
    late_time: u64,
    limit_rank: u64,
    /// The earlier of `time` and `limit`: no command is earlier.
    least: u64,
}

/// The order of two commands: the earlier one goes first, then the one that the scheduler ranks
/// before the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// The cycle of the command.
    pub(super) time: u64,
    rest: u64,
}

impl Rank {
    /// That of no command.
    pub(super) const LAST: Rank = Rank { time: u64::MAX, rest: u64::MAX };
}

#[derive(Clone, Debug, Default)]
pub(super) struct Bank {
    pub(super) group: u8,
    /// The open row.
    pub(super) row: Option<u64>,
    /// The earliest cycle of the next activation, of the next precharge, of the next read or write.
    activate: u64,
    precharge: u64,
    column: u64,
    /// The completion of the latest precharge or refresh.
    closed: u64,
    /// Reads and writes that wait, oldest first.
    pub(super) waiting: [Vec<DramRequest>; 2],
    /// For each direction, the place of the oldest request of the open row.
    hits: [Option<usize>; 2],
    /// The wishes of each direction.
    wishes: [Wish; 2],
}

impl Bank {
    /// A closed bank of a group.
    pub(super) fn new(group: u8) -> Bank {
        Bank { group, ..Bank::default() }
    }

    /// The cycle of the next command for the requests of a direction, of which there is at least
    /// one. `column` is the earliest cycle of a read or write as far as the rest of the channel is
    /// concerned, `activate` that of an activation, `floor` that of any command.
    #[inline]
    pub(super) fn time(&self, direction: Direction, [column, activate, floor]: [u64; 3]) -> u64 {
        let wish = &self.wishes[direction as usize];
        let bound = |action| match action {
            Action::Column(_) => column,
            Action::Activate(_) => activate,
            Action::Precharge => 0,
        };
        let time = wish.time.max(bound(wish.action)).max(floor);
        if time < wish.limit {
            return time;
        }
        wish.late_time.max(bound(wish.late)).max(wish.limit).max(floor)
    }

    /// A lower bound of [`Bank::time`], independent of the rest of the channel.
    #[inline]
    pub(super) fn least(&self, direction: Direction) -> u64 {
        self.wishes[direction as usize].least
    }

    /// The rank of that command among others, given the cycle from [`Bank::time`].
    #[inline]
    pub(super) fn rank(&self, direction: Direction, time: u64) -> Rank {
        let wish = &self.wishes[direction as usize];
        if time >= wish.limit {
            return Rank { time, rest: wish.limit_rank };
        }
        Rank { time, rest: if time < wish.urgent { wish.rank } else { wish.urgent_rank } }
    }

    /// The command that the requests of a direction need in the cycle that [`Bank::time`] gave.
    pub(super) fn action(&self, direction: Direction, time: u64) -> Action {
        let wish = &self.wishes[direction as usize];
        if time >= wish.limit { wish.late } else { wish.action }
    }

    /// Records the next command for the requests of a direction, after a change.
    fn note(&mut self, direction: Direction, scheduler: &dyn DramScheduler) {
        let (requests, hit) = (&self.waiting[direction as usize], self.hits[direction as usize]);
        if requests.is_empty() {
            return;
        }
        debug_assert_eq!(hit, requests.iter().position(|request| Some(request.row) == self.row));
        let (row, precharge) = (self.row, self.precharge);
        let choice = scheduler.choose(&BankQueue { requests, row, hit, precharge });
        let Choice { request, rank, urgent, urgent_rank, limit, limit_request, limit_rank } =
            choice;
        let command = |request: usize| match self.row {
            None => (Action::Activate(request as u32), self.activate),
            Some(row) if requests[request].row == row => {
                (Action::Column(request as u32), self.column)
            }
            Some(_) => (Action::Precharge, self.precharge),
        };
        let (action, time) = command(request);
        let (late, late_time) = match limit {
            u64::MAX => (action, time),
            _ => command(limit_request),
        };
        let least = time.min(limit);
        self.wishes[direction as usize] = Wish {
            action,
            time,
            rank,
            urgent,
            urgent_rank,
            limit,
            late,
            late_time,
            limit_rank,
            least,
        };
    }

    fn note_both(&mut self, scheduler: &dyn DramScheduler) {
        self.note(Direction::Read, scheduler);
        self.note(Direction::Write, scheduler);
    }

    /// A request waits for the bank.
    pub(super) fn push(
        &mut self,
        direction: Direction,
        request: DramRequest,
        scheduler: &dyn DramScheduler,
    ) {
        let (hit, waiting) =
            (&mut self.hits[direction as usize], &mut self.waiting[direction as usize]);
        if hit.is_none() && self.row == Some(request.row) {
            *hit = Some(waiting.len());
        }
        waiting.push(request);
        self.note(direction, scheduler);
    }

    /// The request at a place, one of the open row, has been served.
    pub(super) fn remove(
        &mut self,
        direction: Direction,
        place: usize,
        scheduler: &dyn DramScheduler,
    ) -> DramRequest {
        let waiting = &mut self.waiting[direction as usize];
        let request = waiting.remove(place);
        // The oldest of the row is served, as a rule; then none is before it.
        let hit = &mut self.hits[direction as usize];
        if hit.is_none_or(|hit| hit >= place) {
            let next = waiting[place..].iter().position(|other| other.row == request.row);
            *hit = next.map(|next| place + next);
        }
        self.note(direction, scheduler);
        request
    }

    /// A row is opened at a cycle.
    pub(super) fn activated(
        &mut self,
        row: u64,
        time: u64,
        timing: &Timing,
        scheduler: &dyn DramScheduler,
    ) {
        self.row = Some(row);
        self.hits = self.waiting.each_ref().map(|waiting| {
            let mut rows = waiting.iter().map(|request| request.row);
            rows.position(|other| other == row)
        });
        self.column = time + timing.rcd;
        self.precharge = time + timing.ras;
        self.activate = time + timing.rc;
        self.note_both(scheduler);
    }

    /// The row is closed at a cycle.
    pub(super) fn precharged(&mut self, time: u64, timing: &Timing, scheduler: &dyn DramScheduler) {
        self.row = None;
        self.hits = [None; 2];
        self.closed = time + timing.rp;
        self.activate = self.activate.max(self.closed);
        self.note_both(scheduler);
    }

    /// The earliest cycle of a precharge before a refresh, if the bank needs one.
    pub(super) fn precharge_for_refresh(&self) -> Option<u64> {
        self.row.map(|_| self.precharge)
    }

    /// The cycle in which the bank is closed for a refresh, its row being closed.
    pub(super) fn closed(&self) -> u64 {
        self.closed
    }

    /// A refresh starts at a cycle.
    pub(super) fn refreshed(&mut self, time: u64, timing: &Timing, scheduler: &dyn DramScheduler) {
        self.closed = time + timing.rfc;
        self.activate = self.activate.max(self.closed);
        self.note_both(scheduler);
    }

    /// A burst is read or written at a cycle.
    pub(super) fn accessed(&mut self, direction: Direction, time: u64, timing: &Timing) {
        let until = match direction {
            Direction::Read => time + timing.rtp,
            Direction::Write => time + timing.wl + timing.burst + timing.wr,
        };
        self.precharge = self.precharge.max(until);
        for wish in &mut self.wishes {
            if wish.action == Action::Precharge {
                wish.time = self.precharge;
                wish.least = wish.time.min(wish.limit);
            }
            if wish.late == Action::Precharge {
                wish.late_time = self.precharge;
            }
        }
    }
}

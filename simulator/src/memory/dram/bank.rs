//! A bank: its open row, the commands that it can take, and the requests that wait for it.

use super::Timing;

/// Whether data comes from memory or goes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Read = 0,
    Write = 1,
}

/// A request of a line that waits for its bank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    /// The pending entry of the slice that wants the data; 0 for a write.
    pub(super) reader: u32,
    /// The line's number within the slice, and its sectors.
    pub(super) line: u64,
    pub(super) sectors: u8,
    /// Those of which a write brings every byte.
    pub(super) whole: u8,
    pub(super) row: u64,
    /// Bursts that are not asked for yet.
    pub(super) bursts: u32,
    /// The first command cycle in which it could be served.
    pub(super) arrival: u64,
    /// Its place in the order of all requests.
    pub(super) order: u64,
    /// A row was activated for it.
    pub(super) opened: bool,
}

/// What a bank can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Action {
    /// To read or write a burst for a waiting request, given by its place among those of the bank.
    Column(usize),
    /// To open the row of the oldest request.
    Activate,
    /// To close its row.
    Precharge,
}

/// What a bank wants to be told next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    pub(super) action: Action,
    /// The cycle in which the bank itself can take it.
    pub(super) time: u64,
    /// The request for which it is.
    pub(super) order: u64,
    /// The cycle from which on that request is not overtaken any more.
    pub(super) urgent: u64,
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
    /// When the latest precharge or refresh is complete.
    closed: u64,
    /// Reads and writes that wait, oldest first.
    pub(super) waiting: [Vec<Request>; 2],
    /// Of each, the place of the oldest one of the open row.
    hits: [Option<usize>; 2],
}

impl Bank {
    /// A closed bank of a group.
    pub(super) fn new(group: u8) -> Bank {
        Bank { group, ..Bank::default() }
    }

    /// What the requests of a direction want next. `column` is the earliest cycle of a read or write
    /// as far as the rest of the channel is concerned, `activate` that of an activation, `floor`
    /// that of any command. Ready requests of the open row go first, until the oldest has waited for
    /// `age_limit` cycles.
    pub(super) fn wish(
        &self,
        direction: Direction,
        [column, activate, floor]: [u64; 3],
        age_limit: u64,
    ) -> Option<Wish> {
        let waiting = &self.waiting[direction as usize];
        let oldest = waiting.first()?;
        let urgent = oldest.arrival + age_limit;
        let wish = |action, time: u64, request: &Request| Wish {
            action,
            time: time.max(floor),
            order: request.order,
            urgent: request.arrival + age_limit,
        };
        let Some(row) = self.row else {
            return Some(wish(Action::Activate, self.activate.max(activate), oldest));
        };
        let hit = self.hits[direction as usize];
        debug_assert_eq!(hit, waiting.iter().position(|request| request.row == row));
        let Some(hit) = hit else {
            return Some(wish(Action::Precharge, self.precharge, oldest));
        };
        let served = wish(Action::Column(hit), self.column.max(column), &waiting[hit]);
        if hit == 0 || served.time < urgent {
            return Some(served);
        }
        Some(wish(Action::Precharge, self.precharge.max(urgent), oldest))
    }

    /// A request waits for the bank.
    pub(super) fn push(&mut self, direction: Direction, request: Request) {
        let (hit, waiting) =
            (&mut self.hits[direction as usize], &mut self.waiting[direction as usize]);
        if hit.is_none() && self.row == Some(request.row) {
            *hit = Some(waiting.len());
        }
        waiting.push(request);
    }

    /// The request at a place, the oldest one of the open row, has been served.
    pub(super) fn remove(&mut self, direction: Direction, place: usize) -> Request {
        let waiting = &mut self.waiting[direction as usize];
        let request = waiting.remove(place);
        let next = waiting[place..].iter().position(|other| other.row == request.row);
        self.hits[direction as usize] = next.map(|next| place + next);
        request
    }

    /// A row is opened at a cycle.
    pub(super) fn activated(&mut self, row: u64, time: u64, timing: &Timing) {
        self.row = Some(row);
        self.hits = self.waiting.each_ref().map(|waiting| {
            let mut rows = waiting.iter().map(|request| request.row);
            rows.position(|other| other == row)
        });
        self.column = time + timing.rcd;
        self.precharge = time + timing.ras;
        self.activate = time + timing.rc;
    }

    /// The row is closed at a cycle.
    pub(super) fn precharged(&mut self, time: u64, timing: &Timing) {
        self.row = None;
        self.closed = time + timing.rp;
        self.activate = self.activate.max(self.closed);
    }

    /// The earliest cycle of a precharge before a refresh, if the bank needs one.
    pub(super) fn precharge_for_refresh(&self) -> Option<u64> {
        self.row.map(|_| self.precharge)
    }

    /// When the bank is closed for a refresh, its row being closed.
    pub(super) fn closed(&self) -> u64 {
        self.closed
    }

    /// A refresh starts at a cycle.
    pub(super) fn refreshed(&mut self, time: u64, timing: &Timing) {
        self.closed = time + timing.rfc;
        self.activate = self.activate.max(self.closed);
    }

    /// A burst is read or written at a cycle.
    pub(super) fn accessed(&mut self, direction: Direction, time: u64, timing: &Timing) {
        let until = match direction {
            Direction::Read => time + timing.rtp,
            Direction::Write => time + timing.wl + timing.burst + timing.wr,
        };
        self.precharge = self.precharge.max(until);
    }
}

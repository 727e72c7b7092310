//! A bank: its open row, the commands that it can take, and the requests that wait for it.

use super::{NEVER, Timing};

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Action {
    /// To read or write a burst for a waiting request, given by its place among those of the bank.
    Column(u32),
    /// To open the row of the oldest request.
    #[default]
    Activate,
    /// To close its row.
    Precharge,
}

/// What the requests of a direction that wait for a bank want it to be told next, as far as the bank
/// alone decides.
#[derive(Clone, Copy, Debug, Default)]
struct Wish {
    action: Action,
    /// The cycle in which the bank can take it.
    time: u64,
    /// The request for which it is.
    order: u64,
    /// The cycle from which on that request is not overtaken any more.
    urgent: u64,
    /// The cycle from which on an older one is not overtaken any more.
    limit: u64,
    /// The earlier of `time` and `limit`: the command comes no sooner.
    least: u64,
}

/// What of two commands goes first: the earlier one; of those, one for a request that is not to be
/// overtaken any more, then one that moves data, then that for the older request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// The cycle of the command.
    pub(super) time: u64,
    /// The rest, as one number, since many are compared.
    rest: u64,
}

impl Rank {
    fn new(time: u64, waits: bool, opens: bool, order: u64) -> Rank {
        Rank { time, rest: u64::from(waits) << 63 | u64::from(opens) << 62 | order }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Bank {
    pub(super) group: u8,
    age_limit: u64,
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
    /// What those of each direction want, if there are any.
    wishes: [Wish; 2],
}

impl Bank {
    /// A closed bank of a group, in which a request is not overtaken any more after so many cycles.
    pub(super) fn new(group: u8, age_limit: u64) -> Bank {
        Bank { group, age_limit, ..Bank::default() }
    }

    /// The cycle of the command that the requests of a direction want, of which there are some. `column` is
    /// the earliest cycle of a read or write as far as the rest of the channel is concerned, `activate` that
    /// of an activation, `floor` that of any command. Ready requests of the open row go first, until the
    /// oldest has waited for long.
    #[inline]
    pub(super) fn time(&self, direction: Direction, [column, activate, floor]: [u64; 3]) -> u64 {
        let wish = &self.wishes[direction as usize];
        let bound = match wish.action {
            Action::Column(_) => column,
            Action::Activate => activate,
            Action::Precharge => 0,
        };
        let time = wish.time.max(bound).max(floor);
        if time >= wish.limit { self.precharge.max(wish.limit).max(floor) } else { time }
    }

    /// A cycle before which [`Bank::time`] is not, whatever the rest of the channel wants.
    #[inline]
    pub(super) fn least(&self, direction: Direction) -> u64 {
        self.wishes[direction as usize].least
    }

    /// How that command compares with others, given the cycle that [`Bank::time`] has told.
    #[inline]
    pub(super) fn rank(&self, direction: Direction, time: u64) -> Rank {
        let wish = &self.wishes[direction as usize];
        if time >= wish.limit {
            return Rank::new(time, false, true, self.waiting[direction as usize][0].order);
        }
        let opens = !matches!(wish.action, Action::Column(_));
        Rank::new(time, time < wish.urgent, opens, wish.order)
    }

    /// What the requests of a direction want in the cycle that [`Bank::time`] has told.
    pub(super) fn action(&self, direction: Direction, time: u64) -> Action {
        let wish = &self.wishes[direction as usize];
        if time >= wish.limit { Action::Precharge } else { wish.action }
    }

    /// Notes what the requests of a direction want, after something has changed.
    fn note(&mut self, direction: Direction) {
        let (waiting, hit) = (&self.waiting[direction as usize], self.hits[direction as usize]);
        let Some(oldest) = waiting.first() else {
            return;
        };
        debug_assert_eq!(hit, waiting.iter().position(|request| Some(request.row) == self.row));
        let (action, time, request) = match (self.row, hit) {
            (None, _) => (Action::Activate, self.activate, oldest),
            (_, None) => (Action::Precharge, self.precharge, oldest),
            (_, Some(hit)) => (Action::Column(hit as u32), self.column, &waiting[hit]),
        };
        let is_oldest = request.order == oldest.order;
        let limit = if is_oldest { NEVER } else { oldest.arrival + self.age_limit };
        let (order, urgent) = (request.order, request.arrival + self.age_limit);
        self.wishes[direction as usize] =
            Wish { action, time, order, urgent, limit, least: time.min(limit) };
    }

    fn note_both(&mut self) {
        self.note(Direction::Read);
        self.note(Direction::Write);
    }

    /// A request waits for the bank.
    pub(super) fn push(&mut self, direction: Direction, request: Request) {
        let (hit, waiting) =
            (&mut self.hits[direction as usize], &mut self.waiting[direction as usize]);
        if hit.is_none() && self.row == Some(request.row) {
            *hit = Some(waiting.len());
        }
        waiting.push(request);
        self.note(direction);
    }

    /// The request at a place, the oldest one of the open row, has been served.
    pub(super) fn remove(&mut self, direction: Direction, place: usize) -> Request {
        let waiting = &mut self.waiting[direction as usize];
        let request = waiting.remove(place);
        let next = waiting[place..].iter().position(|other| other.row == request.row);
        self.hits[direction as usize] = next.map(|next| place + next);
        self.note(direction);
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
        self.note_both();
    }

    /// The row is closed at a cycle.
    pub(super) fn precharged(&mut self, time: u64, timing: &Timing) {
        self.row = None;
        self.hits = [None; 2];
        self.closed = time + timing.rp;
        self.activate = self.activate.max(self.closed);
        self.note_both();
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
        self.note_both();
    }

    /// A burst is read or written at a cycle.
    pub(super) fn accessed(&mut self, direction: Direction, time: u64, timing: &Timing) {
        let until = match direction {
            Direction::Read => time + timing.rtp,
            Direction::Write => time + timing.wl + timing.burst + timing.wr,
        };
        self.precharge = self.precharge.max(until);
        for wish in self.wishes.iter_mut().filter(|wish| wish.action == Action::Precharge) {
            wish.time = self.precharge;
            wish.least = wish.time.min(wish.limit);
        }
    }
}

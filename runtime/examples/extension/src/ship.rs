//! `ship`: lines of instructions whose lines nobody used again are evicted first.
//!
//! Source: Wu, Jaleel, Hasenplaug, Martonosi, Steely, Emer, "SHiP: signature-based hit predictor for high performance
//! caching", MICRO 2011: SHiP-PC. A line is predicted to be used again late (2 of 3), or never (3) if the counter of its
//! instruction is 0; a hit makes it 0. The line with the highest prediction is evicted, and all of the set grow until one
//! has 3. A counter of 3 bits grows with a line's first hit, and falls if a line is evicted without one.
//! Ours: the instruction's number is the signature, so no two instructions share a counter below 16,384 of them; among
//! equal lines that of the lowest way goes.

use reconverge::extend::allocation::LineAccess;
use reconverge::extend::replacement::{Build, Replacement, Ways};
use reconverge::extend::{Declaration, Mechanism, MechanismStatistics};

const DISTANT: Declaration = Declaration::sum(
    "ship_distant",
    "lines",
    "Lines placed with the prediction that nobody uses them again.",
);

pub(crate) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "ship",
    sentence: "evicts lines of instructions whose lines were not used again first",
    options: &[],
    trials: &[],
    statistics: &[DISTANT],
    build: &|_, sets, ways| Ok(Box::new(Ship::new(sets, ways))),
};

/// The largest prediction, and the largest counter.
const NEVER: u8 = 3;
const MOST: u8 = 7;
const COUNTERS: usize = 1 << 14;

#[derive(Clone, Copy)]
struct Line {
    /// How late it is used again: 0 soon, 3 never.
    again: u8,
    signature: usize,
    /// A hit, or nothing placed yet.
    was_used: bool,
}

struct Ship {
    ways: usize,
    lines: Vec<Line>,
    counters: Vec<u8>,
    distant: u64,
}

impl Ship {
    fn new(sets: usize, ways: usize) -> Ship {
        let empty = Line { again: NEVER, signature: 0, was_used: true };
        Ship { ways, lines: vec![empty; sets * ways], counters: vec![1; COUNTERS], distant: 0 }
    }

    /// Another line takes a way: what the old one shows is learnt, and the others age as far as it had to.
    fn replace(&mut self, access: &LineAccess, way: usize, again: Option<u8>) {
        let set = access.set * self.ways;
        let old = self.lines[set + way];
        if !old.was_used {
            let counter = &mut self.counters[old.signature];
            *counter = counter.saturating_sub(1);
        }
        let older = NEVER - old.again;
        for line in &mut self.lines[set..set + self.ways] {
            line.again = (line.again + older).min(NEVER);
        }
        let signature = access.requester.pc as usize % COUNTERS;
        let predicted = if self.counters[signature] == 0 { NEVER } else { NEVER - 1 };
        self.distant += u64::from(predicted == NEVER);
        self.lines[set + way] =
            Line { again: again.unwrap_or(predicted), signature, was_used: false };
    }
}

impl Replacement for Ship {
    fn touch(&mut self, access: &LineAccess, way: usize) {
        let line = &mut self.lines[access.set * self.ways + way];
        line.again = 0;
        if !std::mem::replace(&mut line.was_used, true) {
            let counter = &mut self.counters[line.signature];
            *counter = (*counter + 1).min(MOST);
        }
    }

    fn place(&mut self, access: &LineAccess, way: usize) {
        self.replace(access, way, None);
    }

    fn place_last(&mut self, access: &LineAccess, way: usize) {
        self.replace(access, way, Some(NEVER));
    }

    fn victim(&self, access: &LineAccess, offered: &Ways) -> usize {
        let set = access.set * self.ways;
        let latest = |&way: &usize| (self.lines[set + way].again, self.ways - way);
        // At least one way is offered.
        offered.iter().max_by_key(latest).unwrap_or(0)
    }

    fn count(&self, own: &mut MechanismStatistics, _cycle: u64) {
        own.add(&DISTANT, self.distant);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge::extend::allocation::Requester;

    #[test]
    fn lines_of_a_stream_leave_before_those_that_are_used_again() {
        let access =
            |pc| LineAccess { requester: Requester { pc, ..Requester::NONE }, line: 0, set: 0 };
        let mut ship = Ship::new(1, 2);
        ship.place(&access(1), 0);
        ship.touch(&access(1), 0);
        // Instruction 2 streams: its line is evicted unused, so the next one is placed as the next victim.
        ship.place(&access(2), 1);
        assert_eq!(ship.victim(&access(2), &Ways::all(2)), 1);
        ship.place(&access(2), 1);
        assert_eq!((ship.lines[1].again, ship.distant), (NEVER, 1));
        assert_eq!(ship.victim(&access(1), &Ways::all(2)), 1);
    }
}

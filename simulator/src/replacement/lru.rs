//! `lru`: the line that was not used for the longest time.
//!
//! Source: textbook; Aamodt, Fung, Rogers take it for granted. Exact: every line has the time of
//! its last use.

use super::{Build, NoOptions, Replacement, Ways};
use crate::mechanism::{Mechanism, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "lru",
    sentence: "evicts the least recently used line",
    options: &[],
    trials: &[],
    build: |table, sets, ways| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(Lru { ways, clock: 0, used: vec![0; sets * ways] }))
    },
};

struct Lru {
    ways: usize,
    clock: u64,
    used: Vec<u64>,
}

impl Replacement for Lru {
    fn touch(&mut self, set: usize, way: usize) {
        self.clock += 1;
        self.used[set * self.ways + way] = self.clock;
    }

    fn place(&mut self, set: usize, way: usize) {
        self.touch(set, way);
    }

    fn victim(&self, set: usize, offered: &Ways) -> usize {
        let first = set * self.ways;
        let used = &self.used[first..first + self.ways];
        let (mut oldest, mut first) = (0, u64::MAX);
        for way in offered.iter() {
            if used[way] < first {
                (oldest, first) = (way, used[way]);
            }
        }
        oldest
    }
}

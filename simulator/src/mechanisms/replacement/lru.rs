//! `lru`: the line that was not used for the longest time.
//!
//! Source: textbook; Aamodt, Fung, Rogers take it for granted. Exact: every line has the time of
//! its last use.

use super::slot::{Build, Replacement};
use super::ways::Ways;
use crate::mechanisms::allocation::access::LineAccess;
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "lru",
    sentence: "evicts the least recently used line",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table, sets, ways| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(Lru { ways, first: FIRST, last: FIRST, used: vec![FIRST; sets * ways] }))
    },
};

/// The time at which nothing has been used.
const FIRST: u64 = 1 << 63;

struct Lru {
    ways: usize,
    /// The times of the line used longest ago, and of the latest use.
    first: u64,
    last: u64,
    used: Vec<u64>,
}

impl Replacement for Lru {
    fn touch(&mut self, access: &LineAccess, way: usize) {
        self.last += 1;
        self.used[access.set * self.ways + way] = self.last;
    }

    fn place(&mut self, access: &LineAccess, way: usize) {
        self.touch(access, way);
    }

    fn place_last(&mut self, access: &LineAccess, way: usize) {
        self.first -= 1;
        self.used[access.set * self.ways + way] = self.first;
    }

    fn victim(&self, access: &LineAccess, offered: &Ways) -> usize {
        let first = access.set * self.ways;
        let used = &self.used[first..first + self.ways];
        let oldest = oldest(used, |_| true);
        // As a rule all are offered.
        if offered.contains(oldest) {
            oldest
        } else {
            self::oldest(used, |way| offered.contains(way))
        }
    }
}

/// The least recently used way among some, given the times of use.
#[inline]
fn oldest(used: &[u64], is_one: impl Fn(usize) -> bool) -> usize {
    let (mut oldest, mut first) = (0, u64::MAX);
    for (way, time) in used.iter().enumerate() {
        if *time < first && is_one(way) {
            (oldest, first) = (way, *time);
        }
    }
    oldest
}

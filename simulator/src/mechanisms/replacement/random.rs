//! `random`: any line, the same ones in every run.
//!
//! Source: textbook. A new number is drawn for every line that enters the cache; slices of one
//! cache draw the same ones. If the drawn way is not offered, the next offered one is evicted; way
//! 0 follows the last.

use super::slot::{Build, Replacement};
use super::ways::Ways;
use crate::mechanisms::allocation::access::LineAccess;
use crate::mechanisms::mechanism::{Mechanism, options};
use crate::random::Random;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "random",
    sentence: "evicts a pseudo-random line",
    options: &[("seed", "seed of the random numbers; default 0")],
    trials: &[],
    statistics: &[],
    build: &|table, _, ways| {
        let Options { seed } = options(table)?;
        Ok(Box::new(Drawn { ways: ways as u64, random: Random::new(u64::from(seed)) }))
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    #[serde(default)]
    seed: u32,
}

struct Drawn {
    ways: u64,
    random: Random,
}

impl Replacement for Drawn {
    fn touch(&mut self, _: &LineAccess, _: usize) {}

    fn place(&mut self, _: &LineAccess, _: usize) {
        self.random.advance();
    }

    /// It has no order.
    fn place_last(&mut self, access: &LineAccess, way: usize) {
        self.place(access, way);
    }

    fn victim(&self, _: &LineAccess, offered: &Ways) -> usize {
        let drawn = (self.random.number() % self.ways) as usize;
        let mut next = (drawn..self.ways as usize).chain(0..drawn);
        next.find(|&way| offered.contains(way)).unwrap_or(drawn)
    }
}

//! `random`: any line, the same ones in every run.
//!
//! Source: textbook. The numbers are those of SplitMix64 (Steele, Lea, Flood, "Fast splittable
//! pseudorandom number generators", OOPSLA 2014), a new one for every line that comes into the cache;
//! slices of one cache draw the same ones. If the way that is drawn is not offered, the next offered one
//! is evicted, way 0 following the last.

use super::{Build, Replacement, Ways};
use crate::mechanism::{Mechanism, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "random",
    sentence: "evicts a pseudo-random line",
    options: &[("seed", "seed of the random numbers; default 0")],
    trials: &[],
    build: |table, _, ways| {
        let Options { seed } = options(table)?;
        Ok(Box::new(Random { ways: ways as u64, state: u64::from(seed) }))
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    #[serde(default)]
    seed: u32,
}

struct Random {
    ways: u64,
    state: u64,
}

impl Replacement for Random {
    fn touch(&mut self, _: usize, _: usize) {}

    fn place(&mut self, _: usize, _: usize) {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    fn victim(&self, _: usize, offered: &Ways) -> usize {
        let mut number = self.state;
        number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let drawn = ((number ^ number >> 31) % self.ways) as usize;
        let mut next = (drawn..self.ways as usize).chain(0..drawn);
        next.find(|&way| offered.contains(way)).unwrap_or(drawn)
    }
}

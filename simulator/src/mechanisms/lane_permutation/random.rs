//! `random`: each warp in an order of its own, the same one in every run.
//!
//! Source: Rhu's dissertation, §4.3.4 and Figure 4.16. After 128 warps the orders
//! repeat. The table of options is also that of the replacement policy of
//! the same name.

use super::slot::{Build, LaneMap};
use crate::mechanisms::mechanism::{Mechanism, options};
use crate::random::Random;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "random",
    sentence: "each warp in a pseudo-random order",
    options: &[("seed", "seed of the random numbers; default 0")],
    trials: &[],
    statistics: &[],
    build: &|table, width| {
        let Options { seed } = options(table)?;
        let mut random = Random::new(u64::from(seed));
        let orders: Vec<Vec<usize>> = (0..PERIOD).map(|_| order(&mut random, width)).collect();
        Ok(LaneMap::new(width, PERIOD, move |warp, place| orders[warp][place]))
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    #[serde(default)]
    seed: u32,
}

/// Warps with orders of their own.
const PERIOD: usize = 128;

fn order(random: &mut Random, width: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..width).collect();
    random.shuffle(&mut order);
    order
}

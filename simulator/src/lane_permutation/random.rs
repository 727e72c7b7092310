//! `random`: each warp in an order of its own, the same one in every run.
//!
//! Source: Rhu's dissertation, §4.3.4 and Figure 4.16. The orders are those of Fisher and Yates with the
//! numbers of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA
//! 2014); after 128 warps they repeat. The table of options is also that of the replacement policy of
//! the same name.

use super::{Build, LaneMap};
use crate::mechanism::{Mechanism, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "random",
    sentence: "each warp in a pseudo-random order",
    options: &[("seed", "seed of the random numbers; default 0")],
    trials: &[],
    build: |table, width| {
        let Options { seed } = options(table)?;
        let mut state = u64::from(seed);
        let orders: Vec<Vec<usize>> = (0..PERIOD).map(|_| order(&mut state, width)).collect();
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

fn order(state: &mut u64, width: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..width).collect();
    for last in (1..width).rev() {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = *state;
        number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        order.swap(last, ((number ^ number >> 31) % (last as u64 + 1)) as usize);
    }
    order
}

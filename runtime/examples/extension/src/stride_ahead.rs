//! `stride-ahead`: the line that a load accesses next, if its last two steps were equal.
//!
//! Source: Chen, Baer, "Effective hardware-based data prefetching for high-performance processors", IEEE Transactions on
//! Computers 44(5), 1995: a table by instruction, which prefetches in its steady state. Ours: the table is by warp and
//! instruction, as warps interleave; a step that changes is learnt at once.

use reconverge::extend::Mechanism;
use reconverge::extend::prefetcher::{Build, LoadOfWarp, OPTIONS, STATISTICS, by_step};
use std::collections::BTreeMap;

pub(crate) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "stride-ahead",
    sentence: "prefetches where a load of a warp goes next, once two of its steps were equal",
    options: OPTIONS,
    trials: &[&[("stride-ahead.distance", "2")]],
    statistics: STATISTICS,
    build: &|table| {
        let mut loads = BTreeMap::new();
        by_step(table, Box::new(move |load, address, _| step(&mut loads, load, address)))
    },
};

/// The last address of a load, and its last step.
type Loads = BTreeMap<(u64, u32), (u64, i64)>;

fn step(loads: &mut Loads, load: LoadOfWarp, address: u64) -> Option<i64> {
    let (last, known) = loads.insert((load.warp, load.pc), (address, 0)).unwrap_or((address, 0));
    let step = address.wrapping_sub(last) as i64;
    loads.insert((load.warp, load.pc), (address, step));
    (step != 0 && step == known).then_some(step)
}

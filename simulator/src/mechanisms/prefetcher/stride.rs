//! `stride`: predicts the next address of a warp's load by the difference of its last two.
//!
//! Source: Aamodt, Fung, Rogers, §5.1.2 uses a prefetcher for prefetch-aware scheduling, but does
//! not describe it. This one is the reference table of Chen and Baer, "Effective hardware-based
//! data prefetching for high-performance processors", IEEE Transactions on Computers 1995, with an
//! entry for each load of each warp: a stride is trusted when two differences in a row agree.
//! `many-thread-prefetch` includes that, and also compares warps.

use super::buffered::{self, OPTIONS, STATISTICS};
use super::slot::Build;
use super::strides::WarpStrides;
use crate::mechanisms::mechanism::Mechanism;

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "stride",
    sentence: "detects strides of each warp's loads, and prefetches into a buffer beside the L1",
    options: OPTIONS,
    trials: &[&[("stride.degree", "2"), ("stride.lines", "5")]],
    statistics: STATISTICS,
    build: &|table| {
        let mut strides = WarpStrides::default();
        buffered::build(table, Box::new(move |load, first, _| strides.load(load, first)))
    },
};

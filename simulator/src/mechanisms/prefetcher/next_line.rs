//! `next-line`: the lines after those that a load accesses.
//!
//! Source: Aamodt, Fung, Rogers, §5.1.2 (after Jog et al., "Orchestrated scheduling and prefetching
//! for GPGPUs", ISCA 2013). Prefetch-aware scheduling leaves time to prefetch the lines that follow
//! those of a load, which warps of another group need. The text does not describe the prefetcher
//! itself: ours requests the line after each that a load accesses.

use super::buffered::{self, OPTIONS, STATISTICS};
use super::slot::Build;
use crate::mechanisms::mechanism::Mechanism;

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "next-line",
    sentence: "prefetches the line after each that a load requests, into a buffer beside the L1",
    options: OPTIONS,
    trials: &[&[("next-line.distance", "3"), ("next-line.lines", "5")]],
    statistics: STATISTICS,
    build: &|table| buffered::build(table, Box::new(|_, _, line| Some(i64::from(line)))),
};

//! `ideal`: warp formation may put each thread into any lane.
//!
//! Source: Rhu's dissertation, §4.3.1 and equation 4.1: no machine, but the bound of all compaction.
//! Warps that are not re-formed keep their threads in the lanes of their places.

use super::slot::{Build, LaneMap};
use crate::mechanisms::mechanism::Mechanism;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "ideal",
    sentence: "compaction may move a thread to any lane: the upper bound of compaction",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|_, width| Ok(LaneMap::ideal(width)),
};

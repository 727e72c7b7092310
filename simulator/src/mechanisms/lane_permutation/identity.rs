//! `identity`: every thread in the lane of its place
//!
//! Source: Rhu's dissertation, §4.3.4 and Figure 4.16. No difference.

use super::slot::{Build, LaneMap};
use crate::mechanisms::mechanism::Mechanism;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "identity",
    sentence: "thread i of a warp in lane i",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|_, width| Ok(LaneMap::identity(width)),
};

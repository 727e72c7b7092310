//! `rotate-odd-1`: warps of odd numbers turned by one lane.
//!
//! Source: Rhu's dissertation, §4.3.4 and Figure 4.16 (`Rotate_odd_1`). The direction is our choice: a
//! thread moves to the next higher lane.

use super::slot::{Build, LaneMap};
use crate::mechanisms::mechanism::Mechanism;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "rotate-odd-1",
    sentence: "odd warps rotated by one lane, towards higher lanes",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|_, width| Ok(LaneMap::new(width, 2, move |warp, place| (place + warp % 2) % width)),
};

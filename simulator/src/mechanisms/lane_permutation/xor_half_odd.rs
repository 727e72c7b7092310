//! `xor-half-odd`: the halves of warps of odd numbers swapped
//!
//! Source: Rhu's dissertation, §4.3.4 and Figure 4.16. No difference.

use super::slot::{Build, LaneMap};
use crate::mechanisms::mechanism::Mechanism;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "xor-half-odd",
    sentence: "lower and upper half swapped in odd warps",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|_, width| LaneMap::xor("xor-half-odd", width, |warp| warp % 2 * (width / 2)),
};

//! `warp-id`: places XOR the warp's number
//!
//! Source: Rhu's dissertation, §4.3.4 and Figure 4.16. No difference.

use super::slot::{Build, LaneMap};
use crate::mechanisms::mechanism::Mechanism;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "warp-id",
    sentence: "lane XOR warp id",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|_, width| LaneMap::xor("warp-id", width, |warp| warp % width),
};

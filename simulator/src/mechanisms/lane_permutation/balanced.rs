//! `balanced`: no physical lane has the same place of two warps.
//!
//! Source: Rhu's dissertation, §4.3.6, equation 4.2 and Figure 4.19 (a). Even warps take their
//! number halved as a mask, odd ones the complement of the mask of the even one before. It repeats
//! after a number of warps equal to the lanes. No difference.

use super::slot::{Build, LaneMap};
use crate::mechanisms::mechanism::Mechanism;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "balanced",
    sentence: "lane XOR half the warp id in even warps; XOR the complement of that in odd warps",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|_, width| {
        let mask = |warp: usize| {
            let half = warp / 2 % width;
            if warp.is_multiple_of(2) { half } else { !half & (width - 1) }
        };
        LaneMap::xor("balanced", width, mask)
    },
};

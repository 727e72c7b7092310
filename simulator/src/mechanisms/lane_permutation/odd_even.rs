//! `odd-even`: neighbours of warps of odd numbers change places.
//!
//! Source: Rhu's dissertation, §4.3.4, Figures 4.16 and 4.19 (b), after Fung et al., "Dynamic warp
//! formation" (2009). No difference; the last lane of an odd number of lanes has no neighbour.

use super::slot::{Build, LaneMap};
use crate::mechanisms::mechanism::Mechanism;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "odd-even",
    sentence: "even and odd lanes swapped in odd warps",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|_, width| {
        let lane = move |warp, place| match warp % 2 == 1 && place ^ 1 < width {
            true => place ^ 1,
            false => place,
        };
        Ok(LaneMap::new(width, 2, lane))
    },
};

//! `flip-odd`: warps of odd numbers end to end
//!
//! Source: Rhu's dissertation, §4.3.4 and Figure 4.16. No difference.

use super::slot::{Build, LaneMap};
use crate::mechanisms::mechanism::Mechanism;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "flip-odd",
    sentence: "lanes in reverse order in odd warps",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|_, width| {
        let lane = move |warp, place| if warp % 2 == 0 { place } else { width - 1 - place };
        Ok(LaneMap::new(width, 2, lane))
    },
};

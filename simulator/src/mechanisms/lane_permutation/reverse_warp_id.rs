//! `reverse-warp-id`: places XOR the warp's number with its bits in reverse order.
//!
//! Source: Rhu's dissertation, §4.3.4, Figures 4.16 and 4.19 (`Rev_WID`), after Brunie et al. (2012). As
//! many bits are reversed as number a lane; of the warp's number the lowest ones count.

use super::slot::{Build, LaneMap};
use crate::mechanisms::mechanism::Mechanism;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "reverse-warp-id",
    sentence: "lane XOR bit-reversed warp id",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|_, width| {
        let bits = width.trailing_zeros();
        let reversed = |warp: usize| match bits {
            0 => 0,
            bits => (warp % width).reverse_bits() >> (usize::BITS - bits),
        };
        LaneMap::xor("reverse-warp-id", width, reversed)
    },
};

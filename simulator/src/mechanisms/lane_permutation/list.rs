//! The mechanisms of the slot `lane-permutation`.

use super::slot::{Build, LaneMap};
use super::{
    balanced, flip_odd, ideal, identity, odd_even, random, reverse_warp_id, rotate_odd_1, warp_id,
    xor_half_odd,
};
use crate::machine::Machine;
use crate::mechanisms::mechanism::{List, Mechanism};
use crate::mechanisms::setup::Setup;

/// The permutations that exist.
pub static MECHANISMS: List<Build> = List::new(
    "lane-permutation",
    &[
        identity::MECHANISM,
        odd_even::MECHANISM,
        flip_odd::MECHANISM,
        rotate_odd_1::MECHANISM,
        xor_half_odd::MECHANISM,
        random::MECHANISM,
        warp_id::MECHANISM,
        reverse_warp_id::MECHANISM,
        balanced::MECHANISM,
        ideal::MECHANISM,
    ],
);

/// The permutation that lets a thread take any lane.
pub(crate) const ANY_LANE: &str = ideal::MECHANISM.name;

/// The permutation of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    MECHANISMS.find(name)
}

/// The physical lanes of the threads of warps.
pub(crate) fn map(machine: &Machine) -> Result<LaneMap, String> {
    let permutation = find(&machine.lane_permutation)?;
    let map =
        (permutation.build)(&Setup::on(machine, permutation.name), machine.sm.warp_width as usize);
    map.map_err(|error| match error.contains("warp width") {
        true => error,
        false => format!("options of `{}`: {error}", permutation.name),
    })
}

//! The mechanisms of the slot `allocation`.

use super::slot::{Allocation, Build};
use super::{
    all, coordinated, divergence_reuse, medic, mrpb, pcal, priority_allocation, protection_distance,
};
use crate::mechanisms::mechanism::{List, Mechanism};

/// The mechanisms that exist.
pub static MECHANISMS: List<Build> = List::new(
    "allocation",
    &[
        all::MECHANISM,
        priority_allocation::MECHANISM,
        protection_distance::MECHANISM,
        pcal::MECHANISM,
        mrpb::MECHANISM,
        medic::MECHANISM,
        coordinated::MECHANISM,
        divergence_reuse::MECHANISM,
    ],
);

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    MECHANISMS.find(name)
}

/// The default, for caches that have no such slot.
pub(crate) fn all() -> Box<dyn Allocation> {
    Box::new(all::All)
}

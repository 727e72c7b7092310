//! The mechanisms of the slot `granularity`.

use super::slot::{Build, Granularity};
use super::{bimodal, coarse, divergence_size, fine, spatial_pattern};
use crate::mechanisms::mechanism::{List, Mechanism};

/// The mechanisms that exist.
pub static MECHANISMS: List<Build> = List::new(
    "granularity",
    &[
        fine::MECHANISM,
        coarse::MECHANISM,
        spatial_pattern::MECHANISM,
        bimodal::BIMODAL,
        bimodal::INFINITE,
        divergence_size::MECHANISM,
    ],
);

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    MECHANISMS.find(name)
}

/// The default, for caches that have no such slot.
pub(crate) fn fine() -> Box<dyn Granularity> {
    Box::new(fine::Fine)
}

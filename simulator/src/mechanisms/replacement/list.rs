//! The mechanisms of the slot `replacement`.

use super::slot::Build;
use super::{fifo, lru, random, tree_pseudo_lru};
use crate::mechanisms::mechanism::{List, Mechanism};

/// The policies that exist.
pub static MECHANISMS: List<Build> = List::new(
    "replacement",
    &[lru::MECHANISM, tree_pseudo_lru::MECHANISM, fifo::MECHANISM, random::MECHANISM],
);

/// The policy of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    MECHANISMS.find(name)
}

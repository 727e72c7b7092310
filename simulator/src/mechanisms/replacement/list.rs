//! The mechanisms of the slot `replacement`.

use super::slot::Build;
use super::{fifo, lru, random, tree_pseudo_lru};
use crate::mechanisms::mechanism::{self, Mechanism};

/// The policies that exist.
pub static MECHANISMS: &[Mechanism<Build>] =
    &[lru::MECHANISM, tree_pseudo_lru::MECHANISM, fifo::MECHANISM, random::MECHANISM];

/// The policy of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    mechanism::find("replacement", MECHANISMS, name)
}

//! The mechanisms of the slot `local-cache`.

use super::slot::Build;
use super::{affine_vector_cache, none};
use crate::mechanisms::mechanism::{self, Mechanism};

/// The mechanisms that exist.
pub static MECHANISMS: &[Mechanism<Build>] = &[none::MECHANISM, affine_vector_cache::MECHANISM];

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    mechanism::find("local-cache", MECHANISMS, name)
}

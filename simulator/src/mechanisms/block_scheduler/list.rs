//! The mechanisms of the slot `block-scheduler`.

use super::slot::Build;
use super::{locality, round_robin, throttled};
use crate::mechanisms::mechanism::{self, Mechanism};

/// The mechanisms that exist.
pub static MECHANISMS: &[Mechanism<Build>] =
    &[round_robin::MECHANISM, throttled::MECHANISM, locality::MECHANISM];

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    mechanism::find("block-scheduler", MECHANISMS, name)
}

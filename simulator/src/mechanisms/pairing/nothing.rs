//! A scheduler issues one instruction per cycle: the baseline.

use super::slot::Build;
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "nothing",
    sentence: "a scheduler issues one instruction per cycle",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        options::<NoOptions>(table)?;
        Ok(None)
    },
};

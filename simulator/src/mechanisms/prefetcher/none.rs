//! No line is requested before a load needs it: the baseline.

use super::slot::Build;
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "none",
    sentence: "requests no line before a load does",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        options::<NoOptions>(table)?;
        Ok(None)
    },
};

//! `none`: local memory is in the first-level data cache alone, written back.
//!
//! Source: Aamodt, Fung, Rogers, §4.1.1.

use super::slot::Build;
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "none",
    sentence: "serves local memory from the L1 alone",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table, _| {
        options::<NoOptions>(table)?;
        Ok(None)
    },
};

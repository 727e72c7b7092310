//! Every warp computes its addresses, predicates and other regular values in all of its lanes: the
//! baseline.

use super::slot::{Build, Design};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "none",
    sentence: "does not exploit uniform or affine values",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        options::<NoOptions>(table)?;
        Ok(Box::new(Baseline))
    },
};

struct Baseline;

impl Design for Baseline {}

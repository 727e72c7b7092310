//! Every warp computes its addresses, predicates and other regular values in all of its lanes: the
//! baseline.

use super::{Affine, Build, NoOptions};
use crate::mechanism::{Mechanism, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "none",
    sentence: "does not exploit uniform or affine values",
    options: &[],
    trials: &[],
    build: |table| {
        options::<NoOptions>(table)?;
        Ok(Affine::None)
    },
};

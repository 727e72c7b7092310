//! Every warp computes its addresses, predicates and other regular values in all of its lanes: the
//! baseline.

use super::{Affine, Build, NoOptions};
use crate::mechanism::{Mechanism, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "none",
    sentence: "makes nothing of values that are the same in all threads or grow evenly",
    options: &[],
    build: |table| {
        options::<NoOptions>(table)?;
        Ok(Affine::None)
    },
};

//! G-Scalar: values are compared when they are written, and an instruction with equal values in all
//! active lanes is computed in one of them.
//!
//! Source: Aamodt, Fung, Rogers, §3.5.1 and §3.5.2 (after Liu et al., HPCA 2017). A compressor at
//! write-back extracts the bytes that all lanes have in common. An instruction whose sources are
//! the same in all lanes is executed in one lane of its pipe, in every pipe. After a divergent
//! branch only the active lanes' values count, and the result is not compressed. `spec/machine.md`
//! has the points that the book leaves open.

use super::similarity::{COMMON_BYTES, Rule};
use super::slot::Build;
use crate::mechanisms::mechanism::{Mechanism, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "g-scalar",
    sentence: "compares values when they are written, and executes in one lane what is the same in all active lanes",
    options: &[(
        "divergent",
        "whether instructions after divergent branches are executed in one lane where the active lanes \
         agree: `true` (default) or `false`",
    )],
    trials: &[
        &[("g-scalar.divergent", "false"), ("pipes.simple.lanes", "2")],
        &[("divergence", "dual-path"), ("cycle-compression", "scc")],
        &[("divergence", "warp-formation")],
        &[("divergence", "warp-subdivision"), ("warp-subdivision.memory-divergence", "true")],
    ],
    statistics: &[COMMON_BYTES],
    build: &|table| {
        let Options { divergent } = options(table)?;
        Ok(Box::new(Rule {
            bits: 32,
            under_divergence: divergent,
            compresses: true,
            approximates: false,
        }))
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    divergent: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { divergent: true }
    }
}

//! Warp approximation: where the operands of a warp are similar, one thread computes for all of them. Not exact.
//!
//! Source: Aamodt, Fung, Rogers, §3.5.1 and §3.5.2 (after Wong et al., 2016). A detector at
//! write-back finds how many most significant bits the values of a register share in all lanes; a
//! register that shares more than a threshold is *similar*. An instruction whose operands are
//! similar is executed in the lane of a representative thread only, and all threads have its
//! result. Only floats are approximated. `spec/machine.md` has the points that the book leaves
//! open.

use super::similarity::Rule;
use super::slot::Build;
use crate::mechanisms::mechanism::{Mechanism, check_range, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "warp-approximation",
    sentence: "executes float instructions on similar operands in one lane, whose result all lanes get: not exact",
    options: &[(
        "threshold",
        "a register is similar if its values share more most significant bits than this, 0 to 31; at 31 results \
         are exact; default 16",
    )],
    trials: &[
        &[("warp-approximation.threshold", "31")],
        &[("warp-approximation.threshold", "31"), ("divergence", "dual-path")],
        &[("warp-approximation.threshold", "31"), ("divergence", "warp-formation")],
    ],
    statistics: &[],
    build: &|table| {
        let Options { threshold } = options(table)?;
        check_range("threshold", threshold, 0..=31)?;
        Ok(Box::new(Rule {
            bits: threshold + 1,
            under_divergence: false,
            compresses: false,
            approximates: true,
        }))
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    threshold: u8,
}

impl Default for Options {
    fn default() -> Options {
        Options { threshold: 16 }
    }
}

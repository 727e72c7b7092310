//! `block-compaction` and `block-compaction-plus`: the warps of a block wait for each other at
//! every branch and reconvergence point, and are re-formed from the threads on the same path.
//!
//! Source: Rhu's dissertation, §4.1.2, §4.1.3 (TBC, after Fung and Aamodt, "Thread block compaction
//! for efficient SIMT control flow", HPCA 2011; also in the book, §3.4.1), and §4.1.3, last but one
//! paragraph (TBC+: no waiting at unconditional branches, nor at those that do not diverge
//! according to the compiler). Differences: those of the stack in `block_wide`. Forming warps takes
//! no time beside the control unit's, because the paper gives none. A branch that the compiler
//! calls uniform is so for the threads of one warp; a compacted warp that disagrees there waits.

use super::block_wide::{AtBranch, BlockStack, Decision, PATHS, Policy, paths_in_range};
use super::slot::Build;
use crate::mechanisms::mechanism::{Mechanism, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "block-compaction",
    sentence: "one reconvergence stack per thread block; at every branch and reconvergence point the \
               block's warps synchronise and are compacted, each thread keeping its lane",
    options: &[PATHS],
    trials: &[
        &[("lane-permutation", "balanced")],
        &[("lane-permutation", "ideal")],
        &[("lane-permutation", "random"), ("sm.warp-width", "8")],
        &[("block-compaction.paths", "2"), ("sm.warp-width", "4")],
    ],
    statistics: &[],
    build: &|table| {
        let Options { paths } = options(table)?;
        Ok(Box::new(BlockStack::with_paths(Box::new(Always), paths_in_range(paths)?)))
    },
};

pub(super) const PLUS: Mechanism<Build> = Mechanism {
    name: "block-compaction-plus",
    sentence: "thread-block compaction whose warps do not wait at unconditional branches and at \
               branches that the compiler proves uniform",
    options: &[PATHS],
    trials: &[&[("lane-permutation", "rotate-odd-1"), ("sm.warp-width", "5")]],
    statistics: &[],
    build: &|table| {
        let Options { paths } = options(table)?;
        Ok(Box::new(BlockStack::with_paths(Box::new(UnlessUniform), paths_in_range(paths)?)))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    paths: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { paths: 1 }
    }
}

struct Always;

impl Policy for Always {
    fn decide(&mut self, _: &AtBranch) -> Decision {
        Decision::Stall
    }
}

struct UnlessUniform;

impl Policy for UnlessUniform {
    fn decide(&mut self, branch: &AtBranch) -> Decision {
        match branch.diverges || branch.conditional && !branch.annotations.uniform {
            true => Decision::Stall,
            false => Decision::Ignore,
        }
    }
}

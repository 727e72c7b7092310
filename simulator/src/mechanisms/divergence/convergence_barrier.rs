//! `convergence-barrier`: no stack; lanes that have parted wait for each other at convergence barriers,
//! and a split that gets nowhere yields.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.1.2, after
//! Diamos et al. (barrier participation mask, barrier state, thread state, ADD, WAIT, YIELD). ADD
//! and WAIT are `bssy` and `bsync` of kernels that have them (`--convergence-barriers`). A
//! participation mask is kept for each armed set, so that paths of a branch may use one number for
//! different places. In other kernels, a branch at which a warp diverges adds its lanes to a
//! barrier at its `!reconverge`, unless they take part in one for that place, and lanes that arrive
//! there wait. These barriers have no numbers, and their count is unlimited. One split of a warp
//! runs at a time; another one runs when it waits, ends or yields.
//!
//! "The scheduler is free to switch between groups of diverged threads": the source shows that the
//! paths of a branch interleave on Volta (Figure 3.10), and does not say when it switches. With
//! `switch = "long-latency"`, the next ready split of the warp runs when one has issued a load or
//! atomic of global or local memory, a division, a root or an elementary function. With `never`, the
//! default, a split runs on until it waits, ends or yields.
//!
//! With `breaks`, lanes that part in a loop also wait for each other where its iteration ends, and a lane that
//! leaves the loop no longer takes part. NVIDIA's CUDA Binary Utilities list the instruction for that: `BREAK`, "Break
//! out of the Specified Convergence Barrier". No source states where the product's compiler places these barriers; here they are at
//! the likely convergence points of §3.4.2, as far as every iteration passes them: a loop with several backward branches
//! has none. Lanes that waited there would meet others of a later iteration. Kernels with `bssy` and `bsync` keep theirs.
//!
//! The source names YIELD and leaves its meaning open. Here a split yields after a number of
//! backward branches: the other splits of its warp have a turn, in order. When all that could run
//! have yielded, the lanes at the innermost barrier that wait for none but these continue without
//! them, and the others no longer take part in it. Splits that wait at a barrier of the block, or
//! at a `warp.sync` for lanes that are elsewhere, count as yielded when nothing else of the warp
//! can run.

use serde::Deserialize;
use std::sync::Arc;

use super::by_splits::{BySplits, SplitScheme};
use super::layout::{Layout, LikelyPoint};
use super::slot::{Build, Capabilities};
use super::splits::{Split, SplitAt, Splits, Taken};
use crate::mechanisms::mechanism::{Mechanism, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "convergence-barrier",
    sentence: "no stack: the paths of a branch wait for each other at a convergence barrier, and a path \
               that makes no progress yields to the others of its warp",
    options: &[
        ("yield-after", "backward branches after which a path yields; 0 for never"),
        (
            "switch",
            "when another path of the warp runs before a path waits: `never` (default), or `long-latency`, \
             after an instruction of long latency",
        ),
        (
            "breaks",
            "lanes that part in a loop wait for each other at the end of an iteration too, and those that leave the \
             loop break out; false",
        ),
    ],
    trials: &[
        &[("convergence-barrier.switch", "long-latency")],
        &[("convergence-barrier.breaks", "true")],
        &[("convergence-barrier.yield-after", "0")],
        &[("convergence-barrier.yield-after", "1")],
        &[("convergence-barrier.yield-after", "2")],
    ],
    statistics: &[],
    build: &|table| {
        let options: Options = options(table)?;
        Ok(Box::new(BySplits::new(
            1,
            ConvergenceBarrier { options, arms: false, likely: Arc::from([]) },
        )))
    },
};

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    yield_after: u32,
    switch: Switch,
    breaks: bool,
}

/// When another split of the warp runs before one waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Switch {
    Never,
    LongLatency,
}

impl Default for Options {
    fn default() -> Options {
        Options { yield_after: 64, switch: Switch::Never, breaks: false }
    }
}

struct ConvergenceBarrier {
    options: Options,
    /// The kernel arms its barriers itself.
    arms: bool,
    /// By instruction, if lanes break out of loops.
    likely: Arc<[Option<LikelyPoint>]>,
}

impl SplitScheme for ConvergenceBarrier {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            executes_convergence_barriers: true,
            reads_layout: true,
            independent_progress: true,
            receives_long_latency: self.options.switch == Switch::LongLatency,
            ..Capabilities::default()
        }
    }

    fn learn(&mut self, layout: &Layout) {
        self.arms = layout.arms;
        if self.options.breaks {
            self.likely = layout.likely.clone();
        }
    }

    fn part(&mut self, splits: &mut Splits, at: SplitAt, taken: Taken, reconverge: u32) {
        let SplitAt { warp, index } = at;
        if !self.arms {
            let Split { pc, mask, .. } = splits.of(warp)[index];
            splits.arrange_set(warp, reconverge, mask);
            let likely = self.likely.get(pc as usize).copied().flatten();
            if let Some(point) = likely.filter(|point| point.ends_all) {
                splits.arrange_likely_set(warp, point, mask);
            }
        }
        splits.part(at, taken);
    }

    fn long_latency(&mut self, splits: &mut Splits, SplitAt { warp, index }: SplitAt) {
        splits.hand_over(warp, index);
    }

    /// A split that runs on may have taken the branch in vain.
    fn backward(&mut self, splits: &mut Splits, SplitAt { warp, .. }: SplitAt) {
        splits.settle_sets(warp);
        let here = splits.of(warp).iter().position(|it| it.slot.is_some() && it.is_ready());
        let Some(index) = here else {
            return;
        };
        let split = &mut splits.of_mut(warp)[index];
        split.turns += 1;
        if self.options.yield_after == 0 || split.turns < self.options.yield_after {
            return;
        }
        split.yielded = true;
        splits.rotate(warp, index);
        if splits.of(warp).iter().all(|split| split.yielded || !split.is_ready()) {
            splits.relieve_set(warp);
        }
    }

    fn settle(&mut self, splits: &mut Splits, warp: usize) {
        splits.settle_sets(warp);
    }

    fn relieve(&mut self, splits: &mut Splits, warp: usize) -> bool {
        splits.relieve_set(warp)
    }
}

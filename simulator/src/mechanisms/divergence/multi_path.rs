//! `multi-path`: a table of warp-splits, all of which may run, and a table of places where they meet.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.4.2, after
//! ElTantawy et al.; with `early`, its opportunistic early reconvergence. Differences: the table of
//! splits is unlimited, but a limited number of a warp's splits has slots visible to the
//! schedulers; the others take turns at backward branches. A branch makes no entry of its own if
//! its paths reconverge where the split would meet others, so that loops do not grow the tables.
//! The scoreboard is kept per thread. The early point is the next instruction of the split that
//! began where the new one does, as in the source.
//!
//! The source searches at divergent branches, and does not say where a split begins that has
//! branched since. Here each branch begins a split anew, also one at which all of its lanes agree:
//! in Algorithm 3.2 the threads of block B reach E by a jump, and those of C by a divergent
//! branch. A split that has run straight through a place began there too: it fell into the block.
//! So the new split runs straight to the early point. A split that has passed a barrier of the block
//! or met others begins nowhere until its next branch.

use serde::Deserialize;

use super::by_splits::{BySplits, SplitScheme};
use super::slot::{Build, Capabilities, slots_in_range};
use super::splits::{SplitAt, Splits, Taken};
use crate::block::path::NEVER;
use crate::mechanisms::mechanism::{Mechanism, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "multi-path",
    sentence: "a warp-split table, whose splits all run interleaved, and a table of the reconvergence \
               points where they wait for each other",
    options: &[
        ("slots", "splits of a warp that schedulers see at once, 1 to 32; the others take turns"),
        (
            "early-reconvergence",
            "whether a split that branches joins another that started at the same PC before the \
             post-dominator: `true` or `false`",
        ),
    ],
    trials: &[
        &[("multi-path.early-reconvergence", "true"), ("multi-path.slots", "2")],
        &[("multi-path.early-reconvergence", "true"), ("multi-path.slots", "6")],
        &[("multi-path.slots", "1"), ("scoreboard.entries", "0")],
        &[("multi-path.slots", "4"), ("sm.pairing", "other-path")],
    ],
    statistics: &[],
    build: &|table| {
        let options: Options = options(table)?;
        let slots = slots_in_range(options.slots)?;
        Ok(Box::new(BySplits::new(slots, MultiPath { early: options.early_reconvergence })))
    },
};

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    slots: u32,
    early_reconvergence: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { slots: 4, early_reconvergence: false }
    }
}

struct MultiPath {
    early: bool,
}

/// Looks for a split that began where a new one begins and is to meet the same others: they meet at
/// its present place.
fn meet_early(splits: &mut Splits, warp: usize, new: &[usize]) {
    for &index in new {
        let all = splits.of(warp);
        let split = all[index];
        let found = all.iter().enumerate().find(|(at, other)| {
            let same = splits.meets_same(warp, other.mask, split.mask);
            let began = other.start != NEVER && (other.start..=other.pc).contains(&split.pc);
            !new.contains(at) && other.is_ready() && began && same
        });
        if let Some(other) = found.map(|(_, other)| *other) {
            splits.arrange_early_set(warp, other.pc, other.mask | split.mask);
        }
    }
}

impl MultiPath {
    /// Some splits begin where they are.
    fn begin(splits: &mut Splits, warp: usize, new: &[usize]) {
        for &index in new {
            let split = &mut splits.of_mut(warp)[index];
            split.start = split.pc;
        }
        meet_early(splits, warp, new);
    }
}

impl SplitScheme for MultiPath {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            reconverges_as_compiled: !self.early,
            depends_on_time: true,
            ..Capabilities::default()
        }
    }

    fn part(&mut self, splits: &mut Splits, at: SplitAt, taken: Taken, reconverge: u32) {
        let SplitAt { warp, index } = at;
        splits.arrange_set(warp, reconverge, splits.of(warp)[index].mask);
        let other = splits.part(at, taken);
        if self.early {
            MultiPath::begin(splits, warp, &[index, other]);
        }
    }

    fn moved(&mut self, splits: &mut Splits, SplitAt { warp, index }: SplitAt) {
        if self.early && splits.of(warp).len() > 1 {
            MultiPath::begin(splits, warp, &[index]);
        }
    }

    fn settle(&mut self, splits: &mut Splits, warp: usize) {
        splits.settle_sets(warp);
    }
}

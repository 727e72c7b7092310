//! `warp-subdivision`: a reconvergence stack, beside which a warp is subdivided into splits that
//! run interleaved when the code after their reconvergence point is short.
//!
//! Source: Rhu's dissertation, §3.1.2 (and §3.3.1, on its simulation), after Meng et al.; the book,
//! §3.4.2. Differences: the number of splits is unlimited, as in §3.3.1, but only a limited number
//! has slots visible to the schedulers; the others take turns at backward branches. The scoreboard
//! is perfect: it is kept per thread. Splits are compared whenever one of them continues, and join
//! when they are at the same place. The source leaves the moment open, and states that it may never
//! happen: that is `merge=false`. A branch whose sides never meet does not subdivide a warp. When
//! all splits wait at a barrier of the block, a side of the same divergence on the stack becomes a
//! further split, as another side may run under `simt-stack`.
//!
//! With `memory-divergence`, a warp is also subdivided when some lanes of a load hit in the L1 and
//! others miss (the book, §3.4.2; the dissertation leaves it out, §3.1.2): the lanes that hit
//! continue. The sources leave the moment open: here it is as soon as the load/store unit has
//! looked up all lines, if a slot is free. The lanes that missed are not compared with others until
//! their load has arrived. Splits do not part between a `warp.sync` and the joint operation after
//! it.

use std::hash::Hasher;
use std::sync::Arc;

use serde::Deserialize;

use super::by_splits::{BySplits, SplitScheme};
use super::layout::Layout;
use super::slot::{BlockShape, Build, Capabilities, slots_in_range};
use super::splits::{Split, SplitAt, Splits, Taken};
use crate::block::path::{NEVER, Paths};
use crate::mechanisms::mechanism::{Mechanism, options};
use crate::observe::scheme_state::{LaneSet, SchemeEntry, SchemePath, SchemeState};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "warp-subdivision",
    sentence: "a reconvergence stack, and a table of warp splits that run interleaved: a warp is \
               subdivided when the basic block at the post-dominator is short",
    options: &[
        (
            "threshold",
            "a branch subdivides a warp if the basic block at its post-dominator has at most this \
             many instructions",
        ),
        ("slots", "splits of a warp that schedulers see at once, 1 to 32; the others take turns"),
        (
            "memory-divergence",
            "whether a warp is subdivided when some lanes of a load hit in the L1 and others miss: \
             `true` or `false`",
        ),
        (
            "merge",
            "`true`: splits that reach the same instruction merge; `false`: only at the \
             reconvergence point that they share",
        ),
    ],
    trials: &[
        &[("warp-subdivision.threshold", "2")],
        &[("warp-subdivision.slots", "1")],
        &[("warp-subdivision.slots", "2")],
        &[("warp-subdivision.memory-divergence", "true")],
        &[("warp-subdivision.merge", "false")],
    ],
    statistics: &[],
    build: &|table| {
        let options: Options = options(table)?;
        let slots = slots_in_range(options.slots)?;
        let (lengths, together, warps) = (Arc::from([]), Arc::from([]), Vec::new());
        let scheme = WarpSubdivision { options, lengths, together, warps, deepest: 0, below: 0 };
        Ok(Box::new(BySplits::new(slots, scheme)))
    },
};

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    threshold: u32,
    slots: u32,
    memory_divergence: bool,
    merge: bool,
}

impl Default for Options {
    fn default() -> Options {
        // The source: Meng et al. suggest 50.
        Options { threshold: 50, slots: 4, memory_divergence: false, merge: true }
    }
}

/// An entry below the top.
#[derive(Clone, Copy, Debug)]
struct Entry {
    reconverge: u32,
    pc: u32,
    mask: u64,
}

#[derive(Clone, Debug)]
struct Warp {
    /// The reconvergence point at the top of the stack: that of all splits.
    reconverge: u32,
    below: Vec<Entry>,
    /// Their number when they were last counted.
    counted: usize,
}

struct WarpSubdivision {
    options: Options,
    /// By instruction, how many of its basic block follow, itself included.
    lengths: Arc<[u32]>,
    /// By instruction, where active lanes must stay together.
    together: Arc<[bool]>,
    warps: Vec<Warp>,
    deepest: usize,
    /// Entries below the tops, of all warps.
    below: usize,
}

impl WarpSubdivision {
    /// Returns true if the basic block at a place is short enough.
    fn is_short(&self, place: u32) -> bool {
        self.lengths.get(place as usize).is_some_and(|&length| length <= self.options.threshold)
    }
}

impl SplitScheme for WarpSubdivision {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            receives_every_step: true,
            reconverges_as_compiled: false,
            reads_layout: true,
            independent_progress: true,
            receives_misses: self.options.memory_divergence,
            depends_on_time: true,
            ..Capabilities::default()
        }
    }

    fn learn(&mut self, layout: &Layout) {
        self.lengths = layout.lengths.clone();
        self.together = layout.together.clone();
    }

    fn parts_at_miss(&self, pc: u32) -> bool {
        !self.together.get(pc as usize).copied().unwrap_or(true)
    }

    fn start(&mut self, shape: BlockShape) {
        (self.deepest, self.below) = (1, 0);
        self.warps.clear();
        let warp = Warp { reconverge: NEVER, below: Vec::new(), counted: 0 };
        self.warps.resize(shape.warps() as usize, warp);
    }

    fn part(&mut self, splits: &mut Splits, at: SplitAt, taken: Taken, reconverge: u32) {
        if splits.of(at.warp).len() > 1 || self.is_short(reconverge) {
            splits.part(at, taken);
            return;
        }
        let Taken { lanes: taken, target } = taken;
        let warp = &mut self.warps[at.warp];
        let side = &mut splits.of_mut(at.warp)[at.index];
        let (mask, pc) = (side.mask, side.pc);
        (side.pc, side.mask) = (target, taken);
        if reconverge != NEVER && reconverge != warp.reconverge {
            warp.below.push(Entry { reconverge: warp.reconverge, pc: reconverge, mask });
        }
        warp.below.push(Entry { reconverge, pc: pc + 1, mask: mask & !taken });
        warp.reconverge = reconverge;
        self.deepest = self.deepest.max(warp.below.len() + 1);
    }

    fn ended(&mut self, warp: usize, lanes: u64) {
        for entry in &mut self.warps[warp].below {
            entry.mask &= !lanes;
        }
    }

    /// Merges splits at one place, and removes those that have arrived at the reconvergence point;
    /// when none is left, the next entry of the stack continues.
    fn settle(&mut self, splits: &mut Splits, index: usize) {
        let warp = &mut self.warps[index];
        loop {
            splits.take_out(index, warp.reconverge);
            if self.options.merge {
                splits.merge(index);
            }
            if !splits.of(index).is_empty() {
                break;
            }
            let Some(entry) = warp.below.pop() else {
                break;
            };
            if entry.mask != 0 {
                warp.reconverge = entry.reconverge;
                splits.push(index, Split::new(entry.pc, NEVER, entry.mask));
            }
        }
        for split in splits.of_mut(index) {
            split.reconvergence_pc = warp.reconverge;
        }
        self.below = self.below + warp.below.len() - warp.counted;
        warp.counted = warp.below.len();
    }

    /// Lets a side on the stack of the divergence that the splits are of become a split.
    fn relieve(&mut self, splits: &mut Splits, index: usize) -> bool {
        let warp = &mut self.warps[index];
        let lanes = splits.of(index).iter().fold(0, |lanes, split| lanes | split.mask);
        let sides = warp.below.iter().enumerate().rev();
        let mut sides = sides
            .take_while(|(_, side)| side.reconverge == warp.reconverge && side.mask & lanes == 0);
        let side = sides.find(|(_, side)| side.mask != 0 && side.pc != side.reconverge);
        let Some(at) = side.map(|(at, _)| at) else {
            return false;
        };
        let side = warp.below.remove(at);
        splits.push(index, Split::new(side.pc, side.reconverge, side.mask));
        true
    }

    fn fingerprint(&self, warp: usize, hash: &mut dyn Hasher) {
        for entry in &self.warps[warp].below {
            hash.write_u32(entry.reconverge);
            hash.write_u32(entry.pc);
            hash.write_u64(entry.mask);
        }
    }

    fn describe(&self, splits: &Splits, warp: u32, paths: &Paths) -> SchemeState {
        let Warp { reconverge, below, .. } = &self.warps[warp as usize];
        let below = below.iter().map(|entry| {
            let path = SchemePath::new(entry.pc, LaneSet::Mask(entry.mask), false);
            SchemeEntry::of_stack(entry.reconverge, vec![path])
        });
        let SchemeState { paths, .. } = splits.describe(warp, paths);
        let top = (!paths.is_empty()).then(|| SchemeEntry::of_stack(*reconverge, paths));
        SchemeState { entries: below.chain(top).collect(), ..SchemeState::default() }
    }

    fn below(&self, warp: usize) -> u64 {
        self.warps[warp].below.iter().fold(0, |lanes, entry| lanes | entry.mask)
    }

    fn entries_below(&self) -> (u64, u64) {
        (self.below as u64, self.deepest as u64)
    }
}

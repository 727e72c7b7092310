//! `warp-subdivision`: a reconvergence stack, beside which a warp is subdivided into splits that run
//! interleaved when what follows their meeting place is short.
//!
//! Source: Rhu's dissertation, §3.1.2 (and §3.3.1, how it was simulated), after Meng et al.; the book,
//! §3.4.2. Differences: any number of splits is kept, as §3.3.1 has it, but they stand in so many slots
//! where the schedulers see them; those beyond take turns at backward branches. The scoreboard is
//! perfect: it knows for each thread what it waits for. Splits are compared whenever one of them goes on,
//! and become one when they are at the same place; the source leaves open when. A branch whose sides
//! never meet does not subdivide a warp. When all splits wait at a barrier of the block, a side of the same
//! divergence that is on the stack becomes a further split, as another side may run under
//! `simt-stack`. Subdivision on memory divergence (the book, §3.4.2) is refused: which lanes hit is
//! known to the load/store unit long after the load has been executed for all of them.

use std::fmt::Write as _;
use std::hash::Hasher;
use std::sync::Arc;

use serde::Deserialize;

use super::splits::{Split, Splits, State};
use super::{
    BlockShape, Build, Divergence, DivergenceCounts, Layout, Step, lanes_text, slots_in_range,
};
use crate::mechanism::{Mechanism, options};
use crate::path::{NEVER, Path, Paths, SlotId};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "warp-subdivision",
    sentence: "a reconvergence stack, and a table of paths that run interleaved: a warp is \
               subdivided when the basic block at the post-dominator is short",
    options: &[
        (
            "threshold",
            "the most instructions that the basic block at the post-dominator of a branch has that \
             subdivides a warp",
        ),
        ("slots", "paths of a warp that schedulers see at once, 1 to 32; others have turns"),
        (
            "memory-divergence",
            "`false`; `true`, subdivision when only some lanes hit, is not modelled",
        ),
    ],
    build: |table| {
        let options: Options = options(table)?;
        if options.memory_divergence {
            return Err("`memory-divergence` is not modelled: which lanes hit is known after the \
                        load has been executed; set it to `false`"
                .to_string());
        }
        let splits = Splits::new(slots_in_range(options.slots)?);
        let threshold = options.threshold;
        let (lengths, warps) = (Arc::from([]), Vec::new());
        Ok(Box::new(WarpSubdivision { threshold, lengths, splits, warps, deepest: 0, below: 0 }))
    },
};

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    threshold: u32,
    slots: u32,
    memory_divergence: bool,
}

impl Default for Options {
    fn default() -> Options {
        // The source: Meng et al. suggest 50.
        Options { threshold: 50, slots: 4, memory_divergence: false }
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
    /// How many these were when they were last counted.
    counted: usize,
}

struct WarpSubdivision {
    threshold: u32,
    /// By instruction, how many of its basic block follow, itself included.
    lengths: Arc<[u32]>,
    splits: Splits,
    warps: Vec<Warp>,
    deepest: usize,
    /// Entries below the tops, of all warps.
    below: usize,
}

impl WarpSubdivision {
    fn is_ready(&self, warp: usize) -> bool {
        self.splits.of(warp).iter().any(|split| split.is_ready())
    }

    /// Whether the basic block at a place is short enough.
    fn is_short(&self, place: u32) -> bool {
        self.lengths.get(place as usize).is_some_and(|&length| length <= self.threshold)
    }

    fn branch(&mut self, (index, split): (usize, usize), (taken, target): (u64, u32), meet: u32) {
        let is_alone = self.splits.of(index).len() == 1;
        let is_short = self.is_short(meet);
        let warp = &mut self.warps[index];
        let side = &mut self.splits.of_mut(index)[split];
        if taken == 0 {
            side.pc += 1;
            return;
        }
        let (mask, pc) = (side.mask, side.pc);
        (side.pc, side.mask) = (target, taken);
        let fall = mask & !taken;
        if fall != 0 && is_alone && !is_short {
            if meet != NEVER && meet != warp.reconverge {
                warp.below.push(Entry { reconverge: warp.reconverge, pc: meet, mask });
            }
            warp.below.push(Entry { reconverge: meet, pc: pc + 1, mask: fall });
            warp.reconverge = meet;
            self.deepest = self.deepest.max(warp.below.len() + 1);
        } else if fall != 0 {
            self.splits.push(index, Split::new(pc + 1, NEVER, fall));
        }
        let mut splits = self.splits.of(index).iter();
        if target <= pc && splits.any(|split| split.is_ready() && split.slot.is_none()) {
            self.splits.rotate(index, split);
        }
    }

    /// Makes one of splits that are at one place, and takes those out that have come to the
    /// reconvergence point; when none is left, the next entry of the stack goes on.
    fn settle(&mut self, index: usize) {
        let warp = &mut self.warps[index];
        loop {
            let mut at = 0;
            while at < self.splits.of(index).len() {
                let split = self.splits.of(index)[at];
                if split.is_ready() && split.pc == warp.reconverge {
                    self.splits.remove(index, at);
                    continue;
                }
                match self.splits.beside(index, at).filter(|_| split.is_ready()) {
                    Some(other) => {
                        self.splits.join(index, at.max(other), at.min(other));
                        at = 0;
                    }
                    None => at += 1,
                }
            }
            if !self.splits.of(index).is_empty() {
                break;
            }
            let Some(entry) = warp.below.pop() else {
                break;
            };
            if entry.mask != 0 {
                warp.reconverge = entry.reconverge;
                self.splits.push(index, Split::new(entry.pc, NEVER, entry.mask));
            }
        }
        for split in self.splits.of_mut(index) {
            split.until = warp.reconverge;
        }
    }

    /// Lets a side on the stack of the divergence that the splits are of become a split; whether there
    /// is one.
    fn raise(&mut self, index: usize) -> bool {
        let warp = &mut self.warps[index];
        let lanes = self.splits.of(index).iter().fold(0, |lanes, split| lanes | split.mask);
        let sides = warp.below.iter().enumerate().rev();
        let mut sides = sides
            .take_while(|(_, side)| side.reconverge == warp.reconverge && side.mask & lanes == 0);
        let side = sides.find(|(_, side)| side.mask != 0 && side.pc != side.reconverge);
        let Some(at) = side.map(|(at, _)| at) else {
            return false;
        };
        let side = warp.below.remove(at);
        self.splits.push(index, Split::new(side.pc, side.reconverge, side.mask));
        true
    }

    /// Decides what runs next.
    fn arrange(&mut self, index: usize, paths: &mut Paths) {
        self.settle(index);
        if !self.is_ready(index) && (self.raise(index) || self.splits.retry(index)) {
            self.settle(index);
        }
        self.splits.show(index, paths);
        let warp = &mut self.warps[index];
        self.below = self.below + warp.below.len() - warp.counted;
        warp.counted = warp.below.len();
    }
}

impl Divergence for WarpSubdivision {
    fn slots_per_warp(&self) -> usize {
        self.splits.slots()
    }

    fn wants_every_branch(&self) -> bool {
        true
    }

    fn wants_every_step(&self) -> bool {
        true
    }

    fn tracks_threads(&self) -> bool {
        true
    }

    fn meets_as_compiled(&self) -> bool {
        false
    }

    fn is_serial(&self) -> bool {
        false
    }

    fn learn(&mut self, layout: &Layout) {
        self.lengths = layout.lengths.clone();
    }

    fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
        (self.deepest, self.below) = (1, 0);
        self.warps.clear();
        let warp = Warp { reconverge: NEVER, below: Vec::new(), counted: 0 };
        self.warps.resize(shape.warps() as usize, warp);
        self.splits.start(shape, paths);
    }

    fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths) {
        let Some((warp, index)) = self.splits.look(slot, paths) else {
            return;
        };
        match step {
            Step::Branch { taken, target, annotations, .. } => {
                let meet = annotations.reconverge.unwrap_or(NEVER);
                self.branch((warp, index), (taken, target), meet);
            }
            Step::Exit { lanes } => {
                for entry in &mut self.warps[warp].below {
                    entry.mask &= !lanes;
                }
                self.splits.exit(warp, index, lanes);
            }
            Step::Barrier => self.splits.of_mut(warp)[index].state = State::AtBarrier,
            // Nothing is compared while a warp is not subdivided.
            Step::Next if self.splits.of(warp).len() == 1 => return,
            _ => {}
        }
        self.arrange(warp, paths);
    }

    fn defer(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        let Some((warp, index)) = self.splits.look(slot, paths) else {
            return false;
        };
        self.splits.of_mut(warp)[index].state = State::Deferred;
        if !self.is_ready(warp) && !self.raise(warp) {
            self.splits.of_mut(warp)[index].state = State::Ready;
            return false;
        }
        self.arrange(warp, paths);
        true
    }

    fn release(&mut self, paths: &mut Paths) {
        self.splits.release();
        for warp in 0..self.splits.warps() {
            self.arrange(warp, paths);
        }
    }

    fn fingerprint(&self, slot: SlotId, hash: &mut dyn Hasher) {
        self.splits.fingerprint(slot, hash);
        for entry in &self.warps[self.splits.warp_of(slot)].below {
            hash.write_u32(entry.reconverge);
            hash.write_u32(entry.pc);
            hash.write_u64(entry.mask);
        }
    }

    fn waiting_for(&self, slot: SlotId) -> u64 {
        let warp = self.splits.warp_of(slot);
        let below = self.warps[warp].below.iter().fold(0, |lanes, entry| lanes | entry.mask);
        let others = self.splits.of(warp).iter().fold(0, |lanes, split| lanes | split.mask);
        below & !others | self.splits.held(slot)
    }

    fn parked(&self, slot: SlotId) -> Vec<Path> {
        self.splits.parked(slot)
    }

    fn describe(&self, warp: u32, paths: &Paths, place: &dyn Fn(u32) -> String) -> String {
        let mut text = String::new();
        let Warp { reconverge, below, .. } = &self.warps[warp as usize];
        for entry in below {
            let lanes = lanes_text(entry.mask, self.splits.width());
            let _ = write!(text, "[{} {}/{lanes}]", place(entry.reconverge), place(entry.pc));
        }
        let splits = self.splits.describe(warp, paths, place);
        if !splits.is_empty() {
            let _ = write!(text, "[{}{splits}]", place(*reconverge));
        }
        text
    }

    fn entries(&self, _paths: &Paths) -> u64 {
        self.below as u64 + self.splits.count()
    }

    fn counts(&self) -> DivergenceCounts {
        let most = self.splits.most().max(self.deepest as u64);
        DivergenceCounts { deepest_stack: most, ..DivergenceCounts::default() }
    }
}

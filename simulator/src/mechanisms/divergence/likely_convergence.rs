//! `likely-convergence`: a reconvergence stack with entries for places where the paths of a branch are
//! likely to meet before its post-dominator.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.4.2, after
//! Fung and Aamodt. A branch whose likely convergence point (LPC) is not its post-dominator pushes
//! an LPC entry under its two sides; a side that arrives there is merged into it. As in the source,
//! the point of a branch is at the closest backward branch around it: the basic block that this
//! ends. Differences: an LPC entry is found by a name, not by its position (LPpos), because a path
//! that waits at a barrier of the block lets another one run. A side that diverges again with the
//! same point and post-dominator uses the existing entry; if that entry runs already, the side
//! continues to the post-dominator. There is no point where a barrier of the block lies before the
//! post-dominator, because threads that wait at a reconvergence point would depend on the order of
//! paths. The rest is as under `simt-stack`.

use std::hash::Hasher;
use std::sync::Arc;

use super::layout::{Layout, LikelyPoint};
use super::slot::{BlockShape, Build, Capabilities, Divergence, DivergenceCounts, Observe, Step};
use crate::block::opening::Opening;
use crate::block::path::{Lanes, NEVER, Path, Paths, Slot, SlotId, SlotState};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};
use crate::observe::scheme_state::{LaneSet, SchemeEntry, SchemePath, SchemeState, known};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "likely-convergence",
    sentence: "a reconvergence stack with entries for the end of a loop iteration, where the paths of \
               a branch likely converge although one of them may leave the loop",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        let NoOptions {} = options(table)?;
        let (likely, warps) = (Arc::from([]), Vec::new());
        Ok(Box::new(LikelyConvergence { likely, width: 1, warps, deepest: 0, entries: 0 }))
    },
};

/// A likely convergence point.
#[derive(Clone, Copy, Debug)]
struct Likely {
    place: u32,
    /// The name of its entry.
    name: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    reconverge: u32,
    /// The state of the top when the scheme last had control.
    pc: u32,
    mask: u64,
    likely: Option<Likely>,
    /// Its name, if it is an LPC entry that has not run yet.
    name: Option<u32>,
    /// It has arrived at a barrier and waits.
    waits: bool,
    /// It has let another side run, because it needs lanes that are elsewhere.
    deferred: bool,
}

impl Entry {
    fn new(reconverge: u32, pc: u32, mask: u64, likely: Option<Likely>) -> Entry {
        Entry { reconverge, pc, mask, likely, name: None, waits: false, deferred: false }
    }
}

#[derive(Clone, Debug, Default)]
struct Warp {
    /// The last one is the top.
    stack: Vec<Entry>,
    names: u32,
    /// Its entries when they were last counted.
    counted: usize,
}

impl Warp {
    /// The entries below the top whose threads are in no entry above them and that have instructions left, from
    /// the top down: paths may run in any order.
    fn other_paths(&self) -> impl Iterator<Item = usize> + use<'_> {
        let mut above = self.stack.last().map_or(0, |top| top.mask);
        let below = self.stack.iter().enumerate().rev().skip(1);
        let free = below.filter(move |(_, entry)| {
            // At its reconvergence point an entry has nothing left to run.
            let is_free = entry.mask & above == 0;
            let is_over = entry.mask == 0 || entry.pc == entry.reconverge;
            above |= if is_over { 0 } else { entry.mask };
            is_free && !is_over
        });
        free.map(|(index, _)| index)
    }

    /// Makes another entry the top.
    fn raise(&mut self, index: usize) {
        let entry = self.stack.remove(index);
        self.stack.push(entry);
    }

    /// Pops entries without work from the top, and those that have arrived at likely points.
    fn settle(&mut self) {
        while let Some(&top) = self.stack.last() {
            if top.waits {
                let Some(path) = self.other_paths().find(|&path| !self.stack[path].waits) else {
                    return;
                };
                self.raise(path);
                continue;
            }
            if top.mask != 0 && top.pc != top.reconverge {
                let Some(likely) = top.likely.filter(|likely| likely.place == top.pc) else {
                    break;
                };
                let entry = self.stack.iter_mut().find(|entry| entry.name == Some(likely.name));
                let Some(entry) = entry else {
                    break;
                };
                entry.mask |= top.mask;
            }
            self.stack.pop();
        }
        if let Some(top) = self.stack.last_mut() {
            (top.name, top.deferred) = (None, false);
        }
    }

    /// The top goes both ways.
    fn split(&mut self, taken: u64, target: u32, reconverge: u32, place: u32) {
        let Some(top) = self.stack.pop() else {
            return;
        };
        let mut likely = None;
        if reconverge == top.reconverge {
            likely = top.likely;
        } else if reconverge != NEVER {
            let parent = Entry::new(top.reconverge, reconverge, top.mask, top.likely);
            self.stack.push(parent);
        }
        if place != NEVER && likely.is_none_or(|known| known.place != place) {
            let name = self.names;
            self.names += 1;
            let entry = Entry { name: Some(name), ..Entry::new(reconverge, place, 0, likely) };
            self.stack.push(entry);
            likely = Some(Likely { place, name });
        }
        self.stack.push(Entry::new(reconverge, top.pc + 1, top.mask & !taken, likely));
        self.stack.push(Entry::new(reconverge, target, taken, likely));
    }
}

struct LikelyConvergence {
    /// By instruction: the likely convergence point of a branch, or [`NEVER`].
    likely: Arc<[Option<LikelyPoint>]>,
    width: u32,
    warps: Vec<Warp>,
    deepest: usize,
    /// Entries of all warps.
    entries: usize,
}

impl LikelyConvergence {
    /// The warp of a slot, with its current position.
    fn look(&mut self, slot: SlotId, paths: &Paths) -> &mut Warp {
        let warp = &mut self.warps[usize::from(slot.0)];
        if let Some(top) = warp.stack.last_mut()
            && paths.state(slot) == SlotState::Runnable
        {
            top.pc = paths.path(slot).pc;
        }
        warp
    }

    fn arrange(&mut self, slot: SlotId, paths: &mut Paths) {
        let warp = &mut self.warps[usize::from(slot.0)];
        self.deepest = self.deepest.max(warp.stack.len());
        warp.settle();
        self.entries = self.entries + warp.stack.len() - warp.counted;
        warp.counted = warp.stack.len();
        let content = warp.stack.last().map(|top| {
            let state = if top.waits { SlotState::Waiting } else { SlotState::Runnable };
            Slot { path: path(slot, top), state }
        });
        paths.set(slot, content);
    }
}

fn path(slot: SlotId, entry: &Entry) -> Path {
    let lanes = Lanes::Warp { warp: slot.0, mask: entry.mask };
    Path { pc: entry.pc, reconvergence_pc: entry.reconverge, lanes, scoreboard: slot.0 }
}

impl Divergence for LikelyConvergence {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            receives_every_branch: true,
            receives_every_step: true,
            reconverges_as_compiled: false,
            reads_layout: true,
            ..Capabilities::default()
        }
    }

    fn learn(&mut self, layout: &Layout) {
        self.likely = layout.likely.clone();
    }

    fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
        (self.deepest, self.entries) = (1, 0);
        self.width = shape.width;
        self.warps.clear();
        for warp in 0..shape.warps() {
            let all = Entry::new(NEVER, 0, shape.mask(warp), None);
            self.warps.push(Warp { stack: vec![all], ..Warp::default() });
            self.arrange(SlotId(warp as u16), paths);
        }
    }

    fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths) {
        let likely = self.likely.clone();
        let warp = self.look(slot, paths);
        let Some(top) = warp.stack.last_mut() else {
            return;
        };
        match step {
            Step::Branch { taken, target, annotations, .. } => {
                if taken == 0 {
                    top.pc += 1;
                } else if taken == top.mask {
                    top.pc = target;
                } else {
                    let point = likely.get(top.pc as usize).copied().flatten();
                    let place = point.map_or(NEVER, |point| point.place);
                    let reconverge = annotations.reconverge.unwrap_or(NEVER);
                    warp.split(taken, target, reconverge, place);
                }
            }
            Step::Exit { lanes } => {
                top.pc += 1;
                warp.stack.iter_mut().for_each(|entry| entry.mask &= !lanes);
            }
            Step::Barrier => top.waits = true,
            Step::Next if top.likely.is_none() => return,
            _ => {}
        }
        self.arrange(slot, paths);
    }

    fn defer(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        let warp = self.look(slot, paths);
        let can = |&path: &usize| !warp.stack[path].waits && !warp.stack[path].deferred;
        let Some(path) = warp.other_paths().find(can) else {
            return false;
        };
        let last = warp.stack.len() - 1;
        warp.stack[last].deferred = true;
        warp.raise(path);
        self.arrange(slot, paths);
        true
    }

    fn retry(&mut self, slot: SlotId, paths: &mut Paths) {
        let warp = self.look(slot, paths);
        warp.stack.iter_mut().for_each(|entry| entry.deferred = false);
    }

    fn release(&mut self, opening: Opening, paths: &mut Paths) {
        for index in 0..self.warps.len() {
            let slot = SlotId(index as u16);
            self.look(slot, paths);
            let opens = |entry: &&mut Entry| entry.waits && opening.has(index, entry.mask);
            let waiting = self.warps[index].stack.iter_mut().filter(opens);
            let mut any = false;
            for entry in waiting {
                (entry.waits, entry.pc, any) = (false, entry.pc + 1, true);
            }
            if any {
                self.arrange(slot, paths);
            }
        }
    }
}

impl Observe for LikelyConvergence {
    fn fingerprint(&self, slot: SlotId, hash: &mut dyn Hasher) {
        let stack = &self.warps[usize::from(slot.0)].stack;
        for entry in stack {
            let likely = entry.likely.map_or(NEVER, |likely| likely.place);
            hash.write_u32(entry.reconverge);
            hash.write_u32(entry.pc);
            hash.write_u64(entry.mask);
            hash.write_u32(likely);
            hash.write_u8(u8::from(entry.waits) | u8::from(entry.deferred) << 1);
        }
    }

    fn waiting_for(&self, slot: SlotId) -> u64 {
        let Some((_, below)) = self.warps[usize::from(slot.0)].stack.split_last() else {
            return 0;
        };
        let lanes = |waits| {
            let entries = below.iter().filter(|entry| entry.waits == waits);
            entries.fold(0, |lanes, entry| lanes | entry.mask)
        };
        lanes(false) & !lanes(true)
    }

    fn parked(&self) -> Vec<Path> {
        let warps = (0..).map(SlotId).zip(&self.warps);
        let below = warps.filter_map(|(slot, warp)| Some((slot, warp.stack.split_last()?.1)));
        let below = below.flat_map(|(slot, below)| below.iter().map(move |entry| (slot, entry)));
        let parked = below.filter(|(_, it)| it.waits && it.mask != 0);
        parked.map(|(slot, entry)| path(slot, entry)).collect()
    }

    /// As of `simt-stack`; after `~` a likely convergence point, `~` alone is an LPC entry.
    fn describe(&self, warp: u32, paths: &Paths) -> Vec<SchemeState> {
        let slot = SlotId(warp as u16);
        let stack = &self.warps[warp as usize].stack;
        let entries = stack.iter().enumerate().map(|(index, entry)| {
            let runs = index + 1 == stack.len() && paths.state(slot) == SlotState::Runnable;
            let pc = if runs { paths.path(slot).pc } else { entry.pc };
            SchemeEntry::Stack {
                reconvergence: known(entry.reconverge),
                paths: vec![SchemePath::new(pc, LaneSet::Mask(entry.mask), runs)],
                is_likely: entry.name.is_some(),
                likely: entry.likely.map(|likely| likely.place),
            }
        });
        vec![SchemeState { entries: entries.collect(), ..SchemeState::default() }]
    }

    fn entries(&self, _paths: &Paths) -> u64 {
        self.entries as u64
    }

    fn counts(&self) -> DivergenceCounts {
        DivergenceCounts { max_stack_depth: self.deepest as u64, ..DivergenceCounts::default() }
    }
}

//! `simt-stack`: a stack of {reconvergence point, program counter, mask} per warp.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.1.1; Rhu's
//! dissertation, §3.1.1. Differences: the top of the stack is kept in the slot's path, not in the
//! stack. An entry is not kept if its PC would be its own reconvergence point, so that a loop with
//! divergent exits does not grow the stack. Paths of a branch that meet only at exit are
//! independent entries without a reconvergence entry below them; a path that waits at a barrier of
//! the block lets the warp's other paths run, also those of branches further out, because they may
//! arrive too, or return (the sources know barriers of whole warps only).

use reconverge_planted::Planted;
use std::hash::Hasher;

use serde::Deserialize;

use super::slot::{BlockShape, Build, Capabilities, Divergence, DivergenceCounts, Observe, Step};
use crate::block::path::{Lanes, NEVER, Path, Paths, SlotId, SlotState};
use crate::mechanisms::mechanism::{Mechanism, options};
use crate::observe::scheme_state::{LaneSet, SchemeEntry, SchemePath, SchemeState};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "simt-stack",
    sentence: "a reconvergence stack per warp; the two paths of a branch run one after the other and \
               reconverge at its immediate post-dominator",
    options: &[(
        "push-order",
        "which path of a divergent branch runs first: `taken-first`, or `fewer-threads-first`, \
         which bounds the depth by the logarithm of the warp's width",
    )],
    trials: &[&[("simt-stack.push-order", "fewer-threads-first")]],
    statistics: &[],
    build: |table| {
        let options: Options = options(table)?;
        Ok(Box::new(SimtStack {
            push_order: options.push_order,
            width: 1,
            warps: Vec::new(),
            deepest: 0,
            below: 0,
        }))
    },
};

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    push_order: PushOrder,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PushOrder {
    #[default]
    TakenFirst,
    FewerThreadsFirst,
}

/// An entry below the top.
#[derive(Clone, Copy, Debug, Hash)]
struct Entry {
    reconverge: u32,
    pc: u32,
    mask: u64,
    /// It has arrived at a barrier and waits.
    waits: bool,
    /// It has let another side run, because it needs lanes that are elsewhere.
    deferred: bool,
}

impl Entry {
    fn new(reconverge: u32, pc: u32, mask: u64) -> Entry {
        Entry { reconverge, pc, mask, waits: false, deferred: false }
    }
}

struct SimtStack {
    push_order: PushOrder,
    width: u32,
    warps: Vec<Vec<Entry>>,
    deepest: usize,
    /// Entries below the tops, of all warps.
    below: usize,
}

impl SimtStack {
    /// Makes the next entry that still has threads and work before its reconvergence point the
    /// path of the slot.
    fn pop(&mut self, slot: SlotId, paths: &mut Paths) {
        while let Some(entry) = self.warps[usize::from(slot.0)].pop() {
            if entry.mask != 0 && entry.pc != entry.reconverge {
                self.install(slot, entry, paths);
                return;
            }
        }
        paths.clear(slot);
    }

    /// Makes an entry the path of the slot, or, when it waits at a barrier, another path of the warp that does not.
    fn install(&mut self, slot: SlotId, mut entry: Entry, paths: &mut Paths) {
        if entry.waits
            && let Some(at) = self.other_path(slot, entry, |other| !other.waits)
        {
            entry = self.exchange(slot, entry, at);
        }
        publish(slot, entry, paths);
        if entry.waits {
            paths.park(slot);
        }
    }

    /// The uppermost entry below the slot's path, `top`, whose threads are in no entry above it and that has
    /// instructions left before its reconvergence point: paths may run in any order.
    fn other_path(&self, slot: SlotId, top: Entry, may: impl Fn(&Entry) -> bool) -> Option<usize> {
        let mut above = top.mask;
        let below = self.warps[usize::from(slot.0)].iter().enumerate().rev();
        let mut free = below.filter(|(_, entry)| {
            // At its reconvergence point an entry has nothing left to run.
            let is_free = entry.mask & above == 0;
            let is_over = entry.mask == 0 || entry.pc == entry.reconverge;
            above |= if is_over { 0 } else { entry.mask };
            is_free && !is_over
        });
        free.find(|(_, entry)| may(entry)).map(|(at, _)| at)
    }

    /// Puts `top` on the stack and takes another path out, which runs in its stead.
    fn exchange(&mut self, slot: SlotId, top: Entry, at: usize) -> Entry {
        let stack = &mut self.warps[usize::from(slot.0)];
        let path = stack.remove(at);
        stack.push(top);
        path
    }

    /// Splits the slot's path in two. `taken` is a proper, non-empty subset of its lanes.
    fn split(&mut self, slot: SlotId, taken: u64, target: u32, reconverge: u32, paths: &mut Paths) {
        let path = paths.path(slot);
        let (pc, reconvergence_pc, mask) = (path.pc, path.reconvergence_pc, path.lanes.mask());
        let stack = &mut self.warps[usize::from(slot.0)];
        if reconverge != NEVER && reconverge != reconvergence_pc {
            let mask = if Planted::LanesForgotten.is_on() { taken } else { mask };
            stack.push(Entry::new(reconvergence_pc, reconverge, mask));
        }
        // Without a reconvergence point the sides are on their own until the threads end.
        let side = |pc, mask| Entry::new(reconverge, pc, mask);
        let jump = side(target, taken);
        let fall = side(pc + 1, mask & !taken);
        let (first, second) = match self.push_order {
            PushOrder::FewerThreadsFirst if fall.mask.count_ones() < jump.mask.count_ones() => {
                (fall, jump)
            }
            _ => (jump, fall),
        };
        stack.push(second);
        if Planted::MeetingBeforeSide.is_on() && stack.len() > 1 {
            let last = stack.len() - 1;
            stack.swap(last, last - 1);
        }
        stack.push(first);
        self.deepest = self.deepest.max(stack.len());
        self.pop(slot, paths);
    }

    /// Ends threads: they leave every entry of their warp.
    fn exit(&mut self, slot: SlotId, lanes: u64, paths: &mut Paths) {
        for entry in &mut self.warps[usize::from(slot.0)] {
            entry.mask &= !lanes;
        }
        let top = top(slot, paths);
        let rest = Entry { pc: top.pc + 1, mask: top.mask & !lanes, ..top };
        self.warps[usize::from(slot.0)].push(rest);
        self.pop(slot, paths);
    }
}

/// The entry that the slot's path is.
fn top(slot: SlotId, paths: &Paths) -> Entry {
    let path = paths.path(slot);
    Entry::new(path.reconvergence_pc, path.pc, path.lanes.mask())
}

fn publish(slot: SlotId, entry: Entry, paths: &mut Paths) {
    paths.publish(slot, path(slot, entry));
}

/// The path of an entry.
fn path(slot: SlotId, entry: Entry) -> Path {
    Path {
        pc: entry.pc,
        reconvergence_pc: entry.reconverge,
        lanes: Lanes::Warp { warp: slot.0, mask: entry.mask },
        scoreboard: slot.0,
    }
}

impl Divergence for SimtStack {
    fn capabilities(&self) -> Capabilities {
        Capabilities { is_serial: true, ..Capabilities::default() }
    }

    fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
        self.deepest = 1;
        self.below = 0;
        self.width = shape.width;
        self.warps.iter_mut().for_each(Vec::clear);
        self.warps.resize_with(shape.warps() as usize, Vec::new);
        for warp in 0..shape.warps() {
            let mask = shape.mask(warp);
            let entry = Entry::new(NEVER, 0, mask);
            publish(SlotId(warp as u16), entry, paths);
        }
    }

    fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths) {
        let before = self.warps[usize::from(slot.0)].len();
        match step {
            Step::Reconverged => self.pop(slot, paths),
            Step::Branch { taken, target, annotations, .. } => {
                let reconverge = annotations.reconverge.unwrap_or(NEVER);
                self.split(slot, taken, target, reconverge, paths);
            }
            Step::Exit { lanes } => self.exit(slot, lanes, paths),
            Step::LongLatency | Step::Next | Step::Arm { .. } | Step::Meet { .. } => {}
            Step::Barrier => {
                let entry = Entry { waits: true, ..top(slot, paths) };
                self.install(slot, entry, paths);
            }
        }
        self.below = self.below + self.warps[usize::from(slot.0)].len() - before;
    }

    fn defer(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        let entry = Entry { deferred: true, ..top(slot, paths) };
        let may = |other: &Entry| !other.waits && !other.deferred;
        let Some(at) = self.other_path(slot, entry, may) else {
            return false;
        };
        let path = self.exchange(slot, entry, at);
        publish(slot, path, paths);
        true
    }

    fn retry(&mut self, slot: SlotId, _paths: &mut Paths) {
        self.warps[usize::from(slot.0)].iter_mut().for_each(|entry| entry.deferred = false);
    }

    fn release(&mut self, paths: &mut Paths) {
        for entry in self.warps.iter_mut().flatten().filter(|entry| entry.waits) {
            entry.waits = false;
            entry.pc += 1;
        }
        for slot in paths.slots() {
            if paths.state(slot) == SlotState::Waiting && paths.resume(slot) {
                self.advance(slot, Step::Reconverged, paths);
            }
        }
    }
}

impl Observe for SimtStack {
    fn fingerprint(&self, slot: SlotId, hash: &mut dyn Hasher) {
        for entry in &self.warps[usize::from(slot.0)] {
            hash.write_u32(entry.reconverge);
            hash.write_u32(entry.pc);
            hash.write_u64(entry.mask);
            hash.write_u8(u8::from(entry.waits) | u8::from(entry.deferred) << 1);
        }
    }

    fn waiting_for(&self, slot: SlotId) -> u64 {
        let below = &self.warps[usize::from(slot.0)];
        let (waits, holds) = below.iter().fold((0, 0), |(waits, holds), entry| match entry.waits {
            true => (waits | entry.mask, holds),
            false => (waits, holds | entry.mask),
        });
        holds & !waits
    }

    fn parked(&self) -> Vec<Path> {
        let warps = (0..).map(SlotId).zip(&self.warps);
        let below = warps.flat_map(|(slot, warp)| warp.iter().map(move |&entry| (slot, entry)));
        let parked = below.filter(|(_, entry)| entry.waits && entry.mask != 0);
        parked.map(|(slot, entry)| path(slot, entry)).collect()
    }

    fn describe(&self, warp: u32, paths: &Paths) -> Vec<SchemeState> {
        let slot = SlotId(warp as u16);
        let state = |entry: Entry, is_running| {
            let path = SchemePath::new(entry.pc, LaneSet::Mask(entry.mask), is_running);
            SchemeEntry::of_stack(entry.reconverge, vec![path])
        };
        let below = self.warps[warp as usize].iter().map(|&entry| state(entry, false));
        let top = match paths.state(slot) {
            SlotState::Empty => None,
            SlotState::Runnable => Some(state(top(slot, paths), true)),
            SlotState::Waiting => Some(state(top(slot, paths), false)),
        };
        let entries = below.chain(top).collect();
        vec![SchemeState { entries, ..SchemeState::default() }]
    }

    fn entries(&self, paths: &Paths) -> u64 {
        self.below as u64 + u64::from(paths.occupied())
    }

    fn counts(&self) -> DivergenceCounts {
        DivergenceCounts { max_stack_depth: self.deepest as u64, ..DivergenceCounts::default() }
    }
}

//! Warp-splits: the groups of a warp's threads that have a program counter of their own, in a table
//! for each warp, and their assignment to the warp's slots.

use std::hash::Hasher;

use super::convergence_sets::ConvergenceSet;
use super::slot::BlockShape;
use crate::block::opening::Opening;
use crate::block::path::{Lanes, NEVER, Path, Paths, Slot, SlotId, SlotState};
use crate::observe::scheme_state::{LaneSet, PathStatus, SchemePath, SchemeState};

/// Why a split runs or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It may run, and runs when it has a slot.
    Ready,
    /// It has arrived at a barrier of the block and waits.
    AtBarrier,
    /// It lets others run, because it needs lanes that are elsewhere.
    Deferred,
    /// It waits for others to meet it.
    Blocked,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    /// The state of a split in a slot when the scheme last had control.
    pub(super) pc: u32,
    /// The scheme receives control there.
    pub(super) reconvergence_pc: u32,
    pub(super) mask: u64,
    pub(super) state: State,
    /// Its slot of the warp.
    pub(super) slot: Option<usize>,
    /// The convergence set that it waits at, if it is blocked.
    pub(super) set: u32,
    /// The place where it began, until it branches or passes a barrier; or [`NEVER`].
    pub(super) start: u32,
    /// It has had its turns without progress.
    pub(super) yielded: bool,
    /// A load that it has missed, while others have hit and continued without it. Until the load
    /// arrives, it is not compared with them.
    pub(super) misses: Option<u32>,
    /// Backward branches since it was put into a slot, or since something happened to it.
    pub(super) turns: u32,
}

impl Split {
    pub(super) fn new(pc: u32, reconvergence_pc: u32, mask: u64) -> Split {
        let state = State::Ready;
        Split {
            pc,
            reconvergence_pc,
            mask,
            state,
            slot: None,
            set: 0,
            start: NEVER,
            yielded: false,
            misses: None,
            turns: 0,
        }
    }

    pub(super) fn is_ready(&self) -> bool {
        self.state == State::Ready
    }
}

/// The place of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SplitAt {
    /// Its warp, numbered in the block.
    pub(super) warp: usize,
    /// Its index among the warp's splits.
    pub(super) index: usize,
}

/// A branch that some lanes of a split take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    pub(super) lanes: u64,
    pub(super) target: u32,
}

/// The splits of a block's warps.
#[derive(Clone, Debug)]
pub(super) struct Splits {
    /// Slots of a warp.
    slots: usize,
    width: u32,
    /// By warp, in the order in which they take free slots.
    warps: Vec<Vec<Split>>,
    /// By warp: the convergence sets of its lanes. Only `convergence_sets.rs` changes it.
    pub(super) sets: Vec<Vec<ConvergenceSet>>,
    /// Splits of all warps now, and the most that one warp has had.
    count: usize,
    most: usize,
}

impl Splits {
    pub(super) fn new(slots: usize) -> Splits {
        let (warps, sets) = (Vec::new(), Vec::new());
        Splits { slots, width: 1, warps, sets, count: 0, most: 0 }
    }

    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    /// A block starts: each warp is one split.
    pub(super) fn start(&mut self, shape: BlockShape) {
        self.width = shape.width;
        self.warps.clear();
        self.sets.clear();
        self.sets.resize_with(shape.warps() as usize, Vec::new);
        (self.count, self.most) = (0, 0);
        for warp in 0..shape.warps() {
            self.warps.push(Vec::new());
            self.push(warp as usize, Split::new(0, NEVER, shape.mask(warp)));
        }
    }

    pub(super) fn warps(&self) -> usize {
        self.warps.len()
    }

    pub(super) fn warp_of(&self, slot: SlotId) -> usize {
        usize::from(slot.0) / self.slots
    }

    /// Returns true if a split of a warp may run.
    pub(super) fn any_ready(&self, warp: usize) -> bool {
        self.warps[warp].iter().any(Split::is_ready)
    }

    pub(super) fn of(&self, warp: usize) -> &[Split] {
        &self.warps[warp]
    }

    pub(super) fn of_mut(&mut self, warp: usize) -> &mut [Split] {
        &mut self.warps[warp]
    }

    pub(super) fn push(&mut self, warp: usize, split: Split) {
        self.warps[warp].push(split);
        self.count += 1;
        self.most = self.most.max(self.warps[warp].len());
    }

    /// A split diverges; the taken side keeps its place among the warp's splits. Returns the index
    /// of the other side.
    pub(super) fn part(&mut self, at: SplitAt, taken: Taken) -> usize {
        let (SplitAt { warp, index }, Taken { lanes: taken, target }) = (at, taken);
        let split = &mut self.warps[warp][index];
        let fall = Split::new(split.pc + 1, NEVER, split.mask & !taken);
        (split.pc, split.mask, split.turns, split.yielded) = (target, taken, 0, false);
        self.push(warp, fall);
        self.warps[warp].len() - 1
    }

    pub(super) fn remove(&mut self, warp: usize, index: usize) -> Split {
        self.count -= 1;
        self.warps[warp].remove(index)
    }

    /// Puts a split after all others of its warp, and out of its slot: they have a turn first.
    pub(super) fn rotate(&mut self, warp: usize, index: usize) {
        let mut split = self.warps[warp].remove(index);
        (split.slot, split.turns) = (None, 0);
        self.warps[warp].push(split);
    }

    /// Gives the slot of a split to the next one that is ready and has none, and puts the split after
    /// all others. Both keep the backward branches that are counted.
    pub(super) fn hand_over(&mut self, warp: usize, index: usize) {
        let splits = &mut self.warps[warp];
        if let Some(next) = splits.iter().position(|it| it.is_ready() && it.slot.is_none()) {
            splits[next].slot = splits[index].slot.take();
            let split = splits.remove(index);
            splits.push(split);
        }
    }

    /// Reads the current positions of the paths of a slot's warp. Returns the split in the
    /// slot.
    pub(super) fn look(&mut self, slot: SlotId, paths: &Paths) -> Option<SplitAt> {
        let (warp, at) = (self.warp_of(slot), usize::from(slot.0) % self.slots);
        self.look_all(warp, paths);
        let index = self.warps[warp].iter().position(|split| split.slot == Some(at))?;
        Some(SplitAt { warp, index })
    }

    /// Reads the current positions of a warp's paths.
    fn look_all(&mut self, warp: usize, paths: &Paths) {
        let first = warp * self.slots;
        for split in &mut self.warps[warp] {
            if let Some(at) = split.slot {
                let slot = SlotId((first + at) as u16);
                if paths.state(slot) == SlotState::Runnable {
                    split.pc = paths.path(slot).pc;
                }
            }
        }
    }

    /// Some lanes have missed in a load: splits them off those that have hit and are in slots,
    /// while a slot is free and `may` allows it.
    pub(super) fn miss(
        &mut self,
        warp: usize,
        load: u32,
        lanes: u64,
        may: impl Fn(u32) -> bool,
        paths: &Paths,
    ) {
        self.look_all(warp, paths);
        let mut free = self.slots - self.warps[warp].iter().filter(|it| it.slot.is_some()).count();
        for index in 0..self.warps[warp].len() {
            let split = &mut self.warps[warp][index];
            let missed = split.mask & lanes;
            let parts = split.is_ready() && split.slot.is_some() && may(split.pc);
            if parts && missed != 0 && missed != split.mask && free != 0 {
                let others = Split { mask: missed, slot: None, misses: Some(load), ..*split };
                split.mask &= !missed;
                free -= 1;
                self.push(warp, others);
            }
        }
    }

    /// A load has arrived: splits that missed it can be compared with others again. Returns true if
    /// there is one.
    pub(super) fn loaded(&mut self, warp: usize, load: u32, paths: &Paths) -> bool {
        let mut any = false;
        for split in self.warps[warp].iter_mut().filter(|it| it.misses == Some(load)) {
            split.misses = None;
            any = true;
        }
        if any {
            self.look_all(warp, paths);
        }
        any
    }

    /// Ends the threads of some lanes, for which no thread waits any more; the split continues
    /// after the exit.
    pub(super) fn exit(&mut self, SplitAt { warp, index }: SplitAt, lanes: u64) {
        for set in &mut self.sets[warp] {
            set.leave(lanes);
        }
        for split in &mut self.warps[warp] {
            split.mask &= !lanes;
        }
        self.warps[warp][index].pc += 1;
        self.warps[warp][index].turns = 0;
        self.count -= self.warps[warp].len();
        self.warps[warp].retain(|split| split.mask != 0);
        self.count += self.warps[warp].len();
    }

    /// Two splits of a warp have become one: `other` joins `into`.
    pub(super) fn join(&mut self, warp: usize, other: usize, into: usize) {
        let mask = self.warps[warp][other].mask;
        let into = &mut self.warps[warp][into];
        into.mask |= mask;
        (into.state, into.turns) = (State::Ready, 0);
        (into.start, into.yielded, into.misses) = (NEVER, false, None);
        self.remove(warp, other);
    }

    /// The split with which the one at `index` can join: at the same place, and not waiting at a
    /// barrier or to meet others; nor, unless `all` may be joined, for a missed load.
    pub(super) fn beside(&self, warp: usize, index: usize, all: bool) -> Option<usize> {
        let splits = &self.warps[warp];
        let pc = splits[index].pc;
        (0..splits.len()).find(|&other| {
            let at = &splits[other];
            let is_free = matches!(at.state, State::Ready | State::Deferred);
            other != index && at.pc == pc && is_free && (all || at.misses.is_none())
        })
    }

    /// Joins splits at one place, unless they wait at a barrier or for a missed load.
    pub(super) fn merge(&mut self, warp: usize) {
        let mut index = 0;
        while index < self.warps[warp].len() {
            let Split { state, misses, .. } = self.warps[warp][index];
            let other = self.beside(warp, index, false);
            match other.filter(|_| state == State::Ready && misses.is_none()) {
                Some(other) => {
                    self.join(warp, index.max(other), index.min(other));
                    index = 0;
                }
                None => index += 1,
            }
        }
    }

    /// Removes splits that have arrived at a place.
    pub(super) fn take_out(&mut self, warp: usize, place: u32) {
        let splits = &mut self.warps[warp];
        self.count -= splits.len();
        splits.retain(|split| !split.is_ready() || split.pc != place);
        self.count += splits.len();
    }

    /// A barrier of the block has opened. Returns true if splits of the warp continue.
    pub(super) fn release(&mut self, warp: usize, opening: Opening, paths: &Paths) -> bool {
        self.look_all(warp, paths);
        let opens = |it: &&mut Split| it.state == State::AtBarrier && opening.has(warp, it.mask);
        let mut any = false;
        for split in self.warps[warp].iter_mut().filter(opens) {
            (split.state, split.start, split.yielded) = (State::Ready, NEVER, false);
            split.pc += 1;
            split.turns = 0;
            any = true;
        }
        any
    }

    /// Splits that let others run try again. Returns true if there are any.
    pub(super) fn retry(&mut self, warp: usize) -> bool {
        let mut any = false;
        for split in self.warps[warp].iter_mut().filter(|it| it.state == State::Deferred) {
            split.state = State::Ready;
            any = true;
        }
        any
    }

    /// Publishes the splits that may run, and in the remaining slots those that wait at a barrier.
    /// A split in a slot keeps it.
    pub(super) fn show(&mut self, warp: usize, paths: &mut Paths) {
        let splits = &mut self.warps[warp];
        let mut taken: u64 = 0;
        for state in [State::Ready, State::AtBarrier] {
            for has_slot in [true, false] {
                for split in splits.iter_mut() {
                    if split.state != state || split.slot.is_some() != has_slot {
                        continue;
                    }
                    // A lower state has lost its slot to a higher one.
                    let kept = split.slot.filter(|slot| taken >> slot & 1 == 0);
                    let free = (taken.trailing_ones() as usize) < self.slots;
                    let free = free.then_some(taken.trailing_ones() as usize);
                    let slot = if has_slot { kept } else { free };
                    if split.slot.is_none() && slot.is_some() {
                        split.turns = 0;
                    }
                    split.slot = slot;
                    taken |= slot.map_or(0, |slot| 1 << slot);
                }
            }
        }
        for split in splits.iter_mut() {
            if !matches!(split.state, State::Ready | State::AtBarrier) {
                split.slot = None;
            }
        }
        for at in 0..self.slots {
            let slot = SlotId((warp * self.slots + at) as u16);
            let split = splits.iter().find(|split| split.slot == Some(at));
            let content = split.map(|split| {
                let state = match split.state {
                    State::Ready => SlotState::Runnable,
                    _ => SlotState::Waiting,
                };
                Slot { path: path(warp, slot, split), state }
            });
            paths.set(slot, content);
        }
    }

    pub(super) fn fingerprint(&self, slot: SlotId, hash: &mut dyn Hasher) {
        for split in &self.warps[self.warp_of(slot)] {
            hash.write_u32(split.pc);
            hash.write_u32(split.reconvergence_pc);
            hash.write_u64(split.mask);
            let flags = u8::from(split.yielded) << 4 | u8::from(split.misses.is_some()) << 5;
            hash.write_u8(split.state as u8 | flags);
            hash.write_u32(split.set);
            hash.write_u32(split.turns);
        }
        for set in &self.sets[self.warp_of(slot)] {
            set.fingerprint(hash);
        }
    }

    /// Lanes that are in no slot and not at a barrier.
    pub(super) fn held(&self, slot: SlotId) -> u64 {
        let held = self.warps[self.warp_of(slot)].iter();
        let held = held.filter(|it| it.slot.is_none() && it.state != State::AtBarrier);
        held.fold(0, |lanes, split| lanes | split.mask)
    }

    /// Splits that wait at a barrier and have no slot.
    pub(super) fn parked(&self) -> Vec<Path> {
        let splits = self.warps.iter().enumerate();
        let splits = splits.flat_map(|(warp, splits)| splits.iter().map(move |it| (warp, it)));
        let parked = splits.filter(|(_, it)| it.slot.is_none() && it.state == State::AtBarrier);
        parked.map(|(warp, it)| path(warp, SlotId((warp * self.slots) as u16), it)).collect()
    }

    /// Convergence sets; then `PC/LANES` of each split, with a mark: `*` in a slot, `b` at a barrier, `d` letting others run,
    /// `w` waiting to be met, none if it would run if it had a slot.
    pub(super) fn describe(&self, warp: u32, paths: &Paths) -> SchemeState {
        let entries = self.sets[warp as usize].iter().map(ConvergenceSet::describe).collect();
        let path = |split: &Split| {
            let slot = split.slot.map(|at| SlotId((warp as usize * self.slots + at) as u16));
            let runs = slot.filter(|&slot| paths.state(slot) == SlotState::Runnable);
            let pc = runs.map_or(split.pc, |slot| paths.path(slot).pc);
            let status = match split.state {
                State::Ready if runs.is_some() => PathStatus::Running,
                State::Ready => PathStatus::Idle,
                State::AtBarrier => PathStatus::AtBarrier,
                State::Deferred => PathStatus::Deferred,
                State::Blocked => PathStatus::Blocked,
            };
            SchemePath { name: None, pc, lanes: LaneSet::Mask(split.mask), status }
        };
        let paths = self.warps[warp as usize].iter().map(path).collect();
        SchemeState { entries, paths, ..SchemeState::default() }
    }

    pub(super) fn count(&self) -> u64 {
        self.count as u64
    }

    pub(super) fn most(&self) -> u64 {
        self.most as u64
    }
}

fn path(warp: usize, slot: SlotId, split: &Split) -> Path {
    let lanes = Lanes::Warp { warp: warp as u16, mask: split.mask };
    Path { pc: split.pc, reconvergence_pc: split.reconvergence_pc, lanes, scoreboard: slot.0 }
}

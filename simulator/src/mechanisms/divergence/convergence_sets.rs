//! Convergence sets: lanes of a warp that wait for each other at the reconvergence point of a
//! branch. Entries of reconvergence tables and convergence barriers are both such sets. They differ
//! in which splits run, and in the lanes that need not be waited for. A branch makes a set, and
//! lanes join it when they arrive at its place; or `bssy` makes one, and lanes join it by `bsync`
//! (`spec/machine.md`).

use std::hash::Hasher;

use super::layout::LikelyPoint;
use super::splits::{Split, SplitAt, Splits, State};
use crate::block::path::NEVER;
use crate::observe::scheme_state::{LaneSet, SchemeEntry};

/// Lanes that have parted and will wait for each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConvergenceSet {
    /// Later sets have higher numbers, and lanes arrive at their places first.
    number: u32,
    place: u32,
    members: u64,
    /// The convergence barrier that it is, unless a branch made it.
    barrier: Option<u8>,
    /// The likely point that it is at: lanes outside its loop leave the set.
    likely: Option<LikelyPoint>,
}

impl ConvergenceSet {
    /// No thread waits for some lanes any more.
    pub(super) fn leave(&mut self, lanes: u64) {
        self.members &= !lanes;
    }

    pub(super) fn fingerprint(&self, hash: &mut dyn Hasher) {
        hash.write_u32(self.place);
        hash.write_u64(self.members);
        hash.write_u8(self.barrier.map_or(u8::MAX, |barrier| barrier));
    }

    pub(super) fn describe(&self) -> SchemeEntry {
        let lanes = LaneSet::Mask(self.members);
        SchemeEntry::Set { barrier: self.barrier, pc: self.place, lanes }
    }

    /// Returns true if some lanes join it by arriving at its place.
    fn is_at_its_place(&self, lanes: u64) -> bool {
        self.barrier.is_none() && self.members & lanes != 0
    }
}

impl Splits {
    /// The convergence set at whose place some lanes arrive next.
    fn next_set(&self, warp: usize, lanes: u64) -> Option<ConvergenceSet> {
        self.sets[warp].iter().rev().find(|set| set.is_at_its_place(lanes)).copied()
    }

    /// Some lanes will wait for each other there before all other sets of theirs.
    fn add_set(&mut self, warp: usize, place: u32, members: u64, barrier: Option<u8>) {
        let known = &mut self.sets[warp];
        let number = known.last().map_or(0, |last| last.number + 1);
        known.push(ConvergenceSet { number, place, members, barrier, likely: None });
    }

    /// Some lanes will wait for each other at the end of an iteration, as far as they do not leave the loop, except those that
    /// do so already.
    pub(super) fn arrange_likely_set(&mut self, warp: usize, point: LikelyPoint, members: u64) {
        let before = self.sets[warp].len();
        self.arrange_set(warp, point.place, members);
        if let Some(set) = self.sets[warp].get_mut(before) {
            set.likely = Some(point);
        }
    }

    /// Lanes that have left a loop no longer take part in the sets of its iterations.
    fn leave_loops(&mut self, warp: usize) {
        for at in 0..self.sets[warp].len() {
            let Some(point) = self.sets[warp][at].likely else {
                continue;
            };
            let outside = |it: &&Split| it.is_ready() && !point.is_around(it.pc);
            let left = self.of(warp).iter().filter(outside).fold(0, |lanes, it| lanes | it.mask);
            self.sets[warp][at].leave(left);
        }
    }

    /// Some lanes will wait for each other at a place, except those that do so already.
    pub(super) fn arrange_set(&mut self, warp: usize, place: u32, members: u64) {
        let known = self.sets[warp].iter().filter(|it| it.place == place && it.barrier.is_none());
        let members = known.fold(members, |members, set| members & !set.members);
        if place != NEVER && members != 0 {
            self.add_set(warp, place, members, None);
        }
    }

    /// Some lanes will wait for each other at a place before all other sets of theirs.
    pub(super) fn arrange_early_set(&mut self, warp: usize, place: u32, members: u64) {
        self.add_set(warp, place, members, None);
    }

    /// A split executes `bssy`: its lanes are a set, less those that take part in one already.
    pub(super) fn arm(&mut self, SplitAt { warp, index }: SplitAt, barrier: u8, place: u32) {
        let split = &mut self.of_mut(warp)[index];
        split.pc += 1;
        let mask = split.mask;
        let armed = self.sets[warp].iter().filter(|it| it.barrier == Some(barrier));
        let members = armed.fold(mask, |members, set| members & !set.members);
        if members != 0 {
            self.add_set(warp, place, members, Some(barrier));
        }
    }

    /// A split executes `bsync`: the lanes of each set wait, and those in none continue.
    pub(super) fn meet(&mut self, SplitAt { warp, index }: SplitAt, barrier: u8) {
        let split = Split { slot: None, ..self.of(warp)[index] };
        let mut rest = split.mask;
        for at in 0..self.sets[warp].len() {
            let ConvergenceSet { number, members, barrier: armed, .. } = self.sets[warp][at];
            let mask = members & rest;
            if armed == Some(barrier) && mask != 0 {
                rest &= !mask;
                let waiting = Split { mask, state: State::Blocked, set: number, ..split };
                if rest == 0 {
                    self.of_mut(warp)[index] = waiting;
                    return;
                }
                self.push(warp, waiting);
            }
        }
        let split = &mut self.of_mut(warp)[index];
        (split.pc, split.mask) = (split.pc + 1, rest);
    }

    /// Returns true if lanes of two splits arrive at the same convergence set next.
    pub(super) fn meets_same(&self, warp: usize, one: u64, other: u64) -> bool {
        let number = |mask| self.next_set(warp, mask).map(|set| set.number);
        number(one) == number(other)
    }

    /// Blocks lanes that have arrived at their next convergence set, and releases together those
    /// of a set at which all others have arrived.
    pub(super) fn settle_sets(&mut self, warp: usize) {
        self.leave_loops(warp);
        loop {
            let mut index = 0;
            while index < self.of(warp).len() {
                if self.of(warp)[index].is_ready() {
                    self.block_arrived(SplitAt { warp, index });
                }
                index += 1;
            }
            self.sets[warp].retain(|set| set.members != 0);
            let complete = |it: &ConvergenceSet| self.arrived(warp, it.number) == it.members;
            let Some(found) = self.sets[warp].iter().rposition(complete) else {
                return;
            };
            let set = self.sets[warp].remove(found);
            self.go_on(warp, &set);
        }
    }

    /// Blocks the lanes of a ready split that are at the place of their next convergence set. Lanes
    /// of several sets are in one split if they have met at a warp operation: each waits at its own
    /// set. While their places differ, the scheme receives control after each instruction.
    fn block_arrived(&mut self, SplitAt { warp, index }: SplitAt) {
        let split = self.of(warp)[index];
        let (mut rest, mut left, mut next) = (split.mask, split.mask, NEVER);
        for at in (0..self.sets[warp].len()).rev() {
            let set = self.sets[warp][at];
            if !set.is_at_its_place(rest) {
                continue;
            }
            let mask = set.members & rest;
            rest &= !mask;
            if set.place == split.pc {
                left &= !mask;
                let waiting = Split { mask, state: State::Blocked, set: set.number, ..split };
                if left == 0 {
                    self.of_mut(warp)[index] = waiting;
                    return;
                }
                self.push(warp, Split { slot: None, ..waiting });
            } else if next == NEVER || next == set.place {
                next = set.place;
            } else {
                next = split.pc + 1;
            }
            if rest == 0 {
                break;
            }
        }
        let split = &mut self.of_mut(warp)[index];
        (split.mask, split.reconvergence_pc) = (left, next);
    }

    /// Lanes that are at a convergence set.
    fn arrived(&self, warp: usize, set: u32) -> u64 {
        let splits = self.of(warp).iter();
        let here = splits.filter(|it| it.state == State::Blocked && it.set == set);
        here.fold(0, |lanes, split| lanes | split.mask)
    }

    /// The lanes at a convergence set continue: together, if they are at one place.
    fn go_on(&mut self, warp: usize, set: &ConvergenceSet) {
        let number = set.number;
        let here = |split: &Split| split.state == State::Blocked && split.set == number;
        while let Some(first) = self.of(warp).iter().position(here) {
            let pc = self.of(warp)[first].pc;
            let beside = |split: &Split| here(split) && split.pc == pc;
            while let Some(other) = self.of(warp).iter().rposition(beside).filter(|it| *it != first)
            {
                self.join(warp, other, first);
            }
            let split = &mut self.of_mut(warp)[first];
            (split.state, split.turns, split.start) = (State::Ready, 0, NEVER);
            // Behind the `bsync`.
            split.pc += u32::from(set.barrier.is_some());
        }
    }

    /// Lets the lanes at a convergence set continue without the others, if none of these makes
    /// progress: they wait at a barrier of the block or for other lanes, or have yielded. Takes the
    /// innermost such set. Returns true if there is one.
    pub(super) fn relieve_set(&mut self, warp: usize) -> bool {
        let stuck = self.of(warp).iter().filter(|split| match split.state {
            State::Ready => split.yielded,
            State::AtBarrier | State::Deferred => true,
            State::Blocked => false,
        });
        let stuck = stuck.fold(0, |lanes, split| lanes | split.mask);
        let arrived = |it: &ConvergenceSet| self.arrived(warp, it.number);
        let relieved =
            |it: &&ConvergenceSet| arrived(it) != 0 && it.members & !arrived(it) & !stuck == 0;
        let Some(set) = self.sets[warp].iter().rev().find(relieved).copied() else {
            return false;
        };
        let gone = arrived(&set);
        for it in self.sets[warp].iter_mut().filter(|it| it.number == set.number) {
            it.members &= !gone;
        }
        self.go_on(warp, &set);
        self.of_mut(warp).iter_mut().for_each(|split| split.yielded = false);
        self.settle_sets(warp);
        true
    }
}

//! Schemes that keep splits: everything but when splits part and meet, and which may run.

use std::hash::Hasher;

use super::layout::Layout;
use super::slot::{BlockShape, Capabilities, Divergence, DivergenceCounts, Observe, Step};
use super::splits::{SplitAt, Splits, State, Taken};
use crate::block::opening::Opening;
use crate::block::path::{NEVER, Path, Paths, SlotId};
use crate::observe::scheme_state::SchemeState;

/// The decisions of a scheme that keeps splits. Warps are numbered in their block.
pub(super) trait SplitScheme: Send {
    /// The scheme's capabilities beside those of all schemes that keep splits: slots as given,
    /// every branch, and track threads. [`Capabilities::receives_every_step`] is for those that
    /// compare splits after every instruction, while a warp has several.
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    /// See [`Divergence::learn`].
    fn learn(&mut self, _layout: &Layout) {}

    /// A block starts.
    fn start(&mut self, _shape: BlockShape) {}

    /// A split goes both ways; the paths reconverge at `meet`, or [`NEVER`].
    fn part(&mut self, splits: &mut Splits, at: SplitAt, taken: Taken, reconverge: u32);

    /// All lanes of a split have branched to one place, where it is now.
    fn moved(&mut self, _splits: &mut Splits, _at: SplitAt) {}

    /// A split has taken a backward branch. One without a slot has a turn then.
    fn backward(&mut self, splits: &mut Splits, SplitAt { warp, index }: SplitAt) {
        let mut others = splits.of(warp).iter();
        if others.any(|split| split.is_ready() && split.slot.is_none()) {
            splits.rotate(warp, index);
        }
    }

    /// A split has issued an instruction of long latency; only if the scheme receives that.
    fn long_latency(&mut self, _splits: &mut Splits, _at: SplitAt) {}

    /// Returns true if a split whose next instruction is at a place may part when some of its lanes
    /// miss.
    fn parts_at_miss(&self, _pc: u32) -> bool {
        false
    }

    /// Threads have ended, in addition to the splits' own records.
    fn ended(&mut self, _warp: usize, _lanes: u64) {}

    /// Lets splits meet, and sets how far the ready ones may run.
    fn settle(&mut self, splits: &mut Splits, warp: usize);

    /// Nothing of a warp is ready: makes something so for which this is the time; whether it could.
    fn relieve(&mut self, _splits: &mut Splits, _warp: usize) -> bool {
        false
    }

    /// See [`Divergence::fingerprint`]; beside the splits.
    fn fingerprint(&self, _warp: usize, _hash: &mut dyn Hasher) {}

    /// See [`Divergence::describe`].
    fn describe(&self, splits: &Splits, warp: u32, paths: &Paths) -> SchemeState {
        splits.describe(warp, paths)
    }

    /// Lanes of a warp that entries hold beside the splits, which may be the same.
    fn below(&self, _warp: usize) -> u64 {
        0
    }

    /// The number of entries beside the splits, of all warps; and the most that a warp has had, its
    /// top included.
    fn entries_below(&self) -> (u64, u64) {
        (0, 0)
    }
}

/// A scheme with the splits of a block's warps.
pub(super) struct BySplits<S> {
    splits: Splits,
    scheme: S,
}

impl<S: SplitScheme> BySplits<S> {
    pub(super) fn new(slots: usize, scheme: S) -> BySplits<S> {
        BySplits { splits: Splits::new(slots), scheme }
    }

    /// Decides which splits run next.
    fn arrange(&mut self, warp: usize, paths: &mut Paths) {
        let splits = &mut self.splits;
        self.scheme.settle(splits, warp);
        if !splits.any_ready(warp) && (self.scheme.relieve(splits, warp) || splits.retry(warp)) {
            self.scheme.settle(splits, warp);
        }
        splits.show(warp, paths);
    }

    fn branch(&mut self, at: SplitAt, taken: Taken, reconverge: u32) {
        let split = &mut self.splits.of_mut(at.warp)[at.index];
        split.start = NEVER;
        let is_backward = taken.lanes != 0 && taken.target <= split.pc;
        if taken.lanes == 0 || taken.lanes == split.mask {
            split.pc = if taken.lanes == 0 { split.pc + 1 } else { taken.target };
            self.scheme.moved(&mut self.splits, at);
        } else {
            self.scheme.part(&mut self.splits, at, taken, reconverge);
        }
        if is_backward {
            self.scheme.backward(&mut self.splits, at);
        }
    }
}

impl<S: SplitScheme> Divergence for BySplits<S> {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            slots_per_warp: self.splits.slots(),
            receives_every_branch: true,
            tracks_threads: true,
            ..self.scheme.capabilities()
        }
    }

    fn learn(&mut self, layout: &Layout) {
        self.scheme.learn(layout);
    }

    fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
        self.scheme.start(shape);
        self.splits.start(shape);
        for warp in 0..self.splits.warps() {
            self.arrange(warp, paths);
        }
    }

    fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths) {
        let Some(at) = self.splits.look(slot, paths) else {
            return;
        };
        let SplitAt { warp, index } = at;
        match step {
            Step::Branch { taken, target, annotations, .. } => {
                let reconverge = annotations.reconverge.unwrap_or(NEVER);
                self.branch(at, Taken { lanes: taken, target }, reconverge);
            }
            Step::Exit { lanes } => {
                self.splits.exit(at, lanes);
                self.scheme.ended(warp, lanes);
            }
            Step::Barrier => self.splits.of_mut(warp)[index].state = State::AtBarrier,
            Step::Arm { barrier, place } => self.splits.arm(at, barrier, place),
            Step::Meet { barrier } => self.splits.meet(at, barrier),
            Step::Next if self.splits.of(warp).len() == 1 => return,
            Step::LongLatency => self.scheme.long_latency(&mut self.splits, at),
            Step::Next | Step::Reconverged => {}
        }
        self.arrange(warp, paths);
    }

    fn defer(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        let Some(SplitAt { warp, index }) = self.splits.look(slot, paths) else {
            return false;
        };
        // Splits that need each other may have arrived at the same place.
        if let Some(other) = self.splits.beside(warp, index, true) {
            self.splits.join(warp, index.max(other), index.min(other));
        } else {
            self.splits.of_mut(warp)[index].state = State::Deferred;
            if !self.splits.any_ready(warp) && !self.scheme.relieve(&mut self.splits, warp) {
                self.splits.of_mut(warp)[index].state = State::Ready;
                return false;
            }
        }
        self.arrange(warp, paths);
        true
    }

    fn join(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        let Some(SplitAt { warp, index }) = self.splits.look(slot, paths) else {
            return false;
        };
        let Some(other) = self.splits.beside(warp, index, true) else {
            return false;
        };
        self.splits.join(warp, index.max(other), index.min(other));
        self.arrange(warp, paths);
        true
    }

    fn retry(&mut self, slot: SlotId, _paths: &mut Paths) {
        let warp = self.splits.warp_of(slot);
        self.splits.retry(warp);
    }

    fn missed(&mut self, slot: SlotId, load: u32, lanes: u64, paths: &mut Paths) {
        let warp = self.splits.warp_of(slot);
        let may = |pc| self.scheme.parts_at_miss(pc);
        self.splits.miss(warp, load, lanes, may, paths);
        self.arrange(warp, paths);
    }

    fn loaded(&mut self, slot: SlotId, load: u32, paths: &mut Paths) {
        let warp = self.splits.warp_of(slot);
        if self.splits.loaded(warp, load, paths) {
            self.arrange(warp, paths);
        }
    }

    fn release(&mut self, opening: Opening, paths: &mut Paths) {
        for warp in 0..self.splits.warps() {
            if self.splits.release(warp, opening, paths) {
                self.arrange(warp, paths);
            }
        }
    }
}

impl<S: SplitScheme> Observe for BySplits<S> {
    fn fingerprint(&self, slot: SlotId, hash: &mut dyn Hasher) {
        self.splits.fingerprint(slot, hash);
        self.scheme.fingerprint(self.splits.warp_of(slot), hash);
    }

    fn waiting_for(&self, slot: SlotId) -> u64 {
        let warp = self.splits.warp_of(slot);
        let known = self.splits.of(warp).iter().fold(0, |lanes, split| lanes | split.mask);
        self.scheme.below(warp) & !known | self.splits.held(slot)
    }

    fn parked(&self) -> Vec<Path> {
        self.splits.parked()
    }

    fn describe(&self, warp: u32, paths: &Paths) -> Vec<SchemeState> {
        vec![self.scheme.describe(&self.splits, warp, paths)]
    }

    fn entries(&self, _paths: &Paths) -> u64 {
        self.scheme.entries_below().0 + self.splits.count()
    }

    fn counts(&self) -> DivergenceCounts {
        let max_stack_depth = self.splits.most().max(self.scheme.entries_below().1);
        DivergenceCounts { max_stack_depth, ..DivergenceCounts::default() }
    }
}

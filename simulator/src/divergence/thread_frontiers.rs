//! `thread-frontiers`: no stack; of a warp's splits the one with the lowest program counter runs, so
//! that those ahead wait for it.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.4.2 and §3.4.4,
//! after Diamos et al. Differences: splits are kept instead of a program counter in each thread; two
//! that are at one place become one. Code is not sorted for it: the compiler lays out loops with
//! their exits behind them and the sides of a branch before the place where they meet, which is what
//! the scheme counts on; where code goes backwards otherwise, splits meet later, and nothing else
//! happens. A split that waits at a barrier of the block, or for lanes that are elsewhere, is passed over.

use std::hash::Hasher;

use super::splits::{Split, Splits, State};
use super::{BlockShape, Build, Divergence, DivergenceCounts, NoOptions, Step};
use crate::mechanism::{Mechanism, options};
use crate::path::{NEVER, Path, Paths, SlotId};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "thread-frontiers",
    sentence: "no stack: of the paths of a warp the one with the lowest program counter runs, and \
               paths that are at one place become one",
    options: &[],
    build: |table| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(ThreadFrontiers { splits: Splits::new(1) }))
    },
};

struct ThreadFrontiers {
    splits: Splits,
}

impl ThreadFrontiers {
    /// Makes one of splits that are at one place, unless they wait at a barrier.
    fn merge(&mut self, warp: usize) {
        let mut index = 0;
        while index < self.splits.of(warp).len() {
            let is_free = self.splits.of(warp)[index].is_ready();
            match self.splits.beside(warp, index).filter(|_| is_free) {
                Some(other) => {
                    self.splits.join(warp, index.max(other), index.min(other));
                    index = 0;
                }
                None => index += 1,
            }
        }
    }

    fn lowest(&self, warp: usize) -> Option<usize> {
        let splits = self.splits.of(warp).iter().enumerate();
        let lowest = splits.filter(|(_, split)| split.is_ready()).min_by_key(|(_, split)| split.pc);
        lowest.map(|(index, _)| index)
    }

    /// Decides what runs next.
    fn arrange(&mut self, warp: usize, paths: &mut Paths) {
        self.merge(warp);
        if self.lowest(warp).is_none() && self.splits.retry(warp) {
            self.merge(warp);
        }
        let lowest = self.lowest(warp);
        if let Some(lowest) = lowest {
            let pc = self.splits.of(warp)[lowest].pc;
            let others = self.splits.of(warp).iter();
            let others = others.filter(|it| matches!(it.state, State::Ready | State::Deferred));
            let until = others.map(|split| split.pc).filter(|&other| other > pc).min();
            self.splits.of_mut(warp)[lowest].until = until.unwrap_or(NEVER);
        }
        for (index, split) in self.splits.of_mut(warp).iter_mut().enumerate() {
            split.slot = (lowest == Some(index)).then_some(0);
        }
        self.splits.show(warp, paths);
    }
}

impl Divergence for ThreadFrontiers {
    fn wants_every_branch(&self) -> bool {
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

    fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
        self.splits.start(shape, paths);
    }

    fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths) {
        let Some((warp, index)) = self.splits.look(slot, paths) else {
            return;
        };
        let split = &mut self.splits.of_mut(warp)[index];
        match step {
            Step::Branch { taken, target, .. } => {
                let fall = Split::new(split.pc + 1, NEVER, split.mask & !taken);
                (split.pc, split.mask) = (target, taken);
                if taken == 0 {
                    *split = Split { slot: split.slot, ..fall };
                } else if fall.mask != 0 {
                    self.splits.push(warp, fall);
                }
            }
            Step::Exit { lanes } => self.splits.exit(warp, index, lanes),
            Step::Barrier => split.state = State::AtBarrier,
            _ => {}
        }
        self.arrange(warp, paths);
    }

    fn defer(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        let Some((warp, index)) = self.splits.look(slot, paths) else {
            return false;
        };
        self.splits.of_mut(warp)[index].state = State::Deferred;
        if self.lowest(warp).is_none() {
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
    }

    fn waiting_for(&self, slot: SlotId) -> u64 {
        self.splits.held(slot)
    }

    fn parked(&self, slot: SlotId) -> Vec<Path> {
        self.splits.parked(slot)
    }

    fn describe(&self, warp: u32, paths: &Paths, place: &dyn Fn(u32) -> String) -> String {
        self.splits.describe(warp, paths, place)
    }

    fn entries(&self, _paths: &Paths) -> u64 {
        self.splits.count()
    }

    fn counts(&self) -> DivergenceCounts {
        DivergenceCounts { deepest_stack: self.splits.most(), ..DivergenceCounts::default() }
    }
}

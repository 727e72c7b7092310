//! `convergence-barrier`: no stack; lanes that have parted wait for each other at convergence barriers,
//! and a split that gets nowhere yields.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.1.2, after
//! Diamos et al. (barrier participation mask, barrier state, thread state, ADD, WAIT, YIELD).
//! Differences: ADD and WAIT are not instructions here; a branch in which a warp parts adds its lanes
//! to a barrier at its `!reconverge`, unless they take part in one for that place, and who comes there
//! waits. Barriers have no numbers, and there are as many as are needed. One split of a warp runs at a
//! time; another one when it waits, ends or yields.
//!
//! The source names YIELD and leaves open what it does. Here a split yields after so many backward
//! branches: the other splits of its warp have a turn, in order. When all that could run have yielded,
//! those who wait at the innermost barrier for no one else go on without them: they take no part in it
//! any more. Splits that wait at a barrier of the block, or at a `warp.sync` for lanes that are elsewhere,
//! count as yielded when nothing else of the warp can run.

use std::hash::Hasher;

use serde::Deserialize;

use super::meetings::Meetings;
use super::splits::State;
use super::{BlockShape, Build, Divergence, DivergenceCounts, Step};
use crate::mechanism::{Mechanism, options};
use crate::path::{Path, Paths, SlotId};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "convergence-barrier",
    sentence: "no stack: sides of a branch wait for each other at a barrier where they meet, and \
               a path that gets nowhere yields to the others of its warp",
    options: &[("yield-after", "backward branches after which a path yields; 0: never")],
    build: |table| {
        let options: Options = options(table)?;
        Ok(Box::new(ConvergenceBarrier { options, warp: Meetings::new(1) }))
    },
};

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    yield_after: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { yield_after: 64 }
    }
}

struct ConvergenceBarrier {
    options: Options,
    warp: Meetings,
}

impl ConvergenceBarrier {
    fn is_ready(&self, warp: usize) -> bool {
        self.warp.splits.of(warp).iter().any(|split| split.is_ready())
    }

    /// Decides what runs next.
    fn arrange(&mut self, warp: usize, paths: &mut Paths) {
        self.warp.settle(warp);
        if !self.is_ready(warp) && !self.warp.relieve(warp) {
            self.warp.splits.retry(warp);
        }
        self.warp.splits.show(warp, paths);
    }

    /// A split has taken a backward branch.
    fn turn(&mut self, warp: usize, index: usize) {
        let split = &mut self.warp.splits.of_mut(warp)[index];
        split.turns += 1;
        if self.options.yield_after == 0 || split.turns < self.options.yield_after {
            return;
        }
        split.yielded = true;
        self.warp.splits.rotate(warp, index);
        let mut splits = self.warp.splits.of(warp).iter();
        if splits.all(|split| split.yielded || !split.is_ready()) {
            self.warp.relieve(warp);
        }
    }
}

impl Divergence for ConvergenceBarrier {
    fn wants_every_branch(&self) -> bool {
        true
    }

    fn tracks_threads(&self) -> bool {
        true
    }

    fn is_serial(&self) -> bool {
        false
    }

    fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
        self.warp.start(shape, paths);
    }

    fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths) {
        let Some((warp, index)) = self.warp.splits.look(slot, paths) else {
            return;
        };
        match step {
            Step::Branch { taken, target, annotations, .. } => {
                let split = &mut self.warp.splits.of_mut(warp)[index];
                let pc = split.pc;
                if taken == 0 {
                    split.pc += 1;
                } else if taken == split.mask {
                    split.pc = target;
                } else {
                    self.warp.part((warp, index), (taken, target), annotations.reconverge);
                }
                if taken != 0 && target <= pc {
                    self.warp.settle(warp);
                    let splits = self.warp.splits.of(warp).iter();
                    let here =
                        splits.enumerate().find(|(_, it)| it.slot.is_some() && it.is_ready());
                    if let Some(index) = here.map(|(index, _)| index) {
                        self.turn(warp, index);
                    }
                }
            }
            Step::Exit { lanes } => self.warp.exit((warp, index), lanes),
            Step::Barrier => self.warp.splits.of_mut(warp)[index].state = State::AtBarrier,
            _ => {}
        }
        self.arrange(warp, paths);
    }

    fn defer(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        let Some((warp, index)) = self.warp.splits.look(slot, paths) else {
            return false;
        };
        if !self.warp.join_deferred(warp, index) {
            self.warp.splits.of_mut(warp)[index].state = State::Deferred;
            if !self.is_ready(warp) && !self.warp.relieve(warp) {
                self.warp.splits.of_mut(warp)[index].state = State::Ready;
                return false;
            }
        }
        self.arrange(warp, paths);
        true
    }

    fn release(&mut self, paths: &mut Paths) {
        self.warp.splits.release();
        for warp in 0..self.warp.splits.warps() {
            self.arrange(warp, paths);
        }
    }

    fn fingerprint(&self, slot: SlotId, hash: &mut dyn Hasher) {
        self.warp.fingerprint(slot, hash);
    }

    fn waiting_for(&self, slot: SlotId) -> u64 {
        self.warp.splits.held(slot)
    }

    fn parked(&self, slot: SlotId) -> Vec<Path> {
        self.warp.splits.parked(slot)
    }

    fn describe(&self, warp: u32, paths: &Paths, place: &dyn Fn(u32) -> String) -> String {
        self.warp.describe(warp, paths, place)
    }

    fn entries(&self, _paths: &Paths) -> u64 {
        self.warp.splits.count()
    }

    fn counts(&self) -> DivergenceCounts {
        DivergenceCounts { deepest_stack: self.warp.splits.most(), ..DivergenceCounts::default() }
    }
}

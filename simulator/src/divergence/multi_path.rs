//! `multi-path`: a table of warp-splits, all of which may run, and a table of places where they meet.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.4.2, after
//! ElTantawy et al.; with `early`, its opportunistic early reconvergence. Differences: the table of
//! splits has no end, but a warp's splits stand in so many slots where the schedulers see them; those
//! beyond take turns at backward branches. A branch whose sides meet where the split would meet others
//! makes no entry of its own, so that loops do not grow the tables. The scoreboard knows for each thread
//! what it waits for. The early place is the next instruction of the split that began where the new one
//! does, as in the source, and only while that has not branched since, nor passed a barrier: the source
//! does not say what becomes of a split that never comes to the place.

use std::hash::Hasher;

use serde::Deserialize;

use super::meetings::Meetings;
use super::splits::State;
use super::{BlockShape, Build, Divergence, DivergenceCounts, Step, slots_in_range};
use crate::mechanism::{Mechanism, options};
use crate::path::{NEVER, Path, Paths, SlotId};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "multi-path",
    sentence: "a table of the paths of a warp, which all run interleaved, and one of the places \
               where they wait for each other",
    options: &[
        ("slots", "paths of a warp that schedulers see at once, 1 to 32; others have turns"),
        (
            "early",
            "whether a path meets another that began at the same place before the \
             post-dominator, if that has not branched since: `true` or `false`",
        ),
    ],
    build: |table| {
        let options: Options = options(table)?;
        let warp = Meetings::new(slots_in_range(options.slots)?);
        Ok(Box::new(MultiPath { early: options.early, warp }))
    },
};

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    slots: u32,
    early: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { slots: 4, early: false }
    }
}

struct MultiPath {
    early: bool,
    warp: Meetings,
}

impl MultiPath {
    fn is_ready(&self, warp: usize) -> bool {
        self.warp.splits.of(warp).iter().any(|split| split.is_ready())
    }

    /// Decides what runs next.
    fn arrange(&mut self, warp: usize, paths: &mut Paths) {
        self.warp.settle(warp);
        if !self.is_ready(warp) {
            self.warp.splits.retry(warp);
        }
        self.warp.splits.show(warp, paths);
    }

    /// Looks for a split that began where a new one begins and is to meet the same others: they meet
    /// where it stands now.
    fn meet_early(&mut self, warp: usize, new: [usize; 2]) {
        for index in new {
            let splits = self.warp.splits.of(warp);
            let split = splits[index];
            let found = splits.iter().enumerate().find(|(at, other)| {
                let same = self.warp.meets_same(warp, other.mask, split.mask);
                !new.contains(at) && other.is_ready() && other.start == split.pc && same
            });
            if let Some(other) = found.map(|(_, other)| *other) {
                self.warp.arrange_early(warp, other.pc, other.mask | split.mask);
            }
        }
    }

    fn branch(
        &mut self,
        (warp, index): (usize, usize),
        (taken, target): (u64, u32),
        meet: Option<u32>,
    ) {
        let split = &mut self.warp.splits.of_mut(warp)[index];
        let is_backward = taken != 0 && target <= split.pc;
        split.start = NEVER;
        if taken == 0 {
            split.pc += 1;
        } else if taken == split.mask {
            split.pc = target;
        } else {
            let other = self.warp.part((warp, index), (taken, target), meet);
            if self.early {
                for side in [index, other] {
                    let side = &mut self.warp.splits.of_mut(warp)[side];
                    side.start = side.pc;
                }
                self.meet_early(warp, [index, other]);
            }
        }
        let mut splits = self.warp.splits.of(warp).iter();
        if is_backward && splits.any(|split| split.is_ready() && split.slot.is_none()) {
            self.warp.splits.rotate(warp, index);
        }
    }
}

impl Divergence for MultiPath {
    fn slots_per_warp(&self) -> usize {
        self.warp.splits.slots()
    }

    fn wants_every_branch(&self) -> bool {
        true
    }

    fn tracks_threads(&self) -> bool {
        true
    }

    fn meets_as_compiled(&self) -> bool {
        !self.early
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
                self.branch((warp, index), (taken, target), annotations.reconverge);
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
            if !self.is_ready(warp) {
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

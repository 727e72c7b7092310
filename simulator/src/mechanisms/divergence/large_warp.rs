//! `large-warp`: groups of warps in lockstep, each with a stack, whose threads are put into as few warps
//! as their lanes allow.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.4.1 (large
//! warp microarchitecture, after Narasiman et al., MICRO 2011). Rhu's dissertation, §4.1.3, adds
//! that a group's size is independent of the block's, and that no thread waits at unconditional
//! branches. A group executes each instruction as a whole before the next one: when the last of its
//! warps has issued it, all may issue the next. Scoreboards are kept per thread, so that a warp
//! continues while another's load is in flight, as far as lockstep allows.
//!
//! Differences, and points that the sources leave open: those of the stack in `block_wide`; groups
//! are of one block's warps, and the last of a block may be smaller. Warps are formed where the
//! group's threads change: after a branch and where paths reconverge; to re-form them at other
//! instructions would give the same ones. Guarded instructions would be the exception: the source
//! forms warps of the threads whose guard holds, and here they keep their warps, since the compiler
//! guards nothing but branches and a scheme sees control flow only. Each warp has an instruction
//! buffer of its own.

use std::hash::Hasher;

use serde::Deserialize;

use super::block_wide::{AtBranch, BlockStack, Decision, Policy};
use super::counts::CompactionCounts;
use super::slot::{BlockShape, Build, Capabilities, Divergence, DivergenceCounts, Observe, Step};
use crate::block::opening::Opening;
use crate::block::path::{Path, Paths, SlotId};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::observe::scheme_state::SchemeState;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "large-warp",
    sentence: "groups of warps execute in lockstep, each under its own reconvergence stack; at branches \
               and reconvergence points they are compacted, each thread keeping its lane",
    options: &[("warps", "warps in a group, 1 to 64; default 8")],
    trials: &[
        &[("large-warp.warps", "3"), ("sm.warp-width", "4")],
        &[("lane-permutation", "balanced"), ("sm.warp-width", "2")],
    ],
    statistics: &[],
    build: &|table| {
        let Options { warps } = options(table)?;
        check_range("warps", warps, 1..=64)?;
        Ok(Box::new(LargeWarps { size: warps, count: 0, stacks: Vec::new() }))
    },
};

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    warps: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { warps: 8 }
    }
}

struct Lockstep;

impl Policy for Lockstep {
    fn decide(&mut self, branch: &AtBranch) -> Decision {
        if branch.conditional { Decision::Stall } else { Decision::Ignore }
    }

    fn is_lockstep(&self) -> bool {
        true
    }
}

/// The groups of a block.
struct LargeWarps {
    /// Warps of a group.
    size: usize,
    /// Groups of the block.
    count: usize,
    /// Stacks of this and other blocks, for reuse.
    stacks: Vec<BlockStack>,
}

impl LargeWarps {
    fn groups(&self) -> impl Iterator<Item = &BlockStack> {
        self.stacks.iter().take(self.count)
    }

    fn group(&self, slot: SlotId) -> &BlockStack {
        &self.stacks[usize::from(slot.0) / self.size]
    }

    fn group_mut(&mut self, slot: SlotId) -> &mut BlockStack {
        &mut self.stacks[usize::from(slot.0) / self.size]
    }
}

impl Divergence for LargeWarps {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            receives_every_branch: true,
            regroups: true,
            tracks_threads: true,
            ..Capabilities::default()
        }
    }

    fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
        let warps = shape.warps() as usize;
        self.count = warps.div_ceil(self.size);
        while self.stacks.len() < self.count {
            self.stacks.push(BlockStack::new(Box::new(Lockstep)));
        }
        for (group, stack) in self.stacks.iter_mut().take(self.count).enumerate() {
            let first = group * self.size;
            stack.start_group(shape, first..(first + self.size).min(warps), paths);
        }
    }

    fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths) {
        self.group_mut(slot).advance(slot, step, paths);
    }

    fn assemble(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        self.group_mut(slot).assemble(slot, paths)
    }

    fn defer(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        self.group_mut(slot).defer(slot, paths)
    }

    fn release(&mut self, opening: Opening, paths: &mut Paths) {
        for stack in self.stacks.iter_mut().take(self.count) {
            stack.release(opening, paths);
        }
    }
}

impl Observe for LargeWarps {
    fn fingerprint(&self, slot: SlotId, hash: &mut dyn Hasher) {
        self.group(slot).fingerprint(slot, hash);
    }

    fn waiting_for(&self, slot: SlotId) -> u64 {
        self.group(slot).waiting_for(slot)
    }

    fn parked(&self) -> Vec<Path> {
        self.groups().flat_map(Observe::parked).collect()
    }

    fn describe(&self, warp: u32, paths: &Paths) -> Vec<SchemeState> {
        self.groups().flat_map(|stack| stack.describe(warp, paths)).collect()
    }

    fn branches(&self) -> Vec<(u32, CompactionCounts)> {
        self.groups().flat_map(Observe::branches).collect()
    }

    fn counts(&self) -> DivergenceCounts {
        let (mut max_stack_depth, mut all) = (0, CompactionCounts::default());
        for counts in self.groups().map(Observe::counts) {
            max_stack_depth = max_stack_depth.max(counts.max_stack_depth);
            counts.compaction.iter().for_each(|counts| all.add(counts));
        }
        DivergenceCounts { max_stack_depth, compaction: Some(all) }
    }
}

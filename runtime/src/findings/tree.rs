//! Sums over a block's threads by a tree, with a barrier at each level.

use super::evidence::Evidence;
use super::finding::{Cost, Found, Place, Rule};
use reconverge_isa::{BranchTaint, Effect, Kernel, Space};
use std::ops::Range;

/// Fires if the levels of a tree take [`SHARE`] of the kernel's issue slots: each has a branch on indices around a load and a
/// store of shared memory, as in `if (t < d) sum[t] += sum[t + d];`, and a barrier. They are in a loop, or three or more.
pub struct Tree;

/// The least share of the issue slots.
pub const SHARE: f64 = 0.1;

/// The advice for a tree.
pub(super) const ADVICE: &str =
    "let `__shfl_down_sync` do the last five levels, which need neither barriers nor shared memory";

impl Rule for Tree {
    fn name(&self) -> &'static str {
        "tree"
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        let pcs = levels(evidence.kernel);
        let cost = Cost::slots(evidence.sum(&pcs, |s| s.issue_slots) as f64, evidence);
        // The first is a branch.
        let (Some(&branch), true) = (pcs.first(), cost.share >= SHARE) else {
            return Vec::new();
        };
        let barriers = evidence.sum(&pcs, |s| s.barriers);
        let message = format!(
            "tree: levels of a tree with a barrier at each, {barriers} arrivals of warps in all; most threads have nothing to do \
             at most levels"
        );
        vec![Found { place: Place::Instruction(branch), message, cost, advice: ADVICE.to_owned() }]
    }
}

/// The instructions of the levels of a tree: a branch on indices around a load and a store of
/// shared memory, and a barrier behind it, in a loop or at least [`UNROLLED`] times. Empty if there is no tree.
pub(super) fn levels(kernel: &Kernel) -> Vec<u32> {
    let code = &kernel.code;
    let effect = |at: usize| code[at].op.row().effect;
    let level = |at: usize| {
        let end = code[at].target as usize;
        let is_choice = effect(at) == Effect::Branch
            && end > at
            && code[at].annotations.taint == BranchTaint::Programmatic;
        let shares = |wanted: Effect| {
            (at..end).any(|it| effect(it) == wanted && code[it].space == Space::Shared)
        };
        let next = (end..code.len()).find(|&it| effect(it) != Effect::Compute)?;
        let is_level = is_choice
            && shares(Effect::Load)
            && shares(Effect::Store)
            && effect(next) == Effect::Barrier;
        is_level.then_some(at..next + 1)
    };
    let levels: Vec<Range<usize>> = (0..code.len()).filter_map(level).collect();
    let repeats = |level: &Range<usize>| {
        (level.end..code.len())
            .any(|at| effect(at) == Effect::Branch && code[at].target as usize <= level.start)
    };
    match levels.len() >= UNROLLED || levels.iter().any(repeats) {
        true => levels.into_iter().flatten().map(|at| at as u32).collect(),
        false => Vec::new(),
    }
}

/// Levels of a tree whose loop is unrolled.
const UNROLLED: usize = 3;

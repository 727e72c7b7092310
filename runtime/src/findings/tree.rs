//! Trees over the threads of a block, with a barrier at each level.

use super::evidence::Evidence;
use super::finding::{Cost, Found, Place, Rule};
use super::lost_slots::{TREE, tree};
use reconverge_isa::Effect;

/// Fires if the levels of a tree take [`SHARE`] of the kernel's issue slots: each has a branch on indices around a load and a
/// store of shared memory, as in `if (t < d) sum[t] += sum[t + d];`, and a barrier. They are in a loop, or three or more.
pub struct Tree;

/// The least share of the issue slots.
pub const SHARE: f64 = 0.1;

impl Rule for Tree {
    fn name(&self) -> &'static str {
        "tree"
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        let pcs = tree(evidence.kernel);
        let cost = Cost::slots(evidence.sum(&pcs, |s| s.issue_slots) as f64, evidence);
        let chooses = |pc: &&u32| {
            evidence
                .instruction(**pc)
                .is_some_and(|it| it.op.row().effect == Effect::Branch && it.target > **pc)
        };
        let (Some(&pc), true) = (pcs.iter().find(chooses), cost.share >= SHARE) else {
            return Vec::new();
        };
        let barriers = evidence.sum(&pcs, |s| s.barriers);
        let message = format!(
            "tree: levels of a tree with a barrier at each, {barriers} arrivals of warps in all; most threads have nothing to do \
             at most levels"
        );
        vec![Found { place: Place::Instruction(pc), message, cost, advice: TREE.to_owned() }]
    }
}

//! Accesses of shared memory whose lanes want different words of one bank.

use super::evidence::{Evidence, access_name};
use super::finding::{Cost, Found, Place, Rule};
use reconverge_compiler::analysis::access::Neighbours;

/// Fires at a source line whose accesses of shared memory of one kind take, beyond the first pass of each, passes that
/// cost [`SHARE`] of the load/store units' cycles: `shared_bank_conflicts` of the instructions, of which the unit does
/// one a cycle.
pub struct BankConflicts;

/// The least share of the load/store units' cycles.
pub const SHARE: f64 = 0.05;

impl Rule for BankConflicts {
    fn name(&self) -> &'static str {
        "bank-conflicts"
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        let groups = evidence.by_line(|_, instruction, statistics| {
            access_name(instruction).filter(|_| statistics.shared_bank_conflicts != 0)
        });
        let found = groups.iter().filter_map(|((.., kind), pcs)| {
            let passes = evidence.sum(pcs, |s| s.shared_passes);
            let conflicts = evidence.sum(pcs, |s| s.shared_bank_conflicts);
            let cost = Cost::load_store(conflicts as f64, 1, evidence);
            if cost.share < SHARE {
                return None;
            }
            let pc = evidence.most(pcs, |s| s.shared_bank_conflicts)?;
            let each = passes as f64 / (passes - conflicts).max(1) as f64;
            let (article, why) = match *kind {
                "atomic" => ("an", "as its lanes change one word, or different words of a bank"),
                _ => ("a", "as its lanes want different words of a bank"),
            };
            let mut message =
                format!("bank conflicts: {article} {kind} takes {each:.1} passes of shared memory, {why}");
            let banks = u64::from(evidence.machine.shared.banks);
            if let Some(Neighbours::Apart(step)) = evidence.neighbours(pc) {
                message += &format!("; neighbouring threads are {step} bytes apart, {banks} banks are {}", 4 * banks);
            }
            let advice = if *kind == "atomic" {
                "let a thread or a warp add up by itself first, or give warps words of their own"
            } else {
                "pad the rows of the array by one word, or let neighbouring threads access neighbouring words"
            };
            let (place, advice) = (Place::Instruction(pc), advice.to_owned());
            Some(Found { place, message, cost, advice })
        });
        found.collect()
    }
}

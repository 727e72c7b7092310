//! Accesses of shared memory whose lanes access different words of one bank.

use super::evidence::{Evidence, access_name};
use super::finding::{Cost, Found, Place, Rule};
use reconverge_compiler::analysis::access::Neighbours;
use reconverge_simulator::Statistics;

/// Fires at a source line whose accesses of shared memory of one kind take, beyond the passes that their words need, passes
/// that cost [`SHARE`] of the load/store units' cycles: `shared_bank_conflicts` of the instructions, of which the unit does
/// one per cycle.
pub struct BankConflicts;

/// The least share of the load/store units' cycles.
pub const SHARE: f64 = 0.05;

impl Rule for BankConflicts {
    fn name(&self) -> &'static str {
        "bank-conflicts"
    }

    fn cause(&self) -> Option<&'static str> {
        Some("banks")
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
            let count = |s: &Statistics| s.load_instructions + s.store_instructions + s.atomic_instructions;
            let per_access = |passes: u64| passes as f64 / evidence.sum(pcs, count).max(1) as f64;
            let (each, needed) = (per_access(passes), per_access(passes - conflicts));
            let (article, why) = match *kind {
                "atomic" => ("an", "as its lanes change one word, or different words of a bank"),
                _ => ("a", "as its lanes want different words of a bank"),
            };
            let in_place_of = match needed >= 1.05 {
                true => format!(" in place of {needed:.1}"),
                false => String::new(),
            };
            let mut message = format!(
                "bank conflicts: {article} {kind} takes {each:.1} passes of shared memory{in_place_of}, {why}"
            );
            let banks = u64::from(evidence.machine.shared.banks);
            if let Some(Neighbours::Apart(step)) = evidence.neighbours(pc) {
                message += &format!("; neighbouring threads are {step} bytes apart, {banks} banks are {}", 4 * banks);
            }
            let is_wide = evidence.instruction(pc).is_some_and(|it| it.width.bytes() > 4);
            let advice = match *kind {
                "atomic" => "let a thread or a warp add up by itself first, or give warps words of their own",
                _ if is_wide => "pad the rows of the array by one element, or let neighbouring threads access neighbouring elements",
                _ => "pad the rows of the array by one word, or let neighbouring threads access neighbouring words",
            };
            let (place, advice) = (Place::Instruction(pc), advice.to_owned());
            Some(Found { place, message, cost, advice })
        });
        found.collect()
    }
}

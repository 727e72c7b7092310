//! Registers that did not fit and are kept in local memory.

use super::evidence::{Evidence, access_name};
use super::finding::{Cost, Found, Place, Rule};
use reconverge_isa::{REGISTERS, Space};

/// Fires at a source line whose loads and stores of spilled registers take [`SHARE`] of the issue slots, issued or lost
/// while they wait: `issue_slots` of these instructions.
///
/// They are the accesses of local memory that the register allocator has added: those that are nothing of the
/// intermediate representation. It is silent where the compiler does not keep track of that: of kernels with two
/// streams or convergence barriers.
pub struct Spills;

/// The least share of the issue slots.
pub const SHARE: f64 = 0.02;

impl Rule for Spills {
    fn name(&self) -> &'static str {
        "spills"
    }

    fn cause(&self) -> Option<&'static str> {
        Some("registers")
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        if !evidence.knows_values() {
            return Vec::new();
        }
        let groups = evidence.by_line(|pc, instruction, _| {
            let is_local = instruction.space == Space::Local && access_name(instruction).is_some();
            (is_local && evidence.value(pc).is_none()).then_some(())
        });
        let found = groups.values().filter_map(|pcs| {
            let cost = Cost::slots(evidence.sum(pcs, |s| s.issue_slots) as f64, evidence);
            if cost.share < SHARE {
                return None;
            }
            let pc = evidence.most(pcs, |s| s.issue_slots)?;
            let loads = evidence.sum(pcs, |s| s.load_instructions);
            let stores = evidence.sum(pcs, |s| s.store_instructions);
            let limit = evidence.register_limit();
            let message = format!(
                "spills: {loads} loads and {stores} stores of values beyond the limit of {limit} registers per thread"
            );
            let fewer = "unroll less (`--unroll`), or keep fewer values alive at a time";
            let advice = match u64::from(limit) < REGISTERS as u64 {
                true => format!("allow more registers (`--max-registers`, at most {REGISTERS}), {fewer}"),
                false => fewer.to_owned(),
            };
            Some(Found { place: Place::Instruction(pc), message, cost, advice })
        });
        found.collect()
    }
}

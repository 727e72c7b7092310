//! Atomics whose lanes change one word.

use super::evidence::Evidence;
use super::finding::{Cost, Found, Place, Rule};
use reconverge_isa::Effect;

/// Fires at a source line whose atomics on global memory have lanes that change one word, if performing them one after the
/// other takes [`SHARE`] of the kernel's time, should they all be of one slice of the L2: `atomic_conflicts` times
/// `l2.atomic-cycles`.
pub struct ContendedAtomics;

/// The least share of the kernel's cycles.
pub const SHARE: f64 = 0.1;

impl Rule for ContendedAtomics {
    fn name(&self) -> &'static str {
        "contended-atomics"
    }

    fn cause(&self) -> Option<&'static str> {
        Some("atomics")
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        let groups = evidence.by_line(|_, instruction, statistics| {
            let is_atomic = instruction.op.row().effect == Effect::Atomic;
            (is_atomic && statistics.atomic_conflicts != 0).then_some(())
        });
        let (machine, cycles) = (evidence.machine, evidence.statistics.cycles.max(1));
        let cycles_each =
            f64::from(machine.l2.atomic_cycles) * machine.clock_mhz / machine.l2.clock_mhz;
        let found = groups.values().filter_map(|pcs| {
            let conflicts = evidence.sum(pcs, |s| s.atomic_conflicts) as f64;
            let share = (conflicts * cycles_each / cycles as f64).min(1.0);
            if share < SHARE {
                return None;
            }
            let cost = Cost { share, of: "the cycles of an L2 slice" };
            let pc = evidence.most(pcs, |s| s.atomic_conflicts)?;
            let operations = evidence.sum(pcs, |s| s.atomic_operations) as f64;
            let message = format!(
                "atomics on one word: {:.1} % of the lanes wait for another lane of their warp, and the L2 performs them one \
                 after the other",
                100.0 * conflicts / operations.max(1.0)
            );
            let advice = "let a warp add up by itself first (`__shfl_down_sync`, `__reduce_add_sync`), or a block in shared \
                          memory, and one thread change the word"
                .to_owned();
            Some(Found { place: Place::Instruction(pc), message, cost, advice })
        });
        found.collect()
    }
}

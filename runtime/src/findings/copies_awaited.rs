//! Lines that wait for asynchronous copies.

use super::evidence::Evidence;
use super::finding::{Cost, Found, Place, Rule};
use super::memory_bound;

/// Fires at a source line to which [`SHARE`] of the kernel's issue slots belong as lost to copies
/// (`slots_copies`: all paths wait, this line's first), while DRAM's data buses are busy for less
/// than [`memory_bound::BUSY`] of the time (`dram_utilization`). Then the latency of copies costs
/// time, not their amount.
pub struct CopiesAwaited;

/// The least share of the issue slots.
const SHARE: f64 = 0.1;

impl Rule for CopiesAwaited {
    fn name(&self) -> &'static str {
        "copies-awaited"
    }

    fn cause(&self) -> Option<&'static str> {
        Some("memory")
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        let statistics = &evidence.statistics;
        let busy = statistics.dram_utilization().unwrap_or(0.0);
        if busy >= memory_bound::BUSY {
            return Vec::new();
        }
        let groups =
            evidence.by_line(|_, _, statistics| (statistics.slots_copies != 0).then_some(()));
        let found = groups.values().filter_map(|pcs| {
            let cost = Cost::slots(evidence.sum(pcs, |s| s.slots_copies) as f64, evidence);
            if cost.share < SHARE {
                return None;
            }
            let pc = evidence.most(pcs, |s| s.slots_copies)?;
            let tensor = match statistics.tensor_utilization() {
                Some(share) if share != 0.0 => {
                    format!("the tensor cores are busy {:.1} %", 100.0 * share)
                }
                _ => format!("DRAM is busy {:.1} %", 100.0 * busy),
            };
            let message = format!(
                "asynchronous copies: every warp waits for them, this line first; {tensor} of the time"
            );
            let advice = "start copies earlier: keep one more stage of tiles, and wait with one more group pending".to_owned();
            Some(Found { place: Place::Instruction(pc), message, cost, advice })
        });
        found.collect()
    }
}

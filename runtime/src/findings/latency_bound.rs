//! Lines that wait for memory although it has bandwidth left.

use super::evidence::Evidence;
use super::finding::{Cost, Found, Place, Rule};
use super::memory_bound;

/// Fires at a source line to which [`SHARE`] of the kernel's issue slots belong as lost to memory
/// (`slots_memory`: all paths wait, this line's first), while DRAM's data buses are busy for less
/// than [`memory_bound::BUSY`] of the time (`dram_utilization`). Then the latency of loads costs
/// time, not their amount.
pub struct LatencyBound;

/// The least share of the issue slots.
pub const SHARE: f64 = 0.1;

impl Rule for LatencyBound {
    fn name(&self) -> &'static str {
        "latency-bound"
    }

    fn cause(&self) -> Option<&'static str> {
        Some("memory")
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        let busy = evidence.statistics.dram_utilization().unwrap_or(0.0);
        if busy >= memory_bound::BUSY {
            return Vec::new();
        }
        let groups =
            evidence.by_line(|_, _, statistics| (statistics.slots_memory != 0).then_some(()));
        let found = groups.iter().filter_map(|((file, line, ()), pcs)| {
            let cost = Cost::slots(evidence.sum(pcs, |s| s.slots_memory) as f64, evidence);
            if cost.share < SHARE {
                return None;
            }
            let pc = evidence.most(pcs, |s| s.slots_memory)?;
            let from = match evidence.awaited(pc) {
                Some(at) if (at.file, at.line) == (*file, *line) => " that it loads".to_owned(),
                Some(at) if at.file == *file && at.line != 0 => format!(" that line {} loads", at.line),
                _ => String::new(),
            };
            let message = format!(
                "latency: every warp waits for memory, this line first, for a value{from}; DRAM is busy {:.1} % of \
                 the time",
                100.0 * busy
            );
            let advice = "have more loads under way: load earlier what is used later, work on several elements a thread, or \
                          let more warps be resident"
                .to_owned();
            Some(Found { place: Place::Instruction(pc), message, cost, advice })
        });
        found.collect()
    }
}

//! Kernels that move as much as DRAM can.

use super::evidence::Evidence;
use super::finding::{Cost, Found, Place, Rule};
use crate::numbers::bytes;

/// Fires if DRAM's data buses are busy for [`BUSY`] of the kernel's time (`dram_utilization`) and [`SHARE`] of the issue
/// slots are lost to memory or to a load/store unit that is full (`slots_memory`, `slots_load_store_full`). The place
/// is the instruction with the most line accesses that miss in the first-level cache or are written through.
pub struct MemoryBound;

/// The least share of the time in which DRAM's data buses are busy.
pub const BUSY: f64 = 0.6;

/// The least share of the issue slots.
pub const SHARE: f64 = 0.1;

impl Rule for MemoryBound {
    fn name(&self) -> &'static str {
        "memory-bound"
    }

    fn cause(&self) -> Option<&'static str> {
        Some("memory")
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        let s = &evidence.statistics;
        let busy = s.dram_utilization().unwrap_or(0.0);
        let cost = Cost::slots((s.slots_memory + s.slots_load_store_full) as f64, evidence);
        if busy < BUSY || cost.share < SHARE {
            return Vec::new();
        }
        let pc = evidence.hottest(|s| s.transactions - s.l1_hits.min(s.transactions));
        let message = format!(
            "memory-bound: at {:.1} % of DRAM's peak, {} read and {} written",
            100.0 * busy,
            bytes(s.dram_read_bytes),
            bytes(s.dram_write_bytes)
        );
        let advice = "move fewer bytes: use again what is loaded (registers, shared memory), use smaller types, or join \
                      kernels that go over the same arrays"
            .to_owned();
        pc.map(|pc| Found { place: Place::Instruction(pc), message, cost, advice })
            .into_iter()
            .collect()
    }
}

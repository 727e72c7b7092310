//! Kernels whose load/store units have no cycle left, though their accesses are in order.

use super::evidence::Evidence;
use super::finding::{Cost, Found, Place, Rule};
use super::memory_bound;
use super::uncoalesced::least_lines;
use crate::numbers::grouped;
use reconverge_simulator::Statistics;

/// Fires under four conditions. The passes of the load/store units take [`BUSY`] of their cycles.
/// [`SHARE`] of the issue slots are lost because the units are full (`slots_load_store_full`).
/// DRAM's data buses do not limit them ([`memory_bound::BUSY`]). At least [`NEEDED`] of the passes
/// would remain if every access were coalesced and free of bank conflicts. A pass is a line access,
/// its replay after a miss, or a pass of shared memory: `transactions`, `l1_replays`,
/// `shared_passes`. The place is the instruction with the most of them.
pub struct LoadStoreBound;

/// The least share of the load/store units' cycles.
pub const BUSY: f64 = 0.6;

/// The least share of the issue slots.
pub const SHARE: f64 = 0.1;

/// The least share of the passes that are needed; with less, other rules explain the excess.
pub const NEEDED: f64 = 0.5;

/// Line accesses and passes of shared memory.
fn accesses(s: &Statistics) -> u64 {
    s.transactions + s.shared_passes
}

impl Rule for LoadStoreBound {
    fn name(&self) -> &'static str {
        "load-store-bound"
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        let s = &evidence.statistics;
        let a_cycle = evidence.machine.load_store.lines_per_cycle;
        let lines = Cost::load_store((s.transactions + s.l1_replays) as f64, a_cycle, evidence);
        let busy = lines.share + Cost::load_store(s.shared_passes as f64, 1, evidence).share;
        let cost = Cost::slots(s.slots_load_store_full as f64, evidence);
        let waits_for_dram = s.dram_utilization().unwrap_or(0.0) >= memory_bound::BUSY;
        if busy < BUSY || cost.share < SHARE || waits_for_dram {
            return Vec::new();
        }
        let all: Vec<u32> = evidence.instructions.keys().copied().collect();
        // Accesses of shared memory have no lines.
        let has_lines = |pc: &&u32| evidence.sum(&[**pc], |s| s.memory_accesses) != 0;
        let needed = all.iter().filter(has_lines).map(|&pc| least_lines(evidence, pc));
        let passes = s.shared_passes.saturating_sub(s.shared_bank_conflicts);
        let least = needed.sum::<f64>() + passes as f64;
        if least < NEEDED * accesses(s) as f64 {
            return Vec::new();
        }
        let with = [
            (s.transactions, "line accesses"),
            (s.l1_replays, "replays after a miss"),
            (s.shared_passes, "passes of shared memory"),
        ];
        let with = with.iter().filter(|(count, _)| *count != 0);
        let with: Vec<_> =
            with.map(|(count, what)| format!("{} {what}", grouped(*count))).collect();
        let message = format!(
            "load/store bound: the load/store units are busy {:.1} % of the time, with {}; DRAM is busy {:.1} % of it",
            100.0 * busy,
            with.join(" and "),
            100.0 * s.dram_utilization().unwrap_or(0.0),
        );
        let place = evidence.hottest(accesses);
        let width = place.and_then(|pc| evidence.instruction(pc)).map_or(4, |it| it.width.bytes());
        let wider = match width {
            16.. => "",
            8.. => ", or access 16 bytes at once (`float4`)",
            _ => ", or access 8 or 16 bytes at once (`float2`, `float4`)",
        };
        let advice = format!(
            "execute fewer loads and stores: keep what is used again in registers or in shared memory, \
             let a thread compute several results from what it loads{wider}"
        );
        let place = place.map(Place::Instruction);
        place.map(|place| Found { place, message, cost, advice }).into_iter().collect()
    }
}

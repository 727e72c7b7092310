//! Kernels of which an SM holds few warps.

use super::evidence::Evidence;
use super::finding::{Cost, Found, Place, Rule};
use crate::fit::Fit;
use crate::kernel_record::KernelRecord;
use reconverge_isa::wording::counted;
use reconverge_simulator::run::occupancy::Resource;

/// Fires if an SM has room for less than [`WARPS`] of its warps, the grid has more blocks than
/// that, and [`SHARE`] of the issue slots are lost while other warps could issue. In these slots
/// every path waits for a result, memory, control or a barrier: `slots_arithmetic`, `slots_memory`,
/// `slots_control` and `slots_barrier`.
pub struct LowOccupancy;

/// Less than this share of an SM's warps.
pub const WARPS: f64 = 0.5;

/// The least share of the issue slots.
pub const SHARE: f64 = 0.2;

impl Rule for LowOccupancy {
    fn name(&self) -> &'static str {
        "low-occupancy"
    }

    fn cause(&self) -> Option<&'static str> {
        Some("registers")
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        let sms = u64::from(evidence.machine.sms);
        let limited = evidence.launches.iter().filter_map(|record| {
            let fit = Fit::of_launch(evidence.machine, evidence.kernel, record);
            let is_full = Fit::blocks_of(record) > fit.blocks * sms;
            (is_full && fit.share() < WARPS).then_some((record, fit))
        });
        let limited: Vec<_> = limited.collect();
        let waiting = |record: &&&KernelRecord| {
            record.statistics.as_ref().map_or(0, |s| {
                s.slots_arithmetic + s.slots_memory + s.slots_control + s.slots_barrier
            })
        };
        let lost: u64 = limited.iter().map(|(record, _)| waiting(record)).sum();
        let cost = Cost::slots(lost as f64, evidence);
        let worst = limited.iter().rev().max_by_key(|(record, _)| waiting(record));
        let (Some((record, fit)), true) = (worst, cost.share >= SHARE) else {
            return Vec::new();
        };
        let message = format!(
            "low occupancy: {} of {} warps fit on an SM, limited by {}, and all that are there wait",
            fit.warps,
            fit.capacity,
            fit.reasons(" and ")
        );
        let advice = advice(evidence, record, fit);
        vec![Found { place: Place::Launch(record.span), message, cost, advice }]
    }
}

fn advice(evidence: &Evidence, record: &KernelRecord, fit: &Fit) -> String {
    let more = fit.blocks + 1;
    let blocks = counted(more, "block");
    match fit.limit() {
        Some(Resource::Registers) => {
            match Fit::registers_for(evidence.machine, evidence.kernel, record, more) {
                Some(registers) => format!(
                    "use fewer registers: {registers} per thread instead of {} leave room for {blocks} \
                 (`--max-registers {registers}`, `__launch_bounds__`)",
                    evidence.kernel.registers
                ),
                None => "use fewer registers per thread, or smaller blocks".to_owned(),
            }
        }
        Some(Resource::Shared) => format!(
            "use less shared memory: {} bytes per block instead of {} leave room for {blocks}",
            u64::from(evidence.machine.sm.shared_memory) / more,
            record.statistics.as_ref().map_or(0, |statistics| statistics.shared_bytes)
        ),
        Some(Resource::Blocks) => {
            let threads = Fit::threads_of(record);
            format!(
                "use larger blocks: an SM holds {} blocks, however small; these have {threads} threads",
                fit.blocks
            )
        }
        _ => "use smaller blocks, of which a whole number fills an SM".to_owned(),
    }
}

//! Grids that do not fill the machine.

use super::evidence::Evidence;
use super::finding::{Cost, Found, Place, Rule};
use crate::fit::Fit;
use crate::kernel_record::KernelRecord;
use reconverge_isa::wording::{counted, verb};

/// Fires if launches whose grids have fewer blocks than fit on all SMs at once leave [`SHARE`] of the kernel's issue
/// slots without any live path: `slots_idle` of those launches.
pub struct FewBlocks;

/// The least share of the issue slots.
pub const SHARE: f64 = 0.1;

impl Rule for FewBlocks {
    fn name(&self) -> &'static str {
        "few-blocks"
    }

    fn cause(&self) -> Option<&'static str> {
        Some("grid")
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        let sms = u64::from(evidence.machine.sms);
        let small = evidence.launches.iter().filter_map(|record| {
            let (blocks, fit) =
                (Fit::blocks_of(record), Fit::of_launch(evidence.machine, evidence.kernel, record));
            (blocks < fit.blocks * sms).then_some((record, blocks, fit))
        });
        let small: Vec<_> = small.collect();
        let idle = |record: &&&KernelRecord| {
            record.statistics.as_ref().map_or(0, |statistics| statistics.slots_idle)
        };
        let lost: u64 = small.iter().map(|(record, ..)| idle(record)).sum();
        let cost = Cost::slots(lost as f64, evidence);
        // The first of the launches that lose equally much.
        let worst = small.iter().rev().max_by_key(|(record, ..)| idle(record));
        let (Some(&(record, blocks, fit)), true) = (worst, cost.share >= SHARE) else {
            return Vec::new();
        };
        let threads = Fit::threads_of(record);
        let without = match sms.saturating_sub(blocks) {
            0 => String::new(),
            1 => "; one SM has none".to_owned(),
            without => format!("; {without} SMs have none"),
        };
        let message = format!(
            "too few blocks: {} of {} for {}, on which {} {}{without}",
            counted(blocks, "block"),
            counted(threads, "thread"),
            counted(sms, "SM"),
            fit.blocks * sms,
            verb(fit.blocks * sms, "fits", "fit")
        );
        let advice = match small.len() {
            1 => "launch more blocks: smaller ones, or less work per thread".to_owned(),
            all => format!(
                "launch more blocks: smaller ones, or less work per thread; {all} launches are like that, so perhaps do \
                 in one launch what several do"
            ),
        };
        vec![Found { place: Place::Launch(record.span), message, cost, advice }]
    }
}

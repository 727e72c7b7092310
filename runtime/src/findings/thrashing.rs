//! Working sets that do not fit the first-level cache.

use super::evidence::Evidence;
use super::finding::{Cost, Found, Place, Rule};
use crate::fit::Fit;
use crate::kernel_record::KernelRecord;
use crate::numbers::bytes;

/// Fires if the L1s fetch lines again for certain: each SM would have to fetch more than all memory that is allocated. At
/// least that share of the fetches, times the issue slots lost to memory and to a full load/store unit (`slots_memory`,
/// `slots_load_store_full`, `slots_scoreboard`), must be [`SHARE`].
pub struct Thrashing;

/// The least share of the issue slots.
pub const SHARE: f64 = 0.1;

impl Rule for Thrashing {
    fn name(&self) -> &'static str {
        "thrashing"
    }

    fn cause(&self) -> Option<&'static str> {
        Some("l1")
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        // Local memory is not part of what is allocated.
        if evidence.machine.l1.size == 0 || evidence.kernel.local_bytes != 0 {
            return Vec::new();
        }
        let launches = evidence.launches.iter();
        let fetched = launches.filter_map(|record| Some((record, again(evidence, record)?)));
        let Some((record, again)) = fetched.max_by_key(|(_, again)| again.bytes()) else {
            return Vec::new();
        };
        let s = &evidence.statistics;
        let lost = s.slots_memory + s.slots_load_store_full + s.slots_scoreboard;
        let cost = Cost::slots(again.share * lost as f64, evidence);
        if cost.share < SHARE {
            return Vec::new();
        }
        let message = format!(
            "thrashing: the L1 of an SM fetches {} on average, but only {} are allocated: at least {:.0} % of its fetches are \
             repeats",
            bytes(again.fetched),
            bytes(record.allocated),
            100.0 * again.share
        );
        let advice = format!(
            "let a block finish one part of its data before the next, in the {} that the L1 has for an SM's blocks, or keep \
             the part in shared memory",
            bytes(u64::from(evidence.machine.l1.size))
        );
        let place = evidence.hottest(|s| s.l1_misses).map(Place::Instruction);
        place.map(|place| Found { place, message, cost, advice }).into_iter().collect()
    }
}

/// Bytes that L1s fetch in a launch, as far as they cannot all be new.
struct Again {
    /// By an SM on average.
    fetched: u64,
    /// The share of them that was fetched before, at least.
    share: f64,
}

impl Again {
    fn bytes(&self) -> u64 {
        (self.fetched as f64 * self.share) as u64
    }
}

fn again(evidence: &Evidence, record: &KernelRecord) -> Option<Again> {
    let s = record.statistics.as_ref()?;
    let sms = u64::from(evidence.machine.sms).min(Fit::blocks_of(record)).max(1);
    let misses = s.l1_misses.saturating_sub(s.l1_merges);
    let fetched = misses * u64::from(evidence.machine.l1.sector) / sms;
    let share = 1.0 - record.allocated as f64 / fetched.max(1) as f64;
    (share > 0.0).then_some(Again { fetched, share })
}

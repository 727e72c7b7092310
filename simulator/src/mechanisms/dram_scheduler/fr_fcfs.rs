//! `fr-fcfs`: first-ready, first-come first-served.
//!
//! Source: Rixner et al., "Memory access scheduling", ISCA 2000; Aamodt, Fung, Rogers, §4.3.3.
//! Requests whose row is open go first, then the oldest. A request that has waited for
//! `dram.age-limit` cycles is not overtaken any more, which the source leaves open: without a
//! limit, one row could be served forever.

use super::slot::{BankQueue, Build, Choice, DramScheduler};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "fr-fcfs",
    sentence: "serves requests of open rows first, then the oldest, up to an age limit",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table, dram| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(FrFcfs { age_limit: u64::from(dram.age_limit) }))
    },
};

struct FrFcfs {
    /// Command cycles.
    age_limit: u64,
}

/// Ranks before others one that is not to be overtaken any more, then one that moves data, then the older one.
fn rank(waits: bool, opens: bool, order: u64) -> u64 {
    u64::from(waits) << 63 | u64::from(opens) << 62 | order
}

impl DramScheduler for FrFcfs {
    fn choose(&self, queue: &BankQueue) -> Choice {
        let oldest = &queue.requests[0];
        let place = queue.hit.unwrap_or(0);
        let request = &queue.requests[place];
        let (opens, order) = (queue.hit.is_none(), request.order);
        Choice {
            request: place,
            rank: rank(true, opens, order),
            urgent: request.arrival + self.age_limit,
            urgent_rank: rank(false, opens, order),
            limit: if place == 0 { u64::MAX } else { oldest.arrival + self.age_limit },
            limit_request: 0,
            limit_rank: rank(false, true, oldest.order),
        }
    }
}

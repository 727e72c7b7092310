//! `frfp-fcfs`: first-ready, among these first those with priority, then first-come first-served.
//!
//! Source: Rhu's dissertation, §6.1 (Figure 6.1), which names the policy "FRFP-FCFS (among the FR, first-prioritized)".
//! Requests whose row is open go first; among those, and among the others, those of warps with a token (slot
//! `allocation`), then the oldest. `dram.age-limit` holds as under `fr-fcfs`. Without tokens it is `fr-fcfs`.

use super::priority::{First, Priority};
use super::slot::Build;
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "frfp-fcfs",
    sentence: "serves requests of open rows first, among them those of warps with a token, then the oldest",
    options: &[],
    trials: &[&[("allocation", "priority-allocation")]],
    statistics: &[],
    build: &|table, dram| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(Priority::new(First::OpenRow, dram)))
    },
};

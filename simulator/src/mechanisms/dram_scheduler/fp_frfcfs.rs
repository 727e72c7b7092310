//! `fp-frfcfs`: first those with priority; among them first-ready, then first-come first-served.
//!
//! Source: Rhu's dissertation, §6.1 (Figure 6.1(d)), which names the policy "FP-FRFCFS (among the
//! FP, FR)". Requests of warps with a token (slot `allocation`) go first, even if that closes a row
//! that others need; among those, and among the others, requests whose row is open, then the
//! oldest. `dram.age-limit` holds as under `fr-fcfs`. Without tokens it is `fr-fcfs`.

use super::priority::{First, Priority};
use super::slot::Build;
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "fp-frfcfs",
    sentence: "serves requests of warps with a token first, among them those of open rows, then the oldest",
    options: &[],
    trials: &[&[("allocation", "priority-allocation")]],
    statistics: &[],
    build: &|table, dram| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(Priority::new(First::Token, dram)))
    },
};

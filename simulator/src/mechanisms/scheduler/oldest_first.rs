//! `oldest-first`: the oldest ready candidate.
//!
//! Source: Rhu, Tables 3.1 and 5.3. Age is the arrival of the block, then the warp's number.

use super::slot::{Build, CandidateSet, Scheduler, View, oldest};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "oldest-first",
    sentence: "the oldest ready path",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(OldestFirst))
    },
};

struct OldestFirst;

impl Scheduler for OldestFirst {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        oldest(ready, view.ages)
    }

    fn looks_ahead(&self) -> bool {
        false
    }
}

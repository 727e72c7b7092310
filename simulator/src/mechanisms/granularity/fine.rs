//! `fine`: a miss fetches the requested sectors that are missing, and nothing else of the line.
//!
//! Source: Rhu's dissertation, §5.2, fine-grained accesses; Aamodt, Fung, Rogers, §4.1.1, for the sectored
//! first-level cache.

use super::slot::{Build, Granularity, SectorMiss};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "fine",
    sentence: "fetches the sectors of a line that are requested and missing",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table, _| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(Fine))
    },
};

pub(super) struct Fine;

impl Granularity for Fine {
    fn learns(&self) -> bool {
        false
    }

    fn fetch(&mut self, miss: &SectorMiss) -> u8 {
        miss.missing
    }
}

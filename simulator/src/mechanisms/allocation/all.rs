//! `all`: every fetched line takes a way, and may evict any other.
//!
//! Source: textbook; Aamodt, Fung, Rogers, §4.1 and §4.2, take it for granted.

use super::slot::{Allocation, Build, LineAccess, Properties};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};
use crate::mechanisms::replacement::Ways;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "all",
    sentence: "allocates every line, in any way of its set",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table, _| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(All))
    },
};

pub(super) struct All;

impl Allocation for All {
    fn properties(&self) -> Properties {
        Properties { is_open: true, ..Properties::default() }
    }

    fn allocates(&mut self, _: &LineAccess, _: bool) -> bool {
        true
    }

    fn victims(&self, _: &LineAccess, ways: Ways) -> Ways {
        ways
    }
}

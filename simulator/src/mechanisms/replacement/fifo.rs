//! `fifo`: the line that has been in the cache for the longest time, used or not.
//!
//! Source: textbook. Exact: every line has its time of arrival.

use super::slot::{Build, Replacement};
use super::ways::Ways;
use crate::mechanisms::allocation::access::LineAccess;
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "fifo",
    sentence: "evicts the line that was filled first",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table, sets, ways| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(Fifo { ways, first: FIRST, last: FIRST, arrived: vec![FIRST; sets * ways] }))
    },
};

/// The time before any arrival.
const FIRST: u64 = 1 << 63;

struct Fifo {
    ways: usize,
    /// The earliest and the latest arrival time of a line.
    first: u64,
    last: u64,
    arrived: Vec<u64>,
}

impl Replacement for Fifo {
    fn touch(&mut self, _: &LineAccess, _: usize) {}

    fn place(&mut self, access: &LineAccess, way: usize) {
        self.last += 1;
        self.arrived[access.set * self.ways + way] = self.last;
    }

    fn place_last(&mut self, access: &LineAccess, way: usize) {
        self.first -= 1;
        self.arrived[access.set * self.ways + way] = self.first;
    }

    fn victim(&self, access: &LineAccess, offered: &Ways) -> usize {
        let first = access.set * self.ways;
        offered.iter().min_by_key(|way| self.arrived[first + way]).unwrap_or(0)
    }
}

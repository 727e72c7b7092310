//! `tree-pseudo-lru`: a tree of bits, each of which points to the half that was used longer ago.
//!
//! Source: textbook (for the first-level caches of the affine vector cache's machine it is 6-way,
//! Table 2). The text leaves open numbers of ways that are no power of two; here every node halves
//! its ways, the first half having one more if they are odd: 6 = 3 + 3, 3 = 2 + 1. A way whose half
//! is smaller is evicted more often. A half none of whose ways is offered is not chosen.

use super::slot::{Build, Replacement};
use super::ways::Ways;
use crate::mechanisms::allocation::access::LineAccess;
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "tree-pseudo-lru",
    sentence: "approximates LRU with one bit per node of a binary tree over the ways",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table, sets, ways| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(Tree { ways, upper: vec![false; sets * ways] }))
    },
};

struct Tree {
    ways: usize,
    /// By set: a bit for each way that starts an upper half, true if the node points to that half.
    upper: Vec<bool>,
}

/// The start of the upper half of some ways.
fn middle(low: usize, high: usize) -> usize {
    low + (high - low).div_ceil(2)
}

impl Tree {
    /// Lets the nodes above a way point to it, or away from it.
    fn point(&mut self, set: usize, way: usize, to: bool) {
        let (mut low, mut high) = (0, self.ways);
        while high - low > 1 {
            let middle = middle(low, high);
            let is_lower = way < middle;
            self.upper[set * self.ways + middle] = is_lower != to;
            if is_lower {
                high = middle;
            } else {
                low = middle;
            }
        }
    }
}

impl Replacement for Tree {
    fn touch(&mut self, access: &LineAccess, way: usize) {
        self.point(access.set, way, false);
    }

    fn place(&mut self, access: &LineAccess, way: usize) {
        self.touch(access, way);
    }

    fn place_last(&mut self, access: &LineAccess, way: usize) {
        self.point(access.set, way, true);
    }

    fn victim(&self, access: &LineAccess, offered: &Ways) -> usize {
        let (mut low, mut high) = (0, self.ways);
        while high - low > 1 {
            let middle = middle(low, high);
            let points_up = self.upper[access.set * self.ways + middle];
            let pointed = if points_up { middle..high } else { low..middle };
            let may = pointed.into_iter().any(|way| offered.contains(way));
            let goes_up = if may { points_up } else { !points_up };
            if goes_up {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}

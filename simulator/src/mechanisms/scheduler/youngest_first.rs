//! `youngest-first`: the youngest ready candidate.
//!
//! The mirror of `oldest-first`, as a bound: the warps of the block that arrived last issue first.
//! So warps of older blocks, and the first ones of a block, wait longest. Age is the arrival of the
//! block, then the warp's number.

use super::slot::{Build, CandidateSet, Scheduler, View, youngest};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "youngest-first",
    sentence: "the youngest ready path",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(YoungestFirst))
    },
};

struct YoungestFirst;

impl Scheduler for YoungestFirst {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        youngest(ready, view.ages)
    }

    fn looks_ahead(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_arrival() {
        let ages = [1 << 16, 2 << 16 | 1, 2 << 16];
        assert_eq!(YoungestFirst.pick(0b111, &View::of(&ages, 0)), Some(1));
        assert_eq!(YoungestFirst.pick(0b101, &View::of(&ages, 0)), Some(2));
        assert_eq!(YoungestFirst.pick(0, &View::of(&ages, 0)), None);
    }
}

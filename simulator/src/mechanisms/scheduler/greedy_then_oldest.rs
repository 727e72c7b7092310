//! `greedy-then-oldest`: the same candidate until it stalls, then the oldest ready one.
//!
//! Source: Rogers, O'Connor, Aamodt, "Cache-Conscious Wavefront Scheduling", §4; Aamodt, Fung,
//! Rogers, §5.1.1. Age is the arrival of the block, then the warp's number, as in GPGPU-Sim's `gto`.

use super::slot::{Build, CandidateSet, Event, EventSet, Scheduler, View, last_or_oldest};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "greedy-then-oldest",
    sentence: "the path that issued last until it stalls, then the oldest ready one",
    options: &[],
    trials: &[&[("sm.pairing", "other-warp")]],
    statistics: &[],
    build: &|table| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(GreedyThenOldest { last: 0 }))
    },
};

struct GreedyThenOldest {
    last: usize,
}

impl Scheduler for GreedyThenOldest {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        last_or_oldest(ready, self.last, view.ages)
    }

    fn looks_ahead(&self) -> bool {
        false
    }

    fn events(&self) -> EventSet {
        EventSet::ISSUED
    }

    fn on_event(&mut self, event: &Event) {
        if let Event::Issued { candidate, .. } = *event {
            self.last = candidate;
        }
    }
}

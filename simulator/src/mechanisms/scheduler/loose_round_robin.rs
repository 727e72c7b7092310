//! `loose-round-robin`: the next ready candidate after the one that issued last.
//!
//! Source: Aamodt, Fung, Rogers, §5.1.1; "loose" because a candidate that is not ready loses its
//! turn. Same as GPGPU-Sim's `lrr`.

use super::slot::{Build, CandidateSet, Event, EventSet, MAX_CANDIDATES, Scheduler, View};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "loose-round-robin",
    sentence: "the next ready path after the one that issued last",
    options: &[],
    trials: &[&[("sm.pairing", "next-instruction")]],
    statistics: &[],
    build: &|table| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(LooseRoundRobin { next: 0 }))
    },
};

struct LooseRoundRobin {
    next: u32,
}

impl Scheduler for LooseRoundRobin {
    fn pick(&mut self, ready: CandidateSet, _view: &View) -> Option<usize> {
        let rotated = ready.rotate_right(self.next);
        let next = (rotated.trailing_zeros() as usize + self.next as usize) % MAX_CANDIDATES;
        (ready != 0).then_some(next)
    }

    fn looks_ahead(&self) -> bool {
        false
    }

    fn events(&self) -> EventSet {
        EventSet::ISSUED
    }

    fn on_event(&mut self, event: &Event) {
        if let Event::Issued { candidate, .. } = *event {
            self.next = ((candidate + 1) % MAX_CANDIDATES) as u32;
        }
    }
}

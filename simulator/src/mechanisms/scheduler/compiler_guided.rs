//! `compiler-guided`: the same candidate until it stalls, then the youngest ready one.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §5.1.2 (CGGTY). The compiler guides it by stall counts and `!yield`,
//! which end a turn. Ours differs: after a miss in the constant cache it does not wait four cycles
//! before it changes to another warp. Age is the arrival of the block, then the warp's
//! number.

use super::slot::{Build, CandidateSet, Event, EventSet, Scheduler, View, has, youngest};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "compiler-guided",
    sentence: "the path that issued last until it stalls, then the youngest ready one",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(CompilerGuided { last: 0 }))
    },
};

struct CompilerGuided {
    last: usize,
}

impl Scheduler for CompilerGuided {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        match has(ready, self.last) {
            true => Some(self.last),
            false => youngest(ready, view.ages),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greedy_then_youngest() {
        let ages = [1 << 16, 2 << 16 | 1, 2 << 16];
        let mut scheduler = CompilerGuided { last: 2 };
        assert_eq!(scheduler.pick(0b111, &View::of(&ages, 0)), Some(2));
        assert_eq!(scheduler.pick(0b011, &View::of(&ages, 0)), Some(1));
        scheduler.on_event(&Event::issued(0));
        assert_eq!(scheduler.pick(0b111, &View::of(&ages, 0)), Some(0));
        assert_eq!(scheduler.pick(0, &View::of(&ages, 0)), None);
    }
}

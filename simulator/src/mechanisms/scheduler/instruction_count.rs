//! `instruction-count`: the ready path with the fewest instructions between issue and execution (ICOUNT).
//!
//! Source: Aamodt, Fung, Rogers, §5.1.2 (after Tullsen et al.; Lakshminarayana and Kim for GPUs): the thread that progresses fastest
//! goes first. Tullsen et al. measure that by the instructions of a thread that are in the pipeline before execution: the fewer
//! of them, the faster it progresses. Here those are the instructions that collect operands or wait for their pipe. Among equal
//! ones the oldest is first.

use super::slot::{Build, CandidateSet, Event, EventSet, Scheduler, View, first_by};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "instruction-count",
    sentence: "the ready path with the fewest instructions that have issued and not begun to execute (ICOUNT)",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(InstructionCount::default()))
    },
};

#[derive(Default)]
struct InstructionCount {
    /// By candidate.
    collecting: Vec<u32>,
}

impl InstructionCount {
    fn count(&self, candidate: usize) -> u32 {
        self.collecting.get(candidate).copied().unwrap_or(0)
    }
}

impl Scheduler for InstructionCount {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        first_by(ready, |candidate| (self.count(candidate), view.ages[candidate]))
    }

    fn events(&self) -> EventSet {
        EventSet::COLLECTED.and(EventSet::EXECUTING)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::Collected { candidate } => {
                if self.collecting.len() <= candidate {
                    self.collecting.resize(candidate + 1, 0);
                }
                self.collecting[candidate] += 1;
            }
            Event::Executing { candidate } => self.collecting[candidate] -= 1,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_first() {
        let ages = [7, 8];
        let mut scheduler = InstructionCount::default();
        assert_eq!(scheduler.pick(0b11, &View::of(&ages, 0)), Some(0));
        scheduler.on_event(&Event::Collected { candidate: 0 });
        assert_eq!(scheduler.pick(0b11, &View::of(&ages, 0)), Some(1));
        scheduler.on_event(&Event::Collected { candidate: 1 });
        assert_eq!(scheduler.pick(0b11, &View::of(&ages, 0)), Some(0), "the oldest");
        scheduler.on_event(&Event::Executing { candidate: 1 });
        assert_eq!(scheduler.pick(0b11, &View::of(&ages, 0)), Some(1));
        assert_eq!(scheduler.pick(0b01, &View::of(&ages, 0)), Some(0));
    }
}

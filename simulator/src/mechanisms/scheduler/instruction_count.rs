//! `instruction-count`: the ready path with the fewest instructions between issue and execution (ICOUNT).
//!
//! Source: Aamodt, Fung, Rogers, §5.1.2 (after Tullsen et al.; Lakshminarayana and Kim for GPUs): the thread that progresses fastest
//! goes first. Tullsen et al. measure that by the instructions of a thread that are in the pipeline before execution: the fewer
//! of them, the faster it progresses. Here those are the instructions that collect operands or wait for their pipe. Among equal
//! ones the oldest is first.

use super::slot::{Build, CandidateSet, Scheduler, Wanted, first_by};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "instruction-count",
    sentence: "the ready path with the fewest instructions that have issued and not begun to execute (ICOUNT)",
    options: &[],
    trials: &[],
    build: |table| {
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
    fn pick(&mut self, ready: CandidateSet, ages: &[u64], _now: u64) -> Option<usize> {
        first_by(ready, |candidate| (self.count(candidate), ages[candidate]))
    }

    fn issued(&mut self, _candidate: usize) {}

    fn wants(&self) -> Wanted {
        Wanted { pipeline: true, ..Wanted::default() }
    }

    fn collects(&mut self, candidate: usize) {
        if self.collecting.len() <= candidate {
            self.collecting.resize(candidate + 1, 0);
        }
        self.collecting[candidate] += 1;
    }

    fn executes(&mut self, candidate: usize) {
        self.collecting[candidate] -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_first() {
        let ages = [7, 8];
        let mut scheduler = InstructionCount::default();
        assert_eq!(scheduler.pick(0b11, &ages, 0), Some(0));
        scheduler.collects(0);
        assert_eq!(scheduler.pick(0b11, &ages, 0), Some(1));
        scheduler.collects(1);
        assert_eq!(scheduler.pick(0b11, &ages, 0), Some(0), "the oldest");
        scheduler.executes(1);
        assert_eq!(scheduler.pick(0b11, &ages, 0), Some(1));
        assert_eq!(scheduler.pick(0b01, &ages, 0), Some(0));
    }
}

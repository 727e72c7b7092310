//! `barrier-aware`: a path of the block most of whose warps wait at a barrier, so that the last ones arrive sooner.
//!
//! Source: Liu, Yu, Eeckhout, Reddi, Luo, Wang, Wang, Xu, "Barrier-aware warp scheduling for throughput processors",
//! ICS 2016: most waiting first. The waiting warps are counted over all schedulers of an SM, as there. Ours: among blocks
//! with as many, and among warps of a block, the oldest goes first. The paper's second rule, for caches, is left out.

use reconverge::extend::scheduler::{Build, Scheduler, View, first_by, members};
use reconverge::extend::{
    CandidateSet, Declaration, Event, EventSet, LeaveReason, Mechanism, MechanismStatistics,
};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

const FIRST: Declaration = Declaration::sum(
    "barrier_aware_first",
    "issues",
    "Choices of a path whose block has warps at a barrier.",
);

pub(crate) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "barrier-aware",
    sentence: "a path of the block that has the most warps at a barrier",
    options: &[],
    trials: &[],
    statistics: &[FIRST],
    build: &|_| Ok(Box::new(BarrierAware::default())),
};

/// Warps at a barrier, by the arrival of their block.
type Waiting = Arc<Mutex<BTreeMap<u64, usize>>>;

#[derive(Default)]
struct BarrierAware {
    /// All schedulers of an SM share them.
    waiting: Waiting,
    /// By candidate: the arrival of the block whose barrier it waits at.
    at_barrier: Vec<Option<u64>>,
    ages: Vec<u64>,
    first: u64,
}

impl BarrierAware {
    /// The barrier of a block is passed: its candidates here no longer wait.
    fn pass(&mut self, block: u64) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for at in self.at_barrier.iter_mut().filter(|at| **at == Some(block)) {
            *at = None;
            if let Some(count) = waiting.get_mut(&block) {
                *count -= 1;
            }
        }
        waiting.retain(|_, count| *count > 0);
    }
}

impl Scheduler for BarrierAware {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        self.at_barrier.resize(view.ages.len(), None);
        self.ages.clear();
        self.ages.extend(view.ages);
        for candidate in members(ready) {
            if let Some(block) = self.at_barrier[candidate] {
                self.pass(block);
            }
        }
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let others =
            |candidate: usize| waiting.get(&(view.ages[candidate] >> 16)).copied().unwrap_or(0);
        let picked =
            first_by(ready, |candidate| (Reverse(others(candidate)), view.ages[candidate]));
        self.first += u64::from(picked.is_some_and(|candidate| others(candidate) > 0));
        picked
    }

    fn looks_ahead(&self) -> bool {
        false
    }

    fn sibling(&self) -> Option<Box<dyn Scheduler>> {
        Some(Box::new(BarrierAware { waiting: self.waiting.clone(), ..BarrierAware::default() }))
    }

    fn events(&self) -> EventSet {
        EventSet::LEFT
    }

    fn on_event(&mut self, event: &Event) {
        let Event::Left { candidate, reason: LeaveReason::Barrier } = *event else { return };
        let (Some(&age), Some(at)) = (self.ages.get(candidate), self.at_barrier.get_mut(candidate))
        else {
            return;
        };
        if at.replace(age >> 16).is_none() {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            *waiting.entry(age >> 16).or_default() += 1;
        }
    }

    fn count(&self, own: &mut MechanismStatistics, _cycle: u64) {
        own.add(&FIRST, self.first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_that_waits_goes_first() {
        // Candidates 0 and 1 are warps of an older block, 2 and 3 of a younger one.
        let ages = [1 << 16, (1 << 16) + 1, 2 << 16, (2 << 16) + 1];
        let mut scheduler = BarrierAware::default();
        assert_eq!(scheduler.pick(0b1111, &View::of(&ages, 0)), Some(0));
        scheduler.on_event(&Event::Left { candidate: 3, reason: LeaveReason::Barrier });
        assert_eq!(scheduler.pick(0b0111, &View::of(&ages, 1)), Some(2));
        // The barrier is passed.
        assert_eq!(scheduler.pick(0b1111, &View::of(&ages, 2)), Some(0));
    }
}

//! `mascar`: while memory is saturated, one warp owns the load/store unit.
//!
//! Source: Aamodt, Fung, Rogers, §5.1.2, after Sethia, Jamshidi, Mahlke, "Mascar: speeding up GPU
//! warps by reducing memory pitstops", HPCA 2015. *Equal priority*: paths whose next instruction
//! accesses memory go first. *Memory access priority*, once MSHRs are almost full: the others go
//! first, and of those that access memory only the owner may issue, until it waits for memory.
//! Within both kinds it is greedy, then oldest. *Re-execution*: a memory instruction that cannot
//! continue in the load/store unit waits in the replay queue, so that later ones can hit; see
//! [`Scheduler::replay_queue`].
//!
//! The text leaves open the threshold of "almost full" (`full`), the size of the replay queue
//! (`reexecution`), and the treatment of several schedulers: each has an owner of its own. The
//! queue of misses is not counted: its room is what MSHRs wait for here.

use super::slot::{Build, CandidateSet, Event, EventSet, Scheduler, View, last_or_oldest, oldest};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "mascar",
    sentence: "while memory is saturated one warp owns the load/store unit, and others compute",
    options: &[
        (
            "full",
            "percent of the first level's MSHRs from which on memory is saturated, 1 to 100; default 90",
        ),
        (
            "reexecution",
            "memory instructions that wait beside the load/store unit, 0 to 1024; default 32",
        ),
    ],
    trials: &[
        &[("mascar.full", "1")],
        &[("mascar.full", "1"), ("mascar.reexecution", "1"), ("l1.mshrs", "1")],
        &[("mascar.full", "50"), ("mascar.reexecution", "0"), ("l1.mshrs", "4")],
    ],
    statistics: &[],
    build: &|table| {
        let options: Options = options(table)?;
        for (key, value, least, most) in
            [("full", options.full, 1, 100), ("reexecution", options.reexecution, 0, 1024)]
        {
            check_range(key, value, least..=most)?;
        }
        Ok(Box::new(Mascar { options, last: 0, accesses: 0, is_saturated: false, owner: None }))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    full: u32,
    reexecution: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { full: 90, reexecution: 32 }
    }
}

struct Mascar {
    options: Options,
    last: usize,
    /// Candidates whose next instruction accesses memory.
    accesses: CandidateSet,
    is_saturated: bool,
    /// The candidate that may access memory while it is saturated, if there is one.
    owner: Option<usize>,
}

impl Mascar {
    /// The candidate that issued last if it is ready, otherwise the oldest.
    fn greedy(&self, ready: CandidateSet, ages: &[u64]) -> Option<usize> {
        last_or_oldest(ready, self.last, ages)
    }
}

impl Scheduler for Mascar {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        let (memory, compute) = (ready & self.accesses, ready & !self.accesses);
        if !self.is_saturated {
            return self.greedy(memory, view.ages).or_else(|| self.greedy(compute, view.ages));
        }
        if let Some(candidate) = self.greedy(compute, view.ages) {
            return Some(candidate);
        }
        let owner = self.owner.or_else(|| oldest(memory, view.ages))?;
        self.owner = Some(owner);
        (memory >> owner & 1 != 0).then_some(owner)
    }

    fn events(&self) -> EventSet {
        EventSet::ISSUED.and(EventSet::LEFT).and(EventSet::CHOOSING).and(EventSet::MISSES_PENDING)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::Issued { candidate, .. } => self.last = candidate,
            Event::Left { candidate, .. } => {
                self.owner.take_if(|owner| *owner == candidate);
            }
            Event::Choosing { accesses } => self.accesses = accesses,
            Event::MissesPending { used, all } => {
                self.is_saturated = used * 100 >= all * self.options.full as usize;
                if !self.is_saturated {
                    self.owner = None;
                }
            }
            _ => {}
        }
    }

    fn replay_queue(&self) -> usize {
        self.options.reexecution as usize
    }

    fn owner(&self) -> Option<Option<usize>> {
        self.is_saturated.then_some(self.owner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::slot::LeaveReason;
    use super::*;
    use crate::mechanisms::setup::Setup;

    const AGES: [u64; 3] = [1, 2, 3];

    fn scheduler() -> Box<dyn Scheduler> {
        (MECHANISM.build)(&Setup::of(&"full = 50".parse().expect("it is TOML")))
            .expect("the option is good")
    }

    #[test]
    fn memory_goes_first_until_it_is_saturated() {
        let mut scheduler = scheduler();
        scheduler.on_event(&Event::Choosing { accesses: 0b110 });
        assert_eq!(scheduler.pick(0b111, &View::of(&AGES, 0)), Some(1));
        scheduler.on_event(&Event::MissesPending { used: 1, all: 4 });
        assert_eq!(scheduler.pick(0b111, &View::of(&AGES, 0)), Some(1));
        scheduler.on_event(&Event::MissesPending { used: 2, all: 4 });
        assert_eq!(scheduler.pick(0b111, &View::of(&AGES, 0)), Some(0));
    }

    #[test]
    fn one_warp_owns_memory_until_it_waits_for_it() {
        let mut scheduler = scheduler();
        scheduler.on_event(&Event::MissesPending { used: 4, all: 4 });
        scheduler.on_event(&Event::Choosing { accesses: 0b111 });
        assert_eq!(
            scheduler.pick(0b110, &View::of(&AGES, 0)),
            Some(1),
            "the oldest becomes the owner"
        );
        assert_eq!(scheduler.pick(0b111, &View::of(&AGES, 0)), Some(1), "and stays it");
        assert_eq!(scheduler.pick(0b101, &View::of(&AGES, 0)), None, "when it computes too");
        assert_eq!(scheduler.owner(), Some(Some(1)));
        scheduler.on_event(&Event::Left { candidate: 0, reason: LeaveReason::Memory });
        assert_eq!(scheduler.pick(0b101, &View::of(&AGES, 0)), None);
        scheduler.on_event(&Event::Left { candidate: 1, reason: LeaveReason::Memory });
        assert_eq!(scheduler.owner(), Some(None));
        assert_eq!(scheduler.pick(0b101, &View::of(&AGES, 0)), Some(0));
        // Memory has room again.
        scheduler.on_event(&Event::MissesPending { used: 1, all: 4 });
        assert_eq!(scheduler.owner(), None);
        assert_eq!(scheduler.pick(0b100, &View::of(&AGES, 0)), Some(2));
    }
}

//! `divergence-aware`: limits the warps in loops to those whose footprints fit into the L1 (DAWS).
//!
//! Source: Aamodt, Fung, Rogers, §5.1.2, after Rogers, O'Connor, Aamodt, "Divergence-aware warp scheduling", MICRO 2013. A warp in a loop has a
//! footprint, the lines that an iteration touches; threads that have left the loop are not in it. Warps are throttled by their
//! footprints before they lose lines. Loops, and how the addresses of their loads lie, are hints of the compiler ([`crate::program::loops`]); of
//! a program without them nothing is held back.
//!
//! Decisions where the text is open: all loops around a path count, because their next iterations
//! need their lines again. The innermost one counts with the threads at its first instruction, or at
//! the point where the path entered it; the loads of the loops around it count with the threads
//! that entered it. The oldest warps stay. A warp whose
//! footprint does not fit beside those of all older ones issues no instruction that accesses the L1
//! while it is in a loop, except one every 1,000 cycles, because an older one may wait for it. Each
//! scheduler has its part of the cache, of which `capacity` percent count. Otherwise it is
//! `greedy-then-oldest`.

use super::slot::{
    Build, CandidateSet, Event, EventSet, MAX_CANDIDATES, Scheduler, View, last_or_oldest, oldest,
};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::program::loops::LoopPlace;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "divergence-aware",
    sentence: "lets as many warps load in loops as their footprints fit into the first level, by the threads still in each loop",
    options: &[(
        "capacity",
        "percent of the first level's lines that footprints may take, 1 to 10000; default 100",
    )],
    trials: &[
        &[("divergence-aware.capacity", "1")],
        &[("divergence-aware.capacity", "50"), ("l1.size", "512"), ("l1.ways", "1")],
    ],
    statistics: &[],
    build: &|table| {
        let Options { capacity } = options(table)?;
        check_range("capacity", capacity, 1..=10_000)?;
        Ok(Box::new(DivergenceAware::new(capacity)))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    capacity: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { capacity: 100 }
    }
}

/// Cycles after which a throttled candidate may issue.
const PATIENCE: u64 = 1000;

/// The loop that a candidate is in.
#[derive(Clone, Copy, Debug, Default)]
struct InLoop {
    number: u16,
    lines: u32,
    /// Lines of the loops around it.
    outer_lines: u32,
}

struct DivergenceAware {
    capacity: u32,
    /// Hundredths of lines that footprints may take.
    room: u64,
    last: usize,
    /// Candidates in loops.
    in_loops: CandidateSet,
    /// The loop of each of them.
    loops: Vec<InLoop>,
    /// Their next instruction accesses the first level.
    accesses: CandidateSet,
    /// From this cycle on, one throttled candidate may issue.
    patience: u64,
}

impl DivergenceAware {
    fn new(capacity: u32) -> DivergenceAware {
        DivergenceAware {
            capacity,
            room: 0,
            last: 0,
            in_loops: 0,
            loops: vec![InLoop::default(); MAX_CANDIDATES],
            accesses: 0,
            patience: PATIENCE,
        }
    }

    /// The candidates in loops whose footprints do not fit beside those of older ones. The oldest is never one.
    fn beyond(&self, ages: &[u64]) -> CandidateSet {
        let (mut rest, mut taken, mut beyond) = (self.in_loops, 0, 0);
        while let Some(candidate) = oldest(rest, ages) {
            rest &= !(1 << candidate);
            let InLoop { lines, outer_lines, .. } = self.loops[candidate];
            let lines = 100 * (u64::from(lines) + u64::from(outer_lines));
            if taken != 0 && taken + lines > self.room {
                beyond |= 1 << candidate;
            }
            taken += lines;
        }
        beyond
    }
}

impl Scheduler for DivergenceAware {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        let held = ready & self.accesses & self.in_loops;
        let held = if held == 0 { 0 } else { held & self.beyond(view.ages) };
        if held == 0 || view.now >= self.patience {
            self.patience = view.now + PATIENCE;
            if let Some(candidate) = oldest(held, view.ages) {
                return Some(candidate);
            }
        }
        let ready = ready & !held;
        last_or_oldest(ready, self.last, view.ages)
    }

    fn events(&self) -> EventSet {
        EventSet::ISSUED.and(EventSet::CHOOSING).and(EventSet::CACHE_SHARED).and(EventSet::IN_LOOP)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::Issued { candidate, .. } => self.last = candidate,
            Event::Choosing { accesses } => self.accesses = accesses,
            Event::CacheShared { lines } => {
                self.room = u64::from(lines) * u64::from(self.capacity);
            }
            Event::InLoop { candidate, place } => self.move_to(candidate, place),
            _ => {}
        }
    }
}

impl DivergenceAware {
    /// Moves a candidate into a loop, within it, or out of it.
    fn move_to(&mut self, candidate: usize, place: Option<LoopPlace>) {
        let Some(LoopPlace { number, is_first, lines, outer_lines }) = place else {
            self.in_loops &= !(1 << candidate);
            return;
        };
        let was = self.in_loops >> candidate & 1 != 0;
        // Within an iteration lanes may be elsewhere in the loop.
        let current = &mut self.loops[candidate];
        if !was || current.number != number {
            *current = InLoop { number, lines, outer_lines };
        } else if is_first {
            current.lines = lines;
        }
        self.in_loops |= 1 << candidate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGES: [u64; 4] = [1, 2, 3, 4];

    /// Four candidates about to load, in a loop of the given lines for each, with room for ten.
    fn scheduler(lines: [u32; 4]) -> DivergenceAware {
        let mut scheduler = DivergenceAware::new(100);
        scheduler.on_event(&Event::CacheShared { lines: 10 });
        scheduler.on_event(&Event::Choosing { accesses: 0b1111 });
        for (candidate, lines) in lines.into_iter().enumerate() {
            let place = LoopPlace { number: 0, is_first: true, lines, outer_lines: 0 };
            scheduler.move_to(candidate, Some(place));
        }
        scheduler
    }

    #[test]
    fn the_oldest_fit() {
        assert_eq!(
            scheduler([4, 4, 4, 1]).beyond(&AGES),
            0b1100,
            "none younger than one that does not"
        );
        assert_eq!(scheduler([4, 4, 2, 0]).beyond(&AGES), 0);
        assert_eq!(scheduler([20, 1, 0, 0]).beyond(&AGES), 0b1110, "the oldest always does");
        let mut scheduler = scheduler([8, 8, 8, 8]);
        assert_eq!(scheduler.pick(0b1110, &View::of(&AGES, 0)), None);
        scheduler.on_event(&Event::Choosing { accesses: 0b1011 });
        assert_eq!(
            scheduler.pick(0b1110, &View::of(&AGES, 0)),
            Some(2),
            "what does not load goes on"
        );
        scheduler.move_to(0, None);
        assert_eq!(scheduler.beyond(&AGES), 0b1100, "one has left its loop");
    }

    #[test]
    fn threads_that_have_left_the_loop_make_room() {
        let mut scheduler = scheduler([8, 8, 0, 0]);
        let place =
            |is_first, lines| Some(LoopPlace { number: 0, is_first, lines, outer_lines: 0 });
        scheduler.move_to(0, place(false, 1));
        assert_eq!(scheduler.beyond(&AGES), 0b1110, "within an iteration nothing changes");
        scheduler.move_to(0, place(true, 2));
        assert_eq!(scheduler.beyond(&AGES), 0);
        // Another loop begins with the threads that enter it.
        let other = LoopPlace { number: 1, is_first: false, lines: 9, outer_lines: 0 };
        scheduler.move_to(0, Some(other));
        assert_eq!(scheduler.beyond(&AGES), 0b1110);
    }

    #[test]
    fn loops_around_count_with_the_threads_that_entered_the_inner_one() {
        let mut scheduler = scheduler([2, 0, 0, 0]);
        let inner =
            |lines, outer_lines| Some(LoopPlace { number: 1, is_first: true, lines, outer_lines });
        // Room for ten: 2 and 4 + 4 fit, 2 and 5 + 4 do not.
        for (lines, beyond) in [(4, 0), (5, 0b1110)] {
            scheduler.move_to(1, None);
            scheduler.move_to(1, inner(lines, 4));
            assert_eq!(scheduler.beyond(&AGES), beyond);
        }
        // Threads leave the inner loop; they are still in the outer one.
        scheduler.move_to(1, inner(4, 1));
        assert_eq!(scheduler.beyond(&AGES), 0);
        scheduler.move_to(1, inner(5, 1));
        assert_eq!(scheduler.beyond(&AGES), 0b1110);
    }

    #[test]
    fn one_that_is_held_back_issues_now_and_then() {
        let mut scheduler = scheduler([8, 8, 8, 0]);
        assert_eq!(scheduler.pick(0b0110, &View::of(&AGES, PATIENCE - 1)), None);
        assert_eq!(scheduler.pick(0b0110, &View::of(&AGES, PATIENCE)), Some(1));
        assert_eq!(scheduler.pick(0b0110, &View::of(&AGES, PATIENCE + 1)), None);
        assert_eq!(scheduler.pick(0b0110, &View::of(&AGES, 2 * PATIENCE)), Some(1));
    }
}

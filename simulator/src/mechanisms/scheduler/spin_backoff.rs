//! `spin-backoff`: warps that spin on a lock go last (back-off warp spinning, BOWS).
//!
//! Source: Aamodt, Fung, Rogers, §5.1.4 (after ElTantawy and Aamodt). A path keeps two histories:
//! the low bits of the program counters of its instructions that write a predicate, and their
//! compared values. If both repeat completely when the path takes a backward branch, nothing has
//! changed for it since it last took the branch: it may wait for a lock. A branch spins if that is
//! seen often enough, and more often than the contrary. A path that takes such a branch backs off:
//! it issues only if no other path can, and not within `delay` cycles; then it is like others until
//! it takes the branch again. In a loop that releases its lock before the branch, no path backs off
//! that holds one.
//!
//! Decisions where the source is open: eight low bits; the values compared by one lane (the first
//! of the path) stand for all; the table of branches is that of one SM's scheduler and unlimited;
//! other paths are picked as under `greedy-then-oldest`, and paths that have backed off in the
//! order in which they did; the delay, 0 by default.

use std::collections::{BTreeMap, VecDeque};

use super::slot::{Build, CandidateSet, Event, EventSet, MAX_CANDIDATES, Scheduler, View, oldest};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "spin-backoff",
    sentence: "paths that were found to spin on a lock issue only if no other can, and after a delay (BOWS)",
    options: &[
        ("history", "comparisons of a path that are remembered, 2 to 64; default 8"),
        ("confidence", "how often a branch must be seen to spin, 1 to 64; default 4"),
        ("delay", "cycles for which a path that spins does not issue, 0 to 1000000; default 0"),
    ],
    trials: &[
        &[
            ("spin-backoff.confidence", "1"),
            ("spin-backoff.history", "2"),
            ("spin-backoff.delay", "7"),
        ],
        &[("spin-backoff.delay", "1000")],
    ],
    statistics: &[],
    build: &|table| {
        let options: Options = options(table)?;
        let bounds = [
            ("history", options.history, 2, 64),
            ("confidence", options.confidence, 1, 64),
            ("delay", options.delay, 0, 1_000_000),
        ];
        for (key, value, least, most) in bounds {
            check_range(key, value, least..=most)?;
        }
        Ok(Box::new(SpinBackoff::new(options)))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    history: u32,
    confidence: u32,
    delay: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { history: 8, confidence: 4, delay: 0 }
    }
}

/// The low bits of a program counter, and the value that was compared there.
type Compared = (u8, u64);

struct SpinBackoff {
    options: Options,
    last: usize,
    /// Comparisons by candidate, the latest at the end.
    histories: Vec<VecDeque<Compared>>,
    /// By branch: how often it was seen to spin, less how often not.
    branches: BTreeMap<u32, u32>,
    /// Candidates that have backed off, in order, and when they may issue again.
    backed_off: VecDeque<(usize, u64)>,
}

/// Returns true if a history repeats itself throughout, with a period of at most half its length.
fn repeats(history: &VecDeque<Compared>) -> bool {
    let count = history.len();
    (1..=count / 2).any(|period| (period..count).all(|at| history[at] == history[at - period]))
}

impl SpinBackoff {
    fn new(options: Options) -> SpinBackoff {
        SpinBackoff {
            options,
            last: 0,
            histories: vec![VecDeque::new(); MAX_CANDIDATES],
            branches: BTreeMap::new(),
            backed_off: VecDeque::new(),
        }
    }
}

impl Scheduler for SpinBackoff {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        let backed_off = self.backed_off.iter();
        let others = backed_off.fold(ready, |others, (candidate, _)| others & !(1 << candidate));
        if others >> self.last & 1 != 0 {
            return Some(self.last);
        }
        let next =
            |(candidate, until): &&(usize, u64)| ready >> candidate & 1 != 0 && *until <= view.now;
        oldest(others, view.ages).or_else(|| Some(self.backed_off.iter().find(next)?.0))
    }

    fn events(&self) -> EventSet {
        EventSet::ISSUED
            .and(EventSet::WARP_STARTED)
            .and(EventSet::AFFINE_WARP_STARTED)
            .and(EventSet::COMPARED)
            .and(EventSet::BRANCHED_BACKWARD)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::Issued { candidate, .. } => {
                self.last = candidate;
                self.backed_off.retain(|(other, _)| *other != candidate);
            }
            Event::WarpStarted { candidate } | Event::AffineWarpStarted { candidate } => {
                self.histories[candidate].clear();
                self.backed_off.retain(|(other, _)| *other != candidate);
            }
            Event::Compared { candidate, pc, value, .. } => self.remember(candidate, pc, value),
            Event::BranchedBackward { candidate, pc, now, .. } => self.judge(candidate, pc, now),
            _ => {}
        }
    }
}

impl SpinBackoff {
    /// Adds a comparison to a candidate's history.
    fn remember(&mut self, candidate: usize, pc: u32, compared: u64) {
        let history = &mut self.histories[candidate];
        if history.len() == self.options.history as usize {
            history.pop_front();
        }
        history.push_back((pc as u8, compared));
    }

    /// Judges whether a candidate spins that took a backward branch, and backs it off if it does.
    fn judge(&mut self, candidate: usize, pc: u32, now: u64) {
        let history = &self.histories[candidate];
        let seen = self.branches.entry(pc).or_default();
        if history.len() == self.options.history as usize {
            *seen = if repeats(history) { *seen + 1 } else { seen.saturating_sub(1) };
            // More would only take longer to forget.
            *seen = (*seen).min(2 * self.options.confidence);
        }
        if *seen >= self.options.confidence {
            self.backed_off.push_back((candidate, now + u64::from(self.options.delay)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGES: [u64; 3] = [1, 2, 3];

    #[test]
    fn what_repeats() {
        let history = |text: &str| text.bytes().map(|byte| (byte, 0)).collect::<VecDeque<_>>();
        assert!(
            repeats(&history("aaa")) && repeats(&history("ababa")) && repeats(&history("abcabc"))
        );
        assert!(
            !repeats(&history("xabab")) && !repeats(&history("a")) && !repeats(&history("abca"))
        );
        let counts: VecDeque<_> = (0..8).map(|i| (1, i)).collect();
        assert!(!repeats(&counts), "a loop that counts compares other numbers");
    }

    #[test]
    fn who_spins_goes_last() {
        let options = Options { history: 2, confidence: 2, delay: 10 };
        let mut scheduler = SpinBackoff::new(options);
        let mut turn = |candidate: usize, compared, now| {
            scheduler.remember(candidate, 3, compared);
            scheduler.judge(candidate, 4, now);
            [0, 1, 9, 10].map(|later| scheduler.pick(0b011, &View::of(&AGES, now + later)))
        };
        // Candidate 0 compares the same again and again: seen to spin after the second time, believed after the third.
        assert_eq!(turn(0, 9, 0), [Some(0); 4]);
        assert_eq!(turn(0, 9, 20), [Some(0); 4]);
        assert_eq!(turn(0, 9, 40), [Some(1); 4]);
        let nothing_else = [50, 49].map(|now| scheduler.pick(0b001, &View::of(&AGES, now)));
        assert_eq!(nothing_else, [Some(0), None], "after the delay");
        scheduler.on_event(&Event::issued(0));
        assert_eq!(
            scheduler.pick(0b011, &View::of(&AGES, 50)),
            Some(0),
            "until it takes the branch again"
        );
        // Another path that takes the branch backs off at once.
        scheduler.judge(1, 4, 60);
        assert_eq!(scheduler.pick(0b110, &View::of(&AGES, 60)), Some(2));
    }

    #[test]
    fn a_branch_that_does_not_spin_is_forgotten() {
        let mut scheduler = SpinBackoff::new(Options { history: 2, confidence: 1, delay: 0 });
        let mut turn = |compared| {
            scheduler.remember(0, 3, compared);
            scheduler.judge(0, 4, 0);
            let backed_off = !scheduler.backed_off.is_empty();
            scheduler.on_event(&Event::issued(0));
            backed_off
        };
        assert_eq!([5, 5, 5, 6, 7, 8].map(&mut turn), [false, true, true, true, false, false]);
    }
}

//! `ccws`: cache-conscious warp scheduling. Warps that miss lines which they lost from the cache
//! keep others from loading.
//!
//! Source: Aamodt, Fung, Rogers, §5.1.2 and Figure 5.1, after Rogers, O'Connor, Aamodt,
//! "Cache-conscious wavefront scheduling", MICRO 2012. Each warp has an array of victim tags: the
//! lines that it fetched and that were evicted. A miss that finds its line there has lost locality,
//! and raises the warp's score, which falls again by one per cycle down to the base. Scores are
//! stacked, the highest first; warps above the cut-off, which is the base for each warp, may not
//! issue requests to the L1.
//!
//! The text leaves the score of a lost line open. As in the authors' simulator, it is `gain` ×
//! (lost lines / instructions issued) × cut-off, over all warps that the scheduler has. Their
//! configuration (`-point_scheduling_sys -1,0,0,0,-1,-1,100,-1,8,8,0`) has the base of 100, the gain
//! of 8, and `cap = "lost-locality"`: a warp's whole score is at most that value, which falls while
//! instructions issue. With `cap = "cut-off"`, lost lines add up to the cut-off above the base.
//!
//! Ours: the warp that reaches the cut-off may still issue. No score is below the base, as in the
//! text; in the authors' code a cap below the base lowers it. The older of equals is lower in the
//! stack. Victim tags are replaced in order. Each scheduler of an SM has the scores of its own
//! warps, where the authors have them per core. Otherwise it is `greedy-then-oldest`.

use std::collections::VecDeque;

use super::slot::{
    Build, CandidateSet, Event, EventSet, MAX_CANDIDATES, Scheduler, View, last_or_oldest, members,
};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "ccws",
    sentence: "warps that lose lines which they want again keep others from accessing the first level (cache-conscious)",
    options: &[
        ("victims", "victim tags of a warp, 1 to 1024; default 16"),
        ("base", "the score of a warp that loses nothing, 1 to 1000000; default 100"),
        ("gain", "factor of the value of a lost line, 1 to 1000000; default 8"),
        (
            "cap",
            "the most that a score can be: `lost-locality`, the value of a lost line (default), or `cut-off`, above the base",
        ),
    ],
    trials: &[&[
        ("ccws.gain", "1000"),
        ("ccws.victims", "4"),
        ("l1.size", "512"),
        ("l1.ways", "1"),
    ]],
    statistics: &[],
    build: |table| {
        let options: Options = options(table)?;
        let bounds = [
            ("victims", options.victims, 1024),
            ("base", options.base, 1_000_000),
            ("gain", options.gain, 1_000_000),
        ];
        for (key, value, most) in bounds {
            check_range(key, value, 1..=most)?;
        }
        Ok(Box::new(Ccws::new(options)))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    victims: u32,
    base: u32,
    gain: u32,
    cap: Cap,
}

/// The most that a score can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Cap {
    LostLocality,
    CutOff,
}

impl Default for Options {
    fn default() -> Options {
        Options { victims: 16, base: 100, gain: 8, cap: Cap::LostLocality }
    }
}

/// The victim tags and the score of a candidate's warp.
#[derive(Clone, Debug, Default)]
struct Warp {
    /// Lines that it has lost, the latest at the end.
    victims: VecDeque<u64>,
    /// Its score above the base in cycle `since`.
    excess: u64,
    since: u64,
}

impl Warp {
    /// Its score above the base in a cycle.
    fn excess(&self, now: u64) -> u64 {
        self.excess.saturating_sub(now.saturating_sub(self.since))
    }
}

struct Ccws {
    options: Options,
    last: usize,
    warps: Vec<Warp>,
    /// Candidates whose warps have threads.
    alive: CandidateSet,
    /// Their next instruction accesses the first level.
    accesses: CandidateSet,
    /// Instructions that were issued, and lines that were lost.
    issued: u64,
    lost: u64,
    /// From this cycle on no score is above the base.
    calm: u64,
}

impl Ccws {
    fn new(options: Options) -> Ccws {
        Ccws {
            options,
            last: 0,
            warps: vec![Warp::default(); MAX_CANDIDATES],
            alive: 0,
            accesses: 0,
            issued: 0,
            lost: 0,
            calm: 0,
        }
    }

    /// The value of a lost line.
    fn value(&self) -> u64 {
        let factor = u128::from(self.options.gain) * u128::from(self.cutoff());
        let value = u128::from(self.lost) * factor / u128::from(self.issued.max(1));
        value.min(u128::from(u32::MAX)) as u64
    }

    /// The most that a score can be above the base now.
    fn most(&self) -> u64 {
        match self.options.cap {
            Cap::LostLocality => self.value().saturating_sub(self.options.base.into()),
            Cap::CutOff => self.cutoff(),
        }
    }

    /// The height of the stack up to which warps may access the cache.
    fn cutoff(&self) -> u64 {
        u64::from(self.alive.count_ones()) * u64::from(self.options.base)
    }

    /// The candidates that are above the cut-off.
    fn held_back(&self, ages: &[u64], now: u64) -> CandidateSet {
        if self.calm <= now {
            return 0;
        }
        let most = self.most();
        let mut stack: Vec<(u64, usize)> = members(self.alive)
            .map(|candidate| (self.warps[candidate].excess(now).min(most), candidate))
            .collect();
        stack.sort_by_key(|&(excess, candidate)| (std::cmp::Reverse(excess), ages[candidate]));
        let (mut height, mut above) = (0, 0);
        for (excess, candidate) in stack {
            if height >= self.cutoff() {
                above |= 1 << candidate;
            }
            height += excess + u64::from(self.options.base);
        }
        above
    }
}

impl Scheduler for Ccws {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        let ready = ready & !(self.accesses & self.held_back(view.ages, view.now));
        last_or_oldest(ready, self.last, view.ages)
    }

    fn events(&self) -> EventSet {
        EventSet::ISSUED
            .and(EventSet::WARP_STARTED)
            .and(EventSet::WARP_ENDED)
            .and(EventSet::CHOOSING)
            .and(EventSet::EVICTED)
            .and(EventSet::MISSED)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::Issued { candidate } => {
                self.last = candidate;
                self.issued += 1;
            }
            Event::WarpStarted { candidate } => {
                self.alive |= 1 << candidate;
                self.warps[candidate] = Warp::default();
            }
            Event::WarpEnded { candidate } => self.alive &= !(1 << candidate),
            Event::Choosing { accesses } => self.accesses = accesses,
            Event::Evicted { candidate, line } => self.evict(candidate, line),
            Event::Missed { candidate, line, now } => self.miss(candidate, line, now),
            _ => {}
        }
    }
}

impl Ccws {
    /// Adds a line that a candidate's warp lost to its victim tags.
    fn evict(&mut self, candidate: usize, line: u64) {
        let victims = &mut self.warps[candidate].victims;
        if victims.len() == self.options.victims as usize {
            victims.pop_front();
        }
        victims.push_back(line);
    }

    /// Raises the score of a candidate's warp if it missed a line that it had lost.
    fn miss(&mut self, candidate: usize, line: u64, now: u64) {
        let victims = &mut self.warps[candidate].victims;
        let Some(place) = victims.iter().position(|victim| *victim == line) else {
            return;
        };
        victims.remove(place);
        // The value of a lost line has fallen since the last one, and rises now: what it capped stays lost.
        let most = self.most();
        for candidate in members(self.alive) {
            let warp = &mut self.warps[candidate];
            (warp.excess, warp.since) = (warp.excess(now).min(most), now);
        }
        self.lost += 1;
        let (value, most) = (self.value(), self.most());
        let warp = &mut self.warps[candidate];
        warp.excess = (warp.excess + value).min(most);
        self.calm = self.calm.max(now + warp.excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGES: [u64; 4] = [1, 2, 3, 4];

    /// Four warps with a base of 100, of which one has issued 100 instructions.
    fn scheduler(gain: u32) -> Ccws {
        let mut scheduler = Ccws::new(Options { victims: 2, base: 100, gain, cap: Cap::CutOff });
        (0..4).for_each(|candidate| scheduler.on_event(&Event::WarpStarted { candidate }));
        (0..100).for_each(|_| scheduler.on_event(&Event::Issued { candidate: 0 }));
        scheduler
    }

    #[test]
    fn a_lost_line_raises_the_score_and_pushes_the_youngest_over_the_cut_off() {
        // Figure 5.1: warp 0 loses a line that it loaded and needs again; warp 3 may not load until
        // the score has fallen.
        let mut scheduler = scheduler(50);
        scheduler.on_event(&Event::Choosing { accesses: 0b1111 });
        scheduler.evict(0, 7);
        assert_eq!(scheduler.held_back(&AGES, 0), 0, "nothing is lost yet");
        scheduler.miss(1, 7, 0);
        assert_eq!(scheduler.held_back(&AGES, 0), 0, "another warp wants it");
        scheduler.miss(0, 7, 0);
        // One line of 100 instructions, times 50, times the cut-off of 400: 200 more. The stack is 300, 400 with warp 1, which
        // reaches the cut-off: warps 2 and 3 are above it.
        assert_eq!(scheduler.held_back(&AGES, 0), 0b1100);
        assert_eq!(scheduler.pick(0b1100, &View::of(&AGES, 0)), None);
        scheduler.on_event(&Event::Choosing { accesses: 0b0111 });
        assert_eq!(
            scheduler.pick(0b1100, &View::of(&AGES, 0)),
            Some(3),
            "what does not load goes on"
        );
        // It falls by one a cycle: with 299 warp 2 reaches the cut-off in place of warp 1, with 199 warp 3.
        let later = [0, 1, 100, 101].map(|now| scheduler.held_back(&AGES, now));
        assert_eq!(later, [0b1100, 0b1000, 0b1000, 0]);
    }

    #[test]
    fn a_score_is_at_most_the_value_of_a_lost_line() {
        // 50 × 1 / 100 × 400 = 200 of which 100 are the base, then 50 × 2 / 100 × 400 = 400.
        let scheduler = |gain| {
            let mut one = scheduler(gain);
            one.options.cap = Cap::LostLocality;
            one
        };
        let mut one = scheduler(50);
        let lose = |one: &mut Ccws, line| {
            one.evict(0, line);
            one.miss(0, line, 0);
            one.warps[0].excess(0)
        };
        assert_eq!([lose(&mut one, 7), lose(&mut one, 8)], [100, 300]);
        // After 100 more instructions the value is 200 again, and a line later 300.
        (0..100).for_each(|_| one.on_event(&Event::Issued { candidate: 1 }));
        assert_eq!(one.most(), 100);
        assert_eq!(lose(&mut one, 9), 200);
        // A value below the base adds nothing.
        assert_eq!(lose(&mut scheduler(8), 7), 0);
    }

    #[test]
    fn victim_tags_are_so_many_and_leave_when_they_are_found() {
        let mut scheduler = scheduler(50);
        for line in [1, 2, 3] {
            scheduler.evict(0, line);
        }
        scheduler.miss(0, 1, 0);
        assert_eq!(scheduler.lost, 0, "it is the oldest of three");
        scheduler.miss(0, 3, 0);
        scheduler.miss(0, 3, 0);
        assert_eq!(scheduler.lost, 1);
    }

    #[test]
    fn no_score_grows_beyond_the_cut_off_and_a_warp_that_ends_has_none() {
        let mut scheduler = scheduler(1_000_000);
        scheduler.evict(2, 5);
        scheduler.miss(2, 5, 0);
        assert_eq!(scheduler.warps[2].excess(0), 400);
        assert_eq!(scheduler.held_back(&AGES, 0), 0b1011, "one warp has the cache");
        scheduler.on_event(&Event::WarpEnded { candidate: 2 });
        assert_eq!(scheduler.held_back(&AGES, 0), 0, "the others have their base");
    }
}

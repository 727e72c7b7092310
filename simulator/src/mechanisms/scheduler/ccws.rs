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
//! The text leaves the score of a lost line open. As in the authors' simulator (ccws-2012,
//! `scheduling-point-system.cc`), it is `gain` × (lost lines / instructions issued) × cut-off, over
//! the warps of the core that have not ended. Their configuration (`-point_scheduling_sys
//! -1,0,0,0,-1,-1,100,-1,8,8,0`) has the base of 100, the gain of 8, and `cap = "lost-locality"`: a
//! warp's whole score is at most that value, which falls while instructions issue. With `cap =
//! "cut-off"`, lost lines add up to the cut-off above the base. The scores are per core, which the
//! schedulers of an SM share; with `scores = "scheduler"` each has those of its own warps.
//!
//! Ours: the warp that reaches the cut-off may still issue. No score is below the base, as in the
//! text; in the authors' code a cap below the base lowers it. The older of equals is lower in the
//! stack, in theirs the one in the lower slot. Stores wait too, as the text says, in theirs only
//! loads. Victim tags are replaced in order. Otherwise it is `greedy-then-oldest`.
//!
//! With `settle`, it is the part of dynPCAL-CCWS (§4.4.7, after Li et al., "Priority-based cache
//! allocation in throughput processors", HPCA 2015) that sets *W*, the number of warps that may be
//! scheduled; `allocation = "pcal"` determines *T*. The scores set *W* first: the mean number of
//! warps below the cut-off in the first `settle` cycles. From then on the *W* oldest warps of the
//! core that wait neither at a barrier nor for a queue issue, and the use of shared structures
//! changes *W* by one after each `window`. The text names neither the structures nor the amounts:
//! here they are the L1's MSHRs, of which every access to L2 and memory holds one, and a use below
//! `idle` or above `busy` percent. A warp that is held back issues once in 1,000 cycles, because
//! another may wait for it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::slot::{
    Build, CandidateSet, Event, EventSet, LeaveReason, MAX_CANDIDATES, Scheduler, View, has,
    last_or_oldest, members, oldest,
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
        (
            "scores",
            "the warps of one stack of scores: those of the SM (`core`, default) or of a `scheduler`",
        ),
        (
            "settle",
            "cycles after which the mean number of warps below the cut-off becomes the number that is scheduled, 0 to 1000000000; 0 for never, the default",
        ),
        (
            "window",
            "cycles from then on after which that number can change by one, 1 to 1000000000; default 2000",
        ),
        ("idle", "mean percent of the MSHRs in use below which it grows, 0 to 100; default 50"),
        ("busy", "mean percent above which it shrinks, 0 to 100; default 90"),
    ],
    trials: &[
        &[("ccws.gain", "1000"), ("ccws.victims", "4"), ("l1.size", "512"), ("l1.ways", "1")],
        &[
            ("ccws.gain", "1000"),
            ("ccws.scores", "scheduler"),
            ("l1.size", "512"),
            ("l1.ways", "1"),
        ],
        &[("ccws.settle", "300"), ("ccws.window", "50"), ("allocation", "pcal")],
    ],
    statistics: &[],
    build: &|table| {
        let options: Options = options(table)?;
        let bounds = [
            ("victims", options.victims, 1..=1024),
            ("base", options.base, 1..=1_000_000),
            ("gain", options.gain, 1..=1_000_000),
            ("settle", options.settle, 0..=1_000_000_000),
            ("window", options.window, 1..=1_000_000_000),
            ("idle", options.idle, 0..=100),
            ("busy", options.busy, 0..=100),
        ];
        for (key, value, range) in bounds {
            check_range(key, value, range)?;
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
    scores: Scores,
    settle: u32,
    window: u32,
    idle: u32,
    busy: u32,
}

/// The most that a score can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Cap {
    LostLocality,
    CutOff,
}

/// The warps of one stack of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Scores {
    Core,
    Scheduler,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            victims: 16,
            base: 100,
            gain: 8,
            cap: Cap::LostLocality,
            scores: Scores::Core,
            settle: 0,
            window: 2000,
            idle: 50,
            busy: 90,
        }
    }
}

/// Cycles after which a warp beyond the number that is scheduled may issue.
const PATIENCE: u64 = 1000;

/// The age of a warp that no scheduler has reported yet: it is the youngest.
const NEW: u64 = u64::MAX;

/// The victim tags and the score of a candidate's warp.
#[derive(Clone, Debug, Default)]
struct Warp {
    /// Lines that it has lost, the latest at the end.
    victims: VecDeque<u64>,
    /// Its score above the base in cycle `since`.
    excess: u64,
    since: u64,
    /// Instructions that it issued, and lines that it lost and missed.
    issued: u64,
    lost: u64,
    age: u64,
}

impl Warp {
    /// Its score above the base in a cycle.
    fn excess(&self, now: u64) -> u64 {
        self.excess.saturating_sub(now.saturating_sub(self.since))
    }
}

/// The warps of one scheduler.
struct Part {
    /// By candidate.
    warps: Vec<Warp>,
    /// Candidates whose warps have threads.
    alive: CandidateSet,
    /// Candidates without a known age.
    new: CandidateSet,
    /// Candidates that wait at a barrier, for a queue, or have no path.
    waiting: CandidateSet,
    /// The candidates that are held back.
    held: CandidateSet,
}

impl Part {
    fn new() -> Part {
        let warps = vec![Warp::default(); MAX_CANDIDATES];
        Part { warps, alive: 0, new: 0, waiting: 0, held: 0 }
    }
}

/// The number of warps that are scheduled, and the use of the MSHRs in the current window.
struct Limit {
    warps: usize,
    window_end: u64,
    /// MSHRs in use, summed over the cycles of the window.
    used: u64,
}

/// The warps of one stack of scores.
struct Stack {
    options: Options,
    /// By scheduler.
    parts: Vec<Part>,
    /// Instructions that were issued, and lines that were lost, by warps that have not ended.
    issued: u64,
    lost: u64,
    /// From this cycle on no score is above the base.
    calm: u64,
    /// The cycle of the last evaluation, and whether something happened since that changes it.
    evaluated: u64,
    stale: bool,
    /// Warps below the cut-off at the last evaluation, and their sum over the cycles until then.
    below: u64,
    sum: u64,
    /// MSHRs of the L1 in use, and in all.
    mshrs: [u64; 2],
    limit: Option<Limit>,
}

impl Stack {
    fn new(options: Options) -> Stack {
        Stack {
            options,
            parts: vec![Part::new()],
            issued: 0,
            lost: 0,
            calm: 0,
            evaluated: 0,
            stale: true,
            below: 0,
            sum: 0,
            mshrs: [0; 2],
            limit: None,
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

    /// The number of candidates whose warps have threads.
    fn alive(&self) -> u64 {
        self.parts.iter().map(|part| u64::from(part.alive.count_ones())).sum()
    }

    /// The height of the stack up to which warps may access the cache.
    fn cutoff(&self) -> u64 {
        self.alive() * u64::from(self.options.base)
    }

    /// The value of a lost line is about to change, by more than instructions change it: what it
    /// has capped stays lost.
    fn settle(&mut self, now: u64) {
        self.stale = true;
        let most = self.most();
        for part in &mut self.parts {
            for candidate in members(part.alive) {
                let warp = &mut part.warps[candidate];
                (warp.excess, warp.since) = (warp.excess(now).min(most), now);
            }
        }
    }

    fn start(&mut self, at: usize, candidate: usize) {
        self.settle(self.evaluated);
        let (part, bit) = (&mut self.parts[at], 1 << candidate);
        part.warps[candidate] = Warp { age: NEW, ..Warp::default() };
        part.alive |= bit;
        part.new |= bit;
        part.waiting &= !bit;
    }

    fn end(&mut self, at: usize, candidate: usize) {
        self.settle(self.evaluated);
        let warp = &mut self.parts[at].warps[candidate];
        self.issued -= warp.issued;
        self.lost -= warp.lost;
        (warp.issued, warp.lost) = (0, 0);
        self.parts[at].alive &= !(1 << candidate);
    }

    fn issue(&mut self, at: usize, candidate: usize) {
        let part = &mut self.parts[at];
        if has(part.alive, candidate) {
            part.warps[candidate].issued += 1;
            self.issued += 1;
        }
    }

    /// Adds a line that a candidate's warp lost to its victim tags.
    fn evict(&mut self, at: usize, candidate: usize, line: u64) {
        let victims = &mut self.parts[at].warps[candidate].victims;
        if victims.len() == self.options.victims as usize {
            victims.pop_front();
        }
        victims.push_back(line);
    }

    /// Raises the score of a candidate's warp if it missed a line that it had lost.
    fn miss(&mut self, at: usize, candidate: usize, line: u64, now: u64) {
        let victims = &mut self.parts[at].warps[candidate].victims;
        let Some(place) = victims.iter().position(|victim| *victim == line) else {
            return;
        };
        victims.remove(place);
        if !has(self.parts[at].alive, candidate) {
            return;
        }
        self.settle(now);
        self.lost += 1;
        self.parts[at].warps[candidate].lost += 1;
        let (value, most) = (self.value(), self.most());
        let warp = &mut self.parts[at].warps[candidate];
        warp.excess = (warp.excess + value).min(most);
        self.calm = self.calm.max(now + warp.excess);
    }

    /// The candidates of a scheduler that are held back, given the ages of its candidates.
    fn held_back(&mut self, at: usize, ages: &[u64], now: u64) -> CandidateSet {
        let part = &mut self.parts[at];
        if part.new != 0 {
            members(part.new).for_each(|it| part.warps[it].age = ages[it]);
            part.new = 0;
            self.stale = true;
        }
        if self.stale || self.evaluated != now {
            self.evaluate(now);
        }
        self.parts[at].held
    }

    /// Decides which candidates are held back in a cycle.
    fn evaluate(&mut self, now: u64) {
        let cycles = now.saturating_sub(self.evaluated);
        (self.evaluated, self.stale) = (now, false);
        if self.options.settle != 0 && self.limit.is_none() {
            self.sum += cycles * self.below;
            let settle = u64::from(self.options.settle);
            if now >= settle {
                let warps = ((self.sum + now / 2) / now).max(1) as usize;
                let window_end = now + u64::from(self.options.window);
                self.limit = Some(Limit { warps, window_end, used: 0 });
            }
        }
        if self.limit.is_some() {
            return self.hold_beyond_limit(cycles, now);
        }
        if self.calm <= now {
            self.parts.iter_mut().for_each(|part| part.held = 0);
            self.below = self.alive();
            return;
        }
        let most = self.most();
        let mut stack = Vec::new();
        for (at, part) in self.parts.iter_mut().enumerate() {
            part.held = 0;
            stack.extend(members(part.alive).map(|candidate| {
                let warp = &part.warps[candidate];
                (warp.excess(now).min(most), warp.age, at, candidate)
            }));
        }
        stack.sort_by_key(|&(excess, age, at, candidate)| {
            (std::cmp::Reverse(excess), age, at, candidate)
        });
        let (mut height, cutoff) = (0, self.cutoff());
        self.below = 0;
        for (excess, _, at, candidate) in stack {
            match height < cutoff {
                true => self.below += 1,
                false => self.parts[at].held |= 1 << candidate,
            }
            height += excess + u64::from(self.options.base);
        }
    }

    /// Holds back all but the oldest warps, so many as are scheduled.
    fn hold_beyond_limit(&mut self, cycles: u64, now: u64) {
        let (alive, [used, all]) = (self.alive(), self.mshrs);
        let Some(limit) = &mut self.limit else { return };
        limit.used += cycles * used;
        if now >= limit.window_end {
            let Options { window, idle, busy, .. } = self.options;
            let most = all * (now + u64::from(window) - limit.window_end);
            if limit.used * 100 < most * u64::from(idle) {
                limit.warps = (limit.warps + 1).min(alive.max(1) as usize);
            } else if limit.used * 100 > most * u64::from(busy) {
                limit.warps = (limit.warps - 1).max(1);
            }
            (limit.window_end, limit.used) = (now + u64::from(window), 0);
        }
        let mut runs = Vec::new();
        for (at, part) in self.parts.iter_mut().enumerate() {
            part.held = part.alive;
            let candidates = members(part.alive & !part.waiting);
            runs.extend(candidates.map(|it| (part.warps[it].age, at, it)));
        }
        runs.sort_unstable();
        for (_, at, candidate) in runs.into_iter().take(limit.warps) {
            self.parts[at].held &= !(1 << candidate);
        }
    }
}

struct Ccws {
    options: Options,
    /// The stack that it is in, and its place there.
    stack: Arc<Mutex<Stack>>,
    at: usize,
    last: usize,
    /// Candidates whose next instruction accesses the L1.
    accesses: CandidateSet,
    /// From this cycle on, one warp beyond the number that is scheduled may issue.
    patience: u64,
}

impl Ccws {
    fn new(options: Options) -> Ccws {
        let stack = Arc::new(Mutex::new(Stack::new(options)));
        Ccws { options, stack, at: 0, last: 0, accesses: 0, patience: PATIENCE }
    }

    fn stack(&self) -> MutexGuard<'_, Stack> {
        self.stack.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settles(&self) -> bool {
        self.options.settle != 0
    }
}

impl Scheduler for Ccws {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        let mut stack = self.stack();
        if self.settles() {
            let part = &mut stack.parts[self.at];
            let returned = part.waiting & ready;
            part.waiting &= !returned;
            stack.stale |= returned != 0;
        }
        let held = stack.held_back(self.at, view.ages, view.now);
        let is_limited = stack.limit.is_some();
        drop(stack);
        if !is_limited {
            return last_or_oldest(ready & !(self.accesses & held), self.last, view.ages);
        }
        let beyond = ready & held;
        if beyond == 0 || view.now >= self.patience {
            self.patience = view.now + PATIENCE;
            if let Some(candidate) = oldest(beyond, view.ages) {
                return Some(candidate);
            }
        }
        last_or_oldest(ready & !held, self.last, view.ages)
    }

    fn sibling(&self) -> Option<Box<dyn Scheduler>> {
        if self.options.scores == Scores::Scheduler {
            return None;
        }
        let mut stack = self.stack();
        stack.parts.push(Part::new());
        let at = stack.parts.len() - 1;
        drop(stack);
        let (options, stack) = (self.options, self.stack.clone());
        Some(Box::new(Ccws { stack, at, ..Ccws::new(options) }))
    }

    fn events(&self) -> EventSet {
        let events = EventSet::ISSUED
            .and(EventSet::WARP_STARTED)
            .and(EventSet::WARP_ENDED)
            .and(EventSet::CHOOSING)
            .and(EventSet::EVICTED)
            .and(EventSet::MISSED);
        match self.settles() {
            true => events.and(EventSet::LEFT).and(EventSet::MISSES_PENDING),
            false => events,
        }
    }

    fn on_event(&mut self, event: &Event) {
        let at = self.at;
        match *event {
            Event::Issued { candidate, .. } => {
                self.last = candidate;
                self.stack().issue(at, candidate);
            }
            Event::WarpStarted { candidate } => self.stack().start(at, candidate),
            Event::WarpEnded { candidate } => self.stack().end(at, candidate),
            Event::Choosing { accesses } => self.accesses = accesses,
            Event::Evicted { candidate, line } => self.stack().evict(at, candidate, line),
            Event::Missed { candidate, line, now } => self.stack().miss(at, candidate, line, now),
            Event::MissesPending { used, all } => {
                self.stack().mshrs = [used as u64, all as u64];
            }
            Event::Left { candidate, reason } if reason != LeaveReason::Memory => {
                let mut stack = self.stack();
                stack.parts[at].waiting |= 1 << candidate;
                stack.stale = true;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGES: [u64; 4] = [1, 2, 3, 4];

    /// Four warps with a base of 100, of which one has issued 100 instructions.
    fn scheduler(gain: u32) -> Ccws {
        let cap = Cap::CutOff;
        let mut scheduler = Ccws::new(Options { victims: 2, gain, cap, ..Options::default() });
        (0..4).for_each(|candidate| scheduler.on_event(&Event::WarpStarted { candidate }));
        (0..100).for_each(|_| scheduler.on_event(&Event::issued(0)));
        scheduler
    }

    fn held_back(scheduler: &Ccws, now: u64) -> CandidateSet {
        scheduler.stack().held_back(scheduler.at, &AGES, now)
    }

    /// A candidate's warp loses a line and misses it.
    fn lose(scheduler: &Ccws, candidate: usize, line: u64) -> u64 {
        let mut stack = scheduler.stack();
        stack.evict(scheduler.at, candidate, line);
        stack.miss(scheduler.at, candidate, line, 0);
        stack.parts[scheduler.at].warps[candidate].excess(0)
    }

    #[test]
    fn a_lost_line_raises_the_score_and_pushes_the_youngest_over_the_cut_off() {
        // Figure 5.1: warp 0 loses a line that it loaded and needs again; warp 3 may not load until
        // the score has fallen.
        let mut scheduler = scheduler(50);
        scheduler.on_event(&Event::Choosing { accesses: 0b1111 });
        scheduler.on_event(&Event::Evicted { candidate: 0, line: 7 });
        assert_eq!(held_back(&scheduler, 0), 0, "nothing is lost yet");
        scheduler.on_event(&Event::Missed { candidate: 1, line: 7, now: 0 });
        assert_eq!(held_back(&scheduler, 0), 0, "the line was another warp's");
        scheduler.on_event(&Event::Missed { candidate: 0, line: 7, now: 0 });
        // One line of 100 instructions, times 50, times the cut-off of 400: 200 more. The stack is 300, 400 with warp 1, which
        // reaches the cut-off: warps 2 and 3 are above it.
        assert_eq!(held_back(&scheduler, 0), 0b1100);
        assert_eq!(scheduler.pick(0b1100, &View::of(&AGES, 0)), None);
        scheduler.on_event(&Event::Choosing { accesses: 0b0111 });
        assert_eq!(
            scheduler.pick(0b1100, &View::of(&AGES, 0)),
            Some(3),
            "what does not load goes on"
        );
        // It falls by one a cycle: with 299 warp 2 reaches the cut-off in place of warp 1, with 199 warp 3.
        let later = [0, 1, 100, 101].map(|now| held_back(&scheduler, now));
        assert_eq!(later, [0b1100, 0b1000, 0b1000, 0]);
    }

    #[test]
    fn a_score_is_at_most_the_value_of_a_lost_line() {
        // 50 × 1 / 100 × 400 = 200 of which 100 are the base, then 50 × 2 / 100 × 400 = 400.
        let scheduler = |gain| {
            let one = scheduler(gain);
            one.stack().options.cap = Cap::LostLocality;
            one
        };
        let mut one = scheduler(50);
        assert_eq!([lose(&one, 0, 7), lose(&one, 0, 8)], [100, 300]);
        // After 100 more instructions the value is 200 again, and a line later 300.
        (0..100).for_each(|_| one.on_event(&Event::issued(1)));
        assert_eq!(one.stack().most(), 100);
        assert_eq!(lose(&one, 0, 9), 200);
        // Its instructions and lines leave the quotient with a warp: 50 × 1 / 100 × 300 = 150 are left.
        lose(&one, 1, 10);
        one.on_event(&Event::WarpEnded { candidate: 0 });
        assert_eq!(one.stack().value(), 150);
        // A value below the base adds nothing.
        assert_eq!(lose(&scheduler(8), 0, 7), 0);
    }

    #[test]
    fn victim_tags_are_so_many_and_leave_when_they_are_found() {
        let scheduler = scheduler(50);
        let mut stack = scheduler.stack();
        [1, 2, 3].into_iter().for_each(|line| stack.evict(0, 0, line));
        stack.miss(0, 0, 1, 0);
        assert_eq!(stack.lost, 0, "it is the oldest of three");
        stack.miss(0, 0, 3, 0);
        stack.miss(0, 0, 3, 0);
        assert_eq!(stack.lost, 1);
    }

    #[test]
    fn no_score_grows_beyond_the_cut_off_and_a_warp_that_ends_has_none() {
        let mut scheduler = scheduler(1_000_000);
        assert_eq!(lose(&scheduler, 2, 5), 400);
        assert_eq!(held_back(&scheduler, 0), 0b1011, "one warp has the cache");
        scheduler.on_event(&Event::WarpEnded { candidate: 2 });
        assert_eq!(held_back(&scheduler, 0), 0, "the others have their base");
    }

    #[test]
    fn the_schedulers_of_a_core_share_one_stack() {
        // Two warps of each scheduler: a lost line of the second one's holds back warps of both.
        let start = |scheduler: &mut dyn Scheduler| {
            (0..2).for_each(|candidate| scheduler.on_event(&Event::WarpStarted { candidate }));
        };
        let options = Options { gain: 50, cap: Cap::CutOff, ..Options::default() };
        let mut first = Ccws::new(options);
        let mut second = first.sibling().expect("they share the stack");
        start(&mut first);
        start(&mut *second);
        (0..100).for_each(|_| first.on_event(&Event::issued(0)));
        second.on_event(&Event::Evicted { candidate: 0, line: 7 });
        second.on_event(&Event::Missed { candidate: 0, line: 7, now: 0 });
        // 300 and 100 reach the cut-off of 400, by age the warps 2, 1; then 3 and 4 are above it.
        second.pick(0, &View::of(&[2, 4], 0));
        assert_eq!(first.stack().held_back(0, &[1, 3], 0), 0b10);
        let mut stack = first.stack();
        assert_eq!([stack.held_back(0, &[1, 3], 0), stack.held_back(1, &[2, 4], 0)], [0b10, 0b10]);
        drop(stack);
        let alone = Ccws::new(Options { scores: Scores::Scheduler, ..options });
        assert!(alone.sibling().is_none());
    }

    #[test]
    fn the_number_of_warps_is_that_of_the_scores_and_then_follows_the_mshrs() {
        let options =
            Options { gain: 50, cap: Cap::CutOff, settle: 100, window: 10, ..Options::default() };
        let mut one = Ccws::new(options);
        (0..4).for_each(|candidate| one.on_event(&Event::WarpStarted { candidate }));
        (0..100).for_each(|_| one.on_event(&Event::issued(0)));
        let view = |now| View::of(&AGES, now);
        // Two warps are below the cut-off in cycles 0 to 99, as in Figure 5.1 at its beginning.
        lose(&one, 0, 7);
        one.pick(0b1111, &view(0));
        one.on_event(&Event::MissesPending { used: 10, all: 10 });
        one.pick(0b1111, &view(100));
        assert_eq!(held_back(&one, 100), 0b1100);
        // All MSHRs are in use: one warp fewer. Then none is: one more per window.
        one.pick(0b1111, &view(110));
        assert_eq!(held_back(&one, 110), 0b1110);
        one.on_event(&Event::MissesPending { used: 0, all: 10 });
        let held = [120, 130].map(|now| held_back(&one, now));
        assert_eq!(held, [0b1100, 0b1000]);
        // One at a barrier does not count; and a warp beyond the number issues now and then.
        one.on_event(&Event::Left { candidate: 0, reason: LeaveReason::Barrier });
        assert_eq!(held_back(&one, 131), 0b0001);
        one.on_event(&Event::MissesPending { used: 7, all: 10 });
        let beyond = |one: &mut Ccws, now| {
            one.patience = 1000;
            one.stack().options.window = 1_000_000;
            one.pick(0b1000, &view(now))
        };
        one.stack().limit.as_mut().expect("it has settled").warps = 1;
        assert_eq!(beyond(&mut one, 132), None);
        assert_eq!(beyond(&mut one, 1000), Some(3));
    }
}

//! Slot `scheduler`: which ready path issues next.

use crate::execute::lanes::lanes_of;
use crate::program::loops::LoopPlace;

/// Constructs a scheduler from its options.
pub type Build = fn(&toml::Table) -> Result<Box<dyn Scheduler>, String>;

/// The most candidates that one scheduler can have.
pub const MAX_CANDIDATES: usize = 128;

/// A set of candidates: bit `i` is candidate `i`.
pub type CandidateSet = u128;

/// Picks among the paths that one scheduler of an SM may issue. A candidate is a place (hardware
/// warp and slot), numbered from 0 within the scheduler.
pub trait Scheduler: Send {
    /// One of the `ready` candidates, if the scheduler lets any of them issue in cycle `now`. `ages[i]` grows with
    /// the time at which the block of candidate `i` arrived (bits 16 on), then with the warp's number in
    /// it.
    fn pick(&mut self, ready: CandidateSet, ages: &[u64], now: u64) -> Option<usize>;

    /// A candidate was picked and did issue.
    fn issued(&mut self, candidate: usize);

    /// A candidate waits for memory or at a barrier, or has no path any more.
    fn leaves(&mut self, _candidate: usize) {}

    /// What it wants to hear of beside that; it costs time.
    fn wants(&self) -> Wanted {
        Wanted::default()
    }

    /// An instruction of a candidate has gone to the operand collector; [`Wanted::pipeline`].
    fn collects(&mut self, _candidate: usize) {}

    /// Such an instruction has its operands and begins to execute.
    fn executes(&mut self, _candidate: usize) {}

    /// A candidate belongs to a warp that begins; [`Wanted::control`] or [`Wanted::cache`].
    fn starts(&mut self, _candidate: usize) {}

    /// All threads of a candidate's warp have ended; [`Wanted::cache`].
    fn ends(&mut self, _candidate: usize) {}

    /// Candidates whose next instruction accesses the first-level cache, before each choice; [`Wanted::cache`].
    fn next_accesses(&mut self, _candidates: CandidateSet) {}

    /// The first-level cache has evicted a line that the warp of a candidate brought; [`Wanted::cache`].
    fn evicted(&mut self, _candidate: usize, _line: u64) {}

    /// A load of a candidate's warp misses a line in the first level, and asks for it, in cycle `now`; [`Wanted::cache`].
    fn missed(&mut self, _candidate: usize, _line: u64, _now: u64) {}

    /// So many MSHRs of all of the first level are in use; [`Wanted::cache`].
    fn misses_under_way(&mut self, _used: usize, _all: usize) {}

    /// Of the lines of the first level so many are its warps' part; told once, [`Wanted::loops`].
    fn has_lines(&mut self, _lines: u32) {}

    /// In which loop a candidate's path stands; nothing outside of loops with loads, at a barrier, and without a path;
    /// [`Wanted::loops`].
    fn in_loop(&mut self, _candidate: usize, _place: Option<LoopPlace>) {}

    /// A path has issued an instruction that writes a predicate, from what `compared` stands for in one of its lanes.
    fn compares(&mut self, _candidate: usize, _pc: u32, _compared: u64) {}

    /// A path has taken a branch backwards.
    fn goes_back(&mut self, _candidate: usize, _pc: u32, _now: u64) {}

    /// How many memory instructions that cannot go on in the load/store unit may wait beside it, so that later ones can. It is
    /// asked once.
    fn reexecution(&self) -> usize {
        0
    }

    /// Whose loads that wait there may miss: nothing for all, otherwise those of one candidate's warp, if it is one. The others wait
    /// on until they hit.
    fn owner(&self) -> Option<Option<usize>> {
        None
    }

    /// The candidates in the active pool, for a scheduler that has one: it picks no others.
    fn pool(&self) -> Option<CandidateSet> {
        None
    }
}

/// What a scheduler wants to hear of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// [`Scheduler::collects`] and [`Scheduler::executes`].
    pub pipeline: bool,
    /// [`Scheduler::starts`], [`Scheduler::compares`] and [`Scheduler::goes_back`].
    pub control: bool,
    /// The first-level cache: [`Scheduler::starts`], [`Scheduler::ends`], [`Scheduler::next_accesses`], [`Scheduler::evicted`],
    /// [`Scheduler::missed`] and [`Scheduler::misses_under_way`].
    pub cache: bool,
    /// [`Scheduler::has_lines`] and [`Scheduler::in_loop`].
    pub loops: bool,
}

/// The candidate among some for which a key is least.
#[inline]
pub(super) fn first_by<Key: Ord>(ready: CandidateSet, key: impl Fn(usize) -> Key) -> Option<usize> {
    let mut best: Option<(Key, usize)> = None;
    for candidate in members(ready) {
        let own = key(candidate);
        if best.as_ref().is_none_or(|(least, _)| own < *least) {
            best = Some((own, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The candidates of a set, in ascending order. Word by word: most sets have nothing in the second one.
#[inline]
pub(crate) fn members(set: CandidateSet) -> impl Iterator<Item = usize> {
    let (mut low, mut high) = (lanes_of(set as u64), lanes_of((set >> 64) as u64));
    std::iter::from_fn(move || low.next().or_else(|| high.next().map(|candidate| 64 + candidate)))
}

/// Whether a candidate is in a set.
#[inline]
pub(crate) fn has(set: CandidateSet, candidate: usize) -> bool {
    let word = if candidate < 64 { set as u64 } else { (set >> 64) as u64 };
    word >> (candidate % 64) & 1 != 0
}

/// The oldest of some candidates.
pub(crate) fn oldest(ready: CandidateSet, ages: &[u64]) -> Option<usize> {
    first_by(ready, |candidate| ages[candidate])
}

/// Of some candidates the one that issued last, or the oldest.
#[inline]
pub(crate) fn last_or_oldest(ready: CandidateSet, last: usize, ages: &[u64]) -> Option<usize> {
    if has(ready, last) { Some(last) } else { oldest(ready, ages) }
}

//! Slot `scheduler`: which ready path issues next.

use crate::execute::lanes::lanes_of;
pub use crate::mechanisms::event::{CandidateSet, Event, EventSet, LeaveReason, Stall};
use crate::mechanisms::setup::Setup;
use crate::observe::mechanism_statistics::MechanismStatistics;
use reconverge_isa::{Effect, Hints, Unit};

/// Constructs a scheduler from its options.
pub type Build = &'static (dyn Fn(&Setup) -> Result<Box<dyn Scheduler>, String> + Sync);

/// The most candidates that one scheduler can have.
pub const MAX_CANDIDATES: usize = 128;

/// The next instruction of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextInstruction {
    /// The instruction.
    pub pc: u32,
    /// Its unit.
    pub unit: Unit,
    /// Its effect.
    pub effect: Effect,
    /// The active lanes of its path; a guard may disable some of them.
    pub active: u64,
    /// It accesses the L1, or may: a generic address can be in shared memory too.
    pub accesses_cache: bool,
    /// Its hints, with its cache operator.
    pub hints: Hints,
}

/// A scheduler's candidates when it chooses.
pub struct View<'a> {
    /// By candidate: grows with the arrival of its block (bits 16 and up), then with the warp's index in the block.
    pub ages: &'a [u64],
    /// The cycle.
    pub now: u64,
    next: &'a dyn Fn(usize) -> Option<NextInstruction>,
    stall: &'a dyn Fn(usize) -> Stall,
}

impl<'a> View<'a> {
    /// A view at cycle `now`; `next` returns the next instruction of a candidate, `stall` what it waits for.
    pub(crate) fn new(
        ages: &'a [u64],
        now: u64,
        next: &'a dyn Fn(usize) -> Option<NextInstruction>,
        stall: &'a dyn Fn(usize) -> Stall,
    ) -> View<'a> {
        View { ages, now, next, stall }
    }

    /// The reason for which a candidate, ready or not, does not issue. A candidate is an index in [`View::ages`].
    pub fn stall(&self, candidate: usize) -> Stall {
        (self.stall)(candidate)
    }

    /// The next instruction of a candidate; none for the warp of a mechanism, or without a path. See
    /// [`Scheduler::looks_ahead`].
    pub fn next(&self, candidate: usize) -> Option<NextInstruction> {
        (self.next)(candidate)
    }

    /// A view of candidates without instructions, for tests.
    pub fn of(ages: &'a [u64], now: u64) -> View<'a> {
        View::new(ages, now, &|_| None, &|_| Stall::Nothing)
    }
}

/// Picks among the paths that one scheduler of an SM may issue. A candidate is a warp slot and a path slot, by an index
/// from 0 at the scheduler.
pub trait Scheduler: Send {
    /// One of the `ready` candidates, if the scheduler lets any of them issue in the view's cycle.
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize>;

    /// Returns true if [`Scheduler::pick`] may call [`View::next`], constant from its construction on. A scheduler that
    /// never does picks faster with `false`; its views then have no instructions.
    fn looks_ahead(&self) -> bool {
        true
    }

    /// Another scheduler of the same SM, with the state that an SM has once; `None` if the schedulers share nothing.
    fn sibling(&self) -> Option<Box<dyn Scheduler>> {
        None
    }

    /// The kinds of events that it receives, constant from its construction on.
    fn events(&self) -> EventSet {
        EventSet::NONE
    }

    /// Receives an event of a kind in [`Scheduler::events`].
    fn on_event(&mut self, _event: &Event) {}

    /// Adds the counters that it declares ([`Mechanism::statistics`](crate::Mechanism::statistics)), with their values at
    /// the beginning of a cycle.
    fn count(&self, _own: &mut MechanismStatistics, _cycle: u64) {}

    /// The number of stalled memory instructions that may wait in the replay queue of the load/store unit, constant
    /// from its construction on.
    fn replay_queue(&self) -> usize {
        0
    }

    /// The replayed loads that may miss: `None` for all, otherwise those of one candidate's warp, if there is one. The
    /// other loads wait until they hit.
    fn owner(&self) -> Option<Option<usize>> {
        None
    }

    /// The candidates in the active pool, for a scheduler that has one: it picks no others.
    fn pool(&self) -> Option<CandidateSet> {
        None
    }
}

/// The candidate of a set with the least key.
#[inline]
pub fn first_by<Key: Ord>(ready: CandidateSet, key: impl Fn(usize) -> Key) -> Option<usize> {
    let mut best: Option<(Key, usize)> = None;
    for candidate in members(ready) {
        let own = key(candidate);
        if best.as_ref().is_none_or(|(least, _)| own < *least) {
            best = Some((own, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The candidates of a set, in ascending order. Goes word by word, because the second word is empty in most sets.
#[inline]
pub fn members(set: CandidateSet) -> impl Iterator<Item = usize> {
    let (mut low, mut high) = (lanes_of(set as u64), lanes_of((set >> 64) as u64));
    std::iter::from_fn(move || low.next().or_else(|| high.next().map(|candidate| 64 + candidate)))
}

/// Returns true if a candidate is in a set.
#[inline]
pub fn has(set: CandidateSet, candidate: usize) -> bool {
    let word = if candidate < 64 { set as u64 } else { (set >> 64) as u64 };
    word >> (candidate % 64) & 1 != 0
}

/// The oldest candidate of a set.
pub fn oldest(ready: CandidateSet, ages: &[u64]) -> Option<usize> {
    first_by(ready, |candidate| ages[candidate])
}

/// The youngest candidate of a set.
pub fn youngest(ready: CandidateSet, ages: &[u64]) -> Option<usize> {
    first_by(ready, |candidate| std::cmp::Reverse(ages[candidate]))
}

/// The candidate that issued last if it is in the set, otherwise the oldest.
#[inline]
pub fn last_or_oldest(ready: CandidateSet, last: usize, ages: &[u64]) -> Option<usize> {
    if has(ready, last) { Some(last) } else { oldest(ready, ages) }
}

//! Slot `scheduler`: which ready path issues next.

mod greedy_then_oldest;
mod loose_round_robin;
mod oldest_first;
mod two_level;

use crate::mechanism::{self, Mechanism};

/// Constructs a scheduler from its options.
pub type Build = fn(&toml::Table) -> Result<Box<dyn Scheduler>, String>;

/// The schedulers that exist.
pub static MECHANISMS: &[Mechanism<Build>] = &[
    loose_round_robin::MECHANISM,
    oldest_first::MECHANISM,
    greedy_then_oldest::MECHANISM,
    two_level::MECHANISM,
];

/// The scheduler of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    mechanism::find("scheduler", MECHANISMS, name)
}

/// The most candidates that one scheduler can have.
pub const MAX_CANDIDATES: usize = 128;

/// A set of candidates: bit `i` is candidate `i`.
pub type CandidateSet = u128;

/// Picks among the paths that one scheduler of an SM may issue. A candidate is a place (hardware
/// warp and slot), numbered from 0 within the scheduler.
pub trait Scheduler: Send {
    /// One of the `ready` candidates, if the scheduler lets any of them issue now. `ages[i]` grows with
    /// the time at which the block of candidate `i` arrived (bits 16 on), then with the warp's number in
    /// it.
    fn pick(&mut self, ready: CandidateSet, ages: &[u64]) -> Option<usize>;

    /// A candidate was picked and did issue.
    fn issued(&mut self, candidate: usize);

    /// A candidate waits for memory or at a barrier, or has no path any more.
    fn leaves(&mut self, _candidate: usize) {}

    /// The candidates in the active pool, for a scheduler that has one: it picks no others.
    fn pool(&self) -> Option<CandidateSet> {
        None
    }
}

/// The oldest of some candidates.
fn oldest(ready: CandidateSet, ages: &[u64]) -> Option<usize> {
    let mut rest = ready;
    let mut best: Option<usize> = None;
    while rest != 0 {
        let candidate = rest.trailing_zeros() as usize;
        if best.is_none_or(|best| ages[candidate] < ages[best]) {
            best = Some(candidate);
        }
        rest &= rest - 1;
    }
    best
}

/// For a scheduler without options.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct NoOptions {}

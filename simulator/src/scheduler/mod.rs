//! Slot `scheduler`: which ready path issues next.

mod greedy_then_oldest;
mod loose_round_robin;

use crate::mechanism::{self, Mechanism};

/// Constructs a scheduler from its options.
pub type Build = fn(&toml::Table) -> Result<Box<dyn Scheduler>, String>;

/// The schedulers that exist.
pub static MECHANISMS: &[Mechanism<Build>] =
    &[loose_round_robin::MECHANISM, greedy_then_oldest::MECHANISM];

/// The scheduler of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    mechanism::find("scheduler", MECHANISMS, name)
}

/// The most candidates that one scheduler can have.
pub const MAX_CANDIDATES: usize = 128;

/// A set of candidates: bit `i` is candidate `i`.
pub type CandidateSet = u128;

/// Picks among the paths that one scheduler of a core may issue. A candidate is a place (hardware
/// warp and slot), numbered from 0 within the scheduler.
pub trait Scheduler: Send {
    /// One of the `ready` candidates, which are not empty. `ages[i]` grows with the time at which
    /// the block of candidate `i` arrived, then with the warp's number in it.
    fn pick(&mut self, ready: CandidateSet, ages: &[u64]) -> usize;

    /// A candidate was picked and did issue.
    fn issued(&mut self, candidate: usize);
}

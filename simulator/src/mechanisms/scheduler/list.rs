//! The mechanisms of the slot `scheduler`.

use super::slot::{Build, Scheduler};
use super::{
    ccws, compiler_guided, divergence_aware, fair, greedy_then_oldest, instruction_count,
    loose_round_robin, mascar, oldest_first, spin_backoff, two_level, youngest_first,
};
use crate::machine::Machine;
use crate::mechanisms::mechanism::{List, Mechanism};

/// The schedulers that exist.
pub static MECHANISMS: List<Build> = List::new(
    "scheduler",
    &[
        loose_round_robin::MECHANISM,
        oldest_first::MECHANISM,
        greedy_then_oldest::MECHANISM,
        two_level::MECHANISM,
        youngest_first::MECHANISM,
        compiler_guided::MECHANISM,
        instruction_count::MECHANISM,
        fair::MECHANISM,
        spin_backoff::MECHANISM,
        ccws::MECHANISM,
        mascar::MECHANISM,
        divergence_aware::MECHANISM,
    ],
);

/// The scheduler of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    MECHANISMS.find(name)
}

/// One warp scheduler.
pub(crate) fn build(machine: &Machine) -> Result<Box<dyn Scheduler>, String> {
    let mechanism = find(&machine.scheduler)?;
    (mechanism.build)(machine.options(mechanism.name))
}

/// The warp schedulers of an SM.
pub(crate) fn build_all(machine: &Machine) -> Result<Vec<Box<dyn Scheduler>>, String> {
    let mut all = vec![build(machine)?];
    for _ in 1..machine.sm.schedulers {
        let next = all[0].sibling().map_or_else(|| build(machine), Ok)?;
        all.push(next);
    }
    Ok(all)
}

//! The mechanisms of the slot `scheduler`.

use super::slot::{Build, Scheduler};
use super::{
    ccws, compiler_guided, divergence_aware, fair, greedy_then_oldest, instruction_count,
    loose_round_robin, mascar, oldest_first, spin_backoff, two_level, youngest_first,
};
use crate::machine::Machine;
use crate::mechanisms::mechanism::{List, Mechanism};
use crate::mechanisms::setup::Setup;

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

/// One warp scheduler, of no SM.
pub(crate) fn build(machine: &Machine) -> Result<Box<dyn Scheduler>, String> {
    (find(&machine.scheduler)?.build)(&Setup::on(machine, &machine.scheduler))
}

/// The warp schedulers of an SM.
pub(crate) fn build_all(machine: &Machine, sm: usize) -> Result<Vec<Box<dyn Scheduler>>, String> {
    let mechanism = find(&machine.scheduler)?;
    let setup = Setup::on(machine, mechanism.name).of_sm(sm);
    let mut all: Vec<Box<dyn Scheduler>> = Vec::new();
    for scheduler in 0..machine.sm.schedulers as usize {
        let sibling = all.first().and_then(|first| first.sibling());
        let next = sibling.map_or_else(|| (mechanism.build)(&setup.of_scheduler(scheduler)), Ok)?;
        all.push(next);
    }
    Ok(all)
}

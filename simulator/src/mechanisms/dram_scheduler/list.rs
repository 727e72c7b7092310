//! The mechanisms of the slot `dram-scheduler`.

use super::slot::{Build, DramScheduler};
use super::{fp_frfcfs, fr_fcfs, frfp_fcfs};
use crate::machine::Machine;
use crate::mechanisms::mechanism::{List, Mechanism};
use crate::mechanisms::setup::Setup;

/// The mechanisms that exist.
pub static MECHANISMS: List<Build> =
    List::new("dram-scheduler", &[fr_fcfs::MECHANISM, frfp_fcfs::MECHANISM, fp_frfcfs::MECHANISM]);

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    MECHANISMS.find(name)
}

/// The scheduler of a memory channel, or of one of its sub-ranks.
pub(crate) fn build(machine: &Machine) -> Result<Box<dyn DramScheduler>, String> {
    let mechanism = find(&machine.dram_scheduler)?;
    (mechanism.build)(&Setup::on(machine, mechanism.name), &machine.dram.sub_rank())
}

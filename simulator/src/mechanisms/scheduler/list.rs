//! The mechanisms of the slot `scheduler`.

use super::slot::Build;
use super::{
    ccws, divergence_aware, fair, greedy_then_oldest, instruction_count, loose_round_robin, mascar,
    oldest_first, spin_backoff, two_level, youngest_first,
};
use crate::mechanisms::mechanism::{self, Mechanism};

/// The schedulers that exist.
pub static MECHANISMS: &[Mechanism<Build>] = &[
    loose_round_robin::MECHANISM,
    oldest_first::MECHANISM,
    greedy_then_oldest::MECHANISM,
    two_level::MECHANISM,
    youngest_first::MECHANISM,
    instruction_count::MECHANISM,
    fair::MECHANISM,
    spin_backoff::MECHANISM,
    ccws::MECHANISM,
    mascar::MECHANISM,
    divergence_aware::MECHANISM,
];

/// The scheduler of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    mechanism::find("scheduler", MECHANISMS, name)
}

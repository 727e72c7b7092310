//! Slot `scheduler`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

mod ccws;
mod compiler_guided;
mod divergence_aware;
mod fair;
mod greedy_then_oldest;
mod instruction_count;
pub mod list;
mod loose_round_robin;
mod mascar;
mod oldest_first;
mod slot;
mod spin_backoff;
mod two_level;
mod youngest_first;

pub use slot::{
    Build, MAX_CANDIDATES, NextInstruction, Scheduler, View, first_by, has, last_or_oldest,
    members, oldest, youngest,
};

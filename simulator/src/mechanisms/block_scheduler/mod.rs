//! Slot `block-scheduler`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

pub mod list;
mod locality;
mod round_robin;
pub(crate) mod slot;
mod throttled;

pub use slot::{BlockScheduler, Build, SlotCounts, SmRoom};

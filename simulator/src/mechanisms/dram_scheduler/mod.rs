//! Slot `dram-scheduler`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

mod fp_frfcfs;
mod fr_fcfs;
mod frfp_fcfs;
pub mod list;
mod priority;
mod slot;

pub use slot::{BankQueue, Build, Choice, DramRequest, DramScheduler};

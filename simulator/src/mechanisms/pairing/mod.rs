//! Slot `pairing`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

pub mod list;
mod next_instruction;
mod nothing;
mod other_path;
mod other_warp;
pub(crate) mod slot;

pub use slot::{Build, First, Pairing};

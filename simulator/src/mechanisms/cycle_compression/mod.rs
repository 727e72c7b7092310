//! Slot `cycle-compression`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

mod bcc;
mod ivb_half;
pub mod list;
mod none;
mod scc;
mod slot;
#[cfg(test)]
mod tests;

pub use slot::{Build, CycleCompression, MicroOperation, Saved, Widths};

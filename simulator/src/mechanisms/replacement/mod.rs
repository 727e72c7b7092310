//! Slot `replacement`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

mod fifo;
pub mod list;
mod lru;
mod random;
mod slot;
#[cfg(test)]
mod tests;
mod tree_pseudo_lru;
mod ways;

pub use slot::{Build, Replacement};
pub use ways::Ways;

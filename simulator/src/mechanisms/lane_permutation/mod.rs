//! Slot `lane-permutation`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

mod balanced;
mod flip_odd;
mod ideal;
mod identity;
pub mod list;
mod odd_even;
mod random;
mod reverse_warp_id;
mod rotate_odd_1;
mod slot;
#[cfg(test)]
mod tests;
mod warp_id;
mod xor_half_odd;

pub use slot::{Build, LaneMap};

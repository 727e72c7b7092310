//! Slot `affine`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

mod cae;
pub mod compact;
pub(crate) mod decoupled;
mod g_scalar;
pub mod list;
mod memoisation;
mod none;
mod scalar_unit;
mod similarity;
pub(crate) mod slot;
pub(crate) mod streams;
pub mod tags;
mod warp_approximation;

//! Slot `local-cache`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

mod affine_vector;
mod affine_vector_cache;
pub mod list;
mod none;
mod slot;

pub use affine_vector::{AffineVector, LANES};
pub use slot::{Build, LocalCache, LocalShape, Origin, Outcome, Space, Transaction, Victim};

//! Slot `granularity`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

mod bimodal;
mod coarse;
mod divergence_size;
mod filter;
mod fine;
pub mod list;
mod slot;
mod spatial_pattern;

pub use slot::{Build, Granularity, LineShape, SectorMiss};

//! Slot `divergence`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

mod block_compaction;
pub mod block_wide;
mod by_splits;
mod capri;
mod convergence_barrier;
mod convergence_sets;
mod counts;
mod dual_path;
mod large_warp;
pub(crate) mod layout;
mod likely_convergence;
pub mod list;
mod multi_path;
mod simt_stack;
pub(crate) mod slot;
mod splits;
mod thread_frontiers;
mod warp_formation;
mod warp_subdivision;

#[cfg(test)]
pub(crate) use block_wide::{Threads, fewest};
pub use counts::{CompactionCounts, PathCounts};
pub use layout::Layout;
pub use slot::{BlockShape, Build, Capabilities, Divergence, DivergenceCounts, Observe, Step};

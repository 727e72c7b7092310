//! Finished machine code: liveness under divergence, and the passes that annotate or change it once registers are
//! assigned and every instruction has its place. [`crate::pass::PASSES`] names them with their order.

pub mod assembly;
pub mod barrier_check;
mod common_addresses;
pub mod control_bits;
pub mod control_report;
pub mod convergence_barriers;
mod counters;
pub mod dependence_check;
pub mod graph;
pub mod hints;
pub mod last_read;
pub mod lifetimes;
mod limits;
pub mod liveness;
pub mod placement;
pub mod reconvergence;
pub mod region;
pub mod registers;
pub mod staging;
pub mod strands;
pub mod waiting;

pub use assembly::Assembly;
pub use last_read::LastReads;

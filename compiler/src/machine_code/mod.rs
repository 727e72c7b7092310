//! Finished machine code: liveness under divergence, last reads, levels of registers, and convergence barriers, which
//! are added once registers are assigned and every instruction has its place.

pub mod barrier_check;
pub mod convergence_barriers;
pub mod graph;
pub mod last_read;
pub mod lifetimes;
pub mod liveness;
pub mod placement;
pub mod reconvergence;
pub mod region;
pub mod registers;
pub mod staging;
pub mod strands;
pub mod waiting;

pub use last_read::LastReads;

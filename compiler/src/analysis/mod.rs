//! What is known of a function's control flow and values.

pub mod affine;
pub mod control;
pub mod convergence;
pub mod cycles;
pub mod dominators;
pub mod flow;
pub mod graphviz;
pub mod join;
pub mod liveness;
pub mod loops;
pub mod memory;
pub mod transfer;

pub use dominators::DominatorTree;
pub use liveness::Liveness;
pub use loops::Loops;

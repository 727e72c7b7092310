//! What is known of a function's control flow and values.

pub mod dominators;
pub mod graphviz;
pub mod liveness;
pub mod loops;

pub use dominators::DominatorTree;
pub use liveness::Liveness;
pub use loops::Loops;

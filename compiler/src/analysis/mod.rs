//! Analyses of a function's control flow and values.

pub mod access;
pub mod affine;
pub mod alignment;
pub mod answers;
pub mod collective;
pub mod control;
pub mod convergence;
pub mod cycles;
pub mod dominators;
pub mod flow;
pub mod frontier;
pub mod graphviz;
pub mod join;
pub mod legality;
mod lengauer_tarjan;
pub mod live_ranges;
pub mod liveness;
pub mod loops;
pub mod memory;
pub mod mix;
pub mod places;
mod quotient;
pub mod races;
pub mod reason;
pub mod report;
mod same;
pub mod sparse;
pub mod steady;
pub mod taint;
pub mod value_range;

pub mod transfer;

pub use affine::{Condition, Launches, Scope};
pub use answers::Answers;
pub use dominators::DominatorTree;
pub use flow::Flow;
pub use liveness::Liveness;
pub use loops::Loops;
pub use steady::Steady;

#[cfg(test)]
mod random;
#[cfg(test)]
mod transfer_tests;

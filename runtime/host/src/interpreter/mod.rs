//! The reference interpreter: checked tree to bytecode to results.
//!
//! It runs host programs under every model, and kernels under the reference model. It is the oracle
//! of the other models and shares nothing with their parts: no IR, no passes, no instruction set,
//! no simulator.

pub mod arithmetic;
mod assembly;
mod assembly_text;
pub mod atomic;
mod block;
pub mod bytecode;
mod collective;
pub mod compile;
mod counted_barrier;
mod deadlock;
pub mod device_memory;
mod directed;
pub mod environment;
pub mod kind;
pub mod math;
mod objects;
mod operations;
mod reconvergence;
pub mod reference;
mod rounded;
pub mod row_loops;
mod rows;
pub(crate) mod shared_layout;
mod sort;
mod straight;
mod unused;
pub mod vm;
mod words;

#[cfg(test)]
mod tests;

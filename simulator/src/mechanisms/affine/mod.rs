//! Slot `affine`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

mod cae;
pub mod compact;
mod decoupled;
mod g_scalar;
pub mod list;
mod memoisation;
mod none;
mod scalar_unit;
mod similarity;
mod slot;
mod streams;
pub mod tags;
mod warp_approximation;

pub use slot::Streams;
pub(crate) use slot::{
    Affine, Design, How, MechanismWait, OwnIssue, OwnStart, OwnWork, PC, Ports, SecondStream,
    Takes, Ticked,
};
pub(crate) use streams::{check_instruction, check_kernel};

//! Slot `allocation`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

pub(crate) mod access;
mod all;
mod climb;
mod coordinated;
mod divergence_reuse;
pub mod list;
mod medic;
mod mrpb;
mod pcal;
mod priority_allocation;
mod protection_distance;
pub(crate) mod sampling;
mod slot;
mod tokens;

pub use sampling::Sampling;
pub use slot::{Allocation, Build, CacheShape, Level, LineAccess, Properties, Requester, Token};

//! Slot `register-file`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

mod banked;
mod banks;
mod collectors;
mod compiler_managed;
mod compressed;
mod drowsy;
mod followed;
pub mod list;
mod live;
mod pilot;
mod register_cache;
mod regless;
mod slot;
mod values;
mod virtualized;

pub use slot::{
    Build, Destination, Leave, MAX_OPERANDS, ManagedLevels, Operands, PathAt, Reader,
    RegisterCounts, RegisterFile, ResultRegisters, Shape, StagingUnit, Transfer,
};

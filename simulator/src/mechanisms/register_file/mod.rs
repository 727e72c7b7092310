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
pub(crate) mod operands;
mod pilot;
mod register_cache;
mod regless;
mod slot;
mod values;
mod virtualized;

pub use slot::{
    Build, Destination, Leave, MAX_OPERANDS, Operands, PathAt, Properties, Reader, RegisterCounts,
    RegisterFile, RegisterLimits, ResultRegisters, Shape, Transfer,
};

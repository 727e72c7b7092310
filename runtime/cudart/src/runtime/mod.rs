//! CUDA's runtime: a file per chapter of its documentation.

pub mod device;
mod graph;
pub mod kernel;
pub mod launch;
pub mod memory;
mod missing;
pub mod properties;
pub mod reference;
pub mod register;
pub mod stream;
pub mod texture;
mod transfer;

//! The runtime.

pub mod host;
pub mod interpreter;

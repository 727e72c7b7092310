//! The compiler.

pub mod check;
pub mod syntax;

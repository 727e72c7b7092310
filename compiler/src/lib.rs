//! The compiler.

pub mod check;
pub mod diagnostic;
pub mod syntax;

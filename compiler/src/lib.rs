//! The compiler.

pub mod syntax;

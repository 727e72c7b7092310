//! The compiler.

pub mod analysis;
pub mod check;
pub mod diagnostic;
pub mod ir;
pub mod lower;
pub mod pass;
pub mod syntax;

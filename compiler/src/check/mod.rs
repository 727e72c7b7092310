//! Names, types and conversions: from the syntax tree to the checked tree.

pub mod builtin;
pub mod tree;

//! From text to syntax tree.

pub mod source;

pub use source::{FileId, Position, SourceMap, Span};

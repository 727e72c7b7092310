//! From text to syntax tree.

mod source;

pub use source::{FileId, Position, SourceMap, Span};

//! Functions and objects of the C, C++ and CUDA libraries that need more than a row of
//! [`builtin::TABLE`](super::builtin::TABLE): each file checks the calls of one kind.

pub(crate) mod allocation;
pub(crate) mod comparison;
mod conversion;
pub(crate) mod enumeration;
pub(crate) mod format;
pub(crate) mod format_input;
pub(crate) mod hint;
pub(crate) mod known;
pub(crate) mod sides;
pub mod stream;
pub(crate) mod swap;
mod versions;

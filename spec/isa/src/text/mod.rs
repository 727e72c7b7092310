//! The assembly text of a program: [`print()`] writes it, [`parse`] reads it back without loss.
//!
//! The text is made of lines; `//` begins a comment. `spec/isa.md` describes it with an example.

mod beside;
mod error;
mod format;
mod parse;
mod print;
mod scan;

pub use beside::beside;
pub use error::{TextError, TextFault};
pub use format::format;
pub use parse::{
    ANNOTATIONS, Assembled, DIRECTIVES, KernelPlaces, Position, Remark, assemble, odd_size, parse,
};
pub use print::{list, list_kernel, parts_of, print, print_instruction, print_kernel};

//! Parts that the tests share: the generators of random kernels, of large ones and of programs of plain C,
//! the comparisons with the oracle and with the system's C compiler, and the hunt for planted faults; the
//! writing of generated documents; the matrix of programs and machines; how the architecture is measured;
//! the files of public suites.

#![deny(clippy::unwrap_used)]

pub mod architecture;
pub mod barriers;
pub mod c_programs;
pub mod clang;
pub mod cpp_programs;
pub mod csmith;
pub mod document;
pub mod examples;
pub mod faultless;
#[cfg(feature = "planted-faults")]
pub mod faults;
pub mod frontend;
pub mod generate;
pub mod large;
pub mod matrix;
pub mod mutants;
pub mod oracle;
pub mod planted;
pub mod ptx;
pub mod slice;
pub mod units;
pub mod watched;

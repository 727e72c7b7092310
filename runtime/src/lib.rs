//! The runtime: the reference interpreter, host programs and their library, launches on the
//! simulator, and the command line.

#![deny(clippy::unwrap_used)]

pub mod build;
pub mod build_arguments;
pub mod checks;
pub mod command;
pub mod comparison;
mod emitted;
pub mod energy;
pub mod execute;
pub mod findings;
mod fit;
pub mod gpgpusim;
pub mod host;
pub mod interpreter;
pub mod interruption;
pub mod kernel_file;
pub mod load_hints;
pub mod machine_file;
pub mod page;
pub mod profile;
pub mod report;
pub mod serve;
pub mod session;
pub mod simulated;
mod source;
pub mod status;
pub mod study;
pub mod trace;
mod tracks;
pub mod why;

pub use session::{Arg, Buffer, CompileOptions, Dim, Error, Gpu, Module, Target};

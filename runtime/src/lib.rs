//! The library: compiles programs, runs them on the simulator, and keeps the measurements, one by
//! one ([`session`]) or many ([`study`]).

#![deny(clippy::unwrap_used)]

pub mod build;
pub mod build_arguments;
pub mod causes;
pub mod checks;
pub mod comparison;
mod dependences;
mod emitted;
pub mod energy;
pub mod execute;
pub mod exercise;
pub mod extend;
pub mod findings;
pub mod fit;
pub mod gpgpusim;
pub mod idealised;
pub mod kernel_file;
pub mod kernel_record;
pub mod load_hints;
pub mod machine_file;
pub mod meaning;
pub mod message;
mod model_name;
pub mod named;
pub mod numbers;
pub mod profile;
mod ptx_reference;
mod refused;
pub mod report;
pub mod session;
pub mod simulated;
pub mod source;
pub mod study;
pub mod table;
pub mod trace;
pub mod tracks;
pub mod what_if;
pub mod why;

pub use reconverge_host as host;
pub use reconverge_host::{interpreter, interruption, status};
pub use session::{Arg, Buffer, CompileOptions, Dim, Error, Gpu, Module, Target};

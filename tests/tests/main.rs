//! Every test of this crate as a module of one program, which is linked once. `cargo test -p reconverge-tests NAME::`
//! runs the tests of one module.
//!
//! `memory.rs` is a program of its own: its allocator counts the allocations of the whole process.

mod analysis;
mod architecture;
mod barriers;
mod c_programs;
mod cc;
mod checks;
mod circles;
mod convergence_barriers;
mod copies;
mod course;
mod cpp_programs;
mod data;
mod decoupling;
mod diagnostics;
mod documents;
mod eighths;
mod examples;
mod faults;
mod frontend;
mod generate;
mod generated;
mod golden;
mod grammars;
mod inline_ptx;
mod large;
mod last_read;
mod limits;
mod matrices;
mod matrix;
mod mix;
mod mutants;
mod names;
mod options;
mod placement;
mod planted;
mod progress;
mod ptx;
mod ptx_conformance;
mod ptx_kernels;
mod random_code;
mod round_trips;
mod run;
mod smoke;
mod staging;
mod studies;
mod style;
mod tensor;
mod timing;
mod today;
mod trace;
mod wmma;
mod workloads;

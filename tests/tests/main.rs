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
mod course;

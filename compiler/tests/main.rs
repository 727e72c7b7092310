//! Every test of this crate as a module of one program, which is linked once. `cargo test -p reconverge-compiler --test
//! all NAME::` runs the tests of one module.

mod faulty;
mod grammar;
mod guarded;
mod ptx;
mod syntax;
mod syntax_mutations;

//! Every test of this crate as a module of one program, which is linked once. `cargo test -p reconverge-isa --test all
//! NAME::` runs the tests of one module.

mod binary;
mod common;
mod format;
mod lane;
mod spec;
mod text;

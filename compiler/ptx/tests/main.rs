//! Every test of this crate as a module of one program, which is linked once. `cargo test -p reconverge-ptx --test all
//! NAME::` runs the tests of one module.

mod parse;
mod spec;

//! Every test of this crate as a module of one program, which is linked once. `cargo test -p reconverge-simulator --test
//! all NAME::` runs the tests of one module.

mod affine;
mod affine_timing;
mod cache_management;
mod compact;
mod compaction;
mod control_bits;
mod core;
mod documents;
mod energy;
mod faults;
mod global_vectors;
mod local_cache;
mod machine;
mod models;
mod old_values;
mod pairing;
mod paths;
mod prefetch;
mod register_files;
mod samples;
mod second_level;
mod similarity;
mod steps;
mod sub_cores;
mod support;
mod tiny;

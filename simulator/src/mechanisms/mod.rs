//! The interchangeable parts of a machine: a folder for each slot, a file for each mechanism, and the registry of all.

pub mod affine;
pub mod allocation;
pub mod block_scheduler;
pub(crate) mod code_target;
pub mod cycle_compression;
pub mod demands;
pub mod divergence;
pub mod dram_scheduler;
pub mod event;
pub mod granularity;
pub mod lane_permutation;
pub mod local_cache;
pub(crate) mod mechanism;
pub mod pairing;
pub mod prefetcher;
pub mod register_file;
pub(crate) mod registry;
pub mod replacement;
pub mod scheduler;
pub(crate) mod setup;

//! CUDA's runtime (`libcudart.so`) and driver (`libcuda.so.1`) on the simulator.
//!
//! A program that nvcc or clang compiled loads this library in the place of CUDA's, and runs unchanged: memory, launches and
//! events are those of a simulated machine. `reconverge exec` sets what is needed, and docs/programs.md says what is supported.
//!
//! Operations are performed when they are issued, in the order in which they are issued, whatever their stream. That order is
//! one that streams and events allow. The functions are safe to call from any thread: one lock covers the state.
//!
//! All of `unsafe` is in [`abi`] and [`managed`], each block with its contract; the functions of the interface are declared by
//! macros.

#![cfg(target_os = "linux")]
#![deny(clippy::unwrap_used)]

mod abi;
mod copy;
mod device;
mod driver;
mod error;
mod fatbin;
mod graph;
mod image;
mod link;
mod managed;
mod prepare;
mod runtime;
mod state;
mod stream;

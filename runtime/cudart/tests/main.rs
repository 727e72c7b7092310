//! Programs of the host that load the library. They need a C compiler (`cc`) or clang; without it a test says so and ends.

#![cfg(target_os = "linux")]

mod headers;
mod interface;
mod nvcc;
mod programs;
mod python;
mod setup;

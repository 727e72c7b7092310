//! Host programs: their interpreter, their memory, their library, and the interface to the device
//! that runs kernels.
//!
//! The interpreter runs kernels too, under the reference model. It is the oracle: of the project's crates it may depend
//! on the front end and on CUDA's mathematical functions alone.

#![deny(clippy::unwrap_used)]

pub mod allocation;
pub mod arena;
mod cuda;
pub mod cuda_error;
mod cuda_memory;
mod cuda_stream;
mod decimal;
pub mod denied;
pub mod device;
mod environment;
mod file_library;
mod files;
mod float_text;
mod input_format;
pub mod interpreter;
pub mod interruption;
pub mod launch;
mod libc;
pub mod memory;
mod new_library;
mod occupancy;
pub mod order;
mod ostream;
mod output;
pub mod printed;
mod printf;
pub mod program;
pub mod properties;
mod random;
pub mod report;
pub mod sandbox;
pub mod scalar;
mod scan;
pub mod status;
mod stream;
mod text_library;
mod time_library;
mod unwritten;

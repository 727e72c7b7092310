//! Host programs: their memory, their library, and the seam to whatever runs kernels.

pub mod arena;
mod cuda;
pub mod cuda_error;
mod cuda_memory;
mod decimal;
pub mod device;
mod environment;
mod file_library;
mod files;
mod float_text;
mod input_format;
pub(crate) mod launch;
mod libc;
pub mod memory;
mod new_library;
mod ostream;
mod output;
mod printf;
pub mod program;
mod properties;
mod random;
pub mod report;
mod scan;
mod stream;
pub mod surroundings;
mod text_library;
mod time_library;

//! Host programs: their memory, their library, and the seam to whatever runs kernels.

pub mod arena;
pub mod decimal;
pub mod device;
pub mod float_text;
pub mod memory;
pub mod printf;
pub mod random;
pub mod report;

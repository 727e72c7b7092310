//! A kernel as the machine executes it: decoded instructions with their operands, loops around loads, and the
//! regions.

pub(crate) mod code;
pub(crate) mod control_bits;
pub(crate) mod decode;
pub(crate) mod decoded;
pub(crate) mod distribute;
mod full_counters;
pub(crate) mod loops;
pub(crate) mod memory_times;
pub(crate) mod operands;
pub(crate) mod regions;

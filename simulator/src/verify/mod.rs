//! Checks of the compiler's claims while a kernel runs: annotations of values, last reads, registers of regions, and the
//! levels of a register file.

pub(crate) mod annotations;
pub(crate) mod claim;
pub(crate) mod hints;
pub(crate) mod levels;
pub(crate) mod placements;
pub(crate) mod regions;
pub(crate) mod released;

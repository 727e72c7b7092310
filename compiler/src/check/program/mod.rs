//! Properties of a whole program: the faults that matter, the functions that reach others, unused
//! declarations, and the module of its two passes.

pub(crate) mod link;
mod lint;
pub(crate) mod needed;
mod reach;
pub(crate) mod renumber;
mod unit;

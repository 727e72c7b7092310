//! What is asked of a program as a whole once all of it is known: which faults matter, which functions
//! reach which, what is declared but never used, and what its two passes make together.

pub(crate) mod link;
mod lint;
pub(crate) mod needed;
mod reach;
pub(crate) mod renumber;
mod unit;

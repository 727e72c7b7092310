//! What is asked of a program as a whole once all of it is known: which faults matter, which functions
//! reach which, and what is declared but never used.

pub(crate) mod lint;
pub(crate) mod needed;
pub(crate) mod reach;

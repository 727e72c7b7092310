//! Overload resolution: which of the functions with one name a call means.

pub(crate) mod associated;
pub(crate) mod builtin;
pub(crate) mod program;

//! The instruction set.

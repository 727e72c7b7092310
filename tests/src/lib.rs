//! What the tests share: the generators of random and of large kernels, and the comparison with the
//! oracle.

pub mod generate;
pub mod large;
pub mod oracle;

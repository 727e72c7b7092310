//! What the tests share: the generator of random kernels and the comparison with the oracle.

pub mod generate;
pub mod oracle;

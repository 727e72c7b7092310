//! What the tests share: the harness over data files and the generator of random kernels.

pub mod generate;

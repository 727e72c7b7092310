//! What the tests share: the generators of random and of large kernels, the comparison with the
//! oracle, and the hunt for planted faults.

#[cfg(feature = "planted-faults")]
pub mod faults;
pub mod frontend;
pub mod generate;
pub mod large;
pub mod oracle;

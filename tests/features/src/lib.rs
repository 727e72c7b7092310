//! Shared by the tests of every package. The manifest states the features of dependencies that the packages share.

/// Returns true if the part of a list of runs that is tried has this number. It is one of `parts` parts, not 0, which the
/// commit chooses (`RECONVERGE_SEED`, hexadecimal); all of them with `RECONVERGE_ALL`.
pub fn is_in_part(number: usize, parts: usize) -> bool {
    let seed = std::env::var("RECONVERGE_SEED").unwrap_or_default();
    let turn = u64::from_str_radix(&seed, 16).unwrap_or(0) as usize % parts;
    std::env::var_os("RECONVERGE_ALL").is_some() || number % parts == turn
}

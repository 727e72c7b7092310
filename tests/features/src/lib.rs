//! Shared by the tests of every package. The manifest states the features of dependencies that the packages share.

/// Returns true if a run in halves has this number: every second one, which of the two depends on the commit
/// (`RECONVERGE_SEED`, hexadecimal); all with `RECONVERGE_ALL`.
pub fn is_in_half(number: usize) -> bool {
    let seed = std::env::var("RECONVERGE_SEED").unwrap_or_default();
    let turn = u64::from_str_radix(&seed, 16).unwrap_or(0) as usize % 2;
    std::env::var_os("RECONVERGE_ALL").is_some() || number % 2 == turn
}

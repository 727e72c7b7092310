//! Looks for the planted faults with generated programs.

use crate::generate::Generated;
use crate::oracle::{Case, variants};
use reconverge_isa::planted::Row;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// Generated programs from seed 0 on, each made, and put to the oracle, once.
pub struct Cases(Vec<OnceLock<Result<Case, String>>>);

impl Cases {
    /// Room for the first `count` programs.
    pub fn new(count: u64) -> Cases {
        Cases((0..count).map(|_| OnceLock::new()).collect())
    }

    /// Must be called without a fault switched on.
    fn get(&self, seed: u64) -> Result<&Case, String> {
        let case = self.0[seed as usize].get_or_init(|| Case::new(&Generated::new(seed).source()));
        case.as_ref().map_err(|problem| format!("seed {seed}: {problem}"))
    }
}

/// The evidence of a fault.
#[derive(Clone, Debug)]
pub struct Found {
    /// In which program: 1 for that of seed 0.
    pub kernels: u64,
    /// The comparison that showed it.
    pub how: String,
}

/// Runs generated programs with a fault switched on until one shows it, at most the number that its
/// row allows.
///
/// # Errors
/// A program that is not good without any fault.
pub fn hunt(row: &Row, cases: &Cases) -> Result<Option<Found>, String> {
    for seed in 0..row.within {
        let case = cases.get(seed)?;
        let attempt = || row.fault.during(|| case.compare(&variants(seed)));
        let how = match catch_unwind(AssertUnwindSafe(attempt)) {
            Ok(Ok(())) => continue,
            Ok(Err(failure)) => failure.short(),
            Err(_) => "panic".to_string(),
        };
        return Ok(Some(Found { kernels: seed + 1, how }));
    }
    Ok(None)
}

//! Each mechanism on six programs, and a slice of the full matrix that changes with the commit. `RECONVERGE_SEED=HEX`
//! chooses the slice; `--bin matrix` runs all of it.

use crate::data::each;
use reconverge_tests::examples::{SIX, case};
use reconverge_tests::matrix::{Matrix, SEED, complaint, every_mechanism, seed};
use std::sync::OnceLock;

/// Runs of the slice.
const RUNS: usize = 80;

/// Settings that machines load; the slice is chosen among those that they take.
const LOADED: usize = 2000;

/// The part of the matrix of this commit.
fn sample() -> &'static Matrix {
    static SAMPLE: OnceLock<Matrix> = OnceLock::new();
    SAMPLE.get_or_init(|| Matrix::sample(seed().unwrap(), LOADED))
}

#[test]
fn every_mechanism_agrees_with_the_interpreter_on_six_programs() {
    let variants = every_mechanism();
    each(&SIX, |program| {
        let case = case(program).map_err(|error| error.to_string())?;
        case.compare(&variants).map_err(|failure| complaint(program, &failure))
    });
}

#[test]
fn a_slice_of_the_matrix_agrees_with_the_interpreter() {
    let seed = seed().unwrap();
    println!("{SEED}={seed:x}");
    let slice = Vec::from_iter(sample().slice(seed, RUNS));
    each(&slice, |(program, variants)| {
        let case = case(program).map_err(|error| error.to_string())?;
        case.compare(variants)
            .map_err(|failure| format!("{SEED}={seed:x}: {}", complaint(program, &failure)))
    });
}

/// Machines refuse pairs for a reason that is told, and hardly any.
#[test]
fn most_pairs_of_mechanisms_go_together() {
    let matrix = sample();
    let (run, refused) = (matrix.variants.len(), matrix.refused.len());
    assert!(run > 10 * refused, "{run} are run, {refused} are refused: {:#?}", matrix.refused);
}

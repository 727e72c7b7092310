//! Random programs, and those that have failed before, agree with the interpreter.

use crate::data::{each, programs};
use reconverge_tests::generate::Generated;
use reconverge_tests::oracle::{Case, compare, sample, variants};
use reconverge_tests::slice::Slice;

/// The seeds of the suite, always the same. `smoke` runs those before them, and the `fuzz` binary
/// continues from here.
const SEEDS: std::ops::Range<u64> = 8..120;

/// The number of `variants` in which each program runs; they differ from program to program.
const CONFIGURATIONS: usize = 8;

#[test]
fn random_programs_agree_with_the_interpreter() {
    let slice = Slice::of(4).unwrap();
    println!("{slice}");
    let seeds: Vec<_> = SEEDS.filter(|seed| slice.has(&seed.to_string())).collect();
    each(&seeds, |&seed| {
        let source = Generated::new(seed).source();
        compare(&source, &sample(seed, CONFIGURATIONS, None))
            .map_err(|problem| format!("seed {seed}: {problem}\n{source}"))
    });
}

#[test]
fn programs_that_failed_once_agree_with_the_interpreter() {
    let slice = Slice::of(8).unwrap();
    println!("{slice}");
    each(&programs("regressions"), |program| {
        let case = Case::new(&program.text)?;
        slice.turns(&program.name, 4).into_iter().try_for_each(|turn| {
            let failed = |failure| format!("{}: {failure}", program.name);
            case.compare(&variants(turn)).map_err(failed)
        })
    });
}

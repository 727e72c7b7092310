//! Random programs, and those that have failed before, agree with the interpreter.

use crate::data::{each, programs};
use reconverge_tests::generate::Generated;
use reconverge_tests::oracle::{compare, sample, variants};

/// The `fuzz` binary goes on from here; these are always the same.
const SEEDS: std::ops::Range<u64> = 0..120;

/// Each program runs in so many of the ways that `variants` has, which are others for each.
const CONFIGURATIONS: usize = 8;

#[test]
fn random_programs_agree_with_the_interpreter() {
    let seeds: Vec<_> = SEEDS.collect();
    each(&seeds, |&seed| {
        let source = Generated::new(seed).source();
        compare(&source, &sample(seed, CONFIGURATIONS, None))
            .map_err(|problem| format!("seed {seed}: {problem}\n{source}"))
    });
}

#[test]
fn programs_that_failed_once_agree_with_the_interpreter() {
    each(&programs("regressions"), |program| {
        let mut attempts = (0..4).map(|turn| compare(&program.text, &variants(turn)));
        attempts
            .try_for_each(|result| result)
            .map_err(|problem| format!("{}: {problem}", program.name))
    });
}

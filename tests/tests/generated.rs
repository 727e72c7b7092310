//! Random programs, and those that have failed before, agree with the interpreter.

mod data;

use data::{each, programs};
use reconverge_tests::generate::Generated;
use reconverge_tests::oracle::{compare, variants};

/// The `fuzz` binary goes on from here; these are always the same.
const SEEDS: std::ops::Range<u64> = 0..400;

#[test]
fn random_programs_agree_with_the_interpreter() {
    let (seeds, variants): (Vec<_>, _) = (SEEDS.collect(), variants());
    each(&seeds, |&seed| {
        let source = Generated::new(seed).source();
        compare(&source, &variants).map_err(|problem| format!("seed {seed}: {problem}\n{source}"))
    });
}

#[test]
fn programs_that_failed_once_agree_with_the_interpreter() {
    let variants = variants();
    each(&programs("regressions"), |program| {
        compare(&program.text, &variants).map_err(|problem| format!("{}: {problem}", program.name))
    });
}

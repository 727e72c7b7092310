//! Whatever text comes, the front end ends soon and without a panic.

use crate::data::{each, programs};
use reconverge_tests::frontend::{Corpus, attempt};

/// `fuzz --frontend` continues from here; these are always the same.
const SEEDS: std::ops::Range<u64> = 0..1500;

#[test]
fn broken_programs_and_soup_are_read_to_the_end() {
    let corpus = Corpus::load().unwrap();
    let seeds: Vec<u64> = SEEDS.collect();
    each(&seeds, |&seed| {
        let input = corpus.input(seed);
        attempt(&input).map_err(|problem| format!("seed {seed}: {problem:?}\n{input}"))
    });
}

#[test]
fn inputs_that_failed_once_are_read_to_the_end() {
    each(&programs("frontend"), |program| {
        attempt(&program.text).map_err(|problem| format!("{}: {problem:?}", program.name))
    });
}

//! Whatever becomes of an input of any format, it is refused, or runs to an end.

use crate::data::each;
use reconverge_tests::mutants::{Corpus, Format, attempt, attempt_one};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// `fuzz --mutants` continues from here; these are always the same.
const SEEDS: std::ops::Range<u64> = 0..800;

#[test]
fn mutants_are_refused_or_run_to_an_end() {
    let corpus = Arc::new(Corpus::load().unwrap());
    let seeds: Vec<u64> = SEEDS.collect();
    let (tried, accepted) = (AtomicU64::new(0), AtomicU64::new(0));
    each(&seeds, |&seed| {
        let (walk, result) = attempt(&corpus, seed);
        tried.fetch_add(walk.tried, Relaxed);
        accepted.fetch_add(walk.accepted, Relaxed);
        result.map_err(|problem| {
            format!("seed {seed}: {problem:?}\n{}", String::from_utf8_lossy(&walk.input))
        })
    });
    // Otherwise nothing would have been run.
    let (tried, accepted) = (tried.into_inner(), accepted.into_inner());
    assert!(accepted > tried / 10, "{accepted} of {tried} accepted");
}

#[test]
fn mutants_that_failed_once_do_not() {
    let corpus = Arc::new(Corpus::load().unwrap());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/mutants");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    each(&paths, |path| {
        let ending = path.extension().unwrap_or_default();
        let format = Format::ALL.into_iter().find(|format| ending == format.ending()).unwrap();
        let input = std::fs::read(path).unwrap();
        attempt_one(&corpus, format, &input).map_err(|problem| format!("{path:?}: {problem:?}"))
    });
}

//! The generator of random kernels: a seed is one program, and programs can be made smaller.

use reconverge_tests::generate::{Generated, Mode};

#[test]
fn a_seed_is_one_program() {
    assert_eq!(Generated::new(7).source(), Generated::new(7).source());
    assert_ne!(Generated::new(7).source(), Generated::new(8).source());
}

#[test]
fn streams_have_seeds_too() {
    assert_eq!(Generated::streams(7).source(), Generated::streams(7).source());
    assert_ne!(Generated::streams(7).source(), Generated::streams(8).source());
}

#[test]
fn removing_makes_it_smaller() {
    let program = Generated::new(3);
    let smaller = program.without(0, false).unwrap();
    assert!(smaller.size() < program.size());
    assert!(program.without(program.size(), false).is_none());
}

#[test]
fn every_mode_comes_up() {
    let modes: Vec<Mode> = (0..100).filter_map(|seed| Generated::new(seed).mode).collect();
    assert!(Mode::ALL.iter().all(|mode| modes.contains(mode)));
}

//! The generator of random kernels: a seed is one program, and programs can be made smaller.

use reconverge_ptx::form;
use reconverge_tests::generate::ptx::{PtxCase, PtxProgram};
use reconverge_tests::generate::{Generated, Mode};
use std::collections::BTreeSet;

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

#[test]
fn ptx_programs_have_seeds_and_become_smaller() {
    let program = PtxProgram::new(7);
    assert_eq!(program.case(), PtxProgram::new(7).case());
    assert_ne!(program.case().text, PtxProgram::new(8).case().text);
    let smaller = program.without(0, false).unwrap();
    assert!(smaller.size() < program.size());
    assert!(program.without(program.size(), false).is_none());
    assert_eq!(PtxCase::parse(&program.case().text), Ok(program.case()));
}

#[test]
fn every_row_of_ptx_comes_up() {
    let programs: Vec<PtxProgram> = (0..1500).map(PtxProgram::new).collect();
    let rows: BTreeSet<&str> = programs.iter().flat_map(|it| it.rows().iter().copied()).collect();
    // Calls have parameters. Fetches and surfaces need the objects of a host program: `ptx::textures` and the tests of `runtime/cudart` have them. Products need
    // tensor cores: `tensor` has them.
    let is_left_out = |pattern: &str| {
        ["st.param", "tex.", "tld4.", "txq.", "suld.", "sust.", "suq.", "mma.", "wmma."]
            .iter()
            .any(|it| pattern.starts_with(it))
    };
    let is_missing = |pattern: &&str| !rows.contains(pattern) && !is_left_out(pattern);
    let missing: Vec<&str> =
        form::all().iter().map(|form| form.row.pattern).filter(is_missing).collect();
    assert!(missing.is_empty(), "no program has {}", missing.join("\n"));
}

//! Random programs print what the system's compiler makes them print: half of 2,000 of plain C, chosen by the commit
//! (conversions, promotions, precedence, layouts, formats of `printf`, macros), and, where Csmith is installed, 30 of its own,
//! on the host and in kernels.

use crate::data;
use reconverge_tests::c_programs;
use reconverge_tests::csmith::{self, Tried};
use reconverge_tests::slice::Slice;
use std::path::Path;

/// Programs of a file, and files.
const PROGRAMS: u64 = 100;
const FILES: u64 = 20;

#[test]
fn programs_of_plain_c_print_what_the_system_compiler_makes_of_them() {
    if !cfg!(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")) {
        println!("skipped: `long`, `char` and formats are those of glibc on x86-64");
        return;
    }
    if !c_programs::has_compiler() {
        println!("skipped: there is no `cc`");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c-programs");
    std::fs::create_dir_all(&folder).unwrap();
    let slice = Slice::of(4).unwrap();
    println!("{slice}");
    let firsts = (0..FILES).map(|file| file * PROGRAMS);
    let files: Vec<u64> = firsts.filter(|first| slice.has(&format!("file {first}"))).collect();
    data::each(&files, |first| {
        c_programs::compare(*first, PROGRAMS, &folder).map_err(|error| format!("{error:#}"))
    });
}

#[test]
fn programs_of_csmith_print_what_the_system_compiler_makes_of_them() {
    if !csmith::is_installed() {
        println!("skipped: there is no `csmith`, or no `c++`");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("csmith");
    std::fs::create_dir_all(&folder).unwrap();
    let alike = (1..=30).filter(|&seed| match csmith::compare(seed, &folder) {
        Ok(tried) => tried == Tried::Same,
        Err(problem) => panic!("seed {seed}: {problem:#}"),
    });
    assert!(alike.count() >= 15);
}

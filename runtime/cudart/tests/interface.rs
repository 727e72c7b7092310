//! A program in C that calls the functions of the runtime and the driver with right and wrong arguments (`interface.c`). It is
//! also run under valgrind, and with clang's or gcc's address sanitizer, where they are installed.

use super::setup::{fresh, has, libraries, library, run, succeeded};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles the program; none without a C compiler.
fn compiled(name: &str, options: &[&str]) -> Option<PathBuf> {
    if !has("cc") {
        return None;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interface.c");
    let program = fresh(name).join("interface");
    let mut command = Command::new("cc");
    command
        .args(["-std=c11", "-Wall", "-Werror", "-g"])
        .args(options)
        .arg(source)
        .arg("-o")
        .arg(&program);
    command.arg(library()).arg("-lpthread").arg(format!("-Wl,-rpath,{}", libraries().display()));
    let output = command.output().unwrap();
    if !output.status.success() && !options.is_empty() {
        eprintln!("SKIPPED: `cc` cannot compile with {options:?}");
        return None;
    }
    succeeded(output, "cc");
    Some(program)
}

const MACHINE: [(&str, &str); 1] = [("RECONVERGE_MACHINE", "tiny")];

#[test]
fn calls_return_the_documented_codes() {
    if let Some(program) = compiled("interface", &[]) {
        let text = succeeded(run(&mut Command::new(program), &MACHINE), "interface");
        assert!(text.ends_with("PASS\n"), "{text}");
    }
}

#[test]
fn valgrind_finds_no_fault() {
    let Some(program) = compiled("valgrind", &[]).filter(|_| has("valgrind")) else {
        return;
    };
    let mut command = Command::new("valgrind");
    command.args(["-q", "--error-exitcode=9", "--leak-check=no"]).arg(program);
    let text = succeeded(run(&mut command, &MACHINE), "valgrind");
    assert!(text.ends_with("PASS\n"), "{text}");
}

#[test]
fn the_address_sanitizer_finds_no_fault() {
    if let Some(program) = compiled("sanitizer", &["-fsanitize=address"]) {
        let mut command = Command::new(program);
        command.env("ASAN_OPTIONS", "detect_leaks=0");
        let text = succeeded(run(&mut command, &MACHINE), "sanitizer");
        assert!(text.ends_with("PASS\n"), "{text}");
    }
}

//! The expected output of host-only programs is the output under the system's C++ compiler.

use crate::data::{Program, difference, each, programs, trimmed};
use reconverge_tests::slice::Slice;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const COMPILERS: [&str; 3] = ["c++", "g++", "clang++"];

fn compiler() -> Option<&'static str> {
    let works = |name: &&str| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    COMPILERS.into_iter().find(works)
}

/// Runs a binary in a folder of its own, with the program's arguments and input.
fn run(binary: &Path, directory: &Path, program: &Program) -> std::io::Result<Output> {
    let mut child = Command::new(binary)
        .args(program.words("args").unwrap_or_default())
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // A program need not read its input.
        let _ = input.write_all(program.input().as_bytes());
    }
    child.wait_with_output()
}

fn compare(compiler: &str, folder: &Path, program: &Program) -> Result<(), String> {
    let name = &program.name;
    let binary = folder.join(name).with_extension("bin");
    let mut command = Command::new(compiler);
    // Integers wrap and nothing is contracted, as in our language; float formats are IEEE's.
    command.args(["-x", "c++", "-std=c++17", "-w", "-O1", "-fwrapv", "-ffp-contract=off"]);
    command.args(program.defines().iter().map(|(name, value)| format!("-D{name}={value}")));
    let output = command
        .arg("-o")
        .arg(&binary)
        .arg(&program.path)
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!(
            "{name}: {compiler} refuses it:\n{}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    let directory = folder.join(name).with_extension("files");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
    let output = run(&binary, &directory, program).map_err(|error| error.to_string())?;
    if output.status.code().is_none_or(|status| !program.statuses().contains(&status)) {
        return Err(format!("{name}: {}, expected {:?}", output.status, program.statuses()));
    }
    match difference(&program.output(), &trimmed(&String::from_utf8_lossy(&output.stdout))) {
        Some(what) => Err(format!("{name}: {what}")),
        None => Ok(()),
    }
}

#[test]
fn host_programs_print_the_same_when_compiled_as_cpp() {
    if !cfg!(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")) {
        println!("skipped: `rand`, `long` and `char` are those of glibc on x86-64");
        return;
    }
    let Some(compiler) = compiler() else {
        println!("skipped: none of {} is there", COMPILERS.join(", "));
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cc");
    std::fs::create_dir_all(&folder).unwrap();
    let mut programs = programs("run");
    programs.retain(|program| program.is_host_only() && program.words("cc").is_none());
    assert!(programs.len() > 15, "{} programs", programs.len());
    let slice = Slice::of(3).unwrap();
    println!("{slice}");
    programs.retain(|program| slice.has(&program.name));
    each(&programs, |program| compare(compiler, &folder, program));
}

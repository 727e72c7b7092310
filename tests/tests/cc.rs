//! The expected output of host-only programs is what the system's C++ compiler makes of them.

mod data;

use data::{Program, difference, each, programs, trimmed};
use std::path::Path;
use std::process::Command;

const COMPILERS: [&str; 3] = ["c++", "g++", "clang++"];

fn compiler() -> Option<&'static str> {
    let works = |name: &&str| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    COMPILERS.into_iter().find(works)
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
    let mut command = Command::new(&binary);
    let output = command
        .args(program.words("args").unwrap_or_default())
        .output()
        .map_err(|error| error.to_string())?;
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
    each(&programs, |program| compare(compiler, &folder, program));
}

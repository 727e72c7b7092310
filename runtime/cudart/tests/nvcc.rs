//! Programs that nvcc compiles. Each test is skipped where there is no nvcc.

use super::setup::{fresh, has, library, run, succeeded};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable with the path of nvcc.
const NVCC: &str = "RECONVERGE_NVCC";

/// Compiles programs of the folder `headers` into one, with arguments; `None` without nvcc.
fn compiled(name: &str, sources: &[&str], arguments: &[&str]) -> Option<PathBuf> {
    let nvcc = std::env::var(NVCC).unwrap_or_else(|_| "nvcc".to_owned());
    if !has(&nvcc) {
        return None;
    }
    let folder = fresh(name);
    // nvcc of a package index has no file of this name.
    std::os::unix::fs::symlink(library(), folder.join("libcudart.so")).unwrap();
    let program = folder.join("program");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/headers");
    let mut command = Command::new(nvcc);
    command.args(["-cudart", "shared", "-gencode", "arch=compute_75,code=compute_75"]);
    command.args(arguments).arg("-L").arg(&folder).arg("-o").arg(&program);
    command.args(sources.iter().map(|source| own.join(format!("{source}.cu"))));
    succeeded(command.output().unwrap(), name);
    Some(program)
}

/// Compiles programs, and runs the result under a model.
fn passes(name: &str, sources: &[&str], arguments: &[&str], model: &str) {
    let Some(program) = compiled(name, sources, arguments) else {
        return;
    };
    let text = run(&mut Command::new(program), &[("RECONVERGE_MODEL", model)]);
    let text = succeeded(text, name);
    assert!(text.ends_with("PASS\n"), "{text}");
}

#[test]
fn relocatable_device_code_is_linked() {
    let sources = ["relocatable_a", "relocatable_b"];
    passes("nvcc-relocatable", &sources, &["-rdc=true"], "functional");
}

#[test]
fn blocks_wait_for_each_other() {
    passes("nvcc-grid", &["grid"], &[], "timing");
}

#[test]
fn blocks_wait_for_each_other_in_relocatable_code() {
    passes("nvcc-grid-relocatable", &["grid"], &["-rdc=true"], "timing");
}

#[test]
fn textures_are_filtered() {
    passes("nvcc-filter", &["filter"], &[], "functional");
}

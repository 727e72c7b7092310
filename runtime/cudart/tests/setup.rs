//! The library, a folder for files, and tools.

use reconverge_cli::command::exec::folder;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The library that was built with the tests.
pub fn library() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let own = tests.parent().unwrap();
    let places = [own.join(folder::LIBRARY), own.join("..").join(folder::LIBRARY)];
    // The one beside the tests is of the same build.
    let found = places.iter().find(|place| place.is_file());
    found.expect("the library is built with the tests").canonicalize().unwrap()
}

/// The folder with the names of CUDA's libraries.
pub fn libraries() -> PathBuf {
    folder::libraries(&library()).unwrap()
}

/// An empty folder.
pub fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns true if a tool can be started; says so if not.
pub fn has(tool: &str) -> bool {
    let mut command = Command::new(tool);
    let command = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    let found = command.status().is_ok_and(|status| status.success());
    if !found {
        eprintln!("SKIPPED: there is no `{tool}`");
    }
    found
}

/// Runs a program with the library, its kernels on the smallest machine unless the variables say otherwise.
pub fn run(command: &mut Command, variables: &[(&str, &str)]) -> Output {
    command.env("LD_LIBRARY_PATH", libraries()).env("RECONVERGE_QUIET", "1");
    command.envs(variables.iter().copied());
    command.output().unwrap()
}

/// The output of a program that must succeed.
pub fn succeeded(output: Output, what: &str) -> String {
    let (text, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{what}: {}\n{text}\n{errors}", output.status);
    text.into_owned()
}

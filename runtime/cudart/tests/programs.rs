//! The examples, compiled by clang with the headers of `build`: their output, and memory after each launch, are those of `run`.
//!
//! An example runs at every fourth commit. With `RECONVERGE_ALL` all run, and the workloads too.

use super::setup::{fresh, library, run, succeeded};
use reconverge::study::catalogue::Library;
use reconverge_cli::command::build;
use reconverge_tests::examples::{Beside, DIVERGENT, EXAMPLES, case, folder};
use reconverge_tests::oracle::{Case, Trace};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles a program; none without clang.
pub fn compiled(source: &Path, name: &str) -> Option<PathBuf> {
    let program = fresh(&name.replace('/', "-")).join("program");
    let words = [source.as_os_str(), "-o".as_ref(), program.as_os_str()].map(|it| it.to_owned());
    match build::program(&words, &library()) {
        Ok(true) => Some(program),
        Ok(false) => panic!("{name}: clang reports an error"),
        Err(why) if why.to_string().contains("`build` needs clang") => {
            eprintln!("SKIPPED: {why}");
            None
        }
        Err(why) => panic!("{name}: {why:#}"),
    }
}

/// Compares a program with the interpreter.
///
/// # Errors
/// The difference.
fn compare(program: &Path, arguments: &[&str], expected: &Trace) -> Result<(), String> {
    let stats = program.with_file_name("stats.json");
    let variables =
        [("RECONVERGE_MODEL", "functional"), ("RECONVERGE_STATS", stats.to_str().unwrap())];
    let output = run(Command::new(program).args(arguments), &variables);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if text != expected.output {
        return Err(format!("its output is\n{text}{errors}not\n{}", expected.output));
    }
    succeeded(output, "the program");
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(stats).unwrap()).unwrap();
    let found: Vec<String> = report["kernels"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|kernel| kernel["memory"].as_str().unwrap_or_default().to_owned())
        .collect();
    let digest = |memory: Option<u64>| format!("{:016x}", memory.unwrap_or_default());
    let own: Vec<String> = expected.launches.iter().map(|it| digest(it.memory)).collect();
    match found == own {
        true => Ok(()),
        false => Err(format!("memory after its launches is {found:?}, not {own:?}")),
    }
}

#[test]
fn examples_are_as_under_run() {
    let all = EXAMPLES.iter().chain(DIVERGENT).enumerate();
    for (_, (path, arguments)) in all.filter(|(turn, _)| reconverge_features::is_in_part(*turn, 4))
    {
        let Some(program) = compiled(&folder().join(format!("{path}.cu")), path) else {
            return;
        };
        let case = case(path).unwrap();
        compare(&program, arguments, case.expected()).unwrap_or_else(|why| panic!("{path}: {why}"));
    }
}

/// The workloads that differ, with their reasons (`workloads.toml`), and no others.
#[test]
fn workloads_are_as_under_run() {
    if std::env::var_os("RECONVERGE_ALL").is_none() {
        eprintln!("SKIPPED: RECONVERGE_ALL is not set");
        return;
    }
    let reasons = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/workloads.toml");
    let reasons: toml::Table = std::fs::read_to_string(reasons).unwrap().parse().unwrap();
    let library = Library::built_in().unwrap();
    let mut wrong = BTreeMap::new();
    for (name, entry) in library.entries() {
        let file = folder().join("workloads").join(format!("{name}.cu"));
        let Some(program) = compiled(&file, name) else {
            return;
        };
        if entry.forward_progress {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let mut loader = Beside(folder().join("workloads"));
        let checked = reconverge::build::check(name, &text, &[], &mut loader);
        let arguments = entry.size("test").unwrap();
        let arguments: Vec<&str> = arguments.iter().map(|it| it.as_str()).collect();
        let case = Case::program(checked, &arguments).unwrap();
        let done = compare(&program, &arguments, case.expected());
        match (done, reasons.get(name)) {
            (Ok(()), Some(reason)) => wrong.insert(name.clone(), format!("it agrees; {reason}")),
            (Err(why), None) => wrong.insert(name.clone(), why),
            _ => None,
        };
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

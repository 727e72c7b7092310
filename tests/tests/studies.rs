//! The documents that are generated from long runs are what would be generated now: that much of them as one
//! quick program tells, which is its rows of all tables, their titles, the names of other rows, and the prose.

use std::path::Path;
use std::process::Command;

/// The first cell of a row of a table.
fn name(line: &str) -> Option<&str> {
    line.strip_prefix("| ")?.split(" |").next()
}

/// What a document says that does not follow from which programs were run, and of those one's rows.
fn facts<'a>(text: &'a str, program: &str) -> Vec<&'a str> {
    let fact = |line: &'a str| match name(line) {
        Some(name) if name != program && name != "program" => name,
        _ => line,
    };
    text.lines().map(fact).collect()
}

/// Complains where a document differs from what a program finds that is run on one of its programs.
fn is_fresh(document: &str, writer: &str, of: &str, program: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(document);
    let committed = std::fs::read_to_string(path).expect("the document is there");
    let output = Command::new(writer).args(["--only", program, "--output", "-"]).output();
    let output = output.expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{document}: {errors}");
    let now = String::from_utf8(output.stdout).expect("it is text");
    assert!(now.contains(&format!("| {program} | ")), "{document}: `{program}` is in no table");
    let committed = facts(&committed, program);
    let now = facts(&now, program);
    let stale: Vec<&str> = now.into_iter().filter(|fact| !committed.contains(fact)).collect();
    assert!(
        stale.is_empty(),
        "{document} is stale; `cargo run --release -p reconverge-tests --bin {of}` rewrites it. It lacks:\n{}",
        stale.join("\n")
    );
}

#[test]
fn affine_values() {
    is_fresh("docs/affine.md", env!("CARGO_BIN_EXE_affine"), "affine", "transpose");
}

#[test]
fn divergence() {
    let writer = env!("CARGO_BIN_EXE_divergence");
    is_fresh("docs/divergence.md", writer, "divergence", "nested_branch");
}

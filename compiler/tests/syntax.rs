//! Reading programs: which faults are found where, the tree, and how messages look.
//!
//! In the programs, `//~ E0203` says what is reported on its line. The files of trees and messages
//! are rewritten by `RECONVERGE_BLESS=1 cargo test -p reconverge-compiler --test all syntax::`.

use reconverge_compiler::diagnostic::{self, Diagnostic};
use reconverge_compiler::syntax::tree::{Item, TranslationUnit};
use reconverge_compiler::syntax::{self, FileId, Pass, SourceMap, Target};
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syntax").join(name)
}

fn load(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the test data is there")
}

fn read(name: &str, text: &str) -> (SourceMap, FileId, TranslationUnit, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let target = Target::default();
    let syntax::Read { unit, mut diagnostics } =
        syntax::parse(&mut sources, file, &mut (), &[], target, Pass::Host);
    for item in &unit.items {
        if let Item::Function(function) = item {
            diagnostics.extend(syntax::parse_body(&function.body).1);
        }
    }
    diagnostic::sort(&mut diagnostics);
    (sources, file, unit, diagnostics)
}

/// The lines and codes that the comments of a program announce.
fn announced(text: &str) -> Vec<(u32, &str)> {
    let lines = text.lines().zip(1..);
    let with_codes = lines.filter_map(|(line, at)| Some((line.split_once("//~")?.1, at)));
    with_codes
        .flat_map(|(codes, at)| codes.split_whitespace().map(move |code| (at, code)))
        .collect()
}

fn check(name: &str) {
    let text = load(&data(name));
    let (sources, _, _, diagnostics) = read(name, &text);
    let mut found: Vec<_> = diagnostics
        .iter()
        .map(|found| (sources.line(found.primary.span), found.code.id()))
        .collect();
    let mut expected = announced(&text);
    found.sort_unstable();
    expected.sort_unstable();
    let shown = diagnostic::render(&diagnostics, &sources, false);
    assert_eq!(found, expected, "{name}:\n{shown}");
}

#[test]
fn programs_are_read() {
    check("accepted.cu");
}

#[test]
fn faults_are_found_where_they_are() {
    check("faults.cu");
}

#[test]
fn what_is_unsupported_is_named() {
    check("unsupported.cu");
}

#[test]
fn examples_are_read() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    for entry in std::fs::read_dir(examples).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "cu") {
            let (sources, _, _, diagnostics) = read("example.cu", &load(&path));
            let shown = diagnostic::render(&diagnostics, &sources, false);
            assert!(diagnostics.is_empty(), "{}:\n{shown}", path.display());
        }
    }
}

/// Compares with a file of expected text, or rewrites it.
fn golden(name: &str, text: &str) {
    let path = data(name);
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        std::fs::write(&path, text).expect("the test data can be written");
    }
    assert_eq!(text, load(&path), "{name}");
}

#[test]
fn trees_are_printed() {
    let (sources, _, unit, diagnostics) = read("tree.cu", &load(&data("tree.cu")));
    assert!(diagnostics.is_empty());
    golden("tree.txt", &syntax::print(&unit, &sources));
}

#[test]
fn messages_show_the_source() {
    let (sources, _, _, diagnostics) = read("messages.cu", &load(&data("messages.cu")));
    golden("messages.txt", &diagnostic::render(&diagnostics, &sources, false));
}

/// A line of `unit`, repeated `count` times inside an expression or a body.
fn deep(parts: [&str; 3], count: usize) -> Vec<&'static str> {
    let [before, unit, after] = parts;
    let text = format!("int a, b; void f() {{ {before}{}{after} }}", unit.repeat(count));
    let (_, _, _, diagnostics) = read("deep.cu", &text);
    diagnostics.iter().map(|found| found.code.id()).collect()
}

#[test]
fn depth_is_limited_not_fatal() {
    let cases = [
        (["a = ", "a + ", "b;"], "E0704"),
        (["a = ", "!", "b;"], "E0704"),
        (["a = ", "a ? b : ", "b;"], "E0704"),
        (["a", "[0]", " = 1;"], "E0704"),
        (["", "if (a) b = 1; else ", ";"], "E0703"),
        (["", "while (a) ", ";"], "E0703"),
        (["int ", "*", "p;"], "E0703"),
        (["a = ", "(", "b;"], "E0703"),
        (["", "{", ""], "E0703"),
    ];
    for (parts, code) in cases {
        assert_eq!(deep(parts, 5000), [code], "{parts:?}");
    }
    assert!(deep(["a = ", "a + ", "b;"], 900).is_empty());
    assert!(deep(["", "if (a) b = 1; else ", ";"], 190).is_empty());
}

//! Import circles: files of one crate that lead back to each other by their imports. To change one
//! file of a circle takes understanding all of them, so circles may shrink, but never grow.
//!
//! `tests/data/circles.txt` holds, for each crate, how many files each circle has, largest first. The test fails
//! when the largest circle or the number of files in circles has grown, and when the file is not up to date;
//! `RECONVERGE_BLESS=1 cargo test -p reconverge-tests circles::` writes smaller numbers down. A larger one is
//! written by hand, with the reason in the commit's message.
//!
//! An import is a name that a file uses by `crate::…`, by `super::…`, or, of its own child modules, by their names:
//! in `use` and in the code, unit tests at the file's end aside. The root of a crate only lists its modules.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const CRATES: [&str; 11] = [
    "spec/isa",
    "spec/math",
    "compiler/grammar",
    "compiler/ptx",
    "compiler",
    "simulator",
    "runtime/host",
    "runtime",
    "runtime/report",
    "runtime/cli",
    "tests",
];

/// A module's path from the root of its crate.
type Module = Vec<String>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The modules of the files below a folder, with their text.
fn modules(folder: &Path, path: &Module, found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap().path();
        let name = entry.file_stem().unwrap().to_str().unwrap().to_owned();
        let child = || path.iter().cloned().chain([name.clone()]).collect();
        if entry.is_dir() {
            if !(path.is_empty() && name == "bin") {
                modules(&entry, &child(), found);
            }
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let module = match name.as_str() {
                "mod" => path.clone(),
                "lib" | "main" if path.is_empty() => path.clone(),
                _ => child(),
            };
            found.insert(module, fs::read_to_string(&entry).unwrap());
        }
    }
}

/// Code without comments and without unit tests.
fn code(text: &str) -> String {
    let end = text.find("#[cfg(test)]").unwrap_or(text.len());
    let lines = text[..end].lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The paths that begin at the start of `text` and continue from `base`, those in braces included;
/// and their length.
fn paths(text: &str, base: &Module, found: &mut Vec<Module>) -> usize {
    let mut path = base.clone();
    let mut at = 0;
    loop {
        let name = word(&text[at..]);
        if !name.is_empty() {
            match name {
                "super" => _ = path.pop(),
                "self" => {}
                _ => path.push(name.to_owned()),
            }
            at += name.len();
        } else if text[at..].starts_with('{') {
            at += 1;
            while at < text.len() && !text[at..].starts_with('}') {
                let length = paths(&text[at..], &path, found);
                at += length.max(1);
            }
            return (at + 1).min(text.len());
        } else {
            break;
        }
        if !text[at..].starts_with("::") {
            break;
        }
        at += 2;
    }
    if at > 0 {
        found.push(path);
    }
    at
}

/// The modules that a module names.
fn imports(module: &Module, text: &str, all: &BTreeMap<Module, String>) -> Vec<Module> {
    let is_child = |name: &str| {
        let child: Module = module.iter().cloned().chain([name.to_owned()]).collect();
        all.contains_key(&child)
    };
    let parent = || module[..module.len().saturating_sub(1)].to_vec();
    let text = code(text);
    let mut found = Vec::new();
    let mut before = ' ';
    let mut at = 0;
    while at < text.len() {
        let name = word(&text[at..]);
        if name.is_empty() {
            before = text[at..].chars().next().unwrap();
            at += before.len_utf8();
            continue;
        }
        let rest = text[at + name.len()..].strip_prefix("::").filter(|_| before != ':');
        match (name, rest) {
            ("crate", Some(rest)) => _ = paths(rest, &Module::new(), &mut found),
            ("super", Some(rest)) => _ = paths(rest, &parent(), &mut found),
            (name, Some(_)) if is_child(name) => _ = paths(&text[at..], module, &mut found),
            _ => {}
        }
        at += name.len();
        before = ' ';
    }
    let of = |path: Module| {
        (0..=path.len()).rev().find_map(|end| {
            let module = path[..end].to_vec();
            all.contains_key(&module).then_some(module)
        })
    };
    found.into_iter().filter_map(of).filter(|to| to != module && !to.is_empty()).collect()
}

/// The circles of a crate, largest first, each with its modules.
fn circles(folder: &str) -> Vec<Vec<String>> {
    let mut all = BTreeMap::new();
    modules(&root().join(folder).join("src"), &Module::new(), &mut all);
    assert!(!all.is_empty(), "{folder} has no sources");
    let number: BTreeMap<&Module, u32> = all.keys().zip(0..).collect();
    let mut graph = DiGraph::<(), ()>::new();
    for _ in all.keys() {
        graph.add_node(());
    }
    for (module, text) in &all {
        for to in imports(module, text, &all) {
            graph.add_edge(number[module].into(), number[&to].into(), ());
        }
    }
    let names: Vec<String> = all.keys().map(|module| module.join("::")).collect();
    let mut found: Vec<Vec<String>> = tarjan_scc(&graph)
        .into_iter()
        .filter(|circle| circle.len() > 1)
        .map(|circle| circle.into_iter().map(|at: NodeIndex| names[at.index()].clone()).collect())
        .collect();
    found.iter_mut().for_each(|circle| circle.sort());
    found.sort_by_key(|circle| (std::cmp::Reverse(circle.len()), circle.clone()));
    found
}

#[test]
fn circles_only_shrink() {
    let file = root().join("tests/data/circles.txt");
    let known = fs::read_to_string(&file).unwrap();
    let mut written = String::new();
    let mut grown = String::new();
    for folder in CRATES {
        let found = circles(folder);
        let sizes: Vec<usize> = found.iter().map(Vec::len).collect();
        let allowed: Vec<usize> = known
            .lines()
            .filter_map(|line| line.strip_prefix(folder)?.strip_prefix(':'))
            .flat_map(str::split_whitespace)
            .map(|size| size.parse().unwrap())
            .collect();
        let measure = |sizes: &[usize]| {
            (sizes.first().copied().unwrap_or_default(), sizes.iter().sum::<usize>())
        };
        let ((largest, total), (most, most_in_all)) = (measure(&sizes), measure(&allowed));
        if largest > most || total > most_in_all {
            let _ = writeln!(grown, "{folder}: {sizes:?} files, {allowed:?} are allowed:");
            for circle in found {
                let _ = writeln!(grown, "  {}", circle.join(" "));
            }
        }
        let sizes: String = sizes.iter().map(|size| format!(" {size}")).collect();
        let _ = writeln!(written, "{folder}:{sizes}");
    }
    assert!(grown.is_empty(), "import circles have grown:\n{grown}");
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        fs::write(&file, &written).unwrap();
    }
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        written,
        "circles have shrunk: RECONVERGE_BLESS=1 cargo test -p reconverge-tests circles::"
    );
}

#[test]
fn imports_are_found_in_braces_and_in_code() {
    let all: BTreeMap<Module, String> =
        [vec![], vec!["a"], vec!["a", "b"], vec!["a", "c"], vec!["d"]]
            .into_iter()
            .map(|path| (path.into_iter().map(str::to_owned).collect(), String::new()))
            .collect();
    let of = |module: &[&str], text: &str| {
        let module: Module = module.iter().map(|name| name.to_string()).collect();
        let found = imports(&module, text, &all);
        found.iter().map(|path| path.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(of(&["d"], "use crate::a::{b::{self, X}, c::Y, Z};"), ["a::b", "a::b", "a::c", "a"]);
    assert_eq!(of(&["a", "b"], "let x = super::c::f() + super::super::d::g();"), ["a::c", "d"]);
    assert_eq!(of(&["a"], "pub use c::f; // crate::d::g"), ["a::c"]);
    assert!(of(&["a", "b"], "std::d::f(); #[cfg(test)] use crate::d::f;").is_empty());
}

//! The directions that ARCHITECTURE.md promises: who never sees whom.

use super::style::{identifiers, words_of};
use reconverge_tests::architecture::{
    DOCUMENT, Maximum, Source, TupleParameter, maxima, measure, stated, tuple_parameters,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

/// The lines of code (comments aside) below `folder` that mention one of `words`.
fn mentions(folder: &str, words: &[&str]) -> Vec<String> {
    let mut files = Vec::new();
    sources(&root().join(folder), &mut files);
    assert!(!files.is_empty(), "{folder} has no sources");
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if words.iter().any(|word| code.contains(word)) {
                let file = file.strip_prefix(root()).unwrap().display();
                found.push(format!("{file}:{}: {line}", number + 1));
            }
        }
    }
    found
}

/// The slots of mechanisms: the names of their modules.
fn slots() -> Vec<String> {
    let entries = fs::read_dir(root().join("simulator/src/mechanisms")).unwrap();
    let folders = entries.map(|entry| entry.unwrap()).filter(|entry| entry.path().is_dir());
    folders.map(|folder| folder.file_name().into_string().unwrap()).collect()
}

/// Core code does not name mechanisms: it may name a slot's module and the trait of the same name, and nothing else with
/// a word of `tests/data/mechanism_words.txt`.
#[test]
fn mechanisms_are_named_in_their_folders_only() {
    let list = fs::read_to_string(root().join("tests/data/mechanism_words.txt")).unwrap();
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let words: BTreeSet<&str> = lines.flat_map(str::split_whitespace).collect();
    let slots = slots();
    assert!(words.len() > 20 && slots.len() > 10, "{words:?} {slots:?}");
    let folder = root().join("simulator/src");
    let mut files = Vec::new();
    sources(&folder, &mut files);
    let mut faults = Vec::new();
    for file in files {
        let path = file.strip_prefix(&folder).unwrap();
        if path.starts_with("mechanisms") || path.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = &text[..text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len())];
        for name in identifiers(code) {
            let mut parts = words_of(&name);
            parts.retain(|part| !part.is_empty());
            let is_slot = slots.contains(&parts.join("_"));
            if !is_slot && parts.iter().any(|part| words.contains(&part[..])) {
                faults.push(format!("simulator/src/{} names `{name}`", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Files and functions that ARCHITECTURE.md names on the way of a load and of a branch through an SM are there.
#[test]
fn the_paths_of_a_load_and_of_a_branch_are_true() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let begin = text.find("## An SM, and one load and one branch through it").unwrap();
    let end = begin + text[begin..].find("\n## Conventions").unwrap();
    let (mut source, mut file) = (String::new(), String::new());
    let (mut missing, mut functions) = (Vec::new(), 0);
    // Every other piece between backticks is code.
    for name in text[begin..end].split('`').skip(1).step_by(2) {
        if name.ends_with(".rs") {
            let at = root().join("simulator/src").join(name);
            // In a row of the table, later files are those beside the first one.
            let beside = Path::new(&file).parent().map(|folder| folder.join(name));
            let beside = root().join("simulator/src").join(beside.unwrap_or_default());
            match fs::read_to_string(&at).or_else(|_| fs::read_to_string(&beside)) {
                Ok(found) => source = found,
                Err(_) => missing.push(format!("simulator/src/{name} does not exist")),
            }
            if at.exists() {
                file = name.to_owned();
            }
        } else if let Some((owner, function)) = name.split_once("::")
            && function.starts_with(|first: char| first.is_lowercase())
            && function.chars().all(|it| it.is_lowercase() || it == '_')
        {
            functions += 1;
            if !source.contains(&format!("fn {function}")) || !source.contains(owner) {
                missing.push(format!("{file} has no `{name}`"));
            }
        }
    }
    assert!(functions >= 15, "only {functions} functions are named");
    assert!(missing.is_empty(), "ARCHITECTURE.md is stale:\n{}", missing.join("\n"));
}

/// No function has a parameter that is a tuple.
#[test]
fn parameters_are_no_tuples() {
    let (mut faults, mut count) = (Vec::new(), 0);
    let is_crate = |folder: &&String| root().join(folder).join("src").is_dir();
    for folder in crates().values().filter(is_crate) {
        let sources = reconverge_tests::architecture::sources(&root().join(folder).join("src"));
        let sources = sources.unwrap();
        count += sources.len();
        for TupleParameter { file, line, function } in tuple_parameters(&sources) {
            faults.push(format!(
                "{folder}/src/{file}:{line}: a parameter of `{function}` is a tuple"
            ));
        }
    }
    assert!(count > 500, "only {count} files");
    assert!(
        faults.is_empty(),
        "declare a structure with named fields, reuse one that has them, or pass each value as a parameter of its own:\n{}",
        faults.join("\n")
    );
}

/// The rule finds tuples behind references, options and names, and nothing in collections, closures and traits' methods.
#[test]
fn tuple_parameters_are_found() {
    let text = "
        type Pair = (u32, u64);
        struct S;
        impl S {
            fn reference(&self, pair: &mut (u8, u8)) {}
            fn option((a, b): (u8, &str), c: Option<&(u8, u8)>) {}
            fn alias(pair: Pair) {}
            fn unit(unit: (), list: &[(u8, u8)], each: impl Fn((u8, u8)), more: Vec<Pair>) {}
        }
        trait T {
            fn declared(&self, pair: (u8, u8));
        }
        impl T for S {
            fn implemented(&self, pair: (u8, u8)) {}
        }
        #[cfg(test)]
        mod tests {
            fn tested(pair: (u8, u8)) {}
        }";
    let tree = syn::parse_file(text).unwrap();
    let source = Source { path: "a.rs".to_owned(), lines: 0, tree };
    let found = tuple_parameters(&[source]);
    let found: Vec<(&str, usize)> =
        found.iter().map(|found| (&found.function[..], found.line)).collect();
    assert_eq!(
        found,
        [("reference", 5), ("option", 6), ("option", 6), ("alias", 7), ("declared", 11)]
    );
}

#[test]
fn the_instruction_set_depends_on_no_crate() {
    let manifest = fs::read_to_string(root().join("spec/isa/Cargo.toml")).unwrap();
    assert!(!manifest.contains("reconverge-c") && !manifest.contains("reconverge-s"), "{manifest}");
}

#[test]
fn the_ptx_syntax_depends_on_no_crate() {
    let manifest = fs::read_to_string(root().join("compiler/ptx/Cargo.toml")).unwrap();
    let others = manifest.replace("reconverge-features", "").matches("reconverge-").count();
    assert_eq!(others, 1, "only its own name: {manifest}");
}

#[test]
fn the_reference_of_ptx_sees_nothing_but_the_syntax() {
    let path = "runtime/ptx-reference/Cargo.toml";
    let manifest = fs::read_to_string(root().join(path)).unwrap();
    let others = manifest.replace("reconverge-features", "").matches("reconverge-").count();
    assert_eq!(others, 2, "its own name and `reconverge-ptx`: {manifest}");
}

#[test]
fn compiler_and_simulator_never_see_each_other() {
    let compiler = fs::read_to_string(root().join("compiler/Cargo.toml")).unwrap();
    let simulator = fs::read_to_string(root().join("simulator/Cargo.toml")).unwrap();
    assert!(!compiler.contains("reconverge-simulator"), "{compiler}");
    assert!(!simulator.contains("reconverge-compiler"), "{simulator}");
    assert_eq!(mentions("compiler/src", &["reconverge_simulator"]), Vec::<String>::new());
    assert_eq!(mentions("simulator/src", &["reconverge_compiler"]), Vec::<String>::new());
}

#[test]
fn the_interpreter_shares_only_the_checked_tree() {
    let forbidden = [
        "reconverge_isa",
        "reconverge_simulator",
        "reconverge_compiler::ir",
        "reconverge_compiler::lower",
        "reconverge_compiler::pass",
        "reconverge_compiler::analysis",
    ];
    assert_eq!(mentions("runtime/host/src", &forbidden), Vec::<String>::new());
    let manifest = fs::read_to_string(root().join("runtime/host/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let dependencies = manifest["dependencies"].as_table().unwrap().keys();
    let ours: Vec<_> = dependencies.filter(|name| name.starts_with("reconverge")).collect();
    // Inline PTX is executed by the reference model of PTX.
    let expected =
        ["reconverge-compiler", "reconverge-math", "reconverge-ptx", "reconverge-ptx-reference"];
    assert_eq!(ours, expected);
}

#[test]
fn the_oracle_has_no_planted_faults() {
    for folder in
        ["compiler/grammar/src", "compiler/src/syntax", "compiler/src/check", "runtime/host/src"]
    {
        assert_eq!(mentions(folder, &["planted::Planted"]), Vec::<String>::new());
    }
}

#[test]
fn compiler_and_simulator_do_no_io() {
    let io = ["std::fs", "std::net", "std::process", "println!", "eprintln!"];
    let folders = [
        "compiler/grammar/src",
        "compiler/ptx/src",
        "compiler/src",
        "simulator/src",
        "spec/isa/src",
    ];
    for folder in folders {
        let found: Vec<_> = mentions(folder, &io)
            .into_iter()
            .filter(|line| !line.contains("/tests") && !line.contains("tests.rs"))
            .collect();
        assert_eq!(found, Vec::<String>::new(), "in {folder}");
    }
}

/// No function, file or structure exceeds its limit in `docs/architecture-numbers.md`.
#[test]
fn maxima_stay_below_their_limits() {
    let text = fs::read_to_string(root().join(DOCUMENT)).unwrap();
    let stated: BTreeMap<String, usize> = stated(&text).into_iter().collect();
    assert!(stated.len() > 15, "{DOCUMENT} states {} limits", stated.len());
    let maxima = maxima(&measure().unwrap());
    let larger = maxima.iter().filter(|maximum| stated.get(&maximum.what) < Some(&maximum.count));
    let larger: Vec<String> = larger
        .map(|Maximum { what, count, at, .. }| {
            format!("{what}: {count} {at}; {:?}", stated.get(what))
        })
        .collect();
    assert!(larger.is_empty(), "beyond the limits of {DOCUMENT}:\n{}", larger.join("\n"));
}

/// The names of the workspace's crates with their folders.
fn crates() -> BTreeMap<String, String> {
    let manifest = |folder: &str| -> toml::Table {
        fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap().parse().unwrap()
    };
    let members = manifest(".")["workspace"]["members"].as_array().unwrap().clone();
    let member = |folder: &toml::Value| {
        let folder = folder.as_str().unwrap().to_owned();
        (manifest(&folder)["package"]["name"].as_str().unwrap().to_owned(), folder)
    };
    members.iter().map(member).collect()
}

/// Returns the lines that `cargo tree` prints, a package per line.
fn tree(arguments: &str, format: &str) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.arg("tree").args(arguments.split(' ')).current_dir(root());
    command.args(["--format", format, "--prefix", "none", "--offline", "--locked"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A study point is only as good as the sources that it was computed with: its key covers every crate of ours that
/// `reconverge` is linked with.
#[test]
fn the_key_of_a_point_covers_every_linked_crate() {
    let crates = crates();
    let tree = tree("-p reconverge -e normal", "{p}");
    let linked = tree.lines().filter_map(|line| crates.get(line.split(' ').next()?));
    let linked: BTreeSet<String> = linked.cloned().collect();
    let listed = fs::read_to_string(root().join("runtime/sources.txt")).unwrap();
    let listed = listed.lines().filter(|line| !line.starts_with('#')).map(str::to_owned);
    assert_eq!(listed.collect::<BTreeSet<_>>(), linked, "runtime/sources.txt");
}

/// The most packages of others that a program with the library `reconverge` is linked with.
const MOST_PACKAGES: usize = 35;

/// Counts the packages of others that `reconverge` is linked with: procedural macros aside, which run
/// in the compiler.
#[test]
fn the_library_is_linked_with_few_packages() {
    let text = tree("-p reconverge -e normal,no-proc-macro", "{p}");
    let names = text.lines().filter_map(|line| line.split(' ').next());
    let (ours, others): (BTreeSet<&str>, BTreeSet<&str>) =
        names.filter(|name| !name.is_empty()).partition(|name| name.starts_with("reconverge"));
    assert!(ours.contains("reconverge-simulator") && others.contains("toml"), "{text}");
    let count = others.len();
    assert!(count <= MOST_PACKAGES, "{count} packages, at most {MOST_PACKAGES}: {others:?}");
}

/// A package that is tested alone has dependencies with the features that they have in the whole workspace. Otherwise the
/// first `cargo test -p NAME` would build them, and what depends on them, a second time.
#[test]
fn a_package_alone_has_the_features_of_the_workspace() {
    let features = |selection: &str| -> BTreeSet<String> {
        let text = tree(&format!("{selection} -e normal,build,dev"), "{p} {f}");
        text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
    };
    let workspace = features("--workspace");
    assert!(workspace.iter().any(|line| line.starts_with("serde_core ")), "{workspace:?}");
    for (name, folder) in crates() {
        let manifest = fs::read_to_string(root().join(&folder).join("Cargo.toml")).unwrap();
        if manifest.contains("[dev-dependencies]") {
            let own = features(&format!("-p {name}"));
            let others: Vec<&String> = own.difference(&workspace).collect();
            assert!(others.is_empty(), "{name}: add to tests/features/Cargo.toml {others:?}");
        }
    }
}

/// A file of tests that nothing names would be left out without a word.
#[test]
fn every_file_of_tests_is_part_of_a_program() {
    for folder in crates().values().filter(|folder| root().join(folder).join("tests").is_dir()) {
        let folder = root().join(folder);
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let modules = fs::read_to_string(folder.join("tests/main.rs")).unwrap_or_default();
        if !manifest.contains("autotests = false") {
            assert_eq!(modules, "", "{}: `autotests = false` is missing", folder.display());
            continue;
        }
        for entry in fs::read_dir(folder.join("tests")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let is_source = path.extension().is_some_and(|extension| extension == "rs");
            let is_named = name == "main"
                || modules.contains(&format!("mod {name};"))
                || manifest.contains(&format!("[[test]]\nname = \"{name}\""));
            assert!(!is_source || is_named, "{} is part of no program", path.display());
        }
    }
}

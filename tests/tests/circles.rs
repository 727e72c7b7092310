//! Circles: files of one crate that lead back to each other. To change one file of a circle takes understanding all
//! of them, so circles may shrink, but never grow.
//!
//! `tests/data/circles.txt` holds, for each crate, how many files each circle has, largest first. The test fails
//! when the largest circle or the number of files in circles exceeds its [`limit`], and when one has shrunk;
//! `RECONVERGE_BLESS=1 cargo test -p reconverge-tests circles::` writes smaller numbers down. A larger one is
//! written by hand, with the reason in the commit's message. By imports alone, no crate may have a circle of more than
//! [`MOST_IMPORTING`] files, nor more than [`MOST_IMPORTING_IN_ALL`] files in circles.
//!
//! A file leads to another one in three ways; unit tests do not count:
//!
//! - by an import: a name that it uses by `crate::…`, by `super::…`, or, of its own child modules, by their names, in
//!   `use` and in the code. The root of a crate only lists its modules.
//! - by a type: the files with a type's inherent `impl` blocks lead to the file that defines it, and back.
//! - by a call of a method that one type of the crate alone defines, of those whose methods the file may call, to the
//!   file with the method. Not counted are methods of traits, and names that the standard library ([`STANDARD`]) or a
//!   crate of ours that this one depends on has too.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};
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

/// The most files of a circle by imports alone.
const MOST_IMPORTING: usize = 5;

/// The most files of a crate in such circles.
const MOST_IMPORTING_IN_ALL: usize = 20;

/// A module's path from the root of its crate.
type Module = Vec<String>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The modules of the files below a folder, with their code.
fn modules(folder: &Path, path: &Module, found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap().path();
        let name = entry.file_stem().unwrap().to_str().unwrap().to_owned();
        let child = || path.iter().cloned().chain([name.clone()]).collect();
        if entry.is_dir() {
            if !(path.is_empty() && name == "bin") {
                modules(&entry, &child(), found);
            }
        } else if entry.extension().is_some_and(|extension| extension == "rs")
            && name != "tests"
            && !name.ends_with("_tests")
        {
            let module = match name.as_str() {
                "mod" => path.clone(),
                "lib" | "main" if path.is_empty() => path.clone(),
                _ => child(),
            };
            found.insert(module, code(&fs::read_to_string(&entry).unwrap()));
        }
    }
}

/// Names of methods of the standard library and of other packages.
const STANDARD: &str = "abs add all and and_then any append apply as_bytes as_deref as_mut as_ref as_slice as_str \
    binary_search borrow borrow_mut by_ref bytes capacity chain chars chunks clear clone cloned cmp collect concat \
    contains contains_key copied copy copy_from_slice count cycle dedup difference display div drain elapsed end \
    ends_with entries entry enumerate eq err error exists expect extend extension file_name fill filter filter_map \
    find find_map first flat_map flatten flush fold for_each get get_mut hash index insert inspect install \
    intersection into_iter is_dir is_empty is_err is_file is_none is_ok is_some is_sorted is_subset iter iter_mut \
    join keys kind last len lines load lock map map_err max max_by min min_by mul name ne neg next next_back not nth \
    ok ok_or open or or_else or_insert output parent parse partition path peek pop pop_front position pow print \
    product push push_back push_str range read recv rem remove repeat replace reserve resize retain rev reverse \
    rotate round send set shl shr signum skip skip_while sort spawn split start starts_with status step_by store sub \
    sum swap take take_while tell then to_string to_vec trim truncate union unlock unwrap update values values_mut \
    wait width windows with_capacity write write_str xor zip";

/// Code without comments, the contents of strings and characters, and items for tests.
fn code(text: &str) -> String {
    let text = stripped(text);
    let mut found = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("#[cfg(test)]") {
        found.push_str(before);
        let mut depth = 0;
        let end = after.find(|letter| {
            depth += match letter {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            depth == 0 && matches!(letter, '}' | ';')
        });
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    found + rest
}

/// Code without comments and the contents of strings and characters.
fn stripped(text: &str) -> String {
    let mut found = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => string_length(rest),
            'r' if rest.starts_with("r\"") => 1 + raw_length(&rest[1..], "\""),
            'r' if rest.starts_with("r#\"") => 2 + raw_length(&rest[2..], "\"#"),
            '\'' => character_length(rest),
            _ => 0,
        };
        if length == 0 {
            found.push(letter);
            rest = &rest[letter.len_utf8()..];
        } else {
            found.push(' ');
            rest = &rest[length..];
        }
    }
    found
}

/// The bytes of the string with escapes that a text begins with.
fn string_length(text: &str) -> usize {
    let mut is_escaped = true;
    let end = text.char_indices().find(|&(_, letter)| {
        let ends = letter == '"' && !is_escaped;
        is_escaped = (letter == '\\' || letter == '"') && !is_escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// The bytes of the string without escapes that a text begins with.
fn raw_length(text: &str, end: &str) -> usize {
    text[1..].find(end).map_or(text.len(), |at| 1 + at + end.len())
}

/// The bytes of the character that a text begins with; 0 for a lifetime.
fn character_length(text: &str) -> usize {
    if text[1..].starts_with('\\') {
        return text[3..].find('\'').map_or(0, |at| at + 4);
    }
    let letter = text[1..].chars().next().map_or(0, char::len_utf8);
    if text[1 + letter..].starts_with('\'') { letter + 2 } else { 0 }
}

/// The words and single signs of code.
fn tokens(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = word(rest).len().max(first.len_utf8());
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    found
}

/// The position after the group that opens at a token; signs after `-` or `=` are arrows.
fn after_group(tokens: &[&str], at: usize, open: &str, close: &str) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        let is_arrow = index > 0 && *token == ">" && matches!(tokens[index - 1], "-" | "=");
        depth += i32::from(*token == open) - i32::from(*token == close && !is_arrow);
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// The types and methods of a file.
#[derive(Default)]
struct Items {
    /// The types and traits that it defines.
    defined: BTreeSet<String>,
    /// The types of its inherent `impl` blocks, each with the methods there, true for those with a visibility.
    methods: BTreeMap<String, BTreeMap<String, bool>>,
    /// The functions of traits that it defines.
    of_traits: BTreeSet<String>,
    /// The methods that it calls.
    calls: BTreeSet<String>,
}

impl Items {
    fn new(code: &str) -> Items {
        let tokens = tokens(code);
        let mut found = Items::default();
        for at in 0..tokens.len() {
            let next = |ahead: usize| tokens.get(at + ahead).copied().unwrap_or_default();
            let before = at.checked_sub(1).map_or(";", |before| tokens[before]);
            match tokens[at] {
                "struct" | "enum" | "union" => _ = found.defined.insert(next(1).to_owned()),
                "trait" => {
                    found.defined.insert(next(1).to_owned());
                    found.of_traits.extend(functions(body(&tokens, at), |_| true).into_keys());
                }
                "impl" if matches!(before, ";" | "}" | "]" | "unsafe") => {
                    if let Some(ty) = inherent(&tokens, at) {
                        let methods = functions(body(&tokens, at), takes_self);
                        found.methods.entry(ty.to_owned()).or_default().extend(methods);
                    }
                }
                "." if before != "." && matches!(next(2), "(" | ":") => {
                    found.calls.insert(next(1).to_owned());
                }
                _ => {}
            }
        }
        found
    }
}

/// The tokens in the first braces after a token.
fn body<'t>(tokens: &'t [&'t str], at: usize) -> &'t [&'t str] {
    let open = tokens[at..].iter().position(|token| *token == "{").unwrap_or_default() + at;
    &tokens[open..after_group(tokens, open, "{", "}")]
}

/// The type of the `impl` block that begins at a token, if it is none of a trait.
fn inherent<'t>(tokens: &[&'t str], at: usize) -> Option<&'t str> {
    let start = match tokens.get(at + 1) {
        Some(&"<") => after_group(tokens, at + 1, "<", ">"),
        _ => at + 1,
    };
    let end = tokens[start..].iter().position(|token| matches!(*token, "{" | "where"))? + start;
    let head = &tokens[start..end];
    let path = head.iter().position(|token| *token == "<").map_or(head, |at| &head[..at]);
    (!head.contains(&"for")).then(|| path.last().copied()).flatten()
}

/// The names of functions whose parameters, from the parenthesis on, fulfil a condition; true for those with a
/// visibility.
fn functions(tokens: &[&str], is_wanted: fn(&[&str]) -> bool) -> BTreeMap<String, bool> {
    let mut found = BTreeMap::new();
    for at in (0..tokens.len()).filter(|&at| tokens[at] == "fn") {
        let generic = tokens.get(at + 2) == Some(&"<");
        let open = if generic { after_group(tokens, at + 2, "<", ">") } else { at + 2 };
        if tokens.get(open) == Some(&"(") && is_wanted(&tokens[open..]) {
            let before = tokens[..at].iter().rev();
            let visibility = before.copied().find(|token| !matches!(*token, "const" | "unsafe"));
            found.insert(tokens[at + 1].to_owned(), matches!(visibility, Some("pub" | ")")));
        }
    }
    found
}

/// Returns true if a list of parameters begins with `self`, `&self`, `&'a mut self` or the like.
fn takes_self(parameters: &[&str]) -> bool {
    let mut words = parameters.iter().skip(1).filter(|token| !matches!(**token, "&" | "mut"));
    match words.next() {
        Some(&"'") => words.nth(1) == Some(&"self"),
        first => first == Some(&"self"),
    }
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

/// A crate of ours.
struct Sources {
    code: BTreeMap<Module, String>,
    items: BTreeMap<Module, Items>,
    /// The folders of the crates that it depends on.
    needs: Vec<&'static str>,
}

/// The sources of all crates by folder.
fn sources() -> BTreeMap<&'static str, Sources> {
    let manifest = |folder: &str| -> toml::Table {
        fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap().parse().unwrap()
    };
    let manifests: Vec<toml::Table> = CRATES.into_iter().map(manifest).collect();
    let read = |(folder, own): (&'static str, &toml::Table)| {
        let mut code = BTreeMap::new();
        modules(&root().join(folder).join("src"), &Module::new(), &mut code);
        assert!(!code.is_empty(), "{folder} has no sources");
        let items = code.iter().map(|(at, text)| (at.clone(), Items::new(text))).collect();
        let is_needed = |other: &toml::Table| {
            let name = other["package"]["name"].as_str().unwrap();
            own.get("dependencies").is_some_and(|all| all.get(name).is_some())
        };
        let needs = CRATES.into_iter().zip(&manifests).filter(|(_, other)| is_needed(other));
        (folder, Sources { code, items, needs: needs.map(|(folder, _)| folder).collect() })
    };
    CRATES.into_iter().zip(&manifests).map(read).collect()
}

/// The file that defines a type which has an `impl` block in `module`: itself, the only one, the nearest around it, or else
/// one that it imports.
fn home<'m>(
    ty: &str,
    module: &'m Module,
    imported: &[Module],
    items: &'m BTreeMap<Module, Items>,
) -> Option<&'m Module> {
    let defines = |(at, items): (&'m Module, &Items)| items.defined.contains(ty).then_some(at);
    let all: Vec<&Module> = items.iter().filter_map(defines).collect();
    match all.as_slice() {
        [only] => Some(only),
        all if all.contains(&module) => Some(module),
        all => {
            let imported = || all.iter().find(|at| imported.contains(at));
            all.iter().rev().find(|at| module.starts_with(at)).or_else(imported).copied()
        }
    }
}

/// The modules that each module of a crate leads to by imports.
fn importing(folder: &str, crates: &BTreeMap<&str, Sources>) -> BTreeMap<Module, BTreeSet<Module>> {
    let code = &crates[folder].code;
    let imported = |(at, text): (&Module, &String)| {
        (at.clone(), imports(at, text, code).into_iter().collect())
    };
    code.iter().map(imported).collect()
}

/// The modules that each module of a crate leads to.
fn leads(folder: &str, crates: &BTreeMap<&str, Sources>) -> BTreeMap<Module, BTreeSet<Module>> {
    let Sources { code, items, needs } = &crates[folder];
    let mut found: BTreeMap<Module, BTreeSet<Module>> =
        code.keys().map(|module| (module.clone(), BTreeSet::new())).collect();
    let mut lead = |from: &Module, to: &Module| {
        if from != to {
            found.entry(from.clone()).or_default().insert(to.clone());
        }
    };
    // By method: the types that define it, each with the file of the method and true if it has a visibility.
    let mut methods: BTreeMap<&str, BTreeSet<(&Module, &str, &Module, bool)>> = BTreeMap::new();
    for (module, text) in code {
        let imported = imports(module, text, code);
        imported.iter().for_each(|to| lead(module, to));
        for (ty, own) in &items[module].methods {
            let Some(home) = home(ty, module, &imported, items) else {
                continue;
            };
            lead(module, home);
            lead(home, module);
            for (method, &is_visible) in own {
                methods.entry(method).or_default().insert((home, ty, module, is_visible));
            }
        }
    }
    let others = needs.iter().flat_map(|other| crates[other].items.values());
    let mut ambiguous: BTreeSet<&str> = STANDARD.split_whitespace().collect();
    ambiguous
        .extend(others.flat_map(|it| it.methods.values().flat_map(BTreeMap::keys)).map(|it| &**it));
    ambiguous.extend(items.values().flat_map(|it| &it.of_traits).map(|it| &**it));
    for (module, items) in items {
        for call in items.calls.iter().filter(|call| !ambiguous.contains(call.as_str())) {
            let known = methods.get(call.as_str()).into_iter().flatten();
            let mut callable =
                known.filter(|(_, _, file, is_visible)| *is_visible || module.starts_with(file));
            if let (Some((_, _, file, _)), None) = (callable.next(), callable.next()) {
                lead(module, file);
            }
        }
    }
    found
}

/// The circles among modules that lead to others, largest first, each with its modules.
fn circles(all: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<Vec<String>> {
    let number: BTreeMap<&Module, u32> = all.keys().zip(0..).collect();
    let mut graph = DiGraph::<(), ()>::new();
    for _ in all.keys() {
        graph.add_node(());
    }
    for (module, to) in all {
        for to in to {
            graph.add_edge(number[module].into(), number[to].into(), ());
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

/// The most files in circles that a crate may have where `known` files are: a circle of more than ten may take in a
/// few more, such as the next mechanism of a slot.
fn limit(known: usize) -> usize {
    if known > 10 { (known + 2).next_multiple_of(10) } else { known }
}

#[test]
fn circles_only_shrink() {
    let file = root().join("tests/data/circles.txt");
    let known = fs::read_to_string(&file).unwrap();
    let crates = sources();
    let (mut written, mut grown, mut shrunk) = (String::new(), String::new(), Vec::new());
    for folder in CRATES {
        let found = circles(&leads(folder, &crates));
        let sizes: Vec<usize> = found.iter().map(Vec::len).collect();
        let before: Vec<usize> = known
            .lines()
            .filter_map(|line| line.strip_prefix(folder)?.strip_prefix(':'))
            .flat_map(str::split_whitespace)
            .map(|size| size.parse().unwrap())
            .collect();
        let measure = |sizes: &[usize]| {
            (sizes.first().copied().unwrap_or_default(), sizes.iter().sum::<usize>())
        };
        let ((largest, total), (most, most_in_all)) = (measure(&sizes), measure(&before));
        if largest > limit(most) || total > limit(most_in_all) {
            let _ = writeln!(grown, "{folder}: {sizes:?} files; {before:?} are known:");
            for circle in found {
                let _ = writeln!(grown, "  {}", circle.join(" "));
            }
        }
        if largest < most || total < most_in_all {
            shrunk.push(folder);
        }
        let sizes: String = sizes.iter().map(|size| format!(" {size}")).collect();
        let _ = writeln!(written, "{folder}:{sizes}");
    }
    assert!(grown.is_empty(), "circles have grown:\n{grown}");
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        fs::write(&file, &written).unwrap();
    } else {
        let bless = "RECONVERGE_BLESS=1 cargo test -p reconverge-tests circles::";
        assert!(shrunk.is_empty(), "circles have shrunk in {shrunk:?}: {bless}");
    }
}

#[test]
fn imports_lead_in_small_circles_only() {
    let crates = sources();
    let mut faults = String::new();
    for folder in CRATES {
        let found = circles(&importing(folder, &crates));
        let total: usize = found.iter().map(Vec::len).sum();
        let largest = found.first().map_or(0, Vec::len);
        if largest > MOST_IMPORTING || total > MOST_IMPORTING_IN_ALL {
            let _ = writeln!(faults, "{folder} has {total} files in circles by imports:");
            for circle in found {
                let _ = writeln!(faults, "  {}", circle.join(" "));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{faults}at most {MOST_IMPORTING} files in one circle and {MOST_IMPORTING_IN_ALL} in all: \
         import a name from the file that defines it, or move what two files need into a third one"
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
        let found = imports(&module, &code(text), &all);
        found.iter().map(|path| path.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(of(&["d"], "use crate::a::{b::{self, X}, c::Y, Z};"), ["a::b", "a::b", "a::c", "a"]);
    assert_eq!(of(&["a", "b"], "let x = super::c::f() + super::super::d::g();"), ["a::c", "d"]);
    assert_eq!(of(&["a"], "pub use c::f; // crate::d::g"), ["a::c"]);
    assert!(of(&["a", "b"], "std::d::f(); #[cfg(test)] use crate::d::f;").is_empty());
    assert_eq!(of(&["d"], "#[cfg(test)] mod t { use crate::a::b; } use crate::a::c;"), ["a::c"]);
}

#[test]
fn types_methods_and_calls_are_found() {
    let text = "pub struct A<T>(T); impl<T: Fn() -> u8> A<T> { fn new() -> Self {} fn f(&'a mut self) { 1..g(); } }\n\
                // impl B { }\nimpl fmt::Display for A<u8> { fn fmt(&self) {} }\n\
                trait C { fn h(&self); } const D: char = '\"'; const E: &str = \"x.y()\";\n\
                fn i(x: impl Fn()) { x.k(1).l::<u8>(); x.field.m(); x.n; } impl super::B { pub(super) const fn o(self) {} }";
    let items = Items::new(&code(text));
    let words = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&items.defined), "A C");
    let method = |ty: &str, name: &str| items.methods[ty].get(name).copied();
    assert_eq!((method("A", "f"), method("B", "o")), (Some(false), Some(true)));
    assert_eq!(items.methods.values().map(BTreeMap::len).sum::<usize>(), 2);
    assert_eq!(
        (words(&items.of_traits), words(&items.calls)),
        ("h".to_owned(), "k l m".to_owned())
    );
}

//! The TextMate grammars of docs/editors are made of the words that the readers know. `RECONVERGE_BLESS=1` writes them.

use reconverge::{CompileOptions, Module};
use reconverge_compiler::check::builtin::TABLE as BUILTINS;
use reconverge_compiler::ir;
use reconverge_grammar::token::Word;
use reconverge_isa::table::TABLE;
use reconverge_isa::text::{ANNOTATIONS, DIRECTIVES, parse, print};
use reconverge_isa::{CacheHints, Space, Special, Width};
use reconverge_simulator::{machines, mechanisms, resolve_machine};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The words of a language, by the scope that editors give them.
struct Grammar {
    file: &'static str,
    name: &'static str,
    /// The endings of files.
    files: &'static [&'static str],
    /// The beginning of a comment that ends with its line.
    comment: &'static str,
    words: Vec<(&'static str, BTreeSet<String>)>,
}

fn set<'a>(words: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    words.into_iter().map(str::to_owned).collect()
}

/// The words of C++ and CUDA, and the functions that need no header.
fn cuda() -> Grammar {
    let is_word = |text: &&str| text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    let words = Word::ALL.iter().map(|word| word.text()).filter(is_word);
    let functions = BUILTINS.iter().flat_map(|row| row.names.iter().copied());
    let variables = ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"];
    Grammar {
        file: "cuda",
        name: "CUDA (Reconverge)",
        files: &["cu"],
        comment: "//",
        words: vec![
            ("keyword.control.cuda", set(words)),
            ("support.function.cuda", set(functions.filter(is_word))),
            ("variable.language.cuda", set(variables)),
        ],
    }
}

fn ir() -> Grammar {
    Grammar {
        file: "rvir",
        name: "Reconverge IR",
        files: &["ir"],
        comment: ";",
        words: vec![
            ("keyword.operator.rvir", set(ir::parse::keywords())),
            ("storage.type.rvir", set(ir::Type::ALL.map(|(_, name)| name))),
            ("keyword.other.rvir", set(["hint", "else", "volatile", "raw", "true", "false"])),
            ("storage.modifier.rvir", set(Space::ALL.map(|(_, name)| name))),
            ("variable.language.rvir", set(Special::ALL.map(|(_, name)| name))),
        ],
    }
}

fn assembly() -> Grammar {
    let modifiers = Space::ALL.map(|(_, name)| name).into_iter();
    Grammar {
        file: "rvasm",
        name: "Reconverge assembly",
        files: &["asm", "rvasm"],
        comment: "//",
        words: vec![
            ("keyword.operator.rvasm", set(TABLE.iter().map(|row| row.mnemonic))),
            ("keyword.control.directive.rvasm", set(DIRECTIVES)),
            ("storage.modifier.annotation.rvasm", set(ANNOTATIONS)),
            ("storage.modifier.rvasm", set(modifiers.chain(Width::ALL.map(|(_, name)| name)))),
            ("variable.language.rvasm", set(Special::ALL.map(|(_, name)| name))),
            ("constant.language.rvasm", set(CacheHints::all_names())),
        ],
    }
}

/// The keys of shipped machines and of mechanisms, and the names of mechanisms.
fn machine() -> Grammar {
    let mut keys = BTreeSet::new();
    for machine in machines() {
        let (_, file) = resolve_machine(&machine.name, &[]).expect("it is a machine");
        let table: toml::Table = file.parse().expect("it is TOML");
        add_keys(&table, &mut keys);
    }
    for info in mechanisms() {
        keys.extend(info.options.iter().map(|(option, _)| (*option).to_owned()));
    }
    Grammar {
        file: "machine",
        name: "Reconverge machine file",
        files: &["machine.toml"],
        comment: "#",
        words: vec![
            ("support.type.property-name.machine", keys),
            ("constant.language.machine", set(mechanisms().iter().map(|info| info.name))),
        ],
    }
}

fn add_keys(table: &toml::Table, keys: &mut BTreeSet<String>) {
    for (key, value) in table {
        let is_bare = key.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-' || it == b'_');
        // Sources are sentences of their own.
        if is_bare && !["sources", "assumed"].contains(&key.as_str()) {
            keys.insert(key.clone());
            if let toml::Value::Table(inner) = value {
                add_keys(inner, keys);
            }
        }
    }
}

fn all() -> [Grammar; 4] {
    [cuda(), ir(), assembly(), machine()]
}

/// The regular expression of some words, the longest first.
fn expression(words: &BTreeSet<String>) -> String {
    let mut words: Vec<String> = words.iter().map(|word| word.replace('.', "\\.")).collect();
    words.sort_by_key(|word| (std::cmp::Reverse(word.len()), word.clone()));
    format!("(?<![\\w.$-])(?:{})(?![\\w$-])", words.join("|"))
}

fn grammar(it: &Grammar) -> Value {
    let file = it.file;
    let mut patterns = vec![
        json!({ "name": format!("comment.line.{file}"), "match": format!("{}.*$", it.comment) }),
        json!({ "name": format!("string.quoted.double.{file}"), "begin": "\"", "end": "\"|$",
            "patterns": [{ "name": format!("constant.character.escape.{file}"), "match": "\\\\." }] }),
    ];
    if file == "cuda" {
        patterns.push(json!({ "name": "comment.block.cuda", "begin": "/\\*", "end": "\\*/" }));
        patterns.push(json!({ "name": "meta.preprocessor.cuda", "match": "^\\s*#.*$" }));
    }
    patterns.push(json!({ "name": format!("constant.numeric.{file}"),
        "match": "(?<![\\w.$%])-?(?:0x[0-9a-fA-F]+|[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\\w*" }));
    patterns.push(json!({ "name": format!("variable.parameter.{file}"),
        "match": if file == "rvir" { "%[0-9]+|\\b[bs][0-9]+\\b" } else { "\\b[rp][0-9]+(?::[0-9]+)?\\b" } }));
    if ["cuda", "machine"].contains(&file) {
        patterns.pop();
    }
    patterns.extend(
        it.words.iter().map(|(scope, words)| json!({ "name": scope, "match": expression(words) })),
    );
    json!({
        "name": it.name,
        "scopeName": format!("source.{file}"),
        "fileTypes": it.files,
        "patterns": patterns,
    })
}

fn path(it: &Grammar) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/editors");
    folder.join(format!("{}.tmLanguage.json", it.file))
}

#[test]
fn every_word_of_the_readers_is_in_a_grammar() {
    for it in all() {
        let expected = format!("{:#}\n", grammar(&it));
        if std::env::var_os("RECONVERGE_BLESS").is_some() {
            std::fs::create_dir_all(path(&it).parent().unwrap()).unwrap();
            std::fs::write(path(&it), &expected).unwrap();
        }
        let found = std::fs::read_to_string(path(&it)).unwrap_or_default().replace("\r\n", "\n");
        assert!(
            found == expected,
            "docs/editors/{}.tmLanguage.json is stale; RECONVERGE_BLESS=1 cargo test -p reconverge-tests grammars:: rewrites it",
            it.file
        );
    }
}

/// The annotations that the grammar names are those that the assembler knows.
#[test]
fn annotations_are_known() {
    for word in ANNOTATIONS {
        let errors = parse(&format!("exit !{word}")).err().unwrap_or_default();
        let unknown = errors.iter().any(|error| error.message.contains("unknown annotation"));
        assert!(!unknown, "{word}");
    }
}

/// Words that a compiled program has as IR and as assembly are in the grammars.
#[test]
fn words_of_a_program_are_in_the_grammars() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../examples/reduction.cu");
    let source = std::fs::read_to_string(path).unwrap();
    let module = Module::compile(source.as_str(), &CompileOptions::default()).unwrap();
    let lowered = module.lowered();
    let intermediate = ir::print::module(&[], &[], &lowered.ir);
    for (text, it) in [(intermediate, ir()), (print(&lowered.program), assembly())] {
        let known = |word: &str| it.words.iter().any(|(_, words)| words.contains(word));
        let known = |word: &str| {
            let mut parts = word.split('.').collect::<Vec<_>>();
            while !parts.is_empty() && !known(&parts.join(".")) {
                parts.pop();
            }
            !parts.is_empty()
        };
        for line in text.lines().filter(|line| line.starts_with("  ")) {
            let line = line.split_once(" = ").map_or(line, |(_, rest)| rest).trim();
            let line = line
                .strip_prefix('@')
                .map_or(line, |rest| rest.split_once(' ').map_or("", |(_, rest)| rest.trim()));
            let word = line.split_whitespace().next().unwrap_or_default();
            assert!(known(word), "{}: `{word}` of `{line}`", it.name);
        }
    }
}

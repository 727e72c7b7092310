//! The commands and options that documents name exist, and documents show the output of commands.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn help(command: &str) -> String {
    let binary = env!("CARGO_BIN_EXE_reconverge");
    let output = Command::new(binary).args([command, "--help"]).output().unwrap();
    assert!(output.status.success(), "there is no command `{command}`");
    String::from_utf8(output.stdout).unwrap()
}

fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn commands_and_options_exist() {
    let list = document("docs/commands.md");
    let calls = list.lines().filter_map(|line| line.strip_prefix("reconverge "));
    let commands: BTreeSet<_> = calls.map(|call| call.split(' ').next().unwrap()).collect();
    assert!(commands.len() > 4, "the commands are not found: {commands:?}");
    let helps: String = commands.iter().map(|command| help(command)).collect();
    let known: BTreeSet<_> = helps.split([' ', '\n', ',', '=', '[']).collect();
    // Cargo has options of its own.
    let text = list + &document("README.md");
    let lines = text.lines().filter(|line| !line.contains("cargo "));
    let words = lines.flat_map(|line| line.split([' ', '`', '(', ')']));
    for word in words.filter(|word| word.len() > 2 && word.starts_with("--")) {
        let option = word.split('=').next().unwrap_or(word);
        let option = option.trim_end_matches([',', '.', ':']);
        let is_table_rule = option.chars().all(|letter| matches!(letter, '-' | ':'));
        assert!(is_table_rule || known.contains(option), "there is no option `{option}`");
    }
}

/// The output of a call to both streams, in the folder of the examples.
fn printed(call: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_reconverge"));
    let output = command.current_dir(root).args(call.split_whitespace()).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).unwrap()
}

/// The text with its `rust` blocks, whose first line names a source file as a comment, as that file is.
fn with_sources(text: &str) -> String {
    let mut parts = text.split("```rust\n// ");
    let mut fresh = parts.next().unwrap().to_string();
    for part in parts {
        let (block, rest) = part.split_once("```\n").unwrap();
        let file = block.lines().next().unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
        let source =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
        fresh += &format!("```rust\n// {file}\n{source}```\n{rest}");
    }
    fresh
}

/// `console` blocks of documents show the output of their command, and `rust` blocks the file that
/// they name.
#[test]
fn documents_show_what_commands_print() {
    let documents = [
        "README.md",
        "docs/compare.md",
        "docs/course/barriers.md",
        "docs/course/coalescing.md",
        "docs/course/divergence.md",
        "docs/course/mechanism.md",
        "docs/course/occupancy.md",
        "docs/course/valley.md",
        "docs/course/warps.md",
        "docs/findings.md",
        "docs/levels.md",
        "docs/occupancy.md",
        "docs/profile.md",
    ];
    for document in documents {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
        let text = std::fs::read_to_string(&path).unwrap();
        let mut parts = text.split("```console\n$ reconverge ");
        let mut fresh = parts.next().unwrap().to_string();
        for part in parts {
            let (block, rest) = part.split_once("\n```\n").unwrap();
            let call = block.lines().next().unwrap();
            let output = printed(call);
            fresh +=
                &format!("```console\n$ reconverge {call}\n{}\n```\n{rest}", output.trim_end());
        }
        fresh = with_sources(&fresh);
        if std::env::var_os("RECONVERGE_BLESS").is_some() {
            std::fs::write(&path, &fresh).unwrap();
        } else {
            assert!(fresh == text, "{document} is stale: run with RECONVERGE_BLESS=1\n{fresh}");
        }
    }
}

//! The project's words: documents, doc comments and texts for users say what a GPU architect or a compiler
//! engineer would say. `tests/data/words.txt` lists what they do not say.

use reconverge_isa::names::{NameKind, RENAMED};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every Rust source and document of the project, sorted.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            files(&path, found);
        } else if name.ends_with(".md") || name.ends_with(".rs") {
            found.push(path);
        }
    }
}

/// The doc comments and string literals of a source, a line for each; of a document, everything but the
/// rows of tables that name old names.
fn prose(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    if path.extension().is_some_and(|extension| extension == "md") {
        let is_old_name = |line: &&str| line.starts_with("| `") && line.matches('|').count() == 3;
        let changelog = path.ends_with("CHANGELOG.md");
        let lines = text.lines().filter(|line| !(changelog && is_old_name(line)));
        return lines.collect::<Vec<_>>().join("\n");
    }
    let mut found = String::new();
    for line in text.lines() {
        let comment = line.trim_start();
        match comment.strip_prefix("///").or_else(|| comment.strip_prefix("//!")) {
            Some(comment) => found += comment,
            None => line.split('"').skip(1).step_by(2).for_each(|literal| found += literal),
        }
        found.push('\n');
    }
    found
}

/// How often a text has a phrase as whole words, with any white space between them.
fn count(text: &str, phrase: &[&str]) -> usize {
    let is_part = |c: char| !(c.is_alphanumeric() || c == '-' || c == '_');
    let words: Vec<&str> = text.split(is_part).filter(|word| !word.is_empty()).collect();
    words
        .windows(phrase.len())
        .filter(|window| window.iter().zip(phrase).all(|(a, b)| a.eq_ignore_ascii_case(b)))
        .count()
}

/// The folder that a limit of the list is for: the first of the path, or `documents`.
fn area(path: &Path) -> String {
    let relative = path.strip_prefix(root()).unwrap();
    match relative.extension().is_some_and(|extension| extension == "md") {
        true => "documents".to_owned(),
        false => relative.iter().next().unwrap().to_string_lossy().into_owned(),
    }
}

/// A line of the list: a phrase, what to say in its place, and by area how often it still occurs.
struct Banned {
    phrase: String,
    instead: String,
    left: BTreeMap<String, usize>,
}

fn list() -> Vec<Banned> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/words.txt");
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line: &str| {
        let mut parts = line.split(" | ").map(str::trim);
        let (phrase, instead) = (parts.next().unwrap(), parts.next().expect(line));
        let left = parts.map(|part| {
            let (area, count) = part.split_once(' ').expect(line);
            let count = if count == "any" { usize::MAX } else { count.parse().expect(line) };
            (area.to_owned(), count)
        });
        Banned { phrase: phrase.to_owned(), instead: instead.to_owned(), left: left.collect() }
    };
    lines.map(entry).collect()
}

#[test]
fn texts_use_the_words_of_the_field() {
    let (mut all, mut texts) = (Vec::new(), BTreeMap::<String, Vec<(PathBuf, String)>>::new());
    files(&root(), &mut all);
    for path in all {
        let text = prose(&path);
        texts.entry(area(&path)).or_default().push((path, text));
    }
    assert!(texts.len() > 5, "the sources are not found");
    let mut complaints = Vec::new();
    for Banned { phrase, instead, left } in list() {
        let words: Vec<&str> = phrase.split(' ').collect();
        for (area, texts) in &texts {
            let counts = texts.iter().map(|(path, text)| (path, count(text, &words)));
            let found: Vec<_> = counts.filter(|(_, count)| *count > 0).collect();
            let sum: usize = found.iter().map(|(_, count)| count).sum();
            let limit = left.get(area).copied().unwrap_or(0);
            if sum > limit {
                complaints.push(format!(
                    "{area}: `{phrase}` {sum} times, at most {limit}: say {instead}"
                ));
                let places =
                    found.iter().map(|(path, count)| format!("  {count} in {}", path.display()));
                complaints.extend(places);
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn documents_have_no_old_name() {
    let mut all = Vec::new();
    files(&root(), &mut all);
    let mut complaints = Vec::new();
    for path in all.iter().filter(|path| area(path) == "documents") {
        let text = prose(path);
        // Old mnemonics and keys may be words; only names that say nothing else are looked for.
        let names = RENAMED.iter().filter(|(kind, old, _)| {
            *kind == NameKind::Statistic || old.contains(['.', '-']) && *kind != NameKind::Mnemonic
        });
        for (_, old, new) in names {
            if text.contains(&format!("`{old}`")) || text.contains(&format!("{old}=")) {
                complaints.push(format!("{}: `{old}` is now `{new}`", path.display()));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

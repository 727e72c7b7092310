//! The style of documents, doc comments and messages: sentence openings, sentence length, rates, and phrases.
//! `tests/data/style.txt` lists the phrases, and the files that do not follow the other rules yet.

use reconverge_isa::names::{NameKind, RENAMED};
use std::fs;
use std::path::{Path, PathBuf};

/// The most words of a sentence of a comment, code aside.
const LONGEST: usize = 40;
/// The most words of a sentence of a document, code aside.
const LONGEST_IN_DOCUMENTS: usize = 25;
/// Units and the words after "a" that make a rate: "64 bytes a thread" should be "64 bytes per thread".
const COUNTED: [&str; 16] = [
    "accesses",
    "blocks",
    "bytes",
    "elements",
    "instructions",
    "lanes",
    "lines",
    "loads",
    "passes",
    "registers",
    "requests",
    "sectors",
    "slots",
    "threads",
    "warps",
    "words",
];
const PER: [&str; 7] = ["block", "cycle", "lane", "second", "SM", "thread", "warp"];
/// First words of sentences that begin with a noun clause.
const OPENINGS: [&str; 4] = ["What", "Whether", "Whose", "Of"];
/// Words after "That" that make it a conjunction: "That the file is missing is reported".
const CLAUSES: [&str; 9] = ["a", "an", "each", "every", "it", "no", "nothing", "the", "they"];
/// Words that end with a point within a sentence.
const ABBREVIATIONS: [&str; 8] = ["al.", "cf.", "ch.", "e.g.", "i.e.", "p.", "pp.", "vs."];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every Rust source and document of the project, by its path from the root, sorted.
fn files() -> Vec<String> {
    let (mut folders, mut found) = (vec![root()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                let is_source =
                    name != "target" && name != "node_modules" && !name.starts_with('.');
                folders.extend(is_source.then_some(path));
            } else if name.ends_with(".md") || name.ends_with(".rs") {
                let path = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A paragraph, an item of a list, a cell of a table, or a comment.
struct Paragraph {
    line: usize,
    text: String,
    is_cell: bool,
}

/// Collects lines into paragraphs.
#[derive(Default)]
struct Paragraphs {
    found: Vec<Paragraph>,
    open: Option<(usize, String)>,
    is_code: bool,
}

impl Paragraphs {
    fn end(&mut self) {
        let open = self.open.take();
        self.found.extend(open.map(|(line, text)| Paragraph { line, text, is_cell: false }));
    }

    fn line(&mut self, number: usize, line: &str) {
        let line = line.trim();
        if line.starts_with("```") {
            self.is_code = !self.is_code;
            self.end();
        } else if self.is_code || line.is_empty() || line.starts_with(['#', '!', '<']) {
            self.end();
        } else if let Some(row) = line.strip_prefix('|') {
            self.end();
            let cells = row.split('|').map(|cell| Paragraph {
                line: number,
                text: cell.to_owned(),
                is_cell: true,
            });
            self.found.extend(cells);
        } else {
            let item = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            let is_item = ["- ", "* "].iter().any(|mark| line.starts_with(mark));
            if is_item || item.starts_with(' ') && item.len() < line.len() {
                self.end();
            }
            let (_, text) = self.open.get_or_insert_with(|| (number, String::new()));
            *text += line;
            text.push(' ');
        }
    }
}

/// The paragraphs of a document without code and generated parts, or of the comments of a source.
fn paragraphs(path: &str, text: &str) -> Vec<Paragraph> {
    let mut all = Paragraphs::default();
    let mut is_generated = false;
    for (number, line) in (1..).zip(text.lines()) {
        if path.ends_with(".md") {
            is_generated = match line {
                line if line.starts_with("<!-- Generated") => true,
                line if line.starts_with("<!-- End") => false,
                _ => is_generated,
            };
            all.line(number, if is_generated { "" } else { line });
        } else {
            let comment = line.trim_start().strip_prefix("//").unwrap_or_default();
            all.line(number, comment.trim_start_matches(['/', '!']));
        }
    }
    all.end();
    all.found
}

/// The text without code, quotations and targets of links.
fn plain(text: &str) -> String {
    let mut found = String::new();
    for (number, part) in text.split('`').enumerate() {
        found += if number % 2 == 0 { part } else { "`" };
    }
    let mut parts = found.split("](");
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        linked += part.split_once(')').map_or(part, |(_, rest)| rest);
    }
    let quoted = linked.split('"').enumerate();
    quoted.map(|(number, part)| if number % 2 == 0 { part } else { "`" }).collect()
}

/// The sentences of a text as words with their punctuation.
fn sentences(text: &str) -> Vec<Vec<&str>> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for word in text.split_whitespace() {
        open.push(word);
        let bare = word.trim_end_matches([')', '*', '_', ']']);
        let is_end = bare.ends_with(['.', '?', '!', ';']);
        if is_end && !ABBREVIATIONS.contains(&bare.trim_start_matches('(')) {
            found.push(std::mem::take(&mut open));
        }
    }
    found.push(open);
    found.retain(|words| !words.is_empty());
    found
}

fn letters(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// A number of things and "a thread" or the like, at the end of a clause.
fn rate(words: &[&str]) -> Option<String> {
    let is_rate = |window: &&[&str]| {
        let [counted, article, per] = window else { return false };
        let is_counted = COUNTED.contains(counted) || counted.parse::<u64>().is_ok();
        is_counted && ["a", "an"].contains(article) && PER.contains(&letters(per))
    };
    let ends = |at: usize| {
        let per = words[at + 2];
        at + 3 == words.len() || per.ends_with([',', '.', ';', ':', ')', '?'])
    };
    let mut windows = words.windows(3).enumerate();
    windows.find(|(at, window)| is_rate(window) && ends(*at)).map(|(_, window)| window.join(" "))
}

/// Faults of style in a sentence, which may have `longest` words.
fn faults(words: &[&str], longest: usize) -> Vec<String> {
    let first =
        words.iter().position(|word| word.chars().any(char::is_alphanumeric) || word.contains('`'));
    let words = &words[first.unwrap_or(0)..];
    let mut found = Vec::new();
    let opening = words.first().map_or("", |word| letters(word));
    let next = words.get(1).map_or("", |word| letters(word));
    let is_question = words.last().is_some_and(|word| word.contains('?'));
    let is_clause = OPENINGS.contains(&opening) && next != "course"
        || opening == "That" && CLAUSES.contains(&next);
    if is_clause && !is_question && !words[0].starts_with('`') {
        found.push(format!("a sentence opens with \"{opening} {next}\": say who does what"));
    }
    let length = words.iter().filter(|word| word.chars().any(char::is_alphabetic)).count();
    if length > longest {
        found.push(format!(
            "a sentence has {length} words, of which at most {longest} are easy to read: split it"
        ));
    }
    found.extend(rate(words).map(|rate| format!("\"{rate}\": a rate is \"per\"")));
    found
}

fn complaints(path: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(path)).unwrap();
    let mut found = Vec::new();
    for Paragraph { line, text, is_cell } in paragraphs(path, &text) {
        let longest = match path.ends_with(".md") {
            _ if is_cell => usize::MAX,
            true => LONGEST_IN_DOCUMENTS,
            false => LONGEST,
        };
        let text = plain(&text);
        for sentence in sentences(&text) {
            let start: Vec<&str> = sentence.iter().take(6).copied().collect();
            let faults = faults(&sentence, longest);
            found.extend(
                faults
                    .iter()
                    .map(|fault| format!("{path}:{line}: {fault} (\"{} ...\")", start.join(" "))),
            );
        }
    }
    found
}

/// The lines of `tests/data/style.txt` of one kind, without the word that names it.
fn listed(kind: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/style.txt");
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' '));
    lines.map(|line| line.trim().to_owned()).collect()
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[test]
fn texts_follow_the_style() {
    let mut left_out = listed("unfinished");
    left_out.extend(listed("generated"));
    let finished: Vec<String> = files()
        .into_iter()
        .filter(|path| !left_out.iter().any(|folder| is_below(path, folder)))
        .collect();
    assert!(finished.len() > 30, "the documents are not found");
    let found: Vec<String> = finished.iter().flat_map(|path| complaints(path)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn unfinished_files_are_unfinished() {
    for folder in listed("unfinished") {
        let of_it = files().into_iter().filter(|path| is_below(path, &folder));
        let has_faults = of_it.into_iter().any(|path| !complaints(&path).is_empty());
        assert!(has_faults, "{folder} follows the style: take it out of tests/data/style.txt");
    }
}

/// The text of a file in which phrases are looked for: of a source, comments and string literals.
fn wording(path: &str) -> String {
    let text = fs::read_to_string(root().join(path)).unwrap();
    if path.ends_with(".md") {
        return text;
    }
    let mut found = String::new();
    for line in text.lines() {
        match line.trim_start().strip_prefix("//") {
            Some(comment) => found += comment,
            None => line.split('"').skip(1).step_by(2).for_each(|literal| found += literal),
        }
        found.push('\n');
    }
    found
}

/// True if a text has a phrase as whole words, with any white space between them.
fn contains(text: &str, phrase: &str) -> bool {
    let is_part = |c: char| !(c.is_alphanumeric() || c == '-' || c == '_');
    let words: Vec<&str> = text.split(is_part).filter(|word| !word.is_empty()).collect();
    let phrase: Vec<&str> = phrase.split(' ').collect();
    words
        .windows(phrase.len())
        .any(|window| window.iter().zip(&phrase).all(|(a, b)| a.eq_ignore_ascii_case(b)))
}

#[test]
fn texts_avoid_the_listed_phrases() {
    let phrases = listed("phrase");
    assert!(phrases.len() > 10, "the phrases are not found");
    let mut found = Vec::new();
    for path in files() {
        let text = wording(&path);
        for line in &phrases {
            let (phrase, instead) = line.split_once(" | ").expect(line);
            if contains(&text, phrase) {
                found.push(format!("{path}: \"{phrase}\": say {instead}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The identifiers of a source, comments and string literals aside.
pub(crate) fn identifiers(text: &str) -> Vec<String> {
    let (mut found, mut is_string, mut before) = (Vec::new(), false, ' ');
    for line in text.lines() {
        let mut open = String::new();
        let mut rest = line.chars().peekable();
        while let Some(letter) = rest.next() {
            let is_quote = letter == '"' && !(before == '\'' && rest.peek() == Some(&'\''));
            if is_string && letter == '\\' {
                rest.next();
            } else if is_quote {
                is_string = !is_string;
            } else if !is_string && letter == '/' && rest.peek() == Some(&'/') {
                break;
            } else if !is_string && (letter.is_alphanumeric() || letter == '_') {
                open.push(letter);
                before = letter;
                continue;
            }
            found.push(std::mem::take(&mut open));
            before = letter;
        }
        found.push(open);
    }
    found.retain(|name| !name.is_empty());
    found
}

/// The words of an identifier in snake or camel case.
pub(crate) fn words_of(name: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for letter in name.chars() {
        if letter == '_' || letter.is_uppercase() {
            found.push(String::new());
        }
        let open = found.last_mut().unwrap();
        open.extend((letter != '_').then(|| letter.to_ascii_lowercase()));
    }
    found
}

#[test]
fn names_of_the_simulator_use_the_words_of_the_field() {
    let names = listed("name");
    assert!(names.len() > 10, "the names are not found");
    let mut found = Vec::new();
    for path in files().iter().filter(|path| is_below(path, "simulator/src")) {
        let text = fs::read_to_string(root().join(path)).unwrap();
        let mut used = identifiers(&text);
        used.sort();
        used.dedup();
        for name in used {
            let words = words_of(&name);
            let listed = names.iter().filter_map(|line| line.split_once(" | "));
            for (_, instead) in listed.filter(|(old, _)| words.iter().any(|word| word == old)) {
                found.push(format!("{path}: `{name}`: say {instead}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn identifiers_are_found_outside_comments_and_strings() {
    let text = "let a_b = \"c \\\" d\"; // e\nif x == '\"' { Fg(h) } \"i\nj\" k";
    assert_eq!(identifiers(text), ["let", "a_b", "if", "x", "Fg", "h", "k"]);
    assert_eq!(words_of("take_PathSlots"), ["take", "", "path", "slots"]);
}

#[test]
fn rules_refuse_translations_and_accept_plain_english() {
    let refused =
        |text: &str| sentences(&plain(text)).iter().any(|words| !faults(words, LONGEST).is_empty());
    let bad = [
        "What makes it slow, below a table of what it took:",
        "Whether an instruction may issue is computed here.",
        "Whose loads wait there: nothing for all.",
        "Of what is left nothing is told.",
        "That the file cannot be written is said before the program runs.",
        "It takes 64 bytes a thread, and no more.",
        "The loads of 32 registers a warp.",
    ];
    for text in bad {
        assert!(refused(text), "accepted: {text}");
    }
    let good = [
        "What is a warp?",
        "Nobody waits. Of course, the lanes behind it do.",
        "That is why the path waits; that of the other one does not.",
        "It takes 64 bytes per thread.",
        "The instructions a warp executes are counted, and the lines a cycle brings are too.",
        "The paper says: \"What is left is idle.\"",
        "See Lee et al. What `cost` means is below?",
    ];
    for text in good {
        assert!(!refused(text), "refused: {text}");
    }
    let long = vec!["word"; LONGEST + 1].join(" ");
    assert!(refused(&long) && !refused(&format!("{} end. And more", &long[10..])));
}

#[test]
fn documents_have_no_old_name() {
    // Old mnemonics and keys may be words; only names that say nothing else are looked for.
    let names: Vec<_> = RENAMED
        .iter()
        .filter(|(kind, old, _)| {
            *kind == NameKind::Statistic || old.contains(['.', '-']) && *kind != NameKind::Mnemonic
        })
        .collect();
    let mut found = Vec::new();
    for path in files().iter().filter(|path| path.ends_with(".md")) {
        let text = fs::read_to_string(root().join(path)).unwrap();
        // The changelog has tables of old names with new ones.
        let is_old_name = |line: &&str| line.starts_with("| `") && line.matches('|').count() == 3;
        let lines = text.lines().filter(|line| path != "CHANGELOG.md" || !is_old_name(line));
        let text = lines.collect::<Vec<_>>().join("\n");
        for (_, old, new) in &names {
            if text.contains(&format!("`{old}`")) || text.contains(&format!("{old}=")) {
                found.push(format!("{path}: `{old}` is now `{new}`"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

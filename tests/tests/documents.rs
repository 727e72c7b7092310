//! The documents: programs in them do what they say, links lead somewhere, and the lists of functions
//! are whole. The command lines in documents are tested in `runtime/cli/tests/readme.rs`.

use crate::data::{difference, each, trimmed};
use reconverge::execute::ModelName;
use reconverge::host::report::Outcome;
use reconverge_compiler::check::builtin::TABLE;
use reconverge_compiler::diagnostic::code;
use reconverge_tests::oracle::{Variant, check, run};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const WITH_PROGRAMS: [&str; 4] =
    ["README.md", "docs/commands.md", "docs/extend.md", "spec/language.md"];

/// A fenced block of a document.
struct Block {
    /// `spec/language.md:12`, the place of the opening fence.
    place: String,
    /// The text after the opening fence.
    kind: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(document: &str) -> String {
    fs::read_to_string(root().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"))
}

fn blocks(document: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in (1..).zip(read(document).lines()) {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(kind) => {
                let place = format!("{document}:{number}");
                found.push(Block { place, kind: kind.to_string(), text: String::new() });
                open = true;
            }
            None if open => {
                let block = found.last_mut().unwrap();
                block.text += line;
                block.text.push('\n');
            }
            None => {}
        }
    }
    assert!(!open, "{document}: a block is not closed");
    found
}

/// The program of a block, and whether it is one to run.
fn program(block: &Block) -> (String, bool) {
    let runs = block.text.contains("int main(");
    let end = if runs { "" } else { "int main() { return 0; }\n" };
    (format!("{}{end}", block.text), runs)
}

/// Complains when a `cuda` block, and the `text` block after it, are not true.
fn is_true(block: &Block, expected: Option<&Block>) -> Result<(), String> {
    let (text, runs) = program(block);
    let checked = check(&block.place, &text);
    if checked.has_errors() {
        return Err(format!("does not compile:\n{}", checked.render(false)));
    }
    if !runs {
        return Ok(());
    }
    for variant in [Variant::reference(), Variant::new(ModelName::Timing, "tiny")] {
        let trace = run(&checked, &variant, &[])?;
        if trace.outcome != Outcome::Exit(0) {
            return Err(trace.outcome.render(&checked.sources, false));
        }
        let Some(expected) = expected else { continue };
        let output = trimmed(&trace.output);
        if let Some(what) = difference(&trimmed(&expected.text), &output) {
            return Err(format!("{}: {what}", variant.model.name()));
        }
    }
    Ok(())
}

#[test]
fn programs_do_what_the_documents_say() {
    let documents: Vec<_> = WITH_PROGRAMS.iter().map(|document| blocks(document)).collect();
    let pairs: Vec<_> = documents
        .iter()
        .flat_map(|blocks| blocks.iter().enumerate().map(|(at, block)| (block, blocks.get(at + 1))))
        .filter(|(block, _)| block.kind == "cuda")
        .collect();
    assert!(pairs.len() > 5, "the programs are not found");
    each(&pairs, |(block, next)| {
        let expected = next.filter(|next| next.kind == "text");
        is_true(block, expected).map_err(|what| format!("{}: {what}", block.place))
    });
}

#[test]
fn programs_that_the_documents_refuse_are_refused() {
    let blocks: Vec<_> = WITH_PROGRAMS.iter().flat_map(|document| blocks(document)).collect();
    let refused: Vec<_> = blocks.iter().filter(|block| block.kind == "cuda,error").collect();
    assert!(refused.len() > 3, "the programs are not found");
    each(&refused, |block| match check(&block.place, &program(block).0).has_errors() {
        true => Ok(()),
        false => Err(format!("{}: is accepted", block.place)),
    });
}

#[test]
fn every_block_is_of_a_known_kind() {
    for block in WITH_PROGRAMS.iter().flat_map(|document| blocks(document)) {
        let known = ["", "text", "cuda", "cuda,error", "rust", "console"];
        assert!(known.contains(&&*block.kind), "{}", block.place);
    }
}

/// Rust in the documents is a part of an example or of the extension, which tests compile.
#[test]
fn rust_is_from_an_example() {
    let of_extension = entries(&root().join("runtime/examples/extension/src"));
    let examples = of_extension.iter().map(|path| fs::read_to_string(path).unwrap());
    let examples: Vec<String> = examples.chain([read("runtime/examples/sweep.rs")]).collect();
    let unindented: Vec<&str> =
        examples.iter().flat_map(|text| text.lines()).map(str::trim).collect();
    for block in WITH_PROGRAMS.iter().flat_map(|document| blocks(document)) {
        let lines: Vec<&str> = block.text.lines().map(str::trim).collect();
        let found = unindented.windows(lines.len().max(1)).any(|window| window == lines);
        assert!(block.kind != "rust" || found, "{}: in no example", block.place);
    }
}

/// The entries of a folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The Markdown files at the top and in `spec`, `docs` and `tests`.
fn documents() -> Vec<PathBuf> {
    let is_document = |path: &PathBuf| path.extension().is_some_and(|end| end == "md");
    let mut found: Vec<PathBuf> = entries(&root()).into_iter().filter(is_document).collect();
    let mut folders = vec![root().join("spec"), root().join("docs"), root().join("tests")];
    while let Some(folder) = folders.pop() {
        let (below, files): (Vec<_>, Vec<_>) =
            entries(&folder).into_iter().partition(|path| path.is_dir());
        folders.extend(below);
        found.extend(files.into_iter().filter(is_document));
    }
    found.sort();
    found
}

/// The lines of a document that are not code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The anchors of a document, which GitHub and mdBook make of its headings: letters in lower case, digits, `_` and `-`, with
/// `-` for a blank; the second of the same name has `-1`.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in prose(text).filter(|line| line.starts_with('#')) {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let name: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let mut numbered = (1..).map(|count| format!("{name}-{count}"));
        let free = match found.contains(&name) {
            true => numbered.find(|name| !found.contains(name)).unwrap(),
            false => name,
        };
        found.insert(free);
    }
    found
}

/// The files that a document links to, with the anchors.
fn links(text: &str) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    for rest in prose(text).flat_map(|line| line.split("](").skip(1)) {
        let link = rest.split(')').next().unwrap_or_default();
        // `[](int x)` is a lambda expression.
        if link.is_empty() || link.contains("://") || link.contains(' ') {
            continue;
        }
        let (file, anchor) = match link.split_once('#') {
            Some((file, anchor)) => (file, Some(anchor.to_owned())),
            None => (link, None),
        };
        found.push((file.to_owned(), anchor));
    }
    found
}

#[test]
fn links_lead_to_files_and_headings() {
    let (mut faults, mut count) = (Vec::new(), 0);
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for (link, anchor) in links(&text) {
            let target = match link.is_empty() {
                true => document.clone(),
                false => document.parent().unwrap().join(&link),
            };
            count += 1;
            if !target.exists() {
                faults.push(format!("{}: there is no {link}", document.display()));
            } else if let Some(anchor) = anchor
                && !anchors(&fs::read_to_string(&target).unwrap()).contains(&anchor)
            {
                faults.push(format!("{}: {link} has no #{anchor}", document.display()));
            }
        }
    }
    assert!(count > 300, "only {count} links are found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn anchors_are_those_of_the_headings() {
    let text = "# A `b_c`, d: e\n## Same\n## Same\n```\n# no heading\n```\n";
    assert_eq!(Vec::from_iter(anchors(text)), ["a-b_c-d-e", "same", "same-1"]);
}

/// docs/SUMMARY.md is the table of contents of the book (`mdbook build`). The pages of programs that a study writes are
/// below the study there (`.ci/book.py`). A crate's README is for its registry.
#[test]
fn every_document_is_in_the_book_once() {
    let plain = |path: &Path| path.canonicalize().unwrap();
    let summary = root().join("docs/SUMMARY.md");
    let mut said: Vec<PathBuf> = links(&read("docs/SUMMARY.md"))
        .iter()
        .map(|(link, _)| plain(&summary.parent().unwrap().join(link)))
        .collect();
    said.sort();
    let is_chapter = |path: &&PathBuf| {
        **path != summary
            && (!path.with_file_name("Cargo.toml").exists() || path.parent() == Some(&*root()))
            && path.parent().unwrap().file_name().is_none_or(|name| name != "programs")
    };
    let all: Vec<PathBuf> = documents().iter().filter(is_chapter).map(|path| plain(path)).collect();
    let all = BTreeSet::from_iter(all);
    assert_eq!(said, Vec::from_iter(all));
}

/// Files of Rust below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    let mut found: Vec<PathBuf> = entries(folder).into_iter().flat_map(below).collect();
    found.retain(|path| path.extension().is_some_and(|end| end == "rs"));
    found
}

#[test]
fn schemas_have_the_numbers_of_the_document() {
    let text = read("docs/stability.md");
    let (_, list) = text.split_once("## Schemas").unwrap();
    // (file, number) of each row.
    let mut said: Vec<(&str, &str)> = Vec::new();
    for row in list.lines().filter(|line| line.contains("](../")) {
        let number = row.split('|').nth(2).unwrap().trim();
        let file = row.split("](../").nth(1).unwrap().split(')').next().unwrap();
        said.push((file, number));
    }
    said.sort_unstable();
    let mut defined: Vec<(String, String)> = Vec::new();
    let folders = ["runtime/cli/src", "runtime/report/src", "runtime/src"]
        .map(|folder| sources(&root().join(folder)));
    for file in folders.concat() {
        let text = fs::read_to_string(&file).unwrap();
        let Some((_, rest)) = text.split_once("const SCHEMA: u32 = ") else { continue };
        let number = rest.split(';').next().unwrap();
        let name = file.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        defined.push((name, number.to_owned()));
    }
    defined.sort_unstable();
    let defined: Vec<_> = defined.iter().map(|(file, number)| (&**file, &**number)).collect();
    assert_eq!(said, defined);
}

/// A number in a document: its place, and its text.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    file: String,
    /// The text around numbers, which are `{name}` in it.
    text: String,
}

/// Numbers of one document that others repeat.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    about: String,
    source: Place,
    repeated: Vec<Place>,
}

impl Place {
    /// The numbers by their names, as the document has them.
    fn numbers(&self) -> Result<BTreeMap<String, String>, String> {
        let document = read(&self.file).split_whitespace().collect::<Vec<_>>().join(" ");
        let mut parts = self.text.split(['{', '}']);
        let first = parts.next().unwrap_or_default();
        let rest: Vec<&str> = parts.collect();
        // A text that begins with a number begins with the whole of it.
        let is_inside = |at: usize| first.is_empty() && document[..at].ends_with(is_digit);
        let starts = document.match_indices(first).map(|(at, _)| at);
        let starts = starts.filter(|&at| !is_inside(at)).map(|at| &document[at + first.len()..]);
        let mut found = starts.filter_map(|text| matched(text, &rest));
        match (found.next(), found.next()) {
            (Some(found), None) => Ok(found),
            (None, _) => Err(format!("{} does not say `{}`", self.file, self.text)),
            _ => Err(format!("{} says `{}` more than once", self.file, self.text)),
        }
    }
}

/// Returns true for the characters of a number.
fn is_digit(character: char) -> bool {
    character.is_ascii_digit() || ".,".contains(character)
}

/// The numbers of a text that begins with `parts`: in turns the name of a number and the text after
/// it.
fn matched(mut text: &str, parts: &[&str]) -> Option<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    for part in parts.chunks(2) {
        let end = text.find(|c| !is_digit(c)).unwrap_or(text.len());
        let number = text[..end].trim_end_matches(['.', ',']);
        number.parse::<f64>().or_else(|_| number.replace(',', "").parse()).ok()?;
        text = text[number.len()..].strip_prefix(part.get(1).copied().unwrap_or_default())?;
        found.insert(part[0].to_owned(), number.to_owned());
    }
    Some(found)
}

/// Returns true if a number is another one, rounded to the same number of digits or fewer.
fn rounds_to(source: &str, repeated: &str) -> bool {
    let value = |text: &str| text.replace(',', "").parse::<f64>();
    let digits = |text: &str| text.split_once('.').map_or(0, |(_, digits)| digits.len());
    let (Ok(exact), Ok(shown)) = (value(source), value(repeated)) else {
        return false;
    };
    let step = 10f64.powi(-(digits(repeated) as i32));
    digits(repeated) <= digits(source) && (exact - shown).abs() <= 0.5 * step + 1e-9
}

#[test]
fn what_documents_repeat_agrees_with_its_source() {
    #[derive(serde::Deserialize)]
    struct Claims {
        claim: Vec<Claim>,
    }
    let claims: Claims = toml::from_str(&read("tests/data/claims.toml")).unwrap();
    let mut wrong = Vec::new();
    for Claim { about, source, repeated } in &claims.claim {
        let known = source.numbers().unwrap_or_else(|why| panic!("{about}: {why}"));
        for place in repeated {
            match place.numbers() {
                Err(why) => wrong.push(format!("{about}: {why}")),
                Ok(numbers) => wrong.extend(numbers.iter().filter_map(|(name, number)| {
                    let exact = known.get(name).map_or("nothing", String::as_str);
                    let differs = !rounds_to(exact, number);
                    differs.then(|| {
                        let (file, of) = (&place.file, &source.file);
                        format!("{about}: `{name}` is {number} in {file} and {exact} in {of}")
                    })
                })),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn numbers_are_compared_by_their_digits() {
    for (source, repeated) in
        [("1.020", "1.02"), ("23.9", "24"), ("0.980", "0.98"), ("1,234", "1234")]
    {
        assert!(rounds_to(source, repeated), "{source} {repeated}");
    }
    for (source, repeated) in
        [("1.020", "1.16"), ("1.02", "1.020"), ("23.4", "24"), ("nothing", "1")]
    {
        assert!(!rounds_to(source, repeated), "{source} {repeated}");
    }
    let text = "take 1.02 times, over 112.";
    let found =
        matched(text.strip_prefix("take ").unwrap(), &["ratio", " times, over ", "programs", "."]);
    assert_eq!(found.unwrap().into_values().collect::<Vec<_>>(), ["112", "1.02"]);
    assert_eq!(matched("x times", &["ratio", " times"]), None);
}

/// The Python package is in no registry: the install command names the folder.
#[test]
fn no_document_installs_an_unpublished_package() {
    let notebooks = root().join("examples/notebooks");
    let notebooks = entries(&notebooks).into_iter().filter(|file| file.is_file());
    for file in documents().into_iter().chain(notebooks) {
        let text = fs::read_to_string(&file).unwrap();
        let installs = text.lines().filter(|line| line.contains("pip install"));
        for line in installs {
            let words = line.split(|c: char| c.is_whitespace() || "`\"".contains(c));
            assert!(words.clone().all(|word| word != "reconverge"), "{}: {line}", file.display());
        }
    }
}

#[test]
fn the_changelog_has_the_version() {
    let text = read("CHANGELOG.md");
    let sections: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let version = concat!(env!("CARGO_PKG_VERSION"), ", ");
    assert_eq!(sections.first(), Some(&"Unreleased"));
    assert!(sections.get(1).is_some_and(|section| section.starts_with(version)), "{sections:?}");
}

/// The words of a text: letters, digits and `_`.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').collect()
}

#[test]
fn every_function_and_no_unknown_code_is_in_the_reference() {
    let text = read("spec/language.md");
    let words = words(&text);
    // `sqrtf` is described with `sqrt`, `atomicAdd_block` with `atomicAdd`.
    let is_named = |name: &str| {
        let mut shorter = ["f", "_block", "_system"].iter().flat_map(|end| name.strip_suffix(end));
        words.contains(name) || shorter.any(|name| words.contains(name))
    };
    let missing = TABLE.iter().flat_map(|row| row.names).filter(|name| !is_named(name));
    // A point is in the names of those that only the compiler itself uses.
    let missing: Vec<_> = missing.filter(|name| !name.contains('.')).collect();
    assert!(missing.is_empty(), "not in spec/language.md: {missing:?}");
    let is_code = |word: &&&str| {
        let digits = word.strip_prefix(['E', 'W', 'R']);
        digits.is_some_and(|digits| digits.len() == 4 && digits.parse::<u16>().is_ok())
    };
    let unknown: Vec<_> =
        words.iter().filter(is_code).filter(|word| code::Code::find(word).is_none()).collect();
    assert!(unknown.is_empty(), "not codes: {unknown:?}");
}

/// The cells of a table's row, `\|` standing for a bar.
fn cells(line: &str) -> Vec<String> {
    let line = line.replace("\\|", "\0");
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
    inner.split('|').map(|cell| cell.trim().replace('\0', "|")).collect()
}

/// A line of `docs/language.md` as a program, with the code that refuses it.
struct Line {
    place: String,
    program: String,
    code: Option<String>,
}

/// The headers of C++ and of POSIX that lines need.
const HEADERS: &str = "#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>
#include <cuComplex.h>
";

/// The lines of the tables of `docs/language.md`.
fn lines_of_the_language() -> Vec<Line> {
    let document = "docs/language.md";
    let mut section = String::new();
    let mut found = Vec::new();
    for (number, line) in (1..).zip(read(document).lines()) {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_owned();
        }
        let row = cells(line);
        let Some(text) = row.last().and_then(|cell| cell.strip_prefix('`')?.strip_suffix('`'))
        else {
            continue;
        };
        if !line.starts_with('|') || row.len() < 2 {
            continue;
        }
        let kernel = "__global__ void kernel(int *p, float *f, double *d, unsigned char *c, int n)";
        let program = match section.as_str() {
            "In: in a kernel" => format!("{kernel}\n{{ {text} }}\n"),
            "In: of the C++ library" => {
                format!("{HEADERS}int main(int argc, char **argv)\n{{ {text} }}\n")
            }
            "In: on the host" => format!("int main(int argc, char **argv)\n{{ {text} }}\n"),
            "Out" if text.starts_with('{') => format!("__device__ void function(int n)\n{text}\n"),
            _ => format!("{text}\n"),
        };
        let code = (row.len() == 3).then(|| row[1].clone());
        found.push(Line { place: format!("{document}:{number}"), program, code });
    }
    found
}

#[test]
fn every_line_of_the_language_is_in_or_out_as_the_document_says() {
    let lines = lines_of_the_language();
    assert!(lines.len() > 70, "only {} lines are found", lines.len());
    each(&lines, |line| {
        let checked = check(&line.place, &line.program);
        let codes: BTreeSet<&str> = checked
            .diagnostics
            .iter()
            .filter(|found| found.is_error())
            .map(|found| found.code.id())
            .collect();
        match &line.code {
            None if codes.is_empty() => checked
                .lower(&Default::default())
                .map(|_| ())
                .map_err(|refused| format!("{}: {}", line.place, refused.render(false))),
            Some(code) if codes.contains(code.as_str()) => Ok(()),
            _ => Err(format!("{}: {}\n{}", line.place, line.program, checked.render(false))),
        }
    });
}

/// Forms of a body that is refused: as that of a member, of a template, of a function in a namespace.
const BODIES: [&str; 4] = [
    "struct holder { int m; __device__ void function(int n) BODY }; __global__ void k() { holder h; h.function(1); }",
    "template <class T> struct holder { T m; __device__ void function(T n) BODY }; __global__ void k() { holder<int> h; h.function(1); }",
    "template <class T> __device__ void function(T n) BODY __global__ void k() { function<int>(1); }",
    "namespace inner { __device__ void function(int n) BODY } __global__ void k() { inner::function(1); }",
];

/// Forms of a type that is refused: as a member, an element, an argument of a template, by another name.
const TYPES: [&str; 9] = [
    "struct outer { TYPE m; int n; }; __global__ void k(int *a) { a[0] = sizeof(outer); }",
    "struct outer { TYPE m[2]; int n; }; __global__ void k(int *a) { a[0] = sizeof(outer); }",
    "union outer { TYPE m; int n; }; __global__ void k(int *a) { a[0] = sizeof(outer); }",
    "__global__ void k(int *a) { TYPE b[3]; a[0] = sizeof b; }",
    "__device__ TYPE c[2]; __global__ void k(int *a) { a[0] = sizeof c; }",
    "template <class T> struct of { T v; int n; }; __global__ void k(int *a) { a[0] = sizeof(of<TYPE>); }",
    "template <class T> __device__ int size() { return sizeof(T); } __global__ void k(int *a) { a[0] = size<TYPE>(); }",
    "typedef TYPE again; __global__ void k(int *a) { a[0] = sizeof(again); }",
    "using again = TYPE; __global__ void k(int *a) { a[0] = sizeof(again); }",
];

/// The last structure that a text defines.
fn defined_structure(text: &str) -> Option<&str> {
    let (_, rest) = text.rsplit_once("struct ")?;
    let name = &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_')?];
    rest[name.len()..].trim_start().starts_with(['{', ':']).then_some(name)
}

/// Programs with the construct of a line under "Out" in other places than the line.
fn forms(text: &str) -> Vec<String> {
    if text.starts_with('{') {
        return BODIES.iter().map(|form| form.replace("BODY", text)).collect();
    }
    let mut found = vec![format!("namespace inner {{ {text} }}")];
    if let Some(name) = defined_structure(text).filter(|_| !text.contains("template <")) {
        found.extend(TYPES.iter().map(|form| format!("{text} {}", form.replace("TYPE", name))));
    } else if !text.contains("__global__") {
        found.push(format!(
            "struct holder {{ int m; {text} }}; __global__ void k(int *a) {{ a[0] = sizeof(holder); }}"
        ));
    }
    // A declaration of a variable of a refused type.
    if let Some((ty, name)) = text.strip_suffix(';').and_then(|text| text.rsplit_once(' '))
        && name.chars().all(|c| c.is_alphanumeric())
        && !text.contains(['{', '('])
    {
        found.extend(TYPES.iter().map(|form| form.replace("TYPE", ty)));
    }
    found
}

#[test]
fn what_is_out_is_out_wherever_it_stands() {
    let document = read("docs/language.md");
    let (_, out) = document.split_once("\n## Out\n").unwrap();
    let rows = out.lines().filter(|line| line.starts_with('|')).map(cells);
    let lines = rows.filter_map(|row| {
        let text = row.get(2)?.strip_prefix('`')?.strip_suffix('`')?;
        Some(forms(text))
    });
    let programs: Vec<String> = lines.flatten().collect();
    assert!(programs.len() > 80, "only {} programs are made", programs.len());
    each(&programs, |program| match check("program.cu", program).has_errors() {
        true => Ok(()),
        false => Err(format!("compiles: {program}")),
    });
}

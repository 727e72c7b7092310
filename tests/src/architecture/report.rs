//! The measurements as a document, and what a document says of the maxima.

use super::{Function, Lengths, Measured, root};
use crate::document::{strings, table};
use anyhow::{Context, Result};

/// Where the document stands.
pub const DOCUMENT: &str = "docs/architecture-numbers.md";

const INTRODUCTION: &str = "\
# The architecture in numbers

<!-- Generated: cargo run -p reconverge-tests --bin architecture -->

`cargo run -p reconverge-tests --bin architecture` writes this page.
`tests/tests/architecture.rs` fails when a count under \"Limits\" exceeds its limit.
A limit leaves room for 50 more lines of a file and 2 more fields.
It is rounded up to a multiple of 100 lines of a function or a file, or of 10 fields.
The sources of each crate are measured without tests and without the generated parser.
A function's lines go from `fn` to its closing brace, comments and blank lines included.
";

/// The largest of its kind in a crate.
pub struct Maximum {
    /// The counted thing: a row's first cell.
    pub what: String,
    /// Its count.
    pub count: usize,
    /// The limit leaves this much room, so that one more row or field needs no new document.
    room: usize,
    /// The limit is a multiple of it.
    step: usize,
    /// Where, in words; empty if it is in no one place.
    pub at: String,
}

/// The largest functions, files and structures.
pub fn maxima(crates: &[Measured]) -> Vec<Maximum> {
    let mut maxima = Vec::new();
    for measured in crates {
        let name = measured.name;
        let mut add = |what: &str, count, (room, step), at| {
            maxima.push(Maximum { what: format!("{name}: {what}"), count, room, step, at });
        };
        let longest = measured.functions.iter().max_by_key(|function| function.lines);
        if let Some(Function { file, name, lines }) = longest {
            add("longest function", *lines, (0, 100), format!("`{name}` in `{file}`"));
        }
        if let Some((file, lines)) = measured.files.iter().max_by_key(|(_, lines)| lines) {
            add("longest file", *lines, (50, 100), format!("`{file}`"));
        }
        if let Some(structure) = measured.structures.first() {
            let at = format!("`{}` in `{}`", structure.name, structure.file);
            add("most fields of a structure", structure.fields, (2, 10), at);
        }
    }
    maxima
}

/// The limits that a document states: what, and how much of it.
pub fn stated(document: &str) -> Vec<(String, usize)> {
    let section = document.split("\n## ").find(|section| section.starts_with("Limits"));
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        Some((cells.next()?.to_string(), cells.nth(1)?.parse().ok()?))
    };
    section.unwrap_or_default().lines().filter_map(row).collect()
}

/// The whole document.
///
/// # Errors
/// CONTRIBUTING.md cannot be read.
pub fn report(crates: &[Measured]) -> Result<String> {
    let sections = [
        ("Limits", maxima_table(&maxima(crates))),
        ("Functions", functions(crates)),
        ("Files", files(crates)),
        ("The simulated SM", structures(crates)),
        ("Circles", circles()?),
        ("Recipes", recipes()?),
    ];
    let sections = sections.map(|(title, text)| format!("\n## {title}\n\n{text}"));
    Ok(INTRODUCTION.to_string() + &sections.concat())
}

fn maxima_table(maxima: &[Maximum]) -> String {
    let rows: Vec<Vec<String>> = maxima
        .iter()
        .map(|Maximum { what, count, room, step, at }| {
            let limit = (count + room).next_multiple_of(*step);
            vec![what.clone(), count.to_string(), limit.to_string(), at.clone()]
        })
        .collect();
    table(&strings(&["what", "count", "limit", "where"]), &rows)
}

fn functions(crates: &[Measured]) -> String {
    let row = |name: &str, lengths: Lengths| {
        let Lengths { count, median, ninth_decile, longest, over_60, over_100 } = lengths;
        let numbers = [count, median, ninth_decile, longest, over_60, over_100];
        let numbers = numbers.iter().map(usize::to_string);
        std::iter::once(name.to_string()).chain(numbers).collect()
    };
    let mut rows: Vec<Vec<String>> = crates
        .iter()
        .map(|measured| row(measured.name, Lengths::of(&measured.functions)))
        .collect();
    rows.push(row("all", Lengths::of(crates.iter().flat_map(|measured| &measured.functions))));
    let titles =
        ["crate", "functions", "median lines", "nine of ten", "longest", "over 60", "over 100"];
    let mut text = table(&strings(&titles), &rows);
    text += "\nThose over 100 lines:\n\n";
    for measured in crates {
        for function in measured.functions.iter().filter(|function| function.lines > 100) {
            let Function { file, name, lines } = function;
            text += &format!("- `{name}` in {} `{file}`: {lines}\n", measured.name);
        }
    }
    text
}

fn files(crates: &[Measured]) -> String {
    let mut all: Vec<(&str, &str, usize)> = Vec::new();
    for measured in crates {
        let own = measured.files.iter();
        all.extend(own.map(|(file, lines)| (measured.name, file.as_str(), *lines)));
    }
    all.sort_by(|a, b| b.2.cmp(&a.2).then(a.cmp(b)));
    let total: usize = all.iter().map(|(.., lines)| lines).sum();
    let over = all.iter().filter(|(.., lines)| *lines > 500).count();
    let rows: Vec<Vec<String>> = all
        .iter()
        .take(15)
        .map(|(name, file, lines)| vec![format!("{name}: `{file}`"), lines.to_string()])
        .collect();
    format!(
        "{} files, {total} lines; {over} files have more than 500. The longest:\n\n{}",
        all.len(),
        table(&strings(&["file", "lines"]), &rows)
    )
}

/// The structures of the simulator that hold the most, and that of the SM.
fn structures(crates: &[Measured]) -> String {
    let simulator = crates.iter().find(|measured| measured.name == "simulator");
    let Some(simulator) = simulator else { return String::new() };
    let of_sm = |name: &str| ["Sm", "Core", "SmRunner", "Station"].contains(&name);
    let shown = simulator.structures.iter().enumerate();
    let shown = shown.filter(|(at, structure)| *at < 5 || of_sm(&structure.name));
    let rows: Vec<Vec<String>> = shown
        .map(|(_, structure)| {
            let lines = simulator.files.iter().find(|(file, _)| *file == structure.file);
            let numbers = [
                structure.fields,
                structure.methods,
                structure.method_files,
                lines.map_or(0, |(_, lines)| *lines),
            ];
            let name = format!("`{}` in `{}`", structure.name, structure.file);
            std::iter::once(name).chain(numbers.map(|number| number.to_string())).collect()
        })
        .collect();
    let titles = ["structure", "fields", "methods", "files with methods", "lines of its file"];
    table(&strings(&titles), &rows)
}

/// How many files each circle of imports has, as the test that counts them has written it down.
fn circles() -> Result<String> {
    let path = root().join("tests/data/circles.txt");
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {path:?}"))?;
    let row = |line: &str| {
        let (name, files) = line.split_once(':')?;
        let count = files.split_whitespace().count();
        Some(vec![name.to_string(), count.to_string(), files.trim().to_string()])
    };
    let rows: Vec<Vec<String>> = text.lines().filter_map(row).collect();
    let table = table(&strings(&["crate", "circles", "files of each"]), &rows);
    Ok(format!(
        "Files that lead back to each other by imports, by the `impl` blocks of a type, and by calls of methods (`tests/tests/circles.rs`).\n\n{table}"
    ))
}

/// The recipes of CONTRIBUTING, with what each says that it touches.
fn recipes() -> Result<String> {
    let path = root().join("CONTRIBUTING.md");
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {path:?}"))?;
    let recipe = |line: &str| {
        let (name, rest) = line.strip_prefix("**")?.split_once("**")?;
        let (_, rest) = rest.split_once('(')?;
        let (touched, _) = rest.split_once(')')?;
        let counts = touched.contains(|letter: char| letter.is_ascii_digit());
        counts.then(|| vec![name.to_string(), touched.to_string()])
    };
    let rows: Vec<Vec<String>> = text.lines().filter_map(recipe).collect();
    let table = table(&strings(&["recipe", "touches"]), &rows).replace("---:", "---");
    Ok(format!("As CONTRIBUTING.md states them.\n\n{table}"))
}

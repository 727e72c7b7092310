//! The measurements of others: a table with a line for each program and size. Expressions name its numbers as
//! `reference.COLUMN`.

use super::catalogue::Library;
use super::file::StudyFile;
use super::point::Point;
use anyhow::{Context, Result, anyhow, bail, ensure};
use reconverge_isa::nearest::hint;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Columns that describe the hardware and software of the measurements, if they exist.
const ABOUT: [&str; 4] = ["gpu", "driver", "cuda", "clock_mhz"];

/// A reference as a study uses it.
#[derive(Serialize, Debug, Clone)]
pub struct Reference {
    /// Its path as it was given.
    pub file: String,
    /// SHA-256 of its text.
    pub sha256: String,
    /// The hardware and software of the measurements: (column, contents, with semicolons between
    /// several).
    pub about: Vec<(String, String)>,
    /// Lines about none of the study's programs, and programs without a line: sentences.
    pub notes: Vec<String>,
    #[serde(skip)]
    values: BTreeMap<String, BTreeMap<String, f64>>,
}

/// A file of measurements, before a study says what it needs of it.
#[derive(Debug, Clone)]
pub struct Measurements {
    /// Its path as it was given.
    pub file: String,
    /// SHA-256 of its text.
    pub sha256: String,
    /// The names of its columns.
    pub titles: Vec<String>,
    /// Its lines: their numbers in the file, from 1, and a cell for each column.
    pub lines: Vec<(u64, Vec<String>)>,
}

/// The lines of a reference, with the numbers that a study names.
pub struct Lines {
    file: String,
    sha256: String,
    lines: Vec<Line>,
    /// Columns that it lacks: sentences.
    notes: Vec<String>,
}

struct Line {
    number: u64,
    program: String,
    size: String,
    cells: BTreeMap<String, String>,
    /// The columns that the study names; none where a cell is empty.
    values: BTreeMap<String, f64>,
}

impl Lines {
    /// Reads the lines that a study needs; none if it needs nothing.
    ///
    /// # Errors
    /// The study needs measurements and there are none, or has some without need. They lack a column for each
    /// figure and claim, have two lines for one program and size, or a cell that is no number.
    pub fn read(study: &StudyFile, measurements: Option<&Measurements>) -> Result<Option<Lines>> {
        let needed = study.reference_columns()?;
        let (measurements, (place, column)) = match (measurements, needed.first()) {
            (None, None) => return Ok(None),
            (Some(_), None) => bail!(
                "the study has no use for `--reference`: none of its expressions names `reference.COLUMN`"
            ),
            (None, Some((place, column))) => bail!(
                "{place} needs a reference, of which it names the column `{column}`\n  give one: --reference FILE.csv; \
                 docs/studies.md says what the file is, and tests/hardware/README.md how to measure one on a GPU"
            ),
            (Some(measurements), Some(first)) => (measurements, first),
        };
        let file = measurements.file.clone();
        let (lines, notes) = lines(measurements, &needed)
            .with_context(|| format!("`{file}` is not a reference for {place} (`{column}`)"))?;
        Ok(Some(Lines { file, sha256: measurements.sha256.clone(), lines, notes }))
    }

    /// The lines of a size that are about the programs of a study.
    ///
    /// # Errors
    /// No line is of that size, or none is about its programs.
    pub fn for_programs(
        self,
        study: &StudyFile,
        library: &Library,
        size: &str,
        programs: &[(&str, &[Point])],
    ) -> Result<Reference> {
        let sizes: BTreeSet<&str> = self.lines.iter().map(|line| line.size.as_str()).collect();
        ensure!(
            sizes.contains(size),
            "`{}` has no line of size `{size}`\n  it has: {}; `--size` chooses one",
            self.file,
            Vec::from_iter(sizes).join(", ")
        );
        let mut notes = self.notes.clone();
        notes.extend(self.notes_on_lines(study, library)?);
        let mut values = BTreeMap::new();
        let mut used = Vec::new();
        for &(name, points) in programs {
            let mut lines = self.lines.iter().filter(|line| line.size == size);
            let Some(line) = lines.find(|line| line.program == name) else {
                notes.push(format!("`{name}`: it has no line of size `{size}`"));
                continue;
            };
            if let Some(why) = line.is_of_others(points) {
                notes.push(format!("`{name}`, line {}: not used, {why}", line.number));
                continue;
            }
            notes.extend(line.doubts(points).map(|why| format!("`{name}`: {why}")));
            values.insert(name.to_owned(), line.values.clone());
            used.push(line);
        }
        if used.is_empty() {
            bail!("`{}` says nothing of the study's programs\n  {}", self.file, notes.join("\n  "));
        }
        let about = ABOUT.iter().filter_map(|column| {
            let said: BTreeSet<&String> =
                used.iter().filter_map(|line| line.cells.get(*column)).collect();
            let said: Vec<&str> = said.into_iter().map(String::as_str).collect();
            (!said.is_empty()).then(|| ((*column).to_owned(), said.join("; ")))
        });
        Ok(Reference {
            about: about.collect(),
            notes,
            values,
            file: self.file,
            sha256: self.sha256,
        })
    }

    /// Lines about programs that the study does not have.
    fn notes_on_lines(&self, study: &StudyFile, library: &Library) -> Result<Vec<String>> {
        let known = study.all_programs()?;
        let mut seen = BTreeSet::new();
        let mut notes = Vec::new();
        for line in &self.lines {
            let name = &line.program;
            if known.contains(name) || !seen.insert(name) {
                continue;
            }
            notes.push(match library.entries().contains_key(name) {
                true => {
                    format!("`{name}`, line {}: not used, the study leaves it out", line.number)
                }
                false => format!(
                    "`{name}`, line {}: not used, the study has no such program{}",
                    line.number,
                    hint(name, known.iter().map(String::as_str))
                ),
            });
        }
        Ok(notes)
    }
}

impl Line {
    /// The reason why it does not match the runs of some points.
    fn is_of_others(&self, points: &[Point]) -> Option<String> {
        let theirs = self.cells.get("arguments")?;
        let differs = |point: &&Point| words(point) != sorted(theirs);
        let point = points.iter().find(differs)?;
        Some(format!("its arguments are `{theirs}`, ours `{}`", words(point).join(" ")))
    }

    /// The reasons for doubt about it.
    fn doubts(&self, points: &[Point]) -> impl Iterator<Item = String> {
        let source = self.cells.get("source");
        let is_ours = |source: &String| {
            source.is_empty() || points.iter().any(|point| point.provenance.source == *source)
        };
        let changed = source.filter(|source| !is_ours(source));
        let changed = changed
            .map(|_| format!("line {}: its source has changed since it was measured", self.number));
        let output = self.cells.get("output").filter(|output| !output.is_empty());
        let output = output.filter(|output| *output != "same");
        let output =
            output.map(|output| format!("line {}: its `output` is `{output}`", self.number));
        changed.into_iter().chain(output)
    }
}

/// The inputs of a point: macros of its size, then arguments.
fn words(point: &Point) -> Vec<String> {
    let macros = point.provenance.compile.iter().filter(|word| word.starts_with("-D"));
    let all: Vec<&str> = macros.chain(&point.provenance.arguments).map(String::as_str).collect();
    sorted(&all.join(" "))
}

/// Words with the macros first, in alphabetical order: their order does not matter.
fn sorted(text: &str) -> Vec<String> {
    let is_macro = |word: &String| word.starts_with("-D");
    let (mut macros, arguments): (Vec<String>, Vec<String>) =
        text.split_whitespace().map(str::to_owned).partition(is_macro);
    macros.sort();
    [macros, arguments].concat()
}

/// Reads the lines, and makes sentences about columns that the file lacks. `needed` are places of a study, each with a
/// column that it names.
fn lines(
    measurements: &Measurements,
    needed: &[(String, String)],
) -> Result<(Vec<Line>, Vec<String>)> {
    let titles = &measurements.titles;
    let has = |column: &str| titles.iter().any(|title| title == column);
    let lacks = |column: &str| {
        let names = titles.iter().map(String::as_str);
        format!("it has no column `{column}`{}", hint(column, names))
    };
    let columns: BTreeSet<&str> = needed.iter().map(|(_, column)| column.as_str()).collect();
    let missing: Vec<&str> = columns.iter().copied().filter(|column| !has(column)).collect();
    let is_incomplete = |place: &str| {
        needed.iter().any(|(other, column)| other == place && missing.contains(&column.as_str()))
    };
    // Figures whose columns exist are compared even if others are missing.
    let is_useless = needed.iter().all(|(place, _)| is_incomplete(place));
    let first = missing.first().filter(|_| is_useless);
    let fault = ["program", "size"].into_iter().find(|column| !has(column)).or(first.copied());
    if let Some(column) = fault {
        bail!("{}\n  its columns: {}", lacks(column), titles.join(", "));
    }
    let notes = missing.iter().map(|column| lacks(column)).collect();
    let (mut all, mut seen) = (Vec::new(), BTreeMap::new());
    for (number, cells) in &measurements.lines {
        let number = *number;
        let cells: BTreeMap<String, String> =
            titles.iter().cloned().zip(cells.iter().cloned()).collect();
        let mut values = BTreeMap::new();
        for &column in &columns {
            let Some(cell) = cells.get(column).filter(|cell| !cell.is_empty()) else { continue };
            let value = cell.parse::<f64>().ok().filter(|value| value.is_finite());
            let value = value
                .ok_or_else(|| anyhow!("line {number}: `{column}` is `{cell}`, not a number"))?;
            values.insert(column.to_owned(), value);
        }
        let (program, size) = (cells["program"].clone(), cells["size"].clone());
        if let Some(first) = seen.insert((program.clone(), size.clone()), number) {
            bail!("line {number}: `{program}` has a line of size `{size}` already, line {first}");
        }
        all.push(Line { number, program, size, cells, values });
    }
    ensure!(!all.is_empty(), "it has no line below the names of its columns");
    Ok((all, notes))
}

impl Reference {
    /// The values of a program, by column.
    pub fn of(&self, program: &str) -> Option<&BTreeMap<String, f64>> {
        self.values.get(program)
    }
}

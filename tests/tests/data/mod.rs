//! The programs under `tests/data`, with the directives in their comments.
//!
//! A directive is a comment line that starts with its name and a colon:
//!
//! | directive | meaning |
//! | --- | --- |
//! | `out` | the next line of standard output; blanks at its end do not count |
//! | `status` | exit status; several mean any of them; 0 when absent |
//! | `err` | a text that standard error contains |
//! | `in` | the next line of standard input |
//! | `args` | arguments of the program, as a shell splits them |
//! | `defines` | `-D NAME` or `-D NAME=VALUE` |
//! | `options` | `--max-cycles N`, `--max-operations N`, `--max-output N`, `--cuda RELEASE`, `--needed kernels` or `program`: what has to be without faults |
//! | `machines` | those that can run it; all when absent |
//! | `models` | those it makes sense for; all when absent |
//! | `cc: no` | it relies on what C++ leaves open |

use reconverge::build::{self, Checked};
use reconverge_compiler::check::{CheckOptions, Needed};
use reconverge_compiler::syntax::{Loader, NotLoaded, Target, Toolkit};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A program and its directives.
pub struct Program {
    /// The file's name without its folder.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

/// The programs of a folder of `tests/data`, by name.
pub fn programs(folder: &str) -> Vec<Program> {
    programs_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(folder))
}

/// The example programs, by name.
pub fn examples() -> Vec<Program> {
    programs_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples"))
}

/// The divergent programs among the examples, by name.
pub fn divergent() -> Vec<Program> {
    programs_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/divergence"))
}

/// The programs of any folder, by name.
pub fn programs_in(folder: &Path) -> Vec<Program> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    let is_program = |ending: &std::ffi::OsStr| ending == "cu" || ending == "ptx";
    paths.retain(|path| path.extension().is_some_and(is_program));
    paths.sort();
    assert!(!paths.is_empty(), "{folder:?} is empty");
    let program = |path: PathBuf| Program {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        text: fs::read_to_string(&path).unwrap(),
        path,
    };
    paths.into_iter().map(program).collect()
}

impl Program {
    /// The values of a directive, in order.
    pub fn all(&self, directive: &str) -> Vec<&str> {
        self.text
            .lines()
            .filter_map(|line| line.strip_prefix("// ")?.strip_prefix(directive)?.strip_prefix(':'))
            .map(|value| value.strip_prefix(' ').unwrap_or(value))
            .collect()
    }

    /// Checks the program with its `defines` and `options`.
    pub fn check(&self) -> Checked {
        let words = self.words("options").unwrap_or_default();
        let value = |name: &str| words.iter().skip_while(|word| *word != name).nth(1);
        let toolkit = value("--cuda").map(|release| Toolkit::parse(release).unwrap());
        let target = Target::new(toolkit, None).unwrap();
        let needed = match value("--needed").map(String::as_str) {
            None => Needed::Everything,
            Some("kernels") => Needed::Kernels,
            Some("program") => Needed::Program,
            Some(other) => panic!("{}: `--needed {other}` is unknown", self.name),
        };
        let options = CheckOptions { target, needed, ..CheckOptions::default() };
        build::check_with(&self.name, &self.text, &self.defines(), &mut self.loader(), options)
    }

    /// The words of a directive, if the program has it.
    pub fn words(&self, directive: &str) -> Option<Vec<String>> {
        self.all(directive).first().map(|value| split(value))
    }

    /// True if a list directive names `item`, or is absent.
    pub fn allows(&self, directive: &str, item: &str) -> bool {
        self.words(directive).is_none_or(|words| words.iter().any(|word| word == item))
    }

    /// Standard output as it has to be.
    pub fn output(&self) -> String {
        self.all("out").iter().map(|line| format!("{}\n", line.trim_end())).collect()
    }

    /// Standard input.
    pub fn input(&self) -> String {
        self.all("in").iter().map(|line| format!("{line}\n")).collect()
    }

    /// The exit statuses that are right.
    pub fn statuses(&self) -> Vec<i32> {
        let words = self.words("status").unwrap_or_else(|| vec!["0".to_string()]);
        words.iter().map(|word| word.parse().unwrap()).collect()
    }

    /// Macros from the command line.
    pub fn defines(&self) -> Vec<(String, String)> {
        let words = self.words("defines").unwrap_or_default();
        let given = words.iter().filter(|word| *word != "-D");
        given
            .map(|word| word.split_once('=').unwrap_or((word, "1")))
            .map(|(name, value)| (name.into(), value.into()))
            .collect()
    }

    /// The loader of the program's includes.
    pub fn loader(&self) -> Beside {
        Beside(self.path.parent().unwrap().to_path_buf())
    }

    /// True if it has no part for the device.
    pub fn is_host_only(&self) -> bool {
        !["__global__", "__device__", "<<<", "cuda"].iter().any(|word| self.text.contains(word))
    }
}

/// Loads files whose names are relative to a folder.
pub struct Beside(PathBuf);

impl Loader for Beside {
    fn load(&mut self, including: &str, name: &str) -> Result<(String, String), NotLoaded> {
        let name = Path::new(including).with_file_name(name);
        let text = fs::read_to_string(self.0.join(&name)).map_err(|_| NotLoaded::Missing)?;
        Ok((name.to_string_lossy().replace('\\', "/"), text))
    }
}

/// Splits a line at blanks outside double quotes.
fn split(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for character in line.chars().chain([' ']) {
        match character {
            '"' => quoted = !quoted,
            ' ' if !quoted => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            other => word.push(other),
        }
    }
    words
}

/// Standard output with the blanks at the ends of its lines removed.
pub fn trimmed(output: &str) -> String {
    output.split('\n').map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The first line in which two texts differ, in words.
pub fn difference(expected: &str, got: &str) -> Option<String> {
    if expected == got {
        return None;
    }
    let (want, have) = (expected.lines().chain(["(end)"]), got.lines().chain(["(end)"]));
    let different = want.zip(have).enumerate().find(|(_, (want, have))| want != have);
    let (line, (want, have)) =
        different.unwrap_or((0, ("(same lines)", "(no newline at the end)")));
    Some(format!("line {}: expected `{want}`, got `{have}`", line + 1))
}

/// Tries every item on all processors and fails with every complaint, in order.
pub fn each<T: Sync>(items: &[T], attempt: impl Fn(&T) -> Result<(), String> + Sync) {
    let (next, complaints) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((index, item)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            items.get(index).map(|item| (index, item))
        } {
            if let Err(complaint) = attempt(item) {
                complaints.lock().unwrap().push((index, complaint));
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    let mut complaints = complaints.into_inner().unwrap();
    complaints.sort();
    let complaints: Vec<_> = complaints.into_iter().map(|(_, complaint)| complaint).collect();
    assert!(
        complaints.is_empty(),
        "{} of {} fail:\n{}",
        complaints.len(),
        items.len(),
        complaints.join("\n")
    );
}

/// A document's text in front of a generated table, the table, and the text after it.
fn around_table(document: &str, by: &str) -> (PathBuf, [String; 3]) {
    let begin = format!("<!-- Generated by {by}; RECONVERGE_BLESS=1 rewrites it. -->\n");
    let end = "<!-- End of the table. -->\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(document);
    let text = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (before, rest) = text.split_once(&begin).expect("the table's begin");
    let (found, after) = rest.split_once(end).expect("the table's end");
    (path, [before.to_owned() + &begin, found.to_owned(), end.to_owned() + after])
}

/// The lines of a document's generated table.
pub fn generated_lines(document: &str, by: &str) -> String {
    let (_, [_, found, _]) = around_table(document, by);
    found.trim_matches('\n').to_owned() + "\n"
}

/// Compares the table that a test generates with the one in a document; rewrites it with
/// `RECONVERGE_BLESS=1`. Lines that name the test's file enclose the table.
pub fn generated_table(document: &str, by: &str, table: &str) {
    let (path, [before, found, after]) = around_table(document, by);
    let expected = format!("\n{table}\n");
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        std::fs::write(&path, format!("{before}{expected}{after}")).unwrap();
    } else {
        assert!(found == expected, "{document} is stale: run with RECONVERGE_BLESS=1");
    }
}

//! The requests of the page.

use super::limits::Limits;
use crate::command::options::BuildOptions;
use anyhow::{Result, bail, ensure};
use clap::Parser;
use reconverge::build_arguments::BuildArguments;
use reconverge_compiler::syntax::{Loader, NotLoaded};
use reconverge_isa::nearest::hint;
use reconverge_simulator::{Machine, machines, resolve_machine};
use serde::{Deserialize, Serialize};

/// A question with all that its answer depends on: the input of the process that answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The request.
    pub question: Question,
    /// The headers that the program may include.
    pub headers: Vec<Header>,
    /// The limits of the response.
    pub limits: Limits,
}

/// The kinds of requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// The faults of a program, and its forms.
    Compile(Source),
    /// The analyses' results for a place, with reasons.
    Why(Source, Place),
    /// Its run.
    Run(Source, RunOptions),
    /// The steps of one block of a launch.
    Step(Source, StepOptions),
}

/// A program in the editor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its name in messages; nothing is read or written under this name.
    #[serde(default)]
    pub name: String,
    /// Its text.
    pub source: String,
    /// Options as words of a command line: those of the compiler, `--machine` and `--set`.
    #[serde(default)]
    pub options: String,
}

/// A place of the source, counted from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column; without one the whole line is meant.
    #[serde(default)]
    pub column: Option<u32>,
}

/// The options of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOptions {
    /// Its arguments, as words of a command line.
    #[serde(default)]
    pub arguments: String,
    /// Its standard input.
    #[serde(default)]
    pub input: String,
}

impl Question {
    /// The question that is put to an address of the server, `None` for an unknown one.
    pub fn read(address: &str, body: &[u8]) -> Option<serde_json::Result<Question>> {
        Some(match address {
            "compile" => serde_json::from_slice(body).map(Question::Compile),
            "why" => both(body).map(|(source, place)| Question::Why(source, place)),
            "step" => both(body).map(|(source, options)| Question::Step(source, options)),
            "run" => both(body).map(|(source, options)| Question::Run(source, options)),
            _ => return None,
        })
    }
}

/// The message for a program that opens a file.
pub const NO_FILES: &str =
    "programs have no files in the explorer; `reconverge run` gives them those of their folder";

/// The block to step through.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepOptions {
    /// The program's arguments, as words of a command line.
    #[serde(default)]
    pub arguments: String,
    /// Its standard input.
    #[serde(default)]
    pub input: String,
    /// The kernel.
    pub kernel: String,
    /// The index of the launch, from 0.
    #[serde(default)]
    pub launch: usize,
    /// The number of the block in the grid.
    #[serde(default)]
    pub block: u64,
    /// The divergence scheme, if it is not the machine's.
    #[serde(default)]
    pub divergence: Option<String>,
}

/// The source and the other options, from one object.
fn both<T: for<'a> Deserialize<'a>>(body: &[u8]) -> serde_json::Result<(Source, T)> {
    Ok((serde_json::from_slice(body)?, serde_json::from_slice(body)?))
}

/// A file that the program may include: one that the file of the command line includes, as it was when the server started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Its name in the including file.
    pub asked: String,
    /// Its name in messages.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The program that the page starts with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Opened {
    /// The program's name.
    pub name: String,
    /// Its text.
    pub source: String,
    /// Options of the compiler and of the machine, as words.
    pub options: String,
    /// Arguments of the program; of PTX, a launch.
    pub arguments: String,
}

/// The options of a request, parsed.
#[derive(Parser, Debug)]
#[command(
    no_binary_name = true,
    disable_help_flag = true,
    name = "options",
    override_usage = "options of `compile`, --machine NAME, --set KEY=VALUE"
)]
struct Options {
    #[command(flatten)]
    build: BuildOptions,
    #[arg(long, value_name = "NAME", default_value = "gtx480")]
    machine: String,
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = crate::command::target::setting)]
    sets: Vec<(String, String)>,
}

/// The options of compilation, and the machine.
#[derive(Debug)]
pub struct Target {
    /// The compiler's options.
    pub build: BuildArguments,
    /// The machine.
    pub machine: Machine,
    /// The machine as a complete file, with and without the changed settings.
    pub files: [String; 2],
}

/// Letters of a program's name.
const LONGEST_NAME: usize = 80;

impl Source {
    /// Returns true for PTX: by its name, or because it begins with `.version`, as CUDA never does.
    pub fn is_ptx(&self) -> bool {
        let mut lines = self.source.lines().map(str::trim_start);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with("//"));
        let begins = first.is_some_and(|line| line.starts_with(".version"));
        self.name.ends_with(".ptx") || begins
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        let is_plain = |c: char| c.is_alphanumeric() || "._- +()".contains(c);
        let is_good = self.name.len() <= LONGEST_NAME && self.name.chars().all(is_plain);
        if is_good && !self.name.is_empty() { &self.name } else { "program.cu" }
    }

    /// Its options, with further settings of the machine.
    ///
    /// # Errors
    /// Their fault, as a sentence.
    pub fn target(&self, settings: &[(String, String)]) -> Result<Target> {
        let words = words(&self.options)?;
        // The option reads its file at once.
        if words.iter().any(|word| word.starts_with("--load-hints")) {
            bail!("`--load-hints`: no files are read here");
        }
        let options = Options::try_parse_from(words)
            .map_err(|error| anyhow::anyhow!("{}", error.render()))?;
        if !options.build.directories.is_empty() {
            bail!("`-I`: programs read no files here, so there is nowhere to look for them");
        }
        let name = &options.machine;
        let machines: Vec<String> = machines().into_iter().map(|info| info.name).collect();
        ensure!(
            machines.contains(name),
            "there is no machine `{name}`; there are {}{}\n  files of machines are not read here; change settings with `--set`",
            machines.join(", "),
            hint(name, machines.iter().map(String::as_str))
        );
        let said = |error: String| anyhow::anyhow!("{error}");
        let sets = [options.sets.as_slice(), settings].concat();
        let (machine, file) = resolve_machine(name, &sets).map_err(said)?;
        let (_, plain) = resolve_machine(name, &[]).map_err(said)?;
        Ok(Target { build: options.build.0, machine, files: [file, plain] })
    }
}

/// The words of a line as a shell has them, with `'` and `"` around words with blanks.
///
/// # Errors
/// A quotation has no end.
pub fn words(line: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match quote {
            Some(end) if character == end => quote = None,
            Some(_) => word.get_or_insert_default().push(character),
            None if character == '"' || character == '\'' => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(character),
        }
    }
    if let Some(end) = quote {
        bail!("{end} opens a quotation that has no end");
    }
    words.extend(word);
    Ok(words)
}

/// Finds the headers that the server was started with, and no file.
#[derive(Debug)]
pub struct Headers<'a>(pub &'a [Header]);

impl Loader for Headers<'_> {
    fn load(&mut self, _: &str, name: &str) -> Result<(String, String), NotLoaded> {
        match self.0.iter().find(|header| header.asked == name) {
            Some(header) => Ok((header.name.clone(), header.text.clone())),
            None => Err(NotLoaded::Unreadable(
                "the explorer reads no files; paste the text in, or start it with a file that includes this one".to_owned(),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_lines() {
        assert_eq!(words(" -O1  -D 'N=a b'\"c\" ''\n").unwrap(), ["-O1", "-D", "N=a bc", ""]);
        assert!(words("").unwrap().is_empty());
        assert!(words("a 'b").unwrap_err().to_string().contains("no end"));
    }

    #[test]
    fn options_are_checked() {
        let target =
            |options: &str| Source { options: options.to_owned(), ..Source::default() }.target(&[]);
        let found = target("-O1 --machine fx5800 --set divergence=dual-path").unwrap();
        assert_eq!((&*found.machine.name, &*found.machine.divergence), ("fx5800", "dual-path"));
        let refused = [
            ("--machine /etc/passwd", "there is no machine"),
            ("--set l1.sise=4", "l1.sise"),
            ("--set x", "KEY=VALUE"),
            ("-I /etc", "no files"),
            ("--help", "--help"),
            ("a.cu", "a.cu"),
            ("-O7", "-O"),
        ];
        for (options, part) in refused {
            let error = target(options).unwrap_err().to_string();
            assert!(error.contains(part), "{options}: {error}");
        }
    }

    #[test]
    fn names_are_plain() {
        let name =
            |name: &str| Source { name: name.to_owned(), ..Source::default() }.name().to_owned();
        assert_eq!((name("a b.cu"), name("")), ("a b.cu".to_owned(), "program.cu".to_owned()));
        for bad in ["/etc/passwd", "a\nb", "..\\x", &"x".repeat(99)] {
            assert_eq!(name(bad), "program.cu");
        }
    }

    #[test]
    fn questions_are_read() {
        let read = |address: &str, body: &str| Question::read(address, body.as_bytes());
        let source = Source { source: "x".to_owned(), ..Source::default() };
        let place = Place { line: 3, column: None };
        let found = read("why", r#"{"source": "x", "line": 3}"#).unwrap().unwrap();
        assert_eq!(found, Question::Why(source, place));
        assert!(read("why", r#"{"source": "x"}"#).unwrap().is_err());
        assert!(read("compile", "[]").unwrap().is_err());
        assert!(read("compile", "").unwrap().is_err());
        assert!(read("format-disk", "{}").is_none());
    }
}

//! Whole programs of a public collection, host code and all: which compile as they are, and which pass their own
//! check with small arguments.
//!
//! A program is a directory below the collection's that holds one `.cu` file and no other source. Its arguments
//! are those of the line below `run:` in its Makefile. To make a run small, the last number, which tells how often to
//! repeat, becomes 1, and then, try after try, every number above 16 becomes a sixteenth, until a run ends in time.

use anyhow::{Context, Result, bail};
use clap::Args;
use reconverge::build;
use reconverge_compiler::check;
use reconverge_compiler::diagnostic::Diagnostic;
use reconverge_compiler::lower;
use reconverge_tests::units::{Files, extension, files, is_header};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

#[derive(Args)]
pub(super) struct Programs {
    /// The directory that holds the programs' directories
    directory: PathBuf,
    /// Only directories whose names end with this
    #[arg(long, default_value = "-cuda")]
    ending: String,
    /// Where included files are looked for, after the directories of each program
    #[arg(short = 'I')]
    include: Vec<PathBuf>,
    /// Run this many of those that compile, chosen by the seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    sample: usize,
    /// Chooses the sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How long a run may take
    #[arg(long, default_value_t = 10)]
    seconds: u64,
}

impl Programs {
    /// The programs of a directory, nothing of which is run.
    pub(super) fn of(directory: &Path) -> Programs {
        Programs {
            directory: directory.to_owned(),
            ending: "-cuda".to_owned(),
            include: Vec::new(),
            sample: 0,
            seed: 0,
            seconds: 0,
        }
    }
}

/// A program of the collection.
pub(super) struct Program {
    pub(super) name: String,
    source: PathBuf,
    includes: Vec<PathBuf>,
    pub(super) arguments: Vec<String>,
}

pub(super) fn programs(arguments: &Programs) -> Result<()> {
    let all = find(arguments)?;
    let mut compiled = Vec::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for program in &all {
        match first_error(program)? {
            None => compiled.push(program),
            Some((reason, place)) => {
                println!("{}: {reason} ({place})", program.name);
                *reasons.entry(reason).or_insert(0) += 1;
            }
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), reason.clone()));
    println!("\n| programs | first error |\n| ---: | --- |");
    reasons.iter().for_each(|(reason, count)| println!("| {count} | {reason} |"));
    println!("\n{} of {} compile", compiled.len(), all.len());
    if arguments.sample > 0 {
        run_sample(&sample(compiled, arguments.sample, arguments.seed), arguments)?;
    }
    Ok(())
}

/// Every program of the collection that is one file.
pub(super) fn find(arguments: &Programs) -> Result<Vec<Program>> {
    // Programs run in their own directories.
    let whole = |path: &PathBuf| {
        path.canonicalize().with_context(|| format!("cannot read {}", path.display()))
    };
    let include = arguments.include.iter().map(whole).collect::<Result<Vec<_>>>()?;
    let entries = std::fs::read_dir(whole(&arguments.directory)?)?;
    let mut directories: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    directories.retain(|path| path.is_dir() && path.to_string_lossy().ends_with(&arguments.ending));
    directories.sort();
    let mut programs = Vec::new();
    for directory in directories {
        let mut all = Vec::new();
        files(&directory, &mut all)?;
        let is_source = |path: &&PathBuf| ["cu", "c", "cpp", "cc"].contains(&extension(path));
        let sources: Vec<&PathBuf> = all.iter().filter(is_source).collect();
        let [source] = sources[..] else {
            continue;
        };
        if extension(source) != "cu" {
            continue;
        }
        let headers = all.iter().filter(|path| is_header(path));
        let mut includes: BTreeSet<PathBuf> =
            headers.filter_map(|path| path.parent()).map(Path::to_path_buf).collect();
        includes.insert(directory.clone());
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let includes = includes.into_iter().chain(include.iter().cloned()).collect();
        let arguments = written_arguments(&directory.join("Makefile"));
        programs.push(Program { name, source: source.clone(), includes, arguments });
    }
    if programs.is_empty() {
        bail!("there are no programs below {}", arguments.directory.display());
    }
    Ok(programs)
}

/// The arguments with which a Makefile runs its program.
fn written_arguments(makefile: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(makefile).unwrap_or_default();
    let mut lines = text.lines().skip_while(|line| !line.starts_with("run:")).skip(1);
    let line = lines.find(|line| line.contains("./")).unwrap_or_default();
    let words = line.split_whitespace().skip_while(|word| !word.starts_with("./")).skip(1);
    words.take_while(|word| !["|", ">", "&&", ";"].contains(word)).map(str::to_owned).collect()
}

/// The first error of a program, and where it is; `None` if it compiles.
fn first_error(program: &Program) -> Result<Option<(String, String)>> {
    let bytes = std::fs::read(&program.source)
        .with_context(|| format!("cannot read {}", program.source.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let name = program.source.to_string_lossy();
    let options =
        check::CheckOptions { needed: check::Needed::Program, ..check::CheckOptions::default() };
    let mut files = Files { directories: &program.includes };
    let checked = build::check_with(&name, &text, &[], &mut files, options);
    let describe = |found: &Diagnostic| {
        let file = Path::new(checked.sources.name(found.primary.span.file));
        let file = file.file_name().unwrap_or_default().to_string_lossy();
        let line = checked.sources.line(found.primary.span);
        (format!("{} {}", found.code.id(), found.message), format!("{file}:{line}"))
    };
    if checked.module.is_none() {
        let first = checked.diagnostics.iter().find(|found| found.is_error());
        return Ok(Some(first.map(describe).unwrap_or_default()));
    }
    let lowered = checked.lower(&lower::Options::default());
    Ok(lowered.err().map(|refused| refused.diagnostics.first().map(describe).unwrap_or_default()))
}

/// Some of the programs, each as likely as any other: the smallest by a hash of seed and name.
fn sample(mut programs: Vec<&Program>, count: usize, seed: u64) -> Vec<&Program> {
    programs.sort_by_key(|program| (key(&program.name, seed), program.name.clone()));
    programs.truncate(count);
    programs.sort_by_key(|program| program.name.clone());
    programs
}

/// A hash of seed and name.
pub(super) fn key(name: &str, seed: u64) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    name.bytes().fold(start, |hash: u64, byte| {
        let mixed = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        mixed ^ mixed >> 29
    })
}

fn run_sample(programs: &[&Program], arguments: &Programs) -> Result<()> {
    println!("\n| program | arguments | result |\n| --- | --- | --- |");
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for program in programs {
        let (given, result) = smallest_run(program, Duration::from_secs(arguments.seconds))?;
        println!("| {} | {} | {result} |", program.name, given.join(" "));
        let kind = result.split(':').next().unwrap_or_default().to_owned();
        *counts.entry(kind).or_insert(0) += 1;
    }
    println!();
    counts.iter().for_each(|(kind, count)| println!("{count} of {}: {kind}", programs.len()));
    Ok(())
}

/// Runs a program with smaller and smaller arguments until it ends in time.
fn smallest_run(program: &Program, limit: Duration) -> Result<(Vec<String>, String)> {
    let mut arguments = program.arguments.clone();
    if let Some(last) = arguments.iter_mut().rev().find(|one| one.parse::<u64>().is_ok()) {
        *last = "1".to_owned();
    }
    let last = loop {
        let last = run_once(program, &arguments, limit)?;
        // A trap, such as memory that does not suffice, may be for the size too.
        if last.as_ref().is_some_and(|result| !result.starts_with("status 24")) {
            break last;
        }
        let larger = arguments.clone();
        for one in &mut arguments {
            if let Some(number) = one.parse::<u64>().ok().filter(|number| *number > 16) {
                *one = (number / 16).max(16).to_string();
            }
        }
        if arguments == larger {
            break last;
        }
    };
    let result = last.unwrap_or_else(|| format!("not in {} seconds", limit.as_secs()));
    Ok((arguments, result))
}

/// The outcome of a run; `None` if it does not end in time.
fn run_once(program: &Program, arguments: &[String], limit: Duration) -> Result<Option<String>> {
    let mut command = super::reconverge()?;
    command
        .arg("run")
        .args(["--quiet", "--model", "functional", "--host-memory", "2147418112"])
        .arg(&program.source);
    for include in &program.includes {
        command.arg("-I").arg(include);
    }
    command.arg("--").args(arguments).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.current_dir(program.source.parent().unwrap_or(Path::new(".")));
    let mut child = command.spawn()?;
    let (stdout, stderr) = (drained(child.stdout.take()), drained(child.stderr.take()));
    let Some(status) = wait(&mut child, limit)? else {
        return Ok(None);
    };
    let printed = stdout.join().unwrap_or_default();
    let said = stderr.join().unwrap_or_default();
    Ok(Some(verdict(status, &printed, &said)))
}

/// Reads all of a stream beside the run, so that the program does not wait for it.
pub(super) fn drained(
    stream: Option<impl std::io::Read + Send + 'static>,
) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // An unreadable stream counts as empty.
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The exit status, if the process ends in time; otherwise it is ended.
pub(super) fn wait(child: &mut Child, limit: Duration) -> Result<Option<i32>> {
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.code().unwrap_or(-1)));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// The verdict that lists have no words for.
pub(super) const PASSES: &str = "passes its check";

/// The result of a program's own check.
pub(super) fn verdict(status: i32, printed: &str, said: &str) -> String {
    let first = said.lines().find(|line| line.starts_with("error")).unwrap_or_default();
    let printed = printed.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| printed.contains(word));
    match status {
        REFUSED => format!("does not compile: {first}"),
        0 if says(&["fail", "mismatch", "incorrect", "not correct", "error: "]) => {
            "wrong: its own check fails".to_owned()
        }
        0 if says(&["pass", "success", "correct", "verified", "match"]) => PASSES.to_owned(),
        0 => "ends well, without a check of its own".to_owned(),
        other if first.is_empty() => format!("status {other}: {}", last_line(&printed)),
        other => format!("status {other}: {first}"),
    }
}

/// The status of a program that does not compile.
const REFUSED: i32 = reconverge::status::COMPILE as i32;

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

//! Whole programs of a public collection, built by their Makefiles and run by `exec`.
//!
//! `tests/suites/hecbench.toml` has the sample: programs, the arguments that make each small enough, and what it comes to. The
//! sample is the first programs, by a hash of seed and name, that `reconverge build` compiles (`--choose`).

use super::programs::{PASSES, Programs, drained, find, key, verdict, wait};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

#[derive(Args)]
pub(super) struct Whole {
    /// The directory that holds the programs' directories
    directory: PathBuf,
    /// Where included files are looked for: the headers of CCCL
    #[arg(short = 'I')]
    include: Vec<PathBuf>,
    /// Only programs whose names contain this
    #[arg(long, default_value = "")]
    only: String,
    /// Seconds of processor time that a run may take
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The machine; the programs are written for 64K registers per SM and more
    #[arg(long, default_value = "h100")]
    machine: String,
    /// Print the first N programs that are compiled, chosen by the seed, and run nothing
    #[arg(long, value_name = "N", default_value_t = 0)]
    choose: usize,
    /// Chooses the sample
    #[arg(long, default_value_t = 59)]
    seed: u64,
}

/// A program of a list.
#[derive(Deserialize)]
pub(super) struct Entry {
    /// The folder of its folder, in a collection that has several.
    #[serde(default)]
    pub folder: String,
    pub arguments: String,
    /// The text that it prints if its own check succeeds, for a check without a usual word such as `PASS`.
    #[serde(default)]
    says: String,
    /// The text that it prints if its own check fails, for a check that is silent when it succeeds.
    #[serde(default)]
    fails: String,
    /// Why it does not pass its own check; empty for a program that does.
    #[serde(default)]
    pub result: String,
}

/// The machine of runs, and the processor time of each.
pub(super) struct Limits<'a> {
    pub machine: &'a str,
    pub seconds: u64,
}

pub(super) fn whole(arguments: &Whole) -> Result<()> {
    if arguments.choose > 0 {
        return choose(arguments);
    }
    table("hecbench.toml", &arguments.only, |name, entry| {
        let directory = arguments.directory.join(name);
        if let Some(why) = build(arguments, &directory)? {
            return Ok(format!("does not build: {why}"));
        }
        let limits = Limits { machine: &arguments.machine, seconds: arguments.seconds };
        run(&limits, &directory, &program(&directory)?, entry)
    })
}

/// Runs the programs of a list, prints a table, and compares it with the list.
///
/// # Errors
/// The results are not as the list says.
pub(super) fn table(
    list: &str,
    only: &str,
    mut result: impl FnMut(&str, &Entry) -> Result<String>,
) -> Result<()> {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites").join(list);
    let list = std::fs::read_to_string(&list).context("cannot read the list of programs")?;
    let list: BTreeMap<String, Entry> = toml::from_str(&list)?;
    println!("| program | arguments | result |\n| --- | --- | --- |");
    let (mut counts, mut changed) = (BTreeMap::<String, usize>::new(), Vec::new());
    for (name, entry) in list.iter().filter(|(name, _)| name.contains(only)) {
        let found = result(name, entry)?;
        println!("| {name} | {} | {found} |", entry.arguments);
        *counts.entry(found.split(':').next().unwrap_or_default().to_owned()).or_default() += 1;
        if (found == PASSES) != entry.result.is_empty() {
            changed.push(format!("{name}: {found}; the list says `{}`", entry.result));
        }
    }
    println!();
    let all: usize = counts.values().sum();
    counts.iter().for_each(|(kind, count)| println!("{count} of {all}: {kind}"));
    ensure!(changed.is_empty(), "not as the list says:\n{}", changed.join("\n"));
    Ok(())
}

fn choose(arguments: &Whole) -> Result<()> {
    let mut all = find(&Programs::of(&arguments.directory))?;
    all.sort_by_key(|program| (key(&program.name, arguments.seed), program.name.clone()));
    let (mut tried, mut chosen) = (0, 0);
    for program in &all {
        if chosen == arguments.choose {
            break;
        }
        tried += 1;
        match build(arguments, &arguments.directory.join(&program.name))? {
            Some(why) => println!("# {}: {why}", program.name),
            None => {
                chosen += 1;
                println!("[{}]\narguments = {:?}", program.name, program.arguments.join(" "));
            }
        }
    }
    println!("# {chosen} of the first {tried} are compiled");
    Ok(())
}

/// Builds a program; the first error if there is one.
fn build(arguments: &Whole, directory: &Path) -> Result<Option<String>> {
    let compiler = super::reconverge()?;
    let compiler = format!("CC={} build", compiler.get_program().to_string_lossy());
    let include: Vec<String> =
        arguments.include.iter().map(|folder| format!("-I{}", folder.display())).collect();
    let flags = format!("EXTRA_CFLAGS={}", include.join(" "));
    let mut command = Command::new("make");
    command.arg("-C").arg(directory).args(["-B", &compiler, &flags]);
    let done = command.output().context("cannot start `make`")?;
    if done.status.success() {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let first = said.lines().find(|line| line.contains("error")).unwrap_or_default();
    Ok(Some(first.to_owned()))
}

/// The program that the Makefile's target `run` starts.
fn program(directory: &Path) -> Result<String> {
    let mut command = Command::new("make");
    let done = command.arg("-C").arg(directory).args(["-n", "run"]).output()?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let line = said.lines().find(|line| line.trim_start_matches(['#', ' ']).starts_with("./"));
    let word = line.and_then(|line| line.split_whitespace().find(|word| word.starts_with("./")));
    match word {
        Some(word) => Ok(word.to_owned()),
        None => bail!("`make run` starts no program in {}", directory.display()),
    }
}

/// Runs a program in a directory; the result is its own verdict.
pub(super) fn run(
    limits: &Limits,
    directory: &Path,
    program: &str,
    entry: &Entry,
) -> Result<String> {
    let Limits { seconds, machine } = limits;
    let reconverge = super::reconverge()?;
    // Processor time: a run takes as long on a busy machine.
    let line = format!(
        "ulimit -t {seconds}; exec '{}' exec --quiet --machine {machine} --model functional -- {program} {}",
        reconverge.get_program().to_string_lossy(),
        entry.arguments
    );
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).current_dir(directory).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let (stdout, stderr) = (drained(child.stdout.take()), drained(child.stderr.take()));
    let late = format!("not in {seconds} seconds");
    // A program that the limit ends has no status of its own.
    let Some(status) = wait(&mut child, Duration::from_secs(seconds * 6))?.filter(|it| *it >= 0)
    else {
        return Ok(late);
    };
    let printed = stdout.join().unwrap_or_default();
    let said = stderr.join().unwrap_or_default();
    if status == 0 && !(entry.says.is_empty() && entry.fails.is_empty()) {
        let fails = !entry.fails.is_empty() && printed.contains(&entry.fails);
        let passes = printed.contains(&entry.says) && !fails;
        return Ok(if passes { PASSES } else { "wrong: its own check fails" }.to_owned());
    }
    let found = verdict(status, &printed, &said);
    let stopped = said.lines().find(|line| line.starts_with("error[R"));
    Ok(match stopped {
        Some(stopped) if found != PASSES => format!("stopped: {stopped}"),
        _ => found,
    })
}

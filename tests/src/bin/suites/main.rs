//! Public suites of CUDA programs: which of their kernels compile as they are, and drivers that run
//! them. The suites themselves are not part of this repository.
//!
//! `cargo run --release -p reconverge-tests --bin suites -- compile NAME DIR [-I DIR].. [-D NAME[=VALUE]]..`
//! prints a line for every kernel that does not compile, and the sums.
//!
//! `... --bin suites -- run DIR [--only TEXT]` runs the drivers of `tests/suites` under every model; DIR holds
//! each suite in a directory of its name. `--check` runs them under the checks instead, and prints what is found. The first lines of a driver are comments: `suite:` and
//! `includes:` (directories below the suite) say what it needs, `defines:` macros, `changed:` what
//! had to be changed of the suite's text. Its last ones are what it prints, after `out:`.
//!
//! `... --bin suites -- programs DIR [--sample N --seed S --seconds T]` compiles whole programs, one a directory of
//! DIR, and runs some of them with small arguments (`programs.rs`).
//!
//! `... --bin suites -- whole DIR [-I CCCL]` builds the programs of `tests/suites/hecbench.toml` by their Makefiles with
//! `reconverge build`, and runs them by `exec` (`whole.rs`).
//!
//! `... --bin suites -- samples DIR [--nvcc PATH]` compiles the programs of `tests/suites/samples.toml` by nvcc, and runs them by
//! `exec` (`samples.rs`).

#![deny(clippy::unwrap_used)]

mod programs;
mod samples;
mod whole;

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};
use reconverge::build::{self, Checked};
use reconverge_compiler::check::{self, Needed};
use reconverge_compiler::diagnostic::Diagnostic;
use reconverge_compiler::lower;
use reconverge_compiler::syntax::Target;
use reconverge_tests::units::{Files, directories_of, extension, files, is_unit};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compile the kernels of public suites, and run drivers of them
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Compile every kernel of a suite, each for itself
    Compile(Compile),
    /// Run the drivers of `tests/suites` under every model
    Run(Run),
    /// Compile the programs of a collection that are one file, and run some of them
    Programs(programs::Programs),
    /// Build the programs of a list by their Makefiles, and run them by `exec`
    Whole(whole::Whole),
    /// Compiles NVIDIA's samples by nvcc, and runs them by `exec`
    Samples(samples::Samples),
}

#[derive(Args)]
struct Compile {
    /// The suite's name in the table
    name: String,
    /// Where its files are
    directory: PathBuf,
    /// Where included files are looked for, after the directories of each program
    #[arg(short = 'I')]
    include: Vec<PathBuf>,
    /// Macros
    #[arg(short = 'D')]
    define: Vec<String>,
}

#[derive(Args)]
struct Run {
    /// Where the suites are, each in a directory of its name
    directory: PathBuf,
    /// Only drivers whose names contain this
    #[arg(long, default_value = "")]
    only: String,
    /// Look for races, reads of what was never written and the like instead, under the functional model
    #[arg(long)]
    check: bool,
}

fn main() -> Result<()> {
    match Arguments::parse().what {
        What::Compile(arguments) => compile(&arguments),
        What::Run(arguments) => run(&arguments),
        What::Programs(arguments) => programs::programs(&arguments),
        What::Whole(arguments) => whole::whole(&arguments),
        What::Samples(arguments) => samples::samples(&arguments),
    }
}

/// The outcome of a kernel.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Compiled,
    /// A template of which the program makes nothing that could be compiled.
    NotMade,
    Refused(String),
}

fn compile(arguments: &Compile) -> Result<()> {
    let mut all = Vec::new();
    files(&arguments.directory, &mut all)?;
    let units: Vec<&PathBuf> = all.iter().filter(|path| is_unit(path)).collect();
    let defines: Vec<(String, String)> = arguments
        .define
        .iter()
        .map(|text| match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), value.to_owned()),
            None => (text.clone(), "1".to_owned()),
        })
        .collect();
    let mut verdicts: BTreeMap<(String, String), Verdict> = BTreeMap::new();
    for unit in units {
        let mut directories = directories_of(unit, &all);
        directories.extend(arguments.include.iter().cloned());
        for (key, verdict) in kernels(unit, &directories, &defines)? {
            let known = verdicts.entry(key).or_insert_with(|| verdict.clone());
            if verdict < *known {
                *known = verdict;
            }
        }
    }
    let directory = arguments.directory.canonicalize()?;
    let count = |wanted: fn(&Verdict) -> bool| verdicts.values().filter(|it| wanted(it)).count();
    for ((file, kernel), verdict) in &verdicts {
        let file = Path::new(file).strip_prefix(&directory).unwrap_or(Path::new(file));
        match verdict {
            Verdict::Compiled => {}
            Verdict::NotMade => {
                println!("{}: {kernel}: a template of which nothing is made", file.display())
            }
            Verdict::Refused(why) => println!("{}: {kernel}: {why}", file.display()),
        }
    }
    println!(
        "| {} | {} | {} | {} | {} |",
        arguments.name,
        verdicts.len(),
        count(|it| *it == Verdict::Compiled),
        count(|it| matches!(it, Verdict::Refused(_))),
        count(|it| *it == Verdict::NotMade),
    );
    Ok(())
}

/// Every kernel that a file or one of its includes defines, by file and name.
fn kernels(
    unit: &Path,
    directories: &[PathBuf],
    defines: &[(String, String)],
) -> Result<Vec<((String, String), Verdict)>> {
    let bytes = std::fs::read(unit).with_context(|| format!("cannot read {}", unit.display()))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let name = unit.to_string_lossy().into_owned();
    let target = Target::default();
    let (tree, parsed) = build::parse(&name, &text, defines, &mut Files { directories }, target);
    let mut found = Vec::new();
    for (kernel, span) in tree.kernels() {
        let options = check::CheckOptions {
            needed: Needed::Kernel(kernel.to_string()),
            ..check::CheckOptions::default()
        };
        let mut files = Files { directories };
        let checked = build::check_with(&name, &text, defines, &mut files, options);
        // One name for a file, however it is included.
        let file = Path::new(parsed.sources.name(span.file));
        let file = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
        let file = file.to_string_lossy().into_owned();
        found.push(((file, kernel.to_string()), verdict(&checked, &kernel)));
    }
    Ok(found)
}

fn verdict(checked: &Checked, kernel: &str) -> Verdict {
    let describe = |found: &Diagnostic, checked: &Checked| {
        let span = found.primary.span;
        let file = Path::new(checked.sources.name(span.file));
        let file = file.file_name().map(|name| name.to_string_lossy().into_owned());
        let line = checked.sources.line(span);
        format!("{} {} ({}:{line})", found.code.id(), found.message, file.unwrap_or_default())
    };
    let Some(module) = &checked.module else {
        let first = checked.diagnostics.iter().find(|found| found.is_error());
        return Verdict::Refused(first.map_or_else(String::new, |found| describe(found, checked)));
    };
    let is_called = |name: &str| {
        name.strip_prefix(kernel)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('<') || rest.starts_with('('))
    };
    if !module.functions.iter().any(|one| one.sides.kernel && is_called(&one.name)) {
        return Verdict::NotMade;
    }
    match checked.lower(&lower::Options::default()) {
        Ok(_) => Verdict::Compiled,
        Err(refused) => {
            let first = refused.diagnostics.first();
            Verdict::Refused(first.map_or_else(String::new, |found| describe(found, checked)))
        }
    }
}

/// A driver with the directives of its comments.
struct Driver {
    path: PathBuf,
    suite: String,
    includes: Vec<String>,
    defines: Vec<String>,
    changed: Option<String>,
    output: String,
}

fn driver(path: &Path) -> Result<Driver> {
    let text = std::fs::read_to_string(path)?;
    let said = |key: &str| -> Vec<&str> {
        let start = format!("// {key}:");
        let lines = text.lines().filter_map(|line| line.strip_prefix(start.as_str()));
        lines.map(|rest| rest.strip_prefix(' ').unwrap_or(rest)).collect()
    };
    let words = |key: &str| -> Vec<String> {
        said(key).iter().flat_map(|line| line.split_whitespace()).map(str::to_owned).collect()
    };
    let Some(suite) = said("suite").first().map(|suite| suite.trim().to_owned()) else {
        bail!("{} does not say its suite", path.display());
    };
    let output: String = said("out").iter().map(|line| format!("{line}\n")).collect();
    Ok(Driver {
        path: path.to_owned(),
        suite,
        includes: words("includes"),
        defines: words("defines"),
        changed: said("changed").first().map(|text| (*text).to_owned()),
        output,
    })
}

/// The models that a driver runs under.
const MODELS: [&str; 3] = ["reference", "functional", "timing"];

fn run(arguments: &Run) -> Result<()> {
    let drivers = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites");
    let mut paths = Vec::new();
    files(&drivers, &mut paths)?;
    paths.retain(|path| extension(path) == "cu" && stem(path).contains(&arguments.only));
    match arguments.check {
        true => check_all(&paths, &arguments.directory),
        false => run_all(&paths, &arguments.directory),
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn run_all(paths: &[PathBuf], suites: &Path) -> Result<()> {
    println!("| driver | suite | text | {} |", MODELS.join(" | "));
    println!("| --- | --- | --- | --- | --- | --- |");
    let (mut right, mut unchanged) = (0, 0);
    for path in paths {
        let driver = driver(path)?;
        let results = MODELS.map(|model| under(&driver, suites, model));
        let mut cells = Vec::new();
        for result in results {
            cells.push(result?);
        }
        let passed = cells.iter().all(|cell| cell == "right");
        right += usize::from(passed);
        unchanged += usize::from(passed && driver.changed.is_none());
        let text = driver.changed.as_deref().unwrap_or("unchanged");
        println!("| {} | {} | {text} | {} |", stem(path), driver.suite, cells.join(" | "));
    }
    let all = paths.len();
    println!("\n{right} of {all} right under every model, {unchanged} of them unchanged");
    Ok(())
}

/// Runs drivers under all checks except that for leaks, as they leave it to the end of the program
/// to free memory; prints the findings, and a line for each driver.
fn check_all(paths: &[PathBuf], suites: &Path) -> Result<()> {
    let mut clean = 0;
    for path in paths {
        let mut command = command(&driver(path)?, suites)?;
        let done = command
            .args(["--model", "functional", "--check", "races,init,barriers,lanes"])
            .output()?;
        let said = String::from_utf8_lossy(&done.stderr);
        let mut counts = BTreeMap::new();
        for line in said.lines() {
            let code = line.split_once("[R0").and_then(|(_, rest)| rest.split_once("]:"));
            if let Some((code, _)) = code {
                *counts.entry(format!("R0{code}")).or_insert(0) += 1;
            }
        }
        clean += usize::from(counts.is_empty());
        let counts: Vec<_> =
            counts.into_iter().map(|(code, count)| format!("{count} {code}")).collect();
        let status = done.status.code().unwrap_or(-1);
        println!("{}: status {status}, {}", stem(path), counts.join(", "));
        if !counts.is_empty() {
            println!("{said}");
        }
    }
    println!("\nnothing is found in {clean} of {}", paths.len());
    Ok(())
}

/// The command line that is built beside this program.
fn reconverge() -> Result<Command> {
    let here = std::env::current_exe()?;
    let command = here.with_file_name(format!("reconverge{}", std::env::consts::EXE_SUFFIX));
    if !command.exists() {
        bail!("{} is not built; run `cargo build --release`", command.display());
    }
    Ok(Command::new(command))
}

/// The command that runs a driver.
fn command(driver: &Driver, suites: &Path) -> Result<Command> {
    let mut command = reconverge()?;
    command.arg("run").arg(&driver.path);
    let suite = suites.join(&driver.suite);
    for include in &driver.includes {
        command.arg("-I").arg(suite.join(include));
    }
    for define in &driver.defines {
        command.arg(format!("-D{define}"));
    }
    Ok(command)
}

/// The result of a driver under a model.
fn under(driver: &Driver, suites: &Path, model: &str) -> Result<String> {
    let mut command = command(driver, suites)?;
    command.args(["--model", model]);
    let done = command.output()?;
    let printed = String::from_utf8_lossy(&done.stdout);
    Ok(match done.status.code() {
        Some(0) if printed.starts_with(&driver.output) => "right".to_owned(),
        Some(0) => "wrong output".to_owned(),
        code => {
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            let first = said.lines().find(|line| line.starts_with("error")).unwrap_or("");
            format!("status {}: {first}", code.unwrap_or(-1))
        }
    })
}

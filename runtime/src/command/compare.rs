//! `compare PROGRAM --vary KEY=A,B,...`.

use super::limits::{HostLimits, KernelLimits};
use super::output;
use super::target::{Bar, MachineArguments};
use super::{SourceArguments, interrupt, run, style::Style};
use crate::build::{self, Checked};
use crate::comparison::{CompareReport, Comparison, SCHEMA, Variation};
use crate::execute::{self, ModelName, Setup};
use crate::host::report::Outcome;
use crate::host::sandbox::{Input, Sandbox};
use crate::interruption::Interruption;
use crate::status;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use rayon::prelude::*;
use reconverge_simulator::{Machine, Progress};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What to run, and in which variations.
#[derive(Args, Debug)]
pub struct CompareArguments {
    #[command(flatten)]
    source: SourceArguments,
    #[command(flatten)]
    machine: MachineArguments,
    /// Run with each of these values of a setting, e.g. `divergence=simt-stack,dual-path` or
    /// `l1.size=16384,32768`; the key may be `machine`. Given several times, every combination runs
    #[arg(long = "vary", value_name = "KEY=A,B,...", required = true, value_parser = vary)]
    varied: Vec<(String, Vec<String>)>,
    /// `timing` counts cycles, `functional` only executes
    #[arg(long, value_enum, default_value_t = ModelName::Timing)]
    model: ModelName,
    #[command(flatten)]
    kernel_limits: KernelLimits,
    #[command(flatten)]
    limits: HostLimits,
    /// Combinations to run at a time; default: one per processor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,
    /// Check every compiler annotation of values and branches at run time (slower)
    #[arg(long)]
    verify_annotations: bool,
    /// Write all statistics as JSON; `-` is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a line per combination as CSV; `-` is standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// A file for the standard input of the program in each run; `-` is the standard input of `compare`
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Let the program read files below this folder, in addition to those below its own folder
    #[arg(long, value_name = "DIR")]
    allow_dir: Vec<PathBuf>,
    /// Show no table and no progress
    #[arg(short, long)]
    quiet: bool,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

fn vary(text: &str) -> std::result::Result<(String, Vec<String>), String> {
    let (key, values) = text.split_once('=').ok_or("expected KEY=A,B,...")?;
    let values: Vec<String> = values.split(',').map(|value| value.trim().to_string()).collect();
    let again = values.iter().enumerate().find(|(at, value)| values[..*at].contains(value));
    match again {
        _ if values.iter().any(String::is_empty) => Err("a value is empty".to_string()),
        Some((_, value)) => Err(format!("`{value}` is there twice")),
        None => Ok((key.trim().to_string(), values)),
    }
}

/// More combinations than that are a mistake.
const MOST_VARIATIONS: usize = 4096;

/// Settings and the machine that they make.
type Case = (Vec<(String, String)>, Machine);

/// Every combination, the last setting varying fastest, with its machine.
fn cases(arguments: &CompareArguments) -> Result<Vec<Case>> {
    let mut all: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for (at, (key, values)) in arguments.varied.iter().enumerate() {
        let again = arguments.varied[..at].iter().any(|(other, _)| other == key);
        ensure!(!again, "`{key}` is varied twice; give all of its values at once");
        ensure!(
            all.len() * values.len() <= MOST_VARIATIONS,
            "there are more than {MOST_VARIATIONS} combinations"
        );
        let longer = |settings: &Vec<(String, String)>| {
            let with = |value: &String| {
                let last = (key.clone(), value.clone());
                settings.iter().cloned().chain([last]).collect()
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    let case = |settings: Vec<(String, String)>| {
        let machine = arguments.machine.varied(&settings)?;
        Ok((settings, machine))
    };
    all.into_iter().map(case).collect()
}

/// Compiles, runs every variation and shows them beside each other. The exit status is that of the first
/// that was stopped, else [`status::FOUND`] when outputs or memory differ, else the program's own.
pub fn compare(arguments: &CompareArguments, style: Style) -> Result<ExitCode> {
    if arguments.model == ModelName::Reference {
        bail!(
            "there is nothing to compare under `--model reference`\n  the interpreter has no machine; \
             use `--model timing` or `functional`"
        );
    }
    let cases = cases(arguments)?;
    let (name, checked) = arguments.source.check(super::Needed::Program)?;
    style.diagnostics(&checked.diagnostics, &checked.sources);
    if checked.module.is_none() {
        return Ok(ExitCode::from(checked.status()));
    }
    let mut sandbox = run::sandbox(&arguments.source.file, &arguments.allow_dir)?;
    sandbox.read_only = true;
    sandbox.input = match &arguments.input {
        None => Input::Empty,
        Some(file) => Input::Text(crate::source::read_bytes(file)?),
    };
    for file in [&arguments.json, &arguments.csv].into_iter().flatten() {
        output::check(file)?;
    }
    let program = run::program_arguments(&name, &arguments.arguments);
    let world = (sandbox, interrupt::on_ctrl_c()?);
    if let Some((_, machine)) = cases.first() {
        match execute::lower(&checked, &setup(arguments, &program, &world, machine)) {
            Ok(lowered) => {
                let cautions = build::cautions(&lowered, &checked.sources);
                style.diagnostics(&cautions, &checked.sources);
            }
            Err(refused) => {
                style.refused(&refused);
                return Ok(ExitCode::from(status::COMPILE));
            }
        }
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.unwrap_or(0) as usize)
        .build()
        .context("cannot start threads")?;
    let bar = Bar::new(style.terminal && !arguments.quiet);
    let (shown, done, all) = (Mutex::new(&bar), AtomicU64::new(0), cases.len() as u64);
    let results: Vec<Option<Variation>> = pool.install(|| {
        let run = |(settings, machine): &Case| {
            let variation =
                variation(&checked, settings, &setup(arguments, &program, &world, machine));
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if let Ok(bar) = shown.lock() {
                let now = Progress { blocks_done: done, blocks: all, cycles: 0, instructions: 0 };
                bar.show("variations", &now);
            }
            variation
        };
        cases.par_iter().map(run).collect()
    });
    bar.clear();
    let variations: Vec<Variation> = results.into_iter().flatten().collect();
    if variations.len() != cases.len() {
        // Said above for the first; settings do not change what compiles.
        return Ok(ExitCode::from(status::COMPILE));
    }
    report(arguments, &name, Comparison { variations }, &checked, style)
}

/// How a variation is run.
fn setup<'a>(
    arguments: &CompareArguments,
    program: &[String],
    (sandbox, interruption): &(Sandbox, Interruption),
    machine: &'a Machine,
) -> Setup<'a> {
    Setup {
        machine,
        model: arguments.model,
        max_cycles: arguments.kernel_limits.cycles(),
        threads: 1,
        max_operations: arguments.limits.operations(&arguments.kernel_limits),
        max_output: arguments.limits.output(&arguments.kernel_limits),
        options: arguments.source.options.lowering(),
        verify_annotations: arguments.verify_annotations,
        checks: Default::default(),
        profile: false,
        arguments: program.to_vec(),
        sandbox: sandbox.clone(),
        digest: true,
        trace: None,
        interruption: interruption.clone(),
    }
}

/// Runs one; none if the program is refused.
fn variation(checked: &Checked, settings: &[(String, String)], setup: &Setup) -> Option<Variation> {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let execution =
        execute::execute(checked, setup, &mut output, &mut errors, &mut |_, _| {}).ok()?;
    Some(Variation {
        settings: settings.to_vec(),
        machine: setup.machine.name.clone(),
        outcome: execution.outcome,
        output,
        errors,
        records: execution.records.into_iter().filter(|record| record.complete).collect(),
    })
}

/// Shows and writes what came of it.
fn report(
    arguments: &CompareArguments,
    name: &str,
    comparison: Comparison,
    checked: &Checked,
    style: Style,
) -> Result<ExitCode> {
    let files = [&arguments.json, &arguments.csv];
    if !arguments.quiet {
        let table = comparison.table(arguments.model == ModelName::Timing);
        match files.into_iter().flatten().any(|file| file.as_os_str() == "-") {
            true => style.table(&table),
            false => output::show(&table)?,
        }
    }
    if let Some(file) = &arguments.json {
        let report = CompareReport {
            schema: SCHEMA,
            program: name,
            arguments: &arguments.arguments,
            model: arguments.model.name(),
            agree: comparison.agrees(),
            variations: comparison.variations.iter().map(|one| comparison.row(one)).collect(),
        };
        output::write(file, (serde_json::to_string_pretty(&report)? + "\n").as_bytes())?;
    }
    if let Some(file) = &arguments.csv {
        output::write(file, comparison.csv().as_bytes())?;
    }
    if let Some(first) = comparison.variations.first() {
        style.show(&String::from_utf8_lossy(&first.errors));
    }
    for variation in &comparison.variations {
        if variation.fault().is_some() {
            style.note(&format!("{} was stopped:", variation.label()));
            style.outcome(&variation.outcome, &checked.sources);
        } else if let Some(difference) = comparison.difference(variation) {
            let first = comparison.first().map(Variation::label).unwrap_or_default();
            style.error(&format!("{} differs from {first}: {difference}", variation.label()));
        }
    }
    let outcomes = || comparison.variations.iter().map(|variation| &variation.outcome);
    let stopped = outcomes().find(|outcome| !matches!(outcome, Outcome::Exit(_)));
    Ok(ExitCode::from(match (stopped, comparison.agrees()) {
        (Some(stopped), _) => stopped.status(),
        (None, false) => status::FOUND,
        (None, true) => outcomes().next().map_or(0, Outcome::status),
    }))
}

//! `run PROGRAM`.

use super::output::{self, Remembered};
use super::{SourceArguments, style::Style};
use crate::build;
use crate::build::Checked;
use crate::execute::{self, Execution, ModelName, Setup};
use crate::host::surroundings::{Input, Surroundings};
use crate::report::{KernelReport, RunReport, SCHEMA, table};
use crate::status;
use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use reconverge_simulator::{Machine, Progress};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What to run, on what.
#[derive(Args, Debug)]
pub struct RunArguments {
    #[command(flatten)]
    source: SourceArguments,
    /// A machine by name (`list machines`), or a machine file
    #[arg(long, value_name = "NAME|FILE", default_value = "gtx480")]
    machine: String,
    /// Change a setting of the machine, e.g. `scheduler=loose-round-robin` or `l1.size=32768`
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting)]
    sets: Vec<(String, String)>,
    /// `timing` counts cycles, `functional` only executes, `reference` interprets the source
    #[arg(long, value_enum, default_value_t = ModelName::Timing)]
    model: ModelName,
    /// Write statistics as JSON; `-` is standard output
    #[arg(long, value_name = "FILE")]
    stats: Option<PathBuf>,
    /// Stop a kernel after so many cycles (instructions under `functional`, operations under
    /// `reference`)
    #[arg(long, value_name = "N")]
    max_cycles: Option<u64>,
    /// Stop host code after so many operations, of which an expression takes a few
    #[arg(long, value_name = "N")]
    max_operations: Option<u64>,
    /// Check every claim that the compiler makes on values and branches (slower)
    #[arg(long)]
    verify_annotations: bool,
    /// Let the program read and write files below this folder, besides those below its own
    #[arg(long, value_name = "DIR")]
    allow_dir: Vec<PathBuf>,
    /// Show no table and no progress
    #[arg(short, long)]
    quiet: bool,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((pair.0.trim().to_string(), pair.1.trim().to_string()))
}

/// Compiles and runs; the exit status is the program's, or one of [`status`].
pub fn run(arguments: &RunArguments, style: Style) -> Result<ExitCode> {
    let machine = machine(arguments)?;
    let (name, checked) = arguments.source.check()?;
    style.show(&checked.render(style.color));
    if checked.module.is_none() {
        return Ok(ExitCode::from(status::COMPILE));
    }
    if let Some(file) = &arguments.stats {
        // Found out now rather than after a long run.
        output::check(file)?;
    }
    let bar = Bar::new(style.terminal && !arguments.quiet);
    let setup = Setup {
        machine: &machine,
        model: arguments.model,
        max_cycles: arguments.max_cycles,
        max_operations: arguments.max_operations,
        options: arguments.source.lowering(),
        verify_annotations: arguments.verify_annotations,
        arguments: program_arguments(&name, &arguments.arguments),
        surroundings: surroundings(arguments)?,
        digest: arguments.stats.is_some(),
    };
    let mut watch = |kernel: &str, now: &Progress| bar.show(kernel, now);
    let mut stdout = Remembered::new(std::io::stdout());
    let mut stderr = std::io::stderr();
    let result = execute::lower(&checked, &setup).and_then(|lowered| {
        style.show(&build::warnings(&lowered, &checked.sources, style.color));
        let (output, errors) = (&mut stdout, &mut stderr);
        execute::execute_lowered(&checked, &lowered, &setup, output, errors, &mut watch)
    });
    bar.clear();
    let execution = match result {
        Ok(execution) => execution,
        Err(refused) => {
            style.show(&refused.render(style.color));
            return Ok(ExitCode::from(status::COMPILE));
        }
    };
    let status = finish(arguments, &name, &machine, &checked, &execution, style)?;
    match stdout.failure() {
        Some(failure) => Err(failure).context("cannot write output"),
        None => Ok(status),
    }
}

/// The machine that the options describe.
fn machine(arguments: &RunArguments) -> Result<Machine> {
    let source = if std::path::Path::new(&arguments.machine).is_file() {
        std::fs::read_to_string(&arguments.machine)
            .with_context(|| format!("cannot read `{}`", arguments.machine))?
    } else {
        arguments.machine.clone()
    };
    Machine::load(&source, &arguments.sets).map_err(|error| anyhow!("{error}"))
}

/// The files that the program may use: those below its own folder and the ones that are given.
fn surroundings(arguments: &RunArguments) -> Result<Surroundings> {
    for folder in &arguments.allow_dir {
        ensure!(folder.is_dir(), "`{}` is not a folder", folder.display());
    }
    let file = &arguments.source.file;
    let is_file = file != Path::new("-");
    let own = file.parent().filter(|_| is_file).map(Path::to_path_buf).unwrap_or_default();
    let allowed = std::iter::once(own).chain(arguments.allow_dir.iter().cloned());
    Ok(Surroundings {
        // A program that comes from standard input has read it.
        input: if is_file { Input::System } else { Input::Empty },
        directory: PathBuf::new(),
        allowed: allowed.collect(),
    })
}

/// What `main` sees as `argv`.
fn program_arguments(name: &str, rest: &[String]) -> Vec<String> {
    std::iter::once(name.to_string()).chain(rest.iter().cloned()).collect()
}

fn finish(
    arguments: &RunArguments,
    name: &str,
    machine: &Machine,
    checked: &Checked,
    execution: &Execution,
    style: Style,
) -> Result<ExitCode> {
    if !arguments.quiet {
        style.show(&table(&execution.records, arguments.model == ModelName::Timing));
    }
    if let Some(file) = &arguments.stats {
        let report = RunReport {
            schema: SCHEMA,
            program: name,
            machine: &machine.name,
            model: arguments.model.name(),
            kernels: execution.records.iter().map(KernelReport::new).collect(),
        };
        let mut text = serde_json::to_string_pretty(&report)?;
        text.push('\n');
        output::write(file, text.as_bytes())?;
    }
    style.show(&execution.outcome.render(&checked.sources, style.color));
    Ok(ExitCode::from(execution.outcome.status()))
}

/// The progress bar of the running kernel: blocks done.
struct Bar(Option<ProgressBar>);

impl Bar {
    fn new(wanted: bool) -> Bar {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} blocks {elapsed}");
        Bar(style.ok().filter(|_| wanted).map(|style| ProgressBar::new(0).with_style(style)))
    }

    fn show(&self, kernel: &str, now: &Progress) {
        if let Some(bar) = &self.0 {
            bar.set_length(now.blocks);
            bar.set_position(now.blocks_done);
            bar.set_message(format!("{kernel} cycle {}", now.cycles));
        }
    }

    fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

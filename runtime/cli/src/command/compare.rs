//! `compare PROGRAM --vary KEY=A,B,...`.

use super::html::{HtmlArguments, command_line};
use super::kernels::{self, KernelArguments};
use super::limits::{HostLimits, KernelLimits};
use super::options::{BuildOptions, named};
use super::output;
use super::progress::ProgressLine;
use super::target::MachineArguments;
use super::{interrupt, run, style::Style};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use rayon::prelude::*;
use reconverge::build::{self, Checked};
use reconverge::build_arguments::BuildArguments;
use reconverge::comparison::{self, CompareReport, Comparison, Detail, Variation};
use reconverge::execute::{self, ModelName, Setup};
use reconverge::findings;
use reconverge::host::report::Outcome;
use reconverge::host::sandbox::{Input, Sandbox};
use reconverge::interruption::Interruption;
use reconverge::kernel_file::Level;
use reconverge::profile;
use reconverge::status;
use reconverge::study::provenance::Provenance;
use reconverge::study::settings::{self, Settings};
use reconverge::study::values;
use reconverge_compiler::check::Needed;
use reconverge_report::comparison::Lines;
use reconverge_report::page;
use reconverge_report::table::text;
use reconverge_simulator::Machine;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The programs, the variations, and the outputs.
#[derive(Args, Debug)]
pub struct CompareArguments {
    /// `.cu` files, each compared separately; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    build: BuildOptions,
    #[command(flatten)]
    kernels: KernelArguments,
    #[command(flatten)]
    machine: MachineArguments,
    /// Run with each of these values of a setting, e.g. `divergence=simt-stack,dual-path` or `l1.size=16K..64K*2`; the
    /// key may be `machine`, `arguments` (of the program), `kernels` (files as for `--kernels`, or `none`), or an option of the
    /// compiler: `--vary=--unroll=1,4`, `--vary=-DN=8,16`. Given several times, every combination runs
    #[arg(long = "vary", value_name = "KEY=A,B,...", required = true, value_parser = vary)]
    varied: Vec<(String, Vec<String>)>,
    /// `timing` counts cycles, `functional` only executes, `reference` interprets the source and PTX, to compare outputs
    #[arg(long, help_heading = "Machine", value_parser = named::<ModelName>(), default_value = ModelName::Timing.name())]
    model: ModelName,
    #[command(flatten)]
    kernel_limits: KernelLimits,
    #[command(flatten)]
    limits: HostLimits,
    /// Combinations to run at a time; default: one per processor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,
    /// Check every compiler annotation of values and branches at run time (slower)
    #[arg(long, help_heading = "Checks")]
    verify_annotations: bool,
    /// Write all statistics as JSON; `-` is standard output
    #[arg(long, help_heading = "Reports", value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a line per combination as CSV; `-` is standard output
    #[arg(long, help_heading = "Reports", value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    html: HtmlArguments,
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
    let values = values::expand(&values::split(values)).map_err(|why| why.to_string())?;
    Ok((key.trim().to_string(), values))
}

/// One run: its variation, and the resulting machine, compiler options and program.
struct Case {
    settings: Vec<(String, String)>,
    machine: Machine,
    /// The machine as a complete file.
    text: String,
    build: BuildArguments,
    kernels: Vec<PathBuf>,
    arguments: Vec<String>,
}

/// Every combination, the last setting varying fastest.
fn cases(arguments: &CompareArguments) -> Result<Vec<Case>> {
    for (at, (key, _)) in arguments.varied.iter().enumerate() {
        let again = arguments.varied[..at].iter().any(|(other, _)| other == key);
        ensure!(!again, "`{key}` is varied twice; give all of its values at once");
    }
    let case = |varied: Vec<(String, String)>| {
        let words: Vec<String> =
            varied.iter().map(|(key, value)| settings::word(key, value)).collect();
        let settings = Settings::read(&words)?;
        ensure!(
            !settings.profiled,
            "`load-hints=profile` is a setting of studies; here `--load-hints FILE.json` takes a profile"
        );
        let (machine, text) = arguments.machine.varied(&settings)?;
        let build = settings::options(&[arguments.build.words(), settings.compile].concat())?;
        let given = || arguments.arguments.clone();
        Ok(Case {
            settings: varied,
            machine,
            text,
            build,
            kernels: settings.kernels.unwrap_or_else(|| arguments.kernels.files().to_vec()),
            arguments: settings.arguments.unwrap_or_else(given),
        })
    };
    settings::combinations(&arguments.varied)?.into_iter().map(case).collect()
}

/// A program, checked under one set of options and with the kernels of some files.
struct Compiled {
    words: Vec<String>,
    kernels: Vec<PathBuf>,
    checked: Checked,
}

impl Compiled {
    fn is_for(&self, case: &Case) -> bool {
        self.words == case.build.words() && self.kernels == case.kernels
    }
}

/// A program with its checked forms.
struct Program {
    /// Its name in messages.
    name: String,
    sandbox: Sandbox,
    /// The checked forms.
    compiled: Vec<Compiled>,
}

impl Program {
    /// Reads and checks it with every set of options of the cases. If it does not compile, reports that and returns the
    /// status.
    fn read(
        file: &Path,
        arguments: &CompareArguments,
        cases: &[Case],
        style: Style,
    ) -> Result<std::result::Result<Program, u8>> {
        let (name, text) = Level::read_source(file)?;
        let mut compiled: Vec<Compiled> = Vec::new();
        for case in cases {
            if compiled.iter().any(|known| known.is_for(case)) {
                continue;
            }
            let checking = case.build.checking_program(Needed::Program, &case.kernels)?;
            let (macros, mut loader) = (&case.build.definitions, case.build.loader());
            let mut checked = build::check_with(&name, &text, macros, &mut loader, checking);
            if compiled.is_empty() || checked.module.is_none() {
                style.diagnostics(&checked.diagnostics, &checked.sources);
            }
            if checked.module.is_none() {
                return Ok(Err(checked.status()));
            }
            if !kernels::put(&mut checked, &case.kernels, arguments.model, style)? {
                return Ok(Err(status::COMPILE));
            }
            let (words, kernels) = (case.build.words(), case.kernels.clone());
            compiled.push(Compiled { words, kernels, checked });
        }
        let mut sandbox = run::sandbox(file, &arguments.allow_dir)?;
        sandbox.read_only = true;
        sandbox.input = match &arguments.input {
            None => Input::Empty,
            Some(file) => Input::Text(reconverge::source::read_bytes(file)?),
        };
        Ok(Ok(Program { name, sandbox, compiled }))
    }

    fn checked(&self, case: &Case) -> &Checked {
        let at = self.compiled.iter().position(|known| known.is_for(case));
        // Every case was compiled.
        &self.compiled[at.unwrap_or(0)].checked
    }
}

/// Compiles and runs every variation of every program, and shows them side by side. The exit status is that of the
/// first stopped run, else [`status::FOUND`] if outputs or memory differ, else the program's own.
pub fn compare(arguments: &CompareArguments, style: Style) -> Result<ExitCode> {
    let changes_program =
        |key: &str| matches!(key, "arguments" | "kernels") || key.starts_with('-');
    if let (ModelName::Reference, Some((key, _))) =
        (arguments.model, arguments.varied.iter().find(|(key, _)| !changes_program(key)))
    {
        bail!(
            "`{key}` is not varied under `--model reference`\n  the interpreter has no machine; vary `kernels`, \
             `arguments` or an option of the compiler, or use `--model timing` or `functional`"
        );
    }
    let cases = cases(arguments)?;
    for file in [&arguments.json, &arguments.csv].into_iter().flatten() {
        output::check(file)?;
    }
    arguments.html.check(arguments.model.name())?;
    let mut programs = Vec::new();
    for file in &arguments.files {
        match Program::read(file, arguments, &cases, style)? {
            Ok(program) => programs.push(program),
            Err(status) => return Ok(ExitCode::from(status)),
        }
    }
    let interruption = interrupt::on_ctrl_c()?;
    for program in &programs {
        let Some(case) = cases.first() else { continue };
        let checked = program.checked(case);
        match execute::lower_once(checked, &setup(arguments, program, case, &interruption)) {
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
    let Some(comparisons) = run_all(arguments, &programs, &cases, &interruption, style)? else {
        // Settings may change what compiles; the first that did not has said why.
        return Ok(ExitCode::from(status::COMPILE));
    };
    report(arguments, &programs, &cases, comparisons, style)
}

/// The results of the runs, in order: CSV lines are written as soon as all earlier runs have ended.
struct Collected {
    comparisons: Vec<Comparison>,
    waiting: BTreeMap<usize, Variation>,
    next: usize,
    csv: Option<Lines>,
    failure: Option<anyhow::Error>,
}

impl Collected {
    fn take(&mut self, at: usize, variation: Variation, cases: usize) {
        self.waiting.insert(at, variation);
        while let Some(variation) = self.waiting.remove(&self.next) {
            let comparison = &mut self.comparisons[self.next / cases];
            comparison.variations.push(variation);
            self.next += 1;
            if let (Some(csv), Some(last)) = (&mut self.csv, comparison.variations.last())
                && let Err(error) = csv.write(comparison, last)
            {
                self.failure.get_or_insert(error);
            }
        }
    }
}

/// Runs every case of every program; `None` if one of them is refused.
fn run_all(
    arguments: &CompareArguments,
    programs: &[Program],
    cases: &[Case],
    interruption: &Interruption,
    style: Style,
) -> Result<Option<Vec<Comparison>>> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.unwrap_or(0) as usize)
        .build()
        .context("cannot start threads")?;
    let keys: Vec<&str> = arguments.varied.iter().map(|(key, _)| key.as_str()).collect();
    let comparisons = programs
        .iter()
        .map(|program| Comparison { program: program.name.clone(), variations: Vec::new() });
    let collected = Mutex::new(Collected {
        comparisons: comparisons.collect(),
        waiting: BTreeMap::new(),
        next: 0,
        csv: arguments.csv.as_deref().map(|file| Lines::new(file, &keys)).transpose()?,
        failure: None,
    });
    let line = ProgressLine::new(style.terminal && !arguments.quiet);
    let (done, all) = (AtomicU64::new(0), programs.len() * cases.len());
    line.steps("runs", 0, all as u64);
    let runs: Vec<bool> = pool.install(|| {
        let run = |at: usize| {
            let (program, case) = (&programs[at / cases.len()], &cases[at % cases.len()]);
            let came = variation(arguments, program, case, interruption, &line, style);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            line.steps("runs", done, all as u64);
            let is_there = came.is_some();
            if let (Some(variation), Ok(mut collected)) = (came, collected.lock()) {
                collected.take(at, variation, cases.len());
            }
            is_there
        };
        (0..all).into_par_iter().with_max_len(1).map(run).collect()
    });
    drop(line);
    let collected = collected.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    match collected.failure {
        Some(failure) => Err(failure).context("cannot write CSV"),
        None => Ok(runs.into_iter().all(|is_there| is_there).then_some(collected.comparisons)),
    }
}

/// How a case is run.
fn setup<'a>(
    arguments: &CompareArguments,
    program: &Program,
    case: &'a Case,
    interruption: &Interruption,
) -> Setup<'a> {
    Setup {
        machine: &case.machine,
        model: arguments.model,
        max_cycles: arguments.kernel_limits.cycles(),
        threads: 1,
        max_operations: arguments.limits.operations(&arguments.kernel_limits),
        max_output: arguments.limits.output(&arguments.kernel_limits),
        host_memory: arguments.limits.memory(),
        options: case.build.lowering(),
        verify_annotations: arguments.verify_annotations,
        distrusts_proofs: false,
        checks: Default::default(),
        profile: arguments.html.is_wanted(),
        arguments: run::program_arguments(&program.name, &case.arguments),
        sandbox: program.sandbox.clone(),
        digest: true,
        trace: None,
        samples: None,
        what_if: false,
        interruption: interruption.clone(),
    }
}

/// Runs one case; reports a refused program and returns `None`.
fn variation(
    arguments: &CompareArguments,
    program: &Program,
    case: &Case,
    interruption: &Interruption,
    line: &ProgressLine,
    style: Style,
) -> Option<Variation> {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let checked = program.checked(case);
    let setup = setup(arguments, program, case, interruption);
    let done = execute::lower_once(checked, &setup).and_then(|lowered| {
        let (output, errors) = (&mut output, &mut errors);
        let done =
            execute::execute_lowered(checked, &lowered, &setup, output, errors, &mut |_, _| {});
        done.map(|execution| (execution, lowered))
    });
    let (execution, lowered) = match done {
        Ok(done) => done,
        Err(refused) => {
            line.pause();
            style.refused(&refused);
            return None;
        }
    };
    let records = &execution.records;
    let detail = setup.profile.then(|| Detail {
        kernels: profile::kernels(records, &lowered.program, &checked.sources),
        findings: findings::findings(records, &lowered, &case.machine, &checked.sources),
    });
    let provenance = Provenance::new(checked, &case.build, &case.machine, &case.text).ok()?;
    Some(Variation {
        settings: case.settings.clone(),
        machine: case.machine.name.clone(),
        provenance: Provenance {
            program: program.name.clone(),
            arguments: case.arguments.clone(),
            ..provenance
        },
        outcome: execution.outcome,
        output,
        errors,
        detail,
        records: execution.records.into_iter().filter(|record| record.complete).collect(),
    })
}

/// Shows and writes the results.
fn report(
    arguments: &CompareArguments,
    programs: &[Program],
    cases: &[Case],
    comparisons: Vec<Comparison>,
    style: Style,
) -> Result<ExitCode> {
    let files = [&arguments.json, &arguments.csv];
    if !arguments.quiet {
        let table = text(&comparison::table(&comparisons, arguments.model));
        match files.into_iter().flatten().any(|file| file.as_os_str() == "-") {
            true => style.table(&table),
            false => output::show(&table)?,
        }
    }
    if let Some(file) = &arguments.json {
        let report = CompareReport::new(&comparisons, arguments.model.name());
        output::write(file, (serde_json::to_string_pretty(&report)? + "\n").as_bytes())?;
    }
    arguments.html.write(|| page(arguments, programs, cases, &comparisons))?;
    for (program, comparison) in programs.iter().zip(&comparisons) {
        if let Some(first) = comparison.variations.first() {
            style.show(&String::from_utf8_lossy(&first.errors));
        }
        for (variation, case) in comparison.variations.iter().zip(cases) {
            let label = match programs.len() {
                1 => variation.label(),
                _ => format!("{}, {}", program.name, variation.label()),
            };
            if variation.fault().is_some() {
                style.note(&format!("{label} was stopped:"));
                style.outcome(&variation.outcome, &program.checked(case).sources);
            } else if let Some(difference) = comparison.difference(variation) {
                let first = comparison.first().map(Variation::label).unwrap_or_default();
                style.error(&format!("{label} differs from {first}: {difference}"));
            }
        }
    }
    let all = || comparisons.iter().flat_map(|comparison| &comparison.variations);
    let outcomes = || all().map(|variation| &variation.outcome);
    let stopped = outcomes().find(|outcome| !matches!(outcome, Outcome::Exit(_)));
    let agree = comparisons.iter().all(Comparison::agrees);
    Ok(ExitCode::from(match (stopped, agree) {
        (Some(stopped), _) => stopped.status(),
        (None, false) => status::FOUND,
        (None, true) => outcomes().next().map_or(0, Outcome::status),
    }))
}

/// The text of the page.
fn page(
    arguments: &CompareArguments,
    programs: &[Program],
    cases: &[Case],
    comparisons: &[Comparison],
) -> Result<String> {
    let files = cases.iter().map(|case| {
        let words = case.settings.iter().map(|(key, value)| settings::word(key, value));
        let mut settings = Settings::read(&words.collect::<Vec<_>>())?;
        settings.sets.clear();
        arguments.machine.file_of(&settings)
    });
    let files: Vec<String> = files.collect::<Result<_>>()?;
    let stopped = |program: &Program, comparison: &Comparison| {
        let cases = comparison.variations.iter().zip(cases);
        let texts = cases.map(|(variation, case)| {
            variation.outcome.render(&program.checked(case).sources, false)
        });
        texts.collect()
    };
    let each = programs.iter().zip(comparisons);
    let stopped: Vec<Vec<String>> = each.map(|(one, other)| stopped(one, other)).collect();
    page::compare::text(&page::compare::Subject {
        command: &command_line(),
        comparisons,
        machine_files: &files,
        stopped: &stopped,
    })
}

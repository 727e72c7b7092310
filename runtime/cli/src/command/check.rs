//! `check FILE...`.

use super::options::BuildOptions;
use super::source::SourceArguments;
use super::style::Style;
use anyhow::Result;
use clap::Args;
use reconverge::build;
use reconverge::build_arguments::BuildArguments;
use reconverge::kernel_file::{KernelFile, Level, Places};
use reconverge::machine_file;
use reconverge::source;
use reconverge::status;
use reconverge::study::file::StudyFile;
use reconverge::study::plan::{Plan, Request};
use reconverge_compiler::check::Needed;
use reconverge_compiler::diagnostic::{Diagnostic, Severity};
use reconverge_compiler::lower::{Lowered, Options};
use reconverge_compiler::syntax::SourceMap;
use reconverge_isa::wording::counted;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The files to check.
#[derive(Args, Debug)]
pub struct CheckArguments {
    /// Programs (`.cu`), kernels (`.ptx`, `.ir`, `.asm`, `.bin`), machine files and studies (`.toml`)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    options: BuildOptions,
    /// Warnings also cause status 1
    #[arg(long)]
    deny_warnings: bool,
    /// Do not list files without errors and warnings
    #[arg(short, long)]
    quiet: bool,
}

/// The result for a file.
#[derive(Clone, Default)]
struct Count {
    errors: usize,
    warnings: usize,
    /// A clause that states the work done.
    checked: String,
}

impl Count {
    fn add(&mut self, found: &[Diagnostic]) {
        self.errors += found.iter().filter(|it| it.is_error()).count();
        self.warnings += found.iter().filter(|it| it.severity == Severity::Warning).count();
    }
}

/// Compiles all files, and reports their faults.
pub fn check(arguments: &CheckArguments, style: Style) -> Result<ExitCode> {
    let mut failed = false;
    for file in &arguments.files {
        let is_toml = file.extension().is_some_and(|ending| ending == "toml");
        let count = match Level::of(file) {
            Level::Source if is_toml => settings(file, style)?,
            Level::Source => program(file, &arguments.options, style)?,
            level => kernels(file, level, &arguments.options, style)?,
        };
        failed |= count.errors > 0 || (arguments.deny_warnings && count.warnings > 0);
        let is_clean = count.errors + count.warnings == 0;
        if style.shows_tables() && !(arguments.quiet && is_clean) {
            let found = match is_clean {
                true => "good".to_owned(),
                false => format!(
                    "{}, {}",
                    counted(count.errors as u64, "error"),
                    counted(count.warnings as u64, "warning")
                ),
            };
            let checked = match count.checked.as_str() {
                "" => String::new(),
                checked => format!("; {checked}"),
            };
            style.show(&format!("{}: {found}{checked}\n", source::name(file)));
        }
    }
    Ok(if failed { ExitCode::from(status::FOUND) } else { ExitCode::SUCCESS })
}

/// A program, as `run` would compile it; all of one without `main`.
fn program(file: &Path, options: &BuildOptions, style: Style) -> Result<Count> {
    let source = SourceArguments { file: file.to_path_buf(), options: options.clone() };
    let (_, checked) = source.check(Needed::Program)?;
    let mut found = checked.diagnostics.clone();
    let mut count = Count::default();
    if let Some(module) = &checked.module {
        match checked.lower(&options.lowering()) {
            Ok(lowered) => {
                found.extend(build::cautions(&lowered, &checked.sources));
                let has_main = module.functions.iter().any(|function| &*function.name == "main");
                let host = if has_main { "`main` and what it calls, and " } else { "" };
                let kernels = counted(lowered.program.kernels.len() as u64, "kernel");
                count.checked = format!("compiled {host}{kernels}; nothing ran");
            }
            Err(refused) => found.extend(refused.diagnostics),
        }
    }
    style.diagnostics(&found, &checked.sources);
    count.add(&found);
    Ok(count)
}

/// Kernels in their own file.
fn kernels(file: &Path, level: Level, options: &BuildArguments, style: Style) -> Result<Count> {
    let mut sources = SourceMap::new();
    let read = KernelFile::read(file, level, &mut sources)?;
    style.kernel_file(&read, &sources);
    let mut count = Count::default();
    count.add(&read.diagnostics);
    count.errors += usize::from(read.undecodable.is_some());
    if !read.has_errors() {
        let options = Options { verify: true, ..options.lowering() };
        let lowered: Result<Lowered, _> = read.lower(&options, Places::OwnLines, &sources);
        match lowered {
            Ok(lowered) => {
                let kernels = counted(lowered.program.kernels.len() as u64, "kernel");
                count.checked = format!("verified and compiled {kernels}; nothing ran");
            }
            Err(refused) => {
                style.refused(&refused);
                count.add(&refused.diagnostics);
            }
        }
    }
    Ok(count)
}

/// A machine file, or a study.
fn settings(file: &Path, style: Style) -> Result<Count> {
    let (name, text) = source::read(file)?;
    let is_study = text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("schema"));
    let mut count = Count::default();
    if is_study {
        match study(file, &name, &text) {
            Ok(checked) => count.checked = checked,
            Err(error) => {
                style.error(&format!("{error:#}"));
                count.errors += 1;
            }
        }
        return Ok(count);
    }
    match machine_file::from_text(&name, &text, &[]) {
        Ok((_, said)) => {
            count.checked = "read as a machine".to_owned();
            style.of_machine(&said, false);
            count.add(&said.placed);
            count.warnings += said.others.len();
        }
        Err(error) => match error.downcast_ref::<machine_file::Said>() {
            Some(said) => {
                style.of_machine(said, true);
                count.add(&said.placed);
                count.errors += said.others.len();
            }
            None => {
                style.error(&format!("{error:#}"));
                count.errors += 1;
            }
        },
    }
    Ok(count)
}

/// Plans a study as `study` does: its machines, settings and expressions are read, and its programs
/// compiled. Returns a sentence on the checked parts.
fn study(file: &Path, name: &str, text: &str) -> Result<String> {
    let study = StudyFile::read(name, text)?;
    let folder = file.parent().map(Path::to_path_buf);
    let plan = Plan::new(study, &Request { folder, ..Request::default() })?;
    let count = |count: usize, noun| counted(count as u64, noun);
    Ok(format!(
        "read as a study of {} with {}, {} in all; nothing ran",
        count(plan.programs.len(), "program"),
        count(plan.configurations.len(), "configuration"),
        count(plan.distinct().len(), "point"),
    ))
}

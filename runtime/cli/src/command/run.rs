//! `run PROGRAM`.

use super::html::command_line;
use super::interrupt;
use super::kernels::{KernelArguments, put};
use super::limits::HostLimits;
use super::output::Remembered;
use super::source::{SourceArguments, require_kernel};
use super::style::Style;
use super::target::{Measured, TargetArguments};
use anyhow::{Context, Result, ensure};
use clap::Args;
use reconverge::build;
use reconverge::checks::Check;
use reconverge::execute::{self, Setup};
use reconverge::host::sandbox::{Input, Sandbox};
use reconverge::status;
use reconverge_compiler::check::Needed;
use reconverge_simulator::Progress;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The program, its arguments, and options.
#[derive(Args, Debug)]
pub struct RunArguments {
    #[command(flatten)]
    source: SourceArguments,
    #[command(flatten)]
    target: TargetArguments,
    #[command(flatten)]
    limits: HostLimits,
    #[command(flatten)]
    kernels: KernelArguments,
    /// Let the program read and write files below this folder, in addition to those below its own folder
    #[arg(long, value_name = "DIR")]
    allow_dir: Vec<PathBuf>,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

/// Compiles and runs; the exit status is the program's, or one of [`status`].
pub fn run(arguments: &RunArguments, style: Style) -> Result<ExitCode> {
    let target = &arguments.target;
    let machine = target.machine(style)?;
    let line = target.progress(style);
    line.work(arguments.source.compiling());
    let (name, mut checked) =
        arguments.source.check_beside(Needed::Program, arguments.kernels.files())?;
    line.pause();
    style.diagnostics(&checked.diagnostics, &checked.sources);
    if checked.module.is_none() {
        return Ok(ExitCode::from(checked.status()));
    }
    target.check(&machine)?;
    if !put(&mut checked, arguments.kernels.files(), target.model, style)? {
        return Ok(ExitCode::from(status::COMPILE));
    }
    if let (Some(wanted), Some(module)) = (target.trace.kernel(), &checked.module) {
        require_kernel(wanted, module)?;
    }
    let setup = Setup {
        machine: &machine,
        model: target.model,
        max_cycles: target.limits.cycles(),
        threads: target.threads,
        max_operations: arguments.limits.operations(&target.limits),
        max_output: arguments.limits.output(&target.limits),
        host_memory: arguments.limits.memory(),
        options: arguments.source.options.lowering(),
        verify_annotations: target.verify_annotations,
        distrusts_proofs: false,
        checks: target.checks(),
        profile: target.counts_by_line(style),
        arguments: program_arguments(&name, &arguments.arguments),
        sandbox: sandbox(&arguments.source.file, &arguments.allow_dir)?,
        digest: target.stats.is_some(),
        trace: target.trace.selection(),
        samples: target.samples(),
        what_if: target.what_if(),
        interruption: interrupt::on_ctrl_c()?,
    };
    let running = format!("running {name}");
    let mut watch = |kernel: &str, now: &Progress| line.kernel(kernel, now, &running);
    let mut stdout = Remembered::new(line.around(std::io::stdout()));
    let mut stderr = line.around(std::io::stderr());
    line.work(arguments.source.compiling());
    let result = execute::lower(&checked, &setup).and_then(|lowered| {
        line.pause();
        style.diagnostics(&build::cautions(&lowered, &checked.sources), &checked.sources);
        line.work(running.clone());
        let (output, errors) = (&mut stdout, &mut stderr);
        let run = execute::execute_lowered(&checked, &lowered, &setup, output, errors, &mut watch);
        run.map(|execution| (execution, lowered))
    });
    line.pause();
    let (execution, lowered) = match result {
        Ok(done) => done,
        Err(refused) => {
            style.refused(&refused);
            return Ok(ExitCode::from(status::COMPILE));
        }
    };
    let provenance =
        target.provenance(&checked, &arguments.source.options, &arguments.arguments)?;
    let run = Measured {
        program: &name,
        command: &command_line(),
        machine: &machine,
        provenance: &provenance,
        records: &execution.records,
        outcome: &execution.outcome,
        checks: &execution.findings,
    };
    target.report(run, style)?;
    target.report_lines(run, &lowered, &checked.sources, style)?;
    target.trace.write(&lowered.program, &machine, &execution.records, style)?;
    style.findings(&execution.findings, &checked.sources);
    let denied = execution.denied.diagnostics(setup.checks.has(Check::Leaks));
    style.diagnostics(&denied, &checked.sources);
    style.outcome(&execution.outcome, &checked.sources);
    let status = ExitCode::from(execution.status());
    match stdout.failure() {
        Some(failure) => Err(failure).context("cannot write output"),
        None => Ok(status),
    }
}

/// The files that the program may use: those below its own folder and below the given ones.
pub(super) fn sandbox(file: &Path, allow_dir: &[PathBuf]) -> Result<Sandbox> {
    for folder in allow_dir {
        ensure!(folder.is_dir(), "`{}` is not a folder", folder.display());
    }
    let is_file = file != Path::new("-");
    let own = file.parent().filter(|_| is_file).map(Path::to_path_buf).unwrap_or_default();
    let allowed = std::iter::once(own).chain(allow_dir.iter().cloned());
    Ok(Sandbox {
        // A program that comes from standard input has read it.
        input: if is_file { Input::System } else { Input::Empty },
        directory: PathBuf::new(),
        allowed: allowed.collect(),
        read_only: false,
        closed: None,
    })
}

/// The `argv` of `main`.
pub(super) fn program_arguments(name: &str, rest: &[String]) -> Vec<String> {
    std::iter::once(name.to_string()).chain(rest.iter().cloned()).collect()
}

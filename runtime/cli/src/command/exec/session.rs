//! The options of `exec` inside the program that it starts, and the reports when that ends.
//!
//! The library that the program loads in place of CUDA's finds its options in the environment: those of `exec` in
//! [`OPTIONS`], and each option also in a variable of its own, `RECONVERGE_MACHINE` for `--machine`.

use super::super::html::line_of;
use super::super::options::BuildOptions;
use super::super::style::{Style, StyleArguments};
use super::super::target::{Measured, TargetArguments};
use anyhow::{Context, Result};
use clap::{Args, CommandFactory, Parser};
use reconverge::checks::Findings;
use reconverge::host::report::Outcome;
use reconverge::interruption::Interruption;
use reconverge::kernel_record::KernelRecord;
use reconverge::session::{Module, Target};
use reconverge_compiler::lower::Options;
use reconverge_simulator::code_target;
use std::path::PathBuf;

/// The variable with the words of `exec` before the program, one per line.
pub const OPTIONS: &str = "RECONVERGE_OPTIONS";

/// The options of a program that runs by itself.
#[derive(Args, Debug)]
pub struct ExecOptions {
    #[command(flatten)]
    pub(super) target: TargetArguments,
    #[command(flatten)]
    pub(super) build: BuildOptions,
}

/// The options as the program finds them.
#[derive(Parser, Debug)]
#[command(name = "reconverge exec", args_override_self = true)]
struct Found {
    #[command(flatten)]
    options: ExecOptions,
    #[command(flatten)]
    style: StyleArguments,
}

/// The options of a process whose kernels are simulated.
#[derive(Debug)]
pub struct HostSession {
    options: ExecOptions,
    style: Style,
    words: Vec<String>,
    arguments: Vec<String>,
    folder: PathBuf,
}

/// The results of a process, as reports need them.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'a> {
    /// The target.
    pub target: &'a Target,
    /// The launches.
    pub records: &'a [KernelRecord],
    /// The fault that stopped a kernel, or none.
    pub outcome: &'a Outcome,
    /// The findings of checks.
    pub findings: &'a Findings,
}

impl HostSession {
    /// The options of this process.
    ///
    /// # Errors
    /// A variable of the environment has no meaning as its option.
    pub fn from_environment() -> Result<HostSession> {
        let variable = |name: &str| std::env::var(name).ok();
        let words = words(&variable);
        let line = std::iter::once("reconverge exec".to_owned()).chain(words.iter().cloned());
        let Found { options, style } = Found::try_parse_from(line)
            .with_context(|| "the options in the environment (`RECONVERGE_…`)")?;
        let style = Style::new(style.color, style.message_format);
        let arguments = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
        let (arguments, folder) = (arguments.collect(), std::env::current_dir()?);
        Ok(HostSession { options, style, words, arguments, folder })
    }

    /// The machine, the model and the checks.
    ///
    /// # Errors
    /// A machine that does not exist, and options that contradict each other.
    pub fn target(&self) -> Result<Target> {
        let target = &self.options.target;
        let machine = target.machine(self.style)?;
        target.check(&machine)?;
        Ok(Target {
            machine,
            model: target.model,
            max_cycles: target.limits.cycles(),
            threads: target.threads,
            verify_annotations: target.verify_annotations,
            checks: target.checks(),
            trace: target.trace.selection(),
            samples: target.samples(),
            profile: target.counts_by_line(self.style),
            digest: target.stats.is_some(),
            what_if: false,
            interruption: Interruption::default(),
        })
    }

    /// The options for compiling kernels.
    pub fn lowering(&self, target: &Target) -> Options {
        let options = self.options.build.lowering().for_run(code_target(&target.machine));
        let options = target.checks.instrument(options);
        Options { keep_ir: options.keep_ir || target.profile, verify: true, ..options }
    }

    /// The folder in which the process started.
    pub fn folder(&self) -> &std::path::Path {
        &self.folder
    }

    /// Writes a text to standard error.
    pub fn show(&self, text: &str) {
        self.style.show(text);
    }

    /// Shows and writes everything that the options request.
    ///
    /// # Errors
    /// An output file cannot be written.
    pub fn report(&self, module: &Module, ended: Ended<'_>) -> Result<()> {
        // Names of files are those of the folder in which the process started.
        std::env::set_current_dir(&self.folder)?;
        let (target, style) = (&self.options.target, self.style);
        let Ended { target: Target { machine, .. }, records, outcome, findings } = ended;
        let (sources, lowered) = (&module.checked().sources, module.lowered());
        let provenance =
            target.provenance(module.checked(), &self.options.build, &self.arguments)?;
        let program = self.arguments.first().map_or("", |word| word.as_str());
        let run = Measured {
            program,
            command: &self.command(),
            machine,
            provenance: &provenance,
            records,
            outcome,
            checks: findings,
        };
        target.report(run, style)?;
        target.report_lines(run, lowered, sources, style)?;
        target.trace.write(&lowered.program, machine, records, style)?;
        style.findings(findings, sources);
        style.finish();
        Ok(())
    }

    /// The command that started the process.
    fn command(&self) -> String {
        let own = ["reconverge", "exec"].into_iter().map(str::to_owned);
        let (words, program) = (self.words.iter().cloned(), self.arguments.iter().cloned());
        line_of(own.chain(words).chain(["--".to_owned()]).chain(program))
    }
}

/// The options of the environment as words of a command line; those of [`OPTIONS`] come last, and count.
fn words(variable: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let mut words = Vec::new();
    let mut command = Found::command();
    // Until then clap does not know the number of values.
    command.build();
    for argument in command.get_arguments() {
        let Some(long) = argument.get_long().filter(|long| *long != "help") else {
            continue;
        };
        let name = format!("RECONVERGE_{}", long.to_uppercase().replace('-', "_"));
        let Some(value) = variable(&name) else {
            continue;
        };
        let takes = argument.get_num_args().unwrap_or_default();
        let may_be_bare = takes.min_values() == 0;
        match value.as_str() {
            "" | "0" if may_be_bare => {}
            "1" if may_be_bare => words.push(format!("--{long}")),
            _ => words.extend(value.split(';').map(|value| format!("--{long}={value}"))),
        }
    }
    let own = variable(OPTIONS).unwrap_or_default();
    words.extend(own.lines().map(str::to_owned));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_options() {
        let variable = |name: &str| {
            let value = match name {
                "RECONVERGE_MACHINE" => "tiny",
                "RECONVERGE_SET" => "sms=2;l1.size=32K",
                "RECONVERGE_QUIET" => "1",
                "RECONVERGE_VERIFY_ANNOTATIONS" => "0",
                "RECONVERGE_PROFILE" => "asm",
                OPTIONS => "--machine\nfx5800",
                _ => return None,
            };
            Some(value.to_owned())
        };
        let words = words(&variable);
        let sorted: std::collections::BTreeSet<_> = words[..5].iter().map(|it| &**it).collect();
        let expected =
            ["--machine=tiny", "--profile=asm", "--quiet", "--set=l1.size=32K", "--set=sms=2"];
        assert_eq!(sorted, expected.into_iter().collect());
        assert_eq!(words[5..], ["--machine", "fx5800"]);
        let line = std::iter::once("x".to_owned()).chain(words);
        let Found { options, style } = Found::try_parse_from(line).unwrap();
        let style = Style::new(style.color, style.message_format);
        let machine = options.target.machine(style).unwrap();
        assert_eq!((machine.name.as_str(), machine.sms), ("fx5800", 2));
    }
}

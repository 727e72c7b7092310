//! The command line: its arguments and its output.
//!
//! Results go to standard output, diagnostics, tables and progress to standard error.

mod analysis;
pub mod build;
mod check;
mod compare;
mod compile;
mod control_table;
mod describe;
pub mod exec;
mod explain;
mod fmt;
mod grade;
mod html;
mod image;
mod interrupt;
mod kernels;
pub(crate) mod launch;
mod limits;
mod list;
mod machine;
mod new_extension;
mod occupancy;
pub(crate) mod options;
mod output;
mod passes;
mod progress;
mod run;
mod serve;
mod source;
mod study;
mod style;
pub(crate) mod target;
mod trace;
pub(crate) mod value;

use crate::lsp;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use reconverge::extend::{self, Extension};
use reconverge::machine_file::Said;
use reconverge::status;
use reconverge::study::ORIGIN;
use reconverge_isa::names::{NameKind, renamed};
use std::process::ExitCode;

/// Compile CUDA programs and run them on a cycle-level GPU.
#[derive(Parser, Debug)]
#[command(name = "reconverge", version, long_version = ORIGIN, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    style: style::StyleArguments,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Compile a program and run it, its kernels on a machine
    Run(run::RunArguments),
    /// Compile a CUDA program by clang for `exec`, without a CUDA toolkit
    Build(build::BuildCommand),
    /// Run a program of the host that a C++ compiler has compiled, its kernels on a machine
    Exec(exec::ExecArguments),
    /// Compile a program, run it with every combination of some settings, and compare the runs in a table
    Compare(compare::CompareArguments),
    /// Run a study: programs under several configurations, beside a paper's numbers
    Study(study::StudyArguments),
    /// Compile a program and launch one of its kernels, without a host program
    Launch(launch::LaunchArguments),
    /// Compile a program and show one of its forms
    Compile(compile::CompileArguments),
    /// Compile programs, kernels and machine files, run nothing, and report faults
    Check(check::CheckArguments),
    /// Format IR and assembly texts
    Fmt(fmt::FmtArguments),
    /// Serve an editor: diagnostics, analyses on hover, declarations and formatting, by the language server protocol
    Lsp(lsp::LspArguments),
    /// Run a solution of an exercise of the course, and compare it with the requirements
    Grade(grade::GradeArguments),
    /// Compile a program and show how many blocks of its kernels fit on an SM, and what limits them
    Occupancy(occupancy::OccupancyArguments),
    /// Open a page in the browser to edit, compile and run a program
    Serve(serve::ServeArguments),
    /// Assemble text into a binary
    Asm(image::ImageArguments),
    /// Disassemble a binary into text
    Disasm(image::ImageArguments),
    /// List machines, mechanisms, statistics, passes, hints or diagnostic codes, each with a sentence
    List(list::ListArguments),
    /// Convert another simulator's configuration to a machine file
    Machine(machine::MachineCommand),
    /// Write a crate with a mechanism of its own, which `docs/extend.md` describes
    NewExtension(new_extension::NewExtensionArguments),
    /// Explain a diagnostic code
    Explain(explain::ExplainArguments),
    /// Write a completion script for a shell
    Completions(describe::CompletionArguments),
    /// Write the manual pages
    Man(describe::ManArguments),
}

/// The error of clap; for an old name of an option, one that states the new name.
fn with_new_name(error: clap::Error) -> clap::Error {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(given)) => match renamed(NameKind::Option, given) {
            Some(new) => CommandLine::command()
                .error(error.kind(), format!("`{given}` is now called `{new}`")),
            None => error,
        },
        _ => error,
    }
}

/// The command line of this process, with extensions.
///
/// ```no_run
/// # use reconverge::extend::Extension;
/// # fn extension() -> Extension { Extension::new("my-lab", "0.1.0") }
/// fn main() -> std::process::ExitCode {
///     reconverge_cli::Cli::new().with(extension()).run()
/// }
/// ```
#[derive(Default)]
pub struct Cli {
    extensions: Vec<Extension>,
}

impl Cli {
    /// The command line without extensions.
    pub fn new() -> Cli {
        Cli::default()
    }

    /// Adds an extension, whose mechanisms and machines every command knows.
    pub fn with(mut self, extension: Extension) -> Cli {
        self.extensions.push(extension);
        self
    }

    /// Runs the command that the arguments of this process name; its exit status. One that cannot be installed ends it.
    pub fn run(self) -> ExitCode {
        for extension in self.extensions {
            if let Err(fault) = extension.install() {
                eprintln!("error: {fault}");
                return ExitCode::from(status::USAGE);
            }
        }
        run_command()
    }
}

/// Version, commit and digests, then the extensions.
fn origin() -> String {
    let installed = extend::installed();
    let named = installed.iter().map(|it| format!("\nextension:     {} {}", it.name, it.version));
    named.fold(ORIGIN.to_owned(), |all, one| all + &one)
}

/// The arguments of this process.
fn arguments() -> Result<CommandLine, clap::Error> {
    let command = CommandLine::command().long_version(&*origin().leak());
    CommandLine::from_arg_matches(&command.try_get_matches()?)
}

fn run_command() -> ExitCode {
    let line = arguments().unwrap_or_else(|error| with_new_name(error).exit());
    let style = style::Style::new(line.style.color, line.style.message_format);
    let result = match line.command {
        Command::Run(arguments) => run::run(&arguments, style),
        Command::Build(arguments) => build::build(&arguments, style),
        Command::Exec(arguments) => exec::exec(&arguments, style),
        Command::Compare(arguments) => compare::compare(&arguments, style),
        Command::Study(arguments) => study::study(&arguments, style),
        Command::Launch(arguments) => launch::launch(&arguments, style),
        Command::Compile(arguments) => compile::compile(&arguments, style),
        Command::Grade(arguments) => grade::grade(&arguments, style),
        Command::Occupancy(arguments) => occupancy::occupancy(&arguments, style),
        Command::Serve(arguments) => serve::serve(&arguments),
        Command::Asm(arguments) => image::assemble(&arguments, style),
        Command::Disasm(arguments) => image::disassemble(&arguments, style),
        Command::List(arguments) => list::list(&arguments),
        Command::Check(arguments) => check::check(&arguments, style),
        Command::Fmt(arguments) => fmt::fmt(&arguments, style),
        Command::Lsp(arguments) => lsp::lsp(&arguments),
        Command::Machine(arguments) => machine::machine(&arguments, style),
        Command::NewExtension(arguments) => new_extension::new_extension(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments, style),
        Command::Completions(arguments) => describe::completions(&arguments),
        Command::Man(arguments) => describe::man(&arguments),
    };
    let status = result.unwrap_or_else(|error| {
        match error.downcast_ref::<Said>() {
            Some(said) => style.of_machine(said, true),
            None => style.error(&format!("{error:#}")),
        }
        ExitCode::from(status::USAGE)
    });
    style.finish();
    status
}

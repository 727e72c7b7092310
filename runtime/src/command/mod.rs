//! The command line: what a person types and what comes back.
//!
//! Results go to standard output, diagnostics, tables and progress to standard error.

mod analysis;
mod compare;
mod compile;
mod explain;
mod image;
mod interrupt;
mod launch;
mod limits;
mod list;
mod message;
mod occupancy;
mod output;
mod passes;
mod run;
mod style;
mod target;
mod trace;
mod value;

use crate::build::{self, Checked};
use crate::source;
use crate::status;
use anyhow::{Result, anyhow};
use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use reconverge_compiler::check::{self, Needed};
use reconverge_compiler::lower::{self, Spill};
use reconverge_compiler::pass::{Knobs, Level};
use reconverge_compiler::syntax::{self, Toolkit};
use reconverge_isa::names::{NameKind, renamed};
use std::path::PathBuf;
use std::process::ExitCode;

/// Compile CUDA programs and run them on a cycle-level GPU.
#[derive(Parser, Debug)]
#[command(name = "reconverge", version, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    style: StyleArguments,
}

#[derive(Args, Debug, Clone, Copy)]
struct StyleArguments {
    /// When to colour diagnostics and tables; `auto` looks at the terminal and at NO_COLOR
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    /// The form of diagnostics on standard error: for people, JSON with one object a line, or a SARIF
    /// document; in the last two no table is shown
    #[arg(long, global = true, value_enum, default_value_t = MessageFormat::Text)]
    message_format: MessageFormat,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum MessageFormat {
    Text,
    Json,
    Sarif,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum ColorChoice {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Compile a program and run it, its kernels on a machine
    Run(run::RunArguments),
    /// Compile a program, run it with every combination of some settings, and compare the runs in a table
    Compare(compare::CompareArguments),
    /// Compile a program and launch one of its kernels, without a host program
    Launch(launch::LaunchArguments),
    /// Compile a program and show one of its forms
    Compile(compile::CompileArguments),
    /// Compile a program and show how many blocks of its kernels fit on an SM, and what limits them
    Occupancy(occupancy::OccupancyArguments),
    /// Assemble text into a binary
    Asm(image::ImageArguments),
    /// Disassemble a binary into text
    Disasm(image::ImageArguments),
    /// List machines, mechanisms, statistics, passes or diagnostic codes, each with a sentence
    List(list::ListArguments),
    /// Explain a diagnostic code
    Explain(explain::ExplainArguments),
}

/// The file to compile and what the preprocessor is told.
#[derive(Args, Debug)]
struct SourceArguments {
    /// A `.cu` file, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Define a macro, as `#define NAME VALUE` would (VALUE is 1 when absent)
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = definition)]
    definitions: Vec<(String, String)>,
    /// Look for included files here, after the including file's directory
    #[arg(short = 'I', value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// Registers per thread, at most 254; further values are spilled to local memory
    #[arg(long, value_name = "N", default_value_t = 63, value_parser = clap::value_parser!(u32).range(1..=254))]
    max_registers: u32,
    /// Which values are spilled first: `cheapest`, or `affine-first` for uniform and affine values
    #[arg(long, value_name = "WHAT", default_value = "cheapest", value_parser = spill)]
    spill: Spill,
    /// Optimisation level: 0 none, 1 without loop and load optimisations, 2 all
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = level)]
    level: Level,
    /// The largest factor by which a loop without `#pragma unroll` is unrolled, within limits on the size of its body; 1 for no
    /// unrolling
    #[arg(long, value_name = "N", default_value_t = Knobs::default().unroll, value_parser = clap::value_parser!(u32).range(1..=1024))]
    unroll: u32,
    /// Disable a pass of the optimiser; `list passes` names them
    #[arg(long = "disable-pass", value_name = "PASS", value_parser = pass_name)]
    disabled: Vec<String>,
    /// Do not contract `a * b + c` into a fused multiply-add in device code
    #[arg(long)]
    no_fma: bool,
    /// Warn of more: `-Wuninitialized` also of local variables of kernels that only on some ways have no value when they are read
    #[arg(short = 'W', value_name = "WARNING", value_enum)]
    warnings: Vec<Warning>,
    /// Add convergence barriers (`bssy` and `bsync`) to the reconvergence points of branches, for schemes that
    /// execute them (`convergence-barrier`)
    #[arg(long)]
    convergence_barriers: bool,
    /// The architecture that device code is compiled for: what `__CUDA_ARCH__` is there, and what
    /// `cudaGetDeviceProperties` tells; 700 is compute capability 7.0. The machine stays what it is
    #[arg(long, value_name = "N", default_value_t = syntax::Target::default().architecture)]
    arch: u32,
    /// The release of CUDA's toolkit that `CUDART_VERSION` tells: 11, 12 or 13
    #[arg(long, value_name = "RELEASE", default_value = "12", value_parser = toolkit)]
    cuda: Toolkit,
    /// Report errors in all code of the file, also in code that nothing needed uses
    #[arg(long)]
    strict: bool,
}

impl SourceArguments {
    /// What the checker is told.
    fn options(&self, needed: Needed) -> Result<check::CheckOptions> {
        let needed = if self.strict { Needed::Everything } else { needed };
        Ok(check::CheckOptions { contract: !self.no_fma, needed, target: self.target()? })
    }

    /// What the program is compiled for.
    fn target(&self) -> Result<syntax::Target> {
        syntax::Target::new(self.cuda, self.arch).map_err(|why| anyhow!("`--arch`: {why}"))
    }

    /// What the lowering is told.
    fn lowering(&self) -> lower::Options {
        lower::Options {
            max_registers: self.max_registers,
            spill: self.spill,
            level: self.level,
            knobs: Knobs { unroll: self.unroll },
            disabled: self.disabled.iter().cloned().collect(),
            convergence_barriers: self.convergence_barriers,
            maybe_unset: self.warnings.contains(&Warning::Uninitialized),
            ..lower::Options::default()
        }
    }
}

/// A warning that is to be asked for.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Warning {
    /// Local variables that may be read before they are written
    Uninitialized,
}

fn pass_name(text: &str) -> std::result::Result<String, String> {
    build::require_passes([text]).map_err(|why| why.to_string())?;
    Ok(text.to_owned())
}

fn level(text: &str) -> std::result::Result<Level, String> {
    Level::parse(text).ok_or_else(|| format!("`{text}` is not 0, 1 or 2"))
}

fn toolkit(text: &str) -> std::result::Result<Toolkit, String> {
    Toolkit::parse(text).ok_or_else(|| format!("`{text}` is not 11, 12 or 13"))
}

fn spill(text: &str) -> std::result::Result<Spill, String> {
    Spill::parse(text).ok_or_else(|| {
        let known: Vec<_> = Spill::ALL.iter().map(|&(_, name)| name).collect();
        format!("`{text}` is none of {}", known.join(", "))
    })
}

impl SourceArguments {
    /// Preprocesses, parses and checks the file.
    fn check(&self, needed: Needed) -> Result<(String, Checked)> {
        let (name, mut text) = source::read(&self.file)?;
        if let Needed::Kernel(kernel) = &needed
            && kernel.contains('<')
        {
            // Of a template that no launch of the program has made so.
            text.push_str(&format!("\ntemplate void {kernel};\n"));
        }
        let checked = build::check_with(
            &name,
            &text,
            &self.definitions,
            &mut self.loader(),
            self.options(needed)?,
        );
        Ok((name, checked))
    }

    fn loader(&self) -> source::DiskLoader<'_> {
        source::DiskLoader { directories: &self.directories }
    }
}

fn definition(text: &str) -> std::result::Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    if !name.starts_with(letter) || !name.chars().all(|c| letter(c) || c.is_ascii_digit()) {
        return Err(format!("`{name}` is not a name"));
    }
    Ok((name.to_string(), value.to_string()))
}

/// The error of clap; for an option by its old name, one that says the new name.
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

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let line = CommandLine::try_parse().unwrap_or_else(|error| with_new_name(error).exit());
    let style = style::Style::new(line.style.color, line.style.message_format);
    let result = match line.command {
        Command::Run(arguments) => run::run(&arguments, style),
        Command::Compare(arguments) => compare::compare(&arguments, style),
        Command::Launch(arguments) => launch::launch(&arguments, style),
        Command::Compile(arguments) => compile::compile(&arguments, style),
        Command::Occupancy(arguments) => occupancy::occupancy(&arguments, style),
        Command::Asm(arguments) => image::assemble(&arguments, style),
        Command::Disasm(arguments) => image::disassemble(&arguments, style),
        Command::List(arguments) => list::list(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments, style),
    };
    let status = result.unwrap_or_else(|error| {
        style.error(&format!("{error:#}"));
        ExitCode::from(status::USAGE)
    });
    style.finish();
    status
}

//! `machine import FILE`.

use super::output::write;
use super::style::Style;
use anyhow::Result;
use clap::{Args, Subcommand};
use reconverge::gpgpusim::{self, Imported};
use reconverge::kernel_file::in_text;
use reconverge::machine_file::{self, Said};
use reconverge::source::read;
use reconverge::status;
use reconverge_compiler::diagnostic::{Diagnostic, code};
use reconverge_compiler::syntax::SourceMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// The operation on machines.
#[derive(Args, Debug)]
pub struct MachineCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Convert a GPGPU-Sim configuration to a machine file, and list the options that are not carried over
    Import(ImportArguments),
}

/// The files.
#[derive(Args, Debug)]
struct ImportArguments {
    /// The configuration, a `gpgpusim.config`; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The machine file; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// The machine's name
    #[arg(long, value_name = "NAME", default_value = "imported")]
    name: String,
    /// Do not list the options that are not carried over; the file still has them as comments
    #[arg(short, long)]
    quiet: bool,
}

/// Runs the operation.
pub fn machine(command: &MachineCommand, style: Style) -> Result<ExitCode> {
    let Action::Import(arguments) = &command.action;
    let (name, text) = read(&arguments.file)?;
    let imported = match gpgpusim::import(&arguments.name, &text) {
        Ok(imported) => imported,
        Err(errors) => {
            let mut sources = SourceMap::new();
            let file = sources.add(name, text);
            let found: Vec<Diagnostic> = errors
                .into_iter()
                .map(|error| in_text(code::MACHINE_FILE, error, file, &sources))
                .collect();
            style.diagnostics(&found, &sources);
            return Ok(ExitCode::from(status::FOUND));
        }
    };
    write(&arguments.output, imported.text.as_bytes())?;
    if !arguments.quiet {
        say(&name, &imported, style);
    }
    let shown = arguments.output.to_string_lossy();
    match machine_file::from_text(&shown, &imported.text, &[]) {
        Ok((_, said)) => style.of_machine(&said, false),
        Err(error) => {
            style.error(
                "the machine that the configuration describes is not one that can be simulated",
            );
            match error.downcast_ref::<Said>() {
                Some(said) => style.of_machine(said, true),
                None => style.error(&format!("{error:#}")),
            }
            return Ok(ExitCode::from(status::FOUND));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Lists the options that are not carried over.
fn say(name: &str, imported: &Imported, style: Style) {
    let Imported { options, left, .. } = imported;
    style.note(&format!(
        "{name} has {options} options; {} of them, or parts of them, are not carried over:",
        left.len()
    ));
    for it in left {
        let line = format!("{name}:{}: `{}` {}", it.line, it.option, it.why);
        match style.shows_tables() {
            true => style.show(&format!("  {line}\n")),
            false => style.note(&line),
        }
    }
}

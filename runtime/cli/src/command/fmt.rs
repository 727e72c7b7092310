//! `fmt FILE...`.

use super::output::write;
use super::style::Style;
use anyhow::{Result, bail};
use clap::Args;
use reconverge::kernel_file::{KernelFile, Level};
use reconverge::source::read;
use reconverge::status;
use reconverge_compiler::ir;
use reconverge_compiler::syntax::SourceMap;
use reconverge_isa::text;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The files to format.
#[derive(Args, Debug)]
pub struct FmtArguments {
    /// IR texts (`.ir`) and assembly texts (`.asm`), which are rewritten; `-` is assembly from standard input to standard
    /// output
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write nothing; name the files that are not formatted, and end with status 1 if there are any
    #[arg(long)]
    check: bool,
}

/// Formats texts.
pub fn fmt(arguments: &FmtArguments, style: Style) -> Result<ExitCode> {
    let mut clean = true;
    for file in &arguments.files {
        let is_stream = file == Path::new("-");
        let level = if is_stream { Level::Assembly } else { Level::of(file) };
        let format = match level {
            Level::Ir => ir::format::format,
            Level::Assembly => text::format,
            _ => bail!(
                "`{}` is {}: IR (`.ir`) and assembly (`.asm`) are formatted",
                file.display(),
                level.name()
            ),
        };
        let (name, text) = read(file)?;
        let Ok(formatted) = format(&text) else {
            // Faults are reported as in all commands.
            let mut sources = SourceMap::new();
            style.kernel_file(&KernelFile::of_text(&name, &text, level, &mut sources), &sources);
            clean = false;
            continue;
        };
        if arguments.check {
            if formatted != text {
                style.error(&format!("`{name}` is not formatted"));
                clean = false;
            }
        } else if is_stream || formatted != text {
            write(file, formatted.as_bytes())?;
        }
    }
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::from(status::FOUND) })
}

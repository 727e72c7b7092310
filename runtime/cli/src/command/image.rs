//! `asm` and `disasm`: the program image as text and as bytes.

use super::output::write;
use super::style::Style;
use anyhow::Result;
use clap::Args;
use reconverge::kernel_file::{KernelFile, Level};
use reconverge::status;
use reconverge_compiler::syntax::SourceMap;
use reconverge_isa::{Program, binary, text};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A file in, a file out.
#[derive(Args, Debug)]
pub struct ImageArguments {
    /// The input file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The output file; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// Text to bytes.
pub fn assemble(arguments: &ImageArguments, style: Style) -> Result<ExitCode> {
    convert(arguments, Level::Assembly, style, |name, program| {
        encode(name, program, &arguments.output, style)
    })
}

/// Bytes to text.
pub fn disassemble(arguments: &ImageArguments, style: Style) -> Result<ExitCode> {
    convert(arguments, Level::Binary, style, |_, program| {
        write(&arguments.output, text::print(program).as_bytes())?;
        Ok(ExitCode::SUCCESS)
    })
}

/// Reads a program of some level and passes it on.
fn convert(
    arguments: &ImageArguments,
    level: Level,
    style: Style,
    give: impl FnOnce(&str, &Program) -> Result<ExitCode>,
) -> Result<ExitCode> {
    let mut sources = SourceMap::new();
    let file = KernelFile::read(&arguments.file, level, &mut sources)?;
    if level != Level::Binary || file.has_errors() {
        style.kernel_file(&file, &sources);
    }
    match file.program() {
        Some(program) => give(&file.name, program),
        None => Ok(ExitCode::from(status::FOUND)),
    }
}

/// Writes a program's binary; `name` is for messages.
pub fn encode(name: &str, program: &Program, output: &Path, style: Style) -> Result<ExitCode> {
    match binary::encode(program) {
        Ok(bytes) => {
            write(output, &bytes)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(faults) => {
            for fault in faults {
                style.error(&format!("{name}: {fault}"));
            }
            Ok(ExitCode::from(status::FOUND))
        }
    }
}

//! `asm` and `disasm`: the program image as text and as bytes.

use super::output::write;
use super::style::Style;
use crate::source::{name, read, read_bytes};
use crate::status;
use anyhow::Result;
use clap::Args;
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
    let (name, source) = read(&arguments.file)?;
    let program = match text::parse(&source) {
        Ok(program) => program,
        Err(errors) => {
            for error in errors {
                style.error(&format!("{name}:{error}"));
            }
            return Ok(ExitCode::from(status::FOUND));
        }
    };
    encode(&name, &program, &arguments.output, style)
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

/// Bytes to text.
pub fn disassemble(arguments: &ImageArguments, style: Style) -> Result<ExitCode> {
    let bytes = read_bytes(&arguments.file)?;
    match binary::decode(&bytes) {
        Ok(program) => {
            write(&arguments.output, text::print(&program).as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            style.error(&format!("{}: {error}", name(&arguments.file)));
            Ok(ExitCode::from(status::FOUND))
        }
    }
}

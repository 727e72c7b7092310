//! `exec [OPTIONS] -- PROGRAM ARGS`: runs a program of the host, its kernels on a machine.
//!
//! The program is started with our library in the place of CUDA's. It runs as the user, outside of any sandbox.

mod elf;
pub mod folder;
mod session;

use super::style::Style;
pub use session::{Ended, ExecOptions, HostSession, OPTIONS};

use anyhow::{Context, Result, ensure};
use clap::Args;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// The variable in which the loader finds the folders of libraries.
const LIBRARIES: &str = "LD_LIBRARY_PATH";
/// The variable in which Triton finds the assembler of PTX.
const TRITON_ASSEMBLER: &str = "TRITON_PTXAS_PATH";

/// The program, its arguments, and options.
#[derive(Args, Debug)]
pub struct ExecArguments {
    #[command(flatten)]
    options: ExecOptions,
    /// Print the variables of the environment as commands of a shell, and start nothing
    #[arg(long, conflicts_with = "program")]
    print_environment: bool,
    /// The program and its arguments
    #[arg(last = true, value_name = "PROGRAM", required_unless_present = "print_environment")]
    program: Vec<OsString>,
}

/// Starts the program; the exit status is the program's.
pub fn exec(arguments: &ExecArguments, style: Style) -> Result<ExitCode> {
    let machine = arguments.options.target.machine(style)?;
    arguments.options.target.check(&machine)?;
    let folder = folder::libraries(&folder::library()?)?;
    let before = std::env::var_os(LIBRARIES).filter(|before| !before.is_empty());
    let folders = std::iter::once(folder.clone().into_os_string()).chain(before);
    let path = folders.collect::<Vec<_>>().join(OsString::from(":").as_os_str());
    let assembler = folder.join(folder::ASSEMBLER);
    let words = words(std::env::args_os().map(|word| word.to_string_lossy().into_owned()))?;
    if arguments.print_environment {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
        println!("export {LIBRARIES}={}", quoted(&path.to_string_lossy()));
        println!("export {TRITON_ASSEMBLER}={}", quoted(&assembler.to_string_lossy()));
        println!("export {OPTIONS}={}", quoted(&words));
        return Ok(ExitCode::SUCCESS);
    }
    let Some((program, rest)) = arguments.program.split_first() else {
        return Ok(ExitCode::SUCCESS);
    };
    let mut command = Command::new(program);
    command.args(rest).env(LIBRARIES, path).env(OPTIONS, words);
    command.env(TRITON_ASSEMBLER, assembler);
    started(command, &program.to_string_lossy())
}

/// Replaces this process by the program.
#[cfg(unix)]
fn started(mut command: Command, program: &str) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    Err(error).with_context(|| format!("cannot start `{program}`"))
}

/// Never reached: [`folder::libraries`] refuses other systems.
#[cfg(not(unix))]
fn started(mut command: Command, program: &str) -> Result<ExitCode> {
    let status = command.status().with_context(|| format!("cannot start `{program}`"))?;
    Ok(ExitCode::from(status.code().unwrap_or(1) as u8))
}

/// The words of this command before the program, one per line.
fn words(line: impl Iterator<Item = String>) -> Result<String> {
    let mut own: Vec<String> = line.skip(1).take_while(|word| word != "--").collect();
    // The first `exec` is the command's name.
    if let Some(name) = own.iter().position(|word| word == "exec") {
        own.remove(name);
    }
    own.retain(|word| word != "--print-environment");
    ensure!(own.iter().all(|word| !word.contains('\n')), "an option contains the end of a line");
    Ok(own.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_no_option() {
        let line = "x --color never exec --machine tiny --set a=exec -- exec --machine";
        let found = words(line.split(' ').map(str::to_owned)).unwrap();
        assert_eq!(found, "--color\nnever\n--machine\ntiny\n--set\na=exec");
        assert!(words(["x", "exec", "--html", "a\nb"].map(str::to_owned).into_iter()).is_err());
    }
}

//! `completions` and `man`: the command line, described for shells and for `man`.

use super::CommandLine;
use super::output::write;
use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The shell.
#[derive(Args, Debug)]
pub struct CompletionArguments {
    /// The shell; the script goes to standard output
    #[arg(value_enum)]
    shell: Shell,
}

/// The folder.
#[derive(Args, Debug)]
pub struct ManArguments {
    /// Write a page for the program and one per command into this folder, instead of the program's page to standard output
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Writes the script that completes words in a shell.
pub fn completions(arguments: &CompletionArguments) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut CommandLine::command(),
        "reconverge",
        &mut script,
    );
    write(Path::new("-"), &script)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the manual.
pub fn man(arguments: &ManArguments) -> Result<ExitCode> {
    let mut whole = CommandLine::command();
    whole.build();
    let Some(folder) = &arguments.output else {
        write(Path::new("-"), &page(whole)?)?;
        return Ok(ExitCode::SUCCESS);
    };
    let wrong = || format!("cannot write the pages into `{}`", folder.display());
    std::fs::create_dir_all(folder).with_context(wrong)?;
    clap_mangen::generate_to(CommandLine::command(), folder).with_context(wrong)?;
    Ok(ExitCode::SUCCESS)
}

fn page(command: clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    // Without a date, so that the page depends on nothing but the command line.
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}

//! `grade EXERCISE FILE`.

use super::interrupt;
use super::options::BuildOptions;
use super::output::show;
use super::run::sandbox;
use super::source::SourceArguments;
use super::style::Style;
use anyhow::{Context, Result};
use clap::Args;
use reconverge::build_arguments::BuildArguments;
use reconverge::exercise::{Exercise, Grade};
use reconverge::status;
use reconverge_compiler::check::Needed;
use std::path::PathBuf;
use std::process::ExitCode;

/// The exercise and the program.
#[derive(Args, Debug)]
pub struct GradeArguments {
    /// An exercise by name (`list exercises`), or its file with the ending `.toml`
    #[arg(value_name = "EXERCISE")]
    exercise: String,
    /// The solution: a `.cu` file, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON, for autograders
    #[arg(long)]
    json: bool,
}

/// Runs a program, and compares it with an exercise's requirements; the status is 0 if it passes, else 1.
pub fn grade(arguments: &GradeArguments, style: Style) -> Result<ExitCode> {
    let exercise = Exercise::read(&arguments.exercise)?;
    let grade = graded(&exercise, arguments, style)?;
    match arguments.json {
        true => show(&(serde_json::to_string_pretty(&grade).context("a grade is JSON")? + "\n"))?,
        false => show(&grade.text())?,
    }
    Ok(if grade.passed { ExitCode::SUCCESS } else { ExitCode::from(status::FOUND) })
}

/// The grade; errors of the program are shown.
fn graded(exercise: &Exercise, arguments: &GradeArguments, style: Style) -> Result<Grade> {
    let machine = exercise.machine()?;
    let options = BuildOptions(BuildArguments::default());
    let source = SourceArguments { file: arguments.file.clone(), options };
    let (name, checked) = source.check(Needed::Program)?;
    style.diagnostics(&checked.diagnostics, &checked.sources);
    if checked.module.is_none() {
        return Ok(exercise.refused(&name));
    }
    let sandbox = sandbox(&arguments.file, &[])?;
    let interruption = interrupt::on_ctrl_c()?;
    Ok(match exercise.grade(&name, &checked, &machine, sandbox, interruption) {
        Ok((grade, outcome)) => {
            style.outcome(&outcome, &checked.sources);
            grade
        }
        Err(refused) => {
            style.refused(&refused);
            exercise.refused(&name)
        }
    })
}

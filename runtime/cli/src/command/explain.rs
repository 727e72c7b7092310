//! `explain CODE`.

use super::output::show;
use super::style::Style;
use anyhow::Result;
use clap::Args;
use reconverge::status;
use reconverge_compiler::diagnostic::Code;
use std::process::ExitCode;

/// The code to explain.
#[derive(Args, Debug)]
pub struct ExplainArguments {
    /// A code, such as E0301
    #[arg(value_name = "CODE")]
    code: String,
}

/// Prints a code's explanation.
pub fn explain(arguments: &ExplainArguments, style: Style) -> Result<ExitCode> {
    let wanted = arguments.code.to_ascii_uppercase();
    let Some(code) = Code::find(&wanted) else {
        style.error(&format!("there is no code `{}`; `list codes` shows all", arguments.code));
        return Ok(ExitCode::from(status::FOUND));
    };
    show(&format!("{}: {}\n\n{}\n", code.id(), code.title(), code.explanation()))?;
    Ok(ExitCode::SUCCESS)
}

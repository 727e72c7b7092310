//! `explain CODE` and `explain REASON`.

use super::output::show;
use super::style::Style;
use anyhow::Result;
use clap::Args;
use reconverge::{findings, status};
use reconverge_compiler::diagnostic::Code;
use std::process::ExitCode;

/// The code or the reason to explain.
#[derive(Args, Debug)]
pub struct ExplainArguments {
    /// A code, such as E0301, or a reason for which issue slots are lost, such as `register-read`
    #[arg(value_name = "CODE|REASON")]
    code: String,
}

/// The text about a reason for which issue slots are lost, by its word, such as `load-store-full`.
fn reason(word: &str) -> Option<String> {
    let (name, text) = findings::explanation(word)?;
    let key = format!("slots_{}", word.replace('-', "_"));
    let declared = reconverge_simulator::declarations().into_iter().find(|it| it.name == key)?;
    Some(format!("{name}: {}\n\n{text}\n", declared.sentence))
}

/// Prints an explanation.
pub fn explain(arguments: &ExplainArguments, style: Style) -> Result<ExitCode> {
    if let Some(text) = reason(&arguments.code) {
        show(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let wanted = arguments.code.to_ascii_uppercase();
    let Some(code) = Code::find(&wanted) else {
        style.error(&format!(
            "there is no code `{}`, and no reason of lost issue slots of this name; `list codes` shows all codes",
            arguments.code
        ));
        return Ok(ExitCode::from(status::FOUND));
    };
    show(&format!("{}: {}\n\n{}\n", code.id(), code.title(), code.explanation()))?;
    Ok(ExitCode::SUCCESS)
}

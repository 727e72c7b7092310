//! Generated documents: their tables, and how they are written.

use anyhow::{Context, Result, bail};
use std::path::Path;

/// Writes a document to a file, or to standard output if that is `-`.
///
/// # Errors
/// The file cannot be written, or there are complaints about the measurements.
pub fn deliver(text: &str, output: &Path, complaints: &[String]) -> Result<()> {
    if output.as_os_str() == "-" {
        print!("{text}");
    } else {
        std::fs::write(output, text).with_context(|| format!("writing {}", output.display()))?;
    }
    if !complaints.is_empty() {
        bail!("results differ:\n{}", complaints.join("\n"));
    }
    Ok(())
}

/// A Markdown table.
pub fn table(titles: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule: Vec<String> =
        (0..titles.len()).map(|at| if at == 0 { "---" } else { "---:" }.to_string()).collect();
    let rows: String = rows.iter().map(|row| line(row)).collect();
    line(titles) + &line(&rule) + &rows
}

/// Words as cells.
pub fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

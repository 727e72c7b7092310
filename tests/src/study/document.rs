//! A generated document: where it goes, and its table of what the papers say.

use super::table::{strings, table};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// A figure of a paper beside ours, which is found in results of some kind.
pub struct Claim<R> {
    /// The mechanism, and what is measured.
    pub about: &'static str,
    /// What the paper says, and where.
    pub paper: &'static str,
    /// What was measured; nothing if the mechanism or the statistic does not exist.
    pub figure: fn(&R) -> Option<String>,
    /// Why they differ, or that they do not.
    pub remark: &'static str,
}

/// The table of the claims that there is a figure for.
pub fn claims<R>(claims: &[Claim<R>], results: &R) -> String {
    let mut rows = Vec::new();
    for claim in claims {
        if let Some(figure) = (claim.figure)(results) {
            rows.push(strings(&[claim.about, claim.paper, &figure, claim.remark]));
        }
    }
    let titles = strings(&["about", "the paper", "here", "why they differ"]);
    table(&titles, &rows).replace("| ---:", "| ---")
}

/// Writes a document to a file, or to standard output if that is `-`.
///
/// # Errors
/// The file cannot be written, or there are complaints about what was measured.
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

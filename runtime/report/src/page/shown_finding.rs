//! Findings as pages show them.

use super::source_lines::anchor;
use reconverge::causes;
use reconverge::findings::Finding;
use serde::Serialize;

/// A finding as it is shown.
#[derive(Serialize, Debug)]
pub struct Shown<'a> {
    kernel: &'a str,
    file: &'a str,
    line: u32,
    anchor: String,
    source: &'a str,
    message: &'a str,
    cost: String,
    of: &'a str,
    gain: Option<String>,
    advice: &'a str,
}

impl<'a> Shown<'a> {
    /// A finding in a page that shows the source of some files.
    pub fn linked(finding: &'a Finding, files: &[String]) -> Shown<'a> {
        let anchor = anchor(&finding.file, finding.line, files).unwrap_or_default();
        Shown { anchor, ..Shown::new(finding) }
    }

    /// A finding in a page that shows no source.
    pub fn new(finding: &'a Finding) -> Shown<'a> {
        Shown {
            kernel: &finding.kernel,
            file: &finding.file,
            line: finding.line,
            anchor: String::new(),
            source: &finding.source,
            message: &finding.message,
            cost: format!("{:.1} %", 100.0 * finding.cost.share),
            of: finding.cost.of,
            gain: finding.gain.as_ref().map(causes::sentence),
            advice: &finding.advice,
        }
    }
}

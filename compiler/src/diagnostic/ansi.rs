//! The colours of diagnostics, as ANSI escapes.

use codespan_reporting::diagnostic::{LabelStyle, Severity};
use codespan_reporting::term::WriteStyle;
use std::io::{Result, Write};

/// A text in memory with colours.
#[derive(Default)]
pub struct Ansi(Vec<u8>);

const BOLD: &str = "1";
/// Borders, line numbers, bullets and secondary labels.
const CYAN: &str = "36";

impl Ansi {
    /// Returns the text written so far.
    pub fn text(self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    /// Replaces the style of the text that follows.
    fn style(&mut self, style: &str) -> Result<()> {
        write!(self, "\x1b[0m\x1b[{style}m")
    }
}

/// The number of a severity's colour among the terminal's eight.
fn colour(severity: Severity) -> u8 {
    match severity {
        Severity::Bug | Severity::Error => 1,
        Severity::Note => 2,
        Severity::Warning => 3,
        Severity::Help => 6,
    }
}

impl Write for Ansi {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl WriteStyle for Ansi {
    fn set_header(&mut self, severity: Severity) -> Result<()> {
        // The bright half of the 256 colours' first sixteen.
        self.style(&format!("{BOLD}m\x1b[38;5;{}", 8 + colour(severity)))
    }

    fn set_header_message(&mut self) -> Result<()> {
        self.style(BOLD)
    }

    fn set_line_number(&mut self) -> Result<()> {
        self.style(CYAN)
    }

    fn set_note_bullet(&mut self) -> Result<()> {
        self.style(CYAN)
    }

    fn set_source_border(&mut self) -> Result<()> {
        self.style(CYAN)
    }

    fn set_label(&mut self, severity: Severity, style: LabelStyle) -> Result<()> {
        match style {
            LabelStyle::Primary => self.style(&format!("3{}", colour(severity))),
            LabelStyle::Secondary => self.style(CYAN),
        }
    }

    fn reset(&mut self) -> Result<()> {
        write!(self, "\x1b[0m")
    }
}

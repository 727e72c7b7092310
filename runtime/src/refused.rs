//! The diagnostics of a program that does not compile, with its sources.

use reconverge_compiler::diagnostic::{self, Diagnostic};
use reconverge_compiler::syntax::SourceMap;

/// Diagnostics with their sources.
pub struct Refused<'a> {
    sources: &'a SourceMap,
    /// The errors.
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> Refused<'a> {
    /// Some diagnostics of some sources.
    pub fn new(sources: &'a SourceMap, diagnostics: Vec<Diagnostic>) -> Refused<'a> {
        Refused { sources, diagnostics }
    }
}

impl Refused<'_> {
    /// Their sources.
    pub fn sources(&self) -> &SourceMap {
        self.sources
    }

    /// The diagnostics as text.
    pub fn render(&self, color: bool) -> String {
        diagnostic::render(&self.diagnostics, self.sources, color)
    }
}

//! The compiler's diagnostics about a program, their codes and their rendering.

mod ansi;
pub mod code;
mod printable;

pub use code::Code;
pub use printable::printable;

use ansi::Ansi;
use codespan_reporting::diagnostic as rendered;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::syntax::source::{FileId, SourceMap, Span};

/// The gravity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program does not compile.
    Error,
    /// The program compiles, but is unlikely to mean this.
    Warning,
    /// Worth knowing.
    Note,
}

/// A range with a text about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The range.
    pub span: Span,
    /// The text beside it; may be empty.
    pub text: String,
}

/// One finding about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of finding.
    pub code: Code,
    /// The gravity.
    pub severity: Severity,
    /// The finding in one line.
    pub message: String,
    /// The place of the fault.
    pub primary: Label,
    /// Further places of the finding.
    pub secondary: Vec<Label>,
    /// Explanations.
    pub notes: Vec<String>,
    /// The correction.
    pub help: Option<String>,
}

impl Diagnostic {
    fn new(severity: Severity, code: Code, span: Span, message: impl Into<String>) -> Self {
        let primary = Label { span, text: String::new() };
        Diagnostic {
            code,
            severity,
            message: message.into(),
            primary,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// An error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Error, code, span, message)
    }

    /// A warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Warning, code, span, message)
    }

    /// Writes `text` beside the primary range.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Points at another range.
    pub fn secondary(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds an explanation.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds advice.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Adds advice, if there is any.
    pub fn advice(self, text: &str) -> Self {
        if text.is_empty() { self } else { self.help(text) }
    }

    /// Returns true if the program does not compile because of this.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The most errors that are shown of one program, and the most warnings.
const MOST: usize = 100;
/// Bytes of the longest line that is shown.
const LONGEST_LINE: usize = 4096;

/// Orders diagnostics by place, drops repeated ones (a fault in a macro's text or in a header is
/// found again at every use), and cuts off those beyond the most.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    // A diagnostic that was cut off stays so when more are added.
    let mut cut = |code: Code| {
        let at = diagnostics.iter().position(|found| found.code == code)?;
        Some(diagnostics.remove(at))
    };
    let (errors_cut, warnings_cut) = (cut(code::LIMIT_ERRORS), cut(code::LIMIT_WARNINGS));
    diagnostics.retain(|found| ![code::LIMIT_ERRORS, code::LIMIT_WARNINGS].contains(&found.code));
    diagnostics.sort_by_key(|found| (found.primary.span, found.severity, found.code));
    let mut seen = BTreeSet::new();
    diagnostics.retain(|found| {
        let Diagnostic { code, message, .. } = found;
        seen.insert((found.primary.span, *code, message.clone()))
    });
    let mut errors = diagnostics.iter().enumerate().filter(|(_, found)| found.is_error());
    if let Some((at, found)) = errors.nth(MOST) {
        let message = format!("more than {MOST} errors; the rest is not shown");
        let last = Diagnostic::error(code::LIMIT_ERRORS, found.primary.span, message);
        diagnostics.truncate(at);
        diagnostics.push(last);
    } else {
        diagnostics.extend(errors_cut);
    }
    let mut warnings = 0;
    let mut last = None;
    diagnostics.retain(|found| {
        warnings += usize::from(!found.is_error());
        let shown = found.is_error() || warnings <= MOST;
        if !shown && last.is_none() {
            last = Some(found.primary.span);
        }
        shown
    });
    if let Some(span) = last {
        let message = format!("more than {MOST} warnings; the rest is not shown");
        diagnostics.push(Diagnostic::warning(code::LIMIT_WARNINGS, span, message));
    } else {
        diagnostics.extend(warnings_cut);
    }
}

/// The diagnostics as a person reads them, with their source lines; coloured with ANSI escapes when
/// `color`. Control characters of terminals in sources and messages are replaced.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, color: bool) -> String {
    let full = term::Config::default();
    let mut medium = full.clone();
    medium.display_style = term::DisplayStyle::Medium;
    let files = SourceFiles::new(sources, diagnostics);
    let mut plain = String::new();
    let mut coloured = Ansi::default();
    for diagnostic in diagnostics {
        let config = if is_readable(diagnostic, sources) { &full } else { &medium };
        let shown = shown(diagnostic, sources);
        // Neither writing to memory nor looking up a file that exists fails.
        let _ = if color {
            term::emit_to_write_style(&mut coloured, config, &files, &shown)
        } else {
            term::emit_to_string(&mut plain, config, &files, &shown)
        };
    }
    if color { coloured.text() } else { plain }
}

/// Returns true if the lines of a diagnostic are short enough to be shown.
fn is_readable(diagnostic: &Diagnostic, sources: &SourceMap) -> bool {
    let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
    labels.map(|label| label.span).all(|span| {
        let range = sources.line_range(span.file, sources.line(span) as usize - 1);
        range.is_none_or(|range| range.len() <= LONGEST_LINE)
    })
}

fn shown(diagnostic: &Diagnostic, sources: &SourceMap) -> rendered::Diagnostic<FileId> {
    let severity = match diagnostic.severity {
        Severity::Error => rendered::Severity::Error,
        Severity::Warning => rendered::Severity::Warning,
        Severity::Note => rendered::Severity::Note,
    };
    let primary = &diagnostic.primary;
    let mut labels = vec![
        rendered::Label::primary(primary.span.file, range(primary.span))
            .with_message(printable(&primary.text)),
    ];
    labels.extend(diagnostic.secondary.iter().map(|label| {
        rendered::Label::secondary(label.span.file, range(label.span))
            .with_message(printable(&label.text))
    }));
    let expansion =
        sources.expansion(primary.span).map(|name| format!("note: expanded from macro `{name}`"));
    let notes = diagnostic.notes.iter().map(|note| format!("note: {note}"));
    let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
    rendered::Diagnostic::new(severity)
        .with_code(diagnostic.code.id())
        .with_message(printable(&diagnostic.message))
        .with_labels(labels)
        .with_notes(
            expansion
                .into_iter()
                .chain(notes)
                .chain(help)
                .map(|note| printable(&note).into())
                .collect(),
        )
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// The source map in the form that codespan-reporting needs.
struct SourceFiles<'a> {
    sources: &'a SourceMap,
    /// The names and texts of the files that are shown.
    shown: BTreeMap<FileId, (Cow<'a, str>, Cow<'a, str>)>,
}

impl<'a> SourceFiles<'a> {
    fn new(sources: &'a SourceMap, diagnostics: &[Diagnostic]) -> SourceFiles<'a> {
        let mut shown = BTreeMap::new();
        for diagnostic in diagnostics {
            for label in std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary) {
                let file = label.span.file;
                shown.entry(file).or_insert_with(|| {
                    (printable(sources.name(file)), printable(sources.text(file)))
                });
            }
        }
        SourceFiles { sources, shown }
    }
}

impl<'a> Files<'a> for SourceFiles<'a> {
    type FileId = FileId;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, file: FileId) -> Result<&'a str, Error> {
        self.shown.get(&file).map(|(name, _)| &**name).ok_or(Error::FileMissing)
    }

    fn source(&'a self, file: FileId) -> Result<&'a str, Error> {
        self.shown.get(&file).map(|(_, text)| &**text).ok_or(Error::FileMissing)
    }

    fn line_index(&'a self, file: FileId, byte: usize) -> Result<usize, Error> {
        let at = byte as u32;
        Ok(self.sources.line(Span::new(file, at, at)) as usize - 1)
    }

    fn line_range(&'a self, file: FileId, line: usize) -> Result<Range<usize>, Error> {
        self.sources
            .line_range(file, line)
            .ok_or(Error::LineTooLarge { given: line, max: self.sources.line_count(file) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_shows_its_place_notes_and_help() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.cu", "int x = SIZE;\n");
        let span = Span::new(file, 8, 12);
        sources.add_expansion(span, "SIZE");
        let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, span, "no")
            .label("here")
            .note("because")
            .help("do");
        let text = render(std::slice::from_ref(&diagnostic), &sources, false);
        assert_eq!(
            text,
            "error[E0401]: no\n  ┌─ a.cu:1:9\n  │\n1 │ int x = SIZE;\n  │         ^^^^ here\n  │\n  = \
             note: expanded from macro `SIZE`\n  = note: because\n  = help: do\n\n"
        );
        assert!(render(&[diagnostic], &sources, true).contains("\x1b["));
    }

    #[test]
    fn nothing_of_a_source_steers_the_terminal() {
        let mut sources = SourceMap::new();
        let file = sources.add("a\x1b.cu", "int \x1b[2J\0 x;\n");
        let span = Span::new(file, 4, 8);
        let found = Diagnostic::error(code::TYPE_MISMATCH, span, "`\x1b`").note("\x07");
        let text = render(&[found], &sources, false);
        assert!(!text.chars().any(|letter| letter.is_control() && letter != '\n'), "{text:?}");
        assert!(text.contains("int ?[2J? x;") && text.contains("a?.cu:1:5"), "{text}");
    }

    #[test]
    fn sorting_is_by_place_and_drops_repetitions() {
        let file = FileId(0);
        let at = |start| Diagnostic::error(code::TYPE_MISMATCH, Span::new(file, start, 9), "m");
        let mut found = vec![at(3), at(1), at(3)];
        sort(&mut found);
        assert_eq!(found, vec![at(1), at(3)]);
    }
}

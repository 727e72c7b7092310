//! A fault in a text, and its place.

use std::fmt;

/// A fault in a text that is read line by line, or a remark about one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The fault.
    pub message: String,
    /// The correction, when it is known.
    pub help: Option<String>,
    /// Its kind.
    pub kind: TextFault,
}

/// The kind of a fault in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextFault {
    /// The text does not have the form of a line.
    #[default]
    Syntax,
    /// A name that nothing has, or that is given twice.
    Name,
    /// A value that is out of its range.
    Range,
    /// A rule that the text breaks as a whole.
    Rule,
}

impl TextError {
    /// A fault of the form of a line.
    pub fn new(line: u32, column: u32, message: impl Into<String>) -> TextError {
        let (message, help, kind) = (message.into(), None, TextFault::Syntax);
        TextError { line, column, message, help, kind }
    }

    /// The same of another kind.
    #[must_use]
    pub fn of(self, kind: TextFault) -> TextError {
        TextError { kind, ..self }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)?;
        match &self.help {
            Some(help) => write!(f, " (help: {help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for TextError {}

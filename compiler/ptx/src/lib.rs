//! PTX text: lexer, grammar and syntax tree.
//!
//! [`parse`] reads a module, and [`check`](check()) says which of its instructions and operands are not as the table of
//! instructions ([`table`]) has them. The tree ([`tree`]) says what is written and nothing about its meaning: names
//! are not resolved, and an instruction is a mnemonic with modifiers and operands.
//! Both the compiler, which makes SSA of it, and the reference model, which executes it thread by thread, start from this
//! tree; they share nothing else. The crate depends on neither, and does no IO.

#![deny(clippy::unwrap_used)]

pub mod barrier;
mod build;
mod check;
mod constant;
mod conversions;
mod copies;
pub mod example;
pub mod form;
mod generated;
pub mod inline;
mod lexer;
mod matrices;
pub mod scope;
pub mod spec;
pub mod special;
pub mod table;
pub mod tree;
pub mod unsupported;

pub use check::{NEWEST_MAJOR, check, element};
pub use constant::Constant;
pub use lexer::MOST_TOKENS;

use lalrpop_util::ParseError;
use std::sync::Arc;

/// A name, modifier or string of the text.
pub type Text = Arc<str>;

/// A range of bytes of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end`.
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }
}

/// The reason why a text is no PTX module, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The place.
    pub span: Span,
    /// The fault, in one line without a full stop.
    pub message: String,
    /// A remedy; may be empty.
    pub help: String,
}

impl SyntaxError {
    /// An error without advice.
    pub fn new(span: Span, message: impl Into<String>) -> SyntaxError {
        SyntaxError { span, message: message.into(), help: String::new() }
    }

    /// Adds advice.
    pub fn help(self, help: impl Into<String>) -> SyntaxError {
        SyntaxError { help: help.into(), ..self }
    }
}

/// Reads a PTX module.
///
/// # Errors
/// The first fault of the text. Texts of more than 4 GiB or [`MOST_TOKENS`] tokens are refused too.
pub fn parse(text: &str) -> Result<tree::Module, SyntaxError> {
    let tokens = lexer::tokens(text)?;
    let last = text.trim_end().len() as u32;
    let parser = generated::parser::ModuleParser::new();
    parser.parse(tokens).map_err(|error| explain(error, text, last))
}

/// Puts an error of the generated parser into words.
fn explain(
    error: ParseError<u32, lexer::Token, SyntaxError>,
    text: &str,
    last: u32,
) -> SyntaxError {
    let (span, found, expected) = match error {
        ParseError::User { error } => return error,
        ParseError::InvalidToken { location } => {
            return SyntaxError::new(Span::new(location, location), "this is no part of PTX");
        }
        ParseError::UnrecognizedEof { expected, .. } => {
            (Span::new(last, last), "the end of the text".to_owned(), expected)
        }
        ParseError::UnrecognizedToken { token: (start, _, end), expected } => {
            let word = text.get(start as usize..end as usize).unwrap_or_default();
            (Span::new(start, end), format!("`{}`", shortened(word)), expected)
        }
        ParseError::ExtraToken { token: (start, _, end) } => {
            let word = text.get(start as usize..end as usize).unwrap_or_default();
            (Span::new(start, end), format!("`{}`", shortened(word)), Vec::new())
        }
    };
    let expected: Vec<&str> = expected.iter().map(|it| it.trim_matches('"')).collect();
    let message = match expected.as_slice() {
        [one] => format!("{found} where `{one}` is expected"),
        [one, two] => format!("{found} where `{one}` or `{two}` is expected"),
        _ => format!("{found} is unexpected here"),
    };
    let help = match expected.contains(&";") {
        true => "an instruction, and a declaration, ends with `;`",
        false => "",
    };
    SyntaxError::new(span, message).help(help)
}

/// A word that is short enough for a message.
fn shortened(word: &str) -> String {
    const MOST: usize = 40;
    match word.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &word[..at]),
        None => word.to_owned(),
    }
}

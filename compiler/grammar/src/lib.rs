//! The grammar of CUDA C, and everything that its generated parser builds: spans, tokens and the syntax tree.
//!
//! The parser takes as long to compile as the rest of the front end. In this crate it is compiled once, and again only
//! when the grammar or the tree changes.

#![deny(clippy::unwrap_used)]

mod build;
mod generated;
pub mod span;
pub mod token;
pub mod tree;

pub use build::{Entry, Error, Fault, FaultKind};
pub use lalrpop_util::ParseError;

use build::Places;
use generated::parser::EntryParser;
use span::Span;
use token::{Start, Token, TokenKind};

/// Parses `tokens` as the construct that `start` names. `whole` is the place of the construct if it has no tokens.
///
/// # Errors
/// The tokens do not fit the grammar, or are nested too deep. Locations count tokens from 1.
pub fn parse(start: Start, tokens: &[Token], whole: Span) -> Result<Entry, Error> {
    let places = Places { tokens, whole };
    let first = std::iter::once((0, TokenKind::Start(start), 1));
    let rest = tokens.iter().zip(1..).map(|(token, at)| (at, token.kind.clone(), at + 1));
    let triples = first.chain(rest).map(Ok::<_, Fault>);
    EntryParser::new().parse(&places, triples)
}

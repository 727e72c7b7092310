//! From text to syntax tree.
//!
//! The stages: [`preprocessor`] and lexer make tokens; brackets are paired; unsupported constructs
//! are cut out; identifiers are tagged as types or not; the tokens outside functions are split into
//! items, and each item and each function body is read by the generated parser on its own.

mod allocation;
pub(crate) mod body;
mod brackets;
mod defaulted;
mod items;
mod lambda;
mod lexer;
pub(crate) mod missing;
pub(crate) mod names;
pub(crate) mod parts;
pub mod preprocessor;
mod print;
mod recover;
pub mod source;
mod tagger;
mod unsupported;
mod words;

pub use body::parse as parse_body;
pub(crate) use items::CONVERSION;
pub use preprocessor::header::supplied_header;
pub use preprocessor::target::{Pass, Target, Toolkit};
pub use preprocessor::{Loader, NotLoaded};
pub use print::print;
pub use reconverge_grammar::tree;
pub use source::{FileId, Position, SourceMap, Span};
pub(crate) use unsupported::known::{advice, is_plain_without_std};

use crate::diagnostic::{self, Diagnostic};
use tree::TranslationUnit;

/// A parsed pass over a program.
pub struct Read {
    /// The syntax tree.
    pub unit: TranslationUnit,
    /// The diagnostics of reading it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file with its includes. The definitions are those of the command line, name and value;
/// the target and the pass add definitions. The tree leaves out the reported items.
pub fn parse(
    sources: &mut SourceMap,
    file: FileId,
    loader: &mut dyn Loader,
    defines: &[(String, String)],
    target: Target,
    pass: Pass,
) -> Read {
    let read = preprocessor::preprocess(sources, file, loader, defines, target, pass);
    let (tokens, mut diagnostics) = (read.tokens, read.diagnostics);
    let asks_for_architecture = read.asks_for_architecture;
    let tokens = parts::add(tokens, sources, &mut diagnostics);
    let (tokens, found) = brackets::balance(tokens, sources);
    diagnostics.extend(found);
    let unit = match tokens {
        Some(tokens) => {
            let names::Joined { tokens, opened } = names::join(allocation::rewrite(tokens));
            let single = names::single(&tokens, file);
            let supported = unsupported::remove(tokens);
            diagnostics.extend(supported.diagnostics);
            let tagged = tagger::tag(supported.tokens, &supported.types, &opened);
            diagnostics.extend(tagged.diagnostics);
            let faults = diagnostics.iter().filter(|found| found.is_error());
            let faults = faults.map(|found| found.primary.span).collect();
            let (items, found) = items::read(tagged.tokens, faults);
            diagnostics.extend(found);
            let poisoned = tagged.unknown.into_iter().chain(supported.types).collect();
            let supplied = sources.supplied().collect();
            TranslationUnit { items, poisoned, supplied, single, asks_for_architecture }
        }
        None => TranslationUnit { asks_for_architecture, ..TranslationUnit::default() },
    };
    diagnostic::sort(&mut diagnostics);
    Read { unit, diagnostics }
}

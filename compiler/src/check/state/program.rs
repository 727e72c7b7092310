//! Properties of the program's text as a whole, from reading it.

use crate::syntax::source::{FileId, Span};
use crate::syntax::tree::Name;
use std::collections::BTreeSet;

/// Properties of the program's text as a whole, from reading it.
#[derive(Debug, Default)]
pub(crate) struct ProgramFacts {
    /// The texts supplied with the compiler.
    supplied: BTreeSet<FileId>,
    /// Names that occur once in the program.
    single: BTreeSet<Name>,
    /// The declarations outside functions, each with the order of its item.
    items: Vec<(Span, usize)>,
}

impl ProgramFacts {
    pub fn new(supplied: BTreeSet<FileId>, single: BTreeSet<Name>) -> ProgramFacts {
        ProgramFacts { supplied, single, items: Vec::new() }
    }

    /// Remembers a declaration outside functions.
    pub fn add_item(&mut self, span: Span, order: usize) {
        self.items.push((span, order));
    }

    /// The order of the declaration around a place.
    pub fn item_around(&self, place: Span) -> Option<usize> {
        let around = |(whole, _): &&(Span, usize)| {
            whole.file == place.file && whole.start <= place.start && place.end <= whole.end
        };
        self.items.iter().find(around).map(|(_, order)| *order)
    }

    /// Returns true if a text is supplied with the compiler.
    pub fn is_supplied(&self, file: FileId) -> bool {
        self.supplied.contains(&file)
    }

    /// Returns true if a name occurs once in the program.
    pub fn is_single(&self, name: &str) -> bool {
        self.single.contains(name)
    }
}

//! What reading has told of the program's text as a whole.

use crate::syntax::source::FileId;
use crate::syntax::tree::Name;
use std::collections::BTreeSet;

/// What reading has told of the program's text as a whole.
#[derive(Debug, Default)]
pub(crate) struct ProgramFacts {
    /// The texts that come with the compiler.
    supplied: BTreeSet<FileId>,
    /// Names that stand once in the program.
    single: BTreeSet<Name>,
}

impl ProgramFacts {
    pub fn new(supplied: BTreeSet<FileId>, single: BTreeSet<Name>) -> ProgramFacts {
        ProgramFacts { supplied, single }
    }

    /// Whether a text comes with the compiler.
    pub fn is_supplied(&self, file: FileId) -> bool {
        self.supplied.contains(&file)
    }

    /// Whether a name stands once in the program.
    pub fn is_single(&self, name: &str) -> bool {
        self.single.contains(name)
    }
}

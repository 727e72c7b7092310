//! Places in the texts of a compilation.

/// A file of a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A range of bytes of one file, as each token, tree node, instruction and diagnostic carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Span { file, start, end }
    }

    /// From the start of `self` to the end of `last`. A construct that begins in one file and ends
    /// in another (through `#include`) is where it begins.
    pub fn to(self, last: Span) -> Span {
        if self.file != last.file {
            return self;
        }
        Span::new(self.file, self.start.min(last.start), self.end.max(last.end))
    }

    /// The empty range after `self`: where something missing would have stood.
    pub fn after(self) -> Span {
        Span::new(self.file, self.end, self.end)
    }
}

//! The texts of one compilation and positions inside them.

use std::collections::BTreeMap;

pub use reconverge_grammar::span::{FileId, Span};

/// A position for people: both count from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

#[derive(Clone, Debug)]
struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    is_ascii: bool,
    is_supplied: bool,
}

/// All texts of one compilation, and which ranges of them are uses of macros.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    expansions: BTreeMap<Span, String>,
    /// Files of an earlier pass that have not been read in this one, by name, the last one first.
    known: BTreeMap<String, Vec<FileId>>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        SourceMap::default()
    }

    /// Prepares for reading the program of `main` once more: a text that was added before is not added
    /// again, so that its places are the same.
    pub fn read_again(&mut self, main: FileId) {
        self.known.clear();
        for file in self.files().filter(|&file| file != main).collect::<Vec<_>>().into_iter().rev()
        {
            self.known.entry(self.name(file).to_owned()).or_default().push(file);
        }
    }

    /// Adds a text. Offsets are 32 bits wide: the text after the first 4 GiB is cut off.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let (name, mut text) = (name.into(), text.into());
        if let Some(files) = self.known.get_mut(&name)
            && let Some(&file) = files.last()
            && self.files[file.0 as usize].text == text
        {
            files.pop();
            return file;
        }
        if text.len() > u32::MAX as usize {
            let cut = (0..=u32::MAX as usize).rev().find(|&at| text.is_char_boundary(at));
            text.truncate(cut.unwrap_or(0));
        }
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect();
        let is_ascii = text.is_ascii();
        let file = SourceFile { name, text, line_starts, is_ascii, is_supplied: false };
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    /// Adds a text supplied with the compiler.
    pub fn add_supplied(&mut self, name: &str, text: &str) -> FileId {
        let file = self.add(name, text);
        self.files[file.0 as usize].is_supplied = true;
        file
    }

    /// The texts supplied with the compiler, in which no program can change anything.
    pub fn supplied(&self) -> impl Iterator<Item = FileId> {
        self.files().filter(|file| self.file(*file).is_supplied)
    }

    fn file(&self, file: FileId) -> &SourceFile {
        &self.files[file.0 as usize]
    }

    /// The files in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }

    /// The name a file was added under.
    pub fn name(&self, file: FileId) -> &str {
        &self.file(file).name
    }

    /// Calls a file something else from now on.
    pub fn rename(&mut self, file: FileId, name: impl Into<String>) {
        self.files[file.0 as usize].name = name.into();
    }

    /// The text of a file.
    pub fn text(&self, file: FileId) -> &str {
        &self.file(file).text
    }

    /// The text of a range; empty when the range is not one of the text.
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The line a byte is on, counted from 1.
    pub fn line(&self, span: Span) -> u32 {
        let starts = &self.file(span.file).line_starts;
        starts.partition_point(|&start| start <= span.start) as u32
    }

    /// The text of a line, without its end.
    pub fn line_text(&self, file: FileId, line: u32) -> &str {
        let source = self.file(file);
        let index = (line as usize).saturating_sub(1);
        let Some(&start) = source.line_starts.get(index) else {
            return "";
        };
        source.text[start as usize..].lines().next().unwrap_or_default()
    }

    /// The number of lines of a file; an empty one has one.
    pub fn line_count(&self, file: FileId) -> usize {
        self.file(file).line_starts.len()
    }

    /// The bytes of a line counted from 0, with its end.
    pub fn line_range(&self, file: FileId, index: usize) -> Option<std::ops::Range<usize>> {
        let source = self.file(file);
        let start = *source.line_starts.get(index)? as usize;
        let next = source.line_starts.get(index + 1);
        Some(start..next.map_or(source.text.len(), |&next| next as usize))
    }

    /// The position of a range's start.
    pub fn position(&self, span: Span) -> Position {
        let source = self.file(span.file);
        let line = self.line(span);
        let start = source.line_starts[line as usize - 1] as usize;
        let before = source.text.get(start..span.start as usize).unwrap_or_default();
        let column = match source.is_ascii {
            // Generated programs are a single line at times.
            true => before.len(),
            false => before.chars().count(),
        } as u32
            + 1;
        Position { line, column }
    }

    /// The word or sign at a line and column, both counted from 1; `None` outside of the text.
    pub fn token_at(&self, file: FileId, line: u32, column: u32) -> Option<Span> {
        let range = self.line_range(file, (line as usize).checked_sub(1)?)?;
        let text = self.text(file).get(range.clone())?;
        let (at, first) = text.char_indices().nth((column as usize).checked_sub(1)?)?;
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let length = match is_word(first) {
            true => text[at..].find(|letter| !is_word(letter)).unwrap_or(text.len() - at),
            false => first.len_utf8(),
        };
        let start = (range.start + at) as u32;
        Some(Span::new(file, start, start + length as u32))
    }

    /// `file:line:column` of where a range starts.
    pub fn describe(&self, span: Span) -> String {
        let Position { line, column } = self.position(span);
        format!("{}:{line}:{column}", self.name(span.file))
    }

    /// Records that the tokens at `span` were expanded from the macro `name`.
    pub fn add_expansion(&mut self, span: Span, name: &str) {
        self.expansions.entry(span).or_insert_with(|| name.to_owned());
    }

    /// The macro whose use a range is.
    pub fn expansion(&self, span: Span) -> Option<&str> {
        self.expansions.get(&span).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let mut map = SourceMap::new();
        let file = map.add("a.cu", "one\n\u{e4}b\n");
        let at = |start, end| Span::new(file, start, end);
        assert_eq!(map.describe(at(0, 3)), "a.cu:1:1");
        assert_eq!(map.describe(at(6, 7)), "a.cu:2:2");
        assert_eq!(map.describe(at(8, 8)), "a.cu:3:1");
        assert_eq!(map.slice(at(6, 7)), "b");
        assert_eq!(map.line_text(file, 2), "\u{e4}b");
    }
}

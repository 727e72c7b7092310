//! Faults of a machine file, with their places.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A fault of a machine file or setting, or a remark about one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineFault {
    /// A sentence for the user.
    pub message: String,
    /// Bytes of the file's text, if it is about a part of it.
    pub place: Option<Range<usize>>,
    /// The line of its first byte, from 1.
    pub line: Option<u32>,
    /// True if it is about a setting, and not about a file.
    pub is_setting: bool,
}

impl Display for MachineFault {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl MachineFault {
    /// A fault that is not about a part of a file.
    pub(super) fn new(message: impl Into<String>) -> MachineFault {
        MachineFault { message: message.into(), place: None, line: None, is_setting: false }
    }

    /// A fault of a setting.
    pub(super) fn of_setting(message: impl Into<String>) -> MachineFault {
        MachineFault { is_setting: true, ..MachineFault::new(message) }
    }
}

/// The places of a file's keys.
#[derive(Debug, Default)]
pub(super) struct Places<'a> {
    text: &'a str,
    /// The places of values by their dotted paths; for a table, the place of its key.
    values: BTreeMap<String, Range<usize>>,
}

impl<'a> Places<'a> {
    /// Reads the places of a file's text; none if the text is not a valid file.
    pub fn of(text: &'a str) -> Places<'a> {
        let mut places = Places { text, values: BTreeMap::new() };
        if let Ok(table) = DeTable::parse(text) {
            places.table(table.get_ref(), "");
        }
        places
    }

    fn table(&mut self, table: &DeTable, path: &str) {
        for (key, value) in table {
            let name: &str = key.get_ref();
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            let place = match value.get_ref() {
                DeValue::Table(inner) => {
                    self.table(inner, &path);
                    Spanned::span(key)
                }
                _ => value.span(),
            };
            self.values.insert(path, place);
        }
    }

    /// The places of no keys of a text.
    pub fn in_text(self, text: &'a str) -> Places<'a> {
        Places { text, ..self }
    }

    /// Returns true if the file has a key.
    pub fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// A fault at a key: at the nearest of the tables around it that the file has.
    pub fn fault(&self, key: &str, message: impl Into<String>) -> MachineFault {
        let ends = key.match_indices('.').map(|(end, _)| end).chain([key.len()]);
        let mut paths: Vec<&str> = ends.map(|end| &key[..end]).collect();
        paths.reverse();
        let place = paths.into_iter().find_map(|path| self.values.get(path)).cloned();
        self.at(place, message)
    }

    /// A fault at some bytes.
    pub fn at(&self, place: Option<Range<usize>>, message: impl Into<String>) -> MachineFault {
        let line = place.as_ref().map(|place| {
            let before = &self.text.as_bytes()[..place.start.min(self.text.len())];
            before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1
        });
        MachineFault { place, line, ..MachineFault::new(message) }
    }
}

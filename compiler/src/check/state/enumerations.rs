//! The enumerations of a program.

use crate::check::library::enumeration;
use crate::syntax::tree::Name;

/// The whole names of the enumerations of the headers and of a program, by their numbers.
#[derive(Debug)]
pub(crate) struct Enumerations(Vec<Name>);

impl Default for Enumerations {
    fn default() -> Enumerations {
        Enumerations(enumeration::names().map(Name::from).collect())
    }
}

impl Enumerations {
    /// Adds an enumeration, perhaps of a function or without a name. Returns its number.
    pub fn add(&mut self, path: Option<Name>, is_local: bool) -> u32 {
        let id = self.0.len() as u32;
        self.0.push(match path {
            Some(path) if is_local => format!("{path} (local {id})").into(),
            Some(path) => path,
            None => format!("unnamed enumeration {id}").into(),
        });
        id
    }

    /// The whole name of an enumeration: no two have the same.
    pub fn path(&self, id: u32) -> &str {
        &self.0[id as usize]
    }
}

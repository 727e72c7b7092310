//! The string literals of a program.

use crate::check::tree::{GlobalId, StringId};
use std::collections::BTreeMap;

/// The string literals, each text once.
#[derive(Debug, Default)]
pub(crate) struct Literals {
    texts: Vec<Vec<u8>>,
    numbers: BTreeMap<Vec<u8>, StringId>,
    /// The variables that hold literals in device memory, and whether the host may read them.
    in_device: BTreeMap<(StringId, bool), GlobalId>,
}

impl Literals {
    /// The number of a text.
    pub fn number(&mut self, text: &[u8]) -> StringId {
        if let Some(&id) = self.numbers.get(text) {
            return id;
        }
        let id = StringId(self.texts.len() as u32);
        self.texts.push(text.to_vec());
        self.numbers.insert(text.to_vec(), id);
        id
    }

    /// The text of a number.
    pub fn text(&self, id: StringId) -> &[u8] {
        &self.texts[id.0 as usize]
    }

    /// The variable that holds a literal in device memory, if there is one; `both`: the host may read it too.
    pub fn in_device(&self, id: StringId, both: bool) -> Option<GlobalId> {
        self.in_device.get(&(id, both)).copied()
    }

    /// Gives a literal its variable in device memory.
    pub fn put_in_device(&mut self, id: StringId, both: bool, variable: GlobalId) {
        self.in_device.insert((id, both), variable);
    }

    /// The texts by their numbers.
    pub fn finish(self) -> Vec<Vec<u8>> {
        self.texts
    }
}

//! A row with the modifiers chosen for it.

use reconverge_ptx::form::{self, Form, Types};

/// How often a modifier that may be left out is there, in percent.
pub const OPTIONAL: usize = 25;

/// A form with the modifiers chosen for it.
pub struct Chosen {
    pub form: &'static Form,
    pub words: Vec<&'static str>,
    pub types: Types,
}

impl Chosen {
    pub fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// Mnemonic and modifiers.
    pub fn spelled(&self) -> String {
        let words: String = self.words.iter().map(|word| format!(".{word}")).collect();
        format!("{}{words}", self.form.mnemonic())
    }

    /// Elements of a vector operand.
    pub fn lanes(&self) -> usize {
        form::lanes(self.words.iter().copied()).unwrap_or(1)
    }
}

//! The meaning of an instruction that only computes: types of its operands, and a function.

use crate::{convert, floating, integer, video};
use reconverge_ptx::tree::{Instruction, Kind, Type};

/// Computes results from sources; the flag is the carry of `.cc`.
pub type Compute = Box<dyn Fn(&[u64], &mut bool) -> [u64; 2] + Send + Sync>;

/// An instruction that only computes.
pub struct Form {
    /// The function. Sources have zeros above their types; results are cut to theirs.
    pub compute: Compute,
    /// The types of the results: one or two.
    pub results: Vec<Type>,
    /// The types of the sources.
    pub sources: Vec<Type>,
}

impl std::fmt::Debug for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Form")
            .field("results", &self.results)
            .field("sources", &self.sources)
            .finish()
    }
}

/// The type of this name.
///
/// # Panics
/// There is none: the names are this crate's own.
pub fn ty(name: &str) -> Type {
    match Type::find(name) {
        Some(of) => of,
        None => unreachable!("`{name}` is a type of PTX"),
    }
}

/// A form with one result, and sources of its type.
pub fn scalar(of: Type, sources: usize, f: impl Fn(&[u64]) -> u64 + Send + Sync + 'static) -> Form {
    let compute: Compute = Box::new(move |s, _| [f(s), 0]);
    Form { compute, results: vec![of], sources: vec![of; sources] }
}

/// The modifiers of an instruction that are still to be understood.
#[derive(Debug)]
pub struct Words {
    left: Vec<String>,
    types: std::collections::VecDeque<Type>,
}

impl Words {
    /// The modifiers of an instruction.
    pub fn of(instruction: &Instruction) -> Words {
        let mut words = Words { left: Vec::new(), types: Default::default() };
        for modifier in &instruction.modifiers {
            match Type::find(&modifier.text) {
                Some(of) => words.types.push_back(of),
                None => words.left.push(modifier.text.to_string()),
            }
        }
        words
    }

    /// Takes a word; false if it is not there.
    pub fn take(&mut self, word: &str) -> bool {
        let at = self.left.iter().position(|it| it == word);
        at.map(|at| self.left.remove(at)).is_some()
    }

    /// Takes the first of these words that is there.
    pub fn one_of<'w>(&mut self, words: &[&'w str]) -> Option<&'w str> {
        words.iter().copied().find(|word| self.take(word))
    }

    /// Takes every word that a test accepts.
    pub fn skip(&mut self, test: impl Fn(&str) -> bool) {
        self.left.retain(|word| !test(word));
    }

    /// Takes the next type.
    ///
    /// # Errors
    /// There is none.
    pub fn ty(&mut self) -> Result<Type, String> {
        self.types.pop_front().ok_or_else(|| "a type is missing".to_owned())
    }

    /// The next type, which stays.
    pub fn next_type(&self) -> Option<Type> {
        self.types.front().copied()
    }

    /// Checks that every word was understood.
    ///
    /// # Errors
    /// One was not.
    pub fn finish(&self) -> Result<(), String> {
        let word = self.left.first().cloned();
        match word.or_else(|| self.types.front().map(|of| of.name.to_owned())) {
            Some(word) => Err(format!("the reference model has no meaning for `.{word}` here")),
            None => Ok(()),
        }
    }
}

/// True for types whose values are floats.
pub fn is_float(of: Type) -> bool {
    matches!(of.kind, Kind::Float | Kind::FloatPair | Kind::Brain | Kind::BrainPair)
}

/// The form of an instruction that only computes; `None` for every other instruction.
///
/// # Errors
/// The instruction has a modifier or type that it cannot have, or one without a meaning here.
pub fn form(instruction: &Instruction) -> Result<Option<Form>, String> {
    let mnemonic = &*instruction.mnemonic.text;
    let mut words = Words::of(instruction);
    let found = match mnemonic {
        "set" => Some(convert::set(&mut words)),
        "setp" => Some(convert::set_predicate(&mut words, instruction.operands.len() == 4)),
        "selp" => Some(words.ty().map(|of| {
            let compute: Compute = Box::new(|s, _| [if s[2] != 0 { s[0] } else { s[1] }, 0]);
            Form { compute, results: vec![of], sources: vec![of, of, ty("pred")] }
        })),
        "slct" => Some(convert::select_by_sign(&mut words)),
        "cvt" => Some(convert::convert_form(&mut words)),
        _ => {
            let floats = words.next_type().is_some_and(is_float);
            let found = if floats { floating::form(mnemonic, &mut words) } else { None };
            found
                .or_else(|| integer::form(mnemonic, &mut words))
                .or_else(|| video::form(instruction, &mut words))
        }
    };
    match found {
        Some(form) => {
            let form = form?;
            words.finish()?;
            Ok(Some(form))
        }
        None => Ok(None),
    }
}

//! Hints: facts about single instructions that a compiler states for mechanisms. A hint has a name and a value, and changes
//! no result.
//!
//! Each hint is declared, by this module or by an extension ([`declare`]), with the values that it can have. Text, the IR and
//! the binary form carry every declared hint alike, and no other.

use crate::cache::{CacheOperator, OPERATORS};
use crate::nearest::nearest;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{PoisonError, RwLock};

/// The declaration of a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hint {
    /// The name: lower-case words, with hyphens between them.
    pub name: &'static str,
    /// The meaning, in a sentence.
    pub sentence: &'static str,
    /// The values that it can have.
    pub values: HintValues,
    /// Only loads can have it; otherwise any instruction can.
    pub loads_only: bool,
}

/// The values of a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HintValues {
    /// Integers in a range.
    Numbers {
        /// The least.
        least: i32,
        /// The largest.
        most: i32,
        /// Names of some of them, which text shows instead.
        names: &'static [(&'static str, i32)],
    },
    /// An instruction of the kernel, by its index. Text has a label; the IR cannot have such a hint.
    Instruction,
}

/// The index of the first instruction of the innermost loop around a load, to which it goes back.
pub const LOOP_FIRST: Hint = Hint {
    name: "loop-first",
    sentence: "The first instruction of the innermost loop around it, to which the loop goes back.",
    values: HintValues::Instruction,
    loads_only: true,
};

/// The index of the last instruction of that loop.
pub const LOOP_LAST: Hint = Hint {
    name: "loop-last",
    sentence: "The last instruction of that loop.",
    values: HintValues::Instruction,
    loads_only: true,
};

/// The value of [`STRIDE`] for addresses that follow no rule.
const SCATTERED: i32 = -1;

/// The pattern of the addresses of a warp's neighbouring threads, in bytes.
pub const STRIDE: Hint = Hint {
    name: "stride",
    sentence: "Bytes between the addresses of a warp's neighbouring threads.",
    values: HintValues::Numbers {
        least: SCATTERED,
        most: u16::MAX as i32,
        names: &[("scattered", SCATTERED), ("same", 0)],
    },
    loads_only: true,
};

/// The frequency of L1 hits.
pub const LOCALITY: Hint = Hint {
    name: "locality",
    sentence: "The frequency of its hits in the L1, by a profile.",
    values: HintValues::Numbers {
        least: 0,
        most: 2,
        names: &[("good", 0), ("moderate", 1), ("poor", 2)],
    },
    loads_only: true,
};

/// The number of an access's cache operator, which text states by `!cache`.
const OPERATOR: Hint = Hint::numbers(
    "cache-operator",
    0,
    OPERATORS.len() as i32 - 1,
    "The cache operator, or the eviction priority in the L1.",
);

/// The hints that need no extension.
pub const BUILT_IN: [&Hint; 4] = [&LOOP_FIRST, &LOOP_LAST, &STRIDE, &LOCALITY];

static DECLARED: RwLock<Vec<&'static Hint>> = RwLock::new(Vec::new());

/// Every hint of this process: [`BUILT_IN`], then those that were declared.
pub fn all() -> Vec<&'static Hint> {
    let declared = DECLARED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.into_iter().chain(declared.iter().copied()).collect()
}

/// The hint of a name.
///
/// # Errors
/// There is none; the message names the nearest one.
pub fn find(name: &str) -> Result<&'static Hint, String> {
    let all = all();
    all.iter().find(|hint| hint.name == name).copied().ok_or_else(|| {
        let names = || all.iter().map(|hint| hint.name);
        match nearest(name, names()) {
            Some(near) => format!("there is no hint `{name}`; did you mean `{near}`?"),
            None => {
                let all: Vec<&str> = names().collect();
                let all = all.join(", ");
                format!("there is no hint `{name}`; there are {all}, and those of extensions")
            }
        }
    })
}

/// Declares hints for this process.
///
/// # Errors
/// See [`check`]; none is declared then.
pub fn declare(hints: Vec<Hint>) -> Result<(), String> {
    check(&hints)?;
    let leaked = hints.into_iter().map(|hint| &*Box::leak(Box::new(hint)));
    DECLARED.write().unwrap_or_else(PoisonError::into_inner).extend(leaked);
    Ok(())
}

/// Checks hints that are to be declared.
///
/// # Errors
/// A hint of the name exists; a range is empty; a named value lies outside of its range, or its name is not lower-case words.
pub fn check(hints: &[Hint]) -> Result<(), String> {
    let known = all();
    for (at, hint) in hints.iter().enumerate() {
        let name = hint.name;
        check_name(name)?;
        if known
            .iter()
            .copied()
            .chain([&OPERATOR])
            .chain(&hints[..at])
            .any(|other| other.name == name)
        {
            return Err(format!("a hint `{name}` exists"));
        }
        let HintValues::Numbers { least, most, names } = hint.values else { continue };
        if least > most {
            return Err(format!("hint `{name}` has no values: {least} to {most}"));
        }
        for (word, value) in names {
            check_name(word)?;
            if !(least..=most).contains(value) {
                return Err(format!(
                    "`{word}` of hint `{name}` is {value}, outside of {least} to {most}"
                ));
            }
        }
    }
    Ok(())
}

/// Refuses a name that is not lower-case words of letters and digits with hyphens between them, or begins with a digit.
///
/// # Errors
/// It is not; the message describes the form.
pub fn check_name(name: &str) -> Result<(), String> {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
    };
    if name.split('-').all(is_word) && name.starts_with(|first: char| first.is_ascii_lowercase()) {
        return Ok(());
    }
    Err(format!(
        "`{name}` is no name: use lower-case letters and digits, with hyphens between words"
    ))
}

impl Hint {
    /// A hint of any instruction, with numbers from `least` to `most`.
    pub const fn numbers(
        name: &'static str,
        least: i32,
        most: i32,
        sentence: &'static str,
    ) -> Hint {
        let values = HintValues::Numbers { least, most, names: &[] };
        Hint { name, sentence, values, loads_only: false }
    }

    /// A value as text; of a place in the code the index.
    pub fn text(&self, value: i32) -> String {
        let names = match self.values {
            HintValues::Numbers { names, .. } => names,
            HintValues::Instruction => &[],
        };
        let named = names.iter().find(|(_, of)| *of == value);
        named.map_or_else(|| value.to_string(), |(name, _)| (*name).to_owned())
    }

    /// The value that text states: a name or a decimal number.
    ///
    /// # Errors
    /// It is neither, or out of range; the message states the values.
    pub fn value(&self, text: &str) -> Result<i32, String> {
        let named = match self.values {
            HintValues::Numbers { names, .. } => names.iter().find(|(name, _)| *name == text),
            HintValues::Instruction => None,
        };
        let number = named.map(|(_, value)| *value).or_else(|| text.parse().ok());
        let number = number.filter(|value| self.has(*value));
        number.ok_or_else(|| {
            format!("hint `{}` cannot be `{text}`; it is {}", self.name, self.range())
        })
    }

    /// Returns true if a value is in its range.
    fn has(&self, value: i32) -> bool {
        match self.values {
            HintValues::Numbers { least, most, .. } => (least..=most).contains(&value),
            HintValues::Instruction => value >= 0,
        }
    }

    /// The values that it can have, for tables and messages.
    pub fn range(&self) -> String {
        match self.values {
            HintValues::Instruction => "an instruction of the kernel".to_owned(),
            HintValues::Numbers { least, most, names } => {
                let names: Vec<String> =
                    names.iter().map(|(name, value)| format!("`{name}` ({value})")).collect();
                let named = if names.is_empty() { "" } else { ", with the names " };
                format!("a number from {least} to {most}{named}{}", names.join(", "))
            }
        }
    }
}

/// The pattern of the addresses of a warp's neighbouring threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessPattern {
    /// All threads access one address.
    Same,
    /// So many bytes apart, upwards or downwards.
    Apart(u16),
    /// By no rule.
    Scattered,
}

/// The locality of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Locality {
    /// Its lines are worth a place in the first level.
    Good,
    /// They may be.
    Moderate,
    /// They are not.
    Poor,
}

impl Locality {
    /// All of them with their spelling, in encoding order.
    pub const ALL: [(Locality, &'static str); 3] =
        [(Locality::Good, "good"), (Locality::Moderate, "moderate"), (Locality::Poor, "poor")];

    /// Its spelling.
    pub fn name(self) -> &'static str {
        Locality::ALL[self as usize].1
    }
}

/// The hints of an instruction, in the order of their names. Distinct sets are kept once for the life of the process, so that
/// an instruction holds one reference.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Hints(Option<&'static Set>);

/// Hints with their values.
type Set = Vec<(&'static Hint, i32)>;

static SETS: RwLock<BTreeSet<&'static Set>> = RwLock::new(BTreeSet::new());

impl fmt::Debug for Hints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(hint, value)| (hint.name, value))).finish()
    }
}

impl fmt::Display for Hints {
    /// Each as ` !hint NAME VALUE`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|(hint, value)| {
            let label = if hint.values == HintValues::Instruction { "L" } else { "" };
            write!(f, " !hint {} {label}{}", hint.name, hint.text(value))
        })
    }
}

impl Hints {
    /// No hints.
    pub const NONE: Hints = Hints(None);

    /// The hints with their values, in the order of names.
    pub fn iter(self) -> impl Iterator<Item = (&'static Hint, i32)> {
        self.0.into_iter().flatten().copied()
    }

    /// The value of a hint.
    pub fn get(self, hint: &Hint) -> Option<i32> {
        self.iter().find(|(other, _)| other.name == hint.name).map(|(_, value)| value)
    }

    /// Sets a hint.
    ///
    /// # Errors
    /// It is not declared, or cannot have the value.
    pub fn set(&mut self, hint: &Hint, value: i32) -> Result<(), String> {
        let declared = find(hint.name)?;
        if !declared.has(value) {
            return Err(format!(
                "hint `{}` cannot be {value}; it is {}",
                declared.name,
                declared.range()
            ));
        }
        self.put(declared, value);
        Ok(())
    }

    /// Sets or removes a hint of [`BUILT_IN`].
    fn set_built_in(&mut self, hint: &'static Hint, value: Option<i32>) {
        match value {
            Some(value) => self.put(hint, value),
            None => *self = Hints::of(self.iter().filter(|(other, _)| other.name != hint.name)),
        }
    }

    fn put(&mut self, hint: &'static Hint, value: i32) {
        let others = self.iter().filter(|(other, _)| other.name != hint.name);
        *self = Hints::of(others.chain([(hint, value)]));
    }

    /// Hints with different names.
    fn of(hints: impl Iterator<Item = (&'static Hint, i32)>) -> Hints {
        let mut set: Set = hints.collect();
        if set.is_empty() {
            return Hints::NONE;
        }
        set.sort_by_key(|(hint, _)| hint.name);
        if let Some(known) = SETS.read().unwrap_or_else(PoisonError::into_inner).get(&set) {
            return Hints(Some(known));
        }
        let mut sets = SETS.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = sets.get(&set) {
            return Hints(Some(known));
        }
        let kept: &'static Set = Box::leak(Box::new(set));
        sets.insert(kept);
        Hints(Some(kept))
    }

    /// The same with other places in the code, where the code has moved.
    #[must_use]
    pub fn moved(self, place: impl Fn(u32) -> u32) -> Hints {
        if self.is_fixed() {
            return self;
        }
        Hints::of(self.iter().map(|(hint, value)| match hint.values {
            HintValues::Instruction => (hint, place(value as u32) as i32),
            HintValues::Numbers { .. } => (hint, value),
        }))
    }

    /// Returns true if it names no instruction.
    pub fn is_fixed(self) -> bool {
        self.places().next().is_none()
    }

    /// Those that an instruction other than a load can have.
    #[must_use]
    pub fn of_any_instruction(self) -> Hints {
        match self.iter().all(|(hint, _)| !hint.loads_only) {
            true => self,
            false => Hints::of(self.iter().filter(|(hint, _)| !hint.loads_only)),
        }
    }

    /// Those that another instruction has with the same values.
    #[must_use]
    pub fn common(self, other: Hints) -> Hints {
        if self == other {
            return self;
        }
        Hints::of(self.iter().filter(|(hint, value)| other.get(hint) == Some(*value)))
    }

    /// The instructions that it names.
    pub fn places(self) -> impl Iterator<Item = u32> {
        let places = self.iter().filter(|(hint, _)| hint.values == HintValues::Instruction);
        places.map(|(_, value)| value as u32)
    }

    /// The first and last instruction of the innermost loop around a load.
    pub fn around(self) -> Option<(u32, u32)> {
        Some((self.get(&LOOP_FIRST)? as u32, self.get(&LOOP_LAST)? as u32))
    }

    /// Sets these.
    pub fn set_around(&mut self, first: u32, last: u32) {
        self.put(&LOOP_FIRST, first as i32);
        self.put(&LOOP_LAST, last as i32);
    }

    /// The pattern of the addresses of neighbouring threads.
    pub fn pattern(self) -> Option<AccessPattern> {
        Some(match self.get(&STRIDE)? {
            SCATTERED => AccessPattern::Scattered,
            0 => AccessPattern::Same,
            bytes => AccessPattern::Apart(bytes as u16),
        })
    }

    /// Sets or removes it.
    pub fn set_pattern(&mut self, pattern: Option<AccessPattern>) {
        let value = pattern.map(|pattern| match pattern {
            AccessPattern::Scattered => SCATTERED,
            AccessPattern::Same => 0,
            AccessPattern::Apart(bytes) => i32::from(bytes),
        });
        self.set_built_in(&STRIDE, value);
    }

    /// The frequency of L1 hits of a load.
    pub fn locality(self) -> Option<Locality> {
        let value = self.get(&LOCALITY)?;
        Locality::ALL.get(value as usize).map(|(locality, _)| *locality)
    }

    /// The cache operator of an access, among the hints of a decoded instruction.
    pub fn operator(self) -> Option<CacheOperator> {
        OPERATORS.get(self.get(&OPERATOR)? as usize).map(|(operator, _)| *operator)
    }

    /// These and a cache operator: everything that a program states about an access.
    #[must_use]
    pub fn with_operator(mut self, operator: Option<CacheOperator>) -> Hints {
        let place = |found| OPERATORS.iter().position(|(other, _)| *other == found);
        if let Some(place) = operator.and_then(place) {
            self.put(&OPERATOR, place as i32);
        }
        self
    }

    /// Sets or removes it.
    pub fn set_locality(&mut self, locality: Option<Locality>) {
        let place = |found| Locality::ALL.iter().position(|(other, _)| *other == found);
        self.set_built_in(&LOCALITY, locality.and_then(place).map(|place| place as i32));
    }
}

//! Patterns of the table, read, matched and tried.

use crate::table::{CLASSES, GROUPS, Row};
use crate::tree::{Instruction, Name, Type};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A part of a pattern.
#[derive(Clone, Debug)]
struct Part {
    words: Vec<&'static str>,
    optional: bool,
}

/// A row whose pattern and operands have been read.
#[derive(Debug)]
pub struct Form {
    /// The row.
    pub row: &'static Row,
    /// Its operands.
    pub operands: Vec<Operand>,
    parts: Vec<Part>,
}

/// An operand of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its name.
    pub name: &'static str,
    /// Its contents.
    pub holds: Holds,
    /// It is written.
    pub destination: bool,
    /// It may have a second destination, a predicate.
    pub pair: bool,
    /// It may be a predicate's complement.
    pub complement: bool,
    /// Its register may be wider than its type.
    pub wider: bool,
    /// It may be a vector.
    pub vector: bool,
    /// It is so many values in braces; 0 for an operand without braces.
    pub count: usize,
    /// It may be left out.
    pub optional: bool,
    /// It may have a minus in front.
    pub negated: bool,
    /// Selectors are admitted: the number of parts that the instruction computes at once.
    pub selects: Option<u32>,
}

impl Operand {
    /// Returns true if a selector, `b0` of `%r1.b0`, may follow the operand.
    pub fn has_selector(&self, selector: &str) -> bool {
        let Some(parts) = self.selects else {
            return false;
        };
        let (kind, digits) = selector.split_at(selector.len().min(1));
        let below =
            |limit: u32| digits.chars().all(|it| it.to_digit(10).is_some_and(|it| it < limit));
        let falls = || digits.as_bytes().windows(2).all(|pair| pair[0] > pair[1]);
        match (parts, kind) {
            (1, "b") => digits.len() == 1 && below(4),
            (1, "h") => digits.len() == 1 && below(2),
            (2, "h") | (4, "b") if self.destination => {
                !digits.is_empty() && below(parts) && falls()
            }
            (2, "h") | (4, "b") => digits.len() == parts as usize && below(2 * parts),
            _ => false,
        }
    }
}

/// The parts that a selector names, beginning with the choice for the lowest part.
pub fn selected_parts(selector: &str) -> Vec<u32> {
    selector.chars().rev().filter_map(|digit| digit.to_digit(10)).collect()
}

/// The contents of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// The first type among the modifiers.
    First,
    /// The second one.
    Second,
    /// Twice as wide as the first.
    Double,
    /// This type.
    Exactly(Type),
    /// An address in brackets.
    Address,
    /// A texture or surface, with as many coordinates.
    Texture(usize),
    /// A constant.
    Constant,
    /// A word, or a predicate.
    Size,
    /// An operand of `mov`.
    Move,
    /// A label.
    Label,
    /// A list of labels.
    Table,
    /// The operands of a call.
    Call,
}

/// The types that an instruction's modifiers name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Types {
    /// The first one.
    pub first: Option<Type>,
    /// The second one.
    pub second: Option<Type>,
}

impl Types {
    /// The types among words.
    pub fn of<'a>(words: impl Iterator<Item = &'a str>) -> Types {
        let mut types = words.filter_map(Type::find);
        Types { first: types.next(), second: types.next() }
    }

    /// The type of an operand, if it has one.
    pub fn operand(self, holds: Holds) -> Option<Type> {
        match holds {
            Holds::First => self.first,
            Holds::Second => self.second,
            Holds::Double => self.first.and_then(doubled),
            Holds::Exactly(ty) => Some(ty),
            _ => None,
        }
    }
}

/// The integer type that is twice as wide.
fn doubled(ty: Type) -> Option<Type> {
    let name = format!("{}{}", &ty.name[..1], u32::from(ty.bits) * 2);
    Type::find(&name)
}

/// The registers in braces that modifiers ask for: `.v2` and `.v4` of vectors, `.x2` and `.x4` of matrices.
pub fn lanes<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<usize> {
    words.find_map(|word| match word {
        "v2" | "x2" => Some(2),
        "v4" | "x4" => Some(4),
        _ => None,
    })
}

/// Returns true for the shapes of textures and surfaces whose first coordinate is a layer.
pub fn is_layered(word: &str) -> bool {
    matches!(word, "a1d" | "a2d" | "acube")
}

/// The form of an instruction; `None` if the table has none.
pub fn find(instruction: &Instruction) -> Option<&'static Form> {
    let forms = forms().get(&*instruction.mnemonic.text)?;
    forms.iter().find(|form| form.matches(&instruction.modifiers))
}

/// Patterns of instructions that have a mnemonic.
pub fn patterns(mnemonic: &str) -> Vec<&'static str> {
    let forms = forms().get(mnemonic).map(Vec::as_slice).unwrap_or_default();
    forms.iter().map(|form| form.row.pattern).collect()
}

/// Every mnemonic.
pub fn mnemonics() -> impl Iterator<Item = &'static str> {
    forms().keys().copied()
}

/// Every form, in the order of the table.
pub fn all() -> Vec<&'static Form> {
    let rows = GROUPS.iter().flat_map(|(_, rows)| rows.iter());
    let form = |row: &'static Row| {
        let forms = forms().get(mnemonic(row.pattern)).map(Vec::as_slice).unwrap_or_default();
        forms.iter().find(|form| form.row.pattern == row.pattern)
    };
    rows.filter_map(form).collect()
}

fn forms() -> &'static BTreeMap<&'static str, Vec<Form>> {
    static FORMS: OnceLock<BTreeMap<&'static str, Vec<Form>>> = OnceLock::new();
    FORMS.get_or_init(|| {
        let mut found: BTreeMap<&'static str, Vec<Form>> = BTreeMap::new();
        for row in GROUPS.iter().flat_map(|(_, rows)| rows.iter()) {
            found.entry(mnemonic(row.pattern)).or_default().push(Form::new(row));
        }
        found
    })
}

fn mnemonic(pattern: &'static str) -> &'static str {
    &pattern[..pattern.find(['.', '[', '(']).unwrap_or(pattern.len())]
}

impl Form {
    fn new(row: &'static Row) -> Form {
        let parts = parts(&row.pattern[mnemonic(row.pattern).len()..]);
        Form { row, operands: row.operands.split_whitespace().map(operand).collect(), parts }
    }

    /// Returns true if these modifiers are of this form.
    fn matches(&self, modifiers: &[Name]) -> bool {
        let mut used = 0u64;
        let mut at = 0;
        for modifier in modifiers {
            let word = &*modifier.text;
            let has = |part: &Part| part.words.contains(&word);
            while self.parts.get(at).is_some_and(|part| part.optional) {
                at += 1;
            }
            if self.parts.get(at).is_some_and(has) {
                at += 1;
                continue;
            }
            let mut free = self.parts.iter().enumerate();
            let free =
                free.position(|(at, part)| part.optional && used >> at & 1 == 0 && has(part));
            match free {
                Some(place) => used |= 1 << place,
                None => return false,
            }
        }
        self.parts[at.min(self.parts.len())..].iter().all(|part| part.optional)
    }

    /// The mnemonic.
    pub fn mnemonic(&self) -> &'static str {
        mnemonic(self.row.pattern)
    }

    /// Modifiers of this form. For each part of the pattern, `choose` gets its words, and true if it may be left out.
    pub fn modifiers(
        &self,
        mut choose: impl FnMut(&[&'static str], bool) -> Option<&'static str>,
    ) -> Vec<&'static str> {
        self.parts.iter().filter_map(|part| choose(&part.words, part.optional)).collect()
    }

    /// Modifiers of this form: every choice of the words that are required; then, with the first of these choices, each
    /// optional word; and with two or three optional parts the first word of each together.
    pub fn samples(&self) -> Vec<Vec<&'static str>> {
        let mut required: Vec<Vec<(usize, &'static str)>> = vec![Vec::new()];
        for (at, part) in self.parts.iter().enumerate().filter(|(_, part)| !part.optional) {
            required = required
                .into_iter()
                .flat_map(|chosen| {
                    part.words.iter().map(move |&word| {
                        let mut chosen = chosen.clone();
                        chosen.push((at, word));
                        chosen
                    })
                })
                .collect();
        }
        let with = |chosen: &[(usize, &'static str)], more: &[(usize, &'static str)]| {
            let mut words = [chosen, more].concat();
            words.sort();
            words.into_iter().map(|(_, word)| word).collect::<Vec<_>>()
        };
        let mut found: Vec<Vec<&'static str>> =
            required.iter().map(|chosen| with(chosen, &[])).collect();
        for (at, part) in self.parts.iter().enumerate().filter(|(_, part)| part.optional) {
            for &word in &part.words {
                found.push(with(&required[0], &[(at, word)]));
            }
        }
        let parts = self.parts.iter().enumerate().filter(|(_, part)| part.optional);
        let optional: Vec<_> = parts.map(|(at, part)| (at, part.words[0])).collect();
        if matches!(optional.len(), 2 | 3) {
            found.push(with(&required[0], &optional));
        }
        found
    }
}

/// The parts of a pattern after its mnemonic.
fn parts(pattern: &'static str) -> Vec<Part> {
    let mut found = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let (inside, after, optional) = match first {
            '[' => enclosed(rest, ']', true),
            '.' if rest[1..].starts_with('(') => enclosed(&rest[1..], ')', false),
            '.' if rest[1..].starts_with('<') => {
                let end = rest.find('>').map_or(rest.len(), |end| end + 1);
                (&rest[1..end], &rest[end..], false)
            }
            _ => {
                let end = rest[1..].find(['.', '[']).map_or(rest.len(), |end| end + 1);
                (&rest[1..end], &rest[end..], false)
            }
        };
        let words = inside.split('|').flat_map(class).collect();
        found.push(Part { words, optional });
        rest = after;
    }
    found
}

fn enclosed(text: &'static str, close: char, optional: bool) -> (&'static str, &'static str, bool) {
    let end = text.find(close).unwrap_or(text.len() - 1);
    (&text[1..end], &text[end + 1..], optional)
}

/// The words of a class, or the word itself.
fn class(word: &'static str) -> Vec<&'static str> {
    let name = word.trim_start_matches('<').trim_end_matches('>');
    match CLASSES.iter().find(|(class, _)| word.starts_with('<') && *class == name) {
        Some((_, words)) => words.split('|').collect(),
        None => vec![word],
    }
}

/// An operand of a row.
fn operand(text: &'static str) -> Operand {
    let optional = text.ends_with('?');
    let text = text.trim_end_matches('?');
    let destination = text.starts_with('>');
    let text = text.trim_start_matches('>');
    let complement = text.starts_with('!');
    let text = text.trim_start_matches('!');
    let negated = text.starts_with('-');
    let text = text.trim_start_matches('-');
    let (text, selects) = match text.split_once('~') {
        Some((text, parts)) => (text, Some(parts.parse().unwrap_or(1))),
        None => (text, None),
    };
    let plain = Operand {
        name: text,
        holds: Holds::Label,
        destination,
        pair: false,
        complement,
        wider: false,
        vector: false,
        count: 0,
        optional,
        negated,
        selects,
    };
    match text {
        "label" => return plain,
        "table" => return Operand { holds: Holds::Table, ..plain },
        "call" => return Operand { holds: Holds::Call, ..plain },
        _ => {}
    }
    if text.starts_with('[') {
        let coordinates = text.matches(',').count();
        if coordinates > 0 || text == "[t]" {
            return Operand { holds: Holds::Texture(coordinates), ..plain };
        }
        return Operand { holds: Holds::Address, ..plain };
    }
    if text.starts_with('#') {
        return Operand { holds: Holds::Constant, ..plain };
    }
    let (name, ty) = text.split_once(':').unwrap_or((text, ""));
    let (ty, count) = ty.split_once('*').unwrap_or((ty, ""));
    let vector = ty.starts_with('v');
    let wider = ty.ends_with('+');
    let ty = ty.trim_start_matches('v').trim_end_matches('+');
    let holds = match ty {
        "T" => Holds::First,
        "S" => Holds::Second,
        "2T" => Holds::Double,
        "M" => Holds::Move,
        "size" => Holds::Size,
        _ => Type::find(ty).map_or(Holds::Move, Holds::Exactly),
    };
    let count = count.parse().unwrap_or(0);
    Operand { name, holds, pair: name.contains('|'), wider, vector, count, ..plain }
}

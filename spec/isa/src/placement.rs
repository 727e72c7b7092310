//! The places of an instruction's operands, on a machine whose register file has levels that the
//! compiler manages: a record of a kernel beside its code.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.6.1 (after
//! Gebhart et al.): a last result file and an operand register file before the main one, movements
//! in and out of which "is managed explicitly by the compiler", which also "indicates when a warp
//! can be switched out of the active pool". The layout is ours: an instruction has no bits left, so
//! a word of [`PLACEMENT_FIELDS`] accompanies it.

use crate::field::Field;

/// The most registers of each thread in an operand register file: entries are numbered from 0.
pub const OPERAND_ENTRIES: u8 = 32;

/// A level of a register file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegisterLevel {
    /// The main register file, which has a place for every register.
    #[default]
    Main,
    /// The last result file: one register of each thread.
    LastResult,
    /// The operand register file: the entry, below [`OPERAND_ENTRIES`]; of a pair the first of two.
    Operand(u8),
}

/// The places of an instruction's registers. By default all are in the main register file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Placement {
    /// By source: the level that it is read from; the main register file for other operands.
    pub sources: [RegisterLevel; 3],
    /// The level that the result is written to.
    pub result: RegisterLevel,
    /// The result is written to the main register file too; only if `result` is another level.
    pub and_main: bool,
    /// A strand begins: before this instruction the warp can leave the active pool, and nothing is at other levels than the main
    /// one.
    pub strand: bool,
}

/// The fields of a placement's word from the lowest bit to the highest.
pub const PLACEMENT_FIELDS: [Field; 10] = [
    Field::new("level0", 0, 2, "source 0's level"),
    Field::new("entry0", 2, 5, "source 0's entry of the operand register file"),
    Field::new("level1", 7, 2, "source 1's level"),
    Field::new("entry1", 9, 5, "source 1's entry"),
    Field::new("level2", 14, 2, "source 2's level"),
    Field::new("entry2", 16, 5, "source 2's entry"),
    Field::new("level", 21, 2, "the result's level"),
    Field::new("entry", 23, 5, "the result's entry"),
    Field::new("main", 28, 1, "the result is written to the main register file too"),
    Field::new("strand", 29, 1, "a strand begins with the instruction"),
];

/// The levels in encoding order, with their spelling in text.
pub const LEVELS: [(u32, &str); 3] = [
    (0, "the main register file, `main` or `_`"),
    (1, "the last result file, `lrf`"),
    (2, "an entry of the operand register file, `orf0` to `orf31`"),
];

impl RegisterLevel {
    fn numbers(self) -> [u32; 2] {
        match self {
            RegisterLevel::Main => [0, 0],
            RegisterLevel::LastResult => [1, 0],
            RegisterLevel::Operand(entry) => [2, u32::from(entry)],
        }
    }

    fn of([level, entry]: [u32; 2]) -> Option<RegisterLevel> {
        match (level, entry) {
            (0, 0) => Some(RegisterLevel::Main),
            (1, 0) => Some(RegisterLevel::LastResult),
            (2, entry) => Some(RegisterLevel::Operand(entry as u8)),
            _ => None,
        }
    }
}

impl Placement {
    /// Returns true if the instruction is a switch point: before it the warp can leave an active pool.
    pub fn is_switch_point(&self) -> bool {
        self.strand
    }

    /// The word that encodes it.
    pub fn word(&self) -> u32 {
        let levels = self.sources.into_iter().chain([self.result]);
        let numbers = levels.flat_map(RegisterLevel::numbers);
        let flags = [u32::from(self.and_main), u32::from(self.strand)];
        let mut bits = 0;
        for (field, number) in PLACEMENT_FIELDS.iter().zip(numbers.chain(flags)) {
            field.put(&mut bits, number);
        }
        bits as u32
    }

    /// The placement that a word encodes, if it encodes one; each has one word.
    pub fn of_word(word: u32) -> Option<Placement> {
        let number = |at: usize| PLACEMENT_FIELDS[at].get(u128::from(word));
        let level = |at: usize| RegisterLevel::of([number(2 * at), number(2 * at + 1)]);
        let placement = Placement {
            sources: [level(0)?, level(1)?, level(2)?],
            result: level(3)?,
            and_main: number(8) != 0,
            strand: number(9) != 0,
        };
        (placement.word() == word).then_some(placement)
    }
}

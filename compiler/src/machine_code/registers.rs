//! Sets of physical registers, and which of them an instruction reads and writes.

use reconverge_isa::{Dest, Instruction, Operand, Pred, Reg};
use std::ops::Range;

/// Positions of general registers are first, those of predicates follow.
pub const GENERAL: usize = 256;
const WORDS: usize = GENERAL / 64 + 1;
/// The number of positions.
pub const POSITIONS: usize = 64 * WORDS;

/// A set of general registers and predicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers([u64; WORDS]);

impl Registers {
    /// The set of one operand's registers; of a pair both.
    pub fn of(positions: Range<usize>) -> Registers {
        let mut set = Registers::default();
        positions.for_each(|at| set.0[at / 64] |= 1 << (at % 64));
        set
    }

    /// Adds all of another set. Returns true if some were new.
    pub fn add(&mut self, other: Registers) -> bool {
        let before = *self;
        self.0.iter_mut().zip(other.0).for_each(|(word, more)| *word |= more);
        *self != before
    }

    /// Takes all of another set out.
    pub fn remove(&mut self, other: Registers) {
        self.0.iter_mut().zip(other.0).for_each(|(word, less)| *word &= !less);
    }

    /// Returns true if the sets share a register.
    pub fn intersects(self, other: Registers) -> bool {
        self.0.iter().zip(other.0).any(|(one, other)| one & other != 0)
    }

    /// Returns true if a position is in the set.
    pub fn has(self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 != 0
    }

    /// Its positions, in order.
    pub fn positions(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(word, mut rest)| {
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(64 * word + bit)
            })
        })
    }

    /// The number of its general registers.
    pub fn general(self) -> u32 {
        self.0[..GENERAL / 64].iter().map(|word| word.count_ones()).sum()
    }
}

fn general(register: Reg, count: u8) -> Range<usize> {
    let first = usize::from(register.0);
    first..(first + usize::from(count.max(1))).min(GENERAL)
}

fn predicate(predicate: Pred) -> Range<usize> {
    let at = GENERAL + usize::from(predicate.0 & 63);
    at..at + 1
}

/// The registers of a source; empty for other sources.
pub fn source(instruction: &Instruction, index: usize) -> Registers {
    let Some(kind) = instruction.source_kind(index) else {
        return Registers::default();
    };
    match instruction.sources[index] {
        Operand::Reg(register) => Registers::of(general(register, kind.registers())),
        Operand::Pred { predicate: number, .. } => Registers::of(predicate(number)),
        _ => Registers::default(),
    }
}

/// All that an instruction reads, its guard included.
pub fn reads(instruction: &Instruction) -> Registers {
    let mut set = Registers::default();
    for index in 0..instruction.sources.len() {
        set.add(source(instruction, index));
    }
    if let Some(guard) = instruction.guard {
        set.add(Registers::of(predicate(guard.predicate)));
    }
    set
}

/// The registers that an instruction certainly overwrites in a thread that executes it: none under
/// a guard, which may keep the old value.
pub fn overwrites(instruction: &Instruction) -> Registers {
    match instruction.guard {
        Some(_) => Registers::default(),
        None => destination(instruction),
    }
}

/// The registers that an instruction writes in threads whose guard is true.
pub fn destination(instruction: &Instruction) -> Registers {
    match (instruction.dest, instruction.result_kind()) {
        (Dest::Reg(register), Some(kind)) => Registers::of(general(register, kind.registers())),
        (Dest::Pred(number), _) => Registers::of(predicate(number)),
        _ => Registers::default(),
    }
}

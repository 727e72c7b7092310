//! The control bits of an instruction, by which the compiler states dependences: a record of a kernel beside its code.
//!
//! Sources: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §4; Aamodt, Fung, Rogers, "General-Purpose Graphics Processor
//! Architectures", §2.2.1. The layout is ours: an instruction has no bits left, so a word of
//! [`CONTROL_FIELDS`] accompanies it.

use crate::field::Field;

/// The largest stall count, in cycles.
pub const MAX_STALL: u8 = 15;
/// The dependence counters of a warp, numbered from 0.
pub const COUNTERS: u8 = 6;
/// Banks of a scheduler's register file: a register is in that of its number modulo banks (§5.3).
pub const BANKS: u8 = 2;
/// The largest value of a dependence counter.
pub const MAX_COUNT: u8 = 63;
/// The least stall count of `depbar.le`, so that it holds the next instruction (MICRO 2025, §4).
pub const DEPBAR_STALL: u8 = 4;

/// The control bits of an instruction. By default it waits for nothing, and no one waits for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ControlBits {
    /// The cycles from its issue to the earliest issue of the warp's next instruction, 0 to
    /// [`MAX_STALL`]; 0 and 1 are alike.
    pub stall: u8,
    /// The warp does not issue in the next cycle, even if no other warp can.
    pub yields: bool,
    /// The counter, below [`COUNTERS`], that rises when it issues and falls when its result is written.
    pub write: Option<u8>,
    /// The counter, below [`COUNTERS`], that rises when it issues and falls when its sources have been read.
    pub read: Option<u8>,
    /// It issues when the counters of this mask are 0; bit `i` is counter `i`.
    pub wait: u8,
    /// Bit `i` is set if the value of source `i` stays in the operand cache for the next instructions.
    pub reuse: u8,
    /// All active threads of the warp access one address: it could be in a uniform register.
    pub common: bool,
}

/// The fields of a word of control bits from the lowest bit to the highest.
pub const CONTROL_FIELDS: [Field; 7] = [
    Field::new("stall", 0, 4, "the stall count"),
    Field::new("yield", 4, 1, "the warp does not issue in the next cycle"),
    Field::new("write", 5, 3, "the write counter, all ones for none"),
    Field::new("read", 8, 3, "the read counter, all ones for none"),
    Field::new("wait", 11, 6, "the wait mask: bit i is counter i"),
    Field::new("reuse", 17, 3, "bit i: source i stays in the operand cache"),
    Field::new("common", 20, 1, "all active threads access one address"),
];

impl ControlBits {
    /// The word that encodes them.
    pub fn word(&self) -> u32 {
        let counter = |counter: Option<u8>| u32::from(counter.unwrap_or(u8::MAX));
        let numbers = [
            u32::from(self.stall),
            u32::from(self.yields),
            counter(self.write),
            counter(self.read),
            u32::from(self.wait),
            u32::from(self.reuse),
            u32::from(self.common),
        ];
        let mut bits = 0;
        for (field, number) in CONTROL_FIELDS.iter().zip(numbers) {
            field.put(&mut bits, number);
        }
        bits as u32
    }

    /// The control bits that a word encodes, if it encodes some; each have one word.
    pub fn of_word(word: u32) -> Option<ControlBits> {
        let number = |at: usize| CONTROL_FIELDS[at].get(u128::from(word)) as u8;
        let counter = |at: usize| {
            let number = number(at);
            (u32::from(number) != CONTROL_FIELDS[at].ones()).then_some(number)
        };
        let found = ControlBits {
            stall: number(0),
            yields: number(1) != 0,
            write: counter(2),
            read: counter(3),
            wait: number(4),
            reuse: number(5),
            common: number(6) != 0,
        };
        (found.word() == word).then_some(found)
    }

    /// The counters of the wait mask, in order.
    pub fn waits(self) -> impl Iterator<Item = u8> {
        (0..COUNTERS).filter(move |counter| self.wait >> counter & 1 != 0)
    }

    /// The cycles from its issue to the earliest issue of the warp's next instruction, at least 1.
    pub fn cycles(self) -> u8 {
        let stall = self.stall.max(1);
        if self.yields { stall.max(2) } else { stall }
    }
}

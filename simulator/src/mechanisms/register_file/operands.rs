//! Operands and results of instructions, as a register file sees them: registers of hardware warps.

use crate::handles::{RegisterRow, WarpSlot};
use reconverge_isa::RegisterLevel;
use std::ops::Range;

/// The most registers that one instruction reads: a product of matrices reads four, two and four.
pub const MAX_OPERANDS: usize = 10;

/// The reader of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reader {
    /// The hardware warp.
    pub warp: WarpSlot,
    /// The path's slot among those of the warp.
    pub slot: u16,
    /// The instruction goes to the load/store unit: until that has room it does not leave ([`Leave::NotBefore`](super::Leave::NotBefore)).
    pub is_memory: bool,
    /// The lanes of the warp that read.
    pub lanes: u64,
}

/// The registers that an instruction of a warp reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operands {
    /// The hardware warp.
    pub warp: WarpSlot,
    /// The lanes of the warp that read.
    pub lanes: u64,
    /// The path's slot among those of the warp.
    pub slot: u16,
    /// The instruction goes to the load/store unit: until that has room it does not leave ([`Leave::NotBefore`](super::Leave::NotBefore)).
    pub is_memory: bool,
    registers: [u16; MAX_OPERANDS],
    /// Their low bytes, the first one lowest.
    low_bytes: u128,
    count: u8,
    /// By place among the registers: this is the last read, by the compiler's mark.
    last: u16,
    /// By place: it is in the last result file, or in the operand register file.
    last_result: u16,
    operand: u16,
}

impl Operands {
    /// These registers in some lanes of a warp.
    pub fn of(self, warp: WarpSlot, lanes: u64) -> Operands {
        Operands { warp, lanes, ..self }
    }

    /// These registers, with their reader.
    #[inline]
    pub fn read_by(&self, Reader { warp, slot, is_memory, lanes }: Reader) -> Operands {
        Operands { warp, lanes, slot, is_memory, ..*self }
    }

    /// Adds a register, which is read for the last time or not, from a level; those beyond [`MAX_OPERANDS`] do not exist.
    pub fn push(&mut self, register: u16, is_last: bool, level: RegisterLevel) {
        if let Some(place) = self.registers.get_mut(usize::from(self.count)) {
            *place = register;
            self.low_bytes |= u128::from(register as u8) << (8 * self.count);
            self.last |= u16::from(is_last) << self.count;
            self.last_result |= u16::from(level == RegisterLevel::LastResult) << self.count;
            self.operand |= u16::from(matches!(level, RegisterLevel::Operand(_))) << self.count;
            self.count += 1;
        }
    }

    /// Takes a register out.
    pub fn remove(&mut self, register: u16) {
        let mut rest =
            Operands { slot: self.slot, ..Operands::default().of(self.warp, self.lanes) };
        for (place, &read) in self.registers().iter().enumerate() {
            if read != register {
                let bit = |of: u16| (of >> place & 1) << rest.count;
                rest.last |= bit(self.last);
                rest.last_result |= bit(self.last_result);
                rest.operand |= bit(self.operand);
                rest.registers[usize::from(rest.count)] = read;
                rest.low_bytes |= u128::from(read as u8) << (8 * rest.count);
                rest.count += 1;
            }
        }
        *self = rest;
    }

    /// Levels from which the register at a place is read before the main register file: the last
    /// result file, and the operand register file.
    pub fn levels(&self, place: usize) -> [bool; 2] {
        [self.last_result, self.operand].map(|of| of >> place & 1 != 0)
    }

    /// The registers in the order of the instruction's sources.
    pub fn registers(&self) -> &[u16] {
        &self.registers[..usize::from(self.count)]
    }

    /// Their low bytes, the first one lowest.
    #[inline]
    pub(crate) fn low_bytes(&self) -> u128 {
        self.low_bytes
    }

    /// The register at a place, one of them.
    #[inline]
    pub fn register(&self, place: usize) -> u16 {
        self.registers[place]
    }

    /// The row of the register at a place, one of them.
    #[inline]
    pub fn row(&self, place: usize) -> RegisterRow {
        self.warp.row(self.registers[place])
    }

    /// Returns true if the register at a place is read for the last time before it is written again
    /// or the warp ends: the annotation `!last`. If paths of a warp run in turns, that holds for
    /// the lanes of the instruction's path only.
    pub fn is_last(&self, place: usize) -> bool {
        self.last >> place & 1 != 0
    }
}

/// The registers that an instruction writes, of no warp in particular.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultRegisters {
    /// The first register.
    pub register: u16,
    /// The number of registers, from the first one on.
    pub words: u8,
    /// The level that they are written to.
    pub level: RegisterLevel,
    /// They are written to the main register file too.
    pub and_main: bool,
    /// They are loaded from memory outside the SM, or computed by a unit with a long latency.
    pub is_long: bool,
}

impl ResultRegisters {
    /// This result in some lanes of a warp.
    pub fn of(self, warp: WarpSlot, lanes: u64) -> Destination {
        let ResultRegisters { register, words, level, and_main, is_long } = self;
        Destination { warp, register, words, lanes, level, and_main, is_long }
    }
}

/// The registers that an instruction of a warp writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Destination {
    /// The hardware warp.
    pub warp: WarpSlot,
    /// The first register.
    pub register: u16,
    /// The number of registers, from the first one on.
    pub words: u8,
    /// The lanes of the warp that write.
    pub lanes: u64,
    /// The level that they are written to.
    pub level: RegisterLevel,
    /// They are written to the main register file too.
    pub and_main: bool,
    /// They are loaded from memory outside the SM, or computed by a unit with a long latency.
    pub is_long: bool,
}

impl Destination {
    /// The registers.
    pub fn registers(&self) -> Range<u16> {
        self.register..self.register + u16::from(self.words)
    }
}

/// The position of a path.
#[derive(Clone, Copy, Debug)]
pub struct PathAt {
    /// The hardware warp.
    pub warp: WarpSlot,
    /// The slot among those of the warp.
    pub slot: u16,
    /// The lanes.
    pub lanes: u64,
    /// The next instruction.
    pub pc: u32,
}

/// A register of a warp moves to the backing store or from it.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// The hardware warp.
    pub warp: WarpSlot,
    /// The register.
    pub register: u16,
    /// The instruction that needs it, or evicts it.
    pub pc: u32,
    /// It is written.
    pub is_store: bool,
    /// It takes a base and a stride.
    pub is_compressed: bool,
    /// Not before this cycle.
    pub ready: u64,
}

//! Lowers `printf`: a thread emits its values word by word, and they are formatted when the kernel
//! has ended.
//!
//! A call is the address of its format, the number of its values, their kinds ([`Printed`], of four
//! bits, eight in a word, the first lowest), and the values, of one or two words, the low one first.

use super::error::Result;
use super::tree::Lowerer;
use crate::check::tree::{Expr, Type};
use crate::ir::{self, Value};
use reconverge_isa::Op;

/// Kinds in a word.
pub const KINDS_PER_WORD: usize = 8;

/// The kind of a printed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Printed {
    /// A signed integer of a word.
    Int,
    /// An unsigned integer of a word.
    Unsigned,
    /// An integer of two words.
    Long,
    /// A `double`, two words.
    Double,
    /// An address, a word.
    Pointer,
}

impl Printed {
    const ALL: [Printed; 5] =
        [Printed::Int, Printed::Unsigned, Printed::Long, Printed::Double, Printed::Pointer];

    fn of(ty: &Type) -> Printed {
        match ty {
            Type::Double => Printed::Double,
            Type::Int(kind) if kind.size() == 8 => Printed::Long,
            Type::Int(kind) if kind.signed() => Printed::Int,
            Type::Pointer(_) => Printed::Pointer,
            _ => Printed::Unsigned,
        }
    }

    /// The kind of a number.
    pub fn from_number(number: u32) -> Option<Printed> {
        Printed::ALL.get(number as usize).copied()
    }

    /// The number of words of a value.
    pub fn words(self) -> usize {
        1 + usize::from(matches!(self, Printed::Long | Printed::Double))
    }
}

impl Lowerer<'_> {
    /// A call with its evaluated arguments; the result is how many values there are.
    pub(super) fn print(&mut self, arguments: &[Expr], values: &[Value]) -> Result<Option<Value>> {
        let Some((&format, rest)) = values.split_first() else {
            return Ok(None);
        };
        let kinds: Vec<Printed> =
            arguments.iter().skip(1).map(|argument| Printed::of(&argument.ty)).collect();
        let count = self.builder.word(rest.len() as u32);
        self.emit_word(format);
        self.emit_word(count);
        for group in kinds.chunks(KINDS_PER_WORD) {
            let codes = group.iter().rev().fold(0, |word, &kind| word << 4 | kind as u32);
            let codes = self.builder.word(codes);
            self.emit_word(codes);
        }
        for &value in rest {
            if self.builder.function().ty(value) != ir::Type::B64 {
                self.emit_word(value);
                continue;
            }
            for half in [Op::Low, Op::High] {
                let half = self.builder.compute(half, &[value]);
                self.emit_word(half);
            }
        }
        Ok(Some(count))
    }

    fn emit_word(&mut self, word: Value) {
        self.builder.collective(Op::Emit, &[word]);
    }

    /// Ends the run; see `trap` in the instruction set for the reasons.
    pub(super) fn trap(&mut self, reason: Value) {
        self.builder.collective(Op::Trap, &[reason]);
    }
}

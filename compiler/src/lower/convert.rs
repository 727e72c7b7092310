//! Lowers conversions between scalar types.

use super::tree::{Lowerer, register};
use crate::check::tree::{IntKind, Type};
use crate::ir::{self, Value};
use reconverge_isa::Op;
use reconverge_isa::planted::Planted;

/// The kind of arithmetic on a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

/// The arithmetic of a type; integers below a word compute as `int`, pointers as `unsigned`.
pub(super) fn number(ty: &Type) -> Number {
    match ty {
        Type::Float => Number::F32,
        Type::Double => Number::F64,
        Type::Pointer(_) => Number::U32,
        Type::Int(kind) => match (kind.size(), kind.signed()) {
            (8, true) => Number::I64,
            (8, false) => Number::U64,
            (4, false) => Number::U32,
            _ => Number::I32,
        },
        _ => Number::I32,
    }
}

impl Lowerer<'_> {
    /// Converts a scalar by C's rules.
    pub fn convert(&mut self, value: Value, from: &Type, to: &Type) -> Value {
        if from == to {
            return value;
        }
        if *to == Type::Bool {
            return self.is_not_zero(value, from);
        }
        if *from == Type::Bool {
            let word = self.builder.truth_as_word(value);
            return self.convert(word, &Type::INT, to);
        }
        match (number(from), number(to)) {
            (Number::F32 | Number::F64, _) | (_, Number::F32 | Number::F64) => {
                self.convert_float(value, from, to)
            }
            _ => self.convert_integer(value, from, to),
        }
    }

    /// Between integers and pointers.
    fn convert_integer(&mut self, value: Value, from: &Type, to: &Type) -> Value {
        let wide = |ty: &Type| register(ty) == ir::Type::B64;
        match (wide(from), wide(to)) {
            (true, true) => value,
            (false, true) => {
                let op = if from.is_signed() && !Planted::ZeroExtended.is_on() {
                    Op::Sext32
                } else {
                    Op::Zext32
                };
                self.builder.compute(op, &[value])
            }
            (true, false) => {
                let low = self.builder.compute(Op::Low, &[value]);
                self.narrow_to(low, to)
            }
            (false, false) => match (from, to) {
                (Type::Int(from), Type::Int(to)) if holds_all(*to, *from) => value,
                _ => self.narrow_to(value, to),
            },
        }
    }

    fn narrow_to(&mut self, word: Value, to: &Type) -> Value {
        match to {
            Type::Int(kind) => self.truncate(word, *kind),
            _ => word,
        }
    }

    /// Cuts a word to an integer type and extends it again.
    pub fn truncate(&mut self, word: Value, kind: IntKind) -> Value {
        let op = match (kind.size(), kind.signed()) {
            (1, true) => Op::Sext8,
            (1, false) => Op::Zext8,
            (2, true) => Op::Sext16,
            (2, false) => Op::Zext16,
            _ => return word,
        };
        self.builder.compute(op, &[word])
    }

    /// Between a float and any number. An integer below a word is reached through `int` or, if it is unsigned, through
    /// `unsigned`, as nvcc does.
    fn convert_float(&mut self, value: Value, from: &Type, to: &Type) -> Value {
        use Number::*;
        let word = match to {
            Type::Int(kind) if kind.size() < 4 && !kind.signed() => U32,
            _ => number(to),
        };
        let op = match (number(from), word) {
            (I32, F32) => Op::CvtF32S32,
            (U32, F32) => Op::CvtF32U32,
            (I64, F32) => Op::CvtF32S64,
            (U64, F32) => Op::CvtF32U64,
            (I32, F64) => Op::CvtF64S32,
            (U32, F64) => Op::CvtF64U32,
            (I64, F64) => Op::CvtF64S64,
            (U64, F64) => Op::CvtF64U64,
            (F32, I32) => Op::CvtS32F32,
            (F32, U32) => Op::CvtU32F32,
            (F32, I64) => Op::CvtS64F32,
            (F32, U64) => Op::CvtU64F32,
            (F64, I32) => Op::CvtS32F64,
            (F64, U32) => Op::CvtU32F64,
            (F64, I64) => Op::CvtS64F64,
            (F64, U64) => Op::CvtU64F64,
            (F32, F64) => Op::CvtF64F32,
            (F64, F32) => Op::CvtF32F64,
            _ => return value,
        };
        let converted = self.builder.compute(op, &[value]);
        self.narrow_to(converted, to)
    }

    /// Tests if a scalar differs from zero.
    pub fn is_not_zero(&mut self, value: Value, ty: &Type) -> Value {
        if *ty == Type::Bool {
            return value;
        }
        let op = match number(ty) {
            Number::I32 | Number::U32 => Op::SetNotEqualI32,
            Number::I64 | Number::U64 => Op::SetNotEqualI64,
            Number::F32 => Op::SetNotEqualF32,
            Number::F64 => Op::SetNotEqualF64,
        };
        let zero = self.builder.zero(register(ty));
        self.builder.compute(op, &[value, zero])
    }
}

/// Returns true if every value of `inner`, extended to a word, is one of `outer`, extended to a
/// word.
fn holds_all(outer: IntKind, inner: IntKind) -> bool {
    if outer.size() >= 4 {
        return true;
    }
    match (outer.signed(), inner.signed()) {
        (true, false) => inner.size() < outer.size(),
        (false, true) => false,
        _ => inner.size() <= outer.size(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_left_out_only_where_nothing_changes() {
        assert!(holds_all(IntKind::Short, IntKind::UChar));
        assert!(!holds_all(IntKind::UShort, IntKind::Char));
        assert!(!holds_all(IntKind::Char, IntKind::UChar));
        assert!(holds_all(IntKind::UInt, IntKind::Char));
    }
}

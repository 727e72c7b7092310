//! Rounds in a direction: conversions between numbers, and arithmetic.
//!
//! The machine rounds to nearest and downwards. Rounding upwards is rounding the opposite downwards;
//! towards zero is one or the other, by the sign of the result.

use super::convert::Number as N;
use super::ssa::Builder;
use crate::ir::{Type, Value};
use reconverge_isa::Op;

/// The direction of rounding for a result between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To the nearest, halves to even.
    Nearest,
    /// Towards zero.
    Zero,
    /// Downwards.
    Down,
    /// Upwards.
    Up,
}

impl Builder<'_> {
    /// The value of a truth in an expression that needs a register: 0 or 1.
    pub fn truth_as_word(&mut self, truth: Value) -> Value {
        let one = self.word(1);
        let zero = self.zero(Type::B32);
        self.compute(Op::Select, &[truth, one, zero])
    }

    /// The opposite of a truth value; instructions that read it take its complement for free.
    pub fn negate_truth(&mut self, truth: Value) -> Value {
        let one = self.constant(Type::Pred, 1);
        self.compute(Op::XorPred, &[truth, one])
    }

    /// A constant of the type that a floating-point value has.
    pub fn float_like(&mut self, value: Value, number: f64) -> Value {
        match self.function().ty(value) {
            Type::B64 => self.constant(Type::B64, number.to_bits()),
            _ => self.word((number as f32).to_bits()),
        }
    }

    /// Converts between numbers, and rounds in a direction.
    pub fn convert_directed(&mut self, value: Value, from: N, to: N, mode: Mode) -> Value {
        let is_float = |number: N| matches!(number, N::F32 | N::F64);
        match (is_float(from), is_float(to)) {
            (true, false) => {
                let [rint, floor, ceil] = match from {
                    N::F64 => [Op::RintF64, Op::FloorF64, Op::CeilF64],
                    _ => [Op::RintF32, Op::FloorF32, Op::CeilF32],
                };
                let whole = match mode {
                    Mode::Zero => value,
                    Mode::Nearest => self.compute(rint, &[value]),
                    Mode::Down => self.compute(floor, &[value]),
                    Mode::Up => self.compute(ceil, &[value]),
                };
                self.compute(to_integer(from, to), &[whole])
            }
            (false, _) if mode == Mode::Nearest => self.compute(from_integer(from, to), &[value]),
            (true, true) if mode == Mode::Nearest => self.compute(Op::CvtF32F64, &[value]),
            _ => {
                // Two roundings in one direction are one.
                let wide = if is_float(from) { value } else { self.as_double(value, from, mode) };
                match to {
                    N::F64 => wide,
                    _ => self.towards(mode, Op::CvtDownF32F64, &[wide], &[true]),
                }
            }
        }
    }

    /// An integer as a double, rounded in a direction.
    fn as_double(&mut self, value: Value, from: N, mode: Mode) -> Value {
        if matches!(from, N::I32 | N::U32) {
            return self.compute(from_integer(from, N::F64), &[value]);
        }
        // Either half is exact.
        let upper = if from == N::I64 { N::I32 } else { N::U32 };
        let [low, high] = [Op::Low, Op::High].map(|half| self.compute(half, &[value]));
        let low = self.compute(Op::CvtF64U32, &[low]);
        let high = self.compute(from_integer(upper, N::F64), &[high]);
        let weight = self.constant(Type::B64, 4_294_967_296f64.to_bits());
        let high = self.compute(Op::MulF64, &[high, weight]);
        self.towards(mode, Op::AddDownF64, &[high, low], &[true, true])
    }

    /// The opposite of a floating-point number.
    pub fn opposite(&mut self, value: Value) -> Value {
        let double = self.function().ty(value) == Type::B64;
        self.compute(if double { Op::NegF64 } else { Op::NegF32 }, &[value])
    }

    /// An operation that rounds downwards, in another direction; `flipped` marks the operands that
    /// change sign when the result does.
    pub fn towards(&mut self, mode: Mode, op: Op, operands: &[Value], flipped: &[bool]) -> Value {
        if mode == Mode::Down {
            return self.compute(op, operands);
        }
        let up = match op {
            Op::SqrtDownF32 if mode == Mode::Up => {
                return self.compute(Op::SqrtUpF32, operands);
            }
            Op::SqrtDownF64 if mode == Mode::Up => {
                return self.compute(Op::SqrtUpF64, operands);
            }
            // A root is not negative.
            Op::SqrtDownF32 | Op::SqrtDownF64 => return self.compute(op, operands),
            _ => {
                let operands: Vec<Value> = operands
                    .iter()
                    .zip(flipped)
                    .map(|(&operand, &flip)| if flip { self.opposite(operand) } else { operand })
                    .collect();
                let below = self.compute(op, &operands);
                // A product, not a negation: it keeps a NaN as it is.
                let minus = self.float_like(below, -1.0);
                let double = self.function().ty(below) == Type::B64;
                let times = if double { Op::MulF64 } else { Op::MulF32 };
                self.compute(times, &[below, minus])
            }
        };
        if mode == Mode::Up {
            return up;
        }
        let down = self.compute(op, operands);
        let double = self.function().ty(down) == Type::B64;
        let word = if double { self.compute(Op::High, &[down]) } else { down };
        let zero = self.word(0);
        let negative = self.compute(Op::SetLessS32, &[word, zero]);
        let select = if double { Op::Select64 } else { Op::Select };
        self.compute(select, &[negative, up, down])
    }
}

fn to_integer(from: N, to: N) -> Op {
    let ops = match from {
        N::F64 => [Op::CvtS32F64, Op::CvtU32F64, Op::CvtS64F64, Op::CvtU64F64],
        _ => [Op::CvtS32F32, Op::CvtU32F32, Op::CvtS64F32, Op::CvtU64F32],
    };
    ops[integer(to)]
}

fn from_integer(from: N, to: N) -> Op {
    let ops = match to {
        N::F64 => [Op::CvtF64S32, Op::CvtF64U32, Op::CvtF64S64, Op::CvtF64U64],
        _ => [Op::CvtF32S32, Op::CvtF32U32, Op::CvtF32S64, Op::CvtF32U64],
    };
    ops[integer(from)]
}

fn integer(number: N) -> usize {
    match number {
        N::I32 => 0,
        N::U32 => 1,
        N::I64 => 2,
        _ => 3,
    }
}

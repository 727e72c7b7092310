//! Lowers built-ins that are a few operations of the machine: mathematics and integers.

use super::builtin::Pure;
use super::tree::{Lowerer, register};
use crate::check::builtin::Builtin;
use crate::check::tree::{Expr, Type as Of};
use crate::ir::{Type, Value};
use reconverge_isa::Op;

/// The operations of `float`, or of `double`.
macro_rules! of {
    ($double:expr, $($single:ident $wide:ident),+) => {
        if $double { ($(Op::$wide),+) } else { ($(Op::$single),+) }
    };
}

impl Pure<'_, '_> {
    fn compute(&mut self, op: Op, operands: &[Value]) -> Value {
        self.builder.compute(op, operands)
    }

    fn select(&mut self, condition: Value, then: Value, otherwise: Value) -> Value {
        let op = match self.builder.function().ty(then) {
            Type::B64 => Op::Select64,
            _ => Op::Select,
        };
        self.compute(op, &[condition, then, otherwise])
    }

    fn is_double(&self, value: Value) -> bool {
        self.builder.function().ty(value) == Type::B64
    }

    /// Mathematics made of other mathematics. The last operand selects one of the two types.
    pub(super) fn composed_math(&mut self, builtin: Builtin, values: &[Value]) -> Option<Value> {
        use Builtin as B;
        let (&x, &last) = (values.first()?, values.last()?);
        let double = self.is_double(last);
        Some(match builtin {
            B::RcbrtF | B::RcbrtD => {
                let root = self.compute(of!(double, CbrtF32 CbrtF64), &[x]);
                self.reciprocal(root)
            }
            B::RhypotF | B::RhypotD => {
                let length = self.compute(of!(double, HypotF32 HypotF64), values);
                self.reciprocal(length)
            }
            B::Norm3dF | B::Norm3dD => self.length(values),
            B::Rnorm3dF | B::Rnorm3dD => {
                let length = self.length(values);
                self.reciprocal(length)
            }
            B::RcpRnD => self.reciprocal(x),
            B::FdimF | B::FdimD => {
                let (at_most, minus) = of!(double, SetLessEqualF32 SetLessEqualF64, SubF32 SubF64);
                let (least, zero) =
                    (self.compute(at_most, values), self.builder.float_like(x, 0.0));
                // Not the other comparison: the difference of a NaN is one.
                let difference = self.compute(minus, values);
                self.select(least, zero, difference)
            }
            B::LogbF | B::LogbD => {
                let (exponent, convert, times) =
                    of!(double, IlogbF32 IlogbF64, CvtF32S32 CvtF64S32, MulF32 MulF64);
                let exponent = self.compute(exponent, &[x]);
                let exponent = self.compute(convert, &[exponent]);
                let (usual, zero) = (self.is_usual(x), self.is_zero(x));
                // An infinity or a NaN.
                let square = self.compute(times, &[x, x]);
                let below = self.builder.float_like(x, f64::NEG_INFINITY);
                let other = self.select(zero, below, square);
                self.select(usual, exponent, other)
            }
            B::SignbitF | B::SignbitD => {
                let word = if double { self.compute(Op::High, &[x]) } else { x };
                let zero = self.builder.word(0);
                self.compute(Op::SetLessS32, &[word, zero])
            }
            B::LrintF | B::LrintD => {
                let (round, convert) = of!(double, RintF32 RintF64, CvtS64F32 CvtS64F64);
                let whole = self.compute(round, &[x]);
                self.compute(convert, &[whole])
            }
            B::LroundF | B::LroundD => {
                let (round, convert) = of!(double, RoundF32 RoundF64, CvtS64F32 CvtS64F64);
                let whole = self.compute(round, &[x]);
                self.compute(convert, &[whole])
            }
            B::ModfFractionF | B::ModfFractionD => {
                let (whole, minus, sign, abs) = of!(double, TruncF32 TruncF64, SubF32 SubF64,
                    CopysignF32 CopysignF64, AbsF32 AbsF64);
                let (equal, at_most) =
                    of!(double, SetEqualF32 SetEqualF64, SetLessEqualF32 SetLessEqualF64);
                let whole = self.compute(whole, &[x]);
                let rest = self.compute(minus, &[x, whole]);
                let (size, infinity) =
                    (self.compute(abs, &[x]), self.builder.float_like(x, f64::INFINITY));
                let (zero, infinite) =
                    (self.builder.float_like(x, 0.0), self.compute(equal, &[size, infinity]));
                let fraction = self.select(infinite, zero, rest);
                let signed = self.compute(sign, &[fraction, x]);
                let number = self.compute(at_most, &[size, infinity]);
                self.select(number, signed, rest)
            }
            B::FrexpExponentF | B::FrexpExponentD => self.exponent(x),
            B::FrexpMantissaF | B::FrexpMantissaD => {
                let (exponent, zero) = (self.exponent(x), self.builder.word(0));
                let back = self.compute(Op::Sub, &[zero, exponent]);
                self.compute(of!(double, ScalbnF32 ScalbnF64), &[x, back])
            }
            _ => return None,
        })
    }

    fn reciprocal(&mut self, x: Value) -> Value {
        let one = self.builder.float_like(x, 1.0);
        self.compute(of!(self.is_double(x), DivF32 DivF64), &[one, x])
    }

    fn length(&mut self, values: &[Value]) -> Value {
        let hypot = of!(self.is_double(values[0]), HypotF32 HypotF64);
        let two = self.compute(hypot, &values[..2]);
        self.compute(hypot, &[two, values[2]])
    }

    fn is_zero(&mut self, x: Value) -> Value {
        let zero = self.builder.float_like(x, 0.0);
        self.compute(of!(self.is_double(x), SetEqualF32 SetEqualF64), &[x, zero])
    }

    /// Tests if a value is finite and not zero.
    fn is_usual(&mut self, x: Value) -> Value {
        let (abs, less) = of!(self.is_double(x), AbsF32 AbsF64, SetLessF32 SetLessF64);
        let infinity = self.builder.float_like(x, f64::INFINITY);
        let size = self.compute(abs, &[x]);
        let finite = self.compute(less, &[size, infinity]);
        let zero = self.is_zero(x);
        let other = self.builder.negate_truth(zero);
        self.compute(Op::AndPred, &[finite, other])
    }

    /// The exponent that `frexp` stores.
    fn exponent(&mut self, x: Value) -> Value {
        let exponent = self.compute(of!(self.is_double(x), IlogbF32 IlogbF64), &[x]);
        let one = self.builder.word(1);
        let (next, usual) = (self.compute(Op::Add, &[exponent, one]), self.is_usual(x));
        let zero = self.builder.word(0);
        self.select(usual, next, zero)
    }

    /// Integer functions made of several operations.
    pub(super) fn composed_integer(&mut self, builtin: Builtin, values: &[Value]) -> Option<Value> {
        use Builtin as B;
        let &[x, y, ..] = values else {
            return None;
        };
        let average = |lowerer: &mut Self, shift: Op, up: bool| {
            let one = lowerer.builder.word(1);
            let differ = lowerer.compute(Op::Xor, &[x, y]);
            let half = lowerer.compute(shift, &[differ, one]);
            let (common, join) = if up { (Op::Or, Op::Sub) } else { (Op::And, Op::Add) };
            let common = lowerer.compute(common, &[x, y]);
            lowerer.compute(join, &[common, half])
        };
        Some(match builtin {
            B::HiLoToDouble => self.compute(Op::Pack, &[y, x]),
            B::HaddI => average(self, Op::ShrS32, false),
            B::HaddU => average(self, Op::ShrU32, false),
            B::RhaddI => average(self, Op::ShrS32, true),
            B::RhaddU => average(self, Op::ShrU32, true),
            B::SadI | B::SadU => {
                let (min, max) = match builtin {
                    B::SadI => (Op::MinS32, Op::MaxS32),
                    _ => (Op::MinU32, Op::MaxU32),
                };
                let (low, high) = (self.compute(min, &[x, y]), self.compute(max, &[x, y]));
                let difference = self.compute(Op::Sub, &[high, low]);
                self.compute(Op::Add, &[difference, *values.get(2)?])
            }
            B::FunnelL => self.compute(Op::FunnelLeft, &[x, y, *values.get(2)?]),
            B::FunnelLc => self.compute(Op::FunnelLeftClamp, &[x, y, *values.get(2)?]),
            B::FunnelR => self.compute(Op::FunnelRight, &[x, y, *values.get(2)?]),
            B::FunnelRc => self.compute(Op::FunnelRightClamp, &[x, y, *values.get(2)?]),
            B::Dp2aLoI | B::Dp2aLoU | B::Dp2aHiI | B::Dp2aHiU => {
                let signed = matches!(builtin, B::Dp2aLoI | B::Dp2aHiI);
                let first = if matches!(builtin, B::Dp2aHiI | B::Dp2aHiU) { 2 } else { 0 };
                let mut sum = *values.get(2)?;
                for part in 0..2 {
                    let half = self.piece(x, part, 2, signed);
                    let byte = self.piece(y, first + part, 4, signed);
                    sum = self.compute(Op::Mad, &[half, byte, sum]);
                }
                sum
            }
            _ => return None,
        })
    }

    /// One of `parts` parts of a word, from the lowest up, extended to a word.
    pub(super) fn piece(&mut self, word: Value, part: u32, parts: u32, signed: bool) -> Value {
        let shift = self.builder.word(part * 32 / parts);
        let shifted = self.compute(Op::ShrU32, &[word, shift]);
        let extend = match (parts, signed) {
            (2, true) => Op::Sext16,
            (2, false) => Op::Zext16,
            (_, true) => Op::Sext8,
            (_, false) => Op::Zext8,
        };
        self.compute(extend, &[shifted])
    }
}

impl Lowerer<'_> {
    /// A built-in that stores results through pointers; the operands are first.
    pub(super) fn several(
        &mut self,
        builtin: Builtin,
        arguments: &[Expr],
        values: &[Value],
    ) -> Option<Option<Value>> {
        let (own, stored) = builtin.results()?;
        let operands = values.len().checked_sub(stored.len())?;
        let (operands, places) = values.split_at(operands);
        let mut result = None;
        if let Some(own) = own {
            result = Some(self.one_value(own, operands)?);
        }
        for ((&which, &place), argument) in
            stored.iter().zip(places).zip(&arguments[operands.len()..])
        {
            let value = self.one_value(which, operands)?;
            let ty = match &argument.ty {
                Of::Pointer(to) => (**to).clone(),
                _ => return None,
            };
            debug_assert_eq!(register(&ty), self.builder.function().ty(value));
            self.store_scalar(place, &ty, value);
        }
        Some(result)
    }
}

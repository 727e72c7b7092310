//! Lowers built-ins on the halves or bytes of a word: each part by itself, put together again.

use super::builtin::Pure;
use crate::check::builtin::Builtin;
use crate::ir::{Type, Value};
use reconverge_isa::Op;

/// The operation on a part.
#[derive(Clone, Copy)]
enum Part {
    /// One operation.
    Plain(Op),
    /// One operation, with the result limited to the part's range.
    Saturated(Op),
    /// The larger less the smaller.
    Difference,
    /// Half of the sum, rounded as given.
    Average(Halves),
    /// All ones where a comparison holds, or 1.
    Compare(Op, bool),
    /// One operation on 0 and the part.
    FromZero(Op, bool),
    /// The absolute value.
    Abs(bool),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Halves {
    Down,
    Up,
    AwayFromZero,
}

/// The operation of a built-in on each part, true if the parts are signed, and their number.
fn meaning(builtin: Builtin) -> Option<(Part, bool, u32)> {
    use Builtin as B;
    use Part::*;
    const U: bool = false;
    const S: bool = true;
    Some(match builtin {
        B::VAbs2 => (Abs(false), S, 2),
        B::VAbs4 => (Abs(false), S, 4),
        B::VAbsSs2 => (Abs(true), S, 2),
        B::VAbsSs4 => (Abs(true), S, 4),
        B::VAbsDiffS2 => (Difference, S, 2),
        B::VAbsDiffS4 => (Difference, S, 4),
        B::VAbsDiffU2 => (Difference, U, 2),
        B::VAbsDiffU4 => (Difference, U, 4),
        B::VAdd2 => (Plain(Op::Add), U, 2),
        B::VAdd4 => (Plain(Op::Add), U, 4),
        B::VAddSs2 => (Saturated(Op::Add), S, 2),
        B::VAddSs4 => (Saturated(Op::Add), S, 4),
        B::VAddUs2 => (Saturated(Op::Add), U, 2),
        B::VAddUs4 => (Saturated(Op::Add), U, 4),
        B::VAvgS2 => (Average(Halves::AwayFromZero), S, 2),
        B::VAvgS4 => (Average(Halves::AwayFromZero), S, 4),
        B::VAvgU2 => (Average(Halves::Up), U, 2),
        B::VAvgU4 => (Average(Halves::Up), U, 4),
        B::VHaddU2 => (Average(Halves::Down), U, 2),
        B::VHaddU4 => (Average(Halves::Down), U, 4),
        B::VCmpEq2 => (Compare(Op::SetEqualI32, true), S, 2),
        B::VCmpEq4 => (Compare(Op::SetEqualI32, true), S, 4),
        B::VCmpNe2 => (Compare(Op::SetNotEqualI32, true), S, 2),
        B::VCmpNe4 => (Compare(Op::SetNotEqualI32, true), S, 4),
        B::VCmpGeS2 => (Compare(Op::SetGreaterEqualS32, true), S, 2),
        B::VCmpGeS4 => (Compare(Op::SetGreaterEqualS32, true), S, 4),
        B::VCmpGeU2 => (Compare(Op::SetGreaterEqualS32, true), U, 2),
        B::VCmpGeU4 => (Compare(Op::SetGreaterEqualS32, true), U, 4),
        B::VCmpGtS2 => (Compare(Op::SetGreaterS32, true), S, 2),
        B::VCmpGtS4 => (Compare(Op::SetGreaterS32, true), S, 4),
        B::VCmpGtU2 => (Compare(Op::SetGreaterS32, true), U, 2),
        B::VCmpGtU4 => (Compare(Op::SetGreaterS32, true), U, 4),
        B::VCmpLeS2 => (Compare(Op::SetLessEqualS32, true), S, 2),
        B::VCmpLeS4 => (Compare(Op::SetLessEqualS32, true), S, 4),
        B::VCmpLeU2 => (Compare(Op::SetLessEqualS32, true), U, 2),
        B::VCmpLeU4 => (Compare(Op::SetLessEqualS32, true), U, 4),
        B::VCmpLtS2 => (Compare(Op::SetLessS32, true), S, 2),
        B::VCmpLtS4 => (Compare(Op::SetLessS32, true), S, 4),
        B::VCmpLtU2 => (Compare(Op::SetLessS32, true), U, 2),
        B::VCmpLtU4 => (Compare(Op::SetLessS32, true), U, 4),
        B::VSetEq2 => (Compare(Op::SetEqualI32, false), S, 2),
        B::VSetEq4 => (Compare(Op::SetEqualI32, false), S, 4),
        B::VSetNe2 => (Compare(Op::SetNotEqualI32, false), S, 2),
        B::VSetNe4 => (Compare(Op::SetNotEqualI32, false), S, 4),
        B::VSetGeS2 => (Compare(Op::SetGreaterEqualS32, false), S, 2),
        B::VSetGeS4 => (Compare(Op::SetGreaterEqualS32, false), S, 4),
        B::VSetGeU2 => (Compare(Op::SetGreaterEqualS32, false), U, 2),
        B::VSetGeU4 => (Compare(Op::SetGreaterEqualS32, false), U, 4),
        B::VSetGtS2 => (Compare(Op::SetGreaterS32, false), S, 2),
        B::VSetGtS4 => (Compare(Op::SetGreaterS32, false), S, 4),
        B::VSetGtU2 => (Compare(Op::SetGreaterS32, false), U, 2),
        B::VSetGtU4 => (Compare(Op::SetGreaterS32, false), U, 4),
        B::VSetLeS2 => (Compare(Op::SetLessEqualS32, false), S, 2),
        B::VSetLeS4 => (Compare(Op::SetLessEqualS32, false), S, 4),
        B::VSetLeU2 => (Compare(Op::SetLessEqualS32, false), U, 2),
        B::VSetLeU4 => (Compare(Op::SetLessEqualS32, false), U, 4),
        B::VSetLtS2 => (Compare(Op::SetLessS32, false), S, 2),
        B::VSetLtS4 => (Compare(Op::SetLessS32, false), S, 4),
        B::VSetLtU2 => (Compare(Op::SetLessS32, false), U, 2),
        B::VSetLtU4 => (Compare(Op::SetLessS32, false), U, 4),
        B::VMaxS2 => (Plain(Op::MaxS32), S, 2),
        B::VMaxS4 => (Plain(Op::MaxS32), S, 4),
        B::VMaxU2 => (Plain(Op::MaxS32), U, 2),
        B::VMaxU4 => (Plain(Op::MaxS32), U, 4),
        B::VMinS2 => (Plain(Op::MinS32), S, 2),
        B::VMinS4 => (Plain(Op::MinS32), S, 4),
        B::VMinU2 => (Plain(Op::MinS32), U, 2),
        B::VMinU4 => (Plain(Op::MinS32), U, 4),
        B::VNeg2 => (FromZero(Op::Sub, false), S, 2),
        B::VNeg4 => (FromZero(Op::Sub, false), S, 4),
        B::VNegSs2 => (FromZero(Op::Sub, true), S, 2),
        B::VNegSs4 => (FromZero(Op::Sub, true), S, 4),
        B::VSadS2 => (Difference, S, 2),
        B::VSadS4 => (Difference, S, 4),
        B::VSadU2 => (Difference, U, 2),
        B::VSadU4 => (Difference, U, 4),
        B::VSub2 => (Plain(Op::Sub), U, 2),
        B::VSub4 => (Plain(Op::Sub), U, 4),
        B::VSubSs2 => (Saturated(Op::Sub), S, 2),
        B::VSubSs4 => (Saturated(Op::Sub), S, 4),
        B::VSubUs2 => (Saturated(Op::Sub), U, 2),
        B::VSubUs4 => (Saturated(Op::Sub), U, 4),
        _ => return None,
    })
}

/// Returns true if the parts of the result are summed up.
fn is_sum(builtin: Builtin) -> bool {
    use Builtin as B;
    matches!(builtin, B::VSadS2 | B::VSadS4 | B::VSadU2 | B::VSadU4)
}

impl Pure<'_, '_> {
    /// A built-in on parts of words.
    pub(super) fn simd(&mut self, builtin: Builtin, values: &[Value]) -> Option<Value> {
        let (what, signed, parts) = meaning(builtin)?;
        let (bits, mut joined) = (32 / parts, None);
        for number in 0..parts {
            let x = self.piece(*values.first()?, number, parts, signed);
            let y = match values.get(1) {
                Some(&y) => self.piece(y, number, parts, signed),
                None => x,
            };
            let mut value = self.one_part(what, [x, y], signed, bits);
            if !is_sum(builtin) {
                let (mask, shift) =
                    (self.builder.word((1 << bits) - 1), self.builder.word(number * bits));
                let cut = self.builder.compute(Op::And, &[value, mask]);
                value = self.builder.compute(Op::Shl, &[cut, shift]);
            }
            joined = Some(match joined {
                None => value,
                Some(before) => self.builder.compute(Op::Add, &[before, value]),
            });
        }
        joined
    }

    fn one_part(&mut self, what: Part, operands: [Value; 2], signed: bool, bits: u32) -> Value {
        let [x, _] = operands;
        let zero = self.builder.word(0);
        match what {
            Part::Plain(op) => self.builder.compute(op, &operands),
            Part::Saturated(op) => {
                let value = self.builder.compute(op, &operands);
                self.saturate(value, signed, bits)
            }
            Part::Difference => {
                let low = self.builder.compute(Op::MinS32, &operands);
                let high = self.builder.compute(Op::MaxS32, &operands);
                self.builder.compute(Op::Sub, &[high, low])
            }
            Part::Average(halves) => {
                let mut sum = self.builder.compute(Op::Add, &operands);
                let one = self.builder.word(1);
                if halves != Halves::Down {
                    let more = match halves {
                        Halves::AwayFromZero => {
                            let up = self.builder.compute(Op::SetGreaterEqualS32, &[sum, zero]);
                            self.builder.compute(Op::Select, &[up, one, zero])
                        }
                        _ => one,
                    };
                    sum = self.builder.compute(Op::Add, &[sum, more]);
                }
                self.builder.compute(Op::ShrS32, &[sum, one])
            }
            Part::Compare(op, ones) => {
                let yes = self.builder.word(if ones { u32::MAX } else { 1 });
                let holds = self.builder.compute(op, &operands);
                debug_assert_eq!(self.builder.function().ty(holds), Type::Pred);
                self.builder.compute(Op::Select, &[holds, yes, zero])
            }
            Part::FromZero(op, saturate) => {
                let value = self.builder.compute(op, &[zero, x]);
                if saturate { self.saturate(value, signed, bits) } else { value }
            }
            Part::Abs(saturate) => {
                let value = self.builder.compute(Op::Abs, &[x]);
                if saturate { self.saturate(value, signed, bits) } else { value }
            }
        }
    }

    fn saturate(&mut self, value: Value, signed: bool, bits: u32) -> Value {
        let (least, most) = match signed {
            true => (-1i32 << (bits - 1), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        };
        let (least, most) = (self.builder.word(least as u32), self.builder.word(most as u32));
        let value = self.builder.compute(Op::MaxS32, &[value, least]);
        self.builder.compute(Op::MinS32, &[value, most])
    }
}

//! Conversions to and from the types of tensor cores: pairs of floats of eight bits, and `.tf32`.

use super::Result;
use super::kernel::{Ins, Kernel};
use super::kind::is_pair;
use super::operand::{B32, F32};
use crate::ir::Value;
use reconverge_isa::Op;
use reconverge_ptx::tree::Type;

/// The bits of an infinite float, and of the largest finite `.tf32`.
const INFINITE: u32 = 0x7f80_0000;
const LARGEST_TF32: u32 = 0x7f7f_e000;

/// Returns true for `.e4m3x2`; the other type of pairs is `.e5m2x2`.
fn is_e4m3(ty: Type) -> bool {
    ty.name == "e4m3x2"
}

impl Kernel<'_, '_> {
    /// `cvt` to `.tf32`.
    pub fn rounded_to_tf32(&mut self, ins: Ins) -> Result<()> {
        let value = self.value(ins.operand(1)?, F32)?;
        let op = match ins.one_of(&["rna", "rz"]) {
            Some("rna") => Op::CvtAwayTf32F32,
            Some(_) => Op::CvtZeroTf32F32,
            None => Op::CvtTf32F32,
        };
        let mut value = self.builder.compute(op, &[value]);
        if ins.has("satfinite") {
            let [magnitude, sign, infinite, largest] =
                [0x7fff_ffff, 0x8000_0000, INFINITE, LARGEST_TF32].map(|it| self.builder.word(it));
            let magnitude = self.builder.compute(Op::And, &[value, magnitude]);
            let is_infinite = self.builder.compute(Op::SetEqualI32, &[magnitude, infinite]);
            let sign = self.builder.compute(Op::And, &[value, sign]);
            let limited = self.builder.compute(Op::Or, &[sign, largest]);
            value = self.select(is_infinite, limited, value);
        }
        if ins.has("relu") {
            value = self.without_negative(value, 32);
        }
        self.result(ins, value, B32)
    }

    /// Two floats, or two halves of a word, as a pair.
    pub fn narrowed_to_eighths(&mut self, ins: Ins, to: Type, from: Type) -> Result<()> {
        let first = self.value(ins.operand(1)?, from)?;
        let singles = match is_pair(from) {
            true => [1, 0].map(|at| self.half_as_single(from, first, at)),
            false => [first, self.value(ins.operand(2)?, from)?],
        };
        let narrow = if is_e4m3(to) { Op::CvtE4m3F32 } else { Op::CvtE5m2F32 };
        let [high, low] = singles.map(|single| {
            let byte = self.builder.compute(narrow, &[single]);
            if ins.has("relu") { self.without_negative(byte, 8) } else { byte }
        });
        let pair = self.join(&[low, high], 8, 16);
        self.result(ins, pair, to)
    }

    /// A pair as two halves of a word.
    pub fn widened_eighths(&mut self, ins: Ins, to: Type, from: Type) -> Result<()> {
        let pair = self.value(ins.operand(1)?, from)?;
        let widen = if is_e4m3(from) { Op::CvtF16E4m3 } else { Op::CvtF16E5m2 };
        let halves = [0, 8].map(|at| {
            let byte = self.piece(pair, at, 8, false);
            self.builder.compute(widen, &[byte])
        });
        let halves = self.join(&halves, 16, 32);
        let halves = self.limited_half(ins, halves, to);
        self.result(ins, halves, to)
    }

    /// The bits of a float whose sign is the highest of so many bits; zero if it is negative. No NaN is.
    fn without_negative(&mut self, value: Value, bits: u32) -> Value {
        let (above, all) = (self.builder.word(32 - bits), self.builder.word(31));
        let moved = self.builder.compute(Op::Shl, &[value, above]);
        let sign = self.builder.compute(Op::ShrS32, &[moved, all]);
        self.builder.compute(Op::AndNot, &[value, sign])
    }
}

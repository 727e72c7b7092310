//! Half precision and bfloat16: arithmetic on one value or on two in a word, and comparisons.
//!
//! A single value is the lower half of a word whose upper half is zero, so that operations on words of two serve both.

use super::Result;
use super::kernel::{Ins, Kernel};
use super::kind::{is_brain, is_half, is_pair, one};
use super::operand::{F32, PREDICATE};
use crate::ir::Value;
use reconverge_isa::Op;
use reconverge_ptx::tree::Type;

/// A mask for one value or for each of a pair.
fn each(ty: Type, bits: u32) -> u32 {
    if is_pair(ty) { bits << 16 | bits } else { bits }
}

impl Kernel<'_, '_> {
    /// Arithmetic on half precision.
    pub fn half(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.ty()?;
        let mut operands = Vec::new();
        for operand in &ins.it.operands[1..] {
            let value = self.value(operand, ty)?;
            operands.push(self.flushed_half(ins, value, ty));
        }
        let of = |half, brain| if is_brain(ty) { brain } else { half };
        let nan = ins.has("NaN");
        let value = match ins.mnemonic() {
            "add" => self.builder.compute(of(Op::AddF16x2, Op::AddBf16x2), &operands),
            "sub" => self.builder.compute(of(Op::SubF16x2, Op::SubBf16x2), &operands),
            "mul" => self.builder.compute(of(Op::MulF16x2, Op::MulBf16x2), &operands),
            "fma" => self.builder.compute(of(Op::FmaF16x2, Op::FmaBf16x2), &operands),
            "min" if nan => self.builder.compute(of(Op::MinNanF16x2, Op::MinNanBf16x2), &operands),
            "max" if nan => self.builder.compute(of(Op::MaxNanF16x2, Op::MaxNanBf16x2), &operands),
            "min" => self.builder.compute(of(Op::MinF16x2, Op::MinBf16x2), &operands),
            "max" => self.builder.compute(of(Op::MaxF16x2, Op::MaxBf16x2), &operands),
            "abs" => {
                let magnitude = self.builder.word(each(ty, 0x7fff));
                self.builder.compute(Op::And, &[operands[0], magnitude])
            }
            "neg" => {
                let signs = self.builder.word(each(ty, 0x8000));
                self.builder.compute(Op::Xor, &[operands[0], signs])
            }
            "ex2" => self.by_single(ty, operands[0], Op::Exp2F32),
            "tanh" => self.by_single(ty, operands[0], Op::TanhF32),
            _ => return Err(ins.refused("has no translation")),
        };
        let value = self.flushed_half(ins, value, ty);
        let value = self.limited_half(ins, value, ty);
        self.result(ins, value, ty)
    }

    /// A value with subnormals flushed to zero if the instruction has `.ftz`. bfloat16 has the exponents of single
    /// precision, and is flushed there.
    fn flushed_half(&mut self, ins: Ins, value: Value, ty: Type) -> Value {
        match ins.has("ftz") && !is_brain(ty) {
            true => self.builder.compute(Op::FlushF16x2, &[value]),
            false => value,
        }
    }

    /// Applies `.sat` and `.relu`.
    pub fn limited_half(&mut self, ins: Ins, value: Value, ty: Type) -> Value {
        let zero = self.builder.word(0);
        if ins.has("relu") {
            let op = if is_brain(ty) { Op::MaxNanBf16x2 } else { Op::MaxNanF16x2 };
            return self.builder.compute(op, &[value, zero]);
        }
        if !ins.has("sat") {
            return value;
        }
        let (max, min) = match is_brain(ty) {
            true => (Op::MaxBf16x2, Op::MinBf16x2),
            false => (Op::MaxF16x2, Op::MinF16x2),
        };
        // The maximum with 0 comes first: it turns a NaN into 0.
        let positive = self.builder.compute(max, &[value, zero]);
        let one = self.builder.word(one(ty));
        self.builder.compute(min, &[positive, one])
    }

    /// A function of single precision on a value, or on both of a pair.
    fn by_single(&mut self, ty: Type, value: Value, op: Op) -> Value {
        let mut halves = Vec::new();
        for at in 0..if is_pair(ty) { 2 } else { 1 } {
            let half = self.half_as_single(ty, value, at);
            let flushes = is_brain(ty) && op == Op::Exp2F32;
            let half = if flushes { self.builder.compute(Op::FlushF32, &[half]) } else { half };
            let result = self.builder.compute(op, &[half]);
            let result =
                if flushes { self.builder.compute(Op::FlushF32, &[result]) } else { result };
            let narrow = if is_brain(ty) { Op::CvtBf16F32 } else { Op::CvtF16F32 };
            halves.push(self.builder.compute(narrow, &[result]));
        }
        self.join(&halves, 16, 32)
    }

    /// A value of half precision, or one of a pair, in single precision.
    pub fn half_as_single(&mut self, ty: Type, value: Value, at: u32) -> Value {
        let widen = if is_brain(ty) { Op::CvtF32Bf16 } else { Op::CvtF32F16 };
        let half = match at {
            0 => value,
            _ => {
                let sixteen = self.builder.word(16);
                self.builder.compute(Op::ShrU32, &[value, sixteen])
            }
        };
        self.builder.compute(widen, &[half])
    }

    /// Comparisons of values of half precision: one, or two of a pair.
    pub fn compared_halves(&mut self, ins: Ins, word: &str, ty: Type) -> Result<Vec<Value>> {
        let (a, b) = (self.value(ins.operand(1)?, ty)?, self.value(ins.operand(2)?, ty)?);
        let [a, b] = [a, b].map(|value| self.flushed_half(ins, value, ty));
        let mut found = Vec::new();
        for at in 0..if is_pair(ty) { 2 } else { 1 } {
            let [a, b] = [a, b].map(|value| self.half_as_single(ty, value, at));
            found.push(self.ordered(word, F32, a, b));
        }
        Ok(found)
    }

    /// `setp` and `set` of pairs.
    pub fn compare_pairs(&mut self, ins: Ins, word: &str, of: Type) -> Result<()> {
        let found = self.compared_halves(ins, word, of)?;
        let mut holds = Vec::new();
        for value in found {
            holds.push(self.combined(ins, value)?);
        }
        let &[low, high] = holds.as_slice() else {
            return Err(ins.refused("compares no pair"));
        };
        if ins.mnemonic() == "setp" {
            return self.result_pair(ins, low, PREDICATE, |_| high);
        }
        let ty = ins.ty()?;
        let yes = if is_half(ty) { one(ty) & 0xffff } else { 0xffff };
        let low = self.word_of(low, yes);
        let high = self.word_of(high, yes << 16);
        let value = self.builder.compute(Op::Or, &[low, high]);
        self.result(ins, value, ty)
    }
}

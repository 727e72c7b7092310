//! Comparison, selection, logic and shifts.

use super::Result;
use super::integer::sized;
use super::kernel::{Ins, Kernel, register_type};
use super::kind::{is_half, is_pair, one};
use super::operand::{B32, PREDICATE, U32};
use crate::ir::Value;
use reconverge_isa::Op;
use reconverge_ptx::Constant;
use reconverge_ptx::tree::{Kind, OperandKind, Type};

const COMPARISONS: &[&str] = &[
    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu",
    "geu", "num", "nan",
];

impl Kernel<'_, '_> {
    /// Comparison, selection, logic and shifts.
    pub fn logic(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.ty()?;
        match ins.mnemonic() {
            "setp" | "set" if ins.types.second.or(ins.types.first).is_some_and(is_pair) => {
                let of = ins.types.second.unwrap_or(ty);
                self.compare_pairs(ins, comparison_word(ins), of)
            }
            "setp" => {
                let (holds, other) = self.comparison(ins, ty)?;
                self.result_pair(ins, holds, PREDICATE, |_| other)
            }
            "set" => {
                let of = ins.types.second.ok_or_else(|| ins.refused("has one type"))?;
                let (holds, _) = self.comparison(ins, of)?;
                let yes = match ty.kind {
                    _ if is_half(ty) => one(ty),
                    Kind::Float => 1f32.to_bits(),
                    _ => u32::MAX,
                };
                let value = self.word_of(holds, yes);
                self.result(ins, value, ty)
            }
            "selp" => {
                let (a, b) = (self.value(ins.operand(1)?, ty)?, self.value(ins.operand(2)?, ty)?);
                let condition = self.value(ins.operand(3)?, PREDICATE)?;
                let value = self.select(condition, a, b);
                self.result(ins, value, ty)
            }
            "slct" => self.by_sign(ins, ty),
            "and" | "or" | "xor" | "not" => {
                let value = self.bitwise(ins, ty)?;
                self.result(ins, value, ty)
            }
            "cnot" => {
                let a = self.value(ins.operand(1)?, ty)?;
                let zero = self.builder.zero(register_type(ty));
                let is =
                    self.builder.compute(sized(ty, Op::SetEqualI32, Op::SetEqualI64), &[a, zero]);
                let one = self.builder.constant(register_type(ty), 1);
                let value = self.select(is, one, zero);
                self.result(ins, value, ty)
            }
            "lop3" => self.lop3(ins, ty),
            "shf" => {
                let mut operands = Vec::new();
                for index in 1..4 {
                    operands.push(self.value(ins.operand(index)?, U32)?);
                }
                let op = match (ins.has("l"), ins.has("wrap")) {
                    (true, true) => Op::FunnelLeft,
                    (true, false) => Op::FunnelLeftClamp,
                    (false, true) => Op::FunnelRight,
                    (false, false) => Op::FunnelRightClamp,
                };
                let value = self.builder.compute(op, &operands);
                self.result(ins, value, ty)
            }
            "shl" | "shr" => {
                let a = self.extended(ins.operand(1)?, ty)?;
                let by = self.value(ins.operand(2)?, U32)?;
                let op = match (ins.mnemonic(), ty.kind) {
                    ("shl", _) => sized(ty, Op::Shl, Op::Shl64),
                    (_, Kind::Signed) => sized(ty, Op::ShrS32, Op::ShrS64),
                    _ => sized(ty, Op::ShrU32, Op::ShrU64),
                };
                let value = self.builder.compute(op, &[a, by]);
                self.result(ins, value, ty)
            }
            _ => self.permute(ins, ty),
        }
    }

    /// A comparison joined with a predicate if there is one, and what goes to a second destination.
    fn comparison(&mut self, ins: Ins, ty: Type) -> Result<(Value, Value)> {
        let word = comparison_word(ins);
        let holds = match is_half(ty) {
            true => self.compared_halves(ins, word, ty)?[0],
            false => {
                let (a, b) = self.both(ins, ty)?;
                let [a, b] = [a, b].map(|value| self.flushed(ins, value, ty));
                match ty.kind {
                    Kind::Float => self.ordered(word, ty, a, b),
                    _ => self.builder.compute(integer_comparison(word, ty), &[a, b]),
                }
            }
        };
        let other = self.not(holds);
        Ok((self.combined(ins, holds)?, self.combined(ins, other)?))
    }

    /// A comparison joined with a predicate if there is one.
    pub fn combined(&mut self, ins: Ins, holds: Value) -> Result<Value> {
        let op = match ins.one_of(&["and", "or", "xor"]) {
            Some("and") => Op::AndPred,
            Some("or") => Op::OrPred,
            Some(_) => Op::XorPred,
            None => return Ok(holds),
        };
        let with = self.value(ins.operand(3)?, PREDICATE)?;
        Ok(self.builder.compute(op, &[holds, with]))
    }

    /// A comparison of floats.
    pub fn ordered(&mut self, word: &str, ty: Type, a: Value, b: Value) -> Value {
        let one = |narrow, wide| sized(ty, narrow, wide);
        let (op, complement) = match word {
            "eq" => (one(Op::SetEqualF32, Op::SetEqualF64), false),
            "lt" => (one(Op::SetLessF32, Op::SetLessF64), false),
            "le" => (one(Op::SetLessEqualF32, Op::SetLessEqualF64), false),
            "gt" => (one(Op::SetGreaterF32, Op::SetGreaterF64), false),
            "ge" => (one(Op::SetGreaterEqualF32, Op::SetGreaterEqualF64), false),
            // Unordered ones hold where the opposite does not.
            "neu" => (one(Op::SetEqualF32, Op::SetEqualF64), true),
            "ltu" => (one(Op::SetGreaterEqualF32, Op::SetGreaterEqualF64), true),
            "leu" => (one(Op::SetGreaterF32, Op::SetGreaterF64), true),
            "gtu" => (one(Op::SetLessEqualF32, Op::SetLessEqualF64), true),
            "geu" => (one(Op::SetLessF32, Op::SetLessF64), true),
            _ => return self.with_nans(word, ty, a, b),
        };
        let holds = self.builder.compute(op, &[a, b]);
        if complement { self.not(holds) } else { holds }
    }

    /// The comparisons that ask for NaNs.
    fn with_nans(&mut self, word: &str, ty: Type, a: Value, b: Value) -> Value {
        let equal = sized(ty, Op::SetEqualF32, Op::SetEqualF64);
        let [first, second] = [a, b].map(|it| self.builder.compute(equal, &[it, it]));
        let numbers = self.builder.compute(Op::AndPred, &[first, second]);
        if word == "num" {
            return numbers;
        }
        if word == "nan" {
            return self.not(numbers);
        }
        let equal = self.builder.compute(equal, &[a, b]);
        match word {
            "ne" => {
                let not = self.not(equal);
                self.builder.compute(Op::AndPred, &[not, numbers])
            }
            _ => {
                let nan = self.not(numbers);
                self.builder.compute(Op::OrPred, &[equal, nan])
            }
        }
    }

    /// `slct`.
    fn by_sign(&mut self, ins: Ins, ty: Type) -> Result<()> {
        let of = ins.types.second.ok_or_else(|| ins.refused("has one type"))?;
        let (a, b) = (self.value(ins.operand(1)?, ty)?, self.value(ins.operand(2)?, ty)?);
        let c = self.value(ins.operand(3)?, of)?;
        let c = self.flushed(ins, c, of);
        let zero = self.builder.word(0);
        let op = match of.kind {
            Kind::Float => Op::SetGreaterEqualF32,
            _ => Op::SetGreaterEqualS32,
        };
        let holds = self.builder.compute(op, &[c, zero]);
        let value = self.select(holds, a, b);
        self.result(ins, value, ty)
    }

    fn bitwise(&mut self, ins: Ins, ty: Type) -> Result<Value> {
        let a = self.value(ins.operand(1)?, ty)?;
        let is_predicate = ty.kind == Kind::Predicate;
        if ins.mnemonic() == "not" {
            return Ok(match is_predicate {
                true => self.not(a),
                false => self.builder.compute(sized(ty, Op::Not, Op::Not64), &[a]),
            });
        }
        let b = self.value(ins.operand(2)?, ty)?;
        let (predicate, narrow, wide) = match ins.mnemonic() {
            "and" => (Op::AndPred, Op::And, Op::And64),
            "or" => (Op::OrPred, Op::Or, Op::Or64),
            _ => (Op::XorPred, Op::Xor, Op::Xor64),
        };
        let op = if is_predicate { predicate } else { sized(ty, narrow, wide) };
        Ok(self.builder.compute(op, &[a, b]))
    }

    /// `lop3`: the function whose table is the constant, bit `4a + 2b + c` for the bits a, b and c.
    fn lop3(&mut self, ins: Ins, ty: Type) -> Result<()> {
        let mut operands = Vec::new();
        for index in 1..4 {
            operands.push(self.value(ins.operand(index)?, ty)?);
        }
        let table = match &ins.operand(4)?.kind {
            OperandKind::Constant(Constant::Integer { bits, .. }) if *bits < 256 => *bits as u8,
            _ => return Err(ins.refused("has a table that is no number below 256")),
        };
        let value = self.function_of(table, &operands);
        if !(ins.has("or") || ins.has("and")) {
            return self.result(ins, value, ty);
        }
        let zero = self.builder.word(0);
        let some = self.builder.compute(Op::SetNotEqualI32, &[value, zero]);
        let with = self.value(ins.operand(5)?, PREDICATE)?;
        let op = if ins.has("or") { Op::OrPred } else { Op::AndPred };
        let joined = self.builder.compute(op, &[some, with]);
        self.result_pair(ins, value, ty, |_| joined)
    }

    /// A bitwise function of up to three words, by its table.
    fn function_of(&mut self, table: u8, words: &[Value]) -> Value {
        let [a, b, c] = [words[0], words[1], words[2]];
        // The tables of common ones.
        let known =
            |op: Op, operands: &[Value], kernel: &mut Self| kernel.builder.compute(op, operands);
        match table {
            0x00 => return self.builder.word(0),
            0xFF => return self.builder.word(u32::MAX),
            0xF0 => return a,
            0xCC => return b,
            0xAA => return c,
            0x80 => return known(Op::And3, &[a, b, c], self),
            0xFE => return known(Op::Or3, &[a, b, c], self),
            0x96 => return known(Op::Xor3, &[a, b, c], self),
            0xE8 => return known(Op::Majority, &[a, b, c], self),
            // `a ? b : c`, bit by bit.
            0xCA => return known(Op::BitSelect, &[b, c, a], self),
            0xEA => return known(Op::AndOr, &[a, b, c], self),
            0x6A => return known(Op::AndXor, &[a, b, c], self),
            0xA8 => return known(Op::OrAnd, &[a, b, c], self),
            0x28 => return known(Op::XorAnd, &[a, b, c], self),
            _ => {}
        }
        // Where the bit of `a` is 1 one function of `b` and `c`, else another.
        let [then, otherwise] =
            [table >> 4, table & 15].map(|table| self.function_of_two(table, b, c));
        self.builder.compute(Op::BitSelect, &[then, otherwise, a])
    }

    /// A bitwise function of two words, by its table: bit `2b + c`.
    fn function_of_two(&mut self, table: u8, b: Value, c: Value) -> Value {
        let plain = |kernel: &mut Self, table: u8| match table {
            0b0000 => kernel.builder.word(0),
            0b1010 => c,
            0b1100 => b,
            0b1000 => kernel.builder.compute(Op::And, &[b, c]),
            0b1110 => kernel.builder.compute(Op::Or, &[b, c]),
            0b0110 => kernel.builder.compute(Op::Xor, &[b, c]),
            0b0100 => kernel.builder.compute(Op::AndNot, &[b, c]),
            _ => kernel.builder.compute(Op::AndNot, &[c, b]),
        };
        match table {
            0b0000 | 0b1010 | 0b1100 | 0b1000 | 0b1110 | 0b0110 | 0b0100 | 0b0010 => {
                plain(self, table)
            }
            _ => {
                let complement = plain(self, !table & 15);
                self.builder.compute(Op::Not, &[complement])
            }
        }
    }

    /// `prmt`.
    fn permute(&mut self, ins: Ins, ty: Type) -> Result<()> {
        let (a, b) = (self.value(ins.operand(1)?, B32)?, self.value(ins.operand(2)?, B32)?);
        let c = self.value(ins.operand(3)?, B32)?;
        // By the low two bits of `c`: the four digits that choose the bytes.
        let digits: Option<[u32; 4]> =
            match ins.one_of(&["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]) {
                Some("f4e") => Some([0x3210, 0x4321, 0x5432, 0x6543]),
                Some("b4e") => Some([0x5670, 0x6701, 0x7012, 0x0123]),
                Some("rc8") => Some([0x0000, 0x1111, 0x2222, 0x3333]),
                Some("ecl") => Some([0x3210, 0x3211, 0x3222, 0x3333]),
                Some("ecr") => Some([0x0000, 0x1110, 0x2210, 0x3210]),
                Some("rc16") => Some([0x1010, 0x3232, 0x1010, 0x3232]),
                _ => None,
            };
        let selector = match digits {
            None => c,
            Some(digits) => {
                let mut chosen = self.builder.word(digits[0]);
                let three = self.builder.word(3);
                let which = self.builder.compute(Op::And, &[c, three]);
                for (index, digits) in digits.into_iter().enumerate().skip(1) {
                    let index = self.builder.word(index as u32);
                    let is = self.builder.compute(Op::SetEqualI32, &[which, index]);
                    let digits = self.builder.word(digits);
                    chosen = self.builder.compute(Op::Select, &[is, digits, chosen]);
                }
                chosen
            }
        };
        let value = self.builder.compute(Op::Permute, &[a, b, selector]);
        let value = match digits {
            None => self.spread_signs(value, selector),
            Some(_) => value,
        };
        self.result(ins, value, ty)
    }

    /// The bytes of `prmt`, those whose digit has bit 3 replaced by eight copies of their sign.
    fn spread_signs(&mut self, bytes: Value, selector: Value) -> Value {
        let mut compute = |op: Op, value: Value, word: u32| {
            let word = self.builder.word(word);
            self.builder.compute(op, &[value, word])
        };
        let mut places = Vec::new();
        for digit in 0..4 {
            let bit = compute(Op::And, selector, 8 << (4 * digit));
            places.push(match digit {
                0 => compute(Op::ShrU32, bit, 3),
                1 => compute(Op::Shl, bit, 1),
                2 => compute(Op::Shl, bit, 5),
                _ => compute(Op::Shl, bit, 9),
            });
        }
        let signs = compute(Op::ShrU32, bytes, 7);
        let signs = compute(Op::And, signs, 0x0101_0101);
        let spread = compute(Op::Mul, signs, 0xFF);
        let low = self.builder.compute(Op::Or, &places[..2]);
        let all = self.builder.compute(Op::Or3, &[low, places[2], places[3]]);
        let full = self.builder.word(0xFF);
        let mask = self.builder.compute(Op::Mul, &[all, full]);
        self.builder.compute(Op::BitSelect, &[spread, bytes, mask])
    }
}

/// The comparison's word; `and` and its like follow it.
fn comparison_word(ins: Ins) -> &'static str {
    ins.one_of(COMPARISONS).unwrap_or("eq")
}

/// The comparison of integers that a word stands for.
fn integer_comparison(word: &str, ty: Type) -> Op {
    let of = |ops: [Op; 4]| {
        // `lo` and its like are unsigned whatever the type; bits compare for equality alone.
        let signed = ty.kind == Kind::Signed && !matches!(word, "lo" | "ls" | "hi" | "hs");
        ops[usize::from(ty.bits == 64) * 2 + usize::from(signed)]
    };
    match word {
        "ne" => sized(ty, Op::SetNotEqualI32, Op::SetNotEqualI64),
        "lt" | "lo" => of([Op::SetLessU32, Op::SetLessS32, Op::SetLessU64, Op::SetLessS64]),
        "le" | "ls" => {
            of([Op::SetLessEqualU32, Op::SetLessEqualS32, Op::SetLessEqualU64, Op::SetLessEqualS64])
        }
        "gt" | "hi" => {
            of([Op::SetGreaterU32, Op::SetGreaterS32, Op::SetGreaterU64, Op::SetGreaterS64])
        }
        "ge" | "hs" => of([
            Op::SetGreaterEqualU32,
            Op::SetGreaterEqualS32,
            Op::SetGreaterEqualU64,
            Op::SetGreaterEqualS64,
        ]),
        _ => sized(ty, Op::SetEqualI32, Op::SetEqualI64),
    }
}

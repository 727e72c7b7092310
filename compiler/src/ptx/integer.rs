//! Integer arithmetic.

use super::Result;
use super::kernel::{Ins, Kernel, register_type};
use super::operand::{PREDICATE, U32};
use crate::ir::{self, Value};
use reconverge_isa::Op;
use reconverge_ptx::tree::{Kind, Type};

/// An operation on 32 bits or 64.
pub fn sized(ty: Type, narrow: Op, wide: Op) -> Op {
    if ty.bits == 64 { wide } else { narrow }
}

/// An operation on unsigned or signed integers of 32 bits or 64.
fn of(ty: Type, ops: [Op; 4]) -> Op {
    let signed = usize::from(ty.kind == Kind::Signed);
    ops[usize::from(ty.bits == 64) * 2 + signed]
}

impl Kernel<'_, '_> {
    /// A quotient or remainder. PTX leaves the result for a zero divisor open, and compilers divide ahead of their tests for
    /// zero, so it must not trap.
    fn division(&mut self, ins: Ins, ty: Type) -> Result<Value> {
        let (a, b) = self.both(ins, ty)?;
        let of = register_type(ty);
        let most = if ty.bits == 64 { u64::MAX } else { u32::MAX.into() };
        let [zero, one, ones] = [0, 1, most].map(|bits| self.builder.constant(of, bits));
        let is_zero = self.builder.compute(sized(ty, Op::SetEqualI32, Op::SetEqualI64), &[b, zero]);
        let divisor = self.select(is_zero, one, b);
        let result = self.builder.compute(binary(ins.mnemonic(), ty), &[a, divisor]);
        let without = if ins.mnemonic() == "div" { ones } else { a };
        Ok(self.select(is_zero, without, result))
    }

    /// Integer arithmetic.
    pub fn integer(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.ty()?;
        if ins.has("cc") || matches!(ins.mnemonic(), "addc" | "subc" | "madc") {
            return self.carried(ins, ty);
        }
        if ins.has("sat") {
            return self.saturated(ins, ty);
        }
        let wide = ins.has("wide").then(|| doubled(ty));
        let value = match ins.mnemonic() {
            "div" | "rem" => self.division(ins, ty)?,
            "add" | "sub" | "min" | "max" => {
                let (a, b) = self.both(ins, ty)?;
                self.builder.compute(binary(ins.mnemonic(), ty), &[a, b])
            }
            "mul" | "mad" => match wide {
                Some(wide) => {
                    let value = self.wide(ins, ty, wide)?;
                    return self.result(ins, value, wide);
                }
                None => self.product(ins, ty)?,
            },
            "mul24" | "mad24" => self.product24(ins, ty)?,
            "sad" => {
                let (a, b) = self.both(ins, ty)?;
                let low = self.builder.compute(binary("min", ty), &[a, b]);
                let high = self.builder.compute(binary("max", ty), &[a, b]);
                let difference = self.builder.compute(binary("sub", ty), &[high, low]);
                let c = self.value(ins.operand(3)?, ty)?;
                self.builder.compute(binary("add", ty), &[difference, c])
            }
            "abs" => {
                let a = self.extended(ins.operand(1)?, ty)?;
                self.builder.compute(sized(ty, Op::Abs, Op::Abs64), &[a])
            }
            "neg" => {
                let (zero, a) =
                    (self.builder.zero(register_type(ty)), self.value(ins.operand(1)?, ty)?);
                self.builder.compute(binary("sub", ty), &[zero, a])
            }
            _ => return self.bits(ins, ty),
        };
        self.result(ins, value, ty)
    }

    /// Both operands of an operation that may look at their signs.
    pub fn both(&mut self, ins: Ins, ty: Type) -> Result<(Value, Value)> {
        Ok((self.extended(ins.operand(1)?, ty)?, self.extended(ins.operand(2)?, ty)?))
    }

    /// The whole product, and the addend of `mad`.
    fn wide(&mut self, ins: Ins, ty: Type, wide: Type) -> Result<Value> {
        let (a, b) = self.both(ins, ty)?;
        let product = match ty.bits {
            16 => self.builder.compute(Op::Mul, &[a, b]),
            _ => {
                let extend = if ty.kind == Kind::Signed { Op::Sext32 } else { Op::Zext32 };
                let [a, b] = [a, b].map(|value| self.builder.compute(extend, &[value]));
                self.builder.compute(Op::Mul64, &[a, b])
            }
        };
        match ins.mnemonic() {
            "mad" => {
                let c = self.value(ins.operand(3)?, wide)?;
                Ok(self.builder.compute(sized(wide, Op::Add, Op::Add64), &[product, c]))
            }
            _ => Ok(product),
        }
    }

    /// A half of the product, and the addend of `mad`.
    fn product(&mut self, ins: Ins, ty: Type) -> Result<Value> {
        let high = ins.has("hi");
        let (a, b) = self.both(ins, ty)?;
        let product = match (high, ty.bits) {
            (true, 16) => {
                let whole = self.builder.compute(Op::Mul, &[a, b]);
                let sixteen = self.builder.word(16);
                let upper = self.builder.compute(Op::ShrU32, &[whole, sixteen]);
                self.narrow(upper, 16)
            }
            (true, _) => {
                let ops = [Op::MulHighU32, Op::MulHighS32, Op::MulHighU64, Op::MulHighS64];
                self.builder.compute(of(ty, ops), &[a, b])
            }
            (false, _) if ins.mnemonic() == "mad" => {
                let c = self.value(ins.operand(3)?, ty)?;
                return Ok(self.builder.compute(sized(ty, Op::Mad, Op::Mad64), &[a, b, c]));
            }
            (false, _) => self.builder.compute(sized(ty, Op::Mul, Op::Mul64), &[a, b]),
        };
        match ins.mnemonic() {
            "mad" => {
                let c = self.value(ins.operand(3)?, ty)?;
                Ok(self.builder.compute(binary("add", ty), &[product, c]))
            }
            _ => Ok(product),
        }
    }

    /// A part of the product of 24 bits, and the addend of `mad24`.
    fn product24(&mut self, ins: Ins, ty: Type) -> Result<Value> {
        let (a, b) = self.both(ins, ty)?;
        let mut product = match ins.has("hi") {
            false => {
                let op = if ty.kind == Kind::Signed { Op::Mul24S } else { Op::Mul24U };
                self.builder.compute(op, &[a, b])
            }
            true => self.product24_high(ty, [a, b]),
        };
        if ins.mnemonic() == "mad24" {
            let c = self.value(ins.operand(3)?, ty)?;
            product = self.builder.compute(Op::Add, &[product, c]);
        }
        Ok(product)
    }

    /// Bits 16 to 47 of the product of 24 bits.
    fn product24_high(&mut self, ty: Type, factors: [Value; 2]) -> Value {
        let signed = ty.kind == Kind::Signed;
        let eight = self.builder.word(8);
        let (down, extend) =
            if signed { (Op::ShrS32, Op::Sext32) } else { (Op::ShrU32, Op::Zext32) };
        let [a, b] = factors.map(|factor| {
            let up = self.builder.compute(Op::Shl, &[factor, eight]);
            let cut = self.builder.compute(down, &[up, eight]);
            self.builder.compute(extend, &[cut])
        });
        let product = self.builder.compute(Op::Mul64, &[a, b]);
        let sixteen = self.builder.word(16);
        let shifted = self.builder.compute(Op::ShrU64, &[product, sixteen]);
        self.builder.compute(Op::Low, &[shifted])
    }

    /// A result limited to the range of a signed word.
    fn saturated(&mut self, ins: Ins, ty: Type) -> Result<()> {
        let (a, b) = self.both(ins, ty)?;
        let wide = |kernel: &mut Self, value| kernel.builder.compute(Op::Sext32, &[value]);
        let exact = match ins.mnemonic() {
            "add" | "sub" => {
                let op = if ins.mnemonic() == "add" { Op::Add64 } else { Op::Sub64 };
                let (a, b) = (wide(self, a), wide(self, b));
                self.builder.compute(op, &[a, b])
            }
            "mad" | "mad24" => {
                let product = match ins.mnemonic() {
                    "mad" => self.builder.compute(Op::MulHighS32, &[a, b]),
                    _ => self.product24_high(ty, [a, b]),
                };
                let c = self.value(ins.operand(3)?, ty)?;
                let (product, c) = (wide(self, product), wide(self, c));
                self.builder.compute(Op::Add64, &[product, c])
            }
            _ => return Err(ins.refused("does not saturate here")),
        };
        let value = self.limited(exact, i64::from(i32::MIN), i64::from(i32::MAX));
        let value = self.builder.compute(Op::Low, &[value]);
        self.result(ins, value, ty)
    }

    /// A signed value of 64 bits limited to a range.
    pub fn limited(&mut self, value: Value, least: i64, most: i64) -> Value {
        let least = self.builder.constant(ir::Type::B64, least as u64);
        let most = self.builder.constant(ir::Type::B64, most as u64);
        let value = self.builder.compute(Op::MaxS64, &[value, least]);
        self.builder.compute(Op::MinS64, &[value, most])
    }

    /// Arithmetic that reads or writes the carry.
    fn carried(&mut self, ins: Ins, ty: Type) -> Result<()> {
        let base = ins.mnemonic().trim_end_matches('c');
        let reads = base.len() != ins.mnemonic().len();
        let subtracts = base == "sub";
        let (a, b) = match base {
            "mad" => {
                let (a, b) = self.both(ins, ty)?;
                let product = match ins.has("hi") {
                    true => {
                        let ops = [Op::MulHighU32, Op::MulHighS32, Op::MulHighU64, Op::MulHighS64];
                        self.builder.compute(of(ty, ops), &[a, b])
                    }
                    false => self.builder.compute(sized(ty, Op::Mul, Op::Mul64), &[a, b]),
                };
                (product, self.value(ins.operand(3)?, ty)?)
            }
            _ => self.both(ins, ty)?,
        };
        let op = binary(if subtracts { "sub" } else { "add" }, ty);
        let less = sized(ty, Op::SetLessU32, Op::SetLessU64);
        let mut value = self.builder.compute(op, &[a, b]);
        // The sum wrapped if it is less than an addend; a difference borrows if it is of less from more.
        let mut carry = match subtracts {
            true => self.builder.compute(less, &[a, b]),
            false => self.builder.compute(less, &[value, a]),
        };
        if reads {
            let before = self.builder.read(self.carry);
            let one = self.word_of(before, 1);
            let one = match ty.bits {
                64 => self.builder.compute(Op::Zext32, &[one]),
                _ => one,
            };
            let first = value;
            value = self.builder.compute(op, &[first, one]);
            let again = match subtracts {
                true => self.builder.compute(less, &[first, one]),
                false => self.builder.compute(less, &[value, one]),
            };
            carry = self.builder.compute(Op::OrPred, &[carry, again]);
        }
        if ins.has("cc") {
            self.builder.write(self.carry, carry);
        }
        self.result(ins, value, ty)
    }

    /// Instructions on bits.
    fn bits(&mut self, ins: Ins, ty: Type) -> Result<()> {
        let (value, of) = match ins.mnemonic() {
            "popc" => (self.one(ins, ty, Op::Popc, Op::Popc64)?, U32),
            "clz" => (self.one(ins, ty, Op::Clz, Op::Clz64)?, U32),
            "brev" => (self.one(ins, ty, Op::Brev, Op::Brev64)?, ty),
            "bfind" => (self.find(ins, ty)?, U32),
            "bfe" => (self.extract(ins, ty)?, ty),
            "bfi" => (self.insert(ins, ty)?, ty),
            "szext" => (self.extend(ins, ty)?, ty),
            "bmsk" => (self.mask(ins)?, U32),
            "fns" => {
                let mut operands = Vec::new();
                for index in 1..4 {
                    operands.push(self.value(ins.operand(index)?, U32)?);
                }
                (self.builder.compute(Op::FindNth, &operands), U32)
            }
            "dp4a" | "dp2a" => (self.dot(ins)?, U32),
            _ => return Err(ins.refused("has no translation")),
        };
        self.result(ins, value, of)
    }

    fn one(&mut self, ins: Ins, ty: Type, narrow: Op, wide: Op) -> Result<Value> {
        let a = self.value(ins.operand(1)?, ty)?;
        Ok(self.builder.compute(sized(ty, narrow, wide), &[a]))
    }

    /// `bfind`.
    fn find(&mut self, ins: Ins, ty: Type) -> Result<Value> {
        let mut a = self.value(ins.operand(1)?, ty)?;
        if ty.kind == Kind::Signed {
            // A negative number is complemented first.
            let last = self.builder.word(u32::from(ty.bits) - 1);
            let sign = self.builder.compute(sized(ty, Op::ShrS32, Op::ShrS64), &[a, last]);
            a = self.builder.compute(sized(ty, Op::Xor, Op::Xor64), &[a, sign]);
        }
        let zeroes = self.builder.compute(sized(ty, Op::Clz, Op::Clz64), &[a]);
        let zero = self.builder.zero(register_type(ty));
        let none = self.builder.compute(sized(ty, Op::SetEqualI32, Op::SetEqualI64), &[a, zero]);
        let found = match ins.has("shiftamt") {
            true => zeroes,
            false => {
                let last = self.builder.word(u32::from(ty.bits) - 1);
                self.builder.compute(Op::Sub, &[last, zeroes])
            }
        };
        let ones = self.builder.word(u32::MAX);
        Ok(self.select(none, ones, found))
    }

    /// The low eight bits of an operand.
    fn low_byte(&mut self, ins: Ins, index: usize) -> Result<Value> {
        let value = self.value(ins.operand(index)?, U32)?;
        Ok(self.builder.compute(Op::Zext8, &[value]))
    }

    /// `bfe`.
    fn extract(&mut self, ins: Ins, ty: Type) -> Result<Value> {
        let a = self.value(ins.operand(1)?, ty)?;
        let (place, length) = (self.low_byte(ins, 2)?, self.low_byte(ins, 3)?);
        let bits = self.builder.word(ty.bits.into());
        // Shifted up so that the field's last bit, or the value's, is the highest, and down again.
        let end = self.builder.compute(Op::Add, &[place, length]);
        let end = self.builder.compute(Op::MinU32, &[end, bits]);
        let up = self.builder.compute(Op::Sub, &[bits, end]);
        let shifted = self.builder.compute(sized(ty, Op::Shl, Op::Shl64), &[a, up]);
        let down = self.builder.compute(Op::Add, &[up, place]);
        let shift = of(ty, [Op::ShrU32, Op::ShrS32, Op::ShrU64, Op::ShrS64]);
        let field = self.builder.compute(shift, &[shifted, down]);
        let zero = self.builder.word(0);
        let empty = self.builder.compute(Op::SetEqualI32, &[length, zero]);
        let nothing = self.builder.zero(register_type(ty));
        Ok(self.select(empty, nothing, field))
    }

    /// `bfi`.
    fn insert(&mut self, ins: Ins, ty: Type) -> Result<Value> {
        let (a, b) = (self.value(ins.operand(1)?, ty)?, self.value(ins.operand(2)?, ty)?);
        let (place, length) = (self.low_byte(ins, 3)?, self.low_byte(ins, 4)?);
        let one = self.builder.constant(register_type(ty), 1);
        let shl = sized(ty, Op::Shl, Op::Shl64);
        let sub = sized(ty, Op::Sub, Op::Sub64);
        // From the width on, a shift leaves 0, and 0 - 1 is all ones.
        let end = self.builder.compute(shl, &[one, length]);
        let ones = self.builder.compute(sub, &[end, one]);
        let mask = self.builder.compute(shl, &[ones, place]);
        let moved = self.builder.compute(shl, &[a, place]);
        let and = sized(ty, Op::And, Op::And64);
        let inside = self.builder.compute(and, &[moved, mask]);
        let not = self.builder.compute(sized(ty, Op::Not, Op::Not64), &[mask]);
        let outside = self.builder.compute(and, &[b, not]);
        Ok(self.builder.compute(sized(ty, Op::Or, Op::Or64), &[inside, outside]))
    }

    /// A count of bits that is limited to 32 or taken modulo 32.
    fn count(&mut self, ins: Ins, index: usize) -> Result<Value> {
        let count = self.value(ins.operand(index)?, U32)?;
        let (op, limit) = if ins.has("wrap") { (Op::And, 31) } else { (Op::MinU32, 32) };
        let limit = self.builder.word(limit);
        Ok(self.builder.compute(op, &[count, limit]))
    }

    /// `szext`.
    fn extend(&mut self, ins: Ins, ty: Type) -> Result<Value> {
        let a = self.value(ins.operand(1)?, ty)?;
        let count = self.count(ins, 2)?;
        let bits = self.builder.word(32);
        let up = self.builder.compute(Op::Sub, &[bits, count]);
        let shifted = self.builder.compute(Op::Shl, &[a, up]);
        // Without any bit, 32 of a shifted 0 are 0.
        let down = if ty.kind == Kind::Signed { Op::ShrS32 } else { Op::ShrU32 };
        Ok(self.builder.compute(down, &[shifted, up]))
    }

    /// `bmsk`.
    fn mask(&mut self, ins: Ins) -> Result<Value> {
        let (place, count) = (self.count(ins, 1)?, self.count(ins, 2)?);
        let one = self.builder.word(1);
        let end = self.builder.compute(Op::Shl, &[one, count]);
        let ones = self.builder.compute(Op::Sub, &[end, one]);
        Ok(self.builder.compute(Op::Shl, &[ones, place]))
    }

    /// `dp4a` and `dp2a`.
    fn dot(&mut self, ins: Ins) -> Result<Value> {
        let signs = [ins.types.first, ins.types.second]
            .map(|ty| ty.is_some_and(|ty| ty.kind == Kind::Signed));
        let mut operands = Vec::new();
        for index in 1..4 {
            operands.push(self.value(ins.operand(index)?, U32)?);
        }
        let &[a, b, c] = operands.as_slice() else {
            return Err(ins.refused("has too few operands"));
        };
        let four = ins.mnemonic() == "dp4a";
        match (four, signs) {
            (true, [true, true]) => return Ok(self.builder.compute(Op::Dot4S, &[a, b, c])),
            (true, [false, false]) => return Ok(self.builder.compute(Op::Dot4U, &[a, b, c])),
            _ => {}
        }
        let (pieces, bits, first) = match (four, ins.has("hi")) {
            (true, _) => (4, 8, 0),
            (false, high) => (2, 16, if high { 2 } else { 0 }),
        };
        let mut sum = c;
        for piece in 0..pieces {
            let left = self.piece(a, piece * u32::from(bits), bits, signs[0]);
            let right = self.piece(b, (first + piece) * 8, 8, signs[1]);
            sum = self.builder.compute(Op::Mad, &[left, right, sum]);
        }
        Ok(sum)
    }

    /// Bits of a word from a place on, extended.
    pub fn piece(&mut self, word: Value, from: u32, bits: u8, signed: bool) -> Value {
        let from = self.builder.word(from);
        let shifted = self.builder.compute(Op::ShrU32, &[word, from]);
        match signed {
            true => self.signed(shifted, bits),
            false => self.narrow(shifted, bits),
        }
    }

    /// A comparison's result as a predicate.
    pub fn write_predicate(&mut self, ins: Ins, value: Value) -> Result<()> {
        self.result(ins, value, PREDICATE)
    }
}

/// The operation of a mnemonic on integers.
pub fn binary(mnemonic: &str, ty: Type) -> Op {
    match mnemonic {
        "sub" => sized(ty, Op::Sub, Op::Sub64),
        "min" => of(ty, [Op::MinU32, Op::MinS32, Op::MinU64, Op::MinS64]),
        "max" => of(ty, [Op::MaxU32, Op::MaxS32, Op::MaxU64, Op::MaxS64]),
        "div" => of(ty, [Op::DivU32, Op::DivS32, Op::DivU64, Op::DivS64]),
        "rem" => of(ty, [Op::RemU32, Op::RemS32, Op::RemU64, Op::RemS64]),
        _ => sized(ty, Op::Add, Op::Add64),
    }
}

/// The integer type that is twice as wide.
fn doubled(ty: Type) -> Type {
    let name = match (ty.kind, ty.bits) {
        (Kind::Signed, 16) => "s32",
        (Kind::Signed, _) => "s64",
        (_, 16) => "u32",
        _ => "u64",
    };
    Type::find(name).unwrap_or(ty)
}

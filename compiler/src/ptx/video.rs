//! Video instructions: on bytes and halves that selectors name, singly, or two or four at once.

use super::Result;
use super::kernel::{Ins, Kernel};
use super::operand::{B32, U32};
use crate::ir::{self, Value};
use reconverge_isa::Op;
use reconverge_ptx::form;
use reconverge_ptx::tree::{Kind, Operand, Type};

/// A value of 64 bits: signed and exact, or unsigned.
#[derive(Clone, Copy)]
struct Wide {
    value: Value,
    /// The value is not negative and may have bit 63.
    unsigned: bool,
}

/// The first bit and the number of bits that a scalar selector names.
fn scalar_part(selector: &str) -> (u32, u8) {
    let number = selector[1..].parse().unwrap_or(0);
    if selector.starts_with('b') { (number * 8, 8) } else { (number * 16, 16) }
}

impl Kernel<'_, '_> {
    /// A video instruction.
    pub fn video(&mut self, ins: Ins) -> Result<()> {
        match ins.mnemonic().as_bytes().last() {
            Some(b'2') => self.video_parts(ins, 2),
            Some(b'4') => self.video_parts(ins, 4),
            _ => self.video_scalar(ins),
        }
    }

    /// The types of an instruction: of the result and both sources. Comparisons give unsigned results.
    fn video_types(&self, ins: Ins) -> Result<[bool; 3]> {
        let words = ins.it.modifiers.iter().filter_map(|word| Type::find(&word.text));
        let signs: Vec<bool> = words.map(|ty| ty.kind == Kind::Signed).collect();
        match (signs.as_slice(), ins.mnemonic().starts_with("vset")) {
            (&[d, a, b], _) => Ok([d, a, b]),
            (&[a, b], true) => Ok([false, a, b]),
            _ => Err(ins.refused("needs a type for each operand")),
        }
    }

    fn extended_word(&mut self, word: Value, signed: bool) -> Value {
        self.builder.compute(if signed { Op::Sext32 } else { Op::Zext32 }, &[word])
    }

    /// The selected part of a source, extended.
    fn selected(&mut self, operand: &Operand, signed: bool) -> Result<Value> {
        let word = self.value(&operand.bare(), B32)?;
        let part = match operand.selector() {
            Some(selector) => {
                let (from, bits) = scalar_part(selector);
                self.piece(word, from, bits, signed)
            }
            None => word,
        };
        Ok(self.extended_word(part, signed))
    }

    fn video_scalar(&mut self, ins: Ins) -> Result<()> {
        let [to, a_signed, b_signed] = self.video_types(ins)?;
        let a = self.selected(ins.operand(1)?, a_signed)?;
        let b = self.selected(ins.operand(2)?, b_signed)?;
        if ins.mnemonic() == "vmad" {
            return self.video_multiply(ins, [a, b], [a_signed, b_signed]);
        }
        let target = ins.operand(0)?;
        let merges = target.selector();
        let second = ins.one_of(&["add", "min", "max"]);
        let result = match ins.mnemonic() {
            "vshl" | "vshr" => self.video_shift(ins, a, a_signed, b),
            name => Wide { value: self.video_operation(ins, name, a, b), unsigned: false },
        };
        let bits = merges.map_or(32, |selector| scalar_part(selector).1);
        let result = match ins.has("sat") {
            true => Wide { value: self.video_limited(result, bits, to), unsigned: false },
            false => result,
        };
        let has_third = ins.it.operands.len() > 3;
        if has_third != (merges.is_some() || second.is_some())
            || merges.is_some() && second.is_some()
        {
            return Err(ins.refused("takes a third source with either a selected destination or one of `.add`, `.min` and `.max`"));
        }
        if !has_third {
            let value = self.builder.compute(Op::Low, &[result.value]);
            return self.write(&target.bare(), value, U32);
        }
        let c = self.value(ins.operand(3)?, B32)?;
        let value = match (second, merges) {
            (Some(second), _) => {
                let c = self.extended_word(c, to);
                let value = self.video_second(second, result, c);
                self.builder.compute(Op::Low, &[value])
            }
            (None, selector) => {
                let (from, bits) = selector.map_or((0, 32), scalar_part);
                let low = self.builder.compute(Op::Low, &[result.value]);
                self.merged(c, low, from, bits.into())
            }
        };
        self.write(&target.bare(), value, U32)
    }

    /// The second operation, with an extended word.
    fn video_second(&mut self, second: &str, first: Wide, c: Value) -> Value {
        let (mut value, mut c) = (first.value, c);
        let op = match (second, first.unsigned) {
            ("add", _) => Op::Add64,
            ("min", false) => Op::MinS64,
            ("min", true) => {
                // A word is below this.
                let most = self.builder.constant(ir::Type::B64, 1 << 62);
                value = self.builder.compute(Op::MinU64, &[value, most]);
                Op::MinS64
            }
            (_, false) => Op::MaxS64,
            (_, true) => {
                let zero = self.builder.constant(ir::Type::B64, 0);
                c = self.builder.compute(Op::MaxS64, &[c, zero]);
                Op::MaxU64
            }
        };
        self.builder.compute(op, &[value, c])
    }

    /// A word with some of its bits replaced by the low bits of another.
    fn merged(&mut self, word: Value, low: Value, from: u32, bits: u32) -> Value {
        let by = self.builder.word(from);
        let mask = self.builder.word(((1 << bits) - 1) << from);
        let moved = self.builder.compute(Op::Shl, &[low, by]);
        self.builder.compute(Op::BitSelect, &[moved, word, mask])
    }

    /// An operation on values of 64 bits that hold 33 or fewer.
    fn video_operation(&mut self, ins: Ins, name: &str, a: Value, b: Value) -> Value {
        match name {
            "vset" => {
                let holds = self.video_comparison(ins, a, b);
                let value = self.word_of(holds, 1);
                self.extended_word(value, false)
            }
            "vadd" => self.builder.compute(Op::Add64, &[a, b]),
            "vsub" => self.builder.compute(Op::Sub64, &[a, b]),
            "vmin" => self.builder.compute(Op::MinS64, &[a, b]),
            "vmax" => self.builder.compute(Op::MaxS64, &[a, b]),
            _ => {
                let larger = self.builder.compute(Op::MaxS64, &[a, b]);
                let smaller = self.builder.compute(Op::MinS64, &[a, b]);
                self.builder.compute(Op::Sub64, &[larger, smaller])
            }
        }
    }

    fn video_comparison(&mut self, ins: Ins, a: Value, b: Value) -> Value {
        let op = match ins.one_of(&["eq", "ne", "lt", "le", "gt", "ge"]) {
            Some("ne") => Op::SetNotEqualI64,
            Some("lt") => Op::SetLessS64,
            Some("le") => Op::SetLessEqualS64,
            Some("gt") => Op::SetGreaterS64,
            Some("ge") => Op::SetGreaterEqualS64,
            _ => Op::SetEqualI64,
        };
        self.builder.compute(op, &[a, b])
    }

    fn video_shift(&mut self, ins: Ins, a: Value, signed: bool, b: Value) -> Wide {
        let by = self.builder.compute(Op::Low, &[b]);
        let (op, limit) = if ins.has("wrap") { (Op::And, 31) } else { (Op::MinU32, 32) };
        let limit = self.builder.word(limit);
        let by = self.builder.compute(op, &[by, limit]);
        let op = match (ins.mnemonic(), signed) {
            ("vshl", _) => Op::Shl64,
            (_, true) => Op::ShrS64,
            (_, false) => Op::ShrU64,
        };
        Wide { value: self.builder.compute(op, &[a, by]), unsigned: !signed }
    }

    /// A value limited to the range of so many bits.
    fn video_limited(&mut self, wide: Wide, bits: u8, signed: bool) -> Value {
        let most = (1i64 << (bits - u8::from(signed))) - 1;
        if wide.unsigned {
            let most = self.builder.constant(ir::Type::B64, most as u64);
            return self.builder.compute(Op::MinU64, &[wide.value, most]);
        }
        self.limited(wide.value, if signed { -most - 1 } else { 0 }, most)
    }

    /// `vmad`.
    fn video_multiply(&mut self, ins: Ins, [a, b]: [Value; 2], signs: [bool; 2]) -> Result<()> {
        let negated = |index: usize| ins.it.operands.get(index).is_some_and(Operand::is_negated);
        let (minus, minus_c) = (negated(1) != negated(2), negated(3));
        if minus && minus_c || ins.has("po") && (negated(1) || negated(2) || minus_c) {
            return Err(ins.refused("negates either the product or `c`, and nothing with `.po`"));
        }
        let signed_product = signs[0] || signs[1];
        let signed = signed_product || minus || minus_c;
        let mut product = self.builder.compute(Op::Mul64, &[a, b]);
        if signed && !signed_product && ins.has("sat") {
            // Larger products saturate anyway, and the negated limit fits into 64 bits.
            let most = self.builder.constant(ir::Type::B64, 1 << 62);
            product = self.builder.compute(Op::MinU64, &[product, most]);
        }
        let zero = self.builder.constant(ir::Type::B64, 0);
        let c = self.value(&ins.operand(3)?.bare(), B32)?;
        let mut c = self.extended_word(c, signed);
        if minus {
            product = self.builder.compute(Op::Sub64, &[zero, product]);
        }
        if minus_c {
            c = self.builder.compute(Op::Sub64, &[zero, c]);
        }
        let mut sum = self.builder.compute(Op::Add64, &[product, c]);
        if ins.has("po") {
            let one = self.builder.constant(ir::Type::B64, 1);
            sum = self.builder.compute(Op::Add64, &[sum, one]);
        }
        let by = match ins.one_of(&["shr7", "shr15"]) {
            Some("shr7") => 7,
            Some(_) => 15,
            None => 0,
        };
        if by != 0 {
            let by = self.builder.word(by);
            let op = if signed { Op::ShrS64 } else { Op::ShrU64 };
            sum = self.builder.compute(op, &[sum, by]);
        }
        if ins.has("sat") {
            sum = self.video_limited(Wide { value: sum, unsigned: !signed }, 32, signed);
        }
        let value = self.builder.compute(Op::Low, &[sum]);
        self.write(&ins.operand(0)?.bare(), value, U32)
    }

    /// An operation on two or four parts of words.
    fn video_parts(&mut self, ins: Ins, parts: u32) -> Result<()> {
        let [to, a_signed, b_signed] = self.video_types(ins)?;
        let (name, bits) = (&ins.mnemonic()[..ins.mnemonic().len() - 1], 32 / parts);
        let words =
            [self.value(&ins.operand(1)?.bare(), B32)?, self.value(&ins.operand(2)?.bare(), B32)?];
        let usual: [Vec<u32>; 2] = [(0..parts).collect(), (parts..2 * parts).collect()];
        let mut chosen = Vec::new();
        for (index, usual) in usual.iter().enumerate() {
            chosen.push(match ins.operand(index + 1)?.selector() {
                Some(selector) => form::selected_parts(selector),
                None => usual.clone(),
            });
        }
        let target = ins.operand(0)?;
        let mask = target.selector().map_or_else(|| usual[0].clone(), form::selected_parts);
        let c = self.value(ins.operand(3)?, B32)?;
        let mut result = c;
        for part in 0..parts {
            if !mask.contains(&part) {
                continue;
            }
            let source = |kernel: &mut Self, at: usize, signed: bool| {
                let index = chosen[at][part as usize];
                let word = words[(index / parts) as usize];
                let value = kernel.piece(word, index % parts * bits, bits as u8, signed);
                kernel.extended_word(value, signed)
            };
            let (a, b) = (source(self, 0, a_signed), source(self, 1, b_signed));
            let value = match name {
                "vavrg" => {
                    let sum = self.builder.compute(Op::Add64, &[a, b]);
                    let sixty_three = self.builder.word(63);
                    let sign = self.builder.compute(Op::ShrU64, &[sum, sixty_three]);
                    let one = self.builder.constant(ir::Type::B64, 1);
                    let up = self.builder.compute(Op::Xor64, &[sign, one]);
                    let sum = self.builder.compute(Op::Add64, &[sum, up]);
                    let by = self.builder.word(1);
                    self.builder.compute(Op::ShrS64, &[sum, by])
                }
                name => self.video_operation(ins, name, a, b),
            };
            let value = match ins.has("sat") {
                true => self.video_limited(Wide { value, unsigned: false }, bits as u8, to),
                false => value,
            };
            let low = self.builder.compute(Op::Low, &[value]);
            result = match ins.has("add") {
                true => self.builder.compute(Op::Add, &[result, low]),
                false => self.merged(result, low, part * bits, bits),
            };
        }
        self.write(&target.bare(), result, U32)
    }
}

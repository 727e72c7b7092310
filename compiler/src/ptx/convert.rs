//! Moves and conversions.

use super::Result;
use super::float::mode;
use super::integer::sized;
use super::kernel::{Ins, Kernel};
use super::kind::{is_half, is_pair};
use super::operand::{B32, B64, F32, F64, PREDICATE, S32, U32};
use crate::ir::{self, Value};
use crate::lower::convert::Number;
use crate::lower::rounding::Mode;
use reconverge_isa::{
    CONSTANT_BASE, CONSTANT_SIZE, GLOBAL_BASE, GLOBAL_END, LOCAL_BASE, Op, SHARED_BASE, WINDOW_SIZE,
};
use reconverge_ptx::tree::{Kind, Operand, OperandKind, Type};

/// How arithmetic on a type of 32 or 64 bits, or one that is extended to 32, is done.
fn number(ty: Type) -> Number {
    match (ty.kind, ty.bits) {
        (Kind::Float, 64) => Number::F64,
        (Kind::Float, _) => Number::F32,
        (Kind::Signed, 64) => Number::I64,
        (_, 64) => Number::U64,
        (Kind::Signed, _) => Number::I32,
        _ => Number::U32,
    }
}

impl Kernel<'_, '_> {
    /// `mov`.
    pub fn mov(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.ty()?;
        let (to, from) = (ins.operand(0)?, ins.operand(1)?);
        if ty.bits > 64 {
            let [low, high] = self.halves(from)?;
            let values = [self.value(&low, B64)?, self.value(&high, B64)?];
            for (half, value) in self.halves(to)?.iter().zip(values) {
                self.write(half, value, B64)?;
            }
            return Ok(());
        }
        let value = match &from.kind {
            OperandKind::Vector(items) => self.packed(items, ty)?,
            _ => self.value(from, ty)?,
        };
        match &to.kind {
            OperandKind::Vector(items) => self.unpack(items, value, ty),
            _ => self.result(ins, value, ty),
        }
    }

    /// Several values in one, the first in the low bits.
    fn packed(&mut self, items: &[Operand], ty: Type) -> Result<Value> {
        let element = part_type(ty, items.len());
        let mut values = Vec::new();
        for item in items {
            values.push(self.value(item, element)?);
        }
        Ok(self.join(&values, element.bits, ty.bits))
    }

    /// Values of so many bits each in one of 32 bits or less, or of 64.
    pub fn join(&mut self, values: &[Value], each: u8, bits: u8) -> Value {
        match (each, bits) {
            (32, 64) => self.builder.compute(Op::Pack, values),
            (_, 64) => {
                let (low, high) = values.split_at(values.len() / 2);
                let halves = [low, high].map(|half| self.join(half, each, 32));
                self.builder.compute(Op::Pack, &halves)
            }
            _ => {
                let mut all = values[0];
                for (at, &value) in values.iter().enumerate().skip(1) {
                    let by = self.builder.word(at as u32 * u32::from(each));
                    let moved = self.builder.compute(Op::Shl, &[value, by]);
                    all = self.builder.compute(Op::Or, &[all, moved]);
                }
                all
            }
        }
    }

    /// Writes the parts of a value, the lowest first.
    fn unpack(&mut self, items: &[Operand], value: Value, ty: Type) -> Result<()> {
        let element = part_type(ty, items.len());
        for (at, item) in items.iter().enumerate() {
            let part = self.part(value, ty.bits, at as u32, element.bits);
            self.write(item, part, element)?;
        }
        Ok(())
    }

    /// A part of a value of so many bits.
    pub fn part(&mut self, value: Value, bits: u8, at: u32, each: u8) -> Value {
        let place = at * u32::from(each);
        if bits != 64 {
            return self.piece(value, place, each, false);
        }
        let half = if place < 32 { Op::Low } else { Op::High };
        let word = self.builder.compute(half, &[value]);
        match each {
            32 => word,
            _ => self.piece(word, place % 32, each, false),
        }
    }

    /// `cvta` and `isspacep`: all addresses are generic.
    pub fn address_space(&mut self, ins: Ins) -> Result<()> {
        if ins.mnemonic() == "cvta" {
            let value = self.value(ins.operand(1)?, B64)?;
            let value = match ins.has("to") && ins.has("global") {
                true => self.as_global(value),
                false => value,
            };
            return self.result(ins, value, B64);
        }
        let windows = [
            ("global", GLOBAL_BASE, GLOBAL_END - GLOBAL_BASE),
            ("local", LOCAL_BASE, WINDOW_SIZE),
            ("const", CONSTANT_BASE, CONSTANT_SIZE),
        ];
        let found = windows.into_iter().find(|(space, ..)| ins.has(space));
        let (_, base, size) = found.unwrap_or(("shared", SHARED_BASE, WINDOW_SIZE));
        let address = self.value(ins.operand(1)?, B64)?;
        let base = self.builder.constant(ir::Type::B64, base.into());
        let size = self.builder.constant(ir::Type::B64, size.into());
        let offset = self.builder.compute(Op::Sub64, &[address, base]);
        let within = self.builder.compute(Op::SetLessU64, &[offset, size]);
        self.result(ins, within, PREDICATE)
    }

    /// A parameter that is converted to an address of global memory points there.
    fn as_global(&mut self, value: Value) -> Value {
        match *self.builder.function().kind(value) {
            ir::Kind::Parameter { offset, .. } => {
                let low = self.builder.parameter(ir::Type::B32, offset, true);
                let high = self.builder.parameter(ir::Type::B32, offset + 4, false);
                self.builder.compute(Op::Pack, &[low, high])
            }
            _ => value,
        }
    }

    /// `cvt`.
    pub fn convert(&mut self, ins: Ins) -> Result<()> {
        if ins.has("pack") {
            return self.packed_integers(ins);
        }
        let to = ins.ty()?;
        if to.name == "tf32" {
            return self.rounded_to_tf32(ins);
        }
        let from = ins.types.second.ok_or_else(|| ins.refused("has one type"))?;
        if to.kind == Kind::Tensor {
            return self.narrowed_to_eighths(ins, to, from);
        }
        if from.kind == Kind::Tensor {
            return self.widened_eighths(ins, to, from);
        }
        let value = self.extended(ins.operand(1)?, from)?;
        let is_float = |ty: Type| ty.kind == Kind::Float || is_half(ty);
        if is_pair(to) {
            let second = self.value(ins.operand(2)?, from)?;
            let [high, low] = [value, second].map(|value| self.halved(ins, value, from, to));
            let value = self.join(&[low, high], 16, 32);
            return self.result(ins, value, to);
        }
        let value = match (is_float(from), is_float(to)) {
            (false, false) => self.integers(ins, value, from, to),
            (true, false) => self.converted_to_integer(ins, value, from, to),
            (false, true) if is_half(to) => {
                let wide =
                    self.builder.convert_directed(value, number(from), Number::F64, mode(ins));
                self.halved(ins, wide, F64, to)
            }
            (false, true) => {
                let value =
                    self.builder.convert_directed(value, number(from), number(to), mode(ins));
                self.finished(ins, value, to)
            }
            (true, true) => self.floats(ins, value, from, to),
        };
        self.result(ins, value, to)
    }

    /// `cvt.pack`.
    fn packed_integers(&mut self, ins: Ins) -> Result<()> {
        let widths = [
            ("u16", 16, false),
            ("s16", 16, true),
            ("u8", 8, false),
            ("s8", 8, true),
            ("u4", 4, false),
            ("s4", 4, true),
            ("u2", 2, false),
            ("s2", 2, true),
        ];
        let found = widths.into_iter().find(|(word, ..)| ins.has(word));
        let (_, bits, signed) = found.ok_or_else(|| ins.refused("has no type"))?;
        let ones = (1u32 << bits) - 1;
        let (least, most) = if signed { (!(ones >> 1), ones >> 1) } else { (0, ones) };
        let (least, most) = (self.builder.word(least), self.builder.word(most));
        let mask = self.builder.word(ones);
        let mut limited = Vec::new();
        for index in 1..3 {
            let value = self.value(ins.operand(index)?, S32)?;
            let value = self.builder.compute(Op::MaxS32, &[value, least]);
            let value = self.builder.compute(Op::MinS32, &[value, most]);
            limited.push(self.builder.compute(Op::And, &[value, mask]));
        }
        let by = self.builder.word(bits);
        let upper = self.builder.compute(Op::Shl, &[limited[0], by]);
        let mut value = self.builder.compute(Op::Or, &[upper, limited[1]]);
        if bits < 16 {
            let rest = self.value(ins.operand(3)?, B32)?;
            let by = self.builder.word(2 * bits);
            let rest = self.builder.compute(Op::Shl, &[rest, by]);
            value = self.builder.compute(Op::Or, &[value, rest]);
        }
        self.result(ins, value, U32)
    }

    /// Between integers; the value is extended to a word if it has less.
    fn integers(&mut self, ins: Ins, value: Value, from: Type, to: Type) -> Value {
        let signed = from.kind == Kind::Signed;
        let extend = if signed { Op::Sext32 } else { Op::Zext32 };
        if !ins.has("sat") {
            return match (from.bits, to.bits) {
                (64, 64) => value,
                (64, _) => {
                    let low = self.builder.compute(Op::Low, &[value]);
                    self.narrow(low, to.bits)
                }
                (_, 64) => self.builder.compute(extend, &[value]),
                _ => self.narrow(value, to.bits),
            };
        }
        let wide = match from.bits {
            64 => value,
            _ => self.builder.compute(extend, &[value]),
        };
        let limited = match (signed || from.bits < 64, to.kind == Kind::Signed) {
            (true, true) => {
                let most = i64::MAX >> (64 - to.bits);
                self.limited(wide, -most - 1, most)
            }
            (true, false) => {
                let most = if to.bits == 64 { i64::MAX } else { (1 << to.bits) - 1 };
                self.limited(wide, 0, most)
            }
            (false, to_signed) => {
                let most = u64::MAX >> (64 - to.bits + u8::from(to_signed));
                let most = self.builder.constant(ir::Type::B64, most);
                self.builder.compute(Op::MinU64, &[wide, most])
            }
        };
        match to.bits {
            64 => limited,
            _ => {
                let low = self.builder.compute(Op::Low, &[limited]);
                self.narrow(low, to.bits)
            }
        }
    }

    /// From a float to an integer.
    fn converted_to_integer(&mut self, ins: Ins, value: Value, from: Type, to: Type) -> Value {
        let (value, from) = self.single(value, from);
        let value = self.flushed(ins, value, from);
        let whole = self.builder.convert_directed(value, number(from), number(to), mode(ins));
        if to.bits >= 32 {
            return whole;
        }
        let limited = match to.kind {
            Kind::Signed => {
                let most = (1u32 << (to.bits - 1)) - 1;
                let (least, most) = (self.builder.word(!most), self.builder.word(most));
                let value = self.builder.compute(Op::MaxS32, &[whole, least]);
                self.builder.compute(Op::MinS32, &[value, most])
            }
            _ => {
                let most = self.builder.word((1u32 << to.bits) - 1);
                let limited = self.builder.compute(Op::MinU32, &[whole, most]);
                match from.bits {
                    // The highest bit alone, not the largest integer.
                    64 => {
                        let unequal = self.builder.compute(Op::SetNotEqualF64, &[value, value]);
                        let highest = self.builder.word(1 << (to.bits - 1));
                        self.select(unequal, highest, limited)
                    }
                    _ => limited,
                }
            }
        };
        self.narrow(limited, to.bits)
    }

    /// A half as a single float; others as they are.
    fn single(&mut self, value: Value, ty: Type) -> (Value, Type) {
        match is_half(ty) {
            true => (self.half_as_single(ty, value, 0), F32),
            false => (value, ty),
        }
    }

    /// Between floats.
    fn floats(&mut self, ins: Ins, value: Value, from: Type, to: Type) -> Value {
        let rounds = ins.one_of(&["rni", "rzi", "rmi", "rpi"]).is_some();
        if from == to && is_half(to) && !rounds && !ins.has("sat") {
            return value;
        }
        let (mut value, from) = self.single(value, from);
        value = self.flushed(ins, value, from);
        if rounds {
            let op = match mode(ins) {
                Mode::Zero => sized(from, Op::TruncF32, Op::TruncF64),
                Mode::Down => sized(from, Op::FloorF32, Op::FloorF64),
                Mode::Up => sized(from, Op::CeilF32, Op::CeilF64),
                Mode::Nearest => sized(from, Op::RintF32, Op::RintF64),
            };
            value = self.builder.compute(op, &[value]);
        }
        if is_half(to) {
            return self.halved(ins, value, from, to);
        }
        if from.bits != to.bits {
            value = match to.bits {
                64 => self.builder.compute(Op::CvtF64F32, &[value]),
                _ => self.builder.convert_directed(value, Number::F64, Number::F32, mode(ins)),
            };
        }
        self.finished(ins, value, to)
    }

    /// A single or double float in half precision or as a bfloat16, rounded once.
    fn halved(&mut self, ins: Ins, value: Value, from: Type, to: Type) -> Value {
        let value = self.flushed(ins, value, from);
        let brain = matches!(to.kind, Kind::Brain | Kind::BrainPair);
        let bits = match (brain, mode(ins)) {
            (true, Mode::Zero) => self.builder.compute(Op::CvtZeroBf16F32, &[value]),
            (true, _) => self.builder.compute(Op::CvtBf16F32, &[value]),
            (false, Mode::Nearest) if from.bits == 32 => {
                self.builder.compute(Op::CvtF16F32, &[value])
            }
            (false, mode) => {
                let wide = match from.bits {
                    64 => value,
                    _ => self.builder.compute(Op::CvtF64F32, &[value]),
                };
                let op = match mode {
                    Mode::Zero => Op::CvtZeroF16F64,
                    Mode::Down => Op::CvtDownF16F64,
                    Mode::Up => Op::CvtUpF16F64,
                    Mode::Nearest => Op::CvtF16F64,
                };
                self.builder.compute(op, &[wide])
            }
        };
        self.limited_half(ins, bits, to)
    }

    /// Applies `.ftz` and `.sat` to a result.
    fn finished(&mut self, ins: Ins, value: Value, ty: Type) -> Value {
        let value = self.flushed(ins, value, ty);
        match ins.has("sat") {
            true => self.saturate(value, ty),
            false => value,
        }
    }
}

/// The type of a part of a value.
fn part_type(ty: Type, parts: usize) -> Type {
    Type { kind: Kind::Bits, bits: ty.bits / (parts.max(1) as u8), ..B32 }
}

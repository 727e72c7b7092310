//! Floating-point arithmetic.

use super::Result;
use super::integer::sized;
use super::kernel::{Ins, Kernel};
use crate::ir::{self, Value};
use crate::lower::rounding::Mode;
use reconverge_isa::Op;
use reconverge_ptx::tree::Type;

/// The direction that an instruction rounds in; to nearest if it names none.
pub fn mode(ins: Ins) -> Mode {
    match ins.one_of(&["rz", "rm", "rp", "rzi", "rmi", "rpi"]) {
        Some("rz" | "rzi") => Mode::Zero,
        Some("rm" | "rmi") => Mode::Down,
        Some("rp" | "rpi") => Mode::Up,
        _ => Mode::Nearest,
    }
}

/// An operation that rounds to nearest, the one that rounds downwards, and which operands change sign with the result.
struct Rounded {
    nearest: Op,
    down: Op,
    flipped: &'static [bool],
}

impl Kernel<'_, '_> {
    /// Floating-point arithmetic.
    pub fn float(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.ty()?;
        if ins.mnemonic() == "testp" {
            let holds = self.test(ins, ty)?;
            return self.write_predicate(ins, holds);
        }
        let mut operands = Vec::new();
        for operand in &ins.it.operands[1..] {
            let value = self.value(operand, ty)?;
            operands.push(self.flushed(ins, value, ty));
        }
        let value = match ins.mnemonic() {
            "rcp" if ins.has("approx") && ty.bits == 64 => self.rough_reciprocal(operands[0]),
            "add" | "sub" | "mul" | "fma" | "mad" | "div" | "rcp" | "sqrt" => {
                self.rounded(ins, ty, operands)?
            }
            "abs" => self.builder.compute(sized(ty, Op::AbsF32, Op::AbsF64), &operands),
            "neg" => self.builder.compute(sized(ty, Op::NegF32, Op::NegF64), &operands),
            "copysign" => {
                operands.reverse();
                self.builder.compute(sized(ty, Op::CopysignF32, Op::CopysignF64), &operands)
            }
            "min" | "max" => self.least(ins, ty, &operands),
            "rsqrt" if ins.has("ftz") && ty.bits == 64 => {
                let operand = self.flushed_double(operands[0]);
                let value = self.builder.compute(Op::RsqrtF64, &[operand]);
                self.upper_half(value)
            }
            "rsqrt" => self.builder.compute(sized(ty, Op::RsqrtF32, Op::RsqrtF64), &operands),
            "sin" => self.builder.compute(Op::SinApproxF32, &operands),
            "cos" => self.builder.compute(Op::CosApproxF32, &operands),
            "lg2" => self.builder.compute(Op::Log2ApproxF32, &operands),
            "ex2" => self.builder.compute(Op::Exp2F32, &operands),
            "tanh" => self.builder.compute(Op::TanhF32, &operands),
            _ => return Err(ins.refused("has no translation")),
        };
        let value = self.flushed(ins, value, ty);
        let value = match ins.has("sat") {
            true => self.saturate(value, ty),
            false => value,
        };
        self.result(ins, value, ty)
    }

    /// A value with subnormals turned into zeroes, if the instruction says so.
    pub fn flushed(&mut self, ins: Ins, value: Value, ty: Type) -> Value {
        match ins.has("ftz") && ty.bits == 32 {
            true => self.builder.compute(Op::FlushF32, &[value]),
            false => value,
        }
    }

    /// A value limited to 0 to 1; a NaN gives 0.
    pub fn saturate(&mut self, value: Value, ty: Type) -> Value {
        // The maximum with 0 comes first: it turns a NaN into 0.
        let zero = self.builder.float_like(value, 0.0);
        let one = self.builder.float_like(value, 1.0);
        let positive = self.builder.compute(sized(ty, Op::MaxF32, Op::MaxF64), &[value, zero]);
        self.builder.compute(sized(ty, Op::MinF32, Op::MinF64), &[positive, one])
    }

    /// An operation that is rounded once.
    fn rounded(&mut self, ins: Ins, ty: Type, mut operands: Vec<Value>) -> Result<Value> {
        let wide = ty.bits == 64;
        let of = |nearest: [Op; 2], down: [Op; 2], flipped| Rounded {
            nearest: nearest[usize::from(wide)],
            down: down[usize::from(wide)],
            flipped,
        };
        let mode = mode(ins);
        let operation = match ins.mnemonic() {
            "add" => of(
                [Op::AddF32, Op::AddF64],
                [Op::AddDownF32, Op::AddDownF64],
                &[true, true] as &[bool],
            ),
            "sub" if mode == Mode::Nearest => {
                return Ok(self.builder.compute(sized(ty, Op::SubF32, Op::SubF64), &operands));
            }
            "sub" => {
                operands[1] = self.builder.opposite(operands[1]);
                of(
                    [Op::AddF32, Op::AddF64],
                    [Op::AddDownF32, Op::AddDownF64],
                    &[true, true] as &[bool],
                )
            }
            "mul" => of([Op::MulF32, Op::MulF64], [Op::MulDownF32, Op::MulDownF64], &[true, false]),
            "fma" | "mad" => {
                of([Op::FmaF32, Op::FmaF64], [Op::FmaDownF32, Op::FmaDownF64], &[true, false, true])
            }
            "div" | "rcp" => {
                if ins.mnemonic() == "rcp" {
                    let one = self.builder.float_like(operands[0], 1.0);
                    operands.insert(0, one);
                }
                of([Op::DivF32, Op::DivF64], [Op::DivDownF32, Op::DivDownF64], &[true, false])
            }
            _ => of([Op::SqrtF32, Op::SqrtF64], [Op::SqrtDownF32, Op::SqrtDownF64], &[true]),
        };
        let Rounded { nearest, down, flipped } = operation;
        let value = match mode {
            Mode::Nearest => self.builder.compute(nearest, &operands),
            mode => self.builder.towards(mode, down, &operands, flipped),
        };
        Ok(value)
    }

    /// `rcp.approx.ftz.f64`: hardware computes the upper 32 bits.
    fn rough_reciprocal(&mut self, operand: Value) -> Value {
        let operand = self.flushed_double(operand);
        let one = self.builder.float_like(operand, 1.0);
        let value = self.builder.compute(Op::DivF64, &[one, operand]);
        self.upper_half(value)
    }

    /// The upper 32 bits of a double; zero if the double is subnormal.
    fn upper_half(&mut self, value: Value) -> Value {
        let value = self.flushed_double(value);
        let mask = self.builder.constant(ir::Type::B64, 0xFFFF_FFFF_0000_0000);
        self.builder.compute(Op::And64, &[value, mask])
    }

    /// A double with subnormals turned into zeroes.
    fn flushed_double(&mut self, value: Value) -> Value {
        let size = self.builder.compute(Op::AbsF64, &[value]);
        let least = self.builder.float_like(value, f64::MIN_POSITIVE);
        let is_small = self.builder.compute(Op::SetLessF64, &[size, least]);
        let zero = self.builder.float_like(value, 0.0);
        let zero = self.builder.compute(Op::CopysignF64, &[zero, value]);
        self.select(is_small, zero, value)
    }

    /// `min` and `max`.
    fn least(&mut self, ins: Ins, ty: Type, operands: &[Value]) -> Value {
        let op = match ins.mnemonic() {
            "min" => sized(ty, Op::MinF32, Op::MinF64),
            _ => sized(ty, Op::MaxF32, Op::MaxF64),
        };
        let value = self.builder.compute(op, operands);
        if !ins.has("NaN") {
            return value;
        }
        let unequal = sized(ty, Op::SetNotEqualF32, Op::SetNotEqualF64);
        let [a, b] = [operands[0], operands[1]].map(|it| self.builder.compute(unequal, &[it, it]));
        let either = self.builder.compute(Op::OrPred, &[a, b]);
        let canonical = match ty.bits {
            64 => self.builder.constant(ir::Type::B64, 0x7FFF_FFFF_FFFF_FFFF),
            _ => self.builder.word(0x7FFF_FFFF),
        };
        self.select(either, canonical, value)
    }

    /// `testp`.
    fn test(&mut self, ins: Ins, ty: Type) -> Result<Value> {
        let value = self.value(ins.operand(1)?, ty)?;
        let size = self.builder.compute(sized(ty, Op::AbsF32, Op::AbsF64), &[value]);
        let infinity = self.builder.float_like(value, f64::INFINITY);
        let least = match ty.bits {
            64 => self.builder.float_like(value, f64::MIN_POSITIVE),
            _ => self.builder.float_like(value, f32::MIN_POSITIVE.into()),
        };
        let zero = self.builder.float_like(value, 0.0);
        let less = sized(ty, Op::SetLessF32, Op::SetLessF64);
        let equal = sized(ty, Op::SetEqualF32, Op::SetEqualF64);
        let unequal = sized(ty, Op::SetNotEqualF32, Op::SetNotEqualF64);
        let kinds = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"];
        Ok(match ins.one_of(&kinds) {
            Some("finite") => self.builder.compute(less, &[size, infinity]),
            Some("infinite") => self.builder.compute(equal, &[size, infinity]),
            Some("number") => self.builder.compute(equal, &[value, value]),
            Some("notanumber") => self.builder.compute(unequal, &[value, value]),
            Some("normal") => {
                let most = self.builder.compute(less, &[size, infinity]);
                let small = self.builder.compute(less, &[size, least]);
                let large = self.not(small);
                self.builder.compute(Op::AndPred, &[most, large])
            }
            _ => {
                let small = self.builder.compute(less, &[size, least]);
                let some = self.builder.compute(less, &[zero, size]);
                self.builder.compute(Op::AndPred, &[small, some])
            }
        })
    }
}

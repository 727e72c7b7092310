//! Operands: values that are read, and results that are written.

use super::initial::constant_bits;
use super::kernel::{Ins, Kernel, Place, Symbol, register_type};
use super::{Refused, Result};
use crate::ir::{self, Value};
use crate::lower::ssa::Variable;
use reconverge_isa::Op;
use reconverge_ptx::tree::{Kind, Operand, OperandKind, Type};
use reconverge_ptx::{Span, element};

impl Kernel<'_, '_> {
    /// The register that an operand is, with its type.
    fn register_of(&mut self, operand: &Operand) -> Option<(Variable, Type)> {
        let (name, part) = match &operand.kind {
            OperandKind::Name(name) => (name, 0),
            OperandKind::Part(name, part) => (name, element(part)?),
            _ => return None,
        };
        match self.scopes.find(name) {
            // A register of 128 bits is read and written by halves.
            Some((&Symbol::Register(declaration, ty), index)) if ty.bits > 64 => {
                let is_half = matches!(operand.kind, OperandKind::Part(..));
                is_half.then(|| (self.register(declaration, index, part, B64), B64))
            }
            Some((&Symbol::Register(declaration, ty), index)) => {
                Some((self.register(declaration, index, part, ty), ty))
            }
            _ => None,
        }
    }

    /// The halves of an operand of 128 bits, the low one first: of a register, or of a vector in its place.
    pub fn halves(&self, operand: &Operand) -> Result<[Operand; 2]> {
        let half = |kind: OperandKind| Operand { kind, span: operand.span };
        match &operand.kind {
            OperandKind::Vector(items) if let [low, high] = items.as_slice() => {
                Ok([low.clone(), high.clone()])
            }
            OperandKind::Name(name) => {
                Ok(["x", "y"].map(|part| half(OperandKind::Part(name.clone(), part.into()))))
            }
            OperandKind::Sink => Ok([half(OperandKind::Sink), half(OperandKind::Sink)]),
            _ => Err(Refused::new(operand.span, "this operand has no value of 128 bits")),
        }
    }

    /// The value of a name that is a register, as it is.
    pub fn named(&mut self, name: &str, span: Span) -> Result<Value> {
        let operand = Operand { kind: OperandKind::Name(name.into()), span };
        match self.register_of(&operand) {
            Some((variable, _)) => Ok(self.builder.read(variable)),
            None => Err(Refused::new(span, format!("`{name}` is no register"))),
        }
    }

    /// The value of an operand, as one of a type: of fewer than 32 bits, the upper bits of the word are zero.
    pub fn value(&mut self, operand: &Operand, ty: Type) -> Result<Value> {
        if let Some((variable, own)) = self.register_of(operand) {
            let value = self.builder.read(variable);
            return Ok(self.cut(value, own, ty));
        }
        match &operand.kind {
            OperandKind::Constant(constant) => {
                let bits = constant_bits(*constant, ty);
                Ok(self.builder.constant(register_type(ty), bits))
            }
            OperandKind::Not(name) => {
                let value = self.named(name, operand.span)?;
                Ok(self.not(value))
            }
            OperandKind::Sink => Ok(self.builder.zero(register_type(ty))),
            OperandKind::Name(name) => self.special_or_address(name, "", 0, operand.span, ty),
            OperandKind::Part(name, part) => {
                self.special_or_address(name, part, 0, operand.span, ty)
            }
            OperandKind::Offset(name, offset) => {
                self.special_or_address(name, "", *offset, operand.span, ty)
            }
            _ => Err(Refused::new(operand.span, "this operand has no value")),
        }
    }

    /// A special register, or the address of a variable and bytes after it.
    fn special_or_address(
        &mut self,
        name: &str,
        part: &str,
        offset: i64,
        span: Span,
        ty: Type,
    ) -> Result<Value> {
        if let Some(value) = self.special(name, part) {
            let bits = if self.builder.function().ty(value) == ir::Type::B64 { 64 } else { 32 };
            return Ok(self.cut(value, Type { bits, ..ty }, ty));
        }
        let place = match self.scopes.find(name) {
            Some((&Symbol::Place(place), _)) => place,
            Some((Symbol::Missing, _)) => return Err(missing(name, span)),
            _ => {
                let message = format!("`{name}` is nothing that can be read here");
                return Err(Refused::new(span, message));
            }
        };
        let address = self.place(place, offset).ok_or_else(|| {
            let message = format!("the parameter `{name}` has no address here");
            Refused::new(span, message).help("read it with `ld.param`")
        })?;
        match ty.bits {
            64 => Ok(self.builder.compute(Op::Zext32, &[address])),
            _ => Ok(address),
        }
    }

    /// The address of a place, and bytes after it; a parameter has none.
    pub fn place(&mut self, place: Place, offset: i64) -> Option<Value> {
        let offset = offset as u32;
        Some(match place {
            Place::Window(space, base) => {
                // An offset below the variable's start is none of the window's.
                match base.checked_add_signed(offset as i32) {
                    Some(at) => self.builder.address(space, at),
                    None => {
                        let base = self.builder.address(space, base);
                        let offset = self.builder.word(offset);
                        self.builder.compute(Op::Add, &[base, offset])
                    }
                }
            }
            Place::Slot(slot) => {
                let base = self.builder.slot_address(slot);
                let offset = self.builder.word(offset);
                self.builder.compute(Op::Add, &[base, offset])
            }
            Place::Parameter(..) => return None,
        })
    }

    /// The low bits of a value, as a value of a type.
    pub fn cut(&mut self, value: Value, own: Type, ty: Type) -> Value {
        if ty.kind == Kind::Predicate || own.kind == Kind::Predicate {
            return value;
        }
        let value = match (own.bits, ty.bits) {
            (64, 64) => return value,
            (64, _) => self.builder.compute(Op::Low, &[value]),
            (_, 64) => return self.builder.compute(Op::Zext32, &[value]),
            _ => value,
        };
        match own.bits > ty.bits {
            true => self.narrow(value, ty.bits),
            false => value,
        }
    }

    /// A word whose bits above a width are zero.
    pub fn narrow(&mut self, word: Value, bits: u8) -> Value {
        match bits {
            8 => self.builder.compute(Op::Zext8, &[word]),
            16 => self.builder.compute(Op::Zext16, &[word]),
            _ => word,
        }
    }

    /// A value of a signed type with its sign in the bits above its width.
    pub fn signed(&mut self, value: Value, bits: u8) -> Value {
        match bits {
            8 => self.builder.compute(Op::Sext8, &[value]),
            16 => self.builder.compute(Op::Sext16, &[value]),
            _ => value,
        }
    }

    /// The value of an operand for an operation that looks at its sign.
    pub fn extended(&mut self, operand: &Operand, ty: Type) -> Result<Value> {
        let value = self.value(operand, ty)?;
        Ok(match ty.kind {
            Kind::Signed => self.signed(value, ty.bits),
            _ => value,
        })
    }

    /// Writes a result of a type. A wider register gets it extended, by its sign for signed types.
    pub fn write(&mut self, operand: &Operand, value: Value, ty: Type) -> Result<()> {
        if operand.kind == OperandKind::Sink {
            return Ok(());
        }
        let Some((variable, own)) = self.register_of(operand) else {
            return Err(Refused::new(operand.span, "a register is expected here"));
        };
        let value = match (ty.bits, own.bits) {
            _ if ty.kind == Kind::Predicate => value,
            (64, _) => value,
            (from, 64) => {
                let word = match ty.kind {
                    Kind::Signed => self.signed(value, from),
                    _ => self.narrow(value, from),
                };
                let extend = if ty.kind == Kind::Signed { Op::Sext32 } else { Op::Zext32 };
                self.builder.compute(extend, &[word])
            }
            (from, to) if from < to && ty.kind == Kind::Signed => {
                let word = self.signed(value, from);
                self.narrow(word, to)
            }
            (from, to) => self.narrow(value, from.min(to)),
        };
        self.assign(variable, value);
        Ok(())
    }

    /// The value that a destination keeps where the guard is false, if what is loaded goes to the register as it is.
    pub fn kept(&mut self, operand: &Operand, ty: Type) -> Option<Value> {
        self.guard?;
        let (variable, own) = self.register_of(operand)?;
        ((own.bits == 64) == (ty.bits == 64)).then(|| self.builder.read(variable))
    }

    /// Writes what a guarded access gives to a destination whose value it has [kept](Kernel::kept).
    pub fn replace(&mut self, operand: &Operand, value: Value, ty: Type) {
        if let Some((variable, own)) = self.register_of(operand) {
            let value = if ty.kind == Kind::Signed { self.narrow(value, own.bits) } else { value };
            self.builder.write(variable, value);
        }
    }

    /// Writes a register, under the guard.
    fn assign(&mut self, variable: Variable, value: Value) {
        let value = self.written(value);
        let value = match self.guard {
            None => value,
            Some(guard) => {
                let old = self.builder.read(variable);
                self.select(guard, value, old)
            }
        };
        self.builder.write(variable, value);
    }

    /// The value of an instruction that is kept as it is written: what it does not compute itself, it copies.
    fn written(&mut self, value: Value) -> Value {
        let is_own = value.index() >= self.first && !self.builder.function().kind(value).is_leaf();
        match self.context.as_written && !is_own && self.guard.is_none() {
            true => self.builder.opaque(value),
            false => value,
        }
    }

    /// The value that copies are of.
    pub fn uncopied(&self, mut value: Value) -> Value {
        use ir::Kind::Compute;
        while let Compute(Op::Mov | Op::Mov64, operands) = self.builder.function().kind(value) {
            value = operands[0];
        }
        value
    }

    /// One of two values of the same type.
    pub fn select(&mut self, condition: Value, then: Value, otherwise: Value) -> Value {
        match self.builder.function().ty(then) {
            ir::Type::B64 => self.builder.compute(Op::Select64, &[condition, then, otherwise]),
            ir::Type::Pred => {
                let first = self.builder.compute(Op::AndPred, &[condition, then]);
                let not = self.not(condition);
                let second = self.builder.compute(Op::AndPred, &[not, otherwise]);
                self.builder.compute(Op::OrPred, &[first, second])
            }
            _ => self.builder.compute(Op::Select, &[condition, then, otherwise]),
        }
    }

    /// Writes the destination of an instruction.
    pub fn result(&mut self, ins: Ins, value: Value, ty: Type) -> Result<()> {
        self.write(ins.operand(0)?, value, ty)
    }

    /// Writes a destination that may be a pair, the second a predicate.
    pub fn result_pair(
        &mut self,
        ins: Ins,
        value: Value,
        ty: Type,
        second: impl FnOnce(&mut Self) -> Value,
    ) -> Result<()> {
        match &ins.operand(0)?.kind {
            OperandKind::Pair(first, other) => {
                if other.kind != OperandKind::Sink {
                    let second = second(self);
                    self.write(other, second, PREDICATE)?;
                }
                self.write(first, value, ty)
            }
            _ => self.result(ins, value, ty),
        }
    }

    /// A predicate as a word.
    pub fn word_of(&mut self, predicate: Value, yes: u32) -> Value {
        let (yes, no) = (self.builder.word(yes), self.builder.word(0));
        self.builder.compute(Op::Select, &[predicate, yes, no])
    }
}

/// The error of a variable that no module defines.
pub fn missing(name: &str, span: Span) -> Refused {
    let message = format!("the `.extern` variable `{name}` is defined nowhere");
    Refused::new(span, message)
        .help("define it in the module, or in the program whose kernels the module has")
}

/// `.pred`.
pub const PREDICATE: Type = Type { kind: Kind::Predicate, bits: 1, name: "pred" };
/// `.u32`.
pub const U32: Type = Type { kind: Kind::Unsigned, bits: 32, name: "u32" };
/// `.s32`.
pub const S32: Type = Type { kind: Kind::Signed, bits: 32, name: "s32" };
/// `.b32`.
pub const B32: Type = Type { kind: Kind::Bits, bits: 32, name: "b32" };
/// `.b64`.
pub const B64: Type = Type { kind: Kind::Bits, bits: 64, name: "b64" };
/// `.f32`.
pub const F32: Type = Type { kind: Kind::Float, bits: 32, name: "f32" };
/// `.f64`.
pub const F64: Type = Type { kind: Kind::Float, bits: 64, name: "f64" };

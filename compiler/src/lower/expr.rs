//! Lowers expressions: to a scalar, to the leaves of a structure, to an effect, or to a branch.

use super::convert::{Number, number};
use super::error::{LowerError, Result};
use super::place::Where;
use super::tree::{Lowerer, register};
use crate::check::tree::{
    Axis, BinaryOp, Expr, ExprKind, LocalId, Place, PlaceKind, Special, Type, UnaryOp,
};
use crate::ir::{self, Block, Kind, Value};
use crate::syntax::source::Span;
use reconverge_isa::Op;
use reconverge_isa::planted::Planted;

/// A pointer that moves by whole elements.
struct Step {
    stride: u64,
    negative: bool,
}

/// The variable that an expression makes zero as a whole.
fn cleared(value: &Expr) -> Option<(LocalId, &Place)> {
    match &value.kind {
        ExprKind::Assign(place, zero) => match (&place.kind, &zero.kind) {
            (&PlaceKind::Local(local), ExprKind::Construct(parts)) if parts.is_empty() => {
                Some((local, place))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns true if an expression calls a function that makes the object in a variable, whose
/// address is its first argument.
fn makes(value: &Expr, local: LocalId) -> bool {
    match &value.kind {
        ExprKind::Convert(inner) => makes(inner, local),
        ExprKind::Comma(first, second) => makes(first, local) || makes(second, local),
        ExprKind::Call(_, arguments) => arguments.first().is_some_and(|first| {
            let ExprKind::AddressOf(place) = &first.kind else { return false };
            matches!(place.kind, PlaceKind::Local(of) if of == local)
        }),
        _ => false,
    }
}

impl Lowerer<'_> {
    /// Evaluates an expression for its effects.
    pub fn effect(&mut self, value: &Expr) -> Result<()> {
        match &value.kind {
            ExprKind::Convert(inner) if value.ty == Type::Void => self.effect(inner),
            // `(void)x` reads nothing.
            ExprKind::Load(place)
                if matches!(place.kind, PlaceKind::Local(_)) && !place.volatile =>
            {
                Ok(())
            }
            ExprKind::Comma(first, second) => {
                self.before(first, second)?;
                self.effect(second)
            }
            ExprKind::Conditional(condition, then, otherwise) if value.ty == Type::Void => {
                let (yes, no, join) =
                    (self.builder.block(), self.builder.block(), self.builder.block());
                self.condition(condition, yes, no)?;
                self.builder.enter_sealed(yes);
                self.effect(then)?;
                self.builder.jump(join);
                self.builder.enter_sealed(no);
                self.effect(otherwise)?;
                self.builder.jump(join);
                self.builder.enter_sealed(join);
                Ok(())
            }
            _ => self.values(value).map(|_| ()),
        }
    }

    /// Evaluates the first of two expressions. The zeroes of a temporary are no values for `--check init` if `second` makes
    /// the object: what a constructor leaves out is missing then, as in a variable.
    fn before(&mut self, first: &Expr, second: &Expr) -> Result<()> {
        if self.all_zeroes
            && let Some((local, place)) = cleared(first)
            && makes(second, local)
            && let Where::Memory { address, .. } = self.place(place)?
        {
            return self.clear_memory(address, &place.ty, true);
        }
        self.effect(first)
    }

    /// Evaluates an expression to its leaves: one for a scalar, none for `void`.
    pub fn values(&mut self, value: &Expr) -> Result<Vec<Value>> {
        let outer = self.locate(value.span);
        let found = self.located_values(value);
        self.builder.set_location(outer);
        found
    }

    /// Evaluates a scalar expression.
    pub fn scalar(&mut self, value: &Expr) -> Result<Value> {
        match self.values(value)?.as_slice() {
            &[scalar] => Ok(scalar),
            _ => Err(LowerError::unsupported(
                value.span,
                "a value that is not a number is used as one",
            )),
        }
    }

    fn located_values(&mut self, value: &Expr) -> Result<Vec<Value>> {
        match &value.kind {
            ExprKind::Load(place) => {
                let at = self.place(place)?;
                self.load_values(&at, &value.ty, value.span)
            }
            ExprKind::Assign(place, source) => {
                let values = self.values(source)?;
                let at = self.place(place)?;
                self.store_values(&at, &place.ty, values.clone(), value.span)?;
                Ok(values)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(&value.ty, condition, then, otherwise)
            }
            ExprKind::Comma(first, second) => {
                self.before(first, second)?;
                self.values(second)
            }
            ExprKind::Call(function, arguments) => {
                let arguments = arguments
                    .iter()
                    .map(|argument| self.values(argument))
                    .collect::<Result<_>>()?;
                self.call(*function, arguments, value.span)
            }
            ExprKind::Construct(fields) => self.construct(&value.ty, fields, value.span),
            ExprKind::Builtin(builtin, arguments) => {
                let found = self.builtin(*builtin, arguments, value.span)?;
                Ok(found.into_iter().collect())
            }
            ExprKind::Convert(inner) if value.ty == Type::Void => {
                self.effect(inner)?;
                Ok(Vec::new())
            }
            _ => Ok(vec![self.operation(value)?]),
        }
    }

    /// The expressions that are always scalar.
    fn operation(&mut self, value: &Expr) -> Result<Value> {
        match &value.kind {
            ExprKind::Int(bits) => Ok(self.builder.constant(register(&value.ty), *bits as u64)),
            ExprKind::Float(number) => {
                let bits = match value.ty {
                    Type::Float => (*number as f32).to_bits() as u64,
                    _ => number.to_bits(),
                };
                Ok(self.builder.constant(register(&value.ty), bits))
            }
            ExprKind::Special(special) => Ok(self.builder.special(special_register(*special))),
            ExprKind::Assume(_) => Ok(self.builder.constant(register(&value.ty), 0)),
            ExprKind::AddressOf(place) => match self.place(place)? {
                Where::Memory { address, .. } => Ok(self.object(place, address)),
                _ => Err(LowerError::unsupported(value.span, "the address of a value")),
            },
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.scalar(left)?, self.scalar(right)?);
                self.binary(*op, &left.ty, a, &right.ty, b, value.span)
            }
            ExprKind::And(left, right) => self.short_circuit(left, right, true),
            ExprKind::Or(left, right) => self.short_circuit(left, right, false),
            ExprKind::Convert(inner) => {
                let scalar = self.scalar(inner)?;
                Ok(self.convert(scalar, &inner.ty, &value.ty))
            }
            ExprKind::PointerAdd { pointer, index, stride, negative } => {
                let pointer = self.scalar(pointer)?;
                let index = self.low_word(index)?;
                let step = Step { stride: *stride, negative: *negative };
                Ok(self.move_pointer(pointer, index, &step))
            }
            ExprKind::PointerDifference { left, right, stride } => {
                let (a, b) = (self.scalar(left)?, self.scalar(right)?);
                Ok(self.pointer_difference(a, b, *stride))
            }
            ExprKind::AssignOp { op, place, value: source, common } => {
                self.assign_op(*op, place, source, common, value.span)
            }
            ExprKind::AssignPointerAdd { place, index, stride, negative } => {
                let index = self.low_word(index)?;
                let at = self.place(place)?;
                let pointer = self.load_one(&at, place)?;
                let step = Step { stride: *stride, negative: *negative };
                let moved = self.move_pointer(pointer, index, &step);
                self.store_values(&at, &place.ty, vec![moved], value.span)?;
                Ok(moved)
            }
            ExprKind::Increment { place, negative, postfix, stride } => {
                let step = Step { stride: *stride, negative: *negative };
                self.increment(place, &step, *postfix)
            }
            // The string is in host memory; only the printing code reads it.
            ExprKind::String(id) => {
                let address = self.strings.get(id.0 as usize).copied().unwrap_or(0);
                Ok(self.builder.word(address))
            }
            ExprKind::Launch(_) => {
                Err(LowerError::unsupported(value.span, "a launch in device code"))
            }
            _ => Err(LowerError::unsupported(value.span, "this expression in device code")),
        }
    }

    fn load_one(&mut self, at: &Where, place: &Place) -> Result<Value> {
        match self.load_values(at, &place.ty, place.span)?.as_slice() {
            &[scalar] => Ok(scalar),
            _ => Err(LowerError::unsupported(place.span, "arithmetic on a structure")),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Result<Value> {
        let value = self.scalar(operand)?;
        let kind = number(&operand.ty);
        Ok(match op {
            UnaryOp::Not => {
                let truth = self.is_not_zero(value, &operand.ty);
                self.builder.negate_truth(truth)
            }
            UnaryOp::BitNot => {
                let op = if register(&operand.ty) == ir::Type::B64 { Op::Not64 } else { Op::Not };
                self.builder.compute(op, &[value])
            }
            UnaryOp::Negate => match kind {
                Number::F32 => self.builder.compute(Op::NegF32, &[value]),
                Number::F64 => self.builder.compute(Op::NegF64, &[value]),
                Number::I64 | Number::U64 => {
                    let zero = self.builder.zero(ir::Type::B64);
                    self.builder.compute(Op::Sub64, &[zero, value])
                }
                Number::I32 | Number::U32 => {
                    let zero = self.builder.zero(ir::Type::B32);
                    self.builder.compute(Op::Sub, &[zero, value])
                }
            },
        })
    }
    fn binary(
        &mut self,
        op: BinaryOp,
        ty: &Type,
        a: Value,
        right: &Type,
        b: Value,
        span: Span,
    ) -> Result<Value> {
        let (mut a, mut b, mut ty) = (a, b, ty);
        if *ty == Type::Bool {
            (a, b, ty) =
                (self.convert(a, ty, &Type::INT), self.convert(b, right, &Type::INT), &Type::INT);
        }
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if shift && register(right) == ir::Type::B64 {
            b = self.builder.compute(Op::Low, &[b]);
        }
        match operation(op, number(ty)) {
            Some(op) => Ok(self.builder.compute(op, &[a, b])),
            None => Err(LowerError::unsupported(span, "this operator on floating point numbers")),
        }
    }

    fn assign_op(
        &mut self,
        op: BinaryOp,
        place: &Place,
        source: &Expr,
        common: &Type,
        span: Span,
    ) -> Result<Value> {
        let operand = self.scalar(source)?;
        let at = self.place(place)?;
        let old = self.load_one(&at, place)?;
        let own = Planted::CompoundInOwnType.is_on() && place.ty.is_integer();
        let common =
            if own && register(&place.ty) == register(common) { &place.ty } else { common };
        let old = self.convert(old, &place.ty, common);
        let new = self.binary(op, common, old, &source.ty, operand, span)?;
        let new = self.convert(new, common, &place.ty);
        self.store_values(&at, &place.ty, vec![new], span)?;
        Ok(new)
    }

    fn increment(&mut self, place: &Place, step: &Step, postfix: bool) -> Result<Value> {
        let at = self.place(place)?;
        let old = self.load_one(&at, place)?;
        let new = match &place.ty {
            Type::Bool => self.builder.constant(ir::Type::Pred, 1),
            Type::Pointer(_) => {
                let one = self.builder.word(1);
                self.move_pointer(old, one, step)
            }
            ty => self.add_one(old, ty, step.negative),
        };
        self.store_values(&at, &place.ty, vec![new], place.span)?;
        Ok(if postfix && !Planted::PostfixIsPrefix.is_on() { old } else { new })
    }

    fn add_one(&mut self, old: Value, ty: &Type, negative: bool) -> Value {
        let (add, sub, ty_of_one, one) = match number(ty) {
            Number::I32 | Number::U32 => (Op::Add, Op::Sub, ir::Type::B32, 1),
            Number::I64 | Number::U64 => (Op::Add64, Op::Sub64, ir::Type::B64, 1),
            Number::F32 => (Op::AddF32, Op::SubF32, ir::Type::B32, 1f32.to_bits() as u64),
            Number::F64 => (Op::AddF64, Op::SubF64, ir::Type::B64, 1f64.to_bits()),
        };
        let one = self.builder.constant(ty_of_one, one);
        let sum = self.builder.compute(if negative { sub } else { add }, &[old, one]);
        match ty {
            Type::Int(kind) => self.truncate_small(sum, *kind),
            _ => sum,
        }
    }

    fn truncate_small(&mut self, value: Value, kind: crate::check::tree::IntKind) -> Value {
        if kind.size() < 4 && !Planted::IncrementNotCut.is_on() {
            self.truncate(value, kind)
        } else {
            value
        }
    }

    fn conditional(
        &mut self,
        ty: &Type,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
    ) -> Result<Vec<Value>> {
        let leaves = self.leaves(ty, condition.span)?;
        let types: Vec<ir::Type> = leaves.iter().map(|leaf| register(&leaf.ty)).collect();
        let results: Vec<_> = types.into_iter().map(|ty| self.builder.variable(ty)).collect();
        let (yes, no, join) = (self.builder.block(), self.builder.block(), self.builder.block());
        self.condition(condition, yes, no)?;
        for (block, arm) in [(yes, then), (no, otherwise)] {
            self.builder.enter_sealed(block);
            for (&result, value) in results.iter().zip(self.values(arm)?) {
                self.builder.write(result, value);
            }
            self.builder.jump(join);
        }
        self.builder.enter_sealed(join);
        Ok(results.into_iter().map(|result| self.builder.read(result)).collect())
    }

    /// `&&` (or `||`) as a value. A right side that is a few operations on registers is computed
    /// in any case, which is cheaper than a branch and cannot be noticed.
    fn short_circuit(&mut self, left: &Expr, right: &Expr, and: bool) -> Result<Value> {
        const FEW: u32 = 4;
        if cost(right).is_some_and(|cost| cost <= FEW) {
            let (a, b) = (self.truth(left)?, self.truth(right)?);
            let op = match and {
                true => Op::AndPred,
                false if Planted::ExclusiveOr.is_on() => Op::XorPred,
                false => Op::OrPred,
            };
            return Ok(self.builder.compute(op, &[a, b]));
        }
        let result = self.builder.variable(ir::Type::Pred);
        let (go_on, short, join) =
            (self.builder.block(), self.builder.block(), self.builder.block());
        if and {
            self.condition(left, go_on, short)?;
        } else {
            self.condition(left, short, go_on)?;
        }
        self.builder.enter_sealed(short);
        let known = self.builder.constant(ir::Type::Pred, !and as u64);
        self.builder.write(result, known);
        self.builder.jump(join);
        self.builder.enter_sealed(go_on);
        let value = self.truth(right)?;
        self.builder.write(result, value);
        self.builder.jump(join);
        self.builder.enter_sealed(join);
        Ok(self.builder.read(result))
    }

    fn truth(&mut self, value: &Expr) -> Result<Value> {
        let scalar = self.scalar(value)?;
        Ok(self.is_not_zero(scalar, &value.ty))
    }

    /// Goes to one of two blocks as a scalar differs from zero or not.
    pub fn condition(&mut self, value: &Expr, then: Block, otherwise: Block) -> Result<()> {
        match &value.kind {
            ExprKind::And(left, right) => {
                let both = self.builder.block();
                self.condition(left, both, otherwise)?;
                self.builder.enter_sealed(both);
                self.condition(right, then, otherwise)
            }
            ExprKind::Or(left, right) => {
                let second = self.builder.block();
                self.condition(left, then, second)?;
                self.builder.enter_sealed(second);
                self.condition(right, then, otherwise)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.condition(inner, otherwise, then),
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.condition(second, then, otherwise)
            }
            ExprKind::Convert(inner) if value.ty == Type::Bool || inner.ty == Type::Bool => {
                self.condition(inner, then, otherwise)
            }
            _ => {
                let outer = self.locate(value.span);
                let truth = self.truth(value)?;
                self.builder.branch(truth, then, otherwise);
                self.builder.set_location(outer);
                Ok(())
            }
        }
    }

    fn construct(&mut self, ty: &Type, fields: &[Expr], span: Span) -> Result<Vec<Value>> {
        let Type::Struct(id) = ty else {
            return Err(LowerError::unsupported(span, "a structure of no type"));
        };
        let data = &self.module.structs[id.0 as usize];
        let leaves = self.leaves(ty, span)?;
        let mut values: Vec<Value> =
            leaves.iter().map(|leaf| self.builder.zero(register(&leaf.ty))).collect();
        for (field, value) in data.fields.iter().zip(fields) {
            let parts = self.values(value)?;
            let first = leaves.iter().position(|leaf| leaf.offset >= field.offset).unwrap_or(0);
            for (slot, part) in values.iter_mut().skip(first).zip(parts) {
                *slot = part;
            }
        }
        Ok(values)
    }

    /// The low 32 bits of an integer expression. Sums and products need only the low bits of their
    /// operands, so that no 64-bit arithmetic is spent on an index.
    fn low_word(&mut self, value: &Expr) -> Result<Value> {
        use BinaryOp::{Add, And, Mul, Or, Sub, Xor};
        if register(&value.ty) != ir::Type::B64 {
            let scalar = self.scalar(value)?;
            return Ok(self.convert(scalar, &value.ty, &Type::INT));
        }
        match &value.kind {
            ExprKind::Convert(inner) if inner.ty.is_integer() => self.low_word(inner),
            ExprKind::Binary(op @ (Add | Sub | Mul | And | Or | Xor), left, right)
                if left.ty.is_integer() =>
            {
                let (a, b) = (self.low_word(left)?, self.low_word(right)?);
                let outer = self.locate(value.span);
                let result = self.binary(*op, &Type::INT, a, &Type::INT, b, value.span);
                self.builder.set_location(outer);
                result
            }
            _ => {
                let scalar = self.scalar(value)?;
                Ok(self.builder.compute(Op::Low, &[scalar]))
            }
        }
    }

    /// `pointer ± index · stride`, modulo 2³². A constant part of the index or the pointer is added
    /// last, where it becomes the offset of an access and lets the rest be shared.
    fn move_pointer(&mut self, pointer: Value, index: Value, step: &Step) -> Value {
        let (index, index_constant) = self.split_constant(index);
        let (pointer, mut constant) = self.split_constant(pointer);
        let bytes = index_constant.wrapping_mul(step.stride as u32);
        constant = match step.negative && !Planted::PointerForward.is_on() {
            true => constant.wrapping_sub(bytes),
            false => constant.wrapping_add(bytes),
        };
        let stride = self.builder.word(step.stride as u32);
        let scaled = self.builder.compute(Op::Mul, &[index, stride]);
        let op = if step.negative { Op::Sub } else { Op::Add };
        let moved = self.builder.compute(op, &[pointer, scaled]);
        self.offset(moved, constant as u64)
    }

    /// `x + c` as `x` and `c`; a constant as zero and itself.
    fn split_constant(&mut self, value: Value) -> (Value, u32) {
        let function = self.builder.function();
        let found = match function.kind(value) {
            Kind::Constant(bits) => Some((None, *bits)),
            Kind::Compute(Op::Add, operands) => {
                function.constant(operands[1]).map(|bits| (Some(operands[0]), bits))
            }
            _ => None,
        };
        match found {
            Some((Some(rest), bits)) => (rest, bits as u32),
            Some((None, bits)) => (self.builder.word(0), bits as u32),
            None => (value, 0),
        }
    }

    fn pointer_difference(&mut self, left: Value, right: Value, stride: u64) -> Value {
        let bytes = self.builder.compute(Op::Sub, &[left, right]);
        // A stride beyond 2³¹ is larger than any difference; of zero there are no elements.
        let stride = u32::try_from(stride.max(1)).unwrap_or(u32::MAX).min(i32::MAX as u32);
        let stride = self.builder.word(stride);
        let elements = self.builder.compute(Op::DivS32, &[bytes, stride]);
        self.builder.compute(Op::Sext32, &[elements])
    }
}

/// The number of operations of an expression that consists only of operations on registers that can
/// neither trap nor be noticed.
fn cost(value: &Expr) -> Option<u32> {
    let of = |values: &[&Expr]| values.iter().try_fold(1, |sum, value| Some(sum + cost(value)?));
    match &value.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Special(_) | ExprKind::Assume(_) => {
            Some(0)
        }
        ExprKind::Load(place) => {
            let register = matches!(place.kind, PlaceKind::Local(_)) && !place.volatile;
            // A local in memory is a load; a scalar one whose address is not taken is not. The tree
            // alone does not distinguish them, but a load of local memory does no harm.
            (register && value.ty.is_scalar()).then_some(0)
        }
        ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => of(&[operand]),
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..)
            if !Planted::DivisionIsCheap.is_on() =>
        {
            None
        }
        ExprKind::Binary(_, left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right) => of(&[left, right]),
        _ => None,
    }
}

fn special_register(special: Special) -> reconverge_isa::Special {
    use reconverge_isa::Special as Register;
    let of = |axis: Axis, registers: [Register; 3]| match axis {
        Axis::X => registers[0],
        Axis::Y => registers[1],
        Axis::Z => registers[2],
    };
    match special {
        Special::ThreadIdx(axis) => of(axis, [Register::TidX, Register::TidY, Register::TidZ]),
        Special::BlockIdx(axis) => of(axis, [Register::CtaidX, Register::CtaidY, Register::CtaidZ]),
        Special::BlockDim(axis) => of(axis, [Register::NtidX, Register::NtidY, Register::NtidZ]),
        Special::GridDim(axis) => {
            of(axis, [Register::NctaidX, Register::NctaidY, Register::NctaidZ])
        }
        Special::WarpSize => Register::WarpSize,
    }
}

/// The operation of an operator in each arithmetic: i32, u32, i64, u64, f32, f64.
fn operation(op: BinaryOp, number: Number) -> Option<Op> {
    use BinaryOp as B;
    let ops: [Option<Op>; 6] = match op {
        B::Add => [Op::Add, Op::Add, Op::Add64, Op::Add64, Op::AddF32, Op::AddF64].map(Some),
        B::Sub => [Op::Sub, Op::Sub, Op::Sub64, Op::Sub64, Op::SubF32, Op::SubF64].map(Some),
        B::Mul => [Op::Mul, Op::Mul, Op::Mul64, Op::Mul64, Op::MulF32, Op::MulF64].map(Some),
        B::Div => {
            [Op::DivS32, Op::DivU32, Op::DivS64, Op::DivU64, Op::DivF32, Op::DivF64].map(Some)
        }
        B::Rem => integers([Op::RemS32, Op::RemU32, Op::RemS64, Op::RemU64]),
        B::Shl => integers([Op::Shl, Op::Shl, Op::Shl64, Op::Shl64]),
        B::Shr if Planted::LogicalShift.is_on() => {
            integers([Op::ShrU32, Op::ShrU32, Op::ShrU64, Op::ShrU64])
        }
        B::Shr => integers([Op::ShrS32, Op::ShrU32, Op::ShrS64, Op::ShrU64]),
        B::And => integers([Op::And, Op::And, Op::And64, Op::And64]),
        B::Or => integers([Op::Or, Op::Or, Op::Or64, Op::Or64]),
        B::Xor => integers([Op::Xor, Op::Xor, Op::Xor64, Op::Xor64]),
        B::Equal => [
            Op::SetEqualI32,
            Op::SetEqualI32,
            Op::SetEqualI64,
            Op::SetEqualI64,
            Op::SetEqualF32,
            Op::SetEqualF64,
        ]
        .map(Some),
        B::NotEqual => [
            Op::SetNotEqualI32,
            Op::SetNotEqualI32,
            Op::SetNotEqualI64,
            Op::SetNotEqualI64,
            Op::SetNotEqualF32,
            Op::SetNotEqualF64,
        ]
        .map(Some),
        B::Less => [
            Op::SetLessS32,
            Op::SetLessU32,
            Op::SetLessS64,
            Op::SetLessU64,
            Op::SetLessF32,
            Op::SetLessF64,
        ]
        .map(Some),
        B::LessEqual => [
            Op::SetLessEqualS32,
            Op::SetLessEqualU32,
            Op::SetLessEqualS64,
            Op::SetLessEqualU64,
            Op::SetLessEqualF32,
            Op::SetLessEqualF64,
        ]
        .map(Some),
        B::Greater => [
            Op::SetGreaterS32,
            Op::SetGreaterU32,
            Op::SetGreaterS64,
            Op::SetGreaterU64,
            Op::SetGreaterF32,
            Op::SetGreaterF64,
        ]
        .map(Some),
        B::GreaterEqual => [
            Op::SetGreaterEqualS32,
            Op::SetGreaterEqualU32,
            Op::SetGreaterEqualS64,
            Op::SetGreaterEqualU64,
            Op::SetGreaterEqualF32,
            Op::SetGreaterEqualF64,
        ]
        .map(Some),
    };
    ops[number as usize]
}

fn integers(ops: [Op; 4]) -> [Option<Op>; 6] {
    let [i32, u32, i64, u64] = ops.map(Some);
    [i32, u32, i64, u64, None, None]
}

//! Constant folding and algebraic identities.
//!
//! An operation on constants is computed with the instruction table's own lane function, except a
//! division by zero, which has to trap. Identities are exact for every operand: none on floats,
//! where even `x + 0` changes a -0.

use super::forward::Forward;
use crate::ir::{Function, Instruction, Kind, Operands, Type, Value, source_type};
use reconverge_isa::planted::Planted;
use reconverge_isa::table::evaluate_lane;
use reconverge_isa::{
    CONSTANT_BASE, CONSTANT_SIZE, Effect, GLOBAL_BASE, GLOBAL_END, Location, Op, Space,
    WINDOW_SIZE, Width,
};

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let mut forward = Forward::new(function);
    let mut changed = false;
    for block in function.reverse_postorder() {
        let instructions = std::mem::take(&mut function.blocks[block.index()].instructions);
        let mut kept = Vec::with_capacity(instructions.len());
        for value in instructions {
            let mut kind = function.kind(value).clone();
            kind.map_operands(|operand| forward.get(operand));
            let location = function.instruction(value).location;
            let mut new = NewConstants { placed: &mut kept, location };
            match simplify(function, &mut new, &mut kind) {
                Some(same) => {
                    forward.replace(value, same);
                    changed = true;
                }
                None => {
                    changed |= *function.kind(value) != kind;
                    kept.push(value);
                }
            }
            function.values[value.index()].kind = kind;
        }
        function.blocks[block.index()].instructions = kept;
    }
    forward.apply(function) || changed
}

/// The place for the constants that an identity needs.
pub(crate) trait Constants {
    /// A constant that is defined before the current instruction.
    fn constant(&mut self, function: &mut Function, ty: Type, bits: u64) -> Value;
    /// An address that is defined before the current instruction.
    fn address(&mut self, function: &mut Function, space: Space, offset: u32) -> Value;
}

/// Puts them right before the instruction; common subexpressions are for another pass.
struct NewConstants<'a> {
    placed: &'a mut Vec<Value>,
    location: Location,
}

impl NewConstants<'_> {
    fn add(&mut self, function: &mut Function, kind: Kind, ty: Type) -> Value {
        let value = function.add(kind, Some(ty), self.location);
        self.placed.push(value);
        value
    }
}

impl Constants for NewConstants<'_> {
    fn constant(&mut self, function: &mut Function, ty: Type, bits: u64) -> Value {
        self.add(function, Kind::Constant(bits), ty)
    }

    fn address(&mut self, function: &mut Function, space: Space, offset: u32) -> Value {
        self.add(function, Kind::Address(space, offset), Type::B32)
    }
}

/// Returns true if the first two operands may be swapped.
pub fn commutes(op: Op) -> bool {
    use Op::*;
    if Planted::SubtractionCommutes.is_on() && op == Sub {
        return true;
    }
    matches!(
        op,
        AndPred
            | OrPred
            | XorPred
            | Add
            | Mul
            | Mad
            | MulHighS32
            | MulHighU32
            | MinS32
            | MaxS32
            | MinU32
            | MaxU32
            | And
            | Or
            | Xor
            | Mul24S
            | Mul24U
            | Add64
            | Mul64
            | Mad64
            | MulHighS64
            | MulHighU64
            | MinS64
            | MaxS64
            | MinU64
            | MaxU64
            | And64
            | Or64
            | Xor64
            | SetEqualI32
            | SetNotEqualI32
            | SetEqualI64
            | SetNotEqualI64
            | AddF32
            | MulF32
            | AddF64
            | MulF64
    )
}

/// Finds the value that an instruction equals, or else simplifies `kind` in place.
pub(crate) fn simplify(
    function: &mut Function,
    constants: &mut impl Constants,
    kind: &mut Kind,
) -> Option<Value> {
    // Each iteration leaves a form nearer to a constant; the bound is for safety only.
    for _ in 0..8 {
        let Kind::Compute(op, operands) = kind else {
            return None;
        };
        let (op, mut operands) = (*op, *operands);
        if let Some(bits) = evaluate(function, op, &operands) {
            let ty = crate::ir::result_type(op)?;
            return Some(constants.constant(function, ty, bits));
        }
        let is_constant = |value: Value| function.constant(value).is_some();
        if commutes(op) && is_constant(operands[0]) && !is_constant(operands[1]) {
            operands.swap(0, 1);
            *kind = Kind::Compute(op, operands);
        }
        match identity(function, op, &operands) {
            Found::Nothing => return None,
            Found::Value(value) => return Some(value),
            Found::Constant(ty, bits) => return Some(constants.constant(function, ty, bits)),
            Found::Address(space, offset) => {
                return Some(constants.address(function, space, offset));
            }
            Found::Unary(op, operand) => *kind = Kind::Compute(op, Operands::new(&[operand])),
            Found::WithConstant(op, operand, bits) => {
                let ty = source_type(op, 1)?;
                let constant = constants.constant(function, ty, bits & ty.mask());
                *kind = Kind::Compute(op, Operands::new(&[operand, constant]));
            }
        }
    }
    None
}

fn evaluate(function: &Function, op: Op, operands: &Operands) -> Option<u64> {
    let mut bits = [0; 3];
    for (slot, &operand) in bits.iter_mut().zip(operands.iter()) {
        *slot = function.constant(operand)?;
    }
    if op.row().effect == Effect::Divide && bits[1] == 0 {
        return None;
    }
    evaluate_lane(op, bits)
}

/// The simpler form of an operation.
enum Found {
    Nothing,
    Value(Value),
    Constant(Type, u64),
    Address(Space, u32),
    Unary(Op, Value),
    /// The operation on the value and a constant.
    WithConstant(Op, Value, u64),
}

fn identity(function: &Function, op: Op, operands: &Operands) -> Found {
    let second = operands.get(1).and_then(|&value| function.constant(value));
    let found = match second {
        Some(bits) => with_constant(function, op, operands[0], bits),
        None => Found::Nothing,
    };
    match found {
        Found::Nothing => structural(function, op, operands),
        found => found,
    }
}

/// `x op constant`.
fn with_constant(function: &Function, op: Op, x: Value, bits: u64) -> Found {
    use Op::*;
    let ones = source_type(op, 0).map_or(0, Type::mask);
    match (op, bits) {
        (Add | Add64 | Or | Or64 | Xor | Xor64 | OrPred | XorPred, 0) => Found::Value(x),
        (And | And64 | AndPred, bits) if bits == ones => Found::Value(x),
        (Shl | ShrS32 | ShrU32 | Shl64 | ShrS64 | ShrU64, 0) => Found::Value(x),
        (Shl | ShrU32, 32..) => Found::Constant(Type::B32, 0),
        (Shl64 | ShrU64, 64..) => Found::Constant(Type::B64, 0),
        (ShrS32, 32..) => Found::WithConstant(op, x, 31),
        (ShrS64, 64..) => Found::WithConstant(op, x, 63),
        (Mul | Mul64 | DivS32 | DivU32 | DivS64 | DivU64, 1) => Found::Value(x),
        (Mul | And, 0) => Found::Constant(Type::B32, 0),
        (Mul64 | And64, 0) => Found::Constant(Type::B64, 0),
        (AndPred, 0) => Found::Constant(Type::Pred, 0),
        (OrPred, 1) => Found::Constant(Type::Pred, 1),
        (Or, bits) if bits == ones => Found::Constant(Type::B32, ones),
        (RemU32 | RemS32, 1) => Found::Constant(Type::B32, 0),
        (RemU64 | RemS64, 1) => Found::Constant(Type::B64, 0),
        (Sub, bits) => Found::WithConstant(Add, x, (bits as u32).wrapping_neg() as u64),
        (Sub64, bits) if Planted::SubtractNarrow.is_on() => {
            Found::WithConstant(Add64, x, (bits as u32).wrapping_neg() as u64)
        }
        (Sub64, bits) => Found::WithConstant(Add64, x, bits.wrapping_neg()),
        (Add, bits) => add_constant(function, x, bits as u32),
        (Shl, bits) => shift_again(function, x, bits),
        (And, 0xff) if bits_known_zero(function, x, 0xff) => Found::Value(x),
        (And, 0xffff) if bits_known_zero(function, x, 0xffff) => Found::Value(x),
        (XorPred, 1) => double_negation(function, x),
        (And | Or | Xor | Mul | And64 | Or64 | Xor64 | Mul64, bits) => again(function, op, x, bits),
        (SetNotEqualI32 | SetEqualI32, 0) => truth(function, op, x),
        _ => Found::Nothing,
    }
}

/// `(y + c) + d` is `y + (c + d)`; an address plus a constant is an address in the same window.
fn add_constant(function: &Function, x: Value, bits: u32) -> Found {
    match function.kind(x) {
        Kind::Compute(Op::Add, inner) => match function.constant(inner[1]) {
            Some(more) => {
                Found::WithConstant(Op::Add, inner[0], bits.wrapping_add(more as u32) as u64)
            }
            None => Found::Nothing,
        },
        &Kind::Address(space, offset) => {
            let (start, end) = match space {
                Space::Global => (GLOBAL_BASE, GLOBAL_END),
                Space::Constant => (CONSTANT_BASE, CONSTANT_BASE + CONSTANT_SIZE),
                _ => (0, WINDOW_SIZE),
            };
            let sum = offset.wrapping_add(bits);
            if sum < end - start { Found::Address(space, sum) } else { Found::Nothing }
        }
        _ => Found::Nothing,
    }
}

/// A shift, by less than the width, of a value that is shifted already.
fn shift_again(function: &Function, x: Value, count: u64) -> Found {
    let inner = match function.kind(x) {
        Kind::Compute(Op::Shl, inner) => inner,
        Kind::Compute(Op::Mul, inner) => {
            return match function.constant(inner[1]) {
                Some(factor) => Found::WithConstant(Op::Mul, inner[0], factor << count),
                None => Found::Nothing,
            };
        }
        _ => return Found::Nothing,
    };
    match function.constant(inner[1]) {
        Some(more) if Planted::ShiftsWrap.is_on() => {
            Found::WithConstant(Op::Shl, inner[0], (more + count) % 32)
        }
        Some(more) if more + count < 32 => Found::WithConstant(Op::Shl, inner[0], more + count),
        Some(_) => Found::Constant(Type::B32, 0),
        None => Found::Nothing,
    }
}

/// One operation with a constant made of both, for the operation with constants twice.
fn again(function: &Function, op: Op, x: Value, bits: u64) -> Found {
    let Kind::Compute(inner, operands) = function.kind(x) else {
        return Found::Nothing;
    };
    match operands.get(1).and_then(|&operand| function.constant(operand)) {
        // A shift to the left is a product too.
        Some(count @ 0..32) if *inner == Op::Shl && op == Op::Mul => {
            Found::WithConstant(op, operands[0], bits << count)
        }
        Some(more) if *inner == op => match evaluate_lane(op, [more, bits, 0]) {
            Some(both) => Found::WithConstant(op, operands[0], both),
            None => Found::Nothing,
        },
        _ => Found::Nothing,
    }
}

fn double_negation(function: &Function, x: Value) -> Found {
    match function.kind(x) {
        Kind::Compute(Op::XorPred, inner) if function.constant(inner[1]) == Some(1) => {
            Found::Value(inner[0])
        }
        _ => Found::Nothing,
    }
}

/// `(p ? a : b) != 0` for constants of which one is zero is `p` or its complement.
fn truth(function: &Function, op: Op, x: Value) -> Found {
    let Kind::Compute(Op::Select, inner) = function.kind(x) else {
        return Found::Nothing;
    };
    let (Some(a), Some(b)) = (function.constant(inner[1]), function.constant(inner[2])) else {
        return Found::Nothing;
    };
    let (a, b) = ((a != 0) ^ (op == Op::SetEqualI32), (b != 0) ^ (op == Op::SetEqualI32));
    match (a, b) {
        (true, false) => Found::Value(inner[0]),
        (false, true) => Found::WithConstant(Op::XorPred, inner[0], 1),
        (both, _) => Found::Constant(Type::Pred, both as u64),
    }
}

/// Identities without a constant second operand.
fn structural(function: &Function, op: Op, operands: &Operands) -> Found {
    use Op::*;
    let x = operands[0];
    let same = operands.len() == 2 && x == operands[1];
    match op {
        Sub | Xor if same => Found::Constant(Type::B32, 0),
        Sub64 | Xor64 if same => Found::Constant(Type::B64, 0),
        XorPred if same => Found::Constant(Type::Pred, 0),
        And | Or | And64 | Or64 | AndPred | OrPred if same => Found::Value(x),
        MinS32 | MaxS32 | MinU32 | MaxU32 | MinS64 | MaxS64 | MinU64 | MaxU64 if same => {
            Found::Value(x)
        }
        SetEqualI32 | SetLessEqualS32 | SetGreaterEqualS32 | SetLessEqualU32
        | SetGreaterEqualU32
            if same =>
        {
            Found::Constant(Type::Pred, 1)
        }
        SetNotEqualI32 | SetLessS32 | SetGreaterS32 | SetLessU32 | SetGreaterU32 if same => {
            Found::Constant(Type::Pred, 0)
        }
        Select | Select64 => select(function, operands),
        Low | High => half(function, op, x),
        Sext8 | Zext8 | Sext16 | Zext16 => extension(function, op, x),
        Mov | Mov64 | MovPred => Found::Value(x),
        _ => Found::Nothing,
    }
}

fn select(function: &Function, operands: &Operands) -> Found {
    match function.constant(operands[0]) {
        Some(0) => Found::Value(operands[2]),
        Some(_) => Found::Value(operands[1]),
        None if operands[1] == operands[2] => Found::Value(operands[1]),
        None => Found::Nothing,
    }
}

/// A half of a pair whose halves are known.
fn half(function: &Function, op: Op, x: Value) -> Found {
    match (op, function.kind(x)) {
        (Op::Low, Kind::Compute(Op::Sext32 | Op::Zext32 | Op::Pack, inner)) => {
            Found::Value(inner[0])
        }
        (Op::High, Kind::Compute(Op::Pack, inner)) => Found::Value(inner[1]),
        (Op::High, Kind::Compute(Op::Zext32, _)) => Found::Constant(Type::B32, 0),
        (Op::High, Kind::Compute(Op::Sext32, inner)) => {
            Found::WithConstant(Op::ShrS32, inner[0], 31)
        }
        _ => Found::Nothing,
    }
}

/// An extension of a value that is extended already.
fn extension(function: &Function, op: Op, x: Value) -> Found {
    use Op::{Sext8, Sext16, Zext8, Zext16};
    let done = match function.kind(x) {
        Kind::Load(access, _) => match access.width {
            Width::U8 => matches!(op, Zext8 | Zext16 | Sext16),
            Width::S8 => matches!(op, Sext8 | Sext16),
            Width::U16 => op == Zext16,
            Width::S16 => op == Sext16,
            _ => false,
        },
        Kind::Compute(inner, _) => match inner {
            Zext8 => matches!(op, Zext8 | Zext16 | Sext16),
            Sext8 if Planted::ExtensionIsDone.is_on() => op != Zext8,
            Sext8 => matches!(op, Sext8 | Sext16),
            Zext16 | Sext16 => op == *inner,
            _ => false,
        },
        _ => false,
    };
    let inner = match function.kind(x) {
        Kind::Compute(Sext8 | Zext8, inner) if matches!(op, Sext8 | Zext8) => Some(inner[0]),
        Kind::Compute(Sext16 | Zext16, inner) => Some(inner[0]),
        _ => None,
    };
    match inner {
        _ if done => Found::Value(x),
        Some(inner) => Found::Unary(op, inner),
        None => Found::Nothing,
    }
}

/// Returns true if all bits outside `mask` are certainly zero.
fn bits_known_zero(function: &Function, x: Value, mask: u64) -> bool {
    match &function.instruction(x) {
        Instruction { kind: Kind::Load(access, _), .. } => match access.width {
            Width::U8 => true,
            Width::U16 => mask == 0xffff,
            _ => false,
        },
        Instruction { kind: Kind::Compute(op, _), .. } => {
            *op == Op::Zext8 || (*op == Op::Zext16 && mask == 0xffff)
        }
        _ => false,
    }
}

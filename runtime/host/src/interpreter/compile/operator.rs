//! Arithmetic and comparison instructions for a kind.

use super::builder::Builder;
use crate::interpreter::bytecode::{Op, Slot};
use crate::interpreter::kind::Kind;
use reconverge_compiler::check::tree::{BinaryOp, UnaryOp};

impl Builder<'_> {
    /// `target = left op right` in `kind`; for kinds below `int` the result is cut again.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        kind: Kind,
        target: Slot,
        left: Slot,
        right: Slot,
    ) {
        if op.is_comparison() {
            let (op, swap) = comparison(op, kind);
            let (left, right) = if swap { (right, left) } else { (left, right) };
            return self.emit3(op, target, left, right);
        }
        self.emit3(arithmetic(op, kind.promoted()), target, left, right);
        self.narrow(target, kind);
    }

    /// `target = op operand`.
    pub(super) fn unary(&mut self, op: UnaryOp, kind: Kind, target: Slot, operand: Slot) {
        let code = match (op, kind.promoted()) {
            (UnaryOp::Not, Kind::F32) => return self.equals_zero(Op::EqF32, target, operand),
            (UnaryOp::Not, Kind::F64) => return self.equals_zero(Op::EqF64, target, operand),
            (UnaryOp::Not, _) => return self.equals_zero(Op::Eq, target, operand),
            (UnaryOp::Negate, Kind::F32) => Op::NegF32,
            (UnaryOp::Negate, Kind::F64) => Op::NegF64,
            (UnaryOp::Negate, Kind::I32) => Op::NegI32,
            (UnaryOp::Negate, Kind::U32 | Kind::Pointer) => Op::NegU32,
            (UnaryOp::Negate, _) => Op::Neg64,
            (UnaryOp::BitNot, Kind::U32 | Kind::Pointer) => Op::NotU32,
            (UnaryOp::BitNot, _) => Op::Not64,
        };
        self.emit3(code, target, operand, 0);
        self.narrow(target, kind);
    }

    fn equals_zero(&mut self, op: Op, target: Slot, operand: Slot) {
        let zero = self.constant(0);
        self.emit3(op, target, operand, zero);
    }
}

/// The instruction of an arithmetic operator on a promoted kind.
fn arithmetic(op: BinaryOp, kind: Kind) -> Op {
    use BinaryOp::*;
    let by_kind = |i32, u32, wide, f32, f64| match kind {
        Kind::I32 => i32,
        Kind::U32 | Kind::Pointer => u32,
        Kind::F32 => f32,
        Kind::F64 => f64,
        _ => wide,
    };
    let signed = kind.is_signed();
    match op {
        Add => by_kind(Op::AddI32, Op::AddU32, Op::Add64, Op::AddF32, Op::AddF64),
        Sub => by_kind(Op::SubI32, Op::SubU32, Op::Sub64, Op::SubF32, Op::SubF64),
        Mul => by_kind(Op::MulI32, Op::MulU32, Op::Mul64, Op::MulF32, Op::MulF64),
        Div => {
            let wide = if signed { Op::DivI64 } else { Op::DivU };
            by_kind(Op::DivI32, Op::DivU, wide, Op::DivF32, Op::DivF64)
        }
        Rem if kind == Kind::I32 => Op::RemI32,
        Rem if signed => Op::RemI64,
        Rem => Op::RemU,
        Shl => by_kind(Op::ShlI32, Op::ShlU32, Op::Shl64, Op::Shl64, Op::Shl64),
        Shr => {
            let wide = if signed { Op::ShrI64 } else { Op::ShrU64 };
            by_kind(Op::ShrI32, Op::ShrU32, wide, wide, wide)
        }
        And => Op::And,
        Or => Op::Or,
        Xor => Op::Xor,
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual => comparison(op, kind).0,
    }
}

/// The instruction of a comparison, and whether its operands change places.
fn comparison(op: BinaryOp, kind: Kind) -> (Op, bool) {
    use BinaryOp::*;
    let by_kind = |signed, unsigned, f32, f64| match kind {
        Kind::F32 => f32,
        Kind::F64 => f64,
        kind if kind.is_signed() => signed,
        _ => unsigned,
    };
    match op {
        Equal => (by_kind(Op::Eq, Op::Eq, Op::EqF32, Op::EqF64), false),
        NotEqual => (by_kind(Op::Ne, Op::Ne, Op::NeF32, Op::NeF64), false),
        Less | Greater => {
            let op_of_kind = by_kind(Op::LtS, Op::LtU, Op::LtF32, Op::LtF64);
            (op_of_kind, op == Greater)
        }
        _ => {
            let op_of_kind = by_kind(Op::LeS, Op::LeU, Op::LeF32, Op::LeF64);
            (op_of_kind, op == GreaterEqual)
        }
    }
}

/// The jump that is taken when a comparison yields `when`, and true if its operands are swapped.
pub(super) fn jump_for(op: BinaryOp, kind: Kind, when: bool) -> (Op, bool) {
    let (compare, swap) = comparison(op, kind);
    let pick = |yes, no| if when { yes } else { no };
    match compare {
        Op::Eq => (pick(Op::JumpEq, Op::JumpNe), swap),
        Op::Ne => (pick(Op::JumpNe, Op::JumpEq), swap),
        // For integers, `!(a < b)` is `b <= a`.
        Op::LtS => (pick(Op::JumpLtS, Op::JumpLeS), swap == when),
        Op::LeS => (pick(Op::JumpLeS, Op::JumpLtS), swap == when),
        Op::LtU => (pick(Op::JumpLtU, Op::JumpLeU), swap == when),
        Op::LeU => (pick(Op::JumpLeU, Op::JumpLtU), swap == when),
        Op::EqF32 => (pick(Op::JumpEqF32, Op::JumpNeF32), swap),
        Op::NeF32 => (pick(Op::JumpNeF32, Op::JumpEqF32), swap),
        Op::LtF32 => (pick(Op::JumpLtF32, Op::JumpNotLtF32), swap),
        Op::LeF32 => (pick(Op::JumpLeF32, Op::JumpNotLeF32), swap),
        Op::EqF64 => (pick(Op::JumpEqF64, Op::JumpNeF64), swap),
        Op::NeF64 => (pick(Op::JumpNeF64, Op::JumpEqF64), swap),
        Op::LtF64 => (pick(Op::JumpLtF64, Op::JumpNotLtF64), swap),
        _ => (pick(Op::JumpLeF64, Op::JumpNotLeF64), swap),
    }
}

//! Conditions that decide where to continue.

use super::builder::{Builder, Label};
use super::operator::jump_for;
use crate::interpreter::kind::Kind;
use reconverge_compiler::check::tree::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Builder<'_> {
    /// Jumps to `label` if the truth of `expr` is `when`, else falls through.
    pub(super) fn branch(&mut self, expr: &Expr, label: Label, when: bool) {
        let outer = std::mem::replace(&mut self.span, expr.span);
        let mark = self.mark();
        match &expr.kind {
            ExprKind::Int(value) => {
                if (*value != 0) == when {
                    self.jump(label);
                }
            }
            ExprKind::Unary(UnaryOp::Not, operand) => self.branch(operand, label, !when),
            ExprKind::Convert(operand) if keeps_truth(operand, expr) => {
                self.branch(operand, label, when);
            }
            ExprKind::And(left, right) => self.both(left, right, label, when),
            ExprKind::Or(left, right) => self.either(left, right, label, when),
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                let (left_slot, right_slot) = self.operands(left, right);
                let (jump, swap) = jump_for(*op, Kind::of(&left.ty), when);
                let (a, b) = match swap {
                    true => (right_slot, left_slot),
                    false => (left_slot, right_slot),
                };
                self.emit(jump, a, b, 0, label.0, 0);
            }
            ExprKind::Comma(first, second) => {
                self.discard(first);
                self.branch(second, label, when);
            }
            _ => {
                let value = self.value(expr);
                let zero = self.constant(0);
                let (jump, _) = jump_for(BinaryOp::NotEqual, Kind::of(&expr.ty), when);
                self.emit(jump, value, zero, 0, label.0, 0);
            }
        }
        self.release(mark);
        self.span = outer;
    }

    fn both(&mut self, left: &Expr, right: &Expr, label: Label, when: bool) {
        if !when {
            self.branch(left, label, false);
            return self.branch(right, label, false);
        }
        let end = self.label();
        self.branch(left, end, false);
        self.branch(right, label, true);
        self.place_label(end);
    }

    fn either(&mut self, left: &Expr, right: &Expr, label: Label, when: bool) {
        if when {
            self.branch(left, label, true);
            return self.branch(right, label, true);
        }
        let end = self.label();
        self.branch(left, end, true);
        self.branch(right, label, false);
        self.place_label(end);
    }
}

/// Returns true if a conversion turns exactly zero into zero.
fn keeps_truth(operand: &Expr, converted: &Expr) -> bool {
    let (from, to) = (Kind::of(&operand.ty), Kind::of(&converted.ty));
    if !operand.ty.is_scalar() || !converted.ty.is_scalar() {
        return false;
    }
    to == Kind::Bool || (!from.is_float() && !to.is_float() && from.fits(to))
}

//! Operators of two operands.

use super::{Operand, Value};
use crate::check::Checker;
use crate::check::expr::convert::{self, Fit};
use crate::check::library::stream::stream_type;
use crate::check::tree::{BinaryOp, ExprKind};
use crate::check::types::{CType, QType, common};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;

/// The operator of the checked tree; `None` for `&&` and `||`.
pub(super) fn lowered(op: ast::BinaryOp) -> Option<BinaryOp> {
    use ast::BinaryOp as From;
    Some(match op {
        From::Mul => BinaryOp::Mul,
        From::Div => BinaryOp::Div,
        From::Rem => BinaryOp::Rem,
        From::Add => BinaryOp::Add,
        From::Sub => BinaryOp::Sub,
        From::Shl => BinaryOp::Shl,
        From::Shr => BinaryOp::Shr,
        From::Less => BinaryOp::Less,
        From::Greater => BinaryOp::Greater,
        From::LessEqual => BinaryOp::LessEqual,
        From::GreaterEqual => BinaryOp::GreaterEqual,
        From::Equal => BinaryOp::Equal,
        From::NotEqual => BinaryOp::NotEqual,
        From::BitAnd => BinaryOp::And,
        From::BitXor => BinaryOp::Xor,
        From::BitOr => BinaryOp::Or,
        From::And | From::Or => return None,
    })
}

/// Whether the operator is for integers only.
pub(super) fn needs_integers(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Rem | Shl | Shr | And | Or | Xor)
}

/// The type in which an operation on two numbers happens; `None` if it is not for them.
pub(super) fn operation_type(op: BinaryOp, a: &CType, b: &CType) -> Option<CType> {
    let fits = |ty: &CType| ty.is_integer() || (ty.is_floating() && !needs_integers(op));
    if !fits(a) || !fits(b) {
        return None;
    }
    // The count of a shift does not take part.
    if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
        return Some(a.promoted());
    }
    Some(common(a, b))
}

impl Checker {
    pub(super) fn binary(
        &mut self,
        op: ast::BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> Option<Operand> {
        let left = self.operand(a);
        if op == ast::BinaryOp::Shl
            && let Some(stream) = left.as_ref().filter(|left| *left.ty() == stream_type())
        {
            let stream = self.load(stream.clone());
            return self.insertion(stream, b, span).map(Operand::from);
        }
        if left.is_none() && op == ast::BinaryOp::Shl {
            // Behind a faulty operand nothing tells whether names are those of a stream's manipulators.
            return None;
        }
        let short = matches!(op, ast::BinaryOp::And | ast::BinaryOp::Or);
        if short {
            self.enter_conditional();
        }
        let right = self.operand(b);
        if short {
            self.leave_conditional();
        }
        let operands = [left?, right?];
        if let Some(made) = self.operator(op.text(), &operands, span) {
            return made;
        }
        let [left, right] = operands.map(|operand| {
            let value = self.load(operand);
            self.scalar(value)
        });
        let value = match lowered(op) {
            Some(lowered) => self.operate(lowered, op, left, right, span),
            None => self.logical(op, left, right, span),
        };
        value.map(Operand::from)
    }

    /// An operator on two values that no structure defines, but for `&&` and `||`.
    pub(super) fn operate_as_written(
        &mut self,
        written: ast::BinaryOp,
        left: Value,
        right: Value,
        span: Span,
    ) -> Option<Value> {
        self.operate(lowered(written)?, written, left, right, span)
    }

    fn logical(
        &mut self,
        op: ast::BinaryOp,
        left: Value,
        right: Value,
        span: Span,
    ) -> Option<Value> {
        let what = format!("an operand of `{}`", op.text());
        let left = self.condition(left, &what);
        let right = self.condition(right, &what);
        let (left, right) = (Box::new(left?), Box::new(right?));
        let kind = match op {
            ast::BinaryOp::And => ExprKind::And(left, right),
            _ => ExprKind::Or(left, right),
        };
        Some(Value::new(kind, CType::Bool, span))
    }

    fn operate(
        &mut self,
        op: BinaryOp,
        written: ast::BinaryOp,
        left: Value,
        right: Value,
        span: Span,
    ) -> Option<Value> {
        let (left, right) = (self.arithmetic(left), self.arithmetic(right));
        let has_pointer = |value: &Value| value.ty.is_pointer() || value.ty == CType::Null;
        if has_pointer(&left) || has_pointer(&right) {
            return self.operate_on_pointers(op, written, left, right, span);
        }
        let Some(ty) = operation_type(op, &left.ty, &right.ty) else {
            return self.report_operands(written, &left, &right, span);
        };
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && ty.is_integer() {
            self.warn_of_division(&right, span);
        }
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let count = if is_shift { right.ty.promoted() } else { ty.clone() };
        let left = convert::cast(left, &ty);
        let right = convert::cast(right, &count);
        let result = if op.is_comparison() { CType::Bool } else { ty };
        let kind = self.contracted(op, left.expr, right.expr);
        Some(Value::new(kind, result, span))
    }

    pub(super) fn report_operands<T>(
        &mut self,
        op: ast::BinaryOp,
        left: &Value,
        right: &Value,
        span: Span,
    ) -> Option<T> {
        let (a, b) = (self.spell(&left.ty), self.spell(&right.ty));
        let op = op.text();
        let message = format!("`{op}` cannot be applied to `{a}` and `{b}`");
        let mut found = Diagnostic::error(code::BAD_OPERANDS, span, message);
        // In a macro's text all parts have one place, which is marked already.
        if left.expr.span != span {
            found = found.secondary(left.expr.span, format!("this is of type `{a}`"));
        }
        if right.expr.span != span {
            found = found.secondary(right.expr.span, format!("this is of type `{b}`"));
        }
        if op == "%" && (left.ty.is_floating() || right.ty.is_floating()) {
            found = found.help("the remainder of floating-point numbers is `fmod(a, b)`");
        }
        self.fail(found)
    }

    fn operate_on_pointers(
        &mut self,
        op: BinaryOp,
        written: ast::BinaryOp,
        left: Value,
        right: Value,
        span: Span,
    ) -> Option<Value> {
        let (points, counts) = (left.ty.is_pointer(), right.ty.is_integer());
        match op {
            BinaryOp::Add if points && counts => self.pointer_add(left, right, false, span),
            BinaryOp::Add if right.ty.is_pointer() && left.ty.is_integer() => {
                self.pointer_add(right, left, false, span)
            }
            BinaryOp::Sub if points && counts => self.pointer_add(left, right, true, span),
            BinaryOp::Sub if points && right.ty.is_pointer() => {
                self.pointer_difference(written, left, right, span)
            }
            op if op.is_comparison() => self.compare_pointers(op, written, left, right, span),
            _ => self.report_operands(written, &left, &right, span),
        }
    }

    fn pointer_difference(
        &mut self,
        written: ast::BinaryOp,
        left: Value,
        right: Value,
        span: Span,
    ) -> Option<Value> {
        let same = matches!(
            (left.ty.pointee(), right.ty.pointee()),
            (Some(a), Some(b)) if a.ty == b.ty
        );
        if !same {
            return self.report_operands(written, &left, &right, span);
        }
        let stride = self.stride(&left)?;
        let kind = ExprKind::PointerDifference {
            left: Box::new(left.expr),
            right: Box::new(right.expr),
            stride,
        };
        Some(Value::new(kind, CType::LONG, span))
    }

    fn compare_pointers(
        &mut self,
        op: BinaryOp,
        written: ast::BinaryOp,
        left: Value,
        right: Value,
        span: Span,
    ) -> Option<Value> {
        let Some(ty) = self.composite_pointer(&left, &right) else {
            return self.report_operands(written, &left, &right, span);
        };
        let left = convert::cast(left, &ty);
        let right = convert::cast(right, &ty);
        Some(combine(op, left, right, CType::Bool, span))
    }

    /// The pointer type that two operands have in common, qualifiers joined.
    pub(super) fn composite_pointer(&self, a: &Value, b: &Value) -> Option<CType> {
        let (to_a, to_b) = match (a.ty.pointee(), b.ty.pointee()) {
            (Some(to_a), Some(to_b)) => (to_a, to_b),
            (Some(_), None) => return self.fit(b, &a.ty).map(|_| a.ty.clone()),
            (None, Some(_)) => return self.fit(a, &b.ty).map(|_| b.ty.clone()),
            (None, None) => {
                let both_null = a.ty == CType::Null && b.ty == CType::Null;
                return both_null.then(|| CType::Void.pointer_to());
            }
        };
        let join = |to: &QType| {
            let constant = to_a.constant || to_b.constant;
            let volatile = to_a.volatile || to_b.volatile;
            to.clone().qualified(constant, volatile).pointer()
        };
        let candidates = [join(to_a), join(to_b)];
        let fits = |ty: &&CType| {
            let good = |fit: Option<Fit>| fit.is_some();
            good(self.fit(a, ty)) && good(self.fit(b, ty))
        };
        candidates.iter().find(fits).cloned()
    }
}

fn combine(op: BinaryOp, left: Value, right: Value, ty: CType, span: Span) -> Value {
    let kind = ExprKind::Binary(op, Box::new(left.expr), Box::new(right.expr));
    Value::new(kind, ty, span)
}

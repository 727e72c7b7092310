//! Operators of two operands.

use crate::check::expr::convert::{self, Fit};
use crate::check::library::stream::is_stream;
use crate::check::state::Checker;
use crate::check::tree::{BinaryOp, ExprKind};
use crate::check::types::{CType, QType, common};
use crate::check::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;

/// An operator as it is written, with the values it is applied to.
pub(super) struct Operation {
    pub written: ast::BinaryOp,
    pub left: Value,
    pub right: Value,
    /// The whole expression.
    pub span: Span,
}

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

/// Returns true if the operator is for integers only.
pub(super) fn needs_integers(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Rem | Shl | Shr | And | Or | Xor)
}

/// The type in which an operation on two numbers happens; `None` if it is not for them.
pub(super) fn operation_type(op: BinaryOp, a: &CType, b: &CType) -> Option<CType> {
    let fits = |ty: &CType| ty.is_integer() || (ty.is_floating() && !needs_integers(op));
    let is_scoped = a.is_scoped_enumeration() || b.is_scoped_enumeration();
    if !fits(a) || !fits(b) || (is_scoped && !(a == b && op.is_comparison())) {
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
            && let Some(stream) = left.as_ref().filter(|left| is_stream(left))
        {
            return self.insertion(stream.clone(), b, span);
        }
        if left.is_none() && op == ast::BinaryOp::Shl {
            // After a faulty operand it is unknown if names are those of a stream's manipulators.
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
        let [left, right] = operands.map(|operand| self.load(operand));
        let value = match lowered(op) {
            Some(lowered) => {
                let (left, right) = (self.scalar(left), self.scalar(right));
                self.operate(lowered, Operation { written: op, left, right, span })
            }
            None => self.logical(Operation { written: op, left, right, span }),
        };
        value.map(Operand::from)
    }

    /// An operator on two values that no structure defines, but for `&&` and `||`.
    pub(super) fn operate_as_written(&mut self, operation: Operation) -> Option<Value> {
        self.operate(lowered(operation.written)?, operation)
    }

    fn logical(&mut self, operation: Operation) -> Option<Value> {
        let Operation { written, left, right, span } = operation;
        let what = format!("an operand of `{}`", written.text());
        let left = self.condition(left, &what);
        let right = self.condition(right, &what);
        let (left, right) = (Box::new(left?), Box::new(right?));
        let kind = match written {
            ast::BinaryOp::And => ExprKind::And(left, right),
            _ => ExprKind::Or(left, right),
        };
        Some(Value::new(kind, CType::Bool, span))
    }

    fn operate(&mut self, op: BinaryOp, mut operation: Operation) -> Option<Value> {
        operation.left = self.arithmetic(operation.left);
        operation.right = self.arithmetic(operation.right);
        let has_pointer = |value: &Value| value.ty.is_pointer() || value.ty == CType::Null;
        if has_pointer(&operation.left) || has_pointer(&operation.right) {
            return self.operate_on_pointers(op, operation);
        }
        let Some(ty) = operation_type(op, &operation.left.ty, &operation.right.ty) else {
            return self.report_operands(&operation);
        };
        let Operation { left, right, span, .. } = operation;
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

    pub(super) fn report_operands<T>(&mut self, operation: &Operation) -> Option<T> {
        let Operation { written, left, right, span } = operation;
        let (a, b) = (self.spell(&left.ty), self.spell(&right.ty));
        let op = written.text();
        let message = format!("`{op}` cannot be applied to `{a}` and `{b}`");
        let mut found = Diagnostic::error(code::BAD_OPERANDS, *span, message);
        // In a macro's text all parts have one place, which is marked already.
        if left.expr.span != *span {
            found = found.secondary(left.expr.span, format!("this is of type `{a}`"));
        }
        if right.expr.span != *span {
            found = found.secondary(right.expr.span, format!("this is of type `{b}`"));
        }
        if op == "%" && (left.ty.is_floating() || right.ty.is_floating()) {
            found = found.help("the remainder of floating-point numbers is `fmod(a, b)`");
        }
        self.fail(found)
    }

    fn operate_on_pointers(&mut self, op: BinaryOp, operation: Operation) -> Option<Value> {
        let (left, right) = (&operation.left.ty, &operation.right.ty);
        let (points, counts) = (left.is_pointer(), right.is_integer());
        let both_point = points && right.is_pointer();
        let counts_first = right.is_pointer() && left.is_integer();
        match op {
            BinaryOp::Sub if both_point => self.pointer_difference(operation),
            op if op.is_comparison() => self.compare_pointers(op, operation),
            BinaryOp::Add | BinaryOp::Sub if points && counts => {
                let Operation { left, right, span, .. } = operation;
                self.pointer_add(left, right, op == BinaryOp::Sub, span)
            }
            BinaryOp::Add if counts_first => {
                let Operation { left, right, span, .. } = operation;
                self.pointer_add(right, left, false, span)
            }
            _ => self.report_operands(&operation),
        }
    }

    fn pointer_difference(&mut self, operation: Operation) -> Option<Value> {
        let (to, from) = (operation.left.ty.pointee(), operation.right.ty.pointee());
        if !matches!((to, from), (Some(to), Some(from)) if to.ty == from.ty) {
            return self.report_operands(&operation);
        }
        let stride = self.stride(&operation.left)?;
        let kind = ExprKind::PointerDifference {
            left: Box::new(operation.left.expr),
            right: Box::new(operation.right.expr),
            stride,
        };
        Some(Value::new(kind, CType::LONG, operation.span))
    }

    fn compare_pointers(&mut self, op: BinaryOp, operation: Operation) -> Option<Value> {
        let Some(ty) = self.composite_pointer(&operation.left, &operation.right) else {
            return self.report_operands(&operation);
        };
        let left = convert::cast(operation.left, &ty);
        let right = convert::cast(operation.right, &ty);
        let kind = ExprKind::Binary(op, Box::new(left.expr), Box::new(right.expr));
        Some(Value::new(kind, CType::Bool, operation.span))
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
        let inner = convert::combined(to_a, to_b).map(|to| to.pointer());
        let candidates = [Some(join(to_a)), Some(join(to_b)), inner];
        let fits = |ty: &&CType| {
            let good = |fit: Option<Fit>| fit.is_some();
            good(self.fit(a, ty)) && good(self.fit(b, ty))
        };
        candidates.into_iter().flatten().find(|ty| fits(&ty))
    }
}

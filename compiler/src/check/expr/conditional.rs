//! `c ? a : b`.

use super::super::Checker;
use super::super::convert;
use super::super::tree::ExprKind;
use super::super::types::{CType, common};
use super::Value;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;

impl Checker {
    pub(super) fn conditional(
        &mut self,
        condition: &ast::Expr,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> Option<Value> {
        let test = self.value(condition);
        let test = test.and_then(|test| self.condition(test, "the condition of `?:`"));
        let left = self.value(a);
        let right = self.value(b);
        let (left, right) = (left?, right?);
        let Some(ty) = self.conditional_type(&left, &right) else {
            let (a, b) = (self.spell(&left.ty), self.spell(&right.ty));
            let message = format!(
                "the two sides of `?:` have the types `{a}` and `{b}`, which have none in common"
            );
            return self.fail(
                Diagnostic::error(code::TYPE_MISMATCH, span, message)
                    .secondary(left.expr.span, format!("this is of type `{a}`"))
                    .secondary(right.expr.span, format!("this is of type `{b}`")),
            );
        };
        let left = convert::cast(left, &ty).expr;
        let right = convert::cast(right, &ty).expr;
        let kind = ExprKind::Conditional(Box::new(test?), Box::new(left), Box::new(right));
        Some(Value::new(kind, ty, span))
    }

    fn conditional_type(&self, a: &Value, b: &Value) -> Option<CType> {
        if a.ty == b.ty {
            return Some(a.ty.clone());
        }
        if a.ty.is_arithmetic() && b.ty.is_arithmetic() {
            return Some(common(&a.ty, &b.ty));
        }
        self.composite_pointer(a, b)
    }
}

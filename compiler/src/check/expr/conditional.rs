//! `c ? a : b`.

use crate::check::expr::convert;
use crate::check::expr::object::void;
use crate::check::state::Checker;
use crate::check::tree::{Expr, ExprKind};
use crate::check::types::{CType, common};
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;

impl Checker {
    /// `c ? a : b` as an operand: its value, but for objects of structures, which it names.
    pub(super) fn conditional_operand(&mut self, expr: &ast::Expr) -> Option<Operand> {
        self.conditional(expr, false)
    }

    fn choice(&mut self, test: Expr, left: Value, right: Value, span: Span) -> Option<Value> {
        let (left, right) = match (&left.ty, &right.ty) {
            (a, b) if a == b => (left, right),
            // One is made of the other, if that is possible (C++17, [expr.cond]).
            (CType::Struct(_), number) if number.is_arithmetic() => self.made_alike(left, right),
            (number, CType::Struct(_)) if number.is_arithmetic() => {
                let (right, left) = self.made_alike(right, left);
                (left, right)
            }
            _ => (self.arithmetic(left), self.arithmetic(right)),
        };
        let bits =
            left.bits.max(right.bits).filter(|_| left.bits.is_some() && right.bits.is_some());
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
        if self.makes_object(&left.expr) || self.makes_object(&right.expr) {
            return self.made(ty, span, |this, object| {
                let left = void(this.make_at(object, left.expr));
                let right = void(this.make_at(object, right.expr));
                let kind = ExprKind::Conditional(Box::new(test), Box::new(left), Box::new(right));
                Some(Value::new(kind, CType::Void, span).expr)
            });
        }
        let left = convert::cast(left, &ty).expr;
        let right = convert::cast(right, &ty).expr;
        let kind = ExprKind::Conditional(Box::new(test), Box::new(left), Box::new(right));
        Some(Value { bits, ..Value::new(kind, ty, span) })
    }

    /// A structure and a number of one type, if one can be converted to the type of the other.
    fn made_alike(&mut self, structure: Value, number: Value) -> (Value, Value) {
        if let CType::Struct(id) = structure.ty
            && let Some(made) = self.converted_by_constructor(&number, id, false)
        {
            return (structure, made);
        }
        let converted = self.converted_by_function(&structure, Some(&number.ty), false);
        (converted.unwrap_or(structure), number)
    }

    /// An expression in place of an object: also `c ? a : b`, which elsewhere is its value.
    pub(crate) fn object_operand(&mut self, expr: &ast::Expr) -> Option<Operand> {
        self.conditional(expr, true)
    }

    fn conditional(&mut self, expr: &ast::Expr, names: bool) -> Option<Operand> {
        let ast::ExprKind::Conditional(condition, a, b) = &expr.kind else {
            return self.operand(expr);
        };
        let span = expr.span;
        let test = self.value(condition);
        let test = test.and_then(|test| self.condition(test, "the condition of `?:`"));
        self.enter_conditional();
        let left = self.conditional(a, names);
        let right = self.conditional(b, names);
        self.leave_conditional();
        let (left, right) = (left?, right?);
        let names = names || self.needs_destruction(left.ty());
        match (left, right) {
            (Operand::Place(left), Operand::Place(right))
                if names && left.ty == right.ty && !left.is_part() && !right.is_part() =>
            {
                let ty = left.ty.clone();
                let left = self.address(left, a.span);
                let right = self.address(right, b.span);
                let pointer = left.ty.clone();
                let sides = (Box::new(left.expr), Box::new(right.expr));
                let kind = ExprKind::Conditional(Box::new(test?), sides.0, sides.1);
                let address = Value::new(kind, pointer, span);
                Some(Lvalue::deref(address.expr, ty, span).into())
            }
            (left, right) => {
                let left = self.copied_object(left, a.span)?;
                let right = self.copied_object(right, b.span)?;
                self.choice(test?, left, right, span).map(Operand::from)
            }
        }
    }

    fn conditional_type(&self, a: &Value, b: &Value) -> Option<CType> {
        if a.ty == b.ty {
            return Some(a.ty.clone());
        }
        let is_number = |ty: &CType| ty.is_arithmetic() && !ty.is_scoped_enumeration();
        if is_number(&a.ty) && is_number(&b.ty) {
            return Some(common(&a.ty, &b.ty));
        }
        self.composite_pointer(a, b)
    }
}

//! Operators of one operand.

use super::binary::Operation;
use super::bits::sequence;
use crate::check::expr::constant;
use crate::check::expr::convert;
use crate::check::state::Checker;
use crate::check::tree::{Expr, ExprKind, Place, PlaceKind, UnaryOp};
use crate::check::types::CType;
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;

impl Checker {
    pub(super) fn unary(
        &mut self,
        op: ast::UnaryOp,
        inner: &ast::Expr,
        span: Span,
    ) -> Option<Operand> {
        use ast::UnaryOp::*;
        if let (Deref, ast::ExprKind::This) = (op, &inner.kind)
            && let Some(object) = self.this_object(span)
        {
            return Some(object.into());
        }
        let operand =
            if op == AddressOf { self.object_operand(inner)? } else { self.operand(inner)? };
        if let Some(made) = self.own_operator(op, &operand, span) {
            return made;
        }
        match op {
            Deref => self.dereference(operand, span).map(Operand::from),
            AddressOf => {
                let place = self.require_object(operand, "`&`", span)?;
                self.require_address(&place, "`&`", span)?;
                Some(self.address(place, span).into())
            }
            PreIncrement => self.increment(operand, false, false, span).map(Operand::from),
            PreDecrement => self.increment(operand, true, false, span).map(Operand::from),
            PostIncrement => self.increment(operand, false, true, span).map(Operand::from),
            PostDecrement => self.increment(operand, true, true, span).map(Operand::from),
            Plus | Minus | Not | BitNot => {
                self.arithmetic_unary(op, operand, span).map(Operand::from)
            }
        }
    }

    /// An operator that a structure defines; after the operand it takes an `int` too.
    fn own_operator(
        &mut self,
        op: ast::UnaryOp,
        operand: &Operand,
        span: Span,
    ) -> Option<Option<Operand>> {
        let mut operands = vec![operand.clone()];
        if matches!(op, ast::UnaryOp::PostIncrement | ast::UnaryOp::PostDecrement) {
            operands.push(Value::int(0, CType::INT, span).into());
        }
        self.operator(op.text(), &operands, span)
    }

    fn arithmetic_unary(
        &mut self,
        op: ast::UnaryOp,
        operand: Operand,
        span: Span,
    ) -> Option<Value> {
        let value = self.load(operand);
        if op == ast::UnaryOp::Not {
            let value = self.arithmetic(value);
            let operand = self.condition(value, "the operand of `!`")?;
            let kind = ExprKind::Unary(UnaryOp::Not, Box::new(operand));
            return Some(Value::new(kind, CType::Bool, span));
        }
        let value = self.scalar(value);
        let value = self.arithmetic(value);
        let fits = !value.ty.is_scoped_enumeration()
            && match op {
                ast::UnaryOp::BitNot => value.ty.is_integer(),
                ast::UnaryOp::Plus => value.ty.is_arithmetic() || value.ty.is_pointer(),
                _ => value.ty.is_arithmetic(),
            };
        if !fits {
            let message =
                format!("`{}` cannot be applied to a `{}`", op.text(), self.spell(&value.ty));
            return self.fail(Diagnostic::error(code::BAD_OPERANDS, span, message));
        }
        let ty = value.ty.promoted();
        let mut value = convert::cast(value, &ty);
        let op = match op {
            ast::UnaryOp::Minus => UnaryOp::Negate,
            ast::UnaryOp::BitNot => UnaryOp::BitNot,
            _ => {
                value.expr.span = span;
                return Some(value);
            }
        };
        let is_literal = matches!(value.expr.kind, ExprKind::Int(_) | ExprKind::Float(_));
        let kind = ExprKind::Unary(op, Box::new(value.expr));
        let mut result = Value::new(kind, ty, span);
        if is_literal && let Some(known) = constant::evaluate(&result.expr) {
            result.expr.kind = known.kind();
        }
        Some(result)
    }

    fn dereference(&mut self, operand: Operand, span: Span) -> Option<Lvalue> {
        let pointer = self.load(operand);
        let pointer = self.scalar(pointer);
        let Some(to) = pointer.ty.pointee().cloned() else {
            let message = format!("`*` needs a pointer, not a `{}`", self.spell(&pointer.ty));
            return self.fail(Diagnostic::error(code::BAD_OPERANDS, span, message));
        };
        if to.ty.is_void() {
            let message = "a `void *` cannot be dereferenced";
            return self.fail(
                Diagnostic::error(code::BAD_OPERANDS, span, message)
                    .help("convert it to the type of what it points to first"),
            );
        }
        self.object_size(&to.ty, span, "what the pointer points to")?;
        Some(Lvalue::deref(pointer.expr, to, span))
    }

    /// The address of an object.
    pub(crate) fn address(&mut self, place: Lvalue, span: Span) -> Value {
        self.keep_in_memory(&place.place);
        let ty = place.ty.clone().pointer();
        if let CType::Array(element, _) = &place.ty.ty {
            // The checked tree has the address of an array point to its first element.
            let first = element.ty.lower().pointer_to();
            let kind = ExprKind::AddressOf(Box::new(place.place));
            let first = Expr { kind, ty: first, span };
            return Value::new(ExprKind::Convert(Box::new(first)), ty, span);
        }
        let kind = match place.place.kind {
            // `&*p` and `&a[i]` are computed without touching the object.
            PlaceKind::Deref(pointer) if pointer.ty == ty.lower() => pointer.kind,
            kind => ExprKind::AddressOf(Box::new(Place { kind, ..place.place })),
        };
        Value::new(kind, ty, span)
    }

    /// An operand that has to be an object.
    pub(crate) fn require_object(
        &mut self,
        operand: Operand,
        what: &str,
        span: Span,
    ) -> Option<Lvalue> {
        match operand {
            Operand::Place(place) if !is_temporary(&place.place) => Some(place),
            _ => {
                let message = format!(
                    "{what} needs an object: a variable, an element, a member or what a pointer points to"
                );
                self.fail(
                    Diagnostic::error(code::NOT_ASSIGNABLE, span, message)
                        .secondary(operand.span(), "this is a value without a place"),
                )
            }
        }
    }

    fn increment(
        &mut self,
        operand: Operand,
        negative: bool,
        postfix: bool,
        span: Span,
    ) -> Option<Value> {
        let what = if negative { "`--`" } else { "`++`" };
        let place = self.require_writable(operand, what, span)?;
        let ty = place.ty.ty.clone();
        let stride = match &ty {
            CType::Pointer(_) => {
                let pointer = self.load(place.clone().into());
                self.stride(&pointer)?
            }
            CType::Bool if negative => 0,
            ty if ty.is_arithmetic() => 1,
            _ => 0,
        };
        if stride == 0 {
            let message = format!("{what} cannot be applied to a `{}`", self.spell(&ty));
            return self.fail(Diagnostic::error(code::BAD_OPERANDS, span, message));
        }
        if place.is_part() {
            return self.increment_part(place, negative, postfix, span);
        }
        let place = Box::new(place.place);
        Some(Value::new(ExprKind::Increment { place, negative, postfix, stride }, ty, span))
    }
}

impl Checker {
    /// `++` and `--` on a bit-field, or on a member that is aligned to less than its type.
    fn increment_part(
        &mut self,
        mut place: Lvalue,
        negative: bool,
        postfix: bool,
        span: Span,
    ) -> Option<Value> {
        let before = self.steady(&mut place.place)?;
        let old = self.load(place.clone().into());
        let (keep, held) = self.hold(old.clone())?;
        let held = Value { bits: old.bits, ..Value::new(ExprKind::Load(held.place), old.ty, span) };
        let op = if negative { ast::BinaryOp::Sub } else { ast::BinaryOp::Add };
        let one = Value::int(1, CType::INT, span);
        let operation = Operation { written: op, left: held.clone(), right: one, span };
        let new = self.operate_as_written(operation)?;
        let new = convert::cast(new, &place.ty.ty);
        let stored = self.store_part(place, new, span)?;
        let mut all = keep;
        if let Some(before) = before {
            all = sequence(before, all);
        }
        let result = if postfix { sequence(stored.expr, held.expr) } else { stored.expr };
        Some(Value { expr: sequence(all, result), bits: held.bits, ty: held.ty })
    }
}

/// Returns true if a place is a part of a value that has no place of its own.
pub(crate) fn is_temporary(place: &Place) -> bool {
    let mut root = place;
    while let PlaceKind::Field(base, _) = &root.kind {
        root = base;
    }
    matches!(root.kind, PlaceKind::Temporary(_))
}

//! References: variables and parameters that hold the address of their object.

use crate::check::expr::convert::Purpose;
use crate::check::state::Checker;
use crate::check::state::functions::Binding;
use crate::check::tree::{Expr, ExprKind, PlaceKind};
use crate::check::types::{CType, QType};
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;

impl Checker {
    /// The address that a reference to `ty` holds when it is bound to an expression.
    pub(crate) fn bind(
        &mut self,
        ty: &QType,
        binding: Binding,
        operand: Operand,
        why: &Purpose,
    ) -> Option<Expr> {
        let span = operand.span();
        if let Some(place) = self.object_of(&operand)
            && refers_to(ty, &place.ty).is_some()
            && !place.is_part()
        {
            if !binds_object(ty, binding, place.expires) {
                return self.report_binding(ty, binding, &operand, span);
            }
            return Some(self.address(place.into_owned(), span).expr);
        }
        if binding == Binding::Objects && !ty.is_constant() {
            return self.report_binding(ty, binding, &operand, span);
        }
        let value = match *operand.ty() == ty.ty {
            true => self.copied_object(operand, span)?,
            false => self.load(operand),
        };
        let value = self.convert_or_construct(value, &ty.ty, why)?;
        let (set, place) = self.materialise(value)?;
        let address = self.address(place, span);
        let kind = ExprKind::Comma(Box::new(set), Box::new(address.expr));
        Some(Value::new(kind, address.ty, span).expr)
    }

    fn report_binding<T>(
        &mut self,
        ty: &QType,
        binding: Binding,
        operand: &Operand,
        span: Span,
    ) -> Option<T> {
        let target = self.spell_qualified(ty);
        let given = match operand {
            Operand::Place(place) if place.is_part() => {
                let what = if place.bits.is_some() { "a bit-field" } else { "a packed member" };
                format!(
                    "{what} of type `{}`, which has no address of its own",
                    self.spell(&place.ty.ty)
                )
            }
            Operand::Place(place) => {
                let given_up = if place.expires { " that is given up" } else { "" };
                format!("an object of type `{}`{given_up}", self.spell_qualified(&place.ty))
            }
            Operand::Value(value) => {
                format!("a value of type `{}` without a place", self.spell(&value.ty))
            }
        };
        let rvalue = if binding == Binding::Values { "an rvalue" } else { "a" };
        let message = format!("{rvalue} reference to `{target}` cannot stand for {given}");
        self.fail(Diagnostic::error(code::TYPE_MISMATCH, span, message))
    }

    /// Puts a value into a variable of its own: the assignment, and the variable.
    pub(crate) fn hold(&mut self, value: Value) -> Option<(Expr, Lvalue)> {
        let span = value.expr.span;
        if let Some(made) = self.made_object(&value) {
            return Some(made);
        }
        if self.body.is_none() && self.allowed.is_unevaluated() {
            // Only the type is needed, as in the head of a template.
            let pointer = value.ty.clone().pointer_to();
            let nowhere = Value::int(0, pointer, span).expr;
            let place = PlaceKind::Deref(Box::new(nowhere));
            return Some((value.expr, Lvalue::new(place, value.ty.plain(), span)));
        }
        let Some(id) = self.add_local("(temporary)", &value.ty, span) else {
            let message = "unsupported: a value that needs a place, outside functions";
            return self.fail(Diagnostic::error(code::UNSUPPORTED_CPP, span, message));
        };
        let place = Lvalue::new(PlaceKind::Local(id), value.ty.clone().plain(), span);
        let kind = ExprKind::Assign(Box::new(place.place.clone()), Box::new(value.expr));
        Some((Value::new(kind, value.ty, span).expr, place))
    }
}

/// Returns true if a reference may be bound to an object of its type, which may be given up.
pub(crate) fn binds_object(to: &QType, binding: Binding, expires: bool) -> bool {
    match binding {
        Binding::Objects => !expires || to.is_constant(),
        Binding::Values => expires,
    }
}

/// Returns the result if a reference to one type may bind to an object of another: true if both are
/// constant alike. An array is as constant as its elements (C++17, [dcl.init.ref],
/// [basic.type.qualifier]).
pub(crate) fn refers_to(to: &QType, from: &QType) -> Option<bool> {
    if let (CType::Array(to, length), CType::Array(from, other)) = (&to.ty, &from.ty)
        && length == other
    {
        return refers_to(to, from);
    }
    let keeps = (to.constant || !from.constant) && (to.volatile || !from.volatile);
    (to.ty == from.ty && keeps).then_some(to.constant == from.constant)
}

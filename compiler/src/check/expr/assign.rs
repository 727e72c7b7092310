//! Assignments.

use super::binary::{Operation, lowered, operation_type};
use super::bits::sequence;
use crate::check::expr::convert::{self, Purpose};
use crate::check::state::Checker;
use crate::check::tree::{BinaryOp, ExprKind, GlobalSpace, Place, PlaceKind};
use crate::check::types::CType;
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;

impl Checker {
    pub(super) fn assign(
        &mut self,
        op: Option<ast::BinaryOp>,
        place: &ast::Expr,
        value: &ast::Expr,
        span: Span,
    ) -> Option<Operand> {
        let left = self.object_operand(place);
        let right = match (&value.kind, &left) {
            // A list makes a value of the left side's type.
            (ast::ExprKind::List(list), Some(left)) => {
                let ty = left.ty().clone();
                self.returned(list, Some(&ty)).map(Operand::from)
            }
            _ => self.operand(value),
        };
        let operands = [left?, right?];
        // Without an operator of its own, a structure is copied.
        let text = op.map_or("", ast::BinaryOp::text);
        let made = match op {
            None => self.assigned_object(&operands[0], &operands[1], span),
            Some(_) => self.operator(&format!("{text}="), &operands, span),
        };
        if let Some(made) = made {
            return made;
        }
        let [left, right] = operands;
        let value = self.load(right);
        let place = self.require_writable(left, "the left side of an assignment", place.span)?;
        let value = match op {
            None => self.plain_assign(place, value, span),
            Some(op) => {
                let value = self.scalar(value);
                self.compound_assign(op, place, value, span)
            }
        };
        value.map(Operand::from)
    }

    pub(crate) fn plain_assign(
        &mut self,
        place: Lvalue,
        value: Value,
        span: Span,
    ) -> Option<Value> {
        let ty = place.ty.ty.clone();
        let mut value = self.convert_or_construct(value, &ty, &Purpose::Assign)?;
        if self.needs_destruction(&ty) {
            // An object that the value makes ends after the expression.
            let (set, object) = self.materialise(value)?;
            let object = self.load(object.into());
            value = Value { expr: sequence(set, object.expr), ..object };
        }
        if place.is_part() {
            return self.store_part(place, value, span);
        }
        let kind = ExprKind::Assign(Box::new(place.place), Box::new(value.expr));
        Some(Value::new(kind, ty, span))
    }

    fn compound_assign(
        &mut self,
        written: ast::BinaryOp,
        place: Lvalue,
        value: Value,
        span: Span,
    ) -> Option<Value> {
        if place.is_part() {
            return self.compound_part(written, place, value, span);
        }
        let value = self.arithmetic(value);
        let ty = place.ty.ty.clone();
        let op = lowered(written)?;
        let is_step = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        if ty.is_pointer() && is_step && value.ty.is_integer() {
            return self.move_pointer(place, value, op == BinaryOp::Sub, span);
        }
        let Some(common) = operation_type(op, &ty, &value.ty) else {
            let left = self.load(place.into());
            return self.report_operands(&Operation { written, left, right: value, span });
        };
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && common.is_integer() {
            self.warn_of_division(&value, span);
        }
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let right = if is_shift { value.ty.promoted() } else { common.clone() };
        let (place, common) = (place.place, common.lower());
        let value = convert::cast(value, &right).expr;
        let kind = match self.contracted_assignment(op, &place, &common, value) {
            Ok(kind) => kind,
            Err(value) => {
                ExprKind::AssignOp { op, place: Box::new(place), value: Box::new(value), common }
            }
        };
        Some(Value::new(kind, ty, span))
    }

    /// `part op= value`: the value first, then the place, once.
    fn compound_part(
        &mut self,
        written: ast::BinaryOp,
        mut place: Lvalue,
        value: Value,
        span: Span,
    ) -> Option<Value> {
        let (ty, bits) = (value.ty.clone(), value.bits);
        let (mut before, held) = self.hold(value)?;
        let value = Value { bits, ..Value::new(ExprKind::Load(held.place), ty, span) };
        if let Some(steady) = self.steady(&mut place.place)? {
            before = sequence(before, steady);
        }
        let old = self.load(place.clone().into());
        let new = self.operate_as_written(Operation { written, left: old, right: value, span })?;
        let new = convert::cast(new, &place.ty.ty);
        let stored = self.store_part(place, new, span)?;
        Some(Value { expr: sequence(before, stored.expr), ..stored })
    }

    fn move_pointer(
        &mut self,
        place: Lvalue,
        value: Value,
        negative: bool,
        span: Span,
    ) -> Option<Value> {
        let ty = place.ty.ty.clone();
        let pointer = self.load(place.clone().into());
        let stride = self.stride(&pointer)?;
        let kind = ExprKind::AssignPointerAdd {
            place: Box::new(place.place),
            index: Box::new(convert::cast(value, &CType::LONG_LONG).expr),
            stride,
            negative,
        };
        Some(Value::new(kind, ty, span))
    }

    /// An operand that has to be an object that may be changed.
    pub(crate) fn require_writable(
        &mut self,
        operand: Operand,
        what: &str,
        span: Span,
    ) -> Option<Lvalue> {
        let place = self.require_object(operand, what, span)?;
        if let CType::Array(..) = place.ty.ty {
            let message =
                format!("an array of type `{}` cannot be assigned to", self.spell(&place.ty.ty));
            return self.fail(
                Diagnostic::error(code::NOT_ASSIGNABLE, span, message)
                    .help("assign its elements one by one, or copy them with `memcpy`"),
            );
        }
        if place.ty.is_constant() {
            return self.report_constant(&place, span);
        }
        if self.is_in_constant_memory(&place.place) {
            let message = "this is in constant memory, and cannot be changed in device code";
            let mut found = Diagnostic::error(code::ASSIGN_CONST, span, message);
            if let Some((name, declared)) = self.declaration_of(&place.place) {
                found = found.secondary(declared, format!("`{name}` is declared here"));
            }
            return self.fail(found);
        }
        Some(place)
    }

    /// Returns true if a place is a part of a `__constant__` variable, whose type does not show it.
    fn is_in_constant_memory(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Field(base, _) => self.is_in_constant_memory(base),
            PlaceKind::Global(id) => {
                let global = self.variables.get(*id);
                global.is_some_and(|global| global.space == GlobalSpace::Constant)
            }
            PlaceKind::Deref(pointer) => {
                let mut pointer = pointer;
                while let ExprKind::PointerAdd { pointer: inner, .. } = &pointer.kind {
                    pointer = inner;
                }
                matches!(&pointer.kind, ExprKind::AddressOf(place) if self.is_in_constant_memory(place))
            }
            _ => false,
        }
    }

    fn report_constant<T>(&mut self, place: &Lvalue, span: Span) -> Option<T> {
        let spelled = self.spell_qualified(&place.ty);
        let message = format!("this is constant, of type `{spelled}`, and cannot be changed");
        let mut found = Diagnostic::error(code::ASSIGN_CONST, span, message);
        if let Some((name, declared)) = self.declaration_of(&place.place) {
            found = found.secondary(declared, format!("`{name}` is declared here"));
        }
        self.fail(found)
    }

    /// The variable that a place is a part of.
    fn declaration_of(&self, place: &Place) -> Option<(String, Span)> {
        match &place.kind {
            PlaceKind::Field(base, _) => self.declaration_of(base),
            PlaceKind::Local(id) => {
                let local = self.body.as_ref()?.local(*id)?;
                Some((local.name.to_string(), local.span))
            }
            PlaceKind::Global(id) => {
                let global = self.variables.get(*id)?;
                Some((global.name.clone(), global.span))
            }
            PlaceKind::Shared(id) => {
                let shared = self.variables.shared(*id)?;
                Some((shared.name.clone(), shared.span))
            }
            PlaceKind::Deref(pointer) => {
                let mut pointer = pointer;
                while let ExprKind::PointerAdd { pointer: inner, .. } = &pointer.kind {
                    pointer = inner;
                }
                match &pointer.kind {
                    ExprKind::Load(place) => self.declaration_of(place),
                    ExprKind::AddressOf(place) => self.declaration_of(place),
                    _ => None,
                }
            }
            PlaceKind::Temporary(_) => None,
        }
    }
}

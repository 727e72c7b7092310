//! Members and elements.

use crate::check::expr::constant;
use crate::check::expr::convert;
use crate::check::state::Checker;
use crate::check::state::structs::FieldInfo;
use crate::check::tree::{ExprKind, PlaceKind, StructId};
use crate::check::types::{CType, QType};
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;

impl Checker {
    pub(crate) fn member(
        &mut self,
        base: &ast::Expr,
        name: &Name,
        name_span: Span,
        arrow: bool,
        span: Span,
    ) -> Option<Operand> {
        let operand = self.member_base(base, name, arrow, span)?;
        self.member_of(operand, base.span, name, name_span, arrow, span)
    }

    /// A member of a structure; `place` is the place of the structure, or of the pointer to it.
    pub(crate) fn member_of(
        &mut self,
        operand: Operand,
        place: Span,
        name: &Name,
        name_span: Span,
        arrow: bool,
        span: Span,
    ) -> Option<Operand> {
        let CType::Struct(id) = *operand.ty() else {
            let ty = operand.ty().clone();
            return self.report_no_structure(&ty, place, name, arrow);
        };
        let Some(found) = self.find_member(id, name) else {
            // A static member, reached through an object.
            let path: Name = format!("{}::{name}", self.structure(id).path).into();
            if self.scopes.find_whole(&path).is_some() {
                return self.name(&path, span);
            }
            self.report_no_member(id, name, name_span);
            return None;
        };
        if self.structs.vector("cudaDeviceProp") == Some(id) {
            self.check_property(name, name_span)?;
        }
        match operand {
            Operand::Place(base) => Some(self.field(base, found, span).into()),
            Operand::Value(value) => Some(self.member_of_value(value, id, name, found, span)),
        }
    }

    /// The structure that `base.name` or `base->name` is about.
    pub(crate) fn member_base(
        &mut self,
        base: &ast::Expr,
        name: &Name,
        arrow: bool,
        span: Span,
    ) -> Option<Operand> {
        if let (ast::ExprKind::This, true) = (&base.kind, arrow)
            && let Some(object) = self.this_object(base.span)
        {
            return Some(object.into());
        }
        let mut operand = self.operand(base)?;
        if !arrow {
            return Some(operand);
        }
        if let CType::Struct(id) = *operand.ty()
            && self.member_functions(id, "operator->").is_some()
        {
            operand = self.operator("->", &[operand], span)??;
        }
        let pointer = self.load(operand);
        let Some(to) = pointer.ty.pointee().cloned() else {
            return self.report_no_structure(&pointer.ty, base.span, name, arrow);
        };
        Some(Lvalue::deref(pointer.expr, to, span).into())
    }

    /// A member of a structure that is no object.
    fn member_of_value(
        &mut self,
        value: Value,
        id: StructId,
        name: &str,
        found: FieldInfo,
        span: Span,
    ) -> Operand {
        let index = self.structure(id).fields.iter().position(|field| field.name == name);
        if let (ExprKind::Construct(parts), Some(index)) = (&value.expr.kind, index)
            && parts.iter().all(|part| matches!(part.kind, ExprKind::Special(_)))
            && let Some(part) = parts.get(index)
        {
            return Value::new(part.kind.clone(), found.ty.ty, span).into();
        }
        if (self.needs_destruction(&value.ty) || self.makes_object(&value.expr))
            && let Some((set, object)) = self.materialise(value.clone())
        {
            let ty = object.ty.clone();
            let address = self.address(object, span);
            let kind = ExprKind::Comma(Box::new(set), Box::new(address.expr));
            let address = Value::new(kind, address.ty, span);
            return self.field(Lvalue::deref(address.expr, ty, span), found, span).into();
        }
        let whole = value.ty.clone().plain();
        let place = value.expr.span;
        let base = Lvalue::new(PlaceKind::Temporary(Box::new(value.expr)), whole, place);
        self.field(base, found, span).into()
    }

    fn report_no_structure<T>(
        &mut self,
        ty: &CType,
        span: Span,
        name: &str,
        arrow: bool,
    ) -> Option<T> {
        let spelled = self.spell(ty);
        let message = format!("`{name}` is asked of a `{spelled}`, which has no members");
        let mut found = Diagnostic::error(code::NO_MEMBER, span, message)
            .label(format!("this is of type `{spelled}`"));
        let points_to_struct = matches!(ty.pointee(), Some(QType { ty: CType::Struct(_), .. }));
        if arrow && matches!(ty, CType::Struct(_)) {
            found = found.help("members of a structure that is no pointer are reached with `.`");
        } else if !arrow && points_to_struct {
            found = found.help("members behind a pointer are reached with `->`");
        }
        self.fail(found)
    }

    /// `base[index]`, in either order.
    pub(super) fn index(
        &mut self,
        base: &ast::Expr,
        index: &ast::Expr,
        span: Span,
    ) -> Option<Operand> {
        let a = self.operand(base);
        let b = self.operand(index);
        let operands = [a?, b?];
        if let Some(made) = self.operator("[]", &operands, span) {
            return made;
        }
        // Elements of an array that is aligned to less than its type are so too.
        let part = operands.iter().find_map(|operand| match operand {
            Operand::Place(place) if matches!(place.ty.ty, CType::Array(..)) => place.align,
            _ => None,
        });
        let [a, b] = operands.map(|operand| {
            let value = self.load(operand);
            self.scalar(value)
        });
        let (pointer, index) = if b.ty.is_pointer() && a.ty.is_integer() { (b, a) } else { (a, b) };
        let Some(to) = pointer.ty.pointee().cloned() else {
            let message =
                format!("`[ ]` needs an array or pointer, not a `{}`", self.spell(&pointer.ty));
            return self.fail(Diagnostic::error(code::BAD_OPERANDS, pointer.expr.span, message));
        };
        if !index.ty.is_integer() {
            let message = format!("an index is an integer, not a `{}`", self.spell(&index.ty));
            return self.fail(Diagnostic::error(code::BAD_OPERANDS, index.expr.span, message));
        }
        let address = self.pointer_add(pointer, index, false, span)?;
        let align = part.filter(|align| *align < self.align_of(&to.ty));
        Some(Lvalue { align, ..Lvalue::deref(address.expr, to, span) }.into())
    }

    /// `pointer + index` or `pointer - index`.
    pub(super) fn pointer_add(
        &mut self,
        pointer: Value,
        index: Value,
        negative: bool,
        span: Span,
    ) -> Option<Value> {
        let stride = self.stride(&pointer)?;
        let index = convert::cast(index, &CType::LONG_LONG);
        let kind = ExprKind::PointerAdd {
            pointer: Box::new(pointer.expr),
            index: Box::new(index.expr),
            stride,
            negative,
        };
        Some(Value::new(kind, pointer.ty, span))
    }

    /// The size of a pointer's target in bytes.
    pub(super) fn stride(&mut self, pointer: &Value) -> Option<u64> {
        let to = pointer.ty.pointee()?.ty.clone();
        if to.is_void() {
            let message = "`void` has no size, so a `void *` cannot be moved";
            return self.fail(
                Diagnostic::error(code::INCOMPLETE_TYPE, pointer.expr.span, message)
                    .help("convert it to `char *` to count in bytes"),
            );
        }
        self.object_size(&to, pointer.expr.span, "what the pointer points to")
    }

    /// Warns of a division by the constant 0.
    pub(super) fn warn_of_division(&mut self, divisor: &Value, span: Span) {
        let is_zero = divisor.ty.is_integer()
            && constant::evaluate(&divisor.expr) == Some(constant::Const::Int(0));
        if is_zero && !self.allowed.is_unevaluated() {
            let message = "this divides by zero, which traps";
            self.report(Diagnostic::warning(code::DIVISION_BY_ZERO, span, message));
        }
    }
}

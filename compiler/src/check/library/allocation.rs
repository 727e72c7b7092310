//! `new` and `delete`, which the parser has turned into calls.

use crate::check::builtin::Builtin;
use crate::check::expr::bits::sequence;
use crate::check::expr::convert::{self, Purpose};
use crate::check::state::Checker;
use crate::check::tree::ExprKind;
use crate::check::types::CType;
use crate::check::value::{Lvalue, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;

impl Checker {
    /// A call that stands for `new` or `delete`; `None` if `name` is none.
    pub(crate) fn allocation(
        &mut self,
        name: &str,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Option<Value>> {
        let what = match name {
            "__new" | "__new_array" | "__new_zero" => "new",
            "__delete" | "__delete_array" => "delete",
            _ => return None,
        };
        if self.in_device_code() {
            self.check_all(arguments);
            let message = format!("unsupported: `{what}` in device code");
            return Some(
                self.fail(
                    Diagnostic::error(code::UNSUPPORTED_CPP, span, message)
                        .help("declare an array, or pass memory from the host"),
                ),
            );
        }
        Some(match (name, arguments) {
            ("__new", [value]) => self.new_object(value, span),
            ("__new_zero", [pointer]) => self.new_zero(pointer, span),
            ("__new_array", [pointer, count]) => self.new_array(pointer, count, span),
            ("__delete", [pointer]) => self.delete(pointer, false, span),
            ("__delete_array", [pointer]) => self.delete(pointer, true, span),
            _ => {
                self.check_all(arguments);
                let message = format!("unsupported: this form of `{what}`");
                self.fail(Diagnostic::error(code::UNSUPPORTED_CPP, span, message))
            }
        })
    }

    /// `new T(value)`: the memory, then the value in it.
    fn new_object(&mut self, value: &ast::Expr, span: Span) -> Option<Value> {
        let value = self.value(value)?;
        self.new_value(value, span)
    }

    fn new_value(&mut self, value: Value, span: Span) -> Option<Value> {
        let ty = value.ty.clone();
        let memory = self.memory(&ty.clone().pointer_to(), None, span)?;
        let (keep, pointer) = self.hold(memory)?;
        let pointer = self.load(pointer.into());
        let place = Lvalue::deref(pointer.expr.clone(), ty.clone().plain(), span);
        let store = ExprKind::Assign(Box::new(place.place), Box::new(value.expr));
        let store = Value::new(store, ty, span);
        let result = pointer.ty.clone();
        let kind = ExprKind::Comma(Box::new(store.expr), Box::new(pointer.expr));
        let stored = Value::new(kind, result.clone(), span);
        let kind = ExprKind::Comma(Box::new(keep), Box::new(stored.expr));
        Some(Value::new(kind, result, span))
    }

    fn new_zero(&mut self, pointer: &ast::Expr, span: Span) -> Option<Value> {
        let ty = self.value(pointer)?.ty;
        if let Some(&CType::Struct(id)) = ty.pointee().map(|to| &to.ty)
            && self.starts(&CType::Struct(id))
        {
            let made = self.made_struct(id, Vec::new(), span)?;
            return self.new_value(made, span);
        }
        self.memory(&ty, None, span)
    }

    fn new_array(&mut self, pointer: &ast::Expr, count: &ast::Expr, span: Span) -> Option<Value> {
        let ty = self.value(pointer)?.ty;
        let count = self.value(count)?;
        let count = self.convert(count, &CType::SIZE, &Purpose::Plain)?;
        if ty.pointee().is_some_and(|to| self.starts(&to.ty) || self.needs_destruction(&to.ty)) {
            let message =
                "unsupported: `new` of an array whose elements have constructors or destructors";
            return self.fail(Diagnostic::error(code::UNSUPPORTED_CPP, span, message));
        }
        self.memory(&ty, Some(count), span)
    }

    /// Memory for what a pointer of this type points to, or for so many of them.
    fn memory(&mut self, ty: &CType, count: Option<Value>, span: Span) -> Option<Value> {
        let element = ty.pointee()?;
        let size = self.object_size(&element.ty, span, "what `new` makes")?;
        let size = Value::int(size as i64, CType::SIZE, span);
        let is_array = Value::int(i64::from(count.is_some()), CType::INT, span);
        let count = count.unwrap_or_else(|| Value::int(1, CType::SIZE, span));
        let arguments = vec![count.expr, size.expr, is_array.expr];
        let kind = ExprKind::Builtin(Builtin::New, arguments);
        let memory = Value::new(kind, CType::Void.pointer_to(), span);
        Some(convert::cast(memory, ty))
    }

    fn delete(&mut self, pointer: &ast::Expr, is_array: bool, span: Span) -> Option<Value> {
        let pointer = self.value(pointer)?;
        if !pointer.ty.is_pointer() && pointer.ty != CType::Null {
            let given = self.spell(&pointer.ty);
            let message = format!("`delete` takes a pointer, not a `{given}`");
            return self.fail(Diagnostic::error(code::TYPE_MISMATCH, pointer.expr.span, message));
        }
        let ended = pointer.ty.pointee().map(|to| to.ty.clone());
        if let Some(ty) = ended.filter(|ty| self.needs_destruction(ty)) {
            return self.delete_object(pointer, &ty, is_array, span);
        }
        let pointer = convert::cast(pointer, &CType::Void.pointer_to());
        self.release(pointer, is_array, span)
    }

    /// `delete` of an object with a destructor, if there is one.
    fn delete_object(
        &mut self,
        pointer: Value,
        ty: &CType,
        is_array: bool,
        span: Span,
    ) -> Option<Value> {
        let (CType::Struct(id), false) = (ty, is_array) else {
            let message = "unsupported: `delete[]` of objects with destructors";
            return self.fail(Diagnostic::error(code::UNSUPPORTED_CLASS, span, message));
        };
        let (keep, held) = self.hold(pointer)?;
        let pointer = self.load(held.into());
        let place = Lvalue::deref(pointer.expr.clone(), ty.clone().plain(), span);
        let end = self.destruction(*id, &place.place, span)?;
        let nothing = convert::cast(Value::int(0, CType::INT, span), &CType::Void);
        let exists = convert::cast(pointer.clone(), &CType::Bool).expr;
        let kind = ExprKind::Conditional(Box::new(exists), Box::new(end), Box::new(nothing.expr));
        let end = Value::new(kind, CType::Void, span);
        let pointer = convert::cast(pointer, &CType::Void.pointer_to());
        let release = self.release(pointer, false, span)?;
        let rest = sequence(end.expr, release.expr);
        let kind = ExprKind::Comma(Box::new(keep), Box::new(rest));
        Some(Value::new(kind, CType::Void, span))
    }

    /// Gives memory back.
    fn release(&mut self, pointer: Value, is_array: bool, span: Span) -> Option<Value> {
        let is_array = Value::int(i64::from(is_array), CType::INT, span);
        let arguments = vec![pointer.expr, is_array.expr];
        Some(Value::new(ExprKind::Builtin(Builtin::Delete, arguments), CType::Void, span))
    }
}

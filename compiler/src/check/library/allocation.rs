//! `new` and `delete`, which the parser has turned into calls.

use crate::check::builtin::Builtin;
use crate::check::expr::bits::sequence;
use crate::check::expr::convert::{self, Purpose};
use crate::check::expr::object::cleared;
use crate::check::overload::program::Call;
use crate::check::state::Checker;
use crate::check::tree::{ExprKind, StructId};
use crate::check::types::CType;
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;

impl Checker {
    /// A call that denotes `new` or `delete`; `None` if `name` is none.
    pub(crate) fn allocation(
        &mut self,
        name: &str,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Option<Value>> {
        let what = match name {
            "__new" | "__new_array" | "__new_zero" | "__new_bytes" | "__construct" => "new",
            "__new_at" | "__new_at_zero" | "__new_at_default" => {
                return Some(self.placed(name, arguments, span));
            }
            "__new_at_array" => "new",
            "__delete" | "__delete_array" | "__delete_bytes" | "__destroy" => "delete",
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
            ("__new_bytes", [count, size]) => self.new_bytes(count, size, span),
            ("__construct", [pointer]) => self.construct_at(pointer, span),
            ("__delete", [pointer]) => self.delete(pointer, false, span),
            ("__delete_array", [pointer]) => self.delete(pointer, true, span),
            ("__delete_bytes", [pointer]) => {
                let pointer = self.value(pointer)?;
                self.release(pointer, true, span)
            }
            ("__destroy", [pointer]) => {
                let (object, id) = self.object_at(pointer, span)?;
                let end = self.destruction(id, &object.place, span)?;
                Some(Value { expr: end, ty: CType::Void, bits: None })
            }
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
        let place = Lvalue::deref(pointer.expr.clone(), ty.plain(), span);
        let store = self.make_at(&place.place, value.expr);
        let result = pointer.ty.clone();
        let kind = ExprKind::Comma(Box::new(store), Box::new(pointer.expr));
        let stored = Value::new(kind, result.clone(), span);
        let kind = ExprKind::Comma(Box::new(keep), Box::new(stored.expr));
        Some(Value::new(kind, result, span))
    }

    /// `new (place) T`, with values or not.
    fn placed(&mut self, name: &str, arguments: &[ast::Expr], span: Span) -> Option<Value> {
        let [place, made] = arguments else {
            self.check_all(arguments);
            let message = "unsupported: this form of `new`";
            return self.fail(Diagnostic::error(code::UNSUPPORTED_CPP, span, message));
        };
        let (place, made) = (self.value(place), self.value(made));
        let (place, made) = (place?, made?);
        if !place.ty.is_pointer() {
            let given = self.spell(&place.ty);
            let message =
                format!("`new` makes an object where a pointer points to, not at a `{given}`");
            return self.fail(Diagnostic::error(code::TYPE_MISMATCH, place.expr.span, message));
        }
        let ty = match name {
            "__new_at" => made.ty.clone(),
            _ => made.ty.pointee()?.ty.clone(),
        };
        self.object_size(&ty, span, "what `new` makes")?;
        let pointer = convert::cast(place, &ty.clone().pointer_to());
        let (keep, held) = self.hold(pointer)?;
        let pointer = self.load(held.into());
        let object = Lvalue::deref(pointer.expr.clone(), ty.clone().plain(), span);
        let mut all = vec![keep];
        if name == "__new_at" {
            all.push(self.make_at(&object.place, made.expr));
        } else {
            if name == "__new_at_zero" {
                all.push(match &ty {
                    CType::Struct(_) => cleared(&object.place, span),
                    _ => {
                        let zero = convert::cast(Value::int(0, CType::INT, span), &ty);
                        self.make_at(&object.place, zero.expr)
                    }
                });
            }
            let mut stores = Vec::new();
            self.default_stores(&ty, 0, span, &mut stores)?;
            all.extend(self.stores_into(&object.place, stores));
        }
        let expr = all.into_iter().rev().fold(pointer.expr, |rest, first| sequence(first, rest));
        Some(Value { expr, ty: pointer.ty, bits: None })
    }

    fn new_zero(&mut self, pointer: &ast::Expr, span: Span) -> Option<Value> {
        let ty = self.value(pointer)?.ty;
        if let Some(&CType::Struct(id)) = ty.pointee().map(|to| &to.ty)
            && self.starts(&CType::Struct(id))
        {
            let made = self.made_struct(id, Vec::new(), ast::Enclosure::Parentheses, span)?;
            return self.new_value(made, span);
        }
        self.memory(&ty, None, span)
    }

    fn new_array(&mut self, pointer: &ast::Expr, count: &ast::Expr, span: Span) -> Option<Value> {
        let pointer = self.value(pointer)?;
        let ty = pointer.ty.clone();
        let count = self.value(count)?;
        let count = self.convert(count, &CType::SIZE, &Purpose::Plain)?;
        let element = ty.pointee()?.ty.clone();
        let maker = match (self.needs_destruction(&element), self.starts(&element)) {
            (false, false) => return self.memory(&ty, Some(count), span),
            (true, _) => "__new_counted",
            (false, true) => "__new_constructed",
        };
        self.call_of_text(maker, vec![pointer.into(), count.into()], span)
    }

    /// Memory for `count` elements of `size` bytes.
    fn new_bytes(&mut self, count: &ast::Expr, size: &ast::Expr, span: Span) -> Option<Value> {
        let (count, size) = (self.value(count)?, self.value(size)?);
        let is_array = Value::int(1, CType::INT, span);
        let kind = ExprKind::Builtin(Builtin::New, vec![count.expr, size.expr, is_array.expr]);
        Some(Value::new(kind, CType::Void.pointer_to(), span))
    }

    /// The object of structure type that a pointer points to.
    fn object_at(&mut self, pointer: &ast::Expr, span: Span) -> Option<(Lvalue, StructId)> {
        let pointer = self.value(pointer)?;
        let to = pointer.ty.pointee()?.clone();
        let CType::Struct(id) = to.ty else {
            return None;
        };
        Some((Lvalue::deref(pointer.expr, to, span), id))
    }

    /// Makes an object without values where a pointer points to.
    fn construct_at(&mut self, pointer: &ast::Expr, span: Span) -> Option<Value> {
        let (object, id) = self.object_at(pointer, span)?;
        let nothing = convert::cast(Value::int(0, CType::INT, span), &CType::Void);
        let mut stores = Vec::new();
        // The memory is zero.
        self.default_stores(&CType::Struct(id), 0, span, &mut stores)?;
        let made = self.stores_into(&object.place, stores);
        let expr = made.into_iter().rev().fold(nothing.expr, |rest, first| sequence(first, rest));
        Some(Value { expr, ty: CType::Void, bits: None })
    }

    /// A call of a function of the text for arrays.
    fn call_of_text(&mut self, name: &str, operands: Vec<Operand>, span: Span) -> Option<Value> {
        let list = self.functions_of(name)?;
        let made = self.call_overloaded(Call::new(&name.into(), &list, operands, span, span))?;
        Some(self.load(made))
    }

    /// Memory for one object of the pointer's target type, or for `count` of them.
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
            self.check_destruction(&ty, span)?;
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
        let id = match ty {
            CType::Struct(id) if !is_array => id,
            CType::Struct(_) => {
                return self.call_of_text("__delete_counted", vec![pointer.into()], span);
            }
            _ => {
                let message = "unsupported: `delete` of arrays of arrays with destructors";
                return self.fail(Diagnostic::error(code::UNSUPPORTED_CLASS, span, message));
            }
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

//! Hints for the compiler or the caches: loads and stores with a policy, and expectations or
//! assumptions.

use crate::check::expr::convert::{self, Purpose};
use crate::check::state::Checker;
use crate::check::tree::ExprKind;
use crate::check::types::{CType, QType};
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use reconverge_isa::CacheHints;

const LOADS: &[&str] = &["__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"];
const STORES: &[&str] = &["__stwb", "__stcg", "__stcs", "__stwt"];
const ASSUMPTION: &str = "__builtin_assume";

/// The structures that the loads and stores take.
const VECTORS: &[&str] = &[
    "__half",
    "__half2",
    "__nv_bfloat16",
    "__nv_bfloat162",
    "char2",
    "char4",
    "double2",
    "float2",
    "float4",
    "int2",
    "int4",
    "longlong2",
    "short2",
    "short4",
    "uchar2",
    "uchar4",
    "uint2",
    "uint4",
    "ulonglong2",
    "ushort2",
    "ushort4",
];

/// The names of these functions.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let all = [LOADS, STORES, &[ASSUMPTION, "__builtin_expect"]];
    all.into_iter().flatten().copied()
}

/// Returns true if a function of this name accesses memory with a policy of the caches.
pub(crate) fn is_access(name: &str) -> bool {
    LOADS.contains(&name) || STORES.contains(&name)
}

/// The cache hints of such an access: the end of its name is PTX's cache operator, and `__ldg` is PTX's `ld.nc`.
fn cache_hints(name: &str) -> CacheHints {
    let mut hints = CacheHints::NONE;
    hints.add(match name {
        "__ldg" => "nc",
        name => &name[name.len() - 2..],
    });
    hints
}

impl Checker {
    /// The value of such a call; `None` for any other.
    pub(crate) fn hinted(
        &mut self,
        name: &str,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Option<Value>> {
        let count = match name {
            _ if LOADS.contains(&name) || name == ASSUMPTION => 1,
            _ if STORES.contains(&name) || name == "__builtin_expect" => 2,
            _ => return None,
        };
        if arguments.len() != count {
            self.check_all(arguments);
            return Some(self.report_count(name, count, count, arguments.len(), span, None));
        }
        Some(match name {
            "__builtin_expect" => self.expected(arguments, span),
            _ if is_access(name) => {
                self.check_all(arguments).and_then(|values| self.hinted_access(name, values, span))
            }
            _ => self.assumed(&arguments[0], span),
        })
    }

    /// A load or store with a policy of the caches.
    pub(crate) fn hinted_access(
        &mut self,
        name: &str,
        values: Vec<Value>,
        span: Span,
    ) -> Option<Value> {
        let wanted = if LOADS.contains(&name) { 1 } else { 2 };
        if values.len() != wanted {
            return self.report_count(name, wanted, wanted, values.len(), span, None);
        }
        let mut values = values.into_iter();
        let pointer = values.next()?;
        let at = pointer.expr.span;
        let mut place = self.pointed_at(name, pointer, span)?;
        place.place.cache = cache_hints(name);
        match values.next() {
            Some(_) if place.ty.constant => {
                let message = format!("argument 1 of `{name}` points to something constant");
                self.fail(Diagnostic::error(code::TYPE_MISMATCH, at, message))
            }
            Some(value) => self.stored(name, place, value, span),
            None => {
                // This one loads from memory each time.
                place.place.volatile |= name == "__ldcv";
                Some(self.load(Operand::Place(place)))
            }
        }
    }

    /// The target of the pointer in the argument.
    fn pointed_at(&mut self, name: &str, pointer: Value, span: Span) -> Option<Lvalue> {
        let at = pointer.expr.span;
        match pointer.ty.pointee().cloned() {
            Some(to) if self.has_access(&to.ty) => {
                Some(Lvalue::deref(pointer.expr, QType::clone(&to), span))
            }
            to => {
                let given = self.spell(&pointer.ty);
                let message = format!(
                    "argument 1 of `{name}` is a pointer to a number or to a vector of 2 or 4"
                );
                let help = match to.map(|to| to.ty.clone()) {
                    Some(CType::Struct(_)) => {
                        "access its members one by one, or cast the pointer to one to a vector of the same size"
                    }
                    Some(CType::Bool) => "cast the pointer: `(unsigned char *)`",
                    Some(CType::Pointer(_)) => "cast the pointer: `(unsigned long long *)`",
                    _ => "",
                };
                let found = Diagnostic::error(code::TYPE_MISMATCH, at, message);
                self.fail(found.label(format!("this is of type `{given}`")).advice(help))
            }
        }
    }

    /// Returns true if CUDA has overloads of these functions for a type.
    fn has_access(&self, ty: &CType) -> bool {
        match ty {
            CType::Struct(id) => VECTORS.contains(&&*self.structure(*id).path),
            ty => ty.is_arithmetic() && *ty != CType::Bool,
        }
    }

    fn stored(&mut self, name: &str, place: Lvalue, value: Value, span: Span) -> Option<Value> {
        let why = Purpose::Argument(2, name.to_owned(), None);
        let value = self.convert(value, &place.ty.ty, &why)?;
        let ty = place.ty.ty.clone();
        let kind = ExprKind::Assign(Box::new(place.place), Box::new(value.expr));
        Some(convert::cast(Value::new(kind, ty, span), &CType::Void))
    }

    /// The first value, as `long`; the second is evaluated too, as a call would.
    fn expected(&mut self, arguments: &[ast::Expr], span: Span) -> Option<Value> {
        let long = CType::LONG_LONG;
        let values = self.check_all(arguments)?;
        let mut converted = values.into_iter().enumerate().map(|(index, value)| {
            let why = Purpose::Argument(index + 1, "__builtin_expect".to_owned(), None);
            self.convert(value, &long, &why)
        });
        let (first, second) = (converted.next()??, converted.next()??);
        if matches!(second.expr.kind, ExprKind::Int(_)) {
            return Some(first);
        }
        let second = convert::cast(second, &CType::Void);
        Some(Value::new(ExprKind::Comma(Box::new(second.expr), Box::new(first.expr)), long, span))
    }

    /// The condition is checked, but not evaluated: the assumption holds.
    fn assumed(&mut self, condition: &ast::Expr, span: Span) -> Option<Value> {
        let was = self.allowed.set_unevaluated(true);
        let value = self.value(condition);
        self.allowed.set_unevaluated(was);
        let condition = self.condition(value?, "what is assumed")?;
        let kind = ExprKind::Assume(Box::new(condition));
        Some(convert::cast(Value::new(kind, CType::INT, span), &CType::Void))
    }
}

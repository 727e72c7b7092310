//! Literals.

use crate::check::state::Checker;
use crate::check::tree::{ExprKind, IntKind};
use crate::check::types::CType;
use crate::check::value::{Lvalue, Operand, Value};
use crate::syntax::tree as ast;
use crate::syntax::tree::IntSuffix;
use std::borrow::Cow;
use std::sync::Arc;

impl Checker {
    /// The value of a literal; `None` for the replacement of a reported fault.
    pub(super) fn literal(&mut self, expr: &ast::Expr) -> Option<Value> {
        let span = expr.span;
        Some(match &expr.kind {
            ast::ExprKind::Int(value, suffix) => {
                Value::int(*value as i64, integer_type(*value, *suffix), span)
            }
            ast::ExprKind::Float(value, single) => {
                let ty = if *single { CType::Float } else { CType::Double };
                Value::new(ExprKind::Float(*value), ty, span)
            }
            ast::ExprKind::Char(value) => Value::int(i64::from(*value), CType::CHAR, span),
            ast::ExprKind::Bool(value) => Value::int(i64::from(*value), CType::Bool, span),
            ast::ExprKind::Nullptr => Value::int(0, CType::Null, span),
            ast::ExprKind::String(text) => {
                let id = self.string(text);
                Value::new(ExprKind::String(id), CType::CHAR.constant().pointer(), span)
            }
            _ => return None,
        })
    }

    /// The object that a reference to an operand is bound to: a place, or a string literal, which
    /// is an array (C++17, [lex.string]).
    pub(crate) fn object_of<'a>(&self, operand: &'a Operand) -> Option<Cow<'a, Lvalue>> {
        match operand {
            Operand::Place(place) => Some(Cow::Borrowed(place)),
            Operand::Value(Value { expr, .. }) => match expr.kind {
                ExprKind::String(id) => {
                    let length = self.literals.text(id).len() as u64 + 1;
                    let array = CType::Array(Arc::new(CType::CHAR.constant()), Some(length));
                    Some(Cow::Owned(Lvalue::deref(expr.clone(), array.plain(), expr.span)))
                }
                _ => None,
            },
        }
    }
}

/// The first type that holds the value, of those that the literal's form allows.
fn integer_type(value: u64, suffix: IntSuffix) -> CType {
    use IntKind::*;
    let order = match suffix.longs {
        0 => &[Int, UInt, Long, ULong][..],
        1 => &[Long, ULong][..],
        _ => &[LongLong, ULongLong][..],
    };
    let may_be = |kind: IntKind| match (suffix.unsigned, kind.signed()) {
        (true, signed) => !signed,
        (false, true) => true,
        // A decimal literal is signed as long as a signed type holds it.
        (false, false) => !suffix.decimal || kind.size() == 8,
    };
    let holds = |kind: IntKind| {
        let bits = kind.size() * 8 - u32::from(kind.signed());
        bits == 64 || value >> bits == 0
    };
    let found = order.iter().copied().find(|&kind| may_be(kind) && holds(kind));
    CType::Int(found.unwrap_or(ULongLong))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_integers() {
        let plain = IntSuffix { unsigned: false, longs: 0, decimal: true };
        let hexadecimal = IntSuffix { decimal: false, ..plain };
        assert_eq!(integer_type(5, plain), CType::INT);
        assert_eq!(integer_type(1 << 31, plain), CType::LONG);
        assert_eq!(integer_type(1 << 31, hexadecimal), CType::UINT);
        assert_eq!(integer_type(1 << 63, plain), CType::SIZE);
        let long = IntSuffix { longs: 2, ..plain };
        assert_eq!(integer_type(5, long), CType::LONG_LONG);
        let unsigned = IntSuffix { unsigned: true, ..plain };
        assert_eq!(integer_type(1 << 32, unsigned), CType::SIZE);
    }
}

//! The values of constant expressions.

use crate::check::tree::{BinaryOp, Expr, ExprKind, IntKind, Type, UnaryOp};

/// The value of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Const {
    /// The bits of an integer, bool or pointer, extended to 64 by its type's sign.
    Int(i64),
    /// A float or double; a float is rounded already.
    Float(f64),
}

impl Const {
    pub fn is_true(self) -> bool {
        match self {
            Const::Int(value) => value != 0,
            Const::Float(value) => value != 0.0,
        }
    }

    /// The constant as an expression's kind.
    pub fn kind(self) -> ExprKind {
        match self {
            Const::Int(value) => ExprKind::Int(value),
            Const::Float(value) => ExprKind::Float(value),
        }
    }
}

/// The low bits of `value` that an integer type holds, extended by the type's sign.
pub(crate) fn wrap(kind: IntKind, value: i64) -> i64 {
    match (kind.size(), kind.signed()) {
        (1, true) => value as i8 as i64,
        (1, false) => value as u8 as i64,
        (2, true) => value as i16 as i64,
        (2, false) => value as u16 as i64,
        (4, true) => value as i32 as i64,
        (4, false) => value as u32 as i64,
        _ => value,
    }
}

/// The value of an expression without side effects whose operands are all constants.
pub(crate) fn evaluate(expr: &Expr) -> Option<Const> {
    match &expr.kind {
        ExprKind::Int(value) => Some(Const::Int(*value)),
        ExprKind::Float(value) => Some(Const::Float(*value)),
        ExprKind::Convert(inner) => convert(evaluate(inner)?, &inner.ty, &expr.ty),
        ExprKind::Unary(op, inner) => unary(*op, evaluate(inner)?, &expr.ty),
        ExprKind::Binary(op, a, b) => binary(*op, evaluate(a)?, evaluate(b)?, &a.ty, &b.ty),
        ExprKind::And(a, b) => {
            let value = evaluate(a)?.is_true() && evaluate(b)?.is_true();
            Some(Const::Int(value as i64))
        }
        ExprKind::Or(a, b) => {
            let value = evaluate(a)?.is_true() || evaluate(b)?.is_true();
            Some(Const::Int(value as i64))
        }
        ExprKind::Conditional(condition, a, b) => {
            evaluate(if evaluate(condition)?.is_true() { a } else { b })
        }
        _ => None,
    }
}

fn is_signed(ty: &Type) -> bool {
    ty.is_signed()
}

/// A constant converted by C's rules; nothing where they leave the result open, so that host and device differ.
pub(crate) fn convert(value: Const, from: &Type, to: &Type) -> Option<Const> {
    Some(match (to, value) {
        (Type::Bool, value) => Const::Int(value.is_true() as i64),
        (Type::Int(kind), Const::Int(value)) => Const::Int(wrap(*kind, value)),
        (Type::Int(kind), Const::Float(value)) => Const::Int(from_float(*kind, value)?),
        (Type::Float, Const::Int(value)) if is_signed(from) => Const::Float(value as f32 as f64),
        (Type::Float, Const::Int(value)) => Const::Float(value as u64 as f32 as f64),
        (Type::Double, Const::Int(value)) if is_signed(from) => Const::Float(value as f64),
        (Type::Double, Const::Int(value)) => Const::Float(value as u64 as f64),
        (Type::Float, Const::Float(value)) => Const::Float(canonical(value as f32 as f64)),
        (Type::Double, Const::Float(value)) => Const::Float(canonical(value)),
        (Type::Pointer(_), Const::Int(value)) => Const::Int(value as u32 as i64),
        _ => return None,
    })
}

/// A number without its fraction, if the type holds that.
fn from_float(kind: IntKind, value: f64) -> Option<i64> {
    let whole = value.trunc();
    let bits = 8 * kind.size() as i32;
    let (low, high) = match kind.signed() {
        true => (-2f64.powi(bits - 1), 2f64.powi(bits - 1)),
        false => (0.0, 2f64.powi(bits)),
    };
    let converted = if kind.signed() { whole as i64 } else { whole as u64 as i64 };
    (low..high).contains(&whole).then_some(converted)
}

/// Every NaN that arithmetic produces is the same one.
fn canonical(value: f64) -> f64 {
    // Tested on the bits: the optimiser may drop a test by `is_nan` that only moves NaN bits.
    let is_nan = value.to_bits() & !(1 << 63) > 0x7FF0_0000_0000_0000;
    if is_nan { f64::from_bits(0x7FFF_FFFF_FFFF_FFFF) } else { value }
}

/// The result of an operator of one operand on a constant.
pub(super) fn unary(op: UnaryOp, value: Const, ty: &Type) -> Option<Const> {
    Some(match (op, value, ty) {
        (UnaryOp::Not, value, _) => Const::Int(!value.is_true() as i64),
        (UnaryOp::Negate, Const::Int(value), Type::Int(kind)) => {
            Const::Int(wrap(*kind, value.wrapping_neg()))
        }
        (UnaryOp::BitNot, Const::Int(value), Type::Int(kind)) => Const::Int(wrap(*kind, !value)),
        (UnaryOp::Negate, Const::Float(value), _) => Const::Float(-value),
        _ => return None,
    })
}

/// The result of an operator of two operands on constants, of the types of the operands.
pub(super) fn binary(op: BinaryOp, a: Const, b: Const, left: &Type, right: &Type) -> Option<Const> {
    match (a, b) {
        (Const::Int(a), Const::Int(b)) => {
            let kind = match left {
                Type::Int(kind) => *kind,
                _ => IntKind::ULongLong,
            };
            integers(op, a, b, kind, right)
        }
        (Const::Float(a), Const::Float(b)) => floats(op, a, b, *left == Type::Float),
        _ => None,
    }
}

fn integers(op: BinaryOp, a: i64, b: i64, kind: IntKind, right: &Type) -> Option<Const> {
    use BinaryOp::*;
    if op.is_comparison() {
        let order = if kind.signed() { a.cmp(&b) } else { (a as u64).cmp(&(b as u64)) };
        return Some(Const::Int(holds(op, Some(order)) as i64));
    }
    let bits = kind.size() * 8;
    let count = b as u32;
    let value = match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        Div | Rem if b == 0 => return None,
        Div if kind.signed() => a.wrapping_div(b),
        Div => (a as u64 / b as u64) as i64,
        Rem if kind.signed() => a.wrapping_rem(b),
        Rem => (a as u64 % b as u64) as i64,
        Shl | Shr if !right.is_integer() => return None,
        Shl | Shr if count >= bits && !(op == Shr && kind.signed()) => 0,
        Shl => a << count,
        Shr if kind.signed() => a >> count.min(bits - 1),
        Shr => (a as u64 >> count) as i64,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        _ => return None,
    };
    Some(Const::Int(wrap(kind, value)))
}

fn floats(op: BinaryOp, a: f64, b: f64, single: bool) -> Option<Const> {
    use BinaryOp::*;
    if op.is_comparison() {
        return Some(Const::Int(holds(op, a.partial_cmp(&b)) as i64));
    }
    // The four operations on two floats round correctly when done in double and rounded once more.
    let value = match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        Div => a / b,
        _ => return None,
    };
    let value = if single { value as f32 as f64 } else { value };
    Some(Const::Float(canonical(value)))
}

/// The result of a comparison, given the operands' order; `None`: unordered.
fn holds(op: BinaryOp, order: Option<std::cmp::Ordering>) -> bool {
    use std::cmp::Ordering;
    match op {
        BinaryOp::Equal => order == Some(Ordering::Equal),
        BinaryOp::NotEqual => order != Some(Ordering::Equal),
        BinaryOp::Less => order == Some(Ordering::Less),
        BinaryOp::LessEqual => order.is_some_and(Ordering::is_le),
        BinaryOp::Greater => order == Some(Ordering::Greater),
        _ => order.is_some_and(Ordering::is_ge),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_and_keep_their_sign() {
        assert_eq!(wrap(IntKind::UChar, 300), 44);
        assert_eq!(wrap(IntKind::Char, 200), -56);
        let divide = |a, b, kind| integers(BinaryOp::Div, a, b, kind, &Type::INT);
        assert_eq!(divide(i64::from(i32::MIN), -1, IntKind::Int), Some(Const::Int(-2147483648)));
        assert_eq!(divide(-1, 2, IntKind::ULong), Some(Const::Int(i64::MAX)));
        assert_eq!(divide(1, 0, IntKind::Int), None);
        let shift = |b| integers(BinaryOp::Shl, 1, b, IntKind::Int, &Type::INT);
        assert_eq!(shift(33), Some(Const::Int(0)));
    }

    #[test]
    fn only_what_fits_is_a_constant() {
        let to = |kind, value| convert(Const::Float(value), &Type::Double, &Type::Int(kind));
        assert_eq!(to(IntKind::Int, -2147483648.9), Some(Const::Int(-2147483648)));
        assert_eq!(to(IntKind::Int, 2147483648.0), None);
        assert_eq!(to(IntKind::Int, f64::NAN), None);
        assert_eq!(to(IntKind::UChar, 255.9), Some(Const::Int(255)));
        assert_eq!(to(IntKind::UChar, -0.9), Some(Const::Int(0)));
        assert_eq!(to(IntKind::UChar, 256.0), None);
        assert_eq!(to(IntKind::ULong, 2f64.powi(63)), Some(Const::Int(i64::MIN)));
        assert_eq!(to(IntKind::Long, 2f64.powi(63)), None);
        let ulong = Type::SIZE;
        assert_eq!(
            convert(Const::Int(-1), &ulong, &Type::Double),
            Some(Const::Float(18446744073709551615.0))
        );
    }
}

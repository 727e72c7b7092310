//! Constants and constant expressions.

use crate::tree::{Operand, OperandKind};
use crate::{Span, SyntaxError};

/// A value that is known when the text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// An integer of 64 bits: signed, unless it was written with `U`, does not fit into a signed one, or comes from such.
    Integer {
        /// The bits.
        bits: u64,
        /// The value is that of an unsigned integer.
        unsigned: bool,
    },
    /// `0f3F800000`: the bits of a single float, exactly.
    Single(u32),
    /// `0d3FF0000000000000`, `1.5`: the bits of a double.
    Double(u64),
}

impl Constant {
    /// A signed integer.
    pub fn signed(value: i64) -> Constant {
        Constant::Integer { bits: value as u64, unsigned: false }
    }

    /// The bits of an integer.
    pub fn integer(self) -> Option<u64> {
        match self {
            Constant::Integer { bits, .. } => Some(bits),
            _ => None,
        }
    }

    fn double(self) -> f64 {
        match self {
            Constant::Integer { bits, unsigned: true } => bits as f64,
            Constant::Integer { bits, unsigned: false } => bits as i64 as f64,
            Constant::Single(bits) => f32::from_bits(bits).into(),
            Constant::Double(bits) => f64::from_bits(bits),
        }
    }

    fn is_true(self) -> bool {
        match self {
            Constant::Integer { bits, .. } => bits != 0,
            _ => self.double() != 0.0,
        }
    }
}

/// An operator of two constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&`
    And,
    /// `^`
    Xor,
    /// `|`
    Or,
    /// `&&`
    AndAnd,
    /// `||`
    OrOr,
}

/// An operator of one constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    Complement,
    /// `!`
    Not,
    /// `(.s64)`
    Signed,
    /// `(.u64)`
    Unsigned,
}

/// The value of an operator on two constants; `None` if it has none, as a division by zero.
pub fn binary(operator: Binary, left: Constant, right: Constant) -> Option<Constant> {
    let truth = |holds: bool| Some(Constant::signed(holds.into()));
    match operator {
        Binary::AndAnd => return truth(left.is_true() && right.is_true()),
        Binary::OrOr => return truth(left.is_true() || right.is_true()),
        _ => {}
    }
    match (left, right) {
        (
            Constant::Integer { bits: a, unsigned: u },
            Constant::Integer { bits: b, unsigned: v },
        ) => integers(operator, a, b, u, u || v),
        _ => doubles(operator, left.double(), right.double()),
    }
}

fn doubles(operator: Binary, a: f64, b: f64) -> Option<Constant> {
    let truth = |holds: bool| Some(Constant::signed(holds.into()));
    let value = match operator {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        Binary::Less => return truth(a < b),
        Binary::Greater => return truth(a > b),
        Binary::LessEqual => return truth(a <= b),
        Binary::GreaterEqual => return truth(a >= b),
        Binary::Equal => return truth(a == b),
        Binary::NotEqual => return truth(a != b),
        _ => return None,
    };
    Some(Constant::Double(value.to_bits()))
}

/// Computes with the bits of two integers, as unsigned ones if either is. The result of a shift has the type of the first.
fn integers(
    operator: Binary,
    a: u64,
    b: u64,
    first_unsigned: bool,
    unsigned: bool,
) -> Option<Constant> {
    let truth = |holds: bool| Some(Constant::signed(holds.into()));
    let (s, t) = (a as i64, b as i64);
    let ordered =
        |on_unsigned: bool, on_signed: bool| truth(if unsigned { on_unsigned } else { on_signed });
    let bits = match operator {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide if unsigned => a.checked_div(b)?,
        Binary::Divide => s.checked_div(t)? as u64,
        Binary::Remainder if unsigned => a.checked_rem(b)?,
        Binary::Remainder => s.checked_rem(t)? as u64,
        Binary::ShiftLeft => {
            let bits = u32::try_from(b).ok().and_then(|by| a.checked_shl(by)).unwrap_or(0);
            return Some(Constant::Integer { bits, unsigned: first_unsigned });
        }
        Binary::ShiftRight => {
            let by = b.min(63) as u32;
            let bits = match first_unsigned {
                true => {
                    if b > 63 {
                        0
                    } else {
                        a >> by
                    }
                }
                false => (s >> by) as u64,
            };
            return Some(Constant::Integer { bits, unsigned: first_unsigned });
        }
        Binary::Less => return ordered(a < b, s < t),
        Binary::Greater => return ordered(a > b, s > t),
        Binary::LessEqual => return ordered(a <= b, s <= t),
        Binary::GreaterEqual => return ordered(a >= b, s >= t),
        Binary::Equal => return truth(a == b),
        Binary::NotEqual => return truth(a != b),
        Binary::And => a & b,
        Binary::Xor => a ^ b,
        Binary::Or => a | b,
        Binary::AndAnd | Binary::OrOr => return None,
    };
    Some(Constant::Integer { bits, unsigned })
}

/// The value of an operator on a constant.
pub fn unary(operator: Unary, value: Constant) -> Option<Constant> {
    Some(match (operator, value) {
        (Unary::Plus, value) => value,
        (Unary::Minus, Constant::Integer { bits, unsigned }) => {
            Constant::Integer { bits: bits.wrapping_neg(), unsigned }
        }
        (Unary::Minus, Constant::Single(bits)) => Constant::Single(bits ^ (1 << 31)),
        (Unary::Minus, Constant::Double(bits)) => Constant::Double(bits ^ (1 << 63)),
        (Unary::Complement, Constant::Integer { bits, unsigned }) => {
            Constant::Integer { bits: !bits, unsigned }
        }
        (Unary::Not, value) => Constant::signed((!value.is_true()).into()),
        (Unary::Signed, Constant::Integer { bits, .. }) => {
            Constant::Integer { bits, unsigned: false }
        }
        (Unary::Unsigned, Constant::Integer { bits, .. }) => {
            Constant::Integer { bits, unsigned: true }
        }
        (Unary::Signed, value) => Constant::signed(value.double() as i64),
        (Unary::Unsigned, value) => {
            Constant::Integer { bits: value.double() as u64, unsigned: true }
        }
        (Unary::Complement, _) => return None,
    })
}

/// The constant that an operand is; `(5)` is one too.
pub fn of(operand: &Operand) -> Option<Constant> {
    match &operand.kind {
        OperandKind::Constant(constant) => Some(*constant),
        OperandKind::List(items) => match items.as_slice() {
            [Operand { kind: OperandKind::Constant(constant), .. }] => Some(*constant),
            _ => None,
        },
        _ => None,
    }
}

/// An error for an expression that is none.
pub fn not_constant(span: Span) -> SyntaxError {
    SyntaxError::new(span, "this is no constant expression")
        .help("operators work on numbers; of a name there are `name+4`, `-name`, `!name` and `p|q`")
}

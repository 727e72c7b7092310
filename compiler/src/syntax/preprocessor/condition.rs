//! The value of `#if`: C's expressions over 64-bit integers.

use super::program::make_tokens;
use super::{Frame, Input, Preprocessor};
use crate::diagnostic::code;
use crate::syntax::lexer::{Kind, Piece};
use crate::syntax::recover;
use crate::syntax::source::Span;
use reconverge_grammar::token::{Token, TokenKind};
use reconverge_grammar::tree::{BinaryOp, Expr, ExprKind, UnaryOp};

/// A value with whether it is unsigned.
#[derive(Clone, Copy)]
struct Value(i64, bool);

impl Preprocessor<'_> {
    /// Returns true if the condition on the rest of a line holds; a malformed one does not.
    pub(super) fn condition(&mut self, span: Span, line: &[Piece]) -> bool {
        let line = self.without_defined(line);
        let line = self.expand_line(&line);
        let mut tokens = Vec::new();
        make_tokens(&line, &mut tokens, &mut self.diagnostics);
        let tokens: Vec<Token> = tokens
            .into_iter()
            .map(|token| Token {
                kind: match token.kind {
                    TokenKind::Name(_)
                    | TokenKind::TypeWord(_)
                    | TokenKind::Specifier(_)
                    | TokenKind::Word(_)
                        if !token.is_word(reconverge_grammar::token::Word::True) =>
                    {
                        number(0)
                    }
                    kind => kind,
                },
                ..token
            })
            .collect();
        let value = match recover::expression(tokens, span) {
            Ok(tree) => value(&tree).map_err(|(span, why)| (span, why.to_owned())),
            Err(found) => Err((found.primary.span, found.message)),
        };
        match value {
            Ok(Value(value, _)) => value != 0,
            Err((at, why)) => {
                self.error(code::BAD_CONDITION, at, format!("in a condition: {why}"));
                false
            }
        }
    }

    /// Replaces `defined NAME` and `defined(NAME)` by 1 or 0.
    fn without_defined(&mut self, line: &[Piece]) -> Vec<Piece> {
        let mut output = Vec::new();
        let mut rest = line;
        while let Some((piece, behind)) = rest.split_first() {
            rest = behind;
            let name = match behind {
                _ if &*piece.text != "defined" => None,
                [name, ..] if name.is_name() => Some((name, 1)),
                [open, name, close, ..] if open.is("(") && name.is_name() && close.is(")") => {
                    Some((name, 3))
                }
                _ => None,
            };
            let Some((name, length)) = name else {
                output.push(piece.clone());
                continue;
            };
            let text = if self.has_macro(&name.text) { "1" } else { "0" };
            output.push(Piece {
                kind: Kind::Number,
                text: self.interner.name(text),
                ..piece.clone()
            });
            rest = &behind[length..];
        }
        output
    }

    /// Expands macros in the rest of a line.
    pub(super) fn expand_line(&mut self, line: &[Piece]) -> Vec<Piece> {
        let outer = std::mem::take(&mut self.active);
        let output = self.expand_all(Input {
            frames: vec![Frame { of: None, pieces: line.to_vec(), at: 0 }],
            files: false,
        });
        self.active = outer;
        output
    }
}

fn number(value: u64) -> TokenKind {
    TokenKind::Int { value, suffix: Default::default() }
}

fn value(tree: &Expr) -> Result<Value, (Span, &'static str)> {
    Ok(match &tree.kind {
        ExprKind::Int(value, suffix) => {
            Value(*value as i64, suffix.unsigned || i64::try_from(*value).is_err())
        }
        ExprKind::Char(value) => Value(i64::from(*value), false),
        ExprKind::Bool(value) => Value(i64::from(*value), false),
        ExprKind::Unary(op, operand) => {
            let Value(value, unsigned) = value(operand)?;
            match op {
                UnaryOp::Plus => Value(value, unsigned),
                UnaryOp::Minus => Value(value.wrapping_neg(), unsigned),
                UnaryOp::BitNot => Value(!value, unsigned),
                UnaryOp::Not => Value(i64::from(value == 0), false),
                _ => return Err((tree.span, "this operator has no meaning here")),
            }
        }
        ExprKind::Binary(BinaryOp::And, a, b) => {
            Value(i64::from(value(a)?.0 != 0 && value(b)?.0 != 0), false)
        }
        ExprKind::Binary(BinaryOp::Or, a, b) => {
            Value(i64::from(value(a)?.0 != 0 || value(b)?.0 != 0), false)
        }
        ExprKind::Binary(op, a, b) => {
            binary(*op, value(a)?, value(b)?).ok_or((tree.span, "a division by zero"))?
        }
        ExprKind::Conditional(condition, yes, no) => {
            let (chosen, other) = match value(condition)?.0 {
                0 => (no, yes),
                _ => (yes, no),
            };
            // The type depends on the side that is not chosen too, which may divide by zero.
            let Value(bits, unsigned) = value(chosen)?;
            Value(bits, unsigned || value(other).is_ok_and(|other| other.1))
        }
        ExprKind::Comma(_, last) => value(last)?,
        _ => return Err((tree.span, "this is not an integer constant")),
    })
}

/// A shift by the width or more leaves only the sign, and one by less than nothing shifts in the
/// other direction, as in GCC's preprocessor.
fn shift(a: Value, b: Value, left: bool) -> Value {
    let Value(x, unsigned) = a;
    let back = !b.1 && b.0 < 0;
    let by = u32::try_from(if back { b.0.unsigned_abs() } else { b.0 as u64 }).unwrap_or(u32::MAX);
    let bits = match (left != back, unsigned) {
        (true, _) => x.checked_shl(by).unwrap_or(0),
        (false, true) => (x as u64).checked_shr(by).unwrap_or(0) as i64,
        (false, false) => x >> by.min(63),
    };
    Value(bits, unsigned)
}

fn binary(op: BinaryOp, a: Value, b: Value) -> Option<Value> {
    let unsigned = a.1 || b.1;
    let (Value(x, _), Value(y, _)) = (a, b);
    let (ux, uy) = (x as u64, y as u64);
    let truth =
        |signed: bool, other: bool| Value(i64::from(if unsigned { other } else { signed }), false);
    Some(match op {
        BinaryOp::Mul => Value(x.wrapping_mul(y), unsigned),
        BinaryOp::Div if unsigned => Value(ux.checked_div(uy)? as i64, true),
        BinaryOp::Rem if unsigned => Value(ux.checked_rem(uy)? as i64, true),
        BinaryOp::Div if y == 0 => return None,
        BinaryOp::Rem if y == 0 => return None,
        BinaryOp::Div => Value(x.wrapping_div(y), false),
        BinaryOp::Rem => Value(x.wrapping_rem(y), false),
        BinaryOp::Add => Value(x.wrapping_add(y), unsigned),
        BinaryOp::Sub => Value(x.wrapping_sub(y), unsigned),
        BinaryOp::Shl => shift(a, b, true),
        BinaryOp::Shr => shift(a, b, false),
        BinaryOp::Less => truth(x < y, ux < uy),
        BinaryOp::Greater => truth(x > y, ux > uy),
        BinaryOp::LessEqual => truth(x <= y, ux <= uy),
        BinaryOp::GreaterEqual => truth(x >= y, ux >= uy),
        BinaryOp::Equal => truth(x == y, x == y),
        BinaryOp::NotEqual => truth(x != y, x != y),
        BinaryOp::BitAnd => Value(x & y, unsigned),
        BinaryOp::BitXor => Value(x ^ y, unsigned),
        BinaryOp::BitOr => Value(x | y, unsigned),
        BinaryOp::And | BinaryOp::Or => return None,
    })
}

//! Conversions that C makes by itself.

use crate::check::expr::constant::{self, Const};
use crate::check::state::Checker;
use crate::check::tree::{Expr, ExprKind, Type};
use crate::check::types::{CType, QType};
use crate::check::value::Value;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;

/// The reason for a conversion, for its messages.
#[derive(Clone)]
pub(crate) enum Purpose {
    Initialise(String),
    Assign,
    /// The number of the argument, counted from 1, the function and where it is declared.
    Argument(usize, String, Option<Span>),
    Return(String, Span),
    /// Anything that needs no sentence of its own.
    Plain,
}

/// The quality of a conversion from one type to another, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    Exact,
    Promotion,
    /// The promotion of an enumeration to more than the type that holds it (C++17, [over.ics.rank]).
    FurtherPromotion,
    Conversion,
}

impl Checker {
    /// The implicit conversion of `value` to `to`; `None`: there is none.
    pub(crate) fn fit(&self, value: &Value, to: &CType) -> Option<Fit> {
        let from = &value.ty;
        if from == to {
            return Some(Fit::Exact);
        }
        match (from, to) {
            // Integers become enumerations, and scoped ones integers, by casts alone.
            (_, CType::Enum(_)) => None,
            (a, _) if a.is_scoped_enumeration() => None,
            (CType::Enum(of), CType::Int(kind)) if of.kind == *kind => Some(Fit::Promotion),
            (CType::Enum(_), to) if from.promoted() == *to => Some(Fit::FurtherPromotion),
            (a, b) if a.is_arithmetic() && b.is_arithmetic() => {
                let promotes = a.promoted() == *b || (*a == CType::Float && *b == CType::Double);
                Some(if promotes { Fit::Promotion } else { Fit::Conversion })
            }
            (CType::Pointer(_) | CType::Null, CType::Bool) => Some(Fit::Conversion),
            (CType::Null, CType::Pointer(_)) => Some(Fit::Conversion),
            (from, CType::Pointer(_)) if from.is_integer() && !from.is_enumeration() => {
                is_zero(&value.expr).then_some(Fit::Conversion)
            }
            (CType::Pointer(from), CType::Pointer(to)) => {
                pointer_fit(from, to, is_string(&value.expr))
            }
            _ => None,
        }
    }

    /// A value converted to a type as C does it by itself; reports if it does not.
    pub(crate) fn convert(&mut self, value: Value, to: &CType, why: &Purpose) -> Option<Value> {
        if value.ty != *to
            && let Some(made) = self.converted_by_function(&value, Some(to), false)
        {
            return Some(made);
        }
        if self.fit(&value, to).is_none() {
            self.report_mismatch(&value, to, why);
            return None;
        }
        self.warn_of_change(&value, to);
        Some(cast(value, to))
    }

    fn report_mismatch(&mut self, value: &Value, to: &CType, why: &Purpose) {
        let from = self.spell(&value.ty);
        let target = self.spell(to);
        let message = match why {
            Purpose::Initialise(name) => {
                format!(
                    "`{name}` of type `{target}` cannot be initialised with a value of type `{from}`"
                )
            }
            Purpose::Assign => {
                format!(
                    "a value of type `{from}` cannot be assigned to an object of type `{target}`"
                )
            }
            Purpose::Argument(index, function, _) => {
                format!("argument {index} of `{function}` is a `{target}`, but a `{from}` is given")
            }
            Purpose::Return(function, _) => {
                format!("`{function}` returns `{target}`, but the value is of type `{from}`")
            }
            Purpose::Plain => format!("a value of type `{from}` does not convert to `{target}`"),
        };
        let mut found = Diagnostic::error(code::TYPE_MISMATCH, value.expr.span, message)
            .label(format!("this is of type `{from}`"));
        match why {
            Purpose::Argument(_, function, Some(span)) => {
                found = found.secondary(*span, format!("`{function}` is declared here"));
            }
            Purpose::Return(function, span) => {
                found = found.secondary(*span, format!("`{function}` is declared here"));
            }
            _ => {}
        }
        if let Some(help) = self.mismatch_help(&value.ty, to) {
            found = found.help(help);
        }
        self.report(found);
    }

    fn mismatch_help(&self, from: &CType, to: &CType) -> Option<String> {
        let target = self.spell(to);
        let cast = format!("write the conversion: `({target})`");
        match (from, to) {
            (CType::Pointer(a), CType::Pointer(b)) if a.ty == b.ty => {
                Some(match (a.constant, b.constant) {
                    (true, false) => "the conversion would drop `const`".to_owned(),
                    _ => "the conversion would drop `volatile`".to_owned(),
                })
            }
            (CType::Pointer(a), CType::Pointer(_)) if a.ty.is_void() => {
                Some(format!("in C++, and so in CUDA, this takes a cast: `({target})`"))
            }
            (CType::Pointer(_), CType::Pointer(_)) => Some(cast),
            (CType::Pointer(a), b) if a.ty == *b => {
                Some("dereference the pointer with `*`".to_owned())
            }
            (a, CType::Pointer(b)) if *a == b.ty => Some("take the address with `&`".to_owned()),
            (a, b) if a.is_arithmetic() && b.is_enumeration() => Some(cast),
            (a, b) if a.is_scoped_enumeration() && b.is_arithmetic() => Some(cast),
            (CType::Pointer(_), b) if b.is_integer() => Some(cast),
            (a, CType::Pointer(_)) if a.is_integer() => Some(cast),
            _ => None,
        }
    }

    /// Warns of a constant that the conversion changes.
    fn warn_of_change(&mut self, value: &Value, to: &CType) {
        let Some(kind) = to.kind() else {
            return;
        };
        let after = constant::evaluate(&cast(value.clone(), to).expr);
        let lost = match constant_of(&value.expr) {
            Some(Const::Int(before)) => {
                // Both readings of the bits count as the same value: `0xff` fits a `char`.
                let bits = kind.size() * 8;
                bits < 64 && !(-(1i64 << (bits - 1))..1i64 << bits).contains(&before)
            }
            Some(Const::Float(before)) => after.is_none() || before.fract() != 0.0,
            None => false,
        };
        if !lost {
            return;
        }
        let shown = match after {
            Some(Const::Int(after)) => format!("the value becomes {after}"),
            _ => "C++ leaves open what it becomes; host and device differ".to_owned(),
        };
        let message = format!("the constant does not fit `{}`: {shown}", self.spell(to));
        self.report(Diagnostic::warning(code::SUSPICIOUS_CONVERSION, value.expr.span, message));
    }

    /// A value in place of a truth value: a structure is converted by its function.
    pub(crate) fn truth_value(&mut self, value: Value) -> Value {
        self.converted_by_function(&value, Some(&CType::Bool), true).unwrap_or(value)
    }

    /// A scalar as a condition; reports if it is none.
    pub(crate) fn condition(&mut self, value: Value, what: &str) -> Option<Expr> {
        let value = self.truth_value(value);
        if value.ty.is_scalar() && !value.ty.is_scoped_enumeration() {
            return Some(value.expr);
        }
        let spelled = self.spell(&value.ty);
        let message = format!("{what} has the type `{spelled}`, not a number or pointer");
        self.fail(Diagnostic::error(code::NOT_SCALAR, value.expr.span, message))
    }

    /// A value after the promotions of arguments that no parameter describes.
    pub(crate) fn default_promotion(&mut self, value: Value) -> Option<Value> {
        let value = self.arithmetic(value);
        let to = match &value.ty {
            CType::Float => CType::Double,
            CType::Null => CType::Void.pointer_to(),
            ty if ty.is_integer() => ty.promoted(),
            CType::Struct(_) | CType::Void => {
                let spelled = self.spell(&value.ty);
                let message = format!("a value of type `{spelled}` cannot be passed for `...`");
                return self.fail(Diagnostic::error(code::TYPE_MISMATCH, value.expr.span, message));
            }
            ty => ty.clone(),
        };
        Some(cast(value, &to))
    }
}

/// The value of a literal.
fn constant_of(expr: &Expr) -> Option<Const> {
    match expr.kind {
        ExprKind::Int(value) => Some(Const::Int(value)),
        ExprKind::Float(value) => Some(Const::Float(value)),
        _ => None,
    }
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Int(0))
}

fn is_string(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::String(_))
}

/// The conversion of a pointer to `from` to a pointer to `to`.
fn pointer_fit(from: &QType, to: &QType, literal: bool) -> Option<Fit> {
    // Literals are constant, but C has long let them pass as `char *`.
    let drops = (from.constant && !to.constant && !literal) || (from.volatile && !to.volatile);
    if drops {
        return None;
    }
    if from.ty == to.ty || similar(&from.ty, &to.ty, to.constant) {
        return Some(Fit::Exact);
    }
    // An array of known length points as one of unknown length.
    if let (CType::Array(a, Some(_)), CType::Array(b, None)) = (&from.ty, &to.ty)
        && a == b
    {
        return Some(Fit::Conversion);
    }
    to.ty.is_void().then_some(Fit::Conversion)
}

/// Returns true if two types differ only in qualifiers that may be added at inner levels, that is,
/// if all levels outside them are constant.
fn similar(from: &CType, to: &CType, constant: bool) -> bool {
    match (from, to) {
        (CType::Pointer(a), CType::Pointer(b)) => {
            let drops = (a.constant && !b.constant) || (a.volatile && !b.volatile);
            let same = a.constant == b.constant && a.volatile == b.volatile;
            !drops && (same || constant) && similar(&a.ty, &b.ty, constant && b.constant)
        }
        (CType::Array(a, n), CType::Array(b, m)) => {
            let drops = (a.constant && !b.constant) || (a.volatile && !b.volatile);
            n == m && !drops && similar(&a.ty, &b.ty, constant)
        }
        (a, b) => a == b,
    }
}

/// The type to which pointers to both convert by adding qualifiers, if they differ only in those:
/// outside each level at which one of the two differs from the common type, all levels become
/// constant.
pub(crate) fn combined(a: &QType, b: &QType) -> Option<QType> {
    let (ty, changes) = match (&a.ty, &b.ty) {
        (CType::Pointer(inner_a), CType::Pointer(inner_b)) => {
            let inner = combined(inner_a, inner_b)?;
            let changes = inner != **inner_a || inner != **inner_b;
            (inner.pointer(), changes)
        }
        (one, other) if one == other => (one.clone(), false),
        _ => return None,
    };
    let constant = a.constant || b.constant || changes;
    Some(ty.plain().qualified(constant, a.volatile || b.volatile))
}

/// Converts a scalar to a type; literals are converted right away.
pub(crate) fn cast(value: Value, to: &CType) -> Value {
    let target = to.lower();
    let span = value.expr.span;
    if value.expr.ty == target {
        return Value { expr: value.expr, ty: to.clone(), bits: None };
    }
    let folded = constant_of(&value.expr)
        .and_then(|known| constant::convert(known, &value.expr.ty, &target))
        .filter(|_| target != Type::Void);
    let kind = match folded {
        Some(known) => known.kind(),
        None => ExprKind::Convert(Box::new(value.expr)),
    };
    Value { expr: Expr { kind, ty: target, span }, ty: to.clone(), bits: None }
}

//! Conversions that may lose a value where C++ allows none: in lists in braces and in labels of cases
//! (C++17, [dcl.init.list] and [stmt.switch]).
//!
//! nvcc refuses the same as its host compiler: constants that do not fit in the braces of host
//! code. It refuses such labels on both sides, and warns of the others.

use super::constant::{self, Const};
use super::convert::{self, Purpose};
use crate::check::state::Checker;
use crate::check::tree::{IntKind, StructId};
use crate::check::types::CType;
use crate::check::value::Value;
use crate::diagnostic::{Diagnostic, code};

/// The least and the greatest value of an integer type, or of a bit-field of such a type.
pub(crate) fn range(ty: &CType, bits: Option<u32>) -> Option<(i128, i128)> {
    let (width, signed) = match (ty, ty.kind()) {
        (CType::Bool, _) => (1, false),
        (CType::Enum(of), Some(_)) if of.nonnegative && bits.is_some() => (bits?, false),
        (_, Some(kind)) => (bits.unwrap_or(kind.size() * 8), kind.signed()),
        _ => return None,
    };
    Some(match signed {
        true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        false => (0, (1 << width) - 1),
    })
}

/// An integer constant as a number.
pub(crate) fn number(value: i64, ty: &CType) -> i128 {
    match ty.kind() {
        Some(kind) if !kind.signed() => i128::from(value as u64),
        _ => i128::from(value),
    }
}

/// Returns true if a constant keeps its value in the type.
fn keeps(known: Const, from: &CType, to: &CType) -> bool {
    match (known, to) {
        (Const::Int(value), CType::Float | CType::Double) => {
            let number = number(value, from);
            let rounded = match to {
                CType::Float => f64::from(number as f32),
                _ => number as f64,
            };
            rounded as i128 == number
        }
        (Const::Int(value), to) => {
            let number = number(value, from);
            range(to, None).is_some_and(|(least, most)| (least..=most).contains(&number))
        }
        // To the nearest, as long as it is within the range.
        (Const::Float(value), CType::Float) => !value.is_finite() || (value as f32).is_finite(),
        (Const::Float(_), CType::Double) => true,
        (Const::Float(_), _) => false,
    }
}

/// Returns true if a conversion keeps every value of the type, or of the bit-field of that type.
fn keeps_all(from: &CType, bits: Option<u32>, to: &CType) -> bool {
    if from == to {
        return true;
    }
    match (range(from, bits), range(to, None)) {
        (Some(from), Some(to)) => to.0 <= from.0 && from.1 <= to.1,
        // No list of C++ makes numbers of floating point of integers that are not constant, and none makes integers of them.
        (Some(_), None) | (None, Some(_)) => false,
        (None, None) => *from == CType::Float,
    }
}

impl Checker {
    /// The fault of a conversion to the type where none may narrow.
    fn narrowing(&mut self, value: &Value, to: &CType) -> Option<Diagnostic> {
        let is_tested = value.ty.is_pointer() && *to == CType::Bool;
        let converts = value.ty.is_arithmetic() && to.is_arithmetic();
        if !is_tested && (!converts || keeps_all(&value.ty, value.bits, to)) {
            return None;
        }
        let known = self.evaluate(&value.expr).filter(|_| converts);
        if known.is_some_and(|known| keeps(known, &value.ty, to)) {
            return None;
        }
        let (from, target) = (self.spell(&value.ty), self.spell(to));
        let span = value.expr.span;
        let help = format!("write the conversion: `({target})`");
        let Some(known) = known else {
            let message = format!("narrowing conversion from `{from}` to `{target}` in braces");
            let found = Diagnostic::warning(code::MAY_NARROW, span, message);
            return Some(found.label("not a constant that fits").help(help));
        };
        let message =
            format!("narrowing conversion of {} to `{target}` in braces", shown(known, &value.ty));
        let becomes = constant::evaluate(&convert::cast(value.clone(), to).expr);
        let label = match becomes {
            Some(after) => format!("would become {}", shown(after, to)),
            None => format!("does not fit `{target}`"),
        };
        // nvcc's host compiler does not see code of the device alone.
        let is_refused =
            self.options.narrowing_is_error && self.in_host_code() && !self.allowed.fills_device();
        let found = match is_refused {
            true => Diagnostic::error(code::NARROWED, span, message),
            false => Diagnostic::warning(code::MAY_NARROW, span, message),
        };
        Some(found.label(label).help(help))
    }

    /// A value of a list in braces, converted; reports if that narrows it.
    pub(crate) fn convert_listed(
        &mut self,
        value: Value,
        to: &CType,
        why: &Purpose,
    ) -> Option<Value> {
        let Some(found) = self.narrowing(&value, to) else {
            return self.convert_or_construct(value, to, why);
        };
        let refused = found.is_error();
        self.report(found);
        (!refused).then(|| convert::cast(value, to))
    }

    /// The values of a list for the members of a structure: numbers converted to their members'
    /// types.
    pub(crate) fn listed_members(
        &mut self,
        id: StructId,
        values: Vec<Value>,
    ) -> Option<Vec<Value>> {
        let fields = self.structure(id).fields.clone();
        let mut fields = fields.into_iter();
        let converted = values.into_iter().map(|value| match fields.next() {
            Some(field) if value.ty.is_scalar() && field.ty.ty.is_arithmetic() => {
                let why = Purpose::Initialise(field.name.clone());
                self.convert_listed(value, &field.ty.ty, &why)
            }
            _ => Some(value),
        });
        let converted: Vec<_> = converted.collect();
        converted.into_iter().collect()
    }

    /// The value of a label of a `switch` over the type; reports if it does not fit.
    pub(crate) fn label_value(&mut self, value: &Value, known: i64, kind: IntKind) -> Option<i64> {
        let to = CType::Int(kind);
        if keeps(Const::Int(known), &value.ty, &to) {
            return Some(known);
        }
        let (from, target) = (self.spell(&value.ty), self.spell(&to));
        let number = number(known, &value.ty);
        let message =
            format!("narrowing conversion of {number} from `{from}` to `{target}` in a `case`");
        let wrapped = self::number(constant::wrap(kind, known), &to);
        self.fail(
            Diagnostic::error(code::NARROWED, value.expr.span, message)
                .label(format!("does not fit `{target}`, the type of the `switch`'s value"))
                .help(format!("write the conversion if {wrapped} is meant: `({target})`")),
        )
    }
}

/// A constant for people.
fn shown(known: Const, ty: &CType) -> String {
    match known {
        Const::Int(value) => number(value, ty).to_string(),
        Const::Float(value) => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_keep_their_value_or_not() {
        let int =
            |value, from: IntKind, to: &CType| keeps(Const::Int(value), &CType::Int(from), to);
        let kinds = CType::Int;
        assert!(int(255, IntKind::Int, &kinds(IntKind::UChar)));
        assert!(!int(255, IntKind::Int, &kinds(IntKind::Char)));
        assert!(!int(-1, IntKind::Int, &kinds(IntKind::ULong)));
        assert!(!int(-1, IntKind::ULong, &kinds(IntKind::Long)));
        assert!(int(1 << 24, IntKind::Int, &CType::Float));
        assert!(!int((1 << 24) + 1, IntKind::Int, &CType::Float));
        assert!(!int(i64::MAX, IntKind::Long, &CType::Double));
        assert!(int(1, IntKind::Int, &CType::Bool) && !int(2, IntKind::Int, &CType::Bool));
        assert!(!keeps(Const::Float(2.0), &CType::Double, &CType::INT));
        assert!(keeps(Const::Float(0.1), &CType::Double, &CType::Float));
        assert!(!keeps(Const::Float(1e300), &CType::Double, &CType::Float));
    }

    #[test]
    fn types_hold_each_other_or_not() {
        let int = CType::Int;
        assert!(keeps_all(&int(IntKind::UChar), None, &CType::INT));
        assert!(keeps_all(&CType::Bool, None, &int(IntKind::Char)));
        assert!(keeps_all(&int(IntKind::Long), None, &int(IntKind::LongLong)));
        assert!(!keeps_all(&int(IntKind::Int), None, &int(IntKind::ULong)));
        assert!(keeps_all(&int(IntKind::UInt), Some(5), &int(IntKind::Char)));
        assert!(keeps_all(&CType::Float, None, &CType::Double));
        assert!(!keeps_all(&CType::Double, None, &CType::Float));
        assert!(!keeps_all(&int(IntKind::Char), None, &CType::Float));
    }
}

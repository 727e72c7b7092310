//! The formats of `printf` and its kin, compared with the arguments.

use super::conversion;
use crate::check::builtin::Builtin;
use crate::check::state::Checker;
use crate::check::tree::{Expr, ExprKind, Type};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use reconverge_isa::wording::counted;

/// The argument type of a conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// An integer of this size in bytes; `char` and `short` arrive as `int`.
    Integer(u64),
    Floating,
    Text,
    Address,
    /// Nothing: no letter follows the percent sign, which is printed as it is written.
    Nothing,
    /// Nothing is known by this letter.
    Unknown,
}

/// The arguments of a format.
struct Conversion<'a> {
    wanted: Wanted,
    /// The conversion as it is written, from `%` to its letter.
    text: &'a [u8],
}

/// The conversions of a format, each `*` as one that takes an `int`.
fn conversions(format: &[u8]) -> Vec<Conversion<'_>> {
    let mut found = Vec::new();
    let all = conversion::conversions(format, b"-+ #'0123456789.*hlLqjzt", |_, letter| letter + 1);
    for (text, letter) in all {
        let stars = text.iter().filter(|&&byte| byte == b'*').count();
        found.extend((0..stars).map(|_| Conversion { wanted: Wanted::Integer(4), text }));
        match text.get(letter) {
            Some(b'%') => {}
            letter => found.push(Conversion { wanted: wanted(text, letter), text }),
        }
    }
    found
}

fn wanted(text: &[u8], letter: Option<&u8>) -> Wanted {
    match letter {
        Some(b'd' | b'i' | b'o' | b'u' | b'x' | b'X') => {
            let is_long = text.iter().any(|byte| b"lLqjzt".contains(byte));
            Wanted::Integer(if is_long { 8 } else { 4 })
        }
        Some(b'c') => Wanted::Integer(4),
        Some(b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A') => Wanted::Floating,
        Some(b's') => Wanted::Text,
        Some(b'p') => Wanted::Address,
        Some(byte) if byte.is_ascii() && !byte.is_ascii_alphabetic() && *byte != b'$' => {
            Wanted::Nothing
        }
        _ => Wanted::Unknown,
    }
}

/// The conversions that a given type fits, and its name in words.
fn given(ty: &Type) -> (Wanted, &'static str) {
    match ty {
        Type::Float | Type::Double => (Wanted::Floating, "a floating-point number"),
        Type::Pointer(_) => (Wanted::Address, "a pointer"),
        other => match other.size(&[]) {
            8 => (Wanted::Integer(8), "an integer of 8 bytes"),
            _ => (Wanted::Integer(4), "an `int`"),
        },
    }
}

impl Checker {
    /// Compares a call's format, if it is a literal, with the arguments after it.
    pub(crate) fn check_format(&mut self, builtin: Builtin, format: &Expr, arguments: &[Expr]) {
        let ExprKind::String(id) = format.kind else {
            return;
        };
        let text = self.literals.text(id).to_vec();
        match builtin {
            Builtin::Fscanf | Builtin::Sscanf | Builtin::Scanf => {
                self.check_input_format(&text, format.span, arguments);
            }
            _ => self.check_output_format(&text, format.span, arguments),
        }
    }

    fn check_output_format(&mut self, text: &[u8], format: Span, arguments: &[Expr]) {
        let mut arguments = arguments.iter();
        let mut missing = 0;
        for conversion in conversions(text) {
            if conversion.wanted == Wanted::Nothing {
                let shown = conversion.text.escape_ascii();
                let message = format!("`{shown}` is not a conversion, and is printed as it is");
                self.report(
                    Diagnostic::warning(code::FORMAT_MISMATCH, format, message)
                        .help("a percent sign itself is written `%%`"),
                );
                continue;
            }
            if conversion.wanted == Wanted::Unknown {
                let shown = conversion.text.escape_ascii();
                let message = format!("`{shown}` is not a conversion");
                self.report(
                    Diagnostic::error(code::BAD_FORMAT, format, message)
                        .help("a percent sign itself is written `%%`"),
                );
                return;
            }
            match arguments.next() {
                Some(argument) => self.check_conversion(&conversion, argument),
                None => missing += 1,
            }
        }
        self.check_format_count(missing, arguments.next(), format);
    }

    /// Reports values that are missing, or the first that is not used.
    pub(crate) fn check_format_count(
        &mut self,
        missing: usize,
        surplus: Option<&Expr>,
        format: Span,
    ) {
        if missing > 0 {
            let more = counted(missing as u64, "more value");
            let message = format!("the format needs {more} than the call passes");
            self.report(Diagnostic::error(code::BAD_FORMAT, format, message));
        }
        if let Some(surplus) = surplus {
            self.warn_of_format(surplus.span, "the format does not use this value".to_owned());
        }
    }

    pub(crate) fn warn_of_format(&mut self, span: Span, message: String) {
        self.report(Diagnostic::warning(code::FORMAT_MISMATCH, span, message));
    }

    fn check_conversion(&mut self, conversion: &Conversion<'_>, argument: &Expr) {
        let (has, described) = given(&argument.ty);
        let shown = conversion.text.escape_ascii();
        let wants = match (conversion.wanted, has) {
            (wanted, has) if wanted == has => return,
            (Wanted::Text, Wanted::Address) => return,
            (Wanted::Text, _) => {
                let message = format!("`{shown}` takes a string, but this is {described}");
                self.report(Diagnostic::error(code::BAD_FORMAT, argument.span, message));
                return;
            }
            (Wanted::Integer(8), _) => "an integer of 8 bytes",
            (Wanted::Integer(_), _) => "an `int`",
            (Wanted::Floating, _) => "a floating-point number",
            _ => "a pointer",
        };
        let message = format!("`{shown}` takes {wants}, but this is {described}");
        self.warn_of_format(argument.span, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_found() {
        let text = |format: &'static [u8]| -> Vec<String> {
            let all = conversions(format);
            all.iter().map(|one| one.text.escape_ascii().to_string()).collect()
        };
        assert_eq!(text(b"%d and %-8.3lf%%\n"), ["%d", "%-8.3lf"]);
        assert_eq!(text(b"%*d"), ["%*d", "%*d"]);
        assert!(conversions(b"50% ").iter().all(|one| one.wanted == Wanted::Unknown));
        assert!(conversions(b"50% :").iter().all(|one| one.wanted == Wanted::Nothing));
        assert!(conversions(b"%").iter().all(|one| one.wanted == Wanted::Unknown));
    }
}

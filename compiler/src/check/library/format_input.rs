//! The formats of `scanf` and its kin, compared with the arguments.

use super::conversion;
use crate::check::state::Checker;
use crate::check::tree::{Expr, Type};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;

/// The target type of the address after a conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// An integer of this size in bytes.
    Integer(u64),
    Float,
    Double,
    Characters,
    Pointer,
}

impl Wanted {
    fn describe(self) -> &'static str {
        match self {
            Wanted::Integer(1) => "a `char`",
            Wanted::Integer(2) => "a `short`",
            Wanted::Integer(4) => "an `int`",
            Wanted::Integer(_) => "a `long`",
            Wanted::Float => "a `float`",
            Wanted::Double => "a `double`",
            Wanted::Characters => "characters",
            Wanted::Pointer => "a pointer",
        }
    }

    fn is(self, ty: &Type) -> bool {
        match (self, ty) {
            (Wanted::Integer(size), Type::Int(kind)) => u64::from(kind.size()) == size,
            (Wanted::Float, Type::Float) | (Wanted::Double, Type::Double) => true,
            (Wanted::Characters, Type::Int(kind)) => kind.size() == 1,
            (Wanted::Characters, Type::Array(element, _)) => self.is(element),
            (Wanted::Pointer, Type::Pointer(_)) => true,
            // An address of anything.
            (_, Type::Void) => true,
            _ => false,
        }
    }
}

/// A conversion of a format.
struct Conversion<'a> {
    /// `None` for letters that mean nothing.
    wanted: Option<Wanted>,
    /// As it is written.
    text: &'a [u8],
}

/// The conversions that store something.
fn conversions(format: &[u8]) -> Vec<Conversion<'_>> {
    let mut found = Vec::new();
    let end = |text: &[u8], letter: usize| match text.get(letter) {
        Some(b'[') => set_end(text, letter + 1),
        _ => letter + 1,
    };
    for (text, at) in conversion::conversions(format, b"*0123456789hlLqjzt", end) {
        let stores = text.get(at) != Some(&b'%') && !text[..at].contains(&b'*');
        let wanted = wanted(&text[..at], text.get(at));
        if stores || wanted.is_none() && text.get(at) != Some(&b'%') {
            found.push(Conversion { wanted, text });
        }
    }
    found
}

/// The end of a set of characters that begins at `at`; `]` may be its first member.
fn set_end(text: &[u8], at: usize) -> usize {
    let at = at + usize::from(text.get(at) == Some(&b'^'));
    let at = at + usize::from(text.get(at) == Some(&b']'));
    let close = text.get(at..).and_then(|rest| rest.iter().position(|&byte| byte == b']'));
    close.map_or(text.len(), |close| at + close + 1)
}

fn wanted(head: &[u8], letter: Option<&u8>) -> Option<Wanted> {
    let halves = head.iter().filter(|&&byte| byte == b'h').count();
    let is_long = head.iter().any(|byte| b"lLqjzt".contains(byte));
    Some(match letter? {
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'n' => Wanted::Integer(match halves {
            1 => 2,
            2.. => 1,
            0 if is_long => 8,
            0 => 4,
        }),
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if is_long => Wanted::Double,
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => Wanted::Float,
        b's' | b'c' | b'[' => Wanted::Characters,
        b'p' => Wanted::Pointer,
        _ => return None,
    })
}

impl Checker {
    /// Compares the text of a format with the addresses after it.
    pub(crate) fn check_input_format(&mut self, text: &[u8], format: Span, arguments: &[Expr]) {
        let mut arguments = arguments.iter();
        let mut missing = 0;
        for conversion in conversions(text) {
            let shown = conversion.text.escape_ascii();
            let Some(wanted) = conversion.wanted else {
                let message = format!("`{shown}` is not a conversion of input");
                self.report(Diagnostic::error(code::BAD_FORMAT, format, message));
                return;
            };
            let Some(argument) = arguments.next() else {
                missing += 1;
                continue;
            };
            let what = wanted.describe();
            match &argument.ty {
                Type::Pointer(to) if wanted.is(to) => {}
                Type::Pointer(_) => {
                    let message =
                        format!("`{shown}` stores {what}, but this points to another type");
                    self.warn_of_format(argument.span, message);
                }
                _ => {
                    let message = format!("`{shown}` takes the address of {what}");
                    let found = Diagnostic::error(code::BAD_FORMAT, argument.span, message);
                    self.report(found.help("take the address with `&`"));
                }
            }
        }
        self.check_format_count(missing, arguments.next(), format);
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
        assert_eq!(text(b"%d %*f,%10[^]a]%% %lf"), ["%d", "%10[^]a]", "%lf"]);
        assert_eq!(text(b"%"), ["%"]);
        assert_eq!(text(b"%[abc"), ["%[abc"]);
        assert!(conversions(b"%hhd")[0].wanted == Some(Wanted::Integer(1)));
    }
}

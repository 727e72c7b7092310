//! `cout << value`: output on the streams of C++.
//!
//! A stream has the address of its `FILE *`, under a type of its own. An insertion becomes a call
//! of [`Builtin::StreamPut`] with the inserted value, a manipulator one of [`Builtin::StreamSet`].

use crate::check::builtin::Builtin;
use crate::check::expr::convert::{self, Purpose};
use crate::check::state::Checker;
use crate::check::tree::{Expr, ExprKind, IntKind};
use crate::check::types::{CType, Opaque};
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;

macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident { $($(#[$inner:meta])* $variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$inner])* $variant,)* }

        impl $name {
            /// The one with this number.
            pub fn from_number(number: u64) -> Option<$name> {
                [$($name::$variant),*].get(usize::try_from(number).ok()?).copied()
            }
        }
    };
}

numbered! {
    /// The format of a value: the second argument of `StreamPut`.
    #[allow(missing_docs)] // the names are C's
    Shown {
        Char, Text, Bool, Short, Int, UInt, Long, ULong, Float, Double, Pointer,
    }
}

numbered! {
    /// The setting that a manipulator changes: the second argument of `StreamSet`; the third is its
    /// argument.
    #[allow(missing_docs)] // the names are C++'s
    Manipulator {
        Endl, Flush, Ends, Setw, Setprecision, Setfill, Fixed, Scientific, Hexfloat, Defaultfloat,
        Dec, Hex, Oct, Left, Right, Internal, Boolalpha, Noboolalpha, Showpoint, Noshowpoint,
        Showpos, Noshowpos, Showbase, Noshowbase, Uppercase, Nouppercase,
    }
}

/// The manipulators by name.
const MANIPULATORS: &[(&str, Manipulator)] = &[
    ("endl", Manipulator::Endl),
    ("flush", Manipulator::Flush),
    ("ends", Manipulator::Ends),
    ("setw", Manipulator::Setw),
    ("setprecision", Manipulator::Setprecision),
    ("setfill", Manipulator::Setfill),
    ("fixed", Manipulator::Fixed),
    ("scientific", Manipulator::Scientific),
    ("hexfloat", Manipulator::Hexfloat),
    ("defaultfloat", Manipulator::Defaultfloat),
    ("dec", Manipulator::Dec),
    ("hex", Manipulator::Hex),
    ("oct", Manipulator::Oct),
    ("left", Manipulator::Left),
    ("right", Manipulator::Right),
    ("internal", Manipulator::Internal),
    ("boolalpha", Manipulator::Boolalpha),
    ("noboolalpha", Manipulator::Noboolalpha),
    ("showpoint", Manipulator::Showpoint),
    ("noshowpoint", Manipulator::Noshowpoint),
    ("showpos", Manipulator::Showpos),
    ("noshowpos", Manipulator::Noshowpos),
    ("showbase", Manipulator::Showbase),
    ("noshowbase", Manipulator::Noshowbase),
    ("uppercase", Manipulator::Uppercase),
    ("nouppercase", Manipulator::Nouppercase),
];

/// The type of the address of `cout`.
pub(crate) fn stream_type() -> CType {
    CType::Opaque(Opaque::Ostream).pointer_to()
}

/// The stream whose address an expression of this kind is.
pub(crate) fn place(kind: ExprKind, span: Span) -> Operand {
    let address = Expr { kind, ty: stream_type().lower(), span };
    Lvalue::deref(address, CType::Opaque(Opaque::Ostream).plain(), span).into()
}

/// Returns true if an operand is a stream.
pub(crate) fn is_stream(operand: &Operand) -> bool {
    *operand.ty() == CType::Opaque(Opaque::Ostream)
}

/// The stream of this name.
pub(crate) fn stream(name: &str) -> Option<Builtin> {
    match name {
        "cout" => Some(Builtin::Stdout),
        "cerr" | "clog" => Some(Builtin::Stderr),
        _ => None,
    }
}

impl Manipulator {
    /// Returns true if it is written with an argument, as `setw(5)`.
    fn takes_argument(self) -> bool {
        matches!(self, Manipulator::Setw | Manipulator::Setprecision | Manipulator::Setfill)
    }
}

/// The manipulators that streams have as functions, and how many arguments those take.
const FUNCTIONS: &[(&str, Manipulator, usize)] = &[
    ("precision", Manipulator::Setprecision, 1),
    ("width", Manipulator::Setw, 1),
    ("fill", Manipulator::Setfill, 1),
    ("flush", Manipulator::Flush, 0),
];

impl Checker {
    /// A call of a stream's function: `cout.precision(3)`. Its result is the stream, not the
    /// previous setting.
    pub(crate) fn stream_function(
        &mut self,
        stream: Operand,
        name: &str,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Operand> {
        let stream = self.load(stream);
        let Some(&(_, found, count)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) else {
            let message = format!("unsupported: the function `{name}` of a stream");
            let known = "streams have `precision`, `width`, `fill` and `flush`, and `<<`";
            let found = Diagnostic::error(code::UNSUPPORTED_FUNCTION, span, message);
            return self.fail(found.help(known));
        };
        if arguments.len() != count {
            self.check_all(arguments);
            return self.report_count(name, count, count, arguments.len(), span, None);
        }
        let value = match arguments.first() {
            Some(argument) => {
                let value = self.value(argument)?;
                self.convert(value, &CType::INT, &Purpose::Plain)?
            }
            None => Value::int(0, CType::INT, span),
        };
        Some(set(stream, found, value, span))
    }

    /// The manipulator of this name, if the program has not declared the name.
    fn manipulator(&self, expr: &ast::Expr) -> Option<Manipulator> {
        let ast::ExprKind::Name(name) = &expr.kind else {
            return None;
        };
        let found = MANIPULATORS.iter().find(|(known, _)| **known == **name)?.1;
        self.scopes.find(name).is_none().then_some(found)
    }

    /// `stream << value`, by a function of the program's own if there is one for the value.
    pub(crate) fn insertion(
        &mut self,
        stream: Operand,
        what: &ast::Expr,
        span: Span,
    ) -> Option<Operand> {
        if let Some(found) = self.manipulator(what).filter(|found| !found.takes_argument()) {
            let none = Value::int(0, CType::INT, what.span);
            return Some(set(self.load(stream), found, none, span));
        }
        if let ast::ExprKind::Call(function, arguments) = &what.kind
            && let Some(found) = self.manipulator(function).filter(|found| found.takes_argument())
            && let [argument] = &arguments[..]
        {
            let value = self.value(argument)?;
            let value = self.convert(value, &CType::INT, &Purpose::Plain)?;
            return Some(set(self.load(stream), found, value, span));
        }
        let operands = [stream, self.operand(what)?];
        if operands[1].may_have_operators()
            && let Some(made) = self.operator("<<", &operands, span)
        {
            return made;
        }
        let [stream, value] = operands;
        let value = self.load(value);
        let Some((shown, ty)) = shown(&value.ty) else {
            let spelled = self.spell(&value.ty);
            let message = format!("a value of type `{spelled}` cannot be written to a stream");
            return self.fail(Diagnostic::error(code::TYPE_MISMATCH, what.span, message));
        };
        let value = convert::cast(value, &ty);
        let shown = Value::int(shown as i64, CType::INT, what.span);
        let arguments: Vec<Expr> = vec![self.load(stream).expr, shown.expr, value.expr];
        let kind = ExprKind::Builtin(Builtin::StreamPut, arguments);
        Some(place(kind, span))
    }
}

fn set(stream: Value, found: Manipulator, argument: Value, span: Span) -> Operand {
    let which = Value::int(found as i64, CType::INT, span);
    let arguments: Vec<Expr> = vec![stream.expr, which.expr, argument.expr];
    place(ExprKind::Builtin(Builtin::StreamSet, arguments), span)
}

/// The format for a value of a type, and the type to pass it as.
fn shown(ty: &CType) -> Option<(Shown, CType)> {
    use IntKind as I;
    Some(match ty {
        CType::Bool => (Shown::Bool, CType::INT),
        CType::Int(I::Char | I::SChar | I::UChar) => (Shown::Char, CType::INT),
        CType::Int(I::Short) => (Shown::Short, CType::INT),
        CType::Int(I::Int) => (Shown::Int, CType::INT),
        CType::Int(I::UShort | I::UInt) => (Shown::UInt, CType::UINT),
        CType::Int(I::Long | I::LongLong) => (Shown::Long, CType::LONG),
        CType::Int(I::ULong | I::ULongLong) => (Shown::ULong, CType::SIZE),
        CType::Enum(of) if !of.is_scoped => return shown(&CType::Int(of.kind)),
        CType::Float => (Shown::Float, CType::Double),
        CType::Double => (Shown::Double, CType::Double),
        CType::Pointer(to) if matches!(to.ty, CType::Int(I::Char | I::SChar | I::UChar)) => {
            (Shown::Text, CType::Void.pointer_to())
        }
        CType::Pointer(to) if to.ty == CType::Opaque(Opaque::Ostream) => return None,
        CType::Pointer(_) | CType::Null => (Shown::Pointer, CType::Void.pointer_to()),
        _ => return None,
    })
}

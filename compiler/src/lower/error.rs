//! Why a checked program cannot be compiled.

use crate::diagnostic::{Code, Diagnostic, code};
use crate::syntax::source::{FileId, Span};

/// The kinds of failure; the driver gives each its diagnostic code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LowerErrorKind {
    /// A construct that device code cannot have, which the checker should have refused.
    Unsupported,
    /// The kernel with its inlined functions is too large, or calls are nested too deep.
    TooLarge,
    /// A kernel's parameters, shared or local memory exceed the machine's address range.
    Memory,
    /// The kernel cannot do with the given number of registers.
    Registers,
    /// An analysis of an extension sets a hint that does not exist.
    Extension,
    /// The compiler contradicts itself.
    Internal,
}

impl LowerErrorKind {
    /// The code of such errors.
    pub fn code(self) -> Code {
        match self {
            LowerErrorKind::Unsupported => code::UNSUPPORTED_CPP,
            LowerErrorKind::TooLarge => code::LIMIT_KERNEL,
            LowerErrorKind::Memory => code::LIMIT_MEMORY,
            LowerErrorKind::Registers => code::LIMIT_REGISTERS,
            LowerErrorKind::Extension => code::EXTENSION,
            LowerErrorKind::Internal => code::INTERNAL,
        }
    }
}

/// A failure, at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerError {
    /// The kind.
    pub kind: LowerErrorKind,
    /// One line.
    pub message: String,
    /// The place.
    pub span: Span,
}

impl LowerError {
    /// An error of a kind.
    pub fn new(kind: LowerErrorKind, span: Span, message: impl Into<String>) -> LowerError {
        let message = message.into();
        LowerError { kind, message, span }
    }

    /// The diagnostic of this error.
    pub fn into_diagnostic(self) -> Diagnostic {
        Diagnostic::error(self.kind.code(), self.span, self.message)
    }

    /// An error for a construct that device code cannot have.
    pub fn unsupported(span: Span, message: impl Into<String>) -> LowerError {
        LowerError::new(LowerErrorKind::Unsupported, span, message)
    }
}

/// The result of lowering something.
pub type Result<T> = std::result::Result<T, LowerError>;

/// The span of errors that concern a whole kernel: a caller that knows the kernel replaces it.
pub(super) fn nowhere() -> Span {
    Span::new(FileId(0), 0, 0)
}

/// A fault of an extension.
pub(super) fn extension(message: String) -> LowerError {
    LowerError::new(LowerErrorKind::Extension, nowhere(), message)
}

/// A contradiction of the compiler with itself.
pub(super) fn internal(message: String) -> LowerError {
    LowerError::new(LowerErrorKind::Internal, nowhere(), message)
}

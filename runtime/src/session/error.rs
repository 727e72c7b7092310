//! The errors of a session.

use crate::host::report::Outcome;
use crate::kernel_record::KernelRecord;
use std::fmt::{self, Display, Formatter};

/// Why a program was not compiled, or a kernel not run to its end.
#[derive(Clone, Debug)]
pub enum Error {
    /// A file cannot be read, or a machine does not exist.
    Input(String),
    /// The program does not compile: its diagnostics, as text.
    Compile(String),
    /// A kernel, buffer, argument or launch configuration that cannot be.
    Usage(String),
    /// The kernel was stopped: at a trap, in a deadlock or at a limit.
    Stopped {
        /// The outcome.
        outcome: Box<Outcome>,
        /// The outcome as text, with the source lines.
        text: String,
        /// The measurements so far, if the kernel had started on a simulated machine.
        record: Option<Box<KernelRecord>>,
    },
}

impl Error {
    pub(super) fn usage<T>(message: impl Into<String>) -> Result<T, Error> {
        Err(Error::Usage(message.into()))
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Error::Input(text) | Error::Compile(text) | Error::Usage(text) => f.write_str(text),
            Error::Stopped { text, .. } => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {}

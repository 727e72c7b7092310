//! The end of a run, in a form that the command line can render.

use crate::status;
use reconverge_compiler::diagnostic::{self, Code, Diagnostic, code};
use reconverge_compiler::syntax::SourceMap;
use reconverge_compiler::syntax::source::Span;
use std::ops::{Deref, DerefMut};

/// The message of an interruption.
pub const INTERRUPTED: &str = "interrupted";

/// An error and its place: [`Details`] behind a pointer, because many functions return it as an
/// error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report(Box<Details>);

impl Deref for Report {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}

impl DerefMut for Report {
    fn deref_mut(&mut self) -> &mut Details {
        &mut self.0
    }
}

/// The contents of a [`Report`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// The kind of trap, if it is more than just one.
    pub code: Option<Code>,
    /// One line: the event.
    pub message: String,
    /// The source it happened in, if it has one.
    pub span: Option<Span>,
    /// The function that was running.
    pub function: Option<String>,
    /// The kernel, unless it happened on the host.
    pub kernel: Option<String>,
    /// `blockIdx`.
    pub block: Option<[u32; 3]>,
    /// `threadIdx`.
    pub thread: Option<[u32; 3]>,
    /// Further places and their role: callers, or the places where threads wait.
    pub labels: Vec<(Span, String)>,
    /// Further facts.
    pub notes: Vec<String>,
    /// The correction.
    pub help: Option<String>,
}

impl Report {
    /// A report with nothing but a message.
    pub fn new(message: impl Into<String>) -> Self {
        Report(Box::new(Details { message: message.into(), ..Details::default() }))
    }

    /// Sets the kind of trap.
    pub fn with_code(mut self, code: Code) -> Self {
        self.code = Some(code);
        self
    }

    /// Adds advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Its text, over the source.
    fn render(&self, code: Code, sources: &SourceMap, color: bool) -> String {
        let Some(diagnostic) = self.diagnostic(code) else {
            let (message, help) = (self.headline(), self.help.iter());
            let help = help.map(|help| format!("  = help: {help}\n"));
            return format!("error[{}]: {message}\n{}", code.id(), help.collect::<String>());
        };
        diagnostic::render(&[diagnostic], sources, color)
    }

    /// The error, and its thread.
    pub fn headline(&self) -> String {
        match self.origin() {
            Some(origin) => format!("{}\n  in {origin}", self.message),
            None => self.message.clone(),
        }
    }

    /// The diagnostic, if it has a place.
    pub fn diagnostic(&self, code: Code) -> Option<Diagnostic> {
        let (message, span) = (self.headline(), self.span?);
        let mut diagnostic = Diagnostic::error(code, span, message);
        for (at, (span, text)) in self.labels.iter().enumerate() {
            // A recursion is called from the same place again and again.
            if !self.labels[..at].contains(&(*span, text.clone())) {
                diagnostic = diagnostic.secondary(*span, text);
            }
        }
        diagnostic.notes = self.notes.clone();
        diagnostic.help = self.help.clone();
        Some(diagnostic)
    }

    /// `kernel 'add', block (3,0,0), thread (17,0,0)`, or nothing for the host.
    pub fn origin(&self) -> Option<String> {
        let mut text = format!("kernel '{}'", self.kernel.as_ref()?);
        if let Some(block) = self.block {
            text += &format!(", block {}", triple(block));
        }
        if let Some(thread) = self.thread {
            text += &format!(", thread {}", triple(thread));
        }
        Some(text)
    }
}

/// `(3,0,0)`.
pub fn triple([x, y, z]: [u32; 3]) -> String {
    format!("({x},{y},{z})")
}

/// The reason why a run, on the host or on the device, cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The program did something that has no meaning.
    Trap(Report),
    /// Threads wait for each other forever.
    Deadlock(Report),
    /// It took longer than allowed.
    Limit(Report),
    /// A stop was requested.
    Interrupted(Report),
    /// The compiler contradicts itself.
    Internal(Report),
}

impl Failure {
    /// Its report.
    pub fn report(&self) -> &Report {
        match self {
            Failure::Trap(report)
            | Failure::Deadlock(report)
            | Failure::Limit(report)
            | Failure::Interrupted(report)
            | Failure::Internal(report) => report,
        }
    }

    /// The report, to be completed.
    pub fn report_mut(&mut self) -> &mut Report {
        match self {
            Failure::Trap(report)
            | Failure::Deadlock(report)
            | Failure::Limit(report)
            | Failure::Interrupted(report)
            | Failure::Internal(report) => report,
        }
    }
}

/// The end of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It returned from `main` or called `exit` with this value; `abort` gives 134.
    Exit(i32),
    /// It was stopped at a mistake.
    Trap(Report),
    /// A kernel hangs.
    Deadlock(Report),
    /// It was stopped at a limit.
    Limit(Report),
    /// A stop was requested.
    Interrupted(Report),
    /// The compiler contradicts itself: a fault of ours.
    Internal(Report),
}

impl Outcome {
    /// The exit status of `run`: the program's value as a shell shows it, or one of [`status`].
    pub fn status(&self) -> u8 {
        match self {
            Outcome::Exit(value) => *value as u8,
            Outcome::Trap(_) => status::TRAP,
            Outcome::Deadlock(_) => status::DEADLOCK,
            Outcome::Limit(_) => status::LIMIT,
            Outcome::Interrupted(_) => status::INTERRUPTED,
            Outcome::Internal(_) => status::INTERNAL,
        }
    }

    /// The error that stopped the program, over its source; empty if it ended by itself.
    pub fn render(&self, sources: &SourceMap, color: bool) -> String {
        match self.report() {
            None => String::new(),
            Some((code, report)) => report.render(code, sources, color),
        }
    }

    /// The error that stopped the program, and its code.
    pub fn report(&self) -> Option<(Code, &Report)> {
        Some(match self {
            Outcome::Exit(_) => return None,
            Outcome::Trap(report) => (report.code.unwrap_or(code::TRAP), report),
            Outcome::Deadlock(report) => (code::DEADLOCK, report),
            Outcome::Limit(report) => (code::LIMIT, report),
            Outcome::Interrupted(report) => (code::INTERRUPTED, report),
            Outcome::Internal(report) => (code::INTERNAL, report),
        })
    }
}

impl From<Failure> for Outcome {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Trap(report) => Outcome::Trap(report),
            Failure::Deadlock(report) => Outcome::Deadlock(report),
            Failure::Limit(report) => Outcome::Limit(report),
            Failure::Interrupted(report) => Outcome::Interrupted(report),
            Failure::Internal(report) => Outcome::Internal(report),
        }
    }
}

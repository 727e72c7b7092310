//! The state of checking a program, in groups that each keep their own.
//!
//! Nothing here checks anything: the modules that do add their methods to [`Checker`], and name none of
//! each other for a type.

pub(crate) mod body;
pub(crate) mod cleanups;
pub(crate) mod context;
pub(crate) mod enumerations;
pub(crate) mod functions;
pub(crate) mod jumps;
pub(crate) mod literals;
pub(crate) mod options;
pub(crate) mod program;
pub(crate) mod reports;
pub(crate) mod scopes;
pub(crate) mod structs;
pub(crate) mod templates;
pub(crate) mod variables;

use crate::check::tree::StringId;
use crate::diagnostic::Diagnostic;
use body::Body;
use context::Allowed;
use enumerations::Enumerations;
use functions::Functions;
use literals::Literals;
use options::{CheckOptions, Pass};
use program::ProgramFacts;
use reports::Reports;
use scopes::Scopes;
use structs::Structs;
use templates::Templates;
use variables::Variables;

/// Everything that is known of the program so far.
#[derive(Default)]
pub(crate) struct Checker {
    pub options: CheckOptions,
    pub pass: Pass,
    pub reports: Reports,
    pub structs: Structs,
    pub enumerations: Enumerations,
    pub variables: Variables,
    pub literals: Literals,
    pub functions: Functions,
    pub templates: Templates,
    pub scopes: Scopes,
    /// The function whose body is being checked.
    pub body: Option<Body>,
    pub program: ProgramFacts,
    /// The permissions for the expression or type being checked.
    pub allowed: Allowed,
}

impl Checker {
    /// Adds something that was found.
    pub fn report(&mut self, found: Diagnostic) {
        self.reports.add(found);
    }

    /// Reports something that leaves no result.
    pub fn fail<T>(&mut self, found: Diagnostic) -> Option<T> {
        self.report(found);
        None
    }

    /// The number of a string literal.
    pub fn string(&mut self, text: &[u8]) -> StringId {
        self.literals.number(text)
    }

    /// Returns true if the pass concerns a function.
    pub fn concerns(&self, index: usize) -> bool {
        self.pass.concerns(self.functions[index].sides)
    }
}

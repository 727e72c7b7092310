//! The program that a question is about.

use crate::serve::limits::Limits;
use crate::serve::question::{Header, Headers, Job, Source, Target};
use anyhow::Result;
use reconverge::build::{self, Checked};
use reconverge::execute::Execution;
use reconverge::host::report::Outcome;
use reconverge::message::Message;
use reconverge_compiler::check::Needed;
use reconverge_compiler::diagnostic::Diagnostic;
use reconverge_compiler::syntax::SourceMap;

/// A program with its permissions.
pub struct Asked<'a> {
    /// Its text and options.
    pub source: &'a Source,
    /// The headers that it may include.
    pub headers: &'a [Header],
    /// The limits of the response.
    pub limits: Limits,
}

impl Asked<'_> {
    /// The program of a job.
    pub fn new<'a>(source: &'a Source, job: &'a Job) -> Asked<'a> {
        Asked { source, headers: &job.headers, limits: job.limits }
    }

    /// Preprocesses, parses and checks it.
    pub fn check(&self, target: &Target, needed: Needed) -> Result<Checked> {
        Ok(build::check_with(
            self.source.name(),
            &self.source.source,
            &target.build.definitions,
            &mut Headers(self.headers),
            target.build.checking_source(needed)?,
        ))
    }

    /// The program as far as it compiles: the whole, or, if it cannot run, its kernels alone; with
    /// all faults, in needed and in unneeded code.
    pub fn check_as_far_as_possible(&self, target: &Target) -> Result<Checked> {
        let whole = self.check(target, Needed::Program)?;
        if whole.module.is_some() {
            return Ok(whole);
        }
        let mut kernels = self.check(target, Needed::Kernels)?;
        kernels.diagnostics = self.check(target, Needed::Everything)?.diagnostics;
        Ok(kernels)
    }
}

/// The place in the program at which a run was stopped, and its denied requests.
pub fn faults(execution: &Execution, sources: &SourceMap) -> Vec<Message> {
    let denied = execution.denied.diagnostics(false);
    let denied = denied.into_iter().map(|found| Message::new(&found, sources));
    stopped(&execution.outcome, sources).into_iter().chain(denied).collect()
}

/// The place in the program at which it was stopped.
pub fn stopped(outcome: &Outcome, sources: &SourceMap) -> Vec<Message> {
    let stopped = outcome.report();
    let stopped = stopped.and_then(|(code, report)| report.diagnostic(code));
    stopped.map(|found| Message::new(&found, sources)).into_iter().collect()
}

/// Diagnostics for the page.
pub fn messages(checked: &Checked, more: &[Diagnostic]) -> Vec<Message> {
    let all = checked.diagnostics.iter().chain(more);
    all.map(|found| Message::new(found, &checked.sources)).collect()
}

//! Errors as exceptions. Our own are classes of `reconverge._errors`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use reconverge::Error;
use reconverge::host::report::{Details, Outcome};
use reconverge::message::Message;
use reconverge_compiler::diagnostic::{self, Diagnostic};
use reconverge_compiler::syntax::SourceMap;

/// The class of an exception or a warning.
pub fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("reconverge._errors")?.getattr(name)
}

/// An exception made by calling its class; if that fails, the exception raised instead.
fn made(class: PyResult<Bound<'_, PyAny>>, keywords: PyResult<Bound<'_, PyDict>>) -> PyErr {
    match class.and_then(|class| class.call((), Some(&keywords?))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// Diagnostics as a list of `Diagnostic`.
pub fn diagnostics<'py>(
    py: Python<'py>,
    found: &[Diagnostic],
    sources: &SourceMap,
) -> PyResult<Bound<'py, PyAny>> {
    let objects = found.iter().map(|found| {
        let text = diagnostic::render(std::slice::from_ref(found), sources, false);
        (Message::new(found, sources).json(), text)
    });
    class(py, "diagnostics")?.call1((objects.collect::<Vec<_>>(),))
}

/// A program that does not compile.
pub fn does_not_compile(py: Python<'_>, found: &[Diagnostic], sources: &SourceMap) -> PyErr {
    let keywords = || {
        let keywords = PyDict::new(py);
        keywords.set_item("text", diagnostic::render(found, sources, false))?;
        keywords.set_item("diagnostics", diagnostics(py, found, sources)?)?;
        Ok(keywords)
    };
    made(class(py, "CompileError"), keywords())
}

/// Errors of the library: invalid arguments and settings are `ValueError`s.
pub fn refused(error: &Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A sentence, with its causes.
pub fn wrong(error: &anyhow::Error) -> PyErr {
    PyValueError::new_err(format!("{error:#}"))
}

/// A kernel that was stopped: a `TrapError`, a `DeadlockError`, a `LimitError` or an
/// `InternalError`. `launch` has the measurements so far, if it had started on a simulated machine.
pub fn stopped(
    py: Python<'_>,
    outcome: &Outcome,
    sources: &SourceMap,
    output: &str,
    launch: Option<Bound<'_, PyAny>>,
) -> PyErr {
    let name = match outcome {
        Outcome::Trap(_) | Outcome::Exit(_) => "TrapError",
        Outcome::Deadlock(_) => "DeadlockError",
        Outcome::Limit(_) | Outcome::Interrupted(_) => "LimitError",
        Outcome::Internal(_) => "InternalError",
    };
    let keywords = || {
        let keywords = PyDict::new(py);
        keywords.set_item("text", outcome.render(sources, false))?;
        if let Some((code, report)) = outcome.report() {
            let found: Vec<Diagnostic> = report.diagnostic(code).into_iter().collect();
            keywords.set_item("diagnostics", diagnostics(py, &found, sources)?)?;
            keywords.set_item("code", code.id())?;
            details(&keywords, report, sources)?;
        }
        keywords.set_item("output", output)?;
        keywords.set_item("launch", launch)?;
        Ok(keywords)
    };
    made(class(py, name), keywords())
}

/// Rewrites advice in the words of Python: `max_cycles` for `--max-cycles`, and
/// `settings={"barrier.counts": "warps"}` for `--set barrier.counts=warps`.
pub fn advise(outcome: &mut Outcome) {
    let (Outcome::Limit(report) | Outcome::Deadlock(report)) = outcome else { return };
    let Some(help) = &mut report.help else { return };
    let words = help.split('`').map(|word| match word.strip_prefix("--set ") {
        Some(set) => {
            let (key, value) = set.split_once('=').unwrap_or((set, ""));
            format!("settings={{{key:?}: {value:?}}}")
        }
        None => word.replace("--max-cycles", "max_cycles"),
    });
    *help = words.collect::<Vec<_>>().join("`");
}

fn details(keywords: &Bound<'_, PyDict>, report: &Details, sources: &SourceMap) -> PyResult<()> {
    let triple = |of: Option<[u32; 3]>| of.map(|[x, y, z]| (x, y, z));
    keywords.set_item("message", &report.message)?;
    keywords.set_item("kernel", &report.kernel)?;
    keywords.set_item("block", triple(report.block))?;
    keywords.set_item("thread", triple(report.thread))?;
    keywords.set_item("file", report.span.map(|span| sources.name(span.file)))?;
    keywords.set_item("line", report.span.map(|span| sources.position(span).line))
}

/// Warns at the caller's line.
pub fn warn(py: Python<'_>, text: &str, category: &Bound<'_, PyAny>) -> PyResult<()> {
    let warnings = py.import("warnings")?;
    let text = PyString::new(py, text.trim_end());
    warnings.call_method1("warn", (text, category, 1)).map(|_| ())
}

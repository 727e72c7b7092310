//! Names, types and conversions: from the syntax tree to the checked tree.
//!
//! Declarations at file scope are checked first, in order, then the bodies of the functions, each
//! seeing only the declarations before it. A function that finds a fault reports it and gives
//! `None`; its callers that need the result give `None` too, so that a fault is reported once.

pub mod builtin;
pub mod library;
pub mod print;
pub mod strings;
pub mod tree;
pub mod uses;
pub mod vectors;

mod declare;
mod expr;
mod overload;
mod program;
mod state;
mod stmt;
mod template;
pub(crate) mod tree_walk;
mod types;
mod value;

pub use state::options::{CheckOptions, Needed};

use crate::diagnostic::{self, Diagnostic};
use crate::syntax::Read;
use program::{link, needed};
use state::Checker;
use state::options::Pass;
use state::reports::Reports;
use tree::Module;

/// The stack that checking may use, in bytes: expressions are up to 1000 deep, and every level
/// passes several functions.
const STACK: usize = 256 << 20;

/// Checks a parsed program. The module is missing when there are errors. Faults from reading are
/// judged together with those from checking: see [`Needed`].
pub fn check(read: Read, options: &CheckOptions) -> (Option<Module>, Vec<Diagnostic>) {
    with_stack(|| check_whole(read, options))
}

/// Checks a program on a stack that is large enough.
pub(crate) fn check_whole(read: Read, options: &CheckOptions) -> (Option<Module>, Vec<Diagnostic>) {
    let (checker, diagnostics) = check_pass(read, options, Pass::Whole);
    (module_of(checker, &diagnostics), diagnostics)
}

/// Checks a program that host and device see differently, on a large stack. If only kernels are
/// requested, the host's view does not matter.
pub(crate) fn check_passes(
    host: Read,
    device: Read,
    options: &CheckOptions,
) -> (Option<Module>, Vec<Diagnostic>) {
    if matches!(options.needed, Needed::Kernels | Needed::Kernel(_)) {
        let (checker, diagnostics) = check_pass(device, options, Pass::Device(None));
        return (module_of(checker, &diagnostics), diagnostics);
    }
    let (ours, of_host) = check_pass(host, options, Pass::Host);
    let launched = ours.launched_kernels();
    let (theirs, of_device) = check_pass(device, options, Pass::Device(launched));
    let mut diagnostics = needed::both_passes(of_host, of_device, options.target);
    let module = match diagnostics.iter().any(Diagnostic::is_error) {
        true => None,
        false => link::link(ours.into_pass(), theirs.into_pass())
            .map_err(|faults| diagnostics.extend(faults))
            .ok(),
    };
    diagnostic::sort(&mut diagnostics);
    (module, diagnostics)
}

fn check_pass(read: Read, options: &CheckOptions, pass: Pass) -> (Checker, Vec<Diagnostic>) {
    let Read { unit, diagnostics: syntax } = read;
    let faults = syntax.iter().filter(|found| found.is_error());
    let faults = faults.map(|found| found.primary.span).collect();
    let reports = Reports::after_reading(faults);
    let mut checker = Checker { options: options.clone(), pass, reports, ..Checker::default() };
    let device_items = needed::device_spans(&unit.items);
    checker.unit(unit);
    let mut diagnostics = checker.judge(&device_items, syntax);
    diagnostic::sort(&mut diagnostics);
    (checker, diagnostics)
}

/// The checked module, if it has no errors.
fn module_of(checker: Checker, diagnostics: &[Diagnostic]) -> Option<Module> {
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    (!failed).then(|| checker.module())
}

/// Runs with as much stack as checking may use.
pub(crate) fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    let mut waiting = Some(run);
    let done = std::thread::scope(|scope| {
        let run = || waiting.take().map(|run| run());
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => None,
        }
    });
    match (done, waiting) {
        (Some(result), _) => result,
        // Without a thread, shallow programs still check.
        (None, Some(run)) => run(),
        (None, None) => unreachable!("the thread took what it was to run, and ended"),
    }
}

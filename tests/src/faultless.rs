//! Generated programs under `--check all`: they have no faults by construction, so that a finding
//! is a false alarm, or a mistake of the generator.

use crate::generate::{Generated, ends_before_paired_barrier};
use crate::oracle::{MOST_CYCLES, NoFiles};
use reconverge::build::{self, Checked};
use reconverge::checks::{Check, CheckSet};
use reconverge::execute::{ModelName, Setup, execute};
use reconverge::host::report::Outcome;
use reconverge_compiler::diagnostic::{self, Diagnostic, code};
use reconverge_compiler::pass::Level;
use reconverge_compiler::syntax::Span;
use reconverge_simulator::load_machine;

/// The program of a seed; every fourth leans on affine addresses and programmatic control.
pub fn program(seed: u64) -> Generated {
    match seed % 4 {
        3 => Generated::streams(seed),
        _ => Generated::new(seed),
    }
}

/// Runs the source of a program under checks. Optimisation levels go round with its seed, and so do the models.
///
/// # Errors
/// Fails with a finding, or with the reason why the program fails.
pub fn check(source: &str, seed: u64, checks: &[Check]) -> Result<(), String> {
    let turn = seed / 4;
    let checked = build::check("generated.cu", source, &[], &mut NoFiles);
    let machine = load_machine("gtx480", &[])?;
    let model = if turn.is_multiple_of(5) { ModelName::Timing } else { ModelName::Functional };
    let mut setup = Setup::new(&machine, model);
    setup.max_cycles = Some(MOST_CYCLES);
    setup.checks = CheckSet::new(checks);
    setup.options.level = [Level::Full, Level::Basic, Level::None][turn as usize % 3];
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let run = execute(&checked, &setup, &mut output, &mut errors, &mut |_, _| {});
    let run = run.map_err(|refused| refused.render(false))?;
    if run.outcome != Outcome::Exit(0) {
        return Err(format!("it ends with {:?}", run.outcome));
    }
    let mut found = run.findings.shown;
    found.retain(|found| !is_meant(found, &checked));
    match found.is_empty() {
        true => Ok(()),
        false => Err(diagnostic::render(&found, &checked.sources, false)),
    }
}

/// Returns true if a generated program relies on freedoms of the language that CUDA does not have:
/// threads may return before the others wait at a barrier, and wait at two barriers in the two
/// paths of a branch; lanes take values from lanes that their masks do not name.
fn is_meant(found: &Diagnostic, checked: &Checked) -> bool {
    let is_return = |at| checked.sources.slice(at).starts_with("return");
    let is_paired = |at: Span| {
        let before = checked.sources.text(at.file).get(..at.start as usize);
        before.is_some_and(ends_before_paired_barrier)
    };
    // Shuffles take 0 from lanes outside of their masks, as the language has it.
    if found.code == code::LANES && found.message.starts_with("a value is taken from lane") {
        return true;
    }
    // A machine that counts warps opens the barrier for the threads in the other path.
    let Some(other) = found.secondary.first() else {
        return found.code == code::BARRIER && is_paired(found.primary.span);
    };
    found.code == code::BARRIER
        && match other.text.ends_with(" ends here") {
            true => is_return(other.span),
            false => is_paired(found.primary.span) && is_paired(other.span),
        }
}

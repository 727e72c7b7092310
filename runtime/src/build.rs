//! From a source text to a program image, with all diagnostics about it.

use crate::kernel_file::{self, KernelFile};
pub use crate::refused::Refused;
use crate::status;
use anyhow::{Result, bail};
use reconverge_compiler::analysis::legality;
use reconverge_compiler::check as checker;
use reconverge_compiler::check::CheckOptions;
use reconverge_compiler::check::tree::Module;
use reconverge_compiler::diagnostic::{self, Diagnostic, code};
use reconverge_compiler::ir::Unheeded;
use reconverge_compiler::lower::{self, LowerError, Lowered, Options, Outcome, Unset};
use reconverge_compiler::pass::{self, Level, unroll};
use reconverge_compiler::syntax::tree::TranslationUnit;
use reconverge_compiler::syntax::{self, FileId, Loader, Pass, SourceMap, Span, Target};
use reconverge_isa::nearest::hint;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A checked program, or its errors.
pub struct Checked {
    /// Every file that was read.
    pub sources: SourceMap,
    /// The program, if it has no errors.
    pub module: Option<Module>,
    /// The diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// Files whose kernels replace the program's kernels of the same names.
    kernels: Vec<KernelFile>,
    /// The compiled kernels that are kept, with the options.
    kept: Mutex<Vec<(Options, Arc<OnceLock<Compiled>>)>>,
}

/// A compiled program, or why there is none.
type Compiled = Result<Arc<Lowered>, Vec<Diagnostic>>;

impl Checked {
    /// The result of checking sources; nothing is compiled yet.
    pub(crate) fn new(
        sources: SourceMap,
        module: Option<Module>,
        diagnostics: Vec<Diagnostic>,
    ) -> Checked {
        Checked { sources, module, diagnostics, kernels: Vec::new(), kept: Mutex::default() }
    }

    /// The diagnostics as text.
    pub fn render(&self, color: bool) -> String {
        diagnostic::render(&self.diagnostics, &self.sources, color)
    }

    /// Returns true if the program does not compile.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The exit status of a command that needs the program, which does not compile.
    pub fn status(&self) -> u8 {
        match self.diagnostics.iter().any(|found| found.code == code::INTERNAL) {
            true => status::INTERNAL,
            false => status::COMPILE,
        }
    }

    /// Replaces kernels of the program by those of files, whose texts are among its sources. Under the reference model,
    /// kernels in PTX are executed as they are written.
    pub fn set_kernels(&mut self, files: Vec<KernelFile>) {
        self.kernels = files;
        self.kept = Mutex::default();
    }

    /// The files whose kernels replace the program's own.
    pub fn kernels(&self) -> &[KernelFile] {
        &self.kernels
    }

    /// Compiles the kernels.
    ///
    /// # Errors
    /// A limitation of the compiler, all errors found earlier, or a replacement that does not fit.
    pub fn lower(&self, options: &Options) -> Result<Lowered, Refused<'_>> {
        let Some(module) = &self.module else {
            return Err(self.refused());
        };
        let mut lowered = lower(module, &self.sources, options)
            .map_err(|diagnostics| Refused::new(&self.sources, diagnostics))?;
        // Code from a file is verified at every level.
        let options = Options { verify: true, ..options.clone() };
        for file in &self.kernels {
            kernel_file::replace(&mut lowered, file, &options, &self.sources)?;
        }
        Ok(lowered)
    }

    /// Compiles the kernels with some options once; a later call with equal ones, on any thread,
    /// gets the same.
    ///
    /// # Errors
    /// As [`Checked::lower`].
    pub fn lower_once(&self, options: &Options) -> Result<Arc<Lowered>, Refused<'_>> {
        let compiled = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            match kept.iter().find(|(known, _)| known == options) {
                Some((_, compiled)) => compiled.clone(),
                None => {
                    let compiled = Arc::new(OnceLock::new());
                    kept.push((options.clone(), compiled.clone()));
                    compiled
                }
            }
        };
        // Compiled outside the lock, so that calls with other options need not wait.
        let compiled = compiled.get_or_init(|| {
            self.lower(options).map(Arc::new).map_err(|refused| refused.diagnostics)
        });
        compiled.clone().map_err(|diagnostics| Refused::new(&self.sources, diagnostics))
    }

    /// The program, if it can be run.
    ///
    /// # Errors
    /// The errors; one of them may be that it has no `main`.
    pub fn program(&self) -> Result<&Module, Refused<'_>> {
        let module = self.module.as_ref().ok_or_else(|| self.refused())?;
        if module.main.is_some() {
            return Ok(module);
        }
        let start = Span::new(FileId(0), 0, 0);
        let missing = Diagnostic::error(code::NO_MAIN, start, "there is no function `main` to run")
            .help("define `int main()`; `compile` needs none");
        Err(Refused::new(&self.sources, vec![missing]))
    }

    /// The errors of the program.
    pub fn refused(&self) -> Refused<'_> {
        Refused::new(&self.sources, self.diagnostics.clone())
    }
}

/// Preprocesses and parses a text, as device code sees it.
pub fn parse(
    name: &str,
    text: &str,
    definitions: &[(String, String)],
    loader: &mut dyn Loader,
    target: Target,
) -> (TranslationUnit, Checked) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let read = syntax::parse(&mut sources, file, loader, definitions, target, Pass::Device);
    (read.unit, Checked::new(sources, None, read.diagnostics))
}

/// Preprocesses, parses and checks a text.
pub fn check(
    name: &str,
    text: &str,
    definitions: &[(String, String)],
    loader: &mut dyn Loader,
) -> Checked {
    check_with(name, text, definitions, loader, CheckOptions::default())
}

/// Preprocesses, parses and checks a program with options for the checker.
pub fn check_with(
    name: &str,
    text: &str,
    definitions: &[(String, String)],
    loader: &mut dyn Loader,
    options: CheckOptions,
) -> Checked {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let (module, diagnostics) = checker(&mut sources, file, loader, definitions, options);
    Checked::new(sources, module, diagnostics)
}

/// Compiles the kernels of a checked tree; at the level of PTX as at the default one, for kernels in PTX are to take their
/// place.
///
/// # Errors
/// A limitation of the compiler.
pub fn lower(
    module: &Module,
    sources: &SourceMap,
    options: &Options,
) -> Result<Lowered, Vec<Diagnostic>> {
    let level = match options.level {
        Level::Ptx => Level::default(),
        level => level,
    };
    let options = Options { level, ..options.clone() };
    lower::lower(module, sources, &options)
        .map_err(|errors| errors.into_iter().map(LowerError::into_diagnostic).collect())
}

/// The warnings of the analyses about compiled kernels, as text.
pub fn warnings(lowered: &Lowered, sources: &SourceMap, color: bool) -> String {
    diagnostic::render(&cautions(lowered, sources), sources, color)
}

/// The warnings of the analyses about compiled kernels.
pub fn cautions(lowered: &Lowered, sources: &SourceMap) -> Vec<Diagnostic> {
    let mut found = legality::warnings(
        &lowered.ir,
        &lowered.launched,
        &lowered.steady,
        &lowered.program.files,
        sources,
    );
    let files = &lowered.program.files;
    found.extend(lowered.unset.iter().filter_map(|read| unset(read, files, sources)));
    found.extend(lowered.unheeded.iter().filter_map(|asked| unheeded(asked, files, sources)));
    // Inlining and unrolling may copy a barrier to many places.
    diagnostic::sort(&mut found);
    found
}

/// A loop that `#pragma unroll` would make too large.
fn unheeded(asked: &Unheeded, files: &[String], sources: &SourceMap) -> Option<Diagnostic> {
    let Unheeded { test, iterations, size } = *asked;
    let (most_iterations, most_size) = unroll::ASKED;
    let message = format!(
        "the loop is not unrolled as `#pragma unroll` asks: {iterations} iterations of {size} instructions in all"
    );
    let place = legality::span_at(sources, files, test)?;
    let found = Diagnostic::warning(code::UNROLL, place, message).label("the loop's test");
    Some(found.help(format!(
        "ask for less: at most {most_iterations} iterations and {most_size} instructions are written out"
    )))
}

/// A read of a variable without a value, with the path to it.
fn unset(read: &Unset, files: &[String], sources: &SourceMap) -> Option<Diagnostic> {
    let at = |location| legality::span_at(sources, files, location);
    let name = &read.variable;
    // The place is never in a text supplied by the compiler: the variable is shown instead, if it
    // is the program's.
    let is_own = |span: &Span| sources.supplied().all(|file| file != span.file);
    let place = at(read.read).filter(is_own);
    let place = place.or_else(|| at(read.declared).filter(is_own))?;
    let (code, text) = match read.surely {
        true => (code::UNSET, format!("`{name}` is read before it is written")),
        false => (code::MAYBE_UNSET, format!("`{name}` may be read before it is written")),
    };
    let mut found = Diagnostic::warning(code, place, text);
    if Some(place) == at(read.declared) {
        found = found.label("declared here without a value");
    } else {
        found = found.label("read here");
        if let Some(declared) = at(read.declared).filter(is_own) {
            found = found.secondary(declared, "declared here without a value");
        }
    }
    for &(branch, outcome) in read.path.iter().rev() {
        if let Some(branch) = at(branch).filter(is_own) {
            let label = match outcome {
                Outcome::Holds(holds) => format!("when this is {holds}"),
                Outcome::Case(value) => format!("when this is {value}"),
                Outcome::NoCase => "when this is the value of no `case`".to_owned(),
            };
            found = found.secondary(branch, label);
        }
    }
    Some(found.help("write it first; C leaves the value undefined, and here it is 0"))
}

/// Complains of names that are no passes.
///
/// # Errors
/// The first such name.
pub fn require_passes<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<()> {
    for name in names {
        if pass::find(name).is_none() {
            let known: Vec<_> = pass::passes().into_iter().map(|pass| pass.name).collect();
            let near = hint(name, known.iter().copied());
            bail!("unknown pass `{name}`; known: {}{near}", known.join(", "));
        }
    }
    Ok(())
}

/// Complains of passes that follow one of a later stage.
///
/// # Errors
/// The first such pass.
pub fn require_order<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<()> {
    let mut latest: Option<&pass::Pass> = None;
    for pass in names.into_iter().filter_map(pass::find) {
        if let Some(before) = latest.filter(|before| pass.stage() < before.stage()) {
            bail!(
                "`{}`, of the stage {}, stands after `{}`, of the stage {}\n  the stages are IR, instruction \
                 selection and machine code, in this order; `list passes` names the stage of each pass",
                pass.name,
                pass.stage().name(),
                before.name,
                before.stage().name(),
            );
        }
        latest = Some(pass);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_options_compile_once() {
        let text = "__global__ void f(int *p) { for (int i = 0; i < threadIdx.x; i++) p[i] += 1; }";
        let checked = check("f.cu", text, &[], &mut ());
        let lower = |options: &Options| checked.lower_once(options).ok().unwrap();
        let first = lower(&Options::default());
        assert!(Arc::ptr_eq(&first, &lower(&Options::default())));
        let other = Options { convergence_barriers: true, ..Options::default() };
        let other = lower(&other);
        assert!(!Arc::ptr_eq(&first, &other));
        assert_ne!(first.program, other.program);
        assert!(Arc::ptr_eq(&first, &lower(&Options::default())));
    }

    #[test]
    fn who_asks_again_is_refused_again() {
        let checked = check("f.cu", "__global__ void f(int *p) { q[0] = 1; }", &[], &mut ());
        for _ in 0..2 {
            let refused = checked.lower_once(&Options::default()).err().unwrap();
            assert!(refused.render(false).contains("`q`"), "{}", refused.render(false));
        }
    }
}

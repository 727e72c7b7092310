//! From a PTX module to functions of the intermediate representation.
//!
//! [`translate`] takes a module that [`reconverge_ptx::check`] has no fault in. Each kernel becomes SSA by the construction
//! that CUDA's kernels take ([`Builder`](crate::lower::ssa::Builder)): a register is a variable of it, and functions are put
//! in the place of their calls. `spec/ptx.md` says what is computed.
//!
//! # Representation
//!
//! A predicate is a predicate, a register of 64 bits a `b64`, any other a `b32`; of one of 8 or 16 bits the upper bits are
//! zero. Addresses are computed in 64 bits, and an access takes the low word of one.

mod call;
mod control;
mod convert;
mod copy;
mod eighth;
mod float;
mod half;
mod initial;
pub(crate) mod inline;
mod integer;
mod kernel;
mod kind;
mod layout;
mod library;
mod logic;
mod matrix;
mod mbarrier;
mod memory;
mod mma;
pub mod names;
mod operand;
mod special;
mod surface;
mod texture;
mod video;
mod warp;
mod wmma;

use crate::diagnostic::{Code, Diagnostic, code};
use crate::ir::Function;
use crate::pass::Level;
use crate::syntax::source::{FileId, SourceMap, Span};
use reconverge_isa::Variable;
use reconverge_ptx::tree::Module;
use reconverge_ptx::{self as ptx, SyntaxError};
use std::collections::BTreeMap;

/// A translated module.
#[derive(Clone, Debug, Default)]
pub struct Translated {
    /// The kernels, in the order of the text.
    pub functions: Vec<Function>,
    /// Where each kernel's head is.
    pub heads: Vec<Span>,
    /// The files that locations name: the text itself, then those of `.file`.
    pub files: Vec<String>,
    /// Variables of global and constant memory.
    pub variables: Vec<Variable>,
    /// By variable: its name in the text.
    pub symbols: Vec<String>,
    /// Warnings of directives that are not applied.
    pub warnings: Vec<Diagnostic>,
}

/// Reads and checks a text of the source map.
///
/// # Errors
/// Its faults, in the order of their places.
pub fn read(sources: &SourceMap, file: FileId) -> Result<Module, Vec<Diagnostic>> {
    let error = |error: SyntaxError| {
        let SyntaxError { span, message, help } = error;
        Diagnostic::error(code::PTX, in_file(file, span), message).advice(&help)
    };
    let module = ptx::parse(sources.text(file)).map_err(|fault| vec![error(fault)])?;
    let faults: Vec<Diagnostic> = ptx::check(&module).into_iter().map(error).collect();
    if faults.is_empty() { Ok(module) } else { Err(faults) }
}

/// Translates a module that was read from a text of the source map. Variables of the module that `placed` has too, by name,
/// get the addresses that they have there.
///
/// # Errors
/// The first untranslatable place of each kernel.
pub fn translate(
    module: &Module,
    sources: &SourceMap,
    file: FileId,
    placed: &[Variable],
) -> Result<Translated, Vec<Diagnostic>> {
    translate_for(Level::default(), module, sources, file, placed)
}

/// Translates a module as [`translate`] does, for a level: at [`Level::Ptx`] copies, and reads of parameters and special
/// registers, are instructions of their own, as they are in the text.
///
/// # Errors
/// The first untranslatable place of each kernel.
pub fn translate_for(
    level: Level,
    module: &Module,
    sources: &SourceMap,
    file: FileId,
    placed: &[Variable],
) -> Result<Translated, Vec<Diagnostic>> {
    let (translated, refused) = translate_each(level, module, sources, file, placed)?;
    match refused.is_empty() {
        true => Ok(translated),
        false => Err(refused.into_iter().map(|kernel| kernel.why).collect()),
    }
}

/// A kernel that cannot be compiled.
#[derive(Clone, Debug)]
pub struct RefusedKernel {
    /// Its name in the text.
    pub symbol: String,
    /// The first reason.
    pub why: Diagnostic,
}

/// Reads and checks a text of the source map. Kernels and functions with faults are left out, and the kernels among them
/// reported.
///
/// # Errors
/// A fault outside of all functions, or a text that cannot be parsed.
pub fn read_each(
    sources: &SourceMap,
    file: FileId,
) -> Result<(Module, Vec<RefusedKernel>), Vec<Diagnostic>> {
    let error = |error: SyntaxError| {
        let SyntaxError { span, message, help } = error;
        Diagnostic::error(code::PTX, in_file(file, span), message).advice(&help)
    };
    let mut module = ptx::parse(sources.text(file)).map_err(|fault| vec![error(fault)])?;
    let mut refused = Vec::new();
    // A function that is left out is missing where it is called, so the check is repeated.
    loop {
        let faults = ptx::check(&module);
        if faults.is_empty() {
            return Ok((module, refused));
        }
        let mut first: BTreeMap<usize, SyntaxError> = BTreeMap::new();
        for fault in faults {
            match module.functions.iter().position(|it| covers(it, fault.span.start)) {
                Some(at) => first.entry(at).or_insert(fault),
                None => return Err(vec![error(fault)]),
            };
        }
        for (at, fault) in first.into_iter().rev() {
            let function = module.functions.remove(at);
            if function.is_entry {
                let symbol = function.name.text.to_string();
                refused.push(RefusedKernel { symbol, why: error(fault) });
            }
        }
    }
}

/// Returns true if a place is in the head or body of a function.
fn covers(function: &ptx::tree::Function, place: u32) -> bool {
    let end = function.body.as_ref().map_or(function.name.span.end, |body| body.span.end);
    (function.span.start..=end).contains(&place)
}

/// Translates the kernels of a module as [`translate_for`] does, and reports those that it cannot translate.
///
/// # Errors
/// The variables do not fit into memory.
pub fn translate_each(
    level: Level,
    module: &Module,
    sources: &SourceMap,
    file: FileId,
    placed: &[Variable],
) -> Result<(Translated, Vec<RefusedKernel>), Vec<Diagnostic>> {
    let own = sources.name(file).to_owned();
    let paths = module.files.iter().map(|file| file.path.to_string());
    let mut translated =
        Translated { files: std::iter::once(own).chain(paths).collect(), ..Translated::default() };
    let refused = |fault: Refused| vec![fault.into_diagnostic(file)];
    let globals = layout::globals(module, placed).map_err(refused)?;
    let variables = initial::variables(module, &globals).map_err(refused)?;
    let mut errors = Vec::new();
    let mut context = kernel::Context::new(module, sources, file, &globals, &variables);
    context.as_written = level == Level::Ptx;
    for (name, function) in names::of_kernels(module) {
        if function.body.is_none() {
            continue;
        }
        match kernel::translate(&context, function, name) {
            Ok(built) => {
                translated.functions.push(built);
                translated.heads.push(in_file(file, function.name.span));
                translated.warnings.extend(kernel::limits(function, file));
            }
            Err(fault) => {
                let symbol = function.name.text.to_string();
                errors.push(RefusedKernel { symbol, why: fault.into_diagnostic(file) });
            }
        }
    }
    translated.symbols = initial::symbols(module, &globals);
    translated.variables = variables;
    Ok((translated, errors))
}

fn in_file(file: FileId, span: ptx::Span) -> Span {
    Span::new(file, span.start, span.end)
}

/// A place of a text that cannot be translated.
#[derive(Debug)]
struct Refused {
    code: Code,
    span: ptx::Span,
    message: String,
    help: String,
}

impl Refused {
    fn new(span: ptx::Span, message: impl Into<String>) -> Refused {
        Refused { code: code::PTX, span, message: message.into(), help: String::new() }
    }

    fn help(self, help: impl Into<String>) -> Refused {
        Refused { help: help.into(), ..self }
    }

    /// A limit of kernels.
    fn limit(code: Code, span: ptx::Span, message: impl Into<String>) -> Refused {
        Refused { code, ..Refused::new(span, message) }
    }

    fn into_diagnostic(self, file: FileId) -> Diagnostic {
        Diagnostic::error(self.code, in_file(file, self.span), self.message).advice(&self.help)
    }
}

type Result<T, E = Refused> = std::result::Result<T, E>;

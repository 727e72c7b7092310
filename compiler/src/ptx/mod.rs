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
mod float;
mod half;
mod initial;
pub(crate) mod inline;
mod integer;
mod kernel;
mod kind;
mod layout;
mod logic;
mod matrix;
mod memory;
pub mod names;
mod operand;
mod special;
mod texture;
mod video;
mod warp;

use crate::diagnostic::{Code, Diagnostic, code};
use crate::ir::Function;
use crate::pass::Level;
use crate::syntax::source::{FileId, SourceMap, Span};
use reconverge_isa::Variable;
use reconverge_ptx::tree::Module;
use reconverge_ptx::{self as ptx, SyntaxError};

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
            Err(fault) => errors.push(fault.into_diagnostic(file)),
        }
    }
    translated.variables = variables;
    if errors.is_empty() { Ok(translated) } else { Err(errors) }
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

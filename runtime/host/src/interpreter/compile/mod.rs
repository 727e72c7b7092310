//! Checked tree to bytecode, a function at a time.

mod branch;
mod builder;
mod call;
mod convert;
mod effects;
mod expr;
mod operator;
mod place;
mod stmt;

use super::arithmetic::Side;
use super::bytecode::Code;
use crate::memory::Statics;
use builder::Builder;
use reconverge_compiler::check::tree::{FunctionId, GlobalSpace, Module};
use reconverge_compiler::syntax::source::Span;

/// A function that needs more than the 2¹⁵ temporaries a frame can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The function, if it is one of the program.
    pub span: Option<Span>,
}

/// Compiles every function of a module for a side, and a last one without parameters that initialises
/// the host's globals.
pub fn compile(module: &Module, statics: &Statics, side: Side) -> Result<Code, TooLarge> {
    let mut code = Code { side, ..Code::default() };
    for index in 0..module.functions.len() {
        let mut builder = Builder::new(module, statics, &mut code, FunctionId(index as u32));
        builder.function_body();
        builder.finish()?;
    }
    let mut builder = Builder::without_function(module, statics, &mut code);
    for (index, global) in module.globals.iter().enumerate() {
        if global.space == GlobalSpace::Host {
            builder.initialise_global(index, &global.init);
        }
    }
    builder.finish()?;
    Ok(code)
}

impl From<TooLarge> for crate::report::Report {
    fn from(error: TooLarge) -> Self {
        let mut report = Self::new("this function is too large for the interpreter");
        report.span = error.span;
        report.with_help("split it into several functions")
    }
}

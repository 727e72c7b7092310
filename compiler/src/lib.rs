//! The compiler.

pub mod analysis;
pub mod check;
pub mod decouple;
pub mod diagnostic;
pub mod ir;
pub mod lower;
pub mod machine_code;
pub mod pass;
pub mod syntax;

use check::tree::Module;
use diagnostic::Diagnostic;
use syntax::{FileId, Loader, SourceMap};

/// Preprocesses, parses and checks a program: a file and what it includes, with the definitions of
/// the command line, name and value. The module is missing when there are errors; the diagnostics
/// are in the order of their places.
pub fn check(
    sources: &mut SourceMap,
    file: FileId,
    loader: &mut dyn Loader,
    defines: &[(String, String)],
    options: check::Options,
) -> (Option<Module>, Vec<Diagnostic>) {
    let (unit, diagnostics) = syntax::parse(sources, file, loader, defines);
    check::check(&unit, diagnostics, options)
}

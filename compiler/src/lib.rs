//! The compiler.

#![deny(clippy::unwrap_used)]

pub mod analysis;
pub mod check;
pub mod decouple;
pub mod diagnostic;
pub mod ir;
pub mod lower;
pub mod machine_code;
pub mod pass;
pub mod ptx;
pub mod syntax;

pub use reconverge_isa::wording;

use check::tree::Module;
use diagnostic::Diagnostic;
use syntax::Pass;
use syntax::{FileId, Loader, SourceMap};

/// Preprocesses, parses and checks a program: a file with its includes, with the definitions of the
/// command line, name and value. The module is missing when there are errors; the diagnostics are
/// in the order of their places.
///
/// A source that uses `__CUDA_ARCH__` is read twice, as the host and as the device see it.
pub fn check(
    sources: &mut SourceMap,
    file: FileId,
    loader: &mut dyn Loader,
    defines: &[(String, String)],
    options: check::CheckOptions,
) -> (Option<Module>, Vec<Diagnostic>) {
    let target = options.target;
    // In one thread, so that the checked tree takes the memory of the tokens that it replaces.
    check::with_stack(|| {
        let host = syntax::parse(sources, file, loader, defines, target, Pass::Host);
        if !host.unit.asks_for_architecture {
            return check::check_whole(host, &options);
        }
        sources.read_again(file);
        let device = syntax::parse(sources, file, loader, defines, target, Pass::Device);
        check::check_passes(host, device, &options)
    })
}

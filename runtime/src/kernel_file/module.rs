//! A file of kernels as a module of the runtime: the checker's result, as far as the file
//! determines it.

use super::variables::global;
use super::{KernelFile, Places};
use crate::build::{Checked, Refused};
use crate::session::Module;
use reconverge_compiler::check::tree::{self, Sides, Type};
use reconverge_compiler::lower::{Lowered, Options};
use reconverge_compiler::syntax::{SourceMap, Span, Target};
use reconverge_isa::Kernel;

impl KernelFile {
    /// Compiles the kernels; instructions state lines of the file itself.
    ///
    /// # Errors
    /// The sources again, and the errors.
    #[allow(clippy::result_large_err)] // it is told once
    pub fn into_module(
        mut self,
        sources: SourceMap,
        options: &Options,
    ) -> Result<Module, (SourceMap, Vec<reconverge_compiler::diagnostic::Diagnostic>)> {
        let lowered = self
            .lower(options, Places::OwnLines, &sources)
            .map_err(|Refused { diagnostics, .. }| diagnostics);
        let lowered = match lowered {
            Ok(lowered) => lowered,
            Err(found) => return Err((sources, found)),
        };
        let tree = tree(&lowered, |kernel| self.kernel_span(kernel, &sources));
        let checked = Checked::new(sources, None, std::mem::take(&mut self.diagnostics));
        Ok(Module::bare(checked, lowered, tree, self))
    }
}

/// A tree with the kernels, without bodies and parameters, and the variables, whose types are not known.
pub(super) fn tree(lowered: &Lowered, span: impl Fn(&str) -> Span) -> tree::Module {
    let program = &lowered.program;
    let function = |kernel: &Kernel| tree::Function {
        name: kernel.name.clone(),
        sides: Sides { kernel: true, device: false, host: false },
        parameters: 0,
        result: Type::Void,
        locals: Vec::new(),
        body: Vec::new(),
        launch_bound: Some(kernel.max_threads).filter(|&bound| bound != 0),
        unwritten: Vec::new(),
        unrolled: Default::default(),
        span: span(&kernel.name),
    };
    let nowhere = span("");
    tree::Module {
        structs: Vec::new(),
        functions: program.kernels.iter().map(function).collect(),
        globals: program.variables.iter().map(|it| global(it, nowhere)).collect(),
        shared: Vec::new(),
        strings: Vec::new(),
        main: None,
        end: None,
        target: Target::default(),
    }
}

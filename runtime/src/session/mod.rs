//! Kernels from Rust: compile a program once, load it onto machines, launch its kernels.
//!
//! ```
//! use reconverge::{Arg, CompileOptions, Module, Target};
//!
//! let source = "
//!     __global__ void axpy(float *y, const float *x, float a, int n)
//!     {
//!         int i = blockIdx.x * blockDim.x + threadIdx.x;
//!         if (i < n)
//!             y[i] += a * x[i];
//!     }";
//! let module = Module::compile(source, &CompileOptions::default())?;
//! let x: Vec<f32> = (0..1000).map(|i| i as f32).collect();
//! for machine in ["gtx480", "tiny"] {
//!     let mut gpu = module.load(&Target::new(machine)?)?;
//!     let (input, output) = (gpu.buffer(&x)?, gpu.zeros::<f32>(1000)?);
//!     let arguments = [output.into(), input.into(), 2.0f32.into(), 1000i32.into()];
//!     let report = gpu.launch("axpy", 8, 128, 0, &arguments)?;
//!     assert_eq!(gpu.read(&output)[10], 20.0);
//!     println!("{machine}: {} cycles", report.statistics.unwrap().cycles);
//! }
//! # Ok::<(), reconverge::Error>(())
//! ```

mod argument;
mod buffer;
mod error;
mod gpu;
pub mod npy;
mod text;

pub use argument::Arg;
pub use buffer::{Buffer, Element};
pub use error::Error;
pub use gpu::{Dim, Gpu, Target};
pub use reconverge_host::scalar::{self, Scalar};

use crate::build::{self, Checked, Refused};
use crate::host::device::parameter_offsets;
use crate::kernel_file::join::join;
use crate::kernel_file::{KernelFile, Places};
use crate::ptx_reference::PtxKernels;
use crate::source::{DiskLoader, read};
use reconverge_compiler::check;
use reconverge_compiler::check::tree::{self, FunctionId, Local};
use reconverge_compiler::diagnostic::Diagnostic;
use reconverge_compiler::lower::{self, Lowered};
use reconverge_compiler::syntax;
use reconverge_isa::Program;
use reconverge_isa::nearest::hint;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options of a program's compilation.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// Macros with their values, as `-D NAME=VALUE` defines them.
    pub definitions: Vec<(String, String)>,
    /// The folders that are searched for included files, after the including file's directory.
    pub directories: Vec<PathBuf>,
    /// True if `a * b + c` in device code is rounded once.
    pub contract: bool,
    /// The values of `__CUDA_ARCH__` and `CUDART_VERSION`.
    pub target: syntax::Target,
    /// Levels, passes and registers. Its `target` states a machine's requirements, from
    /// [`code_target`](reconverge_simulator::Machine::code_target); by default code is as for
    /// `gtx480`.
    pub lowering: lower::Options,
}

impl Default for CompileOptions {
    fn default() -> Self {
        CompileOptions {
            definitions: Vec::new(),
            directories: Vec::new(),
            contract: true,
            target: syntax::Target::default(),
            lowering: lower::Options::default(),
        }
    }
}

/// A program as text, or as a file: a `&str` is text, a `&Path` names a file.
#[derive(Clone, Debug)]
pub enum Source<'a> {
    /// The program itself.
    Text(&'a str),
    /// The path of the source.
    File(&'a Path),
}

impl<'a> From<&'a str> for Source<'a> {
    fn from(text: &'a str) -> Self {
        Source::Text(text)
    }
}

impl<'a> From<&'a String> for Source<'a> {
    fn from(text: &'a String) -> Self {
        Source::Text(text)
    }
}

impl<'a> From<&'a Path> for Source<'a> {
    fn from(file: &'a Path) -> Self {
        Source::File(file)
    }
}

impl<'a> From<&'a PathBuf> for Source<'a> {
    fn from(file: &'a PathBuf) -> Self {
        Source::File(file)
    }
}

/// A compiled program, which can be loaded onto any number of machines.
pub struct Module {
    checked: Arc<Checked>,
    lowered: Lowered,
    /// The tree of `checked`, which exists if there are no errors.
    tree: Arc<tree::Module>,
    /// The files of kernels, if it was not compiled from CUDA.
    parts: Vec<Part>,
    /// True if the types of parameters are unknown.
    is_bare: bool,
}

/// A file of kernels, and its kernels and variables in the program.
#[derive(Clone)]
pub(crate) struct Part {
    pub file: Arc<KernelFile>,
    pub kernels: Range<usize>,
    pub variables: Range<usize>,
}

impl Module {
    /// Compiles the kernels of a program. It needs no `main`, and host code is not run.
    ///
    /// # Errors
    /// A file that cannot be read, or the errors of the program.
    pub fn compile<'a>(
        source: impl Into<Source<'a>>,
        options: &CompileOptions,
    ) -> Result<Module, Error> {
        let (name, text) = match source.into() {
            Source::Text(text) => ("<source>".to_owned(), text.to_owned()),
            Source::File(file) => read(file).map_err(|error| Error::Input(format!("{error:#}")))?,
        };
        let mut loader = DiskLoader { directories: &options.directories };
        let checking = check::CheckOptions {
            contract: options.contract,
            needed: check::Needed::Kernels,
            target: options.target,
            ..check::CheckOptions::default()
        };
        let checked = build::check_with(&name, &text, &options.definitions, &mut loader, checking);
        Module::from_checked(checked, &options.lowering).map_err(|(checked, found)| {
            let refused = Refused::new(&checked.sources, found);
            Error::Compile(refused.render(false))
        })
    }

    /// Compiles the kernels of a checked program.
    ///
    /// # Errors
    /// The program again, and its errors.
    #[allow(clippy::result_large_err)] // it is told once
    pub fn from_checked(
        mut checked: Checked,
        options: &lower::Options,
    ) -> Result<Module, (Checked, Vec<Diagnostic>)> {
        let lowered = checked.lower(options).map_err(|refused| refused.diagnostics);
        match (lowered, checked.module.take()) {
            (Ok(lowered), Some(tree)) => {
                let (checked, tree) = (Arc::new(checked), Arc::new(tree));
                Ok(Module { checked, lowered, tree, parts: Vec::new(), is_bare: false })
            }
            (Ok(_), None) => Err((checked, Vec::new())),
            (Err(found), tree) => {
                checked.module = tree;
                Err((checked, found))
            }
        }
    }

    /// Kernels that have not been compiled from CUDA: of their parameters only places are known.
    pub(crate) fn bare(
        checked: Checked,
        lowered: Lowered,
        tree: tree::Module,
        file: KernelFile,
    ) -> Module {
        let program = &lowered.program;
        let (kernels, variables) = (0..program.kernels.len(), 0..program.variables.len());
        let part = Part { file: Arc::new(file), kernels, variables };
        Module::of_parts(checked, lowered, tree, vec![part])
    }

    /// Kernels of several files.
    pub(crate) fn of_parts(
        checked: Checked,
        lowered: Lowered,
        tree: tree::Module,
        parts: Vec<Part>,
    ) -> Module {
        let (checked, tree) = (Arc::new(checked), Arc::new(tree));
        Module { checked, lowered, tree, parts, is_bare: true }
    }

    /// The files of its kernels, if it was not compiled from CUDA.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The kernels that the reference model executes as PTX.
    pub(crate) fn ptx_kernels(&self) -> Result<Vec<PtxKernels>, Error> {
        let program = &self.lowered.program;
        let of = |part: &Part| {
            let beside = Program {
                files: Vec::new(),
                variables: program.variables[part.variables.clone()].to_vec(),
                kernels: program.kernels[part.kernels.clone()].to_vec(),
            };
            let found = part.file.reference(&beside, &self.checked.sources);
            found.map_err(|refused| Error::Compile(refused.render(false)))
        };
        self.parts.iter().filter_map(|part| of(part).transpose()).collect()
    }

    /// Returns true if the types of its kernels' parameters are unknown.
    pub fn is_bare(&self) -> bool {
        self.is_bare
    }

    /// This program, its kernels compiled with other options; machine code stays as it is.
    ///
    /// # Errors
    /// The errors with these options.
    pub fn with_options(&self, options: &lower::Options) -> Result<Module, Vec<Diagnostic>> {
        let sources = &self.checked.sources;
        let mut lowered = match self.is_bare {
            true => Lowered::default(),
            false => build::lower(&self.tree, sources, options)?,
        };
        for part in &self.parts {
            let more = part.file.lower(options, Places::OwnLines, sources);
            join(&mut lowered, more.map_err(|refused| refused.diagnostics)?);
        }
        let (checked, tree) = (self.checked.clone(), self.tree.clone());
        Ok(Module { checked, lowered, tree, parts: self.parts.clone(), is_bare: self.is_bare })
    }

    /// The compiler's warnings, as text; empty if there are none.
    pub fn warnings(&self) -> String {
        self.checked.render(false) + &build::warnings(&self.lowered, &self.checked.sources, false)
    }

    /// The program after checking, without its tree.
    pub fn checked(&self) -> &Checked {
        &self.checked
    }

    /// The compiled program.
    pub fn lowered(&self) -> &Lowered {
        &self.lowered
    }

    /// The checked tree.
    pub fn tree(&self) -> &tree::Module {
        &self.tree
    }

    /// The kernels, in the order of the source.
    pub fn kernels(&self) -> impl Iterator<Item = Kernel<'_>> {
        let functions = (0..).map(FunctionId).zip(&self.tree.functions);
        let kernels = functions.filter(|(_, function)| function.sides.kernel);
        kernels.map(|(id, _)| Kernel { module: &self.tree, id })
    }

    /// The kernel of a name; one that a template made is called `name<arguments>`. Its last
    /// arguments may be left out if that leaves one kernel.
    ///
    /// # Errors
    /// A sentence with the nearest name when there is none, and with all that are meant when there
    /// are several.
    pub fn kernel(&self, name: &str) -> Result<Kernel<'_>, Error> {
        // Blanks in `sum<float, 4>` are as one likes.
        let tight = |name: &str| name.split_whitespace().collect::<String>();
        if let Some(found) = self.kernels().find(|kernel| tight(kernel.name()) == tight(name)) {
            return Ok(found);
        }
        let short: Vec<Kernel<'_>> = self
            .kernels()
            .filter(|kernel| is_short_for(&tight(name), &tight(kernel.name())))
            .collect();
        match short.as_slice() {
            [found] => return Ok(*found),
            [] => {}
            several => {
                let names: Vec<&str> = several.iter().map(|kernel| kernel.name()).collect();
                let names = names.join("`, `");
                return Error::usage(format!("`{name}` is short for several kernels: `{names}`"));
            }
        }
        let names: Vec<&str> = self.kernels().map(|kernel| kernel.name()).collect();
        let near = hint(name, names.iter().copied());
        let known = match names.is_empty() {
            true => "the program has no kernels".to_owned(),
            false => format!("kernels: {}", names.join(", ")),
        };
        Error::usage(format!("there is no kernel `{name}`{near}\n  {known}"))
    }

    /// Loads the program onto a machine: its device variables get their first values.
    ///
    /// # Errors
    /// Variables that do not fit the machine's memory.
    pub fn load(&self, target: &Target) -> Result<Gpu<'_>, Error> {
        Gpu::new(self, target)
    }
}

/// Returns true if a name without blanks is that of a kernel, but for the last arguments of its
/// template.
fn is_short_for(name: &str, kernel: &str) -> bool {
    let Some((template, _)) = kernel.split_once('<') else {
        return false;
    };
    match name.split_once('<') {
        None => name == template,
        Some((short, ">")) => short == template,
        Some(_) => {
            let given = name.strip_suffix('>').unwrap_or(name);
            kernel.strip_prefix(given).is_some_and(|rest| rest.starts_with(','))
        }
    }
}

impl Module {
    /// A kernel by its number; kernels that [`Module::with_image`] adds follow the earlier ones.
    pub fn kernel_at(&self, number: usize) -> Option<Kernel<'_>> {
        let module = self.tree();
        module.functions.get(number)?;
        Some(Kernel { module, id: FunctionId(u32::try_from(number).ok()?) })
    }
}

/// A kernel of a [`Module`].
#[derive(Clone, Copy)]
pub struct Kernel<'m> {
    module: &'m tree::Module,
    id: FunctionId,
}

impl<'m> Kernel<'m> {
    /// Its name.
    pub fn name(&self) -> &'m str {
        &self.module.function(self.id).name
    }

    /// Its parameters.
    pub fn parameters(&self) -> &'m [Local] {
        let function = self.module.function(self.id);
        &function.locals[..function.parameters as usize]
    }

    /// Its declaration: `axpy(float *y, float *x, float a, int n)`.
    pub fn signature(&self) -> String {
        let spelled = |local: &Local| {
            let ty = scalar::spell(&local.ty, self.module);
            let gap = if ty.ends_with('*') { "" } else { " " };
            format!("{ty}{gap}{}", local.name)
        };
        let parameters: Vec<String> = self.parameters().iter().map(spelled).collect();
        format!("{}({})", self.name(), parameters.join(", "))
    }

    /// The checked program that it is part of.
    pub fn module(&self) -> &'m tree::Module {
        self.module
    }

    fn layout(&self) -> (Vec<u32>, u32) {
        parameter_offsets(self.module, self.id)
    }
}

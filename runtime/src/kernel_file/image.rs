//! PTX texts as parts of one program that grows while its host program runs.
//!
//! A host program registers or loads its kernels text by text, and each text has variables and kernels of its own, whose names
//! may be those of another text. A kernel that cannot be compiled is left out with the reason, so that the others can run.

use super::join::join;
use super::module::tree;
use super::ptx::text;
use super::{Content, KernelFile, Level, Places};
use crate::build::{Checked, Refused};
use crate::session::{Error, Module, Part};
use reconverge_compiler::diagnostic::{self, Diagnostic};
use reconverge_compiler::ir::Function;
use reconverge_compiler::lower::{Lowered, Options};
use reconverge_compiler::ptx::{self, RefusedKernel};
use reconverge_compiler::syntax::{SourceMap, Span};
use reconverge_isa::{CONSTANT_BASE, GLOBAL_BASE, Variable};
use std::path::Path;
use std::sync::Arc;

/// The lowest addresses that variables of a text may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Starts {
    /// In global memory.
    pub global: u32,
    /// In constant memory.
    pub constant: u32,
}

/// The kernels and variables of a text that was added to a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The kernels, compiled ones first.
    pub kernels: Vec<ImageKernel>,
    /// The variables of global and constant memory.
    pub variables: Vec<ImageVariable>,
}

/// A kernel of an [`Image`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageKernel {
    /// Its name in the text.
    pub symbol: String,
    /// Its name in the program, which launches use; or the diagnostics, as text, if it cannot be compiled.
    pub name: Result<String, String>,
}

/// A variable of an [`Image`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageVariable {
    /// Its name in the text.
    pub symbol: String,
    /// Its generic address.
    pub address: u32,
    /// Its bytes.
    pub size: u32,
    /// Its first bytes; those after them are zero.
    pub image: Vec<u8>,
}

impl Module {
    /// A program without kernels, to which [`Module::with_image`] adds texts.
    pub fn empty() -> Module {
        let lowered = Lowered::default();
        let sources = SourceMap::new();
        let tree = tree(&lowered, |_| unreachable_span());
        Module::of_parts(Checked::new(sources, None, Vec::new()), lowered, tree, Vec::new())
    }

    /// This program with the kernels and variables of a PTX text beside its own. `folder` is searched for the sources that
    /// the text names, whose lines are then shown.
    ///
    /// # Errors
    /// The text as a whole cannot be compiled: it is no PTX, or its variables do not fit into memory.
    pub fn with_image(
        &self,
        name: &str,
        ptx: &str,
        starts: Starts,
        folder: &Path,
        options: &Options,
    ) -> Result<(Module, Image), Error> {
        let mut sources = self.checked().sources.clone();
        let file = sources.add(name, ptx);
        let refused = |sources: &SourceMap, found: Vec<Diagnostic>| {
            Error::Compile(Refused::new(sources, found).render(false))
        };
        let (module, mut left_out) =
            ptx::read_each(&sources, file).map_err(|found| refused(&sources, found))?;
        let placed = starts.as_variables();
        let (translated, more) =
            ptx::translate_each(options.level, &module, &sources, file, &placed)
                .map_err(|found| refused(&sources, found))?;
        left_out.extend(more);
        let symbols = translated.symbols.clone();
        let (mut content, warnings) = text(translated, &sources);
        let variables = symbols.into_iter().zip(&content.variables);
        let variables: Vec<_> = variables.map(|(symbol, it)| variable(symbol, it)).collect();
        let names = unique_names(&mut content.functions, &module, &self.lowered().program.kernels);
        let mut read = KernelFile {
            name: name.to_owned(),
            level: Level::Ptx,
            file,
            content: Some(Content::Ir(content)),
            tree: Some(Box::new(module)),
            placed,
            diagnostics: warnings,
            undecodable: None,
        };
        read.add_originals(&folder.join(name), &mut sources);
        let mut names = names;
        let lowered = read.lower_each(options, &sources, &mut names, &mut left_out);
        let lowered = lowered.map_err(|found| refused(&sources, found))?;
        let rendered = |it: RefusedKernel| ImageKernel {
            name: Err(diagnostic::render(&[it.why], &sources, false)),
            symbol: it.symbol,
        };
        let compiled =
            names.into_iter().map(|it| ImageKernel { symbol: it.symbol, name: Ok(it.name) });
        let kernels = compiled.chain(left_out.into_iter().map(rendered)).collect();
        let module = self.joined(read, lowered, sources);
        Ok((module, Image { kernels, variables }))
    }

    /// This program with the compiled kernels of a file after its own.
    fn joined(&self, file: KernelFile, more: Lowered, sources: SourceMap) -> Module {
        let own = self.lowered();
        let part = Part {
            kernels: own.program.kernels.len()
                ..own.program.kernels.len() + more.program.kernels.len(),
            variables: own.program.variables.len()
                ..own.program.variables.len() + more.program.variables.len(),
            file: Arc::new(file),
        };
        let mut tree = self.tree().clone();
        let added = super::module::tree(&more, |kernel| part.file.kernel_span(kernel, &sources));
        tree.functions.extend(added.functions);
        tree.globals.extend(added.globals);
        let mut lowered = own.clone();
        join(&mut lowered, more);
        let mut diagnostics = self.checked().diagnostics.clone();
        diagnostics.extend(part.file.diagnostics.clone());
        let checked = Checked::new(sources, None, diagnostics);
        let parts = self.parts().iter().cloned().chain([part]).collect();
        Module::of_parts(checked, lowered, tree, parts)
    }
}

/// The place of a kernel in a program without kernels.
fn unreachable_span() -> Span {
    Span::new(reconverge_compiler::syntax::FileId(0), 0, 0)
}

impl Starts {
    /// Variables without a name and size that end there: own ones are placed after them.
    fn as_variables(self) -> Vec<Variable> {
        let end = |address| Variable { name: String::new(), address, size: 0, image: Vec::new() };
        vec![end(self.global.max(GLOBAL_BASE)), end(self.constant.max(CONSTANT_BASE))]
    }
}

fn variable(symbol: String, it: &Variable) -> ImageVariable {
    ImageVariable { symbol, address: it.address, size: it.size, image: it.image.clone() }
}

/// A kernel's name in its text and in the program.
struct Named {
    symbol: String,
    name: String,
}

/// Gives kernels names that no kernel of the program has: the short one, else the one of the text, else that with a number.
fn unique_names(
    functions: &mut [Function],
    module: &reconverge_ptx::tree::Module,
    known: &[reconverge_isa::Kernel],
) -> Vec<Named> {
    let symbols: std::collections::BTreeMap<String, String> = ptx::names::of_kernels(module)
        .into_iter()
        .map(|(name, kernel)| (name, kernel.name.text.to_string()))
        .collect();
    let is_known = |name: &str| known.iter().any(|kernel| kernel.name == name);
    let named = |function: &mut Function| {
        let symbol = symbols.get(&function.name).unwrap_or(&function.name).clone();
        let numbered = (2u32..).map(|number| format!("{symbol}@{number}"));
        let mut names = [function.name.clone(), symbol.clone()].into_iter().chain(numbered);
        if let Some(name) = names.find(|name| !is_known(name)) {
            function.name = name;
        }
        Named { symbol, name: function.name.clone() }
    };
    functions.iter_mut().map(named).collect()
}

impl KernelFile {
    /// Compiles the kernels; those that cannot be compiled move from `names` to `left_out`.
    fn lower_each(
        &mut self,
        options: &Options,
        sources: &SourceMap,
        names: &mut Vec<Named>,
        left_out: &mut Vec<RefusedKernel>,
    ) -> Result<Lowered, Vec<Diagnostic>> {
        loop {
            let refused = match self.lower(options, Places::OwnLines, sources) {
                Ok(lowered) => return Ok(lowered),
                Err(refused) => refused.diagnostics,
            };
            // A kernel is where its name is.
            let at = |name: &Named, why: &Diagnostic| {
                self.kernel_span(&name.name, sources) == why.primary.span
            };
            let mut found = Vec::new();
            for why in &refused {
                if let Some(index) = names.iter().position(|name| at(name, why)) {
                    let Named { symbol, name } = names.remove(index);
                    left_out.push(RefusedKernel { symbol, why: why.clone() });
                    found.push(name);
                }
            }
            if found.is_empty() {
                return Err(refused);
            }
            if let Some(Content::Ir(text)) = &mut self.content {
                let mut places = std::mem::take(&mut text.places).into_iter();
                text.functions.retain(|function| {
                    let keeps = !found.contains(&function.name);
                    text.places.extend(places.next().filter(|_| keeps));
                    keeps
                });
            }
        }
    }
}

//! Kernels in a file of their own: PTX, IR text, assembly text, or a binary.
//!
//! The file is compiled as far as necessary, so that every command that runs kernels can run these
//! too.

pub mod image;
pub(crate) mod join;
mod module;
mod ptx;
mod replace;
mod says;
mod variables;

pub(crate) use replace::place;
pub use replace::replace;

use crate::refused::Refused;
use crate::source;
use anyhow::{Result, bail};
use reconverge_compiler::diagnostic::{Diagnostic, code};
use reconverge_compiler::ir::{self, Function, Kind};
use reconverge_compiler::lower::{Lowered, Options, Session, Step};
use reconverge_compiler::syntax::{FileId, SourceMap, Span};
use reconverge_isa::text::{self, Assembled, Position, TextError};
use reconverge_isa::{Kernel, Location, Place, Program, Variable, binary, validate};
use reconverge_ptx::tree;
pub use says::in_text;
use says::{code_of, word_at};
use std::path::Path;
pub(crate) use variables::with_variables;

/// The level of a file: its distance from the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// CUDA.
    Source,
    /// PTX.
    Ptx,
    /// IR text.
    Ir,
    /// Assembly text.
    Assembly,
    /// A binary.
    Binary,
}

impl Level {
    /// The level of a file by its name's ending: `.ptx`; `.ir`; `.asm` or `.rvasm`; `.bin`; all else is CUDA.
    pub fn of(file: &Path) -> Level {
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("ptx") => Level::Ptx,
            Some("ir") => Level::Ir,
            Some("asm" | "rvasm") => Level::Assembly,
            Some("bin") => Level::Binary,
            _ => Level::Source,
        }
    }

    /// The name and text of a program in CUDA.
    ///
    /// # Errors
    /// It cannot be read, or is not CUDA.
    pub fn read_source(file: &Path) -> Result<(String, String)> {
        let level = Level::of(file);
        if level != Level::Source {
            bail!(
                "`{name}` is {}, which has no host program\n  `launch {name} KERNEL` runs one of its kernels, and \
                 `run PROGRAM.cu --kernels {name}` puts them in the place of a program's own",
                level.name(),
                name = source::name(file)
            );
        }
        refuse_llvm(file)?;
        source::read(file)
    }

    /// The name of such a file in messages.
    pub fn name(self) -> &'static str {
        match self {
            Level::Source => "CUDA source",
            Level::Ptx => "PTX",
            Level::Ir => "an IR text",
            Level::Assembly => "an assembly text",
            Level::Binary => "a binary",
        }
    }
}

/// Refuses LLVM IR, with the command that makes PTX of it.
///
/// # Errors
/// The file is called so.
fn refuse_llvm(file: &Path) -> Result<()> {
    let ending = file.extension().and_then(|ending| ending.to_str());
    if let Some(ending @ ("ll" | "bc")) = ending {
        let name = source::name(file);
        let stem = name.strip_suffix(&format!(".{ending}")).unwrap_or(&name);
        bail!(
            "`{name}` is LLVM IR, which is not compiled here\n  make PTX of it: `llc -march=nvptx64 -mcpu=sm_75 -O3 {name} -o {stem}.ptx`"
        );
    }
    Ok(())
}

/// A file of kernels that was read.
pub struct KernelFile {
    /// Its name in messages.
    pub name: String,
    /// Its level.
    pub level: Level,
    /// Its text among the sources; for a binary its disassembly.
    file: FileId,
    content: Option<Content>,
    /// The syntax tree, if it is PTX.
    tree: Option<Box<tree::Module>>,
    /// Variables that have their places already, if it is PTX.
    placed: Vec<Variable>,
    /// The diagnostics about it, in the order of its lines.
    pub diagnostics: Vec<Diagnostic>,
    /// Why it is no binary, if it should be one.
    pub undecodable: Option<String>,
}

enum Content {
    Ir(ir::parse::Text),
    Machine(Assembled),
}

/// The source places that a compiled kernel's instructions state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// The places in the file, as when it is compiled on.
    AsSaid,
    /// From the lines of the file itself, as when it is run.
    OwnLines,
}

impl KernelFile {
    /// Reads a file of some level below CUDA; its text is added to the sources.
    ///
    /// # Errors
    /// It cannot be read. Faults of its contents are in the result.
    pub fn read(file: &Path, level: Level, sources: &mut SourceMap) -> Result<KernelFile> {
        match level {
            Level::Binary => {
                Ok(KernelFile::of_binary(&source::name(file), &source::read_bytes(file)?, sources))
            }
            _ => {
                let (name, text) = source::read(file)?;
                let read = KernelFile::of_text(&name, &text, level, sources);
                read.add_originals(file, sources);
                Ok(read)
            }
        }
    }

    /// Reads a text.
    pub fn of_text(name: &str, text: &str, level: Level, sources: &mut SourceMap) -> KernelFile {
        let file = sources.add(name, text);
        if level == Level::Ptx {
            return KernelFile::of_ptx(file, sources);
        }
        let read = match level {
            Level::Ir => ir::parse::parse(text).map(Content::Ir),
            _ => text::assemble(text).map(Content::Machine),
        };
        let (content, diagnostics) = match read {
            Ok(content) => (Some(content), Vec::new()),
            Err(errors) => {
                let error = |error: TextError| in_text(code_of(error.kind), error, file, sources);
                (None, errors.into_iter().map(error).collect())
            }
        };
        let name = name.to_owned();
        let mut read = KernelFile {
            name,
            level,
            file,
            content,
            tree: None,
            placed: Vec::new(),
            diagnostics,
            undecodable: None,
        };
        read.look(sources);
        read
    }

    /// Reads the bytes of a binary.
    pub fn of_binary(name: &str, bytes: &[u8], sources: &mut SourceMap) -> KernelFile {
        match binary::decode(bytes) {
            Ok(program) => {
                let (shown, text) = (format!("{name} (disassembled)"), text::print(&program));
                let read = KernelFile::of_text(&shown, &text, Level::Assembly, sources);
                KernelFile { name: name.to_owned(), level: Level::Binary, ..read }
            }
            Err(error) => KernelFile {
                name: name.to_owned(),
                level: Level::Binary,
                file: sources.add(name, ""),
                content: None,
                tree: None,
                placed: Vec::new(),
                diagnostics: Vec::new(),
                undecodable: Some(error.to_string()),
            },
        }
    }

    /// Checks the contents, and reports the parts that it leaves out.
    fn look(&mut self, sources: &SourceMap) {
        let file = self.file;
        let mut found = Vec::new();
        match &self.content {
            Some(Content::Ir(text)) => {
                for (function, places) in text.functions.iter().zip(&text.places) {
                    found.extend(says::of_function(function, places, file, sources));
                }
            }
            Some(Content::Machine(read)) => {
                let odd = read.remarks.iter().filter(|it| !it.is_left_out);
                found.extend(odd.map(|it| says::remark(it.text.clone(), file, sources)));
                for (kernel, places) in read.program.kernels.iter().zip(&read.places) {
                    let left_out = read.remarks.iter().filter(|it| {
                        it.is_left_out
                            && (it.text.line, it.text.column)
                                == (places.kernel.line, places.kernel.column)
                    });
                    let left_out = left_out.map(|it| it.text.message.clone()).collect();
                    found.extend(says::of_kernel(kernel, places, left_out, file, sources));
                }
            }
            None => {}
        }
        let is_empty = match &self.content {
            Some(Content::Ir(text)) => text.functions.is_empty(),
            Some(Content::Machine(read)) => read.program.kernels.is_empty(),
            None => false,
        };
        if is_empty {
            let message = format!("`{}` holds no kernel", self.name);
            let help = "`compile` writes kernels as IR (`--emit ir`), assembly (`--emit asm`) or a binary (`--emit bin`)";
            found.push(
                Diagnostic::error(code::KERNEL_TEXT, Span::new(file, 0, 0), message).help(help),
            );
        }
        found.sort_by_key(|it| it.primary.span);
        if found.iter().any(Diagnostic::is_error) {
            self.content = None;
        }
        self.diagnostics.extend(found);
    }

    /// Returns true if it cannot be used.
    pub fn has_errors(&self) -> bool {
        self.content.is_none()
    }

    /// The IR, if it is that.
    pub fn ir(&self) -> Option<&ir::parse::Text> {
        match &self.content {
            Some(Content::Ir(text)) => Some(text),
            _ => None,
        }
    }

    /// The program, if it is one of machine code.
    pub fn program(&self) -> Option<&Program> {
        match &self.content {
            Some(Content::Machine(read)) => Some(&read.program),
            _ => None,
        }
    }

    /// The names of its kernels.
    pub fn kernels(&self) -> Vec<&str> {
        match &self.content {
            Some(Content::Ir(text)) => text.functions.iter().map(|it| &*it.name).collect(),
            Some(Content::Machine(read)) => {
                read.program.kernels.iter().map(|it| &*it.name).collect()
            }
            None => Vec::new(),
        }
    }

    /// Keeps only the requested kernels.
    ///
    /// # Errors
    /// There is none.
    pub fn retain(&mut self, wanted: impl Fn(&str) -> bool) -> Result<()> {
        let known: Vec<String> = self.kernels().into_iter().map(str::to_owned).collect();
        if !known.iter().any(|kernel| wanted(kernel)) {
            bail!("`{}` has no such kernel; there are {}", self.name, known.join(", "));
        }
        let mut keep = known.iter().map(|kernel| wanted(kernel));
        let mut kept = || keep.next().unwrap_or(false);
        match &mut self.content {
            Some(Content::Ir(text)) => {
                let mut places = std::mem::take(&mut text.places).into_iter();
                text.functions.retain(|_| {
                    let (place, keeps) = (places.next(), kept());
                    text.places.extend(place.filter(|_| keeps));
                    keeps
                });
            }
            Some(Content::Machine(read)) => {
                let mut places = std::mem::take(&mut read.places).into_iter();
                read.program.kernels.retain(|_| {
                    let (place, keeps) = (places.next(), kept());
                    read.places.extend(place.filter(|_| keeps));
                    keeps
                });
            }
            None => {}
        }
        Ok(())
    }

    /// Compiles the parts that are not machine code yet.
    ///
    /// # Errors
    /// Its faults.
    pub fn lower<'a>(
        &self,
        options: &Options,
        places: Places,
        sources: &'a SourceMap,
    ) -> Result<Lowered, Refused<'a>> {
        let refused = |diagnostics| Refused::new(sources, diagnostics);
        match &self.content {
            None => Err(refused(self.diagnostics.clone())),
            Some(Content::Machine(read)) => {
                self.as_written(options.level, sources)?;
                Ok(self.lowered(read, places))
            }
            Some(Content::Ir(text)) => {
                let as_written = self.as_written(options.level, sources)?;
                let text = as_written.as_ref().unwrap_or(text);
                let mut functions = text.functions.clone();
                let mut files = text.files.clone();
                // The lines of PTX are those of `.loc`, or its own.
                if places == Places::OwnLines && self.level != Level::Ptx {
                    files = vec![sources.name(self.file).to_owned()];
                    for (function, places) in functions.iter_mut().zip(&text.places) {
                        relocate(function, places);
                    }
                }
                let at = |index: usize| {
                    let position = text.places.get(index).map(|places| places.kernel);
                    word_at(sources, self.file, position.unwrap_or_default())
                };
                let session_watch = &mut |_: Step| {};
                let session = Session::new(options, session_watch);
                let lowered = session.lower_functions(functions, files, text.variables.clone());
                let lowered = lowered.map_err(|errors| {
                    let errors = errors.into_iter().map(|(index, mut error)| {
                        error.span = at(index);
                        error.into_diagnostic()
                    });
                    refused(errors.collect())
                })?;
                let faults = validate(&lowered.program);
                if faults.is_empty() {
                    return Ok(lowered);
                }
                let fault = |fault: reconverge_isa::Fault| {
                    let kernel = says::kernel_of(fault.place);
                    let parameter = match fault.place {
                        Place::Parameter { index, .. } => {
                            text.places.get(kernel).and_then(|it| it.parameters.get(index))
                        }
                        _ => None,
                    };
                    let own = |&position| word_at(sources, self.file, position);
                    let span = parameter.map_or_else(|| at(kernel), own);
                    Diagnostic::error(code::KERNEL_RULE, span, fault.message)
                };
                Err(refused(faults.into_iter().take(says::MOST).map(fault).collect()))
            }
        }
    }

    /// Machine code as if it had been compiled; nothing is known of its IR.
    fn lowered(&self, read: &Assembled, places: Places) -> Lowered {
        let mut program = read.program.clone();
        if places == Places::OwnLines {
            program.files = vec![self.shown()];
            for (kernel, places) in program.kernels.iter_mut().zip(&read.places) {
                let own =
                    |&Position { line, column }: &Position| Location { file: 0, line, column };
                kernel.lines = places.instructions.iter().map(own).collect();
            }
        }
        let count = program.kernels.len();
        let empty = |kernel: &Kernel| Function { name: kernel.name.clone(), ..Function::default() };
        Lowered {
            ir: program.kernels.iter().map(empty).collect(),
            values: vec![Vec::new(); count],
            launched: vec![Default::default(); count],
            steady: vec![Default::default(); count],
            program,
            ..Lowered::default()
        }
    }

    /// The name that its text has among the sources.
    fn shown(&self) -> String {
        match self.level {
            Level::Binary => format!("{} (disassembled)", self.name),
            _ => self.name.clone(),
        }
    }

    /// The start of a kernel.
    fn kernel_span(&self, kernel: &str, sources: &SourceMap) -> Span {
        let at = self.kernels().iter().position(|name| *name == kernel).unwrap_or(0);
        let position = match &self.content {
            Some(Content::Ir(text)) => text.places.get(at).map(|places| places.kernel),
            Some(Content::Machine(read)) => read.places.get(at).map(|places| places.kernel),
            None => None,
        };
        word_at(sources, self.file, position.unwrap_or_default())
    }
}

/// Sets the location of each instruction to its own line in the only file. Options of loops move
/// with their branches.
fn relocate(function: &mut Function, places: &ir::parse::Places) {
    let asked = std::mem::take(&mut function.unroll);
    for (value, instruction) in function.values.iter_mut().enumerate() {
        let Position { line, column } = places.values.get(value).copied().unwrap_or_default();
        let own = Location { file: 0, line, column };
        let before = std::mem::replace(&mut instruction.location, own);
        if matches!(instruction.kind, Kind::Branch(..)) {
            let of_this = asked.iter().filter(|(test, _)| *test == before);
            function.unroll.extend(of_this.map(|&(_, iterations)| (own, iterations)));
        }
    }
}

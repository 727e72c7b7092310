//! PTX as a file of kernels: translated to the intermediate representation when it is read.

use super::{Content, KernelFile, Level};
use crate::ptx_reference::PtxKernels;
use crate::refused::Refused;
use reconverge_compiler::diagnostic::{Diagnostic, code};
use reconverge_compiler::ir;
use reconverge_compiler::pass;
use reconverge_compiler::ptx::{self, Translated, names};
use reconverge_compiler::syntax::{FileId, SourceMap, Span};
use reconverge_isa::text::Position;
use reconverge_isa::{Program, Variable};
use reconverge_ptx::tree::Module;
use std::path::Path;

impl KernelFile {
    /// Reads a PTX text among the sources.
    pub(super) fn of_ptx(file: FileId, sources: &SourceMap) -> KernelFile {
        let mut read = KernelFile {
            name: sources.name(file).to_owned(),
            level: Level::Ptx,
            file,
            content: None,
            tree: None,
            placed: Vec::new(),
            diagnostics: Vec::new(),
            undecodable: None,
        };
        let translated = ptx::read(sources, file).and_then(|tree| {
            let translated = ptx::translate(&tree, sources, file, &[]);
            read.tree = Some(Box::new(tree));
            translated
        });
        match translated {
            Ok(translated) => {
                let (text, warnings) = text(translated, sources);
                read.content = Some(Content::Ir(text));
                read.diagnostics = warnings;
                read.look(sources);
            }
            Err(found) => read.diagnostics = found,
        }
        read
    }

    /// The syntax tree, if it is PTX.
    pub fn ptx(&self) -> Option<&Module> {
        self.tree.as_deref()
    }

    /// The name of a kernel in the text, if the file is PTX.
    pub(super) fn mangled(&self, kernel: &str) -> Option<&str> {
        let kernels = names::of_kernels(self.tree.as_deref()?);
        kernels
            .into_iter()
            .find(|(name, _)| name == kernel)
            .map(|(_, function)| &*function.name.text)
    }

    /// Adds the texts of the files that `.file` names to the sources, so that their lines are shown. A file is looked for where
    /// the PTX is, by its name and by its path; one that cannot be read is left out.
    pub fn add_originals(&self, ptx: &Path, sources: &mut SourceMap) {
        let folder = ptx.parent().unwrap_or(Path::new(""));
        for file in self.tree.iter().flat_map(|tree| &tree.files) {
            let path = Path::new(&*file.path);
            let known = sources.files().any(|known| sources.name(known) == &*file.path);
            let names = [path.file_name().map(Path::new), Some(path)];
            let mut candidates = names.into_iter().flatten().map(|name| folder.join(name));
            let text = candidates.find_map(|candidate| std::fs::read_to_string(candidate).ok());
            if let Some(text) = text.filter(|_| !known) {
                sources.add(&*file.path, text);
            }
        }
    }

    /// The kernels for the reference model, with the addresses of the variables of a program and the names of its kernels; none if it is no PTX.
    ///
    /// # Errors
    /// The model has no meaning for something in the text.
    pub(crate) fn reference<'a>(
        &self,
        beside: &Program,
        sources: &'a SourceMap,
    ) -> Result<Option<PtxKernels>, Refused<'a>> {
        let Some(tree) = &self.tree else {
            return Ok(None);
        };
        let kernels = PtxKernels::new(tree, beside, self.file);
        let kernels = kernels.map_err(|(span, message)| {
            let error = Diagnostic::error(code::PTX, span, message)
                .advice("`--model functional` and `--model timing` may run it");
            Refused::new(sources, vec![error])
        });
        kernels.map(Some)
    }

    /// The text as it is compiled at the level of PTX; `None` at other levels.
    ///
    /// # Errors
    /// The level does not fit the file.
    pub(super) fn as_written<'a>(
        &self,
        level: pass::Level,
        sources: &'a SourceMap,
    ) -> Result<Option<ir::parse::Text>, Refused<'a>> {
        if level != pass::Level::Ptx {
            return Ok(None);
        }
        let Some(tree) = &self.tree else {
            let message =
                format!("`-O ptx` keeps the instructions of PTX; this is {}", self.level.name());
            let error = Diagnostic::error(code::KERNEL_TEXT, Span::new(self.file, 0, 0), message)
                .help("choose `-O 0`, `-O 1` or `-O 2`");
            return Err(Refused::new(sources, vec![error]));
        };
        let translated = ptx::translate_for(level, tree, sources, self.file, &self.placed)
            .map_err(|found| Refused::new(sources, found))?;
        let (mut text, _) = text(translated, sources);
        // Some of the kernels may have been left out since.
        let kept = self.kernels();
        let mut places = std::mem::take(&mut text.places).into_iter();
        text.functions.retain(|function| {
            let (place, keeps) = (places.next(), kept.contains(&&*function.name));
            text.places.extend(place.filter(|_| keeps));
            keeps
        });
        Ok(Some(text))
    }

    /// The file with its variables where a program has those of the same names; nothing changes below PTX.
    ///
    /// # Errors
    /// A variable does not fit any more.
    pub(super) fn placed_as<'a>(
        &self,
        variables: &[Variable],
        sources: &'a SourceMap,
    ) -> Result<Option<KernelFile>, Refused<'a>> {
        let Some(tree) = &self.tree else {
            return Ok(None);
        };
        let translated = ptx::translate(tree, sources, self.file, variables)
            .map_err(|found| Refused::new(sources, found))?;
        let (text, _) = text(translated, sources);
        Ok(Some(KernelFile {
            name: self.name.clone(),
            level: self.level,
            file: self.file,
            content: Some(Content::Ir(text)),
            tree: self.tree.clone(),
            placed: variables.to_vec(),
            diagnostics: Vec::new(),
            undecodable: None,
        }))
    }
}

/// The translated module in the form of an IR text, and its warnings.
pub(super) fn text(
    translated: Translated,
    sources: &SourceMap,
) -> (ir::parse::Text, Vec<Diagnostic>) {
    let Translated { functions, heads, files, variables, warnings, .. } = translated;
    let place = |head| {
        let at = sources.position(head);
        let kernel = Position { line: at.line, column: at.column };
        ir::parse::Places { kernel, ..Default::default() }
    };
    let places = heads.into_iter().map(place).collect();
    (ir::parse::Text { files, variables, functions, places }, warnings)
}

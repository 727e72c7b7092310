//! The preprocessor: files to one sequence of tokens.
//!
//! A token out of a macro's text is where the macro is used (the outermost use, when macros use
//! each other); a token out of a macro's argument is where it was written. The source map remembers
//! which places are macro uses.

mod condition;
mod directive;
pub(super) mod header;
mod packing;
mod program;
mod substitute;
pub mod target;
mod unroll;

use super::lexer::{self, Interner, Kind, Piece};
use super::source::{FileId, SourceMap, Span};
use crate::diagnostic::{Code, Diagnostic, code};
use reconverge_grammar::token::{Name, Token};
use rustc_hash::{FxHashMap, FxHashSet};
use target::{ARCHITECTURE, Pass, Target};

/// The most tokens that macros may produce in all.
const EXPANSION_TOTAL: usize = 4_000_000;
/// The most tokens that one use of a macro may produce.
const EXPANSION_USE: usize = 1_000_000;
/// The most bytes that `#` and `##` may produce.
const TEXT_TOTAL: usize = 16 << 20;
/// The deepest nesting of macro uses in arguments.
const ARGUMENT_DEPTH: usize = 100;
/// The deepest nesting of macro uses in macros' texts.
const USE_DEPTH: usize = 5000;
/// The deepest nesting of included files.
const INCLUDE_DEPTH: usize = 64;
/// The most bytes of all included files.
const INCLUDE_TOTAL: usize = 64 << 20;

/// Finds the files that `#include` names. The crate does no input and output itself.
pub trait Loader: Send {
    /// The name and text of the file that `including` includes as `name`.
    ///
    /// # Errors
    /// Why there is none.
    fn load(&mut self, including: &str, name: &str) -> Result<(String, String), NotLoaded>;
}

/// Why a file cannot be included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotLoaded {
    /// It is not found.
    Missing,
    /// It exists, but cannot be read; a sentence gives the reason.
    Unreadable(String),
}

/// A loader that finds nothing.
impl Loader for () {
    fn load(&mut self, _: &str, _: &str) -> Result<(String, String), NotLoaded> {
        Err(NotLoaded::Missing)
    }
}

/// The result of preprocessing.
pub(super) struct Preprocessed {
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
    /// True if `__CUDA_ARCH__` was used outside of skipped text: another pass may read different
    /// text.
    pub asks_for_architecture: bool,
}

struct Macro {
    /// `None`: not function-like.
    parameters: Option<Vec<Name>>,
    variadic: bool,
    body: Vec<Piece>,
    /// True if the program may define it again without a warning.
    predefined: bool,
}

/// A file being read.
struct Reading {
    file: FileId,
    pieces: Vec<Piece>,
    at: usize,
    /// The number of conditionals that were open when the file began.
    conditionals: usize,
}

/// An `#if` that is not closed yet.
struct Conditional {
    span: Span,
    /// True if this part is read.
    active: bool,
    /// True if a part was read, or none may be: the text around is skipped.
    done: bool,
    in_else: bool,
}

/// Pieces to be read before the file continues.
struct Frame {
    /// The macro that they are the text of, which is not expanded in them.
    of: Option<Name>,
    pieces: Vec<Piece>,
    at: usize,
}

/// The input: frames, and below them the files, if `files`.
struct Input {
    frames: Vec<Frame>,
    files: bool,
}

/// The factor of a `#pragma unroll` for the loop after it.
struct Unroll {
    /// The factor, with macros expanded; nothing for a whole loop.
    factor: Vec<Piece>,
    place: Span,
    before: Before,
}

/// The token after a `#pragma unroll`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// The next piece of the file, which has not been read.
    NextOfFile,
    /// The expansion of the file's piece that starts here.
    At(Span),
    /// The next token.
    Next,
}

struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    loader: &'a mut dyn Loader,
    diagnostics: Vec<Diagnostic>,
    interner: Interner,
    macros: FxHashMap<Name, Macro>,
    reading: Vec<Reading>,
    conditionals: Vec<Conditional>,
    once: FxHashSet<String>,
    /// The number of uses of `__COUNTER__`.
    counted: u64,
    /// Macros whose text is being read.
    active: Vec<Name>,
    produced: usize,
    /// Bytes that `#` and `##` produced.
    text_produced: usize,
    /// Bytes of included files, and some for each.
    included: usize,
    use_start: usize,
    depth: usize,
    exhausted: bool,
    /// The `#pragma unroll` for the statement that is read next.
    unroll: Option<Unroll>,
    asks_for_architecture: bool,
    /// The `#pragma pack` for the following structures.
    packing: packing::Packing,
}

/// Preprocesses `file`, with the definitions of the command line.
pub(super) fn preprocess(
    sources: &mut SourceMap,
    file: FileId,
    loader: &mut dyn Loader,
    defines: &[(String, String)],
    target: Target,
    pass: Pass,
) -> Preprocessed {
    let mut preprocessor = Preprocessor {
        sources,
        loader,
        diagnostics: Vec::new(),
        interner: Interner::default(),
        macros: FxHashMap::default(),
        reading: Vec::new(),
        conditionals: Vec::new(),
        once: FxHashSet::default(),
        counted: 0,
        active: Vec::new(),
        produced: 0,
        text_produced: 0,
        included: 0,
        use_start: 0,
        depth: 0,
        exhausted: false,
        unroll: None,
        asks_for_architecture: false,
        packing: packing::Packing::default(),
    };
    preprocessor.predefine(defines, target, pass);
    preprocessor.open(file);
    // If expansion stopped at its limit, later messages would only mislead.
    let tokens = preprocessor.program().unwrap_or_default();
    let Preprocessor { diagnostics, asks_for_architecture, .. } = preprocessor;
    Preprocessed { tokens, diagnostics, asks_for_architecture }
}

impl Preprocessor<'_> {
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    /// Defines the names that every program may use, then those of the command line.
    fn predefine(&mut self, defines: &[(String, String)], target: Target, pass: Pass) {
        let predefined = format!("{}{}", header::PREDEFINED, target.definitions(pass));
        self.define_text("<built-in>", &predefined, true);
        for (name, value) in defines {
            let text = format!("#define {name} {value}\n");
            self.define_text("<command line>", &text, false);
        }
    }

    fn define_text(&mut self, file_name: &str, text: &str, predefined: bool) {
        let file = self.sources.add(file_name, text);
        self.open(file);
        let mut input = Input { frames: Vec::new(), files: true };
        while self.read(&mut input).is_some() {}
        if predefined {
            self.macros.values_mut().for_each(|found| found.predefined = true);
        }
    }

    fn open(&mut self, file: FileId) {
        let text = self.sources.text(file);
        let mut pieces = lexer::split(file, text, &mut self.interner, &mut self.diagnostics);
        pieces.shrink_to_fit();
        self.reading.push(Reading { file, pieces, at: 0, conditionals: self.conditionals.len() });
    }

    /// The next piece outside directives and skipped parts, not expanded.
    fn read_file(&mut self) -> Option<Piece> {
        while !self.exhausted {
            let reading = self.reading.last_mut()?;
            let Some(piece) = reading.pieces.get(reading.at).cloned() else {
                self.close();
                continue;
            };
            reading.at += 1;
            if piece.first && piece.is("#") {
                self.directive(piece.span);
            } else if self.conditionals.last().is_none_or(|open| open.active) {
                self.meet_unroll(piece.span);
                return Some(piece);
            }
        }
        None
    }

    /// Ends a file.
    fn close(&mut self) {
        let Some(reading) = self.reading.pop() else {
            return;
        };
        for open in self.conditionals.split_off(reading.conditionals) {
            let message = "this conditional has no `#endif`";
            self.error(code::UNBALANCED_CONDITIONAL, open.span, message);
        }
    }

    fn read(&mut self, input: &mut Input) -> Option<Piece> {
        while let Some(frame) = input.frames.last_mut() {
            if let Some(piece) = frame.pieces.get(frame.at) {
                frame.at += 1;
                return Some(piece.clone());
            }
            if frame.of.is_some() {
                self.active.pop();
            }
            input.frames.pop();
        }
        if input.files { self.read_file() } else { None }
    }

    fn unread(&mut self, input: &mut Input, piece: Piece) {
        input.frames.push(Frame { of: None, pieces: vec![piece], at: 0 });
    }

    /// Reads everything and expands macros in it.
    fn expand_all(&mut self, mut input: Input) -> Vec<Piece> {
        let mut output = Vec::new();
        self.expand(&mut input, &mut output, usize::MAX);
        output
    }

    /// Reads and expands macros until there are some `more` pieces; whether nothing is left.
    fn expand(&mut self, input: &mut Input, output: &mut Vec<Piece>, more: usize) -> bool {
        let most = output.len().saturating_add(more);
        while output.len() < most {
            let Some(piece) = self.read(input).filter(|_| !self.exhausted) else {
                for frame in input.frames.drain(..) {
                    if frame.of.is_some() {
                        self.active.pop();
                    }
                }
                return true;
            };
            if input.frames.is_empty() {
                self.use_start = self.produced;
            }
            if piece.kind != Kind::Name || !self.expand_use(&piece, input) {
                if input.files && &*piece.text == ARCHITECTURE {
                    self.warn_of_architecture(&piece);
                }
                output.push(self.painted(piece));
                if input.files {
                    self.place_unroll(output);
                    self.pack(output);
                }
            }
        }
        false
    }

    /// A name that is not expanded inside its own text is not expanded later either.
    fn painted(&self, mut piece: Piece) -> Piece {
        if piece.kind == Kind::Name && self.active.contains(&piece.text) {
            piece.kind = Kind::Painted;
        }
        piece
    }

    /// Replaces the macro use that starts with `name`, if it is one.
    fn expand_use(&mut self, name: &Piece, input: &mut Input) -> bool {
        if &*name.text == "_Pragma" {
            return self.pragma_operator(name, input);
        }
        if let Some(value) = self.dynamic(name) {
            self.unread(input, value);
            return true;
        }
        self.note(&name.text);
        if self.active.contains(&name.text) {
            return false;
        }
        let Some(found) = self.macros.get(&name.text) else {
            return false;
        };
        let arguments = if found.parameters.is_some() {
            let Some(open) = self.read(input) else {
                return false;
            };
            let is_use = open.is("(");
            if !is_use {
                self.unread(input, open);
                return false;
            }
            match self.arguments(name, input) {
                Some(arguments) => arguments,
                None => return true,
            }
        } else {
            Vec::new()
        };
        self.sources.add_expansion(name.span, &name.text);
        let pieces = self.substitute(name, arguments);
        if !self.count(pieces.len(), name) {
            return true;
        }
        self.active.push(name.text.clone());
        input.frames.push(Frame { of: Some(name.text.clone()), pieces, at: 0 });
        true
    }

    /// Records that the text depends on names that the passes define differently.
    fn note(&mut self, name: &str) {
        self.asks_for_architecture |= name == ARCHITECTURE;
    }

    /// Warns that the macro is not defined at its use: this is the host's pass.
    fn warn_of_architecture(&mut self, name: &Piece) {
        let message =
            format!("`{ARCHITECTURE}` is not defined in nvcc's host pass, which reads this too");
        self.diagnostics.push(
            Diagnostic::warning(code::HOST_READS, name.span, message)
                .help(format!("put this in `#ifdef {ARCHITECTURE}`")),
        );
    }

    /// `__LINE__`, `__FILE__` and `__COUNTER__`.
    fn dynamic(&mut self, name: &Piece) -> Option<Piece> {
        let (kind, text) = match &*name.text {
            "__COUNTER__" => {
                let number = self.counted.to_string();
                self.counted += 1;
                (Kind::Number, number)
            }
            "__LINE__" => (Kind::Number, self.sources.line(name.span).to_string()),
            "__FILE__" => {
                let file = self.sources.name(name.span.file).replace('\\', "\\\\");
                (Kind::String, format!("\"{}\"", file.replace('"', "\\\"")))
            }
            _ => return None,
        };
        Some(Piece { kind, text: self.interner.name(&text), ..name.clone() })
    }

    /// Counts the pieces that macros produce; beyond the limit nothing is read any more.
    fn count(&mut self, pieces: usize, name: &Piece) -> bool {
        self.produced += pieces + 1;
        let too_much = self.produced > EXPANSION_TOTAL
            || self.produced - self.use_start > EXPANSION_USE
            || self.text_produced > TEXT_TOTAL
            || self.depth > ARGUMENT_DEPTH
            || self.active.len() > USE_DEPTH;
        if too_much && !self.exhausted {
            self.exhausted = true;
            let message = format!("`{}` expands to too much", name.text);
            self.error(code::LIMIT_EXPANSION, name.span, message);
        }
        !self.exhausted
    }

    /// Counts the length of a text that `#` or `##` made; [`Self::count`] checks the sum.
    fn count_text(&mut self, text: &str, name: &Piece) -> bool {
        self.text_produced += text.len();
        self.count(0, name)
    }

    /// Reads the arguments of a macro use, after its `(`. `None` after an error.
    fn arguments(&mut self, name: &Piece, input: &mut Input) -> Option<Vec<Vec<Piece>>> {
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        loop {
            let Some(piece) = self.read(input) else {
                let message = format!("this use of the macro `{}` has no closing `)`", name.text);
                self.error(code::BAD_MACRO_CALL, name.span, message);
                return None;
            };
            match &*piece.text {
                ")" if depth == 0 && piece.kind == Kind::Mark => break,
                "," if depth == 0
                    && piece.kind == Kind::Mark
                    && !self.in_rest(name, &arguments) =>
                {
                    arguments.push(Vec::new());
                    continue;
                }
                "(" if piece.kind == Kind::Mark => depth += 1,
                ")" if piece.kind == Kind::Mark => depth -= 1,
                _ => {}
            }
            let piece = self.painted(piece);
            if let Some(last) = arguments.last_mut() {
                last.push(piece);
            }
        }
        self.fit(name, arguments)
    }

    /// Returns true if the argument being read is the one that takes all the rest.
    fn in_rest(&self, name: &Piece, arguments: &[Vec<Piece>]) -> bool {
        self.macros.get(&name.text).is_some_and(|found| {
            let count = found.parameters.as_ref().map_or(0, Vec::len);
            found.variadic && arguments.len() > count
        })
    }

    /// Makes one argument for each parameter (and one for `...`), or reports.
    fn fit(&mut self, name: &Piece, mut arguments: Vec<Vec<Piece>>) -> Option<Vec<Vec<Piece>>> {
        let found = self.macros.get(&name.text)?;
        let parameters = found.parameters.as_ref().map_or(0, Vec::len);
        let variadic = found.variadic;
        if parameters == 0 && !variadic && arguments.iter().all(Vec::is_empty) {
            arguments.truncate(0);
        }
        if variadic && arguments.len() == parameters {
            arguments.push(Vec::new());
        }
        let wanted = parameters + usize::from(variadic);
        if arguments.len() == wanted {
            return Some(arguments);
        }
        let message = format!(
            "the macro `{}` takes {}, but is given {}",
            name.text,
            count_of(parameters, "argument"),
            arguments.len(),
        );
        self.error(code::BAD_MACRO_CALL, name.span, message);
        None
    }
}

/// `1 argument`, `2 arguments`.
fn count_of(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests;

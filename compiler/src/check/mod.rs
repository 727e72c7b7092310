//! Names, types and conversions: from the syntax tree to the checked tree.
//!
//! Declarations at file scope are checked first, in order, then the bodies of the functions, each
//! seeing only what precedes it. A function that finds a fault reports it and gives `None`; what
//! needs its result gives `None` too, so that a fault is reported once.

pub mod builtin;
pub mod print;
pub mod stream;
pub mod strings;
pub mod tree;

mod allocation;
mod call;
mod comparison;
mod constant;
mod convert;
mod declarator;
mod declare;
mod expr;
mod flow;
mod format;
mod format_input;
mod function;
mod hint;
mod init;
mod known;
mod label;
mod launch;
mod layout;
mod overload;
mod reach;
mod reference;
mod scope;
mod specifier;
mod stmt;
mod supplied;
mod swap;
mod switch;
mod types;

use crate::diagnostic::{self, Diagnostic};
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;
use declare::GlobalInfo;
use function::{Body, FunctionInfo};
use layout::StructInfo;
use scope::{Scopes, Symbol, Tag};
use std::collections::BTreeMap;
use tree::{FunctionId, Global, Module, Shared, StringId, StructId};

/// How much stack checking may use: expressions are up to 1000 deep, and every level passes
/// several functions.
const STACK: usize = 256 << 20;

/// What a program may be taken to mean, where C leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether `a * b + c` in device code is rounded once.
    pub contract: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { contract: true }
    }
}

/// Everything that is known of the program so far.
#[derive(Default)]
struct Checker {
    options: Options,
    diagnostics: Vec<Diagnostic>,
    /// How many of them are errors.
    errors: usize,
    structs: Vec<StructInfo>,
    vectors: BTreeMap<String, StructId>,
    globals: Vec<Global>,
    global_infos: Vec<GlobalInfo>,
    shared: Vec<Shared>,
    strings: Vec<Vec<u8>>,
    string_ids: BTreeMap<Vec<u8>, StringId>,
    functions: Vec<FunctionInfo>,
    scopes: Scopes,
    /// The numbers of the functions that have a body.
    definitions: BTreeMap<Name, FunctionId>,
    /// The function whose body is being checked.
    body: Option<Body>,
    /// Whether what is being checked will not be run: the operand of `sizeof`.
    unevaluated: bool,
    /// Bytes of `__device__` and of `__constant__` variables.
    device_end: u64,
    constant_end: u64,
}

impl Checker {
    fn report(&mut self, found: Diagnostic) {
        self.errors += usize::from(found.is_error());
        self.diagnostics.push(found);
    }

    /// Reports something that leaves no result.
    fn fail<T>(&mut self, found: Diagnostic) -> Option<T> {
        self.report(found);
        None
    }

    fn string(&mut self, text: &[u8]) -> StringId {
        if let Some(&id) = self.string_ids.get(text) {
            return id;
        }
        let id = StringId(self.strings.len() as u32);
        self.strings.push(text.to_vec());
        self.string_ids.insert(text.to_vec(), id);
        id
    }

    fn unit(&mut self, unit: &ast::TranslationUnit) {
        self.define_dim3();
        self.number_functions(unit);
        for name in &unit.poisoned {
            self.scopes.set(name.clone(), Symbol::Poisoned, None);
            self.scopes.set_tag(name.clone(), Tag::Poisoned, None);
        }
        let mut bodies = Vec::new();
        for (order, item) in unit.items.iter().enumerate() {
            self.scopes.order = order;
            match item {
                ast::Item::Declaration(declaration) => self.file_declaration(declaration),
                ast::Item::Function(definition) => {
                    bodies.push((order, definition, self.function_definition(definition)));
                }
            }
        }
        for (order, definition, header) in bodies {
            self.scopes.order = order;
            self.function_body(definition, header);
        }
        self.refuse_recursion();
        self.require_definitions();
    }

    fn module(self) -> Module {
        let main = self.functions.iter().find(|info| info.is_main()).and_then(|info| info.id);
        let structs = self.structs.iter().map(StructInfo::lower).collect();
        let mut functions: Vec<_> =
            self.functions.into_iter().filter_map(|info| Some((info.id?, info.checked?))).collect();
        functions.sort_by_key(|(id, _)| *id);
        Module {
            structs,
            functions: functions.into_iter().map(|(_, function)| function).collect(),
            globals: self.globals,
            shared: self.shared,
            strings: self.strings,
            main,
        }
    }
}

/// The candidate that `name` most likely was meant to be, if one is near enough.
pub fn nearest_name<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    scope::nearest_of(name, candidates)
}

/// Checks a parsed program. The module is missing when there are errors.
pub fn check(unit: &ast::TranslationUnit, options: Options) -> (Option<Module>, Vec<Diagnostic>) {
    let run = || {
        let mut checker = Checker { options, ..Checker::default() };
        checker.unit(unit);
        let mut diagnostics = std::mem::take(&mut checker.diagnostics);
        diagnostic::sort(&mut diagnostics);
        let module = (checker.errors == 0).then(|| checker.module());
        (module, diagnostics)
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // Without a thread, shallow programs still check.
            Err(_) => run(),
        }
    })
}

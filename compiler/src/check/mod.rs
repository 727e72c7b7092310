//! Names, types and conversions: from the syntax tree to the checked tree.
//!
//! Declarations at file scope are checked first, in order, then the bodies of the functions, each
//! seeing only what precedes it. A function that finds a fault reports it and gives `None`; what
//! needs its result gives `None` too, so that a fault is reported once.

pub mod builtin;
pub mod library;
pub mod print;
pub mod strings;
pub mod tree;

mod declare;
mod expr;
mod overload;
mod program;
mod scope;
mod stmt;
mod template;
mod types;

use crate::diagnostic::code;
use crate::diagnostic::{self, Diagnostic};
use crate::syntax::Target;
use crate::syntax::source::{FileId, Span};
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;
use declare::body::Body;
use declare::function::{FunctionInfo, Pending};
use declare::global::GlobalInfo;
use program::link;
use program::needed::{self, Owner};
use scope::{Scopes, Symbol, Tag};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use template::TemplateInfo;
use tree::{Global, GlobalId, Module, Shared, StringId, StructId};
use types::layout::StructInfo;

/// How much stack checking may use: expressions are up to 1000 deep, and every level passes
/// several functions.
const STACK: usize = 256 << 20;

/// What a program may be taken to mean, where C leaves a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether `a * b + c` in device code is rounded once.
    pub contract: bool,
    /// Which parts of the program have to be without faults.
    pub needed: Needed,
    /// What the program is compiled for.
    pub target: Target,
}

/// Which parts of a program have to be without faults. In the others a fault is a warning, and what
/// it is in cannot be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Needed {
    /// All of it.
    #[default]
    Everything,
    /// `main` and what it reaches; all of it if there is no `main`.
    Program,
    /// The kernels and what they reach; all of it if there are none.
    Kernels,
    /// The kernels of one name, or those that a template of that name makes, and what they reach.
    Kernel(String),
}

impl Default for Options {
    fn default() -> Self {
        Options { contract: true, needed: Needed::Everything, target: Target::default() }
    }
}

/// Which functions a pass over the program is about.
#[derive(Clone, Debug, Default)]
enum Pass {
    /// All of them: the program does not tell the passes apart.
    #[default]
    Whole,
    /// Those that the host runs.
    Host,
    /// Those that the device runs. The kernels of these names are needed, or those that the options
    /// say.
    Device(Option<BTreeSet<Name>>),
}

/// Everything that is known of the program so far.
#[derive(Default)]
struct Checker {
    options: Options,
    pass: Pass,
    /// What was found, each with what it belongs to.
    diagnostics: Vec<(Option<Owner>, Diagnostic)>,
    /// How many of them are errors.
    errors: usize,
    structs: Vec<StructInfo>,
    vectors: BTreeMap<String, StructId>,
    globals: Vec<Global>,
    global_infos: Vec<GlobalInfo>,
    shared: Vec<Shared>,
    strings: Vec<Vec<u8>>,
    string_ids: BTreeMap<Vec<u8>, StringId>,
    /// The variables that hold strings in device memory, and whether the host may read them.
    device_strings: BTreeMap<(StringId, bool), GlobalId>,
    functions: Vec<FunctionInfo>,
    /// The functions that have a number, by their numbers.
    numbered: Vec<usize>,
    templates: Vec<TemplateInfo>,
    /// The operators that the program defines for structures.
    operators: BTreeSet<Name>,
    /// Bodies that are still to be checked.
    bodies: VecDeque<(Pending, Option<usize>)>,
    scopes: Scopes,
    /// Whose faults are being reported.
    owner: Option<Owner>,
    /// Where something was used whose declaration could not be read.
    poison_uses: Vec<(Option<Owner>, Name, Span)>,
    /// Functions that are not needed, once some of them have faults: they are left out.
    blank: BTreeSet<usize>,
    /// The function whose body is being checked.
    body: Option<Body>,
    /// The texts that come with the compiler.
    supplied: BTreeSet<FileId>,
    /// Names that stand once in the program.
    single: BTreeSet<Name>,
    /// Whether types of functions may be named here, as they may by typedefs and parameters of templates.
    function_types: bool,
    /// Whether what is being checked will not be run: the operand of `sizeof`.
    unevaluated: bool,
    /// The structures of which host code has taken the size.
    sized: BTreeSet<usize>,
    /// Whether what is being checked is the initialiser of a variable of the device.
    fills_device: bool,
    /// Where reading the program has found something wrong.
    faults: Vec<Span>,
    /// The host's variables with destructors, in the order of their declarations.
    exits: Vec<(tree::GlobalId, types::CType)>,
    /// Bytes of `__device__` and of `__constant__` variables.
    device_end: u64,
    constant_end: u64,
}

impl Checker {
    fn report(&mut self, found: Diagnostic) {
        self.errors += usize::from(found.is_error());
        self.diagnostics.push((self.owner, found));
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
        self.scopes.opened = unit.opened.clone();
        self.supplied = unit.supplied.clone();
        self.single = unit.single.clone();
        for name in &unit.poisoned {
            self.scopes.set(name.clone(), Symbol::Poisoned, None);
            self.scopes.set_tag(name.clone(), Tag::Poisoned, None);
        }
        self.items(&unit.items);
        while let Some((pending, function)) = self.bodies.pop_front() {
            self.function_body(&pending, function);
        }
        self.owner = None;
        self.read_templates();
        self.warn_unused_functions();
        self.refuse_recursion();
        self.require_definitions();
    }

    fn items(&mut self, items: &[ast::Item]) {
        for item in items {
            self.item(item);
        }
    }

    fn item(&mut self, item: &ast::Item) {
        self.scopes.order += 1;
        self.owner = Some(Owner::Item(self.scopes.order));
        match item {
            ast::Item::Declaration(declaration) => self.item_declaration(declaration),
            ast::Item::Function(definition) => {
                let function = self.function_definition(definition, None);
                let mut context = self.scopes.context(Vec::new());
                let method = function.and_then(|index| self.functions[index].method);
                if let Some(method) = method {
                    context = context.inside(self.structure(method.owner).path.clone());
                }
                let pending = Pending { definition: definition.clone(), context };
                self.bodies.push_back((pending, function));
            }
            ast::Item::Namespace(name, items) => match name {
                Some(name) => {
                    let path = self.scopes.qualify(name);
                    self.scopes.paths.push(path);
                    self.items(items);
                    self.scopes.paths.pop();
                }
                None => self.items(items),
            },
            ast::Item::Template(template) => self.template(template, None),
            ast::Item::Instance(declaration) => self.instance_declaration(declaration),
            ast::Item::Using(name, span) => self.using(name, *span),
            ast::Item::Assertion(assertion) => self.assertion_holds(assertion),
            ast::Item::Friend(item) => self.item(item),
            ast::Item::Faulty => {}
        }
    }

    /// `using a::b;`
    fn using(&mut self, name: &Name, span: Span) {
        let Some(last) = name.rsplit("::").next().map(Name::from) else {
            return;
        };
        if let Some(entry) = self.scopes.find(name).cloned() {
            self.scopes.set(last, entry.meaning, Some(span));
        } else if let Some(tag) = self.scopes.find_tag(name) {
            self.scopes.set_tag(last, tag, Some(span));
        } else {
            self.report_unknown(name, span, "");
        }
    }

    /// `static_assert`.
    fn assertion_holds(&mut self, assertion: &ast::Assertion) {
        let Some(known) = self.constant_integer(&assertion.condition, "what is asserted") else {
            return;
        };
        if known == 0 {
            let text = assertion.text.as_deref().map(String::from_utf8_lossy);
            let message = match text {
                Some(text) => format!("the static assertion fails: {text}"),
                None => "the static assertion fails".to_owned(),
            };
            self.report(Diagnostic::error(code::ASSERTION_FAILS, assertion.span, message));
        }
    }

    /// The module with what linking it to the other pass takes.
    fn into_pass(self) -> link::Pass {
        let structs = self.structs.iter().map(|info| info.span).collect();
        let sized = self.sized.clone();
        link::Pass { structs, sized, module: self.module() }
    }

    /// Whether the pass is about a function.
    fn concerns(&self, index: usize) -> bool {
        let sides = self.functions[index].sides;
        match self.pass {
            Pass::Whole => true,
            Pass::Host => sides.host,
            Pass::Device(_) => sides.kernel || sides.device,
        }
    }

    fn module(mut self) -> Module {
        let main = self.functions.iter().find(|info| info.is_main()).and_then(|info| info.id);
        self.name_kernels();
        let ids = (0..self.structs.len() as u32).map(StructId);
        let structs = ids.map(|id| self.lower_struct(id)).collect();
        let blank = std::mem::take(&mut self.blank);
        let finish = |&index: &usize| {
            let info = &self.functions[index];
            match blank.contains(&index) {
                _ if !self.concerns(index) => info.outline(),
                true => info.blank(),
                false => info.finish(),
            }
        };
        let functions = self.numbered.iter().map(finish);
        Module {
            structs,
            functions: functions.collect(),
            globals: self.globals,
            shared: self.shared,
            strings: self.strings,
            main,
            target: self.options.target,
        }
    }

    /// Kernels of one name are told apart by their parameters.
    fn name_kernels(&mut self) {
        let mut counts: BTreeMap<Name, usize> = BTreeMap::new();
        for info in self.functions.iter().filter(|info| info.sides.kernel && info.id.is_some()) {
            *counts.entry(info.name.clone()).or_default() += 1;
        }
        for index in 0..self.functions.len() {
            let info = &self.functions[index];
            if info.sides.kernel && counts.get(&info.name).is_some_and(|count| *count > 1) {
                let name = self.signature(info);
                if let Some(checked) = &mut self.functions[index].checked {
                    checked.name = name;
                }
            }
        }
    }
}

/// A parsed pass over a program, with what reading it has reported.
pub type Read = (ast::TranslationUnit, Vec<Diagnostic>);

/// Checks a parsed program. The module is missing when there are errors. What reading it has
/// reported is judged together with what checking finds: see [`Needed`].
pub fn check(read: &Read, options: &Options) -> (Option<Module>, Vec<Diagnostic>) {
    with_stack(|| {
        let (checker, diagnostics) = check_pass(read, options, Pass::Whole);
        (module_of(checker, &diagnostics), diagnostics)
    })
}

/// Checks a program that host and device see differently. Where only kernels are asked for, what the
/// host sees does not matter.
pub fn check_passes(
    host: &Read,
    device: &Read,
    options: &Options,
) -> (Option<Module>, Vec<Diagnostic>) {
    with_stack(|| {
        if matches!(options.needed, Needed::Kernels | Needed::Kernel(_)) {
            let (checker, diagnostics) = check_pass(device, options, Pass::Device(None));
            return (module_of(checker, &diagnostics), diagnostics);
        }
        let (ours, of_host) = check_pass(host, options, Pass::Host);
        let launched = ours.launched_kernels();
        let (theirs, of_device) = check_pass(device, options, Pass::Device(launched));
        let mut diagnostics = needed::both_passes(of_host, of_device, options.target);
        let module = match diagnostics.iter().any(Diagnostic::is_error) {
            true => None,
            false => link::link(ours.into_pass(), theirs.into_pass())
                .map_err(|faults| diagnostics.extend(faults))
                .ok(),
        };
        diagnostic::sort(&mut diagnostics);
        (module, diagnostics)
    })
}

fn check_pass((unit, syntax): &Read, options: &Options, pass: Pass) -> (Checker, Vec<Diagnostic>) {
    let faults = syntax.iter().filter(|found| found.is_error());
    let faults = faults.map(|found| found.primary.span).collect();
    let mut checker = Checker { options: options.clone(), pass, faults, ..Checker::default() };
    checker.unit(unit);
    let mut diagnostics = checker.judge(unit, syntax.clone());
    diagnostic::sort(&mut diagnostics);
    (checker, diagnostics)
}

/// What was checked, if it has no errors.
fn module_of(checker: Checker, diagnostics: &[Diagnostic]) -> Option<Module> {
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    (!failed).then(|| checker.module())
}

/// Runs with as much stack as checking may use.
fn with_stack<T: Send>(run: impl Fn() -> T + Sync) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &run);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // Without a thread, shallow programs still check.
            Err(_) => run(),
        }
    })
}

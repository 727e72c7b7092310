//! A kernel under translation: scopes, registers, statements and guards.

use super::kind::{is_half, is_video};
use super::layout::{self, Globals, Shared};
use super::{Refused, Result, in_file};
use crate::diagnostic::{Diagnostic, code};
use crate::ir::{self, Function, Location, Slot, SlotData, Value};
use crate::lower::allocate::FEWEST_REGISTERS;
use crate::lower::ssa::{Builder, Declared, MOST_INSTRUCTIONS, Variable};
use crate::syntax::source::{FileId, SourceMap};
use reconverge_isa::Op;
use reconverge_ptx::barrier::CountedBarriers;
use reconverge_ptx::form::Types;
use reconverge_ptx::inline::Inline;
use reconverge_ptx::scope::Scopes;
use reconverge_ptx::tree::{self, Block, Instruction, Kind, Module, Space, Statement, Type};
use reconverge_ptx::{Span, Text};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Properties that all kernels of a module share.
pub struct Context<'a> {
    /// The module.
    pub module: &'a Module,
    /// Where its variables are.
    pub globals: &'a Globals,
    /// They, with their first bytes.
    pub variables: &'a [reconverge_isa::Variable],
    /// Functions with a body, by name; aliases too.
    pub functions: BTreeMap<Text, &'a tree::Function>,
    /// Declarations of functions without a body here.
    pub declared: BTreeSet<Text>,
    /// Every instruction of the text is one at least: copies are kept.
    pub as_written: bool,
    sources: &'a SourceMap,
    file: FileId,
    /// The numbers of files, as `.file` counts them, and as the program does.
    files: FxHashMap<u64, u16>,
}

impl<'a> Context<'a> {
    /// The context of a module's kernels.
    pub fn new(
        module: &'a Module,
        sources: &'a SourceMap,
        file: FileId,
        globals: &'a Globals,
        variables: &'a [reconverge_isa::Variable],
    ) -> Context<'a> {
        let with_body = module.functions.iter().filter(|function| function.body.is_some());
        let mut functions: BTreeMap<Text, &tree::Function> =
            with_body.map(|function| (function.name.text.clone(), function)).collect();
        for (new, old) in &module.aliases {
            if let Some(&function) = functions.get(&old.text) {
                functions.insert(new.text.clone(), function);
            }
        }
        let numbers = module.files.iter().zip(1..=u16::MAX);
        Context {
            module,
            globals,
            variables,
            functions,
            declared: module.functions.iter().map(|it| it.name.text.clone()).collect(),
            as_written: false,
            sources,
            file,
            files: numbers.map(|(file, number)| (file.number, number)).collect(),
        }
    }
}

/// The location of a call's instructions.
pub struct SavedLocation {
    location: Location,
    /// True if a `.loc` stated it.
    located: bool,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub enum Symbol {
    /// Registers: the number of the declaration, and the type of each or of its elements. One of 128 bits is a vector of two.
    Register(u32, Type),
    /// A variable in memory.
    Place(Place),
    /// A label, by its number.
    Label(u32),
    /// Labels by index.
    Table(Vec<u32>),
    /// An `.extern` variable that nothing defines.
    Missing,
    /// Something that has no meaning but its name.
    Other,
}

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// An offset in the window of shared, constant or global memory.
    Window(reconverge_isa::Space, u32),
    /// A variable of the thread.
    Slot(Slot),
    /// A parameter of the kernel: its offset and size.
    Parameter(u32, u32),
}

/// A label: its block, and jumps to it that are still to come.
#[derive(Debug)]
struct Label {
    block: ir::Block,
    pending: u32,
    entered: bool,
    sealed: bool,
    keeps_loop: bool,
}

/// A function whose code is being put in place.
pub struct Inlined {
    /// Its name.
    pub name: Text,
    /// Where its `ret` goes; `None` in a kernel.
    pub after: Option<ir::Block>,
}

/// An instruction with the types that it names.
#[derive(Clone, Copy)]
pub struct Ins<'a> {
    /// The instruction.
    pub it: &'a Instruction,
    /// Its types.
    pub types: Types,
}

impl<'a> Ins<'a> {
    /// An instruction of the table.
    pub fn new(it: &'a Instruction) -> Ins<'a> {
        Ins { it, types: Types::of(it.modifiers.iter().map(|word| &*word.text)) }
    }

    /// The text before the first dot.
    pub fn mnemonic(self) -> &'a str {
        &self.it.mnemonic.text
    }

    /// Returns true if a modifier is there.
    pub fn has(self, word: &str) -> bool {
        self.it.modifiers.iter().any(|modifier| &*modifier.text == word)
    }

    /// The first of some modifiers that is there.
    pub fn one_of(self, words: &[&'static str]) -> Option<&'static str> {
        words.iter().copied().find(|word| self.has(word))
    }

    /// The type that the instruction is named after.
    pub fn ty(self) -> Result<Type> {
        self.types.first.ok_or_else(|| self.refused("has no type"))
    }

    /// An operand.
    pub fn operand(self, index: usize) -> Result<&'a tree::Operand> {
        self.it.operands.get(index).ok_or_else(|| self.refused("has too few operands"))
    }

    /// An error about the instruction.
    pub fn refused(self, why: &str) -> Refused {
        Refused::new(self.it.span, format!("`{}` {why}", self.it.spelled()))
    }
}

/// A kernel under translation.
pub struct Kernel<'a, 'b> {
    /// Properties that all kernels share.
    pub context: &'a Context<'a>,
    /// The function.
    pub builder: Builder<'b>,
    /// Names.
    pub scopes: Scopes<Symbol>,
    /// The condition under which results are written, and memory is accessed.
    pub guard: Option<Value>,
    /// How many values there were before the instruction that is translated.
    pub first: usize,
    /// `CC.CF`.
    pub carry: Variable,
    /// Functions that are being put in place, the kernel first.
    pub inlined: Vec<Inlined>,
    /// The value stored last at the start of each local variable: arguments of calls are among them.
    pub arguments: FxHashMap<Slot, Value>,
    /// Offsets of the kernel's parameters that are declared to point into global memory.
    pub points_to_global: BTreeSet<u32>,
    registers: FxHashMap<(u32, u64, u8), Variable>,
    /// The same variables in the order in which they were made.
    made: Vec<Variable>,
    declarations: u32,
    labels: Vec<Label>,
    shared: Shared,
    /// Local variables by declaration, so that code that is put in place several times has each once.
    slots: FxHashMap<u32, Slot>,
    located: bool,
}

/// Translates a kernel, which is called `name`.
pub fn translate(context: &Context, kernel: &tree::Function, name: String) -> Result<Function> {
    let parameters = layout::parameters(kernel)?;
    let shared = layout::shared(context.module, kernel)?;
    let function = Function {
        name,
        parameters: parameters.clone(),
        shared_bytes: shared.bytes,
        max_threads: most_threads(kernel),
        min_blocks: stated(kernel, "minnctapersm"),
        max_registers: stated(kernel, "maxnreg"),
        ..Function::default()
    };
    let kept = Declared::new();
    let mut builder = Builder::new(function, &kept);
    let carry = builder.variable(ir::Type::Pred);
    let mut built = Kernel::new(context, builder, carry, shared);
    built.inlined.push(Inlined { name: kernel.name.text.clone(), after: None });
    built.locate(kernel.name.span);
    for variable in &context.module.variables {
        built.declare(variable)?;
    }
    built.scopes.open();
    for (parameter, place) in kernel.parameters.iter().zip(&parameters) {
        if parameter.pointer.is_some_and(|it| it.space == Some(Space::Global)) && place.size == 8 {
            built.points_to_global.insert(place.offset);
        }
        let place = Symbol::Place(Place::Parameter(place.offset, place.size));
        built.scopes.declare(&parameter.name.text, None, place);
    }
    if let Some(body) = &kernel.body {
        built.copy_parameters(kernel, body, &parameters);
        built.block(body)?;
    }
    built.builder.end_thread();
    Ok(built.builder.finish())
}

/// The operands' values after the text of an `asm` statement; or the fault, and the help.
pub type AfterText = std::result::Result<Vec<Option<Value>>, (String, String)>;

/// Translates an `asm` statement of CUDA at the builder's place, and returns the builder.
pub fn inline<'b>(
    text: &Inline,
    builder: Builder<'b>,
    operands: &[Option<Value>],
    carry: Variable,
    shared: Shared,
) -> (Builder<'b>, AfterText) {
    let (sources, globals) = (SourceMap::new(), Globals::default());
    let context = Context::new(&text.module, &sources, FileId(0), &globals, &[]);
    let mut built = Kernel::new(&context, builder, carry, shared);
    // All instructions come from the statement.
    built.located = true;
    let found = built.statement_text(text, operands);
    (built.builder, found.map_err(|fault| (fault.message, fault.help)))
}

/// The most threads per block by `.maxntid` and `.reqntid`; 0 without.
fn most_threads(kernel: &tree::Function) -> u32 {
    let sizes = kernel.directives.iter().filter(|directive| {
        ["maxntid", "reqntid"].contains(&&*directive.name.text) && !directive.values.is_empty()
    });
    let threads = sizes
        .map(|directive| directive.values.iter().fold(1u64, |all, &size| all.saturating_mul(size)));
    threads.min().map_or(0, |threads| u32::try_from(threads).unwrap_or(0))
}

/// The first number of a directive; 0 without.
fn stated(kernel: &tree::Function, name: &str) -> u32 {
    let mut directives = kernel.directives.iter().filter(|it| &*it.name.text == name);
    let value = directives.find_map(|directive| directive.values.first());
    value.map_or(0, |&value| u32::try_from(value).unwrap_or(u32::MAX))
}

/// Warnings of limits that a kernel states and that have no effect.
pub fn limits(kernel: &tree::Function, file: FileId) -> Vec<Diagnostic> {
    let warning = |directive: &tree::Directive| {
        let (message, help) = match (&*directive.name.text, directive.values.first()) {
            ("maxnreg", Some(&count)) if count < FEWEST_REGISTERS.into() => (
                format!("`.maxnreg {count}` is not applied"),
                format!("a kernel needs {FEWEST_REGISTERS} registers at least"),
            ),
            ("minnctapersm", _) if most_threads(kernel) == 0 => (
                "`.minnctapersm` is not applied".to_owned(),
                "say how many threads a block has: `.maxntid` or `.reqntid`".to_owned(),
            ),
            _ => return None,
        };
        let span = in_file(file, directive.name.span);
        Some(Diagnostic::warning(code::PTX_LIMIT, span, message).help(help))
    };
    kernel.directives.iter().filter_map(warning).collect()
}

impl<'a, 'b> Kernel<'a, 'b> {
    fn new(
        context: &'a Context<'a>,
        builder: Builder<'b>,
        carry: Variable,
        shared: Shared,
    ) -> Kernel<'a, 'b> {
        Kernel {
            context,
            builder,
            scopes: Scopes::default(),
            guard: None,
            first: 0,
            carry,
            inlined: Vec::new(),
            arguments: FxHashMap::default(),
            points_to_global: BTreeSet::new(),
            registers: FxHashMap::default(),
            made: Vec::new(),
            declarations: 0,
            labels: Vec::new(),
            shared,
            slots: FxHashMap::default(),
            located: false,
        }
    }

    /// Bytes of the shared memory that the text declares.
    pub fn static_shared(&self) -> u32 {
        self.shared.declared
    }

    /// The barriers that the kernel uses with a count of threads.
    pub fn counted_barriers(&self) -> CountedBarriers {
        self.shared.counted
    }

    /// Declares a register of this name in the innermost scope.
    pub fn operand_register(&mut self, name: &str, ty: Type) -> Variable {
        self.declarations += 1;
        self.scopes.declare(&name.into(), None, Symbol::Register(self.declarations, ty));
        self.register(self.declarations, 0, 0, ty)
    }

    /// Instructions come from this place of the text, unless a `.loc` says otherwise.
    fn locate(&mut self, span: Span) {
        if !self.located {
            let at = self.context.sources.position(in_file(self.context.file, span));
            self.builder.set_location(Location { file: 0, line: at.line, column: at.column });
        }
    }

    /// Saves the location of the caller's instructions while a function is inlined.
    pub fn save_location(&mut self) -> SavedLocation {
        let located = std::mem::take(&mut self.located);
        SavedLocation { location: self.builder.location(), located }
    }

    /// Continues with a saved location.
    pub fn restore_location(&mut self, saved: SavedLocation) {
        self.builder.set_location(saved.location);
        self.located = saved.located;
    }

    /// Takes over a `.loc`.
    fn location(&mut self, location: &tree::Location) {
        let number = |number: u64| u32::try_from(number).unwrap_or(0);
        let file = self.context.files.get(&location.file).copied();
        self.located = location.line != 0 && file.is_some();
        if let Some(file) = file.filter(|_| self.located) {
            let (line, column) = (number(location.line), number(location.column).max(1));
            self.builder.set_location(Location { file: file.into(), line, column });
        }
    }

    /// Declares a variable in the innermost scope.
    pub fn declare(&mut self, variable: &tree::Variable) -> Result<()> {
        let start = variable.name.span.start;
        let window = |space, offset: u32| Symbol::Place(Place::Window(space, offset));
        let symbol = match variable.space {
            Space::Register => {
                self.declarations += 1;
                Symbol::Register(self.declarations, variable.ty)
            }
            Space::Shared => match self.shared.offsets.get(&start) {
                Some(&offset) => window(reconverge_isa::Space::Shared, offset),
                // Nothing of this kernel names it.
                None => Symbol::Other,
            },
            Space::Global | Space::Constant => {
                match self.context.globals.get(&variable.name.text) {
                    Some(global) if global.space == Space::Global => {
                        let offset = global.address - reconverge_isa::GLOBAL_BASE;
                        window(reconverge_isa::Space::Global, offset)
                    }
                    Some(global) => {
                        let offset = global.address - reconverge_isa::CONSTANT_BASE;
                        window(reconverge_isa::Space::Constant, offset)
                    }
                    None => Symbol::Missing,
                }
            }
            Space::Local | Space::Parameter => Symbol::Place(Place::Slot(self.slot(variable)?)),
            Space::Special | Space::Texture => Symbol::Other,
        };
        self.scopes.declare(&variable.name.text, variable.count, symbol);
        Ok(())
    }

    /// The local memory of a variable.
    fn slot(&mut self, variable: &tree::Variable) -> Result<Slot> {
        let (size, align) = (layout::size(variable)?, layout::align(variable)?);
        let start = variable.name.span.start;
        if let Some(&slot) = self.slots.get(&start) {
            return Ok(slot);
        }
        if size > u64::from(reconverge_isa::WINDOW_SIZE) {
            let message = format!("`{}` does not fit into local memory", variable.name.text);
            return Err(Refused::limit(code::LIMIT_MEMORY, variable.span, message));
        }
        let slot = self.builder.add_slot(SlotData {
            name: variable.name.text.to_string(),
            size: size as u32,
            align: align as u32,
        });
        self.slots.insert(start, slot);
        Ok(slot)
    }

    /// The variable of a register: of a declaration, by number and element.
    pub fn register(&mut self, declaration: u32, index: u64, element: u8, ty: Type) -> Variable {
        let (builder, made) = (&mut self.builder, &mut self.made);
        let known = self.registers.entry((declaration, index, element));
        *known.or_insert_with(|| {
            made.push(builder.variable(register_type(ty)));
            made[made.len() - 1]
        })
    }

    /// The number of registers so far.
    pub fn registers(&self) -> usize {
        self.made.len()
    }

    /// Registers from one on hold 0 again: those of a called function, for its next call in a loop.
    pub fn forget_registers(&mut self, from: usize) {
        for at in from..self.made.len() {
            self.builder.forget(self.made[at]);
        }
    }

    /// Translates the statements of a scope.
    pub fn block(&mut self, block: &Block) -> Result<()> {
        self.scopes.open();
        let first = self.labels.len();
        self.find_labels(block);
        let result = block.statements.iter().try_for_each(|statement| self.statement(statement));
        if result.is_ok() {
            // Jumps out of other scopes than the label's own are counted too: none is left.
            for at in first..self.labels.len() {
                self.seal(at, true);
            }
        }
        self.scopes.close();
        result
    }

    /// Declares the labels of a scope, with how many jumps there are to each.
    fn find_labels(&mut self, block: &Block) {
        let mut jumps: BTreeMap<&str, u32> = BTreeMap::new();
        count_jumps(block, &mut jumps);
        for statement in &block.statements {
            if let Statement::Label(name) = statement {
                let pending = jumps.get(&*name.text).copied().unwrap_or(0);
                let block = self.builder.block();
                self.scopes.declare(&name.text, None, Symbol::Label(self.labels.len() as u32));
                self.labels.push(Label {
                    block,
                    pending,
                    entered: false,
                    sealed: false,
                    keeps_loop: false,
                });
            }
        }
        for statement in &block.statements {
            if let Statement::BranchTargets(name, targets) = statement {
                let labels = targets.iter().filter_map(|target| self.label(&target.text));
                let table = Symbol::Table(labels.collect());
                self.scopes.declare(&name.text, None, table);
            }
        }
    }

    /// The number of a label.
    pub fn label(&self, name: &str) -> Option<u32> {
        match self.scopes.find(name) {
            Some((&Symbol::Label(label), _)) => Some(label),
            _ => None,
        }
    }

    /// The block of a label that a jump goes to.
    pub fn target(&mut self, label: u32) -> ir::Block {
        self.labels[label as usize].block
    }

    /// A jump to a label has been written.
    pub fn jumped(&mut self, label: u32) {
        let at = label as usize;
        self.labels[at].pending = self.labels[at].pending.saturating_sub(1);
        self.seal(at, false);
    }

    /// Returns true if a loop that begins at a label must not be unrolled.
    pub fn keeps_loop(&self, label: u32) -> bool {
        let label = &self.labels[label as usize];
        label.entered && label.keeps_loop
    }

    /// Says that all jumps to a label are known, once they are.
    fn seal(&mut self, at: usize, last: bool) {
        let label = &mut self.labels[at];
        if !label.sealed && (last || label.entered && label.pending == 0) {
            label.sealed = true;
            self.builder.seal(label.block);
        }
    }

    fn statement(&mut self, statement: &Statement) -> Result<()> {
        match statement {
            Statement::Variable(variable) => self.declare(variable),
            Statement::Label(name) => {
                if let Some(label) = self.label(&name.text) {
                    let block = self.target(label);
                    self.builder.jump(block);
                    self.builder.enter(block);
                    self.labels[label as usize].entered = true;
                    self.seal(label as usize, false);
                }
                Ok(())
            }
            Statement::Instruction(instruction) => self.instruction(instruction),
            Statement::Block(block) => self.block(block),
            Statement::Location(location) => {
                self.location(location);
                Ok(())
            }
            Statement::Pragma(strings) => {
                if strings.iter().any(|text| &*text.text == "nounroll")
                    && let Some(label) = self.labels.iter_mut().rev().find(|label| label.entered)
                {
                    label.keeps_loop = true;
                }
                Ok(())
            }
            Statement::BranchTargets(..)
            | Statement::CallTargets(..)
            | Statement::CallPrototype { .. } => Ok(()),
        }
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<()> {
        self.locate(instruction.span);
        if self.builder.size() > MOST_INSTRUCTIONS {
            let message = format!(
                "with the functions it calls, the kernel has more than {MOST_INSTRUCTIONS} instructions"
            );
            let fault = Refused::limit(code::LIMIT_KERNEL, instruction.span, message);
            return Err(fault.help("split the kernel, or have its compiler inline and unroll less"));
        }
        self.first = self.builder.size();
        let ins = Ins::new(instruction);
        let Some(guard) = &instruction.guard else {
            return self.execute(ins, None);
        };
        let mut condition = self.named(&guard.predicate.text, guard.predicate.span)?;
        if guard.negated {
            condition = self.not(condition);
        }
        if is_branch(ins) {
            return self.execute(ins, Some(condition));
        }
        if is_pure(ins) || is_access(ins) {
            self.guard = Some(condition);
            let result = self.execute(ins, None);
            self.guard = None;
            return result;
        }
        let (then, after) = (self.builder.block(), self.builder.block());
        self.builder.branch(condition, then, after);
        self.builder.enter_sealed(then);
        let result = self.execute(ins, None);
        self.builder.jump(after);
        self.builder.enter_sealed(after);
        result
    }

    /// An instruction; of a branch, its condition.
    fn execute(&mut self, ins: Ins, condition: Option<Value>) -> Result<()> {
        match ins.mnemonic() {
            "bra" | "brx" => self.branch(ins, condition),
            "call" => self.call(ins),
            "ret" | "exit" | "trap" | "brkpt" | "nanosleep" | "pmevent" => self.control(ins),
            "bar" | "barrier" => self.barrier(ins),
            "shfl" | "vote" | "match" | "activemask" | "redux" => self.warp(ins),
            "ldmatrix" | "stmatrix" | "movmatrix" => self.matrix(ins),
            "mma" => self.multiply(ins),
            "wmma" => self.warp_matrix(ins),
            "ld" | "ldu" | "st" | "atom" | "red" | "prefetch" | "prefetchu" | "applypriority"
            | "discard" | "membar" | "fence" => self.memory(ins),
            "cp" if ins.has("mbarrier") => self.arrive_with_copies(ins),
            "cp" => self.asynchronous_copy(ins),
            "mbarrier" => self.barrier_in_memory(ins),
            "tex" => self.texture(ins),
            "tld4" => self.gather(ins),
            "txq" | "suq" => self.texture_size(ins),
            "suld" | "sust" => self.surface(ins),
            "cvta" | "isspacep" => self.address_space(ins),
            "mov" => self.mov(ins),
            "cvt" => self.convert(ins),
            mnemonic if is_video(mnemonic) => self.video(ins),
            "setp" | "set" | "selp" | "slct" | "and" | "or" | "xor" | "not" | "cnot" | "lop3"
            | "shf" | "shl" | "shr" | "prmt" => self.logic(ins),
            _ => match ins.ty()? {
                ty if is_half(ty) => self.half(ins),
                Type { kind: Kind::Float, .. } => self.float(ins),
                _ => self.integer(ins),
            },
        }
    }

    /// The complement of a predicate.
    pub fn not(&mut self, predicate: Value) -> Value {
        let one = self.builder.constant(ir::Type::Pred, 1);
        self.builder.compute(Op::XorPred, &[predicate, one])
    }
}

/// The type of a register in the intermediate representation.
pub fn register_type(ty: Type) -> ir::Type {
    match (ty.kind, ty.bits) {
        (Kind::Predicate, _) => ir::Type::Pred,
        (_, 64) => ir::Type::B64,
        _ => ir::Type::B32,
    }
}

/// Returns true if an instruction's guard decides where control goes.
fn is_branch(ins: Ins) -> bool {
    matches!(ins.mnemonic(), "bra" | "brx")
}

/// Returns true if an instruction is an access to memory, which takes the guard over.
fn is_access(ins: Ins) -> bool {
    matches!(ins.mnemonic(), "ld" | "ldu" | "st" | "atom" | "red")
}

/// Returns true if an instruction does nothing but write its result, and cannot trap.
fn is_pure(ins: Ins) -> bool {
    let effects = [
        "call",
        "ret",
        "exit",
        "trap",
        "brkpt",
        "bar",
        "barrier",
        "shfl",
        "vote",
        "match",
        "activemask",
        "redux",
        "ldmatrix",
        "stmatrix",
        "movmatrix",
        "mma",
        "wmma",
        "cp",
        "mbarrier",
        "tex",
        "tld4",
        "txq",
        "suq",
        "suld",
        "sust",
        "ld",
        "ldu",
        "st",
        "atom",
        "red",
        "prefetch",
        "prefetchu",
        "applypriority",
        "discard",
        "membar",
        "fence",
    ];
    let divides = matches!(ins.mnemonic(), "div" | "rem")
        && ins.types.first.is_some_and(|ty| ty.kind != Kind::Float);
    let carries = ins.has("cc");
    let reads_clock = ins.it.operands.iter().any(|operand| {
        matches!(&operand.kind, tree::OperandKind::Name(name) if name.starts_with("%clock") || name.starts_with("%globaltimer"))
    });
    !effects.contains(&ins.mnemonic()) && !divides && !carries && !reads_clock
}

/// Counts the jumps to labels, by name. A label of a table counts as one that always has more.
fn count_jumps<'a>(block: &'a Block, jumps: &mut BTreeMap<&'a str, u32>) {
    const MANY: u32 = 1 << 30;
    for statement in &block.statements {
        match statement {
            Statement::Block(block) => count_jumps(block, jumps),
            Statement::BranchTargets(_, targets) => {
                targets.iter().for_each(|target| {
                    jumps.insert(&target.text, MANY);
                });
            }
            Statement::Instruction(Instruction { mnemonic, operands, .. })
                if &*mnemonic.text == "bra" =>
            {
                for operand in operands {
                    if let tree::OperandKind::Name(name) = &operand.kind {
                        let count = jumps.entry(name).or_default();
                        *count = count.saturating_add(1);
                    }
                }
            }
            _ => {}
        }
    }
}

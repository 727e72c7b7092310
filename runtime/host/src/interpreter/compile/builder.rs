//! The state of a function's compilation, and the emission of instructions.
//!
//! Slots in order: parameters, the address for a structure result, other variables, the address of
//! the frame's memory, constants, temporaries. The number of constants is known only at the end, so
//! until then they are numbered from [`FIRST_CONSTANT`] on.

use super::TooLarge;
use crate::interpreter::bytecode::{Code, Function, Inst, Op, Slot, SwitchTable};
use crate::memory::Statics;
use reconverge_compiler::check::tree::{self, CaseId, FunctionId, LabelId, LocalId, Module, Type};
use reconverge_compiler::syntax::source::{FileId, Span};
use std::collections::BTreeMap;

/// First number of a constant before renumbering; fewer slots than that are variables and
/// temporaries.
const FIRST_CONSTANT: Slot = 1 << 15;
/// Constants that get a slot; further ones are made where they are used.
const MOST_CONSTANTS: usize = 1 << 14;
/// Variables that get a slot; further ones live in memory.
const MOST_VARIABLES: usize = 1 << 13;
/// More frame memory than any stack has: larger frames are cut to this and then fail to enter.
const MOST_MEMORY: u64 = 1 << 30;

/// The storage of a local variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Home {
    /// In this slot.
    Slot(Slot),
    /// At this offset of the frame's memory.
    Memory(u32),
}

/// A position that jumps can name before it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Constant {
    Bits(u64),
    /// The address of a `__shared__` variable, which depends on the kernel.
    Shared(u32),
}

/// The targets of `break`, `continue` and `case`.
#[derive(Clone, Debug, Default)]
pub(super) struct Scopes {
    /// Ends of the enclosing loops and switches.
    pub breaks: Vec<Label>,
    /// The target of `continue` in each enclosing loop: its next iteration.
    pub continues: Vec<Label>,
    /// The targets of `goto`.
    pub targets: BTreeMap<LabelId, Label>,
    /// Labels of the enclosing switches.
    pub cases: Vec<BTreeMap<CaseId, Label>>,
}

/// A function in the making.
pub(super) struct Builder<'m> {
    pub module: &'m Module,
    pub statics: &'m Statics,
    pub code: &'m mut Code,
    pub function: Option<&'m tree::Function>,
    pub scopes: Scopes,
    /// Source of the code being compiled.
    pub span: Span,
    /// Slots of parameters as the caller sees them.
    parameters: u32,
    homes: Vec<Home>,
    frame: Slot,
    first_temporary: Slot,
    temporaries: u32,
    most_temporaries: u32,
    constants: BTreeMap<Constant, Slot>,
    /// Bytes of frame memory: of variables, in use now, at most.
    pub memory: u64,
    most_memory: u64,
    labels: Vec<u32>,
    start: u32,
    first_switch: usize,
    too_large: bool,
}

impl<'m> Builder<'m> {
    pub fn new(
        module: &'m Module,
        statics: &'m Statics,
        code: &'m mut Code,
        id: FunctionId,
    ) -> Self {
        let function = module.function(id);
        let mut builder = Builder::without_function(module, statics, code);
        builder.span = function.span;
        builder.function = Some(function);
        builder.parameters = function.parameters;
        if matches!(function.result, Type::Struct(_)) {
            builder.parameters += 1;
        }
        // A fault before the first statement belongs to the function.
        let start = builder.start as usize;
        builder.code.spans[start..].fill(function.span);
        builder.place_locals(function);
        builder
    }

    /// For code that belongs to no function of the program.
    pub fn without_function(module: &'m Module, statics: &'m Statics, code: &'m mut Code) -> Self {
        let (start, first_switch) = (code.instructions.len() as u32, code.switches.len());
        let mut builder = Builder {
            module,
            statics,
            code,
            function: None,
            scopes: Scopes::default(),
            span: Span::new(FileId(0), 0, 0),
            parameters: 0,
            homes: Vec::new(),
            frame: 0,
            first_temporary: 1,
            temporaries: 1,
            most_temporaries: 2,
            constants: BTreeMap::new(),
            memory: 0,
            most_memory: 0,
            labels: Vec::new(),
            start,
            first_switch,
            too_large: false,
        };
        // Its operands are filled in at the end; a function without memory starts after it.
        builder.emit(Op::Enter, 0, 0, 0, 0, 0);
        // Zero always has a slot, so that asking for it never needs a temporary.
        builder.constant(0);
        builder
    }

    fn place_locals(&mut self, function: &tree::Function) {
        let mut next = self.parameters;
        let memory_too = function.locals.len() > MOST_VARIABLES;
        for (index, local) in function.locals.iter().enumerate() {
            let is_parameter = index < function.parameters as usize;
            if local.in_memory || !local.ty.is_scalar() || (memory_too && !is_parameter) {
                let at = self.allocate_memory(&local.ty);
                self.homes.push(Home::Memory(at));
            } else if is_parameter {
                self.homes.push(Home::Slot(index as Slot));
            } else {
                self.homes.push(Home::Slot(next as Slot));
                next += 1;
            }
        }
        if next >= FIRST_CONSTANT as u32 {
            self.too_large = true;
            next = 0;
        }
        self.frame = next as Slot;
        self.first_temporary = self.frame + 1;
        self.temporaries = self.first_temporary as u32;
        self.most_temporaries = self.temporaries + 1;
    }

    /// The storage of a local variable.
    pub fn home(&self, local: LocalId) -> Home {
        self.homes[local.0 as usize]
    }

    /// The slot with the address of the frame's memory.
    pub fn frame(&self) -> Slot {
        self.frame
    }

    /// Room for an object in the frame's memory.
    pub fn allocate_memory(&mut self, ty: &Type) -> u32 {
        let at = self.memory.next_multiple_of(ty.variable_align(&self.module.structs));
        let end = at.saturating_add(ty.size(&self.module.structs));
        self.memory = end.min(MOST_MEMORY);
        self.most_memory = self.most_memory.max(self.memory);
        at as u32
    }

    /// Bytes of an object, for copies.
    pub fn size(&self, ty: &Type) -> u32 {
        ty.size(&self.module.structs).min(MOST_MEMORY) as u32
    }

    // Slots.

    /// A new temporary.
    pub fn temporary(&mut self) -> Slot {
        if self.temporaries + 1 >= FIRST_CONSTANT as u32 {
            self.too_large = true;
            return self.first_temporary;
        }
        self.temporaries += 1;
        self.most_temporaries = self.most_temporaries.max(self.temporaries);
        (self.temporaries - 1) as Slot
    }

    /// The requested slot, or a new temporary.
    pub fn target(&mut self, want: Option<Slot>) -> Slot {
        want.unwrap_or_else(|| self.temporary())
    }

    /// The temporaries in use, to be given to [`release`](Self::release) later.
    pub fn mark(&self) -> u32 {
        self.temporaries
    }

    /// Forgets the temporaries made since `mark`.
    pub fn release(&mut self, mark: u32) {
        self.temporaries = mark;
    }

    /// Returns true if a slot is a variable's, so that its value may change while others use the
    /// slot.
    pub fn is_variable(&self, slot: Slot) -> bool {
        slot < self.frame
    }

    /// A slot that holds these bits.
    pub fn constant(&mut self, bits: u64) -> Slot {
        if let Some(slot) = self.constant_slot(Constant::Bits(bits)) {
            return slot;
        }
        let slot = self.temporary();
        let (x, y) = (bits as u32, (bits >> 32) as u32);
        self.emit(Op::Const, slot, 0, 0, x, y);
        slot
    }

    /// A slot that holds the address of a `__shared__` variable.
    pub fn shared_address(&mut self, variable: u32) -> Slot {
        let slot = self.constant_slot(Constant::Shared(variable));
        self.too_large |= slot.is_none();
        slot.unwrap_or(0)
    }

    fn constant_slot(&mut self, constant: Constant) -> Option<Slot> {
        if let Some(&slot) = self.constants.get(&constant) {
            return Some(slot);
        }
        // Shared addresses are few and have no other form.
        let is_shared = matches!(constant, Constant::Shared(_));
        if self.constants.len() >= MOST_CONSTANTS && !is_shared
            || self.constants.len() >= 2 * MOST_CONSTANTS - 1
        {
            return None;
        }
        let slot = FIRST_CONSTANT + self.constants.len() as Slot;
        self.constants.insert(constant, slot);
        Some(slot)
    }

    // Instructions.

    /// Appends an instruction.
    pub fn emit(&mut self, op: Op, a: Slot, b: Slot, c: Slot, x: u32, y: u32) {
        self.code.instructions.push(Inst { op, a, b, c, x, y });
        self.code.spans.push(self.span);
    }

    /// Appends `a = op(b, c)`.
    pub fn emit3(&mut self, op: Op, a: Slot, b: Slot, c: Slot) {
        self.emit(op, a, b, c, 0, 0);
    }

    /// Copies a slot, unless it is the same one.
    pub fn move_to(&mut self, to: Slot, from: Slot) {
        if to != from {
            self.emit3(Op::Move, to, from, 0);
        }
    }

    /// A label without a position.
    pub fn label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        Label(self.labels.len() as u32 - 1)
    }

    /// Puts a label here.
    pub fn place_label(&mut self, label: Label) {
        self.labels[label.0 as usize] = self.code.instructions.len() as u32;
    }

    /// Appends a jump.
    pub fn jump(&mut self, label: Label) {
        self.emit(Op::Jump, 0, 0, 0, label.0, 0);
    }

    // The end.

    /// Ends the function and adds it to the code.
    pub fn finish(mut self) -> Result<(), TooLarge> {
        self.emit(Op::ReturnVoid, 0, 0, 0, 0, 0);
        if self.too_large {
            let span = self.function.map(|function| function.span);
            return Err(TooLarge { span });
        }
        self.patch();
        self.patch_switches();
        let entry = self.start + u32::from(self.most_memory == 0);
        let template = self.template();
        let function = self.function;
        let structures = function.map_or(Vec::new(), |f| self.structures(f));
        let constants = self.constants.len() as u32;
        self.code.functions.push(Function {
            name: function.map_or("initialisation".to_owned(), |f| f.name.clone()),
            span: self.span,
            entry,
            parameters: self.parameters,
            slots: self.most_temporaries + constants,
            template,
            structures,
        });
        Ok(())
    }

    fn structures(&self, function: &tree::Function) -> Vec<Option<u32>> {
        let parameters = &function.locals[..function.parameters as usize];
        let size = |ty: &Type| (!ty.is_scalar()).then(|| self.size(ty));
        parameters.iter().map(|local| size(&local.ty)).collect()
    }

    /// Variables are zero, and constants follow.
    fn template(&mut self) -> std::ops::Range<usize> {
        let templates = &mut self.code.templates;
        let start = templates.len();
        let variables = self.first_temporary as usize - self.parameters as usize;
        templates.resize(start + variables, 0);
        let mut constants: Vec<_> = self.constants.iter().collect();
        constants.sort_by_key(|&(_, slot)| slot);
        for (constant, _) in constants {
            let bits = match *constant {
                Constant::Bits(bits) => bits,
                Constant::Shared(variable) => {
                    self.code.shared.push((templates.len(), variable));
                    0
                }
            };
            templates.push(bits);
        }
        start..templates.len()
    }

    /// The final number of a slot.
    fn renumber(&self, slot: Slot) -> Slot {
        if slot >= FIRST_CONSTANT {
            return self.first_temporary + (slot - FIRST_CONSTANT);
        }
        if slot >= self.first_temporary {
            return slot + self.constants.len() as Slot;
        }
        slot
    }

    fn patch(&mut self) {
        let start = self.start as usize;
        let mut code = std::mem::take(&mut self.code.instructions);
        for (at, inst) in code.iter_mut().enumerate().skip(start) {
            inst.a = self.renumber(inst.a);
            inst.b = self.renumber(inst.b);
            inst.c = self.renumber(inst.c);
            if inst.op.has_third_source() {
                inst.x = self.renumber(inst.x as Slot) as u32;
            }
            if inst.op.is_jump() {
                inst.x = self.labels[inst.x as usize];
                // A backward jump counts as the operations that it jumps over.
                inst.y = (at as u32 + 1).saturating_sub(inst.x);
            }
        }
        if let Some(enter) = code.get_mut(start) {
            enter.a = self.frame;
            enter.y = self.most_memory as u32;
        }
        self.code.instructions = code;
    }

    fn patch_switches(&mut self) {
        for table in &mut self.code.switches[self.first_switch..] {
            table.otherwise = self.labels[table.otherwise as usize];
            for (_, target) in &mut table.cases {
                *target = self.labels[*target as usize];
            }
        }
    }

    /// Appends a table whose targets are labels, and returns its number.
    pub fn add_switch(&mut self, mut table: SwitchTable) -> u32 {
        table.cases.sort_by_key(|&(value, _)| value);
        self.code.switches.push(table);
        self.code.switches.len() as u32 - 1
    }

    /// The number of a vector's name.
    pub fn vector(&mut self, name: &str) -> u32 {
        let known = self.code.vectors.iter().position(|other| other == name);
        let number = known.unwrap_or(self.code.vectors.len());
        if known.is_none() {
            self.code.vectors.push(name.to_owned());
        }
        number as u32
    }
}

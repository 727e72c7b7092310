//! Lowers the checked tree of a kernel to the intermediate representation.
//!
//! Functions that it calls are lowered in place, each call with its own variables. A variable that
//! is in no memory is a [`Variable`] of the SSA builder; so are the scalar parts of a structure
//! whose address is not taken. Statements, expressions, places, conversions and built-ins have a
//! file each.

use super::bounds;
use super::error::{LowerError, LowerErrorKind, Result};
use super::label::Labels;
use super::layout::{self, Leaf, SharedLayout};
use super::place::Mode;
use super::ssa::{Builder, Declared, MOST_INSTRUCTIONS, Unset, Variable};
use super::walk;
use crate::check::strings;
use crate::check::tree::{CaseId, Function, FunctionId, IntKind, LocalId, Module, Type};
use crate::ir::{self, Block, Location, SlotData, Value};
use crate::syntax::source::{SourceMap, Span};
use reconverge_isa::{Space, WINDOW_SIZE};
use std::collections::{BTreeMap, BTreeSet};

/// The most calls that may be open at once.
pub const MOST_CALLS: usize = 256;

/// The options for the lowering of a kernel.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Fences become instructions.
    pub fences: bool,
    /// Accesses state the object that they belong to.
    pub bounds: bool,
    /// Reads are found too that only on some ways find no value.
    pub maybe_unset: bool,
    /// Variables that are kept in local memory though they would fit in registers.
    pub kept: &'a Declared,
    /// Zeroes that local memory holds already are stored where the source has them.
    pub all_zeroes: bool,
}

/// Lowers one kernel; with the reads of variables that have no value, and those of these that a check of a run follows.
pub fn kernel(
    module: &Module,
    sources: &SourceMap,
    id: FunctionId,
    asked: Asked,
) -> Result<(ir::Function, Vec<Unset>, Declared)> {
    let function = module.function(id);
    let parameters = layout::parameters(module, function)?;
    let shared = layout::shared(module, id)?;
    let start = ir::Function {
        name: function.name.clone(),
        parameters,
        shared_bytes: shared.bytes,
        max_threads: function.launch_bound.unwrap_or(0),
        ..ir::Function::default()
    };
    let mut lowerer = Lowerer {
        module,
        sources,
        builder: Builder::new(start, asked.kept),
        frames: Vec::new(),
        shared,
        fences: asked.fences,
        objects: asked.bounds.then(BTreeMap::new),
        pending: Vec::new(),
        all_zeroes: asked.all_zeroes,
        loops: 0,
        local_bytes: 0,
        strings: strings::addresses(&module.strings).0,
        addressed: BTreeMap::new(),
        carry: None,
        kept: asked.kept,
    };
    lowerer.locate(function.span);
    lowerer.kernel(id)?;
    lowerer.settle_bounds();
    let followed = if asked.all_zeroes { lowerer.builder.followed() } else { Declared::new() };
    let unset = lowerer.builder.unset(asked.maybe_unset);
    Ok((lowerer.builder.finish(), unset, followed))
}

/// The storage of a local variable.
#[derive(Clone)]
pub(super) enum Storage {
    /// Not decided yet.
    None,
    /// In registers: one for each leaf.
    Registers(Vec<Variable>),
    /// In local memory.
    Slot(ir::Slot),
}

/// A function being lowered.
pub(super) struct Frame<'a> {
    pub function: &'a Function,
    id: FunctionId,
    pub storage: Vec<Storage>,
    /// The target of `return`; a kernel's ends the thread.
    pub exit: Option<Block>,
    /// The leaves of its result.
    pub result: Vec<Variable>,
    pub breaks: Vec<Block>,
    pub continues: Vec<Block>,
    /// The labels that `goto` leads to.
    pub labelled: Labels,
    /// The labels of the open switches.
    pub labels: Vec<BTreeMap<CaseId, Block>>,
}

pub(super) struct Lowerer<'a> {
    pub module: &'a Module,
    sources: &'a SourceMap,
    pub builder: Builder<'a>,
    frames: Vec<Frame<'a>>,
    pub shared: SharedLayout,
    /// True if fences become instructions.
    pub fences: bool,
    /// The pointers to the starts of objects, and the bytes of each; `None` unless accesses state
    /// the object that they belong to.
    pub objects: Option<BTreeMap<Value, u64>>,
    /// Accesses whose objects are not known yet.
    pub pending: Vec<bounds::Pending>,
    /// True if zeroes are stored even where memory holds them.
    pub all_zeroes: bool,
    /// The number of open loops, in all frames: above 0 a statement may be executed again.
    pub loops: u32,
    local_bytes: u64,
    /// The addresses of strings.
    pub strings: Vec<u32>,
    addressed: BTreeMap<FunctionId, BTreeSet<LocalId>>,
    /// `CC.CF`, if the function has an `asm` statement.
    carry: Option<Variable>,
    kept: &'a Declared,
}

impl<'a> Lowerer<'a> {
    /// The source place of the next instructions is `span`; returns the previous one.
    pub fn locate(&mut self, span: Span) -> Location {
        let location = self.location(span);
        self.builder.set_location(location)
    }

    /// The `#pragma unroll` of a statement.
    pub fn unroll_hint(&mut self, span: Span) -> Option<u32> {
        self.frame().function.unrolled.get(&span).copied()
    }

    /// The source text of a range.
    pub fn text(&self, span: Span) -> String {
        self.sources.slice(span).to_owned()
    }

    /// The location of a range's start.
    pub fn location(&self, span: Span) -> Location {
        let position = self.sources.position(span);
        Location { file: span.file.0, line: position.line, column: position.column }
    }

    /// `CC.CF` of `asm` statements.
    pub fn carry(&mut self) -> Variable {
        let builder = &mut self.builder;
        *self.carry.get_or_insert_with(|| builder.variable(ir::Type::Pred))
    }

    /// Passes the builder to a function that returns it.
    pub fn with_builder<T>(&mut self, f: impl FnOnce(Builder<'a>) -> (Builder<'a>, T)) -> T {
        let empty = Builder::new(ir::Function::default(), self.kept);
        let (builder, found) = f(std::mem::replace(&mut self.builder, empty));
        self.builder = builder;
        found
    }

    pub fn frame(&mut self) -> &mut Frame<'a> {
        // A frame is pushed before anything is lowered, and popped after it.
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn kernel(&mut self, id: FunctionId) -> Result<()> {
        self.open(id, None, Vec::new())?;
        let parameters = self.builder.function().parameters.clone();
        for (index, parameter) in parameters.iter().enumerate() {
            let function = self.frame().function;
            let ty = &function.locals[index].ty;
            let parts = self.leaves(ty, function.locals[index].span)?;
            let values = parts
                .iter()
                .map(|leaf| self.parameter(&leaf.ty, parameter.offset + leaf.offset as u32))
                .collect();
            self.initialise(LocalId(index as u32), values)?;
        }
        let function = self.frame().function;
        self.statements(&function.body)?;
        self.close();
        Ok(())
    }

    /// Reads a parameter, or a scalar part of one. Parts smaller than a word are cut out of one.
    fn parameter(&mut self, ty: &Type, offset: u32) -> Value {
        let size = ty.size(&self.module.structs);
        if size >= 4 {
            let global = matches!(ty, Type::Pointer(_));
            return self.builder.parameter(register(ty), offset, global);
        }
        let word = self.builder.parameter(ir::Type::B32, offset & !3, false);
        let shift = self.builder.word(offset % 4 * 8);
        let shifted = self.builder.compute(reconverge_isa::Op::ShrU32, &[word, shift]);
        let kind = match ty {
            Type::Int(kind) => *kind,
            _ => IntKind::UChar,
        };
        let value = self.truncate(shifted, kind);
        match ty {
            Type::Bool => self.is_not_zero(value, &Type::INT),
            _ => value,
        }
    }

    fn open(&mut self, id: FunctionId, exit: Option<Block>, result: Vec<Variable>) -> Result<()> {
        let module = self.module;
        let function = module.function(id);
        self.addressed.entry(id).or_insert_with(|| walk::addressed_locals(function));
        self.frames.push(Frame {
            function,
            id,
            storage: vec![Storage::None; function.locals.len()],
            exit,
            result,
            breaks: Vec::new(),
            continues: Vec::new(),
            labels: Vec::new(),
            labelled: Labels::new(function),
        });
        // Every call starts with fresh variables, inside loops too.
        for index in function.parameters..function.locals.len() as u32 {
            if !function.local(LocalId(index)).in_memory {
                self.clear(LocalId(index))?;
            }
        }
        self.clear_jumped_over(function)?;
        self.loops += u32::from(self.frame().labelled.any());
        Ok(())
    }

    fn close(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.loops -= u32::from(frame.labelled.any());
        }
    }

    /// Lowers a call in place. The arguments' leaves are given, the result's given back.
    pub fn call(
        &mut self,
        id: FunctionId,
        arguments: Vec<Vec<Value>>,
        span: Span,
    ) -> Result<Vec<Value>> {
        let module = self.module;
        let function = module.function(id);
        let too_large =
            |message: String| Err(LowerError::new(LowerErrorKind::TooLarge, span, message));
        if self.frames.len() > MOST_CALLS {
            return too_large(format!("calls are nested more than {MOST_CALLS} deep"));
        }
        if self.frames.iter().any(|frame| frame.id == id) {
            let message = format!("`{}` calls itself", function.name);
            return Err(LowerError::unsupported(span, message));
        }
        let result: Vec<Variable> = self
            .leaves(&function.result, span)?
            .iter()
            .map(|leaf| {
                let ty = register(&leaf.ty);
                let variable = self.builder.variable(ty);
                // The value of a missing `return`.
                let zero = self.builder.zero(ty);
                self.builder.write(variable, zero);
                variable
            })
            .collect();
        let exit = self.builder.block();
        self.open(id, Some(exit), result.clone())?;
        for (index, values) in arguments.into_iter().enumerate() {
            self.initialise(LocalId(index as u32), values)?;
        }
        self.statements(&function.body)?;
        self.close();
        self.builder.jump(exit);
        self.builder.enter_sealed(exit);
        Ok(result.into_iter().map(|variable| self.builder.read(variable)).collect())
    }

    /// Refuses to continue when the kernel has become too large.
    pub fn check_size(&self, span: Span) -> Result<()> {
        if self.builder.size() > MOST_INSTRUCTIONS {
            let message = format!(
                "with the functions it calls, the kernel has more than {MOST_INSTRUCTIONS} instructions"
            );
            return Err(LowerError::new(LowerErrorKind::TooLarge, span, message));
        }
        Ok(())
    }

    /// The scalar parts of a type.
    pub fn leaves(&self, ty: &Type, span: Span) -> Result<Vec<Leaf>> {
        layout::leaves(ty, &self.module.structs).ok_or_else(|| {
            let message =
                format!("a value of more than {} parts is copied as a whole", layout::MOST_LEAVES);
            LowerError::new(LowerErrorKind::TooLarge, span, message)
        })
    }

    /// The storage of a variable of the current function; decided at its first use.
    pub fn storage(&mut self, local: LocalId) -> Result<Storage> {
        let index = local.0 as usize;
        if let Storage::None = self.frame().storage[index] {
            let storage = self.decide_storage(local)?;
            self.frame().storage[index] = storage;
        }
        Ok(self.frame().storage[index].clone())
    }

    fn decide_storage(&mut self, local: LocalId) -> Result<Storage> {
        /// Larger structures are kept in memory: they would only be spilled there.
        const MOST_REGISTERS: usize = 16;
        let module = self.module;
        let (function, id) = (self.frame().function, self.frame().id);
        let data = function.local(local);
        let addressed = self.addressed.get(&id).is_some_and(|found| found.contains(&local));
        let splits = matches!(data.ty, Type::Struct(_))
            && !addressed
            && !data.volatile
            && !data.ty.has_volatile(&module.structs)
            && !layout::has_union(&data.ty, &module.structs);
        if !data.in_memory || splits {
            let leaves = self.leaves(&data.ty, data.span)?;
            if leaves.len() <= MOST_REGISTERS {
                let named = |leaf: &Leaf| {
                    let part = layout::part_name(&data.ty, leaf.offset, &module.structs);
                    format!("{}{part}", data.name)
                };
                let declared = self.location(data.span);
                let variable = |leaf: &Leaf| {
                    self.builder.named_variable(register(&leaf.ty), named(leaf), declared)
                };
                return Ok(Storage::Registers(leaves.iter().map(variable).collect()));
            }
        }
        let size = data.ty.size(&module.structs).max(1);
        let align = data.ty.variable_align(&module.structs).clamp(1, 16);
        self.local_bytes = self.local_bytes.next_multiple_of(align).saturating_add(size);
        if self.local_bytes > WINDOW_SIZE as u64 / 2 {
            let message = format!("`{}` does not fit in a thread's local memory", data.name);
            return Err(LowerError::new(LowerErrorKind::Memory, data.span, message));
        }
        let (size, align) = (size as u32, align as u32);
        Ok(Storage::Slot(self.builder.add_slot(SlotData {
            name: data.name.to_string(),
            size,
            align,
        })))
    }

    /// Sets all leaves of a variable.
    fn initialise(&mut self, local: LocalId, values: Vec<Value>) -> Result<()> {
        let data = self.frame().function.local(local);
        match self.storage(local)? {
            Storage::None => {}
            Storage::Registers(variables) => {
                for (variable, value) in variables.into_iter().zip(values) {
                    self.builder.write(variable, value);
                }
            }
            Storage::Slot(slot) => {
                let address = self.builder.slot_address(slot);
                let leaves = self.leaves(&data.ty, data.span)?;
                let mode = Mode { volatile: data.volatile, ..Mode::default() };
                for (leaf, value) in leaves.iter().zip(values) {
                    let at = self.offset(address, leaf.offset);
                    self.store_leaf(at, Space::Local, mode, leaf, value);
                }
            }
        }
        Ok(())
    }

    /// Takes its value from a variable in registers: it is zero, and known to have none.
    pub fn forget(&mut self, local: LocalId) -> Result<()> {
        if let Storage::Registers(variables) = self.storage(local)? {
            for variable in variables {
                self.builder.forget(variable);
            }
        }
        Ok(())
    }

    /// Sets a variable in registers to zero.
    pub fn clear(&mut self, local: LocalId) -> Result<()> {
        if let Storage::Registers(variables) = self.storage(local)? {
            for variable in variables {
                let zero = self.builder.zero(self.builder.variable_type(variable));
                self.builder.write(variable, zero);
            }
        }
        Ok(())
    }
}

/// The registers of a scalar. Integers smaller than a word are kept extended to one, by their own
/// signedness; pointers are their 32 address bits.
pub(super) fn register(ty: &Type) -> ir::Type {
    match ty {
        Type::Bool => ir::Type::Pred,
        Type::Double => ir::Type::B64,
        Type::Int(kind) if kind.size() == 8 => ir::Type::B64,
        _ => ir::Type::B32,
    }
}

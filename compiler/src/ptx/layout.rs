//! Where variables and parameters lie.

use super::names::source_name;
use super::{Refused, Result};
use crate::diagnostic::code;
use reconverge_isa::{
    CONSTANT_BASE, CONSTANT_SIZE, GLOBAL_BASE, GLOBAL_END, Parameter, Variable as Placed,
    WINDOW_SIZE,
};
use reconverge_ptx::barrier::CountedBarriers;
use reconverge_ptx::tree::{
    Block, Function, Kind, Module, OperandKind, Space, Statement, Variable,
};
use reconverge_ptx::{Span, Text};
use std::collections::{BTreeMap, BTreeSet};

/// The most bytes of parameters a kernel can have, as in CUDA.
const MOST_PARAMETER_BYTES: u64 = 4096;

/// Where variables of global and constant memory lie, by name.
pub type Globals = BTreeMap<Text, Global>;

/// A variable of global or constant memory.
#[derive(Clone, Copy, Debug)]
pub struct Global {
    /// `.global` or `.const`.
    pub space: Space,
    /// The generic address.
    pub address: u32,
    /// Bytes.
    pub size: u32,
}

/// Returns true for a variable that another module or the program defines. Texture references are the program's.
pub fn is_elsewhere(variable: &Variable) -> bool {
    variable.linkage.external || variable.ty.kind == Kind::Reference
}

/// Bytes of a variable or parameter; 0 of an array without a size.
pub fn size(variable: &Variable) -> Result<u64> {
    let element = u64::from(variable.ty.bytes()) * u64::from(variable.vector);
    let mut size = element;
    for (at, dimension) in variable.dimensions.iter().enumerate() {
        let count = match (dimension, &variable.initialiser) {
            (Some(count), _) => *count,
            (None, Some(initial)) if at == 0 => match &initial.kind {
                OperandKind::Vector(items) => items.len() as u64,
                _ => 0,
            },
            (None, _) => 0,
        };
        size = size.saturating_mul(count);
    }
    match size <= u64::from(GLOBAL_END - GLOBAL_BASE) {
        true => Ok(size),
        false => Err(too_large(variable.span, &variable.name.text, "the address space")),
    }
}

/// The alignment of a variable, in bytes.
pub fn align(variable: &Variable) -> Result<u64> {
    let natural = u64::from(variable.ty.bytes().max(1)) * u64::from(variable.vector);
    let align = variable.align.unwrap_or(natural).max(1);
    match align.is_power_of_two() && align <= 1 << 20 {
        true => Ok(align),
        false => {
            let message = format!("`.align {align}` is no power of two up to {}", 1 << 20);
            Err(Refused::new(variable.span, message))
        }
    }
}

fn too_large(span: Span, name: &str, of: &str) -> Refused {
    Refused::limit(code::LIMIT_MEMORY, span, format!("`{name}` does not fit into {of}"))
}

/// Places the variables of global and constant memory, in the order of the text; those that are placed already first.
pub fn globals(module: &Module, placed: &[Placed]) -> Result<Globals> {
    let mut globals = Globals::new();
    let mut ends = [GLOBAL_BASE, CONSTANT_BASE].map(u64::from);
    for known in placed {
        let which = usize::from(known.address < GLOBAL_BASE);
        ends[which] = ends[which].max(u64::from(known.address) + u64::from(known.size));
    }
    for variable in &module.variables {
        let (which, limit) = match variable.space {
            Space::Global => (0, u64::from(GLOBAL_END)),
            Space::Constant => (1, u64::from(CONSTANT_BASE + CONSTANT_SIZE)),
            _ => continue,
        };
        let name = &variable.name.text;
        if is_elsewhere(variable) {
            // A definition in the module, before or after, goes before the program's.
            if let Some(known) = placed.iter().find(|known| known.name == source_name(name)) {
                let (address, size) = (known.address, known.size);
                globals.entry(name.clone()).or_insert(Global {
                    space: variable.space,
                    address,
                    size,
                });
            }
            continue;
        }
        let size = size(variable)?;
        if size == 0 {
            let message = format!("`{name}` has no size");
            return Err(Refused::new(variable.span, message)
                .help("give its dimensions, or `.extern` if another module defines it"));
        }
        let known = placed.iter().find(|known| known.name == source_name(name));
        let address = match known {
            Some(known) => u64::from(known.address),
            None => {
                let address = ends[which].next_multiple_of(align(variable)?);
                ends[which] = address + size;
                address
            }
        };
        if address + size > limit {
            let of = if which == 0 { "global memory" } else { "constant memory" };
            return Err(too_large(variable.span, name, of));
        }
        let global = Global { space: variable.space, address: address as u32, size: size as u32 };
        globals.insert(name.clone(), global);
    }
    Ok(globals)
}

/// The parameters of a kernel, at their C layout.
pub fn parameters(kernel: &Function) -> Result<Vec<Parameter>> {
    let mut end = 0u64;
    let mut found = Vec::new();
    for variable in &kernel.parameters {
        let offset = end.next_multiple_of(align(variable)?);
        let size = size(variable)?;
        end = offset.saturating_add(size);
        if end > MOST_PARAMETER_BYTES {
            let message = format!(
                "the parameters of `{}` take more than {MOST_PARAMETER_BYTES} bytes",
                kernel.name.text
            );
            return Err(Refused::limit(code::LIMIT_MEMORY, variable.span, message));
        }
        let name = variable.name.text.to_string();
        found.push(Parameter { name, offset: offset as u32, size: size as u32 });
    }
    Ok(found)
}

/// The shared variables of a kernel: offsets by the place of their declaration, and bytes of those that are not dynamic.
#[derive(Debug, Default)]
pub struct Shared {
    /// By the start of the declared name.
    pub offsets: BTreeMap<u32, u32>,
    /// Bytes.
    pub bytes: u32,
    /// Bytes of the variables that the text declares.
    pub declared: u32,
    /// The barriers with a count of threads.
    pub counted: CountedBarriers,
}

/// Lays out the shared variables that a kernel and the functions it calls declare or name, the dynamic ones last.
pub fn shared(module: &Module, kernel: &Function) -> Result<Shared> {
    let mut mentions = Mentions {
        module,
        names: BTreeSet::new(),
        declared: Vec::new(),
        counted: CountedBarriers::default(),
    };
    mentions.function(kernel);
    let Mentions { names, declared, counted, .. } = mentions;
    let own = module.variables.iter().filter(|variable| names.contains(&variable.name.text));
    let all = own.chain(declared).filter(|variable| variable.space == Space::Shared);
    let (dynamic, fixed): (Vec<_>, Vec<_>) =
        all.partition(|variable| variable.linkage.external || variable.dimensions.contains(&None));
    let mut shared = Shared { counted, ..Shared::default() };
    let mut end = 0u64;
    for variable in fixed {
        let offset = end.next_multiple_of(align(variable)?);
        end = offset.saturating_add(size(variable)?);
        if end > u64::from(WINDOW_SIZE) {
            return Err(too_large(variable.span, &variable.name.text, "shared memory"));
        }
        shared.offsets.insert(variable.name.span.start, offset as u32);
    }
    shared.declared = end as u32;
    shared.bytes = end as u32;
    let start = (end as u32).next_multiple_of(16);
    for variable in dynamic {
        let align = align(variable)?.max(1) as u32;
        shared.offsets.insert(variable.name.span.start, start.next_multiple_of(align));
    }
    Ok(shared)
}

/// The names in the text of a kernel and of the functions that it names.
struct Mentions<'a> {
    module: &'a Module,
    names: BTreeSet<Text>,
    declared: Vec<&'a Variable>,
    /// Barriers with a count of threads.
    counted: CountedBarriers,
}

impl<'a> Mentions<'a> {
    fn function(&mut self, function: &'a Function) {
        let mut pending = vec![function];
        while let Some(function) = pending.pop() {
            let before = self.names.clone();
            if let Some(body) = &function.body {
                self.block(body);
            }
            let called = self.module.functions.iter().filter(|it| {
                let name = &it.name.text;
                it.body.is_some() && self.names.contains(name) && !before.contains(name)
            });
            pending.extend(called);
        }
    }

    fn block(&mut self, block: &'a Block) {
        for statement in &block.statements {
            match statement {
                Statement::Variable(variable) => self.declared.push(variable),
                Statement::Block(block) => self.block(block),
                Statement::Instruction(instruction) => {
                    instruction.operands.iter().for_each(|operand| self.operand(&operand.kind));
                    self.counted = self.counted.and(CountedBarriers::of_instruction(instruction));
                }
                _ => {}
            }
        }
    }

    fn operand(&mut self, operand: &OperandKind) {
        match operand {
            OperandKind::Name(name) | OperandKind::Offset(name, _) if !name.starts_with('%') => {
                self.names.insert(name.clone());
            }
            OperandKind::Address(inner) => self.operand(&inner.kind),
            OperandKind::List(items) | OperandKind::Vector(items) | OperandKind::Texture(items) => {
                items.iter().for_each(|item| self.operand(&item.kind));
            }
            _ => {}
        }
    }
}

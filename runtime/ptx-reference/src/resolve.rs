//! Names to registers, addresses and places in the code.

use crate::code::{
    Destination, Function, Instruction, Operation, Program, Slot, Source, Special, Value,
};
use crate::form::{Form, form};
use crate::memory::SHARED;
use crate::{Refusal, control, matrix, product, video, wmma};
use reconverge_ptx::barrier::CountedBarriers;
use reconverge_ptx::tree::{
    self, Block, Kind, Operand, OperandKind, Space, Statement, Type, Variable,
};
use reconverge_ptx::{Constant, Span, Text};
use std::collections::BTreeMap;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// `count` registers one after another; a counted declaration has one for each number.
    Registers {
        first: usize,
        count: u64,
        width: u32,
        vector: u8,
    },
    Frame {
        offset: u32,
        size: u32,
    },
    Address(u64),
    Dynamic,
    Label(usize),
    Targets(Vec<usize>),
}

/// The names of one function while its code is made.
pub(crate) struct Resolver<'a> {
    pub functions: &'a BTreeMap<Text, usize>,
    /// Functions without a body.
    pub declared: &'a BTreeMap<Text, Span>,
    globals: &'a BTreeMap<Text, Binding>,
    scopes: Vec<BTreeMap<Text, Binding>>,
    counted: Vec<BTreeMap<Text, Binding>>,
    labels: Vec<Option<usize>>,
    registers: usize,
    frame: u32,
    shared: u32,
    code: Vec<Instruction>,
}

/// A refusal at a place.
pub(crate) fn refuse<T>(span: Span, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { span, message: message.into() })
}

fn aligned(at: u32, align: u32) -> u32 {
    at.next_multiple_of(align.max(1))
}

/// Bytes of a variable, and its alignment. An array without a size has none.
fn layout(variable: &Variable) -> Result<(u32, u32), Refusal> {
    let element = variable.ty.bytes().max(1) * u32::from(variable.vector);
    let mut size = u64::from(element);
    for dimension in &variable.dimensions {
        size = size.saturating_mul(dimension.unwrap_or(0));
    }
    let size = u32::try_from(size).ok().filter(|&size| size < 1 << 24);
    let Some(size) = size else {
        return refuse(variable.span, "the variable is larger than its state space");
    };
    let align = variable.align.unwrap_or(element.into()).clamp(1, 4096) as u32;
    Ok((size, align))
}

/// Resolves a module.
pub(crate) fn module(
    module: &tree::Module,
    address: &dyn Fn(&str) -> Option<u32>,
) -> Result<Program, Refusal> {
    let mut globals = BTreeMap::new();
    let mut shared = 0;
    for variable in &module.variables {
        let binding = match variable.space {
            Space::Shared if variable.dimensions.first() == Some(&None) => Binding::Dynamic,
            Space::Shared => {
                let (size, align) = layout(variable)?;
                let at = aligned(shared, align);
                shared = at + size;
                Binding::Address(u64::from(SHARED + at))
            }
            Space::Global | Space::Constant => match address(&variable.name.text) {
                Some(address) => Binding::Address(address.into()),
                // Only a use is an error; texture references are the program's.
                None if variable.linkage.external || variable.ty.kind == Kind::Reference => {
                    continue;
                }
                None => return refuse(variable.span, "the variable has no address"),
            },
            _ => continue,
        };
        globals.insert(variable.name.text.clone(), binding);
    }
    let (mut functions, mut declared) = (BTreeMap::new(), BTreeMap::new());
    let with_bodies = module.functions.iter().filter(|it| it.body.is_some());
    for (at, function) in with_bodies.clone().enumerate() {
        functions.insert(function.name.text.clone(), at);
    }
    for function in module.functions.iter().filter(|it| it.body.is_none()) {
        declared.insert(function.name.text.clone(), function.name.span);
    }
    for (new, old) in &module.aliases {
        if let Some(&at) = functions.get(&old.text) {
            functions.insert(new.text.clone(), at);
        }
    }
    // Functions come first: every kernel's variables lie behind those of all functions.
    let mut done = Vec::new();
    let mut ordered: Vec<_> = with_bodies.enumerate().collect();
    ordered.sort_by_key(|(_, function)| function.is_entry);
    for (at, function) in ordered {
        let mut resolver = Resolver {
            functions: &functions,
            declared: &declared,
            globals: &globals,
            scopes: Vec::new(),
            counted: Vec::new(),
            labels: Vec::new(),
            registers: 0,
            frame: 0,
            shared,
            code: Vec::new(),
        };
        let resolved = resolver.function(function)?;
        if !function.is_entry {
            shared = resolved.shared;
        }
        done.push((at, resolved));
    }
    done.sort_by_key(|(at, _)| *at);
    Ok(Program { functions: done.into_iter().map(|(_, function)| function).collect() })
}

impl Resolver<'_> {
    fn function(&mut self, function: &tree::Function) -> Result<Function, Refusal> {
        self.scopes.push(BTreeMap::new());
        self.counted.push(BTreeMap::new());
        let mut slots = |variables: &[Variable], packed: bool| -> Result<Vec<Slot>, Refusal> {
            variables.iter().map(|variable| self.parameter(variable, packed)).collect()
        };
        let parameters = slots(&function.parameters, function.is_entry)?;
        let results = slots(&function.results, false)?;
        if let Some(body) = &function.body {
            self.block(body)?;
        }
        self.code.push(Instruction {
            guard: None,
            operation: Operation::Return,
            span: function.span,
        });
        let mut code = std::mem::take(&mut self.code);
        for instruction in &mut code {
            self.place(instruction)?;
        }
        Ok(Function {
            name: function.name.text.to_string(),
            is_entry: function.is_entry,
            code,
            registers: self.registers,
            frame: aligned(self.frame, 16),
            parameters,
            results,
            shared: self.shared,
            counted: function.body.as_ref().map(CountedBarriers::of).unwrap_or_default(),
        })
    }

    /// Puts places of the code where labels were.
    fn place(&self, instruction: &mut Instruction) -> Result<(), Refusal> {
        let span = instruction.span;
        let place = |label: &mut usize| match self.labels[*label] {
            Some(at) => {
                *label = at;
                Ok(())
            }
            None => refuse(span, "the label of this branch is nowhere"),
        };
        match &mut instruction.operation {
            Operation::Branch(label) => place(label),
            Operation::BranchIndex { targets, .. } => targets.iter_mut().try_for_each(place),
            _ => Ok(()),
        }
    }

    /// The place of a parameter. Those of kernels lie as the launch gives them.
    fn parameter(&mut self, variable: &Variable, packed: bool) -> Result<Slot, Refusal> {
        if variable.space == Space::Register {
            let first = self.declare(variable)?;
            return Ok(Slot::Register(first));
        }
        let (size, align) = layout(variable)?;
        let align = if packed { align } else { align.max(8) };
        let offset = aligned(self.frame, align);
        self.frame = offset + size;
        let binding = Binding::Frame { offset, size };
        self.bind(&variable.name.text, binding);
        Ok(Slot::Frame { offset, size })
    }

    fn bind(&mut self, name: &Text, binding: Binding) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.clone(), binding);
        }
    }

    /// Declares a variable of the innermost scope; gives its first register, if it is one.
    fn declare(&mut self, variable: &Variable) -> Result<usize, Refusal> {
        let name = &variable.name.text;
        match variable.space {
            Space::Register => {
                let count = variable.count.unwrap_or(1);
                if matches!(variable.ty.kind, Kind::Reference) {
                    let message = "the reference model has no registers of this type";
                    return refuse(variable.span, message);
                }
                let (first, bits) = (self.registers, u32::from(variable.ty.bits));
                // 128 bits are a vector of two halves.
                let (width, vector) = match bits > 64 {
                    true => (bits / 2, 2),
                    false => (bits, variable.vector),
                };
                let all = count.saturating_mul(vector.into());
                if all > 1 << 20 {
                    return refuse(variable.span, "there are more than 1,048,576 registers");
                }
                self.registers += all as usize;
                let binding = Binding::Registers { first, count, width, vector };
                match variable.count {
                    Some(_) => {
                        if let Some(scope) = self.counted.last_mut() {
                            scope.insert(name.clone(), binding);
                        }
                    }
                    None => self.bind(name, binding),
                }
                return Ok(first);
            }
            Space::Local | Space::Parameter => {
                let (size, align) = layout(variable)?;
                let offset = aligned(self.frame, align.max(8));
                self.frame = offset + size;
                self.bind(name, Binding::Frame { offset, size });
            }
            Space::Shared if variable.dimensions.first() == Some(&None) => {
                self.bind(name, Binding::Dynamic);
            }
            Space::Shared => {
                let (size, align) = layout(variable)?;
                let at = aligned(self.shared, align);
                self.shared = at + size;
                self.bind(name, Binding::Address(u64::from(SHARED + at)));
            }
            space => {
                let name = space.name();
                let message =
                    format!("the reference model has no `.{name}` variables in functions");
                return refuse(variable.span, message);
            }
        }
        Ok(0)
    }

    fn block(&mut self, block: &Block) -> Result<(), Refusal> {
        self.scopes.push(BTreeMap::new());
        self.counted.push(BTreeMap::new());
        for statement in &block.statements {
            if let Statement::Label(name) = statement {
                let label = self.labels.len();
                self.labels.push(None);
                self.bind(&name.text, Binding::Label(label));
            }
        }
        for statement in &block.statements {
            self.statement(statement)?;
        }
        self.scopes.pop();
        self.counted.pop();
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), Refusal> {
        match statement {
            Statement::Variable(variable) => {
                self.declare(variable)?;
            }
            Statement::Label(name) => {
                let at = self.code.len();
                if let Some(&Binding::Label(label)) = self.find(&name.text).as_ref() {
                    self.labels[label] = Some(at);
                }
            }
            Statement::Instruction(instruction) => self.instruction(instruction)?,
            Statement::Block(block) => self.block(block)?,
            Statement::BranchTargets(name, targets) => {
                let labels = targets.iter().map(|target| self.label(&target.text, target.span));
                let labels = labels.collect::<Result<Vec<_>, _>>()?;
                self.bind(&name.text, Binding::Targets(labels));
            }
            Statement::CallTargets(..)
            | Statement::CallPrototype { .. }
            | Statement::Location(_)
            | Statement::Pragma(_) => {}
        }
        Ok(())
    }

    /// What a name stands for, the innermost first.
    pub fn find(&self, name: &str) -> Option<Binding> {
        let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let by_number = |scope: &BTreeMap<Text, Binding>| {
            // `%r12` is number 12 of `%r`, or number 2 of `%r1`.
            (1..=digits).rev().find_map(|digits| {
                let (prefix, number) = name.split_at(name.len() - digits);
                let number: u64 = number.parse().ok()?;
                match scope.get(prefix)? {
                    Binding::Registers { first, count, width, vector } if number < *count => {
                        let first = first + number as usize * usize::from(*vector);
                        let (width, vector) = (*width, *vector);
                        Some(Binding::Registers { first, count: 1, width, vector })
                    }
                    _ => None,
                }
            })
        };
        let scopes = self.scopes.iter().zip(&self.counted).rev();
        let local =
            scopes.map(|(names, counted)| names.get(name).cloned().or_else(|| by_number(counted)));
        local.flatten().next().or_else(|| self.globals.get(name).cloned())
    }

    /// The number of a label.
    pub fn label(&self, name: &str, span: Span) -> Result<usize, Refusal> {
        match self.find(name) {
            Some(Binding::Label(label)) => Ok(label),
            _ => refuse(span, format!("there is no label `{name}`")),
        }
    }

    fn instruction(&mut self, instruction: &tree::Instruction) -> Result<(), Refusal> {
        let guard = match &instruction.guard {
            Some(guard) => match self.find(&guard.predicate.text) {
                Some(Binding::Registers { first, .. }) => Some((first, guard.negated)),
                _ => return refuse(instruction.span, "the guard is no register"),
            },
            None => None,
        };
        let found = match product::operations(self, instruction)? {
            Some(found) => Some(found),
            None => match wmma::operations(self, instruction)? {
                Some(found) => Some(found),
                None => matrix::operations(self, instruction)?,
            },
        };
        if let Some(operations) = found {
            let span = instruction.span;
            let steps = operations.into_iter();
            self.code.extend(steps.map(|operation| Instruction { guard, operation, span }));
            return Ok(());
        }
        let found = form(instruction);
        let found = found.map_err(|message| Refusal { span: instruction.span, message })?;
        let operation = match found {
            Some(form) => self.computation(instruction, form)?,
            None => control::operation(self, instruction)?,
        };
        self.code.push(Instruction { guard, operation, span: instruction.span });
        Ok(())
    }

    /// A register that no text names.
    pub fn hidden(&mut self) -> usize {
        self.registers += 1;
        self.registers - 1
    }

    fn computation(
        &self,
        instruction: &tree::Instruction,
        form: Form,
    ) -> Result<Operation, Refusal> {
        let span = instruction.span;
        let operands = match video::selects(&instruction.mnemonic.text) {
            true => instruction.operands.iter().map(Operand::bare).collect(),
            false => instruction.operands.clone(),
        };
        let Some((first, rest)) = operands.split_first() else {
            return refuse(span, "the operands are missing");
        };
        if rest.len() != form.sources.len() {
            let message =
                format!("{} sources, where {} are needed", rest.len(), form.sources.len());
            return refuse(span, message);
        }
        let results = self.destinations(first, &form.results)?;
        let sources = rest.iter().zip(&form.sources);
        let sources = sources.map(|(operand, &of)| self.source(operand, of));
        let sources = sources.collect::<Result<Vec<_>, _>>()?;
        Ok(Operation::Compute { compute: form.compute, sources, results })
    }

    /// The destinations of an instruction: one, or two as `p|q`.
    pub fn destinations(
        &self,
        operand: &tree::Operand,
        types: &[Type],
    ) -> Result<Vec<Option<Destination>>, Refusal> {
        let second = types.get(1).or(types.first()).copied();
        match (&operand.kind, types.first(), second) {
            (OperandKind::Pair(a, b), Some(&first), Some(second)) => {
                Ok(vec![self.destination(a, first)?, self.destination(b, second)?])
            }
            (_, Some(&first), _) => Ok(vec![self.destination(operand, first)?]),
            _ => Ok(Vec::new()),
        }
    }

    /// A destination; `None` is `_`.
    pub fn destination(
        &self,
        operand: &tree::Operand,
        of: Type,
    ) -> Result<Option<Destination>, Refusal> {
        let (first, width) = match &operand.kind {
            OperandKind::Sink => return Ok(None),
            OperandKind::Name(name) | OperandKind::Part(name, _) => match self.find(name) {
                Some(Binding::Registers { first, width, vector, .. }) => {
                    let part = match &operand.kind {
                        OperandKind::Part(_, part) => part_of(part, vector),
                        _ => Some(0),
                    };
                    match part {
                        Some(part) => (first + part, width),
                        None => return refuse(operand.span, "the register has no such part"),
                    }
                }
                _ => return refuse(operand.span, format!("`{name}` is no register")),
            },
            _ => return refuse(operand.span, "this is no destination"),
        };
        Ok(Some(Destination::of(first, width, of)))
    }

    /// A source operand of a type.
    pub fn source(&self, operand: &tree::Operand, of: Type) -> Result<Source, Refusal> {
        let bits = u32::from(of.bits);
        let plain = |value| Ok(Source { value, bits, inverted: false });
        match &operand.kind {
            OperandKind::Constant(constant) => plain(Value::Constant(constant_bits(*constant, of))),
            OperandKind::Name(name) => plain(self.value(name, None, operand.span)?),
            OperandKind::Part(name, part) => plain(self.value(name, Some(part), operand.span)?),
            OperandKind::Not(name) => {
                let value = self.value(name, None, operand.span)?;
                Ok(Source { value, bits: 1, inverted: true })
            }
            OperandKind::Offset(name, offset) => match self.value(name, None, operand.span)? {
                Value::Constant(at) => plain(Value::Constant(at.wrapping_add(*offset as u64))),
                Value::Frame(at) => plain(Value::Frame(at.wrapping_add(*offset as u32))),
                _ => refuse(operand.span, "only a variable has places after it"),
            },
            _ => refuse(operand.span, "the reference model has no meaning for this operand"),
        }
    }

    fn value(&self, name: &str, part: Option<&Text>, span: Span) -> Result<Value, Refusal> {
        match self.find(name) {
            Some(Binding::Registers { first, vector, .. }) => {
                let at = part.map_or(Some(0), |part| part_of(part, vector));
                match at {
                    Some(at) => Ok(Value::Register(first + at)),
                    None => refuse(span, "the register has no such part"),
                }
            }
            Some(Binding::Frame { offset, .. }) => Ok(Value::Frame(offset)),
            Some(Binding::Address(address)) => Ok(Value::Constant(address)),
            Some(Binding::Dynamic) => Ok(Value::Dynamic),
            Some(Binding::Label(_) | Binding::Targets(_)) => refuse(span, "a label is no value"),
            None => match special(name, part.map(|it| &**it)) {
                Some(special) => Ok(Value::Special(special)),
                None if name == "WARP_SZ" => Ok(Value::Constant(32)),
                None => refuse(span, format!("`{name}` is not declared, or has no meaning here")),
            },
        }
    }

    /// The halves of an operand of 128 bits, the low one first.
    pub fn halves(&self, operand: &tree::Operand) -> Result<Vec<tree::Operand>, Refusal> {
        let halves = match operand.kind {
            OperandKind::Sink => vec![operand.clone(); 2],
            _ => self.elements(operand),
        };
        match halves.len() {
            2 => Ok(halves),
            _ => refuse(operand.span, "this operand has no value of 128 bits"),
        }
    }

    /// The registers of a vector operand, or the one operand.
    pub fn elements(&self, operand: &tree::Operand) -> Vec<tree::Operand> {
        let expand = |name: &Text, vector: u8| {
            let part = |part: &str| tree::Operand {
                kind: OperandKind::Part(name.clone(), part.into()),
                span: operand.span,
            };
            ["x", "y", "z", "w"].into_iter().take(vector.into()).map(part).collect()
        };
        match &operand.kind {
            OperandKind::Vector(parts) => parts.clone(),
            OperandKind::Name(name) => match self.find(name) {
                Some(Binding::Registers { vector, .. }) if vector > 1 => expand(name, vector),
                _ => vec![operand.clone()],
            },
            _ => vec![operand.clone()],
        }
    }
}

fn part_of(part: &str, vector: u8) -> Option<usize> {
    let at = match part {
        "x" | "r" => 0,
        "y" | "g" => 1,
        "z" | "b" => 2,
        "w" | "a" => 3,
        _ => return None,
    };
    (at < usize::from(vector)).then_some(at)
}

/// The bits of a constant as a value of a type.
fn constant_bits(constant: Constant, of: Type) -> u64 {
    use crate::float::{DOUBLE, Rounding, SINGLE, convert, of_integer};
    let float = crate::form::is_float(of);
    match constant {
        // Of `.b32` and packed types the bits are meant, of floats the value.
        Constant::Integer { bits, unsigned }
            if float && of.bits >= 32 && of.kind == Kind::Float =>
        {
            let value = if unsigned { i128::from(bits) } else { i128::from(bits as i64) };
            of_integer(value, crate::floating::format(of), Rounding::Nearest)
        }
        Constant::Integer { bits, .. } => bits,
        // The bits of a NaN stay.
        Constant::Single(bits) if of.name == "f32" => bits.into(),
        Constant::Double(bits) if of.name == "f64" => bits,
        Constant::Single(bits) if float => {
            convert(bits.into(), SINGLE, crate::floating::format(of), Rounding::Nearest)
        }
        Constant::Single(bits) => bits.into(),
        Constant::Double(bits) if float || of.bits == 32 => {
            let format = if float { crate::floating::format(of) } else { SINGLE };
            convert(bits, DOUBLE, format, Rounding::Nearest)
        }
        Constant::Double(bits) => bits,
    }
}

fn special(name: &str, part: Option<&str>) -> Option<Special> {
    let axis = match part {
        Some("x") => Some(0),
        Some("y") => Some(1),
        Some("z") => Some(2),
        Some("w") => Some(3),
        _ => None,
    };
    Some(match (name, axis) {
        ("%tid", Some(3)) | ("%ctaid", Some(3)) => Special::Zero,
        ("%ntid", Some(3)) | ("%nctaid", Some(3)) => Special::One,
        ("%tid", Some(axis)) => Special::Thread(axis),
        ("%ntid", Some(axis)) => Special::Threads(axis),
        ("%ctaid", Some(axis)) => Special::Block(axis),
        ("%nctaid", Some(axis)) => Special::Blocks(axis),
        ("%laneid", None) => Special::Lane,
        ("%warpid", None) => Special::Warp,
        ("%nwarpid", None) => Special::Warps,
        ("%lanemask_eq", None) => Special::LanesEqual,
        ("%lanemask_lt", None) => Special::LanesBelow,
        ("%lanemask_le", None) => Special::LanesUpTo,
        ("%lanemask_gt", None) => Special::LanesAbove,
        ("%lanemask_ge", None) => Special::LanesFrom,
        ("%clock" | "%clock64" | "%globaltimer" | "%globaltimer_lo", None) => Special::Clock,
        ("%clock_hi" | "%globaltimer_hi", None) => Special::ClockHigh,
        ("%dynamic_smem_size", None) => Special::DynamicShared,
        ("%total_smem_size", None) => Special::TotalShared,
        ("%nsmid", None) => Special::One,
        ("%smid" | "%gridid", None) => Special::Zero,
        _ => return None,
    })
}

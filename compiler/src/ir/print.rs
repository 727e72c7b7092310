//! The text form of the intermediate representation, read back by [`parse`](super::parse).

use super::{Access, Function, Instruction, Kind, Location, Type, Value};
use reconverge_isa::{Queue, Space, Special, Variable, Width};
use std::fmt::{self, Display, Formatter, Write};

/// The version of the text form, in its first line; raised when an older reader would misunderstand
/// it.
pub const VERSION: u32 = 1;
/// First bytes of a variable on one line.
const IMAGE_BYTES: usize = 32;

/// The text of several kernels, of the device's variables, and the files that their locations name.
pub fn module(files: &[String], variables: &[Variable], functions: &[Function]) -> String {
    let mut text = format!("version {VERSION}\n");
    // Writing to a string does not fail.
    for (number, file) in files.iter().enumerate() {
        let _ = writeln!(text, "file {number} {}", Quoted(file));
    }
    for Variable { name, address, size, image } in variables {
        let _ = writeln!(text, "variable {} {address:#010x} {size}", Quoted(name));
        for bytes in image.chunks(IMAGE_BYTES) {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let _ = writeln!(text, "  image {hex}");
        }
    }
    for function in functions {
        let _ = write!(text, "\n{function}");
    }
    text
}

/// A string between quotes, with `\` before quotes and backslashes.
pub(super) struct Quoted<'a>(pub &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '"' | '\\' => write!(f, "\\{character}")?,
                _ => f.write_char(character)?,
            }
        }
        f.write_char('"')
    }
}

pub(super) fn space_name(space: Space) -> &'static str {
    Space::ALL[space as usize].1
}

pub(super) fn width_name(width: Width) -> &'static str {
    Width::ALL[width as usize].1
}

pub(super) fn special_name(special: Special) -> &'static str {
    Special::ALL[special as usize].1
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl Display for super::Block {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "b{}", self.0)
    }
}

impl Display for super::Slot {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        Head(self).fmt(f)?;
        for &(location, iterations) in &self.unroll {
            write!(f, "  unroll {iterations}")?;
            place(f, location)?;
            f.write_char('\n')?;
        }
        for block in self.existing_blocks() {
            writeln!(f, "{block}:")?;
            for &value in self.instructions(block) {
                writeln!(f, "{}", Line(value, self.instruction(value)))?;
            }
        }
        writeln!(f, "}}")
    }
}

/// Everything in front of the first block, with the end of its last line.
pub fn header(function: &Function) -> String {
    format!("{}", Head(function))
}

/// The line of an instruction, without its end.
pub fn instruction(function: &Function, value: Value) -> String {
    format!("{}", Line(value, function.instruction(value)))
}

struct Head<'a>(&'a Function);

impl Display for Head<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let name = &self.0.name;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        if !name.is_empty() && name.chars().all(is_word) {
            writeln!(f, "kernel {name} {{")?;
        } else {
            // An instance of a template, or one of several kernels of a name.
            writeln!(f, "kernel {} {{", Quoted(name))?;
        }
        for parameter in &self.0.parameters {
            let (name, offset, size) = (&parameter.name, parameter.offset, parameter.size);
            writeln!(f, "  param {} {offset} {size}", Quoted(name))?;
        }
        if self.0.shared_bytes != 0 {
            writeln!(f, "  shared {}", self.0.shared_bytes)?;
        }
        if self.0.max_threads != 0 {
            writeln!(f, "  threads {}", self.0.max_threads)?;
        }
        if self.0.min_blocks != 0 {
            writeln!(f, "  blocks {}", self.0.min_blocks)?;
        }
        if self.0.max_registers != 0 {
            writeln!(f, "  registers {}", self.0.max_registers)?;
        }
        for (number, slot) in self.0.slots.iter().enumerate() {
            let (name, size, align) = (&slot.name, slot.size, slot.align);
            writeln!(f, "  slot s{number} {} {size} {align}", Quoted(name))?;
        }
        Ok(())
    }
}

struct Line<'a>(Value, &'a Instruction);

impl Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str("  ")?;
        if self.1.ty.is_some() {
            write!(f, "{} = ", self.0)?;
        }
        operation(f, &self.1.kind, self.1.ty)?;
        place(f, self.1.location)?;
        if let Some(name) = &self.1.variable {
            write!(f, " {}", Quoted(name))?;
        }
        self.1.hints.fmt(f)
    }
}

fn place(f: &mut Formatter, location: Location) -> fmt::Result {
    let Location { file, line, column } = location;
    match (file, line, column) {
        (0, 0, 0) => Ok(()),
        (0, ..) => write!(f, " !{line}:{column}"),
        _ => write!(f, " !{file}:{line}:{column}"),
    }
}

fn operation(f: &mut Formatter, kind: &Kind, ty: Option<Type>) -> fmt::Result {
    let ty = ty.unwrap_or(Type::B32);
    match kind {
        Kind::Removed => f.write_str("removed"),
        Kind::Constant(bits) => constant(f, ty, *bits),
        Kind::Address(space, offset) => write!(f, "address.{} {offset}", space_name(*space)),
        Kind::Slot(slot) => write!(f, "slot {slot}"),
        Kind::Parameter { offset, global: true } => write!(f, "param.global {offset}"),
        Kind::Parameter { offset, .. } => write!(f, "param.{} {offset}", ty.name()),
        Kind::Special(special) => write!(f, "special {}", special_name(*special)),
        Kind::Compute(op, operands) | Kind::Collective(op, operands) => {
            f.write_str(op.row().mnemonic)?;
            list(f, operands)
        }
        Kind::Load(access, address) => {
            memory(f, "ld", access)?;
            list(f, &[*address])
        }
        Kind::Store(access, address, value) => {
            memory(f, "st", access)?;
            list(f, &[*address, *value])
        }
        Kind::Part(whole, word) => write!(f, "part.{} {word}, {whole}", ty.name()),
        Kind::Join(parts) => {
            write!(f, "join.{}", ty.name())?;
            list(f, parts)
        }
        Kind::Atomic(op, space, operands) => {
            write!(f, "{}.{}", op.row().mnemonic, space_name(*space))?;
            list(f, operands)
        }
        Kind::Guarded(guarded) => {
            write!(f, "@{} ", guarded.holds)?;
            operation(f, &guarded.access, Some(ty))?;
            guarded.otherwise.map_or(Ok(()), |value| write!(f, " else {value}"))
        }
        Kind::Matched(op, operands, site) => {
            write!(f, "{} {site}", op.row().mnemonic)?;
            operands.iter().try_for_each(|operand| write!(f, ", {operand}"))
        }
        Kind::Enqueue(Queue::Predicate, site, _, value) => write!(f, "enq.pred {site}, {value}"),
        Kind::Enqueue(queue, site, access, value) => {
            memory(f, &format!("enq.{}", queue.name()), access)?;
            write!(f, " {site}, {value}")
        }
        Kind::Dequeue(queue, site) => write!(f, "deq.{} {site}", queue.name()),
        Kind::Phi(incoming) => {
            write!(f, "phi.{}", ty.name())?;
            for (number, (from, value)) in incoming.iter().enumerate() {
                let comma = if number == 0 { "" } else { "," };
                write!(f, "{comma} {from} {value}")?;
            }
            Ok(())
        }
        Kind::Jump(target) => write!(f, "jump {target}"),
        Kind::Branch(condition, then, otherwise) => {
            write!(f, "branch {condition}, {then}, {otherwise}")
        }
        Kind::Return => f.write_str("return"),
    }
}

/// Small numbers in decimal, others (among them most floats) in hexadecimal.
fn constant(f: &mut Formatter, ty: Type, bits: u64) -> fmt::Result {
    let signed = match ty {
        Type::Pred => {
            let truth = if bits & 1 != 0 { "true" } else { "false" };
            return write!(f, "const.pred {truth}");
        }
        Type::B32 => bits as u32 as i32 as i64,
        Type::B64 | Type::B128 => bits as i64,
    };
    if (-0xffff..=0xff_ffff).contains(&signed) {
        write!(f, "const.{} {signed}", ty.name())
    } else {
        write!(f, "const.{} {bits:#x}", ty.name())
    }
}

fn memory(f: &mut Formatter, name: &str, access: &Access) -> fmt::Result {
    let volatile = if access.volatile { ".volatile" } else { "" };
    let raw = if access.raw { ".raw" } else { "" };
    let (space, width) = (space_name(access.space), width_name(access.width));
    write!(f, "{name}{volatile}{raw}")?;
    if let Some(part) = access.part {
        write!(f, ".{}of{}", part.at, part.bytes)?;
    }
    for hint in access.cache.names() {
        write!(f, ".{hint}")?;
    }
    write!(f, ".{space}.{width}")
}

fn list(f: &mut Formatter, values: &[Value]) -> fmt::Result {
    for (number, value) in values.iter().enumerate() {
        let comma = if number == 0 { "" } else { "," };
        write!(f, "{comma} {value}")?;
    }
    Ok(())
}

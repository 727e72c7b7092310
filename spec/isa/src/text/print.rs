//! From a program to its text.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use crate::binary::version_of;
use crate::cache::CacheHints;
use crate::control_bits::ControlBits;
use crate::instruction::*;
use crate::lane::ValueKind;
use crate::placement::{Placement, RegisterLevel};
use crate::program::*;
use crate::region::Region;
use crate::table::Effect;

/// Image bytes on one line.
const IMAGE_BYTES: usize = 32;
/// Literal words on one line.
const LITERAL_WORDS: usize = 8;

/// The text of a whole program. [`super::parse`] gives the same program back, provided that it
/// is valid ([`crate::validate()`]).
pub fn print(program: &Program) -> String {
    parts_of(program).collect()
}

/// The text of a program, a kernel at a time.
pub fn parts_of(program: &Program) -> impl Iterator<Item = String> {
    list(program, |_, _| None)
}

/// The text of a program, a kernel at a time, with source lines as comments. `source` is given a file's name and a line,
/// from 1, and may know the line's text.
pub fn list(
    program: &Program,
    source: impl Fn(&str, u32) -> Option<String>,
) -> impl Iterator<Item = String> {
    let mut out = String::new();
    line(&mut out, format_args!(".version {}", version_of(program)));
    for file in &program.files {
        line(&mut out, format_args!(".file {}", quoted(file)));
    }
    for variable in &program.variables {
        print_variable(&mut out, variable);
    }
    let kernels = program
        .kernels
        .iter()
        .map(move |kernel| format!("\n{}", list_kernel(program, kernel, &source)));
    std::iter::once(out).chain(kernels)
}

/// The text of one kernel.
pub fn print_kernel(program: &Program, kernel: &Kernel) -> String {
    list_kernel(program, kernel, |_, _| None)
}

/// The text of one kernel between its source lines, as comments. `source` is called with a file's
/// name and a line, from 1, and returns the line's text if it has it.
pub fn list_kernel(
    program: &Program,
    kernel: &Kernel,
    mut source: impl FnMut(&str, u32) -> Option<String>,
) -> String {
    let mut out = String::new();
    print_header(&mut out, kernel);
    let labels = labels(kernel);
    let mut last = Location::default();
    for (index, instruction) in kernel.code.iter().enumerate() {
        if labels.contains(&(index as u32)) {
            line(&mut out, format_args!("L{index}:"));
        }
        let location = kernel.lines.get(index).copied().unwrap_or_default();
        if location.line != 0
            && (location.file, location.line) != (last.file, last.line)
            && let Some(file) = program.files.get(location.file as usize)
            && let Some(text) = source(file, location.line)
        {
            // A line of the listing must stay one line.
            let text: String = text.chars().filter(|c| !c.is_control()).collect();
            let name = quoted(file);
            let name = name.trim_matches('"');
            let number = location.line;
            line(&mut out, format_args!("    // {name}:{number}: {}", text.trim()));
        }
        if location != last {
            let Location { file, line: number, column } = location;
            line(&mut out, format_args!("    .loc {file} {number} {column}"));
            last = location;
        }
        let (guard, body) = parts(instruction);
        let (placed, staged) = (placed(kernel.placement(index)), staged(kernel, index));
        let bits = controlled(kernel.control_bits(index));
        line(&mut out, format_args!("  {guard:<5} {body}{placed}{staged}{bits}"));
    }
    out
}

/// The places of registers, as annotations of an instruction.
fn placed(placement: Placement) -> String {
    let Placement { sources, result, and_main, strand } = placement;
    let mut out = String::new();
    if strand {
        out += " !strand";
    }
    let named = sources.iter().rposition(|&level| level != RegisterLevel::Main);
    if let Some(last) = named {
        let levels: Vec<String> = sources[..=last].iter().copied().map(level).collect();
        out += &format!(" !read {}", levels.join(","));
    }
    if result != RegisterLevel::Main {
        let main = if and_main { ",main" } else { "" };
        out += &format!(" !write {}{main}", level(result));
    }
    out
}

/// The region that begins with an instruction, and its evictions, as annotations.
fn staged(kernel: &Kernel, index: usize) -> String {
    let mut out = String::new();
    let region = kernel.record.regions.binary_search_by_key(&(index as u32), |region| region.start);
    if let Ok(region) = region {
        let Region { preloads, erasures, .. } = &kernel.record.regions[region];
        out += " !region";
        for (word, registers) in [("preload", preloads), ("erase", erasures)] {
            if !registers.is_empty() {
                let registers: Vec<String> =
                    registers.iter().map(|register| format!("r{register}")).collect();
                out += &format!(" !{word} {}", registers.join(","));
            }
        }
    }
    let bits = kernel.record.evictions.get(index).copied().unwrap_or(0);
    if bits != 0 {
        let words = ["0", "1", "2", "result"];
        let words: Vec<&str> =
            (0..4).filter(|at| bits >> at & 1 != 0).map(|at| words[at]).collect();
        out += &format!(" !evict {}", words.join(","));
    }
    out
}

/// Control bits, as annotations of an instruction.
fn controlled(bits: ControlBits) -> String {
    let ControlBits { stall, yields, write, read, wait: _, reuse, common } = bits;
    let mut out = String::new();
    if stall != 0 {
        out += &format!(" !stall {stall}");
    }
    if yields {
        out += " !yield";
    }
    for (word, counter) in [("wr", write), ("rd", read)] {
        if let Some(counter) = counter {
            out += &format!(" !{word} {counter}");
        }
    }
    let sources: Vec<u8> = (0..8).filter(|source| reuse >> source & 1 != 0).collect();
    for (word, numbers) in [("wait", bits.waits().collect()), ("reuse", sources)] {
        if !numbers.is_empty() {
            let numbers: Vec<String> = numbers.iter().map(u8::to_string).collect();
            out += &format!(" !{word} {}", numbers.join(","));
        }
    }
    if common {
        out += " !common";
    }
    out
}

fn level(level: RegisterLevel) -> String {
    match level {
        RegisterLevel::Main => "_".into(),
        RegisterLevel::LastResult => "lrf".into(),
        RegisterLevel::Operand(entry) => format!("orf{entry}"),
    }
}

/// The text of one instruction.
pub fn print_instruction(instruction: &Instruction) -> String {
    let (guard, body) = parts(instruction);
    if guard.is_empty() { body.to_string() } else { format!("{guard} {body}") }
}

fn parts(instruction: &Instruction) -> (String, Body<'_>) {
    (condition(instruction).unwrap_or_default(), Body(instruction))
}

fn line(out: &mut String, text: fmt::Arguments) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
    out.push('\n');
}

fn print_variable(out: &mut String, variable: &Variable) {
    let Variable { name, address, size, image } = variable;
    line(out, format_args!(".variable {} {address:#010x} {size}", named(name)));
    for bytes in image.chunks(IMAGE_BYTES) {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        line(out, format_args!("    .image {hex}"));
    }
}

fn print_header(out: &mut String, kernel: &Kernel) {
    line(out, format_args!(".kernel {}", named(&kernel.name)));
    for parameter in &kernel.parameters {
        let Parameter { name, offset, size } = parameter;
        line(out, format_args!("    .param {} {offset} {size}", named(name)));
    }
    if kernel.parameter_bytes != default_parameter_bytes(&kernel.parameters) {
        line(out, format_args!("    .param_bytes {}", kernel.parameter_bytes));
    }
    line(out, format_args!("    .registers {}", kernel.registers));
    line(out, format_args!("    .predicates {}", kernel.predicates));
    let sizes = [
        (".shared", kernel.shared_bytes),
        (".local", kernel.local_bytes),
        (".max_threads", kernel.max_threads),
        (".long_lived", kernel.record.long_lived),
        (".uniform", kernel.record.uniform),
    ];
    for (directive, value) in sizes {
        if value != 0 {
            line(out, format_args!("    {directive} {value}"));
        }
    }
    if let Some(AffineStream { entry, registers, predicates }) = kernel.affine {
        line(out, format_args!("    .affine L{entry}"));
        line(out, format_args!("    .affine_registers {registers}"));
        line(out, format_args!("    .affine_predicates {predicates}"));
    }
    for words in kernel.literals.chunks(LITERAL_WORDS) {
        let hex: String = words.iter().map(|word| format!(" {word:#010x}")).collect();
        line(out, format_args!("    .literal{hex}"));
    }
}

/// The default parameter bytes of a kernel without a statement: whole words.
pub(super) fn default_parameter_bytes(parameters: &[Parameter]) -> u32 {
    let ends = parameters.iter().map(|parameter| parameter.offset.saturating_add(parameter.size));
    let end = ends.max().unwrap_or(0);
    end.checked_next_multiple_of(4).unwrap_or(end)
}

/// The instructions that others name.
fn labels(kernel: &Kernel) -> BTreeSet<u32> {
    let naming = kernel.code.iter().filter(|instruction| instruction.has_target());
    naming
        .flat_map(|branch| [Some(branch.target), branch.annotations.reconverge])
        .flatten()
        .chain(kernel.affine.map(|affine| affine.entry))
        .chain(kernel.code.iter().flat_map(|instruction| instruction.hints.places()))
        .collect()
}

/// A name, in quotes when it is not one word.
fn named(name: &str) -> String {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    let word = |c: char| first(c) || c.is_ascii_digit() || c == '.';
    if name.starts_with(first) && name.chars().all(word) { name.to_string() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The prefix of an instruction: its guard, or the operand that a branch dequeues.
fn condition(instruction: &Instruction) -> Option<String> {
    match instruction.sources[0] {
        source @ Operand::Dequeue { .. } if instruction.op.row().effect == Effect::Branch => {
            Some(format!("@{}", operand(source, ValueKind::Predicate)))
        }
        _ => instruction.guard.map(guard),
    }
}

fn guard(guard: Guard) -> String {
    let not = if guard.negated { "!" } else { "" };
    format!("@{not}p{}", guard.predicate.0)
}

impl fmt::Display for Instruction {
    /// The text of one instruction; branch targets appear as `L` and their index.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(condition) = condition(self) {
            write!(f, "{condition} ")?;
        }
        Body(self).fmt(f)
    }
}

/// An instruction without its guard.
struct Body<'a>(&'a Instruction);

impl fmt::Display for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instruction = self.0;
        let row = instruction.op.row();
        f.write_str(row.mnemonic)?;
        if instruction.has_address() {
            write!(f, ".{}", instruction.space.name())?;
        }
        if instruction.has_width() {
            write!(f, ".{}", instruction.width.name())?;
        }
        let operands = operands(instruction);
        if !operands.is_empty() {
            write!(f, " {}", operands.join(", "))?;
        }
        annotations(f, instruction)
    }
}

fn operands(instruction: &Instruction) -> Vec<String> {
    let row = instruction.op.row();
    let target = format!("L{}", instruction.target);
    let barrier = format!("b{}", instruction.barrier);
    match row.effect {
        Effect::Branch => return vec![target],
        Effect::Bssy => return vec![barrier, target],
        Effect::Bsync => return vec![barrier],
        _ => {}
    }
    let mut out = Vec::new();
    if instruction.has_counter() {
        out.push(format!("sb{}", instruction.barrier));
    }
    out.extend(instruction.site.map(|site| site.to_string()));
    if let Some(kind) = instruction.result_kind() {
        out.push(match instruction.dest {
            Dest::None => "_".to_string(),
            Dest::Reg(this) => register(this, kind),
            Dest::Pred(predicate) => format!("p{}", predicate.0),
        });
    }
    for (index, source) in instruction.sources.iter().enumerate() {
        let Some(kind) = instruction.source_kind(index) else {
            continue;
        };
        let text = operand(*source, kind);
        out.push(match (index, instruction.has_address(), instruction.offset) {
            (0, true, 0) => format!("[{text}]"),
            (0, true, offset) => format!("[{text}{offset:+}]"),
            _ => text,
        });
    }
    out
}

fn register(register: Reg, kind: ValueKind) -> String {
    let number = register.0;
    match u32::from(kind.registers()) {
        0 | 1 => format!("r{number}"),
        count => format!("r{number}:{}", u32::from(number) + count - 1),
    }
}

fn operand(operand: Operand, kind: ValueKind) -> String {
    match operand {
        Operand::None => "_".to_string(),
        Operand::Reg(this) => register(this, kind),
        Operand::Pred { predicate, negated } => {
            let not = if negated { "!" } else { "" };
            format!("{not}p{}", predicate.0)
        }
        Operand::Imm(bits) => immediate(bits, kind),
        Operand::Const(offset) => format!("c[{offset}]"),
        Operand::Special(special) => special.name().to_string(),
        Operand::Dequeue { queue, site, negated } => {
            let not = if negated { "!" } else { "" };
            format!("{not}deq.{} {site}", queue.name())
        }
    }
}

/// Finite floats in decimal (the shortest text that reads back as the same value), small integers
/// in decimal, everything else in hexadecimal.
fn immediate(bits: u32, kind: ValueKind) -> String {
    let value = bits as i32;
    let small = (-0x1_0000..0x1_0000).contains(&value);
    match kind {
        ValueKind::F32 if f32::from_bits(bits).is_finite() => format!("{:?}", f32::from_bits(bits)),
        ValueKind::F32 => format!("0f{bits:08x}"),
        ValueKind::F64 => {
            let bits = u64::from(bits) << 32;
            match f64::from_bits(bits) {
                value if value.is_finite() => format!("{value:?}"),
                _ => format!("0d{bits:016x}"),
            }
        }
        _ if small => value.to_string(),
        ValueKind::U64 | ValueKind::I64 if value < 0 => format!("-{:#x}", value.unsigned_abs()),
        _ => format!("{bits:#x}"),
    }
}

fn annotations(f: &mut fmt::Formatter<'_>, instruction: &Instruction) -> fmt::Result {
    let Annotations { reconverge, last_read, class, uniform, taint, volatile, raw, cache } =
        instruction.annotations;
    if let Some(point) = reconverge {
        write!(f, " !reconverge L{point}")?;
    }
    if last_read != 0 {
        let sources: Vec<String> =
            (0..8).filter(|bit| last_read >> bit & 1 != 0).map(|bit| bit.to_string()).collect();
        write!(f, " !last {}", sources.join(","))?;
    }
    f.write_str(match class {
        ValueClass::Unknown => "",
        ValueClass::Uniform => " !uniform",
        ValueClass::Affine => " !affine",
    })?;
    if uniform {
        f.write_str(" !uni")?;
    }
    if volatile {
        f.write_str(" !volatile")?;
    }
    if raw {
        f.write_str(" !raw")?;
    }
    if cache != CacheHints::NONE {
        let names: Vec<&str> = cache.names().collect();
        write!(f, " !cache {}", names.join(","))?;
    }
    f.write_str(match taint {
        BranchTaint::Unknown => "",
        BranchTaint::Programmatic => " !P",
        BranchTaint::Data => " !D",
    })?;
    write!(f, "{}", instruction.hints)
}

//! From text to a program.

use std::collections::BTreeMap;

use super::error::{TextError, TextFault};
use super::print::default_parameter_bytes;
use super::scan::{Kind, Line, unsigned};
use crate::binary::{VERSION, VERSION_WITHOUT_PLACEMENTS};
use crate::cache::CacheHints;
use crate::control_bits::{COUNTERS, ControlBits, MAX_STALL};
use crate::hints::{self, AccessPattern, Hint, HintValues, LOOP_FIRST, LOOP_LAST, Locality};
use crate::instruction::*;
use crate::lane::ValueKind;
use crate::names::{NameKind, renamed};
use crate::nearest::nearest;
use crate::placement::{OPERAND_ENTRIES, Placement, RegisterLevel};
use crate::program::*;
use crate::region::{EVICTS_RESULT, Region};
use crate::table::{Effect, Op, Row, TABLE};
use crate::validate::{Place, check_shape, constant_ends, validate};

/// More faults than anyone reads in one go.
const MAX_ERRORS: usize = 100;

/// The kernel that code before any `.kernel` belongs to, so that tests can write bare code.
const DEFAULT_KERNEL: &str = "kernel";

/// Reads assembly text: the program, or its faults in the order of their places.
///
/// Reads the output of [`super::print()`] without loss. In addition, code may appear without
/// `.kernel`, and a kernel without `.registers`, `.predicates` or `.param_bytes` gets as many as
/// its code uses.
pub fn parse(text: &str) -> Result<Program, Vec<TextError>> {
    assemble(text).map(|assembled| assembled.program)
}

/// A program that was read, with the places of its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assembled {
    /// The program.
    pub program: Program,
    /// By kernel.
    pub places: Vec<KernelPlaces>,
    /// Defaults that the text leaves implicit, and statements that are probably mistakes, in the
    /// order of places.
    pub remarks: Vec<Remark>,
}

/// A part that a text leaves out, or a probable mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The place and the remark.
    pub text: TextError,
    /// True if it is a default.
    pub is_left_out: bool,
}

/// The places of a kernel's parts in its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelPlaces {
    /// Its `.kernel`, or its first line where there is none.
    pub kernel: Position,
    /// Its instructions.
    pub instructions: Vec<Position>,
}

/// [`parse`], with the places of all parts and the defaults that the text leaves implicit.
///
/// # Errors
/// The faults of the text in the order of their places.
pub fn assemble(text: &str) -> Result<Assembled, Vec<TextError>> {
    let mut parser = Parser::default();
    for (index, line) in text.split('\n').enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let read = Line::scan(number, line).and_then(|mut line| parser.line(&mut line));
        parser.errors.extend(read.err());
        if parser.errors.len() >= MAX_ERRORS {
            break;
        }
    }
    parser.finish()
}

/// A place in a text; both count from 1, columns in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// The purpose of a label in an instruction.
#[derive(Clone, Copy)]
enum Names {
    Target,
    Reconvergence,
    /// A hint.
    Hint(&'static Hint),
}

impl Names {
    /// Sets the field of this purpose to an instruction's index.
    fn resolve(self, user: &mut Instruction, index: u32) {
        match self {
            Names::Target => user.target = index,
            Names::Reconvergence => user.annotations.reconverge = Some(index),
            // Code has fewer instructions than the largest value.
            Names::Hint(hint) => drop(user.hints.set(hint, index as i32)),
        }
    }
}

/// A label that an instruction names.
struct Use {
    instruction: usize,
    label: String,
    names: Names,
    position: Position,
}

/// A kernel being read.
#[derive(Default)]
struct Body {
    kernel: Kernel,
    position: Position,
    parameters: Vec<Position>,
    instructions: Vec<Position>,
    labels: BTreeMap<String, u32>,
    uses: Vec<Use>,
    location: Location,
    /// The register directives of the current kernel.
    said: OfRegisters,
    registers: Option<u32>,
    predicates: Option<u32>,
    affine: Option<(String, Position)>,
    /// Registers and predicates of the affine stream.
    affine_sizes: [Option<u32>; 2],
    parameter_bytes: Option<u32>,
}

/// An instruction's use of registers, and its dependences.
#[derive(Default)]
struct OfRegisters {
    /// Their places.
    placement: Placement,
    /// The region that begins with it; and its evictions.
    region: Option<Region>,
    evicts: u8,
    /// Its control bits.
    control_bits: ControlBits,
}

#[derive(Default)]
struct Parser {
    files: Vec<String>,
    variables: Vec<Variable>,
    variable_positions: Vec<Position>,
    bodies: Vec<Body>,
    errors: Vec<TextError>,
    /// True if there was anything but comments.
    has_begun: bool,
}

impl Parser {
    fn body(&mut self, position: Position) -> &mut Body {
        if self.bodies.is_empty() {
            self.begin_kernel(DEFAULT_KERNEL.into(), position);
        }
        let last = self.bodies.len() - 1;
        &mut self.bodies[last]
    }

    fn begin_kernel(&mut self, name: String, position: Position) {
        let kernel = Kernel { name, ..Kernel::default() };
        self.bodies.push(Body { kernel, position, ..Body::default() });
    }

    fn line(&mut self, line: &mut Line) -> Result<(), TextError> {
        let is_first = !line.is_done() && !std::mem::replace(&mut self.has_begun, true);
        while matches!(line.peek(), Some(Kind::Word(_))) && line.is_followed_by(':') {
            self.label(line)?;
        }
        match line.peek() {
            None => Ok(()),
            Some(Kind::Word(word)) if word == ".version" => version(line, is_first),
            Some(Kind::Word(word)) if word.starts_with('.') => self.directive(line),
            Some(_) => self.instruction(line),
        }
    }

    fn label(&mut self, line: &mut Line) -> Result<(), TextError> {
        let position = position(line);
        let label = line.word("a label")?;
        line.expect(':')?;
        let body = self.body(position);
        let index = body.kernel.code.len() as u32;
        if body.labels.insert(label.clone(), index).is_some() {
            let message = format!("label `{label}` appears twice in the kernel");
            return Err(line.error_at(position.column, message).of(TextFault::Name));
        }
        Ok(())
    }

    fn directive(&mut self, line: &mut Line) -> Result<(), TextError> {
        let position = position(line);
        let directive = line.word("a directive")?;
        match directive.as_str() {
            ".file" => {
                let file = line.name("a file name")?;
                self.files.push(file);
            }
            ".variable" => {
                self.variable_positions.push(position);
                let variable = variable(line)?;
                self.variables.push(variable);
            }
            ".image" => {
                let bytes = image(line)?;
                let Some(variable) = self.variables.last_mut() else {
                    return Err(line.error_at(position.column, "`.image` follows a `.variable`"));
                };
                variable.image.extend(bytes);
            }
            ".kernel" => {
                let name = line.name("the kernel's name")?;
                self.begin_kernel(name, position);
            }
            _ => self.body(position).directive(&directive, position, line)?,
        }
        line.finish()
    }

    fn instruction(&mut self, line: &mut Line) -> Result<(), TextError> {
        let position = position(line);
        let body = self.body(position);
        let result = read_instruction(line, body);
        // A faulty instruction keeps its place, so that labels after it stay right.
        let mut instruction = Instruction::new(Op::Exit);
        let mut errors = Vec::new();
        match result {
            Ok(read) => {
                check_shape(&read, &mut |message| {
                    errors.push(line.error_at(position.column, message).of(TextFault::Rule))
                });
                instruction = read;
            }
            Err(error) => errors.push(error),
        }
        body.record();
        body.kernel.code.push(instruction);
        body.kernel.lines.push(body.location);
        body.instructions.push(position);
        self.errors.extend(errors);
        Ok(())
    }

    fn finish(mut self) -> Result<Assembled, Vec<TextError>> {
        for body in &mut self.bodies {
            body.finish(&mut self.errors);
        }
        let kernels = self.bodies.iter_mut().map(|body| std::mem::take(&mut body.kernel));
        let program = Program {
            files: std::mem::take(&mut self.files),
            variables: std::mem::take(&mut self.variables),
            kernels: kernels.collect(),
        };
        // A consequence of a fault is no news: the rules of the whole are checked only if every
        // line was valid by itself.
        if self.errors.is_empty() {
            for fault in validate(&program).into_iter().take(MAX_ERRORS) {
                let Position { line, column } = self.place(fault.place);
                let error = TextError::new(line, column, fault.message);
                self.errors.push(error.of(TextFault::Rule));
            }
        }
        if self.errors.is_empty() {
            let mut remarks: Vec<Remark> = self
                .bodies
                .iter()
                .zip(&program.kernels)
                .flat_map(|(body, kernel)| body.remarks(kernel))
                .collect();
            remarks.sort_by_key(|remark| (remark.text.line, remark.text.column));
            remarks.truncate(MAX_ERRORS);
            let places = |body: Body| KernelPlaces {
                kernel: body.position,
                instructions: body.instructions,
            };
            let places = self.bodies.into_iter().map(places).collect();
            return Ok(Assembled { program, places, remarks });
        }
        self.errors.sort_by_key(|error| (error.line, error.column));
        self.errors.truncate(MAX_ERRORS);
        Err(self.errors)
    }

    fn place(&self, place: Place) -> Position {
        let position = match place {
            Place::Variable(index) => self.variable_positions.get(index),
            Place::Kernel(kernel) => self.bodies.get(kernel).map(|body| &body.position),
            Place::Parameter { kernel, index } => {
                self.bodies.get(kernel).and_then(|body| body.parameters.get(index))
            }
            Place::Instruction { kernel, index } => {
                self.bodies.get(kernel).and_then(|body| body.instructions.get(index))
            }
        };
        position.copied().unwrap_or(Position { line: 1, column: 1 })
    }
}

fn position(line: &Line) -> Position {
    Position { line: line.number, column: line.column() }
}

/// Reads `.version N`.
fn version(line: &mut Line, is_first: bool) -> Result<(), TextError> {
    let column = line.column();
    line.word("`.version`")?;
    let at = line.column();
    let given = line.size("a version")?;
    line.finish()?;
    if !is_first {
        return Err(line.error_at(column, "`.version` stands in front of everything else"));
    }
    if !(VERSION_WITHOUT_PLACEMENTS..=VERSION).contains(&given) {
        let mut error = line.error_at(at, format!("the text is of version {given}"));
        let known = format!("versions {VERSION_WITHOUT_PLACEMENTS} to {VERSION} are read here");
        error.help = Some(format!("{known}; `compile` writes it again"));
        return Err(error);
    }
    Ok(())
}

fn variable(line: &mut Line) -> Result<Variable, TextError> {
    Ok(Variable {
        name: line.name("the variable's name")?,
        address: line.size("the variable's address")?,
        size: line.size("the variable's size")?,
        image: image(line)?,
    })
}

/// Bytes as pairs of hexadecimal digits, to the end of the line.
fn image(line: &mut Line) -> Result<Vec<u8>, TextError> {
    let mut bytes = Vec::new();
    while !line.is_done() {
        let column = line.column();
        let word = line.word("bytes in hexadecimal")?;
        let digits: Option<Vec<u8>> =
            word.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
        match digits {
            Some(digits) if digits.len() % 2 == 0 => {
                bytes.extend(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]));
            }
            _ => return Err(line.error_at(column, "expected pairs of hexadecimal digits")),
        }
    }
    Ok(bytes)
}

impl Body {
    fn directive(
        &mut self,
        directive: &str,
        position: Position,
        line: &mut Line,
    ) -> Result<(), TextError> {
        match directive {
            ".param" => {
                self.kernel.parameters.push(Parameter {
                    name: line.name("the parameter's name")?,
                    offset: line.size("the parameter's offset")?,
                    size: line.size("the parameter's size")?,
                });
                self.parameters.push(position);
            }
            ".param_bytes" => self.parameter_bytes = Some(line.size("a size")?),
            ".registers" => self.registers = Some(line.size("a number of registers")?),
            ".predicates" => self.predicates = Some(line.size("a number of predicates")?),
            ".affine" => {
                let position = Position { column: line.column(), ..position };
                self.affine = Some((line.word("the label of the affine stream")?, position));
            }
            ".affine_registers" => self.affine_sizes[0] = Some(line.size("a number of registers")?),
            ".affine_predicates" => {
                self.affine_sizes[1] = Some(line.size("a number of predicates")?)
            }
            ".shared" => self.kernel.shared_bytes = line.size("a size")?,
            ".local" => self.kernel.local_bytes = line.size("a size")?,
            ".max_threads" => self.kernel.max_threads = line.size("a number of threads")?,
            ".long_lived" => self.kernel.record.long_lived = line.size("a number of registers")?,
            ".uniform" => self.kernel.record.uniform = line.size("a number of registers")?,
            ".literal" => {
                while !line.is_done() {
                    self.kernel.literals.push(line.size("a word")?);
                }
            }
            ".loc" => {
                self.location = Location {
                    file: line.size("a file's index")?,
                    line: line.size("a line")?,
                    column: line.size("a column")?,
                }
            }
            _ => {
                let message = format!("unknown directive `{directive}`");
                let mut error = line.error_at(position.column, message);
                error.help = closest(directive, DIRECTIVES.iter().copied());
                return Err(error);
            }
        }
        Ok(())
    }

    /// Moves what the next instruction's annotations state into the kernel's record.
    fn record(&mut self) {
        let OfRegisters { placement, region, evicts, control_bits } =
            std::mem::take(&mut self.said);
        let (record, index) = (&mut self.kernel.record, self.kernel.code.len());
        if placement != Placement::default() || !record.placements.is_empty() {
            record.placements.resize(index, Placement::default());
            record.placements.push(placement);
        }
        if let Some(region) = region {
            record.regions.push(Region { start: index as u32, ..region });
        }
        if evicts != 0 || !record.regions.is_empty() {
            record.evictions.resize(index, 0);
            record.evictions.push(evicts);
        }
        if control_bits != ControlBits::default() || !record.control_bits.is_empty() {
            record.control_bits.resize(index, ControlBits::default());
            record.control_bits.push(control_bits);
        }
    }

    /// The defaults of a kernel without faults, and probable mistakes.
    fn remarks(&self, kernel: &Kernel) -> Vec<Remark> {
        let remark = |Position { line, column }: Position, message: String, is_left_out: bool| {
            Remark { text: TextError::new(line, column, message), is_left_out }
        };
        let mut found = Vec::new();
        let counts = [
            (".registers", "register", 'r', self.registers, kernel.registers),
            (".predicates", "predicate", 'p', self.predicates, kernel.predicates),
        ];
        for (directive, noun, letter, given, taken) in counts {
            if given.is_none() && taken != 0 {
                let plural = if taken == 1 { "" } else { "s" };
                let last = taken - 1;
                let message = format!(
                    "without `{directive} {taken}` a thread has the {taken} {noun}{plural} that the code names, up to {letter}{last}"
                );
                found.push(remark(self.position, message, true));
            }
        }
        for (parameter, &position) in kernel.parameters.iter().zip(&self.parameters) {
            found.extend(odd_size(parameter).map(|message| remark(position, message, false)));
        }
        found
    }

    fn no_label(&self, label: &str, position: Position) -> TextError {
        let message = format!("there is no label `{label}` in the kernel");
        let help = closest(label, self.labels.keys().map(String::as_str));
        let error = TextError::new(position.line, position.column, message);
        TextError { help, ..error.of(TextFault::Name) }
    }

    /// Resolves labels and computes values that the text leaves out.
    fn finish(&mut self, errors: &mut Vec<TextError>) {
        for Use { instruction, label, names, position } in &self.uses {
            if errors.len() >= MAX_ERRORS {
                break;
            }
            let Some(index) = self.labels.get(label) else {
                errors.push(self.no_label(label, *position));
                continue;
            };
            let Some(user) = self.kernel.code.get_mut(*instruction) else {
                continue;
            };
            names.resolve(user, *index);
        }
        if let Some((label, position)) = &self.affine {
            match self.labels.get(label) {
                Some(&entry) => {
                    self.kernel.affine = Some(AffineStream { entry, ..AffineStream::default() })
                }
                None => errors.push(self.no_label(label, *position)),
            }
        }
        let kernel = &mut self.kernel;
        let most = |code: &[Instruction], of: fn(&Instruction) -> u32| {
            code.iter().map(of).max().unwrap_or(0)
        };
        if let Some(mut affine) = kernel.affine {
            let code = kernel.affine_code();
            let registers = most(code, Instruction::registers_needed);
            let predicates = most(code, Instruction::predicates_needed);
            affine.registers = self.affine_sizes[0].unwrap_or(registers);
            affine.predicates = self.affine_sizes[1].unwrap_or(predicates);
            kernel.affine = Some(affine);
        }
        let used = |of| most(kernel.main_code(), of);
        let registers = used(Instruction::registers_needed);
        let predicates = used(Instruction::predicates_needed);
        let constants =
            most(&kernel.code, |instruction| constant_ends(instruction).max().unwrap_or(0));
        kernel.registers = self.registers.unwrap_or(registers);
        kernel.predicates = self.predicates.unwrap_or(predicates);
        let bare = kernel.parameters.is_empty() && kernel.literals.is_empty();
        kernel.parameter_bytes = self.parameter_bytes.unwrap_or(if bare {
            constants
        } else {
            default_parameter_bytes(&kernel.parameters)
        });
    }
}

/// The words that lines other than instructions begin with.
pub const DIRECTIVES: [&str; 19] = [
    ".version",
    ".file",
    ".variable",
    ".image",
    ".kernel",
    ".param",
    ".param_bytes",
    ".registers",
    ".predicates",
    ".affine",
    ".affine_registers",
    ".affine_predicates",
    ".shared",
    ".local",
    ".max_threads",
    ".long_lived",
    ".uniform",
    ".literal",
    ".loc",
];

/// The words of annotations, after their `!`.
pub const ANNOTATIONS: [&str; 25] = [
    "reconverge",
    "last",
    "uniform",
    "affine",
    "uni",
    "P",
    "D",
    "volatile",
    "raw",
    "cache",
    "hint",
    "strand",
    "read",
    "write",
    "region",
    "preload",
    "erase",
    "evict",
    "stall",
    "yield",
    "wr",
    "rd",
    "wait",
    "reuse",
    "common",
];

fn read_instruction(line: &mut Line, body: &mut Body) -> Result<Instruction, TextError> {
    let condition = condition(line)?;
    let column = line.column();
    let mut instruction = mnemonic(line)?;
    match condition {
        Some(Condition::Guard(guard)) => instruction.guard = Some(guard),
        Some(Condition::Dequeue(source)) if instruction.op.row().effect == Effect::Branch => {
            instruction.sources[0] = source;
        }
        Some(Condition::Dequeue(_)) => {
            let mut error = line.error_at(column, "only a branch can be under `deq.pred`");
            error.help = Some("fetch it with `mov.pred p0, deq.pred 4`, then use p0".into());
            return Err(error);
        }
        None => {}
    }
    operands(line, body, &mut instruction)?;
    while line.accept('!') {
        annotation(line, body, &mut instruction)?;
    }
    line.finish()?;
    Ok(instruction)
}

/// A complaint about an odd size of a parameter: those of numbers and pointers are 1, 2, 4 and 8,
/// and most structures have whole words.
pub fn odd_size(parameter: &Parameter) -> Option<String> {
    let Parameter { name, size, .. } = parameter;
    let is_usual = matches!(size, 1 | 2) || (*size != 0 && size.is_multiple_of(4));
    (!is_usual).then(|| {
        format!("`{name}` has {size} bytes, which no number or pointer has: only a structure may")
    })
}

/// The prefix of an instruction.
enum Condition {
    Guard(Guard),
    Dequeue(Operand),
}

fn condition(line: &mut Line) -> Result<Option<Condition>, TextError> {
    if !line.accept('@') {
        return Ok(None);
    }
    let negated = line.accept('!');
    if let Some(source) = dequeue(line, negated)? {
        return Ok(Some(Condition::Dequeue(source)));
    }
    let predicate = predicate(line)?;
    Ok(Some(Condition::Guard(Guard { predicate, negated })))
}

/// Reads `deq.data 2` and its like, if that is next.
fn dequeue(line: &mut Line, negated: bool) -> Result<Option<Operand>, TextError> {
    let Some(Kind::Word(word)) = line.peek() else {
        return Ok(None);
    };
    let Some(name) = word.strip_prefix("deq.") else {
        return Ok(None);
    };
    let queue = Queue::ALL.iter().find(|(_, other)| *other == name);
    let Some((queue, _)) = queue.copied() else {
        let message = format!("there is no queue `{word}`");
        let mut error = line.error(message);
        error.help = Some("there are deq.data, deq.addr and deq.pred".into());
        return Err(error);
    };
    line.word("a queue")?;
    Ok(Some(Operand::Dequeue { queue, site: site(line)?, negated }))
}

/// Reads a site's number.
fn site(line: &mut Line) -> Result<u8, TextError> {
    Ok(line.integer("a site", 0, SITES as i64 - 1)? as u8)
}

/// Reads a mnemonic with the space and width of a memory operation.
fn mnemonic(line: &mut Line) -> Result<Instruction, TextError> {
    let column = line.column();
    let word = line.word("an instruction")?;
    if let Some(op) = Op::from_mnemonic(&word).filter(|op| !Instruction::new(*op).has_width()) {
        return Ok(Instruction::new(op));
    }
    let memory = TABLE.iter().find_map(|row| memory_mnemonic(row, &word));
    memory.ok_or_else(|| {
        if let Some(new) = renamed(NameKind::Mnemonic, &word) {
            return line.error_at(column, format!("`{word}` is now called `{new}`"));
        }
        let error = line.error_at(column, format!("unknown instruction `{word}`"));
        let mut error = error.of(TextFault::Name);
        error.help = closest(&word, TABLE.iter().map(|row| row.mnemonic));
        if word.starts_with("ld") || word.starts_with("st") {
            error.help = Some("loads and stores are written like `ld.global.b32`".into());
        }
        error
    })
}

/// The instruction of `row` that the word names with its space (generic when absent) and width.
fn memory_mnemonic(row: &Row, word: &str) -> Option<Instruction> {
    let mut instruction = Instruction::new(row.op);
    if !instruction.has_address() {
        return None;
    }
    let mut rest = word.strip_prefix(row.mnemonic)?;
    for (space, name) in Space::ALL {
        if let Some(left) = suffix(rest, name) {
            (instruction.space, rest) = (space, left);
            break;
        }
    }
    if row.effect == Effect::Atomic {
        return rest.is_empty().then_some(instruction);
    }
    let widths = Width::ALL.iter();
    let (width, _) = widths.copied().find(|(_, name)| suffix(rest, name) == Some(""))?;
    instruction.width = width;
    Some(instruction)
}

/// The text after `.name`, where the name must be all or end at a dot.
fn suffix<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let rest = text.strip_prefix('.')?.strip_prefix(name)?;
    (rest.is_empty() || rest.starts_with('.')).then_some(rest)
}

fn operands(
    line: &mut Line,
    body: &mut Body,
    instruction: &mut Instruction,
) -> Result<(), TextError> {
    match instruction.op.row().effect {
        Effect::Branch => return label_use(line, body, Names::Target),
        Effect::Bssy => {
            instruction.barrier = barrier(line)?;
            line.expect(',')?;
            return label_use(line, body, Names::Target);
        }
        Effect::Bsync => {
            instruction.barrier = barrier(line)?;
            return Ok(());
        }
        _ => {}
    }
    let mut first = true;
    let mut separate = |line: &mut Line| match std::mem::take(&mut first) {
        true => Ok(()),
        false => line.expect(','),
    };
    if instruction.has_counter() {
        separate(line)?;
        instruction.barrier = counter(line)?;
    }
    let is_site = || matches!(line.peek(), Some(Kind::Word(word)) if unsigned(word).is_some());
    match instruction.op.row().effect {
        Effect::Barrier if !is_site() => {}
        Effect::Enqueue | Effect::Barrier => {
            separate(line)?;
            instruction.site = Some(site(line)?);
        }
        _ => {}
    }
    if let Some(kind) = instruction.result_kind() {
        separate(line)?;
        instruction.dest = dest(line, kind)?;
    }
    for index in 0..instruction.op.row().sources.len() {
        let Some(kind) = instruction.source_kind(index) else {
            continue;
        };
        separate(line)?;
        if index == 0 && instruction.has_address() {
            address(line, instruction)?;
        } else {
            instruction.sources[index] = operand(line, kind)?;
        }
    }
    Ok(())
}

fn label_use(line: &mut Line, body: &mut Body, names: Names) -> Result<(), TextError> {
    let position = position(line);
    let label = line.word("a label")?;
    body.uses.push(Use { instruction: body.kernel.code.len(), label, names, position });
    Ok(())
}

fn dest(line: &mut Line, kind: ValueKind) -> Result<Dest, TextError> {
    if line.peek() == Some(&Kind::Word("_".into())) {
        line.word("`_`")?;
        return Ok(Dest::None);
    }
    if kind == ValueKind::Predicate {
        return Ok(Dest::Pred(predicate(line)?));
    }
    Ok(Dest::Reg(register(line, kind)?))
}

/// Reads the address of an access or of an enqueue, and its offset.
fn address(line: &mut Line, instruction: &mut Instruction) -> Result<(), TextError> {
    line.expect('[')?;
    instruction.pair_address = instruction.is_memory() && line.is_followed_by(':');
    let kind = if instruction.pair_address { ValueKind::U64 } else { ValueKind::U32 };
    instruction.sources[0] = operand(line, kind)?;
    if line.accept('+') || line.peek() == Some(&Kind::Mark('-')) {
        let least = i64::from(MIN_OFFSET);
        let most = i64::from(MAX_OFFSET);
        instruction.offset = line.integer("an offset", least, most)? as i32;
    }
    line.expect(']')
}

fn operand(line: &mut Line, kind: ValueKind) -> Result<Operand, TextError> {
    if kind == ValueKind::Predicate {
        let negated = line.accept('!');
        if let Some(source) = dequeue(line, negated)? {
            return Ok(source);
        }
        let predicate = predicate(line)?;
        return Ok(Operand::Pred { predicate, negated });
    }
    if let Some(source) = dequeue(line, false)? {
        return Ok(source);
    }
    if line.peek() == Some(&Kind::Word("c".into())) && line.is_followed_by('[') {
        line.word("`c`")?;
        line.expect('[')?;
        let offset = line.integer("a constant offset", 0, i64::from(u16::MAX))?;
        line.expect(']')?;
        return Ok(Operand::Const(offset as u16));
    }
    match line.peek() {
        Some(Kind::Word(word)) if word.starts_with(|c: char| c.is_ascii_digit()) => {
            immediate(line, kind).map(Operand::Imm)
        }
        Some(Kind::Mark('-')) => immediate(line, kind).map(Operand::Imm),
        Some(Kind::Word(word)) => {
            let special = Special::ALL.iter().find(|(_, name)| name == word);
            match special {
                Some((special, _)) => {
                    line.word("a special value")?;
                    Ok(Operand::Special(*special))
                }
                None => register(line, kind).map(Operand::Reg),
            }
        }
        _ => Err(line.error("expected an operand")),
    }
}

/// Reads a letter and a number below 256.
fn numbered(line: &mut Line, letter: char, what: &str) -> Result<u8, TextError> {
    let column = line.column();
    let word = line.word(what)?;
    let digits = word.strip_prefix(letter);
    let digits = digits.filter(|digits| digits.starts_with(|c: char| c.is_ascii_digit()));
    digits
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| line.error_at(column, format!("expected {what}, found `{word}`")))
}

fn barrier(line: &mut Line) -> Result<u8, TextError> {
    numbered(line, 'b', "a convergence barrier, b0 to b15")
}

/// Reads the name of a dependence counter.
fn counter(line: &mut Line) -> Result<u8, TextError> {
    let column = line.column();
    let word = line.word("a dependence counter, sb0 to sb5")?;
    let number = word.strip_prefix("sb").and_then(|digits| digits.parse().ok());
    number.filter(|&number| number < COUNTERS).ok_or_else(|| {
        let message = format!("expected a dependence counter, sb0 to sb5, found `{word}`");
        line.error_at(column, message)
    })
}

fn predicate(line: &mut Line) -> Result<Pred, TextError> {
    numbered(line, 'p', "a predicate, p0 to p14").map(Pred)
}

fn register(line: &mut Line, kind: ValueKind) -> Result<Reg, TextError> {
    let column = line.column();
    let number = numbered(line, 'r', "a register, r0 to r254")?;
    let upper = u32::from(number) + u32::from(kind.registers().max(1)) - 1;
    let last = if line.accept(':') { Some(line.size("the last register")?) } else { None };
    let (message, help) = match (kind.registers(), last) {
        (2, None) => ("expected a pair of registers", format!("write r{number}:{upper}")),
        (2, Some(last)) if last != upper => {
            ("the registers of a pair follow each other", format!("write r{number}:{upper}"))
        }
        (4, last) if last != Some(upper) => {
            ("expected four registers that follow each other", format!("write r{number}:{upper}"))
        }
        (1, Some(_)) => ("expected a single register", format!("write r{number}")),
        _ => return Ok(Reg(number)),
    };
    let mut error = line.error_at(column, message);
    error.help = Some(help);
    Err(error)
}

/// Reads the bits of an immediate of this kind.
fn immediate(line: &mut Line, kind: ValueKind) -> Result<u32, TextError> {
    let wide = kind.registers() == 2;
    let bits_of_word = match line.peek() {
        Some(Kind::Word(word)) => float_bits(word, wide),
        _ => None,
    };
    if let Some(bits) = bits_of_word {
        let column = line.column();
        line.word("an immediate")?;
        return upper_word(line, column, bits, wide);
    }
    match kind {
        ValueKind::F32 | ValueKind::F64 => float(line, wide),
        _ if wide => {
            let range = i64::from(i32::MIN)..=i64::from(i32::MAX);
            let value = line.integer("an immediate", *range.start(), *range.end())?;
            Ok(value as i32 as u32)
        }
        _ => {
            let least = i64::from(i32::MIN);
            Ok(line.integer("an immediate", least, i64::from(u32::MAX))? as u32)
        }
    }
}

/// The bits of a float in PTX's notation: `0f` and 8 digits, or `0d` and 16.
fn float_bits(word: &str, wide: bool) -> Option<u64> {
    let digits = word.strip_prefix(if wide { "0d" } else { "0f" })?;
    let all = digits.len() == if wide { 16 } else { 8 };
    let hex = digits.chars().all(|c| c.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|_| all && hex)
}

fn float(line: &mut Line, wide: bool) -> Result<u32, TextError> {
    let column = line.column();
    let negative = line.accept('-');
    let word = line.word("a number")?;
    if let (Some(bits), true) = (unsigned(&word), word.starts_with("0x") && !negative) {
        return match u32::try_from(bits) {
            Ok(bits) => Ok(bits),
            Err(_) => Err(line.error_at(column, "expected 32 bits")),
        };
    }
    let sign = if negative { "-" } else { "" };
    let text = format!("{sign}{word}");
    let wrong = || line.error_at(column, format!("expected a finite number, found `{text}`"));
    if wide {
        let value: f64 = text.parse().map_err(|_| wrong())?;
        let value = Some(value).filter(|value| value.is_finite());
        return upper_word(line, column, value.ok_or_else(wrong)?.to_bits(), true);
    }
    let value: f32 = text.parse().map_err(|_| wrong())?;
    let value = Some(value).filter(|value| value.is_finite());
    Ok(value.ok_or_else(wrong)?.to_bits())
}

/// The 32 bits that an immediate holds: all bits, or the upper ones if the lower are zero.
fn upper_word(line: &Line, column: u32, bits: u64, wide: bool) -> Result<u32, TextError> {
    match (wide, bits as u32) {
        (false, low) => Ok(low),
        (true, 0) => Ok((bits >> 32) as u32),
        _ => {
            let mut error = line.error_at(column, "the value has more bits than an immediate");
            error.help = Some("put it into the literal pool and read c[offset]".into());
            Err(error)
        }
    }
}

fn annotation(
    line: &mut Line,
    body: &mut Body,
    instruction: &mut Instruction,
) -> Result<(), TextError> {
    let column = line.column();
    let word = line.word("an annotation")?;
    let annotations = &mut instruction.annotations;
    match word.as_str() {
        "reconverge" if instruction.op.row().effect == Effect::Branch => {
            label_use(line, body, Names::Reconvergence)?
        }
        "reconverge" => return Err(line.error_at(column, "only branches reconverge")),
        "last" => loop {
            annotations.last_read |= 1 << line.integer("a source's index", 0, 2)?;
            if !line.accept(',') {
                break;
            }
        },
        "uniform" => annotations.class = ValueClass::Uniform,
        "affine" => annotations.class = ValueClass::Affine,
        "uni" => annotations.uniform = true,
        "volatile" => annotations.volatile = true,
        "raw" => annotations.raw = true,
        "cache" => cache(line, &mut annotations.cache)?,
        "hint" => hint(line, body, instruction)?,
        // The hints of this crate have had a text of their own.
        "loop" => {
            label_use(line, body, Names::Hint(&LOOP_FIRST))?;
            label_use(line, body, Names::Hint(&LOOP_LAST))?;
        }
        "same" | "apart" | "scattered" => {
            instruction.hints.set_pattern(Some(access_pattern(line, &word)?));
        }
        "strand" | "read" | "write" => placement(line, &word, &mut body.said.placement)?,
        "region" | "preload" | "erase" | "evict" => staging(line, &word, &mut body.said)?,
        "stall" | "yield" | "wr" | "rd" | "wait" | "reuse" | "common" => {
            control_bits(line, &word, &mut body.said.control_bits)?;
        }
        "P" => annotations.taint = BranchTaint::Programmatic,
        "D" => annotations.taint = BranchTaint::Data,
        word if Locality::ALL.iter().any(|(_, name)| *name == word) => {
            let found = Locality::ALL.iter().find(|(_, name)| *name == word);
            instruction.hints.set_locality(found.map(|(locality, _)| *locality));
        }
        _ => {
            let error = line.error_at(column, format!("unknown annotation `!{word}`"));
            let mut error = error.of(TextFault::Name);
            error.help = Some(
                "there are !reconverge LABEL, !last 0,1,2, !uniform, !affine, !uni, !P, !D, \
                 !volatile, !raw, !cache HINT,..., !hint NAME VALUE, !strand, \
                 !read LEVEL,..., !write LEVEL,main, !region, !preload REGISTER,..., !erase REGISTER,..., !evict 0,1,2,result, \
                 !stall CYCLES, !yield, !wr COUNTER, !rd COUNTER, !wait COUNTER,..., !reuse 0,1,2 and !common"
                    .into(),
            );
            return Err(error);
        }
    }
    Ok(())
}

/// Reads the hints of `!cache`.
fn cache(line: &mut Line, hints: &mut CacheHints) -> Result<(), TextError> {
    loop {
        let column = line.column();
        let name = line.word("a cache hint")?;
        if !hints.add(&name) {
            let all: Vec<&str> = CacheHints::all_names().collect();
            let error = line.error_at(column, format!("`{name}` is not another cache hint"));
            let mut error = error.of(TextFault::Name);
            error.help = Some(format!("there are {}; each kind once", all.join(", ")));
            return Err(error);
        }
        if !line.accept(',') {
            return Ok(());
        }
    }
}

/// Reads the name and the value of `!hint`.
fn hint(line: &mut Line, body: &mut Body, instruction: &mut Instruction) -> Result<(), TextError> {
    let column = line.column();
    let found = hyphened(line, "the name of a hint")?;
    let unknown = |message| line.error_at(column, message).of(TextFault::Name);
    let hint = hints::find(&found).map_err(unknown)?;
    let own = &body.uses[body.uses.partition_point(|it| it.instruction < body.kernel.code.len())..];
    let is_named = |it: &Use| matches!(it.names, Names::Hint(other) if other == hint);
    if instruction.hints.get(hint).is_some() || own.iter().any(is_named) {
        let message = format!("hint `{}` appears twice", hint.name);
        return Err(line.error_at(column, message).of(TextFault::Name));
    }
    if hint.values == HintValues::Instruction {
        return label_use(line, body, Names::Hint(hint));
    }
    let column = line.column();
    let sign = if line.accept('-') { "-" } else { "" };
    let value = format!("{sign}{}", hyphened(line, "the value of a hint")?);
    let range = |message: String| line.error_at(column, message).of(TextFault::Range);
    let value = hint.value(&value).map_err(range)?;
    instruction.hints.set(hint, value).map_err(range)
}

/// Reads words with hyphens between them.
fn hyphened(line: &mut Line, what: &str) -> Result<String, TextError> {
    let mut text = line.word(what)?;
    while line.accept('-') {
        text.push('-');
        text.push_str(&line.word(what)?);
    }
    Ok(text)
}

/// Reads the operands of `!same`, `!apart` or `!scattered`.
fn access_pattern(line: &mut Line, word: &str) -> Result<AccessPattern, TextError> {
    Ok(match word {
        "same" => AccessPattern::Same,
        "scattered" => AccessPattern::Scattered,
        _ => {
            let bytes = line.integer("a distance in bytes", 0, i64::from(u16::MAX))?;
            AccessPattern::Apart(bytes as u16)
        }
    })
}

/// Reads the operands of `!strand`, `!read` or `!write`.
fn placement(line: &mut Line, word: &str, placement: &mut Placement) -> Result<(), TextError> {
    match word {
        "strand" => placement.strand = true,
        "read" => {
            for level in &mut placement.sources {
                *level = register_level(line)?;
                if !line.accept(',') {
                    break;
                }
            }
        }
        _ => {
            placement.result = register_level(line)?;
            if line.accept(',') {
                let column = line.column();
                if register_level(line)? != RegisterLevel::Main {
                    return Err(line.error_at(column, "the second level of a result is `main`"));
                }
                placement.and_main = true;
            }
        }
    }
    Ok(())
}

/// Reads the operands of `!region`, `!preload`, `!erase` or `!evict`.
fn staging(line: &mut Line, word: &str, said: &mut OfRegisters) -> Result<(), TextError> {
    match word {
        "region" => _ = said.region.get_or_insert_default(),
        "evict" => loop {
            let column = line.column();
            said.evicts |= match line.word("a source's index or `result`")?.as_str() {
                "0" => 1,
                "1" => 2,
                "2" => 4,
                "result" => EVICTS_RESULT,
                _ => return Err(line.error_at(column, "there are sources 0 to 2 and `result`")),
            };
            if !line.accept(',') {
                break;
            }
        },
        _ => loop {
            let column = line.column();
            let name = line.word("a register")?;
            let register = name.strip_prefix('r').and_then(|digits| digits.parse().ok());
            let Some(register) = register else {
                return Err(line.error_at(column, format!("there is no register `{name}`")));
            };
            let region = said.region.get_or_insert_default();
            match word {
                "preload" => region.preloads.push(register),
                _ => region.erasures.push(register),
            }
            if !line.accept(',') {
                break;
            }
        },
    }
    Ok(())
}

/// Reads the operands of an annotation of control bits.
fn control_bits(line: &mut Line, word: &str, bits: &mut ControlBits) -> Result<(), TextError> {
    let counter = |line: &mut Line| {
        let number = line.integer("a dependence counter", 0, i64::from(COUNTERS) - 1)?;
        Ok(number as u8)
    };
    match word {
        "stall" => {
            bits.stall = line.integer("a stall count", 0, i64::from(MAX_STALL))? as u8;
        }
        "yield" => bits.yields = true,
        "common" => bits.common = true,
        "wr" => bits.write = Some(counter(line)?),
        "rd" => bits.read = Some(counter(line)?),
        _ => loop {
            match word {
                "wait" => bits.wait |= 1 << counter(line)?,
                _ => bits.reuse |= 1 << line.integer("a source's index", 0, 2)?,
            }
            if !line.accept(',') {
                break;
            }
        },
    }
    Ok(())
}

/// Reads a level of the register file.
fn register_level(line: &mut Line) -> Result<RegisterLevel, TextError> {
    let column = line.column();
    let word = line.word("a level of the register file")?;
    let entry = word.strip_prefix("orf").and_then(|digits| digits.parse().ok());
    match word.as_str() {
        "main" | "_" => Ok(RegisterLevel::Main),
        "lrf" => Ok(RegisterLevel::LastResult),
        _ => entry.filter(|&entry| entry < OPERAND_ENTRIES).map(RegisterLevel::Operand).ok_or_else(
            || {
                let mut error = line.error_at(column, format!("there is no level `{word}`"));
                error.help =
                    Some(format!("there are main, lrf and orf0 to orf{}", OPERAND_ENTRIES - 1));
                error
            },
        ),
    }
}

/// Help that names the candidate nearest to a word, if one is near. In huge kernels only the first
/// thousand labels are searched: more would only cost time.
fn closest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    nearest(word, candidates.take(1000)).map(|candidate| format!("did you mean `{candidate}`?"))
}

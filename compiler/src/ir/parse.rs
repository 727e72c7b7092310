//! Reads the text form of the intermediate representation.
//!
//! The text is line by line. Numbers of values and blocks are kept, so that printing a parsed text
//! gives the text back.

use super::print::VERSION;
use super::scan::{Cursor, Kind as Token, Result, Wrong, tokens, unknown};
use super::{
    Access, Block, BlockData, Function, Guarded, Instruction, Kind, Location, Operands, PartOf,
    Slot, SlotData, Type, Value, atomic_operands, computes, result_type,
};
use reconverge_isa::names::{NameKind, renamed};
use reconverge_isa::table::TABLE;
use reconverge_isa::text::{Position, TextError, TextFault};
use reconverge_isa::{
    CacheHints, Effect, HintValues, Hints, Op, Parameter, Queue, SITES, Space, Special, Variable,
    Width, hints,
};

/// More faults than anyone reads in one go.
const MAX_ERRORS: usize = 100;

/// Kernels, the device's variables, and the files that their locations name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// File names, by number.
    pub files: Vec<String>,
    /// `__device__` and `__constant__` variables.
    pub variables: Vec<Variable>,
    /// In order.
    pub functions: Vec<Function>,
    /// The places of their parts, by function.
    pub places: Vec<Places>,
}

/// The places of a kernel's parts in its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Its first line.
    pub kernel: Position,
    /// Its parameters.
    pub parameters: Vec<Position>,
    /// Labels by block; line 0 for blocks that do not exist.
    pub blocks: Vec<Position>,
    /// Instructions by value; line 0 for numbers that are not in use.
    pub values: Vec<Position>,
}

/// Reads a text. The kernels are well-formed text; [`verify`](super::verify::verify) decides if
/// they are well-formed programs.
///
/// # Errors
/// The faults, at most a hundred, in the order of their places.
pub fn parse(text: &str) -> std::result::Result<Text, Vec<TextError>> {
    let mut parser = Parser {
        // Gaps in the numbers cost memory, so a number may not run far ahead of the text.
        limit: 100_000 + 16 * text.lines().count() as u32,
        ..Parser::default()
    };
    let mut errors = Vec::new();
    for (index, line) in text.lines().enumerate() {
        parser.number = index as u32 + 1;
        let read = tokens(line).and_then(|(tokens, _)| parser.line(&mut Cursor::new(&tokens)));
        errors.extend(read.err().map(|wrong| wrong.on(parser.number)));
        if errors.len() >= MAX_ERRORS {
            return Err(errors);
        }
    }
    if let Some((_, places)) = &parser.function {
        let Position { line, column } = places.kernel;
        errors.push(Wrong::new(column, "the kernel is not closed with `}`").on(line));
    }
    if errors.is_empty() { Ok(parser.text) } else { Err(errors) }
}

#[derive(Default)]
struct Parser {
    text: Text,
    function: Option<(Function, Places)>,
    block: Option<Block>,
    limit: u32,
    /// The line that is read.
    number: u32,
    /// True if there was anything but comments.
    has_begun: bool,
    /// Instructions without a result; they get numbers when all named ones are known.
    unnamed: Vec<(Block, usize, Instruction, Position)>,
}

impl Parser {
    fn line(&mut self, cursor: &mut Cursor) -> Result<()> {
        let Some(first) = cursor.peek(0) else {
            return Ok(());
        };
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        let Some((function, places)) = &mut self.function else {
            self.top(cursor, is_first)?;
            return cursor.end();
        };
        match first {
            Token::Mark('}') => {
                self.close();
                cursor.mark('}')?;
            }
            Token::Word(_) if cursor.peek(1) == Some(&Token::Mark(':')) => self.label(cursor)?,
            _ if self.block.is_none() => {
                let position = Position { line: self.number, column: cursor.column() };
                header(function, cursor)?;
                if places.parameters.len() < function.parameters.len() {
                    places.parameters.push(position);
                }
            }
            _ => return self.instruction(cursor),
        }
        cursor.end()
    }

    fn top(&mut self, cursor: &mut Cursor, is_first: bool) -> Result<()> {
        let column = cursor.column();
        match cursor.word("`file`, `variable` or `kernel`")? {
            "version" => {
                let at = cursor.column();
                let given = cursor.number("a version")?;
                if !is_first {
                    let message = "`version` stands in front of everything else";
                    return Err(Wrong::new(column, message));
                }
                if given != VERSION {
                    let help = format!("version {VERSION} is read here; `compile` writes it again");
                    let message = format!("the text is of version {given}");
                    return Err(Wrong::new(at, message).help(help));
                }
            }
            "file" => {
                let at = cursor.column();
                let number = cursor.number("a file number")?;
                if number as usize != self.text.files.len() {
                    return Err(
                        Wrong::new(at, "files are numbered from 0, in order").of(TextFault::Rule)
                    );
                }
                self.text.files.push(cursor.string("the file's name in quotes")?);
            }
            "variable" => {
                let name = cursor.string("the variable's name in quotes")?;
                let address = cursor.number("the variable's address")?;
                let size = cursor.number("the variable's size")?;
                let image = image(cursor)?;
                self.text.variables.push(Variable { name, address, size, image });
            }
            "image" => {
                let bytes = image(cursor)?;
                let Some(variable) = self.text.variables.last_mut() else {
                    return Err(Wrong::new(column, "`image` follows a `variable`"));
                };
                variable.image.extend(bytes);
            }
            "kernel" => {
                let name = match cursor.peek(0) {
                    Some(Token::Quoted(_)) => cursor.string("")?,
                    _ => cursor.word("the kernel's name")?.to_owned(),
                };
                let kernel = Position { line: self.number, column };
                let places = Places { kernel, ..Places::default() };
                self.function = Some((Function { name, ..Function::default() }, places));
                self.block = None;
                cursor.mark('{')?;
            }
            other => {
                let known = ["version", "file", "variable", "image", "kernel"];
                return Err(unknown(column, "line", other, known));
            }
        }
        Ok(())
    }

    fn label(&mut self, cursor: &mut Cursor) -> Result<()> {
        let position = Position { line: self.number, column: cursor.column() };
        let wrong = |kind, message| Err(Wrong::new(position.column, message).of(kind));
        let block = cursor.block()?;
        cursor.mark(':')?;
        if block.0 >= self.limit {
            return wrong(TextFault::Range, format!("the block number {} is too large", block.0));
        }
        let Some((function, places)) = &mut self.function else {
            return Ok(());
        };
        if function.blocks.len() <= block.index() {
            function.blocks.resize(block.index() + 1, BlockData::default());
            places.blocks.resize(block.index() + 1, Position::default());
        }
        self.block = Some(block);
        if places.blocks[block.index()].line != 0 {
            return wrong(TextFault::Name, format!("block {block} is defined twice"));
        }
        places.blocks[block.index()] = position;
        Ok(())
    }

    fn instruction(&mut self, cursor: &mut Cursor) -> Result<()> {
        let position = Position { line: self.number, column: cursor.column() };
        let named = cursor.peek(1) == Some(&Token::Mark('='));
        let name = if named { Some(cursor.value()?) } else { None };
        if named {
            cursor.mark('=')?;
        }
        let (kind, ty) = operation(cursor)?;
        let location = location(cursor)?;
        let variable = match cursor.peek(0) {
            Some(Token::Quoted(_)) => Some(cursor.string("")?.into()),
            _ => None,
        };
        let hints = hints(cursor)?;
        cursor.end()?;
        let wrong = |kind, message: String| Err(Wrong::new(position.column, message).of(kind));
        let instruction = Instruction { kind, ty, location, variable, hints };
        let (Some((function, places)), Some(block)) = (&mut self.function, self.block) else {
            return Ok(());
        };
        match name {
            Some(_) if ty.is_none() => {
                return wrong(TextFault::Rule, "the instruction has no result".to_owned());
            }
            None if ty.is_some() => {
                return wrong(TextFault::Rule, "the result needs a name: `%1 = ...`".to_owned());
            }
            Some(value) => {
                if value.0 >= self.limit {
                    let message = format!("the value number {} is too large", value.0);
                    return wrong(TextFault::Range, message);
                }
                if !define(function, value, instruction) {
                    let first = places.values.get(value.index()).map_or(0, |place| place.line);
                    let message = format!("{value} is defined twice, first in line {first}");
                    return wrong(TextFault::Name, message);
                }
                place(places, value, position);
                function.blocks[block.index()].instructions.push(value);
            }
            None => {
                let instructions = &mut function.blocks[block.index()].instructions;
                self.unnamed.push((block, instructions.len(), instruction, position));
                instructions.push(Value(u32::MAX));
            }
        }
        Ok(())
    }

    fn close(&mut self) {
        let Some((mut function, mut places)) = self.function.take() else {
            return;
        };
        for (block, at, instruction, position) in self.unnamed.drain(..) {
            let value = function.add_copy(instruction.kind.clone(), &instruction);
            place(&mut places, value, position);
            function.blocks[block.index()].instructions[at] = value;
        }
        self.text.functions.push(function);
        self.text.places.push(places);
        self.block = None;
    }
}

fn place(places: &mut Places, value: Value, position: Position) {
    if places.values.len() <= value.index() {
        places.values.resize(value.index() + 1, Position::default());
    }
    places.values[value.index()] = position;
}

/// Gives a value its instruction, if it has none.
fn define(function: &mut Function, value: Value, instruction: Instruction) -> bool {
    if function.values.len() <= value.index() {
        let location = Location::default();
        let (variable, hints) = (None, Hints::NONE);
        let hole = Instruction { kind: Kind::Removed, ty: None, location, variable, hints };
        function.values.resize(value.index() + 1, hole);
    }
    let is_free = function.kind(value) == &Kind::Removed;
    if is_free {
        function.values[value.index()] = instruction;
    }
    is_free
}

/// Bytes as pairs of hexadecimal digits, to the end of the line.
fn image(cursor: &mut Cursor) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while cursor.peek(0).is_some() {
        let column = cursor.column();
        let word = cursor.word("bytes in hexadecimal")?;
        let digits: Option<Vec<u8>> =
            word.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
        match digits {
            Some(digits) if digits.len() % 2 == 0 => {
                bytes.extend(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]));
            }
            _ => return Err(Wrong::new(column, "expected pairs of hexadecimal digits")),
        }
    }
    Ok(bytes)
}

/// The first words of lines between `kernel` and the first block.
const KNOWN: [&str; 7] = ["param", "shared", "threads", "blocks", "registers", "slot", "unroll"];

/// The first words of lines outside of kernels.
const TOP: [&str; 5] = ["version", "file", "variable", "image", "kernel"];

/// The words that lines and instructions begin with, for editors.
pub fn keywords() -> Vec<&'static str> {
    TOP.into_iter().chain(KNOWN).chain(mnemonics()).collect()
}

/// A line between `kernel` and the first block.
fn header(function: &mut Function, cursor: &mut Cursor) -> Result<()> {
    let column = cursor.column();
    match cursor
        .word("`param`, `shared`, `threads`, `blocks`, `registers`, `slot`, `unroll` or a block")?
    {
        "param" => function.parameters.push(Parameter {
            name: cursor.string("the parameter's name in quotes")?,
            offset: cursor.number("an offset")?,
            size: cursor.number("a size")?,
        }),
        "shared" => function.shared_bytes = cursor.number("a number of bytes")?,
        "threads" => function.max_threads = cursor.number("a number of threads")?,
        "blocks" => function.min_blocks = cursor.number("a number of blocks")?,
        "registers" => function.max_registers = cursor.number("a number of registers")?,
        "slot" => {
            let at = cursor.column();
            if cursor.numbered('s', "a slot such as `s0`")? as usize != function.slots.len() {
                return Err(
                    Wrong::new(at, "slots are numbered from 0, in order").of(TextFault::Rule)
                );
            }
            let (name, size) =
                (cursor.string("the slot's name in quotes")?, cursor.number("a size")?);
            let at = cursor.column();
            let align = cursor.number("an alignment")?;
            if !align.is_power_of_two() {
                let wrong = Wrong::new(at, format!("the alignment {align} is no power of two"));
                return Err(wrong.of(TextFault::Range));
            }
            function.slots.push(SlotData { name, size, align });
        }
        "unroll" => {
            let iterations = cursor.number("a number of iterations")?;
            function.unroll.push((location(cursor)?, iterations));
        }
        other if operation_exists(other) => {
            let message = "instructions stand in blocks: a label is missing";
            return Err(Wrong::new(column, message).help("the first block is `b0:`"));
        }
        other => return Err(unknown(column, "line in front of the first block", other, KNOWN)),
    }
    Ok(())
}

/// Returns true if a line may begin with the word inside a block.
fn operation_exists(word: &str) -> bool {
    word.starts_with('%')
        || mnemonics().any(|known| known == word.split('.').next().unwrap_or(word) || known == word)
}

/// The first words of instructions.
fn mnemonics() -> impl Iterator<Item = &'static str> {
    const OWN: [&str; 16] = [
        "const", "address", "slot", "param", "special", "ld", "st", "atom", "enq", "deq", "part",
        "join", "phi", "jump", "branch", "return",
    ];
    let computing = TABLE.iter().filter(|row| computes(row.op) || row.op.is_collective());
    OWN.into_iter().chain(computing.map(|row| row.mnemonic))
}

fn location(cursor: &mut Cursor) -> Result<Location> {
    if is_hint(cursor) || !cursor.has('!') {
        return Ok(Location::default());
    }
    let first = cursor.number("a line")?;
    cursor.mark(':')?;
    let second = cursor.number("a column")?;
    if cursor.has(':') {
        let column = cursor.number("a column")?;
        return Ok(Location { file: first, line: second, column });
    }
    Ok(Location { file: 0, line: first, column: second })
}

/// Returns true if a hint follows.
fn is_hint(cursor: &Cursor) -> bool {
    cursor.peek(0) == Some(&Token::Mark('!')) && cursor.peek(1) == Some(&Token::Word(HINT))
}

/// Reads hints: each `!hint NAME VALUE`.
fn hints(cursor: &mut Cursor) -> Result<Hints> {
    let mut hints = Hints::NONE;
    while is_hint(cursor) {
        cursor.mark('!')?;
        cursor.word(HINT)?;
        let column = cursor.column();
        let name = cursor.word("the name of a hint")?;
        let hint = hints::find(name);
        let hint = hint.map_err(|message| Wrong::new(column, message).of(TextFault::Name))?;
        if hints.get(hint).is_some() {
            let wrong = Wrong::new(column, format!("hint `{name}` appears twice"));
            return Err(wrong.of(TextFault::Name));
        }
        if hint.values == HintValues::Instruction {
            let message = format!("hint `{name}` is an instruction of machine code");
            return Err(Wrong::new(column, message).of(TextFault::Rule));
        }
        let column = cursor.column();
        let value = hint.value(cursor.word("the value of a hint")?);
        let set = value.and_then(|value| hints.set(hint, value));
        set.map_err(|message| Wrong::new(column, message).of(TextFault::Range))?;
    }
    Ok(hints)
}

/// The word that begins a hint.
const HINT: &str = "hint";

type Operation = (Kind, Option<Type>);

fn operation(cursor: &mut Cursor) -> Result<Operation> {
    if cursor.has('@') { guarded(cursor) } else { unguarded(cursor) }
}

fn unguarded(cursor: &mut Cursor) -> Result<Operation> {
    let column = cursor.column();
    let word = cursor.word("an instruction")?;
    if let Some(op) = Op::from_mnemonic(word).filter(|&op| computes(op)) {
        let operands = cursor.values(op.row().sources.len())?;
        return Ok((Kind::Compute(op, operands), result_type(op)));
    }
    if let Some(op) = Op::from_mnemonic(word).filter(|op| op.is_collective()) {
        if op.row().effect == Effect::Barrier && cursor.is_number() {
            let site = site(cursor)?;
            let mut operands = Vec::new();
            for _ in op.row().sources {
                cursor.mark(',')?;
                operands.push(cursor.value()?);
            }
            return Ok((Kind::Matched(op, Operands::new(&operands), site), result_type(op)));
        }
        let operands = cursor.values(op.row().sources.len())?;
        return Ok((Kind::Collective(op, operands), result_type(op)));
    }
    let (name, suffix) = word.split_once('.').unwrap_or((word, ""));
    match name {
        "const" => constant(cursor, ty(column, suffix)?),
        "address" => {
            let offset = cursor.number("an offset")?;
            Ok((Kind::Address(space(column, suffix)?, offset), Some(Type::B32)))
        }
        "slot" => {
            let slot = Slot(cursor.numbered('s', "a slot such as `s0`")?);
            Ok((Kind::Slot(slot), Some(Type::B32)))
        }
        "param" => parameter(cursor, column, suffix),
        "special" => {
            let column = cursor.column();
            let name = cursor.word("a special value")?;
            let special = named(column, "special value", name, &Special::ALL)?;
            Ok((Kind::Special(special), Some(Type::B32)))
        }
        "ld" => {
            let access = access(column, suffix)?;
            Ok((Kind::Load(access, cursor.value()?), Some(Type::of_width(access.width))))
        }
        "st" => {
            let operands = cursor.values(2)?;
            Ok((Kind::Store(access(column, suffix)?, operands[0], operands[1]), None))
        }
        "atom" => atomic(cursor, column, word),
        "enq" => enqueue(cursor, column, suffix),
        "deq" => {
            let queue = named(column, "queue", suffix, &Queue::ALL)?;
            let ty = if queue == Queue::Predicate { Type::Pred } else { Type::B32 };
            Ok((Kind::Dequeue(queue, site(cursor)?), Some(ty)))
        }
        "part" => {
            let at = cursor.column();
            let word = cursor.number("a word's number")?;
            let word = u8::try_from(word);
            let word = word.map_err(|_| {
                Wrong::new(at, "words are numbered from 0 to 3").of(TextFault::Range)
            })?;
            cursor.mark(',')?;
            Ok((Kind::Part(cursor.value()?, word), Some(ty(column, suffix)?)))
        }
        "join" => {
            let mut parts = vec![cursor.value()?];
            while cursor.has(',') {
                parts.push(cursor.value()?);
            }
            Ok((Kind::Join(parts), Some(ty(column, suffix)?)))
        }
        "phi" => phi(cursor, ty(column, suffix)?),
        "jump" => Ok((Kind::Jump(cursor.block()?), None)),
        "branch" => {
            let condition = cursor.value()?;
            cursor.mark(',')?;
            let then = cursor.block()?;
            cursor.mark(',')?;
            Ok((Kind::Branch(condition, then, cursor.block()?), None))
        }
        "return" => Ok((Kind::Return, None)),
        _ => {
            if let Some(new) = renamed(NameKind::Mnemonic, word) {
                let wrong = Wrong::new(column, format!("`{word}` is now called `{new}`"));
                return Err(wrong.of(TextFault::Name));
            }
            Err(unknown(column, "instruction", word, mnemonics()))
        }
    }
}

/// A guarded access, after the `@`.
fn guarded(cursor: &mut Cursor) -> Result<Operation> {
    let holds = cursor.value()?;
    let column = cursor.column();
    let (access, ty) = unguarded(cursor)?;
    if !matches!(access, Kind::Load(..) | Kind::Store(..) | Kind::Atomic(..)) {
        let message = "only loads, stores and atomics have guards";
        return Err(Wrong::new(column, message).help("write `ld`, `st` or `atom` after the guard"));
    }
    let otherwise = match ty {
        Some(_) => {
            let column = cursor.column();
            if cursor.word("`else`")? != "else" {
                let message = "a guarded load or atomic says its result where the guard is false";
                return Err(Wrong::new(column, message).help("add `else %VALUE`"));
            }
            Some(cursor.value()?)
        }
        None => None,
    };
    Ok((Kind::Guarded(Box::new(Guarded { access, holds, otherwise })), ty))
}

/// The meaning of a word that a table spells.
fn named<T: Copy>(column: u32, what: &str, word: &str, all: &[(T, &'static str)]) -> Result<T> {
    let found = all.iter().find(|(_, spelling)| *spelling == word);
    let known = all.iter().map(|(_, spelling)| *spelling);
    found.map(|found| found.0).ok_or_else(|| unknown(column, what, word, known))
}

fn site(cursor: &mut Cursor) -> Result<u8> {
    let column = cursor.column();
    let site = cursor.number("a site")?;
    let fits = u8::try_from(site).ok().filter(|&site| usize::from(site) < SITES);
    fits.ok_or_else(|| {
        Wrong::new(column, format!("sites end at {}", SITES - 1)).of(TextFault::Range)
    })
}

fn enqueue(cursor: &mut Cursor, column: u32, suffix: &str) -> Result<Operation> {
    let (name, rest) = suffix.split_once('.').unwrap_or((suffix, ""));
    let queue = named(column, "queue", name, &Queue::ALL)?;
    let access = match queue {
        Queue::Predicate if rest.is_empty() => Access::default(),
        _ => access(column, rest)?,
    };
    let site = site(cursor)?;
    cursor.mark(',')?;
    Ok((Kind::Enqueue(queue, site, access, cursor.value()?), None))
}

fn ty(column: u32, name: &str) -> Result<Type> {
    named(column, "type", name, &Type::ALL)
}

fn space(column: u32, name: &str) -> Result<Space> {
    named(column, "space", name, &Space::ALL)
}

fn access(column: u32, suffix: &str) -> Result<Access> {
    let marked = |text, mark| match str::strip_prefix(text, mark) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (volatile, rest) = marked(suffix, "volatile.");
    let (raw, rest) = marked(rest, "raw.");
    let (part, mut rest) = part_of(rest);
    let mut cache = CacheHints::NONE;
    while let Some((_, after)) = rest.split_once('.').filter(|(hint, _)| cache.add(hint)) {
        rest = after;
    }
    let (where_to, how_wide) = rest.split_once('.').ok_or_else(|| {
        Wrong::new(column, "expected a space and a width").help("write `ld.global.b32` or its like")
    })?;
    let width = named(column, "width", how_wide, &Width::ALL)?;
    Ok(Access { space: space(column, where_to)?, width, volatile, raw, part, cache })
}

/// `4of16.` in front of the space: the part of a vector that is accessed.
fn part_of(text: &str) -> (Option<PartOf>, &str) {
    let found = text.split_once('.').and_then(|(first, rest)| {
        let (at, bytes) = first.split_once("of")?;
        let (at, bytes) = (at.parse::<u8>().ok()?, bytes.parse::<u8>().ok()?);
        (matches!(bytes, 8 | 16) && at < bytes).then_some((PartOf { bytes, at }, rest))
    });
    found.map_or((None, text), |(part, rest)| (Some(part), rest))
}

fn constant(cursor: &mut Cursor, ty: Type) -> Result<Operation> {
    let column = cursor.column();
    let word = cursor.word("a number")?;
    let bits = match (ty, word.strip_prefix("0x")) {
        (Type::Pred, _) => match word {
            "true" => Some(1),
            "false" => Some(0),
            _ => None,
        },
        (_, Some(digits)) => u64::from_str_radix(digits, 16).ok(),
        (_, None) => word.parse::<i64>().ok().map(|number| number as u64),
    };
    let bits = bits.ok_or_else(|| {
        let message = format!("`{word}` is not a constant of type {}", ty.name());
        let is_float = word.parse::<f64>().is_ok();
        let wrong = Wrong::new(column, message);
        match ty {
            Type::Pred => wrong.help("there are `true` and `false`"),
            Type::B32 if is_float => {
                let bits = word.parse::<f32>().unwrap_or_default().to_bits();
                wrong.help(format!("constants are bits: as a float it is `{bits:#x}`"))
            }
            _ if is_float => {
                let bits = word.parse::<f64>().unwrap_or_default().to_bits();
                wrong.help(format!("constants are bits: as a double it is `{bits:#x}`"))
            }
            _ => wrong,
        }
    })?;
    let fits = bits & ty.mask() == bits || (ty == Type::B32 && bits as i32 as i64 == bits as i64);
    if !fits {
        let wrong = Wrong::new(column, format!("`{word}` does not fit {}", ty.name()));
        return Err(wrong.of(TextFault::Range));
    }
    Ok((Kind::Constant(bits & ty.mask()), Some(ty)))
}

fn parameter(cursor: &mut Cursor, column: u32, suffix: &str) -> Result<Operation> {
    let global = suffix == "global";
    let ty = if global { Type::B32 } else { ty(column, suffix)? };
    let offset = cursor.number("an offset")?;
    Ok((Kind::Parameter { offset, global }, Some(ty)))
}

fn atomic(cursor: &mut Cursor, column: u32, word: &str) -> Result<Operation> {
    let atomics = || TABLE.iter().filter(|row| row.effect == Effect::Atomic);
    let wrong = || {
        let known = atomics().map(|row| row.mnemonic);
        let mnemonic = word.rsplit_once('.').map_or(word, |(mnemonic, _)| mnemonic);
        let wrong = unknown(column, "instruction", mnemonic, known);
        match wrong.help {
            Some(_) => wrong,
            None => wrong.help("atomics are written like `atom.add.i32.global`"),
        }
    };
    let (mnemonic, where_to) = word.rsplit_once('.').ok_or_else(wrong)?;
    let op = atomics().find(|row| row.mnemonic == mnemonic).ok_or_else(wrong)?.op;
    let operands = cursor.values(atomic_operands(op))?;
    Ok((Kind::Atomic(op, space(column, where_to)?, operands), result_type(op)))
}

fn phi(cursor: &mut Cursor, ty: Type) -> Result<Operation> {
    let mut incoming = Vec::new();
    loop {
        incoming.push((cursor.block()?, cursor.value()?));
        if !cursor.has(',') {
            return Ok((Kind::Phi(incoming), Some(ty)));
        }
    }
}

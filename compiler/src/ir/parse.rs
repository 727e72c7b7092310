//! Reads the text form of the intermediate representation.
//!
//! The text is line by line. Numbers of values and blocks are kept, so that printing what was
//! read gives the text back.

use super::{
    Access, Block, BlockData, Function, Instruction, Kind, Location, Operands, PartOf, Slot,
    SlotData, Type, Value, atomic_operands, computes, result_type,
};
use reconverge_isa::{Effect, Op, Parameter, Queue, SITES, Space, Special, Width};
use std::fmt::{self, Display, Formatter};

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

impl Display for ParseError {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Kernels and the files that their locations name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// File names, by number.
    pub files: Vec<String>,
    /// In order.
    pub functions: Vec<Function>,
}

type Result<T> = std::result::Result<T, String>;

/// Reads a text. The kernels are well-formed text; whether they are well-formed programs is for
/// [`verify`](super::verify::verify) to say.
pub fn parse(text: &str) -> std::result::Result<Text, ParseError> {
    let mut parser = Parser {
        // Gaps in the numbers cost memory, so a number may not run far ahead of the text.
        limit: 100_000 + 16 * text.lines().count() as u32,
        ..Parser::default()
    };
    let mut last = 0;
    for (index, line) in text.lines().enumerate() {
        last = index as u32 + 1;
        let fail = |message| ParseError { line: last, message };
        let tokens = tokens(line).map_err(fail)?;
        parser.line(&tokens).map_err(fail)?;
    }
    if parser.function.is_some() {
        let message = "the kernel is not closed with `}`".to_owned();
        return Err(ParseError { line: last, message });
    }
    Ok(parser.text)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Quoted(String),
    Mark(char),
}

fn tokens(line: &str) -> Result<Vec<Token<'_>>> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        match first {
            ';' => break,
            '"' => {
                let (string, after) = quoted(rest)?;
                found.push(Token::Quoted(string));
                rest = after;
            }
            '=' | ',' | ':' | '{' | '}' | '!' => {
                found.push(Token::Mark(first));
                rest = &rest[1..];
            }
            _ => {
                let is_end = |c: char| c.is_whitespace() || "=,:{}!;\"".contains(c);
                let end = rest.find(is_end).unwrap_or(rest.len());
                found.push(Token::Word(&rest[..end]));
                rest = &rest[end..];
            }
        }
        rest = rest.trim_start();
    }
    Ok(found)
}

fn quoted(text: &str) -> Result<(String, &str)> {
    let mut string = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Ok((string, &text[at + 1..])),
            '\\' => match characters.next() {
                Some((_, 'n')) => string.push('\n'),
                Some((_, escaped)) => string.push(escaped),
                None => break,
            },
            _ => string.push(character),
        }
    }
    Err("the string has no closing quote".to_owned())
}

/// The tokens of a line that are not read yet.
struct Cursor<'a, 't> {
    tokens: &'t [Token<'a>],
}

impl<'a> Cursor<'a, '_> {
    fn word(&mut self, what: &str) -> Result<&'a str> {
        match self.tokens.split_first() {
            Some((Token::Word(word), rest)) => {
                self.tokens = rest;
                Ok(word)
            }
            _ => Err(format!("expected {what}")),
        }
    }

    fn string(&mut self) -> Result<String> {
        match self.tokens.split_first() {
            Some((Token::Quoted(string), rest)) => {
                self.tokens = rest;
                Ok(string.clone())
            }
            _ => Err("expected a string".to_owned()),
        }
    }

    fn has(&mut self, mark: char) -> bool {
        match self.tokens.split_first() {
            Some((Token::Mark(found), rest)) if *found == mark => {
                self.tokens = rest;
                true
            }
            _ => false,
        }
    }

    fn mark(&mut self, mark: char) -> Result<()> {
        if self.has(mark) { Ok(()) } else { Err(format!("expected `{mark}`")) }
    }

    fn number(&mut self, what: &str) -> Result<u32> {
        let word = self.word(what)?;
        word.parse().map_err(|_| format!("expected {what}, found `{word}`"))
    }

    fn is_number(&self) -> bool {
        let digit = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
        matches!(self.tokens.first(), Some(Token::Word(word)) if digit(word))
    }

    fn numbered(&mut self, prefix: char, what: &str) -> Result<u32> {
        let word = self.word(what)?;
        let digits = word.strip_prefix(prefix);
        let number = digits.and_then(|digits| digits.parse().ok());
        number.ok_or_else(|| format!("expected {what}, found `{word}`"))
    }

    fn value(&mut self) -> Result<Value> {
        Ok(Value(self.numbered('%', "a value such as `%3`")?))
    }

    fn block(&mut self) -> Result<Block> {
        Ok(Block(self.numbered('b', "a block such as `b3`")?))
    }

    /// `count` values with commas between.
    fn values(&mut self, count: usize) -> Result<Operands> {
        let mut values = Vec::new();
        for index in 0..count {
            if index > 0 {
                self.mark(',')?;
            }
            values.push(self.value()?);
        }
        Ok(Operands::new(&values))
    }

    fn end(&self) -> Result<()> {
        match self.tokens.first() {
            None => Ok(()),
            Some(token) => Err(format!("unexpected {token:?} at the end of the line")),
        }
    }
}

#[derive(Default)]
struct Parser {
    text: Text,
    function: Option<Function>,
    block: Option<Block>,
    limit: u32,
    /// Instructions without a result; they get numbers when all named ones are known.
    unnamed: Vec<(Block, usize, Instruction)>,
}

impl Parser {
    fn line(&mut self, tokens: &[Token]) -> Result<()> {
        let mut cursor = Cursor { tokens };
        let Some(first) = tokens.first() else {
            return Ok(());
        };
        let Some(function) = &mut self.function else {
            self.top(&mut cursor)?;
            return cursor.end();
        };
        match first {
            Token::Mark('}') => {
                self.close();
                cursor.mark('}')?;
            }
            Token::Word(label) if tokens.get(1) == Some(&Token::Mark(':')) => {
                let _ = label;
                self.label(&mut cursor)?;
            }
            _ if self.block.is_none() => header(function, &mut cursor)?,
            _ => self.instruction(&mut cursor)?,
        }
        cursor.end()
    }

    fn top(&mut self, cursor: &mut Cursor) -> Result<()> {
        match cursor.word("`file` or `kernel`")? {
            "file" => {
                let number = cursor.number("a file number")?;
                if number as usize != self.text.files.len() {
                    return Err("files are numbered from 0, in order".to_owned());
                }
                self.text.files.push(cursor.string()?);
            }
            "kernel" => {
                let name = match cursor.tokens.first() {
                    Some(Token::Quoted(_)) => cursor.string()?,
                    _ => cursor.word("the kernel's name")?.to_owned(),
                };
                cursor.mark('{')?;
                self.function = Some(Function { name, ..Function::default() });
                self.block = None;
            }
            other => return Err(format!("expected `file` or `kernel`, found `{other}`")),
        }
        Ok(())
    }

    fn label(&mut self, cursor: &mut Cursor) -> Result<()> {
        let block = cursor.block()?;
        cursor.mark(':')?;
        if block.0 >= self.limit {
            return Err(format!("the block number {} is too large", block.0));
        }
        let Some(function) = &mut self.function else {
            return Ok(());
        };
        if function.blocks.len() <= block.index() {
            function.blocks.resize(block.index() + 1, BlockData::default());
        }
        if !function.instructions(block).is_empty() || self.block == Some(block) {
            return Err(format!("block {block} is defined twice"));
        }
        self.block = Some(block);
        Ok(())
    }

    fn instruction(&mut self, cursor: &mut Cursor) -> Result<()> {
        let named = matches!(cursor.tokens.get(1), Some(Token::Mark('=')));
        let name = if named { Some(cursor.value()?) } else { None };
        if named {
            cursor.mark('=')?;
        }
        let (kind, ty) = operation(cursor)?;
        let location = location(cursor)?;
        let variable = match cursor.tokens.first() {
            Some(Token::Quoted(_)) => Some(cursor.string()?.into()),
            _ => None,
        };
        let instruction = Instruction { kind, ty, location, variable };
        let (Some(function), Some(block)) = (&mut self.function, self.block) else {
            return Ok(());
        };
        match name {
            Some(_) if ty.is_none() => return Err("the instruction has no result".to_owned()),
            None if ty.is_some() => return Err("the result needs a name: `%1 = ...`".to_owned()),
            Some(value) => {
                if value.0 >= self.limit {
                    return Err(format!("the value number {} is too large", value.0));
                }
                define(function, value, instruction)?;
                function.blocks[block.index()].instructions.push(value);
            }
            None => {
                let instructions = &mut function.blocks[block.index()].instructions;
                self.unnamed.push((block, instructions.len(), instruction));
                instructions.push(Value(u32::MAX));
            }
        }
        Ok(())
    }

    fn close(&mut self) {
        let Some(mut function) = self.function.take() else {
            return;
        };
        for (block, at, Instruction { kind, ty, location, .. }) in self.unnamed.drain(..) {
            let value = function.add(kind, ty, location);
            function.blocks[block.index()].instructions[at] = value;
        }
        self.text.functions.push(function);
        self.block = None;
    }
}

fn define(function: &mut Function, value: Value, instruction: Instruction) -> Result<()> {
    if function.values.len() <= value.index() {
        let location = Location::default();
        let hole = Instruction { kind: Kind::Removed, ty: None, location, variable: None };
        function.values.resize(value.index() + 1, hole);
    }
    if function.kind(value) != &Kind::Removed {
        return Err(format!("{value} is defined twice"));
    }
    function.values[value.index()] = instruction;
    Ok(())
}

/// A line between `kernel` and the first block.
fn header(function: &mut Function, cursor: &mut Cursor) -> Result<()> {
    match cursor.word("`param`, `shared`, `threads`, `slot`, `unroll` or a block")? {
        "param" => function.parameters.push(Parameter {
            name: cursor.string()?,
            offset: cursor.number("an offset")?,
            size: cursor.number("a size")?,
        }),
        "shared" => function.shared_bytes = cursor.number("a number of bytes")?,
        "threads" => function.max_threads = cursor.number("a number of threads")?,
        "slot" => {
            if cursor.numbered('s', "a slot such as `s0`")? as usize != function.slots.len() {
                return Err("slots are numbered from 0, in order".to_owned());
            }
            function.slots.push(SlotData {
                name: cursor.string()?,
                size: cursor.number("a size")?,
                align: cursor.number("an alignment")?,
            });
        }
        "unroll" => {
            let iterations = cursor.number("a number of iterations")?;
            function.unroll.push((location(cursor)?, iterations));
        }
        other => return Err(format!("`{other}` stands before the first block")),
    }
    Ok(())
}

fn location(cursor: &mut Cursor) -> Result<Location> {
    if !cursor.has('!') {
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

type Operation = (Kind, Option<Type>);

fn operation(cursor: &mut Cursor) -> Result<Operation> {
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
        "const" => constant(cursor, suffix),
        "address" => {
            let offset = cursor.number("an offset")?;
            Ok((Kind::Address(space(suffix)?, offset), Some(Type::B32)))
        }
        "slot" => {
            let slot = Slot(cursor.numbered('s', "a slot such as `s0`")?);
            Ok((Kind::Slot(slot), Some(Type::B32)))
        }
        "param" => parameter(cursor, suffix),
        "special" => {
            let name = cursor.word("a special value")?;
            let found = Special::ALL.iter().find(|(_, spelling)| *spelling == name);
            let (special, _) = found.ok_or_else(|| format!("unknown special value `{name}`"))?;
            Ok((Kind::Special(*special), Some(Type::B32)))
        }
        "ld" => {
            let access = access(suffix)?;
            Ok((Kind::Load(access, cursor.value()?), Some(Type::of_width(access.width))))
        }
        "st" => {
            let operands = cursor.values(2)?;
            Ok((Kind::Store(access(suffix)?, operands[0], operands[1]), None))
        }
        "atom" => atomic(cursor, word),
        "enq" => enqueue(cursor, suffix),
        "deq" => {
            let queue = queue(suffix)?;
            let ty = if queue == Queue::Predicate { Type::Pred } else { Type::B32 };
            Ok((Kind::Dequeue(queue, site(cursor)?), Some(ty)))
        }
        "part" => {
            let word = cursor.number("a word's number")?;
            let word = u8::try_from(word).map_err(|_| "words are numbered from 0 to 3")?;
            cursor.mark(',')?;
            Ok((Kind::Part(cursor.value()?, word), Some(ty(suffix)?)))
        }
        "join" => {
            let mut parts = vec![cursor.value()?];
            while cursor.has(',') {
                parts.push(cursor.value()?);
            }
            Ok((Kind::Join(parts), Some(ty(suffix)?)))
        }
        "phi" => phi(cursor, ty(suffix)?),
        "jump" => Ok((Kind::Jump(cursor.block()?), None)),
        "branch" => {
            let condition = cursor.value()?;
            cursor.mark(',')?;
            let then = cursor.block()?;
            cursor.mark(',')?;
            Ok((Kind::Branch(condition, then, cursor.block()?), None))
        }
        "return" => Ok((Kind::Return, None)),
        _ => Err(format!("unknown instruction `{word}`")),
    }
}

fn queue(name: &str) -> Result<Queue> {
    let found = Queue::ALL.iter().find(|(_, spelling)| *spelling == name);
    Ok(found.ok_or_else(|| format!("unknown queue `{name}`"))?.0)
}

fn site(cursor: &mut Cursor) -> Result<u8> {
    let site = cursor.number("a site")?;
    let fits = u8::try_from(site).ok().filter(|&site| usize::from(site) < SITES);
    fits.ok_or_else(|| format!("sites end at {}", SITES - 1))
}

fn enqueue(cursor: &mut Cursor, suffix: &str) -> Result<Operation> {
    let (name, rest) = suffix.split_once('.').unwrap_or((suffix, ""));
    let queue = queue(name)?;
    let access = match queue {
        Queue::Predicate if rest.is_empty() => Access::default(),
        _ => access(rest)?,
    };
    let site = site(cursor)?;
    cursor.mark(',')?;
    Ok((Kind::Enqueue(queue, site, access, cursor.value()?), None))
}

fn ty(name: &str) -> Result<Type> {
    let found = Type::ALL.iter().find(|(_, spelling)| *spelling == name);
    Ok(found.ok_or_else(|| format!("unknown type `{name}`"))?.0)
}

fn space(name: &str) -> Result<Space> {
    let found = Space::ALL.iter().find(|(_, spelling)| *spelling == name);
    Ok(found.ok_or_else(|| format!("unknown space `{name}`"))?.0)
}

fn access(suffix: &str) -> Result<Access> {
    let marked = |text, mark| match str::strip_prefix(text, mark) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (volatile, rest) = marked(suffix, "volatile.");
    let (raw, rest) = marked(rest, "raw.");
    let (part, rest) = part_of(rest);
    let (where_to, how_wide) = rest.split_once('.').ok_or("expected `.SPACE.WIDTH`")?;
    let found = Width::ALL.iter().find(|(_, spelling)| *spelling == how_wide);
    let (width, _) = *found.ok_or_else(|| format!("unknown width `{how_wide}`"))?;
    Ok(Access { space: space(where_to)?, width, volatile, raw, part })
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

fn constant(cursor: &mut Cursor, suffix: &str) -> Result<Operation> {
    let ty = ty(suffix)?;
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
    let bits = bits.ok_or_else(|| format!("`{word}` is not a constant of type {}", ty.name()))?;
    let fits = bits & ty.mask() == bits || (ty == Type::B32 && bits as i32 as i64 == bits as i64);
    if !fits {
        return Err(format!("`{word}` does not fit {}", ty.name()));
    }
    Ok((Kind::Constant(bits & ty.mask()), Some(ty)))
}

fn parameter(cursor: &mut Cursor, suffix: &str) -> Result<Operation> {
    let global = suffix == "global";
    let ty = if global { Type::B32 } else { ty(suffix)? };
    let offset = cursor.number("an offset")?;
    Ok((Kind::Parameter { offset, global }, Some(ty)))
}

fn atomic(cursor: &mut Cursor, word: &str) -> Result<Operation> {
    let unknown = || format!("unknown instruction `{word}`");
    let (mnemonic, where_to) = word.rsplit_once('.').ok_or_else(unknown)?;
    let op = Op::from_mnemonic(mnemonic).ok_or_else(unknown)?;
    if op.row().effect != Effect::Atomic {
        return Err(unknown());
    }
    let operands = cursor.values(atomic_operands(op))?;
    Ok((Kind::Atomic(op, space(where_to)?, operands), result_type(op)))
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

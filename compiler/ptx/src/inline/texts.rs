//! Blocks, registers and shared variables that one `asm` statement of a function opens or declares and later ones use.
//!
//! nvcc pastes the texts of a function's statements one after the other into its PTX, so a scope lasts from the statement that
//! opens it to the one that closes it. Here such a register is a variable of the program, and each text that names it has it as
//! one more operand. A shared variable becomes one of the program too; texts have its address.

use crate::lexer::{self, Token};
use crate::scope::Scopes;
use crate::tree::{Kind, Space, Statement, Type, Variable};
use crate::{Span, SyntaxError, Text, parse};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The most registers of one declaration that later statements can use.
pub const MOST_REGISTERS: u64 = 4096;

/// The alignment of a shared variable.
const MOST_ALIGN: u64 = 16;

/// A register or variable that a function's statements share, by its number in the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    /// A register.
    Register(u32),
    /// The address of a shared variable, in this many bits.
    Address(u32, u8),
}

/// A register or variable that a text declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fresh {
    /// The next register, with its type. It holds 0.
    Register(Type),
    /// The next shared variable, aligned to 16: its name and bytes.
    Shared(Text, u32),
}

/// The statements of a function so far.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    scopes: Scopes<Named>,
    /// Blocks that are open after the last statement, with the number of the statement that opened each.
    open: Vec<usize>,
    statements: usize,
    registers: u32,
    shared: u32,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
enum Named {
    /// Registers that later statements can use, with the number of the first.
    Registers(u32, Type),
    /// A shared variable.
    Shared(u32),
    /// A name that only its own statement can use, with the number of this statement, and a noun.
    Own(usize, String),
}

/// A text without what later statements can use.
#[derive(Debug, Default)]
pub(super) struct Split {
    /// The text. A kept register or address is named by [`Split::names`].
    pub text: String,
    /// The kept registers and addresses that it names, in the order of their first use.
    pub used: Vec<(Kept, Type)>,
    /// The registers and variables that it declares.
    pub fresh: Vec<Fresh>,
}

impl Split {
    /// The name of a used register in the text. `first` is the number of the first one as an operand.
    pub fn name(number: usize, ty: Type) -> String {
        match ty.kind {
            // A predicate is carried by a register of 32 bits.
            Kind::Predicate => format!("%{number}p"),
            _ => format!("%{number}"),
        }
    }
}

/// A part of a text: a range of its tokens.
#[derive(Clone, Copy, Debug)]
enum Part {
    Open(usize),
    Close(usize),
    Label(usize),
    Declaration(usize, usize),
    Instruction(usize, usize),
}

type Placed = (u32, Token, u32);

impl Texts {
    /// The statement that opened a block that is still open: its number among the function's.
    pub fn unclosed(&self) -> Option<usize> {
        self.open.last().copied()
    }

    /// The number of statements so far.
    pub(super) fn statements(&self) -> usize {
        self.statements
    }

    /// Takes the declarations out of a text that later ones can use. The operands of the kept registers begin at `first`.
    pub(super) fn split(&mut self, text: &str, first: usize) -> Result<Split, SyntaxError> {
        let tokens = lexer::tokens(text)?.into_iter().collect::<Result<Vec<Placed>, _>>()?;
        let parts = parts(&tokens);
        let outside = unmatched(&parts);
        let mut splitting = Splitting {
            of: self,
            text,
            tokens: &tokens,
            first,
            split: Split::default(),
            copied: 0,
            depth: 0,
        };
        for (at, part) in parts.iter().enumerate() {
            splitting.part(*part, outside[at])?;
        }
        splitting.split.text.push_str(&text[splitting.copied..]);
        let split = splitting.split;
        self.statements += 1;
        Ok(split)
    }
}

/// A text that is being split.
struct Splitting<'a> {
    of: &'a mut Texts,
    text: &'a str,
    tokens: &'a [Placed],
    first: usize,
    split: Split,
    /// Bytes of the text that have been copied.
    copied: usize,
    /// Blocks around the part that the text closes itself.
    depth: usize,
}

impl Splitting<'_> {
    fn part(&mut self, part: Part, is_outside: bool) -> Result<(), SyntaxError> {
        match part {
            Part::Open(at) => {
                self.of.scopes.open();
                match is_outside {
                    true => {
                        self.of.open.push(self.of.statements);
                        self.replace(at..at + 1, "");
                    }
                    false => self.depth += 1,
                }
            }
            Part::Close(at) if is_outside => {
                if self.of.open.pop().is_none() {
                    let message = "the text closes a brace that it does not open";
                    return Err(SyntaxError::new(self.span(at), message)
                        .help("the brace is opened in the same function, by an `asm` statement above this one"));
                }
                self.of.scopes.close();
                self.replace(at..at + 1, "");
            }
            Part::Close(_) => {
                self.of.scopes.close();
                self.depth -= 1;
            }
            Part::Label(at) => {
                if let Token::Name(name) = &self.tokens[at].1 {
                    self.own(&name.clone(), None, "label");
                }
            }
            Part::Declaration(from, to) => self.declaration(from, to)?,
            Part::Instruction(from, to) => self.instruction(from, to)?,
        }
        Ok(())
    }

    fn span(&self, at: usize) -> Span {
        Span::new(self.tokens[at].0, self.tokens[at].2)
    }

    /// Copies the text up to some tokens, and writes other text in their place.
    fn replace(&mut self, tokens: std::ops::Range<usize>, by: &str) {
        let start = self.tokens[tokens.start].0 as usize;
        self.split.text.push_str(&self.text[self.copied..start]);
        self.split.text.push_str(by);
        self.copied = self.tokens[tokens.end - 1].2 as usize;
    }

    /// Declares a name that only this statement can use.
    fn own(&mut self, name: &Text, count: Option<u64>, noun: &str) {
        let meaning = Named::Own(self.of.statements, noun.to_owned());
        self.of.scopes.declare(name, count, meaning);
    }

    fn declaration(&mut self, from: usize, to: usize) -> Result<(), SyntaxError> {
        let (start, end) = (self.tokens[from].0 as usize, self.tokens[to - 1].2 as usize);
        let declared = declarations(&self.text[start..end]);
        let is_shared = declared.iter().any(|variable| variable.space == Space::Shared);
        let is_kept =
            is_shared || self.depth == 0 && declared.iter().all(|variable| keeps(variable).is_ok());
        for variable in &declared {
            let name = &variable.name.text;
            if is_shared {
                let number = self.of.shared;
                self.split.fresh.push(shared(variable, self.span(from))?);
                self.of.shared += 1;
                self.of.scopes.declare(name, None, Named::Shared(number));
            } else if is_kept {
                let count = variable.count.unwrap_or(1);
                let meaning = Named::Registers(self.of.registers, variable.ty);
                self.of.scopes.declare(name, variable.count, meaning);
                for _ in 0..count {
                    self.split.fresh.push(Fresh::Register(variable.ty));
                }
                self.of.registers += count as u32;
            } else {
                let noun = keeps(variable).err().unwrap_or_else(|| "register".to_owned());
                self.own(name, variable.count, &noun);
            }
        }
        if is_kept && !declared.is_empty() {
            self.replace(from..to, "");
        }
        Ok(())
    }

    /// Replaces the kept names of an instruction.
    fn instruction(&mut self, from: usize, to: usize) -> Result<(), SyntaxError> {
        let mut words = from;
        if matches!(self.tokens[from].1, Token::Mark("@")) {
            words += 1;
            while words < to && matches!(self.tokens[words].1, Token::Mark("!")) {
                words += 1;
            }
            if words < to {
                self.name(words, 64)?;
                words += 1;
            }
        }
        let mut of_words = self.tokens[words.min(to)..to].iter();
        let bits = of_words.find_map(|(_, token, _)| match token {
            Token::Type(ty) => Some(ty.bits),
            _ => None,
        });
        let bits = bits.unwrap_or(64);
        let mut brackets = 0usize;
        for at in words + 1..to {
            match self.tokens[at].1 {
                Token::Mark("[") => brackets += 1,
                Token::Mark("]") => brackets = brackets.saturating_sub(1),
                Token::Name(_) => {
                    let bits = if brackets == 0 && bits <= 32 { 32 } else { 64 };
                    if brackets == 0 {
                        self.offset(at, to)?;
                    }
                    self.name(at, bits)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Refuses `variable+4` where the address of the variable is in a register.
    fn offset(&self, at: usize, to: usize) -> Result<(), SyntaxError> {
        let Token::Name(name) = &self.tokens[at].1 else {
            return Ok(());
        };
        let is_followed = at + 1 < to && matches!(self.tokens[at + 1].1, Token::Mark("+" | "-"));
        match self.of.scopes.find(name) {
            Some((Named::Shared(_), _)) if is_followed => {
                let message = format!("`{name}` with an offset is an address only in brackets");
                Err(SyntaxError::new(self.span(at), message)
                    .help("move the variable's address to a register, and add the offset there"))
            }
            _ => Ok(()),
        }
    }

    /// Replaces a kept name.
    fn name(&mut self, at: usize, bits: u8) -> Result<(), SyntaxError> {
        let Token::Name(name) = &self.tokens[at].1 else {
            return Ok(());
        };
        let (kept, ty) = match self.of.scopes.find(name) {
            None => return Ok(()),
            Some((&Named::Registers(first, ty), number)) => {
                (Kept::Register(first + number as u32), ty)
            }
            Some((&Named::Shared(number), _)) => {
                let name = if bits == 32 { "b32" } else { "b64" };
                let Some(ty) = Type::find(name) else {
                    return Ok(());
                };
                (Kept::Address(number, bits), ty)
            }
            Some((Named::Own(statement, _), _)) if *statement == self.of.statements => {
                return Ok(());
            }
            Some((Named::Own(_, noun), _)) => {
                let message = format!(
                    "`{name}` is a {noun} of an earlier `asm` statement, which only that one can use"
                );
                let help = "write both in one statement";
                return Err(SyntaxError::new(self.span(at), message).help(help));
            }
        };
        let used = self.split.used.iter().position(|(known, _)| *known == kept);
        let used = used.unwrap_or_else(|| {
            self.split.used.push((kept, ty));
            self.split.used.len() - 1
        });
        let new = Split::name(self.first + used, ty);
        self.replace(at..at + 1, &new);
        Ok(())
    }
}

/// Returns a noun for a register that only its own statement can use.
fn keeps(variable: &Variable) -> Result<(), String> {
    if variable.space != Space::Register {
        Err(format!("`.{}` variable", variable.space.name()))
    } else if variable.vector != 1 {
        Err("vector register".to_owned())
    } else if variable.ty.bits > 64 || matches!(variable.ty.kind, Kind::Reference | Kind::Tensor) {
        Err(format!("`.{}` register", variable.ty.name))
    } else if variable.count.unwrap_or(1) > MOST_REGISTERS {
        Err(format!("register of a declaration of more than {MOST_REGISTERS}"))
    } else {
        Ok(())
    }
}

/// A shared variable.
fn shared(variable: &Variable, span: Span) -> Result<Fresh, SyntaxError> {
    let name = &variable.name.text;
    if variable.linkage.external || variable.dimensions.contains(&None) {
        let message = format!("`{name}` has no size");
        return Err(SyntaxError::new(span, message)
            .help("declare `extern __shared__` in the program, and pass its address"));
    }
    let element = u64::from(variable.ty.bytes()) * u64::from(variable.vector);
    let dimensions = variable.dimensions.iter().flatten();
    let bytes = dimensions.fold(element, |bytes, &count| bytes.saturating_mul(count));
    let align = variable.align.unwrap_or(element);
    let Some(bytes) = u32::try_from(bytes).ok().filter(|&bytes| bytes > 0) else {
        let message = format!("`{name}` has {bytes} bytes");
        return Err(SyntaxError::new(span, message).help("give it as many as a block may have"));
    };
    if align > MOST_ALIGN {
        let message = format!("`.align {align}` in `asm` is more than {MOST_ALIGN}");
        return Err(SyntaxError::new(span, message)
            .help("declare a larger array, and round its address up"));
    }
    Ok(Fresh::Shared(name.clone(), bytes))
}

/// The variables of a declaration; none if it is faulty, which the check of the whole text will report.
fn declarations(text: &str) -> Vec<Variable> {
    let mut whole = String::from(".version 9.0\n.target sm_90\n.address_size 64\n.func f()\n{\n");
    let _ = write!(whole, "{text}\n}}\n");
    let Ok(module) = parse(&whole) else {
        return Vec::new();
    };
    let body = module.functions.into_iter().filter_map(|function| function.body);
    let statements = body.flat_map(|body| body.statements);
    statements
        .filter_map(|statement| match statement {
            Statement::Variable(variable) => Some(variable),
            _ => None,
        })
        .collect()
}

/// The parts of a text that matter here.
fn parts(tokens: &[Placed]) -> Vec<Part> {
    let is = |at: usize, mark: &str| matches!(tokens.get(at), Some((_, Token::Mark(it), _)) if *it == mark);
    let end = |from: usize| {
        (from..tokens.len()).find(|&at| is(at, ";")).map_or(tokens.len(), |at| at + 1)
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((_, token, _)) = tokens.get(at) {
        let next = match token {
            Token::Mark("{") => {
                found.push(Part::Open(at));
                at + 1
            }
            Token::Mark("}") => {
                found.push(Part::Close(at));
                at + 1
            }
            Token::Name(_) if is(at + 1, ":") => {
                found.push(Part::Label(at));
                at + 2
            }
            Token::Name(_) | Token::Mark("@") => {
                found.push(Part::Instruction(at, end(at)));
                end(at)
            }
            Token::Space(_) | Token::Directive("extern" | "weak" | "visible" | "common") => {
                found.push(Part::Declaration(at, end(at)));
                end(at)
            }
            // `.loc 1 2 3` has no end of its own.
            Token::Directive("loc") | Token::Number(_) | Token::Mark(_) | Token::Section => at + 1,
            _ => end(at),
        };
        at = next;
    }
    found
}

/// For each part: true if it is a brace whose counterpart is in another statement.
fn unmatched(parts: &[Part]) -> Vec<bool> {
    let mut outside = vec![false; parts.len()];
    let mut open = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Open(_) => open.push(at),
            Part::Close(_) => outside[at] = open.pop().is_none(),
            _ => {}
        }
    }
    open.into_iter().for_each(|at| outside[at] = true);
    outside
}

/// The operands of the used registers, as the text declares them, and the statements around it.
pub(super) fn frame(used: &[(Kept, Type)], first: usize) -> (String, String) {
    let (mut before, mut after) = (String::new(), String::new());
    let predicates: BTreeMap<usize, Type> = used
        .iter()
        .enumerate()
        .filter(|(_, (_, ty))| ty.kind == Kind::Predicate)
        .map(|(at, (_, ty))| (first + at, *ty))
        .collect();
    for (&number, &ty) in &predicates {
        let name = Split::name(number, ty);
        let _ = writeln!(before, ".reg .pred {name};\nsetp.ne.u32 {name}, %{number}, 0;");
        let _ = writeln!(after, "selp.u32 %{number}, 1, 0, {name};");
    }
    (before, after)
}

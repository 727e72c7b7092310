//! Tokens of one line of the IR's text.

use super::{Block, Operands, Value};
use reconverge_isa::nearest::nearest;
use reconverge_isa::text::{TextError, TextFault};

/// The fault of a line: a column, from 1, a message, and the correction if it is known.
#[derive(Debug)]
pub(super) struct Wrong {
    pub column: u32,
    pub message: String,
    pub help: Option<String>,
    pub kind: TextFault,
}

impl Wrong {
    pub fn new(column: u32, message: impl Into<String>) -> Wrong {
        Wrong { column, message: message.into(), help: None, kind: TextFault::Syntax }
    }

    /// The same of another kind.
    pub fn of(self, kind: TextFault) -> Wrong {
        Wrong { kind, ..self }
    }

    /// Adds the correct form to the message.
    pub fn help(mut self, help: impl Into<String>) -> Wrong {
        self.help = Some(help.into());
        self
    }

    /// The fault on a line of a text.
    pub fn on(self, line: u32) -> TextError {
        let Wrong { column, message, help, kind } = self;
        TextError { line, column, message, help, kind }
    }
}

pub(super) type Result<T> = std::result::Result<T, Wrong>;

/// An unknown word, with the nearest known one or, where they are few, all known ones.
pub(super) fn unknown<'a>(
    column: u32,
    what: &str,
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Wrong {
    let known: Vec<&str> = known.into_iter().collect();
    let wrong = Wrong::new(column, format!("unknown {what} `{word}`")).of(TextFault::Name);
    match nearest(word, known.iter().copied()) {
        Some(near) => wrong.help(format!("did you mean `{near}`?")),
        None if known.len() <= 16 => wrong.help(format!("there are {}", known.join(", "))),
        None => wrong,
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    Word(&'a str),
    Quoted(String),
    Mark(char),
}

/// A token with its text and the column of its first character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub kind: Kind<'a>,
    pub text: &'a str,
    pub column: u32,
}

/// The tokens of a line, and its comment with the `;` in front, which may be empty.
pub(super) fn tokens(line: &str) -> Result<(Vec<Token<'_>>, &str)> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let at = line.len() - rest.len();
        let column = line[..at].chars().count() as u32 + 1;
        let (kind, after) = match first {
            ';' => return Ok((found, rest)),
            '"' => {
                let (string, after) = quoted(rest)
                    .ok_or_else(|| Wrong::new(column, "the string has no closing quote"))?;
                (Kind::Quoted(string), after)
            }
            '=' | ',' | ':' | '{' | '}' | '!' | '@' => (Kind::Mark(first), &rest[1..]),
            _ => {
                let is_end = |c: char| c.is_whitespace() || "=,:{}!;\"".contains(c);
                let end = rest.find(is_end).unwrap_or(rest.len());
                (Kind::Word(&rest[..end]), &rest[end..])
            }
        };
        let text = &rest[..rest.len() - after.len()];
        found.push(Token { kind, text, column });
        rest = after.trim_start();
    }
    Ok((found, ""))
}

/// A string between quotes, and the text after it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut string = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((string, &text[at + 1..])),
            '\\' => match characters.next()? {
                (_, 'n') => string.push('\n'),
                (_, 'r') => string.push('\r'),
                (_, escaped) => string.push(escaped),
            },
            _ => string.push(character),
        }
    }
    None
}

/// The tokens of a line that are not read yet.
pub(super) struct Cursor<'a, 't> {
    tokens: &'t [Token<'a>],
    /// The column after the line's last token.
    end: u32,
}

impl<'a, 't> Cursor<'a, 't> {
    pub fn new(tokens: &'t [Token<'a>]) -> Cursor<'a, 't> {
        let end = tokens.last().map_or(1, |it| it.column + it.text.chars().count() as u32);
        Cursor { tokens, end }
    }

    /// The column of the next token.
    pub fn column(&self) -> u32 {
        self.tokens.first().map_or(self.end, |token| token.column)
    }

    /// The token `index` tokens further on.
    pub fn peek(&self, index: usize) -> Option<&Kind<'a>> {
        self.tokens.get(index).map(|token| &token.kind)
    }

    /// A fault at the next token, which should be something else.
    fn expected<T>(&self, what: &str) -> Result<T> {
        let found = self.tokens.first().map_or("the end of the line".to_owned(), |token| {
            let quote = if token.text.starts_with('"') { "" } else { "`" };
            format!("{quote}{}{quote}", token.text)
        });
        Err(Wrong::new(self.column(), format!("expected {what}, found {found}")))
    }

    fn skip(&mut self) {
        self.tokens = &self.tokens[self.tokens.len().min(1)..];
    }

    pub fn word(&mut self, what: &str) -> Result<&'a str> {
        match self.peek(0) {
            Some(&Kind::Word(word)) => {
                self.skip();
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    pub fn string(&mut self, what: &str) -> Result<String> {
        match self.peek(0) {
            Some(Kind::Quoted(string)) => {
                let string = string.clone();
                self.skip();
                Ok(string)
            }
            _ => self.expected(what),
        }
    }

    pub fn has(&mut self, mark: char) -> bool {
        let found = self.peek(0) == Some(&Kind::Mark(mark));
        if found {
            self.skip();
        }
        found
    }

    pub fn mark(&mut self, mark: char) -> Result<()> {
        if self.has(mark) { Ok(()) } else { self.expected(&format!("`{mark}`")) }
    }

    /// A number, decimal or, after `0x`, hexadecimal.
    pub fn number(&mut self, what: &str) -> Result<u32> {
        let number = match self.peek(0) {
            Some(Kind::Word(word)) => match word.strip_prefix("0x") {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => word.parse().ok(),
            },
            _ => None,
        };
        match number {
            Some(number) => {
                self.skip();
                Ok(number)
            }
            None => self.expected(what),
        }
    }

    pub fn is_number(&self) -> bool {
        matches!(self.peek(0), Some(Kind::Word(word)) if word.starts_with(|c: char| c.is_ascii_digit()))
    }

    pub fn numbered(&mut self, prefix: char, what: &str) -> Result<u32> {
        let number = match self.peek(0) {
            Some(Kind::Word(word)) => word.strip_prefix(prefix).and_then(|it| it.parse().ok()),
            _ => None,
        };
        match number {
            Some(number) => {
                self.skip();
                Ok(number)
            }
            None => self.expected(what),
        }
    }

    pub fn value(&mut self) -> Result<Value> {
        Ok(Value(self.numbered('%', "a value such as `%3`")?))
    }

    pub fn block(&mut self) -> Result<Block> {
        Ok(Block(self.numbered('b', "a block such as `b3`")?))
    }

    /// `count` values with commas between.
    pub fn values(&mut self, count: usize) -> Result<Operands> {
        let mut values = Vec::new();
        for index in 0..count {
            if index > 0 {
                self.mark(',')?;
            }
            values.push(self.value()?);
        }
        Ok(Operands::new(&values))
    }

    pub fn end(&self) -> Result<()> {
        if self.tokens.is_empty() { Ok(()) } else { self.expected("the end of the line") }
    }
}

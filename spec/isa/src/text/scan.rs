//! Tokens of one line of assembly text.

use super::error::{TextError, TextFault};

/// The kind of a token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// Letters, digits, `_`, `$`, `.`: mnemonics, directives, registers, labels, numbers.
    Word(String),
    /// A quoted string, its escapes resolved.
    Text(String),
    /// One of `, : [ ] @ ! + -`.
    Mark(char),
}

/// A token and its columns: the first, and the one after the last.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub column: u32,
    pub end: u32,
}

/// The tokens of a line being read from left to right.
pub(super) struct Line {
    pub number: u32,
    tokens: Vec<Token>,
    next: usize,
    /// The column after the last token.
    end: u32,
}

impl Line {
    /// Splits a line into tokens.
    pub fn scan(number: u32, text: &str) -> Result<Line, TextError> {
        let mut scanner = Scanner { number, chars: text.chars().collect(), at: 0 };
        let mut tokens = Vec::new();
        let mut end = 1;
        while let Some(token) = scanner.token()? {
            tokens.push(token);
            end = scanner.at as u32 + 1;
        }
        Ok(Line { number, tokens, next: 0, end })
    }

    /// The tokens that are left.
    pub fn rest(&self) -> &[Token] {
        &self.tokens[self.next.min(self.tokens.len())..]
    }

    /// The column of the next token.
    pub fn column(&self) -> u32 {
        self.tokens.get(self.next).map_or(self.end, |token| token.column)
    }

    /// A fault at the next token.
    pub fn error(&self, message: impl Into<String>) -> TextError {
        self.error_at(self.column(), message)
    }

    /// A fault at a column.
    pub fn error_at(&self, column: u32, message: impl Into<String>) -> TextError {
        TextError::new(self.number, column, message)
    }

    pub fn is_done(&self) -> bool {
        self.next >= self.tokens.len()
    }

    pub fn peek(&self) -> Option<&Kind> {
        self.tokens.get(self.next).map(|token| &token.kind)
    }

    /// Returns true if the token after the next is this mark.
    pub fn is_followed_by(&self, mark: char) -> bool {
        let token = self.tokens.get(self.next + 1);
        token.is_some_and(|token| token.kind == Kind::Mark(mark))
    }

    /// Takes the mark if it is next.
    pub fn accept(&mut self, mark: char) -> bool {
        let found = self.peek() == Some(&Kind::Mark(mark));
        self.next += usize::from(found);
        found
    }

    pub fn expect(&mut self, mark: char) -> Result<(), TextError> {
        if self.accept(mark) {
            Ok(())
        } else {
            Err(self.error(self.expected(&format!("`{mark}`"))))
        }
    }

    /// A message with the expected token and the one found.
    fn expected(&self, what: &str) -> String {
        match self.peek() {
            None => format!("expected {what}, found the end of the line"),
            Some(Kind::Word(word)) => format!("expected {what}, found `{word}`"),
            Some(Kind::Text(text)) => format!("expected {what}, found \"{text}\""),
            Some(Kind::Mark(mark)) => format!("expected {what}, found `{mark}`"),
        }
    }

    /// Takes a word; `what` names the expected one.
    pub fn word(&mut self, what: &str) -> Result<String, TextError> {
        match self.peek() {
            Some(Kind::Word(word)) => {
                let word = word.clone();
                self.next += 1;
                Ok(word)
            }
            _ => Err(self.error(self.expected(what))),
        }
    }

    /// Takes a word or a string.
    pub fn name(&mut self, what: &str) -> Result<String, TextError> {
        if let Some(Kind::Text(text)) = self.peek() {
            let text = text.clone();
            self.next += 1;
            return Ok(text);
        }
        self.word(what)
    }

    /// Takes an integer that fits the range.
    pub fn integer(&mut self, what: &str, least: i64, most: i64) -> Result<i64, TextError> {
        let column = self.column();
        let negative = self.accept('-');
        let word = self.word(what)?;
        let value = unsigned(&word).map(|value| {
            let value = i128::from(value);
            if negative { -value } else { value }
        });
        match value {
            None => Err(self.error_at(column, format!("expected {what}, found `{word}`"))),
            Some(value) => match i64::try_from(value) {
                Ok(value) if (least..=most).contains(&value) => Ok(value),
                _ => {
                    let error = self.error_at(column, format!("{what} out of range"));
                    let mut error = error.of(TextFault::Range);
                    error.help = Some(format!("it lies between {least} and {most}"));
                    Err(error)
                }
            },
        }
    }

    /// Takes an integer of 32 bits without sign.
    pub fn size(&mut self, what: &str) -> Result<u32, TextError> {
        Ok(self.integer(what, 0, i64::from(u32::MAX))? as u32)
    }

    /// Refuses remaining tokens.
    pub fn finish(&self) -> Result<(), TextError> {
        if self.is_done() { Ok(()) } else { Err(self.error("nothing more belongs on this line")) }
    }
}

/// A decimal or hexadecimal number without sign.
pub(super) fn unsigned(word: &str) -> Option<u64> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    match word.strip_prefix("0x") {
        Some(hex) if hex.starts_with(|c: char| c.is_ascii_hexdigit()) => {
            u64::from_str_radix(hex, 16).ok()
        }
        Some(_) => None,
        None => word.parse().ok(),
    }
}

struct Scanner {
    number: u32,
    chars: Vec<char>,
    at: usize,
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.')
}

impl Scanner {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn error(&self, at: usize, message: &str) -> TextError {
        TextError::new(self.number, at as u32 + 1, message)
    }

    fn token(&mut self) -> Result<Option<Token>, TextError> {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        let start = self.at;
        let Some(first) = self.peek() else {
            return Ok(None);
        };
        if first == '/' && self.chars.get(start + 1) == Some(&'/') {
            return Ok(None);
        }
        let kind = if is_word(first) {
            Kind::Word(self.word())
        } else if first == '"' {
            Kind::Text(self.string()?)
        } else if ",:[]@!+-".contains(first) {
            self.at += 1;
            Kind::Mark(first)
        } else {
            return Err(self.error(start, "this character has no meaning here"));
        };
        Ok(Some(Token { kind, column: start as u32 + 1, end: self.at as u32 + 1 }))
    }

    fn word(&mut self) -> String {
        let start = self.at;
        while let Some(c) = self.peek() {
            // The sign of a decimal exponent, as in 1e-7, belongs to the number.
            let sign = matches!(c, '+' | '-') && exponent_follows(&self.chars[start..self.at]);
            if !is_word(c) && !sign {
                break;
            }
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    fn string(&mut self) -> Result<String, TextError> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let Some(c) = self.peek() else {
                return Err(self.error(start, "the string is not closed"));
            };
            self.at += 1;
            match c {
                '"' => return Ok(out),
                '\\' => out.push(self.escape()?),
                c => out.push(c),
            }
        }
    }

    /// The rest of an escape after a backslash: a quote, a backslash, or `u{hexadecimal}`.
    fn escape(&mut self) -> Result<char, TextError> {
        let start = self.at - 1;
        let unknown = |this: &Scanner| this.error(start, "unknown escape");
        let first = self.peek();
        self.at += 1;
        match first {
            Some(c @ ('"' | '\\')) => Ok(c),
            Some('u') if self.peek() == Some('{') => {
                self.at += 1;
                let digits = self.at;
                while self.peek().is_some_and(|c| c.is_ascii_hexdigit()) {
                    self.at += 1;
                }
                let hex: String = self.chars[digits..self.at].iter().collect();
                let closed = self.peek() == Some('}');
                self.at += 1;
                let code = u32::from_str_radix(&hex, 16).ok().filter(|_| closed);
                code.and_then(char::from_u32).ok_or_else(|| unknown(self))
            }
            _ => Err(unknown(self)),
        }
    }
}

/// Returns true if the characters are a decimal number up to its `e`.
fn exponent_follows(number: &[char]) -> bool {
    match number {
        [mantissa @ .., 'e' | 'E'] => {
            mantissa.first().is_some_and(char::is_ascii_digit)
                && mantissa.iter().all(|c| c.is_ascii_digit() || *c == '.')
        }
        _ => false,
    }
}

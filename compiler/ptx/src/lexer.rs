//! Text to tokens.

use crate::tree::{Space, Type, Version};
use crate::{Constant, Span, SyntaxError, Text};
use logos::Logos;
use std::collections::HashMap;

/// The most tokens that a text may have.
pub const MOST_TOKENS: usize = 4_000_000;

/// A token of the grammar.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// `%r1`, `ld`, `$L__BB0_1`.
    Name(Text),
    /// A number.
    Number(Constant),
    /// `"saxpy.cu"`, without its quotes.
    String(Text),
    /// `.version 8.7`.
    Version(Version),
    /// A whole `.section … { … }`.
    Section,
    /// `.reg` and the other state spaces.
    Space(Space),
    /// `.b32` and the other types.
    Type(Type),
    /// `.v2`, `.v4`, `.v8`.
    Vector(u8),
    /// A dot word that is a keyword of the grammar, without its dot.
    Directive(&'static str),
    /// Another dot word, without its dot.
    Dot(Text),
    /// A sign or operator.
    Mark(&'static str),
}

/// The dot words that only directives have, and `.weak`, which is a modifier too.
const DIRECTIVES: &[&str] = &[
    "address_size",
    "target",
    "file",
    "loc",
    "pragma",
    "entry",
    "func",
    "align",
    "ptr",
    "extern",
    "visible",
    "weak",
    "common",
    "alias",
    "attribute",
    "branchtargets",
    "calltargets",
    "callprototype",
];

const MARKS: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ";", ",", ":", "@", "+", "-", "*", "/", "%", "&", "|", "^", "~",
    "!", "?", "=", "<", ">", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
];

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
enum Lexeme {
    #[regex(r"//[^\n]*", allow_greedy = true)]
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    Comment,
    #[token("/*")]
    OpenComment,
    /// Debug information of old compilers.
    #[regex(r"@@[^\n]*", allow_greedy = true)]
    OldDebug,
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*|%[A-Za-z0-9_$]+")]
    Name,
    #[regex(r"\.[A-Za-z0-9_$]+(::[A-Za-z0-9_$]+)*")]
    Dot,
    #[regex(r"\.version[ \t\r\n]+[0-9]+\.[0-9]+")]
    Version,
    #[regex(r"0[xX][0-9a-fA-F]+U?")]
    Hexadecimal,
    #[regex(r"0[bB][01]+U?")]
    Binary,
    #[regex(r"0[0-7]*U?")]
    Octal,
    #[regex(r"[1-9][0-9]*U?")]
    Decimal,
    #[regex(r"0[fF][0-9a-fA-F]{8}")]
    Single,
    #[regex(r"0[dD][0-9a-fA-F]{16}")]
    Double,
    #[regex(r"[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
    Float,
    #[regex(r"[0-9][0-9A-Za-z_$]*", priority = 1)]
    BadNumber,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    String,
    #[token("\"")]
    OpenString,
    #[regex(r"<<|>>|<=|>=|==|!=|&&|\|\|")]
    #[regex(r"[()\[\]{};,:@+\-*/&|^~!?=<>%]", priority = 3)]
    Mark,
}

/// Gives equal texts the same memory.
#[derive(Default)]
struct Interner(HashMap<Box<str>, Text>);

impl Interner {
    fn get(&mut self, text: &str) -> Text {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let made: Text = text.into();
        self.0.insert(text.into(), made.clone());
        made
    }
}

/// A token with its first byte and the byte after its last.
pub type Placed = Result<(u32, Token, u32), SyntaxError>;

/// The tokens of a text.
///
/// # Errors
/// The first place that is no token, or the text is too long.
pub fn tokens(text: &str) -> Result<Vec<Placed>, SyntaxError> {
    if u32::try_from(text.len()).is_err() {
        return Err(SyntaxError::new(Span::default(), "the text has more than 4 GiB"));
    }
    let mut interner = Interner::default();
    let mut found = Vec::new();
    let mut lexer = Lexeme::lexer(text);
    while let Some(lexeme) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(range.start as u32, range.end as u32);
        let token = match lexeme {
            Ok(Lexeme::Comment | Lexeme::OldDebug) => continue,
            Ok(Lexeme::Dot) if lexer.slice() == ".section" => {
                let length = section(lexer.remainder()).ok_or_else(|| {
                    SyntaxError::new(span, "the section has no end")
                        .help("a section is a name, `{`, data, and `}`")
                })?;
                lexer.bump(length);
                Token::Section
            }
            Ok(lexeme) => token(lexeme, lexer.slice(), span, &mut interner)?,
            Err(()) => {
                let shown = lexer.slice().escape_default();
                return Err(SyntaxError::new(span, format!("`{shown}` is no part of PTX")));
            }
        };
        if found.len() == MOST_TOKENS {
            let message = format!("the text has more than {MOST_TOKENS} tokens");
            return Err(SyntaxError::new(span, message).help("split the module"));
        }
        found.push(Ok((span.start, token, lexer.span().end as u32)));
    }
    Ok(found)
}

/// Bytes up to the end of a section that begins here; `None` if it has none.
fn section(rest: &str) -> Option<usize> {
    let open = rest.find('{')?;
    // Sections are not nested, and their strings are written as bytes.
    Some(open + rest[open..].find('}')? + 1)
}

fn token(
    lexeme: Lexeme,
    slice: &str,
    span: Span,
    interner: &mut Interner,
) -> Result<Token, SyntaxError> {
    let number = |digits: &str, base: u32| {
        let unsigned = digits.ends_with('U');
        let value = u64::from_str_radix(digits.trim_end_matches('U'), base);
        let bits = value
            .map_err(|_| SyntaxError::new(span, format!("`{slice}` does not fit into 64 bits")))?;
        let unsigned = unsigned || i64::try_from(bits).is_err();
        Ok(Token::Number(Constant::Integer { bits, unsigned }))
    };
    match lexeme {
        Lexeme::Name => Ok(Token::Name(interner.get(slice))),
        Lexeme::Dot => Ok(dot(&slice[1..], interner)),
        Lexeme::Version => version(slice, span),
        Lexeme::Hexadecimal => number(&slice[2..], 16),
        Lexeme::Binary => number(&slice[2..], 2),
        Lexeme::Octal => number(slice, 8),
        Lexeme::Decimal => number(slice, 10),
        Lexeme::Single => {
            let bits = u32::from_str_radix(&slice[2..], 16).unwrap_or_default();
            Ok(Token::Number(Constant::Single(bits)))
        }
        Lexeme::Double => {
            let bits = u64::from_str_radix(&slice[2..], 16).unwrap_or_default();
            Ok(Token::Number(Constant::Double(bits)))
        }
        Lexeme::Float => {
            let value: f64 = slice.parse().unwrap_or_default();
            Ok(Token::Number(Constant::Double(value.to_bits())))
        }
        Lexeme::BadNumber => Err(SyntaxError::new(span, format!("`{slice}` is no number")).help(
            "numbers are 10, 0x1F, 017, 0b101, 1.5, 0f3F800000 (8 digits) and 0d3FF0000000000000 (16 digits)",
        )),
        Lexeme::String => Ok(Token::String(interner.get(&slice[1..slice.len() - 1]))),
        Lexeme::OpenString => Err(SyntaxError::new(span, "the string has no end")
            .help("a string ends with `\"`, on the same line")),
        Lexeme::OpenComment => Err(SyntaxError::new(span, "the comment has no end")),
        Lexeme::Mark => {
            let mark = MARKS.iter().find(|mark| **mark == slice);
            mark.map(|mark| Token::Mark(mark))
                .ok_or_else(|| SyntaxError::new(span, format!("`{slice}` is no part of PTX")))
        }
        Lexeme::Comment | Lexeme::OldDebug => {
            Err(SyntaxError::new(span, format!("`{slice}` is no part of PTX")))
        }
    }
}

/// `.version 8.7`.
fn version(slice: &str, span: Span) -> Result<Token, SyntaxError> {
    let numbers = slice.trim_start_matches(".version").trim();
    let read = numbers.split_once('.').and_then(|(major, minor)| {
        Some(Version { major: major.parse().ok()?, minor: minor.parse().ok()?, span })
    });
    read.map(Token::Version)
        .ok_or_else(|| SyntaxError::new(span, format!("`{numbers}` is no version of PTX")))
}

/// A dot word.
fn dot(word: &str, interner: &mut Interner) -> Token {
    if let Some(&directive) = DIRECTIVES.iter().find(|directive| **directive == word) {
        return Token::Directive(directive);
    }
    if let Some(&(space, _)) = Space::ALL.iter().find(|(_, name)| *name == word) {
        return Token::Space(space);
    }
    if let Some(ty) = Type::find(word) {
        return Token::Type(ty);
    }
    match word {
        "v2" => Token::Vector(2),
        "v4" => Token::Vector(4),
        "v8" => Token::Vector(8),
        _ => Token::Dot(interner.get(word)),
    }
}

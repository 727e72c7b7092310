//! Text to preprocessing tokens, and those to tokens.

use super::source::{FileId, Span};
use crate::diagnostic::{Diagnostic, code};
use logos::Logos;
use reconverge_grammar::token::{IntSuffix, Mark, Name, TokenKind, Word};
use std::sync::Arc;

/// The kinds of preprocessing token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    #[regex(r"[ \t\r\x0B\x0C]+")]
    Space,
    #[token("\n")]
    Newline,
    #[regex(r"\\[ \t]*\r?\n")]
    Continuation,
    #[regex(r"//([^\n\\]|\\\r?\n|\\[^\r\n])*", allow_greedy = true)]
    LineComment,
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    BlockComment,
    #[token("/*")]
    OpenComment,
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*")]
    Name,
    #[regex(r"\.?[0-9]([eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*")]
    Number,
    #[regex(r#"(L|u8|u|U)?"([^"\\\n]|\\[^\n]|\\\r?\n)*""#)]
    String,
    #[regex(r"(L|u8|u|U)?'([^'\\\n]|\\[^\n])*'")]
    Char,
    #[regex(r#"(L|u8|u|U)?"([^"\\\n]|\\[^\n])*"#)]
    OpenString,
    #[regex(r"(L|u8|u|U)?'([^'\\\n]|\\[^\n])*")]
    OpenChar,
    #[regex(r"\.\.\.|->|::|\+\+|--|<<<|>>>|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[+\-*/%&|^]=|##")]
    #[regex(r"[()\[\]{};,.?:+\-*/%&|^~!<>=#]")]
    Mark,
    /// Only made by the preprocessor: a name that is no longer a macro's use.
    Painted,
}

/// A preprocessing token.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub kind: Kind,
    pub text: Name,
    pub span: Span,
    /// True if space precedes it, for `#`.
    pub spaced: bool,
    /// True if it is the first of its line.
    pub first: bool,
}

impl Piece {
    pub fn is(&self, text: &str) -> bool {
        self.kind == Kind::Mark && &*self.text == text
    }

    pub fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Name | Kind::Painted)
    }
}

/// The mark that some editors put in front of a text.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Splits a text into preprocessing tokens; characters that form no token are reported and left
/// out.
pub(super) fn split(
    file: FileId,
    text: &str,
    interner: &mut Interner,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut lexer = Kind::lexer(text);
    let (mut spaced, mut first, mut spliced) = (false, true, false);
    while let Some(kind) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(file, range.start as u32, range.end as u32);
        let kind = match kind {
            Ok(Kind::Newline) => {
                (spaced, first) = (false, true);
                continue;
            }
            Ok(Kind::Space | Kind::Continuation | Kind::LineComment | Kind::BlockComment) => {
                spaced = true;
                continue;
            }
            Ok(Kind::OpenComment) => {
                diagnostics.push(open_comment(span));
                break;
            }
            Err(()) if span.start == 0 && lexer.slice() == BYTE_ORDER_MARK => continue,
            Err(()) => {
                stray(span, lexer.slice(), diagnostics);
                continue;
            }
            Ok(kind) => kind,
        };
        if kind == Kind::Name
            && let Some(front) = pieces.last_mut().filter(|front| is_spliced(text, front, span))
        {
            front.span = Span::new(file, front.span.start, span.end);
            (spaced, first, spliced) = (false, false, true);
            continue;
        }
        if std::mem::take(&mut spliced) {
            join_lines(text, pieces.last_mut(), interner);
        }
        let (body, tail) = match kind {
            Kind::OpenString | Kind::OpenChar => without_tail(lexer.slice()),
            _ => (lexer.slice(), ""),
        };
        pieces.push(Piece {
            kind,
            text: interner.name(body),
            span: Span::new(file, span.start, span.start + body.len() as u32),
            spaced,
            first,
        });
        (spaced, first) = (false, false);
        pieces.extend(tail.char_indices().filter_map(|(at, mark)| {
            let start = span.start + (body.len() + at) as u32;
            (mark != ' ').then(|| Piece {
                kind: Kind::Mark,
                text: interner.name(&tail[at..at + 1]),
                span: Span::new(file, start, start + 1),
                spaced,
                first,
            })
        }));
    }
    if spliced {
        join_lines(text, pieces.last_mut(), interner);
    }
    pieces
}

/// Gives a name that spans several lines its text, once its end is known.
fn join_lines(text: &str, name: Option<&mut Piece>, interner: &mut Interner) {
    if let Some(name) = name
        && let Some(text) = text.get(name.span.start as usize..name.span.end as usize)
    {
        name.text = interner.name(&text.replace("\\\r\n", "").replace("\\\n", ""));
    }
}

/// Returns true if a name continues at `span`: between its two parts are only a `\` and the end of
/// a line.
fn is_spliced(text: &str, front: &Piece, span: Span) -> bool {
    let between = text.get(front.span.end as usize..span.start as usize);
    front.kind == Kind::Name && between.is_some_and(|between| matches!(between, "\\\n" | "\\\r\n"))
}

/// An unterminated literal takes in the end of its statement, which is given back: `"hello);` is
/// read as `"hello` and `);`. A comment after it is dropped.
fn without_tail(text: &str) -> (&str, &str) {
    let code = text.find("//").map_or(text, |comment| &text[..comment]);
    let body = code.trim_end_matches([')', ';', '}', ',', ' ']);
    code.split_at(body.len().max(1).min(code.len()))
}

fn open_comment(span: Span) -> Diagnostic {
    Diagnostic::error(
        code::UNTERMINATED_COMMENT,
        span,
        "this comment has no end: the file ends before `*/`",
    )
}

/// Reports characters that start no token, adjacent ones together.
fn stray(span: Span, text: &str, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(last) = diagnostics.last_mut()
        && last.code == code::STRAY_CHARACTER
        && last.primary.span.file == span.file
        && last.primary.span.end == span.start
    {
        last.primary.span.end = span.end;
        return;
    }
    let shown = text.escape_debug();
    diagnostics.push(Diagnostic::error(
        code::STRAY_CHARACTER,
        span,
        format!("`{shown}` is not part of any C token"),
    ));
}

/// Keeps one copy of every text.
#[derive(Default)]
pub(super) struct Interner {
    names: rustc_hash::FxHashSet<Name>,
}

impl Interner {
    pub fn name(&mut self, text: &str) -> Name {
        if let Some(name) = self.names.get(text) {
            return name.clone();
        }
        let name: Name = Arc::from(text);
        self.names.insert(name.clone());
        name
    }
}

/// The operators that C++ also has as words.
fn spelled(text: &str) -> Option<Mark> {
    Some(match text {
        "and" => Mark::AndAnd,
        "and_eq" => Mark::AndAssign,
        "bitand" => Mark::And,
        "bitor" => Mark::Or,
        "compl" => Mark::Tilde,
        "not" => Mark::Not,
        "not_eq" => Mark::NotEqual,
        "or" => Mark::OrOr,
        "or_eq" => Mark::OrAssign,
        "xor" => Mark::Caret,
        "xor_eq" => Mark::CaretAssign,
        _ => return None,
    })
}

/// The token that a preprocessing token becomes. A fault is reported, and a substitute returned.
pub(super) fn token(piece: &Piece, diagnostics: &mut Vec<Diagnostic>) -> TokenKind {
    match piece.kind {
        Kind::Name | Kind::Painted => match (Word::read(&piece.text), spelled(&piece.text)) {
            (Some(word), _) => word.token(),
            (None, Some(mark)) => TokenKind::Mark(mark),
            (None, None) => TokenKind::Name(piece.text.clone()),
        },
        Kind::Number => number(piece, diagnostics),
        Kind::Char | Kind::OpenChar => character(piece, diagnostics),
        Kind::String | Kind::OpenString => TokenKind::String(string(piece, diagnostics).into()),
        _ => Mark::find(&piece.text).map_or(TokenKind::ErrorExpression, TokenKind::Mark),
    }
}

fn number(piece: &Piece, diagnostics: &mut Vec<Diagnostic>) -> TokenKind {
    let text = piece.text.to_ascii_lowercase().replace('\'', "");
    let hexadecimal = text.starts_with("0x");
    let floating = if hexadecimal {
        text.contains(['.', 'p'])
    } else {
        text.contains('.') || (text.contains('e') && !text.starts_with("0b"))
    };
    let read = if floating { float(&text) } else { integer(&text) };
    read.unwrap_or_else(|why| {
        let message = format!("`{}` {why}", piece.text);
        diagnostics.push(Diagnostic::error(code::BAD_NUMBER, piece.span, message));
        TokenKind::ErrorExpression
    })
}

fn integer(text: &str) -> Result<TokenKind, &'static str> {
    let (digits, base) = match text.as_bytes() {
        [b'0', b'x', ..] => (&text[2..], 16),
        [b'0', b'b', ..] => (&text[2..], 2),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text, 10),
    };
    let digit = |c: char| c.is_digit(base) || (base == 8 && c.is_ascii_digit());
    let end = digits.find(|c| !digit(c)).unwrap_or(digits.len());
    let (digits, letters) = digits.split_at(end);
    let suffix = suffix(letters, base == 10).ok_or("is not a number: its suffix is unknown")?;
    let value = match digits {
        "" if base == 8 => 0,
        "" => return Err("is not a number: digits are missing"),
        digits => u64::from_str_radix(digits, base).map_err(|_| {
            if base == 8 && digits.contains(['8', '9']) {
                "is not an octal number"
            } else {
                "is larger than any integer type holds"
            }
        })?,
    };
    Ok(TokenKind::Int { value, suffix })
}

fn suffix(letters: &str, decimal: bool) -> Option<IntSuffix> {
    let (unsigned, longs) = match letters {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return None,
    };
    Some(IntSuffix { unsigned, longs, decimal })
}

fn float(text: &str) -> Result<TokenKind, &'static str> {
    const WRONG: &str = "is not a floating-point number";
    let hexadecimal = text.starts_with("0x");
    let (digits, single) = match text.as_bytes().last() {
        Some(b'f') => (&text[..text.len() - 1], true),
        Some(b'l') => (&text[..text.len() - 1], false),
        _ => (text, false),
    };
    if hexadecimal {
        let value = hexadecimal_float(&digits[2..], single).ok_or(WRONG)?;
        return Ok(TokenKind::Float { value, single });
    }
    let value = if single { digits.parse::<f32>().map(f64::from) } else { digits.parse::<f64>() };
    match value {
        Ok(value) if value.is_finite() => Ok(TokenKind::Float { value, single }),
        Ok(_) => Err("is larger than its type holds"),
        Err(_) => Err(WRONG),
    }
}

/// `h.hhhp±d` without `0x`. More digits than a `double` holds are cut off, not rounded.
fn hexadecimal_float(text: &str, single: bool) -> Option<f64> {
    let (digits, exponent) = text.split_once('p')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut mantissa: u64 = 0;
    let mut shift = i64::from(exponent);
    let mut any = false;
    for (digit, scale) in whole.chars().map(|c| (c, 0)).chain(fraction.chars().map(|c| (c, -4))) {
        let digit = digit.to_digit(16)?;
        any = true;
        if mantissa < 1 << 59 {
            mantissa = mantissa << 4 | u64::from(digit);
            shift += scale;
        } else {
            shift += scale + 4;
        }
    }
    let value = scale(mantissa as f64, shift.clamp(-2000, 2000) as i32);
    let value = if single { f64::from(value as f32) } else { value };
    any.then_some(value).filter(|value| value.is_finite())
}

/// `value * 2^exponent` in steps that are exact.
fn scale(mut value: f64, mut exponent: i32) -> f64 {
    while exponent > 1000 {
        value *= f64::from_bits((1000 + 1023) << 52);
        exponent -= 1000;
    }
    while exponent < -1000 {
        value *= f64::from_bits((1023 - 1000) << 52);
        exponent += 1000;
    }
    value * f64::from_bits(((1023 + exponent) as u64) << 52)
}

fn character(piece: &Piece, diagnostics: &mut Vec<Diagnostic>) -> TokenKind {
    if piece.kind == Kind::OpenChar {
        diagnostics.push(Diagnostic::error(
            code::UNTERMINATED_LITERAL,
            piece.span,
            "this character has no closing `'` on its line",
        ));
        return TokenKind::Char(0);
    }
    let reported = diagnostics.len();
    let bytes = literal(piece, '\'', diagnostics);
    if bytes.len() != 1 && diagnostics.len() == reported {
        let message = format!("`{}` is not one character", piece.text);
        diagnostics.push(Diagnostic::error(code::BAD_CHARACTER, piece.span, message));
    }
    TokenKind::Char(bytes.first().copied().unwrap_or(0) as i8)
}

/// The bytes of a string literal.
pub(super) fn string(piece: &Piece, diagnostics: &mut Vec<Diagnostic>) -> Vec<u8> {
    if piece.kind == Kind::OpenString {
        diagnostics.push(Diagnostic::error(
            code::UNTERMINATED_LITERAL,
            piece.span,
            "this string has no closing `\"` on its line",
        ));
    }
    literal(piece, '"', diagnostics)
}

fn literal(piece: &Piece, quote: char, diagnostics: &mut Vec<Diagnostic>) -> Vec<u8> {
    let inner = piece.text.split_once(quote).map_or("", |(_, inner)| inner);
    let inner = inner.strip_suffix(quote).unwrap_or(inner);
    if inner.contains(char::REPLACEMENT_CHARACTER) {
        let message = "this has bytes that are not UTF-8";
        diagnostics.push(
            Diagnostic::error(code::BAD_CHARACTER, piece.span, message)
                .help("save the file as UTF-8, or write the bytes as `\\x` and two digits"),
        );
    }
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = escape(&rest[at + 1..], &mut bytes, piece, diagnostics);
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Reads an escape after its backslash. Returns the text after it.
fn escape<'a>(
    text: &'a str,
    bytes: &mut Vec<u8>,
    piece: &Piece,
    diagnostics: &mut Vec<Diagnostic>,
) -> &'a str {
    let Some(letter) = text.chars().next() else {
        return text;
    };
    let rest = &text[letter.len_utf8()..];
    let byte = match letter {
        'n' => b'\n',
        't' => b'\t',
        'r' => b'\r',
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' => 27,
        '\\' | '\'' | '"' | '?' => letter as u8,
        '\n' => return rest,
        '\r' => return rest.strip_prefix('\n').unwrap_or(rest),
        '0'..='7' => return digits(text, 8, 3, bytes),
        'x' if rest.starts_with(|c: char| c.is_ascii_hexdigit()) => {
            return digits(rest, 16, usize::MAX, bytes);
        }
        _ => {
            let message = format!("`\\{}` is not an escape", letter.escape_debug());
            diagnostics.push(Diagnostic::error(code::BAD_CHARACTER, piece.span, message));
            return rest;
        }
    };
    bytes.push(byte);
    rest
}

fn digits<'a>(text: &'a str, base: u32, most: usize, bytes: &mut Vec<u8>) -> &'a str {
    let count = text.chars().take(most).take_while(|c| c.is_digit(base));
    let count = count.count();
    let value = text[..count].chars().fold(0u32, |value, digit| {
        value.wrapping_mul(base).wrapping_add(digit.to_digit(base).unwrap_or(0))
    });
    bytes.push(value as u8);
    &text[count..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<TokenKind>, Vec<&'static str>) {
        let mut diagnostics = Vec::new();
        let pieces = split(FileId(0), text, &mut Interner::default(), &mut diagnostics);
        let kinds = pieces.iter().map(|piece| token(piece, &mut diagnostics)).collect();
        let codes = diagnostics.iter().map(|found| found.code.id()).collect();
        (kinds, codes)
    }

    fn int(value: u64, unsigned: bool, longs: u8, decimal: bool) -> TokenKind {
        let suffix = IntSuffix { unsigned, longs, decimal };
        TokenKind::Int { value, suffix }
    }

    fn float(value: f64, single: bool) -> TokenKind {
        TokenKind::Float { value, single }
    }

    #[test]
    fn numbers() {
        let (kinds, codes) =
            read("0 1'0u 0x1fUL 017 0b1'01 18'446744073709551615ull 1e3 .5f 1.f 0x1.8p1 2.5e-3");
        assert_eq!(
            kinds,
            [
                int(0, false, 0, true),
                int(10, true, 0, true),
                int(31, true, 1, false),
                int(15, false, 0, false),
                int(5, false, 0, false),
                int(u64::MAX, true, 2, true),
                float(1000.0, false),
                float(0.5, true),
                float(1.0, true),
                float(3.0, false),
                float(0.0025, false),
            ]
        );
        assert!(codes.is_empty(), "{codes:?}");
        assert_eq!(read("09 1x 1.5z 99999999999999999999").1, ["E0104"; 4]);
    }

    #[test]
    fn strings_and_characters() {
        let (kinds, codes) = read(r#"'a' '\n' '\x41' '\101' "a\tb\"""#);
        let text = TokenKind::String(b"a\tb\""[..].into());
        let chars = [97, 10, 65, 65].map(TokenKind::Char);
        assert_eq!(kinds[..4], chars);
        assert_eq!(kinds[4], text);
        assert!(codes.is_empty());
        assert_eq!(read("\"abc\n 'x\n 'ab' '' '\\q'").1.len(), 5);
    }

    #[test]
    fn comments_and_stray_characters() {
        let (kinds, codes) = read("a // b \\\n c\n/* x ** */ d é @ /* e");
        assert_eq!(kinds.len(), 2);
        assert_eq!(codes, ["E0101", "E0101", "E0102"]);
    }
}

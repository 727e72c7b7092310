//! `scanf`'s reading, as C has it (C11 7.21.6.2): the longest input that begins a number is read, and is no
//! match when it is not a whole number. glibc takes `0x` for 0 and `1e` for 1.

use super::scan::{self, FloatReader, is_space};

/// Bytes that are read one by one.
pub trait Source {
    /// The next byte, which stays; none at the end.
    fn peek(&mut self) -> Option<u8>;
    /// Passes over the byte that `peek` showed.
    fn skip(&mut self);
}

/// The bytes of a string.
pub struct Text<'a>(pub &'a [u8]);

impl Source for Text<'_> {
    fn peek(&mut self) -> Option<u8> {
        self.0.first().copied()
    }

    fn skip(&mut self) {
        self.0 = self.0.get(1..).unwrap_or(&[]);
    }
}

/// The conversions that were read.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    /// The bytes to be stored through each of the addresses.
    pub stores: Vec<Vec<u8>>,
    /// The result of the call: how many conversions stored something, or -1.
    pub result: i32,
}

/// Why reading stops early.
enum Stop {
    /// The input has ended.
    End,
    /// It does not match the format.
    Mismatch,
}

/// One conversion.
struct Spec<'f> {
    /// The value is thrown away.
    suppress: bool,
    width: usize,
    /// Bytes of an integer; for floating-point numbers 4 or 8.
    size: usize,
    letter: u8,
    /// For `[`: the characters between the brackets; negated if they are excluded.
    set: &'f [u8],
    negated: bool,
}

struct Reader<'s, S> {
    source: &'s mut S,
    /// Bytes read so far.
    count: usize,
    scanned: Scanned,
}

/// Reads by a format. Letters that are no conversions end it.
pub fn scan(source: &mut impl Source, format: &[u8]) -> Scanned {
    let mut reader = Reader { source, count: 0, scanned: Scanned::default() };
    if let Err(Stop::End) = reader.all(format)
        && reader.scanned.result == 0
    {
        reader.scanned.result = -1;
    }
    reader.scanned
}

impl<S: Source> Reader<'_, S> {
    fn all(&mut self, format: &[u8]) -> Result<(), Stop> {
        let mut rest = format;
        while let Some((&first, after)) = rest.split_first() {
            rest = after;
            if is_space(first) {
                self.spaces();
            } else if first != b'%' {
                self.literal(first)?;
            } else {
                let (spec, after) = parse(rest);
                rest = after;
                self.conversion(&spec)?;
            }
        }
        Ok(())
    }

    fn take(&mut self) {
        self.source.skip();
        self.count += 1;
    }

    fn spaces(&mut self) {
        while self.source.peek().is_some_and(is_space) {
            self.take();
        }
    }

    fn literal(&mut self, wanted: u8) -> Result<(), Stop> {
        match self.source.peek() {
            Some(byte) if byte == wanted => self.take(),
            Some(_) => return Err(Stop::Mismatch),
            None => return Err(Stop::End),
        }
        Ok(())
    }

    fn conversion(&mut self, spec: &Spec<'_>) -> Result<(), Stop> {
        if !matches!(spec.letter, b'c' | b'[' | b'n') {
            self.spaces();
        }
        let value = match spec.letter {
            b'n' => {
                if !spec.suppress {
                    let count = (self.count as u64).to_le_bytes();
                    self.scanned.stores.push(count[..spec.size].to_vec());
                }
                return Ok(());
            }
            b'%' => return self.literal(b'%'),
            _ if self.source.peek().is_none() => return Err(Stop::End),
            b'd' => self.integer(spec, 10)?,
            b'u' => self.integer(spec, 10)?,
            b'i' => self.integer(spec, 0)?,
            b'o' => self.integer(spec, 8)?,
            b'x' | b'X' | b'p' => self.integer(spec, 16)?,
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => self.float(spec)?,
            b'c' => self.characters(spec)?,
            b's' => self.word(spec, |byte| !is_space(byte))?,
            b'[' => self.word(spec, |byte| in_set(spec.set, byte) != spec.negated)?,
            _ => return Err(Stop::Mismatch),
        };
        if !spec.suppress {
            self.scanned.stores.push(value);
            self.scanned.result += 1;
        }
        Ok(())
    }

    /// The longest beginning that a number of this kind may have.
    fn gather(&mut self, width: usize, mut fits: impl FnMut(&[u8], u8) -> bool) -> Vec<u8> {
        let mut text = Vec::new();
        while text.len() < width
            && let Some(byte) = self.source.peek()
            && fits(&text, byte)
        {
            text.push(byte);
            self.take();
        }
        text
    }

    fn integer(&mut self, spec: &Spec<'_>, base: u32) -> Result<Vec<u8>, Stop> {
        let text = self.gather(spec.width, |text, byte| {
            let body = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
            match byte {
                b'-' | b'+' => text.is_empty(),
                b'x' | b'X' => matches!(base, 0 | 16) && body == b"0",
                _ => {
                    let base = match body {
                        [b'0', b'x' | b'X', ..] => 16,
                        [b'0', ..] if base == 0 => 8,
                        _ if base == 0 => 10,
                        _ => base,
                    };
                    (byte as char).is_digit(base)
                }
            }
        });
        let signed = matches!(spec.letter, b'd' | b'i');
        let number = scan::whole(&text, base, signed);
        if number.length == 0 || number.length != text.len() {
            return Err(Stop::Mismatch);
        }
        let size = if spec.letter == b'p' { 8 } else { spec.size };
        Ok(number.bits.to_le_bytes()[..size].to_vec())
    }

    fn float(&mut self, spec: &Spec<'_>) -> Result<Vec<u8>, Stop> {
        let mut reader = FloatReader::default();
        let text = self.gather(spec.width, |_, byte| reader.read(byte));
        let (value, length) = scan::float_prefix(&text);
        if length == 0 || length != text.len() {
            return Err(Stop::Mismatch);
        }
        Ok(match spec.size {
            8 => value.to_le_bytes().to_vec(),
            // For `%f` the text is read again, to be rounded once.
            _ => scan::float32(&text).to_le_bytes().to_vec(),
        })
    }

    fn characters(&mut self, spec: &Spec<'_>) -> Result<Vec<u8>, Stop> {
        let count = if spec.width == usize::MAX { 1 } else { spec.width };
        let text = self.gather(count, |_, _| true);
        Ok(text)
    }

    fn word(&mut self, spec: &Spec<'_>, fits: impl Fn(u8) -> bool) -> Result<Vec<u8>, Stop> {
        let mut text = self.gather(spec.width, |_, byte| fits(byte));
        if text.is_empty() {
            return Err(Stop::Mismatch);
        }
        text.push(0);
        Ok(text)
    }
}

/// Reads the specification after a `%`. Returns it with the rest of the text.
fn parse(text: &[u8]) -> (Spec<'_>, &[u8]) {
    let mut at = 0;
    let byte = |at: usize| text.get(at).copied().unwrap_or(0);
    let suppress = byte(at) == b'*';
    at += usize::from(suppress);
    let mut width = 0usize;
    while byte(at).is_ascii_digit() {
        width = width.saturating_mul(10).saturating_add((byte(at) - b'0') as usize);
        at += 1;
    }
    let start = at;
    while matches!(byte(at), b'h' | b'l' | b'L' | b'q' | b'j' | b'z' | b't') {
        at += 1;
    }
    let length = &text[start.min(text.len())..at.min(text.len())];
    let size = match length {
        [] => 4,
        b"h" => 2,
        b"hh" => 1,
        _ => 8,
    };
    let letter = byte(at);
    at += 1;
    let (mut set, mut negated) = (&text[..0], false);
    if letter == b'[' {
        negated = byte(at) == b'^';
        at += usize::from(negated);
        let from = at.min(text.len());
        // A bracket in the first place is one of the characters.
        let skip = usize::from(byte(at) == b']');
        let close = text[(from + skip).min(text.len())..].iter().position(|&byte| byte == b']');
        let to = close.map_or(text.len(), |close| from + skip + close);
        set = &text[from..to];
        at = to + 1;
    }
    let width = if width == 0 { usize::MAX } else { width };
    let spec = Spec { suppress, width, size, letter, set, negated };
    (spec, text.get(at..).unwrap_or(&[]))
}

/// Returns true if a set, with ranges such as `a-z`, has a character.
fn in_set(set: &[u8], byte: u8) -> bool {
    let mut rest = set;
    while let Some((&first, after)) = rest.split_first() {
        if let [b'-', last, after @ ..] = after {
            if (first..=*last).contains(&byte) {
                return true;
            }
            rest = after;
            continue;
        }
        if first == byte {
            return true;
        }
        rest = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(text: &str, format: &str) -> (Vec<i32>, i32) {
        let found = scan(&mut Text(text.as_bytes()), format.as_bytes());
        let int = |bytes: &Vec<u8>| i32::from_le_bytes(bytes[..4].try_into().unwrap());
        (found.stores.iter().map(int).collect(), found.result)
    }

    #[test]
    fn integers() {
        assert_eq!(ints(" 12 -7x", "%d%d"), (vec![12, -7], 2));
        assert_eq!(ints("0x1f 017 9", "%i %i %i"), (vec![31, 15, 9], 3));
        assert_eq!(ints("12345", "%2d%*1d%d"), (vec![12, 45], 2));
        assert_eq!(ints("ff", "%x"), (vec![255], 1));
        assert_eq!(ints("", "%d"), (vec![], -1));
        assert_eq!(ints("  ", "%d"), (vec![], -1));
        assert_eq!(ints("x", "%d"), (vec![], 0));
        assert_eq!(ints("1,2", "%d,%d"), (vec![1, 2], 2));
        assert_eq!(ints("1;2", "%d,%d"), (vec![1], 1));
        assert_eq!(ints("7 abc", "%d %n"), (vec![7, 2], 1));
        assert_eq!(ints("0x", "%i"), (vec![], 0));
        assert_eq!(ints("0xg", "%x"), (vec![], 0));
        assert_eq!(ints("-", "%d"), (vec![], 0));
    }

    #[test]
    fn words_and_sets() {
        let found = scan(&mut Text(b"key = [a b]!"), b"%s = [%[a-c ]%c");
        assert_eq!(found.stores, [&b"key\0"[..], b"a b\0", b"]"]);
        let found = scan(&mut Text(b"a]b"), b"%[^]]]");
        assert_eq!(found.stores, [b"a\0"]);
    }

    #[test]
    fn floats() {
        let double = |text: &str| {
            let found = scan(&mut Text(text.as_bytes()), b"%lf");
            found.stores.first().map(|bytes| f64::from_le_bytes(bytes[..].try_into().unwrap()))
        };
        assert_eq!(double("-1.5e3,"), Some(-1500.0));
        assert_eq!(double("1e"), None);
        assert_eq!(double("infin"), None);
        assert!(double("nan(12)").is_some_and(f64::is_nan));
        assert_eq!(double("nan(12"), None);
        assert_eq!(double("infinity"), Some(f64::INFINITY));
        assert_eq!(double("0x1.8p1"), Some(3.0));
        assert_eq!(double("."), None);
        assert_eq!(double("-"), None);
    }
}

//! Numbers in strings: `atoi`, `strtol`, `strtod` and their kin, and the numbers of `scanf`.

/// Returns true if a byte is white space in C.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | 9..=13)
}

/// An integer at the start of a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// Its bits; the nearest that the type has when it is too large.
    pub bits: u64,
    /// Bytes of the string up to its end; 0 when there is none.
    pub length: usize,
    /// True if it does not fit the type.
    pub too_large: bool,
}

/// `strtol` or, without a sign, `strtoul`. A base of 0 is chosen by the digits, one that is neither
/// 0 nor 2 to 36 finds nothing.
pub fn whole(text: &[u8], base: u32, signed: bool) -> Whole {
    let body = text.trim_ascii_start_c();
    let (negative, digits) = sign(body);
    let is_hexadecimal =
        matches!(digits, [b'0', b'x' | b'X', next, ..] if next.is_ascii_hexdigit());
    let (base, digits) = match base {
        0 | 16 if is_hexadecimal => (16, &digits[2..]),
        0 if digits.first() == Some(&b'0') => (8, digits),
        0 => (10, digits),
        2..=36 => (base, digits),
        _ => return Whole::default(),
    };
    let (mut value, mut too_large, mut count) = (0u64, false, 0);
    while let Some(digit) = digits.get(count).and_then(|&byte| (byte as char).to_digit(base)) {
        let next = value.checked_mul(base as u64).and_then(|v| v.checked_add(digit as u64));
        too_large |= next.is_none();
        value = next.unwrap_or(u64::MAX);
        count += 1;
    }
    if count == 0 {
        return Whole::default();
    }
    let length = text.len() - digits.len() + count;
    let most = if signed { i64::MAX as u64 + u64::from(negative) } else { u64::MAX };
    too_large |= value > most;
    let bits = match (too_large, negative && (signed || !too_large)) {
        (true, true) => i64::MIN as u64,
        (true, false) => most,
        (false, true) => value.wrapping_neg(),
        (false, false) => value,
    };
    Whole { bits, length, too_large }
}

/// `atol`: `strtol` in base 10.
pub fn integer(text: &[u8]) -> i64 {
    whole(text, 10, true).bits as i64
}

/// `atof`: `strtod` of which the length does not matter.
pub fn float(text: &[u8]) -> f64 {
    float_prefix(text).0
}

/// `strtod`: a decimal or hexadecimal number, `inf` or `nan`; 0 for anything else. With the bytes
/// up to its end.
pub fn float_prefix(text: &[u8]) -> (f64, usize) {
    let (negative, body) = sign(text.trim_ascii_start_c());
    let head = &body[..body.len().min(8)].to_ascii_lowercase()[..];
    let (value, length) = if head.starts_with(b"infinity") {
        (f64::INFINITY, 8)
    } else if head.starts_with(b"inf") {
        (f64::INFINITY, 3)
    } else if head.starts_with(b"nan") {
        (f64::from_bits(crate::interpreter::arithmetic::NAN_F64), 3 + payload(&body[3..]))
    } else if head.starts_with(b"0x") && mantissa(&body[2..], u8::is_ascii_hexdigit) > 0 {
        let (value, length) = hexadecimal(&body[2..]);
        (value, length + 2)
    } else {
        let number = decimal(body);
        (number.parse().unwrap_or(0.0), number.len())
    };
    if length == 0 {
        return (0.0, 0);
    }
    let length = text.len() - body.len() + length;
    (if negative { -value } else { value }, length)
}

/// Length of `(chars)` after `nan`, with letters, digits and `_` between the parentheses; 0 for
/// anything else. The system chooses the NaN for it, and ours has only one.
fn payload(text: &[u8]) -> usize {
    let Some(inner) = text.strip_prefix(b"(") else {
        return 0;
    };
    let count = digits(inner, |byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if inner.get(count) == Some(&b')') { count + 2 } else { 0 }
}

/// `strtof`: rounded once.
pub fn float32(text: &[u8]) -> f32 {
    let (negative, body) = sign(text.trim_ascii_start_c());
    let number = decimal(body);
    let is_decimal = !matches!(body, [b'0', b'x' | b'X', ..]) && !number.is_empty();
    match number.parse::<f32>() {
        Ok(value) if is_decimal => {
            if negative {
                -value
            } else {
                value
            }
        }
        // Hexadecimal numbers that a `double` does not hold exactly are rounded twice.
        _ => float(text) as f32,
    }
}

/// The state of reading a floating-point number.
#[derive(Clone, Copy, Debug, Default)]
pub enum FloatReader {
    /// Nothing yet.
    #[default]
    Start,
    /// After the sign.
    Signed,
    /// So many letters of `infinity` or `nan`.
    Word(&'static [u8], usize),
    /// Between the parentheses after `nan`.
    Payload,
    /// After them.
    Ended,
    /// After a zero, which an `x` may follow.
    Zero,
    /// Before the point; hexadecimal or not, with a digit or not yet.
    Whole(bool, bool),
    /// After the point.
    Fraction(bool, bool),
    /// After the letter of the exponent.
    Exponent,
    /// After its sign or a digit of it.
    Power,
}

impl FloatReader {
    /// Reads a byte; false when it is not part of the number.
    pub fn read(&mut self, byte: u8) -> bool {
        let next = self.next(byte.to_ascii_lowercase());
        *self = next.unwrap_or(*self);
        next.is_some()
    }

    fn next(self, byte: u8) -> Option<FloatReader> {
        use FloatReader::*;
        let is_digit = |hexadecimal: bool| match hexadecimal {
            true => byte.is_ascii_hexdigit(),
            false => byte.is_ascii_digit(),
        };
        let is_mark = |hexadecimal: bool| byte == if hexadecimal { b'p' } else { b'e' };
        Some(match (self, byte) {
            (Start, b'+' | b'-') => Signed,
            (Start | Signed, b'0') => Zero,
            (Start | Signed, b'1'..=b'9') => Whole(false, true),
            (Start | Signed, b'.') => Fraction(false, false),
            (Start | Signed, b'i') => Word(b"infinity", 1),
            (Start | Signed, b'n') => Word(b"nan", 1),
            (Word(b"nan", 3), b'(') => Payload,
            (Payload, b')') => Ended,
            (Payload, _) if byte.is_ascii_alphanumeric() || byte == b'_' => Payload,
            (Word(word, at), _) if word.get(at) == Some(&byte) => Word(word, at + 1),
            (Zero, b'x') => Whole(true, false),
            (Zero, _) => return Whole(false, true).next(byte),
            (Whole(hexadecimal, any), b'.') => Fraction(hexadecimal, any),
            (Whole(hexadecimal, _), _) if is_digit(hexadecimal) => Whole(hexadecimal, true),
            (Fraction(hexadecimal, _), _) if is_digit(hexadecimal) => Fraction(hexadecimal, true),
            (Whole(hexadecimal, true) | Fraction(hexadecimal, true), _) if is_mark(hexadecimal) => {
                Exponent
            }
            (Exponent, b'+' | b'-') => Power,
            (Exponent | Power, b'0'..=b'9') => Power,
            _ => return None,
        })
    }
}

/// White space as C has it.
trait TrimC {
    fn trim_ascii_start_c(&self) -> &[u8];
}

impl TrimC for [u8] {
    fn trim_ascii_start_c(&self) -> &[u8] {
        let start = self.iter().position(|&byte| !is_space(byte));
        &self[start.unwrap_or(self.len())..]
    }
}

fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

fn digits(text: &[u8], is_digit: impl Fn(&u8) -> bool) -> usize {
    text.iter().take_while(|byte| is_digit(byte)).count()
}

/// Length of `12.5` at the start.
fn mantissa(text: &[u8], is_digit: impl Fn(&u8) -> bool + Copy) -> usize {
    let whole = digits(text, is_digit);
    match text.get(whole) {
        Some(b'.') => {
            let fraction = digits(&text[whole + 1..], is_digit);
            // A lone point is no number.
            if whole + fraction == 0 { 0 } else { whole + 1 + fraction }
        }
        _ => whole,
    }
}

/// Length of an exponent at the start, 0 when it has no digits.
fn exponent(text: &[u8], letter: u8) -> usize {
    if text.first().map(u8::to_ascii_lowercase) != Some(letter) {
        return 0;
    }
    let signed = usize::from(matches!(text.get(1), Some(b'+' | b'-')));
    let count = digits(&text[1 + signed..], u8::is_ascii_digit);
    if count == 0 { 0 } else { 1 + signed + count }
}

/// The decimal number at the start.
fn decimal(text: &[u8]) -> &str {
    let length = mantissa(text, u8::is_ascii_digit);
    let length = match length {
        0 => 0,
        _ => length + exponent(&text[length..], b'e'),
    };
    std::str::from_utf8(&text[..length]).unwrap_or("")
}

/// A hexadecimal number and its length.
fn hexadecimal(text: &[u8]) -> (f64, usize) {
    let length = mantissa(text, u8::is_ascii_hexdigit);
    let (mut value, mut scale, mut in_fraction) = (0u64, 0i64, false);
    for &byte in &text[..length] {
        let Some(digit) = (byte as char).to_digit(16) else {
            in_fraction = true;
            continue;
        };
        if value >> 58 == 0 {
            value = value << 4 | digit as u64;
            scale -= if in_fraction { 4 } else { 0 };
        } else {
            // Digits that do not fit only decide on which side of a tie the number lies.
            value |= u64::from(digit != 0);
            scale += if in_fraction { 0 } else { 4 };
        }
    }
    let end = length + exponent(&text[length..], b'p');
    let power = integer(text[length..end].get(1..).unwrap_or(&[]));
    (scale_by(value, scale.saturating_add(power)), end)
}

/// `value * 2^scale`, rounded once.
fn scale_by(value: u64, scale: i64) -> f64 {
    let bits = 64 - value.leading_zeros() as i64;
    if value == 0 || bits.saturating_add(scale) < -1100 {
        return 0.0;
    }
    if bits.saturating_add(scale) > 1025 {
        return f64::INFINITY;
    }
    // The smallest normal number is 2^-1022: below it fewer bits are kept.
    let kept = (bits + scale + 1074).clamp(0, 53);
    let drop = (bits - kept).max(0) as u32;
    let (high, rest) = match drop {
        0 => (value, 0),
        64 => (0, value as u128),
        _ => (value >> drop, (value & ((1 << drop) - 1)) as u128),
    };
    let half = if drop == 0 { 1 } else { 1u128 << (drop - 1) };
    let up = drop > 0 && (rest > half || (rest == half && high & 1 == 1));
    libm::scalbn((high + u64::from(up)) as f64, (scale + drop as i64) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_bases_and_limits() {
        let found = |text: &str, base, signed| {
            let found = whole(text.as_bytes(), base, signed);
            (found.bits as i64, found.length, found.too_large)
        };
        assert_eq!(found(" -0x1Fz", 0, true), (-31, 6, false));
        assert_eq!(found("0x", 0, true), (0, 1, false));
        assert_eq!(found("0779", 0, true), (63, 3, false));
        assert_eq!(found("zz", 36, true), (35 * 37, 2, false));
        assert_eq!(found("+", 10, true), (0, 0, false));
        assert_eq!(found("-9223372036854775808", 10, true), (i64::MIN, 20, false));
        assert_eq!(found("9223372036854775808", 10, true), (i64::MAX, 19, true));
        assert_eq!(found("-9223372036854775809", 10, true), (i64::MIN, 20, true));
        assert_eq!(found("-1", 10, false), (-1, 2, false));
        assert_eq!(found("-99999999999999999999", 10, false), (-1, 21, true));
    }

    #[test]
    fn floats_end_where_c_ends_them() {
        assert_eq!(float_prefix(b" 1.5e+x"), (1.5, 4));
        assert_eq!(float_prefix(b"0xg"), (0.0, 1));
        assert_eq!(float_prefix(b"0X1P4,"), (16.0, 5));
        assert_eq!(float_prefix(b"x"), (0.0, 0));
        assert_eq!(float_prefix(b"-infinite"), (f64::NEG_INFINITY, 4));
        let (nothing, length) = float_prefix(b"-");
        assert_eq!((nothing.to_bits(), length), (0, 0));
        assert_eq!(
            ["nan(1_a)z", "nan(1-)", "-NAN()", "nan("].map(|text| {
                let (value, length) = float_prefix(text.as_bytes());
                (value.is_nan(), length)
            }),
            [(true, 8), (true, 3), (true, 6), (true, 3)]
        );
        assert_eq!(float32(b"16777217.0000001"), 16777218.0);
        assert_eq!(float32(b"-0x1p-1"), -0.5);
    }

    #[test]
    fn prefixes_are_read() {
        assert_eq!(integer(b"  -12ab"), -12);
        assert_eq!(integer(b"99999999999999999999"), i64::MAX);
        assert_eq!(integer(b""), 0);
        assert_eq!(float(b" 1.5e2x"), 150.0);
        assert_eq!(float(b"1e"), 1.0);
        assert_eq!(float(b".5"), 0.5);
        assert_eq!(float(b"."), 0.0);
        assert_eq!(float(b"-inf"), f64::NEG_INFINITY);
        assert_eq!(float(b"0x1.8p1"), 3.0);
        assert_eq!(float(b"0x1p-1074"), f64::from_bits(1));
        assert_eq!(float(b"-0x.8"), -0.5);
    }
}

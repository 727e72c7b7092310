//! Numbers in strings: `atoi`, `atol` and `atof`.

/// `strtol` in base 10: white space, a sign, digits; saturating.
pub fn integer(text: &[u8]) -> i64 {
    let text = text.trim_ascii_start_c();
    let (negative, digits) = sign(text);
    let mut value = 0i64;
    for digit in digits.iter().take_while(|byte| byte.is_ascii_digit()) {
        let digit = (digit - b'0') as i64;
        let signed = if negative { -digit } else { digit };
        value = value.saturating_mul(10).saturating_add(signed);
    }
    value
}

/// `strtod`: a decimal or hexadecimal number, `inf` or `nan`; 0 for anything else.
pub fn float(text: &[u8]) -> f64 {
    let (negative, body) = sign(text.trim_ascii_start_c());
    let lower = body.to_ascii_lowercase();
    let value = if lower.starts_with(b"inf") {
        f64::INFINITY
    } else if lower.starts_with(b"nan") {
        f64::from_bits(crate::interpreter::arithmetic::NAN_F64)
    } else if lower.starts_with(b"0x") {
        hexadecimal(&lower[2..])
    } else {
        decimal(&lower)
    };
    if negative { -value } else { value }
}

/// White space as C has it.
trait TrimC {
    fn trim_ascii_start_c(&self) -> &[u8];
}

impl TrimC for [u8] {
    fn trim_ascii_start_c(&self) -> &[u8] {
        let is_space = |byte: &u8| matches!(byte, b' ' | 9..=13);
        let start = self.iter().position(|byte| !is_space(byte));
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
            let behind = digits(&text[whole + 1..], is_digit);
            // A lone point is no number.
            if whole + behind == 0 { 0 } else { whole + 1 + behind }
        }
        _ => whole,
    }
}

/// Length of an exponent at the start, 0 when it has no digits.
fn exponent(text: &[u8], letter: u8) -> usize {
    if text.first() != Some(&letter) {
        return 0;
    }
    let signed = usize::from(matches!(text.get(1), Some(b'+' | b'-')));
    let count = digits(&text[1 + signed..], u8::is_ascii_digit);
    if count == 0 { 0 } else { 1 + signed + count }
}

fn decimal(text: &[u8]) -> f64 {
    let length = mantissa(text, u8::is_ascii_digit);
    let length = length + exponent(&text[length..], b'e');
    let number = std::str::from_utf8(&text[..length]).unwrap_or("");
    number.parse().unwrap_or(0.0)
}

fn hexadecimal(text: &[u8]) -> f64 {
    let length = mantissa(text, u8::is_ascii_hexdigit);
    let (mut value, mut scale, mut behind) = (0u64, 0i64, false);
    for &byte in &text[..length] {
        let Some(digit) = (byte as char).to_digit(16) else {
            behind = true;
            continue;
        };
        if value >> 58 == 0 {
            value = value << 4 | digit as u64;
            scale -= if behind { 4 } else { 0 };
        } else {
            // What does not fit only tells on which side of a tie the number lies.
            value |= u64::from(digit != 0);
            scale += if behind { 0 } else { 4 };
        }
    }
    let power = &text[length..length + exponent(&text[length..], b'p')];
    let power = integer(power.get(1..).unwrap_or(&[]));
    scale_by(value, scale.saturating_add(power))
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

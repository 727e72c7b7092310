//! Floats as `printf` writes them: `%f`, `%e`, `%g` and `%a`, without sign and padding.

use super::decimal::Decimal;

/// The format of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// `f`, `e`, `g` or `a`.
    pub conversion: u8,
    /// The precision after the `.` of the conversion.
    pub precision: Option<usize>,
    /// `#`: always a decimal point; `%g` keeps its zeroes.
    pub alternate: bool,
}

/// The text of `|value|`, in lower case.
pub fn text(value: f64, style: Style) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return "inf".to_owned();
    }
    match style.conversion {
        b'a' => hexadecimal(value, style),
        b'e' => exponential(&Decimal::exact(value), style.precision.unwrap_or(6), style.alternate),
        b'g' => general(value, style),
        _ => fixed(&Decimal::exact(value), style.precision.unwrap_or(6), style.alternate),
    }
}

fn push_fraction(text: &mut String, digits: impl Iterator<Item = u8>, point: bool) {
    let before = text.len();
    text.push('.');
    text.extend(digits.map(|digit| (b'0' + digit) as char));
    if text.len() == before + 1 && !point {
        text.pop();
    }
}

fn fixed(value: &Decimal, precision: usize, point: bool) -> String {
    let mut value = value.clone();
    value.round(value.point + precision as i64);
    let mut text = String::new();
    for index in -value.point.max(1)..0 {
        text.push((b'0' + value.digit(index)) as char);
    }
    let digits = (0..precision as i64).map(|index| value.digit(index));
    push_fraction(&mut text, digits, point);
    text
}

fn exponential(value: &Decimal, precision: usize, point: bool) -> String {
    let mut value = value.clone();
    value.round(precision as i64 + 1);
    let exponent = decimal_exponent(&value);
    let first = -value.point;
    let mut text = String::new();
    text.push((b'0' + value.digit(first)) as char);
    let digits = (1..=precision as i64).map(|index| value.digit(first + index));
    push_fraction(&mut text, digits, point);
    let sign = if exponent < 0 { '-' } else { '+' };
    text + &format!("e{sign}{:02}", exponent.unsigned_abs())
}

fn decimal_exponent(value: &Decimal) -> i64 {
    if value.digits.is_empty() {
        return 0;
    }
    value.point - 1
}

fn general(value: f64, style: Style) -> String {
    let precision = style.precision.unwrap_or(6).max(1);
    let exact = Decimal::exact(value);
    let mut rounded = exact.clone();
    rounded.round(precision as i64);
    let exponent = decimal_exponent(&rounded);
    let text = if exponent < -4 || exponent >= precision as i64 {
        exponential(&exact, precision - 1, style.alternate)
    } else {
        let decimals = precision as i64 - 1 - exponent;
        fixed(&exact, decimals as usize, style.alternate)
    };
    if style.alternate {
        return text;
    }
    without_zeroes(&text)
}

/// Takes the zeroes off the end of the fraction.
fn without_zeroes(text: &str) -> String {
    let (mantissa, exponent) = match text.find('e') {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let mantissa = match mantissa.contains('.') {
        true => mantissa.trim_end_matches('0').trim_end_matches('.'),
        false => mantissa,
    };
    format!("{mantissa}{exponent}")
}

fn hexadecimal(value: f64, style: Style) -> String {
    let bits = value.to_bits();
    let (mut fraction, biased) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7FF) as i64);
    let mut leading = u64::from(biased != 0);
    let exponent = match (biased, fraction) {
        (0, 0) => 0,
        _ => biased.max(1) - 1023,
    };
    let mut digits = 13;
    if let Some(precision) = style.precision.filter(|&precision| precision < 13) {
        let shift = 52 - 4 * precision as u32;
        let all = leading << 52 | fraction;
        let (kept, rest, half) = (all >> shift, all & ((1 << shift) - 1), 1 << (shift - 1));
        let up = rest > half || (rest == half && kept & 1 == 1);
        let rounded = (kept + u64::from(up)) << shift;
        (leading, fraction) = (rounded >> 52, rounded & ((1 << 52) - 1));
        digits = precision;
    } else if style.precision.is_none() {
        while digits > 0 && fraction >> (52 - 4 * digits) & 0xF == 0 {
            digits -= 1;
        }
    }
    let mut text = format!("0x{leading}");
    let decimals = style.precision.unwrap_or(digits);
    if decimals > 0 || style.alternate {
        text.push('.');
    }
    for index in 0..decimals {
        let digit = match 48usize.checked_sub(4 * index) {
            Some(shift) => fraction >> shift & 0xF,
            None => 0,
        };
        text += &format!("{digit:x}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    text + &format!("p{sign}{}", exponent.abs())
}

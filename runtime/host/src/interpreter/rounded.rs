//! Arithmetic with a direction of rounding, from the exact result as a number of many words.

/// The direction in which a result between two numbers is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
    /// Towards zero.
    Zero,
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Operation {
    Add,
    Multiply,
    Divide,
    Root,
    MultiplyAdd,
    /// The value as it is.
    Same,
}

/// The target format of rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    digits: usize,
    least: i32,
    most: f64,
}

/// `float`.
pub const SINGLE: Format = Format { digits: 24, least: -149, most: f32::MAX as f64 };
/// `double`.
pub const DOUBLE: Format = Format { digits: 53, least: -1074, most: f64::MAX };

/// The exponent of the lowest bit of an exact number: below that of any product.
const LOWEST: i32 = -2240;
/// Enough words for the sum of any two products.
const WORDS: usize = 72;

/// A number in full.
#[derive(Clone)]
struct Exact {
    negative: bool,
    words: [u64; WORDS],
}

/// Sign, mantissa of 53 bits (unless it is zero) and exponent.
fn parts(value: f64) -> (bool, u64, i32) {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7FF) as i32, bits & ((1 << 52) - 1));
    let (mantissa, exponent) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    };
    let up = if mantissa == 0 { 0 } else { mantissa.leading_zeros() - 11 };
    (value.is_sign_negative(), mantissa << up, exponent - up as i32)
}

impl Exact {
    fn new(negative: bool, mantissa: u128, exponent: i32) -> Exact {
        let mut words = [0; WORDS];
        let shift = (exponent - LOWEST) as usize;
        for bit in (0..128).filter(|bit| mantissa >> bit & 1 != 0) {
            words[(shift + bit) / 64] |= 1 << ((shift + bit) % 64);
        }
        Exact { negative, words }
    }

    fn is_zero(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    fn bit(&self, at: usize) -> u64 {
        self.words[at / 64] >> (at % 64) & 1
    }

    fn add(&self, other: &Exact) -> Exact {
        if self.words.iter().rev().lt(other.words.iter().rev()) {
            return other.add(self);
        }
        let mut sum = self.clone();
        let mut carry = false;
        for (word, &by) in sum.words.iter_mut().zip(&other.words) {
            let step = if self.negative == other.negative {
                u64::overflowing_add
            } else {
                u64::overflowing_sub
            };
            let (first, one) = step(*word, by);
            let (second, two) = step(first, carry.into());
            (*word, carry) = (second, one | two);
        }
        sum
    }

    fn round(&self, direction: Direction, format: Format) -> f64 {
        let Some(top) = (0..WORDS * 64).rev().find(|&at| self.bit(at) != 0) else {
            return 0.0;
        };
        let lowest = (format.least - LOWEST) as usize;
        let unit = (top + 1).saturating_sub(format.digits).max(lowest);
        let kept = (unit..=top).rev().fold(0u64, |kept, at| kept << 1 | self.bit(at));
        let inexact = (0..unit).any(|at| self.bit(at) != 0);
        let away = match direction {
            Direction::Down => self.negative,
            Direction::Up => !self.negative,
            Direction::Zero => false,
        };
        let kept = kept + u64::from(inexact && away);
        let size = libm::scalbn(kept as f64, unit as i32 + LOWEST);
        let size = match size > format.most {
            true if away => f64::INFINITY,
            true => format.most,
            false => size,
        };
        if self.negative { -size } else { size }
    }
}

fn product(x: f64, y: f64) -> Exact {
    let ((s, m, e), (t, n, f)) = (parts(x), parts(y));
    Exact::new(s != t, u128::from(m) * u128::from(n), e + f)
}

/// The bits of a quotient; the last one is set if there are more.
fn quotient(x: f64, y: f64) -> Exact {
    let ((s, m, e), (t, n, f)) = (parts(x), parts(y));
    let (m, n) = (u128::from(m) << 70, u128::from(n));
    let more = u128::from(m % n != 0);
    Exact::new(s != t, (m / n) << 1 | more, e - f - 71)
}

/// The bits of a square root; the last one is set if there are more.
fn root(x: f64) -> Exact {
    let (_, m, e) = parts(x);
    let shift = 72 + e.rem_euclid(2);
    let m = u128::from(m) << shift;
    let root = m.isqrt();
    let more = u128::from(root * root != m);
    Exact::new(false, root << 1 | more, (e - shift) / 2 - 1)
}

/// The result of an operation; operands that it does not have are anything.
pub fn rounded(
    operation: Operation,
    direction: Direction,
    format: Format,
    [x, y, z]: [f64; 3],
) -> f64 {
    // Results without an exact number, and zeroes that do not arise from cancellation, are the same
    // in all directions.
    let (nearest, sum) = match operation {
        Operation::Add => (x + y, Some((x, y))),
        Operation::Multiply => (x * y, None),
        Operation::Divide => (x / y, None),
        Operation::Root => (x.sqrt(), None),
        Operation::Same => (x, None),
        // Only the sign and the kind of the product are needed.
        Operation::MultiplyAdd => (x * y + z, Some((x * y, z))),
    };
    let used = match operation {
        Operation::Root | Operation::Same => [x, 0.0, 0.0],
        Operation::MultiplyAdd => [x, y, z],
        _ => [x, y, 0.0],
    };
    let finite = used.iter().all(|value| value.is_finite());
    if !finite || nearest.is_nan() || operation == Operation::Divide && y == 0.0 {
        return nearest;
    }
    let one = |value: f64| product(value, 1.0);
    let exact = match operation {
        Operation::Add => one(x).add(&one(y)),
        Operation::Multiply => product(x, y),
        Operation::Divide => quotient(x, y),
        Operation::Root => root(x),
        Operation::Same => one(x),
        Operation::MultiplyAdd => product(x, y).add(&one(z)),
    };
    if !exact.is_zero() {
        return exact.round(direction, format);
    }
    match sum {
        None => nearest,
        Some((a, b)) if a.is_sign_negative() == b.is_sign_negative() => 0f64.copysign(a),
        Some(_) if direction == Direction::Down => -0.0,
        Some(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions() {
        let all = |operation, format, operands| {
            [Direction::Down, Direction::Up, Direction::Zero]
                .map(|direction| rounded(operation, direction, format, operands))
        };
        let third = 1.0 / 3.0f64;
        assert_eq!(
            all(Operation::Divide, DOUBLE, [1.0, 3.0, 0.0]),
            [third, third.next_up(), third],
        );
        let least = f64::from_bits(1);
        assert_eq!(all(Operation::Multiply, DOUBLE, [-least, 0.5, 0.0]), [-least, -0.0, -0.0]);
        let most = f64::from(f32::MAX);
        assert_eq!(all(Operation::Add, SINGLE, [most, 1.0, 0.0]), [most, f64::INFINITY, most]);
        let zeroes = all(Operation::Add, SINGLE, [1.5, -1.5, 0.0]);
        assert_eq!(zeroes.map(f64::is_sign_negative), [true, false, false]);
        let root = all(Operation::Root, DOUBLE, [2.0, 0.0, 0.0]);
        assert!(root[0] < root[1] && root[0].next_up() == root[1]);
        assert_eq!(all(Operation::Root, DOUBLE, [9.0, 0.0, 0.0]), [3.0; 3]);
        let square = 1.0 + f64::EPSILON;
        let tiny = all(Operation::MultiplyAdd, DOUBLE, [square, square, -(square + f64::EPSILON)]);
        assert_eq!(tiny, [f64::EPSILON * f64::EPSILON; 3]);
    }
}

//! Floating-point arithmetic on bits, exact before one rounding.
//!
//! Every format and rounding direction takes the same path: operands become an integer times a
//! power of two, the operation is exact up to a sticky bit, and [`Format::round`] rounds once.
//! The host's floating-point unit takes no part, so results do not depend on it.

/// A direction of rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// `.rn`: to the nearest, ties to even.
    Nearest,
    /// `.rna`: to the nearest, ties away from zero.
    NearestAway,
    /// `.rz`: towards zero.
    Zero,
    /// `.rm`: towards minus infinity.
    Down,
    /// `.rp`: towards plus infinity.
    Up,
}

/// A binary floating-point format with an implicit leading bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits in memory.
    pub bits: u32,
    /// Bits of a normal number's significand, the implicit one included.
    precision: u32,
    /// The exponent of the largest finite number's leading bit; also the bias.
    largest: i32,
}

/// `.f16`
pub const HALF: Format = Format { bits: 16, precision: 11, largest: 15 };
/// `.bf16`
pub const BRAIN: Format = Format { bits: 16, precision: 8, largest: 127 };
/// `.tf32` without its low 13 bits.
pub const TENSOR: Format = Format { bits: 19, precision: 11, largest: 127 };
/// `.f32`
pub const SINGLE: Format = Format { bits: 32, precision: 24, largest: 127 };
/// `.f64`
pub const DOUBLE: Format = Format { bits: 64, precision: 53, largest: 1023 };

/// A value of any format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Not a number; PTX keeps no payload.
    Nan,
    /// An infinity; true is negative.
    Infinite(bool),
    /// `significand * 2^exponent`, with a sign of its own so that zeros have one.
    Finite {
        /// The sign; true is negative.
        negative: bool,
        /// An integer below 2^54 where it comes from [`Format::number`].
        significand: u128,
        /// The power of two.
        exponent: i32,
    },
}

/// An exact result, but for `sticky`: a nonzero part below the significand's last bit.
#[derive(Clone, Copy, Debug)]
struct Exact {
    negative: bool,
    significand: u128,
    exponent: i32,
    sticky: bool,
}

impl Format {
    fn fraction_bits(self) -> u32 {
        self.precision - 1
    }

    fn sign_bit(self) -> u64 {
        1 << (self.bits - 1)
    }

    /// The exponent of the last bit of subnormal numbers.
    fn least(self) -> i32 {
        2 - self.largest - self.precision as i32
    }

    fn infinity(self, negative: bool) -> u64 {
        let exponent = (2 * self.largest + 1) as u64;
        exponent << self.fraction_bits() | u64::from(negative) << (self.bits - 1)
    }

    fn greatest(self, negative: bool) -> u64 {
        self.infinity(negative) - 1
    }

    /// The NaN of every operation without a NaN of its own to return: all bits but the sign.
    pub fn nan(self) -> u64 {
        self.sign_bit() - 1
    }

    /// True if these bits are a NaN.
    pub fn is_nan(self, bits: u64) -> bool {
        bits & (self.sign_bit() - 1) > self.infinity(false)
    }

    /// True if these bits are a subnormal number.
    pub fn is_subnormal(self, bits: u64) -> bool {
        let magnitude = bits & (self.sign_bit() - 1);
        magnitude != 0 && magnitude >> self.fraction_bits() == 0
    }

    /// `.ftz`: a subnormal number becomes a zero of its sign.
    pub fn flushed(self, bits: u64) -> u64 {
        if self.is_subnormal(bits) { bits & self.sign_bit() } else { bits }
    }

    /// Changes the sign, of NaN too.
    pub fn negated(self, bits: u64) -> u64 {
        bits ^ self.sign_bit()
    }

    /// Clears the sign, of NaN too.
    pub fn absolute(self, bits: u64) -> u64 {
        bits & (self.sign_bit() - 1)
    }

    /// True if the sign is set.
    pub fn is_negative(self, bits: u64) -> bool {
        bits & self.sign_bit() != 0
    }

    /// The value of these bits.
    pub fn number(self, bits: u64) -> Number {
        let negative = self.is_negative(bits);
        let magnitude = self.absolute(bits);
        let fraction = magnitude & ((1 << self.fraction_bits()) - 1);
        let biased = (magnitude >> self.fraction_bits()) as i32;
        if biased == 2 * self.largest + 1 {
            return if fraction == 0 { Number::Infinite(negative) } else { Number::Nan };
        }
        let (significand, exponent) = match biased {
            0 => (fraction, self.least()),
            _ => (fraction | 1 << self.fraction_bits(), self.least() + biased - 1),
        };
        Number::Finite { negative, significand: significand.into(), exponent }
    }

    /// The bits of a number, rounded.
    pub fn of(self, number: Number, rounding: Rounding) -> u64 {
        match number {
            Number::Nan => self.nan(),
            Number::Infinite(negative) => self.infinity(negative),
            Number::Finite { negative, significand, exponent } => {
                self.round(Exact { negative, significand, exponent, sticky: false }, rounding)
            }
        }
    }

    /// Rounds once. Where `sticky` is set, the significand has at least two bits more than the
    /// format's precision.
    fn round(self, exact: Exact, rounding: Rounding) -> u64 {
        let Exact { negative, significand, exponent, sticky } = exact;
        let sign = u64::from(negative) << (self.bits - 1);
        if significand == 0 {
            return sign;
        }
        let top = 127 - significand.leading_zeros() as i32;
        let fraction_bits = self.fraction_bits() as i32;
        let mut last = (top + exponent - fraction_bits).max(self.least());
        let shift = last - exponent;
        let (mut kept, half, rest) = match shift {
            ..=0 => (significand << -shift, false, false),
            1..=127 => {
                let below = significand & ((1 << shift) - 1);
                let half = below >> (shift - 1) & 1 != 0;
                (significand >> shift, half, below & ((1 << (shift - 1)) - 1) != 0)
            }
            128 => (0, significand >> 127 != 0, significand & (u128::MAX >> 1) != 0),
            _ => (0, false, true),
        };
        let rest = rest || sticky;
        let up = match rounding {
            Rounding::Nearest => half && (rest || kept & 1 != 0),
            Rounding::NearestAway => half,
            Rounding::Zero => false,
            Rounding::Down => negative && (half || rest),
            Rounding::Up => !negative && (half || rest),
        };
        kept += u128::from(up);
        if kept >> self.precision != 0 {
            kept >>= 1;
            last += 1;
        }
        let kept = kept as u64;
        if kept >> self.fraction_bits() == 0 {
            return sign | kept;
        }
        let biased = last - self.least() + 1;
        if biased > 2 * self.largest {
            let infinite = match rounding {
                Rounding::Nearest | Rounding::NearestAway => true,
                Rounding::Zero => false,
                Rounding::Down => negative,
                Rounding::Up => !negative,
            };
            return if infinite { self.infinity(negative) } else { self.greatest(negative) };
        }
        let fraction = kept & ((1 << self.fraction_bits()) - 1);
        sign | (biased as u64) << self.fraction_bits() | fraction
    }

    /// `a + b`.
    pub fn add(self, a: u64, b: u64, rounding: Rounding) -> u64 {
        self.sum(self.number(a), self.number(b), rounding)
    }

    /// `a * b`.
    pub fn multiply(self, a: u64, b: u64, rounding: Rounding) -> u64 {
        self.of(product(self.number(a), self.number(b)), rounding)
    }

    /// `a * b + c`, rounded once.
    pub fn multiply_add(self, a: u64, b: u64, c: u64, rounding: Rounding) -> u64 {
        self.sum(product(self.number(a), self.number(b)), self.number(c), rounding)
    }

    fn sum(self, a: Number, b: Number, rounding: Rounding) -> u64 {
        match (a, b) {
            (Number::Nan, _) | (_, Number::Nan) => self.nan(),
            (Number::Infinite(a), Number::Infinite(b)) if a != b => self.nan(),
            (Number::Infinite(negative), _) | (_, Number::Infinite(negative)) => {
                self.infinity(negative)
            }
            (
                Number::Finite { negative: s, significand: a, exponent: m },
                Number::Finite { negative: t, significand: b, exponent: n },
            ) => {
                let none =
                    |negative| Exact { negative, significand: 0, exponent: 0, sticky: false };
                let cancelled = if s == t { s } else { rounding == Rounding::Down };
                let exact = match (a, b) {
                    (0, 0) => none(cancelled),
                    (0, _) => Exact { negative: t, significand: b, exponent: n, sticky: false },
                    (_, 0) => Exact { negative: s, significand: a, exponent: m, sticky: false },
                    _ => {
                        let a = Term { negative: s, significand: a, exponent: m };
                        let b = Term { negative: t, significand: b, exponent: n };
                        aligned_sum(a, b, cancelled)
                    }
                };
                self.round(exact, rounding)
            }
        }
    }

    /// `a / b`.
    pub fn divide(self, a: u64, b: u64, rounding: Rounding) -> u64 {
        let negative = self.is_negative(a) != self.is_negative(b);
        match (self.number(a), self.number(b)) {
            (Number::Nan, _) | (_, Number::Nan) => self.nan(),
            (Number::Infinite(_), Number::Infinite(_)) => self.nan(),
            (Number::Infinite(_), _) => self.infinity(negative),
            (_, Number::Infinite(_)) => u64::from(negative) << (self.bits - 1),
            (Number::Finite { significand: 0, .. }, Number::Finite { significand: 0, .. }) => {
                self.nan()
            }
            (_, Number::Finite { significand: 0, .. }) => self.infinity(negative),
            (
                Number::Finite { significand: a, exponent: m, .. },
                Number::Finite { significand: b, exponent: n, .. },
            ) => {
                let up = a.leading_zeros() - 1;
                let (dividend, exponent) = (a << up, m - up as i32 - n);
                let sticky = dividend % b != 0;
                self.round(
                    Exact { negative, significand: dividend / b, exponent, sticky },
                    rounding,
                )
            }
        }
    }

    /// The square root.
    pub fn root(self, a: u64, rounding: Rounding) -> u64 {
        match self.number(a) {
            Number::Nan | Number::Infinite(true) => self.nan(),
            Number::Infinite(false) => self.infinity(false),
            Number::Finite { significand: 0, .. } => a,
            Number::Finite { negative: true, .. } => self.nan(),
            Number::Finite { significand, exponent, .. } => {
                let mut up = significand.leading_zeros() as i32 - 1;
                up -= (exponent - up) & 1;
                let radicand = significand << up;
                let root = radicand.isqrt();
                let exponent = (exponent - up) / 2;
                let sticky = root * root != radicand;
                let exact = Exact { negative: false, significand: root, exponent, sticky };
                self.round(exact, rounding)
            }
        }
    }

    /// Compares; `None` if one is a NaN.
    pub fn compare(self, a: u64, b: u64) -> Option<std::cmp::Ordering> {
        if self.is_nan(a) || self.is_nan(b) {
            return None;
        }
        let ordered = |bits: u64| {
            let magnitude = self.absolute(bits) as i128;
            if self.is_negative(bits) { -magnitude } else { magnitude }
        };
        Some(ordered(a).cmp(&ordered(b)))
    }

    /// The smaller (or, with `greater`, the greater) one. Minus zero is below zero. A NaN loses,
    /// or with `nan` wins.
    pub fn least_of(self, a: u64, b: u64, greater: bool, nan: bool) -> u64 {
        match (self.is_nan(a), self.is_nan(b)) {
            (true, true) => return self.nan(),
            (true, false) | (false, true) if nan => return self.nan(),
            (true, false) => return b,
            (false, true) => return a,
            (false, false) => {}
        }
        let key = |bits: u64| {
            let magnitude = self.absolute(bits) as i128;
            if self.is_negative(bits) { -1 - magnitude } else { magnitude }
        };
        if (key(a) > key(b)) == greater { a } else { b }
    }

    /// The integral value next to it in this direction, as a number of this format.
    pub fn integral(self, a: u64, rounding: Rounding) -> u64 {
        match self.number(a) {
            Number::Nan => self.nan(),
            Number::Infinite(_) => a,
            Number::Finite { .. } => {
                let magnitude = self.rounded_integer(self.absolute(a), {
                    // The magnitude is rounded, so a negative number turns the direction.
                    match (self.is_negative(a), rounding) {
                        (true, Rounding::Down) => Rounding::Up,
                        (true, Rounding::Up) => Rounding::Down,
                        (_, rounding) => rounding,
                    }
                });
                match magnitude {
                    Some(integer) => {
                        let number = Number::Finite {
                            negative: self.is_negative(a),
                            significand: integer,
                            exponent: 0,
                        };
                        self.of(number, Rounding::Nearest)
                    }
                    // Too large for 128 bits, so it has no fraction.
                    None => a,
                }
            }
        }
    }

    /// A finite magnitude as an integer; `None` from 2^127 on.
    fn rounded_integer(self, magnitude: u64, rounding: Rounding) -> Option<u128> {
        let Number::Finite { significand, exponent, .. } = self.number(magnitude) else {
            return None;
        };
        if exponent >= 0 {
            let fits = significand == 0 || exponent < significand.leading_zeros() as i32;
            return fits.then(|| significand << exponent.min(127));
        }
        let shift = exponent.unsigned_abs();
        let (kept, half, rest) = match shift {
            1..=127 => {
                let below = significand & ((1 << shift) - 1);
                let half = below >> (shift - 1) & 1 != 0;
                (significand >> shift, half, below & ((1 << (shift - 1)) - 1) != 0)
            }
            _ => (0, false, significand != 0),
        };
        let up = match rounding {
            Rounding::Nearest => half && (rest || kept & 1 != 0),
            Rounding::NearestAway => half,
            Rounding::Zero | Rounding::Down => false,
            Rounding::Up => half || rest,
        };
        Some(kept + u128::from(up))
    }

    /// Converts to an integer of `bits` bits; the nearest representable one where the value is
    /// out of range. NaN gives zero up to 32 bits from a float of at most 32 bits, otherwise the
    /// integer whose highest bit alone is set, as GPUs do.
    pub fn to_integer(self, a: u64, bits: u32, signed: bool, rounding: Rounding) -> u64 {
        let mask = u64::MAX >> (64 - bits);
        if self.is_nan(a) {
            return if self.bits <= 32 && bits <= 32 { 0 } else { 1 << (bits - 1) };
        }
        let negative = self.is_negative(a);
        let direction = match (negative, rounding) {
            (true, Rounding::Down) => Rounding::Up,
            (true, Rounding::Up) => Rounding::Down,
            (_, rounding) => rounding,
        };
        let magnitude = self.rounded_integer(self.absolute(a), direction).unwrap_or(u128::MAX >> 1);
        let most: u128 = match (signed, negative) {
            (true, true) => 1 << (bits - 1),
            (true, false) => (1 << (bits - 1)) - 1,
            (false, true) => 0,
            (false, false) => mask.into(),
        };
        let magnitude = magnitude.min(most) as u64;
        (if negative { magnitude.wrapping_neg() } else { magnitude }) & mask
    }
}

/// The exact product of two numbers of at most 54 bits.
fn product(a: Number, b: Number) -> Number {
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (
            Number::Finite { negative: s, significand: a, exponent: m },
            Number::Finite { negative: t, significand: b, exponent: n },
        ) => Number::Finite { negative: s != t, significand: a * b, exponent: m + n },
        (Number::Infinite(_), Number::Finite { significand: 0, .. })
        | (Number::Finite { significand: 0, .. }, Number::Infinite(_)) => Number::Nan,
        (Number::Infinite(s), Number::Infinite(t)) => Number::Infinite(s != t),
        (Number::Infinite(s), Number::Finite { negative: t, .. })
        | (Number::Finite { negative: t, .. }, Number::Infinite(s)) => Number::Infinite(s != t),
    }
}

/// A nonzero value.
#[derive(Clone, Copy)]
struct Term {
    negative: bool,
    significand: u128,
    exponent: i32,
}

impl Term {
    /// Moves the leading bit to bit 125, which leaves room for a carry.
    fn raised(self) -> Term {
        let up = self.significand.leading_zeros() as i32 - 2;
        Term { significand: self.significand << up, exponent: self.exponent - up, ..self }
    }
}

/// Adds two values. `cancelled` is the sign of an exact zero.
fn aligned_sum(a: Term, b: Term, cancelled: bool) -> Exact {
    let (a, b) = (a.raised(), b.raised());
    let size = |term: Term| (term.exponent, term.significand);
    let (large, small) = if size(a) >= size(b) { (a, b) } else { (b, a) };
    let distance = (large.exponent - small.exponent) as u32;
    let (shifted, sticky) = match distance {
        0..=125 => (small.significand >> distance, small.significand & ((1 << distance) - 1) != 0),
        _ => (0, true),
    };
    let exact =
        |significand, negative| Exact { negative, significand, exponent: large.exponent, sticky };
    if large.negative == small.negative {
        return exact(large.significand + shifted, large.negative);
    }
    // A part below the last bit is borrowed: the rest above it stays nonzero.
    let difference = large.significand - shifted - u128::from(sticky);
    if difference == 0 { exact(0, cancelled) } else { exact(difference, large.negative) }
}

/// Converts from one format to another.
pub fn convert(bits: u64, from: Format, to: Format, rounding: Rounding) -> u64 {
    to.of(from.number(bits), rounding)
}

/// An integer as a float.
pub fn of_integer(value: i128, to: Format, rounding: Rounding) -> u64 {
    let number =
        Number::Finite { negative: value < 0, significand: value.unsigned_abs(), exponent: 0 };
    to.of(number, rounding)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Interesting and pseudo-random bits.
    fn singles() -> Vec<u64> {
        let mut values: Vec<u64> = vec![
            0,
            1,
            0x7f_ffff,
            0x80_0000,
            0x3f80_0000,
            0x3f80_0001,
            0x7f7f_ffff,
            0x7f80_0000,
            0x7fff_ffff,
            0x3eaa_aaab,
            0x4b80_0000,
            0x4b7f_ffff,
        ];
        values.extend(values.clone().iter().map(|bits| bits | 1 << 31));
        let mut state = 88172645463325252_u64;
        for _ in 0..400 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            values.push(state >> 32);
            // Exponents near each other, so that sums cancel.
            values.push(state >> 40 | 0x3f00_0000);
        }
        values
    }

    fn is(bits: u64, host: f32) {
        let same = bits == u64::from(host.to_bits()) || host.is_nan() && SINGLE.is_nan(bits);
        assert!(same, "{bits:x} for {:x}", host.to_bits());
    }

    #[test]
    fn singles_round_as_the_host_does() {
        let values = singles();
        for (at, &a) in values.iter().enumerate() {
            let x = f32::from_bits(a as u32);
            is(SINGLE.root(a, Rounding::Nearest), x.sqrt());
            for &b in values.iter().skip(at % 7).step_by(7) {
                let y = f32::from_bits(b as u32);
                is(SINGLE.add(a, b, Rounding::Nearest), x + y);
                is(SINGLE.multiply(a, b, Rounding::Nearest), x * y);
                is(SINGLE.divide(a, b, Rounding::Nearest), x / y);
                let c = values[(at * 31 + (b % 9973) as usize) % values.len()];
                let fused = libm::fmaf(x, y, f32::from_bits(c as u32));
                is(SINGLE.multiply_add(a, b, c, Rounding::Nearest), fused);
            }
        }
    }

    #[test]
    fn doubles_round_as_the_host_does() {
        let values: Vec<u64> = singles()
            .iter()
            .flat_map(|&bits| {
                let wide = bits << 32 | bits.rotate_left(13) & 0xffff_ffff;
                [f64::from(f32::from_bits(bits as u32)).to_bits(), wide]
            })
            .collect();
        let is = |bits: u64, host: f64| {
            assert!(bits == host.to_bits() || host.is_nan() && DOUBLE.is_nan(bits));
        };
        for (at, &a) in values.iter().enumerate() {
            let x = f64::from_bits(a);
            is(DOUBLE.root(a, Rounding::Nearest), x.sqrt());
            for &b in values.iter().skip(at % 19).step_by(19) {
                let y = f64::from_bits(b);
                is(DOUBLE.add(a, b, Rounding::Nearest), x + y);
                is(DOUBLE.multiply(a, b, Rounding::Nearest), x * y);
                is(DOUBLE.divide(a, b, Rounding::Nearest), x / y);
                let c = values[(at * 31 + (b % 9973) as usize) % values.len()];
                let fused = libm::fma(x, y, f64::from_bits(c));
                is(DOUBLE.multiply_add(a, b, c, Rounding::Nearest), fused);
            }
        }
    }

    #[test]
    fn directions_enclose_the_exact_value() {
        let third = |rounding| SINGLE.divide(0x3f80_0000, 0x4040_0000, rounding);
        assert_eq!(third(Rounding::Zero), 0x3eaa_aaaa);
        assert_eq!(third(Rounding::Down), 0x3eaa_aaaa);
        assert_eq!(third(Rounding::Up), 0x3eaa_aaab);
        let sum = |a, b, rounding| SINGLE.add(a, b, rounding);
        // 1 + 2^-149: far below the last bit.
        assert_eq!(sum(0x3f80_0000, 1, Rounding::Up), 0x3f80_0001);
        assert_eq!(sum(0x3f80_0000, 1, Rounding::Zero), 0x3f80_0000);
        assert_eq!(sum(0x3f80_0000, 0x8000_0001, Rounding::Zero), 0x3f7f_ffff);
        // x - x is minus zero only downwards.
        assert_eq!(sum(0x3f80_0000, 0xbf80_0000, Rounding::Down), 0x8000_0000);
        assert_eq!(sum(0x3f80_0000, 0xbf80_0000, Rounding::Nearest), 0);
        assert_eq!(SINGLE.multiply(0x7f7f_ffff, 0x4000_0000, Rounding::Zero), 0x7f7f_ffff);
        assert_eq!(SINGLE.multiply(0x7f7f_ffff, 0x4000_0000, Rounding::Up), 0x7f80_0000);
    }

    #[test]
    fn conversions_saturate() {
        let single = |value: f32| u64::from(value.to_bits());
        assert_eq!(SINGLE.to_integer(single(3e9), 32, true, Rounding::Zero), 0x7fff_ffff);
        assert_eq!(SINGLE.to_integer(single(-3e9), 32, true, Rounding::Zero), 0x8000_0000);
        assert_eq!(SINGLE.to_integer(single(-1.5), 32, false, Rounding::Zero), 0);
        assert_eq!(SINGLE.to_integer(single(2.5), 32, true, Rounding::Nearest), 2);
        assert_eq!(SINGLE.to_integer(single(-2.5), 32, true, Rounding::Down), 0xffff_fffd);
        assert_eq!(SINGLE.to_integer(SINGLE.nan(), 64, true, Rounding::Zero), 1 << 63);
        assert_eq!(SINGLE.to_integer(SINGLE.nan(), 32, true, Rounding::Zero), 0);
        assert_eq!(DOUBLE.to_integer(DOUBLE.nan(), 32, false, Rounding::Zero), 1 << 31);
        assert_eq!(convert(single(65520.0), SINGLE, HALF, Rounding::Nearest), 0x7c00);
        assert_eq!(convert(single(65519.0), SINGLE, HALF, Rounding::Nearest), 0x7bff);
        assert_eq!(of_integer(16777217, SINGLE, Rounding::Nearest), 0x4b80_0000);
        assert_eq!(SINGLE.integral(single(-0.5), Rounding::Nearest), 1 << 31);
    }
}

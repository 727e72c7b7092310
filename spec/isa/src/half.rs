//! Half precision (IEEE 754, binary16) and bfloat16: conversions on the bits, and arithmetic on words of two.
//!
//! Arithmetic is in double precision. Sums and products of two values of 11 or 8 significant bits are rounded
//! there to 53 bits, and a second rounding gives the same as one. The sum of a product and a value is
//! rounded to odd.

/// The bits of the half that is nearest, halves to even; every NaN gives `0x7fff`.
pub(crate) fn narrow(a: f32) -> u32 {
    let bits = a.to_bits();
    let sign = bits >> 16 & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    // What is discarded decides: up beyond the middle, and in the middle when the rest is odd.
    let rounded = |kept: u32, discarded: u32, width: u32| {
        let middle = 1 << (width - 1);
        kept + u32::from(discarded > middle || (discarded == middle && kept & 1 == 1))
    };
    let result = match magnitude {
        0x7f80_0001.. => return 0x7fff,
        // From 65520 on, the middle between the largest half and what would be the next.
        0x477f_f000.. => 0x7c00,
        0x3880_0000.. => {
            let rebased = magnitude - 0x3800_0000;
            rounded(rebased >> 13, rebased & 0x1fff, 13)
        }
        // Below the normal halves in steps of 2^-24; less than half a step is zero.
        0x3300_0000.. => {
            let significand = magnitude & 0x7f_ffff | 0x80_0000;
            let width = 126 - (magnitude >> 23);
            rounded(significand >> width, significand & ((1 << width) - 1), width)
        }
        _ => 0,
    };
    sign | result
}

/// The float of the half with these lower 16 bits, exactly; every NaN gives `0x7fffffff`.
pub(crate) fn widen(a: u32) -> f32 {
    let sign = (a & 0x8000) << 16;
    let (exponent, fraction) = (a >> 10 & 0x1f, a & 0x3ff);
    let magnitude = match (exponent, fraction) {
        (0x1f, 0) => 0x7f80_0000,
        (0x1f, _) => return f32::from_bits(0x7fff_ffff),
        (0, 0) => 0,
        (0, _) => {
            // The highest one becomes the implied one.
            let shift = fraction.leading_zeros() - 21;
            (113 - shift) << 23 | (fraction << shift & 0x3ff) << 13
        }
        _ => (exponent + 112) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

/// A direction of rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Nearest,
    Zero,
    Down,
    Up,
}

/// A format of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    /// Bits of the fraction.
    fraction: u32,
    /// The exponent of 1.0.
    bias: u32,
}

/// The bits of every NaN that arithmetic produces.
const NAN: u32 = 0x7fff;
const SIGN: u32 = 0x8000;

impl Format {
    pub(crate) const HALF: Format = Format { fraction: 10, bias: 15 };
    pub(crate) const BRAIN: Format = Format { fraction: 7, bias: 127 };

    fn infinity(self) -> u32 {
        (2 * self.bias + 1) << self.fraction
    }

    /// The exact value of the lower 16 bits.
    #[inline(always)]
    pub(crate) fn value(self, bits: u32) -> f64 {
        match self {
            Format::HALF => widen(bits).into(),
            _ => f32::from_bits(bits << 16).into(),
        }
    }

    /// The bits of a double, rounded once; every NaN gives `0x7fff`.
    pub(crate) fn narrow(self, a: f64, direction: Direction) -> u32 {
        let bits = a.to_bits();
        let sign = (bits >> 48) as u32 & SIGN;
        let magnitude = bits & !(1 << 63);
        if a.is_nan() {
            return NAN;
        }
        if a.is_infinite() {
            return sign | self.infinity();
        }
        let exponent = (magnitude >> 52) as i32 - 1023 + self.bias as i32;
        let significand = match magnitude >> 52 {
            0 => magnitude & ((1 << 52) - 1),
            _ => magnitude & ((1 << 52) - 1) | 1 << 52,
        };
        // Among subnormal numbers the last place is fixed, and more bits are discarded.
        let below = u32::try_from(1 - exponent).unwrap_or(0);
        let width = (52 - self.fraction + below).min(63);
        let kept = match exponent {
            1.. => {
                ((exponent as u64) << self.fraction) + (significand >> width) - (1 << self.fraction)
            }
            _ => significand >> width,
        };
        let discarded = significand & ((1 << width) - 1);
        let middle = 1 << (width - 1);
        let outwards = match direction {
            Direction::Nearest | Direction::Zero => false,
            Direction::Down => sign != 0,
            Direction::Up => sign == 0,
        };
        let up = match direction {
            Direction::Nearest => discarded > middle || discarded == middle && kept & 1 == 1,
            _ => outwards && discarded != 0,
        };
        let infinity = u64::from(self.infinity());
        let most = match direction == Direction::Nearest || outwards {
            true => infinity,
            false => infinity - 1,
        };
        sign | (kept + u64::from(up)).min(most) as u32
    }

    /// Applies a function to the values of both halves of words, and rounds to nearest.
    #[inline(always)]
    pub(crate) fn halves<const N: usize>(
        self,
        words: [u32; N],
        f: impl Fn([f64; N]) -> f64,
    ) -> u32 {
        let half = |by: u32| {
            let result = f(words.map(|word| self.value(word >> by & 0xffff)));
            self.narrow(result, Direction::Nearest) << by
        };
        half(0) | half(16)
    }

    /// `a * b + c` of both halves, rounded once.
    pub(crate) fn multiply_add(self, words: [u32; 3]) -> u32 {
        // The product is exact.
        self.halves(words, |[a, b, c]| sum_to_odd(a * b, c))
    }

    /// The smaller or larger of both halves, -0 below +0. A number and a NaN give the number, or with `nan` a NaN.
    pub(crate) fn extreme(self, words: [u32; 2], larger: bool, nan: bool) -> u32 {
        let order = |bits: u32| {
            let magnitude = (bits & !SIGN) as i32;
            if bits & SIGN == 0 { magnitude } else { -1 - magnitude }
        };
        let half = |by: u32| {
            let [a, b] = words.map(|word| word >> by & 0xffff);
            let [first, second] = [a, b].map(|bits| bits & !SIGN > self.infinity());
            let chosen = match (first, second) {
                (true, true) => NAN,
                (true, false) | (false, true) if nan => NAN,
                (true, false) => b,
                (false, true) => a,
                (false, false) if (order(a) > order(b)) == larger => a,
                (false, false) => b,
            };
            chosen << by
        };
        half(0) | half(16)
    }

    /// Both halves with subnormal numbers turned into zeroes of their sign.
    pub(crate) fn flush(self, word: u32) -> u32 {
        let half = |by: u32| {
            let bits = word >> by & 0xffff;
            (if bits & self.infinity() == 0 { bits & SIGN } else { bits }) << by
        };
        half(0) | half(16)
    }
}

/// The sum rounded to odd (Boldo and Melquiond, 2008): a later rounding to fewer bits is then the only one.
#[inline(always)]
pub(crate) fn sum_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // Knuth's two-sum: the exact error of the sum; NaN, and so neither sign, when it is not finite.
    let part = sum - a;
    let error = (a - (sum - part)) + (b - part);
    let inexact = u64::from((error > 0.0) | (error < 0.0));
    let even = !sum.to_bits() & 1;
    // One step towards the exact value: away from zero when the error has the sum's sign.
    let inwards = (error.to_bits() ^ sum.to_bits()) >> 63;
    let step = 1u64.wrapping_sub(2 * inwards) & (inexact & even).wrapping_neg();
    f64::from_bits(sum.to_bits().wrapping_add(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_comes_back() {
        for bits in 0..0x10000u32 {
            let is_nan = bits & 0x7fff > 0x7c00;
            let expected = if is_nan { 0x7fff } else { bits };
            assert_eq!(narrow(widen(bits)), expected, "{bits:#x}");
        }
        assert_eq!(widen(0x3c01), 1.0 + 1.0 / 1024.0);
        assert_eq!(widen(0x8001), -(2f32.powi(-24)));
        assert_eq!(widen(0x7bff), 65504.0);
    }

    #[test]
    fn middles_go_to_even() {
        for bits in 0..0x7bffu32 {
            let (low, high) = (widen(bits), widen(bits + 1));
            let middle = (low + high) / 2.0;
            let even = bits + (bits & 1);
            assert_eq!(narrow(middle), even, "{bits:#x}");
            assert_eq!(narrow(f32::from_bits(middle.to_bits() - 1)), bits, "{bits:#x}");
            assert_eq!(narrow(f32::from_bits(middle.to_bits() + 1)), bits + 1, "{bits:#x}");
        }
        assert_eq!(narrow(65519.996), 0x7bff);
        assert_eq!(narrow(-65520.0), 0xfc00);
        assert_eq!(narrow(-1e-30), 0x8000);
    }

    #[test]
    fn doubles_are_rounded_in_every_direction() {
        use Direction::{Down, Nearest, Up, Zero};
        for format in [Format::HALF, Format::BRAIN] {
            for bits in 0..format.infinity() - 1 {
                let (low, high) = (format.value(bits), format.value(bits + 1));
                let middle = (low + high) / 2.0;
                let above = f64::from_bits(middle.to_bits() + 1);
                for (value, direction, expected) in [
                    (low, Nearest, bits),
                    (middle, Nearest, bits + (bits & 1)),
                    (above, Nearest, bits + 1),
                    (above, Zero, bits),
                    (above, Down, bits),
                    (above, Up, bits + 1),
                    (-above, Zero, SIGN | bits),
                    (-above, Down, SIGN | (bits + 1)),
                    (-above, Up, SIGN | bits),
                ] {
                    assert_eq!(
                        format.narrow(value, direction),
                        expected,
                        "{value:e} {direction:?}"
                    );
                }
            }
        }
        let half = Format::HALF;
        assert_eq!(half.narrow(1e300, Nearest), 0x7c00);
        assert_eq!(half.narrow(1e300, Zero), 0x7bff);
        assert_eq!(half.narrow(-1e300, Up), 0xfbff);
        assert_eq!(half.narrow(-1e300, Down), 0xfc00);
        assert_eq!(half.narrow(1e-300, Up), 1);
        assert_eq!(half.narrow(5e-324, Nearest), 0);
        assert_eq!(half.narrow(f64::NEG_INFINITY, Up), 0xfc00);
    }

    #[test]
    fn sums_and_products_of_halves_are_rounded_once() {
        let half = Format::HALF;
        // The single-precision result is midway between two halves, the exact one is not.
        let bits = |value: f32| narrow(value);
        let words = [bits(1.0 + 2f32.powi(-10)), bits(1.0 + 2f32.powi(-10)), bits(2f32.powi(-24))];
        let exact = 1.0 + 2f64.powi(-9) + 2f64.powi(-20) + 2f64.powi(-24);
        assert_eq!(half.multiply_add(words), half.narrow(exact, Direction::Nearest));
        let brain = Format::BRAIN;
        // A product midway between two halves, and a number far below it that decides.
        let words = [0x3f81, 0x3f82, 0x0d80];
        let product =
            f64::from(f32::from_bits(0x3f81_0000)) * f64::from(f32::from_bits(0x3f82_0000));
        assert_eq!(
            brain.multiply_add(words) & 0xffff,
            brain.narrow(product + 1e-12, Direction::Nearest)
        );
        assert_eq!(half.extreme([0x7e00_8000, 0x3c00_0000], false, false), 0x3c00_8000);
        assert_eq!(half.extreme([0x7e00_8000, 0x3c00_0000], true, true), 0x7fff_0000);
        assert_eq!(half.flush(0x8001_03ff), 0x8000_0000);
    }
}

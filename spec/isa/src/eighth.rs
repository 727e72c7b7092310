//! Floats of eight bits: `e4m3` (bias 7, no infinity, the largest magnitude is NaN) and `e5m2` (the upper half of a
//! binary16), as in the Open Compute Project's specification of 2023.

/// The exact value of an `e4m3`.
pub(crate) fn e4m3(bits: u8) -> f64 {
    let sign = if bits & 0x80 != 0 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (bits >> 3 & 0xf, f64::from(bits & 7));
    let magnitude = match (exponent, bits & 7) {
        (0xf, 7) => return f64::NAN,
        (0, _) => fraction / 512.0,
        _ => (1.0 + fraction / 8.0) * f64::from(1u32 << exponent) / 128.0,
    };
    sign * magnitude
}

/// The half of an `e5m2` in the lower 8 bits; every NaN gives `0x7fff`.
pub(crate) fn e5m2(bits: u32) -> u32 {
    let magnitude = bits << 8 & 0x7fff;
    if magnitude > 0x7c00 { 0x7fff } else { bits << 8 & 0x8000 | magnitude }
}

/// A format that floats are rounded to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eighth {
    /// Bits of the fraction.
    fraction: u32,
    /// The exponent of 1.0.
    bias: i32,
    /// The largest finite magnitude.
    most: u64,
}

/// The bits of every NaN that results.
const NAN: u32 = 0x7f;

pub(crate) const E4M3: Eighth = Eighth { fraction: 3, bias: 7, most: 0x7e };
pub(crate) const E5M2: Eighth = Eighth { fraction: 2, bias: 15, most: 0x7b };

impl Eighth {
    /// The bits of a float, to nearest, halves to even, limited to finite magnitudes.
    pub(crate) fn narrow(self, a: f32) -> u32 {
        let (sign, magnitude) = (a.to_bits() >> 24 & 0x80, a.to_bits() & 0x7fff_ffff);
        if magnitude > 0x7f80_0000 {
            return NAN;
        }
        let exponent = (magnitude >> 23) as i32 - 127 + self.bias;
        // Subnormal floats are far below half of the smallest magnitude.
        let significand = u64::from(magnitude & 0x7f_ffff | 0x80_0000);
        let below = u32::try_from(1 - exponent).unwrap_or(0);
        let width = (23 - self.fraction + below).min(40);
        let (kept, discarded) = (significand >> width, significand & ((1 << width) - 1));
        let middle = 1 << (width - 1);
        let up = discarded > middle || discarded == middle && kept & 1 == 1;
        let steps = u64::try_from(exponent - 1).unwrap_or(0) << self.fraction;
        sign | (steps + kept + u64::from(up)).min(self.most) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that are exact come back; the middle between two goes to the even one, and its neighbours to the nearer one.
    #[test]
    fn floats_go_to_the_nearest() {
        let wide = |bits| f64::from(crate::half::widen(e5m2(bits)));
        let formats: [(Eighth, &dyn Fn(u32) -> f64); 2] =
            [(E4M3, &|bits| e4m3(bits as u8)), (E5M2, &wide)];
        for (format, value) in formats {
            let most = format.most as u32;
            for bits in 0..most {
                let (low, high) = (value(bits), value(bits + 1));
                let middle = ((low + high) / 2.0) as f32;
                assert_eq!(format.narrow(low as f32), bits);
                assert_eq!(format.narrow(-low as f32), bits | 0x80);
                assert_eq!(format.narrow(middle), bits + bits % 2);
                assert_eq!(format.narrow(f32::from_bits(middle.to_bits() - 1)), bits);
                assert_eq!(format.narrow(f32::from_bits(middle.to_bits() + 1)), bits + 1);
            }
            for large in [f32::MAX, f32::INFINITY, 60_000.0] {
                assert_eq!([large, -large].map(|it| format.narrow(it)), [most, most | 0x80]);
            }
            assert_eq!(format.narrow(f32::NAN), NAN);
        }
    }

    #[test]
    fn nans_are_the_canonical_one() {
        assert_eq!([0x7d, 0x7e, 0x7f, 0xff].map(e5m2), [0x7fff; 4]);
        assert_eq!([0x7c, 0xfc].map(e5m2), [0x7c00, 0xfc00]);
    }
}

//! Conversions between half and single precision (IEEE 754, binary16), on the bits.

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
}

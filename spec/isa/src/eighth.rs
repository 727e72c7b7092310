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

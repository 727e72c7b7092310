//! Float results with one NaN, and conversions between floats and integers.

use super::kind::Kind;

/// The one NaN that arithmetic on `float`s gives.
pub const NAN_F32: u32 = 0x7FFF_FFFF;
/// The one NaN that arithmetic on `double`s gives.
pub const NAN_F64: u64 = 0x7FFF_FFFF_FFFF_FFFF;

/// The slot of a computed `float`.
#[inline(always)]
pub fn slot_f32(value: f32) -> u64 {
    // Tested on the bits: the optimiser may drop `if value.is_nan() { NAN }` after a square root.
    let bits = value.to_bits();
    if bits & 0x7FFF_FFFF > 0x7F80_0000 { NAN_F32 as u64 } else { bits as u64 }
}

/// The slot of a computed `double`.
#[inline(always)]
pub fn slot_f64(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits & !(1 << 63) > 0x7FF0_0000_0000_0000 { NAN_F64 } else { bits }
}

/// The `float` in a slot.
#[inline(always)]
pub fn f32_of(slot: u64) -> f32 {
    f32::from_bits(slot as u32)
}

/// The `double` in a slot.
#[inline(always)]
pub fn f64_of(slot: u64) -> f64 {
    f64::from_bits(slot)
}

/// A `float` constant of the tree, which is given as a `double`.
pub fn f32_constant(value: f64) -> u64 {
    let single = value as f32;
    if single.is_nan() {
        let sign = (value.to_bits() >> 63 << 31) as u32;
        return (sign | NAN_F32) as u64;
    }
    single.to_bits() as u64
}

/// Float to integer: towards zero, saturating, NaN gives 0; below 32 bits the low bits
/// of what `int` gives.
pub fn float_to_int(value: f64, kind: Kind) -> u64 {
    match kind {
        Kind::Bool => (value != 0.0) as u64,
        Kind::I8 => value as i32 as i8 as u64,
        Kind::U8 => value as i32 as u8 as u64,
        Kind::I16 => value as i32 as i16 as u64,
        Kind::U16 => value as i32 as u16 as u64,
        Kind::I32 => value as i32 as u64,
        Kind::U32 | Kind::Pointer => value as u32 as u64,
        Kind::I64 => value as i64 as u64,
        Kind::U64 | Kind::F32 | Kind::F64 => value as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_saturate() {
        assert_eq!(float_to_int(1e30, Kind::I32), i32::MAX as u64);
        assert_eq!(float_to_int(-1.5, Kind::I32), -1i64 as u64);
        assert_eq!(float_to_int(-1.5, Kind::U32), 0);
        assert_eq!(float_to_int(f64::NAN, Kind::I64), 0);
        assert_eq!(float_to_int(300.0, Kind::U8), 44);
        assert_eq!(float_to_int(-1.0, Kind::U16), 0xFFFF);
    }

    #[test]
    fn nan_is_canonical() {
        assert_eq!(slot_f32(f32::from_bits(0xFFC0_0001)), 0x7FFF_FFFF);
        assert_eq!(f32_constant(-f64::NAN) >> 31, 1);
    }
}

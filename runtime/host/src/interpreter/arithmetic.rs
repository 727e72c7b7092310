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

/// The rules that a conversion from float to integer follows where C++ leaves the result open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// A host of x86-64.
    #[default]
    Host,
    /// A GPU.
    Device,
}

impl Side {
    /// The side with this number, for instructions that carry one.
    pub fn from_number(number: u32) -> Side {
        if number == Side::Device as u32 { Side::Device } else { Side::Host }
    }

    /// A `float` (`single`) or `double` as an integer, without its fraction.
    pub fn integer(self, value: f64, single: bool, kind: Kind) -> u64 {
        match self {
            Side::Host => host_integer(value, kind),
            Side::Device => device_integer(value, single, kind),
        }
    }
}

/// As the PTX ISA's `cvt`: saturating, and NaN gives 0 from `float` to 32 bits, else the highest
/// bit alone. Below 32 bits the low bits of the conversion to `int` or, for unsigned ones,
/// `unsigned`, as in nvcc.
pub fn device_integer(value: f64, single: bool, kind: Kind) -> u64 {
    let is_nan = value.is_nan();
    let signed = match is_nan {
        true if single => 0,
        true => i32::MIN,
        false => value as i32,
    };
    let unsigned = if is_nan { signed as u32 } else { value as u32 };
    match kind {
        Kind::Bool => (value != 0.0) as u64,
        Kind::I8 => signed as i8 as u64,
        Kind::U8 => unsigned as u8 as u64,
        Kind::I16 => signed as i16 as u64,
        Kind::U16 => unsigned as u16 as u64,
        Kind::I32 => signed as u64,
        Kind::U32 | Kind::Pointer => unsigned as u64,
        _ if is_nan => 1 << 63,
        Kind::I64 => value as i64 as u64,
        Kind::U64 | Kind::F32 | Kind::F64 => value as u64,
    }
}

/// As compilers for x86-64 do it with `cvttsd2si`, which gives the lowest number of its width, 32
/// or 64 bits, for values that do not fit: `unsigned` and types below 32 bits are the low bits of a
/// wider one.
pub fn host_integer(value: f64, kind: Kind) -> u64 {
    const TOP: f64 = 9_223_372_036_854_775_808.0;
    let long = |value: f64| if (-TOP..TOP).contains(&value) { value as i64 } else { i64::MIN };
    let int = || i32::try_from(long(value)).unwrap_or(i32::MIN);
    match kind {
        Kind::Bool => (value != 0.0) as u64,
        Kind::I8 => int() as i8 as u64,
        Kind::U8 => int() as u8 as u64,
        Kind::I16 => int() as i16 as u64,
        Kind::U16 => int() as u16 as u64,
        Kind::I32 => int() as u64,
        Kind::U32 | Kind::Pointer => long(value) as u32 as u64,
        Kind::I64 => long(value) as u64,
        // A value too large for a signed integer is taken without its highest bit.
        Kind::U64 | Kind::F32 | Kind::F64 if value >= TOP => long(value - TOP) as u64 ^ 1 << 63,
        Kind::U64 | Kind::F32 | Kind::F64 => long(value) as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_device_converts_as_ptx_says() {
        let to = |value, kind| device_integer(value, false, kind);
        assert_eq!(to(1e30, Kind::I32), i32::MAX as u64);
        assert_eq!(to(-1.5, Kind::I32), -1i64 as u64);
        assert_eq!(to(-1.5, Kind::U32), 0);
        assert_eq!(to(300.0, Kind::U8), 44);
        assert_eq!(to(-1.0, Kind::U16), 0);
        assert_eq!(to(-1.0, Kind::I16), -1i64 as u64);
        let nan = |single, kind| device_integer(f64::NAN, single, kind);
        assert_eq!([nan(true, Kind::I64), nan(false, Kind::U64)], [1 << 63; 2]);
        assert_eq!(nan(true, Kind::I32), 0);
        assert_eq!(nan(false, Kind::I32), i32::MIN as u64);
        assert_eq!(nan(false, Kind::U32), 1 << 31);
        assert_eq!(nan(false, Kind::I16), 0);
    }

    /// Values as g++ 12 gives them on x86-64.
    #[test]
    fn the_host_converts_as_its_processor_does() {
        assert_eq!(host_integer(3e9, Kind::I32), i32::MIN as u64);
        assert_eq!(host_integer(f64::NAN, Kind::I32), i32::MIN as u64);
        assert_eq!(host_integer(-2147483648.5, Kind::I32), i32::MIN as u64);
        assert_eq!(host_integer(-1.5, Kind::U32), 0xFFFF_FFFF);
        assert_eq!(host_integer(1e30, Kind::U32), 0);
        assert_eq!(host_integer(1e30, Kind::I64), 1 << 63);
        assert_eq!(host_integer(1e30, Kind::U64), 0);
        assert_eq!(host_integer(1e19, Kind::U64), 10_000_000_000_000_000_000);
        assert_eq!(host_integer(-1.5, Kind::U64), u64::MAX);
        assert_eq!(host_integer(f64::NAN, Kind::U64), 1 << 63);
        assert_eq!(host_integer(-1.0, Kind::U8), 255);
        assert_eq!(host_integer(3e9, Kind::U16), 0);
    }

    #[test]
    fn nan_is_canonical() {
        assert_eq!(slot_f32(f32::from_bits(0xFFC0_0001)), 0x7FFF_FFFF);
        assert_eq!(f32_constant(-f64::NAN) >> 31, 1);
    }
}

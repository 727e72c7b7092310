//! How values lie in lanes, and how a row's lane function is applied to one lane or to a warp.
//!
//! A lane register has 32 bits. A 64-bit value is a pair of registers, low word in the even one.
//! A predicate register holds one bit a lane.

/// The most lanes a warp can have: predicate registers and lane masks are one `u64`.
pub const MAX_LANES: usize = 64;

/// The kind of value an operand is read as, or a result written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueKind {
    /// Unsigned or sign-less 32-bit integer.
    U32,
    /// Signed 32-bit integer.
    I32,
    /// 32-bit float.
    F32,
    /// Unsigned or sign-less 64-bit integer, a register pair.
    U64,
    /// Signed 64-bit integer, a register pair.
    I64,
    /// 64-bit float, a register pair.
    F64,
    /// One bit: a predicate.
    Predicate,
}

impl ValueKind {
    /// How many general registers hold the value: 0 for predicates, 1 or 2.
    pub fn registers(self) -> u8 {
        match self {
            ValueKind::Predicate => 0,
            ValueKind::U32 | ValueKind::I32 | ValueKind::F32 => 1,
            ValueKind::U64 | ValueKind::I64 | ValueKind::F64 => 2,
        }
    }
}

/// One source operand for a whole warp. Lanes at and beyond the slices' length do not exist.
#[derive(Clone, Copy, Debug, Default)]
pub struct WarpSource<'a> {
    /// Low (or only) words, one a lane; empty for predicates.
    pub low: &'a [u32],
    /// High words of 64-bit values; empty otherwise.
    pub high: &'a [u32],
    /// The bits of a predicate.
    pub predicate: u64,
}

/// The result of an instruction for a whole warp; only lanes of the mask it was computed for
/// mean anything.
#[derive(Clone, Debug)]
pub struct WarpResult {
    /// Low (or only) words.
    pub low: [u32; MAX_LANES],
    /// High words of 64-bit values.
    pub high: [u32; MAX_LANES],
    /// The bits of a predicate.
    pub predicate: u64,
}

impl Default for WarpResult {
    fn default() -> Self {
        WarpResult { low: [0; MAX_LANES], high: [0; MAX_LANES], predicate: 0 }
    }
}

/// A Rust type that a lane function takes or returns.
pub(crate) trait Lane: Copy {
    const KIND: ValueKind;
    fn from_bits(bits: u64) -> Self;
    fn to_bits(self) -> u64;
    /// Applies to all lanes below `lanes`; a separate loop per kind, so that it vectorises.
    fn read(source: &WarpSource, lane: usize) -> Self;
    fn write(result: &mut WarpResult, lane: usize, value: Self);
}

macro_rules! lane32 {
    ($ty:ty, $kind:ident, $from:expr, $to:expr) => {
        impl Lane for $ty {
            const KIND: ValueKind = ValueKind::$kind;
            #[inline(always)]
            fn from_bits(bits: u64) -> Self {
                $from(bits as u32)
            }
            #[inline(always)]
            fn to_bits(self) -> u64 {
                $to(self) as u64
            }
            #[inline(always)]
            fn read(source: &WarpSource, lane: usize) -> Self {
                $from(source.low[lane])
            }
            #[inline(always)]
            fn write(result: &mut WarpResult, lane: usize, value: Self) {
                result.low[lane] = $to(value);
            }
        }
    };
}
macro_rules! lane64 {
    ($ty:ty, $kind:ident, $from:expr, $to:expr) => {
        impl Lane for $ty {
            const KIND: ValueKind = ValueKind::$kind;
            #[inline(always)]
            fn from_bits(bits: u64) -> Self {
                $from(bits)
            }
            #[inline(always)]
            fn to_bits(self) -> u64 {
                $to(self)
            }
            #[inline(always)]
            fn read(source: &WarpSource, lane: usize) -> Self {
                $from(source.low[lane] as u64 | (source.high[lane] as u64) << 32)
            }
            #[inline(always)]
            fn write(result: &mut WarpResult, lane: usize, value: Self) {
                let bits: u64 = $to(value);
                result.low[lane] = bits as u32;
                result.high[lane] = (bits >> 32) as u32;
            }
        }
    };
}
lane32!(u32, U32, |b: u32| b, |v: u32| v);
lane32!(i32, I32, |b: u32| b as i32, |v: i32| v as u32);
lane32!(f32, F32, f32::from_bits, f32::to_bits);
lane64!(u64, U64, |b: u64| b, |v: u64| v);
lane64!(i64, I64, |b: u64| b as i64, |v: i64| v as u64);
lane64!(f64, F64, f64::from_bits, f64::to_bits);

impl Lane for bool {
    const KIND: ValueKind = ValueKind::Predicate;
    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        bits & 1 != 0
    }
    #[inline(always)]
    fn to_bits(self) -> u64 {
        self as u64
    }
    #[inline(always)]
    fn read(source: &WarpSource, lane: usize) -> Self {
        source.predicate >> lane & 1 != 0
    }
    #[inline(always)]
    fn write(result: &mut WarpResult, lane: usize, value: Self) {
        result.predicate |= (value as u64) << lane;
    }
}

/// Which lanes a warp evaluation visits.
#[derive(Clone, Copy)]
pub(crate) enum Visit {
    /// Every lane below the width: straight-line code that vectorises.
    All(usize),
    /// The lanes of a mask: for functions that cost more than a masked loop.
    Active(u64),
}

impl Visit {
    #[inline(always)]
    pub(crate) fn each(self, mut lane: impl FnMut(usize)) {
        match self {
            Visit::All(lanes) => (0..lanes).for_each(lane),
            Visit::Active(mut mask) => {
                while mask != 0 {
                    lane(mask.trailing_zeros() as usize);
                    mask &= mask - 1;
                }
            }
        }
    }
}

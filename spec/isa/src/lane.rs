//! The layout of values in lanes, and the application of a row's lane function to one lane or to a
//! warp.
//!
//! A lane register has 32 bits. A 64-bit value is a pair of registers, low word in the even one; 128 bits, which are only
//! loaded and stored, are four from a multiple of four on.
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
    /// 128 bits, four registers: the unit of wide loads and stores. No lane function reads it.
    Quad,
    /// One bit: a predicate.
    Predicate,
}

impl ValueKind {
    /// The number of general registers that hold the value: 0 for predicates, 1, 2 or 4. The number
    /// of the first is a multiple of that.
    pub fn registers(self) -> u8 {
        match self {
            ValueKind::Predicate => 0,
            ValueKind::U32 | ValueKind::I32 | ValueKind::F32 => 1,
            ValueKind::U64 | ValueKind::I64 | ValueKind::F64 => 2,
            ValueKind::Quad => 4,
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

/// The most lanes that one evaluation visits: the width of most warps. Arrays of this length need
/// no bounds checks in the loops over them.
pub const BLOCK: usize = 32;

/// Bit `lane` of a predicate or a mask. From a table it lets loops over lanes vectorise; a shift by
/// the lane's number does not on every host.
pub const BIT: [u32; BLOCK] = {
    let mut bits = [0; BLOCK];
    let mut lane = 0;
    while lane < BLOCK {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// The words of a block of lanes.
pub type Words = [u32; BLOCK];

/// One source operand for a block of lanes.
#[derive(Clone, Copy, Debug)]
pub struct BlockSource<'a> {
    /// Low (or only) words, one a lane.
    pub low: &'a Words,
    /// High words of 64-bit values.
    pub high: &'a Words,
    /// The bits of a predicate.
    pub predicate: u32,
}

/// Stands for the words that a source does not have; nothing reads them.
static ABSENT: Words = [0; BLOCK];

impl BlockSource<'_> {
    /// A source that an operation does not have.
    pub const NONE: BlockSource<'static> =
        BlockSource { low: &ABSENT, high: &ABSENT, predicate: 0 };
}

impl<'a> WarpSource<'a> {
    /// The block that begins at lane `start`; `None` when it has only a part of the lanes.
    #[inline(always)]
    pub(crate) fn block(&self, start: usize) -> Option<BlockSource<'a>> {
        let words = |all: &'a [u32]| match all.get(start..) {
            Some(rest) if !all.is_empty() => rest.first_chunk(),
            _ => Some(&ABSENT),
        };
        Some(BlockSource {
            low: words(self.low)?,
            high: words(self.high)?,
            predicate: (self.predicate >> start) as u32,
        })
    }
}

/// A copy of a source's last lanes, filled up to a block.
pub(crate) struct Padded {
    low: [u32; BLOCK],
    high: [u32; BLOCK],
    predicate: u32,
}

impl Padded {
    pub(crate) const EMPTY: Padded = Padded { low: [0; BLOCK], high: [0; BLOCK], predicate: 0 };

    /// Copies the existing words of a source from a lane on. Later lanes are not read.
    pub(crate) fn copy(&mut self, source: &WarpSource, start: usize) {
        let copy = |block: &mut [u32; BLOCK], all: &[u32]| {
            let rest = all.get(start..).unwrap_or_default();
            let count = rest.len().min(BLOCK);
            block[..count].copy_from_slice(&rest[..count]);
        };
        copy(&mut self.low, source.low);
        copy(&mut self.high, source.high);
        self.predicate = (source.predicate >> start) as u32;
    }

    pub(crate) fn block(&self) -> BlockSource<'_> {
        BlockSource { low: &self.low, high: &self.high, predicate: self.predicate }
    }
}

impl WarpResult {
    /// The low and the high words of the block that begins at lane `start`; `None` beyond the last.
    #[inline(always)]
    pub fn block(&mut self, start: usize) -> Option<(&mut Words, &mut Words)> {
        let low = self.low.get_mut(start..)?.first_chunk_mut()?;
        let high = self.high.get_mut(start..)?.first_chunk_mut()?;
        Some((low, high))
    }
}

/// A Rust type that a lane function takes or returns.
pub(crate) trait Lane: Copy {
    const KIND: ValueKind;
    fn from_bits(bits: u64) -> Self;
    fn to_bits(self) -> u64;
    /// Reads the lane of a source that is known to hold this type.
    fn read(source: &BlockSource, lane: usize) -> Self;
    /// Writes the lane of a result and returns its predicate bit.
    fn write(low: &mut Words, high: &mut Words, lane: usize, value: Self) -> u32;
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
            fn read(source: &BlockSource, lane: usize) -> Self {
                $from(source.low[lane])
            }
            #[inline(always)]
            fn write(low: &mut Words, _high: &mut Words, lane: usize, value: Self) -> u32 {
                low[lane] = $to(value);
                0
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
            fn read(source: &BlockSource, lane: usize) -> Self {
                $from(source.low[lane] as u64 | (source.high[lane] as u64) << 32)
            }
            #[inline(always)]
            fn write(low: &mut Words, high: &mut Words, lane: usize, value: Self) -> u32 {
                let bits: u64 = $to(value);
                low[lane] = bits as u32;
                high[lane] = (bits >> 32) as u32;
                0
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
    fn read(source: &BlockSource, lane: usize) -> Self {
        source.predicate & BIT[lane] != 0
    }
    #[inline(always)]
    fn write(_low: &mut Words, _high: &mut Words, lane: usize, value: Self) -> u32 {
        if value { BIT[lane] } else { 0 }
    }
}

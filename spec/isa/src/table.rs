//! The instruction table.
//!
//! A row holds the doc sentence, the opcode, the name in the enumeration, the mnemonic, the unit
//! that executes it, its effect, its typed operands and what it computes in a lane. To add an
//! operation is to add a row; nothing else in this crate changes.

use crate::eighth;
use crate::half::{self, Direction, Format};
use crate::instruction::Width;
use crate::lane::{BLOCK, BlockSource, Lane, ValueKind, Words};
use crate::{phase, rounding};

/// Which functional unit executes an operation. Pipes, latencies and initiation intervals belong to
/// the machine file, which has an entry for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Moves, logic, integer sums and comparisons.
    Integer,
    /// Integer products.
    IntegerMultiply,
    /// Integer quotients and remainders.
    IntegerDivide,
    /// Single-precision sums, products and comparisons.
    Float,
    /// Single-precision quotients.
    FloatDivide,
    /// Double-precision sums, products and comparisons.
    Double,
    /// Double-precision quotients, roots and elementary functions.
    DoubleDivide,
    /// Single-precision roots and elementary functions.
    Special,
    /// Loads, stores and atomics.
    Memory,
    /// Branches, barriers, exit.
    Control,
    /// Products of matrices.
    Tensor,
}

impl Unit {
    /// Every unit with its key in machine files.
    pub const ALL: [(Unit, &'static str); 11] = [
        (Unit::Integer, "integer"),
        (Unit::IntegerMultiply, "integer-multiply"),
        (Unit::IntegerDivide, "integer-divide"),
        (Unit::Float, "float"),
        (Unit::FloatDivide, "float-divide"),
        (Unit::Double, "double"),
        (Unit::DoubleDivide, "double-divide"),
        (Unit::Special, "special"),
        (Unit::Memory, "memory"),
        (Unit::Control, "control"),
        (Unit::Tensor, "tensor"),
    ];
}

/// Whether an operation's lane function costs so much that only active lanes are evaluated: it is a call, or the host has no
/// vector instruction for it.
const fn is_costly(op: Op, unit: Unit) -> bool {
    match op {
        Op::DivF32 | Op::SqrtF32 | Op::RsqrtF32 | Op::DivF64 | Op::SqrtF64 | Op::RsqrtF64 => false,
        _ => matches!(
            unit,
            Unit::IntegerDivide | Unit::FloatDivide | Unit::DoubleDivide | Unit::Special
        ),
    }
}

/// What an operation does beside computing; pipeline stages switch on this and on the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing: a pure function of its sources.
    Compute,
    /// A pure function that traps when the second source is zero.
    Divide,
    /// Reads memory.
    Load,
    /// Writes memory.
    Store,
    /// Reads and writes memory.
    Atomic,
    /// May change the program counter.
    Branch,
    /// Ends threads.
    Exit,
    /// Makes lanes of a warp take part in a convergence barrier.
    Bssy,
    /// Suspends lanes of a warp until all that take part in a convergence barrier have arrived.
    Bsync,
    /// Suspends threads until the block has arrived; its result, if it has one, is made of what all
    /// of them brought.
    Barrier,
    /// Counts threads at a barrier of the block, and, but for an arrival, suspends them until there are enough.
    CountedBarrier,
    /// A function of what all active lanes of a warp bring ([`crate::collective`]).
    Collective,
    /// Puts an address or a predicate of every thread into the queues of their warps.
    Enqueue,
    /// Waits for a dependence counter of the warp.
    Depbar,
    /// Copies from global to shared memory; the bytes arrive later.
    Copy,
    /// Suspends threads until groups of their copies have arrived.
    AwaitCopies,
}

/// What an operand or result is read or written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// A value of this kind.
    Value(ValueKind),
    /// A value of the instruction's width: one register, a pair for `b64`, or four for `b128`.
    Width,
}

impl OperandKind {
    /// The kind of value in an instruction of this width.
    pub fn value(self, width: Width) -> ValueKind {
        match (self, width) {
            (OperandKind::Value(kind), _) => kind,
            (OperandKind::Width, Width::B64) => ValueKind::U64,
            (OperandKind::Width, Width::B128) => ValueKind::Quad,
            (OperandKind::Width, _) => ValueKind::U32,
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The operation.
    pub op: Op,
    /// Its number in the binary form, below 1024.
    pub opcode: u16,
    /// Its spelling; memory operations add `.space.width`.
    pub mnemonic: &'static str,
    /// Which unit executes it.
    pub unit: Unit,
    /// What it does.
    pub effect: Effect,
    /// Names and kinds of the sources.
    pub sources: &'static [(&'static str, OperandKind)],
    /// The kind of the result.
    pub result: Option<OperandKind>,
    /// One sentence.
    pub doc: &'static str,
    /// What it computes in a lane, as Rust text (for the specification).
    pub semantics: &'static str,
}

// NaNs are told by their bits: LLVM takes `if r.is_nan() { NAN } else { r }` for `r` itself when `r`
// is a square root, because to it all NaNs are alike, and the host's own NaN comes out.
fn nan32(value: f32) -> f32 {
    let bits = value.to_bits();
    let is_nan = bits & 0x7fff_ffff > 0x7f80_0000;
    f32::from_bits(if is_nan { 0x7fff_ffff } else { bits })
}

fn nan64(value: f64) -> f64 {
    const INFINITY: u64 = 0x7ff0_0000_0000_0000;
    let bits = value.to_bits();
    // All ones for a NaN, else zero; the sign of a difference, because hosts without a comparison
    // of 64-bit integers in vectors have the rest.
    let is_nan = (INFINITY.wrapping_sub(bits & !(1 << 63)) as i64 >> 63) as u64;
    f64::from_bits((bits | is_nan) & !(is_nan & 1 << 63))
}

macro_rules! min_max {
    ($min:ident, $max:ident, $ty:ty, $nan:ident) => {
        fn $min(a: $ty, b: $ty) -> $ty {
            let smaller = if a < b || (a == b && a.is_sign_negative()) { a } else { b };
            if b.is_nan() {
                $nan(a)
            } else if a.is_nan() {
                b
            } else {
                smaller
            }
        }
        fn $max(a: $ty, b: $ty) -> $ty {
            let larger = if a > b || (a == b && b.is_sign_negative()) { a } else { b };
            if b.is_nan() {
                $nan(a)
            } else if a.is_nan() {
                b
            } else {
                larger
            }
        }
    };
}
min_max!(min32, max32, f32, nan32);
min_max!(min64, max64, f64, nan64);

/// `a * b + c` rounded once. The product of two f32 is exact in f64; their sum with `c` is
/// rounded to odd there (Boldo and Melquiond, 2008), which keeps the second rounding, to f32, from
/// seeing a tie that is none. Plain arithmetic without branches, so that it vectorises.
#[inline(always)]
fn fma32(a: f32, b: f32, c: f32) -> f32 {
    half::sum_to_odd(f64::from(a) * f64::from(b), f64::from(c)) as f32
}

/// `a * b + c` rounded once.
fn fma64(a: f64, b: f64, c: f64) -> f64 {
    libm::fma(a, b, c)
}

// Rounding to integers by adding and subtracting 2^23 (2^52), where floats have no fraction: exact,
// without branches and without what a host's instruction set may lack.
macro_rules! round_to_integer {
    ($ty:ty, $digits:literal, $rint:ident, $floor:ident, $ceil:ident, $trunc:ident, $round:ident) => {
        /// To nearest, halves to even.
        fn $rint(a: $ty) -> $ty {
            const WHOLE: $ty = (1u64 << ($digits - 1)) as $ty;
            let magnitude = a.abs();
            let rounded = (magnitude + WHOLE) - WHOLE;
            let result = if magnitude < WHOLE { rounded } else { magnitude };
            result.copysign(a)
        }
        fn $floor(a: $ty) -> $ty {
            let near = $rint(a);
            (if near > a { near - 1.0 } else { near }).copysign(a)
        }
        fn $ceil(a: $ty) -> $ty {
            let near = $rint(a);
            (if near < a { near + 1.0 } else { near }).copysign(a)
        }
        fn $trunc(a: $ty) -> $ty {
            $floor(a.abs()).copysign(a)
        }
        /// To nearest, halves away from zero.
        fn $round(a: $ty) -> $ty {
            let whole = $trunc(a).abs();
            let up = if a.abs() - whole >= 0.5 { 1.0 } else { 0.0 };
            (whole + up).copysign(a)
        }
    };
}
round_to_integer!(f32, 24, rint32, floor32, ceil32, trunc32, round32);
round_to_integer!(f64, 53, rint64, floor64, ceil64, trunc64, round64);

/// The bits of a float without the lowest 13, which `more` was added to; every NaN gives `0x7fffffff`.
fn tf32(a: f32, more: u32) -> u32 {
    let bits = a.to_bits();
    let is_nan = bits & 0x7fff_ffff > 0x7f80_0000;
    if is_nan { 0x7fff_ffff } else { bits.wrapping_add(more) & !0x1fff }
}

/// Two words as one of 64 bits.
fn pair(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// Four bytes of eight.
fn permute32(a: u32, b: u32, s: u32) -> u32 {
    let all = pair(a, b);
    let byte = |n: u32| (all >> (8 * (s >> (4 * n) & 7)) & 0xff) as u32;
    byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24
}

/// The place of a one, counted from a place.
fn find_nth32(a: u32, base: u32, n: i32) -> u32 {
    if base > 31 {
        return u32::MAX;
    }
    let mut left = match n {
        0 => a & 1 << base,
        1.. => a & u32::MAX << base,
        // From the highest down is from the lowest up in the reverse.
        _ => a.reverse_bits() & u32::MAX << (31 - base),
    };
    for _ in 1..n.unsigned_abs().min(33) {
        left &= left.wrapping_sub(1);
    }
    match left {
        0 => u32::MAX,
        _ if n < 0 => 31 - left.trailing_zeros(),
        _ => left.trailing_zeros(),
    }
}

/// The sum of the products of bytes, and more.
fn dot32(a: u32, b: u32, c: u32, extend: impl Fn(u8) -> u32) -> u32 {
    let pairs = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
    pairs.fold(c, |sum, (x, y)| sum.wrapping_add(extend(x).wrapping_mul(extend(y))))
}

macro_rules! operand_kind {
    (width) => {
        OperandKind::Width
    };
    (quad) => {
        OperandKind::Value(ValueKind::Quad)
    };
    ($ty:ty) => {
        OperandKind::Value(<$ty as Lane>::KIND)
    };
}

// The three helpers below pick out of a row what one derived item needs; rows that do not compute
// expand to nothing there.
macro_rules! effect {
    (compute) => {
        Effect::Compute
    };
    (divide) => {
        Effect::Divide
    };
    (load) => {
        Effect::Load
    };
    (store) => {
        Effect::Store
    };
    (atomic) => {
        Effect::Atomic
    };
    (branch) => {
        Effect::Branch
    };
    (exit) => {
        Effect::Exit
    };
    (barrier) => {
        Effect::Barrier
    };
    (counted_barrier) => {
        Effect::CountedBarrier
    };
    (bssy) => {
        Effect::Bssy
    };
    (bsync) => {
        Effect::Bsync
    };
    (collective) => {
        Effect::Collective
    };
    (enqueue) => {
        Effect::Enqueue
    };
    (depbar) => {
        Effect::Depbar
    };
    (copy) => {
        Effect::Copy
    };
    (await_copies) => {
        Effect::AwaitCopies
    };
}

macro_rules! signature {
    // The old value is memory's; the rest are operands after the address.
    (atomic, $ty:ident ($old:ident $(, $name:ident)*)) => {
        (
            &[
                ("address", OperandKind::Value(ValueKind::U32)),
                $((stringify!($name), OperandKind::Value(<$ty as Lane>::KIND)),)*
            ],
            Some(OperandKind::Value(<$ty as Lane>::KIND)),
        )
    };
    ($effect:ident, ($($name:ident : $ty:ident),*) -> $result:ident) => {
        (&[$((stringify!($name), operand_kind!($ty))),*], Some(operand_kind!($result)))
    };
    ($effect:ident, ($($name:ident : $ty:ident),*)) => {
        (&[$((stringify!($name), operand_kind!($ty))),*], None)
    };
}

macro_rules! lane_function {
    (compute, $bits:ident, ($a:ident : $ta:ident $(, $b:ident : $tb:ident $(, $c:ident : $tc:ident)?)?) -> $result:ident $body:block) => {{
        let $a = <$ta as Lane>::from_bits($bits[0]);
        $(let $b = <$tb as Lane>::from_bits($bits[1]);
        $(let $c = <$tc as Lane>::from_bits($bits[2]);)?)?
        let result: $result = $body;
        Some(Lane::to_bits(result))
    }};
    (divide, $bits:ident, $($rest:tt)*) => { lane_function!(compute, $bits, $($rest)*) };
    ($effect:ident, $bits:ident, $($rest:tt)*) => { None };
}

macro_rules! block_function {
    // Predicates are words of bits already: a truth table of the function serves all lanes at once.
    (compute, $op:ident $unit:ident, $block:ident, ($a:ident : bool) -> bool $body:block) => {{
        let function = |$a: bool| -> bool { $body };
        truth_table(|a, _| function(a), $block.sources)
    }};
    (compute, $op:ident $unit:ident, $block:ident, ($a:ident : bool, $b:ident : bool) -> bool $body:block) => {{
        truth_table(|$a: bool, $b: bool| -> bool { $body }, $block.sources)
    }};
    (compute, $op:ident $unit:ident, $block:ident, ($a:ident : $ta:ident $(, $b:ident : $tb:ident $(, $c:ident : $tc:ident)?)?) -> $result:ident $body:block) => {{
        let [a, b, c] = $block.sources;
        let mut predicate = 0;
        // A costly function is evaluated only where it is needed; any other is cheaper in all lanes, as vector code, than
        // in some. Loops, not a function that takes a closure: through one LLVM does not see that results and sources do
        // not overlap, and checks that first.
        if const { is_costly(Op::$op, Unit::$unit) } {
            let mut mask = $block.mask;
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                block_function!(@lane $block, lane, predicate, [a, b, c], ($a: $ta $(, $b: $tb $(, $c: $tc)?)?) -> $result $body);
            }
        } else {
            for lane in 0..$block.lanes.min(BLOCK) {
                block_function!(@lane $block, lane, predicate, [a, b, c], ($a: $ta $(, $b: $tb $(, $c: $tc)?)?) -> $result $body);
            }
        }
        let _ = (b, c);
        predicate
    }};
    (@lane $block:ident, $lane:ident, $predicate:ident, [$x:ident, $y:ident, $z:ident], ($a:ident : $ta:ident $(, $b:ident : $tb:ident $(, $c:ident : $tc:ident)?)?) -> $result:ident $body:block) => {{
        let $a = <$ta as Lane>::read($x, $lane);
        $(let $b = <$tb as Lane>::read($y, $lane);
        $(let $c = <$tc as Lane>::read($z, $lane);)?)?
        let result: $result = $body;
        $predicate |= <$result as Lane>::write($block.low, $block.high, $lane, result);
    }};
    (divide, $($rest:tt)*) => { block_function!(compute, $($rest)*) };
    ($effect:ident, $op:ident $unit:ident, $block:ident, $($rest:tt)*) => {{
        let _ = $block;
        0
    }};
}

/// Applies a function of two bits to the predicates of two sources.
#[inline(always)]
fn truth_table(function: impl Fn(bool, bool) -> bool, sources: &[BlockSource; 3]) -> u32 {
    let (p, q) = (sources[0].predicate, sources[1].predicate);
    let row = |a: bool, b: bool, lanes: u32| if function(a, b) { lanes } else { 0 };
    row(false, false, !p & !q)
        | row(false, true, !p & q)
        | row(true, false, p & !q)
        | row(true, true, p & q)
}

/// Evaluates an operation in the first lanes of a block: how many, of which only those of the mask count, the sources, and
/// where low and high words go. The result is its predicate.
pub(crate) type Evaluate = fn(usize, u32, &[BlockSource; 3], &mut Words, &mut Words) -> u32;

/// The same, to be called only on hosts that have what it is compiled for.
pub(crate) type EvaluateHere =
    unsafe fn(usize, u32, &[BlockSource; 3], &mut Words, &mut Words) -> u32;

/// What an operation is evaluated on.
struct Block<'a> {
    lanes: usize,
    mask: u32,
    sources: &'a [BlockSource<'a>; 3],
    low: &'a mut Words,
    high: &'a mut Words,
}

macro_rules! atomic_function {
    (atomic, $bits:ident, $ty:ident ($old:ident, $value:ident $(, $compare:ident)?) $body:block) => {{
        let $old = <$ty as Lane>::from_bits($bits[0]);
        let $value = <$ty as Lane>::from_bits($bits[1]);
        $(let $compare = <$ty as Lane>::from_bits($bits[2]);)?
        let new: $ty = $body;
        Some(Lane::to_bits(new))
    }};
    ($effect:ident, $bits:ident, $($rest:tt)*) => {
        None
    };
}

macro_rules! semantics {
    ($body:block) => { stringify!($body) };
    ($first:tt $($rest:tt)*) => { semantics!($($rest)*) };
}

macro_rules! isa {
    ($($(#[doc = $doc:literal])+ $opcode:literal $op:ident $mnemonic:literal $unit:ident $effect:ident [$($row:tt)*];)*) => {
        /// An operation of the instruction set.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Op { $($(#[doc = $doc])+ $op,)* }

        /// Every row, in the order of the enumeration.
        pub const TABLE: &[Row] = &[$({
            const SIGNATURE: (&[(&str, OperandKind)], Option<OperandKind>) = isa!(@signature $effect, $($row)*);
            Row {
                op: Op::$op,
                opcode: $opcode,
                mnemonic: $mnemonic,
                unit: Unit::$unit,
                effect: effect!($effect),
                sources: SIGNATURE.0,
                result: SIGNATURE.1,
                doc: concat!($($doc),+).trim_ascii(),
                semantics: semantics!($($row)*),
            }
        },)*];

        /// The result of a computing operation in one lane, `None` for any other. Values are
        /// zero-extended bits; a division by zero gives 0 (the machine traps before).
        pub fn evaluate_lane(op: Op, sources: [u64; 3]) -> Option<u64> {
            match op { $(Op::$op => lane_function!($effect, sources, $($row)*),)* }
        }

        /// What evaluates each operation in the first `lanes` lanes of a block; the result is its predicate.
        pub(crate) static PORTABLE: [Evaluate; TABLE.len()] = [$({
            // The two results, as parameters of their own, are known not to overlap with the sources.
            fn evaluate(lanes: usize, mask: u32, sources: &[BlockSource; 3], low: &mut Words, high: &mut Words) -> u32 {
                let block = Block { lanes, mask, sources, low, high };
                block_function!($effect, $op $unit, block, $($row)*)
            }
            evaluate
        },)*];

        /// The same with AVX2 and FMA.
        #[cfg(target_arch = "x86_64")]
        pub(crate) static AVX2: [EvaluateHere; TABLE.len()] = [$({
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            fn evaluate(lanes: usize, mask: u32, sources: &[BlockSource; 3], low: &mut Words, high: &mut Words) -> u32 {
                // In the row it is these that are meant.
                #[allow(unused_imports)]
                use crate::vectors::fused::{fma32, fma64};
                let block = Block { lanes, mask, sources, low, high };
                block_function!($effect, $op $unit, block, $($row)*)
            }
            evaluate
        },)*];

        /// The new memory value of an atomic, from (old, value, compare) as zero-extended bits;
        /// `None` for any other operation.
        pub fn evaluate_atomic(op: Op, bits: [u64; 3]) -> Option<u64> {
            match op { $(Op::$op => atomic_function!($effect, bits, $($row)*),)* }
        }
    };
    (@signature atomic, $ty:ident ($($name:ident),*) $body:block) => { signature!(atomic, $ty ($($name),*)) };
    (@signature $effect:ident, $params:tt -> $result:ident $body:block) => { signature!($effect, $params -> $result) };
    (@signature $effect:ident, $params:tt $body:block) => { signature!($effect, $params) };
}

impl Op {
    /// Returns true if it multiplies matrices ([`Matrix`](crate::Matrix)).
    pub fn is_product(self) -> bool {
        self.row().unit == Unit::Tensor
    }

    /// Returns true if it loads or stores matrices ([`MatrixMove`](crate::MatrixMove)).
    pub fn is_matrix_access(self) -> bool {
        (Op::LoadMatrix..=Op::StoreMatrix4Transposed).contains(&self)
    }

    /// Returns true if all lanes of a warp execute it together, because each holds a part of a matrix.
    pub fn is_matrix(self) -> bool {
        self.is_product() || self.is_matrix_access() || self == Op::TransposeMatrix
    }

    /// The row that describes this operation.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The operation of a number in the binary form.
    pub fn from_opcode(opcode: u16) -> Option<Op> {
        let row = TABLE.iter().find(|row| row.opcode == opcode)?;
        Some(row.op)
    }

    /// The operation of a mnemonic.
    pub fn from_mnemonic(mnemonic: &str) -> Option<Op> {
        let row = TABLE.iter().find(|row| row.mnemonic == mnemonic)?;
        Some(row.op)
    }
}

with_matrices! {{
    // Moves and selection
    /// Copies a word; the only operation that may read a special value.
    0x000 Mov "mov.b32" Integer compute [(a: u32) -> u32 { a }];
    /// Copies a pair.
    0x001 Mov64 "mov.b64" Integer compute [(a: u64) -> u64 { a }];
    /// `p ? a : b`.
    0x002 Select "sel.b32" Integer compute [(p: bool, a: u32, b: u32) -> u32 { if p { a } else { b } }];
    /// `p ? a : b` on pairs.
    0x003 Select64 "sel.b64" Integer compute [(p: bool, a: u64, b: u64) -> u64 { if p { a } else { b } }];
    /// Copies a predicate.
    0x004 MovPred "mov.pred" Integer compute [(p: bool) -> bool { p }];
    /// Both predicates.
    0x005 AndPred "and.pred" Integer compute [(p: bool, q: bool) -> bool { p & q }];
    /// Either predicate.
    0x006 OrPred "or.pred" Integer compute [(p: bool, q: bool) -> bool { p | q }];
    /// One of two predicates.
    0x007 XorPred "xor.pred" Integer compute [(p: bool, q: bool) -> bool { p ^ q }];
    /// The low word of a pair.
    0x008 Low "low.b64" Integer compute [(a: u64) -> u32 { a as u32 }];
    /// The high word of a pair.
    0x009 High "high.b64" Integer compute [(a: u64) -> u32 { (a >> 32) as u32 }];
    /// A pair of a low and a high word.
    0x00a Pack "pack.b64" Integer compute [(low: u32, high: u32) -> u64 { pair(low, high) }];

    // 32-bit integers
    /// Sum modulo 2^32.
    0x010 Add "add.i32" Integer compute [(a: u32, b: u32) -> u32 { a.wrapping_add(b) }];
    /// Difference modulo 2^32.
    0x011 Sub "sub.i32" Integer compute [(a: u32, b: u32) -> u32 { a.wrapping_sub(b) }];
    /// Product modulo 2^32.
    0x012 Mul "mul.i32" IntegerMultiply compute [(a: u32, b: u32) -> u32 { a.wrapping_mul(b) }];
    /// `a * b + c` modulo 2^32.
    0x013 Mad "mad.i32" IntegerMultiply compute [(a: u32, b: u32, c: u32) -> u32 { a.wrapping_mul(b).wrapping_add(c) }];
    /// Upper half of the signed product.
    0x014 MulHighS32 "mulhi.s32" IntegerMultiply compute [(a: i32, b: i32) -> i32 { ((a as i64 * b as i64) >> 32) as i32 }];
    /// Upper half of the unsigned product.
    0x015 MulHighU32 "mulhi.u32" IntegerMultiply compute [(a: u32, b: u32) -> u32 { ((a as u64 * b as u64) >> 32) as u32 }];
    /// Signed quotient, truncated; a zero divisor traps.
    0x016 DivS32 "div.s32" IntegerDivide divide [(a: i32, b: i32) -> i32 { if b == 0 { 0 } else { a.wrapping_div(b) } }];
    /// Signed remainder, the sign of the dividend; a zero divisor traps.
    0x017 RemS32 "rem.s32" IntegerDivide divide [(a: i32, b: i32) -> i32 { if b == 0 { 0 } else { a.wrapping_rem(b) } }];
    /// The smaller, signed.
    0x018 MinS32 "min.s32" Integer compute [(a: i32, b: i32) -> i32 { a.min(b) }];
    /// The larger, signed.
    0x019 MaxS32 "max.s32" Integer compute [(a: i32, b: i32) -> i32 { a.max(b) }];
    /// Unsigned quotient, truncated; a zero divisor traps.
    0x01a DivU32 "div.u32" IntegerDivide divide [(a: u32, b: u32) -> u32 { if b == 0 { 0 } else { a.wrapping_div(b) } }];
    /// Unsigned remainder, the sign of the dividend; a zero divisor traps.
    0x01b RemU32 "rem.u32" IntegerDivide divide [(a: u32, b: u32) -> u32 { if b == 0 { 0 } else { a.wrapping_rem(b) } }];
    /// The smaller, unsigned.
    0x01c MinU32 "min.u32" Integer compute [(a: u32, b: u32) -> u32 { a.min(b) }];
    /// The larger, unsigned.
    0x01d MaxU32 "max.u32" Integer compute [(a: u32, b: u32) -> u32 { a.max(b) }];
    /// Absolute value modulo 2^32.
    0x01e Abs "abs.s32" Integer compute [(a: i32) -> i32 { a.wrapping_abs() }];
    /// Bitwise and.
    0x01f And "and.b32" Integer compute [(a: u32, b: u32) -> u32 { a & b }];
    /// Bitwise or.
    0x020 Or "or.b32" Integer compute [(a: u32, b: u32) -> u32 { a | b }];
    /// Bitwise exclusive or.
    0x021 Xor "xor.b32" Integer compute [(a: u32, b: u32) -> u32 { a ^ b }];
    /// Bitwise complement.
    0x022 Not "not.b32" Integer compute [(a: u32) -> u32 { !a }];
    /// Left shift; by 32 or more, 0.
    0x023 Shl "shl.b32" Integer compute [(a: u32, n: u32) -> u32 { a.checked_shl(n).unwrap_or(0) }];
    /// Arithmetic right shift; by 32 or more, the sign.
    0x024 ShrS32 "shr.s32" Integer compute [(a: i32, n: u32) -> i32 { a >> n.min(31) }];
    /// Logical right shift; by 32 or more, 0.
    0x025 ShrU32 "shr.u32" Integer compute [(a: u32, n: u32) -> u32 { a.checked_shr(n).unwrap_or(0) }];
    /// Number of ones.
    0x026 Popc "popc.b32" Integer compute [(a: u32) -> u32 { a.count_ones() }];
    /// Number of leading zeroes.
    0x027 Clz "clz.b32" Integer compute [(a: u32) -> u32 { a.leading_zeros() }];
    /// Position of the lowest one counted from 1, 0 for none.
    0x028 Ffs "ffs.b32" Integer compute [(a: u32) -> u32 { if a == 0 { 0 } else { a.trailing_zeros() + 1 } }];
    /// Bits in reverse order.
    0x029 Brev "brev.b32" Integer compute [(a: u32) -> u32 { a.reverse_bits() }];
    /// Low word of the product of the low 24 bits, sign-extended.
    0x02a Mul24S "mul24.s32" IntegerMultiply compute [(a: i32, b: i32) -> i32 { (a << 8 >> 8).wrapping_mul(b << 8 >> 8) }];
    /// Low word of the product of the low 24 bits.
    0x02b Mul24U "mul24.u32" IntegerMultiply compute [(a: u32, b: u32) -> u32 { (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff) }];
    /// Byte n of the result is that of the eight of `b` and `a` that the low three bits of nibble n of `s` say.
    0x02c Permute "prmt.b32" Integer compute [(a: u32, b: u32, s: u32) -> u32 { permute32(a, b, s) }];
    /// Place of the nth one of `a` from bit `base` on, downwards for a negative n; for 0 `base` itself; all ones if there is none.
    0x02d FindNth "fns.b32" Integer compute [(a: u32, base: u32, n: i32) -> u32 { find_nth32(a, base, n) }];
    /// Sum of the products of the signed bytes, and `c`.
    0x02e Dot4S "dp4a.s32" IntegerMultiply compute [(a: u32, b: u32, c: u32) -> u32 { dot32(a, b, c, |byte| byte as i8 as u32) }];
    /// Sum of the products of the unsigned bytes, and `c`.
    0x02f Dot4U "dp4a.u32" IntegerMultiply compute [(a: u32, b: u32, c: u32) -> u32 { dot32(a, b, c, u32::from) }];

    // Two and three words
    /// `a` without the bits of `b`.
    0x030 AndNot "andn.b32" Integer compute [(a: u32, b: u32) -> u32 { a & !b }];
    /// `a`, and the complement of `b`.
    0x031 OrNot "orn.b32" Integer compute [(a: u32, b: u32) -> u32 { a | !b }];
    /// Bitwise and of three.
    0x032 And3 "and3.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { a & b & c }];
    /// Bitwise or of three.
    0x033 Or3 "or3.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { a | b | c }];
    /// Bitwise exclusive or of three.
    0x034 Xor3 "xor3.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { a ^ b ^ c }];
    /// `(a & b) | c`.
    0x035 AndOr "andor.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { (a & b) | c }];
    /// `(a & b) ^ c`.
    0x036 AndXor "andxor.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { (a & b) ^ c }];
    /// `(a | b) & c`.
    0x037 OrAnd "orand.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { (a | b) & c }];
    /// `(a | b) ^ c`.
    0x038 OrXor "orxor.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { (a | b) ^ c }];
    /// `(a ^ b) & c`.
    0x039 XorAnd "xorand.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { (a ^ b) & c }];
    /// `(a ^ b) | c`.
    0x03a XorOr "xoror.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { (a ^ b) | c }];
    /// `(a & b)` without the bits of `c`.
    0x03b AndNotAnd "andnand.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { a & b & !c }];
    /// `(a & !b) | c`.
    0x03c AndNotOr "andnor.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { (a & !b) | c }];
    /// `(a & !b) ^ c`.
    0x03d AndNotXor "andnxor.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { (a & !b) ^ c }];
    /// The bits of `a` where `c` has ones, those of `b` elsewhere.
    0x03e BitSelect "bitsel.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { a & c | b & !c }];
    /// The bits that at least two have.
    0x03f Majority "maj.b32" Integer compute [(a: u32, b: u32, c: u32) -> u32 { a & b | a & c | b & c }];
    /// The high word of `high` and `low` in front of each other, shifted left by the low five bits of `n`.
    0x040 FunnelLeft "shf.l.wrap.b32" Integer compute [(low: u32, high: u32, n: u32) -> u32 { ((pair(low, high) << (n & 31)) >> 32) as u32 }];
    /// The same, shifted by `n`, by 32 at most.
    0x041 FunnelLeftClamp "shf.l.clamp.b32" Integer compute [(low: u32, high: u32, n: u32) -> u32 { ((pair(low, high) << n.min(32)) >> 32) as u32 }];
    /// The low word of `high` and `low` in front of each other, shifted right by the low five bits of `n`.
    0x042 FunnelRight "shf.r.wrap.b32" Integer compute [(low: u32, high: u32, n: u32) -> u32 { (pair(low, high) >> (n & 31)) as u32 }];
    /// The same, shifted by `n`, by 32 at most.
    0x043 FunnelRightClamp "shf.r.clamp.b32" Integer compute [(low: u32, high: u32, n: u32) -> u32 { (pair(low, high) >> n.min(32)) as u32 }];

    // 64-bit integers
    /// Sum modulo 2^64.
    0x050 Add64 "add.i64" Integer compute [(a: u64, b: u64) -> u64 { a.wrapping_add(b) }];
    /// Difference modulo 2^64.
    0x051 Sub64 "sub.i64" Integer compute [(a: u64, b: u64) -> u64 { a.wrapping_sub(b) }];
    /// Product modulo 2^64.
    0x052 Mul64 "mul.i64" IntegerMultiply compute [(a: u64, b: u64) -> u64 { a.wrapping_mul(b) }];
    /// `a * b + c` modulo 2^64.
    0x053 Mad64 "mad.i64" IntegerMultiply compute [(a: u64, b: u64, c: u64) -> u64 { a.wrapping_mul(b).wrapping_add(c) }];
    /// Upper half of the signed product.
    0x054 MulHighS64 "mulhi.s64" IntegerMultiply compute [(a: i64, b: i64) -> i64 { ((a as i128 * b as i128) >> 64) as i64 }];
    /// Upper half of the unsigned product.
    0x055 MulHighU64 "mulhi.u64" IntegerMultiply compute [(a: u64, b: u64) -> u64 { ((a as u128 * b as u128) >> 64) as u64 }];
    /// Signed quotient, truncated; a zero divisor traps.
    0x056 DivS64 "div.s64" IntegerDivide divide [(a: i64, b: i64) -> i64 { if b == 0 { 0 } else { a.wrapping_div(b) } }];
    /// Signed remainder, the sign of the dividend; a zero divisor traps.
    0x057 RemS64 "rem.s64" IntegerDivide divide [(a: i64, b: i64) -> i64 { if b == 0 { 0 } else { a.wrapping_rem(b) } }];
    /// The smaller, signed.
    0x058 MinS64 "min.s64" Integer compute [(a: i64, b: i64) -> i64 { a.min(b) }];
    /// The larger, signed.
    0x059 MaxS64 "max.s64" Integer compute [(a: i64, b: i64) -> i64 { a.max(b) }];
    /// Unsigned quotient, truncated; a zero divisor traps.
    0x05a DivU64 "div.u64" IntegerDivide divide [(a: u64, b: u64) -> u64 { if b == 0 { 0 } else { a.wrapping_div(b) } }];
    /// Unsigned remainder, the sign of the dividend; a zero divisor traps.
    0x05b RemU64 "rem.u64" IntegerDivide divide [(a: u64, b: u64) -> u64 { if b == 0 { 0 } else { a.wrapping_rem(b) } }];
    /// The smaller, unsigned.
    0x05c MinU64 "min.u64" Integer compute [(a: u64, b: u64) -> u64 { a.min(b) }];
    /// The larger, unsigned.
    0x05d MaxU64 "max.u64" Integer compute [(a: u64, b: u64) -> u64 { a.max(b) }];
    /// Absolute value modulo 2^64.
    0x05e Abs64 "abs.s64" Integer compute [(a: i64) -> i64 { a.wrapping_abs() }];
    /// Bitwise and.
    0x05f And64 "and.b64" Integer compute [(a: u64, b: u64) -> u64 { a & b }];
    /// Bitwise or.
    0x060 Or64 "or.b64" Integer compute [(a: u64, b: u64) -> u64 { a | b }];
    /// Bitwise exclusive or.
    0x061 Xor64 "xor.b64" Integer compute [(a: u64, b: u64) -> u64 { a ^ b }];
    /// Bitwise complement.
    0x062 Not64 "not.b64" Integer compute [(a: u64) -> u64 { !a }];
    /// Left shift; by 64 or more, 0.
    0x063 Shl64 "shl.b64" Integer compute [(a: u64, n: u32) -> u64 { a.checked_shl(n).unwrap_or(0) }];
    /// Arithmetic right shift; by 64 or more, the sign.
    0x064 ShrS64 "shr.s64" Integer compute [(a: i64, n: u32) -> i64 { a >> n.min(63) }];
    /// Logical right shift; by 64 or more, 0.
    0x065 ShrU64 "shr.u64" Integer compute [(a: u64, n: u32) -> u64 { a.checked_shr(n).unwrap_or(0) }];
    /// Number of ones.
    0x066 Popc64 "popc.b64" Integer compute [(a: u64) -> u32 { a.count_ones() }];
    /// Number of leading zeroes.
    0x067 Clz64 "clz.b64" Integer compute [(a: u64) -> u32 { a.leading_zeros() }];
    /// Position of the lowest one counted from 1, 0 for none.
    0x068 Ffs64 "ffs.b64" Integer compute [(a: u64) -> u32 { if a == 0 { 0 } else { a.trailing_zeros() + 1 } }];
    /// Bits in reverse order.
    0x069 Brev64 "brev.b64" Integer compute [(a: u64) -> u64 { a.reverse_bits() }];

    // Comparisons; a NaN is unequal to everything and not ordered
    /// `a == b`, integers.
    0x090 SetEqualI32 "setp.eq.i32" Integer compute [(a: i32, b: i32) -> bool { a == b }];
    /// `a != b`, integers.
    0x091 SetNotEqualI32 "setp.ne.i32" Integer compute [(a: i32, b: i32) -> bool { a != b }];
    /// `a < b`, signed.
    0x092 SetLessS32 "setp.lt.s32" Integer compute [(a: i32, b: i32) -> bool { a < b }];
    /// `a <= b`, signed.
    0x093 SetLessEqualS32 "setp.le.s32" Integer compute [(a: i32, b: i32) -> bool { a <= b }];
    /// `a > b`, signed.
    0x094 SetGreaterS32 "setp.gt.s32" Integer compute [(a: i32, b: i32) -> bool { a > b }];
    /// `a >= b`, signed.
    0x095 SetGreaterEqualS32 "setp.ge.s32" Integer compute [(a: i32, b: i32) -> bool { a >= b }];
    /// `a < b`, unsigned.
    0x096 SetLessU32 "setp.lt.u32" Integer compute [(a: u32, b: u32) -> bool { a < b }];
    /// `a <= b`, unsigned.
    0x097 SetLessEqualU32 "setp.le.u32" Integer compute [(a: u32, b: u32) -> bool { a <= b }];
    /// `a > b`, unsigned.
    0x098 SetGreaterU32 "setp.gt.u32" Integer compute [(a: u32, b: u32) -> bool { a > b }];
    /// `a >= b`, unsigned.
    0x099 SetGreaterEqualU32 "setp.ge.u32" Integer compute [(a: u32, b: u32) -> bool { a >= b }];
    /// `a == b`, integers.
    0x09a SetEqualI64 "setp.eq.i64" Integer compute [(a: i64, b: i64) -> bool { a == b }];
    /// `a != b`, integers.
    0x09b SetNotEqualI64 "setp.ne.i64" Integer compute [(a: i64, b: i64) -> bool { a != b }];
    /// `a < b`, signed.
    0x09c SetLessS64 "setp.lt.s64" Integer compute [(a: i64, b: i64) -> bool { a < b }];
    /// `a <= b`, signed.
    0x09d SetLessEqualS64 "setp.le.s64" Integer compute [(a: i64, b: i64) -> bool { a <= b }];
    /// `a > b`, signed.
    0x09e SetGreaterS64 "setp.gt.s64" Integer compute [(a: i64, b: i64) -> bool { a > b }];
    /// `a >= b`, signed.
    0x09f SetGreaterEqualS64 "setp.ge.s64" Integer compute [(a: i64, b: i64) -> bool { a >= b }];
    /// `a < b`, unsigned.
    0x0a0 SetLessU64 "setp.lt.u64" Integer compute [(a: u64, b: u64) -> bool { a < b }];
    /// `a <= b`, unsigned.
    0x0a1 SetLessEqualU64 "setp.le.u64" Integer compute [(a: u64, b: u64) -> bool { a <= b }];
    /// `a > b`, unsigned.
    0x0a2 SetGreaterU64 "setp.gt.u64" Integer compute [(a: u64, b: u64) -> bool { a > b }];
    /// `a >= b`, unsigned.
    0x0a3 SetGreaterEqualU64 "setp.ge.u64" Integer compute [(a: u64, b: u64) -> bool { a >= b }];
    /// `a == b`, float.
    0x0a4 SetEqualF32 "setp.eq.f32" Float compute [(a: f32, b: f32) -> bool { a == b }];
    /// `a != b`, float.
    0x0a5 SetNotEqualF32 "setp.ne.f32" Float compute [(a: f32, b: f32) -> bool { a != b }];
    /// `a < b`, float.
    0x0a6 SetLessF32 "setp.lt.f32" Float compute [(a: f32, b: f32) -> bool { a < b }];
    /// `a <= b`, float.
    0x0a7 SetLessEqualF32 "setp.le.f32" Float compute [(a: f32, b: f32) -> bool { a <= b }];
    /// `a > b`, float.
    0x0a8 SetGreaterF32 "setp.gt.f32" Float compute [(a: f32, b: f32) -> bool { a > b }];
    /// `a >= b`, float.
    0x0a9 SetGreaterEqualF32 "setp.ge.f32" Float compute [(a: f32, b: f32) -> bool { a >= b }];
    /// `a == b`, double.
    0x0aa SetEqualF64 "setp.eq.f64" Double compute [(a: f64, b: f64) -> bool { a == b }];
    /// `a != b`, double.
    0x0ab SetNotEqualF64 "setp.ne.f64" Double compute [(a: f64, b: f64) -> bool { a != b }];
    /// `a < b`, double.
    0x0ac SetLessF64 "setp.lt.f64" Double compute [(a: f64, b: f64) -> bool { a < b }];
    /// `a <= b`, double.
    0x0ad SetLessEqualF64 "setp.le.f64" Double compute [(a: f64, b: f64) -> bool { a <= b }];
    /// `a > b`, double.
    0x0ae SetGreaterF64 "setp.gt.f64" Double compute [(a: f64, b: f64) -> bool { a > b }];
    /// `a >= b`, double.
    0x0af SetGreaterEqualF64 "setp.ge.f64" Double compute [(a: f64, b: f64) -> bool { a >= b }];

    // Comparisons joined with another condition
    /// `a == b`, integers, and a predicate.
    0x230 SetEqualAndI32 "setp.eq.and.i32" Integer compute [(a: i32, b: i32, p: bool) -> bool { (a == b) & p }];
    /// `a != b`, integers, and a predicate.
    0x231 SetNotEqualAndI32 "setp.ne.and.i32" Integer compute [(a: i32, b: i32, p: bool) -> bool { (a != b) & p }];
    /// `a < b`, signed, and a predicate.
    0x232 SetLessAndS32 "setp.lt.and.s32" Integer compute [(a: i32, b: i32, p: bool) -> bool { (a < b) & p }];
    /// `a <= b`, signed, and a predicate.
    0x233 SetLessEqualAndS32 "setp.le.and.s32" Integer compute [(a: i32, b: i32, p: bool) -> bool { (a <= b) & p }];
    /// `a > b`, signed, and a predicate.
    0x234 SetGreaterAndS32 "setp.gt.and.s32" Integer compute [(a: i32, b: i32, p: bool) -> bool { (a > b) & p }];
    /// `a >= b`, signed, and a predicate.
    0x235 SetGreaterEqualAndS32 "setp.ge.and.s32" Integer compute [(a: i32, b: i32, p: bool) -> bool { (a >= b) & p }];
    /// `a < b`, unsigned, and a predicate.
    0x236 SetLessAndU32 "setp.lt.and.u32" Integer compute [(a: u32, b: u32, p: bool) -> bool { (a < b) & p }];
    /// `a <= b`, unsigned, and a predicate.
    0x237 SetLessEqualAndU32 "setp.le.and.u32" Integer compute [(a: u32, b: u32, p: bool) -> bool { (a <= b) & p }];
    /// `a > b`, unsigned, and a predicate.
    0x238 SetGreaterAndU32 "setp.gt.and.u32" Integer compute [(a: u32, b: u32, p: bool) -> bool { (a > b) & p }];
    /// `a >= b`, unsigned, and a predicate.
    0x239 SetGreaterEqualAndU32 "setp.ge.and.u32" Integer compute [(a: u32, b: u32, p: bool) -> bool { (a >= b) & p }];
    /// `a == b`, integers, or a predicate.
    0x23a SetEqualOrI32 "setp.eq.or.i32" Integer compute [(a: i32, b: i32, p: bool) -> bool { (a == b) | p }];
    /// `a != b`, integers, or a predicate.
    0x23b SetNotEqualOrI32 "setp.ne.or.i32" Integer compute [(a: i32, b: i32, p: bool) -> bool { (a != b) | p }];
    /// `a < b`, signed, or a predicate.
    0x23c SetLessOrS32 "setp.lt.or.s32" Integer compute [(a: i32, b: i32, p: bool) -> bool { (a < b) | p }];
    /// `a <= b`, signed, or a predicate.
    0x23d SetLessEqualOrS32 "setp.le.or.s32" Integer compute [(a: i32, b: i32, p: bool) -> bool { (a <= b) | p }];
    /// `a > b`, signed, or a predicate.
    0x23e SetGreaterOrS32 "setp.gt.or.s32" Integer compute [(a: i32, b: i32, p: bool) -> bool { (a > b) | p }];
    /// `a >= b`, signed, or a predicate.
    0x23f SetGreaterEqualOrS32 "setp.ge.or.s32" Integer compute [(a: i32, b: i32, p: bool) -> bool { (a >= b) | p }];
    /// `a < b`, unsigned, or a predicate.
    0x240 SetLessOrU32 "setp.lt.or.u32" Integer compute [(a: u32, b: u32, p: bool) -> bool { (a < b) | p }];
    /// `a <= b`, unsigned, or a predicate.
    0x241 SetLessEqualOrU32 "setp.le.or.u32" Integer compute [(a: u32, b: u32, p: bool) -> bool { (a <= b) | p }];
    /// `a > b`, unsigned, or a predicate.
    0x242 SetGreaterOrU32 "setp.gt.or.u32" Integer compute [(a: u32, b: u32, p: bool) -> bool { (a > b) | p }];
    /// `a >= b`, unsigned, or a predicate.
    0x243 SetGreaterEqualOrU32 "setp.ge.or.u32" Integer compute [(a: u32, b: u32, p: bool) -> bool { (a >= b) | p }];

    // Conversions
    /// Sign-extends a byte.
    0x0c0 Sext8 "cvt.s32.s8" Integer compute [(a: u32) -> i32 { a as i8 as i32 }];
    /// Zero-extends a byte.
    0x0c1 Zext8 "cvt.u32.u8" Integer compute [(a: u32) -> u32 { a as u8 as u32 }];
    /// Sign-extends 16 bits.
    0x0c2 Sext16 "cvt.s32.s16" Integer compute [(a: u32) -> i32 { a as i16 as i32 }];
    /// Zero-extends 16 bits.
    0x0c3 Zext16 "cvt.u32.u16" Integer compute [(a: u32) -> u32 { a as u16 as u32 }];
    /// Sign-extends a word to a pair.
    0x0c4 Sext32 "cvt.s64.s32" Integer compute [(a: i32) -> i64 { a as i64 }];
    /// Zero-extends a word to a pair.
    0x0c5 Zext32 "cvt.u64.u32" Integer compute [(a: u32) -> u64 { a as u64 }];
    /// Integer s32 to f32, to nearest even.
    0x0c6 CvtF32S32 "cvt.f32.s32" Float compute [(a: i32) -> f32 { a as f32 }];
    /// Integer u32 to f32, to nearest even.
    0x0c7 CvtF32U32 "cvt.f32.u32" Float compute [(a: u32) -> f32 { a as f32 }];
    /// Integer s64 to f32, to nearest even.
    0x0c8 CvtF32S64 "cvt.f32.s64" Float compute [(a: i64) -> f32 { a as f32 }];
    /// Integer u64 to f32, to nearest even.
    0x0c9 CvtF32U64 "cvt.f32.u64" Float compute [(a: u64) -> f32 { a as f32 }];
    /// Integer s32 to f64, to nearest even.
    0x0ca CvtF64S32 "cvt.f64.s32" Double compute [(a: i32) -> f64 { a as f64 }];
    /// Integer u32 to f64, to nearest even.
    0x0cb CvtF64U32 "cvt.f64.u32" Double compute [(a: u32) -> f64 { a as f64 }];
    /// Integer s64 to f64, to nearest even.
    0x0cc CvtF64S64 "cvt.f64.s64" Double compute [(a: i64) -> f64 { a as f64 }];
    /// Integer u64 to f64, to nearest even.
    0x0cd CvtF64U64 "cvt.f64.u64" Double compute [(a: u64) -> f64 { a as f64 }];
    // NaN converts as in the PTX ISA, `cvt`: to 0 from f32 to 32 bits, else to the highest bit alone.
    /// f32 to integer s32, towards zero, saturating; NaN gives 0.
    0x0ce CvtS32F32 "cvt.s32.f32" Float compute [(a: f32) -> i32 { a as i32 }];
    /// f32 to integer u32, towards zero, saturating; NaN gives 0.
    0x0cf CvtU32F32 "cvt.u32.f32" Float compute [(a: f32) -> u32 { a as u32 }];
    /// f32 to integer s64, towards zero, saturating; NaN gives 0x8000000000000000.
    0x0d0 CvtS64F32 "cvt.s64.f32" Float compute [(a: f32) -> i64 { if a.is_nan() { i64::MIN } else { a as i64 } }];
    /// f32 to integer u64, towards zero, saturating; NaN gives 0x8000000000000000.
    0x0d1 CvtU64F32 "cvt.u64.f32" Float compute [(a: f32) -> u64 { if a.is_nan() { 1 << 63 } else { a as u64 } }];
    /// f64 to integer s32, towards zero, saturating; NaN gives 0x80000000.
    0x0d2 CvtS32F64 "cvt.s32.f64" Double compute [(a: f64) -> i32 { if a.is_nan() { i32::MIN } else { a as i32 } }];
    /// f64 to integer u32, towards zero, saturating; NaN gives 0x80000000.
    0x0d3 CvtU32F64 "cvt.u32.f64" Double compute [(a: f64) -> u32 { if a.is_nan() { 1 << 31 } else { a as u32 } }];
    /// f64 to integer s64, towards zero, saturating; NaN gives 0x8000000000000000.
    0x0d4 CvtS64F64 "cvt.s64.f64" Double compute [(a: f64) -> i64 { if a.is_nan() { i64::MIN } else { a as i64 } }];
    /// f64 to integer u64, towards zero, saturating; NaN gives 0x8000000000000000.
    0x0d5 CvtU64F64 "cvt.u64.f64" Double compute [(a: f64) -> u64 { if a.is_nan() { 1 << 63 } else { a as u64 } }];
    /// Single to double.
    0x0d6 CvtF64F32 "cvt.f64.f32" Double compute [(a: f32) -> f64 { nan64(a as f64) }];
    /// Double to single, to nearest even.
    0x0d7 CvtF32F64 "cvt.f32.f64" Double compute [(a: f64) -> f32 { nan32(a as f32) }];
    /// Single to the bits of a half, to nearest even; NaN gives 0x7fff.
    0x0d8 CvtF16F32 "cvt.f16.f32" Float compute [(a: f32) -> u32 { half::narrow(a) }];
    /// The lower 16 bits, a half, to single; NaN gives 0x7fffffff.
    0x0d9 CvtF32F16 "cvt.f32.f16" Float compute [(a: u32) -> f32 { half::widen(a) }];

    // Single precision; a NaN result is canonical, except from bit operations
    /// Sum.
    0x100 AddF32 "add.f32" Float compute [(a: f32, b: f32) -> f32 { nan32(a + b) }];
    /// Difference.
    0x101 SubF32 "sub.f32" Float compute [(a: f32, b: f32) -> f32 { nan32(a - b) }];
    /// Product.
    0x102 MulF32 "mul.f32" Float compute [(a: f32, b: f32) -> f32 { nan32(a * b) }];
    /// `a * b + c`, rounded once.
    0x103 FmaF32 "fma.f32" Float compute [(a: f32, b: f32, c: f32) -> f32 { nan32(fma32(a, b, c)) }];
    /// Quotient.
    0x104 DivF32 "div.f32" FloatDivide compute [(a: f32, b: f32) -> f32 { nan32(a / b) }];
    /// The smaller; the number when one is NaN; -0 below +0.
    0x105 MinF32 "min.f32" Float compute [(a: f32, b: f32) -> f32 { min32(a, b) }];
    /// The larger; the number when one is NaN; -0 below +0.
    0x106 MaxF32 "max.f32" Float compute [(a: f32, b: f32) -> f32 { max32(a, b) }];
    /// Flips the sign bit.
    0x107 NegF32 "neg.f32" Float compute [(a: u32) -> u32 { a ^ (1 << 31) }];
    /// Clears the sign bit.
    0x108 AbsF32 "abs.f32" Float compute [(a: u32) -> u32 { a & !(1 << 31) }];
    /// Magnitude of the first, sign of the second.
    0x109 CopysignF32 "copysign.f32" Float compute [(a: u32, b: u32) -> u32 { a & !(1 << 31) | b & (1 << 31) }];
    /// A zero with the sign of the value if it is subnormal, else the value.
    0x250 FlushF32 "ftz.f32" Float compute [(a: u32) -> u32 { if a & 0x7f80_0000 == 0 { a & 1 << 31 } else { a } }];
    /// Largest integer not above.
    0x10a FloorF32 "floor.f32" Float compute [(a: f32) -> f32 { nan32(floor32(a)) }];
    /// Smallest integer not below.
    0x10b CeilF32 "ceil.f32" Float compute [(a: f32) -> f32 { nan32(ceil32(a)) }];
    /// Integer part.
    0x10c TruncF32 "trunc.f32" Float compute [(a: f32) -> f32 { nan32(trunc32(a)) }];
    /// Nearest integer, halves away from zero.
    0x10d RoundF32 "round.f32" Float compute [(a: f32) -> f32 { nan32(round32(a)) }];
    /// Nearest integer, halves to even.
    0x10e RintF32 "rint.f32" Float compute [(a: f32) -> f32 { nan32(rint32(a)) }];
    /// Square root, correctly rounded.
    0x10f SqrtF32 "sqrt.f32" Special compute [(a: f32) -> f32 { nan32(a.sqrt()) }];
    /// `1 / sqrt(a)`, each step rounded.
    0x110 RsqrtF32 "rsqrt.f32" Special compute [(a: f32) -> f32 { nan32(1.0 / a.sqrt()) }];
    /// Cube root (libm).
    0x111 CbrtF32 "cbrt.f32" Special compute [(a: f32) -> f32 { nan32(libm::cbrtf(a)) }];
    /// Exponential (libm).
    0x112 ExpF32 "exp.f32" Special compute [(a: f32) -> f32 { nan32(libm::expf(a)) }];
    /// Power of two (libm).
    0x113 Exp2F32 "exp2.f32" Special compute [(a: f32) -> f32 { nan32(libm::exp2f(a)) }];
    /// Power of ten (libm).
    0x114 Exp10F32 "exp10.f32" Special compute [(a: f32) -> f32 { nan32(libm::exp10f(a)) }];
    /// `exp(a) - 1` (libm).
    0x115 Expm1F32 "expm1.f32" Special compute [(a: f32) -> f32 { nan32(libm::expm1f(a)) }];
    /// Natural logarithm (libm).
    0x116 LogF32 "log.f32" Special compute [(a: f32) -> f32 { nan32(libm::logf(a)) }];
    /// Binary logarithm (libm).
    0x117 Log2F32 "log2.f32" Special compute [(a: f32) -> f32 { nan32(libm::log2f(a)) }];
    /// Decimal logarithm (libm).
    0x118 Log10F32 "log10.f32" Special compute [(a: f32) -> f32 { nan32(libm::log10f(a)) }];
    /// `log(1 + a)` (libm).
    0x119 Log1pF32 "log1p.f32" Special compute [(a: f32) -> f32 { nan32(libm::log1pf(a)) }];
    /// Sine (libm).
    0x11a SinF32 "sin.f32" Special compute [(a: f32) -> f32 { nan32(libm::sinf(a)) }];
    /// Cosine (libm).
    0x11b CosF32 "cos.f32" Special compute [(a: f32) -> f32 { nan32(libm::cosf(a)) }];
    /// Tangent (libm).
    0x11c TanF32 "tan.f32" Special compute [(a: f32) -> f32 { nan32(libm::tanf(a)) }];
    /// Arc sine (libm).
    0x11d AsinF32 "asin.f32" Special compute [(a: f32) -> f32 { nan32(libm::asinf(a)) }];
    /// Arc cosine (libm).
    0x11e AcosF32 "acos.f32" Special compute [(a: f32) -> f32 { nan32(libm::acosf(a)) }];
    /// Arc tangent (libm).
    0x11f AtanF32 "atan.f32" Special compute [(a: f32) -> f32 { nan32(libm::atanf(a)) }];
    /// Hyperbolic sine (libm).
    0x120 SinhF32 "sinh.f32" Special compute [(a: f32) -> f32 { nan32(libm::sinhf(a)) }];
    /// Hyperbolic cosine (libm).
    0x121 CoshF32 "cosh.f32" Special compute [(a: f32) -> f32 { nan32(libm::coshf(a)) }];
    /// Hyperbolic tangent (libm).
    0x122 TanhF32 "tanh.f32" Special compute [(a: f32) -> f32 { nan32(libm::tanhf(a)) }];
    /// Error function (libm).
    0x123 ErfF32 "erf.f32" Special compute [(a: f32) -> f32 { nan32(libm::erff(a)) }];
    /// Arc tangent of `a / b` (libm).
    0x124 Atan2F32 "atan2.f32" Special compute [(a: f32, b: f32) -> f32 { nan32(libm::atan2f(a, b)) }];
    /// `a` to the power of `b` (libm).
    0x125 PowF32 "pow.f32" Special compute [(a: f32, b: f32) -> f32 { nan32(libm::powf(a, b)) }];
    /// `sqrt(a² + b²)` (libm).
    0x126 HypotF32 "hypot.f32" Special compute [(a: f32, b: f32) -> f32 { nan32(libm::hypotf(a, b)) }];
    /// Remainder, the sign of the dividend (libm).
    0x127 FmodF32 "fmod.f32" Special compute [(a: f32, b: f32) -> f32 { nan32(libm::fmodf(a, b)) }];
    /// `1 - erf(a)` (libm).
    0x128 ErfcF32 "erfc.f32" Special compute [(a: f32) -> f32 { nan32(libm::erfcf(a)) }];
    /// Logarithm of the magnitude of the gamma function (libm).
    0x129 LgammaF32 "lgamma.f32" Special compute [(a: f32) -> f32 { nan32(libm::lgammaf(a)) }];
    /// Gamma function (libm).
    0x12a TgammaF32 "tgamma.f32" Special compute [(a: f32) -> f32 { nan32(libm::tgammaf(a)) }];
    /// Inverse hyperbolic cosine (libm).
    0x12b AcoshF32 "acosh.f32" Special compute [(a: f32) -> f32 { nan32(libm::acoshf(a)) }];
    /// Inverse hyperbolic sine (libm).
    0x12c AsinhF32 "asinh.f32" Special compute [(a: f32) -> f32 { nan32(libm::asinhf(a)) }];
    /// Inverse hyperbolic tangent (libm).
    0x12d AtanhF32 "atanh.f32" Special compute [(a: f32) -> f32 { nan32(libm::atanhf(a)) }];
    /// Bessel function of the first kind, order 0 (libm).
    0x12e J0F32 "j0.f32" Special compute [(a: f32) -> f32 { nan32(libm::j0f(a)) }];
    /// Bessel function of the first kind, order 1 (libm).
    0x12f J1F32 "j1.f32" Special compute [(a: f32) -> f32 { nan32(libm::j1f(a)) }];
    /// Bessel function of the second kind, order 0 (libm).
    0x130 Y0F32 "y0.f32" Special compute [(a: f32) -> f32 { nan32(libm::y0f(a)) }];
    /// Bessel function of the second kind, order 1 (libm).
    0x131 Y1F32 "y1.f32" Special compute [(a: f32) -> f32 { nan32(libm::y1f(a)) }];
    /// `a - n * b`, n the integer nearest to `a / b`, halves to even (libm).
    0x132 RemainderF32 "remainder.f32" Special compute [(a: f32, b: f32) -> f32 { nan32(libm::remainderf(a, b)) }];
    /// The next value towards the second (libm).
    0x133 NextafterF32 "nextafter.f32" Special compute [(a: f32, b: f32) -> f32 { nan32(libm::nextafterf(a, b)) }];
    /// Sine of `pi * a` (math).
    0x134 SinpiF32 "sinpi.f32" Special compute [(a: f32) -> f32 { nan32(reconverge_math::sinpif(a)) }];
    /// Cosine of `pi * a` (math).
    0x135 CospiF32 "cospi.f32" Special compute [(a: f32) -> f32 { nan32(reconverge_math::cospif(a)) }];
    /// `exp(a * a) * erfc(a)` (math).
    0x136 ErfcxF32 "erfcx.f32" Special compute [(a: f32) -> f32 { nan32(reconverge_math::erfcxf(a)) }];
    /// Inverse of `erf` (math).
    0x137 ErfinvF32 "erfinv.f32" Special compute [(a: f32) -> f32 { nan32(reconverge_math::erfinvf(a)) }];
    /// Inverse of `erfc` (math).
    0x138 ErfcinvF32 "erfcinv.f32" Special compute [(a: f32) -> f32 { nan32(reconverge_math::erfcinvf(a)) }];
    /// The standard normal distribution, up to the value (math).
    0x139 NormcdfF32 "normcdf.f32" Special compute [(a: f32) -> f32 { nan32(reconverge_math::normcdff(a)) }];
    /// Inverse of `normcdf` (math).
    0x13a NormcdfinvF32 "normcdfinv.f32" Special compute [(a: f32) -> f32 { nan32(reconverge_math::normcdfinvf(a)) }];
    /// Modified Bessel function of the first kind, order 0 (math).
    0x220 I0F32 "i0.f32" Special compute [(a: f32) -> f32 { nan32(reconverge_math::i0f(a)) }];
    /// Modified Bessel function of the first kind, order 1 (math).
    0x221 I1F32 "i1.f32" Special compute [(a: f32) -> f32 { nan32(reconverge_math::i1f(a)) }];
    /// Bessel function of the first kind, order n; NaN beyond 65536 (math).
    0x13b JnF32 "jn.f32" Special compute [(n: i32, a: f32) -> f32 { nan32(reconverge_math::jnf(n, a)) }];
    /// Bessel function of the second kind, order n; NaN beyond 65536 (math).
    0x13c YnF32 "yn.f32" Special compute [(n: i32, a: f32) -> f32 { nan32(reconverge_math::ynf(n, a)) }];
    /// `a * 2^n`, rounded once.
    0x13d ScalbnF32 "scalbn.f32" Special compute [(a: f32, n: i32) -> f32 { nan32(libm::scalbnf(a, n)) }];
    /// The binary exponent; the least integer for 0 and NaN, the greatest for an infinity.
    0x13e IlogbF32 "ilogb.f32" Special compute [(a: f32) -> i32 { libm::ilogbf(a) }];
    /// The low 31 bits of the magnitude of `remainder`'s n, with the sign of `a / b` (libm).
    0x13f RemquoF32 "remquo.f32" Special compute [(a: f32, b: f32) -> i32 { libm::remquof(a, b).1 }];

    // Functions of which CUDA has a fast form. They compute the same, and machines may take less time for them:
    /// Exponential (libm), as of `__expf`: machines may take less for it.
    0x1b0 ExpApproxF32 "exp.approx.f32" Special compute [(a: f32) -> f32 { nan32(libm::expf(a)) }];
    /// Power of ten (libm), as of `__exp10f`: machines may take less for it.
    0x1b1 Exp10ApproxF32 "exp10.approx.f32" Special compute [(a: f32) -> f32 { nan32(libm::exp10f(a)) }];
    /// Natural logarithm (libm), as of `__logf`: machines may take less for it.
    0x1b2 LogApproxF32 "log.approx.f32" Special compute [(a: f32) -> f32 { nan32(libm::logf(a)) }];
    /// Binary logarithm (libm), as of `__log2f`: machines may take less for it.
    0x1b3 Log2ApproxF32 "log2.approx.f32" Special compute [(a: f32) -> f32 { nan32(libm::log2f(a)) }];
    /// Decimal logarithm (libm), as of `__log10f`: machines may take less for it.
    0x1b4 Log10ApproxF32 "log10.approx.f32" Special compute [(a: f32) -> f32 { nan32(libm::log10f(a)) }];
    /// Sine (libm), as of `__sinf`: machines may take less for it.
    0x1b5 SinApproxF32 "sin.approx.f32" Special compute [(a: f32) -> f32 { nan32(libm::sinf(a)) }];
    /// Cosine (libm), as of `__cosf`: machines may take less for it.
    0x1b6 CosApproxF32 "cos.approx.f32" Special compute [(a: f32) -> f32 { nan32(libm::cosf(a)) }];
    /// Tangent (libm), as of `__tanf`: machines may take less for it.
    0x1b7 TanApproxF32 "tan.approx.f32" Special compute [(a: f32) -> f32 { nan32(libm::tanf(a)) }];
    /// Power (libm), as of `__powf`: machines may take less for it.
    0x1b8 PowApproxF32 "pow.approx.f32" Special compute [(a: f32, b: f32) -> f32 { nan32(libm::powf(a, b)) }];

    // Double precision; a NaN result is canonical, except from bit operations
    /// Sum.
    0x140 AddF64 "add.f64" Double compute [(a: f64, b: f64) -> f64 { nan64(a + b) }];
    /// Difference.
    0x141 SubF64 "sub.f64" Double compute [(a: f64, b: f64) -> f64 { nan64(a - b) }];
    /// Product.
    0x142 MulF64 "mul.f64" Double compute [(a: f64, b: f64) -> f64 { nan64(a * b) }];
    /// `a * b + c`, rounded once.
    0x143 FmaF64 "fma.f64" Double compute [(a: f64, b: f64, c: f64) -> f64 { nan64(fma64(a, b, c)) }];
    /// Quotient.
    0x144 DivF64 "div.f64" DoubleDivide compute [(a: f64, b: f64) -> f64 { nan64(a / b) }];
    /// The smaller; the number when one is NaN; -0 below +0.
    0x145 MinF64 "min.f64" Double compute [(a: f64, b: f64) -> f64 { min64(a, b) }];
    /// The larger; the number when one is NaN; -0 below +0.
    0x146 MaxF64 "max.f64" Double compute [(a: f64, b: f64) -> f64 { max64(a, b) }];
    /// Flips the sign bit.
    0x147 NegF64 "neg.f64" Double compute [(a: u64) -> u64 { a ^ (1 << 63) }];
    /// Clears the sign bit.
    0x148 AbsF64 "abs.f64" Double compute [(a: u64) -> u64 { a & !(1 << 63) }];
    /// Magnitude of the first, sign of the second.
    0x149 CopysignF64 "copysign.f64" Double compute [(a: u64, b: u64) -> u64 { a & !(1 << 63) | b & (1 << 63) }];
    /// Largest integer not above.
    0x14a FloorF64 "floor.f64" Double compute [(a: f64) -> f64 { nan64(floor64(a)) }];
    /// Smallest integer not below.
    0x14b CeilF64 "ceil.f64" Double compute [(a: f64) -> f64 { nan64(ceil64(a)) }];
    /// Integer part.
    0x14c TruncF64 "trunc.f64" Double compute [(a: f64) -> f64 { nan64(trunc64(a)) }];
    /// Nearest integer, halves away from zero.
    0x14d RoundF64 "round.f64" Double compute [(a: f64) -> f64 { nan64(round64(a)) }];
    /// Nearest integer, halves to even.
    0x14e RintF64 "rint.f64" Double compute [(a: f64) -> f64 { nan64(rint64(a)) }];
    /// Square root, correctly rounded.
    0x14f SqrtF64 "sqrt.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(a.sqrt()) }];
    /// `1 / sqrt(a)`, each step rounded.
    0x150 RsqrtF64 "rsqrt.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(1.0 / a.sqrt()) }];
    /// Cube root (libm).
    0x151 CbrtF64 "cbrt.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::cbrt(a)) }];
    /// Exponential (libm).
    0x152 ExpF64 "exp.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::exp(a)) }];
    /// Power of two (libm).
    0x153 Exp2F64 "exp2.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::exp2(a)) }];
    /// Power of ten (libm).
    0x154 Exp10F64 "exp10.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::exp10(a)) }];
    /// `exp(a) - 1` (libm).
    0x155 Expm1F64 "expm1.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::expm1(a)) }];
    /// Natural logarithm (libm).
    0x156 LogF64 "log.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::log(a)) }];
    /// Binary logarithm (libm).
    0x157 Log2F64 "log2.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::log2(a)) }];
    /// Decimal logarithm (libm).
    0x158 Log10F64 "log10.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::log10(a)) }];
    /// `log(1 + a)` (libm).
    0x159 Log1pF64 "log1p.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::log1p(a)) }];
    /// Sine (libm).
    0x15a SinF64 "sin.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::sin(a)) }];
    /// Cosine (libm).
    0x15b CosF64 "cos.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::cos(a)) }];
    /// Tangent (libm).
    0x15c TanF64 "tan.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::tan(a)) }];
    /// Arc sine (libm).
    0x15d AsinF64 "asin.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::asin(a)) }];
    /// Arc cosine (libm).
    0x15e AcosF64 "acos.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::acos(a)) }];
    /// Arc tangent (libm).
    0x15f AtanF64 "atan.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::atan(a)) }];
    /// Hyperbolic sine (libm).
    0x160 SinhF64 "sinh.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::sinh(a)) }];
    /// Hyperbolic cosine (libm).
    0x161 CoshF64 "cosh.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::cosh(a)) }];
    /// Hyperbolic tangent (libm).
    0x162 TanhF64 "tanh.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::tanh(a)) }];
    /// Error function (libm).
    0x163 ErfF64 "erf.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::erf(a)) }];
    /// Arc tangent of `a / b` (libm).
    0x164 Atan2F64 "atan2.f64" DoubleDivide compute [(a: f64, b: f64) -> f64 { nan64(libm::atan2(a, b)) }];
    /// `a` to the power of `b` (libm).
    0x165 PowF64 "pow.f64" DoubleDivide compute [(a: f64, b: f64) -> f64 { nan64(libm::pow(a, b)) }];
    /// `sqrt(a² + b²)` (libm).
    0x166 HypotF64 "hypot.f64" DoubleDivide compute [(a: f64, b: f64) -> f64 { nan64(libm::hypot(a, b)) }];
    /// Remainder, the sign of the dividend (libm).
    0x167 FmodF64 "fmod.f64" DoubleDivide compute [(a: f64, b: f64) -> f64 { nan64(libm::fmod(a, b)) }];
    /// `1 - erf(a)` (libm).
    0x168 ErfcF64 "erfc.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::erfc(a)) }];
    /// Logarithm of the magnitude of the gamma function (libm).
    0x169 LgammaF64 "lgamma.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::lgamma(a)) }];
    /// Gamma function (libm).
    0x16a TgammaF64 "tgamma.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::tgamma(a)) }];
    /// Inverse hyperbolic cosine (libm).
    0x16b AcoshF64 "acosh.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::acosh(a)) }];
    /// Inverse hyperbolic sine (libm).
    0x16c AsinhF64 "asinh.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::asinh(a)) }];
    /// Inverse hyperbolic tangent (libm).
    0x16d AtanhF64 "atanh.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::atanh(a)) }];
    /// Bessel function of the first kind, order 0 (libm).
    0x16e J0F64 "j0.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::j0(a)) }];
    /// Bessel function of the first kind, order 1 (libm).
    0x16f J1F64 "j1.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::j1(a)) }];
    /// Bessel function of the second kind, order 0 (libm).
    0x170 Y0F64 "y0.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::y0(a)) }];
    /// Bessel function of the second kind, order 1 (libm).
    0x171 Y1F64 "y1.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(libm::y1(a)) }];
    /// `a - n * b`, n the integer nearest to `a / b`, halves to even (libm).
    0x172 RemainderF64 "remainder.f64" DoubleDivide compute [(a: f64, b: f64) -> f64 { nan64(libm::remainder(a, b)) }];
    /// The next value towards the second (libm).
    0x173 NextafterF64 "nextafter.f64" DoubleDivide compute [(a: f64, b: f64) -> f64 { nan64(libm::nextafter(a, b)) }];
    /// Sine of `pi * a` (math).
    0x174 SinpiF64 "sinpi.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(reconverge_math::sinpi(a)) }];
    /// Cosine of `pi * a` (math).
    0x175 CospiF64 "cospi.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(reconverge_math::cospi(a)) }];
    /// `exp(a * a) * erfc(a)` (math).
    0x176 ErfcxF64 "erfcx.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(reconverge_math::erfcx(a)) }];
    /// Inverse of `erf` (math).
    0x177 ErfinvF64 "erfinv.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(reconverge_math::erfinv(a)) }];
    /// Inverse of `erfc` (math).
    0x178 ErfcinvF64 "erfcinv.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(reconverge_math::erfcinv(a)) }];
    /// The standard normal distribution, up to the value (math).
    0x179 NormcdfF64 "normcdf.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(reconverge_math::normcdf(a)) }];
    /// Inverse of `normcdf` (math).
    0x17a NormcdfinvF64 "normcdfinv.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(reconverge_math::normcdfinv(a)) }];
    /// Modified Bessel function of the first kind, order 0 (math).
    0x222 I0F64 "i0.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(reconverge_math::i0(a)) }];
    /// Modified Bessel function of the first kind, order 1 (math).
    0x223 I1F64 "i1.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(reconverge_math::i1(a)) }];
    /// Bessel function of the first kind, order n; NaN beyond 65536 (math).
    0x17b JnF64 "jn.f64" DoubleDivide compute [(n: i32, a: f64) -> f64 { nan64(reconverge_math::jn(n, a)) }];
    /// Bessel function of the second kind, order n; NaN beyond 65536 (math).
    0x17c YnF64 "yn.f64" DoubleDivide compute [(n: i32, a: f64) -> f64 { nan64(reconverge_math::yn(n, a)) }];
    /// `a * 2^n`, rounded once.
    0x17d ScalbnF64 "scalbn.f64" DoubleDivide compute [(a: f64, n: i32) -> f64 { nan64(libm::scalbn(a, n)) }];
    /// The binary exponent; the least integer for 0 and NaN, the greatest for an infinity.
    0x17e IlogbF64 "ilogb.f64" DoubleDivide compute [(a: f64) -> i32 { libm::ilogb(a) }];
    /// The low 31 bits of the magnitude of `remainder`'s n, with the sign of `a / b` (libm).
    0x17f RemquoF64 "remquo.f64" DoubleDivide compute [(a: f64, b: f64) -> i32 { libm::remquo(a, b).1 }];

    // Rounded downwards (`spec/isa/src/rounding.rs`); upwards and towards zero are made of these
    /// Sum, rounded once downwards.
    0x200 AddDownF32 "add.rd.f32" Float compute [(a: f32, b: f32) -> f32 { nan32(rounding::add32(a, b)) }];
    /// Product, rounded once downwards.
    0x201 MulDownF32 "mul.rd.f32" Float compute [(a: f32, b: f32) -> f32 { nan32(rounding::mul32(a, b)) }];
    /// `a * b + c`, rounded once downwards.
    0x202 FmaDownF32 "fma.rd.f32" Float compute [(a: f32, b: f32, c: f32) -> f32 { nan32(rounding::fma32(a, b, c, fma32(a, b, c))) }];
    /// Quotient, rounded once downwards.
    0x203 DivDownF32 "div.rd.f32" FloatDivide compute [(a: f32, b: f32) -> f32 { nan32(rounding::div32(a, b)) }];
    /// Square root, rounded once downwards.
    0x204 SqrtDownF32 "sqrt.rd.f32" Special compute [(a: f32) -> f32 { nan32(rounding::sqrt32(a, false)) }];
    /// Square root, rounded once upwards.
    0x205 SqrtUpF32 "sqrt.ru.f32" Special compute [(a: f32) -> f32 { nan32(rounding::sqrt32(a, true)) }];
    /// Sum, rounded once downwards.
    0x206 AddDownF64 "add.rd.f64" Double compute [(a: f64, b: f64) -> f64 { nan64(rounding::add64(a, b)) }];
    /// Product, rounded once downwards.
    0x207 MulDownF64 "mul.rd.f64" Double compute [(a: f64, b: f64) -> f64 { nan64(rounding::mul64(a, b)) }];
    /// `a * b + c`, rounded once downwards.
    0x208 FmaDownF64 "fma.rd.f64" Double compute [(a: f64, b: f64, c: f64) -> f64 { nan64(rounding::fma64(a, b, c)) }];
    /// Quotient, rounded once downwards.
    0x209 DivDownF64 "div.rd.f64" DoubleDivide compute [(a: f64, b: f64) -> f64 { nan64(rounding::div64(a, b)) }];
    /// Square root, rounded once downwards.
    0x20a SqrtDownF64 "sqrt.rd.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(rounding::sqrt64(a, false)) }];
    /// Square root, rounded once upwards.
    0x20b SqrtUpF64 "sqrt.ru.f64" DoubleDivide compute [(a: f64) -> f64 { nan64(rounding::sqrt64(a, true)) }];
    /// Double to single, downwards.
    0x20c CvtDownF32F64 "cvt.rd.f32.f64" Double compute [(a: f64) -> f32 { nan32(rounding::narrow(a)) }];

    // Half precision and bfloat16, two in a word; an operation on one leaves the upper half zero
    /// The halves of sums.
    0x260 AddF16x2 "add.f16x2" Float compute [(a: u32, b: u32) -> u32 { Format::HALF.halves([a, b], |[a, b]| a + b) }];
    /// The halves of differences.
    0x261 SubF16x2 "sub.f16x2" Float compute [(a: u32, b: u32) -> u32 { Format::HALF.halves([a, b], |[a, b]| a - b) }];
    /// The halves of products.
    0x262 MulF16x2 "mul.f16x2" Float compute [(a: u32, b: u32) -> u32 { Format::HALF.halves([a, b], |[a, b]| a * b) }];
    /// `a * b + c` of halves, rounded once.
    0x263 FmaF16x2 "fma.f16x2" Float compute [(a: u32, b: u32, c: u32) -> u32 { Format::HALF.multiply_add([a, b, c]) }];
    /// The smaller halves; the number when one is NaN; -0 below +0.
    0x264 MinF16x2 "min.f16x2" Float compute [(a: u32, b: u32) -> u32 { Format::HALF.extreme([a, b], false, false) }];
    /// The larger halves; the number when one is NaN; -0 below +0.
    0x265 MaxF16x2 "max.f16x2" Float compute [(a: u32, b: u32) -> u32 { Format::HALF.extreme([a, b], true, false) }];
    /// The smaller halves; NaN when one is NaN; -0 below +0.
    0x266 MinNanF16x2 "min.nan.f16x2" Float compute [(a: u32, b: u32) -> u32 { Format::HALF.extreme([a, b], false, true) }];
    /// The larger halves; NaN when one is NaN; -0 below +0.
    0x267 MaxNanF16x2 "max.nan.f16x2" Float compute [(a: u32, b: u32) -> u32 { Format::HALF.extreme([a, b], true, true) }];
    /// Halves with subnormal numbers turned into zeroes of their sign.
    0x268 FlushF16x2 "flush.f16x2" Float compute [(a: u32) -> u32 { Format::HALF.flush(a) }];
    /// The bfloat16 halves of sums.
    0x269 AddBf16x2 "add.bf16x2" Float compute [(a: u32, b: u32) -> u32 { Format::BRAIN.halves([a, b], |[a, b]| a + b) }];
    /// The bfloat16 halves of differences.
    0x26a SubBf16x2 "sub.bf16x2" Float compute [(a: u32, b: u32) -> u32 { Format::BRAIN.halves([a, b], |[a, b]| a - b) }];
    /// The bfloat16 halves of products.
    0x26b MulBf16x2 "mul.bf16x2" Float compute [(a: u32, b: u32) -> u32 { Format::BRAIN.halves([a, b], |[a, b]| a * b) }];
    /// `a * b + c` of bfloat16 halves, rounded once.
    0x26c FmaBf16x2 "fma.bf16x2" Float compute [(a: u32, b: u32, c: u32) -> u32 { Format::BRAIN.multiply_add([a, b, c]) }];
    /// The smaller bfloat16 halves; the number when one is NaN; -0 below +0.
    0x26d MinBf16x2 "min.bf16x2" Float compute [(a: u32, b: u32) -> u32 { Format::BRAIN.extreme([a, b], false, false) }];
    /// The larger bfloat16 halves; the number when one is NaN; -0 below +0.
    0x26e MaxBf16x2 "max.bf16x2" Float compute [(a: u32, b: u32) -> u32 { Format::BRAIN.extreme([a, b], true, false) }];
    /// The smaller bfloat16 halves; NaN when one is NaN; -0 below +0.
    0x26f MinNanBf16x2 "min.nan.bf16x2" Float compute [(a: u32, b: u32) -> u32 { Format::BRAIN.extreme([a, b], false, true) }];
    /// The larger bfloat16 halves; NaN when one is NaN; -0 below +0.
    0x270 MaxNanBf16x2 "max.nan.bf16x2" Float compute [(a: u32, b: u32) -> u32 { Format::BRAIN.extreme([a, b], true, true) }];
    /// Double to the bits of a half, to nearest even; NaN gives 0x7fff.
    0x271 CvtF16F64 "cvt.f16.f64" Double compute [(a: f64) -> u32 { Format::HALF.narrow(a, Direction::Nearest) }];
    /// Double to the bits of a half, towards zero; NaN gives 0x7fff.
    0x272 CvtZeroF16F64 "cvt.rz.f16.f64" Double compute [(a: f64) -> u32 { Format::HALF.narrow(a, Direction::Zero) }];
    /// Double to the bits of a half, downwards; NaN gives 0x7fff.
    0x273 CvtDownF16F64 "cvt.rd.f16.f64" Double compute [(a: f64) -> u32 { Format::HALF.narrow(a, Direction::Down) }];
    /// Double to the bits of a half, upwards; NaN gives 0x7fff.
    0x274 CvtUpF16F64 "cvt.ru.f16.f64" Double compute [(a: f64) -> u32 { Format::HALF.narrow(a, Direction::Up) }];
    /// Single to the bits of a bfloat16, to nearest even; NaN gives 0x7fff.
    0x275 CvtBf16F32 "cvt.bf16.f32" Float compute [(a: f32) -> u32 { Format::BRAIN.narrow(a.into(), Direction::Nearest) }];
    /// Single to the bits of a bfloat16, towards zero; NaN gives 0x7fff.
    0x276 CvtZeroBf16F32 "cvt.rz.bf16.f32" Float compute [(a: f32) -> u32 { Format::BRAIN.narrow(a.into(), Direction::Zero) }];
    /// The lower 16 bits, a bfloat16, to single; NaN gives 0x7fffffff.
    0x277 CvtF32Bf16 "cvt.f32.bf16" Float compute [(a: u32) -> f32 { nan32(f32::from_bits(a << 16)) }];
    /// A float with the 11 significant bits of tf32, to nearest, halves away from zero.
    0x35b CvtAwayTf32F32 "cvt.rna.tf32.f32" Float compute [(a: f32) -> u32 { tf32(a, 0x1000) }];
    /// The same, halves to even.
    0x35c CvtTf32F32 "cvt.tf32.f32" Float compute [(a: f32) -> u32 { tf32(a, 0xfff + (a.to_bits() >> 13 & 1)) }];
    /// The same, towards zero.
    0x35d CvtZeroTf32F32 "cvt.rz.tf32.f32" Float compute [(a: f32) -> u32 { tf32(a, 0) }];

    // Floats of eight bits; no result is an infinity
    /// Float to the bits of an `e4m3`, to nearest even, limited to ±448; every NaN gives 0x7f.
    0x35e CvtE4m3F32 "cvt.e4m3.f32" Float compute [(a: f32) -> u32 { eighth::E4M3.narrow(a) }];
    /// Float to the bits of an `e5m2`, to nearest even, limited to ±57344; every NaN gives 0x7f.
    0x35f CvtE5m2F32 "cvt.e5m2.f32" Float compute [(a: f32) -> u32 { eighth::E5M2.narrow(a) }];
    /// The lower 8 bits, an `e4m3`, to the bits of a half, exactly; NaN gives 0x7fff.
    0x360 CvtF16E4m3 "cvt.f16.e4m3" Float compute [(a: u32) -> u32 { Format::HALF.narrow(eighth::e4m3(a as u8), Direction::Nearest) }];
    /// The lower 8 bits, an `e5m2`, to the bits of a half, exactly; NaN gives 0x7fff.
    0x361 CvtF16E5m2 "cvt.f16.e5m2" Float compute [(a: u32) -> u32 { eighth::e5m2(a) }];

    // Memory; the address is generic (ARCHITECTURE.md), the space says which window was proved
    /// Loads from `[a + offset]`.
    0x180 Load "ld" Memory load [(address: u32) -> width {}];
    /// Stores `value` to `[a + offset]`.
    0x181 Store "st" Memory store [(address: u32, value: width) {}];

    // Asynchronous copies; a group has those of a thread between two of its commits
    /// Copies up to 4 bytes from global memory at `address` to shared memory at `to`: the first `count`, and zeros. The bytes arrive later.
    0x182 CopyAsync4 "cp.async.b32" Memory copy [(address: u32, to: u32, count: u32) {}];
    /// The same of up to 8 bytes.
    0x183 CopyAsync8 "cp.async.b64" Memory copy [(address: u32, to: u32, count: u32) {}];
    /// The same of up to 16 bytes.
    0x184 CopyAsync16 "cp.async.b128" Memory copy [(address: u32, to: u32, count: u32) {}];
    /// The same with the cache operator `cg`.
    0x185 CopyAsync16Cg "cp.async.cg.b128" Memory copy [(address: u32, to: u32, count: u32) {}];
    /// Ends the thread's group of copies; the next copies are another group's.
    0x186 CommitCopies "cp.async.commit" Control collective [() {}];
    /// Waits until all groups of the thread have arrived, except the `pending` last ones that it has ended.
    0x187 AwaitCopies "cp.async.wait" Control await_copies [(pending: u32) {}];

    // Atomics: `[a + offset]` becomes the function of the old value, which is the result
    /// Sum.
    0x190 AtomAdd "atom.add.i32" Memory atomic [u32 (old, value) { old.wrapping_add(value) }];
    /// Exchange.
    0x191 AtomExch "atom.exch.b32" Memory atomic [u32 (_old, value) { value }];
    /// Compare and swap.
    0x192 AtomCas "atom.cas.b32" Memory atomic [u32 (old, value, compare) { if old == compare { value } else { old } }];
    /// Sum.
    0x193 AtomAdd64 "atom.add.i64" Memory atomic [u64 (old, value) { old.wrapping_add(value) }];
    /// Exchange.
    0x194 AtomExch64 "atom.exch.b64" Memory atomic [u64 (_old, value) { value }];
    /// Compare and swap.
    0x195 AtomCas64 "atom.cas.b64" Memory atomic [u64 (old, value, compare) { if old == compare { value } else { old } }];
    /// Compare and swap of two bytes.
    0x1a8 AtomCas16 "atom.cas.b16" Memory atomic [u32 (old, value, compare) { if old == compare { value } else { old } }];
    /// Float sum.
    0x196 AtomAddF32 "atom.add.f32" Memory atomic [f32 (old, value) { nan32(old + value) }];
    /// Double sum.
    0x197 AtomAddF64 "atom.add.f64" Memory atomic [f64 (old, value) { nan64(old + value) }];
    /// Sum of two halves, each rounded.
    0x1a9 AtomAddF16x2 "atom.add.f16x2" Memory atomic [u32 (old, value) { Format::HALF.halves([old, value], |[a, b]| a + b) }];
    /// Sum of two bfloat16, each rounded.
    0x1aa AtomAddBf16x2 "atom.add.bf16x2" Memory atomic [u32 (old, value) { Format::BRAIN.halves([old, value], |[a, b]| a + b) }];
    /// Sum of the half in two bytes.
    0x1ab AtomAddF16 "atom.add.f16" Memory atomic [u32 (old, value) { Format::HALF.halves([old & 0xffff, value & 0xffff], |[a, b]| a + b) }];
    /// Sum of the bfloat16 in two bytes.
    0x1ac AtomAddBf16 "atom.add.bf16" Memory atomic [u32 (old, value) { Format::BRAIN.halves([old & 0xffff, value & 0xffff], |[a, b]| a + b) }];
    /// The smaller, signed.
    0x198 AtomMinS32 "atom.min.s32" Memory atomic [i32 (old, value) { old.min(value) }];
    /// The smaller, unsigned.
    0x199 AtomMinU32 "atom.min.u32" Memory atomic [u32 (old, value) { old.min(value) }];
    /// The larger, signed.
    0x19a AtomMaxS32 "atom.max.s32" Memory atomic [i32 (old, value) { old.max(value) }];
    /// The larger, unsigned.
    0x19b AtomMaxU32 "atom.max.u32" Memory atomic [u32 (old, value) { old.max(value) }];
    /// Bitwise and.
    0x19c AtomAnd "atom.and.b32" Memory atomic [u32 (old, value) { old & value }];
    /// Bitwise or.
    0x19d AtomOr "atom.or.b32" Memory atomic [u32 (old, value) { old | value }];
    /// Bitwise exclusive or.
    0x19e AtomXor "atom.xor.b32" Memory atomic [u32 (old, value) { old ^ value }];
    /// `old >= value ? 0 : old + 1`.
    0x19f AtomInc "atom.inc.u32" Memory atomic [u32 (old, value) { if old >= value { 0 } else { old + 1 } }];
    /// `old == 0 || old > value ? value : old - 1`.
    0x1a0 AtomDec "atom.dec.u32" Memory atomic [u32 (old, value) { if old == 0 || old > value { value } else { old - 1 } }];
    /// The smaller, signed.
    0x1a1 AtomMinS64 "atom.min.s64" Memory atomic [i64 (old, value) { old.min(value) }];
    /// The smaller, unsigned.
    0x1a2 AtomMinU64 "atom.min.u64" Memory atomic [u64 (old, value) { old.min(value) }];
    /// The larger, signed.
    0x1a3 AtomMaxS64 "atom.max.s64" Memory atomic [i64 (old, value) { old.max(value) }];
    /// The larger, unsigned.
    0x1a4 AtomMaxU64 "atom.max.u64" Memory atomic [u64 (old, value) { old.max(value) }];
    /// Bitwise and.
    0x1a5 AtomAnd64 "atom.and.b64" Memory atomic [u64 (old, value) { old & value }];
    /// Bitwise or.
    0x1a6 AtomOr64 "atom.or.b64" Memory atomic [u64 (old, value) { old | value }];
    /// Bitwise exclusive or.
    0x1a7 AtomXor64 "atom.xor.b64" Memory atomic [u64 (old, value) { old ^ value }];
    /// An arrival at a barrier in shared memory, whose word has 20 bits of pending arrivals, 20 of expected ones, 23 of pending bytes,
    /// and the parity of the phase; the value has the same parts (`mbarrier` in PTX).
    0x1ad AtomPhase "atom.phase.b64" Memory atomic [u64 (old, value) { phase::arrive(old, value) }];

    // Control
    /// Branches to the target in the lanes of the guard; the others fall through. The paths reconverge at the reconvergence PC.
    0x1c0 Branch "bra" Control branch [() {}];
    /// Ends the thread.
    0x1c1 Exit "exit" Control exit [() {}];
    /// Waits for all threads of the block that have not ended.
    0x1c2 Barrier "bar.sync" Control barrier [() {}];
    /// Barrier with a reduction: whether the predicate is true in any thread.
    0x1c3 BarrierOr "bar.red.or" Control barrier [(value: bool) -> bool {}];
    /// Barrier with a reduction: whether the predicate is true in all threads.
    0x1c4 BarrierAnd "bar.red.and" Control barrier [(value: bool) -> bool {}];
    /// Barrier with a reduction: in how many threads the predicate is true.
    0x1c5 BarrierCount "bar.red.popc" Control barrier [(value: bool) -> u32 {}];
    /// Waits at barrier `number`, 0 to 15, until `count` threads, rounded up to a multiple of 32, have arrived there.
    0x1c6 CountedBarrier "barrier.sync" Control counted_barrier [(number: u32, count: u32) {}];
    /// Arrives at such a barrier without waiting.
    0x1c7 CountedBarrierArrive "barrier.arrive" Control counted_barrier [(number: u32, count: u32) {}];

    /// Adds the active lanes to a convergence barrier of the warp, until they reach the `bsync` at the target.
    0x1c8 Bssy "bssy" Control bssy [() {}];
    /// Waits for the lanes of the lane's set of the convergence barrier that have not exited.
    0x1c9 Bsync "bsync" Control bsync [() {}];
    /// Waits until the warp's dependence counter is at most the limit; without control bits it does nothing.
    0x1ca DepbarLe "depbar.le" Control depbar [(limit: u32) {}];

    // With a reduction over the threads that wait
    /// Waits at such a barrier: whether the predicate is true in any thread that waits.
    0x1cb CountedBarrierOr "barrier.red.or" Control counted_barrier [(number: u32, count: u32, value: bool) -> bool {}];
    /// Waits at such a barrier: whether the predicate is true in all threads that wait.
    0x1cc CountedBarrierAnd "barrier.red.and" Control counted_barrier [(number: u32, count: u32, value: bool) -> bool {}];
    /// Waits at such a barrier: in how many threads that wait the predicate is true.
    0x1cd CountedBarrierCount "barrier.red.popc" Control counted_barrier [(number: u32, count: u32, value: bool) -> u32 {}];

    // Among the lanes of a warp: those that are active and that the guard leaves
    /// Traps unless every lane of the mask that has not ended is active; bit i names lane i.
    0x1d0 WarpSync "warp.sync" Control collective [(mask: u32) {}];
    /// True if the value holds in any lane.
    0x1d1 VoteAny "vote.any" Integer collective [(value: bool) -> bool {}];
    /// True if the value holds in all lanes.
    0x1d2 VoteAll "vote.all" Integer collective [(value: bool) -> bool {}];
    /// The lanes in which the value holds, a bit each.
    0x1d3 VoteBallot "vote.ballot" Integer collective [(value: bool) -> u32 {}];
    /// The value of a lane of the segment: its `lane`th, counted modulo `width`, after modulo 32 as in PTX (64 in wider warps).
    0x1d4 ShuffleIndex "shfl.idx" Integer collective [(value: u32, lane: u32, width: u32) -> u32 {}];
    /// The value of the lane `delta` modulo 32 below (64 in wider warps); below the segment the lane's own.
    0x1d5 ShuffleUp "shfl.up" Integer collective [(value: u32, delta: u32, width: u32) -> u32 {}];
    /// The value of the lane `delta` modulo 32 above (64 in wider warps); above the segment the lane's own.
    0x1d6 ShuffleDown "shfl.down" Integer collective [(value: u32, delta: u32, width: u32) -> u32 {}];
    /// The value of the lane whose number differs in the low five bits of `mask` (six in wider warps); above the segment the lane's own.
    0x1d7 ShuffleXor "shfl.xor" Integer collective [(value: u32, mask: u32, width: u32) -> u32 {}];
    /// The lanes that have the same value, a bit each.
    0x1d8 MatchAny "match.any" Integer collective [(value: u32) -> u32 {}];
    /// Sum of the values of the lanes of the mask.
    0x1d9 ReduceAdd "redux.add.i32" Integer collective [(value: u32, mask: u32) -> u32 {}];
    /// The smallest, signed, of the values of the lanes of the mask.
    0x1da ReduceMinS32 "redux.min.s32" Integer collective [(value: u32, mask: u32) -> u32 {}];
    /// The smallest, unsigned, of the values of the lanes of the mask.
    0x1db ReduceMinU32 "redux.min.u32" Integer collective [(value: u32, mask: u32) -> u32 {}];
    /// The largest, signed, of the values of the lanes of the mask.
    0x1dc ReduceMaxS32 "redux.max.s32" Integer collective [(value: u32, mask: u32) -> u32 {}];
    /// The largest, unsigned, of the values of the lanes of the mask.
    0x1dd ReduceMaxU32 "redux.max.u32" Integer collective [(value: u32, mask: u32) -> u32 {}];
    /// Bitwise and of the values of the lanes of the mask.
    0x1de ReduceAnd "redux.and.b32" Integer collective [(value: u32, mask: u32) -> u32 {}];
    /// Bitwise or of the values of the lanes of the mask.
    0x1df ReduceOr "redux.or.b32" Integer collective [(value: u32, mask: u32) -> u32 {}];
    /// Bitwise exclusive or of the values of the lanes of the mask.
    0x1e0 ReduceXor "redux.xor.b32" Integer collective [(value: u32, mask: u32) -> u32 {}];

    // Of each active lane by itself, not to be moved past each other
    /// The core's count of cycles; where there is no time, of the instructions so far.
    0x1e8 Clock "clock.u64" Integer collective [() -> u64 {}];
    /// Appends a word to what the thread prints.
    0x1e9 Emit "emit.b32" Control collective [(value: u32) {}];
    /// Ends the run; the reason is 0, 1 for a breakpoint, 2 for the number of a barrier that does not exist, or the address of the text of an assertion.
    0x1ea Trap "trap" Control collective [(reason: u32) {}];
    /// Orders the thread's accesses before it before those after it, for the block (`scope` 0), the device (1) or the lanes of its next
    /// `warp.sync` (2); with 3 its next atomic is one for its block only. The machine orders them anyway: it is for checks of a run.
    0x1eb Fence "fence" Control collective [(scope: u32) {}];
    /// Says that the thread's next access begins at `address`, and should begin less than `count` bytes after `start`. The machine does
    /// nothing: it is for checks of a run.
    0x1ec Bounds "bounds" Control collective [(address: u32, start: u32, count: u32) {}];
    /// The index of the SM; 0 without timing.
    0x1ed SmIndex "smid.u32" Integer collective [() -> u32 {}];
    /// The number of SMs; 1 without timing.
    0x1ee SmCount "nsmid.u32" Integer collective [() -> u32 {}];
    /// A hint about the cached bytes at `address`; the `action` is 0 to fetch them into the L1, 1 into the L2, 2 into the L2 to be evicted
    /// last, 3 into the L2 with normal priority, 4 to give them normal priority there, 5 to discard them there. The machine does nothing.
    0x1ef CacheControl "cache" Control collective [(address: u32, action: u32) {}];

    // Of the affine stream alone, for the warps of the other: what they dequeue at the site
    /// Asks for `[a + offset]` of every active thread, and says where it is.
    0x1f0 EnqueueData "enq.data" Integer enqueue [(address: u32) {}];
    /// Says what `a + offset` is in every active thread.
    0x1f1 EnqueueAddress "enq.addr" Integer enqueue [(address: u32) {}];
    /// Says what the predicate is in every active thread.
    0x1f2 EnqueuePredicate "enq.pred" Integer enqueue [(value: bool) {}];
}}

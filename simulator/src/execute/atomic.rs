//! Atomic operations on the bytes of a memory.

use reconverge_isa::table::evaluate_atomic;
use reconverge_isa::{Op, WarpSource, Width};

use crate::memory::words::{read, write};

/// Performs one atomic on a value of a width at an offset: the old value, and whether it changed.
pub(crate) fn atomic(
    op: Op,
    bytes: &mut [u8],
    offset: usize,
    width: Width,
    [a, b]: [u64; 2],
) -> (u64, bool) {
    let old = read(bytes, offset, width);
    let new = evaluate_atomic(op, [old, a, b]).unwrap_or(old);
    (old, write(bytes, offset, width, new))
}

/// A source's value in a lane; absent sources are 0.
#[inline(always)]
pub(crate) fn lane_value(source: &WarpSource, lane: usize) -> u64 {
    let low = source.low.get(lane).copied().unwrap_or(0);
    let high = source.high.get(lane).copied().unwrap_or(0);
    u64::from(low) | u64::from(high) << 32
}

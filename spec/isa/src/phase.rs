//! A barrier in shared memory (the PTX ISA, `mbarrier`): a word of 64 bits, and what arrivals make of it.
//!
//! From the lowest bit: 20 of the arrivals that are pending, 20 of those that each phase expects, 23 of the bytes that
//! are pending, with a sign, and the parity of the phase. A phase is complete when neither arrivals nor bytes are pending.
//! The next one begins at once.

/// Bits of a number of arrivals, and the lowest bit of those that each phase expects.
pub const ARRIVALS: u32 = 20;
const ALL: u64 = (1 << ARRIVALS) - 1;
/// The lowest bit of the pending bytes.
pub const BYTES: u32 = 2 * ARRIVALS;
/// Their bits, moved down.
const BYTES_MASK: u64 = (1 << (63 - BYTES)) - 1;
/// The parity of a barrier; of an operation, that it adds to the pending arrivals.
pub const HIGHEST: u64 = 1 << 63;

/// A barrier after an operation, a word with the same parts.
///
/// From the lowest bit it has 20 bits of arrivals and 20 of arrivals that the next phases do not expect any more. Then come 23
/// bits of bytes that are added to the pending ones, with a sign. With the highest bit the arrivals are added to the pending ones.
pub(crate) fn arrive(barrier: u64, operation: u64) -> u64 {
    let (pending, expected) = (barrier & ALL, barrier >> ARRIVALS & ALL);
    let (arrivals, dropped) = (operation & ALL, operation >> ARRIVALS & ALL);
    let bytes = (barrier >> BYTES).wrapping_add(operation >> BYTES) & BYTES_MASK;
    let expected = expected.saturating_sub(dropped);
    let (pending, is_added) = match operation & HIGHEST != 0 {
        true => ((pending + arrivals) & ALL, true),
        false => (pending.saturating_sub(arrivals), false),
    };
    let rest = expected << ARRIVALS | bytes << BYTES | barrier & HIGHEST;
    match pending == 0 && bytes == 0 && !is_added {
        true => rest ^ HIGHEST | expected,
        false => rest | pending,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_end_with_the_last_arrival_and_the_last_byte() {
        let two = 2 | 2 << ARRIVALS;
        let one = arrive(two, 1);
        assert_eq!((one & ALL, one & HIGHEST), (1, 0));
        assert_eq!(arrive(one, 1), two | HIGHEST);
        assert_eq!(arrive(arrive(two | HIGHEST, 1), 1), two);
        // Bytes are pending when the last thread arrives.
        let waits = arrive(one, 1 | 32 << BYTES);
        assert_eq!((waits & ALL, waits & HIGHEST), (0, 0));
        let minus = |bytes: u64| (bytes.wrapping_neg() & BYTES_MASK) << BYTES;
        assert_eq!(arrive(arrive(waits, minus(12)), minus(20)), two | HIGHEST);
        // Bytes arrive before they are expected.
        let early = arrive(two, minus(8));
        assert_eq!(arrive(arrive(early, 1 | 8 << BYTES), 1), two | HIGHEST);
        // One thread leaves: the next phase expects one arrival.
        let dropped = arrive(arrive(two, 1 | 1 << ARRIVALS), 1);
        assert_eq!(dropped, HIGHEST | 1 | 1 << ARRIVALS);
        // An arrival more is expected in this phase only.
        let added = arrive(two, 1 | HIGHEST);
        assert_eq!((added & ALL, added >> ARRIVALS & ALL), (3, 2));
    }
}

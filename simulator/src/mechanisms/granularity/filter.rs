//! The filter of the bi-modal granularity predictor: which lines were inserted, lately.
//!
//! Source: Rhu's dissertation, §5.2.3, Figure 5.5 and Table 5.2. Two arrays receive every
//! insertion, except the second one in its initial idle period; lookups use the active one. When an
//! array has received as many insertions as the *refresh period*, it is cleared, and the other one,
//! which has half as many then, becomes active. The text does not give the length of the idle
//! period: half of the refresh period, from which "at least a (N/2) insertion history" follows.

use std::collections::BTreeSet;

/// The hash functions (Table 5.2).
const HASHES: u32 = 6;

/// A set of lines of which one array remembers the members.
pub(super) trait Members {
    fn insert(&mut self, line: u64);
    fn contains(&self, line: u64) -> bool;
    fn clear(&mut self);
}

/// A bit-array: it may take a line for a member that is none.
pub(super) struct BitArray {
    words: Vec<u64>,
    /// Bits of a bit's number.
    bits: u32,
}

impl BitArray {
    /// An array of `1 << bits` bits.
    pub(super) fn new(bits: u32) -> BitArray {
        BitArray { words: vec![0; (1usize << bits).div_ceil(64)], bits }
    }

    /// The bit of a line under a hash function: its bytes, each rotated within a bit's number, are
    /// added without carry ("byte-slicing each evicted address and XOR-ing the slices together").
    /// The rotations of each function are ours: eight bits per byte, and another odd number for
    /// each function and byte.
    fn bit(&self, line: u64, function: u32) -> usize {
        let slices = (0u32..).zip(line.to_le_bytes());
        let rotated = slices.map(|(place, byte)| {
            let by = (8 * place + function * (2 * place + 1)) % self.bits;
            let wide = u64::from(byte) << by;
            (wide | wide >> self.bits) & ((1 << self.bits) - 1)
        });
        rotated.fold(0, |all, slice| all ^ slice) as usize
    }
}

impl Members for BitArray {
    fn insert(&mut self, line: u64) {
        for function in 0..HASHES {
            let bit = self.bit(line, function);
            self.words[bit / 64] |= 1 << (bit % 64);
        }
    }

    fn contains(&self, line: u64) -> bool {
        (0..HASHES).all(|function| {
            let bit = self.bit(line, function);
            self.words[bit / 64] >> (bit % 64) & 1 != 0
        })
    }

    fn clear(&mut self) {
        self.words.fill(0);
    }
}

/// An array without false members.
#[derive(Default)]
pub(super) struct Exact(BTreeSet<u64>);

impl Members for Exact {
    fn insert(&mut self, line: u64) {
        self.0.insert(line);
    }

    fn contains(&self, line: u64) -> bool {
        self.0.contains(&line)
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

/// Two arrays, of which one is active.
pub(super) struct DualFilter<M> {
    arrays: [M; 2],
    /// Insertions that each has received since it was cleared.
    received: [u32; 2],
    active: usize,
    refresh: u32,
    /// Insertions that the second array is still idle for.
    idle: u32,
}

impl<M: Members> DualFilter<M> {
    /// A filter of two empty arrays that are cleared after `refresh` insertions.
    pub(super) fn new(arrays: [M; 2], refresh: u32) -> DualFilter<M> {
        DualFilter { arrays, received: [0; 2], active: 0, refresh, idle: refresh / 2 }
    }

    pub(super) fn insert(&mut self, line: u64) {
        let arrays = if self.idle == 0 { 2 } else { 1 };
        self.idle = self.idle.saturating_sub(1);
        for array in 0..arrays {
            self.arrays[array].insert(line);
            self.received[array] += 1;
        }
        let active = self.active;
        if self.received[active] >= self.refresh {
            self.arrays[active].clear();
            self.received[active] = 0;
            self.active = 1 - active;
        }
    }

    /// Returns true if the active array has a line.
    pub(super) fn contains(&self, line: u64) -> bool {
        self.arrays[self.active].contains(line)
    }

    /// As at the beginning.
    pub(super) fn reset(&mut self) {
        self.arrays.iter_mut().for_each(M::clear);
        (self.received, self.active, self.idle) = ([0; 2], 0, self.refresh / 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_5_5a_and_b_an_element_sets_and_tests_a_bit_for_each_function() {
        let mut array = BitArray::new(11);
        let (a, b) = (0x1234, 0x77_1200);
        array.insert(a);
        let ones: u32 = array.words.iter().map(|word| word.count_ones()).sum();
        let mut bits: Vec<usize> = (0..HASHES).map(|function| array.bit(a, function)).collect();
        bits.sort_unstable();
        bits.dedup();
        assert_eq!((ones as usize, bits.len()), (bits.len(), 6));
        // All its bits are 1: a member. Some bit of another one is 0: certainly none.
        assert!(array.contains(a) && !array.contains(b));
        array.clear();
        assert!(!array.contains(a));
    }

    #[test]
    fn hashes_by_hand() {
        // Line 0x0201 in 11 bits. Function 0 rotates byte 0 by 0 and byte 1 by 8: 1 ^ 2 << 8. Function 1 by 1 and by 8
        // + 3 = 11, which is 0: 2 ^ 2. Function 2 by 2 and by 8 + 6 = 14, which is 3: 4 ^ 16.
        let array = BitArray::new(11);
        let bits = [0, 1, 2].map(|function| array.bit(0x0201, function));
        assert_eq!(bits, [0x201, 0, 20]);
        // Byte 1 of 0xff, rotated by 8: three bits stay, and five enter at the low end.
        assert_eq!(array.bit(0xff00, 0), 0b111_0001_1111);
    }

    #[test]
    fn few_lines_are_taken_for_members() {
        // After 512 neighbours, and after 512 at distances of a power of two, lines that were not inserted.
        for stride in [1u64, 16, 4096] {
            let mut array = BitArray::new(11);
            (0..512).for_each(|line| array.insert(line * stride));
            assert!((0..512).all(|line| array.contains(line * stride)));
            let wrong = (512..8192).filter(|line| array.contains(line * stride)).count();
            // 512 lines of 6 bits leave (1 - 1/2048)^3072 = 22 % of the bits clear: 22 % of other lines would have all
            // six of theirs set if bits were independent. Half as many again are allowed.
            assert!(wrong * 100 < 33 * 7680, "{stride}: {wrong}");
        }
    }

    #[test]
    fn figure_5_5c_arrays_are_cleared_and_swapped() {
        // A refresh period of 4: array 1 is idle for 2 insertions.
        let mut filter = DualFilter::new([Exact::default(), Exact::default()], 4);
        let held = |filter: &DualFilter<Exact>| {
            let lines = |array: usize| filter.arrays[array].0.iter().copied().collect::<Vec<_>>();
            (filter.active, lines(0), lines(1))
        };
        let mut states = Vec::new();
        for line in 1..=8 {
            filter.insert(line);
            states.push(held(&filter));
        }
        let expected = [
            (0, vec![1], vec![]),
            (0, vec![1, 2], vec![]),
            (0, vec![1, 2, 3], vec![3]),
            // The fourth: array 0 is cleared, and array 1 has the last two.
            (1, vec![], vec![3, 4]),
            (1, vec![5], vec![3, 4, 5]),
            (0, vec![5, 6], vec![]),
            (0, vec![5, 6, 7], vec![7]),
            (1, vec![], vec![7, 8]),
        ];
        assert_eq!(states, expected);
        // Lookups use the active array only.
        assert!(filter.contains(8) && !filter.contains(6));
        filter.reset();
        filter.insert(1);
        assert_eq!(held(&filter), (0, vec![1], vec![]));
    }
}

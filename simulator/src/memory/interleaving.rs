//! The partition of an address, and its place in the slice.

use super::bytes::SECTOR;
use crate::machine::clock::Divisor;

/// The distribution of addresses to partitions: some bytes to each in turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interleaving {
    /// Bytes of a line, and of the part that goes to one partition at once, as powers of two.
    line_shift: u32,
    shift: u32,
    partitions: Divisor,
}

impl Interleaving {
    /// An address map of `partitions` partitions, each of which has `bytes` bytes in turn, in lines
    /// of `line` bytes.
    pub(super) fn new(partitions: u32, bytes: u32, line: u32) -> Interleaving {
        Interleaving {
            line_shift: line.ilog2(),
            shift: bytes.ilog2(),
            partitions: Divisor::by(u64::from(partitions)),
        }
    }

    /// The partition of an address.
    #[inline]
    pub(super) fn partition(&self, address: u64) -> usize {
        self.partitions.remainder(address >> self.shift) as usize
    }

    /// The number within its slice of the line that an address lies in, and how many sectors of it lie before.
    #[inline]
    pub(super) fn place(&self, address: u64) -> (u64, u32) {
        let chunk = self.partitions.quotient(address >> self.shift);
        let within = address & ((1 << self.shift) - 1);
        let lines = chunk << (self.shift - self.line_shift);
        let before = (within & ((1 << self.line_shift) - 1)) / u64::from(SECTOR);
        (lines + (within >> self.line_shift), before as u32)
    }
}

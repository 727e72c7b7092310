//! The uses of a port in the next cycles.

/// The cycles that are known.
const CYCLES: u64 = 32;
/// Bits of a cycle's uses.
const BITS: u64 = u128::BITS as u64 / CYCLES;

/// A port, or several that are alike, each of which serves one use a cycle.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// The first cycle that is known.
    base: u64,
    /// The uses of each cycle from that one on, in [`BITS`] bits each, the first in the lowest.
    uses: u128,
    ports: u8,
}

impl Slots {
    /// Up to 15 ports.
    pub(super) fn new(ports: u8) -> Slots {
        Slots { base: 0, uses: 0, ports }
    }

    /// Cycles before this one do not matter any more.
    #[inline]
    pub(super) fn advance(&mut self, now: u64) {
        let gone = now.saturating_sub(self.base);
        self.uses = if gone < CYCLES { self.uses >> (gone * BITS) } else { 0 };
        self.base = self.base.max(now);
    }

    /// The uses that a cycle has room for. Cycles that are too far away to be known have all.
    #[inline]
    pub(super) fn left(&self, cycle: u64) -> u8 {
        match cycle.checked_sub(self.base) {
            Some(at @ 0..CYCLES) => {
                let uses = self.uses >> (at * BITS) & ((1 << BITS) - 1);
                self.ports.saturating_sub(uses as u8)
            }
            _ => self.ports,
        }
    }

    /// A cycle, which has room, has one more use.
    #[inline]
    pub(super) fn take(&mut self, cycle: u64) {
        if let Some(at @ 0..CYCLES) = cycle.checked_sub(self.base) {
            self.uses += 1 << (at * BITS);
        }
    }

    /// The uses that so many cycles from one on have room for.
    #[inline]
    pub(super) fn left_in(&self, from: u64, cycles: u64) -> u8 {
        match from.checked_sub(self.base) {
            Some(at) if at + cycles <= CYCLES => {
                let uses = (self.uses >> (at * BITS)) as u64;
                let left = |cycle: u64| {
                    let uses = uses >> (cycle * BITS) & ((1 << BITS) - 1);
                    self.ports.saturating_sub(uses as u8)
                };
                (0..cycles).map(left).sum()
            }
            _ => (from..from + cycles).map(|cycle| self.left(cycle)).sum(),
        }
    }

    /// Takes the first cycle with room, from one on.
    #[inline]
    pub(super) fn take_first(&mut self, from: u64) {
        let end = self.base + CYCLES;
        if let Some(cycle) = (from..end).find(|&cycle| self.left(cycle) != 0) {
            self.take(cycle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_has_one_use_a_cycle() {
        let mut slots = Slots::new(1);
        slots.take(5);
        assert_eq!((slots.left(5), slots.left(6), slots.left(1000)), (0, 1, 1));
        assert_eq!((slots.left_in(4, 3), slots.left_in(6, 3), slots.left_in(31, 3)), (2, 3, 3));
        slots.take_first(5);
        assert_eq!(slots.left(6), 0);
        slots.advance(6);
        assert_eq!((slots.left(6), slots.left(5 + CYCLES)), (0, 1));
        slots.advance(500);
        assert_eq!(slots.left(6 + CYCLES * 16), 1);
    }
}

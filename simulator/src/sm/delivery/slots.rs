//! The uses of a port in the next cycles.

/// The cycles that are known.
const CYCLES: u64 = 32;

/// A port, or several that are alike, each of which serves one use a cycle.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// The first cycle that is known.
    base: u64,
    /// By cycle modulo [`CYCLES`]: its uses.
    uses: [u8; CYCLES as usize],
    ports: u8,
}

impl Slots {
    pub(super) fn new(ports: u8) -> Slots {
        Slots { base: 0, uses: [0; CYCLES as usize], ports }
    }

    /// Cycles before this one do not matter any more.
    #[inline]
    pub(super) fn advance(&mut self, now: u64) {
        let gone = now.saturating_sub(self.base);
        if gone >= CYCLES {
            self.uses = [0; CYCLES as usize];
        } else {
            (self.base..now).for_each(|cycle| self.uses[(cycle % CYCLES) as usize] = 0);
        }
        self.base = self.base.max(now);
    }

    /// The uses that a cycle has room for. Cycles that are too far away to be known have all.
    #[inline]
    pub(super) fn left(&self, cycle: u64) -> u8 {
        match cycle.checked_sub(self.base) {
            Some(0..CYCLES) => self.ports.saturating_sub(self.uses[(cycle % CYCLES) as usize]),
            _ => self.ports,
        }
    }

    /// A cycle has one more use.
    #[inline]
    pub(super) fn take(&mut self, cycle: u64) {
        if let Some(0..CYCLES) = cycle.checked_sub(self.base) {
            self.uses[(cycle % CYCLES) as usize] += 1;
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
        slots.take_first(5);
        assert_eq!(slots.left(6), 0);
        slots.advance(6);
        assert_eq!((slots.left(6), slots.left(5 + CYCLES)), (0, 1));
        slots.advance(500);
        assert_eq!(slots.left(6 + CYCLES * 16), 1);
    }
}

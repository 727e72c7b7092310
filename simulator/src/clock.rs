//! Clocks: what a cycle of one is in another.
//!
//! All clocks start together: cycle 0 of each begins at the same time. Frequencies are MHz with three
//! decimals, so that ratios are exact and nothing drifts.

/// From cycles of one clock to cycles of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    /// Cycles of the other clock are `cycle * to / from`.
    from: u64,
    to: u64,
}

impl Clock {
    /// From a clock of so many MHz to another.
    pub(crate) fn new(from_mhz: f64, to_mhz: f64) -> Clock {
        let kilohertz = |mhz: f64| ((mhz * 1000.0).round() as u64).max(1);
        let (from, to) = (kilohertz(from_mhz), kilohertz(to_mhz));
        let divisor = greatest_common_divisor(from, to);
        Clock { from: from / divisor, to: to / divisor }
    }

    /// The other way.
    pub(crate) fn inverse(self) -> Clock {
        Clock { from: self.to, to: self.from }
    }

    /// The first cycle of the other clock that begins when a cycle begins, or later.
    #[inline]
    pub(crate) fn at_or_after(self, cycle: u64) -> u64 {
        if self.from == self.to || cycle == u64::MAX {
            return cycle;
        }
        let product = u128::from(cycle) * u128::from(self.to);
        product.div_ceil(u128::from(self.from)) as u64
    }

    /// The last cycle of the other clock that begins when a cycle begins, or before.
    #[inline]
    pub(crate) fn at_or_before(self, cycle: u64) -> u64 {
        if self.from == self.to || cycle == u64::MAX {
            return cycle;
        }
        (u128::from(cycle) * u128::from(self.to) / u128::from(self.from)) as u64
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_of_two_clocks() {
        let same = Clock::new(700.0, 700.0);
        assert_eq!((same.at_or_after(17), same.at_or_before(17)), (17, 17));
        let twice = Clock::new(325.0, 650.0);
        assert_eq!((twice.at_or_after(3), twice.inverse().at_or_before(7)), (6, 3));
        assert_eq!(twice.inverse().at_or_after(7), 4);
        let dram = Clock::new(700.0, 924.0);
        for cycle in [0, 1, 2, 999, 1_000_000_007] {
            let (before, after) = (dram.at_or_before(cycle), dram.at_or_after(cycle));
            assert!(after - before <= 1);
            assert!(dram.inverse().at_or_after(after) >= cycle, "{cycle}");
            assert!(dram.inverse().at_or_before(before) <= cycle, "{cycle}");
        }
        assert_eq!(dram.at_or_after(1_000_000), 1_320_000);
    }
}

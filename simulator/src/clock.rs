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

/// A frequency in whole kilohertz, if it is one.
pub(crate) fn kilohertz(mhz: f64) -> Option<u64> {
    let exact = mhz * 1e3;
    let rounded = exact.round();
    let is_whole = (exact - rounded).abs() <= 1e-9 * exact.abs().max(1.0);
    (is_whole && (1.0..=1e12).contains(&rounded)).then_some(rounded as u64)
}

/// The largest number stands for a cycle that never comes.
fn narrow(cycle: u128) -> u64 {
    u64::try_from(cycle).unwrap_or(u64::MAX)
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
        match cycle.checked_mul(self.to) {
            Some(product) => product.div_ceil(self.from),
            None => {
                narrow((u128::from(cycle) * u128::from(self.to)).div_ceil(u128::from(self.from)))
            }
        }
    }

    /// The last cycle of the other clock that begins when a cycle begins, or before.
    #[inline]
    pub(crate) fn at_or_before(self, cycle: u64) -> u64 {
        if self.from == self.to || cycle == u64::MAX {
            return cycle;
        }
        match cycle.checked_mul(self.to) {
            Some(product) => product / self.from,
            None => narrow(u128::from(cycle) * u128::from(self.to) / u128::from(self.from)),
        }
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

    #[test]
    fn conversions_agree() {
        for (from, to) in [(700.0, 924.0), (924.0, 700.0), (0.001, 1e6), (325.5, 650.123)] {
            let clock = Clock::new(from, to);
            for cycle in (0..2000).chain([1 << 33, (1 << 33) + 1]) {
                let begun = clock.at_or_before(cycle);
                assert!(clock.inverse().at_or_after(begun) <= cycle, "it has begun");
                assert!(clock.inverse().at_or_after(begun + 1) > cycle, "it is the last");
                let next = clock.at_or_after(cycle);
                assert!(next == begun || next == begun + 1);
            }
        }
    }

    #[test]
    fn frequencies() {
        assert_eq!(kilohertz(924.0), Some(924_000));
        assert_eq!(kilohertz(1401.123), Some(1_401_123));
        assert_eq!(kilohertz(0.001), Some(1));
        for bad in [0.0, -1.0, 0.0005, 1.0005, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(kilohertz(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_never_comes() {
        assert_eq!(Clock::new(3.0, 1.0).at_or_after(u64::MAX), u64::MAX);
        assert_eq!(Clock::new(1.0, 1e6).at_or_before(1 << 60), u64::MAX);
    }
}

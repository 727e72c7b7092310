//! Clocks: conversion between the cycles of two clocks.
//!
//! All clocks start together: cycle 0 of each begins at the same time. Frequencies are MHz with three
//! decimals, so that ratios are exact and nothing drifts.

/// A cycle that is never reached.
pub(crate) const NEVER: u64 = u64::MAX;

/// From cycles of one clock to cycles of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    /// Cycles of the other clock are `cycle * to / from`.
    from: u64,
    to: u64,
    by_from: Divisor,
    by_to: Divisor,
}

/// Replaces the slow division by a number `d`: the quotient is the product with 2⁶³ / d, rounded
/// up, over 2⁶³. That is too large by less than d / 2⁶³ of the number, so that numbers below 2⁶³ / d are not
/// carried to the next quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Divisor {
    divisor: u64,
    reciprocal: u64,
    /// Cycles from here on, times the factor, may be too large.
    limit: u64,
}

impl Divisor {
    /// Divides cycles that were multiplied with a factor.
    fn new(divisor: u64, factor: u64) -> Divisor {
        let whole = 1 << 63;
        // Less by the divisor, so that a rounded-up number fits too.
        let limit = (whole / divisor).saturating_sub(divisor) / factor;
        Divisor { divisor, reciprocal: whole.div_ceil(divisor), limit }
    }

    /// Divides any number by a number that is not zero.
    pub(crate) fn by(divisor: u64) -> Divisor {
        Divisor::new(divisor, 1)
    }

    /// The number that it divides by.
    #[inline]
    pub(crate) fn number(self) -> u64 {
        self.divisor
    }

    /// The quotient of a number.
    #[inline]
    pub(crate) fn quotient(self, number: u64) -> u64 {
        if number < self.limit { self.divide(number) } else { number / self.divisor }
    }

    /// The remainder of a number.
    #[inline]
    pub(crate) fn remainder(self, number: u64) -> u64 {
        number - self.quotient(number) * self.divisor
    }

    #[inline]
    fn divide(self, number: u64) -> u64 {
        ((u128::from(number) * u128::from(self.reciprocal)) >> 63) as u64
    }
}

/// A frequency in whole kilohertz, if it is one.
pub(crate) fn kilohertz(mhz: f64) -> Option<u64> {
    let exact = mhz * 1e3;
    let rounded = exact.round();
    let is_whole = (exact - rounded).abs() <= 1e-9 * exact.abs().max(1.0);
    (is_whole && (1.0..=1e12).contains(&rounded)).then_some(rounded as u64)
}

/// The largest number stands for a cycle that is never reached.
fn narrow(cycle: u128) -> u64 {
    u64::try_from(cycle).unwrap_or(u64::MAX)
}

impl Clock {
    /// From a clock of `from_mhz` MHz to another.
    pub(crate) fn new(from_mhz: f64, to_mhz: f64) -> Clock {
        let kilohertz = |mhz: f64| ((mhz * 1000.0).round() as u64).max(1);
        let (from, to) = (kilohertz(from_mhz), kilohertz(to_mhz));
        let divisor = greatest_common_divisor(from, to);
        let (from, to) = (from / divisor, to / divisor);
        Clock { from, to, by_from: Divisor::new(from, to), by_to: Divisor::new(to, from) }
    }

    /// The inverse ratio.
    pub(crate) fn inverse(self) -> Clock {
        Clock { from: self.to, to: self.from, by_from: self.by_to, by_to: self.by_from }
    }

    /// The first cycle of the other clock that begins when a cycle begins, or later.
    #[inline]
    pub(crate) fn at_or_after(self, cycle: u64) -> u64 {
        if self.from == self.to {
            cycle
        } else if cycle < self.by_from.limit {
            self.by_from.divide(cycle * self.to + (self.from - 1))
        } else {
            self.far(cycle, u128::div_ceil)
        }
    }

    /// The last cycle of the other clock that begins when a cycle begins, or before.
    #[inline]
    pub(crate) fn at_or_before(self, cycle: u64) -> u64 {
        if self.from == self.to {
            cycle
        } else if cycle < self.by_from.limit {
            self.by_from.divide(cycle * self.to)
        } else {
            self.far(cycle, |product, from| product / from)
        }
    }

    /// The cycle of the other clock, for any cycle.
    #[cold]
    fn far(self, cycle: u64, divide: fn(u128, u128) -> u128) -> u64 {
        match cycle {
            u64::MAX => cycle,
            _ => narrow(divide(u128::from(cycle) * u128::from(self.to), u128::from(self.from))),
        }
    }
}

/// The index, below `count`, whose turn it is in a cycle when a different one goes first in each
/// cycle.
#[inline]
pub(crate) fn in_turn(now: u64, turn: usize, count: usize) -> usize {
    let at = now as usize + turn;
    // A division takes long.
    if count & (count - 1) == 0 { at & (count - 1) } else { at % count }
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
        for (from, to) in [
            (700.0, 924.0),
            (924.0, 700.0),
            (700.0, 925.0),
            (1400.0, 700.0),
            (700.0, 1400.0),
            (0.001, 1e6),
            (325.5, 650.123),
        ] {
            let clock = Clock::new(from, to);
            let limit = clock.by_from.limit;
            let around = limit.saturating_sub(1000)..limit + 1000;
            for cycle in (0..2000).chain([1 << 33, (1 << 33) + 1]).chain(around) {
                let product = u128::from(cycle) * u128::from(clock.to);
                let from = u128::from(clock.from);
                assert_eq!(clock.at_or_before(cycle), narrow(product / from));
                assert_eq!(clock.at_or_after(cycle), narrow(product.div_ceil(from)));
            }
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
    fn quotients_and_remainders() {
        for divisor in [1, 2, 3, 6, 80, 255, 256, 1 << 40] {
            let by = Divisor::by(divisor);
            let around = by.limit.saturating_sub(100)..by.limit + 100;
            for number in (0..2000).chain(around).chain([u64::MAX - 1, u64::MAX]) {
                assert_eq!(by.quotient(number), number / divisor, "{number} by {divisor}");
                assert_eq!(by.remainder(number), number % divisor, "{number} by {divisor}");
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
    fn a_time_that_never_arrives() {
        assert_eq!(Clock::new(3.0, 1.0).at_or_after(u64::MAX), u64::MAX);
        assert_eq!(Clock::new(1.0, 1e6).at_or_before(1 << 60), u64::MAX);
    }
}

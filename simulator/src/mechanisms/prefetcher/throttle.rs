//! Fewer prefetches while many of them are not used.

/// Prefetches whose end is known between two decisions.
const PERIOD: u32 = 256;
/// The most fifths of all that are left out.
const MOST: u32 = 4;

/// After the paper's adaptive throttling, which goes by early evictions, too.
#[derive(Debug)]
pub(super) struct Throttle {
    is_on: bool,
    /// So many of five prefetches are left out.
    degree: u32,
    turn: u32,
    used: u32,
    unused: u32,
}

impl Throttle {
    pub(super) fn new(is_on: bool) -> Throttle {
        Throttle { is_on, degree: 0, turn: 0, used: 0, unused: 0 }
    }

    /// Returns true if the next prefetch is made.
    pub(super) fn admits(&mut self) -> bool {
        self.turn = (self.turn + 1) % 5;
        self.turn >= self.degree
    }

    /// A prefetch was used for the first time.
    pub(super) fn used(&mut self) {
        self.used += 1;
        self.decide();
    }

    /// A line was evicted; whether without having been used.
    pub(super) fn unused(&mut self, unused: bool) {
        self.unused += u32::from(unused);
        self.decide();
    }

    /// With more than half unused one more of five is left out, with less than a quarter one less.
    fn decide(&mut self) {
        let all = self.used + self.unused;
        if !self.is_on || all < PERIOD {
            return;
        }
        if self.unused * 2 > all {
            self.degree = (self.degree + 1).min(MOST);
        } else if self.unused * 4 < all {
            self.degree = self.degree.saturating_sub(1);
        }
        (self.used, self.unused) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_by_what_is_used() {
        let mut throttle = Throttle::new(true);
        let passes = |throttle: &mut Throttle| (0..5).filter(|_| throttle.admits()).count();
        assert_eq!(passes(&mut throttle), 5);
        for left in [4, 3, 2, 1, 1] {
            (0..PERIOD).for_each(|_| throttle.unused(true));
            assert_eq!(passes(&mut throttle), left);
        }
        // A third unused: as before. None: one more.
        (0..PERIOD).for_each(|n| if n % 3 == 0 { throttle.unused(true) } else { throttle.used() });
        assert_eq!(passes(&mut throttle), 1);
        (0..PERIOD).for_each(|_| throttle.used());
        assert_eq!(passes(&mut throttle), 2);
    }
}

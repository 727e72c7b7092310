//! Pseudo-random numbers of a seed, the same in every run: SplitMix64 (Steele, Lea, Flood, "Fast splittable
//! pseudorandom number generators", OOPSLA 2014).

/// A sequence of numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Goes on to the next number.
    pub fn advance(&mut self) {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    /// The current number.
    pub fn number(&self) -> u64 {
        let mut number = self.0;
        number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ number >> 31
    }

    /// The next number, reduced below a limit; 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.advance();
        self.number().checked_rem(limit as u64).unwrap_or(0) as usize
    }

    /// Brings the elements into an order of its own (Fisher and Yates).
    pub fn shuffle<T>(&mut self, elements: &mut [T]) {
        for last in (1..elements.len()).rev() {
            elements.swap(last, self.below(last + 1));
        }
    }
}

//! A subset of the ways of a set.

/// Ways of a cache set, by number. It allocates only for caches of more than 64 ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways {
    /// Ways 0 to 63, a bit each.
    low: u64,
    /// The others, 64 a word.
    high: Vec<u64>,
}

impl Ways {
    /// All ways of a set of `count`.
    pub fn all(count: usize) -> Ways {
        let word = |first: usize| match count.saturating_sub(first) {
            rest @ 0..64 => (1 << rest) - 1,
            _ => u64::MAX,
        };
        Ways { low: word(0), high: (64..count).step_by(64).map(word).collect() }
    }

    /// Returns true if a way is among them.
    #[inline]
    pub fn contains(&self, way: usize) -> bool {
        self.word(way / 64) >> (way % 64) & 1 != 0
    }

    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.low == 0 && self.high.iter().all(|word| *word == 0)
    }

    /// The number of ways.
    pub fn len(&self) -> usize {
        (self.low.count_ones() + self.high.iter().map(|word| word.count_ones()).sum::<u32>())
            as usize
    }

    /// Keeps those that satisfy a condition.
    pub fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let kept = |word: u64, first: usize| {
            Bits(word).filter(|bit| keep(first + bit)).fold(0, |all, bit| all | 1 << bit)
        };
        self.low = kept(self.low, 0);
        for (index, word) in self.high.iter_mut().enumerate() {
            *word = kept(*word, 64 * (index + 1));
        }
    }

    /// In ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let (mut index, mut bits) = (0, Bits(self.low));
        std::iter::from_fn(move || {
            loop {
                if let Some(bit) = bits.next() {
                    return Some(64 * index + bit);
                }
                bits = Bits(*self.high.get(index)?);
                index += 1;
            }
        })
    }

    fn word(&self, index: usize) -> u64 {
        match index {
            0 => self.low,
            _ => self.high.get(index - 1).copied().unwrap_or(0),
        }
    }
}

/// The numbers of the set bits of a word, in ascending order.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let bit = self.0.trailing_zeros() as usize;
        if self.0 == 0 {
            return None;
        }
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use super::Ways;

    #[test]
    fn ways_of_any_number() {
        for count in [0, 1, 2, 63, 64, 65, 128, 130, 1024] {
            let mut ways = Ways::all(count);
            assert_eq!(ways.iter().collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
            assert_eq!((ways.len(), ways.is_empty()), (count, count == 0));
            assert!(!ways.contains(count));
            ways.retain(|way| way % 3 == 1);
            let kept: Vec<usize> = (0..count).filter(|way| way % 3 == 1).collect();
            assert_eq!(ways.iter().collect::<Vec<_>>(), kept);
            assert!((0..count).all(|way| ways.contains(way) == (way % 3 == 1)));
        }
    }
}

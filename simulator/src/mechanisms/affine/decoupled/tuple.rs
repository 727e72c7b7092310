//! Affine tuples: the form of a register of the affine warp for the threads of a block.
//!
//! Source: Wang and Lin, "Decoupled affine computation for SIMT GPUs", ISCA 2017, §3 (equations 1
//! to 3). Differences: an offset for each dimension of the thread's index, so that one tuple serves
//! all warps of a block; a jump where a period of `threadIdx.x` ends, for quotients and remainders
//! by constants (the paper's `mod`, §4.4, whose form our text does not give); and divergent tuples,
//! of at most [`TUPLES`] alternatives, each for the threads that a predicate has chosen.

use super::mask::Mask;

/// The most alternatives that a value has in a block.
pub(crate) const TUPLES: usize = 4;

/// base + offset x * threadIdx.x + offset y * threadIdx.y + offset z * threadIdx.z
/// + jump * (threadIdx.x div period), modulo 2^64, or 2^32 for a word.
///
/// The quotient by m has offset 0 and jump 1, the remainder offset 1 and jump -m.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Tuple {
    pub(crate) base: u64,
    pub(crate) offsets: [u64; 3],
    pub(crate) jump: u64,
    /// 0 if and only if the jump is.
    pub(crate) period: u32,
}

impl Tuple {
    /// A value that is equal for all threads.
    pub(crate) fn scalar(base: u64) -> Tuple {
        Tuple { base, ..Tuple::default() }
    }

    /// The thread's index along an axis.
    pub(crate) fn thread(axis: usize) -> Tuple {
        let mut tuple = Tuple::default();
        tuple.offsets[axis] = 1;
        tuple
    }

    /// Its value, if it is the same for all threads.
    pub(crate) fn as_scalar(&self) -> Option<u64> {
        (self.offsets == [0; 3] && self.jump == 0).then_some(self.base)
    }

    /// The value of a thread.
    pub(crate) fn at(&self, [x, y, z]: [u32; 3]) -> u64 {
        let term = |offset: u64, index: u32| offset.wrapping_mul(u64::from(index));
        let [ox, oy, oz] = self.offsets;
        self.base
            .wrapping_add(term(ox, x))
            .wrapping_add(term(oy, y))
            .wrapping_add(term(oz, z))
            .wrapping_add(term(self.jump, self.periods(x)))
    }

    /// The number of periods that end before a thread along x.
    pub(crate) fn periods(&self, x: u32) -> u32 {
        x.checked_div(self.period).unwrap_or(0)
    }

    /// Component by component.
    fn map(&self, of: impl Fn(u64) -> u64) -> Tuple {
        let jump = of(self.jump);
        Tuple {
            base: of(self.base),
            offsets: self.offsets.map(&of),
            jump,
            period: if jump == 0 { 0 } else { self.period },
        }
    }

    /// Modulo 2^32.
    pub(crate) fn word(&self) -> Tuple {
        self.map(|part| part & 0xffff_ffff)
    }

    /// Part to part; nothing if both have a period and they differ.
    pub(crate) fn plus(&self, other: &Tuple) -> Option<Tuple> {
        if self.period != other.period && self.period != 0 && other.period != 0 {
            return None;
        }
        let mut offsets = self.offsets;
        for (offset, other) in offsets.iter_mut().zip(other.offsets) {
            *offset = offset.wrapping_add(other);
        }
        let jump = self.jump.wrapping_add(other.jump);
        let period = if jump == 0 { 0 } else { self.period.max(other.period) };
        Some(Tuple { base: self.base.wrapping_add(other.base), offsets, jump, period })
    }

    /// By a scalar.
    pub(crate) fn times(&self, factor: u64) -> Tuple {
        self.map(|part| part.wrapping_mul(factor))
    }
}

/// The value of a register in a block: one tuple, or several, each for the threads of a mask.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Value {
    /// The value of threads that are in no mask.
    pub(crate) first: Tuple,
    pub(crate) others: Vec<(Mask, Tuple)>,
}

impl Default for Value {
    fn default() -> Value {
        Value::of(Tuple::default())
    }
}

impl Value {
    /// One tuple for all threads.
    pub(crate) fn of(tuple: Tuple) -> Value {
        Value { first: tuple, others: Vec::new() }
    }

    /// Each tuple changed.
    pub(crate) fn map(&self, of: impl Fn(&Tuple) -> Tuple) -> Value {
        let others = self.others.iter().map(|(mask, tuple)| (mask.clone(), of(tuple)));
        Value { first: of(&self.first), others: others.collect() }
    }

    /// The tuples with the threads of a set that each holds for; sets that are empty are left out.
    pub(crate) fn regions(&self, threads: &Mask) -> Vec<(Mask, Tuple)> {
        if self.others.is_empty() {
            return vec![(threads.clone(), self.first)];
        }
        let mut rest = threads.clone();
        let mut regions = Vec::with_capacity(1 + self.others.len());
        for (mask, tuple) in &self.others {
            let region = rest.and(mask);
            if !region.is_empty() {
                rest = rest.without(mask);
                regions.push((region, *tuple));
            }
        }
        if !rest.is_empty() {
            regions.push((rest, self.first));
        }
        regions
    }

    /// Joins regions; too many tuples are an error. Threads that are in none of the regions
    /// have the value of the first.
    pub(crate) fn from_regions(regions: Vec<(Mask, Tuple)>) -> Result<Value, usize> {
        let mut joined: Vec<(Mask, Tuple)> = Vec::with_capacity(regions.len());
        for (mask, tuple) in regions {
            match joined.iter_mut().find(|(_, known)| *known == tuple) {
                Some((known, _)) => *known = known.or(&mask),
                None => joined.push((mask, tuple)),
            }
        }
        if joined.len() > TUPLES {
            return Err(joined.len());
        }
        let mut joined = joined.into_iter();
        let first = joined.next().map(|(_, tuple)| tuple).unwrap_or_default();
        Ok(Value { first, others: joined.collect() })
    }
}

/// The tuple that gives all threads of a block their values, in the order of threads, if there is one.
/// For operations of whose results the compiler has proved that they are of this form.
pub(crate) fn fit([width, height, depth]: [u32; 3], values: &[u64], wide: bool) -> Option<Tuple> {
    let narrowed = |value: u64| if wide { value } else { value & 0xffff_ffff };
    let at = |thread: u32| values.get(thread as usize).copied().unwrap_or(0);
    let grown = |from: u32, to: u32| narrowed(at(to).wrapping_sub(at(from)));
    let along = |extent: u32, next: u32| if extent > 1 { grown(0, next) } else { 0 };
    let offsets = [along(width, 1), along(height, width), along(depth, width * height)];
    let mut tuple = Tuple { base: at(0), offsets, ..Tuple::default() };
    let ends = |x: &u32| grown(x - 1, *x) != offsets[0];
    if let Some(period) = (2..width).find(ends) {
        tuple.period = period;
        tuple.jump = narrowed(grown(period - 1, period).wrapping_sub(offsets[0]));
    }
    let index = |thread: u32| [thread % width, thread / width % height, thread / width / height];
    let agrees = |(thread, &value)| narrowed(tuple.at(index(thread))) == narrowed(value);
    (0..).zip(values).all(agrees).then_some(tuple)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that are the same in each run.
    pub(crate) struct Numbers(pub(crate) u64);

    impl Numbers {
        pub(crate) fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            self.0 >> 16
        }
    }

    fn some_tuple(numbers: &mut Numbers, period: u32) -> Tuple {
        let mut part = || match numbers.next() % 4 {
            0 => 0,
            1 => numbers.next() % 9,
            2 => (numbers.next() % 9).wrapping_neg(),
            _ => numbers.next().wrapping_mul(numbers.next()),
        };
        let jump = part();
        Tuple {
            base: part(),
            offsets: [part(), part(), part()],
            jump,
            period: if jump == 0 { 0 } else { period },
        }
    }

    #[test]
    fn arithmetic_is_that_of_each_thread() {
        let mut numbers = Numbers(7);
        for _ in 0..500 {
            let period = 2 + numbers.next() as u32 % 15;
            let [a, b] = [(); 2].map(|()| some_tuple(&mut numbers, period));
            let factor = numbers.next();
            for _ in 0..5 {
                let index = [0; 3].map(|_: u32| (numbers.next() % 40) as u32);
                let sum = a.plus(&b).expect("they have one period");
                assert_eq!(sum.at(index), a.at(index).wrapping_add(b.at(index)));
                assert_eq!(a.times(factor).at(index), a.at(index).wrapping_mul(factor));
                assert_eq!(a.word().at(index) as u32, a.at(index) as u32);
            }
        }
        let other = Tuple { jump: 1, period: 2, ..Tuple::default() };
        assert_eq!(other.plus(&Tuple { period: 3, ..other }), None);
        assert_eq!(other.plus(&other.times(u64::MAX)), Some(Tuple::default()));
    }

    fn values([x, y, z]: [u32; 3], of: impl Fn([u32; 3]) -> u64) -> Vec<u64> {
        (0..x * y * z).map(|thread| of([thread % x, thread / x % y, thread / x / y])).collect()
    }

    #[test]
    fn what_is_a_tuple_is_found_to_be_one() {
        let mut numbers = Numbers(11);
        let blocks =
            [[1, 1, 1], [2, 1, 1], [5, 1, 1], [32, 1, 1], [20, 3, 1], [4, 4, 4], [1, 7, 2]];
        for block in blocks {
            for round in 0..100 {
                let period = 2 + numbers.next() as u32 % 20;
                let tuple = some_tuple(&mut numbers, period);
                for wide in [false, true] {
                    let known = if wide { tuple } else { tuple.word() };
                    let values = values(block, |index| tuple.at(index));
                    let found = fit(block, &values, wide).expect("it is a tuple");
                    for (thread, value) in values.iter().enumerate() {
                        let thread = thread as u32;
                        let [x, y, _] = block;
                        let got = found.at([thread % x, thread / x % y, thread / x / y]);
                        assert!(if wide { got == *value } else { got as u32 == *value as u32 });
                    }
                    // If a row shows its period, there is only one tuple.
                    if block[0] > period {
                        assert_eq!((found.jump, found.period), (known.jump, known.period));
                    }
                }
                let mut wrong = values(block, |index| tuple.at(index));
                let last = wrong.len() - 1;
                wrong[last / 2] ^= 1 << (round % 32);
                if block == [20, 3, 1] {
                    assert_eq!(fit(block, &wrong, true), None);
                }
            }
        }
        assert_eq!(fit([8, 1, 1], &values([8, 1, 1], |[x, ..]| u64::from(x * x)), true), None);
    }

    #[test]
    fn quotients_and_remainders_are_found() {
        let block = [64, 2, 1];
        for period in [2, 3, 8, 10, 16, 63] {
            let found = |of: fn(u32, u32) -> u32| {
                fit(block, &values(block, |[x, ..]| u64::from(of(x, period))), true)
            };
            let quotient = Tuple { jump: 1, period, ..Tuple::default() };
            assert_eq!(found(|x, m| x / m), Some(quotient));
            let jump = u64::from(period).wrapping_neg();
            let remainder = Tuple { offsets: [1, 0, 0], jump, ..quotient };
            assert_eq!(found(|x, m| x % m), Some(remainder));
        }
    }
}

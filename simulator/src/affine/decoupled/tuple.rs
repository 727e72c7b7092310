//! Affine tuples: what a register of the affine warp holds for the threads of a block.
//!
//! Source: Wang and Lin, "Decoupled affine computation for SIMT GPUs", ISCA 2017, §3 (equations 1 to
//! 3). What differs: an offset for each dimension of the thread's index, so that one tuple goes for all
//! warps of a block; a remainder term (the paper's `mod`, §4.4, of which our text does not give the
//! form); and divergent tuples, of at most [`TUPLES`] alternatives, each for the threads that a
//! predicate has chosen.

use super::mask::Mask;

/// The most alternatives that a value has in a block.
pub(crate) const TUPLES: usize = 4;

/// base + offset x * threadIdx.x + offset y * threadIdx.y + offset z * threadIdx.z
/// + coefficient * (threadIdx.x mod 2^bits), modulo 2^64, or 2^32 for a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tuple {
    pub(crate) base: u64,
    pub(crate) offsets: [u64; 3],
    pub(crate) coefficient: u64,
    /// 0 if and only if the coefficient is.
    pub(crate) bits: u32,
}

impl Tuple {
    /// The same for all threads.
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
        (self.offsets == [0; 3] && self.bits == 0).then_some(self.base)
    }

    /// The value of a thread.
    pub(crate) fn at(&self, [x, y, z]: [u32; 3]) -> u64 {
        let term = |offset: u64, index: u32| offset.wrapping_mul(u64::from(index));
        let [ox, oy, oz] = self.offsets;
        self.base
            .wrapping_add(term(ox, x))
            .wrapping_add(term(oy, y))
            .wrapping_add(term(oz, z))
            .wrapping_add(term(self.coefficient, x & ((1 << self.bits) - 1)))
    }

    /// How much it grows with each thread along x, between multiples of the remainder's modulus.
    pub(crate) fn step(&self) -> u64 {
        self.offsets[0].wrapping_add(self.coefficient)
    }

    /// Component by component.
    fn map(&self, of: impl Fn(u64) -> u64) -> Tuple {
        let coefficient = of(self.coefficient);
        Tuple {
            base: of(self.base),
            offsets: self.offsets.map(&of),
            coefficient,
            bits: if coefficient == 0 { 0 } else { self.bits },
        }
    }

    /// Modulo 2^32.
    pub(crate) fn word(&self) -> Tuple {
        self.map(|part| part & 0xffff_ffff)
    }

    /// Base to base, offset to offset; nothing if both have a remainder term and they differ.
    pub(crate) fn plus(&self, other: &Tuple) -> Option<Tuple> {
        if self.bits != other.bits && self.bits != 0 && other.bits != 0 {
            return None;
        }
        let mut offsets = self.offsets;
        for (offset, other) in offsets.iter_mut().zip(other.offsets) {
            *offset = offset.wrapping_add(other);
        }
        let coefficient = self.coefficient.wrapping_add(other.coefficient);
        let bits = if coefficient == 0 { 0 } else { self.bits.max(other.bits) };
        Some(Tuple { base: self.base.wrapping_add(other.base), offsets, coefficient, bits })
    }

    /// By a scalar.
    pub(crate) fn times(&self, factor: u64) -> Tuple {
        self.map(|part| part.wrapping_mul(factor))
    }
}

/// The value of a register in a block: one tuple, or several, each for the threads of a mask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// What threads have that are in no mask.
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

    /// What regions make together; too many tuples are an error. Threads that are in none of the regions
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

/// A thread's index in its block and its value.
pub(crate) type Sample = ([u32; 3], u64);

/// The tuple that gives all of some threads their values, in the order of threads, if there is one. For
/// operations of whose results the compiler has proved that they are of this form.
pub(crate) fn fit(samples: &[Sample], wide: bool) -> Option<Tuple> {
    let width = samples.iter().map(|(index, _)| index[0]).max().unwrap_or(0);
    let remainders = (1..=15).take_while(|bits| 1 << bits <= width);
    std::iter::once(0).chain(remainders).find_map(|bits| fit_remainder(samples, wide, bits))
}

fn signed(value: u64, wide: bool) -> i64 {
    if wide { value as i64 } else { i64::from(value as u32 as i32) }
}

/// The same with a given remainder term; 0 bits for none.
fn fit_remainder(samples: &[Sample], wide: bool, bits: u32) -> Option<Tuple> {
    let &(start, value) = samples.first()?;
    let modulus = 1i64 << bits;
    let low = |x: u32| i64::from(x) & (modulus - 1);
    let differences = || {
        samples.windows(2).filter(|pair| pair[0].0[1..] == pair[1].0[1..]).map(|pair| {
            let [(a, va), (b, vb)] = [pair[0], pair[1]];
            let moved = low(b[0]) - low(a[0]);
            (i64::from(b[0]) - i64::from(a[0]), moved, signed(vb.wrapping_sub(va), wide))
        })
    };
    // Inside of a period both terms grow, over its end only one does.
    let step = differences().find(|(dx, moved, _)| dx == moved || bits == 0);
    let step = step.map_or(0, |(dx, _, dv)| dv.wrapping_div(dx));
    let over = differences().find(|(dx, moved, _)| dx != moved);
    let mut tuple = Tuple::default();
    match over {
        Some((dx, moved, dv)) if bits != 0 => {
            let offset = dv.wrapping_sub(step.wrapping_mul(moved)).wrapping_div(dx - moved);
            tuple.offsets[0] = offset as u64;
            tuple.coefficient = step.wrapping_sub(offset) as u64;
            tuple.bits = bits;
        }
        _ => tuple.offsets[0] = step as u64,
    }
    for axis in [1, 2] {
        let behind = |index: &[u32; 3]| index[axis + 1..] == start[axis + 1..];
        let other = samples.iter().find(|(index, _)| index[axis] != start[axis] && behind(index));
        if let Some(&(index, found)) = other {
            let known = tuple.at(index).wrapping_sub(tuple.at(start));
            let rest = signed(found.wrapping_sub(value).wrapping_sub(known), wide);
            let steps = i64::from(index[axis]) - i64::from(start[axis]);
            tuple.offsets[axis] = rest.wrapping_div(steps) as u64;
        }
    }
    tuple.base = value.wrapping_sub(tuple.at(start));
    let tuple = if wide { tuple } else { tuple.word() };
    let mask = if wide { u64::MAX } else { 0xffff_ffff };
    samples.iter().all(|&(index, value)| tuple.at(index) & mask == value & mask).then_some(tuple)
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

    fn some_tuple(numbers: &mut Numbers) -> Tuple {
        let mut part = || match numbers.next() % 4 {
            0 => 0,
            1 => numbers.next() % 9,
            2 => (numbers.next() % 9).wrapping_neg(),
            _ => numbers.next().wrapping_mul(numbers.next()),
        };
        let coefficient = part();
        Tuple {
            base: part(),
            offsets: [part(), part(), part()],
            coefficient,
            bits: if coefficient == 0 { 0 } else { 3 },
        }
    }

    #[test]
    fn arithmetic_is_that_of_each_thread() {
        let mut numbers = Numbers(7);
        for _ in 0..500 {
            let (a, b) = (some_tuple(&mut numbers), some_tuple(&mut numbers));
            let factor = numbers.next();
            for _ in 0..5 {
                let index = [0; 3].map(|_: u32| (numbers.next() % 40) as u32);
                let sum = a.plus(&b).expect("their remainders have one modulus");
                assert_eq!(sum.at(index), a.at(index).wrapping_add(b.at(index)));
                assert_eq!(a.times(factor).at(index), a.at(index).wrapping_mul(factor));
                assert_eq!(a.word().at(index) as u32, a.at(index) as u32);
            }
        }
        let other = Tuple { coefficient: 1, bits: 2, ..Tuple::default() };
        assert_eq!(other.plus(&Tuple { bits: 3, ..other }), None);
        assert_eq!(other.plus(&other.times(u64::MAX)), Some(Tuple::default()));
    }

    #[test]
    fn what_is_a_tuple_is_found_to_be_one() {
        let mut numbers = Numbers(11);
        for [x, y, z] in [[1, 1, 1], [5, 1, 1], [32, 1, 1], [20, 3, 1], [4, 4, 4], [1, 7, 2]] {
            for _ in 0..100 {
                let tuple = some_tuple(&mut numbers);
                for wide in [false, true] {
                    let threads = (0..x * y * z).map(|t| [t % x, t / x % y, t / x / y]);
                    let samples: Vec<Sample> =
                        threads.map(|index| (index, tuple.at(index))).collect();
                    // Differences of more than half the range are told apart from others only where
                    // neighbours show them.
                    let found = fit(&samples, wide).expect("it is a tuple");
                    for (index, value) in samples {
                        let got = found.at(index);
                        assert!(if wide { got == value } else { got as u32 == value as u32 });
                    }
                }
            }
        }
        let squares: Vec<Sample> = (0..8).map(|x| ([x, 0, 0], u64::from(x * x))).collect();
        assert_eq!(fit(&squares, true), None);
    }

    #[test]
    fn remainders_are_found() {
        for bits in 1..5 {
            let samples: Vec<Sample> =
                (0..64).map(|x| ([x, 0, 0], u64::from(x & !((1 << bits) - 1)))).collect();
            let minus = Tuple { offsets: [1, 0, 0], coefficient: u64::MAX, bits, base: 0 };
            assert_eq!(fit(&samples, true), Some(minus));
        }
    }
}

//! Quotients by constants of values that grow evenly along `threadIdx.x`, perhaps with steps of
//! another size at the end of a period: the same kind of value again, or none.
//!
//! With r and q the remainder and the quotient of x by the period, near·r + far·q + base is a
//! multiple of the divisor d and a rest, which has near, far and base between -d and d. If the rest
//! stays inside of [0, d), the quotient is the multiple alone. If far divides d, d = far·n, and
//! near·r + base stays inside of [0, far), the rest's quotient is that of q by n, which is that of
//! x by n periods; the same holds for -far, when base is just below d. In every other case a step
//! begins inside of a period, which no form can express.

use super::affine::{Coefficient, Form};

/// near·(x mod period) + far·(x div period) + base over the integers, for x from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Steps {
    pub near: i128,
    pub far: i128,
    pub period: u32,
    pub base: i128,
}

impl Steps {
    /// The contributions of `threadIdx.x` and the base to a form, if known.
    pub fn of(form: &Form) -> Option<Steps> {
        Some(Steps {
            near: form.near.constant()?.into(),
            far: form.terms[0].constant()?.into(),
            period: form.period,
            base: form.base.constant()?.into(),
        })
    }

    /// A form with these steps in place of those that [`Steps::of`] extracts.
    pub fn replace(&self, form: &Form) -> Form {
        let mut form = *form;
        form.near = Coefficient::Constant(self.near as i64);
        form.terms[0] = Coefficient::Constant(self.far as i64);
        form.period = self.period;
        form.base.constant = self.base as i64;
        form.reduced()
    }

    /// The quotient by a positive number, rounded down, for x below `threads`.
    pub fn quotient(&self, by: i128, threads: u32) -> Option<Steps> {
        let rests = |part: i128| [part.rem_euclid(by), part.rem_euclid(by) - by];
        let pairs = rests(self.near).into_iter().flat_map(|near| {
            let pair = move |far| (near, far);
            rests(self.far).map(pair)
        });
        pairs.into_iter().find_map(|(near, far)| self.without(near, far, by, threads))
    }

    /// The quotient if `near` and `far` are the rests.
    fn without(&self, near: i128, far: i128, by: i128, threads: u32) -> Option<Steps> {
        let step = if far == 0 { by } else { far.abs() };
        let below = if far < 0 { by - step } else { 0 };
        let (first, last) = (self.base.rem_euclid(by) - below, near * i128::from(self.period - 1));
        if by % step != 0 || first + last.min(0) < 0 || first + last.max(0) >= step {
            return None;
        }
        let multiple = Steps {
            near: (self.near - near) / by,
            far: (self.far - far) / by,
            period: self.period,
            base: self.base.div_euclid(by),
        };
        let period = u32::try_from(i128::from(self.period) * (by / step)).ok();
        match period.filter(|&period| period < threads) {
            Some(period) => multiple.and_steps(far.signum(), period),
            None => Some(multiple),
        }
    }

    /// The steps with `step` more at the end of each period of length `period`.
    fn and_steps(self, step: i128, period: u32) -> Option<Steps> {
        if step == 0 {
            return Some(self);
        }
        let slope = match self.period {
            1 => self.far,
            mine => (self.far == self.near * i128::from(mine)).then_some(self.near)?,
        };
        Some(Steps { near: slope, far: slope * i128::from(period) + step, period, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::random::Random;

    fn at(steps: &Steps, x: i128) -> i128 {
        let period = i128::from(steps.period);
        steps.near * (x % period) + steps.far * (x / period) + steps.base
    }

    #[test]
    fn quotients_are_those_of_each_thread() {
        let mut random = Random(5);
        let (mut found, mut with_period) = (0, 0);
        for _ in 0..20_000 {
            let mut part = || match random.below(4) {
                0 => 0,
                1 => [1, 2, 4, 8, 16][random.below(5)],
                _ => random.below(60) as i128 - 30,
            };
            let (near, far, base, by) = (part(), part(), part(), 1 + part().abs());
            let period = [1, 1, 2, 4, 5, 10, 16][random.below(7)];
            let near = if period == 1 { 0 } else { near };
            let steps = Steps { near, far, period, base };
            let threads = 1 + random.below(90) as u32;
            if let Some(quotient) = steps.quotient(by, threads) {
                found += 1;
                with_period += u32::from(quotient.period > 1 && by > 1);
                for x in 0..i128::from(threads) {
                    let expected = at(&steps, x).div_euclid(by);
                    assert_eq!(at(&quotient, x), expected, "{steps:?} / {by} at {x}");
                }
            }
        }
        assert!(found > 5000 && with_period > 1000, "{found} {with_period}");
    }

    #[test]
    fn what_can_be_divided() {
        let x = Steps { near: 0, far: 1, period: 1, base: 0 };
        let quotient = |steps: Steps, by: i128| steps.quotient(by, 1024);
        let tenth = Steps { near: 0, far: 1, period: 10, base: 0 };
        assert_eq!(quotient(x, 10), Some(tenth));
        assert_eq!(quotient(tenth, 3), Some(Steps { period: 30, ..tenth }));
        // 2x / 8 is x / 4, and 5x / 4 is x + x / 4.
        assert_eq!(quotient(Steps { far: 2, ..x }, 8), Some(Steps { period: 4, ..tenth }));
        let five = Steps { near: 1, far: 5, period: 4, base: 0 };
        assert_eq!(quotient(Steps { far: 5, ..x }, 4), Some(five));
        // (63 - x) / 16 is 3 - x / 16.
        let back = Steps { near: 0, far: -1, period: 16, base: 3 };
        assert_eq!(quotient(Steps { far: -1, base: 63, ..x }, 16), Some(back));
        // (x + 1) / 4 has its steps inside of periods, 3x / 4 at no even distance.
        assert_eq!(quotient(Steps { base: 1, ..x }, 4), None);
        assert_eq!(quotient(Steps { far: 3, ..x }, 4), None);
        // Longer periods than there are threads do not end.
        assert_eq!(x.quotient(64, 64), Some(Steps { far: 0, ..x }));
    }
}

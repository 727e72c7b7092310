//! A number that is tuned while a kernel runs: it climbs, a step per period, in the direction in
//! which the last step has not made things worse. It serves sources that tune something
//! "dynamically" without describing the method.

use std::ops::RangeInclusive;

/// A number that is tuned.
#[derive(Clone, Debug)]
pub(super) struct Climb {
    value: u32,
    step: u32,
    range: RangeInclusive<u32>,
    rises: bool,
    /// Accesses of a period; 0 if the number stays.
    period: u32,
    /// The accesses of the current period, and their score.
    accesses: u32,
    score: i64,
    /// The score of the period before, if there was one.
    before: Option<i64>,
}

impl Climb {
    /// From a value on, upwards first, by `step` per step, within a range; a period has `period`
    /// accesses.
    pub(super) fn new(value: u32, step: u32, range: RangeInclusive<u32>, period: u32) -> Climb {
        Climb { value, step, range, rises: true, period, accesses: 0, score: 0, before: None }
    }

    /// The current number.
    pub(super) fn value(&self) -> u32 {
        self.value
    }

    /// Something is better, or worse, than it might be.
    pub(super) fn score(&mut self, points: i64) {
        self.score += points;
    }

    /// Another access.
    pub(super) fn accessed(&mut self) {
        self.accesses += 1;
        if self.period == 0 || self.accesses < self.period {
            return;
        }
        if self.before.is_some_and(|before| self.score < before) {
            self.rises = !self.rises;
        }
        self.value = match self.rises {
            true => self.value.saturating_add(self.step).min(*self.range.end()),
            false => self.value.saturating_sub(self.step).max(*self.range.start()),
        };
        (self.before, self.accesses, self.score) = (Some(self.score), 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_climbs_while_the_score_does_not_fall() {
        let mut climb = Climb::new(10, 5, 0..=20, 4);
        let mut values = Vec::new();
        for score in [2, 2, 3, 2, 1, 1, 0, 1] {
            climb.score(score);
            (0..4).for_each(|_| climb.accessed());
            values.push(climb.value());
        }
        // 2 twice and 3: it rises to the end of its range; 2: it turns, 1: it turns again, 1:
        // continues, 0: turns, 1: continues.
        assert_eq!(values, [15, 20, 20, 15, 20, 20, 15, 10]);
    }

    #[test]
    fn without_a_period_it_stays() {
        let mut climb = Climb::new(3, 1, 0..=8, 0);
        (0..100).for_each(|_| climb.accessed());
        assert_eq!(climb.value(), 3);
    }
}

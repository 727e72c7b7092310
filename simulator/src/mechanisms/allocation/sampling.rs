//! Choosing a setting of the L1 caches at run time: SMs try different choices, and all use the
//! best.
//!
//! Source: Rhu's dissertation, §6.2.4 ("each GPU core tries out a different number of tokens and the global predictor
//! examines which token configuration best suits application needs"), after Lee and Kim, "TAP: a TLP-aware cache
//! management policy for a CPU-GPU heterogeneous architecture", HPCA 2012. Neither length nor measure is in the source:
//! a choice is measured by the instructions that an SM issues while it tries it, on average over the SMs that do.

/// The sampling of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// The number of choices, at least 1.
    pub choices: usize,
    /// Cycles for which an SM tries one, at least 1.
    pub sample: u64,
    /// Cycles from the beginning of one trial of all to that of the next, or as long as the trial takes.
    pub period: u64,
}

/// The result of one choice in the current trial.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    /// Instructions, and SMs that issued them.
    issued: u64,
    trials: u64,
}

/// Decides between epochs which choice each SM uses.
pub(crate) struct Sampler {
    sampling: Sampling,
    sms: usize,
    /// The present trial.
    scores: Vec<Score>,
    /// The round of the trial, in which each SM tries one choice; none while the best is used.
    round: Option<usize>,
    /// The start of the trial, and the end of the current round, or of the use of the best.
    began: u64,
    next: u64,
}

impl Sampler {
    /// A sampler for `sms` SMs; the first round begins in cycle 0.
    pub(crate) fn new(sampling: Sampling, sms: usize) -> Sampler {
        let scores = vec![Score::default(); sampling.choices];
        Sampler { sampling, sms, scores, round: Some(0), began: 0, next: sampling.sample }
    }

    /// An SM has issued this many instructions since the last call.
    pub(crate) fn issued(&mut self, sm: usize, instructions: u64) {
        if let Some(round) = self.round {
            let choice = self.tries(round, sm);
            self.scores[choice].issued += instructions;
        }
    }

    /// The choice that an SM tries in a round.
    fn tries(&self, round: usize, sm: usize) -> usize {
        (round * self.sms + sm) % self.sampling.choices
    }

    /// The best of the current trial; the first of equals.
    fn best(&self) -> usize {
        let mut best = 0;
        for (choice, score) in self.scores.iter().enumerate() {
            let other = self.scores[best];
            let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
            if product(score.issued, other.trials) > product(other.issued, score.trials) {
                best = choice;
            }
        }
        best
    }

    /// The choices for SMs from cycle `now` on, by SM, if they have changed; called at least once
    /// for each cycle in which an SM issues something.
    pub(crate) fn advance(&mut self, now: u64) -> Option<Vec<usize>> {
        let mut changed = None;
        if now == 0 {
            changed = Some((0..self.sms).map(|sm| self.tries(0, sm)).collect());
        }
        while self.next <= now {
            changed = Some(self.turn());
        }
        changed
    }

    /// The current round, or the use of the best, has ended. Returns the choices that SMs use next.
    fn turn(&mut self) -> Vec<usize> {
        let rounds = self.sampling.choices.div_ceil(self.sms);
        if let Some(round) = self.round {
            for sm in 0..self.sms {
                let choice = self.tries(round, sm);
                self.scores[choice].trials += 1;
            }
        }
        let round = match self.round {
            Some(round) if round + 1 < rounds => round + 1,
            Some(_) if self.next < self.began + self.sampling.period => {
                self.round = None;
                self.next = self.began + self.sampling.period;
                return vec![self.best(); self.sms];
            }
            _ => 0,
        };
        if round == 0 {
            self.scores.fill(Score::default());
            self.began = self.next;
        }
        self.round = Some(round);
        self.next += self.sampling.sample;
        (0..self.sms).map(|sm| self.tries(round, sm)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sm_tries_another_choice_and_the_best_is_used() {
        let sampling = Sampling { choices: 3, sample: 100, period: 1000 };
        let mut sampler = Sampler::new(sampling, 4);
        assert_eq!(sampler.advance(0), Some(vec![0, 1, 2, 0]));
        assert_eq!(sampler.advance(60), None);
        // Two SMs try choice 0, with 50 on average; choice 2 has 55.
        for (sm, instructions) in [(0, 70), (3, 30), (1, 40), (2, 55)] {
            sampler.issued(sm, instructions);
        }
        assert_eq!(sampler.advance(120), Some(vec![2; 4]));
        // While it is used nothing is measured; the next trial begins in 1000.
        sampler.issued(0, 1_000_000);
        assert_eq!(sampler.advance(960), None);
        assert_eq!(sampler.advance(1000), Some(vec![0, 1, 2, 0]));
        sampler.issued(1, 1);
        assert_eq!(sampler.advance(1110), Some(vec![1; 4]));
    }

    #[test]
    fn one_sm_tries_all_choices_in_rounds() {
        let mut sampler = Sampler::new(Sampling { choices: 3, sample: 10, period: 35 }, 1);
        let mut used = Vec::new();
        for now in (0..70).step_by(5) {
            if let Some(choices) = sampler.advance(now) {
                used.push((now, choices[0]));
            }
            sampler.issued(0, [1, 9, 3][used.last().map_or(0, |last| last.1)]);
        }
        let expected = [(0, 0), (10, 1), (20, 2), (30, 1), (35, 0), (45, 1), (55, 2), (65, 1)];
        assert_eq!(used, expected);
    }

    #[test]
    fn a_stretch_without_events_changes_nothing() {
        let sampling = Sampling { choices: 2, sample: 10, period: 30 };
        let (mut each, mut once) = (Sampler::new(sampling, 2), Sampler::new(sampling, 2));
        let mut last = None;
        for now in 0..=1234 {
            last = each.advance(now).or(last);
        }
        assert_eq!(once.advance(0), Some(vec![0, 1]));
        assert_eq!(once.advance(1234), last);
    }

    #[test]
    fn a_trial_may_take_all_of_the_time() {
        let mut sampler = Sampler::new(Sampling { choices: 2, sample: 10, period: 5 }, 1);
        let used: Vec<_> = (0..4).map(|round| sampler.advance(10 * round)).collect();
        let expected = [0, 1, 0, 1].map(|choice| Some(vec![choice]));
        assert_eq!(used, expected);
    }
}

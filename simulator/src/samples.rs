//! Samples: what was counted in each stretch of so many cycles of a launch.
//!
//! Parts of the machine (SMs, memory partitions) run by themselves for an epoch and sleep when nothing can happen, so
//! each reads its own counters at every boundary, before the first cycle from there on in which it does something:
//! until then nothing but the time changes, and the counters of time that passes are closed at the boundary itself.
//! So samples are exact, the same with any number of threads, and nothing is stepped for their sake. What parts
//! have read is added up after each epoch.

use crate::statistics::Statistics;

/// No cycle.
const NEVER: u64 = u64::MAX;

/// How a launch is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Cycles from one sample to the next, at least 1.
    pub every: u64,
    /// The most samples, at least 1; the last one then holds all the rest.
    pub most: u64,
}

/// What was counted since the sample before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Cycles from the start of the launch: the sample is of those before, from the last sample on.
    pub cycle: u64,
    /// The change of every counter; of one that is a maximum, by how much that has grown.
    pub change: Statistics,
}

/// The boundaries that one part has still to read its counters at, and what it has read.
#[derive(Debug)]
pub(crate) struct Meter {
    every: u64,
    /// The next boundary, [`NEVER`] if there is none.
    next: u64,
    /// Boundaries after that one.
    left: u64,
    /// What was read and not yet taken.
    read: Vec<Statistics>,
    /// Which boundary the first of these is of.
    first: usize,
}

impl Meter {
    /// At every boundary but the end, which is not known; at none without sampling.
    pub(crate) fn new(sampling: Option<Sampling>) -> Meter {
        let every = sampling.map_or(NEVER, |sampling| sampling.every.max(1));
        let boundaries = sampling.map_or(0, |sampling| sampling.most.saturating_sub(1));
        let next = if boundaries == 0 { NEVER } else { every };
        Meter { every, next, left: boundaries.saturating_sub(1), read: Vec::new(), first: 0 }
    }

    /// The next boundary, if it is not after a cycle.
    #[inline]
    pub(crate) fn due(&self, cycle: u64) -> Option<u64> {
        (self.next <= cycle && self.next != NEVER).then_some(self.next)
    }

    /// The counters at the boundary that was due.
    #[cold]
    pub(crate) fn read(&mut self, statistics: Statistics) {
        self.read.push(statistics);
        self.next = if self.left == 0 { NEVER } else { self.next.saturating_add(self.every) };
        self.left = self.left.saturating_sub(1);
    }
}

/// What all parts have read, added up.
#[derive(Debug)]
pub(crate) struct Samples {
    every: u64,
    /// By boundary.
    total: Vec<Statistics>,
}

impl Samples {
    pub(crate) fn new(sampling: Sampling) -> Samples {
        Samples { every: sampling.every.max(1), total: Vec::new() }
    }

    /// Takes what a part has read.
    #[inline]
    pub(crate) fn take(&mut self, meter: &mut Meter) {
        if !meter.read.is_empty() {
            self.add(meter);
        }
    }

    #[cold]
    fn add(&mut self, meter: &mut Meter) {
        for statistics in meter.read.drain(..) {
            if self.total.len() <= meter.first {
                self.total.resize(meter.first + 1, Statistics::default());
            }
            self.total[meter.first].merge(&statistics);
            meter.first += 1;
        }
    }

    /// The samples of a run of so many cycles, at whose end the counters are `end`. `start` is what all boundaries have
    /// in common.
    pub(crate) fn finish(self, start: &Statistics, cycles: u64, end: &Statistics) -> Vec<Sample> {
        let boundaries = (1..).map(|number: u64| number.saturating_mul(self.every));
        let read = boundaries.zip(self.total).take_while(|(cycle, _)| *cycle < cycles);
        let read = read.map(|(cycle, mut statistics)| {
            statistics.merge(start);
            statistics.cycles = cycle;
            (cycle, statistics)
        });
        let mut before = Statistics::default();
        let all = read.chain(std::iter::once((cycles, end.clone())));
        all.map(|(cycle, statistics)| {
            let change = statistics.since(&before);
            before = statistics;
            Sample { cycle, change }
        })
        .collect()
    }
}

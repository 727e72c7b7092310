//! Samples: the counts of each stretch of a fixed number of cycles of a launch.
//!
//! Parts of the machine (SMs, memory partitions) run by themselves for an epoch and sleep when
//! nothing can happen. So each part reads its own counters at every boundary, before its first
//! cycle with an action from there on: until then only time changes, and the counters of time are
//! closed at the boundary itself. So samples are exact and the same with any number of threads, and
//! nothing is stepped for their sake. After each epoch the parts' readings are added up.

use crate::observe::statistics::Statistics;
use std::collections::BTreeMap;

/// No cycle.
const NEVER: u64 = u64::MAX;

/// The sampling of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Cycles from one sample to the next, at least 1.
    pub every: u64,
    /// The most samples, at least 1.
    pub most: u64,
    /// If there would be more, every other boundary is dropped and the distance doubles, as often
    /// as it takes; otherwise the last sample holds all the rest.
    pub coarsens: bool,
}

/// The counters since the sample before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Cycles from the start of the launch: the sample is of those before, from the last sample on.
    pub cycle: u64,
    /// The change of every counter; of one that is a maximum, by how much that has grown.
    pub change: Statistics,
}

/// The boundaries at which one part has still to read its counters, and its readings.
#[derive(Debug)]
pub(crate) struct Meter {
    every: u64,
    /// The next boundary, [`NEVER`] if there is none.
    next: u64,
    /// Boundaries after that one.
    left: u64,
    /// The counters that were read and not yet taken, with the boundaries.
    read: Vec<(u64, Statistics)>,
}

impl Meter {
    /// At every boundary but the end, which is not known; at none without sampling.
    pub(crate) fn new(sampling: Option<Sampling>) -> Meter {
        let every = sampling.map_or(NEVER, |sampling| sampling.every.max(1));
        let boundaries = sampling.map_or(0, |sampling| match sampling.coarsens {
            true => u64::MAX,
            false => sampling.most.saturating_sub(1),
        });
        let next = if boundaries == 0 { NEVER } else { every };
        Meter { every, next, left: boundaries.saturating_sub(1), read: Vec::new() }
    }

    /// Continues with a distance that is a multiple of the one before; the readings have been
    /// taken.
    fn coarsen(&mut self, every: u64) {
        self.every = every;
        if self.next != NEVER {
            self.next = self.next.checked_next_multiple_of(every).unwrap_or(NEVER);
        }
    }

    /// The next boundary, if it is not after a cycle.
    #[inline]
    pub(crate) fn due(&self, cycle: u64) -> Option<u64> {
        (self.next <= cycle && self.next != NEVER).then_some(self.next)
    }

    /// The counters at the boundary that was due.
    #[cold]
    pub(crate) fn read(&mut self, statistics: Statistics) {
        self.read.push((self.next, statistics));
        self.next = if self.left == 0 { NEVER } else { self.next.saturating_add(self.every) };
        self.left = self.left.saturating_sub(1);
    }
}

/// The sum of the counters of all parts.
#[derive(Debug)]
pub(crate) struct Samples {
    sampling: Sampling,
    /// By boundary.
    total: BTreeMap<u64, Statistics>,
}

impl Samples {
    pub(crate) fn new(sampling: Sampling) -> Samples {
        let sampling = Sampling { every: sampling.every.max(1), ..sampling };
        Samples { sampling, total: BTreeMap::new() }
    }

    /// Takes the readings of parts.
    #[inline]
    pub(crate) fn take<'m>(&mut self, meters: impl Iterator<Item = &'m mut Meter>) {
        for meter in meters {
            if !meter.read.is_empty() {
                self.add(meter);
            }
        }
    }

    #[cold]
    fn add(&mut self, meter: &mut Meter) {
        for (boundary, statistics) in meter.read.drain(..) {
            // A part may have read some of the dropped ones.
            if boundary.is_multiple_of(self.sampling.every) {
                self.total.entry(boundary).or_default().merge(&statistics);
            }
        }
    }

    /// Returns true if there are too many boundaries, the end being one more.
    pub(crate) fn is_full(&self) -> bool {
        self.sampling.coarsens && self.total.len() as u64 >= self.sampling.most.max(2)
    }

    /// Drops every other boundary, and notifies the parts, whose readings have all been taken.
    pub(crate) fn coarsen<'m>(&mut self, meters: impl Iterator<Item = &'m mut Meter>) {
        let Some(every) = self.sampling.every.checked_mul(2) else {
            return;
        };
        self.sampling.every = every;
        self.total.retain(|boundary, _| boundary.is_multiple_of(every));
        meters.for_each(|meter| meter.coarsen(every));
    }

    /// The samples of a run of `cycles` cycles, with the counters `end` at its end. `start` has the
    /// common properties of all boundaries.
    pub(crate) fn finish(self, start: &Statistics, cycles: u64, end: &Statistics) -> Vec<Sample> {
        let read = self.total.into_iter().take_while(|(cycle, _)| *cycle < cycles);
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

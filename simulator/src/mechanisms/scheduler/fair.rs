//! `fair`: the ready warp that has issued the fewest instructions.
//!
//! Source: Aamodt, Fung, Rogers, §5.1.2 (of Lakshminarayana and Kim: a policy by which warps progress equally). Instructions are
//! counted from the arrival of the warp's block on, all paths of a warp together; among equal ones the oldest warp is
//! first. A new block's warps begin at zero, and so go first until they have caught up: the source has one block at a
//! time to compare.

use super::slot::{Build, CandidateSet, Event, EventSet, Scheduler, View, first_by};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "fair",
    sentence: "a path of the warp that has issued the fewest instructions",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(Fair::default()))
    },
};

#[derive(Default)]
struct Fair {
    /// By candidate: when its block arrived, and how many instructions its warp has issued since.
    progress: Vec<(u64, u64)>,
}

impl Scheduler for Fair {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        self.progress.resize(view.ages.len(), (0, 0));
        for (known, &age) in
            self.progress.iter_mut().zip(view.ages).filter(|(known, age)| known.0 != **age)
        {
            *known = (age, 0);
        }
        first_by(ready, |candidate| (self.progress[candidate].1, view.ages[candidate]))
    }

    fn events(&self) -> EventSet {
        EventSet::ISSUED
    }

    fn on_event(&mut self, event: &Event) {
        if let Event::Issued { candidate, .. } = *event {
            // The paths of one warp have one age.
            let (age, _) = self.progress[candidate];
            let paths = self.progress.iter_mut().filter(|(of, _)| *of == age);
            paths.for_each(|(_, issued)| *issued += 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_goes_first() {
        // Candidates 0 and 1 are paths of one warp.
        let mut ages = [5, 5, 6];
        let mut scheduler = Fair::default();
        let mut run = |ready, ages: &[u64]| {
            let picked = scheduler.pick(ready, &View::of(ages, 0));
            picked.inspect(|&candidate| scheduler.on_event(&Event::issued(candidate)))
        };
        let picks = [0b111, 0b111, 0b110, 0b110, 0b011, 0b111].map(|ready| run(ready, &ages));
        assert_eq!(picks.map(Option::unwrap), [0, 2, 1, 2, 0, 2]);
        // Another block's warp takes the place, and has issued nothing.
        ages[2] = 1 << 16;
        assert_eq!([(); 3].map(|()| run(0b111, &ages)), [Some(2); 3]);
        assert_eq!(run(0b111, &ages), Some(0));
    }
}

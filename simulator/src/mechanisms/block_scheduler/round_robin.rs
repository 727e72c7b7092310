//! `round-robin`: the SMs that have room take blocks in turn.
//!
//! Source: Aamodt, Fung, Rogers, §3.3 and §5.1.1; the turn continues from the SM after the one that
//! took a block last.

use super::slot::{BlockScheduler, Build, SmRoom};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "round-robin",
    sentence: "gives blocks to the SMs that have room, in turn",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table, _| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(RoundRobin { next: 0 }))
    },
};

struct RoundRobin {
    /// The SM that is offered a block first.
    next: usize,
}

impl BlockScheduler for RoundRobin {
    fn pick(&mut self, _block: u64, _cycle: u64, sms: &[SmRoom]) -> Option<usize> {
        let can = |&sm: &usize| sms[sm].free != 0 && !sms[sm].taken;
        let picked = (self.next..sms.len()).chain(0..self.next).find(can)?;
        self.next = (picked + 1) % sms.len();
        Some(picked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_turn_by_room() {
        let mut scheduler = RoundRobin { next: 0 };
        let mut sms = [2, 0, 1].map(|free| SmRoom { free, ..SmRoom::default() });
        let mut given = Vec::new();
        for cycle in 0..3 {
            sms.iter_mut().for_each(|sm| sm.taken = false);
            while let Some(sm) = scheduler.pick(0, cycle, &sms) {
                (sms[sm].free, sms[sm].taken) = (sms[sm].free - 1, true);
                given.push((cycle, sm));
            }
        }
        assert_eq!(given, [(0, 0), (0, 2), (1, 0)]);
    }
}

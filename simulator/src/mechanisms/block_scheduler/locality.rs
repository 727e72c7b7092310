//! `locality`: some consecutive blocks go to one SM, then the next ones to the next SM.
//!
//! Source: Aamodt, Fung, Rogers, §5.1.1 and §5.1.2 (of consecutive thread blocks, which often
//! access the same lines and DRAM rows). The sources leave the size of a group open: an option. An
//! SM with fewer places than a group gets a block for each place. SMs take turns; a group waits for
//! an SM with room for all of it, and its blocks for the next cycles of that SM.

use super::slot::{BlockScheduler, Build, SmRoom};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "locality",
    sentence: "gives groups of consecutive blocks to one SM each, in turn",
    options: &[("group", "consecutive blocks that go to one SM, 1 to 1024; default 2")],
    trials: &[&[("locality.group", "3")], &[("locality.group", "64"), ("sm.blocks", "1")]],
    statistics: &[],
    build: &|table, _| {
        let Options { group } = options(table)?;
        check_range("group", group, 1..=1024)?;
        Ok(Box::new(Locality { group: group.into(), next: 0, current: 0, left: 0 }))
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    group: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { group: 2 }
    }
}

struct Locality {
    group: u64,
    /// The SM that is offered a group first.
    next: usize,
    /// The SM of the current group, and the number of its blocks still to be placed.
    current: usize,
    left: u64,
}

impl BlockScheduler for Locality {
    fn pick(&mut self, _block: u64, _cycle: u64, sms: &[SmRoom]) -> Option<usize> {
        let can = |sm: usize| sms[sm].free != 0 && !sms[sm].taken;
        if self.left != 0 {
            let picked = can(self.current).then_some(self.current);
            self.left -= u64::from(picked.is_some());
            return picked;
        }
        let size = |sm: usize| self.group.min(sms[sm].resident + sms[sm].free);
        let whole = |&sm: &usize| can(sm) && sms[sm].free >= size(sm);
        let picked = (self.next..sms.len()).chain(0..self.next).find(whole)?;
        (self.next, self.current, self.left) = ((picked + 1) % sms.len(), picked, size(picked) - 1);
        Some(picked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_an_sm() {
        let mut scheduler = Locality { group: 2, next: 0, current: 0, left: 0 };
        // The last SM has one place in all; the second one has one that is taken.
        let mut sms = [(0, 4), (1, 1), (0, 1)].map(|(resident, free)| SmRoom {
            resident,
            free,
            ..SmRoom::default()
        });
        let mut given = Vec::new();
        for cycle in 0..4 {
            sms.iter_mut().for_each(|sm| sm.taken = false);
            while let Some(sm) = scheduler.pick(given.len() as u64, cycle, &sms) {
                let room = &mut sms[sm];
                (room.resident, room.free, room.taken) = (room.resident + 1, room.free - 1, true);
                given.push((cycle, sm));
            }
        }
        // Blocks 0 and 1 to the first one; 2 to the last one, which has room for one; 3 and 4 to the first one again,
        // since the second one has no room for two.
        assert_eq!(given, [(0, 0), (1, 0), (1, 2), (2, 0), (3, 0)]);
    }
}

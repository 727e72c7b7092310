//! `two-level`: round robin among some paths, and among the others only when these cannot continue.
//!
//! Several schemes have the name. *Fetch groups* (Narasiman et al., "Improving GPU Performance via
//! Large Warps and Two-Level Warp Scheduling"; Aamodt, Fung, Rogers, §5.1.2): round robin within a
//! group until none of it is ready, then the next group; a group is the warps of a block, as in
//! Rhu, Table 4.1. *Prefetch-aware* (§5.1.2, after Jog et al., "Orchestrated scheduling and
//! prefetching for GPGPUs"): the same with groups of warps that are not consecutive, so that
//! another group needs the lines after a group's accesses later. *Block-aware* (§5.1.2, after Jog
//! et al., "OWL: cooperative thread array aware scheduling techniques for improving GPGPU
//! performance"): a group is some blocks, and the group of the oldest goes first whenever one of
//! its warps is ready, so that few warps share the cache. *Active pool* (Gebhart et al.,
//! "Energy-Efficient Mechanisms for Managing Thread Context in Throughput Processors"; §3.6.1):
//! only a limited number of paths is active; one that waits for memory, at a barrier, or has ended
//! gives its place to the next ready one.
//!
//! Decisions where the text is open: the number of prefetch-aware groups, and that path slot *i* of
//! a scheduler belongs to group *i* modulo that number. Blocks join groups in the order of their
//! arrival at the SM. In the text consecutive blocks on different SMs access the same DRAM bank, so
//! SMs should begin with different blocks; that is a matter of the slot `block-scheduler`.

use super::slot::{
    Build, CandidateSet, Event, EventSet, MAX_CANDIDATES, Scheduler, members, oldest,
};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "two-level",
    sentence: "round robin within a group of paths, and to the next group when none of its paths is ready",
    options: &[
        (
            "variant",
            "`fetch-groups` (a group is a block's warps; default), `prefetch-aware`, `block-aware` or `active-pool`",
        ),
        ("pool", "paths in a scheduler's active pool, 1 to 128; default 8"),
        ("groups", "groups of `prefetch-aware`, 1 to 64; default 4"),
        ("blocks", "blocks of a group of `block-aware`, 1 to 64; default 1"),
    ],
    trials: &[
        &[("two-level.variant", "active-pool"), ("two-level.pool", "2")],
        &[("two-level.variant", "prefetch-aware")],
        &[("two-level.variant", "block-aware")],
        &[("two-level.variant", "block-aware"), ("two-level.blocks", "2")],
    ],
    build: |table| {
        let settings: Settings = options(table)?;
        let bounds = [
            ("pool", settings.pool, MAX_CANDIDATES as u32),
            ("groups", settings.groups, 64),
            ("blocks", settings.blocks, 64),
        ];
        for (key, value, most) in bounds {
            check_range(key, value, 1..=most)?;
        }
        let fetch_groups =
            |grouping| Box::new(FetchGroups { grouping, group: 0, next: 0 }) as Box<dyn Scheduler>;
        Ok(match settings.variant {
            Variant::FetchGroups => fetch_groups(Grouping::Block),
            Variant::PrefetchAware => fetch_groups(Grouping::Apart(settings.groups as usize)),
            Variant::BlockAware => fetch_groups(Grouping::Blocks(u64::from(settings.blocks))),
            Variant::ActivePool => {
                Box::new(ActivePool { size: settings.pool, active: 0, next: 0, next_in: 0 })
            }
        })
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Settings {
    variant: Variant,
    pool: u32,
    groups: u32,
    blocks: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { variant: Variant::FetchGroups, pool: 8, groups: 4, blocks: 1 }
    }
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Variant {
    FetchGroups,
    PrefetchAware,
    BlockAware,
    ActivePool,
}

/// The first of some candidates from one on, round and round.
fn next_of(set: CandidateSet, from: usize) -> Option<usize> {
    let rotated = set.rotate_right(from as u32);
    (set != 0).then(|| (rotated.trailing_zeros() as usize + from) % MAX_CANDIDATES)
}

/// The rule that assigns candidates to groups.
#[derive(Clone, Copy)]
enum Grouping {
    /// The warps of a block.
    Block,
    /// So many groups, of which neighbours belong to different ones.
    Apart(usize),
    /// The warps of this many blocks; the oldest go first.
    Blocks(u64),
}

impl Grouping {
    /// The number of a candidate's group. Ages are the block's arrival, then 16 bits of the warp's number.
    fn of(self, candidate: usize, ages: &[u64]) -> u64 {
        match self {
            Grouping::Block => ages[candidate] >> 16,
            Grouping::Apart(groups) => (candidate % groups) as u64,
            Grouping::Blocks(blocks) => (ages[candidate] >> 16) / blocks,
        }
    }
}

struct FetchGroups {
    grouping: Grouping,
    /// The group whose turn it is.
    group: u64,
    next: usize,
}

impl FetchGroups {
    /// The next candidate of the group, or of the next group that has one.
    fn choose(&mut self, ready: CandidateSet, ages: &[u64]) -> Option<usize> {
        if matches!(self.grouping, Grouping::Blocks(_)) {
            self.group = self.grouping.of(oldest(ready, ages)?, ages);
        }
        let mut of_group = 0;
        let mut other: Option<u64> = None;
        for candidate in members(ready) {
            let group = self.grouping.of(candidate, ages);
            if group == self.group {
                of_group |= 1 << candidate;
            }
            // The next in order; the first follows the last.
            let distance = |group: u64| (group < self.group, group);
            if other.is_none_or(|best| distance(group) < distance(best)) && group != self.group {
                other = Some(group);
            }
        }
        if of_group == 0 {
            self.group = other?;
            return self.choose(ready, ages);
        }
        next_of(of_group, self.next)
    }
}

impl Scheduler for FetchGroups {
    fn pick(&mut self, ready: CandidateSet, ages: &[u64], _now: u64) -> Option<usize> {
        self.choose(ready, ages)
    }

    fn events(&self) -> EventSet {
        EventSet::ISSUED
    }

    fn on_event(&mut self, event: &Event) {
        if let Event::Issued { candidate } = *event {
            self.next = (candidate + 1) % MAX_CANDIDATES;
        }
    }
}

struct ActivePool {
    size: u32,
    active: CandidateSet,
    /// From here on the next active candidate is looked for, and the next to become active.
    next: usize,
    next_in: usize,
}

impl Scheduler for ActivePool {
    fn pick(&mut self, ready: CandidateSet, _ages: &[u64], _now: u64) -> Option<usize> {
        while self.active.count_ones() < self.size
            && let Some(candidate) = next_of(ready & !self.active, self.next_in)
        {
            self.active |= 1 << candidate;
            self.next_in = (candidate + 1) % MAX_CANDIDATES;
        }
        next_of(ready & self.active, self.next)
    }

    fn pool(&self) -> Option<CandidateSet> {
        Some(self.active)
    }

    fn events(&self) -> EventSet {
        EventSet::ISSUED.and(EventSet::LEFT)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::Issued { candidate } => self.next = (candidate + 1) % MAX_CANDIDATES,
            Event::Left { candidate } => self.active &= !(1 << candidate),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn age(block: u64, warp: u64) -> u64 {
        block << 16 | warp
    }

    #[test]
    fn groups_take_turns() {
        let ages = [age(1, 0), age(1, 1), age(2, 0), age(2, 1)];
        let mut scheduler = FetchGroups { grouping: Grouping::Block, group: 0, next: 0 };
        let mut run = |ready| {
            let picked = scheduler.pick(ready, &ages, 0);
            picked.inspect(|&candidate| scheduler.on_event(&Event::Issued { candidate }))
        };
        // Block 1 goes round alone while one of it is ready, then block 2, then block 1 again.
        let picks = [0b1111, 0b1111, 0b1111, 0b1110, 0b1100, 0b1111, 0b1011, 0b0011].map(&mut run);
        assert_eq!(picks.map(Option::unwrap), [0, 1, 0, 1, 2, 3, 3, 0]);
        assert_eq!(run(0), None);
    }

    #[test]
    fn neighbours_are_in_different_groups() {
        let mut scheduler = FetchGroups { grouping: Grouping::Apart(2), group: 0, next: 0 };
        let mut run = |ready| {
            let picked = scheduler.pick(ready, &[], 0);
            picked.inspect(|&candidate| scheduler.on_event(&Event::Issued { candidate }))
        };
        // 0 and 2 go round while one of them is ready, then 1 and 3.
        let picks = [0b1111, 0b1111, 0b1111, 0b1010, 0b1110, 0b0111].map(&mut run);
        assert_eq!(picks.map(Option::unwrap), [0, 2, 0, 1, 3, 1]);
    }

    #[test]
    fn the_group_of_the_oldest_block_goes_first() {
        let ages = [age(3, 0), age(3, 1), age(0, 0), age(1, 0), age(2, 0)];
        let mut scheduler = FetchGroups { grouping: Grouping::Blocks(2), group: 0, next: 0 };
        let mut run = |ready| {
            let picked = scheduler.pick(ready, &ages, 0);
            picked.inspect(|&candidate| scheduler.on_event(&Event::Issued { candidate }))
        };
        // Blocks 0 and 1 are the first group, 2 and 3 the second; the first has its turn again as soon as it is ready.
        let picks = [0b11111, 0b11111, 0b11111, 0b10011, 0b10011, 0b01011].map(&mut run);
        assert_eq!(picks.map(Option::unwrap), [2, 3, 2, 4, 0, 3]);
    }

    #[test]
    fn a_pool_has_so_many_places() {
        let mut scheduler = ActivePool { size: 2, active: 0, next: 0, next_in: 0 };
        assert_eq!(scheduler.pick(0b111, &[], 0), Some(0));
        scheduler.on_event(&Event::Issued { candidate: 0 });
        assert_eq!(scheduler.pick(0b110, &[], 0), Some(1));
        scheduler.on_event(&Event::Issued { candidate: 1 });
        // 2 is ready, but 0 and 1 have the places, until one leaves.
        assert_eq!(scheduler.pick(0b100, &[], 0), None);
        scheduler.on_event(&Event::Left { candidate: 0 });
        assert_eq!(scheduler.pick(0b100, &[], 0), Some(2));
    }
}

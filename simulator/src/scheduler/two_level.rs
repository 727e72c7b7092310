//! `two-level`: round robin among some paths, and among the others only when these cannot go on.
//!
//! Two schemes have the name. *Fetch groups* (Narasiman et al., "Improving GPU Performance via Large
//! Warps and Two-Level Warp Scheduling"): round robin within a group until none of it is ready, then the
//! next group; a group is the warps of a block, as in Rhu, Table 4.1. *Active pool* (Gebhart et al.,
//! "Energy-Efficient Mechanisms for Managing Thread Context in Throughput Processors"; Aamodt, Fung,
//! Rogers, §3.6.1): only so many paths are active; one that waits for memory, at a barrier, or has ended
//! gives its place to the next ready one.

use super::{Build, CandidateSet, MAX_CANDIDATES, Scheduler};
use crate::mechanism::{Mechanism, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "two-level",
    sentence: "round robin within a group of paths, and to the next group when none of its paths is ready",
    options: &[
        ("variant", "`fetch-groups` (a group is a block's warps; default) or `active-pool`"),
        ("pool", "paths in a scheduler's active pool, 1 to 128; default 8"),
    ],
    trials: &[&[("two-level.variant", "active-pool"), ("two-level.pool", "2")]],
    build: |table| {
        let settings: Settings = options(table)?;
        if !(1..=MAX_CANDIDATES as u32).contains(&settings.pool) {
            return Err(format!(
                "`pool` is {}; it must be a whole number from 1 to {MAX_CANDIDATES}",
                settings.pool
            ));
        }
        Ok(match settings.variant {
            Variant::FetchGroups => Box::new(FetchGroups::default()),
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
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { variant: Variant::FetchGroups, pool: 8 }
    }
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Variant {
    FetchGroups,
    ActivePool,
}

/// The first of some candidates from one on, round and round.
fn next_of(set: CandidateSet, from: usize) -> Option<usize> {
    let rotated = set.rotate_right(from as u32);
    (set != 0).then(|| (rotated.trailing_zeros() as usize + from) % MAX_CANDIDATES)
}

#[derive(Default)]
struct FetchGroups {
    /// The group whose turn it is: when its block arrived.
    group: u64,
    next: usize,
}

impl FetchGroups {
    /// The next candidate of the group, or of the next group that has one.
    fn choose(&mut self, ready: CandidateSet, ages: &[u64]) -> Option<usize> {
        // Ages are the block's arrival, then 16 bits of the warp's number.
        let group_of = |candidate: usize| ages[candidate] >> 16;
        let mut members = 0;
        let mut other: Option<u64> = None;
        let mut rest = ready;
        while rest != 0 {
            let candidate = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let group = group_of(candidate);
            if group == self.group {
                members |= 1 << candidate;
            }
            // The next in order of arrival; after the last comes the first.
            let distance = |group: u64| (group < self.group, group);
            if other.is_none_or(|best| distance(group) < distance(best)) && group != self.group {
                other = Some(group);
            }
        }
        if members == 0 {
            self.group = other?;
            return self.choose(ready, ages);
        }
        next_of(members, self.next)
    }
}

impl Scheduler for FetchGroups {
    fn pick(&mut self, ready: CandidateSet, ages: &[u64], _now: u64) -> Option<usize> {
        self.choose(ready, ages)
    }

    fn issued(&mut self, candidate: usize) {
        self.next = (candidate + 1) % MAX_CANDIDATES;
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

    fn issued(&mut self, candidate: usize) {
        self.next = (candidate + 1) % MAX_CANDIDATES;
    }

    fn leaves(&mut self, candidate: usize) {
        self.active &= !(1 << candidate);
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
        let mut scheduler = FetchGroups::default();
        let mut run = |ready| {
            let picked = scheduler.pick(ready, &ages, 0);
            picked.inspect(|&candidate| scheduler.issued(candidate))
        };
        // Block 1 goes round alone while one of it is ready, then block 2, then block 1 again.
        let picks = [0b1111, 0b1111, 0b1111, 0b1110, 0b1100, 0b1111, 0b1011, 0b0011].map(&mut run);
        assert_eq!(picks.map(Option::unwrap), [0, 1, 0, 1, 2, 3, 3, 0]);
        assert_eq!(run(0), None);
    }

    #[test]
    fn a_pool_has_so_many_places() {
        let mut scheduler = ActivePool { size: 2, active: 0, next: 0, next_in: 0 };
        assert_eq!(scheduler.pick(0b111, &[], 0), Some(0));
        scheduler.issued(0);
        assert_eq!(scheduler.pick(0b110, &[], 0), Some(1));
        scheduler.issued(1);
        // 2 is ready, but 0 and 1 have the places, until one leaves.
        assert_eq!(scheduler.pick(0b100, &[], 0), None);
        scheduler.leaves(0);
        assert_eq!(scheduler.pick(0b100, &[], 0), Some(2));
    }
}

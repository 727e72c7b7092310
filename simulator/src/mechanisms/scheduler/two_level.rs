//! `two-level`: round robin among some paths, and among the others only when these cannot continue.
//!
//! Several schemes have the name. *Fetch groups* (Narasiman et al., "Improving GPU Performance via
//! Large Warps and Two-Level Warp Scheduling"; Aamodt, Fung, Rogers, §5.1.2): round robin within a
//! group until all of its warps wait for a long operation, then the next group. A group is the warps
//! of a block, as in Rhu, Table 4.1, or a fixed number of warps, as in Narasiman et al. (8).
//! *Prefetch-aware* (§5.1.2, after Jog et al., "Orchestrated scheduling and
//! prefetching for GPGPUs"): the same with groups of warps that are not consecutive, so that
//! another group needs the lines after a group's accesses later. *Block-aware* (§5.1.2, after Jog
//! et al., "OWL: cooperative thread array aware scheduling techniques for improving GPGPU
//! performance"): a group is some blocks, and the group of the oldest goes first whenever one of
//! its warps is ready, so that few warps share the cache. *Active pool* (Gebhart et al.,
//! "Energy-Efficient Mechanisms for Managing Thread Context in Throughput Processors"; §3.6.1):
//! only a limited number of paths is active; one that waits for memory, at a barrier, or has ended
//! gives its place to the next ready one.
//!
//! Decisions where the text is open: a path waits for a long operation if it waits for memory, at a
//! barrier, for a queue, or has ended ([`Event::Left`]). While the paths of the group wait for short
//! ones (arithmetic, fetch), ready paths of the following groups fill the issue slot, and the turn
//! stays. The group that follows is the next in order with a path that can go on. The number of prefetch-aware groups, and that path slot *i* of
//! a scheduler belongs to group *i* modulo that number. Blocks join groups in the order of their
//! arrival at the SM. In the text consecutive blocks on different SMs access the same DRAM bank, so
//! SMs should begin with different blocks; that is a matter of the slot `block-scheduler`.

use super::slot::{
    Build, CandidateSet, Event, EventSet, LeaveReason, MAX_CANDIDATES, Scheduler, View, members,
    oldest,
};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "two-level",
    sentence: "round robin within a group of paths, and to the next group when all of its paths wait for memory or a barrier",
    options: &[
        ("variant", "`fetch-groups` (default), `prefetch-aware`, `block-aware` or `active-pool`"),
        (
            "warps",
            "consecutive path slots of a group of `fetch-groups`, 1 to 128; default 0: the warps of a block",
        ),
        ("pool", "paths in a scheduler's active pool, 1 to 128; default 8"),
        ("groups", "groups of `prefetch-aware`, 1 to 64; default 4"),
        ("blocks", "blocks of a group of `block-aware`, 1 to 64; default 1"),
    ],
    trials: &[
        &[("two-level.variant", "active-pool"), ("two-level.pool", "2")],
        &[("two-level.warps", "2")],
        &[("two-level.variant", "prefetch-aware")],
        &[("two-level.variant", "block-aware")],
        &[("two-level.variant", "block-aware"), ("two-level.blocks", "2")],
    ],
    statistics: &[],
    build: &|table| {
        let settings: Settings = options(table)?;
        check_range("warps", settings.warps, 0..=MAX_CANDIDATES as u32)?;
        let bounds = [
            ("pool", settings.pool, MAX_CANDIDATES as u32),
            ("groups", settings.groups, 64),
            ("blocks", settings.blocks, 64),
        ];
        for (key, value, most) in bounds {
            check_range(key, value, 1..=most)?;
        }
        let fetch_groups = |grouping| Box::new(FetchGroups::new(grouping)) as Box<dyn Scheduler>;
        Ok(match settings.variant {
            Variant::FetchGroups if settings.warps != 0 => {
                fetch_groups(Grouping::Consecutive(settings.warps as usize))
            }
            Variant::FetchGroups => fetch_groups(Grouping::Block),
            Variant::PrefetchAware => fetch_groups(Grouping::Apart(settings.groups as usize)),
            Variant::BlockAware => fetch_groups(Grouping::Blocks(u64::from(settings.blocks))),
            Variant::ActivePool => {
                Box::new(ActivePool { size: settings.pool, ..ActivePool::default() })
            }
        })
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Settings {
    variant: Variant,
    warps: u32,
    pool: u32,
    groups: u32,
    blocks: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { variant: Variant::FetchGroups, warps: 0, pool: 8, groups: 4, blocks: 1 }
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
    /// This many consecutive candidates.
    Consecutive(usize),
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
            Grouping::Consecutive(size) => (candidate / size) as u64,
            Grouping::Apart(groups) => (candidate % groups) as u64,
            Grouping::Blocks(blocks) => (ages[candidate] >> 16) / blocks,
        }
    }
}

struct FetchGroups {
    grouping: Grouping,
    /// The group whose turn it is.
    group: u64,
    /// Candidates that were ready and have not begun to wait for a long operation since.
    active: CandidateSet,
    /// From here on the next candidate of a group is looked for.
    next: usize,
}

impl FetchGroups {
    fn new(grouping: Grouping) -> FetchGroups {
        FetchGroups { grouping, group: 0, active: 0, next: 0 }
    }

    /// The first group with a candidate of `set`, in order from the group whose turn it is; the first follows the last.
    fn first_group(&self, set: CandidateSet, ages: &[u64]) -> Option<u64> {
        let groups = members(set).map(|candidate| self.grouping.of(candidate, ages));
        groups.min_by_key(|&group| (group < self.group, group))
    }
}

impl Scheduler for FetchGroups {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        let ages = view.ages;
        self.active |= ready;
        let issues = if let Grouping::Blocks(_) = self.grouping {
            self.grouping.of(oldest(ready, ages)?, ages)
        } else {
            self.group = self.first_group(self.active, ages)?;
            self.first_group(ready, ages)?
        };
        let of_group = members(ready).filter(|&it| self.grouping.of(it, ages) == issues);
        next_of(of_group.fold(0, |set, candidate| set | 1 << candidate), self.next)
    }

    fn looks_ahead(&self) -> bool {
        false
    }

    fn events(&self) -> EventSet {
        EventSet::ISSUED.and(EventSet::LEFT)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::Issued { candidate, .. } => self.next = (candidate + 1) % MAX_CANDIDATES,
            Event::Left { candidate, .. } => self.active &= !(1 << candidate),
            _ => {}
        }
    }
}

#[derive(Default)]
struct ActivePool {
    size: u32,
    active: CandidateSet,
    /// Candidates leave at switch points, and not when they wait for memory.
    has_switch_points: bool,
    /// From here on the next active candidate is looked for, and the next to become active.
    next: usize,
    next_in: usize,
}

impl Scheduler for ActivePool {
    fn pick(&mut self, ready: CandidateSet, _view: &View) -> Option<usize> {
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
        EventSet::ISSUED
            .and(EventSet::LEFT)
            .and(EventSet::REACHED_SWITCH_POINT)
            .and(EventSet::CODE_LOADED)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::Issued { candidate, .. } => self.next = (candidate + 1) % MAX_CANDIDATES,
            Event::Left { reason: LeaveReason::Memory, .. } if self.has_switch_points => {}
            Event::Left { candidate, .. } => self.active &= !(1 << candidate),
            Event::ReachedSwitchPoint { candidate } if self.has_switch_points => {
                self.active &= !(1 << candidate);
            }
            Event::CodeLoaded { has_switch_points, .. } => {
                self.has_switch_points = has_switch_points
            }
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

    /// Picks, and issues the candidate.
    fn issue(scheduler: &mut FetchGroups, ready: CandidateSet, ages: &[u64]) -> Option<usize> {
        let picked = scheduler.pick(ready, &View::of(ages, 0));
        picked.inspect(|&candidate| scheduler.on_event(&Event::issued(candidate)))
    }

    fn leave(scheduler: &mut FetchGroups, candidates: &[usize]) {
        let reason = LeaveReason::Memory;
        candidates
            .iter()
            .for_each(|&candidate| scheduler.on_event(&Event::Left { candidate, reason }));
    }

    #[test]
    fn the_turn_stays_until_all_of_a_group_wait() {
        let ages = [age(1, 0), age(1, 1), age(2, 0), age(2, 1)];
        let mut one = FetchGroups::new(Grouping::Block);
        assert_eq!(issue(&mut one, 0b1111, &ages), Some(0));
        assert_eq!(issue(&mut one, 0b1111, &ages), Some(1));
        // Both of block 1 wait for arithmetic: block 2 fills the slot, and block 1 keeps the turn.
        assert_eq!(issue(&mut one, 0b1100, &ages), Some(2));
        assert_eq!(issue(&mut one, 0b1111, &ages), Some(0));
        // One waits for memory, the other for arithmetic.
        leave(&mut one, &[0]);
        assert_eq!(issue(&mut one, 0b1100, &ages), Some(2));
        assert_eq!(issue(&mut one, 0b1110, &ages), Some(1));
        // Both wait for memory: the turn passes, and stays when block 1 is ready again.
        leave(&mut one, &[1]);
        assert_eq!(issue(&mut one, 0b1100, &ages), Some(2));
        assert_eq!(issue(&mut one, 0b1111, &ages), Some(3));
        assert_eq!(issue(&mut one, 0b1111, &ages), Some(2));
        assert_eq!(issue(&mut one, 0, &ages), None);
        // Block 2 waits: back to block 1.
        leave(&mut one, &[2, 3]);
        assert_eq!(issue(&mut one, 0b0011, &ages), Some(0));
        assert_eq!(issue(&mut one, 0b1111, &ages), Some(1));
    }

    #[test]
    fn groups_have_a_fixed_number_of_warps() {
        let mut one = FetchGroups::new(Grouping::Consecutive(2));
        assert_eq!(issue(&mut one, 0b111100, &[]), Some(2));
        assert_eq!(issue(&mut one, 0b111111, &[]), Some(3));
        leave(&mut one, &[2, 3]);
        assert_eq!(issue(&mut one, 0b110011, &[]), Some(4));
        leave(&mut one, &[4, 5]);
        assert_eq!(issue(&mut one, 0b001111, &[]), Some(0));
    }

    #[test]
    fn neighbours_are_in_different_groups() {
        let mut one = FetchGroups::new(Grouping::Apart(2));
        assert_eq!(issue(&mut one, 0b1111, &[]), Some(0));
        assert_eq!(issue(&mut one, 0b1111, &[]), Some(2));
        leave(&mut one, &[0, 2]);
        assert_eq!(issue(&mut one, 0b1010, &[]), Some(3));
        assert_eq!(issue(&mut one, 0b1111, &[]), Some(1));
    }

    #[test]
    fn the_group_of_the_oldest_block_goes_first() {
        let ages = [age(3, 0), age(3, 1), age(0, 0), age(1, 0), age(2, 0)];
        let mut one = FetchGroups::new(Grouping::Blocks(2));
        // Blocks 0 and 1 are the first group, 2 and 3 the second; the first goes again as soon as it is ready.
        let picks = [0b11111, 0b11111, 0b11111, 0b10011, 0b10011, 0b01011];
        let picks = picks.map(|ready| issue(&mut one, ready, &ages).unwrap());
        assert_eq!(picks, [2, 3, 2, 4, 0, 3]);
    }

    #[test]
    fn a_pool_has_so_many_places() {
        let mut scheduler = ActivePool { size: 2, ..ActivePool::default() };
        assert_eq!(scheduler.pick(0b111, &View::of(&[], 0)), Some(0));
        scheduler.on_event(&Event::issued(0));
        assert_eq!(scheduler.pick(0b110, &View::of(&[], 0)), Some(1));
        scheduler.on_event(&Event::issued(1));
        // 2 is ready, but 0 and 1 have the places, until one leaves.
        assert_eq!(scheduler.pick(0b100, &View::of(&[], 0)), None);
        let waits = |candidate| Event::Left { candidate, reason: LeaveReason::Memory };
        scheduler.on_event(&Event::ReachedSwitchPoint { candidate: 0 });
        assert_eq!(scheduler.pick(0b100, &View::of(&[], 0)), None);
        scheduler.on_event(&waits(0));
        assert_eq!(scheduler.pick(0b100, &View::of(&[], 0)), Some(2));
        // With switch points, 1 keeps its place while it waits for memory.
        let code = Event::CodeLoaded { long_lived: 0, regions: None, has_switch_points: true };
        scheduler.on_event(&code);
        scheduler.on_event(&waits(1));
        assert_eq!(scheduler.pick(0b001, &View::of(&[], 0)), None);
        scheduler.on_event(&Event::ReachedSwitchPoint { candidate: 1 });
        assert_eq!(scheduler.pick(0b001, &View::of(&[], 0)), Some(0));
    }
}

//! `throttled`: limits the blocks of an SM by its waiting for memory.
//!
//! Source: Aamodt, Fung, Rogers, §5.1.1 (after Kayiran et al., DYNCTA). Each SM begins with half of
//! the blocks for which it has room. The use of its issue slots is evaluated periodically. If it
//! was idle, it may have one block more; if it mostly waited for memory, one fewer; if it seldom
//! did, one more. Blocks go to SMs in turn, as under `round-robin`.
//!
//! The period and the thresholds are ours. Resident blocks are never paused, which the source
//! mentions as a possibility: a lower limit takes effect when blocks end.

use super::slot::{BlockScheduler, Build, SlotCounts, SmRoom};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "throttled",
    sentence: "limits the blocks of an SM, by how much it idles and waits for memory (DYNCTA)",
    options: &[
        ("period", "cycles after which an SM's limit is set again, 1 to 1000000; default 2048"),
        ("idle", "percent of issue slots without a path above which the limit grows; default 10"),
        (
            "memory-low",
            "percent of issue slots that wait for memory below which the limit grows; default 40",
        ),
        (
            "memory-high",
            "percent of issue slots that wait for memory above which it shrinks; default 70",
        ),
    ],
    trials: &[
        &[("throttled.period", "1"), ("throttled.memory-low", "0"), ("throttled.memory-high", "0")],
        &[("throttled.period", "100"), ("throttled.idle", "0"), ("sm.blocks", "1")],
    ],
    statistics: &[],
    build: &|table, sms| {
        let options: Options = options(table)?;
        check_range("period", options.period, 1..=1_000_000)?;
        let percents = [
            ("idle", options.idle),
            ("memory-low", options.memory_low),
            ("memory-high", options.memory_high),
        ];
        for (key, value) in percents {
            check_range(key, value, 0..=100)?;
        }
        if options.memory_low > options.memory_high {
            return Err("`memory-low` must not be above `memory-high`".to_string());
        }
        Ok(Box::new(Throttled { options, limits: vec![Limit::default(); sms], next: 0 }))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    period: u64,
    idle: u64,
    memory_low: u64,
    memory_high: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { period: 2048, idle: 10, memory_low: 40, memory_high: 70 }
    }
}

/// The number of blocks that an SM may have.
#[derive(Clone, Copy, Debug, Default)]
struct Limit {
    /// 0 if no decision was made yet.
    blocks: u64,
    /// The time of the last decision, and the use of the issue slots by then.
    since: u64,
    slots: SlotCounts,
}

impl Limit {
    /// Sets it again if it is time.
    fn update(&mut self, options: &Options, cycle: u64, room: &SmRoom) {
        let most = room.resident + room.free;
        if self.blocks == 0 {
            *self = Limit { blocks: most.div_ceil(2).max(1), since: cycle, slots: room.slots };
            return;
        }
        if cycle < self.since + options.period {
            return;
        }
        let all = room.slots.all - self.slots.all;
        let percent = |now: u64, before: u64| (now - before) * 100 / all.max(1);
        let idle = percent(room.slots.idle, self.slots.idle);
        let memory = percent(room.slots.memory, self.slots.memory);
        (self.since, self.slots) = (cycle, room.slots);
        if idle > options.idle || memory < options.memory_low {
            self.blocks = (self.blocks + 1).min(most.max(1));
        } else if memory > options.memory_high {
            self.blocks = (self.blocks - 1).max(1);
        }
    }
}

struct Throttled {
    options: Options,
    /// By SM.
    limits: Vec<Limit>,
    /// The SM that is offered a block first.
    next: usize,
}

impl BlockScheduler for Throttled {
    fn pick(&mut self, _block: u64, cycle: u64, sms: &[SmRoom]) -> Option<usize> {
        for (limit, room) in self.limits.iter_mut().zip(sms) {
            limit.update(&self.options, cycle, room);
        }
        let can = |&sm: &usize| {
            let room = &sms[sm];
            room.free != 0 && !room.taken && room.resident < self.limits[sm].blocks
        };
        let picked = (self.next..sms.len()).chain(0..self.next).find(can)?;
        self.next = (picked + 1) % sms.len();
        Some(picked)
    }

    fn watches_slots(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_at_first_and_then_by_what_it_waits_for() {
        let options = Options { period: 100, ..Options::default() };
        let mut limit = Limit::default();
        let mut room = SmRoom { resident: 1, free: 6, ..SmRoom::default() };
        let mut after = |cycle, memory, idle| {
            room.slots.all = cycle;
            room.slots.memory += memory;
            room.slots.idle += idle;
            limit.update(&options, cycle, &room);
            limit.blocks
        };
        assert_eq!(after(0, 0, 0), 4);
        assert_eq!(after(99, 99, 0), 4, "the period is not over");
        assert_eq!(after(100, 0, 0), 3, "99 % waited for memory");
        assert_eq!(after(200, 50, 0), 3, "half is between the thresholds");
        assert_eq!(after(300, 50, 11), 4, "it idles");
        assert_eq!(after(400, 39, 0), 5, "it seldom waits");
        assert_eq!((5..9).map(|at| after(at * 100, 0, 0)).collect::<Vec<_>>(), [6, 7, 7, 7]);
        assert_eq!((9..18).map(|at| after(at * 100, 100, 0)).last(), Some(1));
    }
}

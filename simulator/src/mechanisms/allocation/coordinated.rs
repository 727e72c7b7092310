//! `coordinated`: loads of good locality use the cache, those of poor locality bypass it, and of moderate ones those of some blocks do.
//!
//! Source: Aamodt, Fung, Rogers, §4.4.5, after Xie, Liang, Wang, Sun, Wang, "Coordinated static and
//! dynamic cache bypassing for GPUs", HPCA 2015. Loads are marked by a profile: `--load-hints`
//! reads the output of `--profile-json`. All moderate loads of a block are treated alike. A
//! threshold decides this when the block is launched; it is tuned by hits of the L1 and pipeline
//! resource conflicts.
//!
//! Decisions where the text is open: a load without a mark is good. Among each `blocks` blocks that
//! arrive at an SM, the first ones use the cache, in the number of the threshold. The threshold
//! climbs: a period scores its hits, minus the attempts of misses that find all ways of their set
//! taken. At the L2, which knows no blocks, moderate loads are good. See `spec/machine.md`.

use super::climb::Climb;
use super::slot::{Allocation, Build, CacheShape, Level, LineAccess, Requester};
use crate::handles::WarpSlot;
use crate::mechanisms::event::{Event, EventSet};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::mechanisms::replacement::Ways;
use reconverge_isa::Locality;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "coordinated",
    sentence: "bypasses the cache for loads that a profile found to have poor locality, and for moderate ones in some blocks",
    options: &[
        (
            "blocks",
            "blocks of an SM of which a part uses the cache for moderate loads, 1 to 1024; default 8",
        ),
        ("threshold", "how many of them do at first, 0 to `blocks`; default 4"),
        (
            "period",
            "accesses of the cache after which the threshold is tuned, 0 (never) to 1000000; default 1024",
        ),
    ],
    trials: &[
        &[("coordinated.blocks", "2"), ("coordinated.threshold", "1"), ("coordinated.period", "8")],
        &[("coordinated.threshold", "0"), ("coordinated.period", "0")],
    ],
    statistics: &[],
    build: &|table, shape| {
        let options: Options = options(table)?;
        check_range("blocks", options.blocks, 1..=1024)?;
        check_range("threshold", options.threshold, 0..=options.blocks)?;
        check_range("period", options.period, 0..=1_000_000)?;
        Ok(Box::new(Coordinated::new(options, shape)))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    blocks: u32,
    threshold: u32,
    period: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { blocks: 8, threshold: 4, period: 1024 }
    }
}

struct Coordinated {
    options: Options,
    level: Level,
    /// The number of blocks, out of `blocks`, that use the cache for moderate loads.
    threshold: Climb,
    /// The number of blocks that have arrived at the SM, the arrival of the last one, and true if
    /// it uses the cache for moderate loads.
    blocks: u64,
    last: Option<u64>,
    uses: bool,
    /// By hardware warp: true if its block does.
    warps: Vec<bool>,
}

impl Coordinated {
    fn new(options: Options, shape: CacheShape) -> Coordinated {
        let range = 0..=options.blocks;
        Coordinated {
            options,
            level: shape.level,
            threshold: Climb::new(options.threshold, 1, range, options.period),
            blocks: 0,
            last: None,
            uses: true,
            warps: Vec::new(),
        }
    }

    /// Returns true if a line that an access misses is to be in the cache.
    fn is_admitted(&self, access: &LineAccess) -> bool {
        match access.requester.hints.locality() {
            None | Some(Locality::Good) => true,
            Some(Locality::Poor) => false,
            Some(Locality::Moderate) if self.level == Level::Second => true,
            Some(Locality::Moderate) => {
                let warp = access.requester.warp.map(WarpSlot::index);
                warp.and_then(|warp| self.warps.get(warp)).copied().unwrap_or(true)
            }
        }
    }

    /// A warp starts: all warps of a block use the cache for moderate loads, or none.
    fn start(&mut self, warp: WarpSlot, age: u64) {
        // The upper bits of an age are the block's arrival.
        let block = age >> 16;
        if self.last != Some(block) {
            self.uses =
                self.blocks % u64::from(self.options.blocks) < u64::from(self.threshold.value());
            self.blocks += 1;
            self.last = Some(block);
        }
        let warp = warp.index();
        if self.warps.len() <= warp {
            self.warps.resize(warp + 1, true);
        }
        self.warps[warp] = self.uses;
    }
}

impl Allocation for Coordinated {
    fn events(&self) -> EventSet {
        EventSet::LINE_HIT.and(EventSet::LINE_MISSED).and(EventSet::WARP_ARRIVED)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::LineHit { .. } => {
                self.threshold.score(1);
                self.threshold.accessed();
            }
            Event::LineMissed { .. } => self.threshold.accessed(),
            Event::WarpArrived { warp, age, .. } => self.start(warp, age),
            _ => {}
        }
    }

    fn allocates(&mut self, access: &LineAccess, has_way: bool) -> bool {
        let is_admitted = self.is_admitted(access);
        self.threshold.score(-i64::from(is_admitted && !has_way));
        is_admitted
    }

    fn victims(&self, _access: &LineAccess, ways: Ways) -> Ways {
        ways
    }

    fn takes_over(&self, by: &Requester, first: &Requester) -> bool {
        let is_admitted = |requester| self.is_admitted(&LineAccess { requester, line: 0, set: 0 });
        is_admitted(*by) && !is_admitted(*first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanisms::setup::Setup;
    use reconverge_isa::Hints;

    fn access(warp: WarpSlot, locality: Option<Locality>) -> LineAccess {
        let mut hints = Hints::NONE;
        hints.set_locality(locality);
        let requester = Requester { warp: Some(warp), hints, ..Requester::NONE };
        LineAccess { requester, line: 0, set: 0 }
    }

    fn cache(options: &str, level: Level) -> Box<dyn Allocation> {
        let shape = CacheShape { level, sets: 2, ways: 2 };
        (MECHANISM.build)(&Setup::of(&options.parse().expect("it is TOML")), shape)
            .expect("it is good")
    }

    #[test]
    fn moderate_loads_of_some_blocks_use_the_cache() {
        let mut cache = cache("blocks = 3\nthreshold = 2\nperiod = 0", Level::First);
        // Four blocks of two warps.
        for warp in 0..8 {
            let (block, number) = (u64::from(warp) / 2, u64::from(warp) % 2);
            cache.on_event(&Event::WarpArrived {
                warp: WarpSlot(warp),
                scheduler: 0,
                age: (7 + block) << 16 | number,
                registers: 0,
                now: 0,
            });
        }
        let mut with = |locality| {
            let mut found = 0;
            for warp in 0..8 {
                found |=
                    u32::from(cache.allocates(&access(WarpSlot(warp), locality), true)) << warp;
            }
            found
        };
        assert_eq!(with(None), 0xff);
        assert_eq!(with(Some(Locality::Good)), 0xff);
        assert_eq!(with(Some(Locality::Moderate)), 0b1100_1111);
        assert_eq!(with(Some(Locality::Poor)), 0);
        let [moderate, poor] =
            [Locality::Moderate, Locality::Poor].map(|it| access(WarpSlot(4), Some(it)).requester);
        assert!(!cache.takes_over(&moderate, &poor), "both bypass");
        assert!(cache.takes_over(&access(WarpSlot(0), Some(Locality::Moderate)).requester, &poor));
    }

    #[test]
    fn the_threshold_is_tuned_by_hits_and_conflicts() {
        let mut cache = cache("blocks = 2\nthreshold = 1\nperiod = 4", Level::First);
        let mut block = 0;
        let mut uses = |cache: &mut dyn Allocation| {
            let mut used = Vec::new();
            for _ in 0..2 {
                block += 1;
                cache.on_event(&Event::WarpArrived {
                    warp: WarpSlot(0),
                    scheduler: 0,
                    age: block << 16,
                    registers: 0,
                    now: 0,
                });
                used.push(cache.allocates(&access(WarpSlot(0), Some(Locality::Moderate)), true));
            }
            used
        };
        assert_eq!(uses(&mut *cache), [true, false]);
        (0..4).for_each(|_| {
            cache.on_event(&Event::LineHit { access: &access(WarpSlot(0), None), way: 0 })
        });
        assert_eq!(uses(&mut *cache), [true, true], "it rises");
        // As many hits, and conflicts: it falls again, and then on.
        for expected in [[true, false], [false, false]] {
            cache.allocates(&access(WarpSlot(0), None), false);
            (0..4).for_each(|_| {
                cache.on_event(&Event::LineHit { access: &access(WarpSlot(0), None), way: 0 })
            });
            assert_eq!(uses(&mut *cache), expected);
        }
    }

    #[test]
    fn at_the_second_level_moderate_is_good() {
        let mut cache = cache("threshold = 0", Level::Second);
        assert!(cache.allocates(&access(WarpSlot(0), Some(Locality::Moderate)), true));
        assert!(!cache.allocates(&access(WarpSlot(0), Some(Locality::Poor)), true));
    }
}

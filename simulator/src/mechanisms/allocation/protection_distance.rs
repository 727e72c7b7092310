//! `protection-distance`: a line is protected for a number of accesses to its set; a miss that
//! finds no way bypasses.
//!
//! Source: Aamodt, Fung, Rogers, §4.4.6, after Chen et al., "Adaptive cache management for energy-efficient GPU computing", MICRO 2014. A line
//! that is inserted has a protection distance; each access of its set takes one off, and at 0 the line can be evicted. A miss
//! that finds no unprotected line in its set bypasses the cache. Cache and memory contention, found at run time, throttle warps.
//!
//! Decisions where the text is open: a hit does not renew the protection; an access is a load that
//! hits, or misses and requests data from the next level. Throttling (`throttle`): in each
//! `interval` misses, those that found all ways of their set protected indicate cache contention,
//! and those that found all reserved indicate memory contention. If these are more than half, each
//! scheduler runs one warp fewer; if less than a quarter, one more. A warp at a barrier does not
//! count. See `spec/machine.md`.

use super::slot::{Allocation, Build, CacheShape, Level, LineAccess, Properties};
use crate::mechanisms::event::{Event, EventSet};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::mechanisms::replacement::Ways;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "protection-distance",
    sentence: "protects a line for so many accesses of its set, and bypasses the cache where all are protected",
    options: &[
        ("distance", "accesses of its set for which a line is protected, 0 to 65535; default 16"),
        ("throttle", "schedulers run fewer warps while many misses find no way; default false"),
        (
            "interval",
            "misses from one decision of `throttle` to the next, 1 to 1000000; default 256",
        ),
    ],
    trials: &[
        &[("protection-distance.distance", "1")],
        &[
            ("protection-distance.distance", "1000"),
            ("protection-distance.throttle", "true"),
            ("protection-distance.interval", "8"),
        ],
        &[("l2.allocation", "protection-distance"), ("protection-distance.distance", "100")],
    ],
    statistics: &[],
    build: &|table, shape| {
        let options: Options = options(table)?;
        for (key, value, least, most) in [
            ("distance", options.distance, 0, 65_535),
            ("interval", options.interval, 1, 1_000_000),
        ] {
            check_range(key, value, least..=most)?;
        }
        Ok(Box::new(ProtectionDistance::new(options, shape)))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    distance: u32,
    throttle: bool,
    interval: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { distance: 16, throttle: false, interval: 256 }
    }
}

/// The most warps of a scheduler: it is not throttled.
const ALL: u32 = 128;

struct ProtectionDistance {
    options: Options,
    ways: usize,
    /// By set: its accesses.
    accesses: Vec<u64>,
    /// By set and way: the count of accesses up to which the line is protected; 0 for none.
    until: Vec<u64>,
    /// The warps that a scheduler runs; the misses since the last decision, and those that found no
    /// way.
    limit: Option<u32>,
    misses: u32,
    contended: u32,
    /// The most warps that a scheduler had.
    warps: u32,
}

impl ProtectionDistance {
    fn new(options: Options, shape: CacheShape) -> ProtectionDistance {
        ProtectionDistance {
            options,
            ways: shape.ways,
            accesses: vec![0; shape.sets],
            until: vec![0; shape.sets * shape.ways],
            limit: (options.throttle && shape.level == Level::First).then_some(ALL),
            misses: 0,
            contended: 0,
            warps: 1,
        }
    }

    fn is_protected(&self, set: usize, way: usize) -> bool {
        self.until[set * self.ways + way] > self.accesses[set]
    }

    /// A miss found a way for its line, or found none.
    fn missed(&mut self, finds: bool) {
        let Some(limit) = &mut self.limit else {
            return;
        };
        self.misses += 1;
        self.contended += u32::from(!finds);
        if self.misses < self.options.interval {
            return;
        }
        // From all of them on down.
        let now = (*limit).min(self.warps);
        *limit = match self.contended {
            contended if contended * 2 > self.misses => now.saturating_sub(1).max(1),
            contended if contended * 4 < self.misses => now + 1,
            _ => now,
        };
        if *limit > self.warps {
            *limit = ALL;
        }
        (self.misses, self.contended) = (0, 0);
    }
}

impl Allocation for ProtectionDistance {
    fn properties(&self) -> Properties {
        Properties { limits_warps: self.limit.is_some(), ..Properties::default() }
    }

    fn events(&self) -> EventSet {
        EventSet::LINE_HIT
            .and(EventSet::LINE_PLACED)
            .and(EventSet::LINE_DROPPED)
            .and(EventSet::WARP_ARRIVED)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::LineHit { access, .. } => self.accesses[access.set] += 1,
            Event::LinePlaced { access, way } => {
                let until = self.accesses[access.set] + u64::from(self.options.distance);
                self.until[access.set * self.ways + way] = until;
            }
            Event::LineDropped { set, way } => self.until[set * self.ways + way] = 0,
            Event::WarpArrived { warp, .. } => self.warps = self.warps.max(u32::from(warp.0) + 1),
            _ => {}
        }
    }

    fn allocates(&mut self, access: &LineAccess, has_way: bool) -> bool {
        let set = access.set;
        let finds = (0..self.ways).any(|way| !self.is_protected(set, way));
        // A miss that waits for a way tries again, and is counted when it has one.
        if !finds || has_way {
            self.accesses[set] += 1;
        }
        self.missed(finds && has_way);
        finds
    }

    fn victims(&self, access: &LineAccess, mut ways: Ways) -> Ways {
        ways.retain(|way| !self.is_protected(access.set, way));
        ways
    }

    fn warp_limit(&self) -> u32 {
        self.limit.unwrap_or(ALL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handles::WarpSlot;
    use crate::mechanisms::allocation::Requester;
    use crate::mechanisms::setup::Setup;

    /// A set of two ways.
    fn cache(settings: &str) -> Box<dyn Allocation> {
        let shape = CacheShape { level: Level::First, sets: 1, ways: 2 };
        (MECHANISM.build)(&Setup::of(&settings.parse().expect("it is TOML")), shape)
            .expect("they are good")
    }

    const ACCESS: LineAccess = LineAccess { requester: Requester::NONE, line: 0, set: 0 };

    #[test]
    fn a_line_outlives_so_many_accesses_of_its_set() {
        let mut cache = cache("distance = 2");
        for way in 0..2 {
            assert!(cache.allocates(&ACCESS, true));
            cache.on_event(&Event::LinePlaced { access: &ACCESS, way });
        }
        // Way 0 was placed after one access of the set, way 1 after two: they are protected until 3
        // and 4.
        let victims = |cache: &dyn Allocation| {
            cache.victims(&ACCESS, Ways::all(2)).iter().collect::<Vec<_>>()
        };
        assert_eq!(victims(&*cache), []);
        assert!(!cache.allocates(&ACCESS, true), "the third access bypasses");
        assert_eq!(victims(&*cache), [0]);
        cache.on_event(&Event::LineHit { access: &ACCESS, way: 0 });
        assert_eq!(victims(&*cache), [0, 1], "a hit is an access, and protects nothing");
    }

    #[test]
    fn contention_throttles_warps() {
        let mut cache = cache("distance = 100\nthrottle = true\ninterval = 4");
        assert!(cache.properties().limits_warps);
        for warp in 0..3 {
            cache.on_event(&Event::WarpArrived {
                warp: WarpSlot(warp),
                scheduler: 0,
                age: 0,
                registers: 0,
                now: 0,
            });
        }
        for way in 0..2 {
            cache.allocates(&ACCESS, true);
            cache.on_event(&Event::LinePlaced { access: &ACCESS, way });
        }
        let mut limits = || {
            (0..4).for_each(|_| {
                cache.allocates(&ACCESS, true);
            });
            cache.warp_limit()
        };
        // Two of the first four found a way, so the share without one is neither more than half nor
        // less than a quarter. Then none found one.
        assert_eq!([limits(), limits(), limits(), limits()], [3, 2, 1, 1]);
    }

    #[test]
    fn options_are_checked() {
        let shape = CacheShape { level: Level::First, sets: 1, ways: 1 };
        let build = |text: &str| {
            (MECHANISM.build)(&Setup::of(&text.parse().expect("it is TOML")), shape).err()
        };
        let expected = "`distance` is 65536; it must be a whole number from 0 to 65535";
        assert_eq!(build("distance = 65536").as_deref(), Some(expected));
    }
}

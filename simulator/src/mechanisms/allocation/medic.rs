//! `medic`: reads of warps that mostly miss bypass the cache, and their lines are evicted first;
//! misses of warps that mostly hit go to memory first (memory divergence correction).
//!
//! Source: Aamodt, Fung, Rogers, §4.4.4, after Ausavarungnirun et al., "Exploiting inter-warp heterogeneity to improve GPGPU performance", PACT 2015. Each
//! warp is all-hit, mostly-hit, balanced, mostly-miss or all-miss by its share of hits, which is sampled in intervals; while it is, nothing
//! bypasses. Reads of all-miss and mostly-miss warps go to memory without a lookup. Lines of mostly-miss warps are inserted where the replacement
//! policy evicts next. Requests of all-hit and mostly-hit warps carry a token to memory, where `dram-scheduler=fp-frfcfs`
//! serves those with one before all others: the source's two queues.
//!
//! Decisions where the text is open: a slice samples for itself, each warp by its own reads and
//! atomics (`sample` of each `interval`). A warp that has not been sampled is balanced. A line with
//! a dirty sector among the requested ones is read from the cache. The boundary of mostly-miss is
//! tuned by climbing: each `period` accesses it moves by 5 %, and reverses direction if hits became
//! fewer. In the L1 the lookup is first: hits hit, misses bypass. See `spec/machine.md`.

use super::climb::Climb;
use super::slot::{Allocation, Build, CacheShape, Level, LineAccess, Properties, Requester, Token};
use crate::handles::WarpSlot;
use crate::mechanisms::event::{Event, EventSet};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::mechanisms::replacement::Ways;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "medic",
    sentence: "lets reads of warps that mostly miss go by the cache, evicts their lines first, and has memory serve the others first",
    options: &[
        ("sample", "accesses by which a warp's share of hits is found, 1 to 65535; default 16"),
        ("interval", "accesses of a warp from one sample to the next, 1 to 1000000; default 128"),
        ("mostly-miss", "percent of hits up to which a warp mostly misses, 0 to 100; default 20"),
        ("mostly-hit", "percent of hits from which on a warp mostly hits, 0 to 100; default 70"),
        (
            "period",
            "accesses of a cache after which `mostly-miss` is tuned, 0 (never) to 1000000; default 4096",
        ),
        ("bypass", "whether reads of all-miss and mostly-miss warps go by the cache; default true"),
        ("insertion", "whether lines of mostly-miss warps are evicted first; default true"),
    ],
    trials: &[
        &[
            ("medic.sample", "2"),
            ("medic.interval", "8"),
            ("medic.period", "16"),
            ("dram-scheduler", "fp-frfcfs"),
        ],
        &[("medic.sample", "1"), ("medic.interval", "4"), ("medic.bypass", "false")],
        &[("medic.sample", "1"), ("medic.interval", "16"), ("l2.mshrs", "1")],
    ],
    statistics: &[],
    build: &|table, shape| {
        let options: Options = options(table)?;
        check_range("sample", options.sample, 1..=65_535)?;
        check_range("interval", options.interval, 1..=1_000_000)?;
        check_range("mostly-miss", options.mostly_miss, 0..=100)?;
        check_range("mostly-hit", options.mostly_hit, 0..=100)?;
        check_range("period", options.period, 0..=1_000_000)?;
        if options.mostly_hit < options.mostly_miss {
            return Err(format!(
                "`mostly-hit` is {}, below `mostly-miss`, {}; it must be at least as much",
                options.mostly_hit, options.mostly_miss
            ));
        }
        Ok(Box::new(Medic::new(options, shape)))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Options {
    sample: u32,
    interval: u32,
    mostly_miss: u32,
    mostly_hit: u32,
    period: u32,
    bypass: bool,
    insertion: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            sample: 16,
            interval: 128,
            mostly_miss: 20,
            mostly_hit: 70,
            period: 4096,
            bypass: true,
            insertion: true,
        }
    }
}

/// Percent by which the boundary of mostly-miss moves.
const STEP: u32 = 5;

/// A warp's type by its share of hits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    AllMiss,
    MostlyMiss,
    #[default]
    Balanced,
    MostlyHit,
    AllHit,
}

/// A cache's record of a warp.
#[derive(Clone, Copy, Debug, Default)]
struct Warp {
    kind: Kind,
    /// Its accesses in the current interval, and the number of hits in the sample.
    accesses: u32,
    hits: u32,
}

struct Medic {
    options: Options,
    level: Level,
    /// Percent of hits up to which a warp mostly misses: that with which most accesses hit.
    boundary: Climb,
    /// By SM and hardware warp, for those that have accessed this cache.
    warps: Vec<Vec<Warp>>,
}

impl Medic {
    fn new(options: Options, shape: CacheShape) -> Medic {
        let range = 0..=options.mostly_hit;
        let boundary = Climb::new(options.mostly_miss, STEP, range, options.period);
        Medic { options, level: shape.level, boundary, warps: Vec::new() }
    }

    fn warp(&self, by: &Requester) -> Warp {
        let of_sm = self.warps.get(usize::from(by.sm));
        let warp = of_sm.zip(by.warp).and_then(|(warps, warp)| warps.get(warp.index()));
        warp.copied().unwrap_or_default()
    }

    /// The type of a warp with `hits` hits in a sample.
    fn kind(&self, hits: u32) -> Kind {
        let percent = u64::from(hits) * 100;
        let reaches = |boundary: u32| u64::from(boundary) * u64::from(self.options.sample);
        match hits {
            0 => Kind::AllMiss,
            hits if hits == self.options.sample => Kind::AllHit,
            _ if percent <= reaches(self.boundary.value()) => Kind::MostlyMiss,
            _ if percent >= reaches(self.options.mostly_hit) => Kind::MostlyHit,
            _ => Kind::Balanced,
        }
    }

    fn accessed(&mut self, by: &Requester, hits: bool) {
        self.boundary.score(i64::from(hits));
        self.boundary.accessed();
        let Some(number) = by.warp.map(WarpSlot::index) else {
            return;
        };
        let mut warp = self.warp(by);
        warp.accesses += 1;
        if warp.accesses <= self.options.sample {
            warp.hits += u32::from(hits);
        }
        if warp.accesses == self.options.sample {
            warp.kind = self.kind(warp.hits);
        }
        if warp.accesses >= self.options.interval.max(self.options.sample) {
            (warp.accesses, warp.hits) = (0, 0);
        }
        let sm = usize::from(by.sm);
        if self.warps.len() <= sm {
            self.warps.resize(sm + 1, Vec::new());
        }
        let warps = &mut self.warps[sm];
        if warps.len() <= number {
            warps.resize(number + 1, Warp::default());
        }
        warps[number] = warp;
    }

    /// Returns true if a warp's reads bypass the cache now.
    fn bypasses(&self, by: &Requester) -> bool {
        let warp = self.warp(by);
        self.options.bypass
            && matches!(warp.kind, Kind::AllMiss | Kind::MostlyMiss)
            && warp.accesses >= self.options.sample
    }
}

impl Allocation for Medic {
    fn properties(&self) -> Properties {
        let passes_reads = self.options.bypass && self.level == Level::Second;
        Properties { passes_reads, ..Properties::default() }
    }

    fn events(&self) -> EventSet {
        EventSet::LINE_HIT.and(EventSet::LINE_MISSED)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::LineHit { access, .. } => self.accessed(&access.requester, true),
            Event::LineMissed { access } => self.accessed(&access.requester, false),
            _ => {}
        }
    }

    fn allocates(&mut self, access: &LineAccess, _has_way: bool) -> bool {
        !self.bypasses(&access.requester)
    }

    fn victims(&self, _access: &LineAccess, ways: Ways) -> Ways {
        ways
    }

    fn takes_over(&self, by: &Requester, first: &Requester) -> bool {
        !self.bypasses(by) && self.bypasses(first)
    }

    fn passes(&self, by: &Requester) -> bool {
        self.bypasses(by)
    }

    fn evicted_first(&self, access: &LineAccess) -> bool {
        self.options.insertion && self.warp(&access.requester).kind == Kind::MostlyMiss
    }

    fn onward(&self, by: &Requester) -> Token {
        match self.warp(by).kind {
            Kind::MostlyHit | Kind::AllHit => Token::Second,
            Kind::AllMiss | Kind::MostlyMiss | Kind::Balanced => Token::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanisms::setup::Setup;

    const WARP: Requester =
        Requester { sm: 1, warp: Some(WarpSlot(2)), token: Token::First, ..Requester::NONE };

    fn medic(options: &str) -> Medic {
        let options = options.parse::<toml::Table>().expect("it is TOML").try_into();
        let shape = CacheShape { level: Level::Second, sets: 2, ways: 2 };
        Medic::new(options.expect("they are options"), shape)
    }

    fn access(requester: Requester) -> LineAccess {
        LineAccess { requester, line: 0, set: 0 }
    }

    /// The type of a warp after a sample of ten accesses with `hits` hits.
    fn kind(hits: u32) -> Kind {
        let mut medic = medic("sample = 10\nmostly-miss = 20\nmostly-hit = 70");
        (0..10).for_each(|number| medic.accessed(&WARP, number < hits));
        medic.warp(&WARP).kind
    }

    #[test]
    fn five_types_by_the_share_of_hits() {
        use Kind::{AllHit, AllMiss, Balanced, MostlyHit, MostlyMiss};
        let kinds = [0, 1, 2, 3, 6, 7, 9, 10].map(kind);
        let expected =
            [AllMiss, MostlyMiss, MostlyMiss, Balanced, Balanced, MostlyHit, MostlyHit, AllHit];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn nothing_bypasses_while_a_warp_is_sampled() {
        let mut medic = medic("sample = 2\ninterval = 5");
        let mut bypasses = Vec::new();
        for _ in 0..8 {
            bypasses.push(medic.passes(&WARP));
            medic.on_event(&Event::LineMissed { access: &access(WARP) });
        }
        assert_eq!(bypasses, [false, false, true, true, true, false, false, true]);
        // Its type stays meanwhile, and another warp has none.
        assert_eq!(medic.warp(&WARP).kind, Kind::AllMiss);
        assert!(!medic.passes(&Requester { warp: Some(WarpSlot(3)), ..WARP }));
        assert!(medic.takes_over(&Requester { warp: Some(WarpSlot(3)), ..WARP }, &WARP));
    }

    #[test]
    fn lines_of_warps_that_mostly_miss_are_evicted_first_and_hits_go_first_to_memory() {
        let mut medic = medic("sample = 5");
        let shown = |medic: &Medic| (medic.evicted_first(&access(WARP)), medic.onward(&WARP));
        assert_eq!(shown(&medic), (false, Token::None), "it is balanced, and its token ends here");
        (0..5).for_each(|number| medic.accessed(&WARP, number == 0));
        assert_eq!(shown(&medic), (true, Token::None));
        let mut medic = self::medic("sample = 5");
        (0..5).for_each(|number| medic.accessed(&WARP, number != 0));
        assert_eq!(shown(&medic), (false, Token::Second));
        // Requests that no warp waits for have no type.
        assert_eq!(medic.onward(&Requester::of(1)), Token::None);
    }

    #[test]
    fn the_boundary_is_tuned() {
        let mut medic = medic("period = 4\nmostly-miss = 10\nmostly-hit = 20");
        (0..4).for_each(|_| medic.accessed(&WARP, true));
        assert_eq!(medic.boundary.value(), 15);
        (0..8).for_each(|_| medic.accessed(&Requester::NONE, false));
        assert_eq!(medic.boundary.value(), 5, "fewer hits: it falls");
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let build = |text: &str| {
            let shape = CacheShape { level: Level::Second, sets: 2, ways: 2 };
            (MECHANISM.build)(&Setup::of(&text.parse().expect("it is TOML")), shape).err()
        };
        assert_eq!(build("mostly-hit = 20"), None);
        let expected = "`mostly-hit` is 10, below `mostly-miss`, 20; it must be at least as much";
        assert_eq!(build("mostly-hit = 10").as_deref(), Some(expected));
        let expected = "`sample` is 0; it must be a whole number from 1 to 65535";
        assert_eq!(build("sample = 0").as_deref(), Some(expected));
    }
}

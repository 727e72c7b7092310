//! `priority-allocation`: tokens decide which warps may evict lines of the cache (PCA).
//!
//! Source: Rhu's dissertation, §6.2.2. The oldest warps of each scheduler hold tokens until they
//! end. An access of a warp with a token always allocates and may evict any line; others fill an
//! empty way or evict a line that an access without a token has placed. If there is neither, they
//! bypass the cache, with an MSHR.
//!
//! Beyond the source: tokens in the L2, and a token count that is found at run time; §6.2.4 only
//! sketches both. `spec/machine.md`, "Lines and sectors", has the points that the source leaves
//! open.

use serde::Deserialize;

use super::sampling::Sampling;
use super::slot::Build;
use super::tokens::{Choice, Tokens};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};

/// The most tokens of a scheduler: the number of an SM's warps.
const MOST_TOKENS: u32 = 1024;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "priority-allocation",
    sentence: "lets the oldest warps of each scheduler, which hold tokens, evict any line, and others only lines of their kind",
    options: &[
        (
            "tokens",
            "warps of each scheduler that hold a token of the first level, 0 to 1024; default 2",
        ),
        (
            "l2-tokens",
            "the next oldest warps, which hold one of the second level (`l2.allocation`), 0 to 1024; default 0",
        ),
        (
            "dynamic",
            "SMs try the counts of `counts`, and all use the best for a while; default false",
        ),
        (
            "counts",
            "the values of `tokens` that `dynamic` tries, 1 to 16 of them; default [1, 2, 4, 6]",
        ),
        ("sample", "cycles for which a count is tried, 1 to 1000000000; default 2000"),
        ("period", "cycles from one trial of all counts to the next, as `sample`; default 50000"),
    ],
    trials: &[
        &[("priority-allocation.tokens", "0")],
        &[("priority-allocation.tokens", "1")],
        &[
            ("priority-allocation.tokens", "1"),
            ("priority-allocation.l2-tokens", "2"),
            ("l2.allocation", "priority-allocation"),
        ],
        &[
            ("priority-allocation.dynamic", "true"),
            ("priority-allocation.sample", "200"),
            ("priority-allocation.period", "1500"),
        ],
    ],
    statistics: &[],
    build: &|table, shape| {
        let options: Options = options(table)?;
        options.check()?;
        let of = |tokens| Choice { tokens, l2_tokens: options.l2_tokens, warps: None };
        let sampling = options.dynamic.then(|| Sampling {
            choices: options.counts.len(),
            sample: u64::from(options.sample),
            period: u64::from(options.period),
        });
        let choices = options.counts.iter().map(|tokens| of(*tokens)).collect();
        Ok(Box::new(Tokens::new(of(options.tokens), choices, sampling, shape)))
    },
};

#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Options {
    tokens: u32,
    l2_tokens: u32,
    dynamic: bool,
    counts: Vec<u32>,
    sample: u32,
    period: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            tokens: 2,
            l2_tokens: 0,
            dynamic: false,
            counts: vec![1, 2, 4, 6],
            sample: 2000,
            period: 50_000,
        }
    }
}

impl Options {
    fn check(&self) -> Result<(), String> {
        check_range("tokens", self.tokens, 0..=MOST_TOKENS)?;
        check_range("l2-tokens", self.l2_tokens, 0..=MOST_TOKENS)?;
        for count in &self.counts {
            check_range("counts", *count, 0..=MOST_TOKENS)?;
        }
        if !(1..=16).contains(&self.counts.len()) {
            return Err(format!("`counts` has {} values; it must have 1 to 16", self.counts.len()));
        }
        check_range("sample", self.sample, 1..=1_000_000_000)?;
        check_range("period", self.period, 1..=1_000_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handles::WarpSlot;
    use crate::mechanisms::allocation::Level;
    use crate::mechanisms::allocation::{Allocation, CacheShape, LineAccess, Requester, Token};
    use crate::mechanisms::event::Event;
    use crate::mechanisms::replacement::Ways;
    use crate::mechanisms::setup::Setup;

    /// A cache of two sets of two ways, with settings.
    fn cache(settings: &str, level: Level) -> Box<dyn Allocation> {
        let table = settings.parse().expect("it is TOML");
        let shape = CacheShape { level, sets: 2, ways: 2 };
        (MECHANISM.build)(&Setup::of(&table), shape).expect("the options are good")
    }

    fn tokens(cache: &dyn Allocation, warps: u16) -> Vec<Token> {
        (0..warps).map(|warp| cache.token(WarpSlot(warp))).collect()
    }

    fn start(cache: &mut dyn Allocation, warp: u16, scheduler: u16, age: u64) {
        let warp = WarpSlot(warp);
        cache.on_event(&Event::WarpArrived { warp, scheduler, age, registers: 0, now: 0 });
    }

    /// An access of a line of set 0.
    fn access(token: Token) -> LineAccess {
        LineAccess { requester: Requester { token, ..Requester::NONE }, line: 0, set: 0 }
    }

    use Token::{First, None as No, Second};

    #[test]
    fn the_oldest_warps_of_each_scheduler_hold_tokens_until_they_end() {
        let mut cache = cache("tokens = 1\nl2-tokens = 1", Level::First);
        for warp in 0..6 {
            start(&mut *cache, warp, warp % 2, 1 << 16 | u64::from(warp));
        }
        assert_eq!(tokens(&*cache, 6), [First, First, Second, Second, No, No]);
        // The one without a token ends: nothing changes. Then the holder: the next oldest follow.
        cache.on_event(&Event::ThreadsEnded { warp: WarpSlot(4), now: 0 });
        assert_eq!(tokens(&*cache, 6), [First, First, Second, Second, No, No]);
        cache.on_event(&Event::ThreadsEnded { warp: WarpSlot(0), now: 0 });
        assert_eq!(tokens(&*cache, 6), [No, First, First, Second, No, No]);
        // A warp of a later block takes the hardware warp of the first: it is the youngest.
        start(&mut *cache, 0, 0, 2 << 16);
        assert_eq!(tokens(&*cache, 6), [Second, First, First, Second, No, No]);
        start(&mut *cache, 4, 0, 2 << 16 | 1);
        cache.on_event(&Event::ThreadsEnded { warp: WarpSlot(2), now: 0 });
        assert_eq!(tokens(&*cache, 6), [First, First, No, Second, Second, No]);
    }

    #[test]
    fn without_a_token_only_unprotected_lines_are_evicted() {
        let mut cache = cache("", Level::First);
        let all = || Ways::all(2);
        // The set is empty; then one line each has been placed.
        assert!(cache.allocates(&access(No), true));
        cache.on_event(&Event::LinePlaced { access: &access(No), way: 0 });
        cache.on_event(&Event::LinePlaced { access: &access(First), way: 1 });
        assert!(cache.allocates(&access(No), true));
        let only_first: Vec<usize> = cache.victims(&access(No), all()).iter().collect();
        assert_eq!(only_first, [0]);
        assert_eq!(cache.victims(&access(First), all()), all());
        // A token of the other level does not count here.
        assert_eq!(cache.victims(&access(Second), all()).len(), 1);
        // Now both are protected: others bypass, and do not wait for a way; the holder always
        // allocates.
        cache.on_event(&Event::LinePlaced { access: &access(First), way: 0 });
        assert!(!cache.allocates(&access(No), true));
        assert!(cache.victims(&access(No), all()).is_empty());
        assert!(cache.allocates(&access(First), false));
        // The other set is still empty: a miss waits for a way there.
        let other = LineAccess { set: 1, ..access(No) };
        assert!(cache.allocates(&other, true) && cache.allocates(&other, false));
        // A way is empty again. If a line is due to fill it, nothing waits for the other way.
        cache.on_event(&Event::LineDropped { set: 0, way: 1 });
        assert!(cache.allocates(&access(No), true) && !cache.allocates(&access(No), false));
    }

    #[test]
    fn an_access_with_a_token_takes_a_miss_over() {
        let (first, second) = (cache("", Level::First), cache("", Level::Second));
        let by = |token| access(token).requester;
        assert!(first.takes_over(&by(First), &by(No)) && !first.takes_over(&by(No), &by(First)));
        assert!(!first.takes_over(&by(First), &by(First)));
        assert!(second.takes_over(&by(Second), &by(First)));
        assert!(!second.takes_over(&by(First), &by(No)));
    }

    #[test]
    fn another_count_is_tried() {
        let mut cache = cache("dynamic = true\ncounts = [1, 3]\nsample = 10", Level::First);
        let expected = Sampling { choices: 2, sample: 10, period: 50_000 };
        assert_eq!(cache.properties().sampling, Some(expected));
        for warp in 0..4 {
            start(&mut *cache, warp, 0, u64::from(warp));
        }
        assert_eq!(tokens(&*cache, 4), [First, First, No, No]);
        cache.on_event(&Event::ChoiceMade { choice: 1 });
        assert_eq!(tokens(&*cache, 4), [First, First, First, No]);
        // The youngest holders lose theirs at once.
        cache.on_event(&Event::ChoiceMade { choice: 0 });
        assert_eq!(tokens(&*cache, 4), [First, No, No, No]);
    }

    #[test]
    fn options_are_checked() {
        let build = |text: &str| {
            let shape = CacheShape { level: Level::First, sets: 1, ways: 1 };
            (MECHANISM.build)(&Setup::of(&text.parse().expect("it is TOML")), shape).err()
        };
        for (text, expected) in [
            ("tokens = 1025", "`tokens` is 1025; it must be a whole number from 0 to 1024"),
            ("counts = []", "`counts` has 0 values; it must have 1 to 16"),
            ("sample = 0", "`sample` is 0; it must be a whole number from 1 to 1000000000"),
        ] {
            assert_eq!(build(text).as_deref(), Some(expected));
        }
        assert!(build("token = 1").is_some_and(|error| error.contains("unknown field")));
    }
}

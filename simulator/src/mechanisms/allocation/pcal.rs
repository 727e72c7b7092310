//! `pcal`: only warps that hold a token may evict lines, and only a limited number of warps run at
//! all; both counts are learned (priority-based cache allocation).
//!
//! Source: Aamodt, Fung, Rogers, §4.4.7, after Li et al., "Priority-based cache allocation in
//! throughput processors", HPCA 2015. Among the *W* warps that may be scheduled, *T* hold tokens;
//! the others are non-polluting: they may not evict lines that token holders placed. `learn =
//! "tokens"` is the text's dynPCAL-MTLP: all warps run, SMs try different *T*, and the best is
//! used.
//!
//! The text's dynPCAL-CCWS is `learn = "tokens"` with the scheduler `ccws` and its option `settle`:
//! the scores of `ccws` set *W*, whose changes then follow the use of shared structures, and trials
//! here determine *T* under that *W*.
//!
//! Decisions where the text is open: tokens are those of `priority-allocation`, whose author is one
//! of the source's; the choices and the length of their trials. Ours: `learn = "both"` tries pairs of
//! *W* and *T*. Here a scheduler of an SM has *W* and *T* of its own; the *W* of `ccws` is per core.

use serde::Deserialize;

use super::sampling::Sampling;
use super::slot::Build;
use super::tokens::{Choice, Tokens};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};

/// The most warps of a scheduler.
const MOST: u32 = 128;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "pcal",
    sentence: "runs so many warps of each scheduler, of which those with tokens may evict any line, and learns both counts",
    options: &[
        ("warps", "warps of each scheduler that run (W), the oldest, 1 to 128; default 128"),
        ("tokens", "of these, warps that hold a token (T), 0 to 128; default 2"),
        ("learn", "`none`, `tokens` (all warps run, and SMs try different T; default) or `both`"),
        ("token-counts", "the values of T that are tried, 1 to 4 of them; default [1, 2, 4, 8]"),
        ("warp-counts", "the values of W that are tried, 1 to 4 of them; default [4, 8, 16, 128]"),
        ("sample", "cycles for which a choice is tried, 1 to 1000000000; default 2000"),
        ("period", "cycles from one trial of all to the next, as `sample`; default 50000"),
    ],
    trials: &[
        &[("pcal.learn", "none"), ("pcal.warps", "1"), ("pcal.tokens", "1")],
        &[("pcal.learn", "both"), ("pcal.sample", "100"), ("pcal.period", "2000")],
        &[("pcal.sample", "200"), ("pcal.period", "1500")],
    ],
    statistics: &[],
    build: &|table, shape| {
        let options: Options = options(table)?;
        options.check()?;
        let limit = |warps: u32| (warps < MOST).then_some(warps);
        let choice = |warps, tokens| Choice { tokens, l2_tokens: 0, warps: limit(warps) };
        let tokens = options.token_counts.iter().copied();
        let choices: Vec<Choice> = match options.learn {
            Learn::None => Vec::new(),
            Learn::Tokens => tokens.map(|tokens| choice(MOST, tokens)).collect(),
            Learn::Both => {
                let warps = options.warp_counts.iter().copied();
                warps
                    .flat_map(|warps| tokens.clone().map(move |it| (warps, it)))
                    .map(|(warps, tokens)| choice(warps, tokens.min(warps)))
                    .collect()
            }
        };
        let sampling = (!choices.is_empty()).then(|| Sampling {
            choices: choices.len(),
            sample: u64::from(options.sample),
            period: u64::from(options.period),
        });
        let fixed = choice(options.warps, options.tokens);
        Ok(Box::new(Tokens::new(fixed, choices, sampling, shape)))
    },
};

#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Options {
    warps: u32,
    tokens: u32,
    learn: Learn,
    token_counts: Vec<u32>,
    warp_counts: Vec<u32>,
    sample: u32,
    period: u32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Learn {
    None,
    Tokens,
    Both,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            warps: MOST,
            tokens: 2,
            learn: Learn::Tokens,
            token_counts: vec![1, 2, 4, 8],
            warp_counts: vec![4, 8, 16, MOST],
            sample: 2000,
            period: 50_000,
        }
    }
}

impl Options {
    fn check(&self) -> Result<(), String> {
        check_range("warps", self.warps, 1..=MOST)?;
        check_range("tokens", self.tokens, 0..=MOST)?;
        for (key, counts, least) in
            [("token-counts", &self.token_counts, 0), ("warp-counts", &self.warp_counts, 1)]
        {
            if !(1..=4).contains(&counts.len()) {
                return Err(format!("`{key}` has {} values; it must have 1 to 4", counts.len()));
            }
            counts.iter().try_for_each(|count| check_range(key, *count, least..=MOST))?;
        }
        check_range("sample", self.sample, 1..=1_000_000_000)?;
        check_range("period", self.period, 1..=1_000_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handles::WarpSlot;
    use crate::mechanisms::allocation::{Allocation, CacheShape, Level, Token};
    use crate::mechanisms::event::Event;
    use crate::mechanisms::setup::Setup;

    fn cache(settings: &str) -> Box<dyn Allocation> {
        let table = settings.parse().expect("it is TOML");
        let shape = CacheShape { level: Level::First, sets: 2, ways: 2 };
        (MECHANISM.build)(&Setup::of(&table), shape).expect("the options are good")
    }

    #[test]
    fn so_many_warps_run_and_so_many_hold_tokens() {
        let mut cache = cache("learn = \"none\"\nwarps = 3\ntokens = 1");
        for warp in 0..4 {
            cache.on_event(&Event::WarpArrived {
                warp: WarpSlot(warp),
                scheduler: 0,
                age: u64::from(warp),
                registers: 0,
                now: 0,
            });
        }
        assert!(cache.properties().limits_warps && cache.properties().sampling.is_none());
        assert_eq!(cache.warp_limit(), 3);
        let tokens: Vec<_> = (0..4).map(|warp| cache.token(WarpSlot(warp))).collect();
        assert_eq!(tokens, [Token::First, Token::None, Token::None, Token::None]);
    }

    #[test]
    fn pairs_of_both_are_tried() {
        let mut cache = cache("learn = \"both\"\ntoken-counts = [1, 4]\nwarp-counts = [2, 128]");
        assert_eq!(cache.properties().sampling.map(|sampling| sampling.choices), Some(4));
        let limits = [0, 1, 2, 3].map(|choice| {
            cache.on_event(&Event::ChoiceMade { choice });
            cache.warp_limit()
        });
        assert_eq!(limits, [2, 2, u32::MAX, u32::MAX]);
    }

    #[test]
    fn options_are_checked() {
        let shape = CacheShape { level: Level::First, sets: 1, ways: 1 };
        let build = |text: &str| {
            (MECHANISM.build)(&Setup::of(&text.parse().expect("it is TOML")), shape).err()
        };
        let expected = "`warps` is 0; it must be a whole number from 1 to 128";
        assert_eq!(build("warps = 0").as_deref(), Some(expected));
        let expected = "`warp-counts` has 5 values; it must have 1 to 4";
        assert_eq!(build("warp-counts = [1, 2, 3, 4, 5]").as_deref(), Some(expected));
    }
}

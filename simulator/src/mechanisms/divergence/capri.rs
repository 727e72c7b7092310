//! `capri`: block compaction whose warps wait only where that has paid off before.
//!
//! Source: Rhu's dissertation, §4.2 (compaction-adequacy prediction, after Rhu and Erez, ISCA 2012)
//! and §4.5.3 (the variant without a table). A warp that does not diverge continues. One that
//! diverges at a branch missing from the table (CAPT) stalls, and the branch enters the table as
//! adequate; at a known branch its history decides between stall and bypass. When all warps of an
//! entry have arrived at their branches, the scheme evaluates the gain of compaction if all had
//! waited, and updates the history. An SM has one table for all of its blocks.
//!
//! Differences, and points that the paper leaves open: those of the stack in `block_wide`. A branch
//! is adequate if, for either side, compaction makes fewer warps than arrived with threads of that
//! side (Figure 4.9 draws one side). When a warp bypasses, its first side continues, and the other
//! starts as a warp of its own when its entry does. A warp that arrives whole at a reconvergence
//! point continues, as it does at a branch. The counter saturates at 0 and 3, predicts adequate
//! from 2 on, and starts at 2.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use super::block_wide::{AtBranch, BlockStack, Decision, PATHS, Policy, paths_in_range};
use super::counts::Closed;
use super::slot::Build;
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::observe::scheme_state::BranchHistory;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "capri",
    sentence: "thread-block compaction with a per-branch predictor: warps wait for compaction only \
               where it is predicted to help",
    options: &[
        (
            "history",
            "history that the predictor keeps of a branch: `latest`, the last outcome; `sticky`, whether \
             a warp ever diverged there; `counter2`, a 2-bit saturating counter; or `none`: no predictor, \
             every warp that diverges waits",
        ),
        (
            "entries",
            "branches that the predictor holds, 1 to 1024; default 32; the least recently used \
             entry is evicted",
        ),
        PATHS,
    ],
    trials: &[
        &[("capri.history", "counter2"), ("capri.entries", "2"), ("sm.warp-width", "4")],
        &[("capri.history", "sticky"), ("capri.entries", "1")],
        &[("capri.history", "none"), ("lane-permutation", "warp-id")],
        &[("capri.paths", "2"), ("lane-permutation", "balanced")],
    ],
    statistics: &[],
    build: &|table| {
        let Options { history, entries, paths } = options(table)?;
        check_range("entries", entries, 1..=1024)?;
        let capri = Box::new(Capri::new(history, entries));
        Ok(Box::new(BlockStack::with_paths(capri, paths_in_range(paths)?)))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    history: History,
    entries: usize,
    paths: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { history: History::Latest, entries: 32, paths: 1 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum History {
    Latest,
    Sticky,
    Counter2,
    None,
}

impl History {
    /// The least value that predicts adequate; a branch starts with it.
    fn adequate(self) -> u8 {
        if self == History::Counter2 { 2 } else { 1 }
    }

    /// The new value after an evaluation.
    fn update(self, value: u8, adequate: bool) -> u8 {
        match (self, adequate) {
            (History::Sticky | History::None, _) => value,
            (History::Latest, adequate) => u8::from(adequate),
            (History::Counter2, true) => (value + 1).min(3),
            (History::Counter2, false) => value.saturating_sub(1),
        }
    }
}

/// The compaction-adequacy prediction table: branches with their histories, the one used last in
/// front. Histories of one bit are 0 or 1.
#[derive(Debug, Default)]
struct Capt {
    rows: Vec<(u32, u8)>,
}

impl Capt {
    /// The history of a branch, which is used now.
    fn look_up(&mut self, branch: u32) -> Option<&mut u8> {
        let at = self.rows.iter().position(|(known, _)| *known == branch)?;
        self.rows[..=at].rotate_right(1);
        Some(&mut self.rows[0].1)
    }

    /// A branch that was not there enters.
    fn enter(&mut self, branch: u32, value: u8, entries: usize) {
        self.rows.truncate(entries - 1);
        self.rows.insert(0, (branch, value));
    }
}

struct Capri {
    history: History,
    entries: usize,
    table: Arc<Mutex<Capt>>,
}

impl Capri {
    fn new(history: History, entries: usize) -> Capri {
        Capri { history, entries, table: Arc::default() }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Capt) -> T) -> T {
        act(&mut self.table.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Policy for Capri {
    fn decide(&mut self, branch: &AtBranch) -> Decision {
        if !branch.conditional {
            return Decision::Ignore;
        }
        if !branch.diverges {
            return Decision::Bypass;
        }
        if self.history == History::None {
            return Decision::Stall;
        }
        let adequate = self.history.adequate();
        self.with(|table| match table.look_up(branch.pc) {
            Some(&mut value) if value < adequate => Decision::Bypass,
            Some(_) => Decision::Stall,
            None => {
                table.enter(branch.pc, adequate, self.entries);
                Decision::Stall
            }
        })
    }

    fn closed(&mut self, branch: &Closed) {
        if !branch.diverged {
            return;
        }
        self.with(|table| {
            // Others may have driven it out.
            if let Some(value) = table.look_up(branch.pc) {
                *value = self.history.update(*value, branch.adequate);
            }
        });
    }

    fn passes_reconvergence(&self) -> bool {
        true
    }

    fn sibling(&self) -> Option<Box<dyn Policy>> {
        let Capri { history, entries, ref table } = *self;
        Some(Box::new(Capri { history, entries, table: table.clone() }))
    }

    fn predictions(&self) -> Vec<BranchHistory> {
        let row = |&(pc, history): &(u32, u8)| BranchHistory { pc, history };
        self.with(|table| table.rows.iter().map(row).collect())
    }

    fn fingerprint(&self, hash: &mut dyn Hasher) {
        let mut hash = hash;
        self.with(|table| table.rows.hash(&mut hash));
    }
}

//! The accesses that threads may release, and those they have acquired.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Up to where a thread's accesses, and those ordered before them, are released.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cover {
    /// The thread's own before this time.
    pub until: u32,
    /// Time up to which accesses of its block are ordered.
    pub opened: u32,
    /// Time up to which accesses of its warp are ordered.
    pub synced: u32,
}

/// The accesses that a thread may release.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    /// For threads of the same block, and for all.
    pub covers: [Cover; 2],
    /// By lane of its warp, up to where it has synchronised with them, where that differs.
    pub lanes: Option<Arc<[u32]>>,
    /// By thread, up to where fences had made accesses ready before a barrier that the releasing thread has passed.
    pub fenced: Option<Arc<[u32]>>,
}

impl Ready {
    pub fn adds_nothing_to(&self, other: &Ready) -> bool {
        let same_fenced = match (&self.fenced, &other.fenced) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_fenced && self.covers == other.covers && self.lanes == other.lanes
    }
}

/// The accesses that a thread has acquired: for each place, by number, the last version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Knowledge(BTreeMap<u32, u32>);

impl Knowledge {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The places, and up to which version they are known.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.iter().map(|(&place, &version)| (place, version))
    }

    pub fn join(&mut self, other: &Knowledge) {
        for (&place, &version) in &other.0 {
            self.learn(place, version);
        }
    }

    pub fn learn(&mut self, place: u32, version: u32) {
        let known = self.0.entry(place).or_default();
        *known = version.max(*known);
    }
}

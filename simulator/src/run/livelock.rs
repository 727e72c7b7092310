//! Finding out that nothing will ever happen again.
//!
//! A spin lock whose holder waits for the spinners never ends. If memory stays the same for a long
//! time, no thread ends and no barrier is passed, the architectural state of each path is recorded
//! at its backward branches. If memory still does not change and a path returns to an earlier
//! state, it will do so forever. When every path that does not wait at a barrier has done so, the
//! kernel is stuck for certain.
//!
//! A path that dequeues depends on the second stream of the kernel as well, its *producer*, which
//! depends on no path. So the state of the path includes the producer's state after the path's last
//! dequeued record, which decides all later ones. A path that waits to dequeue is compared where
//! the producer takes a backward branch, together with the producer's state: if both are unchanged,
//! nothing was enqueued for it in between, and nothing will be.
//!
//! The search costs time, so it is limited to an eighth of the stretch, and repeated after twice
//! the stretch when it does not end.

use std::collections::BTreeMap;

use crate::block::path::SlotId;

/// The owner of a compared state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A path, by its block's number and its slot, at backward branches that it takes.
    Path(u64, SlotId),
    /// Such a path where it waits to dequeue, when the producer takes a backward branch.
    Waiter(u64, SlotId),
    /// The producer of an SM, which executes the second stream, when it takes a backward branch; of SM 0 in the
    /// functional model.
    Producer(usize),
}

/// The entries that still arrive in the queues of warps as long as all paths continue as now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Producers {
    /// Perhaps something.
    MayGoOn,
    /// Nothing, if the SM's producer only recurs.
    MayRecur,
    /// Nothing.
    AreStuck,
}

/// A backward branch of a path or a producer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BackwardBranch {
    pub key: Key,
    /// The target.
    pub pc: u32,
    /// The fingerprint of the state at the target.
    pub state: u64,
}

/// The remembered state of a path: Brent's algorithm finds a cycle with one state kept.
struct Seen {
    state: u64,
    /// Backward branches since the state was kept.
    steps: u64,
    /// The count after which the current state is kept instead.
    limit: u64,
    /// The place where it was found in an earlier state.
    recurs: Option<u32>,
}

/// Watches a kernel for the lack of progress.
pub(crate) struct Watch {
    patience: u64,
    /// The instruction count at which the next search starts.
    start: u64,
    /// The length of the stretch that leads to it.
    stretch: u64,
    /// The states seen in the current search, and its end.
    search: Option<(BTreeMap<Key, Seen>, u64)>,
}

impl Watch {
    pub(crate) fn new(patience: u64) -> Watch {
        let patience = patience.max(1);
        Watch { patience, start: patience, stretch: patience, search: None }
    }

    /// Something happened that others can see.
    #[inline]
    pub(crate) fn progress(&mut self, instructions: u64) {
        self.start = instructions + self.patience;
        self.stretch = self.patience;
        self.search = None;
    }

    /// Returns true if backward branches are of interest now.
    #[inline]
    pub(crate) fn is_searching(&self, instructions: u64) -> bool {
        instructions >= self.start
    }

    /// Records a backward branch. Returns true if its state now recurs and did not before: then it is
    /// worth calling [`Watch::all_recur`].
    pub(crate) fn backward(&mut self, branch: BackwardBranch, instructions: u64) -> bool {
        let BackwardBranch { key, pc, state } = branch;
        let end = instructions + (self.stretch / 8).max(64);
        let (all, end) = self.search.get_or_insert_with(|| (BTreeMap::new(), end));
        if instructions > *end {
            self.stretch = self.stretch.saturating_mul(2);
            self.start = instructions.saturating_add(self.stretch);
            self.search = None;
            return false;
        }
        let Some(seen) = all.get_mut(&key) else {
            let seen = Seen { state, steps: 0, limit: 1, recurs: None };
            all.insert(key, seen);
            return false;
        };
        if seen.state == state {
            let is_new = seen.recurs.is_none();
            seen.recurs.get_or_insert(pc);
            return is_new;
        }
        seen.steps += 1;
        if seen.steps == seen.limit {
            (seen.state, seen.steps, seen.limit) = (state, 0, seen.limit * 2);
        }
        false
    }

    /// The place where a path or producer was found to recur.
    pub(crate) fn place(&self, key: Key) -> Option<u32> {
        self.search.as_ref()?.0.get(&key)?.recurs
    }

    /// Returns true if all of the given recur; paths in their turns, or waiting to dequeue.
    pub(crate) fn all_recur(&self, mut all: impl Iterator<Item = Key>) -> bool {
        let recurs = |key: Key| self.place(key).is_some();
        all.all(|key| match key {
            Key::Path(block, slot) => recurs(key) || recurs(Key::Waiter(block, slot)),
            key => recurs(key),
        })
    }
}

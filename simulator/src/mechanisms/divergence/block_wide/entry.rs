//! The entries of a block-wide stack.

use reconverge_isa::Annotations;

use super::threads::Threads;
use crate::block::path::{Lanes, Path, SlotId};

/// An entry's place in the table of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct EntryId(u32);

/// A region of code that some of a block's threads go through, up to where they meet others.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    /// The PC where it starts, or where it continues when the entries above it have reconverged.
    pub(super) pc: u32,
    /// Its reconvergence point.
    pub(super) reconvergence_pc: u32,
    /// The entry that continues there: its PC is that place.
    pub(super) parent: Option<EntryId>,
    /// Entries whose parent it is.
    pub(super) children: u32,
    /// Warps may still arrive at its branch, so it cannot start.
    pub(super) open: bool,
    /// It has started: its warps are in flight.
    pub(super) active: bool,
    /// WCnt: warps in flight; they may be some instructions ahead of an entry that has not started.
    pub(super) warps: u32,
    /// Warps that wait at a barrier of the block, or for lanes that are elsewhere.
    pub(super) parked: u32,
    /// All of its threads that have not ended.
    pub(super) members: Threads,
    /// Threads that are to be put into warps when it starts.
    pub(super) waiting: Threads,
    /// Warps that have bypassed compaction, and start with it as they are.
    pub(super) kept: Vec<Lanes>,
    /// Warps that have run ahead and are at their next branch.
    pub(super) held: Vec<Held>,
    /// Branches at which its warps have arrived.
    pub(super) forks: Vec<Fork>,
    /// In lockstep, warps in flight that have executed their instruction, with the slots that they
    /// had.
    pub(super) abreast: Vec<(SlotId, Path)>,
    /// Threads that are to act together, by instruction.
    pub(super) gathering: Vec<(u32, Threads)>,
}

/// A warp that has executed a branch.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) lanes: Lanes,
    pub(super) pc: u32,
    pub(super) taken: u64,
    pub(super) target: u32,
    pub(super) conditional: bool,
    pub(super) annotations: Annotations,
}

/// A branch at which warps of an entry have arrived.
#[derive(Clone, Debug)]
pub(super) struct Fork {
    pub(super) pc: u32,
    pub(super) conditional: bool,
    pub(super) annotations: Annotations,
    /// The entry that continues at the reconvergence point.
    pub(super) join: Option<EntryId>,
    /// True if that entry was made for this branch.
    pub(super) owns_join: bool,
    /// The threads that go to the target, and the others.
    pub(super) sides: [Side; 2],
    pub(super) diverged: bool,
    pub(super) stalled: u32,
    pub(super) bypassed: u32,
    /// The threads of warps that have bypassed: UMask.
    pub(super) ahead: Threads,
}

/// A path of a branch.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) pc: u32,
    /// Its entry, once it has threads and is not the reconvergence point itself.
    pub(super) entry: Option<EntryId>,
    /// All threads that have gone there.
    pub(super) threads: Threads,
    /// Warps that arrived with threads of this side.
    pub(super) arrived: u32,
}

/// The table of entries.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    table: Vec<Entry>,
    free: Vec<EntryId>,
}

impl Entries {
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.free.clear();
    }

    pub(super) fn add(&mut self, entry: Entry) -> EntryId {
        if let Some(id) = self.free.pop() {
            self.table[id.0 as usize] = entry;
            return id;
        }
        self.table.push(entry);
        EntryId(self.table.len() as u32 - 1)
    }

    pub(super) fn remove(&mut self, id: EntryId) {
        self.free.push(id);
    }

    pub(super) fn get(&self, id: EntryId) -> &Entry {
        &self.table[id.0 as usize]
    }

    pub(super) fn get_mut(&mut self, id: EntryId) -> &mut Entry {
        &mut self.table[id.0 as usize]
    }
}

impl Entry {
    /// Returns true if it can start now.
    pub(super) fn can_start(&self) -> bool {
        !self.active && !self.open && self.children == 0
    }

    /// Returns true if all of its warps have arrived at a point where they wait, and it can
    /// continue from there.
    pub(super) fn is_settled(&self) -> bool {
        let leads_on = !self.forks.is_empty() || !self.gathering.is_empty() || self.parked == 0;
        self.active && self.warps == 0 && leads_on
    }

    /// Returns true if it has no thread, waiting or in flight.
    pub(super) fn is_untouched(&self) -> bool {
        self.warps == 0 && self.waiting.is_empty() && self.kept.is_empty()
    }
}

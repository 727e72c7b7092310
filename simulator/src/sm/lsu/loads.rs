//! In-flight loads and atomics: the registers that each writes, the number of its outstanding parts, and
//! the pending request table.
//!
//! Sources: Nyland, Nickolls, Hirota, Mandal, "Systems and methods for coalescing memory accesses of
//! parallel threads", US patent 8,086,806 (a table entry per load keeps the requests of its threads until
//! all have returned); Lashgar, Salehi, Baniasadi, "A
//! Case Study in Reverse Engineering GPGPUs: Outstanding Memory Handling Resources", SIGARCH Computer
//! Architecture News 43(4), 2016 (its size limits the loads that are outstanding). Ours: a load or atomic
//! of global or local memory takes an entry when its first line is looked up. It gives the entry back
//! when its last line is there: a load that hits needs one for its lookups only.

use crate::block::path::SlotId;
use crate::handles::{BlockSlot, LoadId, RegisterRow};
use crate::mechanisms::register_file::ResultRegisters;
use crate::program::decoded::Entries;

/// An in-flight load or atomic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    /// Its block among the SM's block slots.
    pub(crate) block: BlockSlot,
    /// The path slot of the block that it issued from.
    pub(crate) slot: SlotId,
    /// The scoreboard entries that it writes.
    pub(crate) writes: Entries,
    /// The registers that it writes.
    pub(crate) result: Option<ResultRegisters>,
    /// The lanes in which it writes, except those that have their registers already.
    pub(crate) lanes: u64,
    /// The register that it fills from the backing store, if it belongs to no instruction.
    pub(crate) filled: Option<RegisterRow>,
    /// It has an entry of the pending request table.
    is_pending: bool,
    /// Parts that are not there yet.
    remaining: u32,
    /// The arrival of the latest known part.
    done: u64,
    /// From the first part of its result to the last at least, and the cycles in which it takes the way to registers.
    pub(crate) transfer: u8,
    pub(crate) cycles: u8,
    /// It ends after older loads of its warp of which that is said too.
    pub(crate) is_ordered: bool,
    /// It copies to shared memory, and writes no register.
    pub(crate) is_copy: bool,
}

impl Load {
    /// A load of a block's path slot: it writes some entries, which are registers, in some lanes.
    pub(crate) fn new(
        block: BlockSlot,
        slot: SlotId,
        writes: Entries,
        result: Option<ResultRegisters>,
        lanes: u64,
    ) -> Load {
        Load {
            block,
            slot,
            writes,
            result,
            lanes,
            filled: None,
            is_pending: false,
            remaining: 0,
            done: 0,
            transfer: 0,
            cycles: 0,
            is_ordered: false,
            is_copy: false,
        }
    }

    /// A register of a hardware warp that is loaded from its backing store.
    pub(crate) fn of_register(row: RegisterRow) -> Load {
        let load = Load::new(BlockSlot(0), SlotId(0), Entries::default(), None, 0);
        Load { filled: Some(row), ..load }
    }

    /// The arrival of the latest known part, if others are outstanding.
    pub(super) fn pending_since(&self) -> Option<u64> {
        (self.remaining != 0).then_some(self.done)
    }
}

/// The in-flight loads and atomics of an SM.
#[derive(Debug, Default)]
pub(super) struct Loads {
    loads: Vec<Load>,
    free: Vec<LoadId>,
    /// Loads with a known end, with the cycle in which their registers arrive.
    finished: Vec<(LoadId, u64)>,
    /// Entries of the pending request table, and those that are taken; 0 for no limit.
    entries: u32,
    taken: u32,
}

impl Loads {
    /// With a pending request table of so many entries, or 0 for one without a limit.
    pub(super) fn new(entries: u32) -> Loads {
        Loads { entries, ..Loads::default() }
    }

    /// Returns true if a load that has no entry of the pending request table would get one.
    pub(super) fn has_entry(&self) -> bool {
        self.entries == 0 || self.taken < self.entries
    }

    /// A load needs an entry of the pending request table. Returns true if it has one now.
    #[inline]
    pub(super) fn take_entry(&mut self, id: LoadId) -> bool {
        self.entries == 0 || self.loads[id.0 as usize].is_pending || self.take_new_entry(id)
    }

    fn take_new_entry(&mut self, id: LoadId) -> bool {
        let has_entry = self.has_entry();
        self.loads[id.0 as usize].is_pending = has_entry;
        self.taken += u32::from(has_entry);
        has_entry
    }

    /// Registers a load of `parts` parts.
    pub(super) fn start(&mut self, mut load: Load, parts: u32) -> LoadId {
        load.remaining = parts;
        match self.free.pop() {
            Some(id) => {
                self.loads[id.0 as usize] = load;
                id
            }
            None => {
                self.loads.push(load);
                LoadId(self.loads.len() as u32 - 1)
            }
        }
    }

    pub(super) fn get(&self, id: LoadId) -> &Load {
        &self.loads[id.0 as usize]
    }

    /// Lanes of a load have their registers, all but some.
    pub(super) fn part(&mut self, id: LoadId, missed: u64) {
        self.loads[id.0 as usize].lanes &= missed;
    }

    /// A part of a load arrives at a cycle.
    #[inline]
    pub(super) fn finish_part(&mut self, id: LoadId, cycle: u64) {
        let load = &mut self.loads[id.0 as usize];
        if load.done == 0 {
            load.done = cycle + u64::from(load.transfer);
        }
        load.done = load.done.max(cycle);
        load.remaining = load.remaining.saturating_sub(1);
        if load.remaining == 0 {
            self.taken -= u32::from(load.is_pending);
            self.finished.push((id, load.done));
        }
    }

    /// Returns true if the end of a load has become known.
    #[inline]
    pub(super) fn has_finished(&self) -> bool {
        !self.finished.is_empty()
    }

    /// A load with a known end, with the cycle in which its registers arrive. Its number is not free.
    pub(super) fn take_finished(&mut self) -> Option<(LoadId, Load, u64)> {
        let (id, ready) = self.finished.pop()?;
        Some((id, self.loads[id.0 as usize], ready))
    }

    /// The number of a load that was taken is free.
    pub(super) fn forget(&mut self, id: LoadId) {
        self.free.push(id);
    }

    /// Returns true if no load is in flight.
    pub(super) fn is_empty(&self) -> bool {
        self.free.len() == self.loads.len() && self.taken == 0
    }
}

//! In-flight loads and atomics: the registers that each writes, and the number of its outstanding
//! parts.

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
    /// Parts that are not there yet.
    remaining: u32,
    /// The arrival of the latest known part.
    done: u64,
    /// From the first part of its result to the last at least, and the cycles in which it takes the way to registers.
    pub(crate) transfer: u8,
    pub(crate) cycles: u8,
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
            remaining: 0,
            done: 0,
            transfer: 0,
            cycles: 0,
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
}

impl Loads {
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
        self.free.len() == self.loads.len()
    }
}

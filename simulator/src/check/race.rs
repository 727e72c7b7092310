//! Whether an access is ordered after those that are remembered of the same place.

use super::clock::Clocks;
use super::event::Seen;
use super::order::Places;
use super::shadow::{Cell, Entry, Mode, Plane, Record, lane};
use crate::execute::lanes::lanes_of;

/// Of `Cell::reads[1]`: the two reads are of different blocks, and no other tells more.
const APART: Record = 1 << 31;

/// A lane of an access, which is about to take place.
pub(super) struct Now<'a, 's> {
    pub clocks: &'a Clocks,
    pub places: &'a Places,
    pub seen: &'a Seen<'s>,
    /// The lanes that access this memory.
    pub lanes: u64,
    /// This one of them.
    pub at: usize,
    pub mode: Mode,
    /// Its record: the entry of its warp, and the lane in which its thread was born.
    pub me: Record,
    pub warp: u16,
    pub width: usize,
}

impl Now<'_, '_> {
    /// Compares the access with those remembered, tells of those that it races with, and is remembered.
    #[inline(always)]
    pub fn visit(&self, cell: &mut Cell, entries: &[Entry], mut hit: impl FnMut(Record)) {
        let mut compare = |record: Record| {
            let record = record & !APART;
            if record != 0 && !self.follows(record, entries) {
                hit(record);
            }
        };
        match (self.mode.writes(), self.mode.is_strong()) {
            (false, strong) => {
                if cell.reads[0] == self.me || cell.reads[1] & !APART == self.me {
                    return;
                }
                compare(cell.write);
                if !strong
                    || self.is_out_of_scope(cell.strong, entries)
                    || self.needs_lock_step(cell.strong, entries)
                {
                    compare(cell.strong);
                }
                if cell.reads[1] & APART == 0 {
                    self.keep_read(cell, entries);
                }
            }
            (true, true) => {
                if cell.strong == self.me {
                    return;
                }
                compare(cell.write);
                for read in cell.reads {
                    let is_strong = || Plane::of(entries, read & !APART).mode.is_strong();
                    if read != 0 && (!is_strong() || self.is_out_of_scope(read, entries)) {
                        compare(read);
                    }
                }
                if self.is_out_of_scope(cell.strong, entries) {
                    compare(cell.strong);
                }
                cell.strong = self.me;
            }
            (true, false) => {
                compare(cell.write);
                cell.reads.into_iter().for_each(&mut compare);
                compare(cell.strong);
                *cell = Cell { write: self.me, ..Cell::default() };
            }
        }
    }

    /// Remembers a read beside or instead of others. Two are enough for barriers: a later writer is of another
    /// block, or warp, or is another lane, than one of them.
    fn keep_read(&self, cell: &mut Cell, entries: &[Entry]) {
        let (block, me) = (self.clocks.block, self.me);
        let [first, second] = cell.reads;
        if first == 0 {
            cell.reads[0] = me;
            return;
        }
        let one = Plane::of(entries, first);
        if self.is_own(&one, first) {
            cell.reads[0] = me;
            return;
        }
        if one.block != block {
            cell.reads[1] = me | APART;
            return;
        }
        if second == 0 {
            cell.reads[1] = me;
            return;
        }
        let other = Plane::of(entries, second);
        if self.is_own(&other, second) || self.has_passed(&other, second) {
            cell.reads[1] = me;
        } else if self.has_passed(&one, first) {
            cell.reads[0] = me;
        } else if one.warp == other.warp && one.warp != self.warp {
            cell.reads[1] = me;
        }
    }

    /// Whether one of this access and a strong one is an atomic for its block only, and the other is of another block.
    #[inline(always)]
    fn is_out_of_scope(&self, record: Record, entries: &[Entry]) -> bool {
        record != 0 && {
            let entry = Plane::of(entries, record & !APART);
            (self.mode.is_narrow() || entry.mode.is_narrow()) && entry.block != self.clocks.block
        }
    }

    /// Whether this volatile load finds what a volatile store of its own warp has written: not a race, but if no `__syncwarp` orders the two,
    /// another order of the lanes gives another value. (The other way round it would be a lane that waits for a flag.)
    #[inline(always)]
    fn needs_lock_step(&self, record: Record, entries: &[Entry]) -> bool {
        record != 0 && {
            let entry = Plane::of(entries, record);
            entry.block == self.clocks.block && entry.warp == self.warp && !entry.mode.reads()
        }
    }

    fn is_own(&self, entry: &Entry, record: Record) -> bool {
        entry.block == self.clocks.block && entry.warp == self.warp && lane(record) == lane(self.me)
    }

    /// Whether a barrier of the block or the warp orders an access of the block before this one.
    #[inline(always)]
    fn has_passed(&self, entry: &Entry, record: Record) -> bool {
        entry.time < self.clocks.opened
            || entry.warp == self.warp
                && self.clocks.is_synced(self.warp, (lane(record), lane(self.me)), entry.time)
    }

    /// Whether an access is ordered before this one.
    #[inline(always)]
    fn follows(&self, record: Record, entries: &[Entry]) -> bool {
        let entry = Plane::of(entries, record);
        if entry.block == self.clocks.block
            && (self.has_passed(&entry, record) || self.is_same_instruction(record))
        {
            return true;
        }
        let thread = |record| usize::from(entry.warp) * self.width + lane(record);
        let own = usize::from(self.warp) * self.width + lane(self.me);
        !self.places.is_empty() && {
            let before = (thread(record), lane(record));
            self.places.orders(&entry, before, own, self.clocks)
        }
    }

    /// Whether a remembered access is one of this same instruction, by a lane before this one.
    fn is_same_instruction(&self, record: Record) -> bool {
        let own = lane(self.me) as u32;
        let same_entry = record.wrapping_sub(lane(record) as u32) == self.me - own;
        same_entry && {
            let thread = usize::from(self.warp) * self.width + lane(record);
            let size = self.seen.size() as u32;
            let touches = |at: usize| {
                self.seen.addresses[at].wrapping_sub(self.seen.addresses[self.at]) < size
            };
            lanes_of(self.lanes)
                .take_while(|&at| at < self.at)
                .any(|at| self.seen.thread(at, self.width) == thread && touches(at))
        }
    }
}

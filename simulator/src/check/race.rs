//! Decides if an access is ordered after the recorded accesses to the same place.

use super::clock::Clocks;
use super::event::Seen;
use super::order::Places;
use super::shadow::{Cell, Entry, Mode, Plane, Record, lane};
use crate::execute::lanes::lanes_of;

/// A flag of `Cell::reads[1]`: the two reads are by different blocks, and no other read adds
/// information.
const APART: Record = 1 << 31;

/// The state of a cell during a pass over the lanes of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// The lanes touch different places: each is compared and remembered.
    Whole,
    /// Each lane is compared with the state before the instruction.
    Compare,
    /// Each lane is remembered; those of several warps are compared with the lanes before them.
    Keep,
}

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
    /// Compares the access with those remembered, passes those that it races with to `hit`, and remembers it.
    #[inline(always)]
    pub fn visit(
        &self,
        cell: &mut Cell,
        entries: &[Entry],
        pass: Pass,
        mut hit: impl FnMut(Record, bool),
    ) {
        let (writes, strong) = (self.mode.writes(), self.mode.is_strong());
        let is_known = match writes {
            false => cell.reads[0] == self.me || cell.reads[1] & !APART == self.me,
            true => strong && cell.strong[0] == self.me,
        };
        if is_known {
            return;
        }
        if pass != Pass::Keep || self.seen.warp.is_none() {
            self.compare(cell, entries, pass, &mut hit);
        }
        match (writes, strong) {
            _ if pass == Pass::Compare => {}
            (false, _) => {
                if cell.reads[1] & APART == 0 {
                    self.keep_read(cell, entries);
                }
            }
            (true, true) => self.keep_strong(cell, entries),
            (true, false) => *cell = Cell { write: self.me, ..Cell::default() },
        }
    }

    #[inline(always)]
    fn compare(
        &self,
        cell: &Cell,
        entries: &[Entry],
        pass: Pass,
        hit: &mut impl FnMut(Record, bool),
    ) {
        let mut against = |record: Record| {
            let record = record & !APART;
            if record != 0 && !self.follows(record, entries, pass) {
                hit(record, cell.is_last_write(record));
            }
        };
        against(cell.write);
        let strong = self.mode.is_strong();
        for record in cell.strong {
            let needs_lock_step = || {
                let is_found = !self.mode.writes() && record == cell.strong[0];
                is_found && self.needs_lock_step(record, entries)
            };
            if !strong || self.is_weak_towards(record, entries) || needs_lock_step() {
                against(record);
            }
        }
        if self.mode.writes() {
            for record in cell.reads {
                let is_weak = || !Plane::of(entries, record & !APART).mode.is_strong();
                if !strong || is_weak() || self.is_weak_towards(record, entries) {
                    against(record);
                }
            }
        }
    }

    /// Remembers a strong write as the last one, and beside it another one that is as far from it as there is.
    fn keep_strong(&self, cell: &mut Cell, entries: &[Entry]) {
        let [last, other] = cell.strong;
        cell.strong[0] = self.me;
        if last == 0 || self.is_own(&Plane::of(entries, last), last) {
            return;
        }
        let distance = |record: Record| {
            let entry = Plane::of(entries, record);
            match record {
                0 => 0,
                _ if entry.block != self.clocks.block => 3,
                _ if self.is_own(&entry, record) || self.has_passed(&entry, record) => 0,
                _ if entry.warp != self.warp => 2,
                _ => 1,
            }
        };
        if distance(last) >= distance(other) {
            cell.strong[1] = last;
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
            cell.reads[0] = self.weaker(&one, first);
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
        if self.is_own(&other, second) {
            cell.reads[1] = self.weaker(&other, second);
        } else if self.has_passed(&other, second) {
            cell.reads[1] = me;
        } else if self.has_passed(&one, first) {
            cell.reads[0] = me;
        } else if one.warp == other.warp && one.warp != self.warp {
            cell.reads[1] = me;
        }
    }

    /// This read, or an earlier one of the same thread that is weak where this one is strong, and that no barrier has ordered.
    fn weaker(&self, earlier: &Entry, record: Record) -> Record {
        let hides = self.mode.is_strong() && !earlier.mode.is_strong();
        if hides && earlier.time >= self.clocks.opened { record } else { self.me }
    }

    /// Returns true if two strong accesses conflict nevertheless: they differ in size, or one is an
    /// atomic for its block only and the other is of another block.
    #[inline(always)]
    fn is_weak_towards(&self, record: Record, entries: &[Entry]) -> bool {
        record != 0 && {
            let entry = Plane::of(entries, record & !APART);
            let is_narrow = self.mode.is_narrow() || entry.mode.is_narrow();
            entry.mode.size() != self.mode.size() || is_narrow && entry.block != self.clocks.block
        }
    }

    /// Returns true if this volatile load finds the value of a volatile store by its own warp. That
    /// is no race. But if no `__syncwarp` orders the two, another order of the lanes gives another
    /// value. (In the opposite order it would be a lane that waits for a flag.)
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

    /// Returns true if a barrier of the block or the warp orders an access of the block before this
    /// one.
    #[inline(always)]
    fn has_passed(&self, entry: &Entry, record: Record) -> bool {
        entry.time < self.clocks.opened
            || entry.warp == self.warp
                && self.clocks.is_synced(self.warp, lane(record), lane(self.me), entry.time)
    }

    /// Returns true if an access is ordered before this one.
    #[inline(always)]
    fn follows(&self, record: Record, entries: &[Entry], pass: Pass) -> bool {
        let entry = Plane::of(entries, record);
        if entry.block == self.clocks.block
            && (self.has_passed(&entry, record)
                || pass == Pass::Keep && self.is_same_instruction(record))
        {
            return true;
        }
        let thread = |record| usize::from(entry.warp) * self.width + lane(record);
        let own = usize::from(self.warp) * self.width + lane(self.me);
        !self.places.is_empty()
            && self.places.orders(&entry, thread(record), lane(record), own, self.clocks)
    }

    /// Returns true if a recorded access belongs to this instruction, by an earlier lane.
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

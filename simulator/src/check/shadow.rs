//! The record of accesses: the last threads that accessed each word, or each byte where accesses
//! are narrower.

use std::ops::Range;

/// The thread and time of an access: an entry of a [`Plane`] and a lane of its warp. 0 is none.
pub(super) type Record = u32;

const LANE_BITS: u32 = 6;
/// The most entries of a plane; beyond, everything is forgotten.
const MOST_ENTRIES: usize = 1 << 25;
/// Words of a page.
const PAGE: usize = 1024;
/// A value of `Cell::write`: the bytes have cells of their own.
const SPLIT: Record = u32::MAX;

/// The accesses of a warp's lanes at one instruction between two synchronisations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub block: u32,
    /// The block's clock.
    pub time: u32,
    pub pc: u32,
    pub warp: u16,
    pub mode: Mode,
}

/// The mode of an instruction's access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mode(u8);

/// A bit of [`Mode`].
const NARROW: u8 = 1 << 5;
const MIXED: u8 = 1 << 6;

impl Mode {
    /// An access of `2^size` bytes, which reads, writes or both, and may be strong: atomic or volatile. Strong
    /// accesses do not race with each other.
    pub fn new(reads: bool, writes: bool, strong: bool, size: u32) -> Mode {
        Mode(u8::from(reads) | u8::from(writes) << 1 | u8::from(strong) << 2 | (size as u8) << 3)
    }

    pub fn reads(self) -> bool {
        self.0 & 1 != 0
    }

    pub fn writes(self) -> bool {
        self.0 & 2 != 0
    }

    pub fn is_strong(self) -> bool {
        self.0 & 4 != 0
    }

    /// This mode for an atomic of the block only.
    pub fn narrow(self) -> Mode {
        Mode(self.0 | NARROW)
    }

    /// Returns true if it is atomic for the threads of its block only.
    pub fn is_narrow(self) -> bool {
        self.0 & NARROW != 0
    }

    /// This mode for a store whose lanes store different values to one place.
    pub fn mixed(self) -> Mode {
        Mode(self.0 | MIXED)
    }

    /// Returns true if lanes of the store write different values to one place.
    pub fn is_mixed(self) -> bool {
        self.0 & MIXED != 0
    }

    /// Bytes.
    pub fn size(self) -> usize {
        1 << (self.0 >> 3 & 3)
    }
}

/// The last accesses to a word or byte: 20 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    /// The last write that is not strong.
    pub write: Record,
    /// Two of the reads since then, of different blocks if there are such, or else of different
    /// warps, or else of different lanes.
    pub reads: [Record; 2],
    /// The last of the strong writes since then, and one by another thread: of another block if
    /// there is one, or else of another warp, or else of another lane.
    pub strong: [Record; 2],
}

impl Cell {
    /// Returns true if a record is the last write, weak or strong, so that memory holds its value.
    pub fn is_last_write(&self, record: Record) -> bool {
        match self.strong[0] {
            0 => self.write == record,
            last => last == record,
        }
    }
}

/// Bytes of a page.
const BYTES: usize = 4 * PAGE;

struct Page {
    generation: u32,
    words: Vec<Cell>,
    /// Cells of single bytes; none before a narrow access.
    bytes: Vec<Cell>,
}

/// The shadow of global memory, or of a block's shared memory.
#[derive(Default)]
pub(super) struct Plane {
    pages: Vec<Option<Box<Page>>>,
    /// Pages of another generation are empty.
    generation: u32,
    entries: Vec<Entry>,
}

pub(super) fn lane(record: Record) -> usize {
    (record & ((1 << LANE_BITS) - 1)) as usize
}

impl Plane {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        self.entries.clear();
        // Number 0 is no one.
        self.entries.push(Entry::default());
    }

    /// The number of an entry, which may be `latest`. `room` is the memory that the shadow may
    /// still take.
    pub fn entry(&mut self, latest: &mut u32, entry: Entry, room: &mut Room) -> u32 {
        if self.entries.get(*latest as usize) == Some(&entry) && *latest != 0 {
            return *latest;
        }
        if self.entries.len() >= MOST_ENTRIES || self.entries.is_empty() {
            self.clear();
        }
        if self.entries.len() == self.entries.capacity() {
            let more = (self.entries.len() / 2).max(64);
            if !room.take(more * size_of::<Entry>())
                || self.entries.try_reserve_exact(more).is_err()
            {
                room.is_exhausted = true;
                return 0;
            }
        }
        *latest = self.entries.len() as u32;
        self.entries.push(entry);
        *latest
    }

    /// The record of a lane of an entry.
    pub fn record(entry: u32, lane: usize) -> Record {
        entry << LANE_BITS | lane as u32
    }

    /// The entry of a record.
    pub fn of(entries: &[Entry], record: Record) -> Entry {
        entries.get((record >> LANE_BITS) as usize).copied().unwrap_or_default()
    }

    /// Calls `visit` with the cells of `size` bytes at an offset, a power of two that divides the offset, and with the
    /// entries; with none if they would take more memory than there is `room`. Returns how many there are.
    #[inline(always)]
    pub fn each(
        &mut self,
        offset: usize,
        size: usize,
        room: &mut Room,
        mut visit: impl FnMut(&mut Cell, &[Entry]),
    ) -> usize {
        let (page, word) = (offset / 4 / PAGE, offset / 4 % PAGE);
        if self.pages.get(page).is_none_or(Option::is_none) && !self.add_page(page, room) {
            return 0;
        }
        let generation = self.generation;
        let Some(page) = self.pages[page].as_deref_mut() else {
            return 0;
        };
        if page.generation != generation {
            page.generation = generation;
            page.words.fill(Cell::default());
        }
        let (words, mut count) = (size.div_ceil(4), 0);
        for word in word..(word + words).min(PAGE) {
            let cell = &mut page.words[word];
            if size >= 4 && cell.write != SPLIT {
                visit(cell, &self.entries);
                count += 1;
                continue;
            }
            if cell.write != SPLIT {
                if page.bytes.is_empty() && !page.add_bytes(room) {
                    return 0;
                }
                page.bytes[4 * word..4 * word + 4].fill(page.words[word]);
                page.words[word] = Cell { write: SPLIT, ..Cell::default() };
            }
            let first = if size >= 4 { 0 } else { offset % 4 };
            for byte in &mut page.bytes[4 * word + first..][..size.min(4)] {
                visit(byte, &self.entries);
                count += 1;
            }
        }
        count
    }

    #[cold]
    fn add_page(&mut self, page: usize, room: &mut Room) -> bool {
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let new = cells(PAGE, room);
        self.pages[page] = new
            .map(|words| Box::new(Page { generation: self.generation, words, bytes: Vec::new() }));
        self.pages[page].is_some()
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

impl Page {
    #[cold]
    fn add_bytes(&mut self, room: &mut Room) -> bool {
        self.bytes = cells(BYTES, room).unwrap_or_default();
        !self.bytes.is_empty()
    }
}

/// So many empty cells, if there is room for them.
fn cells(count: usize, room: &mut Room) -> Option<Vec<Cell>> {
    let mut cells = Vec::new();
    let is_there = room.take(count * size_of::<Cell>()) && cells.try_reserve_exact(count).is_ok();
    if !is_there {
        room.is_exhausted = true;
        return None;
    }
    cells.resize(count, Cell::default());
    Some(cells)
}

/// The memory that the shadow may still take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    bytes: usize,
    /// An allocation failed because the limit was reached.
    pub is_exhausted: bool,
}

impl Room {
    /// Room of `bytes` bytes.
    pub fn new(bytes: u64) -> Room {
        Room { bytes: usize::try_from(bytes).unwrap_or(usize::MAX), is_exhausted: false }
    }

    fn take(&mut self, bytes: usize) -> bool {
        match self.bytes.checked_sub(bytes) {
            Some(left) if !self.is_exhausted => {
                self.bytes = left;
                true
            }
            _ => false,
        }
    }
}

/// Bytes of shadow for each byte of memory that is accessed by whole words, and by parts of words.
pub(super) const SHADOW_BYTES: [u64; 2] =
    [(size_of::<Cell>() / 4) as u64, (size_of::<Cell>() / 4 + size_of::<Cell>()) as u64];

/// The written bytes of a memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Written(Vec<u64>);

impl Written {
    /// Marks `bytes` bytes as unwritten.
    pub fn reset(&mut self, bytes: usize) {
        self.0.clear();
        self.0.resize(bytes.div_ceil(64), 0);
    }

    /// Sets or clears a range, and grows to hold it.
    pub fn set(&mut self, start: usize, end: usize, written: bool) {
        if start >= end {
            return;
        }
        if self.0.len() < end.div_ceil(64) {
            self.0.resize(end.div_ceil(64), 0);
        }
        for word in start / 64..=(end - 1) / 64 {
            let from = start.saturating_sub(word * 64).min(64);
            let to = (end - word * 64).min(64);
            let mask = (u64::MAX >> (64 - (to - from))) << from;
            match written {
                true => self.0[word] |= mask,
                false => self.0[word] &= !mask,
            }
        }
    }

    /// Returns true if `size` bytes are written. They are at most 8 and do not cross a multiple of
    /// 8.
    #[inline]
    pub fn has(&self, offset: usize, size: usize) -> bool {
        let mask = (1u64 << size) - 1;
        let word = self.0.get(offset / 64).copied().unwrap_or(0);
        word >> (offset % 64) & mask == mask
    }

    /// The parts of a range that are not written.
    pub fn lacking(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let word = self.0.get(at / 64).copied().unwrap_or(0) >> (at % 64);
            let left = (64 - at % 64).min(range.end - at);
            let run = match word & 1 {
                0 => (word.trailing_zeros() as usize).min(left),
                _ => (word.trailing_ones() as usize).min(left),
            };
            if word & 1 == 0 {
                match found.last_mut().filter(|last| last.end == at) {
                    Some(last) => last.end = at + run,
                    None => found.push(at..at + run),
                }
            }
            at += run;
        }
        found
    }

    /// `size` bytes are written, at most 8, that do not cross a multiple of 8.
    #[inline]
    pub fn write(&mut self, offset: usize, size: usize) {
        let mask = (1u64 << size) - 1;
        if offset / 64 >= self.0.len() {
            self.0.resize(offset / 64 + 1, 0);
        }
        self.0[offset / 64] |= mask << (offset % 64);
    }

    /// Copies the written state from `from` to `to`.
    pub fn copy(&mut self, to: usize, from: usize, length: usize) {
        let bits: Vec<bool> = (from..from + length).map(|at| self.has(at, 1)).collect();
        for (at, written) in bits.into_iter().enumerate() {
            self.set(to + at, to + at + 1, written);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_written_and_forgotten() {
        let mut written = Written::default();
        written.set(3, 200, true);
        assert!(written.has(3, 1) && written.has(64, 8) && written.has(199, 1));
        assert!(!written.has(2, 2) && !written.has(200, 1) && !written.has(100_000, 4));
        written.set(64, 128, false);
        assert!(
            written.has(60, 4)
                && !written.has(64, 1)
                && !written.has(127, 1)
                && written.has(128, 1)
        );
        written.copy(400, 62, 4);
        assert!(written.has(400, 2) && !written.has(402, 1));
        written.write(1000, 8);
        assert_eq!(written.lacking(999..1010), [999..1000, 1008..1010]);
        assert_eq!(written.lacking(100_000..100_200), vec![100_000..100_200; 1]);
        assert!(written.has(1000, 8) && !written.has(1008, 1));
    }

    #[test]
    fn narrow_accesses_split_a_word() {
        let (mut plane, mut room) = (Plane::default(), Room::new(1 << 20));
        plane.clear();
        plane.each(8, 4, &mut room, |cell, _| cell.write = 7);
        let mut seen = Vec::new();
        plane.each(10, 2, &mut room, |cell, _| {
            seen.push(cell.write);
            cell.write = 9;
        });
        assert_eq!(plane.each(8, 8, &mut room, |cell, _| seen.push(cell.write)), 5);
        assert_eq!(seen, [7, 7, 7, 7, 9, 9, 0]);
        plane.clear();
        plane.each(8, 4, &mut room, |cell, _| assert_eq!(cell.write, 0));
    }

    #[test]
    fn the_shadow_ends_with_its_room() {
        let size = PAGE * size_of::<Cell>();
        let (mut plane, mut room) = (Plane::default(), Room::new(2 * size as u64));
        plane.clear();
        assert_eq!(plane.each(0, 4, &mut room, |cell, _| cell.write = 7), 1);
        assert_eq!(plane.each(4 * PAGE, 4, &mut room, |cell, _| cell.write = 7), 1);
        assert_eq!(plane.each(8 * PAGE, 4, &mut room, |_, _| unreachable!()), 0);
        assert!(room.is_exhausted);
        // Existing cells remain.
        plane.each(0, 4, &mut room, |cell, _| assert_eq!(cell.write, 7));
    }
}

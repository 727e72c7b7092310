//! What is remembered of accesses: for each word, or each byte where accesses are narrower, who accessed it last.

/// Who accessed something, and when: an entry of a [`Plane`] and a lane of its warp. 0 is no one.
pub(super) type Record = u32;

const LANE_BITS: u32 = 6;
/// The most entries of a plane; beyond, everything is forgotten.
const MOST_ENTRIES: usize = 1 << 25;
/// Words of a page.
const PAGE: usize = 1024;
/// Of `Cell::write`: the bytes have cells of their own, of which `Cell::reads[0]` is the number.
const SPLIT: Record = u32::MAX;

/// What the lanes of a warp did at one instruction between two synchronisations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub block: u32,
    /// The block's clock.
    pub time: u32,
    pub pc: u32,
    pub warp: u16,
    pub mode: Mode,
}

/// How an instruction accesses memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mode(u8);

/// Of [`Mode`].
const NARROW: u8 = 1 << 5;

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

    /// The same for an atomic that is one for the threads of its block only.
    pub fn narrow(self) -> Mode {
        Mode(self.0 | NARROW)
    }

    /// Whether it is atomic for the threads of its block only.
    pub fn is_narrow(self) -> bool {
        self.0 & NARROW != 0
    }

    /// Bytes.
    pub fn size(self) -> usize {
        1 << (self.0 >> 3 & 3)
    }
}

/// The last accesses to a word or byte: 16 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    /// The last write that is not strong.
    pub write: Record,
    /// Of the reads since then two, of different blocks or else warps or else lanes where there are such.
    pub reads: [Record; 2],
    /// The last strong write since then.
    pub strong: Record,
}

struct Page {
    generation: u32,
    cells: [Cell; PAGE],
}

/// The shadow of global memory, or of a block's shared memory.
#[derive(Default)]
pub(super) struct Plane {
    pages: Vec<Option<Box<Page>>>,
    split: Vec<[Cell; 4]>,
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
        self.split.clear();
        self.entries.clear();
        // Number 0 is no one.
        self.entries.push(Entry::default());
    }

    /// The number of an entry, which may be the one that `latest` says; 0 when there is no more room.
    pub fn entry(&mut self, latest: &mut u32, entry: Entry) -> u32 {
        if self.entries.get(*latest as usize) == Some(&entry) && *latest != 0 {
            return *latest;
        }
        if self.entries.len() >= MOST_ENTRIES || self.entries.is_empty() {
            self.clear();
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
    /// entries.
    #[inline(always)]
    pub fn each(&mut self, offset: usize, size: usize, mut visit: impl FnMut(&mut Cell, &[Entry])) {
        let (page, word) = (offset / 4 / PAGE, offset / 4 % PAGE);
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let generation = self.generation;
        let page = self.pages[page].get_or_insert_with(|| empty(generation));
        if page.generation != generation {
            page.generation = generation;
            page.cells = [Cell::default(); PAGE];
        }
        let words = size.div_ceil(4);
        for cell in &mut page.cells[word..(word + words).min(PAGE)] {
            if size >= 4 && cell.write != SPLIT {
                visit(cell, &self.entries);
                continue;
            }
            if cell.write != SPLIT {
                self.split.push([*cell; 4]);
                let number = self.split.len() as u32 - 1;
                *cell = Cell { write: SPLIT, reads: [number, 0], strong: 0 };
            }
            let bytes = &mut self.split[cell.reads[0] as usize];
            let first = if size >= 4 { 0 } else { offset % 4 };
            for byte in &mut bytes[first..first + size.min(4)] {
                visit(byte, &self.entries);
            }
        }
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

fn empty(generation: u32) -> Box<Page> {
    Box::new(Page { generation, cells: [Cell::default(); PAGE] })
}

/// Which bytes of a memory have been written.
#[derive(Clone, Debug, Default)]
pub(super) struct Written(Vec<u64>);

impl Written {
    /// Nothing of so many bytes is written.
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

    /// Whether `size` bytes are written, at most 8, that do not cross a multiple of 8.
    #[inline]
    pub fn has(&self, offset: usize, size: usize) -> bool {
        let mask = (1u64 << size) - 1;
        let word = self.0.get(offset / 64).copied().unwrap_or(0);
        word >> (offset % 64) & mask == mask
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

    /// What is written at `from` becomes what is written at `to`.
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
        assert!(written.has(1000, 8) && !written.has(1008, 1));
    }

    #[test]
    fn narrow_accesses_split_a_word() {
        let mut plane = Plane::default();
        plane.clear();
        plane.each(8, 4, |cell, _| cell.write = 7);
        let mut seen = Vec::new();
        plane.each(10, 2, |cell, _| {
            seen.push(cell.write);
            cell.write = 9;
        });
        plane.each(8, 8, |cell, _| seen.push(cell.write));
        assert_eq!(seen, [7, 7, 7, 7, 9, 9, 0]);
        plane.clear();
        plane.each(8, 4, |cell, _| assert_eq!(cell.write, 0));
    }
}

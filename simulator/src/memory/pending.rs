//! Pending misses: which lines are on their way, and who waits for them.

/// No entry.
const NONE: u32 = u32::MAX;

/// A table of outstanding lines with waiters of type `W`. Both are bounded.
pub(crate) struct Pending<W> {
    entries: Vec<Entry<W>>,
    /// By the low bits of their lines: the oldest entry in use.
    first: Vec<u32>,
    free: Vec<u32>,
    merges: usize,
}

struct Entry<W> {
    line: u64,
    sectors: u8,
    /// The next entry with the same low bits, which is younger.
    next: u32,
    waiters: Vec<W>,
}

/// What became of a miss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// It joined an outstanding one.
    Merged,
    /// It has a new entry, whose line must be asked for.
    New(u32),
    /// There is no place for it.
    Full,
}

impl<W: Copy> Pending<W> {
    pub(crate) fn new(entries: u32, merges: u32) -> Pending<W> {
        Pending {
            entries: (0..entries)
                .map(|_| Entry { line: 0, sectors: 0, next: NONE, waiters: Vec::new() })
                .collect(),
            first: vec![NONE; entries.next_power_of_two() as usize],
            free: (0..entries).rev().collect(),
            merges: merges as usize,
        }
    }

    fn bucket(&self, line: u64) -> usize {
        line as usize & (self.first.len() - 1)
    }

    /// Records a miss of sectors of a line. With `can_ask` false a new entry counts as full.
    pub(crate) fn miss(&mut self, line: u64, sectors: u8, waiter: W, can_ask: bool) -> Miss {
        let bucket = self.bucket(line);
        let (mut index, mut last) = (self.first[bucket], NONE);
        while let Some(entry) = self.entries.get_mut(index as usize) {
            if entry.line == line && sectors & !entry.sectors == 0 {
                if entry.waiters.len() >= self.merges {
                    return Miss::Full;
                }
                entry.waiters.push(waiter);
                return Miss::Merged;
            }
            (last, index) = (index, entry.next);
        }
        if !can_ask {
            return Miss::Full;
        }
        let Some(index) = self.free.pop() else {
            return Miss::Full;
        };
        *self.link(bucket, last) = index;
        let entry = &mut self.entries[index as usize];
        entry.line = line;
        entry.sectors = sectors;
        entry.next = NONE;
        entry.waiters.push(waiter);
        Miss::New(index)
    }

    /// Where it is noted which entry follows one, or which is the first.
    fn link(&mut self, bucket: usize, before: u32) -> &mut u32 {
        match self.entries.get_mut(before as usize) {
            Some(entry) => &mut entry.next,
            None => &mut self.first[bucket],
        }
    }

    /// Whether sectors of a line are outstanding, in one entry.
    pub(crate) fn covers(&self, line: u64, sectors: u8) -> bool {
        let mut index = self.first[self.bucket(line)];
        while let Some(entry) = self.entries.get(index as usize) {
            if entry.line == line && sectors & !entry.sectors == 0 {
                return true;
            }
            index = entry.next;
        }
        false
    }

    /// The line and sectors of an entry.
    pub(crate) fn line(&self, index: u32) -> (u64, u8) {
        let entry = &self.entries[index as usize];
        (entry.line, entry.sectors)
    }

    /// Ends an entry; `each` gets its waiters in the order in which they came.
    pub(crate) fn finish(&mut self, index: u32, each: impl FnMut(W)) {
        let bucket = self.bucket(self.entries[index as usize].line);
        let (mut other, mut before) = (self.first[bucket], NONE);
        while other != index
            && let Some(entry) = self.entries.get(other as usize)
        {
            (before, other) = (other, entry.next);
        }
        *self.link(bucket, before) = self.entries[index as usize].next;
        self.free.push(index);
        let waiters = &mut self.entries[index as usize].waiters;
        waiters.iter().copied().for_each(each);
        waiters.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.free.len() == self.entries.len()
    }
}

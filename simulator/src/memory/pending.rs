//! Pending misses: which lines are on their way, and who waits for them.

/// A table of outstanding lines with waiters of type `W`. Both are bounded.
pub(crate) struct Pending<W> {
    entries: Vec<Entry<W>>,
    /// Entries in use by the low bits of their line, oldest first; the others are free.
    used: Vec<Vec<u32>>,
    free: Vec<u32>,
    merges: usize,
}

struct Entry<W> {
    line: u64,
    sectors: u8,
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

impl<W> Pending<W> {
    pub(crate) fn new(entries: u32, merges: u32) -> Pending<W> {
        Pending {
            entries: (0..entries)
                .map(|_| Entry { line: 0, sectors: 0, waiters: Vec::new() })
                .collect(),
            used: (0..entries.next_power_of_two()).map(|_| Vec::new()).collect(),
            free: (0..entries).rev().collect(),
            merges: merges as usize,
        }
    }

    fn bucket(&self, line: u64) -> usize {
        line as usize & (self.used.len() - 1)
    }

    /// Records a miss of sectors of a line. With `can_ask` false a new entry counts as full.
    pub(crate) fn miss(&mut self, line: u64, sectors: u8, waiter: W, can_ask: bool) -> Miss {
        let bucket = self.bucket(line);
        for &index in &self.used[bucket] {
            let entry = &mut self.entries[index as usize];
            if entry.line == line && sectors & !entry.sectors == 0 {
                if entry.waiters.len() >= self.merges {
                    return Miss::Full;
                }
                entry.waiters.push(waiter);
                return Miss::Merged;
            }
        }
        if !can_ask {
            return Miss::Full;
        }
        let Some(index) = self.free.pop() else {
            return Miss::Full;
        };
        self.used[bucket].push(index);
        let entry = &mut self.entries[index as usize];
        entry.line = line;
        entry.sectors = sectors;
        entry.waiters.push(waiter);
        Miss::New(index)
    }

    /// Whether sectors of a line are outstanding, in one entry.
    pub(crate) fn covers(&self, line: u64, sectors: u8) -> bool {
        self.used[self.bucket(line)].iter().any(|&index| {
            let entry = &self.entries[index as usize];
            entry.line == line && sectors & !entry.sectors == 0
        })
    }

    /// The line and sectors of an entry.
    pub(crate) fn line(&self, index: u32) -> (u64, u8) {
        let entry = &self.entries[index as usize];
        (entry.line, entry.sectors)
    }

    /// Ends an entry; `each` gets its waiters in the order in which they came.
    pub(crate) fn finish(&mut self, index: u32, each: impl FnMut(W)) {
        let bucket = self.bucket(self.entries[index as usize].line);
        self.used[bucket].retain(|&used| used != index);
        self.free.push(index);
        self.entries[index as usize].waiters.drain(..).for_each(each);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.free.len() == self.entries.len()
    }
}

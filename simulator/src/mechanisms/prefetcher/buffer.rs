//! The buffer of prefetched lines, beside the L1, so that they evict nothing from it.

use crate::handles::LoadId;
use crate::mechanisms::prefetcher::slot::Found;

/// Some sectors of a line.
#[derive(Clone, Debug)]
struct Entry {
    line: u64,
    sectors: u8,
    /// It has arrived.
    is_there: bool,
    /// A load has requested it.
    is_used: bool,
    /// The time of its last use, or of its request.
    stamp: u64,
    waiters: Vec<LoadId>,
}

/// Entries that are replaced in the order of their last use.
#[derive(Debug)]
pub(super) struct Buffer {
    entries: Vec<Option<Entry>>,
    clock: u64,
}

impl Buffer {
    pub(super) fn new(entries: usize) -> Buffer {
        Buffer { entries: vec![None; entries], clock: 0 }
    }

    fn position(&self, line: u64, sectors: u8) -> Option<usize> {
        self.entries.iter().position(|entry| {
            entry.as_ref().is_some_and(|e| e.line == line && sectors & !e.sectors == 0)
        })
    }

    /// Returns true if sectors of a line are stored or in flight.
    pub(super) fn has(&self, line: u64, sectors: u8) -> bool {
        self.position(line, sectors).is_some()
    }

    /// Reserves an entry for sectors about to be requested, unless all are in flight. Returns its
    /// number, and true if the entry that it evicts was never used.
    pub(super) fn reserve(&mut self, line: u64, sectors: u8) -> Option<(u32, bool)> {
        let free = self.entries.iter().position(Option::is_none);
        let at = free.or_else(|| {
            let there = self.entries.iter().enumerate();
            let there = there.filter_map(|(at, entry)| Some((at, entry.as_ref()?)));
            let there = there.filter(|(_, entry)| entry.is_there);
            there.min_by_key(|(_, entry)| entry.stamp).map(|(at, _)| at)
        })?;
        self.clock += 1;
        let new = Entry {
            line,
            sectors,
            is_there: false,
            is_used: false,
            stamp: self.clock,
            waiters: Vec::new(),
        };
        let old = self.entries[at].replace(new);
        Some((at as u32, old.is_some_and(|old| !old.is_used)))
    }

    /// The result of a load's look-up of sectors of a line; and whether it is the first that finds
    /// them.
    pub(super) fn find(&mut self, line: u64, sectors: u8, load: LoadId) -> (Found, bool) {
        let Some(at) = self.position(line, sectors) else {
            return (Found::Nowhere, false);
        };
        self.clock += 1;
        let Some(entry) = &mut self.entries[at] else {
            return (Found::Nowhere, false);
        };
        entry.stamp = self.clock;
        let is_first = !std::mem::replace(&mut entry.is_used, true);
        if entry.is_there {
            return (Found::There, is_first);
        }
        entry.waiters.push(load);
        (Found::InFlight, is_first)
    }

    /// An entry has arrived. Returns the loads that wait for it.
    pub(super) fn fill(&mut self, number: u32) -> Vec<LoadId> {
        let entry = self.entries.get_mut(number as usize).and_then(Option::as_mut);
        entry.map_or_else(Vec::new, |entry| {
            entry.is_there = true;
            std::mem::take(&mut entry.waiters)
        })
    }

    /// Drops the entries of a line. Returns the number of unused ones.
    pub(super) fn drop_line(&mut self, line: u64) -> u64 {
        let mut unused = 0;
        for entry in &mut self.entries {
            if let Some(old) = entry.take_if(|entry| entry.line == line && entry.is_there) {
                unused += u64::from(!old.is_used);
            }
        }
        unused
    }

    /// Returns true if a request is in flight.
    pub(super) fn is_waiting(&self) -> bool {
        self.entries.iter().flatten().any(|entry| !entry.is_there)
    }

    /// Entries that have not been used.
    pub(super) fn left(&self) -> u64 {
        self.entries.iter().flatten().filter(|entry| !entry.is_used).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_entry_is_evicted() {
        let mut buffer = Buffer::new(2);
        assert_eq!(buffer.reserve(7, 0b11), Some((0, false)));
        assert_eq!(buffer.reserve(9, 0b01), Some((1, false)));
        assert_eq!(buffer.reserve(11, 0b01), None, "both are under way");
        assert_eq!(buffer.find(7, 0b10, LoadId(5)), (Found::InFlight, true));
        assert_eq!(buffer.find(7, 0b01, LoadId(6)), (Found::InFlight, false));
        assert_eq!(buffer.find(9, 0b10, LoadId(6)), (Found::Nowhere, false), "another sector");
        assert_eq!(buffer.fill(0), [LoadId(5), LoadId(6)]);
        assert_eq!(buffer.fill(1), []);
        assert_eq!(buffer.find(7, 0b11, LoadId(8)), (Found::There, false));
        // 9 was requested after 7, but 7 has been used since.
        assert_eq!(buffer.reserve(11, 0b01), Some((1, true)));
        assert_eq!((buffer.drop_line(7), buffer.drop_line(11)), (0, 0), "11 is under way");
        assert_eq!((buffer.is_waiting(), buffer.left()), (true, 1));
    }
}

//! Miss status holding registers (MSHRs): the lines in flight, and the requests that wait for them.
//!
//! Source: Kroft, "Lockup-free instruction fetch/prefetch cache organization", ISCA 1981; Aamodt, Fung,
//! Rogers, §4.1.1 (pending request table). A line may have several, each with sectors of its own.

use crate::mechanisms::allocation::Requester;

/// The number of an MSHR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MshrId(pub(crate) u32);

/// The number of no MSHR.
const NONE: u32 = u32::MAX;

/// The MSHRs of a cache, with waiters of type `W`. Both are bounded.
pub(crate) struct Mshrs<W> {
    all: Vec<Mshr<W>>,
    /// By the low bits of their lines: the oldest one in use, and the youngest.
    first: Vec<u32>,
    last: Vec<u32>,
    free: Vec<u32>,
    merges: usize,
}

struct Mshr<W> {
    miss: Outstanding,
    /// The next one with the same low bits, which is younger.
    next: u32,
    waiters: Vec<W>,
}

/// Arriving sectors of a line: all, those that are used at once, and those that the first miss
/// requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FetchedSectors {
    pub(crate) sectors: u8,
    pub(crate) used: u8,
    pub(crate) first: u8,
}

impl FetchedSectors {
    /// All of them are requested.
    pub(crate) fn requested(sectors: u8) -> FetchedSectors {
        FetchedSectors { sectors, used: sectors, first: sectors }
    }
}

/// Sectors of a line that are in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outstanding {
    pub(crate) line: u64,
    /// Sectors that are fetched.
    pub(crate) sectors: u8,
    /// The requested ones among them, and those that the first miss requested.
    pub(crate) requested: u8,
    pub(crate) first: u8,
    /// The requester of the first miss.
    pub(crate) by: Requester,
    /// The placement of the line in the cache when it arrives.
    pub(crate) placement: Placement,
}

impl Outstanding {
    /// The sectors that arrive.
    pub(crate) fn fetched(&self) -> FetchedSectors {
        FetchedSectors { sectors: self.sectors, used: self.requested, first: self.first }
    }
}

/// The placement of an arriving line in the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Placement {
    /// It bypasses the cache.
    Bypass,
    /// If the slot `allocation` leaves it one.
    #[default]
    IfAllowed,
    /// In any case.
    Always,
}

impl Placement {
    /// The placement of a miss that allocates or not, by the slot `allocation`.
    pub(crate) fn of(allocates: bool) -> Placement {
        if allocates { Placement::IfAllowed } else { Placement::Bypass }
    }
}

/// The result of joining a miss with outstanding ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Merge {
    /// It waits with an MSHR, whose number this is.
    Merged(MshrId),
    /// The MSHR that it would join has no room for another waiter.
    Full,
    /// No MSHR covers it; whether there is one of other sectors of the line.
    New { awaits: bool },
}

impl<W: Copy> Mshrs<W> {
    /// `count` MSHRs, each with room for `merges` merged waiters.
    pub(crate) fn new(count: u32, merges: u32) -> Mshrs<W> {
        let unused = |_| Mshr { miss: Outstanding::default(), next: NONE, waiters: Vec::new() };
        Mshrs {
            all: (0..count).map(unused).collect(),
            first: vec![NONE; count.next_power_of_two() as usize],
            last: vec![NONE; count.next_power_of_two() as usize],
            free: (0..count).rev().collect(),
            merges: merges as usize,
        }
    }

    fn bucket(&self, line: u64) -> usize {
        line as usize & (self.first.len() - 1)
    }

    /// The number of the oldest MSHR that covers sectors of a line.
    fn find(&self, line: u64, sectors: u8) -> Option<u32> {
        let mut index = self.first[self.bucket(line)];
        while let Some(mshr) = self.all.get(index as usize) {
            if mshr.miss.line == line && sectors & !mshr.miss.sectors == 0 {
                return Some(index);
            }
            index = mshr.next;
        }
        None
    }

    /// Lets a miss of sectors of a line wait with the MSHR that covers them, if there is one.
    pub(crate) fn merge(&mut self, line: u64, sectors: u8, waiter: W) -> Merge {
        let (mut index, mut awaits) = (self.first[self.bucket(line)], false);
        while let Some(mshr) = self.all.get_mut(index as usize) {
            if mshr.miss.line == line {
                awaits = true;
                if sectors & !mshr.miss.sectors == 0 {
                    if mshr.waiters.len() >= self.merges {
                        return Merge::Full;
                    }
                    mshr.waiters.push(waiter);
                    mshr.miss.requested |= sectors;
                    return Merge::Merged(MshrId(index));
                }
            }
            index = mshr.next;
        }
        Merge::New { awaits }
    }

    /// The waiters of one.
    pub(crate) fn waiters(&self, id: MshrId) -> &[W] {
        &self.all[id.0 as usize].waiters
    }

    /// Returns true if one is free.
    pub(crate) fn has_free(&self) -> bool {
        !self.free.is_empty()
    }

    /// The number in use, and the number of all.
    pub(crate) fn in_use(&self) -> (usize, usize) {
        (self.all.len() - self.free.len(), self.all.len())
    }

    /// Takes a free one for a miss that no other covers, given that there is one; its number.
    pub(crate) fn add(&mut self, miss: Outstanding, waiter: W) -> MshrId {
        let Some(index) = self.free.pop() else {
            debug_assert!(false, "none is free");
            return MshrId(NONE);
        };
        let bucket = self.bucket(miss.line);
        let last = std::mem::replace(&mut self.last[bucket], index);
        *self.link(bucket, last) = index;
        let mshr = &mut self.all[index as usize];
        (mshr.miss, mshr.next) = (miss, NONE);
        mshr.waiters.push(waiter);
        MshrId(index)
    }

    /// The place that holds the link to the one after another, or to the first.
    fn link(&mut self, bucket: usize, before: u32) -> &mut u32 {
        match self.all.get_mut(before as usize) {
            Some(mshr) => &mut mshr.next,
            None => &mut self.first[bucket],
        }
    }

    /// Returns true if sectors of a line are outstanding, in one MSHR.
    pub(crate) fn covers(&self, line: u64, sectors: u8) -> bool {
        self.find(line, sectors).is_some()
    }

    /// The outstanding miss of an MSHR.
    pub(crate) fn get(&self, MshrId(index): MshrId) -> &Outstanding {
        &self.all[index as usize].miss
    }

    /// The same, to change it.
    pub(crate) fn get_mut(&mut self, MshrId(index): MshrId) -> &mut Outstanding {
        &mut self.all[index as usize].miss
    }

    /// Ends an MSHR; `each` gets its waiters in the order of their arrival.
    pub(crate) fn finish(&mut self, MshrId(index): MshrId, each: impl FnMut(W)) {
        let bucket = self.bucket(self.all[index as usize].miss.line);
        let (mut other, mut before) = (self.first[bucket], NONE);
        while other != index
            && let Some(mshr) = self.all.get(other as usize)
        {
            (before, other) = (other, mshr.next);
        }
        let next = self.all[index as usize].next;
        *self.link(bucket, before) = next;
        if next == NONE {
            self.last[bucket] = before;
        }
        self.free.push(index);
        let waiters = &mut self.all[index as usize].waiters;
        waiters.iter().copied().for_each(each);
        waiters.clear();
    }

    /// Returns true if nothing is outstanding.
    pub(crate) fn is_empty(&self) -> bool {
        self.free.len() == self.all.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn miss(line: u64, sectors: u8) -> Outstanding {
        Outstanding { line, sectors, requested: sectors, first: sectors, ..Outstanding::default() }
    }

    #[test]
    fn a_line_with_two_mshrs() {
        let mut mshrs = Mshrs::new(2, 2);
        assert_eq!(mshrs.merge(5, 0b1, 'a'), Merge::New { awaits: false });
        let first = mshrs.add(Outstanding { sectors: 0b11, ..miss(5, 0b1) }, 'a');
        // The second sector is in flight too, although no access requested it until now.
        assert_eq!(mshrs.merge(5, 0b10, 'b'), Merge::Merged(first));
        assert_eq!((mshrs.get(first).requested, mshrs.covers(5, 0b11)), (0b11, true));
        assert_eq!(mshrs.merge(5, 0b1, 'c'), Merge::Full);
        // Lines 5 and 7 share a bucket; another sector of line 5 has an MSHR of its own.
        assert_eq!(
            (mshrs.merge(5, 0b100, 'd'), mshrs.merge(7, 0b1, 'd')),
            (Merge::New { awaits: true }, Merge::New { awaits: false })
        );
        let second = mshrs.add(miss(5, 0b100), 'd');
        assert!(!mshrs.has_free() && !mshrs.covers(5, 0b101));
        let mut waiters = Vec::new();
        mshrs.finish(first, |waiter| waiters.push(waiter));
        assert_eq!(waiters, ['a', 'b']);
        assert!(mshrs.covers(5, 0b100) && !mshrs.covers(5, 0b1));
        // The request after the first, which has gone, follows the second.
        let third = mshrs.add(miss(7, 0b1), 'e');
        assert!(mshrs.covers(5, 0b100) && mshrs.covers(7, 0b1));
        mshrs.finish(third, |_| {});
        assert!(mshrs.covers(5, 0b100) && !mshrs.covers(7, 0b1));
        mshrs.finish(second, |_| {});
        assert!(mshrs.is_empty());
    }

    #[test]
    fn a_miss_that_bypasses_may_be_kept() {
        let mut mshrs = Mshrs::new(1, 2);
        let index = mshrs.add(Outstanding { placement: Placement::of(false), ..miss(3, 1) }, ());
        assert_eq!(mshrs.get(index).placement, Placement::Bypass);
        mshrs.get_mut(index).placement = Placement::Always;
        assert_eq!(mshrs.get(index).placement, Placement::Always);
    }
}

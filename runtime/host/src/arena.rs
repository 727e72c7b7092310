//! One range of addresses in which allocations are made, found and freed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Bytes that stay free after every allocation, so that running over its end is noticed.
pub const GUARD: u32 = 256;

/// Slots of the lookup cache; the page of an address (4 KiB) chooses the slot.
const CACHE_SLOTS: usize = 256;
/// Allocations found last, examined when the slot of a page holds another allocation.
const RECENT: usize = 8;

/// The result of the last lookup in a page. `size` 0 fits no access.
#[derive(Clone, Copy, Debug, Default)]
struct Hit {
    start: u32,
    size: u32,
}

impl Hit {
    #[inline(always)]
    fn contains(&self, address: u32, size: u32) -> bool {
        address.wrapping_sub(self.start) as u64 + size as u64 <= self.size as u64
    }
}

/// The cache slot of an address. Arrays whose distance is a power of two are used together, so
/// the page's low bits alone would not do.
#[inline(always)]
fn slot_of(address: u32) -> usize {
    ((address >> 12) ^ (address >> 20)) as usize % CACHE_SLOTS
}

/// A live allocation.
#[derive(Clone, Copy, Debug)]
struct Live {
    size: u32,
    /// Bytes it takes up with its guard gap.
    extent: u32,
    /// True if it was placed before the program started and cannot be freed.
    fixed: bool,
}

/// The position of an address that hits no allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    /// Nothing is allocated.
    Nothing,
    /// In memory that has been freed.
    Freed,
    /// After the start of the allocation `start`, `size`; at or over its end.
    Past {
        /// Address of its first byte.
        start: u32,
        /// Its bytes.
        size: u32,
    },
    /// Before the allocation `start`, `size`.
    Before {
        /// Address of its first byte.
        start: u32,
        /// Its bytes.
        size: u32,
    },
}

/// Addresses `base..base + capacity`; only allocated parts take memory.
///
/// Allocation is best fit at the lowest address among freed blocks, then growth: the addresses
/// depend on nothing but the sequence of requests.
#[derive(Clone, Debug)]
pub struct Arena {
    base: u32,
    capacity: u32,
    align: u32,
    /// Contents from `base` on.
    bytes: Vec<u8>,
    /// The bytes of the last request that found no room.
    denied: Option<u64>,
    /// Bytes that allocations have had; those after them are zero.
    used: usize,
    live: BTreeMap<u32, Live>,
    /// Freed blocks with their gaps, neighbours joined: start and extent.
    free: BTreeMap<u32, u32>,
    /// The freed blocks by extent: (extent, start).
    free_by_extent: BTreeSet<(u32, u32)>,
    /// First address past all blocks.
    top: u64,
    cache: Box<[Hit; CACHE_SLOTS]>,
    recent: [Hit; RECENT],
    next_recent: usize,
}

impl Arena {
    /// An empty arena whose allocations are aligned to `align`, a power of two.
    pub fn new(base: u32, capacity: u32, align: u32) -> Self {
        Arena {
            base,
            capacity,
            align,
            bytes: Vec::new(),
            denied: None,
            used: 0,
            live: BTreeMap::new(),
            free: BTreeMap::new(),
            free_by_extent: BTreeSet::new(),
            top: base as u64,
            cache: Box::new([Hit::default(); CACHE_SLOTS]),
            recent: [Hit::default(); RECENT],
            next_recent: 0,
        }
    }

    /// Has room for all that most programs allocate, which need not be cleared. Fresh pages of the system are zero already
    /// and cost nothing until touched, and an allocator takes fresh ones for as much as this.
    pub fn with_room(mut self) -> Self {
        self.bytes = vec![0; self.capacity.min(64 << 20) as usize];
        self
    }

    /// The offset of `size` bytes at `address` if they lie inside one allocation.
    #[inline(always)]
    pub fn find(&mut self, address: u32, size: u32) -> Option<usize> {
        if self.cache[slot_of(address)].contains(address, size) {
            return Some(address.wrapping_sub(self.base) as usize);
        }
        self.find_slow(address, size)
    }

    #[cold]
    #[inline(never)]
    fn find_slow(&mut self, address: u32, size: u32) -> Option<usize> {
        let known = self.recent.iter().find(|hit| hit.contains(address, size)).copied();
        let hit = match known {
            Some(hit) => hit,
            None => self.look_up(address, size)?,
        };
        self.cache[slot_of(address)] = hit;
        Some((address - self.base) as usize)
    }

    fn look_up(&mut self, address: u32, size: u32) -> Option<Hit> {
        let (&start, live) = self.live.range(..=address).next_back()?;
        let hit = Hit { start, size: live.size };
        if !hit.contains(address, size) {
            return None;
        }
        self.recent[self.next_recent % RECENT] = hit;
        self.next_recent = (self.next_recent + 1) % RECENT;
        Some(hit)
    }

    /// `N` bytes at `address`, if they are inside one allocation and aligned to `N`.
    #[inline(always)]
    pub fn load<const N: usize>(&mut self, address: u32) -> Option<[u8; N]> {
        if !(address as usize).is_multiple_of(N) {
            return None;
        }
        let at = self.find(address, N as u32)?;
        self.bytes.get(at..at + N)?.try_into().ok()
    }

    /// The place of `N` bytes at `address`, checked as in [`load`](Self::load).
    #[inline(always)]
    pub fn place<const N: usize>(&mut self, address: u32) -> Option<&mut [u8; N]> {
        if !(address as usize).is_multiple_of(N) {
            return None;
        }
        let at = self.find(address, N as u32)?;
        self.bytes.get_mut(at..at + N)?.try_into().ok()
    }

    /// Any number of bytes inside one allocation. None at all are everywhere.
    pub fn slice(&mut self, address: u32, length: u32) -> Option<&mut [u8]> {
        if length == 0 {
            return Some(&mut []);
        }
        let at = self.find(address, length)?;
        self.bytes.get_mut(at..at + length as usize)
    }

    /// The bytes from `address` to the end of its allocation.
    pub fn rest(&mut self, address: u32) -> Option<&[u8]> {
        self.find(address, 1)?;
        let range = self.allocation_at(address)?;
        let base = self.base;
        self.bytes.get((address - base) as usize..(range.end - base) as usize)
    }

    /// All contents, from the first address of the arena.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The live allocation that contains `address`.
    pub fn allocation_at(&self, address: u32) -> Option<Range<u32>> {
        let (&start, live) = self.live.range(..=address).next_back()?;
        (address - start < live.size).then(|| start..start + live.size)
    }

    /// The live allocation that starts at `address`.
    pub fn allocation_from(&self, address: u32) -> Option<Range<u32>> {
        let live = self.live.get(&address)?;
        Some(address..address + live.size)
    }

    /// Bytes that are not taken, gaps included.
    pub fn unused(&self) -> u64 {
        let freed: u64 = self.free.values().map(|&extent| u64::from(extent)).sum();
        self.base as u64 + self.capacity as u64 - self.top + freed
    }

    /// The live allocations in ascending order.
    pub fn allocations(&self) -> impl Iterator<Item = Range<u32>> {
        self.live.iter().map(|(&start, live)| start..start + live.size)
    }

    /// Allocates zeroed memory; none when the arena or the machine's memory is exhausted.
    pub fn allocate(&mut self, size: u64) -> Option<u32> {
        self.allocate_aligned(size, self.align.into())
    }

    /// The bytes of the last request that found no room, if one has since this was called last.
    pub fn take_denied(&mut self) -> Option<u64> {
        self.denied.take()
    }

    /// All bytes, taken or not.
    pub fn capacity(&self) -> u64 {
        self.capacity.into()
    }

    /// Allocates zeroed memory at a multiple of `align`, a power of two.
    pub fn allocate_aligned(&mut self, size: u64, align: u64) -> Option<u32> {
        let found = self.find_room(size, align);
        if found.is_none() {
            self.denied = Some(size);
        }
        found
    }

    fn find_room(&mut self, size: u64, align: u64) -> Option<u32> {
        let extent =
            (size.checked_add(GUARD as u64)?).checked_next_multiple_of(self.align as u64)?;
        let slack = align.saturating_sub(self.align.into());
        let wide = extent.checked_add(slack)?;
        if wide > self.capacity as u64 {
            return None;
        }
        let (size, extent, wide) = (size as u32, extent as u32, wide as u32);
        let found = match self.take_free(wide) {
            Some(start) => start,
            None => self.take_top(wide)?,
        };
        let before = (found as u64).next_multiple_of(align.max(1)) as u32 - found;
        let start = found + before;
        if before > 0 {
            self.give_back(found, before);
        }
        if wide > before + extent {
            self.give_back(start + extent, wide - before - extent);
        }
        if self.clear(start, size).is_none() {
            self.give_back(start, extent);
            return None;
        }
        let fixed = false;
        let live = Live { size, extent, fixed };
        self.live.insert(start, live);
        Some(start)
    }

    /// Makes a fixed range an allocation, for data that is placed before the program starts. Ranges
    /// must be claimed in ascending order; `None` when there is no room.
    pub fn claim(&mut self, start: u32, size: u32) -> Option<()> {
        let end = start as u64 + size as u64;
        let next = (end + GUARD as u64).next_multiple_of(self.align as u64);
        if next > self.base as u64 + self.capacity as u64 {
            return None;
        }
        self.clear(start, size)?;
        self.top = self.top.max(next);
        let live = Live { size, extent: size, fixed: true };
        self.live.insert(start, live);
        Some(())
    }

    /// Frees the allocation that starts at `address`; `None` when none was made there.
    pub fn free(&mut self, address: u32) -> Option<()> {
        let live = *self.live.get(&address).filter(|live| !live.fixed)?;
        self.live.remove(&address);
        let hits = self.cache.iter_mut().chain(&mut self.recent);
        for hit in hits.filter(|hit| hit.start == address) {
            *hit = Hit::default();
        }
        self.give_back(address, live.extent);
        Some(())
    }

    /// The surroundings of an address that hits no allocation.
    pub fn near(&self, address: u32) -> Near {
        if let Some((&start, &extent)) = self.free.range(..=address).next_back()
            && address - start < extent
        {
            return Near::Freed;
        }
        let below = self.live.range(..=address).next_back();
        let above = self.live.range(address..).next();
        let past = |(&start, live): (&u32, &Live)| Near::Past { start, size: live.size };
        let before = |(&start, live): (&u32, &Live)| Near::Before { start, size: live.size };
        match (below, above) {
            (None, None) => Near::Nothing,
            (Some(below), None) => past(below),
            (None, Some(above)) => before(above),
            (Some(below), Some(above)) => {
                let end = below.0.saturating_add(below.1.size);
                if address.saturating_sub(end) <= above.0 - address {
                    past(below)
                } else {
                    before(above)
                }
            }
        }
    }

    /// Makes sure that the bytes exist and are zero.
    fn clear(&mut self, start: u32, size: u32) -> Option<()> {
        let from = (start - self.base) as usize;
        let to = from + size as usize;
        let old = self.used;
        self.used = old.max(to);
        if self.bytes.is_empty() {
            self.bytes = vec![0; to.min(16 << 20)];
        }
        if to > self.bytes.len() {
            self.bytes.try_reserve(to - self.bytes.len()).ok()?;
            self.bytes.resize(to, 0);
        }
        self.bytes[from..to.min(old).max(from)].fill(0);
        Some(())
    }

    /// The smallest, then lowest freed block that fits; the rest stays free.
    fn take_free(&mut self, extent: u32) -> Option<u32> {
        let &(found, start) = self.free_by_extent.range((extent, 0)..).next()?;
        self.remove_free(start, found);
        if found > extent {
            self.insert_free(start + extent, found - extent);
        }
        Some(start)
    }

    /// Grows the arena, beginning in a freed block that touches its end.
    fn take_top(&mut self, extent: u32) -> Option<u32> {
        let last = self.free.last_key_value().map(|(&start, &size)| (start, size));
        let tail = last.filter(|&(start, size)| start as u64 + size as u64 == self.top);
        let start = tail.map_or(self.top, |(start, _)| start as u64);
        if start + extent as u64 > self.base as u64 + self.capacity as u64 {
            return None;
        }
        if let Some((start, size)) = tail {
            self.remove_free(start, size);
        }
        self.top = start + extent as u64;
        Some(start as u32)
    }

    fn give_back(&mut self, start: u32, extent: u32) {
        let (mut start, mut extent) = (start, extent);
        if let Some((&below, &size)) = self.free.range(..start).next_back()
            && below + size == start
        {
            self.remove_free(below, size);
            start = below;
            extent += size;
        }
        if let Some(&size) = self.free.get(&(start + extent)) {
            self.remove_free(start + extent, size);
            extent += size;
        }
        self.insert_free(start, extent);
    }

    fn insert_free(&mut self, start: u32, extent: u32) {
        self.free.insert(start, extent);
        self.free_by_extent.insert((extent, start));
    }

    fn remove_free(&mut self, start: u32, extent: u32) {
        self.free.remove(&start);
        self.free_by_extent.remove(&(extent, start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arena() -> Arena {
        Arena::new(0x1000_0000, 1 << 20, 256)
    }

    #[test]
    fn allocations_are_zeroed_apart_and_reused() {
        let mut arena = arena();
        let a = arena.allocate(100).unwrap();
        let b = arena.allocate(100).unwrap();
        assert!(b - a >= 100 + GUARD && b.is_multiple_of(256));
        arena.slice(a, 100).unwrap().fill(7);
        assert!(arena.load::<4>(a + 100).is_none());
        assert!(arena.load::<4>(a + 2).is_none());
        assert_eq!(arena.load::<4>(a + 96), Some([7; 4]));
        arena.free(a).unwrap();
        assert_eq!(arena.near(a + 4), Near::Freed);
        assert!(arena.load::<4>(a).is_none() && arena.free(a).is_none());
        assert_eq!(arena.allocate(90), Some(a));
        assert_eq!(arena.load::<4>(a), Some([0; 4]));
    }

    #[test]
    fn alignments_beyond_the_arenas() {
        let mut arena = arena();
        let before = arena.unused();
        let a = arena.allocate_aligned(100, 4096).unwrap();
        let b = arena.allocate(100).unwrap();
        let c = arena.allocate_aligned(5000, 8192).unwrap();
        assert!(a.is_multiple_of(4096) && c.is_multiple_of(8192));
        assert!(arena.load::<4>(c + 4996).is_some() && arena.load::<4>(c + 5000).is_none());
        assert_eq!(arena.allocate_aligned(1, 1 << 40), None);
        assert_eq!(arena.allocate_aligned(1, 1 << 63), None);
        for address in [b, a, c] {
            arena.free(address).unwrap();
        }
        assert_eq!(arena.unused(), before);
    }

    #[test]
    fn exhaustion_is_no_panic() {
        let mut arena = arena();
        assert_eq!(arena.allocate(u64::MAX), None);
        assert_eq!(arena.allocate(1 << 20), None);
        let all = arena.allocate((1 << 20) - 256).unwrap();
        assert_eq!(arena.allocate(1), None);
        arena.free(all).unwrap();
        assert_eq!(arena.allocate((1 << 20) - 256), Some(all));
    }

    #[test]
    fn the_nearest_allocation_is_named() {
        let mut arena = arena();
        assert_eq!(arena.near(0x1000_0000), Near::Nothing);
        let a = arena.allocate(64).unwrap();
        assert_eq!(arena.near(a + 68), Near::Past { start: a, size: 64 });
    }

    #[test]
    fn freed_neighbours_join() {
        let mut arena = arena();
        let blocks: Vec<u32> = (0..4).map(|_| arena.allocate(256).unwrap()).collect();
        for at in [1, 3, 2, 0] {
            arena.free(blocks[at]).unwrap();
        }
        assert_eq!(arena.free.len(), 1);
        assert_eq!(arena.allocate(5000), Some(blocks[0]));
    }
}

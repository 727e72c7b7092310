//! The accesses of an SM's instructions to global memory during an epoch.
//!
//! SMs run an epoch independently of each other, so they can run at the same time. Each sees global
//! memory as it was when the epoch began, with its own stores. When the epoch ends, the stores and
//! atomics of all SMs take place in the order of (cycle, SM). An epoch is no longer than the
//! latency to memory, so no reply could have returned them earlier.
//!
//! An atomic's result is written to registers when it takes place, before its reply can arrive. A load
//! that touches a line on which an atomic of its own SM is still to take place waits for the epoch's
//! end; everything else is in the order of the program.

use crate::handles::BlockSlot;
use std::ops::Range;

use reconverge_isa::{GLOBAL_BASE, MAX_LANES, WarpResult, WarpSource, Width};

use crate::block::path::Lanes;
use crate::check::event::Waiting;
use crate::execute::atomic::{atomic, lane_value};
use crate::execute::lanes::lanes_of;
use crate::memory::words::{read, store_row, write};
use crate::program::decoded::Decoded;

/// A word that a thread prints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Emission {
    pub(crate) block: u64,
    pub(crate) thread: u16,
    pub(crate) pc: u32,
    pub(crate) word: u32,
}

/// The receiver of an atomic's result.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    /// Its block among the SM's places.
    pub(crate) place: BlockSlot,
    pub(crate) pc: u32,
    pub(crate) instruction: Decoded,
    pub(crate) lanes: Lanes,
    /// The lanes that access global memory.
    pub(crate) mask: u64,
}

#[derive(Debug)]
enum Kind {
    /// Consecutive words from an address on.
    Row,
    /// A value of a width for each of some addresses: (address, low, high) in turn.
    Scatter(Width),
    /// Atomics of some lanes: (address, two operands of two words each) in turn.
    Atomic(Box<Owner>),
    /// A word is printed.
    Emission(Emission),
    /// Something is to be checked.
    Check(Waiting),
}

#[derive(Debug)]
struct Entry {
    cycle: u64,
    kind: Kind,
    /// Its words among those of the log.
    words: Range<usize>,
    /// The addresses that it touches lie in here.
    extent: Range<u32>,
}

/// The outcome of an entry that is not a store.
pub(crate) enum Applied {
    /// Atomics took place; whether that changed memory. The result is for the registers.
    Performed { owner: Box<Owner>, result: Box<WarpResult>, changed: bool },
    /// A thread prints.
    Emitted(Emission),
    /// An event to be checked before the following entries take place.
    Check(Waiting),
}

/// Bytes of memory per bit of a filter.
const GRAIN: u32 = 128;

/// Lines that may have been touched: no line of these is missing, others may be in it.
#[derive(Debug, Default)]
struct Filter([u64; 8]);

impl Filter {
    #[inline]
    fn bit(address: u32) -> (usize, u64) {
        let hash = (address / GRAIN).wrapping_mul(0x9E37_79B1) >> 23;
        ((hash / 64) as usize, 1 << (hash % 64))
    }

    #[inline]
    fn add(&mut self, address: u32) {
        let (word, bit) = Filter::bit(address);
        self.0[word] |= bit;
    }

    #[inline]
    fn has(&self, address: u32) -> bool {
        let (word, bit) = Filter::bit(address);
        self.0[word] & bit != 0
    }

    fn add_extent(&mut self, extent: Range<u32>) {
        for line in extent.start / GRAIN..=(extent.end - 1) / GRAIN {
            self.add(line * GRAIN);
        }
    }
}

/// The accesses that an SM is going to apply to global memory.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// The cycle in which the instructions issue.
    pub(crate) now: u64,
    /// The place of the block whose instruction issues.
    pub(crate) place: BlockSlot,
    entries: Vec<Entry>,
    words: Vec<u32>,
    /// Entries that have taken place.
    next: usize,
    stored: Filter,
    atomic: Filter,
    atomics: usize,
}

impl Log {
    fn push(&mut self, kind: Kind, first: usize, extent: Range<u32>) {
        let words = first..self.words.len();
        self.entries.push(Entry { cycle: self.now, kind, words, extent });
    }

    /// Stores consecutive words from an address on.
    pub(crate) fn store_row(&mut self, address: u32, row: &[u32]) {
        let first = self.words.len();
        self.words.extend_from_slice(row);
        let extent = address..address + 4 * row.len() as u32;
        self.stored.add_extent(extent.clone());
        self.push(Kind::Row, first, extent);
    }

    /// Stores the values of some lanes at their addresses, the highest lane last.
    pub(crate) fn store_lanes(
        &mut self,
        width: Width,
        lanes: u64,
        addresses: &[u32; MAX_LANES],
        value: &WarpSource,
    ) {
        let first = self.words.len();
        let (mut low, mut high) = (u32::MAX, 0);
        for lane in lanes_of(lanes) {
            let (address, value) = (addresses[lane], lane_value(value, lane));
            self.words.extend([address, value as u32, (value >> 32) as u32]);
            self.stored.add(address);
            (low, high) = (low.min(address), high.max(address + width.bytes()));
        }
        self.push(Kind::Scatter(width), first, low..high);
    }

    /// Performs atomics of some lanes, in ascending order.
    pub(crate) fn atomic(
        &mut self,
        owner: Owner,
        addresses: &[u32; MAX_LANES],
        operands: [&WarpSource; 2],
    ) {
        let first = self.words.len();
        for lane in lanes_of(owner.mask) {
            let [a, b] = operands.map(|operand| lane_value(operand, lane));
            self.words.push(addresses[lane]);
            self.words.extend([a, b].iter().flat_map(|v| [*v as u32, (*v >> 32) as u32]));
            self.atomic.add(addresses[lane]);
        }
        self.atomics += 1;
        self.push(Kind::Atomic(Box::new(owner)), first, 0..0);
    }

    pub(crate) fn emit(&mut self, emission: Emission) {
        let first = self.words.len();
        self.push(Kind::Emission(emission), first, 0..0);
    }

    pub(crate) fn check(&mut self, waiting: Waiting) {
        let first = self.words.len();
        self.push(Kind::Check(waiting), first, 0..0);
    }

    /// Returns true if any atomic is still to take place.
    #[inline]
    pub(crate) fn has_atomics(&self) -> bool {
        self.atomics != 0
    }

    /// Returns true if an atomic is still to take place on the line of some address.
    pub(crate) fn has_atomic(&self, mut addresses: impl Iterator<Item = u32>) -> bool {
        addresses.any(|address| self.atomic.has(address))
    }

    /// Returns true if some atomic of a warp of the block in a place is still to take place.
    pub(crate) fn has_atomic_of(&self, place: BlockSlot) -> bool {
        let mut entries = self.entries[self.next..].iter();
        entries.any(|entry| matches!(&entry.kind, Kind::Atomic(owner) if owner.place == place))
    }

    /// Returns true if something was stored on the line of some address.
    #[inline]
    pub(crate) fn has_stored(&self, mut addresses: impl Iterator<Item = u32>) -> bool {
        !self.entries.is_empty() && addresses.any(|address| self.stored.has(address))
    }

    /// The value that a load of a width at an address finds, given the value in memory.
    pub(crate) fn load(&self, address: u32, width: Width, old: u64) -> u64 {
        let mut bytes = old.to_le_bytes();
        let end = address + width.bytes();
        for entry in &self.entries {
            if entry.extent.start >= end || address >= entry.extent.end {
                continue;
            }
            let words = &self.words[entry.words.clone()];
            match entry.kind {
                Kind::Row => overlay(
                    &mut bytes,
                    address,
                    width,
                    entry.extent.start,
                    |byte| words[byte / 4].to_le_bytes()[byte % 4],
                    entry.extent.len(),
                ),
                Kind::Scatter(stored) => {
                    for stores in words.as_chunks::<3>().0 {
                        let value = u64::from(stores[1]) | u64::from(stores[2]) << 32;
                        let size = stored.bytes() as usize;
                        overlay(
                            &mut bytes,
                            address,
                            width,
                            stores[0],
                            |byte| value.to_le_bytes()[byte],
                            size,
                        );
                    }
                }
                Kind::Atomic(_) | Kind::Emission(_) | Kind::Check(_) => {}
            }
        }
        // Narrow signed values are extended as memory extends them.
        read(&bytes, 0, width)
    }

    /// Returns true if nothing is to take place any more.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.len() == self.next
    }

    /// The cycles in which entries are to take place, in order.
    pub(crate) fn cycles(&self) -> impl Iterator<Item = u64> {
        let entries = self.entries.get(self.next..).unwrap_or_default();
        let runs = entries.chunk_by(|one, next| one.cycle == next.cycle);
        runs.filter_map(|run| Some(run.first()?.cycle))
    }

    /// Lets the stores of a cycle take place that are next; whether that changed memory.
    #[inline]
    pub(crate) fn store(&mut self, cycle: u64, memory: &mut [u8]) -> bool {
        let mut changed = false;
        for entry in &self.entries[self.next..] {
            let words = &self.words[entry.words.clone()];
            match entry.kind {
                _ if entry.cycle != cycle => break,
                Kind::Row => {
                    let start = place(entry.extent.start);
                    changed |= store_row(&mut memory[start..start + 4 * words.len()], words);
                }
                Kind::Scatter(width) => changed |= store_lanes(memory, width, words),
                _ => break,
            }
            self.next += 1;
        }
        changed
    }

    /// Lets the next entry of a cycle take place, which is not a store.
    #[inline]
    pub(crate) fn apply(&mut self, cycle: u64, memory: &mut [u8]) -> Option<Applied> {
        let is_due = self.entries.get(self.next).is_some_and(|entry| entry.cycle == cycle);
        if is_due { self.apply_next(memory) } else { None }
    }

    #[inline(never)]
    fn apply_next(&mut self, memory: &mut [u8]) -> Option<Applied> {
        let entry = self.entries.get_mut(self.next)?;
        self.next += 1;
        let words = &self.words[entry.words.clone()];
        match std::mem::replace(&mut entry.kind, Kind::Row) {
            Kind::Row | Kind::Scatter(_) => None,
            Kind::Atomic(owner) => {
                let mut result = Box::new(WarpResult::default());
                let mut changed = false;
                let width = owner.instruction.width;
                let operations = words.as_chunks::<5>().0;
                for (lane, operation) in lanes_of(owner.mask).zip(operations) {
                    let offset = place(operation[0]);
                    let operands =
                        [1, 3].map(|i| u64::from(operation[i]) | u64::from(operation[i + 1]) << 32);
                    let op = owner.instruction.op;
                    let (old, new) = atomic(op, memory, offset, width, operands);
                    changed |= new;
                    result.low[lane] = old as u32;
                    result.high[lane] = (old >> 32) as u32;
                }
                Some(Applied::Performed { owner, result, changed })
            }
            Kind::Emission(emission) => Some(Applied::Emitted(emission)),
            Kind::Check(waiting) => Some(Applied::Check(waiting)),
        }
    }

    /// Another epoch begins: forgets everything, which has taken place.
    #[inline]
    pub(crate) fn begin(&mut self) {
        if self.entries.is_empty() {
            return;
        }
        debug_assert!(self.is_empty(), "everything takes place");
        self.entries.clear();
        self.words.clear();
        self.next = 0;
        self.atomics = 0;
        self.stored = Filter::default();
        self.atomic = Filter::default();
    }
}

/// The offset of an address in global memory.
#[inline]
fn place(address: u32) -> usize {
    (address - GLOBAL_BASE) as usize
}

/// Writes the values of lanes at their addresses; whether that changed the memory.
fn store_lanes(memory: &mut [u8], width: Width, words: &[u32]) -> bool {
    let mut changed = false;
    for stores in words.as_chunks::<3>().0 {
        let value = u64::from(stores[1]) | u64::from(stores[2]) << 32;
        changed |= write(memory, place(stores[0]), width, value);
    }
    changed
}

/// Puts the bytes stored from `start` on, `size` bytes, over the bytes of a load.
fn overlay(
    bytes: &mut [u8; 8],
    address: u32,
    width: Width,
    start: u32,
    stored: impl Fn(usize) -> u8,
    size: usize,
) {
    for (i, byte) in bytes.iter_mut().enumerate().take(width.bytes() as usize) {
        let from = (address + i as u32).wrapping_sub(start) as usize;
        if from < size {
            *byte = stored(from);
        }
    }
}

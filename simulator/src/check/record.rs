//! The stores of a launch's threads, to compare with another order of the same launch.

use std::ops::Range;

use reconverge_isa::{GLOBAL_BASE, SHARED_BASE, Space};

use super::event::{Seen, value};
use super::finding::{Party, party};
use super::shape::Shape;
use crate::execute::lanes::lanes_of;

/// The most stores that are kept, the first of a launch.
const MOST: usize = 1 << 19;

/// A store or atomic of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// The thread, its place, and the stored value; for an atomic, its operand.
    pub party: Party,
    /// Shared or global.
    pub space: Space,
    /// Address in that space, or an offset in shared memory.
    pub address: u32,
}

/// The stores of a launch.
#[derive(Debug, Default)]
pub struct Record {
    /// The addresses of global memory whose last store is recorded.
    watched: Range<u32>,
    /// That store.
    pub last: Option<Store>,
    /// The first stores of the launch, in order.
    stores: Vec<Store>,
    /// There were more.
    is_cut: bool,
}

impl Record {
    pub(super) fn new(watched: Range<u32>) -> Record {
        Record { watched, ..Record::default() }
    }

    /// Threads are about to access memory.
    pub(super) fn access(&mut self, seen: &Seen, shape: &Shape) {
        if !seen.mode.writes() {
            return;
        }
        for lane in lanes_of(seen.global | seen.shared) {
            let thread = seen.thread(lane, shape.width);
            let place = shape.place(seen.block as u32, thread, seen.pc);
            let is_shared = seen.shared >> lane & 1 != 0;
            let (space, base) = match is_shared {
                true => (Space::Shared, SHARED_BASE),
                false => (Space::Global, 0),
            };
            let address = seen.addresses[lane].wrapping_sub(base);
            let store =
                Store { party: party(place, seen.mode, Some(seen.stored(lane))), space, address };
            let end = address.saturating_add(store.party.size);
            if !is_shared && address < self.watched.end && self.watched.start < end {
                self.last = Some(store);
            }
            match self.stores.len() < MOST {
                true => self.stores.push(store),
                false => self.is_cut = true,
            }
        }
    }

    pub(super) fn moved(&mut self, place: &dyn Fn(u32) -> u32) {
        for store in self.stores.iter_mut().chain(&mut self.last) {
            store.party.place.pc = place(store.party.place.pc);
        }
    }

    /// The first store, in the order of this launch, at which a thread acts differently from
    /// another order, with its action there, if any; as far as both are recorded. Each thread is
    /// compared with itself.
    pub fn first_difference(&self, other: &Record) -> Option<(Store, Option<Store>)> {
        let (own, others) = (self.by_thread(), other.by_thread());
        let mut best: Option<(usize, Option<usize>)> = None;
        let (mut i, mut j) = (0, 0);
        while i < own.len() {
            let thread = self.thread(own[i]);
            while j < others.len() && other.thread(others[j]) < thread {
                j += 1;
            }
            let (start, end) = (i, own[i..].partition_point(|&at| self.thread(at) == thread) + i);
            let also = others[j..].partition_point(|&at| other.thread(at) == thread) + j;
            let pairs = (start..end).map(|at| (own[at], others[j..also].get(at - start).copied()));
            let differs = |&(one, two): &(usize, Option<usize>)| match two {
                Some(two) => self.stores[one] != other.stores[two],
                None => !other.is_cut,
            };
            let found = pairs.into_iter().find(differs);
            if let Some(found) = found
                && best.is_none_or(|best| found.0 < best.0)
            {
                best = Some(found);
            }
            (i, j) = (end, also);
        }
        best.map(|(one, two)| (self.stores[one], two.map(|two| other.stores[two])))
    }

    fn thread(&self, store: usize) -> ([u32; 3], [u32; 3]) {
        let place = self.stores[store].party.place;
        (place.block, place.thread)
    }

    /// The numbers of the stores, those of each thread together and in order.
    fn by_thread(&self) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.stores.len()).collect();
        all.sort_by_key(|&store| self.thread(store));
        all
    }
}

/// The first byte of global memory in which two states differ, as an address.
pub fn first_difference(one: &[u8], two: &[u8]) -> Option<u32> {
    const CHUNK: usize = 4096;
    let mut chunks = one.chunks(CHUNK).zip(two.chunks(CHUNK));
    let chunk = chunks.position(|(one, two)| one != two)?;
    let within = |bytes: &[u8], at: usize| value(bytes, chunk * CHUNK + at, 1);
    let at = (0..CHUNK).find(|&at| within(one, at) != within(two, at))?;
    Some(GLOBAL_BASE + (chunk * CHUNK + at) as u32)
}

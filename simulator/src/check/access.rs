//! Accesses as they take place: checks for races, and for reads of unwritten memory.

use reconverge_isa::{GLOBAL_BASE, LOCAL_BASE, SHARED_BASE, Space};

use super::clock::Clocks;
use super::event::{Kept, Seen, value};
use super::finding::{self, Distance, Finding, FindingKind, party};
use super::marks::Mark;
use super::order::Places;
use super::proofs::Class;
use super::race::{Now, Pass};
use super::shadow::{Entry, Mode, Plane, Record, Room, Written, lane};
use super::{Checker, Copies, MOST_COPIES, Resident};
use crate::check::marks::Flows;
use crate::execute::lanes::lanes_of;

impl Checker {
    /// Threads are about to access memory. `global` is global memory.
    pub(crate) fn access(&mut self, seen: &Seen, global: &[u8]) {
        if let Some(stores) = &mut self.stores {
            stores.access(seen, &self.shape);
            return;
        }
        let mut block = self.resident(seen.block);
        let narrow = self.narrow_lanes(&mut block.clocks, seen);
        if let Some(footprint) = &mut self.footprint {
            for at in lanes_of(seen.global) {
                footprint.access(seen.addresses[at], mode_of(seen, narrow, at));
            }
        }
        for (space, lanes) in [(Space::Global, seen.global), (Space::Shared, seen.shared)] {
            if self.checks.races && lanes != 0 {
                self.race(&mut block, seen, InSpace { space, lanes, narrow }, global);
            }
        }
        if self.checks.races && seen.shared != 0 {
            self.unawaited(&block, seen);
        }
        if self.checks.init {
            self.initialised(&mut block, seen);
        }
        self.at_hand = Some(block);
    }

    /// Copies of words start.
    pub(super) fn copy_starts(&mut self, block: &mut Resident, write: &Kept) {
        let seen = write.seen();
        if self.checks.init {
            self.initialised(block, &seen);
        }
        if self.checks.races {
            self.unawaited(block, &seen);
            self.race(block, &seen, InSpace::shared(seen.shared), &[]);
            block.pending.start(write, self.shape.width);
        }
    }

    /// A wait of lanes of a warp ends: their copies are writes of now, except those of the last `left` groups.
    pub(super) fn awaited(&mut self, block: &mut Resident, warp: u16, lanes: u64, left: u32) {
        for (write, over) in block.pending.take_awaited(warp, lanes, left, self.shape.width) {
            // Accesses in between have been reported.
            self.compare(block, &write.seen(), InSpace::shared(over));
        }
    }

    /// Reports an access to bytes that a copy may still write.
    fn unawaited(&mut self, block: &Resident, seen: &Seen) {
        let Some((at, writer)) = block.pending.conflict(seen) else {
            return;
        };
        let place = |thread: usize, pc: u32| self.shape.place(block.clocks.block, thread, pc);
        let copy = place(writer.thread.into(), writer.pc);
        let own = place(seen.thread(at, self.shape.width), seen.pc);
        let address = seen.addresses[at].wrapping_sub(SHARED_BASE);
        let access = party(own, seen.mode, None);
        let kind = FindingKind::Unawaited { space: Space::Shared, address, copy, access };
        self.findings.add(Finding { place: own, kind });
    }

    /// Compares an access with the earlier ones, remembers it, and reports races.
    fn race(&mut self, block: &mut Resident, seen: &Seen, accessed: InSpace, global: &[u8]) {
        self.hits.clear();
        let mixed = self.compare(block, seen, accessed);
        if self.checks.lane_stores && mixed != 0 {
            self.report_mixed(block, seen, accessed.space, mixed);
        }
        if !self.hits.is_empty() {
            self.report_races(block, seen, accessed, global);
        }
    }

    /// Compares an access with the earlier ones, and remembers it. Returns the lanes that store another value to a place than
    /// another lane does.
    fn compare(&mut self, block: &mut Resident, seen: &Seen, accessed: InSpace) -> u64 {
        let InSpace { space, lanes, narrow } = accessed;
        let (mode, width) = (seen.mode, self.shape.width);
        let proofs = &self.proofs[usize::from(space == Space::Shared)];
        let class = proofs.class(seen.pc);
        if class == Class::Proved {
            return 0;
        }
        if proofs.compares {
            let size = seen.size() as u32;
            let refuted = |at: usize| proofs.refuted(seen.addresses[at], size, mode.writes());
            self.refuted |= lanes_of(lanes).any(refuted);
        }
        if class == Class::Compare {
            return 0;
        }
        let synchronises =
            mode.is_strong() && (block.clocks.has_fences() || !self.places.is_empty());
        if synchronises && mode.reads() {
            self.acquire(&mut block.clocks, seen, accessed);
        }
        let Resident { clocks, shared, latest: [in_global, in_shared], .. } = &mut *block;
        let (plane, latest, base) = match space {
            Space::Shared => (shared, in_shared, SHARED_BASE),
            _ => (&mut self.global, in_global, GLOBAL_BASE),
        };
        self.hits.clear();
        let overlaps = mode.writes() && !are_apart(seen, lanes);
        let mixed = if overlaps && !mode.reads() { mixed_lanes(seen, lanes) } else { 0 };
        let passes = match overlaps {
            true => &[Pass::Compare, Pass::Keep][..],
            false => &[Pass::Whole],
        };
        let mut sweep = Sweep {
            clocks,
            places: &self.places,
            seen,
            lanes,
            narrow,
            mixed,
            width,
            base,
            hits: &mut self.hits,
            room: &mut self.room,
        };
        for &pass in passes {
            sweep.pass(pass, plane, latest, self.shape.instructions);
        }
        if synchronises && mode.writes() {
            self.release(&mut block.clocks, seen, accessed);
        }
        mixed
    }

    /// The lanes of an atomic for which it is one for the threads of their blocks only.
    fn narrow_lanes(&self, clocks: &mut Clocks, seen: &Seen) -> u64 {
        let is_atomic = seen.mode.reads() && seen.mode.writes();
        if !self.checks.races || !is_atomic {
            return 0;
        }
        let width = self.shape.width;
        let mut is_narrow = |at: &usize| {
            let thread = seen.thread(*at, width);
            clocks.take_narrow((thread / width) as u16, thread % width)
        };
        lanes_of(seen.global | seen.shared)
            .filter(|at| is_narrow(at))
            .fold(0, |lanes, at| lanes | 1 << at)
    }

    fn acquire(&mut self, clocks: &mut Clocks, seen: &Seen, accessed: InSpace) {
        let width = self.shape.width;
        for (thread, key) in touched(seen, clocks.block, accessed, width) {
            self.places.acquire(key, thread, clocks);
        }
    }

    fn release(&mut self, clocks: &mut Clocks, seen: &Seen, accessed: InSpace) {
        let width = self.shape.width;
        for (thread, key) in touched(seen, clocks.block, accessed, width) {
            self.places.release(key, (thread / width) as u16, thread, clocks);
        }
    }

    /// Makes findings of the hits.
    #[cold]
    fn report_races(&mut self, block: &Resident, seen: &Seen, accessed: InSpace, global: &[u8]) {
        let InSpace { space, narrow, .. } = accessed;
        let (width, own) = (self.shape.width, block.clocks.block);
        let entries = match space {
            Space::Shared => block.shared.entries(),
            _ => self.global.entries(),
        };
        for &Hit { at, record, is_whole } in &self.hits {
            let before = Plane::of(entries, record);
            let thread = seen.thread(at, width);
            let distance = match (before.block == own, usize::from(before.warp) == thread / width) {
                (false, _) => Distance::Grid,
                (true, false) => Distance::Block,
                (true, true) => Distance::Warp,
            };
            let size = seen.size();
            let (address, old) = match space {
                Space::Shared => {
                    (seen.addresses[at].wrapping_sub(SHARED_BASE), seen.shared_value(at))
                }
                _ => {
                    let address = seen.addresses[at];
                    (address, value(global, address.wrapping_sub(GLOBAL_BASE) as usize, size))
                }
            };
            let writes = |mode: Mode| mode.writes() && !mode.reads();
            let both = writes(before.mode) && writes(seen.mode);
            let same_size = before.mode.size() == size;
            let is_known = is_whole && same_size && !before.mode.is_mixed();
            let same_value = both && is_known && seen.stored(at) == old;
            if self.findings.has(&finding::race(seen.pc, before.pc, same_value, distance)) {
                continue;
            }
            let first = before.block;
            let first =
                self.shape.place(first, usize::from(before.warp) * width + lane(record), before.pc);
            let place = self.shape.place(own, thread, seen.pc);
            let written = if writes(seen.mode) { seen.stored(at) } else { old };
            let is_known = is_known || !before.mode.writes() && same_size;
            let first = party(first, before.mode, is_known.then_some(old));
            let second = party(place, mode_of(seen, narrow, at), Some(written));
            let kind = FindingKind::Race { space, address, first, second, distance, same_value };
            self.findings.add(Finding { place, kind });
        }
    }

    /// Makes a finding of lanes of one store that store different values to one place.
    #[cold]
    fn report_mixed(&mut self, block: &Resident, seen: &Seen, space: Space, mixed: u64) {
        let own = block.clocks.block;
        let mut lanes = lanes_of(mixed);
        let Some(at) = lanes.next() else {
            return;
        };
        let differs = |&other: &usize| {
            seen.addresses[other] == seen.addresses[at] && seen.stored(other) != seen.stored(at)
        };
        let Some(other) = lanes.find(differs) else {
            return;
        };
        let of = |lane: usize| {
            let place = self.shape.place(own, seen.thread(lane, self.shape.width), seen.pc);
            party(place, seen.mode, Some(seen.stored(lane)))
        };
        let (first, second) = (of(at), of(other));
        let address = match space {
            Space::Shared => seen.addresses[at].wrapping_sub(SHARED_BASE),
            _ => seen.addresses[at],
        };
        let kind = FindingKind::LaneStores { space, address, first, second };
        self.findings.add(Finding { place: second.place, kind });
    }

    /// Checks that read bytes are written, and records writes.
    fn initialised(&mut self, block: &mut Resident, seen: &Seen) {
        let size = seen.size();
        let spaces = [
            (Space::Global, seen.global, GLOBAL_BASE),
            (Space::Shared, seen.shared, SHARED_BASE),
            (Space::Local, seen.local, LOCAL_BASE),
        ];
        let words = self.flows.as_ref().map_or(0, Flows::words);
        for (space, lanes, base) in spaces {
            let (written, copies) = match space {
                Space::Global => (&mut self.written, &mut self.copies),
                Space::Shared => (&mut block.shared_written, &mut block.shared_copies),
                _ => (&mut block.local_written, &mut block.local_copies),
            };
            for at in lanes_of(lanes) {
                let thread = seen.thread(at, self.shape.width);
                let address = seen.addresses[at].wrapping_sub(base);
                let offset = address as usize
                    + if space == Space::Local { thread * self.shape.local } else { 0 };
                if !seen.ignores && !written.has(offset, size) {
                    let address = if space == Space::Global { seen.addresses[at] } else { address };
                    let place = self.shape.place(block.clocks.block, thread, seen.pc);
                    let size = size as u32;
                    let copied = copies.range(offset..offset + seen.size()).next();
                    let copied = copied.map(|(_, &pc)| pc);
                    let kind = FindingKind::Uninitialised { space, address, size, copied };
                    self.findings.add(Finding { place, kind });
                }
                let marks = block.marks.get_mut(thread * words..(thread + 1) * words);
                let marks = seen.register.and_then(|first| marks?.get_mut(usize::from(first)..));
                let marks = marks.unwrap_or_default();
                match (seen.mode.writes(), seen.forgets) {
                    (true, false) => written.write(offset, size),
                    (true, true) => written.set(offset, offset + size, false),
                    (false, _) => {}
                }
                match seen.mode.reads() {
                    true => mark(marks, seen, offset, written, copies),
                    false => store_marks(marks, offset, size, written, copies),
                }
            }
        }
    }
}

/// A load or atomic at an offset sets the marks of the registers that it writes: a copy marks the
/// bytes that were never written.
fn mark(marks: &mut [Mark], seen: &Seen, offset: usize, written: &Written, copies: &Copies) {
    let size = seen.size();
    for (word, mark) in marks.iter_mut().take(size.div_ceil(4)).enumerate() {
        *mark = Mark::default();
        if !seen.copies {
            continue;
        }
        let first = offset + 4 * word;
        let lacks = |&byte: &usize| !written.has(first + byte, 1);
        let bytes = (0..(size - 4 * word).min(4)).filter(lacks).fold(0, |all, it| all | 1 << it);
        let pc = copies.get(&first).copied().unwrap_or(seen.pc);
        *mark = Mark::new(bytes, pc);
    }
}

/// A store at an offset makes those bytes valueless that it stores from marked bytes of registers.
fn store_marks(
    marks: &[Mark],
    offset: usize,
    size: usize,
    written: &mut Written,
    copies: &mut Copies,
) {
    for (word, mark) in marks.iter().take(size.div_ceil(4)).enumerate() {
        for byte in (0..4).filter(|byte| mark.bytes() >> byte & 1 != 0 && 4 * word + byte < size) {
            let at = offset + 4 * word + byte;
            written.set(at, at + 1, false);
            if copies.len() < MOST_COPIES || copies.contains_key(&at) {
                copies.insert(at, mark.pc());
            }
        }
    }
}

/// The lanes of an access to one memory.
#[derive(Clone, Copy)]
struct InSpace {
    space: Space,
    lanes: u64,
    /// Lanes whose atomic is for their block only.
    narrow: u64,
}

impl InSpace {
    /// Lanes that access shared memory, by no atomic.
    fn shared(lanes: u64) -> InSpace {
        InSpace { space: Space::Shared, lanes, narrow: 0 }
    }
}

/// The lanes of an access to one memory, during their pass over its shadow.
struct Sweep<'a, 's> {
    clocks: &'a Clocks,
    places: &'a Places,
    seen: &'a Seen<'s>,
    lanes: u64,
    /// Lanes whose atomic is for their block only.
    narrow: u64,
    /// Lanes that store another value to a place than another lane does.
    mixed: u64,
    width: usize,
    /// The start of the memory.
    base: u32,
    hits: &'a mut Vec<Hit>,
    room: &'a mut Room,
}

impl Sweep<'_, '_> {
    /// Goes over all lanes. `latest` has the last entry of each of `instructions` instructions, by
    /// warp.
    fn pass(&mut self, pass: Pass, plane: &mut Plane, latest: &mut [u32], instructions: usize) {
        let Sweep { clocks, places, seen, lanes, width, .. } = *self;
        let (mut entry, mut warp, mut mode) = (0, u16::MAX, seen.mode);
        // The two kinds of lanes have entries of their own, and no place in common.
        let (alike, mixed) = (lanes & !self.mixed, lanes & self.mixed);
        for at in lanes_of(alike).chain(lanes_of(mixed)) {
            let thread = seen.thread(at, width);
            let own = self.mode(at);
            if (warp, mode) != ((thread / width) as u16, own) {
                (warp, mode) = ((thread / width) as u16, own);
                let number = usize::from(warp) * instructions + seen.pc as usize;
                let (block, time, pc) = (clocks.block, clocks.time, seen.pc);
                let new = Entry { block, time, pc, warp, mode };
                let latest = latest.get_mut(number);
                entry = latest.map_or(0, |latest| plane.entry(latest, new, self.room));
            }
            if entry == 0 {
                continue;
            }
            let me = Plane::record(entry, thread % width);
            let now = Now { clocks, places, seen, lanes, at, mode, me, warp, width };
            let (first, hits) = (self.hits.len(), &mut *self.hits);
            let offset = seen.addresses[at].wrapping_sub(self.base) as usize;
            let cells = plane.each(offset, seen.size(), self.room, |cell, entries| {
                now.visit(cell, entries, pass, |record, is_last| {
                    hits.push(Hit { at, record, is_whole: is_last });
                });
            });
            if hits.len() != first {
                settle(&mut hits[first..], cells);
            }
        }
    }

    fn mode(&self, at: usize) -> Mode {
        let mode = mode_of(self.seen, self.narrow, at);
        if self.mixed >> at & 1 != 0 { mode.mixed() } else { mode }
    }
}

/// An earlier access that a lane of an access races with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    at: usize,
    record: Record,
    /// All bytes of the access hold the record's value.
    is_whole: bool,
}

/// Settles the hits of one lane, whose access touches `cells` cells: their records have written all
/// of it if they are the last writers of each cell.
#[cold]
fn settle(hits: &mut [Hit], cells: usize) {
    let counts = |record: Record| {
        hits.iter().filter(|hit| hit.is_whole && hit.record == record).count() == cells
    };
    let whole: Vec<bool> = hits.iter().map(|hit| counts(hit.record)).collect();
    for (hit, is_whole) in hits.iter_mut().zip(whole) {
        hit.is_whole = is_whole;
    }
}

/// Returns true if the lanes of an access touch different places, as far as a comparison of
/// neighbours shows.
fn are_apart(seen: &Seen, lanes: u64) -> bool {
    let (mut end, size) = (0, u64::from(seen.size() as u32));
    lanes_of(lanes).all(|at| {
        let start = u64::from(seen.addresses[at]);
        let is_beyond = start >= end;
        end = start + size;
        is_beyond
    })
}

/// The lanes of a store that store another value to a place than another lane does.
fn mixed_lanes(seen: &Seen, lanes: u64) -> u64 {
    let mut mixed = 0;
    for at in lanes_of(lanes) {
        let above = lanes & !(u64::MAX >> (63 - at));
        for other in lanes_of(above) {
            let same = seen.addresses[at] == seen.addresses[other];
            if same && seen.stored(at) != seen.stored(other) {
                mixed |= 1 << at | 1 << other;
            }
        }
    }
    mixed
}

/// The mode of a lane's access; `narrow` has the lanes whose atomic is for their block only.
fn mode_of(seen: &Seen, narrow: u64, lane: usize) -> Mode {
    match narrow >> lane & 1 != 0 {
        true => seen.mode.narrow(),
        false => seen.mode,
    }
}

/// The threads of some lanes with the names of the places where they release and acquire: of each place one for the threads of
/// the block, and one for all threads.
fn touched(
    seen: &Seen,
    block: u32,
    accessed: InSpace,
    width: usize,
) -> impl Iterator<Item = (usize, u64)> {
    let InSpace { space, lanes, narrow } = accessed;
    lanes_of(lanes).flat_map(move |at| {
        let (thread, address) = (seen.thread(at, width), u64::from(seen.addresses[at]));
        let of_block = (u64::from(block) + 1) << 32 | address;
        let for_all = space != Space::Shared && narrow >> at & 1 == 0;
        let of_all = for_all.then_some(address);
        std::iter::once(of_block).chain(of_all).map(move |key| (thread, key))
    })
}

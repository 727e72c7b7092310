//! Accesses as they take place: whether they race, and read what has been written.

use reconverge_isa::{GLOBAL_BASE, LOCAL_BASE, SHARED_BASE, Space};

use super::clock::Clocks;
use super::event::{Seen, value};
use super::finding::{self, Distance, Finding, FindingKind, party};
use super::proofs::Class;
use super::race::Now;
use super::shadow::{Entry, Mode, Plane, lane};
use super::{Checker, Resident};
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
                self.race(&mut block, seen, (space, lanes, narrow), global);
            }
        }
        if self.checks.init {
            self.initialised(&mut block, seen);
        }
        self.at_hand = Some(block);
    }

    fn race(
        &mut self,
        block: &mut Resident,
        seen: &Seen,
        (space, lanes, narrow): (Space, u64, u64),
        global: &[u8],
    ) {
        let (mode, width) = (seen.mode, self.shape.width);
        let proofs = &self.proofs[usize::from(space == Space::Shared)];
        let class = proofs.class(seen.pc);
        if class == Class::Proved {
            return;
        }
        if proofs.compares {
            let size = seen.size() as u32;
            let refuted = |at: usize| proofs.refuted(seen.addresses[at], size, mode.writes());
            self.refuted |= lanes_of(lanes).any(refuted);
        }
        if class == Class::Compare {
            return;
        }
        let synchronises =
            mode.is_strong() && (block.clocks.has_fences() || !self.places.is_empty());
        if synchronises && mode.reads() {
            self.acquire(&mut block.clocks, seen, (space, lanes, narrow));
        }
        let Resident { clocks, shared, latest: [in_global, in_shared], .. } = &mut *block;
        let (plane, latest, base) = match space {
            Space::Shared => (shared, in_shared, SHARED_BASE),
            _ => (&mut self.global, in_global, GLOBAL_BASE),
        };
        self.hits.clear();
        let (mut entry, mut warp, mut mode) = (0, u16::MAX, seen.mode);
        for at in lanes_of(lanes) {
            let thread = seen.thread(at, width);
            let own = mode_of(seen, narrow, at);
            if (warp, mode) != ((thread / width) as u16, own) {
                (warp, mode) = ((thread / width) as u16, own);
                let number = usize::from(warp) * self.shape.instructions + seen.pc as usize;
                let Some(latest) = latest.get_mut(number) else {
                    continue;
                };
                let (block, time, pc) = (clocks.block, clocks.time, seen.pc);
                entry = plane.entry(latest, Entry { block, time, pc, warp, mode });
            }
            let me = Plane::record(entry, thread % width);
            let (places, hits) = (&self.places, &mut self.hits);
            let now = Now { clocks, places, seen, lanes, at, mode, me, warp, width };
            let offset = seen.addresses[at].wrapping_sub(base) as usize;
            plane.each(offset, seen.size(), |cell, entries| {
                now.visit(cell, entries, |record| hits.push((at, record)));
            });
        }
        if !self.hits.is_empty() {
            self.report_races(block, seen, (space, narrow), global);
        }
        if synchronises && mode.writes() {
            self.release(&mut block.clocks, seen, (space, lanes, narrow));
        }
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

    fn acquire(
        &mut self,
        clocks: &mut Clocks,
        seen: &Seen,
        (space, lanes, narrow): (Space, u64, u64),
    ) {
        let width = self.shape.width;
        for (thread, key) in touched(seen, clocks.block, (space, lanes, narrow), width) {
            self.places.acquire(key, thread, clocks);
        }
    }

    fn release(
        &mut self,
        clocks: &mut Clocks,
        seen: &Seen,
        (space, lanes, narrow): (Space, u64, u64),
    ) {
        let width = self.shape.width;
        for (thread, key) in touched(seen, clocks.block, (space, lanes, narrow), width) {
            self.places.release(key, ((thread / width) as u16, thread), clocks);
        }
    }

    /// Makes findings of what has been hit.
    #[cold]
    fn report_races(
        &mut self,
        block: &Resident,
        seen: &Seen,
        (space, narrow): (Space, u64),
        global: &[u8],
    ) {
        let (width, own) = (self.shape.width, block.clocks.block);
        let entries = match space {
            Space::Shared => block.shared.entries(),
            _ => self.global.entries(),
        };
        for &(at, record) in &self.hits {
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
            let same_value = both && same_size && seen.stored(at) == old;
            if self.findings.has(&finding::race(seen.pc, before.pc, same_value, distance)) {
                continue;
            }
            let first = before.block;
            let first =
                self.shape.place(first, usize::from(before.warp) * width + lane(record), before.pc);
            let place = self.shape.place(own, thread, seen.pc);
            let written = if writes(seen.mode) { seen.stored(at) } else { old };
            let first = party(first, before.mode, same_size.then_some(old));
            let second = party(place, mode_of(seen, narrow, at), Some(written));
            let kind = FindingKind::Race { space, address, first, second, distance, same_value };
            self.findings.add(Finding { place, kind });
        }
    }

    /// Looks whether what is read is written, and notes what is being written.
    fn initialised(&mut self, block: &mut Resident, seen: &Seen) {
        let size = seen.size();
        let spaces = [
            (Space::Global, seen.global, GLOBAL_BASE),
            (Space::Shared, seen.shared, SHARED_BASE),
            (Space::Local, seen.local, LOCAL_BASE),
        ];
        for (space, lanes, base) in spaces {
            let written = match space {
                Space::Global => &mut self.written,
                Space::Shared => &mut block.shared_written,
                _ => &mut block.local_written,
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
                    let kind = FindingKind::Uninitialised { space, address, size };
                    self.findings.add(Finding { place, kind });
                }
                match (seen.mode.writes(), seen.forgets) {
                    (true, false) => written.write(offset, size),
                    (true, true) => written.set(offset, offset + size, false),
                    (false, _) => {}
                }
            }
        }
    }
}

/// How a lane accesses memory; `narrow` has the lanes whose atomic is for their block only.
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
    (space, lanes, narrow): (Space, u64, u64),
    width: usize,
) -> impl Iterator<Item = (usize, u64)> {
    lanes_of(lanes).flat_map(move |at| {
        let (thread, address) = (seen.thread(at, width), u64::from(seen.addresses[at]));
        let of_block = (u64::from(block) + 1) << 32 | address;
        let for_all = space != Space::Shared && narrow >> at & 1 == 0;
        let of_all = for_all.then_some(address);
        std::iter::once(of_block).chain(of_all).map(move |key| (thread, key))
    })
}

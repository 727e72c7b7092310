//! Checks a run for what a program must not do although this run went well: races, reads of memory that was never written,
//! barriers and synchronisations of warps that not all reach.
//!
//! The executor tells of every access and synchronisation in the order in which they take place, under the timing
//! model by way of the log of an epoch, so that findings do not depend on the number of threads of the host.
//! `spec/checks.md` has the algorithm, and what it cannot see.

mod clock;
mod event;
mod finding;
mod footprint;
mod knowledge;
mod order;
mod proofs;
mod race;
mod record;
mod shadow;
mod shape;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::ops::Range;

use reconverge_isa::{GLOBAL_BASE, LOCAL_BASE, SHARED_BASE, Space};

use crate::lanes::lanes_of;
use clock::Clocks;
use event::value;
pub(crate) use event::{Instruction, Lanes, Seen, Told, Waiting};
pub use finding::{Action, Distance, Finding, FindingKind, Party, Place};
use finding::{Findings, party};
pub use footprint::{Clash, Footprint};
use order::Places;
pub use proofs::Access;
use proofs::{Class, Proofs};
use race::Now;
pub use record::{Record as Stores, Store, first_difference};
use shadow::{Entry, Mode, Plane, Record, Written, lane};
pub(crate) use shape::Shape;

/// What is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Accesses that nothing orders.
    pub races: bool,
    /// Reads of memory that was never written.
    pub init: bool,
    /// Barriers that not all threads of a block reach.
    pub barriers: bool,
    /// Masks of warp operations.
    pub lanes: bool,
}

impl Checks {
    /// Whether anything is checked.
    pub fn any(&self) -> bool {
        self.races || self.init || self.barriers || self.lanes
    }
}

/// Checks the launches of a program, and keeps what it has found.
pub struct Checker {
    checks: Checks,
    shape: Shape,
    global: Plane,
    /// Of global memory, from its base on; and when the launch started, if it may have to start again.
    written: Written,
    written_before: Written,
    places: Places,
    /// The running block that did something last, the others, and what is left of those that have ended.
    at_hand: Option<Box<Resident>>,
    others: BTreeMap<u32, Box<Resident>>,
    spare: VecDeque<Box<Resident>>,
    /// Of the access at hand, the lanes and what they race with.
    hits: Vec<(usize, Record)>,
    findings: Findings,
    done: Vec<Finding>,
    dropped: u64,
    /// Instead of checks, what is stored is wanted.
    stores: Option<Stores>,
    /// What the launch touches of global memory, if that is wanted.
    footprint: Option<Footprint>,
    /// The accesses of the next launch, and what is proved of those to global and to shared memory.
    accesses: Vec<Access>,
    proofs: [Proofs; 2],
    /// Something that was proved is not so.
    refuted: bool,
}

impl fmt::Debug for Checker {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Checker").field("checks", &self.checks).finish_non_exhaustive()
    }
}

/// A block that is running.
#[derive(Default)]
struct Resident {
    clocks: Clocks,
    shared: Plane,
    shared_written: Written,
    /// By thread.
    local_written: Written,
    /// By warp and instruction, the last entry in the shadow of global and of shared memory.
    latest: [Vec<u32>; 2],
    /// The paths that wait at the barrier: where, and their first threads.
    arrived: Vec<(u32, u16)>,
    /// The first thread that has ended, and where.
    ended: Option<(u32, u16)>,
}

impl Checker {
    /// Checks nothing yet.
    pub fn new(checks: Checks) -> Checker {
        Checker {
            checks,
            shape: Shape::default(),
            global: Plane::default(),
            written: Written::default(),
            written_before: Written::default(),
            places: Places::default(),
            at_hand: None,
            others: BTreeMap::new(),
            spare: VecDeque::new(),
            hits: Vec::new(),
            findings: Findings::default(),
            done: Vec::new(),
            dropped: 0,
            stores: None,
            footprint: None,
            accesses: Vec::new(),
            proofs: Default::default(),
            refuted: false,
        }
    }

    /// All accesses to memory in the kernel of the next launch, so that those that cannot race need not be looked at.
    pub fn expect(&mut self, accesses: Vec<Access>) {
        self.accesses = accesses;
        self.refuted = false;
    }

    /// How many of the instructions that access global or shared memory were proved free of races in the last launch; if what
    /// they were proved from turned out not to be so, none.
    pub fn proved(&self) -> u32 {
        self.proofs.iter().map(|proofs| proofs.proved).sum()
    }

    /// Whether what was proved of the last launch turned out not to be so.
    pub fn was_refuted(&self) -> bool {
        self.refuted
    }

    /// Whether a launch that has started may turn out to be other than was proved.
    pub(crate) fn may_be_refuted(&self) -> bool {
        self.proofs.iter().any(|proofs| proofs.compares || proofs.by_barriers)
    }

    /// A launch that was refuted starts again, without proofs.
    pub(crate) fn start_again(&mut self, shape: Shape) {
        self.accesses.clear();
        self.written = std::mem::take(&mut self.written_before);
        self.findings = Findings::default();
        self.start(shape, &|pc| pc);
    }

    /// Checks nothing, but remembers what the threads of a launch store, and the last store to some addresses of global
    /// memory.
    pub fn of_stores(watched: Range<u32>) -> Checker {
        Checker { stores: Some(Stores::new(watched)), ..Checker::new(Checks::default()) }
    }

    /// What has been stored.
    pub fn into_stores(self) -> Stores {
        self.stores.unwrap_or_default()
    }

    /// What the launches from now on touch of global memory is wanted, until it is asked for.
    pub fn want_footprint(&mut self) {
        self.footprint = Some(Footprint::default());
    }

    /// What the last launch has touched, if that was wanted.
    pub fn take_footprint(&mut self) -> Option<Footprint> {
        self.footprint.take()
    }

    /// The host says whether a range of global memory, as addresses, is written.
    pub fn set_written(&mut self, range: Range<u32>, written: bool) {
        let at = |address: u32| address.saturating_sub(GLOBAL_BASE) as usize;
        self.written.set(at(range.start), at(range.end), written);
    }

    /// The host has copied some bytes within global memory.
    pub fn copied(&mut self, to: u32, from: u32, length: u32) {
        let at = |address: u32| address.saturating_sub(GLOBAL_BASE) as usize;
        self.written.copy(at(to), at(from), length as usize);
    }

    /// What the launches since this was asked for have done wrong, each thing once, and how much more of it there
    /// was than is kept.
    pub fn take_findings(&mut self) -> (Vec<Finding>, u64) {
        (std::mem::take(&mut self.done), std::mem::take(&mut self.dropped))
    }

    /// A launch begins. `place` says where instructions are in the program.
    pub(crate) fn start(&mut self, shape: Shape, place: &dyn Fn(u32) -> u32) {
        let accesses = std::mem::take(&mut self.accesses);
        self.proofs = [false, true].map(|shared| {
            let last = accesses.iter().map(|access| access.pc as usize + 1).max().unwrap_or(0);
            let [[bx, by, bz], [gx, gy, gz]] = [shape.block, shape.grid];
            let proofs = Proofs::new(&accesses, last, &[bx, by, bz, gx, gy, gz], shared);
            proofs.renumbered(shape.instructions, place)
        });
        if self.may_be_refuted() {
            self.written_before = self.written.clone();
        }
        self.shape = shape;
        if let Some(footprint) = &mut self.footprint {
            *footprint = Footprint::default();
        }
        self.global.clear();
        self.places.clear();
        self.spare.extend(self.at_hand.take());
        self.spare.extend(std::mem::take(&mut self.others).into_values());
        // Of another kernel.
        self.spare.iter_mut().for_each(|block| block.latest = Default::default());
    }

    /// A launch is over, or has stopped. `place` says where instructions are in the program.
    pub(crate) fn finish(&mut self, place: &dyn Fn(u32) -> u32) {
        self.done.extend(self.findings.take().into_iter().map(|finding| finding.moved(place)));
        self.dropped += std::mem::take(&mut self.findings.dropped);
        if let Some(stores) = &mut self.stores {
            stores.moved(place);
        }
    }

    /// What has waited in a log takes place. `global` is global memory.
    pub(crate) fn take(&mut self, waiting: &Waiting, global: &[u8]) {
        match waiting {
            Waiting::Access(kept) => self.access(&kept.seen(), global),
            Waiting::Other(block, told) => self.tell(*block, told),
        }
    }

    fn resident(&mut self, number: u64) -> Box<Resident> {
        let number = number as u32;
        if let Some(block) = self.at_hand.take() {
            if block.clocks.block == number {
                return block;
            }
            self.others.insert(block.clocks.block, block);
        }
        if let Some(block) = self.others.remove(&number) {
            return block;
        }
        let mut block = self.spare.pop_back().unwrap_or_default();
        let shape = &self.shape;
        block.clocks.start(number, shape.width, shape.lanes.iter().copied());
        block.shared.clear();
        block.shared_written.reset(if self.checks.init { shape.shared } else { 0 });
        let threads = shape.lanes.len() * shape.width;
        block.local_written.reset(if self.checks.init { threads * shape.local } else { 0 });
        if block.latest[0].is_empty() && self.checks.races {
            let entries = shape.lanes.len() * shape.instructions;
            block.latest.iter_mut().for_each(|latest| latest.resize(entries, 0));
        }
        block.arrived.clear();
        block.ended = None;
        block
    }

    /// Threads are about to access memory. `global` is global memory.
    pub(crate) fn access(&mut self, seen: &Seen, global: &[u8]) {
        if let Some(stores) = &mut self.stores {
            stores.access(seen, &self.shape);
            return;
        }
        if let Some(footprint) = &mut self.footprint {
            for at in lanes_of(seen.global) {
                footprint.access(seen.addresses[at], seen.mode);
            }
        }
        let mut block = self.resident(seen.block);
        for (space, lanes) in [(Space::Global, seen.global), (Space::Shared, seen.shared)] {
            if self.checks.races && lanes != 0 {
                self.race(&mut block, seen, (space, lanes), global);
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
        (space, lanes): (Space, u64),
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
            self.acquire(&mut block.clocks, seen, (space, lanes));
        }
        let Resident { clocks, shared, latest: [in_global, in_shared], .. } = &mut *block;
        let (plane, latest, base) = match space {
            Space::Shared => (shared, in_shared, SHARED_BASE),
            _ => (&mut self.global, in_global, GLOBAL_BASE),
        };
        self.hits.clear();
        let (mut entry, mut warp) = (0, u16::MAX);
        for at in lanes_of(lanes) {
            let thread = seen.thread(at, width);
            if warp != (thread / width) as u16 {
                warp = (thread / width) as u16;
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
            self.report_races(block, seen, space, global);
        }
        if synchronises && mode.writes() {
            self.release(&mut block.clocks, seen, (space, lanes));
        }
    }

    fn acquire(&mut self, clocks: &mut Clocks, seen: &Seen, (space, lanes): (Space, u64)) {
        for at in lanes_of(lanes) {
            let thread = seen.thread(at, self.shape.width);
            self.places.acquire(key(clocks, seen.addresses[at], space), thread, clocks);
        }
    }

    fn release(&mut self, clocks: &mut Clocks, seen: &Seen, (space, lanes): (Space, u64)) {
        for at in lanes_of(lanes) {
            let thread = seen.thread(at, self.shape.width);
            let owner = ((thread / self.shape.width) as u16, thread);
            self.places.release(key(clocks, seen.addresses[at], space), owner, clocks);
        }
    }

    /// Makes findings of what has been hit.
    #[cold]
    fn report_races(&mut self, block: &Resident, seen: &Seen, space: Space, global: &[u8]) {
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
            let second = party(place, seen.mode, Some(written));
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
                if !seen.replaces && !written.has(offset, size) {
                    let address = if space == Space::Global { seen.addresses[at] } else { address };
                    let place = self.shape.place(block.clocks.block, thread, seen.pc);
                    let size = size as u32;
                    let kind = FindingKind::Uninitialised { space, address, size };
                    self.findings.add(Finding { place, kind });
                }
                if seen.mode.writes() {
                    written.write(offset, size);
                }
            }
        }
    }

    /// Threads did something else than to access memory.
    pub(crate) fn tell(&mut self, number: u64, told: &Told) {
        if self.stores.is_some() {
            return;
        }
        let mut block = self.resident(number);
        match told {
            Told::Arrive { pc, thread } => block.arrived.push((*pc, *thread)),
            Told::Open => {
                block.clocks.open();
                if self.proofs[1].by_barriers {
                    let first = block.arrived.first().map(|(pc, _)| *pc);
                    self.refuted |= block.arrived.iter().any(|(pc, _)| Some(*pc) != first);
                }
                if self.checks.barriers {
                    self.opened(&block);
                }
                block.arrived.clear();
            }
            Told::Sync { pc, warp, lanes, named } => {
                if self.checks.lanes {
                    self.masks(&block, (*pc, *warp), *lanes, named);
                }
                let mut left = *lanes;
                while left != 0 {
                    let mask = named.get(left.trailing_zeros() as usize);
                    let alike = lanes_of(left).filter(|&lane| named.get(lane) == mask);
                    let group = alike.fold(0, |all, lane| all | 1 << lane);
                    block.clocks.sync(*warp, group);
                    left &= !group;
                }
            }
            Told::Fence { warp, lanes, device } => {
                if let Some(footprint) = self.footprint.as_mut().filter(|_| *device) {
                    footprint.fence();
                }
                block.clocks.fence(*warp, *lanes, *device);
            }
            Told::End { pc, warp, lanes } => {
                let thread =
                    usize::from(*warp) * self.shape.width + lanes.trailing_zeros() as usize;
                block.ended.get_or_insert((*pc, thread as u16));
                block.clocks.end(*warp, *lanes);
                if block.clocks.is_over() {
                    self.spare.push_back(block);
                    return;
                }
            }
        }
        self.at_hand = Some(block);
    }

    /// The barrier of a block opens: all its threads should stand at the same one.
    fn opened(&mut self, block: &Resident) {
        let place = |(pc, thread): (u32, u16)| {
            self.shape.place(block.clocks.block, usize::from(thread), pc)
        };
        let Some(&first) = block.arrived.first() else {
            return;
        };
        if let Some(ended) = block.ended {
            let kind = FindingKind::BarrierMissed { ended: place(ended) };
            let finding = Finding { place: place(first), kind };
            self.findings.add(finding);
        }
        if let Some(&other) = block.arrived.iter().find(|(pc, _)| *pc != first.0) {
            let kind = FindingKind::BarrierMixed { other: place(other) };
            let finding = Finding { place: place(first), kind };
            self.findings.add(finding);
        }
    }

    /// Lanes of a warp synchronise: each should name those that do so with it, and only such as have not ended.
    fn masks(&mut self, block: &Resident, (pc, warp): (u32, u16), lanes: u64, named: &[u32]) {
        let exist = self.shape.lanes.get(usize::from(warp)).copied().unwrap_or(0);
        let first = usize::from(warp) * self.shape.width;
        let place = |lane: usize| self.shape.place(block.clocks.block, first + lane, pc);
        let mask_of = |lane: usize| named.get(lane).copied().unwrap_or(0);
        let mut found = Vec::new();
        for lane in lanes_of(lanes) {
            let mask = mask_of(lane);
            let ended = u64::from(mask) & exist & !block.clocks.alive(warp);
            if ended != 0 {
                let kind = FindingKind::LaneEnded { mask, ended };
                found.push(Finding { place: place(lane), kind });
            }
            let mut together = lanes_of(lanes & u64::from(mask));
            if let Some(other) = together.find(|&other| mask_of(other) != mask) {
                let (other, other_mask) = (place(other), mask_of(other));
                let kind = FindingKind::LaneMasks { mask, other, other_mask };
                found.push(Finding { place: place(lane), kind });
            }
        }
        found.into_iter().for_each(|finding| self.findings.add(finding));
    }
}

/// The name of a place where threads release and acquire.
fn key(clocks: &Clocks, address: u32, space: Space) -> u64 {
    let block = if space == Space::Shared { u64::from(clocks.block) + 1 } else { 0 };
    block << 32 | u64::from(address)
}

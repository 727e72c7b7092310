//! Checks a run for faults that may not show in this run: races, reads of memory that was never
//! written, barriers and synchronisations of warps that not all threads reach.
//!
//! The executor reports every access and synchronisation in the order in which they take place.
//! Under the timing model these pass through the log of an epoch, so findings do not depend on the
//! number of host threads. `spec/checks.md` has the algorithm and its limits.

mod access;
mod clock;
pub(crate) mod event;
mod finding;
mod footprint;
mod knowledge;
pub(crate) mod marks;
mod order;
mod pending;
mod proofs;
mod race;
mod record;
mod shadow;
pub(crate) mod shape;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::ops::Range;

use reconverge_isa::GLOBAL_BASE;

use crate::execute::lanes::lanes_of;
use access::Hit;
use clock::Clocks;
pub(crate) use event::{CheckEvent, Scope, Waiting};
use finding::Findings;
pub use finding::{Action, Distance, Finding, FindingKind, Party, Place};
pub use footprint::{Clash, Footprint};
pub(crate) use marks::Flows;
use marks::Mark;
use order::Places;
use pending::PendingCopies;
pub use proofs::Access;
use proofs::Proofs;
pub use record::{Record as Stores, Store, first_difference};
use shadow::{Plane, Room, SHADOW_BYTES, Written};
pub(crate) use shape::Shape;

/// The checks to perform.
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
    /// Accesses that leave their objects.
    pub bounds: bool,
    /// With `races`: lanes of one store that store different values to one place.
    pub lane_stores: bool,
    /// The most bytes that may be remembered of accesses, for `races`.
    pub memory: u64,
}

impl Checks {
    /// Returns true if any check is on.
    pub fn any(&self) -> bool {
        self.races || self.init || self.barriers || self.lanes || self.bounds
    }
}

/// Checks the launches of a program, and keeps the findings.
pub struct Checker {
    checks: Checks,
    shape: Shape,
    global: Plane,
    /// The written bytes of global memory, from its base on, now and at the start of the launch, in
    /// case it has to start again.
    written: Written,
    written_before: Written,
    copies: Copies,
    /// The effects of the launch's instructions on marks, if any can be set.
    flows: Option<Flows>,
    places: Places,
    /// The block that acted last, the other running ones, and those that have ended, for reuse.
    at_hand: Option<Box<Resident>>,
    others: BTreeMap<u32, Box<Resident>>,
    spare: VecDeque<Box<Resident>>,
    /// The lanes of the current access, with the accesses that they race with.
    hits: Vec<Hit>,
    /// The memory that the records may still take.
    room: Room,
    findings: Findings,
    done: Vec<Finding>,
    dropped: u64,
    /// Records stores instead of performing checks.
    stores: Option<Stores>,
    /// The parts of global memory that the launch touches, if requested.
    footprint: Option<Footprint>,
    /// The accesses of the next launch, and the proofs about those to global and to shared memory.
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
    /// The paths that wait at the barrier, for each of their warps: where, and their first threads.
    arrived: Vec<(u32, u16)>,
    /// By warp, the lanes that wait at the barrier.
    waiting: Vec<u64>,
    /// Lanes of one warp wait at two barriers of the source.
    is_torn: bool,
    /// By thread, the mask that it named last in an operation of its warp.
    named: Vec<u32>,
    /// The first thread that has ended, and where.
    ended: Option<(u32, u16)>,
    /// By thread and word of its registers, if marks are followed.
    marks: Vec<Mark>,
    /// By offset in shared memory, and by thread and offset in local memory: the instruction that
    /// has copied unwritten bytes there.
    shared_copies: Copies,
    local_copies: Copies,
    /// Asynchronous copies that no wait has ended.
    pending: PendingCopies,
}

/// The name of a block's barrier with a count, among those of the places in memory: no variable has this address.
fn counted_barrier(block: &Resident, number: u8) -> u64 {
    (u64::from(block.clocks.block) + 1) << 32 | u64::from(number)
}

/// By byte: the instruction that has copied unwritten bytes there.
type Copies = BTreeMap<usize, u32>;

/// The most bytes of which that is kept.
const MOST_COPIES: usize = 1 << 16;

impl Resident {
    /// The first thread that has not ended and does not wait at the barrier.
    fn missing(&self, width: usize) -> Option<usize> {
        let mut warps = self.waiting.iter().enumerate();
        warps.find_map(|(warp, waiting)| {
            let missing = self.clocks.alive(warp as u16) & !waiting;
            (missing != 0).then(|| warp * width + missing.trailing_zeros() as usize)
        })
    }
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
            copies: Copies::new(),
            flows: None,
            places: Places::default(),
            at_hand: None,
            others: BTreeMap::new(),
            spare: VecDeque::new(),
            hits: Vec::new(),
            room: Room::new(checks.memory),
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

    /// Sets all accesses to memory in the kernel of the next launch, so that those that cannot race
    /// need no check.
    pub fn expect(&mut self, accesses: Vec<Access>) {
        self.accesses = accesses;
        self.refuted = false;
    }

    /// The number of instructions with accesses to global or shared memory that were proved free of
    /// races in the last launch; none if the premises turned out wrong.
    pub fn proved(&self) -> u32 {
        self.proofs.iter().map(|proofs| proofs.proved).sum()
    }

    /// Returns true if a proof about the last launch turned out to be wrong.
    pub fn was_refuted(&self) -> bool {
        self.refuted
    }

    /// Returns true if a launch has not been checked to its end, since [`Checks::memory`] was used up.
    pub fn is_exhausted(&self) -> bool {
        self.room.is_exhausted
    }

    /// The most bytes of records for a launch that can access `bytes` bytes of global memory;
    /// `is_narrow` is true if it accesses parts of words.
    pub fn estimate(bytes: u64, is_narrow: bool) -> u64 {
        bytes.saturating_mul(SHADOW_BYTES[usize::from(is_narrow)])
    }

    /// Returns true if a started launch may still refute a proof.
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

    /// Checks nothing, but records the stores of a launch's threads, and the last store to some
    /// addresses of global memory.
    pub fn of_stores(watched: Range<u32>) -> Checker {
        Checker { stores: Some(Stores::new(watched)), ..Checker::new(Checks::default()) }
    }

    /// The recorded stores.
    pub fn into_stores(self) -> Stores {
        self.stores.unwrap_or_default()
    }

    /// Records the parts of global memory that launches touch from now on, until they are taken.
    pub fn record_footprint(&mut self) {
        self.footprint = Some(Footprint::default());
    }

    /// The parts of global memory that the last launch touched, if requested.
    pub fn take_footprint(&mut self) -> Option<Footprint> {
        self.footprint.take()
    }

    /// Sets a range of global memory, as addresses, to written or not, for the host.
    pub fn set_written(&mut self, range: Range<u32>, written: bool) {
        let at = |address: u32| address.saturating_sub(GLOBAL_BASE) as usize;
        self.written.set(at(range.start), at(range.end), written);
    }

    /// The parts of a range of global memory, as addresses, that no one has written.
    pub fn unwritten(&self, range: Range<u32>) -> Vec<Range<u32>> {
        let at = |address: u32| address.saturating_sub(GLOBAL_BASE) as usize;
        let found = self.written.lacking(at(range.start)..at(range.end));
        let back = |offset: usize| GLOBAL_BASE + offset as u32;
        found.into_iter().map(|part| back(part.start)..back(part.end)).collect()
    }

    /// The host has copied some bytes within global memory.
    pub fn copied(&mut self, to: u32, from: u32, length: u32) {
        let at = |address: u32| address.saturating_sub(GLOBAL_BASE) as usize;
        self.written.copy(at(to), at(from), length as usize);
    }

    /// The faults of the launches since the last call, each once, and the number of further ones
    /// that were dropped.
    pub fn take_findings(&mut self) -> (Vec<Finding>, u64) {
        (std::mem::take(&mut self.done), std::mem::take(&mut self.dropped))
    }

    /// A launch begins. `place` returns the number of an instruction in the program.
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
        self.copies.clear();
        self.places.clear();
        self.spare.extend(self.at_hand.take());
        self.spare.extend(std::mem::take(&mut self.others).into_values());
        // The entries belong to another kernel.
        self.spare.iter_mut().for_each(|block| block.latest = Default::default());
    }

    /// Returns true if the effects of a launch's instructions on marks are needed.
    pub(crate) fn follows_marks(&self) -> bool {
        self.checks.init && self.stores.is_none()
    }

    /// Sets the effects of the next launch's instructions on marks.
    pub(crate) fn expect_flows(&mut self, flows: Option<Flows>) {
        self.flows = flows;
    }

    /// A launch has ended or stopped. `place` returns the number of an instruction in the program.
    pub(crate) fn finish(&mut self, place: &dyn Fn(u32) -> u32) {
        self.done.extend(self.findings.take().into_iter().map(|finding| finding.moved(place)));
        self.dropped += std::mem::take(&mut self.findings.dropped);
        if let Some(stores) = &mut self.stores {
            stores.moved(place);
        }
    }

    /// Performs an event that has waited in a log. `global` is global memory.
    pub(crate) fn take(&mut self, waiting: &Waiting, global: &[u8]) {
        match waiting {
            Waiting::Access(kept) => self.access(&kept.seen(), global),
            Waiting::Other(block, event) => self.on_event(*block, event),
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
        block.waiting.clear();
        block.waiting.resize(shape.lanes.len(), 0);
        block.is_torn = false;
        block.named.clear();
        block.named.resize(if self.checks.lanes { threads } else { 0 }, u32::MAX);
        block.ended = None;
        block.marks.clear();
        let words = self.flows.as_ref().map_or(0, Flows::words);
        block.marks.resize(threads * words, Mark::default());
        block.shared_copies.clear();
        block.local_copies.clear();
        block.pending.clear();
        block
    }

    /// Threads did something else than to access memory.
    pub(crate) fn on_event(&mut self, number: u64, event: &CheckEvent) {
        if self.stores.is_some() {
            return;
        }
        let mut block = self.resident(number);
        match event {
            CheckEvent::Arrive { pc, lanes } => self.arrived(&mut block, *pc, lanes),
            CheckEvent::Open => {
                let missing = block.missing(self.shape.width);
                if missing.is_none() && !block.is_torn {
                    block.clocks.open();
                }
                if self.proofs[1].by_barriers {
                    let first = block.arrived.first().map(|(pc, _)| *pc);
                    self.refuted |= missing.is_some();
                    self.refuted |= block.arrived.iter().any(|(pc, _)| Some(*pc) != first);
                }
                if self.checks.barriers {
                    self.opened(&block, missing);
                }
                block.arrived.clear();
                block.waiting.fill(0);
                block.is_torn = false;
            }
            CheckEvent::Count { number, warp, lanes } => {
                self.counted(&mut block, *number, *warp, *lanes);
            }
            CheckEvent::Opened { number, lanes } => self.opened_counted(&mut block, *number, lanes),
            CheckEvent::Take { pc, warp, lanes, from } => {
                if self.checks.lanes {
                    self.taken(&block, *pc, *warp, *lanes, from);
                }
            }
            CheckEvent::Sync { pc, warp, lanes, named } => {
                if self.checks.lanes {
                    self.masks(&block, *pc, *warp, *lanes, named);
                }
                let mut left = *lanes;
                while left != 0 {
                    let mask = named.get(left.trailing_zeros() as usize);
                    let alike = lanes_of(left).filter(|&lane| named.get(lane) == mask);
                    let group = alike.fold(0, |all, lane| all | 1 << lane);
                    // Only `__syncwarp` orders accesses; other operations with a mask do not.
                    let ordered = block.clocks.take_fenced(*warp, group);
                    block.clocks.sync(*warp, ordered);
                    for lane in lanes_of(group) {
                        let thread = usize::from(*warp) * self.shape.width + lane;
                        if let Some(named) = block.named.get_mut(thread) {
                            // The operation after a `__syncwarp` has no mask of its own, or names
                            // it next.
                            let is_named = ordered >> lane & 1 == 0;
                            *named = mask.filter(|_| is_named).copied().unwrap_or(u32::MAX);
                        }
                    }
                    left &= !group;
                }
            }
            CheckEvent::Fence { warp, lanes, scope } => match scope {
                Scope::Warp => block.clocks.fence_warp(*warp, *lanes),
                Scope::Atomic => block.clocks.narrow_atomic(*warp, *lanes),
                Scope::Block => block.clocks.fence(*warp, *lanes, false),
                Scope::Device => {
                    self.footprint.iter_mut().for_each(Footprint::fence);
                    block.clocks.fence(*warp, *lanes, true);
                }
            },
            CheckEvent::Copy(write) => self.copy_starts(&mut block, write),
            CheckEvent::Commit { warp, lanes } => {
                block.pending.commit(*warp, *lanes, self.shape.width);
            }
            CheckEvent::Awaited { warp, lanes, pending } => {
                self.awaited(&mut block, *warp, *lanes, *pending);
            }
            CheckEvent::Moved { pc, lanes } => self.moved(&mut block, *pc, lanes),
            &CheckEvent::Outside { pc, thread, address, start, count } => {
                if self.checks.bounds {
                    let place = self.shape.place(block.clocks.block, usize::from(thread), pc);
                    let kind = FindingKind::OutsideObject { address, start, count };
                    self.findings.add(Finding { place, kind });
                }
            }
            CheckEvent::End { pc, warp, lanes } => {
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

    /// Lanes by warp execute an instruction that may set or clear marks.
    fn moved(&self, block: &mut Resident, pc: u32, lanes: &[(u16, u64)]) {
        let Some(flows) = &self.flows else {
            return;
        };
        let (width, words) = (self.shape.width, flows.words());
        for (warp, mask) in lanes {
            for lane in lanes_of(*mask) {
                let thread = usize::from(*warp) * width + lane;
                let marks = block.marks.get_mut(thread * words..(thread + 1) * words);
                flows.execute(pc, marks.unwrap_or_default());
            }
        }
    }

    /// A path arrives at the barrier.
    fn arrived(&self, block: &mut Resident, pc: u32, lanes: &[(u16, u64)]) {
        let width = self.shape.width;
        for &(warp, mask) in lanes {
            let warp = usize::from(warp);
            let of_warp = |other: &&(u32, u16)| usize::from(other.1) / width == warp;
            let mut others = block.arrived.iter().filter(of_warp);
            block.is_torn |= others.any(|&(other, _)| !self.shape.is_same_place(other, pc));
            block.arrived.push((pc, (warp * width + mask.trailing_zeros() as usize) as u16));
            if let Some(waiting) = block.waiting.get_mut(warp) {
                *waiting |= mask;
            }
        }
    }

    /// Lanes of a warp arrive at a barrier with a count: it is a place at which they release their accesses.
    fn counted(&mut self, block: &mut Resident, number: u8, warp: u16, lanes: u64) {
        if !self.checks.races {
            return;
        }
        let key = counted_barrier(block, number);
        block.clocks.fence(warp, lanes, false);
        for lane in lanes_of(lanes) {
            let thread = usize::from(warp) * self.shape.width + lane;
            self.places.release(key, warp, thread, &mut block.clocks);
        }
    }

    /// A barrier with a count opens for lanes, by warp: they acquire what was released there.
    fn opened_counted(&self, block: &mut Resident, number: u8, lanes: &[u64]) {
        if !self.checks.races {
            return;
        }
        let key = counted_barrier(block, number);
        for (warp, &lanes) in lanes.iter().enumerate() {
            for lane in lanes_of(lanes) {
                self.places.acquire(key, warp * self.shape.width + lane, &mut block.clocks);
            }
        }
    }

    /// The barrier of a block opens: all its threads should be at the same one. `missing` is one
    /// that is not.
    fn opened(&mut self, block: &Resident, missing: Option<usize>) {
        let place = |(pc, thread): (u32, u16)| {
            self.shape.place(block.clocks.block, usize::from(thread), pc)
        };
        let Some(&first) = block.arrived.first() else {
            return;
        };
        let mut found = Vec::new();
        if let Some(ended) = block.ended {
            found.push((first, FindingKind::BarrierMissed { ended: place(ended) }));
        }
        if let Some(missing) = missing {
            // The path at the barrier that counts for it.
            let warp = missing / self.shape.width;
            let of_warp =
                |&&(_, thread): &&(u32, u16)| usize::from(thread) / self.shape.width == warp;
            let own = *block.arrived.iter().find(of_warp).unwrap_or(&first);
            let kind = FindingKind::BarrierParted { missing: place((own.0, missing as u16)) };
            found.push((own, kind));
        }
        if let Some(&other) = block.arrived.iter().find(|(pc, _)| *pc != first.0) {
            found.push((first, FindingKind::BarrierMixed { other: place(other) }));
        }
        for (at, kind) in found {
            self.findings.add(Finding { place: place(at), kind });
        }
    }

    /// The launch is in a deadlock: reports the barriers at which only some lanes of a warp wait.
    pub(crate) fn stuck(&mut self) {
        if !self.checks.barriers {
            return;
        }
        let mut blocks = std::mem::take(&mut self.others);
        blocks.extend(self.at_hand.take().map(|block| (block.clocks.block, block)));
        for block in blocks.values() {
            self.never_opened(block);
        }
        self.others = blocks;
    }

    /// The barrier of a block will never open.
    fn never_opened(&mut self, block: &Resident) {
        let place = |(pc, thread): (u32, u16)| {
            self.shape.place(block.clocks.block, usize::from(thread), pc)
        };
        let width = self.shape.width;
        let mut found = Vec::new();
        for (warp, &waiting) in block.waiting.iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
            let of_warp = |thread: u16| usize::from(thread) / width == warp;
            let mut arrived = block.arrived.iter().filter(|(_, thread)| of_warp(*thread));
            let Some(&first) = arrived.next() else {
                continue;
            };
            if let Some(ended) = block.ended.filter(|&(_, thread)| of_warp(thread)) {
                found.push((first, FindingKind::BarrierMissed { ended: place(ended) }));
            }
            if let Some(&other) = arrived.find(|(pc, _)| *pc != first.0) {
                found.push((first, FindingKind::BarrierMixed { other: place(other) }));
            }
            let missing = block.clocks.alive(warp as u16) & !waiting;
            if missing != 0 {
                let thread = warp * width + missing.trailing_zeros() as usize;
                let missing = place((first.0, thread as u16));
                found.push((first, FindingKind::BarrierStuck { missing }));
            }
        }
        for (at, kind) in found {
            self.findings.add(Finding { place: place(at), kind });
        }
    }

    /// Lanes of a warp take values from others: each should name the other, which should take part.
    fn taken(&mut self, block: &Resident, pc: u32, warp: u16, lanes: u64, from: &[u8]) {
        let first = usize::from(warp) * self.shape.width;
        for lane in lanes_of(lanes) {
            let Some((&from, &mask)) = from.get(lane).zip(block.named.get(first + lane)) else {
                continue;
            };
            let has = |mask: u64| mask.checked_shr(from.into()).is_some_and(|rest| rest & 1 != 0);
            let is_there = has(lanes) && has(mask.into());
            if !is_there && usize::from(from) != lane {
                let place = self.shape.place(block.clocks.block, first + lane, pc);
                let kind = FindingKind::LaneOutside { mask, from: from.into() };
                self.findings.add(Finding { place, kind });
            }
        }
    }

    /// Lanes of a warp synchronise: each should name those that do so with it, and only such as have not ended.
    fn masks(&mut self, block: &Resident, pc: u32, warp: u16, lanes: u64, named: &[u32]) {
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

//! The stack of a whole block, which schemes share that regroup threads of several warps.
//!
//! Source: Rhu's dissertation, §4.1.3 and §4.2.2 (thread-block compaction, after Fung and Aamodt,
//! HPCA 2011). An entry has a reconvergence point, a program counter, a mask of the block's threads
//! and WCnt, the number of its warps in flight. The scheme decides if a warp at a branch waits
//! until WCnt is 0 (*stalls*) or continues at once (*bypasses*). Then the entry above is started,
//! with warps re-formed.
//!
//! Differences. A branch makes a *fork* with entries of its own, so warps of an entry can wait at
//! different branches; that happens when a scheme lets some pass. An entry whose warps all wait at
//! a barrier of the block lets the next one start: the order of the sides is free, and the others
//! may arrive too, or return. With two paths (§4.5.4) the next entry that can starts while another
//! runs: both paths of a branch, as a rule. An entry is not kept if its PC would be its own
//! reconvergence point. Threads that must act together (votes, shuffles, `warp.sync`) are first
//! moved back to their original warps, as far as they are in the same entry.

mod describe;
mod encoder;
mod entry;
mod path_slots;
mod threads;

use std::collections::{BTreeMap, VecDeque};
use std::hash::{Hash, Hasher};
use std::ops::Range;

pub(super) use describe::paths_in_slots;
use encoder::apart;
pub(crate) use encoder::fewest;
pub(super) use encoder::{compact, join};
use entry::{Entries, Entry, EntryId, Fork, Held, Side};
pub(super) use path_slots::{Loose, PathSlots};
pub(crate) use threads::Threads;

use super::counts::{Closed, CompactionCounts, SideCount};
use super::slot::{BlockShape, Capabilities, Divergence, DivergenceCounts, Observe, Step};
use crate::block::opening::Opening;
use crate::block::path::{Lanes, NEVER, Path, Paths, SlotId, SlotState};
use crate::observe::scheme_state::{BranchHistory, SchemeState};
use reconverge_isa::Annotations;

/// The option `paths`, with its sentence (dissertation, §4.5.4).
pub(super) const PATHS: (&str, &str) = (
    "paths",
    "parts of the stack that may run at once, 1 or 2: with 2 both paths of a branch are scheduled, as \
     under `dual-path`; a warp has so many slots",
);

/// Checks the option `paths`.
pub(super) fn paths_in_range(paths: usize) -> Result<usize, String> {
    match paths {
        1 | 2 => Ok(paths),
        _ => Err(format!("`paths` is {paths}; it must be 1 or 2")),
    }
}

/// A warp at a branch, with the targets of its lanes.
pub struct AtBranch {
    /// The branch.
    pub pc: u32,
    /// Its lanes go both ways.
    pub diverges: bool,
    /// The branch has a guard.
    pub conditional: bool,
    /// The compiler's annotations.
    pub annotations: Annotations,
}

/// A warp's action at a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It continues in its entry, as if there were no branch. One that diverges stalls.
    Ignore,
    /// It waits until all warps of its entry have arrived at their branches.
    Stall,
    /// It continues in the entry of the first side, and waits before the next branch.
    Bypass,
}

/// The part of a scheme that differs from the shared stack.
pub(super) trait Policy: Send {
    /// A warp of a started entry has arrived at a branch.
    fn decide(&mut self, branch: &AtBranch) -> Decision;

    /// All warps of an entry have arrived at points where they wait, some of them at this branch.
    fn closed(&mut self, _branch: &Closed) {}

    /// Returns true if a warp continues past a reconvergence point at which all its threads arrive
    /// together, and waits before the next branch, instead of waiting for the other warps of its
    /// entry.
    fn passes_reconvergence(&self) -> bool {
        false
    }

    /// Returns true if all warps of an entry execute an instruction before one of them continues to
    /// the next.
    fn is_lockstep(&self) -> bool {
        false
    }

    /// The policy of another block of the same SM.
    fn sibling(&self) -> Option<Box<dyn Policy>> {
        None
    }

    /// The rows of its predictor, if it has one.
    fn predictions(&self) -> Vec<BranchHistory> {
        Vec::new()
    }

    /// Adds the state that decides its answers to a hash.
    fn fingerprint(&self, _hash: &mut dyn Hasher) {}
}

/// The owner of a path: its entry, and the instruction for which it was assembled, or [`NEVER`].
type Owner = (EntryId, u32);

/// A block's stack. See the module.
pub(super) struct BlockStack {
    policy: Box<dyn Policy>,
    lockstep: bool,
    /// Entries that may run at once, for each of which a warp has a slot.
    at_once: usize,
    width: usize,
    /// Warps of the block, all of which may have another owner.
    warps: usize,
    /// Threads that have not ended.
    alive: Threads,
    entries: Entries,
    /// From the bottom to the top. An entry is above those it has pushed until its last warp has
    /// arrived.
    order: Vec<EntryId>,
    path_slots: PathSlots<Owner>,
    /// Paths that need lanes which are elsewhere.
    deferred: VecDeque<Loose<Owner>>,
    /// The number of these that were tried again since the last other event.
    tried: usize,
    counts: DivergenceCounts,
    compaction: CompactionCounts,
    /// The counts by branch.
    branches: BTreeMap<u32, CompactionCounts>,
}

impl BlockStack {
    pub(super) fn new(policy: Box<dyn Policy>) -> BlockStack {
        BlockStack {
            lockstep: policy.is_lockstep(),
            policy,
            at_once: 1,
            width: 1,
            warps: 0,
            alive: Threads::default(),
            entries: Entries::default(),
            order: Vec::new(),
            path_slots: PathSlots::default(),
            deferred: VecDeque::new(),
            tried: 0,
            counts: DivergenceCounts::default(),
            compaction: CompactionCounts::default(),
            branches: BTreeMap::new(),
        }
    }

    /// The stack with `paths` entries that may run at once.
    pub(super) fn with_paths(policy: Box<dyn Policy>, paths: usize) -> BlockStack {
        BlockStack { at_once: paths, ..BlockStack::new(policy) }
    }

    fn entry(&mut self, id: EntryId) -> &mut Entry {
        self.entries.get_mut(id)
    }

    fn owner(&self, slot: SlotId) -> EntryId {
        self.path_slots.owner(slot).0
    }

    /// The PC at which the path of an entry, now at an instruction, returns control.
    fn reconvergence_pc(&self, id: EntryId, pc: u32) -> u32 {
        if self.lockstep { pc + 1 } else { self.entries.get(id).reconvergence_pc }
    }

    /// A path of an entry gets a slot, or waits for one.
    fn place(&mut self, id: EntryId, lanes: Lanes, pc: u32, assembled: u32, paths: &mut Paths) {
        let path =
            Path { pc, reconvergence_pc: self.reconvergence_pc(id, pc), lanes, scoreboard: 0 };
        self.path_slots.place(Loose { owner: (id, assembled), path }, paths);
    }

    /// A path of an entry, in a slot or in none, continues at an instruction.
    fn go(&mut self, id: EntryId, slot: Option<SlotId>, lanes: &Lanes, pc: u32, paths: &mut Paths) {
        let Entry { reconvergence_pc, warps, .. } = *self.entries.get(id);
        match slot {
            _ if self.lockstep && pc != reconvergence_pc && warps != 1 => {
                let near = slot.unwrap_or_else(|| self.path_slots.home(lanes));
                slot.map(|slot| self.path_slots.leave(slot, paths));
                let path =
                    Path { pc, reconvergence_pc: pc + 1, lanes: lanes.clone(), scoreboard: 0 };
                self.entry(id).abreast.push((near, path));
            }
            Some(slot) => {
                let reconvergence_pc = self.reconvergence_pc(id, pc);
                let path = paths.path_mut(slot);
                (path.pc, path.reconvergence_pc) = (pc, reconvergence_pc);
                if path.lanes != *lanes {
                    path.lanes = lanes.clone();
                }
                self.path_slots.set_owner(slot, (id, NEVER));
            }
            None if pc != reconvergence_pc => self.place(id, lanes.clone(), pc, NEVER, paths),
            None => {}
        }
        if pc == reconvergence_pc {
            self.reached(id, slot, lanes, paths);
        }
    }

    /// All warps of an entry in lockstep have executed their instructions: those that are to act
    /// together do so, or all continue to the next one.
    fn next_round(&mut self, id: EntryId, paths: &mut Paths) {
        if !self.entries.get(id).gathering.is_empty() {
            return self.bring_together(id, paths);
        }
        for (near, path) in std::mem::take(&mut self.entry(id).abreast) {
            self.path_slots.place_near(near, Loose { owner: (id, NEVER), path }, paths);
        }
    }

    /// A path arrives at the reconvergence point of its entry.
    fn reached(&mut self, id: EntryId, slot: Option<SlotId>, lanes: &Lanes, paths: &mut Paths) {
        self.entry(id).warps -= 1;
        let Entry { parent, active, reconvergence_pc, .. } = *self.entries.get(id);
        let passes = active && parent.is_some_and(|parent| self.passes(parent, lanes));
        if let (true, Some(parent)) = (passes, parent) {
            self.entry(parent).warps += 1;
            return self.go(parent, slot, lanes, reconvergence_pc, paths);
        }
        if let Some(slot) = slot {
            self.path_slots.leave(slot, paths);
        }
        if let Some(parent) = parent {
            let width = self.width;
            self.entry(parent).waiting.add_lanes(lanes, lanes.mask(), width);
        }
    }

    /// Returns true if lanes that arrive at a reconvergence point continue past it, because they
    /// are all lanes of a warp that meet there. While others may still arrive at the branch, they
    /// may belong to that warp.
    fn passes(&self, join: EntryId, lanes: &Lanes) -> bool {
        let join = self.entries.get(join);
        let members = if join.open { &self.alive } else { &join.members };
        let is_whole = match lanes {
            Lanes::Warp { warp, mask } => members.of(usize::from(*warp)) == *mask,
            Lanes::Mixed(_) => false,
        };
        is_whole && self.policy.passes_reconvergence()
    }

    /// A path, in a slot or in none, has executed a branch. Applies the scheme's decision there.
    fn branch(&mut self, id: EntryId, slot: Option<SlotId>, held: Held, paths: &mut Paths) {
        let active = held.lanes.mask();
        let diverges = held.taken != 0 && held.taken != active;
        let Held { pc, conditional, annotations, .. } = held;
        let decision = self.policy.decide(&AtBranch { pc, diverges, conditional, annotations });
        let next = if held.taken != 0 { held.target } else { pc + 1 };
        match decision {
            Decision::Ignore if !diverges => {
                self.compaction.ignored(conditional);
                self.go(id, slot, &held.lanes, next, paths);
            }
            Decision::Bypass => self.bypass(id, slot, held, paths),
            Decision::Ignore | Decision::Stall => {
                if let Some(slot) = slot {
                    self.path_slots.leave(slot, paths);
                }
                self.entry(id).warps -= 1;
                let at = self.fork(id, &held);
                self.entry(id).forks[at].stalled += 1;
                for (side, lanes) in parts(&held) {
                    let to = self.side(id, at, side, &held.lanes, lanes);
                    let width = self.width;
                    self.entry(to).waiting.add_lanes(&held.lanes, lanes, width);
                }
            }
        }
    }

    /// A path does not wait at a branch.
    fn bypass(&mut self, id: EntryId, slot: Option<SlotId>, held: Held, paths: &mut Paths) {
        self.entry(id).warps -= 1;
        let at = self.fork(id, &held);
        let width = self.width;
        let fork = &mut self.entry(id).forks[at];
        fork.bypassed += 1;
        fork.ahead.add_lanes(&held.lanes, held.lanes.mask(), width);
        let mut goes_on = None;
        for (side, mask) in parts(&held) {
            let to = self.side(id, at, side, &held.lanes, mask);
            let fork = &self.entry(id).forks[at];
            let (pc, meets) = (fork.sides[side].pc, fork.sides[side].entry.is_none());
            let lanes = held.lanes.only(mask, self.width);
            let is_all = mask == held.lanes.mask();
            if meets && !(is_all && self.passes(to, &lanes)) {
                self.entry(to).waiting.add_lanes(&held.lanes, mask, width);
            } else if goes_on.is_none() {
                goes_on = Some((to, lanes, pc));
            } else {
                self.entry(to).kept.push(lanes);
            }
        }
        match goes_on {
            Some((to, lanes, pc)) => {
                self.entry(to).warps += 1;
                self.go(to, slot, &lanes, pc, paths);
            }
            None => {
                slot.map(|slot| self.path_slots.leave(slot, paths));
            }
        }
    }

    /// The fork of an entry for a branch; a warp has arrived at it.
    fn fork(&mut self, id: EntryId, held: &Held) -> usize {
        let width = self.width;
        let reconverge = held.annotations.reconverge.unwrap_or(NEVER);
        let forks = &self.entries.get(id).forks;
        let at = forks.iter().position(|fork| fork.pc == held.pc).unwrap_or(forks.len());
        if at == forks.len() {
            let (reconvergence_pc, parent) =
                (self.entries.get(id).reconvergence_pc, self.entries.get(id).parent);
            let owns_join = reconverge != reconvergence_pc && reconverge != NEVER;
            let join = match reconverge {
                NEVER => None,
                _ if owns_join => Some(self.push(id, reconverge, reconvergence_pc, parent)),
                _ => parent,
            };
            let side =
                |pc| Side { pc, entry: None, threads: Threads::none(self.warps), arrived: 0 };
            let sides = [side(held.target), side(held.pc + 1)];
            let (pc, annotations) = (held.pc, held.annotations);
            let ahead = Threads::none(self.warps);
            let fork = Fork {
                pc,
                conditional: held.conditional,
                annotations,
                join,
                owns_join,
                sides,
                diverged: false,
                stalled: 0,
                bypassed: 0,
                ahead,
            };
            self.entry(id).forks.push(fork);
        }
        let fork = &mut self.entry(id).forks[at];
        fork.diverged |= held.taken != 0 && held.taken != held.lanes.mask();
        let own = fork.join.filter(|_| fork.owns_join);
        if let Some(join) = own {
            self.entry(join).members.add_lanes(&held.lanes, held.lanes.mask(), width);
        }
        at
    }

    /// The entry that lanes of a warp at a fork go to; they are counted there.
    fn side(&mut self, id: EntryId, at: usize, side: usize, lanes: &Lanes, mask: u64) -> EntryId {
        let width = self.width;
        let fork = &mut self.entry(id).forks[at];
        let reconverge = fork.annotations.reconverge.unwrap_or(NEVER);
        let join = fork.join;
        let part = &mut fork.sides[side];
        part.threads.add_lanes(lanes, mask, width);
        part.arrived += 1;
        let (pc, entry) = (part.pc, part.entry);
        if let (true, Some(join)) = (pc == reconverge, join) {
            return join;
        }
        // An unconditional branch may lead to where the entry ends.
        let Entry { reconvergence_pc, parent, .. } = *self.entries.get(id);
        if let (true, Some(parent)) = (pc == reconvergence_pc, parent) {
            return parent;
        }
        let to = entry.unwrap_or_else(|| {
            // The side of the target is first, and so is above the other.
            let below = match self.entries.get(id).forks[at].sides[0].entry {
                Some(taken) if side == 1 => taken,
                _ => id,
            };
            let to = self.push(below, pc, reconverge, join);
            self.entry(id).forks[at].sides[side].entry = Some(to);
            to
        });
        self.entry(to).members.add_lanes(lanes, mask, width);
        to
    }

    /// Puts a new entry right below another one.
    fn push(
        &mut self,
        above: EntryId,
        pc: u32,
        reconvergence_pc: u32,
        parent: Option<EntryId>,
    ) -> EntryId {
        let none = || Threads::none(self.warps);
        let (members, waiting) = (none(), none());
        let entry = Entry {
            pc,
            reconvergence_pc,
            parent,
            open: true,
            members,
            waiting,
            ..Entry::default()
        };
        let id = self.entries.add(entry);
        let at = self.order.iter().position(|&other| other == above).unwrap_or(self.order.len());
        self.order.insert(at, id);
        if let Some(parent) = parent {
            self.entry(parent).children += 1;
        }
        self.counts.max_stack_depth = self.counts.max_stack_depth.max(self.order.len() as u64);
        id
    }

    /// Lets entries continue where possible: an entry whose warps have all arrived ends, and the
    /// next one starts.
    fn run(&mut self, paths: &mut Paths) {
        loop {
            let top_down = || self.order.iter().rev().copied();
            let is_abreast = |id: &EntryId| {
                let Entry { warps, ref abreast, .. } = *self.entries.get(*id);
                warps != 0 && abreast.len() == warps as usize
            };
            if let (true, Some(id)) = (self.lockstep, top_down().find(is_abreast)) {
                self.next_round(id, paths);
            }
            let top_down = || self.order.iter().rev().copied();
            if let Some(id) = top_down().find(|&id| self.entries.get(id).is_settled()) {
                self.settle(id, paths);
                continue;
            }
            let is_running = |id: EntryId| {
                let entry = self.entries.get(id);
                entry.active && entry.warps != 0
            };
            let running = top_down().filter(|&id| is_running(id)).count();
            if running < self.at_once
                && let Some(id) = top_down().find(|&id| self.entries.get(id).can_start())
            {
                self.start_entry(id, paths);
                continue;
            }
            if running != 0 {
                return;
            }
            let waits_ahead = |&id: &EntryId| {
                let entry = self.entries.get(id);
                !entry.active && !entry.open && !entry.waiting.is_empty()
            };
            if let (true, Some(id)) = (self.deferred.is_empty(), top_down().find(waits_ahead)) {
                self.part(id);
                continue;
            }
            if let Some(loose) = self.deferred.pop_front() {
                self.tried += 1;
                let entry = self.entry(loose.owner.0);
                (entry.parked, entry.warps) = (entry.parked - 1, entry.warps + 1);
                self.path_slots.place(loose, paths);
            }
            return;
        }
    }

    /// Warps that wait at a reconvergence point continue without the others, all of which wait at a
    /// barrier of the block: it may wait for them. They wait only to regroup threads (§4.1.3).
    fn part(&mut self, id: EntryId) {
        let entry = self.entry(id);
        let waiting = entry.waiting.take();
        let (pc, reconvergence_pc, parent) = (entry.pc, entry.reconvergence_pc, entry.parent);
        entry.members.remove_all(&waiting);
        let early = self.push(id, pc, reconvergence_pc, parent);
        let entry = self.entry(early);
        entry.members = waiting.clone();
        entry.waiting = waiting;
        entry.open = false;
    }

    /// Threads of a path that wait at another barrier than the one that opens wait on, outside of the slots. Returns true if
    /// others are left, which continue.
    fn keep_waiting(&mut self, opening: Opening, loose: &mut Loose<Owner>) -> bool {
        let Loose { owner, path } = loose;
        let (all, part) = (path.lanes.mask(), opening.part(&path.lanes));
        if part != all {
            let rest = Path { lanes: path.lanes.only(all & !part, self.width), ..path.clone() };
            self.path_slots.keep_parked(Loose { owner: *owner, path: rest });
            path.lanes = path.lanes.only(part, self.width);
            // Both parts are counted from now on.
            self.entry(owner.0).parked += u32::from(part != 0);
        }
        part != 0
    }

    /// Threads of an entry that are to act together are put into their own warps.
    fn bring_together(&mut self, id: EntryId, paths: &mut Paths) {
        for (pc, mut threads) in std::mem::take(&mut self.entry(id).gathering) {
            // Paths that arrived earlier and found lanes missing may find them now.
            let (width, before) = (self.width, self.deferred.len());
            self.deferred.retain(|Loose { owner, path }| {
                let joins = owner.0 == id && path.pc == pc;
                if joins {
                    threads.add_lanes(&path.lanes, path.lanes.mask(), width);
                }
                !joins
            });
            self.entry(id).parked -= (before - self.deferred.len()) as u32;
            for lanes in apart(&threads) {
                self.entry(id).warps += 1;
                self.place(id, lanes, pc, pc, paths);
            }
        }
    }

    /// All warps of an entry have arrived at points where they wait.
    fn settle(&mut self, id: EntryId, paths: &mut Paths) {
        self.bring_together(id, paths);
        if self.entries.get(id).warps != 0 {
            return;
        }
        for fork in std::mem::take(&mut self.entry(id).forks) {
            self.close(id, &fork, paths);
        }
        if self.entries.get(id).parked == 0 {
            let parent = self.entries.get(id).parent;
            self.drop_entry(id);
            if let Some(parent) = parent {
                self.entry(parent).children -= 1;
            }
        }
    }

    fn drop_entry(&mut self, id: EntryId) {
        self.order.retain(|&other| other != id);
        self.entries.remove(id);
    }

    /// No further thread arrives at a fork.
    fn close(&mut self, id: EntryId, fork: &Fork, paths: &Paths) {
        let (map, width) = (paths.lane_map(), self.width);
        let count = |side: &Side| SideCount {
            before: side.threads.warps(),
            after: fewest(&side.threads, map, width),
            ideal: side.threads.count().div_ceil(width as u32),
            threads: side.threads.count(),
            is_empty: side.entry.is_none(),
        };
        let sides = [count(&fork.sides[0]), count(&fork.sides[1])];
        let adequate = (0..2).any(|side| sides[side].after < fork.sides[side].arrived);
        let closed = Closed {
            pc: fork.pc,
            conditional: fork.conditional,
            annotations: fork.annotations,
            diverged: fork.diverged,
            adequate,
            sides,
            stalled: fork.stalled,
            bypassed: fork.bypassed,
            live: self.alive.count(),
        };
        self.compaction.closed(&closed);
        self.branches.entry(closed.pc).or_default().closed(&closed);
        self.policy.closed(&closed);
        for entry in fork.sides.iter().filter_map(|side| side.entry) {
            self.entry(entry).open = false;
        }
        let own = fork.join.filter(|_| fork.owns_join);
        if let Some(join) = own {
            self.entry(join).open = false;
        }
        // All took the same path: none has to meet another, unless some have run ahead.
        let only = match [fork.sides[0].entry, fork.sides[1].entry] {
            [Some(only), None] | [None, Some(only)] => only,
            _ => return,
        };
        let (reconvergence_pc, parent) =
            (self.entries.get(id).reconvergence_pc, self.entries.get(id).parent);
        if self.entries.get(only).warps != 0
            || reconvergence_pc == self.entries.get(only).reconvergence_pc
        {
            return;
        }
        match own {
            Some(join) if self.entries.get(join).is_untouched() => self.drop_entry(join),
            None if fork.join.is_none() => {
                if let Some(parent) = parent {
                    self.entry(parent).children += 1;
                }
            }
            _ => return,
        }
        let entry = self.entry(only);
        (entry.reconvergence_pc, entry.parent) = (reconvergence_pc, parent);
    }

    /// An entry becomes the one that runs: its threads are put into warps.
    fn start_entry(&mut self, id: EntryId, paths: &mut Paths) {
        self.tried = 0;
        let entry = self.entry(id);
        entry.active = true;
        let pc = entry.pc;
        let (waiting, kept) = (entry.waiting.take(), std::mem::take(&mut entry.kept));
        let held = std::mem::take(&mut entry.held);
        let formed = compact(&waiting, paths.lane_map(), self.width);
        for lanes in kept.into_iter().chain(formed).filter(|lanes| lanes.mask() != 0) {
            self.entry(id).warps += 1;
            self.place(id, lanes, pc, NEVER, paths);
        }
        for held in held {
            self.branch(id, None, held, paths);
        }
    }

    /// A block starts, some of whose warps this is the stack of.
    pub(super) fn start_group(
        &mut self,
        shape: BlockShape,
        group: Range<usize>,
        paths: &mut Paths,
    ) {
        (self.width, self.warps) = (shape.width as usize, shape.warps() as usize);
        self.entries.clear();
        self.order.clear();
        self.deferred.clear();
        self.tried = 0;
        self.compaction = CompactionCounts::default();
        self.branches.clear();
        self.counts = DivergenceCounts { max_stack_depth: 1, ..DivergenceCounts::default() };
        let mut members = Threads::none(self.warps);
        group.clone().for_each(|warp| members.add(warp, shape.mask(warp as u32)));
        self.alive = members.clone();
        let waiting = members.clone();
        let reconvergence_pc = NEVER;
        let id = self.entries.add(Entry { reconvergence_pc, members, waiting, ..Entry::default() });
        self.path_slots.start(group, self.at_once, self.width, (id, NEVER));
        self.order.push(id);
        self.run(paths);
    }

    /// Threads of a slot's path have ended.
    fn exit(&mut self, slot: SlotId, mask: u64, paths: &mut Paths) {
        let (id, width) = (self.owner(slot), self.width);
        let path = paths.path(slot);
        let (pc, lanes) = (path.pc, path.lanes.clone());
        let mut ended = Threads::none(self.warps);
        ended.add_lanes(&lanes, mask, width);
        self.alive.remove_all(&ended);
        for &other in &self.order {
            self.entries.get_mut(other).members.remove_all(&ended);
        }
        let rest = lanes.mask() & !mask;
        if rest == 0 {
            self.entry(id).warps -= 1;
            self.path_slots.leave(slot, paths);
        } else {
            self.go(id, Some(slot), &lanes.only(rest, width), pc + 1, paths);
        }
    }
}

/// The sides that a warp at a branch has lanes on, with the lanes.
fn parts(held: &Held) -> impl Iterator<Item = (usize, u64)> + use<> {
    let parts = [held.taken, held.lanes.mask() & !held.taken];
    parts.into_iter().enumerate().filter(|(_, lanes)| *lanes != 0)
}

impl Divergence for BlockStack {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            slots_per_warp: self.at_once,
            receives_every_branch: true,
            regroups: true,
            tracks_threads: true,
            // The state that blocks share depends on which of them run ahead.
            depends_on_time: self.policy.sibling().is_some(),
            ..Capabilities::default()
        }
    }

    fn sibling(&self) -> Option<Box<dyn Divergence>> {
        let policy = self.policy.sibling()?;
        Some(Box::new(BlockStack::with_paths(policy, self.at_once)))
    }

    fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
        self.start_group(shape, 0..shape.warps() as usize, paths);
    }

    fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths) {
        self.tried = 0;
        let id = self.owner(slot);
        match step {
            Step::Reconverged => {
                let Path { pc, ref lanes, .. } = *paths.path(slot);
                let lanes = lanes.clone();
                self.go(id, Some(slot), &lanes, pc, paths);
            }
            Step::Branch { taken, target, conditional, annotations } => {
                let path = paths.path(slot);
                let (pc, lanes) = (path.pc, path.lanes.clone());
                let held = Held { lanes, pc, taken, target, conditional, annotations };
                if self.entries.get(id).active {
                    self.branch(id, Some(slot), held, paths);
                } else {
                    self.path_slots.leave(slot, paths);
                    self.entry(id).held.push(held);
                }
            }
            Step::Exit { lanes } => self.exit(slot, lanes, paths),
            Step::LongLatency | Step::Next | Step::Arm { .. } | Step::Meet { .. } => {}
            Step::Barrier => {
                self.path_slots.park(slot, paths);
                let entry = self.entry(id);
                (entry.parked, entry.warps) = (entry.parked + 1, entry.warps - 1);
            }
        }
        self.run(paths);
    }

    fn assemble(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        let (id, assembled) = self.path_slots.owner(slot);
        let path = paths.path(slot);
        let pc = path.pc;
        let Entry { active, ref members, .. } = *self.entries.get(id);
        let are_all = |(warp, lanes)| members.of(warp) == lanes;
        // Others may still arrive at an entry that has not started.
        let is_whole = || path.lanes.by_warp(path.lanes.mask(), self.width).all(are_all);
        if assembled == pc || active && is_whole() {
            return false;
        }
        self.tried = 0;
        let lanes = self.path_slots.leave(slot, paths);
        let (width, warps) = (self.width, self.warps);
        let entry = self.entry(id);
        entry.warps -= 1;
        let at = entry.gathering.iter().position(|(other, _)| *other == pc);
        let at = at.unwrap_or_else(|| {
            entry.gathering.push((pc, Threads::none(warps)));
            entry.gathering.len() - 1
        });
        entry.gathering[at].1.add_lanes(&lanes, lanes.mask(), width);
        self.run(paths);
        true
    }

    fn defer(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        if self.tried > self.deferred.len() {
            return false;
        }
        let owner = self.path_slots.owner(slot);
        let path = paths.path(slot).clone();
        self.path_slots.leave(slot, paths);
        self.deferred.push_back(Loose { owner, path });
        let entry = self.entry(owner.0);
        (entry.parked, entry.warps) = (entry.parked + 1, entry.warps - 1);
        self.run(paths);
        true
    }

    fn release(&mut self, opening: Opening, paths: &mut Paths) {
        self.tried = 0;
        let mut freed = Vec::new();
        for mut loose in self.path_slots.take_parked() {
            if self.keep_waiting(opening, &mut loose) {
                freed.push(loose);
            }
        }
        let opens = |slot: &SlotId| {
            let is_waiting = paths.state(*slot) == SlotState::Waiting;
            is_waiting && opening.part(&paths.path(*slot).lanes) != 0
        };
        let slots: Vec<SlotId> = self.path_slots.slots().filter(opens).collect();
        for &slot in &slots {
            let (owner, path) = (self.path_slots.owner(slot), paths.path(slot).clone());
            let mut loose = Loose { owner, path };
            self.keep_waiting(opening, &mut loose);
            let Loose { path, .. } = loose;
            if path.lanes != paths.path(slot).lanes {
                paths.path_mut(slot).lanes = path.lanes;
            }
        }
        let owners = slots.iter().map(|&slot| self.owner(slot));
        for id in owners.chain(freed.iter().map(|loose| loose.owner.0)).collect::<Vec<_>>() {
            let entry = self.entry(id);
            (entry.parked, entry.warps) = (entry.parked - 1, entry.warps + 1);
        }
        for slot in slots {
            if paths.resume(slot) {
                let (id, Path { pc, lanes, .. }) = (self.owner(slot), paths.path(slot).clone());
                self.go(id, Some(slot), &lanes, pc, paths);
            }
        }
        for Loose { owner: (id, _), path } in freed {
            self.go(id, None, &path.lanes, path.pc + 1, paths);
        }
        self.run(paths);
    }
}

impl Observe for BlockStack {
    fn fingerprint(&self, _slot: SlotId, hash: &mut dyn Hasher) {
        let mut hash = hash;
        for &id in &self.order {
            let entry = self.entries.get(id);
            (entry.pc, entry.reconvergence_pc, entry.warps, entry.parked).hash(&mut hash);
            (entry.active, entry.open, entry.children).hash(&mut hash);
            (&entry.members, &entry.waiting, entry.held.len()).hash(&mut hash);
            (&entry.gathering, entry.forks.len(), entry.kept.len()).hash(&mut hash);
            entry.abreast.len().hash(&mut hash);
        }
        (self.path_slots.waiting(), self.deferred.len(), self.tried).hash(&mut hash);
        self.policy.fingerprint(hash);
    }

    fn waiting_for(&self, slot: SlotId) -> u64 {
        let warp = usize::from(slot.0) / self.at_once;
        let waiting = |id: &EntryId| self.entries.get(*id).waiting.of(warp);
        self.order.iter().map(waiting).fold(0, |all, lanes| all | lanes)
    }

    fn parked(&self) -> Vec<Path> {
        self.path_slots.parked()
    }

    fn describe(&self, _warp: u32, paths: &Paths) -> Vec<SchemeState> {
        vec![self.state(paths)]
    }

    fn branches(&self) -> Vec<(u32, CompactionCounts)> {
        self.branches.iter().map(|(&pc, &counts)| (pc, counts)).collect()
    }

    fn counts(&self) -> DivergenceCounts {
        DivergenceCounts { compaction: Some(self.compaction), ..self.counts }
    }
}

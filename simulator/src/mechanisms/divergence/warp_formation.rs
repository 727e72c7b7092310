//! `warp-formation`: no stack; at the beginning of a basic block, threads join a warp that waits
//! there.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.4.1
//! (dynamic warp formation, after Fung et al., MICRO 2007). Threads that execute the same
//! instruction are put into new warps, in their home lanes, if they arrive there within a short
//! time. No thread waits for another, so nothing makes them reconverge. The book's two pathologies
//! (threads that stay alone, and accesses that coalesce less) show in the statistics. Code breaks
//! if it silently assumes that the threads of a warp are at one instruction
//! (`tests/progress/warp_synchronous.cu`).
//!
//! Differences, and points that the book leaves open: threads are regrouped where basic blocks
//! begin, because a warp does not change in between. Those that arrive at such a place join the
//! warp that was formed there last, as far as their lanes are free in it and it has not issued; the
//! others form a new warp. Threads that have waited at a barrier of the block are there together,
//! and form as few warps as possible. Warps are formed of one block's threads, because registers
//! and barriers belong to a block. There may be more warps than slots: those beyond take turns at
//! backward branches. The scheduler chooses the warp to issue, as for all schemes. Votes, shuffles
//! and `warp.sync` are executed by the warps of the launch: a thread that arrives at one waits for
//! the other threads of its warp as long as one of them can run.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::block_wide::{Loose, PathSlots, Threads, compact, join, paths_in_slots};
use super::layout::Layout;
use super::slot::{BlockShape, Build, Capabilities, Divergence, Observe, Step};
use crate::block::opening::Opening;
use crate::block::path::{Lanes, NEVER, Path, Paths, SlotId, SlotState};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};
use crate::observe::scheme_state::SchemeState;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "warp-formation",
    sentence: "no stack: threads of a block that reach a basic block at about the same time form new \
               warps there, each thread keeping its lane; no thread waits",
    options: &[],
    trials: &[
        &[("lane-permutation", "balanced")],
        &[("lane-permutation", "ideal"), ("sm.warp-width", "5")],
        &[("sm.warp-width", "4")],
    ],
    statistics: &[],
    build: &|table| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(WarpFormation::default()))
    },
};

/// A formed warp.
#[derive(Clone, Copy, Debug, Default)]
struct Formed {
    /// Its number among those of its block, in the order in which they were formed.
    number: u64,
    /// The instruction for which the threads of one warp were assembled, or [`NEVER`].
    assembled: u32,
}

/// Threads of a warp that are to execute an instruction together with others of it.
#[derive(Clone, Debug, Hash)]
struct Gathered {
    pc: u32,
    warp: usize,
    places: u64,
}

#[derive(Default)]
struct WarpFormation {
    width: usize,
    warps: usize,
    /// By instruction, how many of its basic block follow, itself included.
    lengths: Arc<[u32]>,
    /// Threads that have not ended.
    alive: Threads,
    path_slots: PathSlots<Formed>,
    formed: u64,
    gathering: Vec<Gathered>,
    /// Paths of one warp that have joined all lanes that could arrive, and still lack some.
    deferred: VecDeque<Loose<Formed>>,
    /// By warp, how many of these were tried again since something else happened to its threads.
    tried: Vec<usize>,
}

/// The position of a path that others may join.
enum Position {
    Slot(SlotId),
    Queue(usize),
}

impl WarpFormation {
    fn path(&self, pc: u32, lanes: Lanes) -> Path {
        let length = self.lengths.get(pc as usize).map_or(1, |&length| length.max(1));
        Path { pc, reconvergence_pc: pc + length, lanes, scoreboard: 0 }
    }

    fn new_warp(&mut self, assembled: u32) -> Formed {
        self.formed += 1;
        Formed { number: self.formed, assembled }
    }

    /// Lanes of a path, in a slot or in none, arrive at the beginning of a basic block.
    fn arrive(&mut self, slot: Option<SlotId>, lanes: &Lanes, pc: u32, paths: &mut Paths) {
        let rest = match self.last_at(slot, pc, paths) {
            None => Some(lanes.clone()),
            Some(position) => self.join(&position, lanes, paths),
        };
        let Some(lanes) = rest else {
            slot.map(|slot| self.path_slots.leave(slot, paths));
            return;
        };
        let owner = self.new_warp(NEVER);
        let path = self.path(pc, lanes);
        match slot {
            None => self.path_slots.place(Loose { owner, path }, paths),
            Some(slot) => {
                self.path_slots.set_owner(slot, owner);
                *paths.path_mut(slot) = Path { scoreboard: slot.0, ..path };
            }
        }
    }

    /// The warp that was formed last among those at a place, other than the one of a slot.
    fn last_at(&self, slot: Option<SlotId>, pc: u32, paths: &Paths) -> Option<Position> {
        let waits = |path: &Path, owner: Formed| path.pc == pc && owner.assembled != pc;
        let slots = paths.slots().filter(|&other| {
            Some(other) != slot
                && paths.state(other) == SlotState::Runnable
                && waits(paths.path(other), self.path_slots.owner(other))
        });
        let slots = slots.map(|slot| (self.path_slots.owner(slot).number, Position::Slot(slot)));
        let queue = self.path_slots.queue().iter().enumerate();
        let queue = queue.filter(|(_, loose)| waits(&loose.path, loose.owner));
        let queue = queue.map(|(at, loose)| (loose.owner.number, Position::Queue(at)));
        let last = slots.chain(queue).max_by_key(|(number, _)| *number);
        last.map(|(_, position)| position)
    }

    /// Lanes join a warp as far as they can; the others of them.
    fn join(&mut self, warp: &Position, lanes: &Lanes, paths: &mut Paths) -> Option<Lanes> {
        let own = match *warp {
            Position::Slot(slot) => &paths.path(slot).lanes,
            Position::Queue(at) => &self.path_slots.queue()[at].path.lanes,
        };
        let (joined, rest) = join(own, lanes, paths.lane_map(), self.warps, self.width);
        if joined != *own {
            match *warp {
                Position::Slot(slot) => paths.path_mut(slot).lanes = joined,
                Position::Queue(at) => {
                    self.path_slots.queued_mut(at).into_iter().for_each(|path| {
                        path.lanes = joined.clone();
                    });
                }
            }
        }
        rest
    }

    fn branch(&mut self, slot: SlotId, taken: u64, target: u32, paths: &mut Paths) {
        let Path { pc, lanes, .. } = paths.path(slot).clone();
        let mut slot = Some(slot);
        if taken != 0 && target <= pc && self.path_slots.waiting() != 0 {
            // Paths that wait for a slot have a turn.
            slot.take().map(|slot| self.path_slots.leave(slot, paths));
        }
        for (mask, pc) in [(taken, target), (lanes.mask() & !taken, pc + 1)] {
            if mask != 0 {
                self.arrive(slot.take(), &lanes.only(mask, self.width), pc, paths);
            }
        }
    }

    /// The threads of paths that may run.
    fn running(&self, paths: &Paths) -> Threads {
        let mut running = Threads::none(self.warps);
        let slots = paths.slots().filter(|&slot| paths.state(slot) == SlotState::Runnable);
        let slots = slots.map(|slot| &paths.path(slot).lanes);
        for lanes in slots.chain(self.path_slots.queue().iter().map(|loose| &loose.path.lanes)) {
            running.add_lanes(lanes, lanes.mask(), self.width);
        }
        running
    }

    /// Lets paths continue that wait for others of their warps, when all have arrived or none can.
    /// Within a warp those with the lowest program counter continue first, because the others are
    /// ahead.
    fn run(&mut self, paths: &mut Paths) {
        if self.gathering.is_empty() && self.deferred.is_empty() {
            return;
        }
        let mut running = self.running(paths);
        loop {
            let are_there =
                |it: &Gathered| self.alive.of(it.warp) == it.places || running.of(it.warp) == 0;
            let ready = self.gathering.iter().enumerate().filter(|(_, it)| are_there(it));
            let Some((at, _)) = ready.min_by_key(|(_, it)| (it.pc, it.warp)) else {
                break;
            };
            let Gathered { pc, warp, places } = self.gathering.remove(at);
            running.add(warp, places);
            let lanes = Lanes::Warp { warp: warp as u16, mask: places };
            let owner = self.new_warp(pc);
            self.path_slots.place(Loose { owner, path: self.path(pc, lanes) }, paths);
        }
        let free = |loose: &Loose<Formed>| running.of(self.warp_of(&loose.path)) == 0;
        if let Some(at) = self.deferred.iter().position(free)
            && let Some(loose) = self.deferred.remove(at)
        {
            let warp = self.warp_of(&loose.path);
            self.tried[warp] += 1;
            self.path_slots.place(loose, paths);
        }
    }

    /// The warp of a path of one warp.
    fn warp_of(&self, path: &Path) -> usize {
        let lanes = &path.lanes;
        lanes.by_warp(lanes.mask(), self.width).next().map_or(0, |(warp, _)| warp)
    }

    /// Something has happened to the threads of a path: those of their warps that lack lanes may find
    /// them now.
    fn retry(&mut self, lanes: &Lanes) {
        if !self.deferred.is_empty() {
            for (warp, _) in lanes.by_warp(lanes.mask(), self.width) {
                self.tried[warp] = 0;
            }
        }
    }

    fn gather(&mut self, pc: u32, warp: usize, places: u64) {
        let is_there = |it: &&mut Gathered| it.pc == pc && it.warp == warp;
        match self.gathering.iter_mut().find(is_there) {
            Some(gathered) => gathered.places |= places,
            None => self.gathering.push(Gathered { pc, warp, places }),
        }
    }
}

impl Divergence for WarpFormation {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            receives_every_branch: true,
            reconverges_as_compiled: false,
            regroups: true,
            tracks_threads: true,
            reads_layout: true,
            independent_progress: true,
            depends_on_time: true,
            ..Capabilities::default()
        }
    }

    fn learn(&mut self, layout: &Layout) {
        self.lengths = layout.lengths.clone();
    }

    fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
        (self.width, self.warps) = (shape.width as usize, shape.warps() as usize);
        self.path_slots.start(0..self.warps, 1, self.width, Formed::default());
        self.formed = 0;
        self.gathering.clear();
        self.deferred.clear();
        self.tried.clear();
        self.tried.resize(self.warps, 0);
        self.alive = Threads::none(self.warps);
        for warp in 0..shape.warps() {
            let mask = shape.mask(warp);
            self.alive.add(warp as usize, mask);
            let owner = self.new_warp(NEVER);
            let path = self.path(0, Lanes::Warp { warp: warp as u16, mask });
            self.path_slots.place(Loose { owner, path }, paths);
        }
    }

    fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths) {
        let Path { pc, reconvergence_pc, ref lanes, .. } = *paths.path(slot);
        let lanes = lanes.clone();
        self.retry(&lanes);
        match step {
            Step::Reconverged => self.arrive(Some(slot), &lanes, pc, paths),
            Step::Branch { taken, target, .. } => self.branch(slot, taken, target, paths),
            Step::Exit { lanes: mask } => {
                let mut ended = Threads::none(self.warps);
                ended.add_lanes(&lanes, mask, self.width);
                self.alive.remove_all(&ended);
                let rest = lanes.only(lanes.mask() & !mask, self.width);
                if rest.mask() == 0 {
                    self.path_slots.leave(slot, paths);
                } else if pc + 1 == reconvergence_pc {
                    self.arrive(Some(slot), &rest, pc + 1, paths);
                } else {
                    let path = paths.path_mut(slot);
                    (path.pc, path.lanes) = (pc + 1, rest);
                }
            }
            Step::Barrier => self.path_slots.park(slot, paths),
            Step::LongLatency | Step::Next | Step::Arm { .. } | Step::Meet { .. } => {}
        }
        self.run(paths);
    }

    fn assemble(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        let Path { pc, ref lanes, .. } = *paths.path(slot);
        let is_whole = match *lanes {
            Lanes::Warp { warp, mask } => self.alive.of(usize::from(warp)) == mask,
            Lanes::Mixed(_) => false,
        };
        if is_whole || self.path_slots.owner(slot).assembled == pc {
            return false;
        }
        let lanes = self.path_slots.leave(slot, paths);
        for (warp, places) in lanes.by_warp(lanes.mask(), self.width) {
            self.gather(pc, warp, places);
            self.tried[warp] = 0;
        }
        // Paths that arrived earlier and found lanes missing wait with them.
        for loose in std::mem::take(&mut self.deferred) {
            let warp = self.warp_of(&loose.path);
            let found = self.gathering.iter_mut().find(|it| it.pc == pc && it.warp == warp);
            match found.filter(|_| loose.path.pc == pc) {
                Some(gathered) => gathered.places |= loose.path.lanes.mask(),
                None => self.deferred.push_back(loose),
            }
        }
        self.run(paths);
        true
    }

    fn defer(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        let path = paths.path(slot).clone();
        let warp = self.warp_of(&path);
        let others = self.deferred.iter().filter(|loose| self.warp_of(&loose.path) == warp).count();
        if self.tried[warp] > others && self.gathering.iter().all(|it| it.warp != warp) {
            return false;
        }
        let owner = self.path_slots.owner(slot);
        self.path_slots.leave(slot, paths);
        self.deferred.push_back(Loose { owner, path });
        self.run(paths);
        true
    }

    fn release(&mut self, opening: Opening, paths: &mut Paths) {
        self.tried.fill(0);
        // By barrier, the threads that waited there: they are at one instruction, and form warps.
        let mut waiting: Vec<(u32, Threads)> = Vec::new();
        // Returns the threads that still wait.
        let mut add = |path: &Path| {
            let mask = opening.part(&path.lanes);
            let at = waiting.iter().position(|(pc, _)| *pc == path.pc).unwrap_or(waiting.len());
            if at == waiting.len() {
                waiting.push((path.pc, Threads::none(self.warps)));
            }
            waiting[at].1.add_lanes(&path.lanes, mask, self.width);
            path.lanes.only(path.lanes.mask() & !mask, self.width)
        };
        for loose in self.path_slots.take_parked() {
            let lanes = add(&loose.path);
            if lanes.mask() != 0 {
                self.path_slots.keep_parked(Loose { path: Path { lanes, ..loose.path }, ..loose });
            }
        }
        for slot in paths.slots() {
            if paths.state(slot) == SlotState::Waiting {
                let rest = add(paths.path(slot));
                if rest.mask() == 0 {
                    paths.clear(slot);
                } else if rest != paths.path(slot).lanes {
                    paths.path_mut(slot).lanes = rest;
                }
            }
        }
        for (pc, threads) in waiting {
            for lanes in compact(&threads, paths.lane_map(), self.width) {
                let owner = self.new_warp(NEVER);
                self.path_slots.place(Loose { owner, path: self.path(pc + 1, lanes) }, paths);
            }
        }
        self.run(paths);
    }
}

impl Observe for WarpFormation {
    fn fingerprint(&self, _slot: SlotId, hash: &mut dyn Hasher) {
        let mut hash = hash;
        self.gathering.hash(&mut hash);
        self.tried.hash(&mut hash);
        for Loose { owner, path } in self.path_slots.queue().iter().chain(&self.deferred) {
            (path.pc, owner.assembled).hash(&mut hash);
            for (warp, places) in path.lanes.by_warp(path.lanes.mask(), self.width) {
                (warp, places).hash(&mut hash);
            }
        }
    }

    fn waiting_for(&self, slot: SlotId) -> u64 {
        let warp = usize::from(slot.0);
        let gathered = self.gathering.iter().filter(|it| it.warp == warp);
        let deferred = self.deferred.iter().filter(|loose| self.warp_of(&loose.path) == warp);
        let places = gathered.map(|it| it.places);
        places
            .chain(deferred.map(|loose| loose.path.lanes.mask()))
            .fold(0, |all, lanes| all | lanes)
    }

    fn parked(&self) -> Vec<Path> {
        self.path_slots.parked()
    }

    fn describe(&self, _warp: u32, paths: &Paths) -> Vec<SchemeState> {
        let paths = paths_in_slots(self.path_slots.slots(), paths, self.width);
        vec![SchemeState { paths, ..SchemeState::default() }]
    }
}

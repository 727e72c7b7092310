//! `dual-path`: a reconvergence stack whose entries hold both paths of a branch; the two at the top run
//! interleaved.
//!
//! Source: Rhu's dissertation, chapter 3: the stack §3.2.1, scoreboards §3.2.2, the constrained
//! scheduler §3.2.3 and §3.3.3.4, path-forwarding §3.4.1. Differences, beside those of `simt-stack`:
//!
//! - The left side is free in the source; it is the taken one. The fall-through path keeps the slot
//!   of the path that diverges, and with it the contents of its instruction buffer; the taken path,
//!   which has to fetch anyway, takes the other slot. The path that continues after a reconvergence
//!   takes the slot of the one that arrived last. So a branch with one side costs the same fetches
//!   as under `simt-stack`.
//! - Shadow bits are bits of entries pending in *both* scoreboards: at divergence and
//!   reconvergence, and whenever else a side takes a slot, an entry pending in either is pending in
//!   both. A bit is cleared when its register is written, as in the source.
//! - The constrained scheduler rotates after an instruction of long latency (§3.3.3.4), on a hit
//!   too (§3.2.3: at a miss). Both sides keep their instruction buffers.
//! - A side that was forwarded and diverges pushes its entry on the top, as any other. The source
//!   does not say how, and does not trace reconvergence below the top: here an entry records the
//!   side that it was forked from.
//! - When no path at the top can run, since all wait at a barrier of the block, a path below may, as under
//!   `simt-stack`.

use std::hash::Hasher;

use serde::Deserialize;

use super::slot::{BlockShape, Build, Capabilities, Divergence, DivergenceCounts, Observe, Step};
use crate::block::opening::Opening;
use crate::block::path::{Carry, Lanes, NEVER, Path, Paths, Slot, SlotId, SlotState};
use crate::mechanisms::mechanism::{Mechanism, options};
use crate::observe::scheme_state::{LaneSet, SchemeEntry, SchemePath, SchemeState};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "dual-path",
    sentence: "a reconvergence stack whose entries hold both paths of a branch; the two paths at the \
               top run interleaved and reconverge at the immediate post-dominator",
    options: &[
        (
            "scoreboard",
            "`shadow`: a write outstanding when paths diverge or reconverge blocks both, with false \
             dependences; or `optimistic`: a path waits for its own threads' registers only",
        ),
        (
            "scheduling",
            "`both` paths compete for issue; or `constrained`: one path at a time, and the other \
             after a long-latency instruction",
        ),
        (
            "path-forwarding",
            "whether a path from a lower stack entry runs when the top entry has only one: `true` \
             or `false`",
        ),
    ],
    trials: &[
        &[("dual-path.scoreboard", "optimistic")],
        &[("dual-path.scheduling", "constrained")],
        &[("dual-path.scheduling", "constrained"), ("dual-path.scoreboard", "optimistic")],
        &[("dual-path.path-forwarding", "true")],
        &[("dual-path.path-forwarding", "true"), ("dual-path.scoreboard", "optimistic")],
        &[
            ("dual-path.path-forwarding", "true"),
            ("dual-path.scoreboard", "optimistic"),
            ("scoreboard.entries", "0"),
        ],
    ],
    statistics: &[],
    build: &|table| {
        let options: Options = options(table)?;
        Ok(Box::new(DualPath { options, width: 1, warps: Vec::new(), deepest: 0, entries: 0 }))
    },
};

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    scoreboard: Scoreboard,
    scheduling: Scheduling,
    path_forwarding: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Scoreboard {
    #[default]
    Shadow,
    Optimistic,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Scheduling {
    #[default]
    Both,
    Constrained,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Runnable,
    /// It has diverged: its threads are in entries above, and its `pc` is where they meet.
    Inner,
    /// It has arrived at a barrier and waits.
    Waiting,
    /// It lets others run, because it needs lanes that are elsewhere.
    Deferred,
}

/// A path of a branch: `Path_L` or `Path_R`.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// The state of a side in a slot when the scheme last had control.
    pc: u32,
    mask: u64,
    state: State,
    /// Its slot of the warp.
    slot: Option<usize>,
    /// The slot whose instruction buffer may hold its next instructions, until it has a slot: that
    /// of its parent path.
    inherits: Option<usize>,
}

impl Side {
    fn new(pc: u32, mask: u64, inherits: Option<usize>) -> Side {
        Side { pc, mask, state: State::Runnable, slot: None, inherits }
    }
}

/// The place of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// Its entry of the stack.
    entry: usize,
    /// Its index there.
    side: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    reconverge: u32,
    /// Left and right; a side that has arrived at the reconvergence point is removed.
    sides: [Option<Side>; 2],
    /// The side that continues after this entry, and all others forked from it, are removed.
    parent: Option<Place>,
}

#[derive(Clone, Debug, Default)]
struct Warp {
    stack: Vec<Entry>,
    /// Its entries when they were last counted.
    counted: usize,
    /// The slot whose side the constrained scheduler sees.
    shown: usize,
}

struct DualPath {
    options: Options,
    width: u32,
    warps: Vec<Warp>,
    deepest: usize,
    /// Entries of all warps.
    entries: usize,
}

impl Warp {
    fn side(&self, Place { entry, side }: Place) -> Option<&Side> {
        self.stack.get(entry)?.sides[side].as_ref()
    }

    fn side_mut(&mut self, Place { entry, side }: Place) -> Option<&mut Side> {
        self.stack.get_mut(entry)?.sides[side].as_mut()
    }

    /// All sides, from the top down, left before right.
    fn places(&self) -> impl Iterator<Item = Place> + use<> {
        (0..self.stack.len())
            .rev()
            .flat_map(|entry| [Place { entry, side: 0 }, Place { entry, side: 1 }])
    }

    /// The sides among which one may run: all, if they are forwarded, or those of the divergence at
    /// the top.
    fn scope(&self, all: bool) -> Vec<Place> {
        let top = self.stack.last().map(|entry| entry.reconverge);
        let same = |&Place { entry, .. }: &Place| all || Some(self.stack[entry].reconverge) == top;
        self.places().take_while(same).collect()
    }

    fn sides(&self) -> impl Iterator<Item = &Side> {
        self.stack.iter().rev().flat_map(|entry| &entry.sides).flatten()
    }

    fn sides_mut(&mut self) -> impl Iterator<Item = &mut Side> {
        self.stack.iter_mut().rev().flat_map(|entry| &mut entry.sides).flatten()
    }

    fn in_slot(&self, slot: usize) -> Option<Place> {
        let is_in_slot =
            |&place: &Place| self.side(place).is_some_and(|side| side.slot == Some(slot));
        self.places().find(is_in_slot)
    }

    fn has_slot(&self, place: Place) -> bool {
        self.side(place).is_some_and(|side| side.slot.is_some())
    }

    fn is_runnable(&self, place: Place) -> bool {
        self.side(place).is_some_and(|side| side.state == State::Runnable)
    }

    /// Removes sides that have arrived at their reconvergence points or whose threads have ended,
    /// and then entries without sides.
    fn settle(&mut self) {
        for index in (0..self.stack.len()).rev() {
            let entry = &mut self.stack[index];
            let mut arrived = None;
            for slot in &mut entry.sides {
                let is_over = |side: &Side| {
                    side.state != State::Inner
                        && (side.mask == 0
                            || side.state == State::Runnable && side.pc == entry.reconverge)
                };
                if slot.as_ref().is_some_and(is_over) {
                    arrived = slot.take().and_then(|side| side.slot.or(side.inherits)).or(arrived);
                }
            }
            if entry.sides.iter().all(Option::is_none) {
                let parent = entry.parent;
                self.stack.remove(index);
                for entry in &mut self.stack[index..] {
                    if let Some(parent) = entry.parent.as_mut().filter(|it| it.entry > index) {
                        parent.entry -= 1;
                    }
                }
                self.go_on(parent, arrived);
            }
        }
    }

    /// An entry is removed. The side that it was forked from continues, if no other entry was
    /// forked from it, in the slot of the side that has arrived.
    fn go_on(&mut self, parent: Option<Place>, arrived: Option<usize>) {
        if let Some(parent) = parent
            && self.stack.iter().all(|entry| entry.parent != Some(parent))
            && let Some(side) = self.side_mut(parent)
        {
            (side.state, side.inherits) = (State::Runnable, arrived);
        }
    }

    /// The sides to run: `first`, if there is one, then those at the top; two at most.
    fn choose(&mut self, forwards: bool, first: Option<Place>) -> Vec<Place> {
        let mut scope = self.scope(forwards);
        let waits = |&place: &Place| {
            let may_run = [State::Runnable, State::Deferred];
            self.side(place).is_none_or(|side| !may_run.contains(&side.state))
        };
        if scope.iter().all(waits) {
            scope = self.scope(true);
        }
        let mut chosen: Vec<Place> = first.into_iter().collect();
        for round in 0..2 {
            for &place in scope.iter().filter(|&&place| self.is_runnable(place)) {
                // Without forwarding, both are of one entry.
                let fits = forwards || chosen.iter().all(|other| other.entry == place.entry);
                if chosen.len() < 2 && fits && first != Some(place) {
                    chosen.push(place);
                }
            }
            if !chosen.is_empty() || round == 1 {
                break;
            }
            // Sides that let others run try again now that no other can.
            for &place in &scope {
                if let Some(side) = self.side_mut(place).filter(|it| it.state == State::Deferred) {
                    side.state = State::Runnable;
                }
            }
        }
        chosen
    }

    /// Gives slots to sides that run, and the remaining ones to those that wait at a barrier.
    /// Returns true if a side has a new slot.
    fn assign(&mut self, chosen: &[Place]) -> bool {
        let waiting =
            |&place: &Place| self.side(place).is_some_and(|side| side.state == State::Waiting);
        let mut order = chosen.to_vec();
        order.extend(self.places().filter(waiting));
        let mut taken = [None; 2];
        for rank in [true, false] {
            let of_rank = order.iter().copied().filter(|place| chosen.contains(place) == rank);
            let of_rank: Vec<Place> = of_rank.collect();
            // A side with a slot keeps it; then those that inherit one are served, the fall-through
            // path first.
            for &place in &of_rank {
                if let Some(slot) = self.side(place).and_then(|side| side.slot) {
                    taken[slot].get_or_insert(place);
                }
            }
            for &place in of_rank.iter().rev().filter(|&&place| !self.has_slot(place)) {
                if let Some(slot) = self.side(place).and_then(|side| side.inherits) {
                    taken[slot].get_or_insert(place);
                }
            }
            for place in of_rank {
                let preferred = [place.side, 1 - place.side];
                let free = preferred.into_iter().find(|&slot| taken[slot].is_none());
                if let Some(slot) = free.filter(|_| !taken.contains(&Some(place))) {
                    taken[slot] = Some(place);
                }
            }
        }
        let mut is_new = false;
        for place in self.places() {
            let slot = taken.iter().position(|taken| *taken == Some(place));
            if let Some(side) = self.side_mut(place) {
                is_new |= slot.is_some() && side.slot != slot;
                (side.slot, side.inherits) = (slot, None);
            }
        }
        is_new
    }
}

impl DualPath {
    fn slot(warp: usize, slot: usize) -> SlotId {
        SlotId((2 * warp + slot) as u16)
    }

    fn is_constrained(&self) -> bool {
        self.options.scheduling == Scheduling::Constrained
    }

    /// Reads the current positions of a warp's paths.
    fn look(&mut self, warp: usize, paths: &Paths) {
        for side in self.warps[warp].sides_mut() {
            if let Some(slot) = side.slot {
                let slot = DualPath::slot(warp, slot);
                if paths.state(slot) == SlotState::Runnable {
                    side.pc = paths.path(slot).pc;
                }
            }
        }
    }

    /// A side goes both ways.
    fn split(&mut self, warp: usize, place: Place, taken: u64, target: u32, reconverge: u32) {
        let warp = &mut self.warps[warp];
        let reconvergence_pc = warp.stack[place.entry].reconverge;
        let Some(side) = warp.side_mut(place) else {
            return;
        };
        let left = Side::new(target, taken, side.slot);
        let right = Side::new(side.pc + 1, side.mask & !taken, side.slot);
        let mut parent = Some(place);
        if reconverge != NEVER && reconverge != reconvergence_pc {
            (side.pc, side.state, side.slot) = (reconverge, State::Inner, None);
        } else {
            // The paths reconverge where it would have met others, or never: nothing is left of it.
            let entry = &mut warp.stack[place.entry];
            entry.sides[place.side] = None;
            parent = entry.parent;
            if entry.sides.iter().all(Option::is_none) && place.entry + 1 == warp.stack.len() {
                warp.stack.pop();
            }
        }
        warp.stack.push(Entry { reconverge, sides: [Some(left), Some(right)], parent });
        self.deepest = self.deepest.max(warp.stack.len());
    }

    /// Publishes the sides that may run now.
    fn arrange(&mut self, index: usize, paths: &mut Paths) {
        self.arrange_beside(index, None, paths);
    }

    /// The same, but the side in a slot keeps it: its instruction is not over.
    fn arrange_beside(&mut self, index: usize, executing: Option<usize>, paths: &mut Paths) {
        let is_constrained = self.is_constrained();
        let warp = &mut self.warps[index];
        warp.settle();
        self.entries = self.entries + warp.stack.len() - warp.counted;
        warp.counted = warp.stack.len();
        let first = executing.and_then(|slot| warp.in_slot(slot));
        let chosen = warp.choose(self.options.path_forwarding, first);
        let is_new = warp.assign(&chosen);
        let runs = |slot| warp.in_slot(slot).is_some_and(|place| warp.is_runnable(place));
        if !runs(warp.shown) && runs(1 - warp.shown) {
            warp.shown = 1 - warp.shown;
        }
        for slot in 0..2 {
            let id = DualPath::slot(index, slot);
            let content = warp.in_slot(slot).and_then(|place| {
                let side = warp.side(place)?;
                let reconvergence_pc = warp.stack[place.entry].reconverge;
                let state = match side.state {
                    State::Waiting => SlotState::Waiting,
                    _ if is_constrained && slot != warp.shown => return None,
                    _ => SlotState::Runnable,
                };
                Some(Slot { path: path(index, id, side, reconvergence_pc), state })
            });
            paths.set(id, content);
        }
        if is_new && self.options.scoreboard == Scoreboard::Shadow {
            let (one, other) = (DualPath::slot(index, 0).0, DualPath::slot(index, 1).0);
            paths.carry(Carry::Share { one, other });
        }
    }
}

fn path(warp: usize, slot: SlotId, side: &Side, reconvergence_pc: u32) -> Path {
    let lanes = Lanes::Warp { warp: warp as u16, mask: side.mask };
    Path { pc: side.pc, reconvergence_pc, lanes, scoreboard: slot.0 }
}

impl Divergence for DualPath {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            slots_per_warp: 2,
            receives_long_latency: self.is_constrained(),
            tracks_threads: self.options.scoreboard == Scoreboard::Optimistic,
            ..Capabilities::default()
        }
    }

    fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
        self.deepest = 1;
        self.width = shape.width;
        self.entries = 0;
        self.warps.clear();
        self.warps.resize_with(shape.warps() as usize, Warp::default);
        for index in 0..self.warps.len() {
            let all = Side::new(0, shape.mask(index as u32), None);
            let sides = [Some(all), None];
            self.warps[index].stack.push(Entry { reconverge: NEVER, sides, parent: None });
            self.arrange(index, paths);
        }
    }

    fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths) {
        let (index, slot) = (usize::from(slot.0) / 2, usize::from(slot.0) % 2);
        self.look(index, paths);
        let warp = &mut self.warps[index];
        let Some(place) = warp.in_slot(slot) else {
            return;
        };
        match step {
            Step::Reconverged | Step::Next | Step::Arm { .. } | Step::Meet { .. } => {}
            Step::Branch { taken, target, annotations, .. } => {
                let reconverge = annotations.reconverge.unwrap_or(NEVER);
                self.split(index, place, taken, target, reconverge);
            }
            Step::Exit { lanes } => {
                warp.sides_mut().for_each(|side| side.mask &= !lanes);
                warp.side_mut(place).into_iter().for_each(|side| side.pc += 1);
            }
            Step::Barrier => {
                warp.side_mut(place).into_iter().for_each(|side| side.state = State::Waiting);
            }
            Step::LongLatency => {
                let other = warp.in_slot(1 - slot);
                if other.is_some_and(|other| warp.is_runnable(other)) {
                    warp.shown = 1 - slot;
                }
            }
        }
        self.arrange(index, paths);
    }

    fn defer(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        let (index, slot) = (usize::from(slot.0) / 2, usize::from(slot.0) % 2);
        self.look(index, paths);
        let scope = self.warps[index].scope(self.options.path_forwarding);
        let warp = &mut self.warps[index];
        let Some(place) = warp.in_slot(slot) else {
            return false;
        };
        if !scope.iter().any(|&other| other != place && warp.is_runnable(other)) {
            return false;
        }
        warp.side_mut(place).into_iter().for_each(|side| side.state = State::Deferred);
        self.arrange(index, paths);
        true
    }

    fn retry(&mut self, slot: SlotId, paths: &mut Paths) {
        let index = usize::from(slot.0) / 2;
        self.look(index, paths);
        for side in self.warps[index].sides_mut().filter(|it| it.state == State::Deferred) {
            side.state = State::Runnable;
        }
        self.arrange_beside(index, Some(usize::from(slot.0) % 2), paths);
    }

    fn release(&mut self, opening: Opening, paths: &mut Paths) {
        for index in 0..self.warps.len() {
            self.look(index, paths);
            let opens = |it: &&mut Side| it.state == State::Waiting && opening.has(index, it.mask);
            let mut any = false;
            for side in self.warps[index].sides_mut().filter(opens) {
                side.state = State::Runnable;
                side.pc += 1;
                any = true;
            }
            if any {
                self.arrange(index, paths);
            }
        }
    }
}

impl Observe for DualPath {
    fn fingerprint(&self, slot: SlotId, hash: &mut dyn Hasher) {
        let warp = &self.warps[usize::from(slot.0) / 2];
        hash.write_usize(warp.shown);
        for entry in &warp.stack {
            hash.write_u32(entry.reconverge);
            for side in &entry.sides {
                let side = side.unwrap_or(Side::new(NEVER, 0, None));
                hash.write_u32(side.pc);
                hash.write_u64(side.mask);
                hash.write_u8(side.state as u8);
            }
        }
    }

    fn waiting_for(&self, slot: SlotId) -> u64 {
        let warp = &self.warps[usize::from(slot.0) / 2];
        let lanes = |of: &dyn Fn(&Side) -> bool| {
            warp.sides().filter(|side| of(side)).fold(0, |lanes, side| lanes | side.mask)
        };
        let waits = lanes(&|side| side.slot.is_some() || side.state == State::Waiting);
        lanes(&|_| true) & !waits
    }

    fn parked(&self) -> Vec<Path> {
        let warps = self.warps.iter().enumerate();
        let sides = warps.flat_map(|(index, warp)| warp.sides().map(move |side| (index, side)));
        let parked = sides.filter(|(_, it)| it.state == State::Waiting && it.slot.is_none());
        parked.map(|(index, side)| path(index, DualPath::slot(index, 0), side, NEVER)).collect()
    }

    fn describe(&self, warp: u32, paths: &Paths) -> Vec<SchemeState> {
        let side = |(side, name): (&Option<Side>, _)| {
            let side = side.as_ref()?;
            let slot = side.slot.map(|slot| DualPath::slot(warp as usize, slot));
            let runs = slot.filter(|&slot| paths.state(slot) == SlotState::Runnable);
            let pc = runs.map_or(side.pc, |slot| paths.path(slot).pc);
            let path = SchemePath::new(pc, LaneSet::Mask(side.mask), runs.is_some());
            Some(SchemePath { name: Some(name), ..path })
        };
        let entry = |entry: &Entry| {
            let paths = entry.sides.iter().zip(["L", "R"]).filter_map(side).collect();
            SchemeEntry::of_stack(entry.reconverge, paths)
        };
        let entries = self.warps[warp as usize].stack.iter().map(entry).collect();
        vec![SchemeState { entries, ..SchemeState::default() }]
    }

    fn entries(&self, _paths: &Paths) -> u64 {
        self.entries as u64
    }

    fn counts(&self) -> DivergenceCounts {
        DivergenceCounts { max_stack_depth: self.deepest as u64, ..DivergenceCounts::default() }
    }
}

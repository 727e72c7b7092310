//! Formed warps and the slots of their block: those in slots, and those that wait for one.

use std::collections::VecDeque;
use std::ops::Range;

use crate::block::path::{Lanes, Path, Paths, SlotId, SlotState};

/// A path that is not in a slot, with the scheme's data about it.
#[derive(Clone, Debug)]
pub(in crate::mechanisms::divergence) struct Loose<T> {
    pub(in crate::mechanisms::divergence) owner: T,
    pub(in crate::mechanisms::divergence) path: Path,
}

/// The slots of a block, or those of some of its warps.
#[derive(Clone, Debug)]
pub(in crate::mechanisms::divergence) struct PathSlots<T> {
    width: usize,
    /// Slots of a warp.
    each: usize,
    slots: Range<usize>,
    /// By slot of the block, the scheme's data about its path.
    owners: Vec<T>,
    /// Paths that wait for a slot.
    queue: VecDeque<Loose<T>>,
    /// Paths that wait at a barrier of the block and have given up their slots.
    at_barrier: Vec<Loose<T>>,
}

impl<T> Default for PathSlots<T> {
    fn default() -> PathSlots<T> {
        PathSlots {
            width: 1,
            each: 1,
            slots: 0..0,
            owners: Vec::new(),
            queue: VecDeque::new(),
            at_barrier: Vec::new(),
        }
    }
}

impl<T: Copy> PathSlots<T> {
    /// A block starts. Its warps will occupy their slots, `each` slots per warp; none has arrived
    /// yet.
    pub(in crate::mechanisms::divergence) fn start(
        &mut self,
        warps: Range<usize>,
        each: usize,
        width: usize,
        nobody: T,
    ) {
        (self.width, self.each) = (width, each);
        self.slots = warps.start * each..warps.end * each;
        self.owners.clear();
        self.owners.resize(self.slots.end, nobody);
        self.queue.clear();
        self.at_barrier.clear();
    }

    pub(in crate::mechanisms::divergence) fn owner(&self, slot: SlotId) -> T {
        self.owners[usize::from(slot.0)]
    }

    pub(in crate::mechanisms::divergence) fn set_owner(&mut self, slot: SlotId, owner: T) {
        self.owners[usize::from(slot.0)] = owner;
    }

    /// The slots for paths.
    pub(in crate::mechanisms::divergence) fn slots(&self) -> impl Iterator<Item = SlotId> + use<T> {
        self.slots.clone().map(|slot| SlotId(slot as u16))
    }

    /// Puts a path into a slot, one of its own warp's if that is free, or lets it wait for one.
    pub(in crate::mechanisms::divergence) fn place(&mut self, loose: Loose<T>, paths: &mut Paths) {
        self.place_near(self.home(&loose.path.lanes), loose, paths);
    }

    /// The first slot of the first warp that threads in some lanes are of.
    pub(in crate::mechanisms::divergence) fn home(&self, lanes: &Lanes) -> SlotId {
        let home = lanes.by_warp(lanes.mask(), self.width).next();
        SlotId(home.map_or(self.slots.start, |(warp, _)| warp * self.each) as u16)
    }

    /// Puts a path into a slot, the one given or one after it if that is free, or lets it wait for one.
    pub(in crate::mechanisms::divergence) fn place_near(
        &mut self,
        near: SlotId,
        loose: Loose<T>,
        paths: &mut Paths,
    ) {
        let is_empty = |slot: &SlotId| paths.state(*slot) == SlotState::Empty;
        let own = (0..self.each as u16).map(|at| SlotId(near.0 + at));
        let free = own.chain(self.slots()).find(is_empty);
        // A path that waits at a barrier can do so outside its slot.
        let waits = || self.slots().find(|&slot| paths.state(slot) == SlotState::Waiting);
        match free.or_else(waits) {
            None => self.queue.push_back(loose),
            Some(slot) => {
                if paths.state(slot) == SlotState::Waiting {
                    self.give_up_slot(slot, paths);
                }
                self.fill(slot, loose, paths);
            }
        }
    }

    /// The path of a slot waits at the barrier in front of it. It waits outside the slots if
    /// another path needs its slot.
    pub(in crate::mechanisms::divergence) fn park(&mut self, slot: SlotId, paths: &mut Paths) {
        paths.park(slot);
        if !self.queue.is_empty() {
            self.give_up_slot(slot, paths);
            self.leave(slot, paths);
        }
    }

    fn give_up_slot(&mut self, slot: SlotId, paths: &Paths) {
        self.at_barrier.push(Loose { owner: self.owner(slot), path: paths.path(slot).clone() });
    }

    fn fill(&mut self, slot: SlotId, loose: Loose<T>, paths: &mut Paths) {
        self.set_owner(slot, loose.owner);
        paths.publish(slot, Path { scoreboard: slot.0, ..loose.path });
    }

    /// Takes the path out of a slot; one that waits for a slot gets it.
    pub(in crate::mechanisms::divergence) fn leave(
        &mut self,
        slot: SlotId,
        paths: &mut Paths,
    ) -> Lanes {
        let lanes = paths.path(slot).lanes.clone();
        paths.clear(slot);
        if let Some(loose) = self.queue.pop_front() {
            self.fill(slot, loose, paths);
        }
        lanes
    }

    /// Takes those that wait at a barrier outside of the slots.
    pub(in crate::mechanisms::divergence) fn take_parked(&mut self) -> Vec<Loose<T>> {
        std::mem::take(&mut self.at_barrier)
    }

    /// Lets one of them wait on.
    pub(in crate::mechanisms::divergence) fn keep_parked(&mut self, loose: Loose<T>) {
        self.at_barrier.push(loose);
    }

    /// Paths that wait at a barrier outside of the slots.
    pub(in crate::mechanisms::divergence) fn parked(&self) -> Vec<Path> {
        self.at_barrier.iter().map(|loose| loose.path.clone()).collect()
    }

    /// Paths that wait for a slot, in the order in which they get one.
    pub(in crate::mechanisms::divergence) fn queue(&self) -> &VecDeque<Loose<T>> {
        &self.queue
    }

    /// One of them.
    pub(in crate::mechanisms::divergence) fn queued_mut(&mut self, at: usize) -> Option<&mut Path> {
        self.queue.get_mut(at).map(|loose| &mut loose.path)
    }

    /// The number of paths that wait for a slot.
    pub(in crate::mechanisms::divergence) fn waiting(&self) -> usize {
        self.queue.len()
    }
}

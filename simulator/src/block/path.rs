//! Paths: the schedulable parts of a block.
//!
//! A block's divergence scheme publishes paths in *slots*; the SM and the functional model run the
//! paths in them. A path is a program counter and the threads that follow it.

use std::sync::Arc;

use reconverge_isa::MAX_LANES;

use crate::execute::lanes::lanes_of;
use crate::mechanisms::lane_permutation::LaneMap;

/// A slot of a block's table of paths. Slots `warp * slots_per_warp ..` belong to a warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotId(pub u16);

/// A thread's number within its block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadIndex(pub u16);

/// A program counter that is never reached.
pub const NEVER: u32 = u32::MAX;

/// The thread in each lane of a path. The lanes of one warp are numbered by the places of its
/// threads, those of several by their physical lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// Threads of one warp, each in its lane: the common case, and the fast one.
    Warp {
        /// The warp's number within its block.
        warp: u16,
        /// The lanes that are active.
        mask: u64,
    },
    /// Threads of several warps; one entry a physical lane, with holes. Their registers stay where
    /// they are: in the rows of their own warps, at their places there.
    Mixed(Arc<[Option<ThreadIndex>]>),
}

impl Lanes {
    /// The active lanes.
    pub fn mask(&self) -> u64 {
        match self {
            Lanes::Warp { mask, .. } => *mask,
            Lanes::Mixed(threads) => threads
                .iter()
                .enumerate()
                .fold(0, |mask, (lane, thread)| mask | u64::from(thread.is_some()) << lane),
        }
    }

    /// The warps of `width` lanes that the threads in the lanes of `mask` belong to, each with the
    /// places of those threads in it.
    #[inline]
    pub(crate) fn by_warp(&self, mask: u64, width: usize) -> ByWarp {
        match self {
            Lanes::Warp { warp, .. } => {
                ByWarp::One((mask != 0).then_some((usize::from(*warp), mask)))
            }
            Lanes::Mixed(threads) => ByWarp::several(threads, mask, width),
        }
    }

    /// These lanes without those outside `mask`.
    pub(crate) fn only(&self, mask: u64, width: usize) -> Lanes {
        let threads = match self {
            Lanes::Warp { warp, mask: active } => {
                return Lanes::Warp { warp: *warp, mask: active & mask };
            }
            Lanes::Mixed(threads) => threads,
        };
        let mut warps = self.by_warp(mask & self.mask(), width);
        if let (Some((warp, mask)), None) = (warps.next(), warps.next()) {
            return Lanes::Warp { warp: warp as u16, mask };
        }
        let kept = threads.iter().enumerate();
        Lanes::Mixed(kept.map(|(lane, thread)| thread.filter(|_| mask >> lane & 1 != 0)).collect())
    }

    /// The lane of a thread; 0 if it is in none.
    pub(crate) fn lane_of(&self, thread: ThreadIndex, width: usize) -> usize {
        match self {
            Lanes::Warp { .. } => usize::from(thread.0) % width,
            Lanes::Mixed(threads) => {
                threads.iter().position(|&other| other == Some(thread)).unwrap_or(0)
            }
        }
    }

    /// The lanes of several warps in the order of their threads, with those of `mask` that then are
    /// meant; `None` for lanes of one warp, which are in that order.
    pub(crate) fn in_order(&self, mask: u64) -> Option<(Lanes, u64)> {
        let Lanes::Mixed(threads) = self else {
            return None;
        };
        // Lanes without a thread are last.
        let mut order = [u32::MAX; MAX_LANES];
        let mut count = 0;
        for (lane, thread) in threads.iter().enumerate() {
            if let Some(thread) = thread {
                order[count] = u32::from(thread.0) << 1 | (mask >> lane & 1) as u32;
                count += 1;
            }
        }
        order[..count].sort_unstable();
        let set = (0..count).filter(|&lane| order[lane] & 1 != 0);
        let mask = set.fold(0, |mask, lane| mask | 1u64 << lane);
        let thread = |lane: usize| (lane < count).then(|| ThreadIndex((order[lane] >> 1) as u16));
        Some((Lanes::Mixed((0..threads.len()).map(thread).collect()), mask))
    }

    /// The lanes of a warp of `width` lanes whose threads are among those in these.
    #[inline]
    pub(crate) fn of_warp(&self, warp: usize, width: usize) -> u64 {
        match self {
            Lanes::Warp { warp: own, mask } => {
                if usize::from(*own) == warp {
                    *mask
                } else {
                    0
                }
            }
            Lanes::Mixed(threads) => {
                let (first, mut mask) = (warp * width, 0);
                for thread in threads.iter() {
                    let place = thread.map_or(usize::MAX, |thread| usize::from(thread.0));
                    let place = place.wrapping_sub(first);
                    mask |= u64::from(place < width) << (place % 64);
                }
                mask
            }
        }
    }

    /// The physical lanes that some lanes sit in.
    pub fn physical(&self, mask: u64, map: &LaneMap) -> u64 {
        match self {
            Lanes::Warp { warp, .. } => map.physical(usize::from(*warp), mask),
            Lanes::Mixed(_) => mask,
        }
    }

    /// The thread in a lane of a warp of `width` lanes.
    pub fn thread(&self, lane: usize, width: usize) -> Option<ThreadIndex> {
        match self {
            Lanes::Warp { warp, mask } => (mask >> lane & 1 != 0)
                .then(|| ThreadIndex((usize::from(*warp) * width + lane) as u16)),
            Lanes::Mixed(threads) => threads.get(lane).copied().flatten(),
        }
    }
}

/// The assignment of a block's threads to warps: a division that is mostly a shift.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    width: usize,
    /// If the width is a power of two.
    shift: Option<u32>,
}

impl Split {
    pub(crate) fn new(width: usize) -> Split {
        Split { width, shift: width.is_power_of_two().then(|| width.trailing_zeros()) }
    }

    /// The warp of a thread, and its place in it.
    #[inline(always)]
    pub(crate) fn of(self, thread: ThreadIndex) -> (usize, usize) {
        let thread = usize::from(thread.0);
        match self.shift {
            Some(shift) => (thread >> shift, thread & (self.width - 1)),
            None => (thread / self.width, thread % self.width),
        }
    }
}

/// The warps of some lanes with the places of their threads. See [`Lanes::by_warp`].
pub(crate) enum ByWarp {
    One(Option<(usize, u64)>),
    Several {
        /// Lanes that the iterator has not returned.
        rest: u64,
        /// By lane.
        warps: [u16; MAX_LANES],
        places: [u8; MAX_LANES],
    },
}

impl ByWarp {
    fn several(threads: &[Option<ThreadIndex>], mask: u64, width: usize) -> ByWarp {
        let split = Split::new(width);
        let (mut rest, mut warps, mut places) = (0, [0; MAX_LANES], [0; MAX_LANES]);
        for lane in lanes_of(mask) {
            if let Some(thread) = threads.get(lane).copied().flatten() {
                let (warp, place) = split.of(thread);
                (warps[lane], places[lane]) = (warp as u16, place as u8);
                rest |= 1 << lane;
            }
        }
        ByWarp::Several { rest, warps, places }
    }
}

impl Iterator for ByWarp {
    type Item = (usize, u64);

    #[inline]
    fn next(&mut self) -> Option<(usize, u64)> {
        match self {
            ByWarp::One(one) => one.take(),
            ByWarp::Several { rest, warps, places } => {
                let warp = warps[lanes_of(*rest).next()?];
                let (mut left, mut found) = (0, 0);
                for lane in lanes_of(*rest) {
                    if warps[lane] == warp {
                        found |= 1 << places[lane];
                    } else {
                        left |= 1 << lane;
                    }
                }
                *rest = left;
                Some((usize::from(warp), found))
            }
        }
    }
}

/// Threads that execute together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The next instruction.
    pub pc: u32,
    /// The scheme receives control when the path is about to execute this instruction; [`NEVER`].
    pub reconvergence_pc: u32,
    /// The threads.
    pub lanes: Lanes,
    /// The index of the block's scoreboard that tracks the path's registers; there is one per slot,
    /// with the same numbers as the slots.
    pub scoreboard: u16,
}

/// A scheme's operation on scoreboards when paths split, reconverge or are regrouped. A pending
/// register holds back a path only if its scoreboard has an entry for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// The pending entries of `from` replace those of `to`: a path has parted.
    Copy {
        /// The scoreboard that stays as it is.
        from: u16,
        /// The one that changes.
        to: u16,
    },
    /// The pending entries of `from` are added to those of `into`: paths have met.
    Merge {
        /// The scoreboard that stays as it is.
        from: u16,
        /// The one that changes.
        into: u16,
    },
    /// The pending entries of either become pending in both, but take no entries of the other:
    /// shadow bits.
    Share {
        /// One scoreboard.
        one: u16,
        /// The other one.
        other: u16,
    },
    /// Nothing is pending in it.
    Clear {
        /// The scoreboard that changes.
        scoreboard: u16,
    },
}

/// The state of a slot's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotState {
    /// There is no path.
    Empty,
    /// The path may issue.
    Runnable,
    /// The path waits at a barrier of the block; its `pc` is the barrier's.
    Waiting,
}

/// The content of a slot.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// The path.
    pub path: Path,
    /// Its state.
    pub state: SlotState,
}

/// The table of a block's slots.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    slots: Vec<Slot>,
    /// Slots that are not empty.
    occupied: u32,
    /// Slots whose path or state a scheme has changed since the SM last looked.
    touched: Vec<SlotId>,
    /// The operations of the scheme on scoreboards since then, in order.
    carried: Vec<Carry>,
    lane_map: Arc<LaneMap>,
}

impl Paths {
    /// Without slots, for warps whose threads sit in lanes so.
    pub(crate) fn new(lane_map: Arc<LaneMap>) -> Paths {
        Paths { lane_map, ..Paths::default() }
    }

    /// In which lanes threads sit.
    pub fn lane_map(&self) -> &LaneMap {
        &self.lane_map
    }

    /// Empties the table and gives it `slots` slots.
    pub(crate) fn reset(&mut self, slots: usize) {
        let empty = Slot {
            path: Path {
                pc: 0,
                reconvergence_pc: NEVER,
                lanes: Lanes::Warp { warp: 0, mask: 0 },
                scoreboard: 0,
            },
            state: SlotState::Empty,
        };
        self.slots.clear();
        self.slots.resize(slots, empty);
        self.occupied = 0;
        self.forget_touched();
    }

    /// The number of slots.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns true if there are no slots at all.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// A slot's state.
    pub fn state(&self, slot: SlotId) -> SlotState {
        self.slots[usize::from(slot.0)].state
    }

    /// The path in a slot; meaningless when the slot is empty.
    pub fn path(&self, slot: SlotId) -> &Path {
        &self.slots[usize::from(slot.0)].path
    }

    /// The path in a slot, to be changed in place. Call [`Paths::publish`] instead when the path
    /// was not runnable before.
    pub fn path_mut(&mut self, slot: SlotId) -> &mut Path {
        self.touch(slot);
        &mut self.slots[usize::from(slot.0)].path
    }

    /// Moves a path along without telling anyone: the SM's own straight-line step.
    #[inline(always)]
    pub(crate) fn step(&mut self, slot: SlotId, pc: u32) -> &Path {
        let path = &mut self.slots[usize::from(slot.0)].path;
        path.pc = pc;
        path
    }

    /// Notes that a slot was changed. Most are changed several times in a row.
    #[inline]
    fn touch(&mut self, slot: SlotId) {
        if self.touched.last() != Some(&slot) {
            self.touched.push(slot);
        }
    }

    /// Puts a runnable path into a slot.
    pub fn publish(&mut self, slot: SlotId, path: Path) {
        self.put(slot, Slot { path, state: SlotState::Runnable });
    }

    fn put(&mut self, slot: SlotId, new: Slot) {
        let held = &mut self.slots[usize::from(slot.0)];
        self.occupied += u32::from(held.state == SlotState::Empty);
        *held = new;
        self.touch(slot);
    }

    /// Empties a slot.
    pub fn clear(&mut self, slot: SlotId) {
        let held = &mut self.slots[usize::from(slot.0)];
        self.occupied -= u32::from(held.state != SlotState::Empty);
        held.state = SlotState::Empty;
        self.touch(slot);
    }

    /// Lets a slot's path wait at the barrier in front of it.
    pub fn park(&mut self, slot: SlotId) {
        self.slots[usize::from(slot.0)].state = SlotState::Waiting;
        self.touch(slot);
    }

    /// Lets a waiting path continue after its barrier. Returns true if it has reached its
    /// `reconvergence_pc`.
    pub fn resume(&mut self, slot: SlotId) -> bool {
        let entry = &mut self.slots[usize::from(slot.0)];
        entry.state = SlotState::Runnable;
        entry.path.pc += 1;
        let has_reached = entry.path.pc == entry.path.reconvergence_pc;
        self.touch(slot);
        has_reached
    }

    /// Moves pending entries between scoreboards. Without a timing model there are none.
    pub fn carry(&mut self, carry: Carry) {
        self.carried.push(carry);
    }

    /// The number of slots with a path, waiting ones included.
    pub fn occupied(&self) -> u32 {
        self.occupied
    }

    /// The number of a warp's `slots` with a path that may issue.
    pub(crate) fn runnable(&self, slot: SlotId, slots: usize) -> u64 {
        let first = usize::from(slot.0) / slots * slots;
        let slots = self.slots[first..].iter().take(slots);
        slots.filter(|slot| slot.state == SlotState::Runnable).count() as u64
    }

    /// All slots in order.
    pub fn slots(&self) -> impl Iterator<Item = SlotId> + use<> {
        (0..self.slots.len()).map(|slot| SlotId(slot as u16))
    }

    /// Like `put`, but an equal path that is in a slot already is not disturbed. No path empties
    /// the slot.
    pub(crate) fn set(&mut self, slot: SlotId, content: Option<Slot>) {
        let held = &self.slots[usize::from(slot.0)];
        match content {
            None if held.state == SlotState::Empty => {}
            None => self.clear(slot),
            Some(content) => {
                if held.state != content.state || held.path != content.path {
                    self.put(slot, content);
                }
            }
        }
    }

    /// Takes one slot that was changed since the last call.
    pub(crate) fn take_touched(&mut self) -> Option<SlotId> {
        self.touched.pop()
    }

    /// Returns true if slots have changed since they were last taken.
    #[inline]
    pub(crate) fn has_touched(&self) -> bool {
        !self.touched.is_empty()
    }

    /// Returns true if a slot is among them.
    #[inline]
    pub(crate) fn is_touched(&self, slot: SlotId) -> bool {
        self.touched.contains(&slot)
    }

    /// Returns true if a scheme has done something to scoreboards.
    #[inline]
    pub(crate) fn has_carried(&self) -> bool {
        !self.carried.is_empty()
    }

    /// The operations of schemes on scoreboards since the last call, in order.
    pub(crate) fn take_carried(&mut self) -> std::vec::Drain<'_, Carry> {
        self.carried.drain(..)
    }

    /// Forgets the changes.
    pub(crate) fn forget_touched(&mut self) {
        self.touched.clear();
        self.carried.clear();
    }
}

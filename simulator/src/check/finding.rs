//! The findings of a check.

use std::collections::BTreeMap;

use reconverge_isa::Space;

use super::shadow::Mode;

/// The most findings of a launch that are kept; the others are only counted.
const MOST: usize = 1000;

/// The action of a thread on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic.
    Atomic,
}

/// A thread at an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The block's index in the grid.
    pub block: [u32; 3],
    /// The thread's index in the block.
    pub thread: [u32; 3],
    /// The instruction.
    pub pc: u32,
}

/// One of two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Party {
    /// The thread, and its place.
    pub place: Place,
    /// The action.
    pub action: Action,
    /// True if it is declared `volatile`.
    pub volatile: bool,
    /// True if it is an atomic for the threads of its block only.
    pub narrow: bool,
    /// The bytes of the access.
    pub size: u32,
    /// The value read or written; for an atomic, the value found. Unknown for an earlier access of
    /// another size.
    pub value: Option<u64>,
}

/// The distance between two threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    /// Lanes of a warp.
    Warp,
    /// Warps of a block.
    Block,
    /// Blocks of the grid.
    Grid,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// Nothing orders two accesses, of which one writes.
    Race {
        /// Shared or global.
        space: Space,
        /// Address in that space, or an offset in shared memory.
        address: u32,
        /// The earlier one in this run.
        first: Party,
        /// The other one.
        second: Party,
        /// The distance between the threads.
        distance: Distance,
        /// Both write the same value.
        same_value: bool,
    },
    /// Lanes of one store store different values to one place: the highest lane's is kept, by the language.
    LaneStores {
        /// Shared or global.
        space: Space,
        /// Address in that space, or an offset in shared memory.
        address: u32,
        /// A lane.
        first: Party,
        /// Another one.
        second: Party,
    },
    /// An access to bytes that an asynchronous copy may still write.
    Unawaited {
        /// Shared memory.
        space: Space,
        /// The offset there.
        address: u32,
        /// The thread that copies, and where it has started the copy.
        copy: Place,
        /// The access.
        access: Party,
    },
    /// An access leaves the object that its address was made from.
    OutsideObject {
        /// The start of the access.
        address: u32,
        /// The start of the object.
        start: u32,
        /// The number of bytes from there at which such an access can begin.
        count: u32,
    },
    /// A read of memory that was never written.
    Uninitialised {
        /// Shared, local or global.
        space: Space,
        /// The address in that space.
        address: u32,
        /// Bytes read.
        size: u32,
        /// The instruction that has copied them from where they were not written either, if they have been copied.
        copied: Option<u32>,
    },
    /// A barrier opened that a thread will never reach, which has ended.
    BarrierMissed {
        /// The thread that has ended, and where.
        ended: Place,
    },
    /// A barrier opens although a thread that has not ended does not wait at one: others of its warp count for it.
    BarrierParted {
        /// That thread.
        missing: Place,
    },
    /// A barrier never opens: a thread that has not ended does not wait at it, while others of its warp do.
    BarrierStuck {
        /// That thread.
        missing: Place,
    },
    /// Threads of a block wait at different barriers.
    BarrierMixed {
        /// A thread at another one.
        other: Place,
    },
    /// A mask names a lane that has ended.
    LaneEnded {
        /// The mask.
        mask: u32,
        /// Its lanes that have ended.
        ended: u64,
    },
    /// A lane takes a value from a lane that its mask does not name, or that does not take part.
    LaneOutside {
        /// Its mask.
        mask: u32,
        /// The lane that supplies the value.
        from: u32,
    },
    /// Lanes that synchronise name each other in different masks.
    LaneMasks {
        /// The mask of this thread.
        mask: u32,
        /// Another thread that it names, which does the same with another mask.
        other: Place,
        /// That mask.
        other_mask: u32,
    },
}

/// Something that a program must not do, found in a run that went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The thread, and its place; the later one of two accesses.
    pub place: Place,
    /// The fault.
    pub kind: FindingKind,
}

/// The kind and the instructions distinguish findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    kind: u8,
    pc: u32,
    /// The instruction of the other access or thread; 0 without.
    other: u32,
    distance: Distance,
}

/// The key of a race of an access with an earlier one.
pub(super) fn race(pc: u32, earlier: u32, same_value: bool, distance: Distance) -> Key {
    Key { kind: u8::from(same_value), pc, other: earlier, distance }
}

/// The findings of a launch.
#[derive(Debug, Default)]
pub(super) struct Findings {
    known: BTreeMap<Key, Finding>,
    /// In the order in which they were found.
    order: Vec<Key>,
    pub dropped: u64,
}

impl Findings {
    /// Adds findings that are new at these instructions.
    pub fn add(&mut self, finding: Finding) {
        let key = finding.key();
        if self.known.contains_key(&key) {
            return;
        }
        if self.order.len() >= MOST {
            self.dropped += 1;
            return;
        }
        self.known.insert(key, finding);
        self.order.push(key);
    }

    /// Returns true if the finding is known already.
    pub fn has(&self, key: &Key) -> bool {
        self.known.contains_key(key)
    }

    pub fn take(&mut self) -> Vec<Finding> {
        let mut known = std::mem::take(&mut self.known);
        let order = std::mem::take(&mut self.order);
        order.iter().filter_map(|key| known.remove(key)).collect()
    }
}

impl Finding {
    fn key(&self) -> Key {
        let (kind, other, distance) = match self.kind {
            FindingKind::Race { first, distance, same_value, .. } => {
                return race(self.place.pc, first.place.pc, same_value, distance);
            }
            FindingKind::Uninitialised { .. } => (2, 0, Distance::Warp),
            FindingKind::BarrierMissed { ended } => (3, ended.pc, Distance::Warp),
            FindingKind::BarrierMixed { other } => (4, other.pc, Distance::Warp),
            FindingKind::LaneEnded { .. } => (5, 0, Distance::Warp),
            FindingKind::LaneMasks { .. } => (6, 0, Distance::Warp),
            FindingKind::LaneStores { .. } => (7, 0, Distance::Warp),
            FindingKind::BarrierParted { .. } => (8, 0, Distance::Warp),
            FindingKind::LaneOutside { .. } => (9, 0, Distance::Warp),
            FindingKind::OutsideObject { .. } => (10, 0, Distance::Warp),
            FindingKind::BarrierStuck { .. } => (11, 0, Distance::Warp),
            FindingKind::Unawaited { copy, .. } => (12, copy.pc, Distance::Warp),
        };
        Key { kind, pc: self.place.pc, other, distance }
    }

    /// The finding with other numbers for instructions.
    pub(super) fn moved(mut self, place: &dyn Fn(u32) -> u32) -> Finding {
        let shift = |at: &mut Place| at.pc = place(at.pc);
        shift(&mut self.place);
        match &mut self.kind {
            FindingKind::Race { first, second, .. }
            | FindingKind::LaneStores { first, second, .. } => {
                shift(&mut first.place);
                shift(&mut second.place);
            }
            FindingKind::Unawaited { copy, access, .. } => {
                shift(copy);
                shift(&mut access.place);
            }
            FindingKind::BarrierMissed { ended: other }
            | FindingKind::BarrierMixed { other }
            | FindingKind::BarrierParted { missing: other }
            | FindingKind::BarrierStuck { missing: other }
            | FindingKind::LaneMasks { other, .. } => shift(other),
            FindingKind::Uninitialised { copied, .. } => {
                if let Some(pc) = copied {
                    *pc = place(*pc);
                }
            }
            FindingKind::OutsideObject { .. }
            | FindingKind::LaneEnded { .. }
            | FindingKind::LaneOutside { .. } => {}
        }
        self
    }
}

/// A thread with the mode of its access.
pub(super) fn party(place: Place, mode: Mode, value: Option<u64>) -> Party {
    let action = match (mode.reads(), mode.writes()) {
        (true, true) => Action::Atomic,
        (false, true) => Action::Write,
        _ => Action::Read,
    };
    let volatile = mode.is_strong() && action != Action::Atomic;
    Party { place, action, volatile, narrow: mode.is_narrow(), size: mode.size() as u32, value }
}

//! The state of one block after each of its instructions, for stepping through a kernel.
//!
//! Nothing is recorded unless a [`Window`](crate::observe::trace::Window) follows a block. The
//! record is bounded by the window's limit, so that a step backwards only needs another index.

use super::scheme_state::SchemeState;

/// The state of a block after an instruction, and the instruction's effects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockState {
    /// The warp of the slot in which the instruction stood, by its number in the block; nothing for a warp that belongs to the SM, such
    /// as the affine warp.
    pub warp: Option<u32>,
    /// By lane: the thread of the block that the instruction's path had there.
    pub threads: Vec<Option<u16>>,
    /// The divergence scheme's state for the warp: one, or one for each part of the block that has a
    /// state of its own.
    pub scheme: Vec<SchemeState>,
    /// The paths of the block that are in slots, in order.
    pub paths: Vec<PathState>,
    /// By warp: addresses and predicates that wait in its operand queues; empty if the kernel has no second stream.
    pub queues: Vec<[u32; 2]>,
    /// The instruction's accesses, if it accesses memory.
    pub access: Vec<LaneAccess>,
}

/// A path in a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathState {
    /// The slot. The slots of a warp are consecutive.
    pub slot: u16,
    /// Its next instruction.
    pub pc: u32,
    /// The PC where it ends, to continue with others; none if it does not.
    pub reconvergence: Option<u32>,
    /// It waits at a barrier of the block.
    pub waits: bool,
    /// By lane: its thread in the block.
    pub threads: Vec<Option<u16>>,
    /// Registers that are not there yet, in order.
    pub pending: Vec<Pending>,
}

/// A register that is not there yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// It is a predicate.
    pub is_predicate: bool,
    /// Its number.
    pub register: u32,
    /// Memory supplies it.
    pub from_memory: bool,
    /// The cycle of its arrival, if known.
    pub cycle: Option<u64>,
}

/// One lane's access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneAccess {
    /// The lane.
    pub lane: u8,
    /// `global`, `shared`, `local` or `constant`.
    pub space: &'static str,
    /// The generic address.
    pub address: u32,
}

impl BlockState {
    /// The state with other places of instructions.
    pub(crate) fn moved(&mut self, place: impl Fn(u32) -> u32) {
        for path in &mut self.paths {
            path.pc = place(path.pc);
            path.reconvergence = path.reconvergence.map(&place);
        }
        self.scheme.iter_mut().for_each(|state| state.moved(&place));
    }
}

//! A block's reports: traps, the wait reasons of its paths, and their state.

use super::Block;
use crate::block::path::{Lanes, Path, SlotId, SlotState};
use crate::execute::LaneTrap;
use crate::program::code::Code;
use crate::run::fault::{Trap, TrapKind, WaitReason, Waiter};

impl Block {
    /// The machine contradicts itself at the next instruction of a slot's path.
    #[cold]
    pub(crate) fn contradiction(&self, code: &Code, slot: SlotId, what: &'static str) -> Box<Trap> {
        let lane = self.paths.path(slot).lanes.mask().trailing_zeros() as usize;
        let kind = TrapKind::Contradiction { what };
        Box::new(self.trap(code, slot, LaneTrap { lane: lane.min(63), kind }))
    }

    pub(super) fn trap(&self, code: &Code, slot: SlotId, trap: LaneTrap) -> Trap {
        let path = self.paths.path(slot);
        self.trap_at(code, &path.lanes, path.pc, trap)
    }

    pub(super) fn trap_at(&self, code: &Code, lanes: &Lanes, pc: u32, trap: LaneTrap) -> Trap {
        let thread = lanes.thread(trap.lane, code.shape.width as usize);
        Trap {
            kind: trap.kind,
            block: code.block_index(self.number),
            thread: code.thread_index(thread.map_or(0, |thread| u32::from(thread.0))),
            pc,
        }
    }

    /// Describes all paths of the block as waiters: parked ones, in slots or outside, wait at a
    /// barrier; the others wait to dequeue, or spin where `recurs` is true.
    pub(crate) fn waiters(
        &self,
        code: &Code,
        recurs: impl Fn(SlotId) -> Option<u32>,
    ) -> Vec<Waiter> {
        let missing = self.live.saturating_sub(self.arrived);
        let width = code.shape.width as usize;
        let at_barrier = |path: &Path, same_warp| {
            let counted = self.counted.wait(&path.lanes, width);
            counted.unwrap_or(WaitReason::Barrier { missing, same_warp })
        };
        let waiter = |slot: SlotId| {
            let state = self.paths.state(slot);
            if state == SlotState::Empty {
                return None;
            }
            let path = self.paths.path(slot);
            let held = (self.divergence.waiting_for(slot) & !path.lanes.mask()).count_ones();
            let (pc, reason) = match (state, recurs(slot), self.missing_operand(code, slot)) {
                (SlotState::Waiting, ..) => (None, at_barrier(path, held)),
                (_, None, Some(site)) => (None, WaitReason::Dequeue { site }),
                (_, pc, _) => (pc, WaitReason::Spin { holds_back: held }),
            };
            let waiter = self.waiter(code, path, reason);
            Some(Waiter { pc: pc.unwrap_or(waiter.pc), ..waiter })
        };
        let outside = self.divergence.parked();
        let outside = outside.iter().map(|path| self.waiter(code, path, at_barrier(path, 0)));
        self.paths.slots().filter_map(waiter).chain(outside).collect()
    }

    pub(super) fn waiter(&self, code: &Code, path: &Path, reason: WaitReason) -> Waiter {
        let (width, mask) = (code.shape.width, path.lanes.mask());
        let lane = mask.trailing_zeros() as usize;
        let first = path.lanes.thread(lane, width as usize);
        let first = first.map_or(0, |thread| u32::from(thread.0));
        Waiter {
            block: code.block_index(self.number),
            warp: first / width,
            thread: code.thread_index(first),
            threads: mask.count_ones(),
            pc: path.pc,
            reason,
        }
    }

    /// The rows of registers and predicates of the warps that a path's threads belong to.
    pub(crate) fn state_of<'a>(
        &'a self,
        code: &Code,
        lanes: &Lanes,
    ) -> impl Iterator<Item = (&'a [u32], &'a [u64])> {
        let width = code.shape.width as usize;
        let (size, predicates) = (code.registers * width, code.predicates);
        let registers = &self.threads.registers;
        let mut warps: Vec<usize> = match lanes {
            Lanes::Warp { warp, .. } => vec![usize::from(*warp)],
            Lanes::Mixed(threads) => {
                threads.iter().flatten().map(|thread| usize::from(thread.0) / width).collect()
            }
        };
        warps.sort_unstable();
        warps.dedup();
        warps.into_iter().map(move |warp| {
            (
                &registers.general[warp * size..(warp + 1) * size],
                &registers.predicates[warp * predicates..(warp + 1) * predicates],
            )
        })
    }
}

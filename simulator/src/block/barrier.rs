//! A block's barrier, and the end of its threads, on which barriers depend.

use reconverge_isa::planted::Planted;

use super::Block;
use crate::block::opening::Opening;
use crate::block::path::{Path, SlotId, SlotState};
use crate::check::event::CheckEvent;
use crate::machine::BarrierCounts;
use crate::memory::device::GlobalPort;
use crate::program::code::Code;

impl Block {
    /// Removes threads that have ended from the waits of their warps.
    pub(super) fn end(&mut self, code: &Code, slot: SlotId, mask: u64, port: &mut GlobalPort) {
        let Path { lanes, pc, .. } = self.paths.path(slot);
        for (warp, mask) in lanes.by_warp(mask, code.shape.width as usize) {
            self.threads.alive[warp] &= !mask;
            if port.is_checked {
                port.raise(
                    self.number,
                    CheckEvent::End { pc: *pc, warp: warp as u16, lanes: mask },
                );
            }
        }
    }

    /// Threads of a slot's path arrive at the barrier that is its next instruction.
    pub(super) fn arrive(&mut self, code: &Code, slot: SlotId, mask: u64, port: &mut GlobalPort) {
        self.arrived += mask.count_ones();
        let width = code.shape.width as usize;
        let Path { lanes, pc, .. } = self.paths.path(slot);
        if code.instructions[*pc as usize].matched
            && let Some(queues) = &mut self.queues
        {
            lanes.by_warp(mask, width).for_each(|(warp, _)| queues.arrive(warp));
        }
        if port.is_checked {
            let of_warp = |(warp, mask): (usize, u64)| (warp as u16, mask);
            let lanes = lanes.by_warp(mask, width).map(of_warp).collect();
            port.raise(self.number, CheckEvent::Arrive { pc: *pc, lanes });
        }
    }

    /// Opens the barrier when every thread that has not ended waits at it.
    pub(super) fn release_if_complete(&mut self, code: &Code, port: &mut GlobalPort) -> bool {
        let missing = self.live.saturating_sub(self.arrived);
        let early = Planted::BarrierOpensEarly.is_on() && missing <= 32;
        let complete = self.arrived != 0 && (missing == 0 || early);
        if complete {
            self.release(code, port);
        }
        complete
    }

    /// Releases all paths that wait at the barrier.
    pub(super) fn release(&mut self, code: &Code, port: &mut GlobalPort) {
        if port.is_checked {
            port.raise(self.number, CheckEvent::Open);
        }
        self.arrived = 0;
        if let Some(queues) = &mut self.queues {
            queues.open();
        }
        self.votes.deliver(code, &mut self.threads.registers);
        let width = code.shape.width as usize;
        match self.counted.is_idle() {
            true => self.divergence.release(Opening::All, &mut self.paths),
            false => {
                let by_warp = &self.counted.others();
                self.divergence.release(Opening::Lanes { by_warp, width }, &mut self.paths);
            }
        }
    }

    /// Returns true if a barrier that counts warps has to open although threads are missing: some
    /// threads of each warp have arrived, and the others, which have no slot, cannot continue
    /// before those. No barrier has to while threads wait at one with a count. Called while some
    /// wait, after each step of a slot's path; nothing changes unless the slot has no path left
    /// that may issue.
    #[inline]
    pub(super) fn is_held_up(&self, slot: SlotId) -> bool {
        let may_issue = |slot| self.paths.state(slot) == SlotState::Runnable;
        self.barrier_counts == BarrierCounts::Warps
            && self.counted.is_idle()
            && !may_issue(slot)
            && !self.paths.slots().any(may_issue)
    }
}

//! The waits of a block's warps for copies, and the entries that they dequeue from the kernel's second stream.

use reconverge_isa::{Effect, Queue};

use super::Block;
use crate::block::operand_queues::{QueueFault, QueueStall};
use crate::block::path::{Lanes, SlotId};
use crate::execute::LaneTrap;
use crate::handles::HolderId;
use crate::program::code::Code;
use crate::run::fault::{Trap, TrapKind};

impl Block {
    /// Returns true if the next instruction of a slot's path waits for copies that are in flight.
    pub(crate) fn awaits_copies(&self, code: &Code, slot: SlotId) -> bool {
        let path = self.paths.path(slot);
        let instruction = &code.instructions[path.pc as usize];
        instruction.effect == Effect::AwaitCopies && {
            let mut warps = path.lanes.by_warp(path.lanes.mask(), code.shape.width as usize);
            let pending = instruction.barrier.into();
            warps.any(|(warp, lanes)| self.threads.copies.has_awaited(warp, lanes, pending))
        }
    }

    /// The queue entry that the next instruction of a slot's path dequeues: by warp, the queue and
    /// the site. Nothing if it takes nothing.
    pub(crate) fn next_dequeue(&self, code: &Code, slot: SlotId) -> Option<(usize, Queue, u8)> {
        let path = self.paths.path(slot);
        let instruction = &code.instructions[path.pc as usize];
        let (queue, site) = instruction.queue?;
        match path.lanes {
            Lanes::Warp { warp, .. } => Some((usize::from(warp), queue, site)),
            Lanes::Mixed(_) => None,
        }
    }

    /// Puts the next record for an instruction of a slot's path where it is read, after a check
    /// that it is for that instruction.
    #[cold]
    pub(crate) fn present(&mut self, code: &Code, slot: SlotId) -> Result<(), Box<Trap>> {
        let lanes = self.paths.path(slot).lanes.mask();
        let fault = match (self.next_dequeue(code, slot), &self.queues) {
            (Some((warp, queue, site)), Some(queues)) => {
                match queues.warps[warp].of(queue).front() {
                    None => QueueFault::NotEnqueued { warp: warp as u32, site },
                    Some(record) if (record.queue, record.site) != (queue, site) => {
                        let (warp, enqueued) = (warp as u32, record.site);
                        QueueFault::OtherSite { warp, site, queue, enqueued }
                    }
                    Some(record) if record.mask != lanes => {
                        let (warp, enqueued) = (warp as u32, record.mask);
                        QueueFault::OtherThreads { warp, site, lanes, enqueued }
                    }
                    Some(record) => {
                        let registers = &mut self.threads.registers;
                        let instruction = &code.instructions[self.paths.path(slot).pc as usize];
                        registers.truth = match instruction.negated {
                            true if instruction.effect != Effect::Branch => !record.truth,
                            _ => record.truth,
                        };
                        if !record.addresses.is_empty() {
                            registers.queued.copy_from_slice(&record.addresses);
                        }
                        return Ok(());
                    }
                }
            }
            (_, _) => QueueFault::NotEnqueued { warp: 0, site: 0 },
        };
        Err(self.disagreement(code, slot, fault))
    }

    /// The streams do not fit each other at the next instruction of a slot's path.
    #[cold]
    pub(crate) fn disagreement(&self, code: &Code, slot: SlotId, fault: QueueFault) -> Box<Trap> {
        let lane = self.paths.path(slot).lanes.mask().trailing_zeros() as usize;
        let kind = TrapKind::Queue(fault);
        Box::new(self.trap(code, slot, LaneTrap { lane: lane.min(63), kind }))
    }

    /// Takes the operand of the next instruction of a slot's path from a queue of its warp.
    #[cold]
    pub(super) fn dequeue(&mut self, code: &Code, slot: SlotId) -> Result<(), Box<Trap>> {
        self.present(code, slot)?;
        if let (Some((warp, queue, _)), Some(queues)) =
            (self.next_dequeue(code, slot), &mut self.queues)
        {
            queues.take(warp, queue);
        }
        Ok(())
    }

    /// The load that was just executed, if the affine warp requested its lines early.
    pub(crate) fn take_early_load(&mut self) -> Option<HolderId> {
        self.queues.as_mut()?.early.take()
    }

    /// The entry left in the queues when all threads have ended, or in flight to them for a site.
    pub(crate) fn left_over(&self, code: &Code, site: Option<u8>) -> Option<Box<Trap>> {
        let left = self.queues.as_ref()?.left();
        let left = left.map(|(warp, record)| (warp, record.site, record.mask));
        let (warp, site, mask) = left.or(site.map(|site| (0, site, 1)))?;
        let thread = warp as u32 * code.shape.width + mask.trailing_zeros().min(63);
        Some(Box::new(Trap {
            kind: TrapKind::Queue(QueueFault::Left { warp: warp as u32, site }),
            block: code.block_index(self.number),
            thread: code.thread_index(thread),
            pc: 0,
        }))
    }

    /// The site of something that the path of a slot has to dequeue and that is not there.
    pub(crate) fn missing_operand(&self, code: &Code, slot: SlotId) -> Option<u8> {
        let (warp, queue, site) = self.next_dequeue(code, slot)?;
        let queues = self.queues.as_ref()?;
        queues.warps[warp].of(queue).is_empty().then_some(site)
    }

    /// The reason that keeps the next instruction of a slot's path from dequeuing, if it dequeues
    /// something.
    #[cold]
    pub(crate) fn queue_stall(&self, code: &Code, slot: SlotId) -> Option<QueueStall> {
        let (warp, queue, _) = self.next_dequeue(code, slot)?;
        self.queues.as_ref()?.stall(warp, queue)
    }
}

//! What the affine warp and the units wait for, for the report of a deadlock.

use reconverge_isa::{Effect, Queue};

use super::{AffineUnit, Content, Cursor};
use crate::core::Core;
use crate::decode::{Code, Decoded};
use crate::fault::{AffineWait, AffineWaiter};
use crate::memory::NEVER;

impl AffineUnit {
    /// Whether the affine warp and the units do nothing more until a path dequeues, passes a barrier or ends.
    fn is_stuck(&self) -> bool {
        let is_open = |cursor: &Cursor| cursor.part.as_ref().is_some_and(|part| part.open);
        self.wake == NEVER
            && (self.running.is_none() || !self.has_room())
            && self.early.iter().all(|early| early.remaining == 0)
            && !self.cursors.iter().flatten().any(is_open)
    }

    /// What the affine warp and the units wait for, when they do; for the report of a deadlock.
    fn waits(&self, code: &Code, core: &Core) -> Vec<AffineWaiter> {
        let block = |place: usize| code.block_index(core.places[place].block.number);
        let waiter =
            |place, pc, reason| AffineWaiter { core: core.index, block: block(place), pc, reason };
        let cursors =
            || self.cursors.iter().enumerate().filter_map(|(at, it)| Some((at, it.as_ref()?)));
        let mut waits = Vec::new();
        if let Some(running) = &self.running
            && let Some(place) = running.places.iter().flatten().next()
            && let Some(pc) = running.warp.pc()
            && matches!(code.instructions[pc as usize].effect, Effect::Enqueue | Effect::Barrier)
            && !self.has_room()
        {
            let entries = self.config.tuple_queue;
            waits.push(waiter(*place, pc, AffineWait::TupleQueue { entries }));
        }
        let next = cursors().filter(|(_, cursor)| cursor.batch.is_none());
        if let (None, Some(stream)) = (&self.running, code.affine)
            && let Some((place, _)) = next.min_by_key(|(_, cursor)| cursor.arrival)
        {
            let blocks = cursors().filter(|(_, cursor)| cursor.batch.is_some()).count();
            waits.push(waiter(place, stream.entry, AffineWait::Drain { blocks }));
        }
        for (place, cursor) in cursors() {
            let is_current = self.current.is_none_or(|current| current == place);
            let addresses =
                self.expansion_waits(code, core, (place, cursor), 0).filter(|_| is_current);
            let predicates = self.expansion_waits(code, core, (place, cursor), 1);
            let all = addresses.into_iter().chain(predicates);
            waits.extend(all.map(|(pc, reason)| waiter(place, pc, reason)));
        }
        waits
    }

    /// What a unit waits for with the entry that it is to expand for the block in a place, and the
    /// instruction that has enqueued it.
    fn expansion_waits(
        &self,
        code: &Code,
        core: &Core,
        (place, cursor): (usize, &Cursor),
        unit: usize,
    ) -> Option<(u32, AffineWait)> {
        let (batch, index) = cursor.batch?;
        // A unit that waits has passed over what is not for it.
        let entry = self.entries.get(cursor.next[unit].checked_sub(self.first)? as usize)?;
        let Content::Tuple(enqueued) = &entry.content else {
            return None;
        };
        if entry.batch != batch || entry.unit() != unit || !enqueued.mask.has_block(index) {
            return None;
        }
        let queues = core.places[place].block.queues.as_ref()?;
        let (queue, warps) = (enqueued.queue, cursor.behind.len());
        let (first, entries) = match unit {
            0 => (cursor.part.as_ref()?.warp, self.config.address_queue),
            _ => (cursor.predicate_warp, self.config.predicate_queue),
        };
        let reason = if unit == 0 && cursor.part.as_ref()?.open {
            AffineWait::Lines { warp: first - 1 }
        } else {
            let has_some = |&warp: &usize| enqueued.mask.lanes(index * warps + warp) != 0;
            let warp = (first..warps).find(has_some)?;
            if queues.warps[warp].of(queue).len() >= entries as usize {
                AffineWait::WarpQueue { queue, warp, entries }
            } else if queue == Queue::Data && queues.passed(warp) < cursor.behind[warp] {
                AffineWait::Barrier { warp }
            } else {
                return None;
            }
        };
        let site = |instruction: &Decoded| {
            instruction.effect == Effect::Enqueue
                && instruction.queue == Some((queue, enqueued.site))
        };
        Some((code.instructions.iter().position(site)? as u32, reason))
    }
}

impl Core {
    /// Whether nothing more comes to the queues of warps as long as all paths do what they do.
    pub(crate) fn affine_is_stuck(&self) -> bool {
        self.affine.as_ref().is_some_and(|affine| affine.is_stuck())
    }

    /// What the affine warp and what expands for it wait for.
    pub(crate) fn affine_waits(&self, code: &Code) -> Vec<AffineWaiter> {
        self.affine.as_ref().map_or_else(Vec::new, |affine| affine.waits(code, self))
    }
}

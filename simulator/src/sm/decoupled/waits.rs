//! What the affine warp and the units wait for: for the search for a livelock, and the report of a deadlock.

use reconverge_isa::{Effect, Queue};

use super::{AffineUnit, Content, Cursor};
use crate::affine::decoupled::{Batch, Enqueued, Step};
use crate::decode::{Code, Decoded};
use crate::fault::{AffineWait, AffineWaiter};
use crate::livelock::{Key, waiting};
use crate::path::SlotState;
use crate::sm::{Context, Sm};

/// What comes to the queues of warps as long as all paths do what they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Supply {
    /// Perhaps something.
    Goes,
    /// Nothing, if the affine warp only turns.
    Turns,
    /// Nothing.
    Stands,
}

impl AffineUnit {
    /// What can still come to the queues of warps. Nothing has, and nobody has taken anything, since the search
    /// for a livelock began: paths that are found to recur dequeue nothing in their turns.
    fn supply(&self, core: &Sm) -> Supply {
        let waits = |(place, cursor): (usize, &Cursor)| {
            // Other addresses wait for a record that is being completed.
            let waits_for_record = self.current.is_some_and(|current| current != place);
            [0, 1].into_iter().all(|unit| {
                let entry = self.entries_of(cursor, unit).next();
                entry.is_none_or(|(number, entry)| match &entry.content {
                    Content::Barrier(_) => false,
                    Content::Tuple(_) if unit == 0 && waits_for_record => true,
                    Content::Tuple(it) => {
                        let here = (place, cursor);
                        number == cursor.next[unit]
                            && self.expansion_waits(core, here, it).is_some()
                    }
                })
            })
        };
        let mut cursors = self.cursors.iter().enumerate();
        let are_waiting = cursors.all(|(at, it)| it.as_ref().is_none_or(|it| waits((at, it))));
        if self.acted || !are_waiting || self.can_start() {
            Supply::Goes
        } else if self.running.is_none() || !self.has_room() {
            Supply::Stands
        } else {
            Supply::Turns
        }
    }

    /// Whether there are blocks that the affine warp has not run for, and it may.
    fn can_start(&self) -> bool {
        let has_run = |is: bool| self.cursors.iter().flatten().any(|it| it.batch.is_some() == is);
        let must_drain = self.config.batch == Batch::Drained;
        self.running.is_none() && has_run(false) && !(must_drain && has_run(true))
    }

    /// Whether something is in the tuple queue for a queue of a warp.
    fn is_coming(&self, place: usize, warp: usize, queue: Queue) -> bool {
        let Some(cursor) = &self.cursors[place] else {
            return false;
        };
        let unit = usize::from(queue == Queue::Predicate);
        let index = cursor.batch.map_or(0, |(_, index)| index);
        let given = match (unit, &cursor.part) {
            (0, Some(part)) => part.warp - usize::from(part.open),
            (0, None) => 0,
            _ => cursor.predicate_warp,
        };
        self.entries_of(cursor, unit).any(|(number, entry)| {
            let lanes = match &entry.content {
                Content::Barrier(_) => 0,
                Content::Tuple(it) => it.mask.lanes(index * cursor.behind.len() + warp),
            };
            lanes != 0 && (number != cursor.next[unit] || warp >= given)
        })
    }

    /// What the affine warp and the units wait for, when they do; for the report of a deadlock.
    fn waits(&self, code: &Code, core: &Sm) -> Vec<AffineWaiter> {
        let waiter_of = |block, pc, reason| {
            let block = code.block_index(block);
            AffineWaiter { core: core.index, block, pc, reason }
        };
        let waiter =
            |place: usize, pc, reason| waiter_of(core.places[place].block.number, pc, reason);
        let cursors =
            || self.cursors.iter().enumerate().filter_map(|(at, it)| Some((at, it.as_ref()?)));
        let mut waits = Vec::new();
        if let Some(running) = &self.running
            && let Some(pc) = running.warp.pc()
        {
            // The first that has not ended.
            let mut left = running.places.iter().zip(running.warp.blocks());
            let block = left.find(|(place, _)| place.is_some()).map(|(_, &block)| block);
            let block = block.unwrap_or(running.warp.blocks()[0]);
            let effect = code.instructions[pc as usize].effect;
            let entries = self.config.tuple_queue;
            waits.push(match effect {
                Effect::Enqueue | Effect::Barrier if !self.has_room() => {
                    waiter_of(block, pc, AffineWait::TupleQueue { entries })
                }
                _ => waiter_of(block, pc, AffineWait::Turns),
            });
        }
        let next = cursors().filter(|(_, cursor)| cursor.batch.is_none());
        if let (None, Some(stream)) = (&self.running, code.affine)
            && let Some((place, _)) = next.min_by_key(|(_, cursor)| cursor.arrival)
        {
            let blocks = cursors().filter(|(_, cursor)| cursor.batch.is_some()).count();
            waits.push(waiter(place, stream.entry, AffineWait::Drain { blocks }));
        }
        for (place, cursor) in cursors() {
            for unit in [0, 1] {
                let Some((_, entry)) = self.entries_of(cursor, unit).next() else {
                    continue;
                };
                if let Content::Tuple(enqueued) = &entry.content
                    && (unit == 1 || self.current.is_none_or(|current| current == place))
                    && let Some(reason) = self.expansion_waits(core, (place, cursor), enqueued)
                    && let Some(pc) = code.instructions.iter().position(|it| enqueues(it, enqueued))
                {
                    waits.push(waiter(place, pc as u32, reason));
                }
            }
        }
        waits
    }

    /// What a unit waits for with the entry that it is to expand for the block in a place, until a path dequeues or
    /// passes a barrier. Nothing if that is not what it waits for.
    fn expansion_waits(
        &self,
        core: &Sm,
        (place, cursor): (usize, &Cursor),
        enqueued: &Enqueued,
    ) -> Option<AffineWait> {
        let (_, index) = cursor.batch?;
        let queues = core.places[place].block.queues.as_ref()?;
        let (queue, warps) = (enqueued.queue, cursor.behind.len());
        let (first, entries) = match queue {
            Queue::Predicate => (cursor.predicate_warp, self.config.predicate_queue),
            _ => (cursor.part.as_ref()?.warp, self.config.address_queue),
        };
        if let Some(part) = cursor.part.as_ref().filter(|it| queue != Queue::Predicate && it.open) {
            let (Some(&Step::Line(line, _)), Some(id)) = (part.steps.last(), part.early) else {
                return None;
            };
            let held = self.early.iter().flat_map(|early| early.lines.iter().copied());
            let own = &self.early[id as usize].lines;
            let is_held_up = core.load_store.is_held_up(u64::from(line), held, own);
            return is_held_up.then_some(AffineWait::Lines { warp: first - 1 });
        }
        let has_some = |&warp: &usize| enqueued.mask.lanes(index * warps + warp) != 0;
        let warp = (first..warps).find(has_some)?;
        if queues.warps[warp].of(queue).len() >= entries as usize {
            Some(AffineWait::WarpQueue { queue, warp, entries })
        } else if core.load_store.takes_early(enqueued) && queues.passed(warp) < cursor.behind[warp]
        {
            Some(AffineWait::Barrier { warp })
        } else {
            None
        }
    }
}

/// Whether an instruction has enqueued something.
fn enqueues(instruction: &Decoded, enqueued: &Enqueued) -> bool {
    instruction.effect == Effect::Enqueue
        && instruction.queue == Some((enqueued.queue, enqueued.site))
}

impl Sm {
    /// What comes to the queues of warps as long as all paths do what they do.
    pub(crate) fn affine_supply(&self) -> Supply {
        self.affine.as_ref().map_or(Supply::Goes, |affine| affine.supply(self))
    }

    /// No search for a livelock is going on: what the affine warp and its units do from now on is of interest.
    pub(crate) fn forget_affine_actions(&mut self) {
        if let Some(affine) = &mut self.affine {
            affine.acted = false;
        }
    }

    /// Tells the livelock watch that the affine warp has turned, and which paths wait for something while nothing
    /// is on its way to them.
    #[cold]
    pub(super) fn note_turn(&self, affine: &AffineUnit, context: &mut Context) {
        let Some((warp, pc)) =
            affine.running.as_ref().and_then(|running| Some((&running.warp, running.warp.pc()?)))
        else {
            return;
        };
        let state = warp.fingerprint();
        context.outcome.backward.push((Key::Affine(self.index), (pc, state)));
        for (index, place) in self.places.iter().enumerate().filter(|(_, it)| it.occupied) {
            let (code, block) = (context.code, &place.block);
            // A state is whole when nothing is still to be written to registers.
            if context.port.log().is_some_and(|log| log.has_atomic_of(index as u16)) {
                continue;
            }
            for slot in block.paths.slots() {
                if block.paths.state(slot) == SlotState::Runnable
                    && block.lacks(code, slot).is_some()
                    && let Some((warp, queue, _)) = block.wants(code, slot)
                    && !affine.is_coming(index, warp, queue)
                {
                    let state = (block.paths.path(slot).pc, waiting(code, block, slot, state));
                    context.outcome.backward.push((Key::Waiter(block.number, slot), state));
                }
            }
        }
    }

    /// What the affine warp and what expands for it wait for; an affine warp that does not wait perhaps turns.
    pub(crate) fn affine_waits(&self, code: &Code) -> Vec<AffineWaiter> {
        self.affine.as_ref().map_or_else(Vec::new, |affine| affine.waits(code, self))
    }
}

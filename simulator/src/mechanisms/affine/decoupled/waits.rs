//! Wait reasons of the affine warp and the units: for the search for a livelock, and the report of
//! a deadlock.

use crate::handles::BlockSlot;
use std::hash::{DefaultHasher, Hash, Hasher};

use reconverge_isa::{Effect, Queue};

use super::expand::Step;
use super::expansion_units::is_early;
use super::unit::{AffineUnit, Content, Cursor};
use super::warp::Enqueued;
use super::{Batch, Full};
use crate::block::path::SlotState;
use crate::mechanisms::affine::slot::{MechanismWait, Ports};
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::run::fault::{PC, index};
use crate::run::livelock::{BackwardBranch, Key, Producers};
use crate::run::stuck::waiting;
use crate::sm::lsu::LoadStoreUnit;
use crate::sm::residency::BlockSlots;

/// The sentence about an affine warp that was found to recur.
pub(super) fn recurs(sm: usize, block: [u32; 3]) -> String {
    format!("{}: turns in a loop whose every turn is the same", the_warp(sm, block))
}

fn the_warp(sm: usize, block: [u32; 3]) -> String {
    let block = index(block);
    format!("the affine warp of SM {sm}, for block {block} and those with it, at instruction {PC}")
}

/// The wait reasons of an expansion.
enum Expansion {
    /// Room in a warp's queue, which has `entries` entries.
    WarpQueue { queue: Queue, warp: usize, entries: u32 },
    /// A warp to pass a barrier in front of an early load.
    Barrier { warp: usize },
    /// Lines of the first-level cache that are held for others.
    Lines { warp: usize },
}

impl Expansion {
    fn sentence(&self, block: [u32; 3]) -> String {
        let what = match *self {
            Expansion::WarpQueue { queue, warp, entries } => {
                let kind = if queue == Queue::Predicate { "predicate" } else { "address" };
                format!("room in the {kind} queue of warp {warp}, which is full with {entries}")
            }
            Expansion::Barrier { warp } => {
                format!("warp {warp} to pass a barrier that stands before this load")
            }
            Expansion::Lines { warp } => format!(
                "lines of the first-level cache, for warp {warp}, in place of lines that are held for \
                 other loads"
            ),
        };
        format!("the expansion of instruction {PC} for block {}: waits for {what}", index(block))
    }
}

impl AffineUnit {
    /// The entries that can still arrive in the queues of warps. Nothing has arrived, and nothing
    /// was dequeued, since the search for a livelock began: paths that are found to recur dequeue
    /// nothing in their turns.
    pub(super) fn supply(&self, blocks: &BlockSlots, lsu: &LoadStoreUnit) -> Producers {
        let waits = |(place, cursor): (usize, &Cursor)| {
            let place = BlockSlot::of(place);
            // Other addresses wait for a record that is being completed.
            let waits_for_record = self.current.is_some_and(|current| current != place);
            [0, 1].into_iter().all(|unit| {
                let entry = self.entries_of(cursor, unit).next();
                entry.is_none_or(|(number, entry)| match &entry.content {
                    Content::Barrier(_) => false,
                    Content::Tuple(_) if unit == 0 && waits_for_record => true,
                    Content::Tuple(it) => {
                        number == cursor.next[unit]
                            && self.expansion_waits(blocks, lsu, place, cursor, it).is_some()
                    }
                })
            })
        };
        let mut cursors = self.cursors.iter().enumerate();
        let are_waiting = cursors.all(|(at, it)| it.as_ref().is_none_or(|it| waits((at, it))));
        if self.acted || !are_waiting || self.can_start() {
            Producers::MayGoOn
        } else if (0..self.contexts.len()).all(|at| self.is_stuck(at)) {
            Producers::AreStuck
        } else {
            Producers::MayRecur
        }
    }

    /// Returns true if there are blocks that the affine warp has not run for, and it may.
    fn can_start(&self) -> bool {
        let has_run = |is: bool| self.cursors.iter().flatten().any(|it| it.batch.is_some() == is);
        let must_drain = self.config.batch == Batch::Drained;
        let is_free = self.contexts.iter().any(|context| context.running.is_none());
        is_free && has_run(false) && !(must_drain && has_run(true))
    }

    /// Returns true if the affine warp of a context does nothing before something leaves its queue.
    fn is_stuck(&self, context: usize) -> bool {
        self.contexts[context].running.is_none() || !self.has_room(context)
    }

    /// Returns true if something is in the tuple queue for a queue of a warp.
    fn is_expected(&self, place: BlockSlot, warp: usize, queue: Queue) -> bool {
        let Some(cursor) = &self.cursors[place.index()] else {
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

    /// The wait reasons of the affine warp and the units; for the report of a deadlock.
    pub(super) fn waiting_parts(
        &self,
        code: &Code,
        sm: usize,
        blocks: &BlockSlots,
        lsu: &LoadStoreUnit,
    ) -> Vec<MechanismWait> {
        let cursors = || {
            self.cursors
                .iter()
                .enumerate()
                .filter_map(|(at, it)| Some((BlockSlot::of(at), it.as_ref()?)))
        };
        let block_at = |place: BlockSlot| code.block_index(blocks.block(place).number);
        let mut waits = Vec::new();
        waits.extend((0..self.contexts.len()).filter_map(|at| self.warp_waits(at, code, sm)));
        let next = cursors().filter(|(_, cursor)| cursor.batch.is_none());
        if let Some(stream) = code.second_stream
            && self.contexts.iter().any(|context| context.running.is_none())
            && let Some((place, _)) = next.min_by_key(|(_, cursor)| cursor.arrival)
        {
            let left = cursors().filter(|(_, cursor)| cursor.batch.is_some()).count();
            let block = index(block_at(place));
            let text = format!(
                "the affine warp of SM {sm}, before it runs for block {block}: waits for {left} of its \
                 last blocks to end"
            );
            let recurs = None;
            waits.push(MechanismWait { sm, pc: stream.entry, waits: Some(text), recurs });
        }
        for (place, cursor) in cursors() {
            for unit in [0, 1] {
                let Some((_, entry)) = self.entries_of(cursor, unit).next() else {
                    continue;
                };
                if let Content::Tuple(enqueued) = &entry.content
                    && (unit == 1 || self.current.is_none_or(|current| current == place))
                    && let Some(reason) = self.expansion_waits(blocks, lsu, place, cursor, enqueued)
                    && let Some(pc) = code.instructions.iter().position(|it| enqueues(it, enqueued))
                {
                    let waits_for = Some(reason.sentence(block_at(place)));
                    let (pc, recurs) = (pc as u32, None);
                    waits.push(MechanismWait { sm, pc, waits: waits_for, recurs });
                }
            }
        }
        waits
    }

    /// The wait reason of a context's affine warp, if it runs.
    fn warp_waits(&self, context: usize, code: &Code, sm: usize) -> Option<MechanismWait> {
        let running = self.contexts[context].running.as_ref()?;
        let pc = running.warp.pc()?;
        // The first block that has not ended.
        let mut left = running.places.iter().zip(running.warp.blocks());
        let block = left.find(|(place, _)| place.is_some()).map(|(_, &block)| block);
        let block = code.block_index(block.unwrap_or(running.warp.blocks()[0]));
        let enters =
            matches!(code.instructions[pc as usize].effect, Effect::Enqueue | Effect::Barrier);
        let waits = (enters && !self.has_room(context)).then(|| {
            let entries = self.config.tuple_queue;
            format!(
                "{}: waits for room in the tuple queue, which is full with {entries}",
                the_warp(sm, block)
            )
        });
        Some(MechanismWait { sm, pc, waits, recurs: Some(recurs(sm, block)) })
    }

    /// The wait reason of a unit with the entry that it is to expand for the block in a place,
    /// until a path dequeues or passes a barrier; none if it waits for something else.
    fn expansion_waits(
        &self,
        blocks: &BlockSlots,
        lsu: &LoadStoreUnit,
        place: BlockSlot,
        cursor: &Cursor,
        enqueued: &Enqueued,
    ) -> Option<Expansion> {
        let (_, index) = cursor.batch?;
        let queues = blocks.block(place).queues.as_ref()?;
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
            let own = &self.early[id.0 as usize].lines;
            let is_held_up = self.config.full == Full::Wait
                && lsu.is_held_up(u64::from(line), held, own, self.config.limits());
            return is_held_up.then_some(Expansion::Lines { warp: first - 1 });
        }
        let has_some = |&warp: &usize| enqueued.mask.lanes(index * warps + warp) != 0;
        let warp = (first..warps).find(has_some)?;
        if queues.warps[warp].of(queue).len() >= entries as usize {
            Some(Expansion::WarpQueue { queue, warp, entries })
        } else if is_early(enqueued, lsu) && queues.passed(warp) < cursor.behind[warp] {
            Some(Expansion::Barrier { warp })
        } else {
            None
        }
    }
}

/// Returns true if an instruction has enqueued something.
fn enqueues(instruction: &Decoded, enqueued: &Enqueued) -> bool {
    instruction.effect == Effect::Enqueue
        && instruction.queue == Some((enqueued.queue, enqueued.site))
}

impl AffineUnit {
    /// Reports to the livelock watch that the affine warp of a context has taken a backward branch.
    /// It passes the state of all affine warps at that moment, and the paths that wait although
    /// nothing is in flight for them.
    #[cold]
    pub(super) fn note_turn(&self, context: usize, ports: &mut Ports) {
        let running = self.contexts[context].running.as_ref();
        let Some(pc) = running.and_then(|running| running.warp.pc()) else {
            return;
        };
        let mut state = DefaultHasher::new();
        for context in &self.contexts {
            context.running.as_ref().map(|running| running.warp.fingerprint()).hash(&mut state);
        }
        let state = state.finish();
        ports.backward.push(BackwardBranch { key: Key::Producer(ports.sm), pc, state });
        for (index, block) in ports.blocks.occupied() {
            let code = ports.code;
            // A state is whole when nothing is still to be written to registers.
            if (ports.has_atomic)(index) {
                continue;
            }
            for slot in block.paths.slots() {
                if block.paths.state(slot) == SlotState::Runnable
                    && block.missing_operand(code, slot).is_some()
                    && let Some((warp, queue, _)) = block.next_dequeue(code, slot)
                    && !self.is_expected(index, warp, queue)
                {
                    let key = Key::Waiter(block.number, slot);
                    let (pc, state) =
                        (block.paths.path(slot).pc, waiting(code, block, slot, state));
                    ports.backward.push(BackwardBranch { key, pc, state });
                }
            }
        }
    }
}

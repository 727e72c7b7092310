//! The affine warp of a core, its tuple queue, and the units that expand what is in it.
//!
//! Source: Wang and Lin, "Decoupled affine computation for SIMT GPUs", ISCA 2017, §4.1 to §4.4. The warp is a
//! candidate of the first scheduler, in a place of its own behind those of blocks; what it executes is
//! in `affine/decoupled`. In each cycle the address expansion unit gives one line of one warp, and the
//! predicate expansion unit one predicate of one warp; both take entries of the queue in order, for
//! each block by itself, and pass over blocks that cannot go on.
//!
//! No deadlock: what is expanded for a warp comes in the order in which it is dequeued, and a record waits for
//! nothing that comes later in that order. A record whose lines are held in part is completed before another
//! is begun, so that whoever else holds lines can go on and read them; and a line for which the record's own
//! lines have left no way is not held, but loaded by the instruction itself.

use std::collections::VecDeque;

use reconverge_isa::{Effect, Queue, Space};

use super::issue::SlotUse;
use super::load_store::{Early, Load, Surroundings};
use super::scoreboard::Ready;
use super::{Context, Core};
use crate::affine::decoupled::{
    AffineWarp, Batch, Broken, Decoupled, Enqueued, Event, Expansion, Lookup, Mask, Step,
};
use crate::block::Issued;
use crate::decode::{Code, Decoded, Target};
use crate::fault::{AffineWait, AffineWaiter, Trap, TrapKind};
use crate::functional::count_affine;
use crate::memory::NEVER;
use crate::path::{Lanes, NEVER as NOWHERE, Path, SlotId};
use crate::statistics::Statistics;

/// The affine warp of a core with its queue and units.
pub(super) struct AffineUnit {
    config: Decoupled,
    /// The place that stands for the warp, and its number among the core's candidates.
    place: usize,
    number: usize,
    running: Option<Running>,
    /// Batches so far.
    batches: u64,
    /// The affine tuple queue, and the number of its first entry.
    entries: VecDeque<Entry>,
    first: u64,
    /// By place of a block.
    cursors: Vec<Option<Cursor>>,
    /// The place whose record holds lines and is not complete.
    current: Option<usize>,
    early: Vec<EarlyLoad>,
    free: Vec<u32>,
    /// Addresses and predicates that wait for warps.
    queued: u64,
    /// The next cycle in which the units can do something, as far as is known.
    wake: u64,
    wants_room: bool,
    /// The address expansion unit has something to do, and cannot.
    stalled: bool,
    /// Cycles that statistics over time have counted.
    counted: u64,
}

/// A batch that the warp runs for.
struct Running {
    warp: AffineWarp,
    batch: u64,
    /// By block of the batch: its place, until it has ended.
    places: Vec<Option<usize>>,
}

/// An entry of the tuple queue.
struct Entry {
    batch: u64,
    content: Content,
    /// Blocks that it has not been expanded for.
    left: u32,
}

enum Content {
    Tuple(Box<Enqueued>),
    Barrier(Mask),
}

impl Entry {
    fn mask(&self) -> &Mask {
        match &self.content {
            Content::Tuple(enqueued) => &enqueued.mask,
            Content::Barrier(mask) => mask,
        }
    }

    /// Which unit takes it: 0 for addresses, 1 for predicates.
    fn unit(&self) -> usize {
        let predicate = matches!(&self.content, Content::Tuple(it) if it.queue == Queue::Predicate);
        usize::from(predicate)
    }
}

/// How far the expansion for a block is.
struct Cursor {
    /// Its block's age.
    arrival: u64,
    /// Its batch and number there, once the affine warp has run or runs for it.
    batch: Option<(u64, usize)>,
    /// By unit: the number of the next entry to look at.
    next: [u64; 2],
    /// Matched barriers that the entries looked at stand behind, by warp.
    behind: Vec<u32>,
    /// The address that is being expanded.
    part: Option<Part>,
    /// The next warp to get a predicate.
    predicate_warp: usize,
}

/// An address that is being expanded for a block.
struct Part {
    expansion: Expansion,
    /// The next warp.
    warp: usize,
    /// What is left to do for the warp before, last step first; its early load.
    steps: Vec<Step>,
    early: Option<u32>,
    /// Something is left to do for the warp before.
    open: bool,
}

/// A load whose lines are asked for early.
#[derive(Clone, Debug, Default)]
struct EarlyLoad {
    place: usize,
    warp: usize,
    /// Lines that have not come.
    remaining: u32,
    /// All lines have been asked for.
    complete: bool,
    /// The lines that are held.
    lines: Vec<u64>,
    /// When the first was asked for.
    since: u64,
}

impl AffineUnit {
    pub(super) fn new(config: Decoupled, place: usize, number: usize) -> AffineUnit {
        AffineUnit {
            config,
            place,
            number,
            running: None,
            batches: 0,
            entries: VecDeque::new(),
            first: 0,
            cursors: (0..place).map(|_| None).collect(),
            current: None,
            early: Vec::new(),
            free: Vec::new(),
            queued: 0,
            wake: NEVER,
            wants_room: false,
            stalled: false,
            counted: 0,
        }
    }

    /// Something has happened that the units may wait for.
    pub(super) fn wake_at(&mut self, cycle: u64) {
        self.wake = self.wake.min(cycle);
    }

    /// The next cycle in which something can happen, as far as is known.
    pub(super) fn wake(&self) -> u64 {
        self.wake
    }

    pub(super) fn wants_room(&self) -> bool {
        self.wants_room
    }

    /// Whether nothing is here or under way.
    pub(super) fn is_idle(&self) -> bool {
        self.running.is_none() && self.entries.is_empty() && self.free.len() == self.early.len()
    }

    fn has_room(&self) -> bool {
        self.entries.len() < self.config.tuple_queue as usize
    }

    /// A block has come to a place.
    pub(super) fn arrive(&mut self, place: usize, arrival: u64, warps: usize, now: u64) {
        self.cursors[place] = Some(Cursor {
            arrival,
            batch: None,
            next: [0; 2],
            behind: vec![0; warps],
            part: None,
            predicate_warp: 0,
        });
        self.wake_at(now);
    }

    /// The block in a place has ended; the site of something that is left for it.
    pub(super) fn leave(&mut self, place: usize, now: u64) -> Option<u8> {
        let mut left = None;
        let cursor = self.cursors[place].take();
        if let Some(Cursor { batch: Some((batch, index)), next, part, behind, .. }) = cursor {
            // The unit may still have to find that it has given an entry to all warps.
            let given = |mask: &Mask, number: u64| {
                let lanes = |warp: usize| mask.lanes(index * behind.len() + warp);
                let rest = part.as_ref().filter(|part| number == next[0] && !part.open);
                rest.is_some_and(|part| (part.warp..behind.len()).all(|warp| lanes(warp) == 0))
            };
            for (number, entry) in (self.first..).zip(&mut self.entries) {
                let is_open = entry.batch == batch && number >= next[entry.unit()];
                if is_open && entry.mask().has_block(index) {
                    entry.left -= 1;
                    if let Content::Tuple(enqueued) = &entry.content
                        && !given(&enqueued.mask, number)
                    {
                        left.get_or_insert(enqueued.site);
                    }
                }
            }
            if let Some(running) = self.running.as_mut().filter(|running| running.batch == batch) {
                running.places[index] = None;
            }
        }
        self.wake_at(now + 1);
        left
    }

    /// Counts what is integrated over time up to a cycle.
    pub(super) fn count(&mut self, held: u64, statistics: &mut Statistics, now: u64) {
        let cycles = now - self.counted;
        self.counted = now;
        statistics.tuple_queue_cycles += cycles * self.entries.len() as u64;
        statistics.warp_queue_cycles += cycles * self.queued;
        statistics.held_line_cycles += cycles * held;
        statistics.most_held_lines = statistics.most_held_lines.max(held);
        statistics.expansion_stalls += if self.stalled { cycles } else { 0 };
    }

    /// A load whose lines were asked for early issues: the lines that are held for it.
    pub(super) fn issue_early(
        &mut self,
        id: u32,
        now: u64,
        statistics: &mut Statistics,
    ) -> Vec<u64> {
        let early = &mut self.early[id as usize];
        self.free.push(id);
        statistics.early_loads += 1;
        statistics.early_load_cycles += now.saturating_sub(early.since);
        std::mem::take(&mut early.lines)
    }

    /// Something was taken from a queue of a warp.
    pub(super) fn dequeued(&mut self, now: u64) {
        self.queued -= 1;
        self.wake_at(now + 1);
    }

    /// Takes entries out of the tuple queue that have been expanded for all blocks.
    fn drop_done(&mut self) {
        while self.entries.front().is_some_and(|entry| entry.left == 0) {
            self.entries.pop_front();
            self.first += 1;
        }
    }

    /// Puts something into the tuple queue; the block and site if a block that it is for has ended.
    fn push(&mut self, content: Content) -> Result<(), (u64, u8)> {
        let Some(running) = &self.running else {
            return Ok(());
        };
        let mut entry = Entry { batch: running.batch, content, left: 0 };
        for (index, place) in running.places.iter().enumerate() {
            if entry.mask().has_block(index) {
                match (place, &entry.content) {
                    (Some(_), _) => entry.left += 1,
                    (None, Content::Barrier(_)) => {}
                    (None, Content::Tuple(it)) => {
                        return Err((running.warp.blocks()[index], it.site));
                    }
                }
            }
        }
        if entry.left != 0 {
            self.entries.push_back(entry);
        }
        Ok(())
    }

    /// The entry that a unit has to expand next for the block in a place; entries that are not for it are
    /// passed over, and so are barriers.
    fn next_entry(&mut self, place: usize, unit: usize) -> Option<u64> {
        let cursor = self.cursors[place].as_mut()?;
        let (batch, index) = cursor.batch?;
        let mut number = cursor.next[unit].max(self.first);
        loop {
            cursor.next[unit] = number;
            let entry = self.entries.get_mut((number - self.first) as usize)?;
            if entry.batch == batch && entry.unit() == unit && entry.mask().has_block(index) {
                let Content::Barrier(mask) = &entry.content else {
                    return Some(number);
                };
                let warps = cursor.behind.len();
                for (warp, behind) in cursor.behind.iter_mut().enumerate() {
                    *behind += u32::from(mask.lanes(index * warps + warp) != 0);
                }
                entry.left -= 1;
            }
            number += 1;
        }
    }

    /// The block in a place is through with an entry.
    fn finish_entry(&mut self, place: usize, unit: usize, number: u64) {
        if let Some(cursor) = &mut self.cursors[place] {
            cursor.next[unit] = number + 1;
        }
        self.entries[(number - self.first) as usize].left -= 1;
    }

    /// Places of blocks in the order of the entries that a unit has to expand for them, and then of their
    /// arrival.
    fn order(&mut self, unit: usize) -> Vec<(u64, u64, usize)> {
        let mut order: Vec<_> = (0..self.cursors.len())
            .filter_map(|place| {
                let number = self.next_entry(place, unit)?;
                Some((number, self.cursors[place].as_ref()?.arrival, place))
            })
            .collect();
        order.sort_unstable();
        order
    }

    /// Whether the affine warp has ended for the block in a place, and everything has been expanded.
    fn is_over(&mut self, place: usize) -> bool {
        let Some((batch, _)) = self.cursors[place].as_ref().and_then(|cursor| cursor.batch) else {
            return false;
        };
        self.running.as_ref().is_none_or(|running| running.batch != batch)
            && self.next_entry(place, 0).is_none()
            && self.next_entry(place, 1).is_none()
    }

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
    /// Whether the affine warp has ended and nothing is in its queue.
    pub(super) fn affine_is_idle(&self) -> bool {
        self.affine.as_ref().is_none_or(|affine| affine.is_idle())
    }

    /// Whether nothing more comes to the queues of warps as long as all paths do what they do.
    pub(crate) fn affine_is_stuck(&self) -> bool {
        self.affine.as_ref().is_some_and(|affine| affine.is_stuck())
    }

    /// What the affine warp and what expands for it wait for.
    pub(crate) fn affine_waits(&self, code: &Code) -> Vec<AffineWaiter> {
        self.affine.as_ref().map_or_else(Vec::new, |affine| affine.waits(code, self))
    }

    /// Counts what is integrated over time of the affine warp's queues.
    pub(super) fn count_affine(&mut self, now: u64) {
        if let Some(affine) = &mut self.affine {
            affine.count(self.load_store.held(), &mut self.statistics, now);
        }
    }

    /// What keeps the next instruction of a slot's path from issuing between the streams.
    #[cold]
    pub(super) fn lacks(
        &self,
        index: usize,
        slot: SlotId,
        instruction: &Decoded,
    ) -> Option<SlotUse> {
        let affine = self.affine.as_ref();
        if affine.is_some_and(|affine| affine.place == index) {
            return (!self.tuple_room).then_some(SlotUse::Enqueue);
        }
        let place = &self.places[index];
        let (queue, _) = instruction.queue?;
        let queues = place.block.queues.as_ref()?;
        let Lanes::Warp { warp, .. } = place.block.paths.path(slot).lanes else {
            return None;
        };
        match queues.warps[usize::from(warp)].of(queue).front() {
            // Then it is a fault, which the instruction finds when it issues.
            None if queues.over => None,
            None => Some(SlotUse::Dequeue),
            Some(record) => (!record.ready).then_some(SlotUse::EarlyLoad),
        }
    }

    /// What the affine warp's units do in a cycle; whether a candidate's state changed.
    pub(super) fn step_affine(&mut self, context: &mut Context) -> bool {
        self.count_affine(context.now);
        let Some(mut affine) = self.affine.take() else {
            return false;
        };
        let now = context.now;
        let mut has_news = false;
        while let Some(id) = self.load_store.take_arrived() {
            let early = &mut affine.early[id as usize];
            early.remaining -= 1;
            if early.complete && early.remaining == 0 {
                let (place, warp) = (early.place, early.warp);
                self.record_is_ready(context.code, (place, warp), id, now);
                has_news = true;
            }
        }
        let room = affine.wants_room && context.memory.accepts();
        if self.load_store.take_eased() || room {
            affine.wake_at(now);
        }
        if affine.wake <= now {
            affine.wake = NEVER;
            affine.wants_room = false;
            let mut acted = self.start_batch(&mut affine, context);
            let addressed = self.expand_address(&mut affine, context);
            affine.stalled = !addressed && affine.wake != now + 1 && !affine.order(0).is_empty();
            self.statistics.expansion_cycles += u64::from(addressed);
            acted |= addressed;
            acted |= self.expand_predicate(&mut affine, context);
            affine.drop_done();
            if acted {
                affine.wake_at(now + 1);
            }
            has_news |= acted;
            context.outcome.progress |= acted;
            if affine.has_room() && !self.tuple_room {
                self.tuple_room = true;
                let place = affine.place;
                self.affine = Some(affine);
                self.refresh_queued(context.code, place, 0, now);
                return true;
            }
        }
        self.affine = Some(affine);
        has_news
    }

    /// Slots of a warp that wait for a queue look again; they can issue in the next cycle.
    fn refresh_queued(&mut self, code: &Code, index: usize, warp: usize, now: u64) {
        let slots = self.slots_per_warp;
        for slot in warp * slots..(warp + 1) * slots {
            let (queue, local) = self.local(usize::from(self.places[index].numbers[slot]));
            if self.queues[queue].waits_for_queue(local) {
                self.queues[queue].delay(local, now + 1);
                self.refresh(code, index, SlotId(slot as u16), None, now);
            }
        }
    }

    /// The lines of an early load have all come.
    fn record_is_ready(&mut self, code: &Code, (place, warp): (usize, usize), id: u32, now: u64) {
        if let Some(queues) = &mut self.places[place].block.queues {
            let mut records = queues.warps[warp].addresses.iter_mut();
            if let Some(record) = records.find(|record| record.early == Some(id)) {
                record.ready = true;
            }
        }
        self.refresh_queued(code, place, warp, now);
    }

    /// Starts the affine warp for blocks that it has not run for, if it is free; whether it did.
    fn start_batch(&mut self, affine: &mut AffineUnit, context: &Context) -> bool {
        let (code, now) = (context.code, context.now);
        let Some(stream) = code.affine else {
            return false;
        };
        if affine.running.is_some() || context.arriving {
            return false;
        }
        let known = |cursor: &&Cursor| cursor.batch.is_some();
        if affine.config.batch == Batch::Drained
            && affine.cursors.iter().flatten().any(|c| known(&c))
        {
            return false;
        }
        let waiting = affine.cursors.iter().enumerate().filter_map(|(place, cursor)| {
            let cursor = cursor.as_ref().filter(|cursor| !known(cursor))?;
            Some((cursor.arrival, place))
        });
        let mut waiting: Vec<(u64, usize)> = waiting.collect();
        waiting.sort_unstable();
        let Some(&(arrival, _)) = waiting.first() else {
            return false;
        };
        let end = affine.first + affine.entries.len() as u64;
        for (index, &(_, place)) in waiting.iter().enumerate() {
            if let Some(cursor) = &mut affine.cursors[place] {
                cursor.batch = Some((affine.batches, index));
                cursor.next = [end; 2];
            }
        }
        let places: Vec<usize> = waiting.iter().map(|&(_, place)| place).collect();
        let blocks: Vec<u64> =
            places.iter().map(|&place| self.places[place].block.number).collect();
        let number = blocks[0];
        let warp = AffineWarp::new(code, &stream, blocks);
        let pc = stream.entry;
        affine.running = Some(Running {
            warp,
            batch: affine.batches,
            places: places.into_iter().map(Some).collect(),
        });
        affine.batches += 1;
        self.statistics.affine_batches += 1;
        let place = &mut self.places[affine.place];
        place.block.number = number;
        place.block.paths.reset(self.slots_per_warp);
        let lanes = Lanes::Warp { warp: 0, mask: 1 };
        place.block.paths.publish(SlotId(0), Path { pc, until: NOWHERE, lanes, scoreboard: 0 });
        place.block.paths.forget_touched();
        place.scoreboards.reset(self.slots_per_warp, stream.scoreboard_entries());
        if self.tracks_threads {
            place.scoreboards.track_threads(1, code.shape.width as usize);
        }
        self.front.reset(affine.number);
        let (queue, local) = self.local(affine.number);
        // As old as the oldest block of the batch, and before its warps.
        self.queues[queue].set_age(local, (arrival << 16) - 1);
        let index = affine.place;
        self.refresh(code, index, SlotId(0), Some(now), now);
        true
    }

    /// One cycle of the address expansion unit; whether it did something.
    fn expand_address(&mut self, affine: &mut AffineUnit, context: &mut Context) -> bool {
        let order = match affine.current {
            Some(place) => {
                affine.next_entry(place, 0).map(|number| (number, 0, place)).into_iter().collect()
            }
            None => affine.order(0),
        };
        for (number, _, place) in order {
            if self.expand_address_of(affine, (place, number), context) {
                return true;
            }
        }
        false
    }

    /// The same for the block in a place.
    fn expand_address_of(
        &mut self,
        affine: &mut AffineUnit,
        (place, mut number): (usize, u64),
        context: &mut Context,
    ) -> bool {
        let (code, now) = (context.code, context.now);
        let warps = code.shape.warps() as usize;
        loop {
            let Some((batch, index)) = affine.cursors[place].as_ref().and_then(|c| c.batch) else {
                return false;
            };
            debug_assert_eq!(affine.entries[(number - affine.first) as usize].batch, batch);
            let Content::Tuple(enqueued) =
                &affine.entries[(number - affine.first) as usize].content
            else {
                return false;
            };
            let Some(cursor) = &mut affine.cursors[place] else {
                return false;
            };
            let Some(part) = &mut cursor.part else {
                // The starting address of the block.
                let expansion = Expansion::new(&enqueued.values[index]);
                let part = Part { expansion, warp: 0, steps: Vec::new(), early: None, open: false };
                cursor.part = Some(part);
                return true;
            };
            let is_early = enqueued.queue == Queue::Data
                && enqueued.space == Space::Global
                && self.load_store.takes_early();
            if !part.open {
                let lanes = |warp: usize| enqueued.mask.lanes(index * warps + warp);
                let next = (part.warp..warps).find(|&warp| lanes(warp) != 0);
                let Some(warp) = next else {
                    cursor.part = None;
                    affine.finish_entry(place, 0, number);
                    self.look_whether_over(affine, place, code, now);
                    match affine.next_entry(place, 0) {
                        // The next one begins in a cycle of its own.
                        Some(next) => number = next,
                        None => return false,
                    }
                    continue;
                };
                let Some(queues) = &self.places[place].block.queues else {
                    return false;
                };
                let full =
                    queues.warps[warp].addresses.len() >= affine.config.address_queue as usize;
                if full || (is_early && queues.passed(warp) < cursor.behind[warp]) {
                    return false;
                }
                while part.warp < warp {
                    part.expansion.next(code, 0, enqueued.size, self.line);
                    part.warp += 1;
                }
                part.steps = match enqueued.space {
                    Space::Shared | Space::Local => vec![Step::Whole],
                    _ => part.expansion.next(code, lanes(warp), enqueued.size, self.line),
                };
                part.steps.reverse();
                part.warp += 1;
                part.open = true;
                if is_early {
                    let id = affine.free.pop().unwrap_or_else(|| {
                        affine.early.push(EarlyLoad::default());
                        affine.early.len() as u32 - 1
                    });
                    affine.early[id as usize] =
                        EarlyLoad { place, warp, since: NEVER, ..EarlyLoad::default() };
                    part.early = Some(id);
                }
            }
            if let (Some(&Step::Line(line, bytes)), Some(id)) = (part.steps.last(), part.early) {
                if affine.config.lookup == Lookup::Idle && self.load_store.is_busy() {
                    affine.wake_at(now + 1);
                    return false;
                }
                let early = &mut affine.early[id as usize];
                let mut around = Surroundings {
                    now,
                    core: self.index,
                    memory: &mut *context.memory,
                    statistics: &mut self.statistics,
                    profile: None,
                };
                let request = (u64::from(line), bytes.sectors());
                let asked = self.load_store.ask_early(request, id, &mut early.lines, &mut around);
                match asked {
                    Early::Here => self.statistics.early_hits += 1,
                    Early::Asked => early.remaining += 1,
                    Early::Left => self.statistics.early_lines_left += 1,
                    Early::Blocked => return false,
                    Early::WantsRoom => {
                        affine.wants_room = true;
                        return false;
                    }
                }
                self.statistics.early_lines += u64::from(asked != Early::Left);
                if !early.lines.is_empty() {
                    early.since = early.since.min(now);
                    affine.current = Some(place);
                }
            }
            part.steps.pop();
            if part.steps.is_empty() {
                part.open = false;
                let warp = part.warp - 1;
                let mut record = enqueued.record(code, index, warp);
                if let Some(id) = part.early.take() {
                    let early = &mut affine.early[id as usize];
                    early.complete = true;
                    record.early = Some(id);
                    record.ready = early.remaining == 0;
                }
                affine.current = None;
                affine.queued += 1;
                if let Some(queues) = &mut self.places[place].block.queues {
                    queues.warps[warp].addresses.push_back(record);
                }
                self.refresh_queued(code, place, warp, now);
            }
            return true;
        }
    }

    /// One cycle of the predicate expansion unit; whether it did something.
    fn expand_predicate(&mut self, affine: &mut AffineUnit, context: &mut Context) -> bool {
        let (code, now) = (context.code, context.now);
        let warps = code.shape.warps() as usize;
        for (number, _, place) in affine.order(1) {
            let Some(cursor) = &mut affine.cursors[place] else {
                continue;
            };
            let (Some((_, index)), Content::Tuple(enqueued)) =
                (cursor.batch, &affine.entries[(number - affine.first) as usize].content)
            else {
                continue;
            };
            let lanes = |warp: usize| enqueued.mask.lanes(index * warps + warp);
            let Some(queues) = &mut self.places[place].block.queues else {
                continue;
            };
            // There is one: the entry would have been finished otherwise.
            let Some(warp) = (cursor.predicate_warp..warps).find(|&warp| lanes(warp) != 0) else {
                continue;
            };
            if queues.warps[warp].predicates.len() >= affine.config.predicate_queue as usize {
                continue;
            }
            queues.warps[warp].predicates.push_back(enqueued.record(code, index, warp));
            affine.queued += 1;
            cursor.predicate_warp = warp + 1;
            if (warp + 1..warps).all(|warp| lanes(warp) == 0) {
                cursor.predicate_warp = 0;
                affine.finish_entry(place, 1, number);
                self.look_whether_over(affine, place, code, now);
            }
            self.refresh_queued(code, place, warp, now);
            return true;
        }
        false
    }

    /// Whether nothing more comes for the block in a place: who waits for something then learns that it is a
    /// fault.
    fn look_whether_over(&mut self, affine: &mut AffineUnit, place: usize, code: &Code, now: u64) {
        if affine.is_over(place)
            && let Some(queues) = &mut self.places[place].block.queues
        {
            queues.over = true;
            for warp in 0..code.shape.warps() as usize {
                self.refresh_queued(code, place, warp, now);
            }
        }
    }

    /// Issues the next instruction of the affine warp.
    pub(super) fn issue_affine(
        &mut self,
        number: usize,
        context: &mut Context,
    ) -> Result<SlotUse, Box<Trap>> {
        let Some(mut affine) = self.affine.take() else {
            return Ok(SlotUse::Idle);
        };
        let done = self.step_affine_warp(&mut affine, number, context);
        let ended = affine.running.as_ref().is_some_and(|running| running.warp.pc().is_none());
        if ended && let Some(running) = affine.running.take() {
            let deepest = running.warp.deepest() as u64;
            self.statistics.deepest_affine_stack =
                self.statistics.deepest_affine_stack.max(deepest);
            for place in running.places.into_iter().flatten() {
                self.look_whether_over(&mut affine, place, context.code, context.now);
            }
        }
        affine.wake_at(context.now + 1);
        self.affine = Some(affine);
        done?;
        let next = self.affine_next;
        let index = usize::from(self.candidates[number].place);
        self.refresh(context.code, index, SlotId(0), Some(next), context.now);
        Ok(SlotUse::Issued)
    }

    fn step_affine_warp(
        &mut self,
        affine: &mut AffineUnit,
        number: usize,
        context: &mut Context,
    ) -> Result<(), Box<Trap>> {
        let (code, now) = (context.code, context.now);
        let Some(running) = &mut affine.running else {
            return Ok(());
        };
        let executed = running.warp.step(code, context.port.constant())?;
        context.outcome.progress = true;
        let instruction = &code.instructions[executed.pc as usize];
        count_affine(&mut self.statistics, &executed);
        context.outcome.instructions += 1;
        let is_control = matches!(instruction.effect, Effect::Branch | Effect::Exit);
        self.affine_next = now + if is_control { self.control_latency } else { 1 };
        if self.recorder.is_some() {
            let issued = Issued {
                pc: executed.pc,
                active: 1,
                paths: 1,
                mask: 1,
                divergent: false,
                progress: false,
                backward: false,
            };
            self.record_issue(number, instruction, &issued, (now, self.affine_next));
        }
        self.front.issue(number);
        let paths = &mut self.places[affine.place].block.paths;
        match running.warp.pc() {
            Some(pc) => {
                paths.step(SlotId(0), pc);
            }
            None => {
                paths.clear(SlotId(0));
                paths.forget_touched();
            }
        }
        let pushed = match executed.event {
            Event::Enqueued(enqueued) => affine.push(Content::Tuple(enqueued)),
            Event::Barrier(mask) => affine.push(Content::Barrier(mask)),
            Event::Constants(words) => {
                self.load_affine(number, (executed.pc, instruction), words, now);
                Ok(())
            }
            Event::None if is_control => Ok(()),
            Event::None => {
                let unit = self.units[usize::from(instruction.unit)];
                let [narrow, wide] = unit.passes;
                let each = if instruction.is_wide() { wide / narrow } else { 1 };
                let passes = executed.work.lanes.div_ceil(u64::from(unit.lanes)).max(1) * each;
                self.statistics.execution_cycles += passes * unit.initiation;
                let token = self.flights.token();
                let pending = Ready::collecting(token);
                let acted = Lanes::Warp { warp: 0, mask: 1 };
                let acted = self.tracks_threads.then_some((&acted, 1));
                let works = (passes, instruction.operands, now);
                self.enter(number, (0, acted), instruction, (token, pending, None), works);
                Ok(())
            }
        };
        self.tuple_room = affine.has_room();
        pushed.map_err(|(block, site)| {
            Box::new(Trap {
                kind: TrapKind::Affine(Broken::Left { warp: 0, site }),
                block: code.block_index(block),
                thread: [0; 3],
                pc: executed.pc,
            })
        })
    }

    /// A load from constant memory of the affine warp.
    fn load_affine(
        &mut self,
        number: usize,
        (pc, instruction): (u32, &Decoded),
        words: Vec<u32>,
        now: u64,
    ) {
        let place = self.candidates[number].place;
        let mut job = self.load_store.new_job();
        job.pc = pc;
        job.constants.extend(words);
        let load = Load::new(place, 0, instruction.writes, instruction.result());
        let load = self.load_store.new_load(load, &job);
        job.load = Some(load);
        self.places[usize::from(place)].outstanding += 1;
        let passes = self.units[usize::from(instruction.unit)].passes[0];
        let acted = Lanes::Warp { warp: 0, mask: 1 };
        let acted = self.tracks_threads.then_some((&acted, 1));
        let token = self.flights.token();
        let pending = Ready::pending(load);
        let works = (passes, instruction.operands, now);
        self.enter(number, (0, acted), instruction, (token, pending, Some(job)), works);
        debug_assert!(instruction.target != Target::None);
    }
}

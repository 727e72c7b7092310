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

mod expand;
mod waits;
mod warp;

use std::collections::VecDeque;

use reconverge_isa::Queue;

pub(crate) use waits::Supply;

use super::issue::SlotUse;
use super::{Context, Sm};
use crate::affine::decoupled::{AffineWarp, Decoupled, Enqueued, Expansion, Mask, Step};
use crate::decode::{Code, Decoded};
use crate::memory::NEVER;
use crate::path::{Lanes, SlotId};
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
    /// Something was enqueued, expanded or dequeued, or a batch has begun, perhaps since the search for a livelock
    /// began.
    acted: bool,
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
            acted: false,
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
        statistics.locked_line_cycles += cycles * held;
        statistics.max_locked_lines = statistics.max_locked_lines.max(held);
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
        self.acted = true;
        self.wake_at(now + 1);
    }

    /// Takes entries out of the tuple queue that have been expanded for all blocks.
    fn drop_done(&mut self) {
        while self.entries.front().is_some_and(|entry| entry.left == 0) {
            self.entries.pop_front();
            self.first += 1;
        }
    }
}

impl Sm {
    /// Whether the affine warp has ended and nothing is in its queue.
    pub(super) fn affine_is_idle(&self) -> bool {
        self.affine.as_ref().is_none_or(|affine| affine.is_idle())
    }

    /// Counts what is integrated over time of the affine warp's queues.
    pub(super) fn count_affine(&mut self, now: u64) {
        if let Some(affine) = &mut self.affine {
            affine.count(self.load_store.held(), &mut self.statistics, now);
        }
    }

    /// What keeps the next instruction of a slot's path from issuing between the streams.
    #[cold]
    pub(super) fn queue_stall(
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
            affine.pass_over();
            let addressed = self.expand_address(&mut affine, context);
            affine.stalled = !addressed && affine.wake != now + 1 && affine.has_addresses();
            self.statistics.expansion_cycles += u64::from(addressed);
            acted |= addressed;
            acted |= self.expand_predicate(&mut affine, context);
            affine.drop_done();
            if acted {
                affine.wake_at(now + 1);
            }
            has_news |= acted;
            affine.acted |= acted;
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
}

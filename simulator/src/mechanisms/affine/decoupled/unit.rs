//! The affine warps of an SM, their tuple queues, and the units that expand their entries.
//!
//! Source: Wang and Lin, "Decoupled affine computation for SIMT GPUs", ISCA 2017, §4.1 to §4.4. An
//! affine warp is a candidate of the first scheduler, of a block slot of its own after those of
//! blocks. The source has one for an SM; with several, none waits for another's blocks. In each
//! cycle the address expansion unit gives one line of one warp, and the predicate expansion unit
//! one predicate of one warp; both take entries of a block's queue in order, and pass over blocks
//! that cannot continue.
//!
//! No deadlock: records of a warp are expanded in the order in which it dequeues them, and a record
//! never waits for a later one. A record with some of its lines locked is completed before another
//! begins, so that other loads with locked lines can continue and read them. If the record's own
//! lines have left no way for a line, that line is not locked; the instruction loads it itself.

use std::collections::VecDeque;

use reconverge_isa::Queue;

use super::Decoupled;
use super::expand::{Expansion, Step};
use super::mask::Mask;
use super::warp::{AffineWarp, Enqueued};
use crate::handles::{BlockSlot, HolderId};
use crate::machine::clock::NEVER;
use crate::mechanisms::affine::slot::{Affine, MechanismWait, OwnIssue, Ports, Ticked};
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::run::fault::Trap;
use crate::run::livelock::Producers;
use crate::sm::lsu::LoadStoreUnit;
use crate::sm::residency::BlockSlots;

/// The affine warps of an SM with their queues and units.
pub(super) struct AffineUnit {
    pub(super) config: Decoupled,
    pub(super) contexts: Vec<Context>,
    /// Batches so far.
    pub(super) batches: u64,
    /// Entries of tuple queues so far; and the number of them that the units have examined.
    pub(super) enqueued: u64,
    pub(super) seen: u64,
    /// By place of a block.
    pub(super) cursors: Vec<Option<Cursor>>,
    /// The place whose record holds lines and is not complete.
    pub(super) current: Option<BlockSlot>,
    /// Entries in the order in which a unit examines them; kept for its allocation.
    pub(super) order: Vec<Turn>,
    pub(super) early: Vec<EarlyLoad>,
    pub(super) free: Vec<HolderId>,
    /// Addresses and predicates that wait for warps.
    pub(super) queued: u64,
    /// The next cycle in which the units can do something, as far as is known.
    pub(super) wake: u64,
    pub(super) needs_room: bool,
    /// The address expansion unit has something to do, and cannot.
    pub(super) stalled: bool,
    /// The cycle from which the predicate expansion unit has nothing left to compare.
    pub(super) compares_until: u64,
    /// Something was enqueued, expanded or dequeued, or a batch has begun, perhaps since the search for a livelock
    /// began.
    pub(super) acted: bool,
    /// Cycles that statistics over time have counted.
    pub(super) counted: u64,
}

/// An affine warp and its tuple queue.
pub(super) struct Context {
    pub(super) running: Option<Running>,
    /// The affine tuple queue, and the number of its first entry.
    pub(super) entries: VecDeque<Entry>,
    pub(super) first: u64,
    /// True if the warp has seen room in the tuple queue. It looks when it issues, and is notified
    /// when an entry leaves.
    pub(super) had_room: bool,
}

impl Context {
    fn new() -> Context {
        Context { running: None, entries: VecDeque::new(), first: 0, had_room: true }
    }

    /// An entry, given its number.
    pub(super) fn entry(&self, number: u64) -> &Entry {
        &self.entries[(number - self.first) as usize]
    }

    /// The number of the next entry that is put in.
    pub(super) fn end(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    /// Takes entries out of the tuple queue that have been expanded for all blocks.
    fn drop_done(&mut self) {
        while self.entries.front().is_some_and(|entry| entry.left == 0) {
            self.entries.pop_front();
            self.first += 1;
        }
    }
}

/// A batch that the warp runs for.
pub(super) struct Running {
    pub(super) warp: AffineWarp,
    pub(super) batch: u64,
    /// By block of the batch: its place, until it has ended.
    pub(super) places: Vec<Option<BlockSlot>>,
}

/// An entry of the tuple queue.
pub(super) struct Entry {
    pub(super) batch: u64,
    /// The number of entries that were put into tuple queues before it.
    pub(super) age: u64,
    pub(super) content: Content,
    /// Blocks that it has not been expanded for.
    pub(super) left: u32,
}

pub(super) enum Content {
    Tuple(Box<Enqueued>),
    Barrier(Mask),
}

impl Entry {
    pub(super) fn mask(&self) -> &Mask {
        match &self.content {
            Content::Tuple(enqueued) => &enqueued.mask,
            Content::Barrier(mask) => mask,
        }
    }

    /// The unit that takes it: 0 for addresses, 1 for predicates.
    pub(super) fn unit(&self) -> usize {
        let predicate = matches!(&self.content, Content::Tuple(it) if it.queue == Queue::Predicate);
        usize::from(predicate)
    }
}

/// The progress of the expansion for a block.
pub(super) struct Cursor {
    /// Its block's age.
    pub(super) arrival: u64,
    /// Its batch and number there, once an affine warp has run or runs for it.
    pub(super) batch: Option<(u64, usize)>,
    /// The context of that warp.
    pub(super) context: usize,
    /// By unit: the number of the next entry to examine; and true if that is one to expand.
    pub(super) next: [u64; 2],
    pub(super) found: [bool; 2],
    /// Matched barriers before the examined entries, by warp.
    pub(super) behind: Vec<u32>,
    /// The address that is being expanded.
    pub(super) part: Option<Part>,
    /// The next warp to get a predicate.
    pub(super) predicate_warp: usize,
}

/// An address that is being expanded for a block.
pub(super) struct Part {
    pub(super) expansion: Expansion,
    /// The next warp.
    pub(super) warp: usize,
    /// The steps left for the warp before, last step first; its early load.
    pub(super) steps: Vec<Step>,
    pub(super) early: Option<HolderId>,
    /// Something is left to do for the warp before.
    pub(super) open: bool,
}

/// An entry that a unit has to expand for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn {
    /// The priority: the least goes first.
    pub(super) key: (u64, u64),
    /// The block's place.
    pub(super) place: BlockSlot,
    /// The entry's number.
    pub(super) number: u64,
}

/// A load whose lines are requested early.
#[derive(Clone, Debug, Default)]
pub(super) struct EarlyLoad {
    pub(super) place: BlockSlot,
    pub(super) warp: usize,
    /// Lines that have not arrived.
    pub(super) remaining: u32,
    /// All lines have been requested.
    pub(super) complete: bool,
    /// The lines that are held.
    pub(super) lines: Vec<u64>,
    /// The cycle of the first request.
    pub(super) since: u64,
}

impl AffineUnit {
    pub(super) fn new(config: Decoupled, block_slots: usize) -> AffineUnit {
        AffineUnit {
            config,
            contexts: (0..config.warps).map(|_| Context::new()).collect(),
            batches: 0,
            enqueued: 0,
            seen: 0,
            cursors: (0..block_slots).map(|_| None).collect(),
            current: None,
            order: Vec::new(),
            early: Vec::new(),
            free: Vec::new(),
            queued: 0,
            wake: NEVER,
            needs_room: false,
            stalled: false,
            compares_until: 0,
            acted: false,
            counted: 0,
        }
    }

    /// Something has happened that the units may wait for.
    pub(super) fn wake_at(&mut self, cycle: u64) {
        self.wake = self.wake.min(cycle);
    }

    pub(super) fn has_room(&self, context: usize) -> bool {
        self.contexts[context].entries.len() < self.config.tuple_queue as usize
    }
}

impl Affine for AffineUnit {
    fn own_warps(&self) -> usize {
        self.contexts.len()
    }

    fn admit(&mut self, code: &Code, place: BlockSlot, arrival: u64, now: u64) {
        if code.second_stream.is_none() {
            return;
        }
        let warps = code.shape.warps() as usize;
        self.cursors[place.index()] = Some(Cursor {
            arrival,
            batch: None,
            context: 0,
            next: [0; 2],
            found: [false; 2],
            behind: vec![0; warps],
            part: None,
            predicate_warp: 0,
        });
        self.wake_at(now);
    }

    fn leave(&mut self, place: BlockSlot, now: u64) -> Option<u8> {
        let mut left = None;
        let cursor = self.cursors[place.index()].take()?;
        if let Cursor { batch: Some((batch, index)), context, next, part, behind, .. } = cursor {
            let context = &mut self.contexts[context];
            // The unit may still have to find that it has given an entry to all warps.
            let given = |mask: &Mask, number: u64| {
                let lanes = |warp: usize| mask.lanes(index * behind.len() + warp);
                let rest = part.as_ref().filter(|part| number == next[0] && !part.open);
                rest.is_some_and(|part| (part.warp..behind.len()).all(|warp| lanes(warp) == 0))
            };
            for (number, entry) in (context.first..).zip(&mut context.entries) {
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
            let running = context.running.as_mut().filter(|running| running.batch == batch);
            if let Some(running) = running {
                running.places[index] = None;
            }
        }
        self.wake_at(now + 1);
        left
    }

    fn count(&mut self, held: u64, statistics: &mut Statistics, now: u64) {
        let cycles = now - self.counted;
        self.counted = now;
        statistics.tuple_queue_cycles +=
            cycles * self.contexts.iter().map(|it| it.entries.len() as u64).sum::<u64>();
        statistics.warp_queue_cycles += cycles * self.queued;
        statistics.locked_line_cycles += cycles * held;
        statistics.max_locked_lines = statistics.max_locked_lines.max(held);
        statistics.expansion_stalls += if self.stalled { cycles } else { 0 };
    }

    fn take_held_lines(&mut self, id: HolderId, now: u64, statistics: &mut Statistics) -> Vec<u64> {
        let early = &mut self.early[id.0 as usize];
        self.free.push(id);
        statistics.early_loads += 1;
        statistics.early_load_cycles += now.saturating_sub(early.since);
        std::mem::take(&mut early.lines)
    }

    fn issued(&mut self, dequeued: bool, progress: bool, now: u64) {
        if dequeued {
            self.queued -= 1;
            self.acted = true;
        }
        if dequeued || progress {
            self.wake_at(now + 1);
        }
    }

    fn tick(&mut self, ports: &mut Ports) -> Ticked {
        let now = ports.now;
        let mut ticked = Ticked::default();
        while let Some(id) = ports.lsu.take_arrived() {
            let early = &mut self.early[id.0 as usize];
            early.remaining -= 1;
            if early.complete && early.remaining == 0 {
                operand_is_ready(early.place, early.warp, id, ports);
                ticked.has_news = true;
            }
        }
        let room = self.needs_room && ports.memory.accepts();
        if ports.lsu.take_eased() || room {
            self.wake_at(now);
        }
        if self.wake > now {
            return ticked;
        }
        self.wake = NEVER;
        self.needs_room = false;
        ticked.starts = self.start_batch(ports);
        self.pass_over();
        let addressed = self.expand_address(ports);
        self.stalled = !addressed && self.wake != now + 1 && self.has_addresses();
        ports.statistics.expansion_cycles += u64::from(addressed);
        let predicated = self.expand_predicate(ports);
        let acted = ticked.starts.is_some() | addressed | predicated;
        self.contexts.iter_mut().for_each(Context::drop_done);
        if acted {
            self.wake_at(now + 1);
        }
        self.acted |= acted;
        for index in 0..self.contexts.len() {
            if !self.contexts[index].had_room && self.has_room(index) {
                self.contexts[index].had_room = true;
                ticked.resumes |= 1 << index;
            }
        }
        ticked.has_news |= acted | (ticked.resumes != 0);
        ticked
    }

    fn issue_own(&mut self, warp: usize, ports: &mut Ports) -> Result<Option<OwnIssue>, Box<Trap>> {
        let issued = self.step_warp(warp, ports);
        self.end_batch(warp, ports);
        self.wake_at(ports.now + 1);
        issued
    }

    fn lacks_room(&self, warp: usize) -> bool {
        !self.contexts[warp].had_room
    }

    fn next_event(&self) -> u64 {
        self.wake
    }

    fn needs_room(&self) -> bool {
        self.needs_room
    }

    fn is_idle(&self) -> bool {
        let is_idle = |it: &Context| it.running.is_none() && it.entries.is_empty();
        self.contexts.iter().all(is_idle) && self.free.len() == self.early.len()
    }

    fn producers(&self, blocks: &BlockSlots, lsu: &LoadStoreUnit) -> Producers {
        self.supply(blocks, lsu)
    }

    fn forget_actions(&mut self) {
        self.acted = false;
    }

    fn waits(
        &self,
        code: &Code,
        sm: usize,
        blocks: &BlockSlots,
        lsu: &LoadStoreUnit,
    ) -> Vec<MechanismWait> {
        self.waiting_parts(code, sm, blocks, lsu)
    }
}

/// All lines of an early load have arrived.
fn operand_is_ready(block: BlockSlot, warp: usize, id: HolderId, ports: &mut Ports) {
    if let Some(queues) = ports.queues(block) {
        let mut operands = queues.warps[warp].addresses.iter_mut();
        if let Some(operand) = operands.find(|operand| operand.early == Some(id)) {
            operand.ready = true;
        }
    }
    ports.supplied.push((block, warp));
}

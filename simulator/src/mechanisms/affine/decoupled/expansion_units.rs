//! The units that expand the affine tuple queue's entries, a line or a predicate of a warp per
//! cycle.

use reconverge_isa::{Queue, Space};

use super::expand::{Expansion, Step};
use super::unit::{AffineUnit, Content, Cursor, EarlyLoad, Entry, Part, Turn};
use super::warp::Enqueued;
use super::{Full, Lookup, Order};
use crate::handles::{BlockSlot, HolderId};
use crate::machine::clock::NEVER;
use crate::mechanisms::affine::slot::Ports;
use crate::sm::lsu::LoadStoreUnit;
use crate::sm::lsu::l1::holds::Hold;

/// Returns true if the lines of an enqueued access are requested early.
pub(super) fn is_early(enqueued: &Enqueued, lsu: &LoadStoreUnit) -> bool {
    enqueued.queue == Queue::Data && enqueued.space == Space::Global && lsu.can_hold_lines()
}

impl AffineUnit {
    /// The entries of the tuple queue that a unit must expand for a block, from its next entry on.
    pub(super) fn entries_of(
        &self,
        cursor: &Cursor,
        unit: usize,
    ) -> impl Iterator<Item = (u64, &Entry)> {
        let context = &self.contexts[cursor.context];
        let (first, batch) = (cursor.next[unit].max(context.first), cursor.batch);
        let skipped = (first - context.first) as usize;
        let entries = (first..).zip(context.entries.iter().skip(skipped));
        entries.filter(move |(_, entry)| {
            let is_for = |(batch, index)| entry.batch == batch && entry.mask().has_block(index);
            entry.unit() == unit && batch.is_some_and(is_for)
        })
    }

    /// Both units pass over entries that they do not expand, for all blocks; it takes no time.
    pub(super) fn pass_over(&mut self) {
        if self.seen == self.enqueued {
            return;
        }
        self.seen = self.enqueued;
        for place in (0..self.cursors.len()).map(BlockSlot::of) {
            for unit in [0, 1] {
                // An entry that was found stays; later entries are examined later.
                let may_find = self.cursors[place.index()].as_ref().is_some_and(|cursor| {
                    !cursor.found[unit] && cursor.next[unit] < self.contexts[cursor.context].end()
                });
                if may_find {
                    self.pass_over_for(place, unit);
                }
            }
        }
    }

    /// A unit moves to the next entry that it has to expand for the block in a place: over entries
    /// that are not for it, and over barriers.
    fn pass_over_for(&mut self, place: BlockSlot, unit: usize) {
        let Some(cursor) = &mut self.cursors[place.index()] else {
            return;
        };
        let Some((batch, index)) = cursor.batch else {
            return;
        };
        let context = &mut self.contexts[cursor.context];
        let mut number = cursor.next[unit].max(context.first);
        cursor.found[unit] = false;
        while let Some(entry) = context.entries.get_mut((number - context.first) as usize) {
            if entry.batch == batch && entry.unit() == unit && entry.mask().has_block(index) {
                let Content::Barrier(mask) = &entry.content else {
                    cursor.found[unit] = true;
                    break;
                };
                let warps = cursor.behind.len();
                for (warp, behind) in cursor.behind.iter_mut().enumerate() {
                    *behind += u32::from(mask.lanes(index * warps + warp) != 0);
                }
                entry.left -= 1;
            }
            number += 1;
        }
        cursor.next[unit] = number;
    }

    /// The entry that a unit has to expand next for the block in a place, when it has passed over others.
    fn next_entry(&self, place: BlockSlot, unit: usize) -> Option<u64> {
        let cursor = self.cursors[place.index()].as_ref()?;
        cursor.found[unit].then_some(cursor.next[unit])
    }

    /// Returns true if the address expansion unit has something to do.
    pub(super) fn has_addresses(&self) -> bool {
        (0..self.cursors.len()).any(|at| self.next_entry(BlockSlot::of(at), 0).is_some())
    }

    /// The block in a place is through with an entry.
    fn finish_entry(&mut self, place: BlockSlot, unit: usize, number: u64) {
        if let Some(cursor) = &mut self.cursors[place.index()] {
            cursor.next[unit] = number + 1;
            let context = &mut self.contexts[cursor.context];
            context.entries[(number - context.first) as usize].left -= 1;
        }
        self.pass_over_for(place, unit);
    }

    /// Offers a unit the entries that it has to expand, one of each block, until it expands one.
    /// The order is that of the entries' ages, or of the blocks' arrival. Returns true if it
    /// expanded one.
    fn offer(
        &mut self,
        unit: usize,
        mut expand: impl FnMut(&mut AffineUnit, BlockSlot, u64) -> bool,
    ) -> bool {
        let by_block = self.config.order == Order::Block;
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        for (place, cursor) in self.cursors.iter().enumerate() {
            if let Some(cursor) = cursor
                && cursor.found[unit]
            {
                let (place, number) = (BlockSlot::of(place), cursor.next[unit]);
                let age = self.contexts[cursor.context].entry(number).age;
                let key = if by_block { (cursor.arrival, age) } else { (age, cursor.arrival) };
                order.push(Turn { key, place, number });
            }
        }
        order.sort_unstable();
        let did = order.iter().any(|turn| expand(self, turn.place, turn.number));
        self.order = order;
        did
    }

    /// Returns true if the affine warp has ended for the block in a place, and everything has been
    /// expanded.
    fn is_over(&self, place: BlockSlot) -> bool {
        let Some(cursor) = &self.cursors[place.index()] else {
            return false;
        };
        let Some((batch, _)) = cursor.batch else {
            return false;
        };
        let mut left = self.entries_of(cursor, 0).chain(self.entries_of(cursor, 1));
        let running = self.contexts[cursor.context].running.as_ref();
        running.is_none_or(|running| running.batch != batch)
            && left.all(|(_, entry)| matches!(entry.content, Content::Barrier(_)))
    }

    /// One cycle of the address expansion unit; whether it did something.
    pub(super) fn expand_address(&mut self, ports: &mut Ports) -> bool {
        match self.current {
            Some(place) => match self.next_entry(place, 0) {
                Some(number) => self.expand_address_of(place, number, ports),
                None => false,
            },
            None => {
                self.offer(0, |unit, place, number| unit.expand_address_of(place, number, ports))
            }
        }
    }

    /// One cycle of it for the block in a place, from an entry on; whether it did something.
    fn expand_address_of(&mut self, place: BlockSlot, number: u64, ports: &mut Ports) -> bool {
        let Some(cursor) = &mut self.cursors[place.index()] else {
            return false;
        };
        let (Some((_, index)), Content::Tuple(enqueued)) =
            (cursor.batch, &self.contexts[cursor.context].entry(number).content)
        else {
            return false;
        };
        if cursor.part.is_none() {
            // The starting address of the block.
            let expansion = Expansion::new(&enqueued.values[index]);
            let part = Part { expansion, warp: 0, steps: Vec::new(), early: None, open: false };
            cursor.part = Some(part);
            return true;
        }
        match self.open_warp(place, number, ports) {
            Opened::Yes => {}
            Opened::No => return false,
            Opened::Through => {
                if let Some(cursor) = &mut self.cursors[place.index()] {
                    cursor.part = None;
                }
                self.finish_entry(place, 0, number);
                self.look_whether_over(place, ports);
                // The next one begins in a cycle of its own.
                return match self.next_entry(place, 0) {
                    Some(next) => self.expand_address_of(place, next, ports),
                    None => false,
                };
            }
        }
        if !self.request_early(place, ports) {
            return false;
        }
        self.finish_step(place, number, ports);
        true
    }

    /// Begins with the next warp that an address is for, unless one has been begun.
    fn open_warp(&mut self, place: BlockSlot, number: u64, ports: &mut Ports) -> Opened {
        let (code, warps) = (ports.code, ports.code.shape.warps() as usize);
        let Some(cursor) = &mut self.cursors[place.index()] else {
            return Opened::No;
        };
        let (Some((_, index)), Some(part), Content::Tuple(enqueued)) =
            (cursor.batch, &mut cursor.part, &self.contexts[cursor.context].entry(number).content)
        else {
            return Opened::No;
        };
        if part.open {
            return Opened::Yes;
        }
        let lanes = |warp: usize| enqueued.mask.lanes(index * warps + warp);
        let Some(warp) = (part.warp..warps).find(|&warp| lanes(warp) != 0) else {
            return Opened::Through;
        };
        let is_early = is_early(enqueued, ports.lsu);
        let Some(queues) = ports.queues(place) else {
            return Opened::No;
        };
        let full = queues.warps[warp].addresses.len() >= self.config.address_queue as usize;
        if full || (is_early && queues.passed(warp) < cursor.behind[warp]) {
            return Opened::No;
        }
        let line = ports.lsu.line_bytes();
        while part.warp < warp {
            part.expansion.next(code, 0, enqueued.size, line);
            part.warp += 1;
        }
        part.steps = match enqueued.space {
            Space::Shared | Space::Local => vec![Step::Whole],
            _ => part.expansion.next(code, lanes(warp), enqueued.size, line),
        };
        part.steps.reverse();
        part.warp += 1;
        part.open = true;
        let all_but_one = (code.shape.width - 1).max(1);
        let most = self.config.load_lines.unwrap_or(all_but_one) as usize;
        if is_early && part.steps.len() > most {
            ports.statistics.early_lines_skipped += part.steps.len() as u64;
        } else if is_early {
            let id = self.free.pop().unwrap_or_else(|| {
                self.early.push(EarlyLoad::default());
                HolderId(self.early.len() as u32 - 1)
            });
            self.early[id.0 as usize] =
                EarlyLoad { place, warp, since: NEVER, ..EarlyLoad::default() };
            part.early = Some(id);
        }
        Opened::Yes
    }

    /// Requests the current line of the block in a place early, if that is its next step. Returns
    /// true if the unit can continue.
    fn request_early(&mut self, place: BlockSlot, ports: &mut Ports) -> bool {
        let part = self.cursors[place.index()].as_ref().and_then(|cursor| cursor.part.as_ref());
        let Some((&Step::Line(line, bytes), id)) =
            part.and_then(|part| Some((part.steps.last()?, part.early?)))
        else {
            return true;
        };
        let now = ports.now;
        if self.config.lookup == Lookup::Idle && ports.lsu.is_busy() {
            self.wake_at(now + 1);
            return false;
        }
        let early = &mut self.early[id.0 as usize];
        let (line, limits) = (u64::from(line), self.config.limits());
        let mut held = ports.hold_line(line, bytes.sectors(), id, limits, &mut early.lines);
        if held == Hold::Full && self.config.full == Full::Skip {
            held = Hold::Declined;
        }
        match held {
            Hold::Here => ports.statistics.early_hits += 1,
            Hold::Requested => early.remaining += 1,
            Hold::Declined => ports.statistics.early_lines_skipped += 1,
            Hold::Full | Hold::Blocked => return false,
            Hold::NeedsRoom => {
                self.needs_room = true;
                return false;
            }
        }
        ports.statistics.early_lines += u64::from(held != Hold::Declined);
        if !early.lines.is_empty() {
            early.since = early.since.min(now);
            self.current = Some(place);
        }
        true
    }

    /// The current step of the block in a place is done; with the last one of a warp, the warp gets
    /// its operand.
    fn finish_step(&mut self, place: BlockSlot, number: u64, ports: &mut Ports) {
        let Some(cursor) = &mut self.cursors[place.index()] else {
            return;
        };
        let (Some((_, index)), Some(part), Content::Tuple(enqueued)) =
            (cursor.batch, &mut cursor.part, &self.contexts[cursor.context].entry(number).content)
        else {
            return;
        };
        part.steps.pop();
        if !part.steps.is_empty() {
            return;
        }
        part.open = false;
        let warp = part.warp - 1;
        let mut operand = enqueued.record(ports.code, index, warp);
        if let Some(id) = part.early.take() {
            let early = &mut self.early[id.0 as usize];
            early.complete = true;
            operand.early = Some(id);
            operand.ready = early.remaining == 0;
        }
        self.current = None;
        self.queued += 1;
        if let Some(queues) = ports.queues(place) {
            queues.warps[warp].addresses.push_back(operand);
        }
        ports.supplied.push((place, warp));
    }

    /// One cycle of the predicate expansion unit; whether it did something.
    pub(super) fn expand_predicate(&mut self, ports: &mut Ports) -> bool {
        self.offer(1, |unit, place, number| unit.expand_predicate_of(place, number, ports))
    }

    /// One cycle of it for the block in a place, from an entry on; whether it did something.
    fn expand_predicate_of(&mut self, place: BlockSlot, number: u64, ports: &mut Ports) -> bool {
        let (code, warps) = (ports.code, ports.code.shape.warps() as usize);
        let Some(cursor) = &mut self.cursors[place.index()] else {
            return false;
        };
        let (Some((_, index)), Content::Tuple(enqueued)) =
            (cursor.batch, &self.contexts[cursor.context].entry(number).content)
        else {
            return false;
        };
        let lanes = |warp: usize| enqueued.mask.lanes(index * warps + warp);
        let Some(queues) = ports.queues(place) else {
            return false;
        };
        // There is one: the entry would have been finished otherwise.
        let Some(warp) = (cursor.predicate_warp..warps).find(|&warp| lanes(warp) != 0) else {
            return false;
        };
        if queues.warps[warp].predicates.len() >= self.config.predicate_queue as usize {
            return false;
        }
        queues.warps[warp].predicates.push_back(enqueued.record(code, index, warp));
        self.queued += 1;
        cursor.predicate_warp = warp + 1;
        if (warp + 1..warps).all(|warp| lanes(warp) == 0) {
            cursor.predicate_warp = 0;
            self.finish_entry(place, 1, number);
            self.look_whether_over(place, ports);
        }
        ports.supplied.push((place, warp));
        true
    }

    /// Finds out if nothing more arrives for the block in a place: then a wait for a record becomes
    /// a fault.
    pub(super) fn look_whether_over(&mut self, place: BlockSlot, ports: &mut Ports) {
        if self.is_over(place)
            && let Some(queues) = ports.queues(place)
        {
            queues.over = true;
            let warps = ports.code.shape.warps() as usize;
            ports.supplied.extend((0..warps).map(|warp| (place, warp)));
        }
    }
}

/// The warp for which the address expansion unit expands an address, if there is one.
enum Opened {
    Yes,
    /// Not now.
    No,
    /// It has given the address to all warps of the block.
    Through,
}

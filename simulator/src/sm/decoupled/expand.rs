//! The units that expand what is in the affine tuple queue, a line or a predicate of a warp a cycle.

use reconverge_isa::Space;

use super::{AffineUnit, Content, Cursor, EarlyLoad, Entry, Part};
use crate::affine::decoupled::{Expansion, Lookup, Step};
use crate::decode::Code;
use crate::memory::NEVER;
use crate::sm::lsu::{Early, LsuPorts};
use crate::sm::{Context, Sm};

impl AffineUnit {
    /// What is in the tuple queue for a unit to expand for a block, from the entry on that it looks at next.
    pub(super) fn entries_of(
        &self,
        cursor: &Cursor,
        unit: usize,
    ) -> impl Iterator<Item = (u64, &Entry)> {
        let (first, batch) = (cursor.next[unit].max(self.first), cursor.batch);
        let skipped = (first - self.first) as usize;
        let entries = (first..).zip(self.entries.iter().skip(skipped));
        entries.filter(move |(_, entry)| {
            let is_for = |(batch, index)| entry.batch == batch && entry.mask().has_block(index);
            entry.unit() == unit && batch.is_some_and(is_for)
        })
    }

    /// Both units pass over what they have not to expand, for all blocks; it takes no time.
    pub(super) fn pass_over(&mut self) {
        for place in 0..self.cursors.len() {
            for unit in [0, 1] {
                self.pass_over_for(place, unit);
            }
        }
    }

    /// A unit goes on to the entry that it has to expand next for the block in a place: over entries that are not
    /// for it, and over barriers.
    fn pass_over_for(&mut self, place: usize, unit: usize) {
        let Some(cursor) = &mut self.cursors[place] else {
            return;
        };
        let Some((batch, index)) = cursor.batch else {
            return;
        };
        let mut number = cursor.next[unit].max(self.first);
        while let Some(entry) = self.entries.get_mut((number - self.first) as usize) {
            if entry.batch == batch && entry.unit() == unit && entry.mask().has_block(index) {
                let Content::Barrier(mask) = &entry.content else {
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
    fn next_entry(&self, place: usize, unit: usize) -> Option<u64> {
        let cursor = self.cursors[place].as_ref()?;
        self.entries_of(cursor, unit).next().map(|(number, _)| number)
    }

    /// Whether the address expansion unit has something to do.
    pub(super) fn has_addresses(&self) -> bool {
        (0..self.cursors.len()).any(|place| self.next_entry(place, 0).is_some())
    }

    /// The block in a place is through with an entry.
    fn finish_entry(&mut self, place: usize, unit: usize, number: u64) {
        if let Some(cursor) = &mut self.cursors[place] {
            cursor.next[unit] = number + 1;
        }
        self.entries[(number - self.first) as usize].left -= 1;
        self.pass_over_for(place, unit);
    }

    /// Places of blocks in the order of the entries that a unit has to expand for them, and then of their
    /// arrival.
    fn order(&self, unit: usize) -> Vec<(u64, u64, usize)> {
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
    fn is_over(&self, place: usize) -> bool {
        let Some(cursor) = &self.cursors[place] else {
            return false;
        };
        let Some((batch, _)) = cursor.batch else {
            return false;
        };
        let mut left = self.entries_of(cursor, 0).chain(self.entries_of(cursor, 1));
        self.running.as_ref().is_none_or(|running| running.batch != batch)
            && left.all(|(_, entry)| matches!(entry.content, Content::Barrier(_)))
    }
}

impl Sm {
    /// One cycle of the address expansion unit; whether it did something.
    pub(super) fn expand_address(
        &mut self,
        affine: &mut AffineUnit,
        context: &mut Context,
    ) -> bool {
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
            let is_early = self.load_store.takes_early(enqueued);
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
                let mut ports = LsuPorts {
                    now,
                    core: self.index,
                    memory: &mut *context.memory,
                    statistics: &mut self.statistics,
                    profile: None,
                };
                let request = (u64::from(line), bytes.sectors());
                let asked = self.load_store.ask_early(request, id, &mut early.lines, &mut ports);
                match asked {
                    Early::Here => self.statistics.early_hits += 1,
                    Early::Asked => early.remaining += 1,
                    Early::Left => self.statistics.early_lines_skipped += 1,
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
    pub(super) fn expand_predicate(
        &mut self,
        affine: &mut AffineUnit,
        context: &mut Context,
    ) -> bool {
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
    pub(super) fn look_whether_over(
        &mut self,
        affine: &mut AffineUnit,
        place: usize,
        code: &Code,
        now: u64,
    ) {
        if affine.is_over(place)
            && let Some(queues) = &mut self.places[place].block.queues
        {
            queues.over = true;
            for warp in 0..code.shape.warps() as usize {
                self.refresh_queued(code, place, warp, now);
            }
        }
    }
}

//! The live ranges of virtual registers, as runs of positions.
//!
//! Instructions are numbered in the order of the layout. At position 2k instruction k reads its
//! sources, at 2k + 1 it writes its result: a result may take the register of a source that is read
//! for the last time. The view of one thread decides: the machine writes the registers of active
//! lanes only, so the paths of a divergent branch do not disturb each other.

use super::machine::{Code, Reg};
use crate::analysis::live_ranges::{LiveRange, LiveRanges, best, tables};
use reconverge_isa::planted::Planted;

/// Half-open runs of positions, in order, apart from each other.
pub type Interval = Vec<(u32, u32)>;

/// The extent of each block: the position of its first instruction, and the position after its end.
pub fn spans(code: &Code) -> Vec<(u32, u32)> {
    let mut start = 0;
    let mut spans = Vec::with_capacity(code.blocks.len());
    for block in &code.blocks {
        let end = start + 2 * (block.items.len() as u32 + 1);
        spans.push((start, end));
        start = end;
    }
    spans
}

/// A read or write of a register.
#[derive(Clone, Copy)]
struct Event {
    block: u32,
    at: u32,
    write: bool,
}

/// The interval of every virtual register; empty for one that does not occur.
pub fn intervals(code: &Code, layout: &Layout) -> Vec<Interval> {
    let spans = spans(code);
    let events = events(code, &spans);
    let walk = Walk { code, spans, layout };
    events.iter().map(|events| walk.interval(events)).collect()
}

fn events(code: &Code, spans: &[(u32, u32)]) -> Vec<Vec<Event>> {
    let mut events: Vec<Vec<Event>> = vec![Vec::new(); code.classes.len()];
    for (index, block) in code.blocks.iter().enumerate() {
        let mut at = spans[index].0;
        let mut note = |reg: Reg, at: u32, write: bool| {
            events[reg.index()].push(Event { block: index as u32, at, write });
        };
        for item in &block.items {
            item.each_read(|reg| note(reg, at, false));
            item.each_write(|reg| note(reg, at + 1, true));
            at += 2;
        }
        if let Some(reg) = block.end.reads() {
            note(reg, at, false);
        }
    }
    events
}

/// The extents of the blocks, with data about many of them at once.
pub struct Layout<'a> {
    live_ranges: &'a LiveRanges,
    /// By place in the code: the position in the live_ranges' order.
    position: Vec<u32>,
    /// The lowest and highest place of each run of positions whose length is a power of two.
    low: Vec<Vec<u32>>,
    high: Vec<Vec<u32>>,
}

impl<'a> Layout<'a> {
    /// The layout of the blocks of some code, in their final order.
    pub fn new(code: &Code, live_ranges: &'a LiveRanges) -> Layout<'a> {
        let position =
            code.blocks.iter().map(|block| live_ranges.position(block.origin).unwrap_or(0));
        let position: Vec<u32> = position.collect();
        let mut place = vec![0; live_ranges.len()];
        for (at, &position) in (0..).zip(&position) {
            place[position as usize] = at;
        }
        let (low, high) = (tables(place.clone(), u32::min), tables(place, u32::max));
        Layout { live_ranges, position, low, high }
    }

    /// Cuts a live_range into runs of blocks that lie one after the other.
    fn places(&self, start: u32, end: u32, found: &mut Vec<(u32, u32)>) {
        let mut pending = vec![(start, end)];
        while let Some((start, end)) = pending.pop() {
            let low = best(&self.low, start, end, u32::min);
            let high = best(&self.high, start, end, u32::max);
            if high - low == end - start - 1 {
                found.push((low, high + 1));
                continue;
            }
            let middle = start + (end - start) / 2;
            pending.extend([(start, middle), (middle, end)]);
        }
    }
}

struct Walk<'a> {
    code: &'a Code,
    spans: Vec<(u32, u32)>,
    layout: &'a Layout<'a>,
}

impl Walk<'_> {
    fn interval(&self, events: &[Event]) -> Interval {
        let groups = || events.chunk_by(|one, other| one.block == other.block);
        let position = |group: &[Event]| self.layout.position[group[0].block as usize];
        let writes = |group: &&[Event]| group.iter().any(|event| event.write);
        let mut definitions: Vec<u32> = groups().filter(writes).map(position).collect();
        definitions.sort();
        let needed = groups().filter(|group| !group[0].write).map(position);
        let live = self.layout.live_ranges.live(&definitions, needed);
        let is_live = |block: u32| {
            let at = self.layout.position[block as usize];
            let next = live.partition_point(|&(_, end)| end <= at);
            live.get(next).is_some_and(|&(start, _)| start <= at)
        };
        let mut runs: Interval = Vec::new();
        let mut touched: Vec<u32> = Vec::new();
        for group in groups() {
            let block = group[0].block;
            touched.push(self.layout.position[block as usize]);
            let targets = self.code.blocks[block as usize].end.targets();
            let after = targets.map(|to| to as u32).any(is_live);
            self.in_block(group, is_live(block), after, &mut runs);
        }
        touched.sort();
        self.through(&live, &touched, &mut runs);
        runs.sort();
        let mut merged: Interval = Vec::with_capacity(runs.len());
        for (start, end) in runs {
            match merged.last_mut() {
                Some((_, last)) if *last >= start => *last = (*last).max(end),
                _ => merged.push((start, end)),
            }
        }
        merged
    }

    /// The blocks that it is live in without being touched there, whole.
    fn through(&self, live: &[LiveRange], touched: &[u32], runs: &mut Interval) {
        let mut places = Vec::new();
        let mut touched = touched.iter().copied().peekable();
        for &(start, end) in live {
            let mut from = start;
            while touched.next_if(|&at| at < start).is_some() {}
            while let Some(at) = touched.next_if(|&at| at < end) {
                if from < at {
                    self.layout.places(from, at, &mut places);
                }
                from = at + 1;
            }
            if from < end {
                self.layout.places(from, end, &mut places);
            }
        }
        let span = |place: u32| self.spans[place as usize];
        runs.extend(places.into_iter().map(|(low, end)| (span(low).0, span(end - 1).1)));
    }

    /// The runs in a block with events, given whether it is live at the start and at the end.
    fn in_block(&self, events: &[Event], before: bool, after: bool, runs: &mut Interval) {
        let (start, end) = self.spans[events[0].block as usize];
        let mut open = before.then_some((start, start));
        for event in events {
            if event.write {
                runs.extend(open);
                open = Some((event.at, event.at + 1));
            } else if let Some((_, last)) = &mut open {
                *last = event.at + 1;
            }
        }
        let lives_on = after && !Planted::IntervalShort.is_on();
        if let (Some((_, last)), true) = (&mut open, lives_on) {
            *last = end;
        }
        runs.extend(open.filter(|(start, end)| start < end));
    }
}

/// Returns true if two intervals have a position in common.
pub fn intersect(one: &Interval, other: &Interval) -> bool {
    let (few, many) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    few.iter().any(|&(start, end)| {
        let next = many.partition_point(|&(_, last)| last <= start);
        many.get(next).is_some_and(|&(first, _)| first < end)
    })
}

/// Adds the runs of `more`, which does not intersect, to `interval`.
pub fn merge(interval: &mut Interval, more: Interval) {
    let (mut large, small) = if interval.len() >= more.len() {
        (std::mem::take(interval), more)
    } else {
        (more, std::mem::take(interval))
    };
    if small.len() * 8 > large.len() {
        large.extend(small);
        large.sort();
    } else {
        for run in small {
            let at = large.partition_point(|&other| other < run);
            large.insert(at, run);
        }
    }
    *interval = large;
}

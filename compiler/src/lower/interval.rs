//! When virtual registers are live, as runs of positions.
//!
//! Instructions are numbered in the order in which they lie. At position 2k instruction k reads its
//! sources, at 2k + 1 it writes its result: a result may take the register of a source that is
//! read for the last time. What one thread sees decides: the machine writes the registers of
//! active lanes only, so the paths of a divergent branch do not disturb each other.

use super::machine::{Code, Reg};

/// Half-open runs of positions, in order, apart from each other.
pub type Interval = Vec<(u32, u32)>;

/// Where each block lies: the position of its first instruction, and of what is behind its end.
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
pub fn intervals(code: &Code) -> Vec<Interval> {
    let spans = spans(code);
    let events = events(code, &spans);
    let mut predecessors = vec![Vec::new(); code.blocks.len()];
    for (index, block) in code.blocks.iter().enumerate() {
        for target in block.end.targets() {
            predecessors[target].push(index as u32);
        }
    }
    let mut walk = Walk {
        spans,
        predecessors,
        live_in: vec![u32::MAX; code.blocks.len()],
        live_out: vec![u32::MAX; code.blocks.len()],
        written: vec![u32::MAX; code.blocks.len()],
        through: Vec::new(),
    };
    let numbered = events.iter().enumerate();
    numbered.map(|(number, events)| walk.interval(number as u32, events)).collect()
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

/// What is needed to follow one register after the other; marks hold the register's number.
struct Walk {
    spans: Vec<(u32, u32)>,
    predecessors: Vec<Vec<u32>>,
    live_in: Vec<u32>,
    live_out: Vec<u32>,
    written: Vec<u32>,
    /// Blocks without an event through which the register is live.
    through: Vec<u32>,
}

impl Walk {
    fn interval(&mut self, register: u32, events: &[Event]) -> Interval {
        self.spread(register, events);
        let mut runs: Interval = Vec::new();
        for group in events.chunk_by(|one, other| one.block == other.block) {
            self.in_block(register, group, &mut runs);
        }
        runs.extend(self.through.iter().map(|&block| self.spans[block as usize]));
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

    /// Finds the blocks where the register is live at the start and at the end.
    fn spread(&mut self, register: u32, events: &[Event]) {
        self.through.clear();
        let mut pending = Vec::new();
        for group in events.chunk_by(|one, other| one.block == other.block) {
            let block = group[0].block;
            if group.iter().any(|event| event.write) {
                self.written[block as usize] = register;
            }
            if !group[0].write {
                self.live_in[block as usize] = register;
                pending.push(block);
            }
        }
        while let Some(block) = pending.pop() {
            for &from in &self.predecessors[block as usize] {
                let at = from as usize;
                self.live_out[at] = register;
                if self.written[at] != register && self.live_in[at] != register {
                    self.live_in[at] = register;
                    self.through.push(from);
                    pending.push(from);
                }
            }
        }
    }

    fn in_block(&self, register: u32, events: &[Event], runs: &mut Interval) {
        let (start, end) = self.spans[events[0].block as usize];
        let block = events[0].block as usize;
        let mut open = (self.live_in[block] == register).then_some((start, start));
        for event in events {
            if event.write {
                runs.extend(open);
                open = Some((event.at, event.at + 1));
            } else if let Some((_, last)) = &mut open {
                *last = event.at + 1;
            }
        }
        if let (Some((_, last)), true) = (&mut open, self.live_out[block] == register) {
            *last = end;
        }
        runs.extend(open.filter(|(start, end)| start < end));
    }
}

/// Whether two intervals have a position in common.
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

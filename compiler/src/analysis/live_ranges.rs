//! Live ranges: runs of blocks in an order that keeps related blocks together. So a value that is
//! live through thousands of blocks costs no more than one that is live through two.
//!
//! The order is that of [`Cycles`]. Two facts let a walk from the uses up to the definitions pass
//! over many blocks at once. A value live in one block of a cycle that does not define it is live
//! in the whole cycle. The other fact holds if all paths that meet in a block start at one block
//! above, and no edge leads in or out between the two. Then a value live in the lower block is live
//! in all between, unless it is defined there. Steps over such regions are joined to jumps (Myers, "An applicative
//! random-access stack", 1983).

use super::cycles::{CycleId, Cycles};
use super::dominators::DominatorTree;
use crate::ir::{Block, Function};
use std::collections::BTreeMap;

/// A half-open run of positions.
pub type LiveRange = (u32, u32);

/// A function's reachable blocks in order, with the runs of blocks that a value can pass over.
/// Blocks are known by their positions in the order.
pub struct LiveRanges {
    cycles: Cycles,
    predecessors: Vec<Vec<u32>>,
    /// The block through which every path to this one, and to all between, leads. For the header of
    /// a cycle the back edges are left out.
    step: Vec<Option<u32>>,
    /// Several steps at once, over no header.
    jump: Vec<Option<u32>>,
    /// The cycle that a block is the header of.
    heads: Vec<Option<CycleId>>,
}

impl LiveRanges {
    /// Looks at a function.
    pub fn new(function: &Function) -> LiveRanges {
        let cycles = Cycles::new(function);
        let count = cycles.order().len();
        let at = |block: Block| cycles.position(block);
        let mut predecessors = vec![Vec::new(); count];
        for (from, &block) in (0..).zip(cycles.order()) {
            for to in function.successors(block).filter_map(at) {
                predecessors[to as usize].push(from);
            }
        }
        let mut heads = vec![None; count];
        for id in (0..cycles.all.len() as u32).map(CycleId) {
            if let Some(header) = at(cycles.get(id).header) {
                heads[header as usize] = Some(id);
            }
        }
        let step = vec![None; count];
        let mut live_ranges =
            LiveRanges { cycles, predecessors, step, jump: vec![None; count], heads };
        let dominators = DominatorTree::dominators(function);
        let reach = Reach::new(function, &live_ranges);
        let mut depth = vec![0u32; count];
        for position in 1..count as u32 {
            let step = live_ranges.find_step(&dominators, &reach, position);
            live_ranges.step[position as usize] = step;
            if let Some(step) = step {
                let jump = live_ranges.find_jump(&mut depth, position, step);
                live_ranges.jump[position as usize] = Some(jump);
            }
        }
        live_ranges
    }

    /// The position of a block; `None` when it cannot be reached.
    pub fn position(&self, block: Block) -> Option<u32> {
        self.cycles.position(block)
    }

    /// The block at a position.
    pub fn block(&self, position: u32) -> Block {
        self.cycles.order()[position as usize]
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.predecessors.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.predecessors.is_empty()
    }

    fn find_step(&self, dominators: &DominatorTree, reach: &Reach, position: u32) -> Option<u32> {
        let block = self.cycles.order()[position as usize];
        let mut above = dominators.parent(block)?;
        // Control that leaves a cycle entered it from in front.
        let left = |above: Block| {
            let around = self.cycles.around(above);
            around.take_while(|&id| !self.cycles.contains(id, block)).last()
        };
        while let Some(id) = left(above) {
            above = dominators.parent(self.cycles.get(id).header)?;
        }
        let above = self.position(above)?;
        let own = self.heads[position as usize];
        let enters = |from: u32| match own {
            Some(id) => !self.cycles.contains(id, self.cycles.order()[from as usize]),
            None => true,
        };
        let mut from = self.predecessors[position as usize].iter().filter(|&&from| enters(from));
        let natural = own.is_none_or(|id| self.cycles.get(id).is_natural());
        let all = from.all(|&from| (above..position).contains(&from));
        (natural && all && reach.stays(above, position)).then_some(above)
    }

    /// As far as the next two jumps are together, if those are equally long.
    fn find_jump(&self, depth: &mut [u32], position: u32, step: u32) -> u32 {
        let jump = |at: u32| match self.heads[at as usize] {
            None => self.jump[at as usize],
            Some(_) => None,
        };
        let deep = |depth: &[u32], at: u32| match self.heads[at as usize] {
            None => depth[at as usize],
            Some(_) => 0,
        };
        depth[position as usize] = deep(depth, step) + 1;
        let Some(middle) = jump(step) else {
            return step;
        };
        let Some(end) = jump(middle) else {
            return step;
        };
        let (top, middle_depth) = (deep(depth, step), deep(depth, middle));
        if top - middle_depth == middle_depth - deep(depth, end) { end } else { step }
    }

    /// The blocks at whose start something is live: it is defined in the blocks at the sorted
    /// positions `definitions`, and at the start of those at `uses` it is needed. The live_ranges are
    /// sorted and apart from each other.
    pub fn live(&self, definitions: &[u32], uses: impl IntoIterator<Item = u32>) -> Vec<LiveRange> {
        let mut walk = Walk { live_ranges: self, definitions, found: Found::default() };
        let mut pending: Vec<u32> = uses.into_iter().collect();
        while let Some(position) = pending.pop() {
            walk.visit(position, &mut pending);
        }
        walk.found.0.into_iter().collect()
    }
}

/// One value being followed.
struct Walk<'a> {
    live_ranges: &'a LiveRanges,
    definitions: &'a [u32],
    found: Found,
}

impl Walk<'_> {
    /// Walks up from a block at whose start it is live, as far as there is one predecessor; adds
    /// others.
    fn visit(&mut self, mut position: u32, pending: &mut Vec<u32>) {
        let live_ranges = self.live_ranges;
        while !self.found.contains(position) {
            let whole = self.free_cycle(position);
            let (start, end) = match whole {
                Some(id) => (live_ranges.cycles.get(id).start(), live_ranges.cycles.end(id)),
                None => (position, position + 1),
            };
            self.found.add(start, end);
            let passes = whole.is_some() || live_ranges.heads[position as usize].is_none();
            if let Some(step) = live_ranges.step[start as usize].filter(|_| passes) {
                let last = self.definition_before(start);
                if last.is_none_or(|last| step > last) {
                    position = self.climb(step, last);
                    self.found.add(position + 1, start);
                    continue;
                }
                if last == Some(step) {
                    self.found.add(step + 1, start);
                    return;
                }
            }
            let mut push = |at: u32| {
                let from = live_ranges.predecessors[at as usize].iter().copied();
                let from = from.filter(|from| !(start..end).contains(from) || whole.is_none());
                pending.extend(from.filter(|from| self.definitions.binary_search(from).is_err()));
            };
            match whole {
                Some(id) => {
                    let entries = &live_ranges.cycles.get(id).entries;
                    entries.iter().filter_map(|&at| live_ranges.position(at)).for_each(push);
                }
                None => push(start),
            }
            return;
        }
    }

    /// The largest cycle around a block without a definition.
    fn free_cycle(&self, position: u32) -> Option<CycleId> {
        let cycles = &self.live_ranges.cycles;
        let free = |id: &CycleId| {
            let (start, end) = (cycles.get(*id).start(), cycles.end(*id));
            let first = self.definitions.partition_point(|&at| at < start);
            self.definitions.get(first).is_none_or(|&at| at >= end)
        };
        let block = cycles.order()[position as usize];
        cycles.around(block).take_while(free).last()
    }

    fn definition_before(&self, position: u32) -> Option<u32> {
        let before = self.definitions.partition_point(|&at| at < position);
        before.checked_sub(1).map(|at| self.definitions[at])
    }

    /// Walks up from a block as far as steps lead without reaching a header or the definition.
    fn climb(&self, mut at: u32, definition: Option<u32>) -> u32 {
        let allowed = |to: &u32| definition.is_none_or(|last| *to > last);
        while self.live_ranges.heads[at as usize].is_none() {
            let far = self.live_ranges.jump[at as usize].filter(allowed);
            match far.or(self.live_ranges.step[at as usize].filter(allowed)) {
                Some(to) => at = to,
                None => break,
            }
        }
        at
    }
}

/// LiveRanges apart from each other, by their starts.
#[derive(Default)]
struct Found(BTreeMap<u32, u32>);

impl Found {
    fn contains(&self, position: u32) -> bool {
        self.0.range(..=position).next_back().is_some_and(|(_, &end)| position < end)
    }

    fn add(&mut self, mut start: u32, mut end: u32) {
        if start >= end {
            return;
        }
        // Intervals that touch it are merged with it.
        while let Some((&other, &last)) = self.0.range(..=end).next_back()
            && last >= start
        {
            self.0.remove(&other);
            (start, end) = (start.min(other), end.max(last));
        }
        self.0.insert(start, end);
    }
}

/// The reach of the edges of the blocks of a run; tables of the runs of each power of two.
struct Reach {
    /// The lowest position from which a block is reached, or to which it leads, less one.
    low: Vec<Vec<u32>>,
    /// The highest position to which a block leads, or from which it is reached, plus one.
    high: Vec<Vec<u32>>,
}

impl Reach {
    fn new(function: &Function, live_ranges: &LiveRanges) -> Reach {
        let order = live_ranges.cycles.order();
        let ends = ending(function, live_ranges);
        let mut low = vec![u32::MAX; order.len()];
        let mut high = vec![0; order.len()];
        for (from, &block) in order.iter().enumerate() {
            if !ends[from] || function.successors(block).next().is_none() {
                // Control does not reach later blocks from here, so their values are not needed.
                high[from] = u32::MAX;
            }
            for to in function.successors(block).filter_map(|to| live_ranges.position(to)) {
                low[from] = low[from].min(to.saturating_sub(1));
                high[from] = high[from].max(to);
                let to = to as usize;
                low[to] = low[to].min(from as u32);
                high[to] = high[to].max(from as u32 + 1);
            }
        }
        Reach { low: tables(low, u32::min), high: tables(high, u32::max) }
    }

    /// Returns true if the blocks between two are reached only from there or the first, and lead
    /// only there or to the last.
    fn stays(&self, first: u32, last: u32) -> bool {
        first + 1 == last
            || best(&self.low, first + 1, last, u32::min) >= first
                && best(&self.high, first + 1, last, u32::max) <= last
    }
}

/// For each power of two the best entry of each run of that length, to find the best of any run.
pub fn tables(entries: Vec<u32>, best: fn(u32, u32) -> u32) -> Vec<Vec<u32>> {
    let mut tables = vec![entries];
    let mut half = 1;
    while 2 * half <= tables[0].len() {
        let last = &tables[tables.len() - 1];
        let next = (0..=tables[0].len() - 2 * half).map(|at| best(last[at], last[at + half]));
        let next = next.collect();
        tables.push(next);
        half *= 2;
    }
    tables
}

/// The best entry from `start` on and before `end`; there must be one.
pub fn best(tables: &[Vec<u32>], start: u32, end: u32, best: fn(u32, u32) -> u32) -> u32 {
    let power = (end - start).ilog2();
    let table = &tables[power as usize];
    best(table[start as usize], table[(end - (1 << power)) as usize])
}

/// By position: true if a path leads to the end of the thread.
fn ending(function: &Function, live_ranges: &LiveRanges) -> Vec<bool> {
    let mut ends = vec![false; live_ranges.len()];
    let order = (0..).zip(live_ranges.cycles.order());
    let last = order.filter(|&(_, &block)| function.successors(block).next().is_none());
    let mut pending: Vec<u32> = last.map(|(position, _)| position).collect();
    while let Some(position) = pending.pop() {
        if !std::mem::replace(&mut ends[position as usize], true) {
            pending.extend(&live_ranges.predecessors[position as usize]);
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::random::{Random, graph};

    #[test]
    fn agrees_with_a_walk_block_by_block() {
        let mut random = Random(7);
        let mut passed = 0;
        for iteration in 0..4000 {
            let function = graph(&mut random, iteration % 4 == 0);
            let live_ranges = LiveRanges::new(&function);
            let count = live_ranges.len();
            passed += live_ranges.step.iter().flatten().count();
            let mut definitions: Vec<u32> =
                (0..random.below(3)).map(|_| random.below(count) as u32).chain([0]).collect();
            definitions.sort();
            definitions.dedup();
            let uses: Vec<u32> =
                (0..1 + random.below(3)).map(|_| random.below(count) as u32).collect();
            let uses: Vec<u32> = uses.into_iter().filter(|&at| at != 0).collect();
            let mut expected = vec![false; count];
            let mut pending = uses.clone();
            while let Some(at) = pending.pop() {
                if !std::mem::replace(&mut expected[at as usize], true) {
                    let from = live_ranges.predecessors[at as usize].iter();
                    pending.extend(from.filter(|from| !definitions.contains(from)));
                }
            }
            let mut found = vec![false; count];
            for (start, end) in live_ranges.live(&definitions, uses.iter().copied()) {
                (start..end).for_each(|at| found[at as usize] = true);
            }
            assert_eq!(found, expected, "{function}\n{definitions:?} {uses:?}");
        }
        assert!(passed > 10_000, "hardly anything was passed over: {passed}");
    }
}

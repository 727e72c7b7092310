//! Cycles of any shape, nested, and an order in which each is contiguous.
//!
//! A cycle is a strongly connected part of the graph; inside it, without its header, are the inner
//! ones (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993). A cycle that
//! can only be entered at its header is a natural loop; one with several entries is irreducible.
//! Divergence needs both kinds: threads count the rounds of a natural loop at its header, and
//! there is no such place in the other kind.

use crate::ir::{Block, Function};

/// A cycle; the position in [`Cycles::all`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CycleId(pub u32);

/// A strongly connected part of the control-flow graph.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// The entry that a walk from the function's start meets first.
    pub header: Block,
    /// The blocks where control can enter, sorted; one for a natural loop.
    pub entries: Vec<Block>,
    /// The blocks outside to which control can leave, sorted.
    pub exits: Vec<Block>,
    /// The smallest cycle around it.
    pub parent: Option<CycleId>,
    /// Its blocks are those at these positions of the order.
    start: u32,
    end: u32,
}

impl Cycle {
    /// The position of its first block in the order, the header.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// Returns true if control can enter at one place only.
    pub fn is_natural(&self) -> bool {
        self.entries.len() == 1
    }
}

/// The cycles of a function.
#[derive(Clone, Debug)]
pub struct Cycles {
    /// Each before those inside it.
    pub all: Vec<Cycle>,
    innermost: Vec<Option<CycleId>>,
    /// By block: its position in the order; `u32::MAX` when it cannot be reached.
    position: Vec<u32>,
    order: Vec<Block>,
}

/// The remaining work: the order is written from its start to its end.
enum Task {
    Block(Block),
    /// The blocks of a part of the graph, inside a cycle.
    Part(Vec<Block>, Option<CycleId>),
    Component(Vec<Block>, Option<CycleId>),
    Close(CycleId),
}

impl Cycles {
    /// Finds the cycles; the cost is the number of edges times the depth of nesting.
    pub fn new(function: &Function) -> Cycles {
        let count = function.blocks.len();
        let reachable = function.reverse_postorder();
        let mut finder = Finder {
            function,
            predecessors: function.predecessors(),
            rank: vec![u32::MAX; count],
            part: vec![0; count],
            parts: 0,
            tarjan: vec![Visit::default(); count],
            found: Cycles {
                all: Vec::new(),
                innermost: vec![None; count],
                position: vec![u32::MAX; count],
                order: Vec::new(),
            },
        };
        for (rank, block) in reachable.iter().enumerate() {
            finder.rank[block.index()] = rank as u32;
        }
        finder.run(reachable);
        finder.leave();
        finder.found
    }

    /// A cycle.
    pub fn get(&self, id: CycleId) -> &Cycle {
        &self.all[id.0 as usize]
    }

    /// The reachable blocks: each before its successors, but for edges back to headers (and, in
    /// irreducible cycles, to other entries), the blocks of every cycle contiguous.
    pub fn order(&self) -> &[Block] {
        &self.order
    }

    /// The position in [`Cycles::order`]; `None` when it cannot be reached.
    pub fn position(&self, block: Block) -> Option<u32> {
        Some(self.position[block.index()]).filter(|&at| at != u32::MAX)
    }

    /// The position after the last block of a cycle.
    pub fn end(&self, id: CycleId) -> u32 {
        self.get(id).end
    }

    /// The smallest cycle that a block is in.
    pub fn innermost(&self, block: Block) -> Option<CycleId> {
        self.innermost[block.index()]
    }

    /// The cycles around a block, from the inside out.
    pub fn around(&self, block: Block) -> impl Iterator<Item = CycleId> + '_ {
        self.outwards(self.innermost(block))
    }

    /// A cycle and those around it, from the inside out.
    pub fn outwards(&self, from: Option<CycleId>) -> impl Iterator<Item = CycleId> + '_ {
        std::iter::successors(from, |&id| self.get(id).parent)
    }

    /// Returns true if a block is in a cycle or in one inside it.
    pub fn contains(&self, id: CycleId, block: Block) -> bool {
        let (cycle, at) = (self.get(id), self.position[block.index()]);
        cycle.start <= at && at < cycle.end
    }

    /// The blocks of a cycle, in order.
    pub fn blocks(&self, id: CycleId) -> &[Block] {
        let cycle = self.get(id);
        &self.order[cycle.start as usize..cycle.end as usize]
    }

    /// Returns true if a path may lead from a block to another, as far as the order shows: `false`
    /// is certain.
    pub fn may_reach(&self, from: Block, to: Block) -> bool {
        self.position[from.index()] < self.position[to.index()]
            || self.around(from).any(|id| self.contains(id, to))
    }
}

#[derive(Clone, Copy, Default)]
struct Visit {
    /// The part in which the number was given.
    part: u32,
    number: u32,
    low: u32,
    on_stack: bool,
}

struct Finder<'a> {
    function: &'a Function,
    predecessors: Vec<Vec<Block>>,
    /// Position in the reverse postorder.
    rank: Vec<u32>,
    /// The part of the graph that each block belongs to at the moment.
    part: Vec<u32>,
    parts: u32,
    tarjan: Vec<Visit>,
    found: Cycles,
}

impl Finder<'_> {
    fn run(&mut self, reachable: Vec<Block>) {
        let mut tasks = vec![Task::Part(reachable, None)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Block(block) => self.emit(block),
                Task::Part(blocks, parent) => {
                    // Tarjan's algorithm finds components after others first, so that the first
                    // in the order ends up on top of the tasks.
                    for component in self.components(&blocks) {
                        tasks.push(match component[..] {
                            [block] if !self.function.successors(block).any(|to| to == block) => {
                                self.found.innermost[block.index()] = parent;
                                Task::Block(block)
                            }
                            _ => Task::Component(component, parent),
                        });
                    }
                }
                Task::Component(blocks, parent) => {
                    let id = self.open(&blocks, parent);
                    let header = self.found.get(id).header;
                    tasks.push(Task::Close(id));
                    let rest = blocks.into_iter().filter(|&block| block != header).collect();
                    tasks.push(Task::Part(rest, Some(id)));
                }
                Task::Close(id) => {
                    self.found.all[id.0 as usize].end = self.found.order.len() as u32;
                }
            }
        }
    }

    fn emit(&mut self, block: Block) {
        self.found.position[block.index()] = self.found.order.len() as u32;
        self.found.order.push(block);
    }

    /// Makes a cycle of a component and puts its header into the order.
    fn open(&mut self, blocks: &[Block], parent: Option<CycleId>) -> CycleId {
        self.parts += 1;
        for block in blocks {
            self.part[block.index()] = self.parts;
        }
        let enters = |block: &&Block| {
            let mut from = self.predecessors[block.index()].iter();
            **block == Block::ENTRY
                || from.any(|from| {
                    let at = from.index();
                    self.part[at] != self.parts && self.rank[at] != u32::MAX
                })
        };
        let mut entries: Vec<Block> = blocks.iter().filter(enters).copied().collect();
        entries.sort();
        let first = entries.iter().min_by_key(|block| self.rank[block.index()]);
        let header = first.copied().unwrap_or(blocks[0]);
        let id = CycleId(self.found.all.len() as u32);
        let start = self.found.order.len() as u32;
        let exits = Vec::new();
        self.found.all.push(Cycle { header, entries, exits, parent, start, end: start });
        self.found.innermost[header.index()] = Some(id);
        self.emit(header);
        id
    }

    /// The strongly connected components of a part, in reversed order: each follows those that it
    /// leads to, so the last in control flow is first.
    fn components(&mut self, blocks: &[Block]) -> Vec<Vec<Block>> {
        self.parts += 1;
        let part = self.parts;
        for block in blocks {
            self.part[block.index()] = part;
        }
        let mut roots = blocks.to_vec();
        roots.sort_by_key(|block| self.rank[block.index()]);
        let mut state = Tarjan { found: Vec::new(), stack: Vec::new(), next: 0 };
        for root in roots {
            if self.tarjan[root.index()].part != part {
                self.visit(root, part, &mut state);
            }
        }
        state.found
    }

    fn visit(&mut self, root: Block, part: u32, state: &mut Tarjan) {
        let mut path = vec![(root, self.enter(root, part, state))];
        while let Some((block, pending)) = path.last_mut() {
            let block = *block;
            let Some(next) = pending.pop() else {
                path.pop();
                self.finish(block, state);
                if let Some(&(above, _)) = path.last() {
                    let low = self.tarjan[block.index()].low;
                    let visit = &mut self.tarjan[above.index()];
                    visit.low = visit.low.min(low);
                }
                continue;
            };
            let seen = self.tarjan[next.index()];
            if seen.part != part {
                let pending = self.enter(next, part, state);
                path.push((next, pending));
            } else if seen.on_stack {
                let visit = &mut self.tarjan[block.index()];
                visit.low = visit.low.min(seen.number);
            }
        }
    }

    fn enter(&mut self, block: Block, part: u32, state: &mut Tarjan) -> Vec<Block> {
        let number = state.next;
        state.next += 1;
        self.tarjan[block.index()] = Visit { part, number, low: number, on_stack: true };
        state.stack.push(block);
        self.function.successors(block).filter(|to| self.part[to.index()] == part).collect()
    }

    fn finish(&mut self, block: Block, state: &mut Tarjan) {
        let visit = self.tarjan[block.index()];
        if visit.low != visit.number {
            return;
        }
        let mut component = Vec::new();
        while let Some(member) = state.stack.pop() {
            self.tarjan[member.index()].on_stack = false;
            component.push(member);
            if member == block {
                break;
            }
        }
        component.reverse();
        state.found.push(component);
    }

    /// Notes where control leaves each cycle.
    fn leave(&mut self) {
        for at in 0..self.found.order.len() {
            let block = self.found.order[at];
            for to in self.function.successors(block) {
                let left: Vec<CycleId> = self
                    .found
                    .around(block)
                    .take_while(|&id| !self.found.contains(id, to))
                    .collect();
                for id in left {
                    self.found.all[id.0 as usize].exits.push(to);
                }
            }
        }
        for cycle in &mut self.found.all {
            cycle.exits.sort();
            cycle.exits.dedup();
        }
    }
}

struct Tarjan {
    found: Vec<Vec<Block>>,
    stack: Vec<Block>,
    next: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    fn cycles(blocks: &str) -> Cycles {
        let text = format!("kernel k {{\nb0:\n %0 = const.pred true\n {blocks}\n}}");
        Cycles::new(&parse(&text).unwrap().functions.remove(0))
    }

    #[test]
    fn the_blocks_of_a_loop_come_before_its_exits() {
        let found = cycles(
            "jump b1\nb1:\n branch %0, b2, b3\nb2:\n jump b1\nb3:\n branch %0, b4, b1\nb4:\n return",
        );
        assert_eq!(found.all.len(), 1);
        assert_eq!(found.order().last(), Some(&Block(4)));
        assert!(found.all[0].is_natural());
        assert_eq!(found.all[0].exits, [Block(4)]);
    }

    #[test]
    fn loops_nest() {
        let found = cycles(
            "jump b1\nb1:\n branch %0, b2, b4\nb2:\n branch %0, b2, b3\nb3:\n jump b1\nb4:\n return",
        );
        let around: Vec<_> = found.around(Block(2)).map(|id| found.get(id).header.0).collect();
        assert_eq!(around, [2, 1]);
        assert!(found.may_reach(Block(3), Block(2)));
        assert!(!found.may_reach(Block(4), Block(2)));
    }

    #[test]
    fn a_cycle_with_two_entries_is_irreducible() {
        let found =
            cycles("branch %0, b1, b2\nb1:\n jump b2\nb2:\n branch %0, b1, b3\nb3:\n return");
        assert_eq!(found.all[0].entries, [Block(1), Block(2)]);
        assert!(!found.all[0].is_natural());
    }
}

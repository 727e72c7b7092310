//! Dominators and post-dominators.

use super::lengauer_tarjan::immediate_dominators;
use crate::ir::{Block, Function};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

/// For every block the one that is passed last before it (or, for post-dominators, first after
/// it) on every path.
#[derive(Clone, Debug)]
pub struct DominatorTree {
    /// The immediate dominator, by block.
    parent: Vec<Option<Block>>,
    /// Blocks that have this one as immediate dominator, by block.
    children: Vec<Vec<Block>>,
    roots: Vec<Block>,
    /// The times at which a walk of the tree enters and leaves the block; `None` outside the tree.
    interval: Vec<Option<(u32, u32)>>,
    /// A block further up, by block, and how deep a block lies in the tree.
    jump: Vec<(Option<Block>, u32)>,
}

type Graph = DiGraph<(), ()>;

fn node(block: Block) -> NodeIndex {
    NodeIndex::new(block.index())
}

/// The control-flow graph with one more node, the virtual exit.
fn graph(function: &Function) -> (Graph, NodeIndex) {
    let mut graph = Graph::new();
    for _ in 0..function.blocks.len() {
        graph.add_node(());
    }
    for block in function.existing_blocks() {
        for target in function.successors(block) {
            graph.add_edge(node(block), node(target), ());
        }
    }
    let exit = graph.add_node(());
    (graph, exit)
}

/// Joins to the virtual exit one block of every strongly connected component that control cannot
/// leave: a returning block, or a block of an endless loop. Without the latter, a branch with one
/// endless path would seem to reconverge on the other path, which is false.
fn join_exit(graph: &mut Graph, exit: NodeIndex, function: &Function) {
    let components = kosaraju_scc(&*graph);
    let mut number = vec![0; graph.node_count()];
    for (index, component) in components.iter().enumerate() {
        component.iter().for_each(|at| number[at.index()] = index);
    }
    for (index, component) in components.iter().enumerate() {
        let leaves = component
            .iter()
            .any(|&from| graph.edges(from).any(|edge| number[edge.target().index()] != index));
        let first = component.iter().copied().min();
        let exists =
            |at: NodeIndex| at != exit && !function.blocks[at.index()].instructions.is_empty();
        if let Some(block) = first.filter(|&at| !leaves && exists(at)) {
            graph.add_edge(block, exit, ());
        }
    }
}

impl DominatorTree {
    /// The dominators: the root is the entry.
    pub fn dominators(function: &Function) -> DominatorTree {
        let edges = function
            .existing_blocks()
            .flat_map(|from| function.successors(from).map(move |to| (from.0, to.0)));
        let edges: Vec<_> = edges.collect();
        let parent = immediate_dominators(function.blocks.len(), &edges, Block::ENTRY.0);
        let parent = parent.into_iter().map(|at| at.map(Block)).collect();
        DominatorTree::new(parent, vec![Block::ENTRY])
    }

    /// The post-dominators: the root is a virtual exit after every return and every endless
    /// loop; a block whose immediate post-dominator it is has none.
    pub fn post_dominators(function: &Function) -> DominatorTree {
        let (mut graph, exit) = graph(function);
        join_exit(&mut graph, exit, function);
        let reversed = graph.edge_references();
        let reversed: Vec<_> = reversed
            .map(|edge| (edge.target().index() as u32, edge.source().index() as u32))
            .collect();
        let exit = exit.index() as u32;
        let found = immediate_dominators(graph.node_count(), &reversed, exit);
        let mut roots = Vec::new();
        let mut parent = vec![None; function.blocks.len()];
        for block in function.existing_blocks() {
            match found[block.index()] {
                Some(at) if at != exit => parent[block.index()] = Some(Block(at)),
                Some(_) => roots.push(block),
                None => {}
            }
        }
        DominatorTree::new(parent, roots)
    }

    fn new(parent: Vec<Option<Block>>, roots: Vec<Block>) -> DominatorTree {
        let mut children = vec![Vec::new(); parent.len()];
        for (index, parent) in parent.iter().enumerate() {
            if let Some(parent) = parent {
                children[parent.index()].push(Block(index as u32));
            }
        }
        let interval = vec![None; parent.len()];
        let jump = vec![(None, 0); parent.len()];
        let mut tree = DominatorTree { parent, children, roots, interval, jump };
        tree.number();
        tree.find_jumps();
        tree
    }

    /// From each block one jump as far up as its parent's next two are together, if those are
    /// equally long, else to the parent (Myers, "An applicative random-access stack", 1983): every
    /// ancestor can be reached in logarithmically many jumps and steps.
    fn find_jumps(&mut self) {
        for block in self.preorder() {
            let Some(parent) = self.parent(block) else {
                continue;
            };
            let (first, depth) = self.jump[parent.index()];
            let far = first.and_then(|first| {
                let (second, middle) = self.jump[first.index()];
                let second = second?;
                let (_, end) = self.jump[second.index()];
                (depth - middle == middle - end).then_some(second)
            });
            self.jump[block.index()] = (Some(far.unwrap_or(parent)), depth + 1);
        }
    }

    fn number(&mut self) {
        let mut clock = 0;
        for &root in &self.roots {
            let mut stack = vec![(root, 0)];
            let mut entered = vec![clock];
            clock += 1;
            while let Some((block, next)) = stack.last_mut() {
                if let Some(&child) = self.children[block.index()].get(*next) {
                    *next += 1;
                    stack.push((child, 0));
                    entered.push(clock);
                } else {
                    let start = entered.pop().unwrap_or_default();
                    self.interval[block.index()] = Some((start, clock));
                    stack.pop();
                }
                clock += 1;
            }
        }
    }

    /// The immediate dominator of a block.
    pub fn parent(&self, block: Block) -> Option<Block> {
        self.parent[block.index()]
    }

    /// The blocks that have this one as immediate dominator, in the order of their numbers.
    pub fn children(&self, block: Block) -> &[Block] {
        &self.children[block.index()]
    }

    /// Returns true if `above` is on every path to (or, for post-dominators, from) `below`; a block
    /// dominates itself.
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        match (self.interval[above.index()], self.interval[below.index()]) {
            (Some((start, end)), Some((from, to))) => start <= from && to <= end,
            _ => false,
        }
    }

    /// The block right below `above` in the tree that dominates `below`; `None` when `above` does
    /// not, or is the same.
    pub fn child_towards(&self, above: Block, below: Block) -> Option<Block> {
        let (at, _) = self.interval[below.index()]?;
        let children = self.children(above);
        let start = |child: Block| self.interval[child.index()].map_or(0, |(start, _)| start);
        // Children are walked in this order.
        let next = children.partition_point(|&child| start(child) <= at);
        let child = *children.get(next.checked_sub(1)?)?;
        self.dominates(child, below).then_some(child)
    }

    /// The lowest block that dominates both, if any does.
    pub fn common(&self, one: Block, other: Block) -> Option<Block> {
        let mut at = one;
        while !self.dominates(at, other) {
            let (far, _) = self.jump[at.index()];
            let far = far.filter(|&far| !self.dominates(far, other));
            at = match far {
                Some(far) => far,
                None => self.parent(at)?,
            };
        }
        Some(at)
    }

    /// The blocks of the tree, each before those it dominates.
    pub fn preorder(&self) -> Vec<Block> {
        let mut order = Vec::new();
        let mut stack: Vec<Block> = self.roots.iter().rev().copied().collect();
        while let Some(block) = stack.pop() {
            order.push(block);
            stack.extend(self.children(block).iter().rev());
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    fn post_dominators(blocks: &str) -> Vec<Option<u32>> {
        let text = format!("kernel k {{\nb0:\n %0 = const.pred true\n {blocks}\n}}");
        let function = parse(&text).unwrap().functions.remove(0);
        let tree = DominatorTree::post_dominators(&function);
        function.existing_blocks().map(|block| tree.parent(block).map(|at| at.0)).collect()
    }

    #[test]
    fn common_dominators_are_found_by_jumps() {
        let mut text = "kernel k {\nb0:\n %0 = const.pred true\n jump b1\n".to_string();
        // A chain with a side arm at each block.
        for at in 0..100 {
            let (here, side, next) = (2 * at + 1, 2 * at + 2, 2 * at + 3);
            text += &format!("b{here}:\n branch %0, b{side}, b{next}\nb{side}:\n return\n");
        }
        text += "b201:\n return\n}";
        let function = parse(&text).unwrap().functions.remove(0);
        let tree = DominatorTree::dominators(&function);
        for one in 0..100 {
            for other in 0..100 {
                let common = Block(2 * one.min(other) + 1);
                assert_eq!(tree.common(Block(2 * one + 1), Block(2 * other + 1)), Some(common));
                assert_eq!(tree.common(Block(2 * one + 2), Block(2 * other + 1)), Some(common));
                let next = (one < other).then_some(Block(2 * one + 3));
                assert_eq!(tree.child_towards(Block(2 * one + 1), Block(2 * other + 1)), next);
            }
        }
    }

    #[test]
    fn arms_meet_behind_the_branch() {
        let found =
            post_dominators("branch %0, b1, b2\nb1:\n jump b3\nb2:\n jump b3\nb3:\n return");
        assert_eq!(found, [Some(3), Some(3), Some(3), None]);
    }

    #[test]
    fn several_returns_meet_at_the_virtual_exit() {
        let found = post_dominators("branch %0, b1, b2\nb1:\n return\nb2:\n return");
        assert_eq!(found, [None, None, None]);
    }

    /// Without the edge from the endless loop b1 to the virtual exit, b2 would be taken for the
    /// post-dominator of b0.
    #[test]
    fn an_endless_side_never_meets_the_other() {
        let found = post_dominators("branch %0, b1, b2\nb1:\n jump b1\nb2:\n return");
        assert_eq!(found, [None, None, None]);
    }

    #[test]
    fn an_endless_loop_of_several_blocks_has_post_dominators_inside() {
        let found = post_dominators(
            "branch %0, b1, b4\nb1:\n branch %0, b2, b3\nb2:\n jump b3\nb3:\n jump b1\nb4:\n return",
        );
        assert_eq!(found[2..], [Some(3), Some(1), None]);
        assert_eq!(found[0], None);
    }

    #[test]
    fn a_loop_meets_at_its_exit() {
        let found =
            post_dominators("jump b1\nb1:\n branch %0, b2, b3\nb2:\n jump b1\nb3:\n return");
        assert_eq!(found, [Some(1), Some(3), Some(1), None]);
    }
}

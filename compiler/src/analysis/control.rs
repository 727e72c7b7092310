//! Control dependence: which branches decide whether a block is executed (Ferrante, Ottenstein
//! and Warren, 1987).

use super::dominators::DominatorTree;
use crate::ir::{Block, Function};

/// The branches that directly decide about each block.
#[derive(Clone, Debug)]
pub struct ControlDependence {
    deciders: Vec<Vec<Block>>,
    decided: Vec<Vec<Block>>,
}

impl ControlDependence {
    /// A block depends on a branch when it is on every path from one of its targets, but not on
    /// every path from the other. The cost is the size of the answer.
    pub fn new(function: &Function, post: &DominatorTree) -> ControlDependence {
        let count = function.blocks.len();
        let mut found = ControlDependence {
            deciders: vec![Vec::new(); count],
            decided: vec![Vec::new(); count],
        };
        for branch in function.existing_blocks() {
            let targets: Vec<Block> = function.successors(branch).collect();
            if targets.len() < 2 {
                continue;
            }
            for target in targets {
                let mut at = Some(target);
                while let Some(block) = at.filter(|&block| Some(block) != post.parent(branch)) {
                    if found.deciders[block.index()].last() != Some(&branch) {
                        found.deciders[block.index()].push(branch);
                        found.decided[branch.index()].push(block);
                    }
                    at = post.parent(block);
                }
            }
        }
        found
    }

    /// The blocks whose branches directly decide whether a block is executed, sorted. A loop's
    /// exit branch decides about itself.
    pub fn deciders(&self, block: Block) -> &[Block] {
        &self.deciders[block.index()]
    }

    /// The blocks that the branch at the end of a block directly decides about.
    pub fn decided(&self, branch: Block) -> &[Block] {
        &self.decided[branch.index()]
    }

    /// For each block the worst result of `of` for the branches that decide, directly or through
    /// other branches, if it is executed; the best when there are none.
    pub fn fold<T: Copy + Ord>(&self, best: T, of: impl Fn(Block) -> T) -> Vec<T> {
        let mut found = vec![best; self.deciders.len()];
        let mut queued = vec![true; self.deciders.len()];
        let mut pending: Vec<Block> = (0..self.deciders.len() as u32).rev().map(Block).collect();
        while let Some(branch) = pending.pop() {
            queued[branch.index()] = false;
            if self.decided[branch.index()].is_empty() {
                continue;
            }
            let worst = of(branch).min(found[branch.index()]);
            for &block in &self.decided[branch.index()] {
                if worst < found[block.index()] {
                    found[block.index()] = worst;
                    if !std::mem::replace(&mut queued[block.index()], true) {
                        pending.push(block);
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    #[test]
    fn a_loop_decides_about_itself_and_a_return_about_the_rest() {
        let text = "kernel k {\nb0:\n %0 = const.pred true\n branch %0, b1, b2\nb1:\n return\nb2:\n \
                    jump b3\nb3:\n branch %0, b3, b4\nb4:\n return\n}";
        let function = parse(text).unwrap().functions.remove(0);
        let found = ControlDependence::new(&function, &DominatorTree::post_dominators(&function));
        assert_eq!(found.deciders(Block(3)), [Block(0), Block(3)]);
        assert_eq!(found.deciders(Block(4)), [Block(0)]);
        let worst = found.fold(9, |branch| branch.0);
        assert_eq!(worst, [9, 0, 0, 0, 0]);
    }
}

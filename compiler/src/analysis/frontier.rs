//! The first blocks that control reaches after a block and after everything reached only through
//! it.
//!
//! This is the dominance frontier (Cytron and others, "Efficiently Computing Static Single
//! Assignment Form and the Control Dependence Graph", 1991), extended for cycles: blocks outside a
//! block's innermost cycle count as after it too. A walk along paths from a branch can jump from a
//! block to its frontier: no path from elsewhere ends between the two. Otherwise each of many exits
//! of one loop would be followed through all blocks after it.

use super::cycles::Cycles;
use super::dominators::DominatorTree;
use crate::ir::{Block, Function};

/// The frontiers of a function's blocks, where they are small.
#[derive(Clone, Debug, Default)]
pub struct Frontiers {
    of: Vec<Option<Vec<Block>>>,
}

/// The most blocks of a frontier, and the most that are examined to find one.
const MOST: usize = 16;

impl Frontiers {
    /// Finds the frontiers from the last block to the first. None are known when a cycle has
    /// several entries: dominators tell little then.
    pub fn new(function: &Function, cycles: &Cycles, dominators: &DominatorTree) -> Frontiers {
        let mut found = Frontiers { of: vec![None; function.blocks.len()] };
        if cycles.all.iter().all(|cycle| cycle.is_natural()) {
            for &block in cycles.order().iter().rev() {
                let frontier = found.find(function, cycles, dominators, block);
                found.of[block.index()] = frontier;
            }
        }
        found
    }

    /// The blocks that control first reaches after a block, sorted; `None` when there are too many.
    pub fn of(&self, block: Block) -> Option<&[Block]> {
        self.of.get(block.index())?.as_deref()
    }

    fn find(
        &self,
        function: &Function,
        cycles: &Cycles,
        dominators: &DominatorTree,
        block: Block,
    ) -> Option<Vec<Block>> {
        let around = cycles.innermost(block);
        if let Some(id) = around.filter(|&id| cycles.get(id).header == block) {
            // A cycle is one place for a walk from outside.
            let exits = &cycles.get(id).exits;
            return (exits.len() <= MOST).then(|| exits.clone());
        }
        let is_inside = |at: Block| {
            let stays = around.is_none_or(|id| cycles.contains(id, at));
            stays && at != block && dominators.dominates(block, at)
        };
        let mut pending: Vec<Block> = function.successors(block).collect();
        let (mut seen, mut found) = (Vec::new(), Vec::new());
        while let Some(at) = pending.pop() {
            if seen.contains(&at) {
                continue;
            }
            seen.push(at);
            if seen.len() > MOST {
                return None;
            }
            match is_inside(at) {
                true => pending.extend(self.of(at)?),
                false => found.push(at),
            }
        }
        found.sort();
        Some(found)
    }
}

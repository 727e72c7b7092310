//! Natural loops: a block that dominates a predecessor of its own heads one.

use super::dominators::DominatorTree;
use crate::ir::{Block, Function};

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The block through which every path into the loop leads.
    pub header: Block,
    /// All blocks, sorted, those of inner loops included.
    pub blocks: Vec<Block>,
}

/// The loops of a function. Cycles with several entries are not among them.
#[derive(Clone, Debug)]
pub struct Loops {
    /// The loops in the order of their headers; an outer loop may follow an inner one.
    pub loops: Vec<Loop>,
    depth: Vec<u32>,
}

impl Loops {
    /// Finds the loops.
    pub fn new(function: &Function, dominators: &DominatorTree) -> Loops {
        let predecessors = function.predecessors();
        let mut depth = vec![0; function.blocks.len()];
        let mut loops = Vec::new();
        let mut stamp = vec![u32::MAX; function.blocks.len()];
        for header in function.existing_blocks() {
            let latches = predecessors[header.index()].iter().copied();
            let mut pending: Vec<Block> =
                latches.filter(|&latch| dominators.dominates(header, latch)).collect();
            if pending.is_empty() {
                continue;
            }
            stamp[header.index()] = header.0;
            let mut blocks = vec![header];
            while let Some(block) = pending.pop() {
                if stamp[block.index()] != header.0 {
                    stamp[block.index()] = header.0;
                    blocks.push(block);
                    pending.extend(&predecessors[block.index()]);
                }
            }
            blocks.sort();
            for block in &blocks {
                depth[block.index()] += 1;
            }
            loops.push(Loop { header, blocks });
        }
        Loops { loops, depth }
    }

    /// The number of loops around a block.
    pub fn depth(&self, block: Block) -> u32 {
        self.depth[block.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    #[test]
    fn nested_loops_have_depths() {
        let text = "kernel k {\nb0:\n %0 = const.pred true\n jump b1\nb1:\n branch %0, b2, b4\n\
                    b2:\n branch %0, b2, b3\nb3:\n jump b1\nb4:\n return\n}";
        let function = parse(text).unwrap().functions.remove(0);
        let loops = Loops::new(&function, &DominatorTree::dominators(&function));
        let depths: Vec<u32> = (0..5).map(|block| loops.depth(Block(block))).collect();
        assert_eq!(depths, [0, 1, 2, 1, 0]);
        assert_eq!(loops.loops.len(), 2);
    }
}

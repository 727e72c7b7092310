//! The basic blocks of machine code and the branches at which a warp may diverge.

use reconverge_isa::{Effect, Instruction};
use std::ops::Range;

/// The control-flow graph of a kernel's code. A branch is the last instruction of its block; its
/// target and its reconvergence point begin one.
#[derive(Clone, Debug)]
pub struct Graph {
    /// First instruction of each block, and the end of the code.
    starts: Vec<usize>,
    successors: Vec<Vec<usize>>,
    predecessors: Vec<Vec<usize>>,
}

/// A branch that lanes of one warp may leave on both paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DivergentBranch {
    /// The block that it ends.
    pub block: usize,
    /// The blocks where its taken and its fall-through path begin.
    pub paths: [usize; 2],
    /// The block at which the paths reconverge; `None` when they do so only at exit.
    pub reconvergence: Option<usize>,
}

/// Returns true if an instruction is a branch that only some lanes may take.
pub fn may_diverge(instruction: &Instruction) -> bool {
    let is_branch = instruction.op.row().effect == Effect::Branch;
    is_branch && instruction.is_conditional() && !instruction.annotations.uniform
}

impl Graph {
    /// Finds the blocks. Targets outside of the code are left out; a valid kernel has none.
    pub fn new(code: &[Instruction]) -> Graph {
        let mut starts = vec![0, code.len()];
        for (index, instruction) in code.iter().enumerate() {
            let effect = instruction.op.row().effect;
            if effect == Effect::Branch {
                let points = [Some(instruction.target), instruction.annotations.reconverge];
                starts.extend(points.into_iter().flatten().map(|at| at as usize));
            }
            if matches!(effect, Effect::Branch | Effect::Exit) {
                starts.push(index + 1);
            }
        }
        starts.retain(|&start| start <= code.len());
        starts.sort_unstable();
        starts.dedup();
        let count = starts.len().saturating_sub(1);
        let mut graph = Graph {
            starts,
            successors: vec![Vec::new(); count],
            predecessors: vec![Vec::new(); count],
        };
        for block in 0..count {
            for next in graph.follows(code, block) {
                graph.successors[block].push(next);
                graph.predecessors[next].push(block);
            }
        }
        graph
    }

    /// The successors of a block: the target first.
    fn follows(&self, code: &[Instruction], block: usize) -> Vec<usize> {
        let end = self.starts[block + 1];
        let last = &code[end - 1];
        let effect = last.op.row().effect;
        let target = (effect == Effect::Branch).then_some(last.target as usize);
        let goes_on = last.is_conditional() || !matches!(effect, Effect::Branch | Effect::Exit);
        let next = goes_on.then_some(end);
        let mut found: Vec<usize> =
            [target, next].into_iter().flatten().filter_map(|at| self.starting_at(at)).collect();
        found.dedup();
        found
    }

    /// The block that begins with an instruction.
    pub fn starting_at(&self, index: usize) -> Option<usize> {
        self.starts.binary_search(&index).ok().filter(|&block| block < self.len())
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Returns true if the code is empty.
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// The instructions of a block.
    pub fn instructions(&self, block: usize) -> Range<usize> {
        self.starts[block]..self.starts[block + 1]
    }

    /// The blocks that control goes to after a block.
    pub fn successors(&self, block: usize) -> &[usize] {
        &self.successors[block]
    }

    /// The predecessors of a block.
    pub fn predecessors(&self, block: usize) -> &[usize] {
        &self.predecessors[block]
    }

    /// The block that control runs on into after the last instruction of a block, without a jump.
    pub fn falls_into(&self, code: &[Instruction], block: usize) -> Option<usize> {
        let end = self.starts[block + 1];
        let last = &code[end - 1];
        let leaves = matches!(last.op.row().effect, Effect::Branch | Effect::Exit);
        let next = self.starting_at(end);
        next.filter(|_| last.is_conditional() || !leaves)
    }

    /// The branches that may diverge, in order.
    pub fn branches(&self, code: &[Instruction]) -> Vec<DivergentBranch> {
        let of = |block: usize| {
            let last = &code[self.starts[block + 1] - 1];
            // A branch to the next instruction diverges too, unless the next instruction is its reconvergence point.
            let (&one, &other) = (self.successors(block).first()?, self.successors(block).last()?);
            let reconvergence = last.annotations.reconverge;
            let reconvergence = reconvergence.and_then(|at| self.starting_at(at as usize));
            may_diverge(last).then_some(DivergentBranch {
                block,
                paths: [one, other],
                reconvergence,
            })
        };
        (0..self.len()).filter_map(of).collect()
    }
}

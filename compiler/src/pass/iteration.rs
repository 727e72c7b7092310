//! Loops as unrolling sees them: their one test, and copies of their iterations.

use super::edit::Entered;
use crate::ir::{Block, Function, Instruction, Kind, Location, Value};
use rustc_hash::FxHashMap;

/// A loop whose one exit is the test at its end: every thread that is in it makes whole iterations.
#[derive(Clone, Copy)]
pub(crate) struct Tested {
    pub latch: Block,
    pub exit: Block,
    /// The branch that ends the latch, and its condition.
    pub test: Value,
    pub condition: Value,
    /// True if the loop continues if the condition holds.
    pub stays: bool,
}

impl Tested {
    /// The loop as such a one, if it is; `entering` leads to its header.
    pub fn of(function: &Function, found: &Entered, entering: &[Block]) -> Option<Tested> {
        let &[one, other] = entering else {
            return None;
        };
        let latch = if one == found.preheader { other } else { one };
        let leaves =
            |block: Block| function.successors(block).any(|target| !found.contains(target));
        if !found.blocks.iter().all(|&block| (block == latch) == leaves(block)) {
            return None;
        }
        let test = function.terminator(latch)?;
        let &Kind::Branch(condition, then, otherwise) = function.kind(test) else {
            return None;
        };
        let stays = then == found.header;
        let exit = if stays { otherwise } else { then };
        Some(Tested { latch, exit, test, condition, stays })
    }

    /// The exit is reached from another block than the latch.
    pub fn leave_from(&self, function: &mut Function, block: Block) {
        for phi in function.phis(self.exit).collect::<Vec<_>>() {
            let kind = &mut function.values[phi.index()].kind;
            kind.map_blocks(|from| if from == self.latch { block } else { from });
        }
    }

    /// The source place of the test, which identifies the source's hints.
    pub fn location(&self, function: &Function) -> Location {
        function.instruction(self.test).location
    }
}

/// The source's hints for loops, by the location of the test.
pub(crate) fn hints(function: &Function) -> FxHashMap<Location, u32> {
    // The first count takes precedence.
    function.unroll.iter().rev().copied().collect()
}

/// An iteration of a loop with one latch, as it was when it was recorded.
pub(crate) struct Iteration {
    header: Block,
    latch: Block,
    blocks: Vec<(Block, Vec<(Value, Instruction)>)>,
}

/// The copies of a loop's blocks and values in a copy of an iteration.
#[derive(Default)]
pub(crate) struct Copied {
    pub blocks: FxHashMap<Block, Block>,
    pub values: FxHashMap<Value, Value>,
}

impl Copied {
    /// The copy of a value; itself if it is not of the loop.
    pub fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }
}

impl Iteration {
    /// The loop as it is now.
    pub fn of(function: &Function, found: &Entered, latch: Block) -> Iteration {
        let copy = |&value: &Value| (value, function.instruction(value).clone());
        let values =
            |&block: &Block| (block, function.instructions(block).iter().map(copy).collect());
        Iteration { header: found.header, latch, blocks: found.blocks.iter().map(values).collect() }
    }

    /// The values of the loop.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.blocks.iter().flat_map(|(_, values)| values.iter().map(|(value, _)| *value))
    }

    /// The value of each phi of the header at the end of an iteration.
    pub fn ends(&self) -> impl Iterator<Item = (Value, Value)> + '_ {
        let instructions = self.blocks.iter().filter(|(block, _)| *block == self.header);
        instructions.flat_map(|(_, values)| values).filter_map(|(value, instruction)| {
            let Kind::Phi(incoming) = &instruction.kind else {
                return None;
            };
            let end = incoming.iter().find(|(from, _)| *from == self.latch);
            Some((*value, end.map_or(*value, |&(_, end)| end)))
        })
    }

    /// The values of the header's phis in the iteration after a copy.
    pub fn after(&self, copy: &Copied) -> FxHashMap<Value, Value> {
        self.ends().map(|(phi, end)| (phi, copy.value(end))).collect()
    }

    /// Writes another iteration, with the given values for its header's phis. Terminators lead to
    /// the copy's blocks, where there are such.
    pub fn copy(&self, function: &mut Function, phis: FxHashMap<Value, Value>) -> Copied {
        let mut copied = Copied { blocks: FxHashMap::default(), values: phis };
        let mut added = Vec::new();
        for (block, instructions) in &self.blocks {
            let copy = function.add_block();
            copied.blocks.insert(*block, copy);
            for (value, instruction) in instructions {
                if copied.values.contains_key(value) {
                    continue;
                }
                let new = function.add_copy(instruction.kind.clone(), instruction);
                function.blocks[copy.index()].instructions.push(new);
                copied.values.insert(*value, new);
                added.push(new);
            }
        }
        for value in added {
            let kind = &mut function.values[value.index()].kind;
            kind.map_operands(|at| copied.value(at));
            kind.map_blocks(|at| copied.blocks.get(&at).copied().unwrap_or(at));
        }
        copied
    }
}

/// For values of loops their replacements after the loop, with the loop's header.
pub(crate) type Outside = FxHashMap<Value, (Block, Value)>;

/// Replaces values of loops in the instructions outside of them; `owner` has for each block the
/// header of the loop that it belongs to.
pub(crate) fn rename_outside(function: &mut Function, owner: &[Option<Block>], outside: &Outside) {
    for (block, &owner) in owner.iter().enumerate().take(function.blocks.len()) {
        for at in 0..function.blocks[block].instructions.len() {
            let value = function.blocks[block].instructions[at];
            let kind = &mut function.values[value.index()].kind;
            kind.map_operands(|operand| match outside.get(&operand) {
                Some(&(header, other)) if owner != Some(header) => other,
                _ => operand,
            });
        }
    }
}

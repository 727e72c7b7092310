//! Common subexpressions: a pure instruction that does what an instruction above it in the
//! dominator tree does is replaced by it.

use super::Forward;
use crate::analysis::DominatorTree;
use crate::ir::{Block, Function, Kind, Type, Value};
use rustc_hash::FxHashMap;

/// What makes two instructions the same. Phis are the same only in one block.
type Key = (Kind, Option<Type>, Option<Block>);

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let dominators = DominatorTree::dominators(function);
    let mut forward = Forward::new(function);
    let mut known: FxHashMap<Key, Value> = FxHashMap::default();
    // Entering a block pushes a mark to leave it, which takes back what the block has added.
    enum Step {
        Enter(Block),
        Leave(usize),
    }
    let mut added: Vec<Key> = Vec::new();
    let mut steps = vec![Step::Enter(Block::ENTRY)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Leave(mark) => {
                for key in added.drain(mark..) {
                    known.remove(&key);
                }
            }
            Step::Enter(block) => {
                steps.push(Step::Leave(added.len()));
                steps.extend(dominators.children(block).iter().rev().map(|&at| Step::Enter(at)));
                for &value in function.instructions(block) {
                    let Some(key) = key(function, &mut forward, block, value) else {
                        continue;
                    };
                    if let Some(&same) = known.get(&key) {
                        forward.replace(value, same);
                    } else {
                        added.push(key.clone());
                        known.insert(key, value);
                    }
                }
            }
        }
    }
    forward.apply(function)
}

fn key(function: &Function, forward: &mut Forward, block: Block, value: Value) -> Option<Key> {
    let instruction = function.instruction(value);
    if !instruction.kind.is_pure() {
        return None;
    }
    let mut kind = instruction.kind.clone();
    kind.map_operands(|operand| forward.get(operand));
    let home = match &mut kind {
        Kind::Phi(incoming) => {
            incoming.sort();
            Some(block)
        }
        Kind::Compute(op, operands) if super::fold::commutes(*op) => {
            operands[..2].sort();
            None
        }
        _ => None,
    };
    Some((kind, instruction.ty, home))
}

//! Splits critical edges, so that a phi's copies have a block of their own to stand in.

use crate::ir::{Block, Function, Kind, Value};

/// Puts an empty block on every edge from a branch to a block with phis.
pub fn split_critical_edges(function: &mut Function) {
    let blocks: Vec<Block> = function.existing_blocks().collect();
    for block in blocks {
        let Some(terminator) = function.terminator(block) else {
            continue;
        };
        if !matches!(function.kind(terminator), Kind::Branch(..)) {
            continue;
        }
        for target in function.successors(block).collect::<Vec<_>>() {
            if function.phis(target).next().is_some() {
                split(function, block, terminator, target);
            }
        }
    }
}

fn split(function: &mut Function, from: Block, terminator: Value, target: Block) {
    let between = function.add_block();
    let location = function.instruction(terminator).location;
    let jump = function.add(Kind::Jump(target), None, location);
    function.blocks[between.index()].instructions.push(jump);
    let replace = |at: Block, old: Block, new: Block| if at == old { new } else { at };
    let branch = &mut function.values[terminator.index()].kind;
    branch.map_blocks(|at| replace(at, target, between));
    let phis: Vec<Value> = function.phis(target).collect();
    for phi in phis {
        function.values[phi.index()].kind.map_blocks(|at| replace(at, from, between));
    }
}

//! Splits critical edges, so that a phi's copies have a block of their own.

use crate::ir::{Block, Function, Kind, Value};
use reconverge_isa::planted::Planted;
use rustc_hash::FxHashMap;

/// Puts an empty block on every edge from a branch to a block with phis.
pub fn split_critical_edges(function: &mut Function) {
    let mut between = FxHashMap::default();
    let blocks: Vec<Block> = function.existing_blocks().collect();
    for &block in &blocks {
        let Some(terminator) = function.terminator(block) else {
            continue;
        };
        if !matches!(function.kind(terminator), Kind::Branch(..)) {
            continue;
        }
        let first = if Planted::EdgeNotSplit.is_on() { 1 } else { 0 };
        for target in function.successors(block).skip(first).collect::<Vec<_>>() {
            if function.phis(target).next().is_some() {
                between.insert((block, target), split(function, terminator, target));
            }
        }
    }
    for &block in &blocks {
        for phi in function.phis(block).collect::<Vec<_>>() {
            let renamed = |from: Block| *between.get(&(from, block)).unwrap_or(&from);
            function.values[phi.index()].kind.map_blocks(renamed);
        }
    }
}

fn split(function: &mut Function, terminator: Value, target: Block) -> Block {
    let between = function.add_block();
    let location = function.instruction(terminator).location;
    let jump = function.add(Kind::Jump(target), None, location);
    function.blocks[between.index()].instructions.push(jump);
    let branch = &mut function.values[terminator.index()].kind;
    branch.map_blocks(|at| if at == target { between } else { at });
    between
}

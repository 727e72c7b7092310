//! Control-flow clean-up: branches on constants become jumps, straight blocks are joined, empty
//! blocks are bypassed, blocks that cannot be reached disappear.
//!
//! Nothing is duplicated and no jump is threaded through a branch, so the places where divergent
//! paths meet stay where the source has them. Returning blocks are never merged with each other:
//! a thread that returns early must end, not wait for the others.

use crate::ir::{Block, Function, Kind, Value};

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let mut changed = false;
    // A round may open the way for another, seldom for more than a few.
    loop {
        let mut again = decide_branches(function);
        function.remove_unreachable();
        again |= bypass_empty_blocks(function);
        function.remove_unreachable();
        again |= join_straight_blocks(function);
        changed |= again;
        if !again {
            return changed;
        }
    }
}

fn set_terminator(function: &mut Function, block: Block, kind: Kind) {
    if let Some(value) = function.terminator(block) {
        function.values[value.index()].kind = kind;
    }
}

/// Takes the operands for `from` out of the phis of `block`.
fn drop_edge(function: &mut Function, from: Block, block: Block) {
    let phis: Vec<Value> = function.phis(block).collect();
    for phi in phis {
        if let Kind::Phi(incoming) = &mut function.values[phi.index()].kind {
            incoming.retain(|&(at, _)| at != from);
        }
    }
}

fn decide_branches(function: &mut Function) -> bool {
    let mut changed = false;
    let blocks: Vec<Block> = function.existing_blocks().collect();
    for block in blocks {
        let Some(terminator) = function.terminator(block) else {
            continue;
        };
        let &Kind::Branch(condition, then, otherwise) = function.kind(terminator) else {
            continue;
        };
        let Some(bits) = function.constant(condition) else {
            continue;
        };
        let (taken, dropped) = if bits & 1 != 0 { (then, otherwise) } else { (otherwise, then) };
        drop_edge(function, block, dropped);
        set_terminator(function, block, Kind::Jump(taken));
        changed = true;
    }
    changed
}

/// Lets the predecessors of a block that only jumps go to its target at once.
fn bypass_empty_blocks(function: &mut Function) -> bool {
    let mut changed = false;
    let mut predecessors = function.predecessors();
    let blocks: Vec<Block> = function.existing_blocks().collect();
    for block in blocks {
        let &[only] = function.instructions(block) else {
            continue;
        };
        let &Kind::Jump(target) = function.kind(only) else {
            continue;
        };
        if block == Block::ENTRY || target == block {
            continue;
        }
        let mut kept = Vec::new();
        for from in std::mem::take(&mut predecessors[block.index()]) {
            if bypass(function, &predecessors[target.index()], from, block, target) {
                if !predecessors[target.index()].contains(&from) {
                    predecessors[target.index()].push(from);
                }
                changed = true;
            } else {
                kept.push(from);
            }
        }
        if kept.is_empty() {
            drop_edge(function, block, target);
            predecessors[target.index()].retain(|&at| at != block);
            function.blocks[block.index()].instructions.clear();
        }
        predecessors[block.index()] = kept;
    }
    changed
}

/// Redirects the edge from `from` to the empty `block` to its `target`. When `from` goes to the
/// target already, its branch becomes a jump, provided that no phi can tell the two edges apart.
fn bypass(
    function: &mut Function,
    known: &[Block],
    from: Block,
    block: Block,
    target: Block,
) -> bool {
    let doubled = known.contains(&from);
    let phis: Vec<Value> = function.phis(target).collect();
    let operand = |function: &Function, phi: Value, at: Block| match function.kind(phi) {
        Kind::Phi(incoming) => {
            incoming.iter().find(|&&(from, _)| from == at).map(|&(_, value)| value)
        }
        _ => None,
    };
    if doubled
        && phis.iter().any(|&phi| operand(function, phi, from) != operand(function, phi, block))
    {
        return false;
    }
    if doubled {
        set_terminator(function, from, Kind::Jump(target));
        return true;
    }
    for phi in phis {
        let value = operand(function, phi, block);
        if let (Some(value), Kind::Phi(incoming)) = (value, &mut function.values[phi.index()].kind)
        {
            incoming.push((from, value));
            incoming.sort();
        }
    }
    if let Some(terminator) = function.terminator(from) {
        let kind = &mut function.values[terminator.index()].kind;
        kind.map_blocks(|at| if at == block { target } else { at });
    }
    true
}

/// Appends a block to its only predecessor when it is that one's only successor.
fn join_straight_blocks(function: &mut Function) -> bool {
    let mut changed = false;
    let predecessors = function.predecessors();
    // A joined block's successors are reached from the block that it was appended to.
    let mut forward = super::Forward::new(function);
    let mut home: Vec<Block> = (0..function.blocks.len() as u32).map(Block).collect();
    for block in function.reverse_postorder() {
        let &[before] = predecessors[block.index()].as_slice() else {
            continue;
        };
        let into = home[before.index()];
        let Some(jump) = function.terminator(into) else {
            continue;
        };
        if *function.kind(jump) != Kind::Jump(block) || into == block {
            continue;
        }
        let instructions = std::mem::take(&mut function.blocks[block.index()].instructions);
        let target = &mut function.blocks[into.index()].instructions;
        target.pop();
        function.values[jump.index()].kind = Kind::Removed;
        for value in instructions {
            // With one predecessor a phi is its only operand.
            match function.values[value.index()].kind.clone() {
                Kind::Phi(incoming) if incoming.len() == 1 => {
                    forward.replace(value, incoming[0].1);
                    function.values[value.index()].kind = Kind::Removed;
                    function.values[value.index()].ty = None;
                }
                _ => target.push(value),
            }
        }
        let successors: Vec<Block> = function.successors(into).collect();
        for successor in successors {
            rename_edge(function, block, into, successor);
        }
        home[block.index()] = into;
        changed = true;
    }
    if changed {
        function.replace_operands(|value| forward.get(value));
    }
    changed
}

fn rename_edge(function: &mut Function, old: Block, new: Block, block: Block) {
    let phis: Vec<Value> = function.phis(block).collect();
    for phi in phis {
        if let Kind::Phi(incoming) = &mut function.values[phi.index()].kind {
            for (from, _) in incoming.iter_mut().filter(|(from, _)| *from == old) {
                *from = new;
            }
            incoming.sort();
        }
    }
}

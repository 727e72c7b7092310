//! Control-flow clean-up: branches on constants become jumps, straight blocks are joined, empty
//! blocks are bypassed, blocks that cannot be reached disappear.
//!
//! Nothing is duplicated and no jump is threaded through a branch, so the places where divergent
//! paths join stay where the source has them. Returning blocks are never merged with each other:
//! a thread that returns early must end, not wait for the others.

use super::edit::{PhiEdits, set_terminator};
use crate::ir::{Block, Function, Kind};
use reconverge_isa::planted::Planted;
use rustc_hash::FxHashSet;

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let mut changed = false;
    // One pass over the blocks may enable another, seldom more than a few.
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

fn decide_branches(function: &mut Function) -> bool {
    let mut dropped: FxHashSet<(Block, Block)> = FxHashSet::default();
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
        let (taken, other) = if bits & 1 != 0 { (then, otherwise) } else { (otherwise, then) };
        dropped.insert((block, other));
        set_terminator(function, block, Kind::Jump(taken));
    }
    if dropped.is_empty() {
        return false;
    }
    for index in 0..function.blocks.len() {
        let block = Block(index as u32);
        for at in 0..function.blocks[index].instructions.len() {
            let value = function.blocks[index].instructions[at];
            let Kind::Phi(incoming) = &mut function.values[value.index()].kind else {
                break;
            };
            incoming.retain(|&(from, _)| !dropped.contains(&(from, block)));
        }
    }
    true
}

/// By block: true if a loop leads back to it.
fn headers(function: &Function, predecessors: &[Vec<Block>]) -> Vec<bool> {
    let mut position = vec![u32::MAX; function.blocks.len()];
    for (at, block) in (0..).zip(function.reverse_postorder()) {
        position[block.index()] = at;
    }
    let leads_back = |(block, from): (usize, &Vec<Block>)| {
        let reached = |from: &&Block| position[from.index()] != u32::MAX;
        from.iter().filter(reached).any(|from| position[from.index()] >= position[block])
    };
    predecessors.iter().enumerate().map(leads_back).collect()
}

/// Lets the predecessors of a block that only jumps jump to its target at once. The header of a
/// loop around another one stays: with one header for both, iterations of the inner loop could not
/// be distinguished from those of the outer one.
fn bypass_empty_blocks(function: &mut Function) -> bool {
    let mut changed = false;
    // Blocks that no longer lead here may still be among them.
    let mut predecessors = function.predecessors();
    let is_header = headers(function, &predecessors);
    let mut phis = PhiEdits::default();
    let blocks: Vec<Block> = function.existing_blocks().collect();
    for block in blocks {
        let &[only] = function.instructions(block) else {
            continue;
        };
        let &Kind::Jump(target) = function.kind(only) else {
            continue;
        };
        let nested = is_header[block.index()] && is_header[target.index()];
        if block == Block::ENTRY || target == block || nested {
            continue;
        }
        let mut kept = Vec::new();
        for from in std::mem::take(&mut predecessors[block.index()]) {
            if !leads_to(function, from, block) {
                continue;
            }
            let doubled = leads_to(function, from, target);
            if bypass(function, &mut phis, doubled, from, block, target) {
                if !doubled {
                    predecessors[target.index()].push(from);
                }
                changed = true;
            } else {
                kept.push(from);
            }
        }
        if kept.is_empty() {
            for phi in function.phis(target) {
                phis.remove(function, phi, block);
            }
            function.blocks[block.index()].instructions.clear();
        }
        predecessors[block.index()] = kept;
    }
    phis.finish(function);
    changed
}

fn leads_to(function: &Function, from: Block, to: Block) -> bool {
    function.successors(from).any(|target| target == to)
}

/// Redirects the edge from `from` to the empty `block` to its `target`. When `from` leads to the
/// target already (`doubled`), its branch becomes a jump, provided that no phi distinguishes the
/// two edges.
fn bypass(
    function: &mut Function,
    phis: &mut PhiEdits,
    doubled: bool,
    from: Block,
    block: Block,
    target: Block,
) -> bool {
    if doubled {
        let same = function
            .phis(target)
            .all(|phi| phis.operand(function, phi, from) == phis.operand(function, phi, block));
        if !same && !Planted::EdgesConfused.is_on() {
            return false;
        }
        set_terminator(function, from, Kind::Jump(target));
        return true;
    }
    for phi in function.phis(target) {
        if let Some(value) = phis.operand(function, phi, block) {
            phis.set(function, phi, from, value);
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
    let mut forward = super::forward::Forward::new(function);
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
        home[block.index()] = into;
        changed = true;
    }
    if changed {
        function.replace_operands(|value| forward.get(value));
        rename_edges(function, &home);
    }
    changed
}

/// Lets phis name the blocks that others were appended to.
fn rename_edges(function: &mut Function, home: &[Block]) {
    for instruction in &mut function.values {
        if let Kind::Phi(incoming) = &mut instruction.kind
            && incoming.iter().any(|(from, _)| home[from.index()] != *from)
        {
            incoming.iter_mut().for_each(|(from, _)| *from = home[from.index()]);
            incoming.sort();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    #[test]
    fn nested_loops_keep_their_headers() {
        let text = "  %0 = const.b32 0\n  %1 = const.b32 1\n  %2 = special tid.x\n  jump b1\n\
            b1:\n  jump b2\nb2:\n  %3 = phi.b32 b1 %0, b2 %4\n  %4 = add.i32 %3, %1\n  \
            %5 = setp.lt.s32 %4, %2\n  branch %5, b2, b3\n\
            b3:\n  %6 = setp.lt.s32 %2, %1\n  branch %6, b1, b4\nb4:\n  return\n";
        assert_eq!(after("cfg", text), text);
    }

    #[test]
    fn an_empty_block_in_front_of_a_loop_goes() {
        let text = "  %0 = special tid.x\n  %1 = setp.lt.s32 %0, %0\n  branch %1, b1, b2\n\
            b1:\n  jump b2\nb2:\n  branch %1, b2, b3\nb3:\n  return\n";
        let expected = "  %0 = special tid.x\n  %1 = setp.lt.s32 %0, %0\n  jump b2\n\
            b2:\n  branch %1, b2, b3\nb3:\n  return\n";
        assert_eq!(after("cfg", text), expected);
    }
}

//! The order in which blocks lie: fall-through where possible, loops in one piece, tests of loops
//! at their ends.

use crate::analysis::Loops;
use crate::ir::{Block, Function, Kind};

/// All blocks, the entry first.
pub fn order(function: &Function, loops: &Loops) -> Vec<Block> {
    let mut order = depth_first(function, loops);
    rotate(function, &mut order, loops);
    order
}

/// A reverse postorder in which the exits of a loop follow the loop: the successor in fewer loops
/// is visited first, so that it is last in the end.
fn depth_first(function: &Function, loops: &Loops) -> Vec<Block> {
    let successors = |block: Block| {
        let mut targets: Vec<Block> = function.successors(block).collect();
        // Popped from the end. A stable sort keeps the taken path in front of the fall-through path.
        targets.sort_by_key(|&target| std::cmp::Reverse(loops.depth(target)));
        targets
    };
    function.reverse_postorder_by(successors)
}

/// Moves the header of a loop that tests at its start after its last block, if that one only jumps
/// back: it saves one jump per iteration for one jump before the loop. Outer loops are first, so
/// that the runs of inner ones are found in their final places.
fn rotate(function: &Function, order: &mut [Block], loops: &Loops) {
    let mut position = vec![0; function.blocks.len()];
    let mut by_size: Vec<_> = loops.loops.iter().collect();
    by_size.sort_by_key(|found| std::cmp::Reverse(found.blocks.len()));
    let number = |order: &[Block], position: &mut [usize], from: usize, to: usize| {
        for at in from..to {
            position[order[at].index()] = at;
        }
    };
    number(order, &mut position, 0, order.len());
    for found in by_size {
        let start = position[found.header.index()];
        let end = start + found.blocks.len();
        let whole = found.blocks.iter().all(|at| (start..end).contains(&position[at.index()]));
        if !whole || found.blocks.len() < 2 {
            continue;
        }
        let Some(test) = function.terminator(found.header) else {
            continue;
        };
        let leaves = |target: Block| found.blocks.binary_search(&target).is_err();
        let tests = match *function.kind(test) {
            Kind::Branch(_, then, otherwise) => leaves(then) != leaves(otherwise),
            _ => false,
        };
        let last = function.terminator(order[end - 1]);
        let jumps_back = last.is_some_and(|at| *function.kind(at) == Kind::Jump(found.header));
        if tests && jumps_back {
            order[start..end].rotate_left(1);
            number(order, &mut position, start, end);
        }
    }
}

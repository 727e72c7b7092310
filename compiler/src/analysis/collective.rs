//! Votes, shuffles and barriers: what they need of control, and where threads that execute them may
//! not be all that will ever execute them in this round.

use super::affine::Scope;
use super::flow::Flow;
use crate::ir::{Block, Function, Kind, Value};
use reconverge_isa::{Effect, Op, Special};

/// Among which threads control over an instruction is to be the same, for all that it concerns to
/// come to it together. `None` for what concerns only the threads that are there: an instruction
/// whose mask says who they are (it is judged by its `warp.sync`), and the question who is there.
pub fn needs(function: &Function, block: Block, value: Value) -> Option<Scope> {
    let Kind::Collective(op, operands) = function.kind(value) else {
        return None;
    };
    let constant = |operand: Value| function.constant(operand);
    match op {
        op if op.is_per_lane() => None,
        Op::WarpSync => (constant(operands[0]) == Some(u32::MAX.into())).then_some(Scope::Warp),
        Op::VoteBallot if constant(operands[0]) == Some(1) => None,
        _ if op.row().effect == Effect::Barrier => Some(Scope::Block),
        _ => (!is_masked(function, block, value)).then_some(Scope::Warp),
    }
}

/// The call that a `warp.sync` belongs to, if its mask names all lanes: the vote or shuffle behind it, or itself.
pub(super) fn full_call(function: &Function, block: Block, value: Value) -> Option<Op> {
    let Kind::Collective(Op::WarpSync, operands) = function.kind(value) else {
        return None;
    };
    if function.constant(operands[0]) != Some(u32::MAX.into()) {
        return None;
    }
    let location = function.instruction(value).location;
    let behind = function.instructions(block).iter().skip_while(|&&at| at != value).skip(1);
    let mut made = behind.filter(|&&at| function.instruction(at).location == location);
    let call = made.find_map(|&at| match function.kind(at) {
        Kind::Collective(op, _) if *op != Op::WarpSync => Some(*op),
        _ => None,
    });
    Some(call.unwrap_or(Op::WarpSync))
}

/// Whether a `warp.sync` of the same call stands before a vote or a shuffle.
fn is_masked(function: &Function, block: Block, value: Value) -> bool {
    let location = function.instruction(value).location;
    let before = function.instructions(block).iter().take_while(|&&at| at != value);
    let mut syncs =
        before.filter(|&&at| matches!(function.kind(at), Kind::Collective(Op::WarpSync, _)));
    syncs.any(|&at| function.instruction(at).location == location)
}

/// Whether all lanes that act read one lane of the whole warp, so that they agree.
pub(super) fn is_broadcast(function: &Function, width: Value) -> bool {
    match function.kind(width) {
        Kind::Special(special) => *special == Special::WarpSize,
        Kind::Constant(bits) => *bits == 0 || *bits >= reconverge_isa::MAX_LANES as u64,
        _ => false,
    }
}

/// Whether each lane reads another one's value.
pub(super) fn is_shuffle(op: Op) -> bool {
    matches!(op, Op::ShuffleIndex | Op::ShuffleUp | Op::ShuffleDown | Op::ShuffleXor)
}

/// Whether the values of the lanes that a mask names are joined to one.
pub(super) fn is_reduction(op: Op) -> bool {
    matches!(
        op,
        Op::ReduceAdd
            | Op::ReduceMinS32
            | Op::ReduceMinU32
            | Op::ReduceMaxS32
            | Op::ReduceMaxU32
            | Op::ReduceAnd
            | Op::ReduceOr
            | Op::ReduceXor
    )
}

/// Whether the result is the value if all lanes have the same one: a reduction of some equal values is
/// that value, unless each counts. The mask names all lanes, and so also the lane that reads it.
pub(super) fn passes_on(function: &Function, op: Op, operands: &[Value]) -> bool {
    is_reduction(op)
        && !matches!(op, Op::ReduceAdd | Op::ReduceXor)
        && function.constant(operands[1]) == Some(u32::MAX.into())
}

/// Whether a shuffle's segments divide every warp without a rest.
pub(super) fn is_even(function: &Function, width: Value) -> bool {
    let power = |bits: u64| bits.is_power_of_two();
    is_broadcast(function, width) || function.constant(width).is_some_and(power)
}

/// The blocks that threads which part at a branch may execute in several groups before they meet:
/// those after a place where two ways meet that is not where all do. What a vote says in one group
/// is not what it says in another.
pub(super) fn grouped(flow: &Flow, branch: Block) -> Vec<Block> {
    let meet = flow.post.parent(branch);
    let mut seen = vec![false; flow.function.blocks.len()];
    let mut found: Vec<Block> = flow.joins(branch).blocks.to_vec();
    found.retain(|&join| Some(join) != meet && !std::mem::replace(&mut seen[join.index()], true));
    let mut at = 0;
    while let Some(&block) = found.get(at) {
        at += 1;
        for next in flow.function.successors(block) {
            if Some(next) != meet && !std::mem::replace(&mut seen[next.index()], true) {
                found.push(next);
            }
        }
    }
    found
}

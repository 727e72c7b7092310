//! Votes, shuffles and barriers: their requirements on control, and the places at which threads
//! that execute them may not be all that will ever execute them in this round.

use super::affine::Scope;
use super::flow::Flow;
use crate::ir::{Block, Function, Kind, Value};
use reconverge_isa::{Effect, Op, Special};

/// The scope in which control over an instruction must be uniform, so that all threads concerned
/// arrive at it together. `None` if it concerns only the threads that arrive: an instruction whose
/// mask names them or a barrier with a count (its `warp.sync` is judged instead), or a query of the active lanes.
pub fn needs(function: &Function, block: Block, value: Value) -> Option<Scope> {
    let Kind::Collective(op, operands) = function.kind(value) else {
        return None;
    };
    let constant = |operand: Value| function.constant(operand);
    match op {
        op if op.is_per_lane() => None,
        Op::WarpSync => (constant(operands[0]) == Some(u32::MAX.into())).then_some(Scope::Warp),
        Op::VoteBallot if constant(operands[0]) == Some(1) => None,
        _ if op.row().effect == Effect::CountedBarrier => None,
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

/// Returns true if a `warp.sync` of the same call precedes a vote or a shuffle.
fn is_masked(function: &Function, block: Block, value: Value) -> bool {
    let location = function.instruction(value).location;
    let before = function.instructions(block).iter().take_while(|&&at| at != value);
    let mut syncs =
        before.filter(|&&at| matches!(function.kind(at), Kind::Collective(Op::WarpSync, _)));
    syncs.any(|&at| function.instruction(at).location == location)
}

/// Returns true if all active lanes read one lane of the whole warp, so that they agree.
pub(super) fn is_broadcast(function: &Function, width: Value) -> bool {
    match function.kind(width) {
        Kind::Special(special) => *special == Special::WarpSize,
        Kind::Constant(bits) => *bits == 0 || *bits >= reconverge_isa::MAX_LANES as u64,
        _ => false,
    }
}

/// Returns true if each lane reads another one's value.
pub(super) fn is_shuffle(op: Op) -> bool {
    matches!(op, Op::ShuffleIndex | Op::ShuffleUp | Op::ShuffleDown | Op::ShuffleXor)
}

/// Returns true if the values of the lanes in a mask are combined into one.
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

/// Returns true if the result is the value itself if all lanes have the same one: a reduction of
/// equal values is that value, unless each counts. The mask names all lanes, including the lane
/// that reads it.
pub(super) fn passes_on(function: &Function, op: Op, operands: &[Value]) -> bool {
    is_reduction(op)
        && !matches!(op, Op::ReduceAdd | Op::ReduceXor)
        && function.constant(operands[1]) == Some(u32::MAX.into())
}

/// Returns true if a shuffle's segments divide every warp without a remainder.
pub(super) fn is_even(function: &Function, width: Value) -> bool {
    let power = |bits: u64| bits.is_power_of_two();
    is_broadcast(function, width) || function.constant(width).is_some_and(power)
}

/// The blocks that threads may execute in several groups after they diverge at a branch and before
/// they reconverge. These are the blocks after a place where two paths meet that is not where all
/// do. A vote in one group differs from a vote in another.
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

//! Barriers, votes and shuffles.

use super::tree::Lowerer;
use crate::check::builtin::Builtin;
use crate::check::tree;
use crate::ir::{Type, Value};
use reconverge_isa::Op;
use reconverge_isa::planted::Planted;

/// The warp- or block-level collective operation of a built-in.
pub(super) fn operation(builtin: Builtin) -> Option<Op> {
    use Builtin as B;
    Some(match builtin {
        B::SyncThreads => Op::Barrier,
        B::SyncThreadsOr => Op::BarrierOr,
        B::SyncThreadsAnd => Op::BarrierAnd,
        B::SyncThreadsCount => Op::BarrierCount,
        B::SyncWarp => Op::WarpSync,
        B::Any | B::AnySync => Op::VoteAny,
        B::All | B::AllSync => Op::VoteAll,
        B::Ballot | B::BallotSync | B::ActiveMask => Op::VoteBallot,
        B::Shfl | B::ShflSync => Op::ShuffleIndex,
        B::ShflUp | B::ShflUpSync => Op::ShuffleUp,
        B::ShflDown | B::ShflDownSync => Op::ShuffleDown,
        B::ShflXor | B::ShflXorSync => Op::ShuffleXor,
        B::MatchAny | B::MatchAll => Op::MatchAny,
        B::ReduceAddI | B::ReduceAddU => Op::ReduceAdd,
        B::ReduceMinI => Op::ReduceMinS32,
        B::ReduceMinU => Op::ReduceMinU32,
        B::ReduceMaxI => Op::ReduceMaxS32,
        B::ReduceMaxU => Op::ReduceMaxU32,
        B::ReduceAnd => Op::ReduceAnd,
        B::ReduceOr => Op::ReduceOr,
        B::ReduceXor => Op::ReduceXor,
        _ => return None,
    })
}

/// The scopes of `fence`: the threads for which its thread's accesses are ordered.
pub(crate) const FENCE_BLOCK: u32 = 0;
pub(crate) const FENCE_DEVICE: u32 = 1;
/// The lanes of the next `warp.sync`.
pub(crate) const FENCE_WARP: u32 = 2;
/// No one: the next atomic is for the block only.
pub(crate) const FENCE_ATOMIC: u32 = 3;

/// Returns true if the first argument names the lanes that take part.
fn has_mask(builtin: Builtin) -> bool {
    use Builtin as B;
    matches!(
        builtin,
        B::AnySync
            | B::AllSync
            | B::BallotSync
            | B::ShflSync
            | B::ShflUpSync
            | B::ShflDownSync
            | B::ShflXorSync
    ) || is_among(builtin)
}

/// Returns true if it compares or reduces the values of the lanes of a mask.
fn is_among(builtin: Builtin) -> bool {
    use Builtin as B;
    matches!(
        builtin,
        B::MatchAny
            | B::MatchAll
            | B::ReduceAddI
            | B::ReduceAddU
            | B::ReduceMinI
            | B::ReduceMinU
            | B::ReduceMaxI
            | B::ReduceMaxU
            | B::ReduceAnd
            | B::ReduceOr
            | B::ReduceXor
    )
}

impl Lowerer<'_> {
    /// Tells a check of the run about the ordering; nothing without a check.
    pub(super) fn fence(&mut self, scope: u32) {
        if self.fences {
            let scope = self.builder.word(scope);
            self.builder.collective(Op::Fence, &[scope]);
        }
    }

    /// A call of a built-in that is a collective: with a mask, its lanes first synchronise. Others
    /// may arrive with them with masks of their own, so votes are counted by mask.
    pub(super) fn collective(
        &mut self,
        builtin: Builtin,
        op: Op,
        mut values: Vec<Value>,
    ) -> Option<Value> {
        if has_mask(builtin) {
            let mask = values.remove(0);
            self.builder.collective(Op::WarpSync, &[mask]);
            if is_among(builtin) {
                return Some(match op {
                    Op::MatchAny => self.matched(mask, values[0], values.get(1).copied()),
                    _ => self.builder.collective(op, &[values[0], mask]),
                });
            }
            let all = self.builder.function().constant(mask) == Some(u32::MAX.into())
                || Planted::MaskNotCounted.is_on();
            if let (&[value], false) = (values.as_slice(), all) {
                return Some(self.masked_vote(op, mask, value));
            }
        }
        match (op, values.as_slice()) {
            (Op::Barrier | Op::WarpSync, operands) => {
                if op == Op::WarpSync {
                    self.fence(FENCE_WARP);
                }
                self.builder.collective(op, operands);
                None
            }
            (Op::ShuffleIndex | Op::ShuffleUp | Op::ShuffleDown | Op::ShuffleXor, &[x, ..]) => {
                Some(self.shuffle(op, x, &values[1..]))
            }
            (_, operands) => {
                let holds = match operands {
                    &[value] => self.is_not_zero(value, &tree::Type::INT),
                    _ => self.builder.constant(Type::Pred, 1),
                };
                let result = self.builder.collective(op, &[holds]);
                Some(self.as_word(result))
            }
        }
    }

    /// The lanes of a mask that have the same value; with a place the mask itself if all have, or 0,
    /// and there whether they have.
    fn matched(&mut self, mask: Value, value: Value, place: Option<Value>) -> Value {
        let mut found = match self.builder.function().ty(value) {
            Type::B64 => {
                let halves = [Op::Low, Op::High].map(|half| {
                    let half = self.builder.compute(half, &[value]);
                    self.builder.collective(Op::MatchAny, &[half])
                });
                self.builder.compute(Op::And, &halves)
            }
            _ => self.builder.collective(Op::MatchAny, &[value]),
        };
        found = self.builder.compute(Op::And, &[found, mask]);
        let Some(place) = place else {
            return found;
        };
        let holds = self.builder.constant(Type::Pred, 1);
        let here = self.builder.collective(Op::VoteBallot, &[holds]);
        let here = self.builder.compute(Op::And, &[here, mask]);
        let same = self.builder.compute(Op::SetEqualI32, &[found, here]);
        let word = self.as_word(same);
        self.store_scalar(place, &tree::Type::INT, word);
        let zero = self.builder.word(0);
        self.builder.compute(Op::Select, &[same, mask, zero])
    }

    /// The vote of the lanes of a mask.
    fn masked_vote(&mut self, op: Op, mask: Value, value: Value) -> Value {
        let zero = self.builder.zero(Type::B32);
        // All hold if none is zero.
        let test = if op == Op::VoteAll { Op::SetEqualI32 } else { Op::SetNotEqualI32 };
        let voted = self.builder.compute(test, &[value, zero]);
        let ballot = self.builder.collective(Op::VoteBallot, &[voted]);
        let ballot = self.builder.compute(Op::And, &[ballot, mask]);
        let result = match op {
            Op::VoteAny => self.builder.compute(Op::SetNotEqualI32, &[ballot, zero]),
            Op::VoteAll => self.builder.compute(Op::SetEqualI32, &[ballot, zero]),
            _ => ballot,
        };
        self.as_word(result)
    }

    /// A truth as 0 or 1; a word as it is.
    fn as_word(&mut self, value: Value) -> Value {
        if self.builder.function().ty(value) != Type::Pred {
            return value;
        }
        let (one, zero) = (self.builder.word(1), self.builder.word(0));
        self.builder.compute(Op::Select, &[value, one, zero])
    }

    /// 64 bits are shuffled half by half.
    fn shuffle(&mut self, op: Op, value: Value, rest: &[Value]) -> Value {
        let [which, width] = [0, 1].map(|at| rest[at]);
        if self.builder.function().ty(value) != Type::B64 {
            return self.builder.collective(op, &[value, which, width]);
        }
        let [low, high] = [Op::Low, Op::High].map(|half| {
            let half = self.builder.compute(half, &[value]);
            self.builder.collective(op, &[half, which, width])
        });
        self.builder.compute(Op::Pack, &[low, high])
    }
}

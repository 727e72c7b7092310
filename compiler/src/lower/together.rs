//! Barriers, votes and shuffles.

use super::tree::Lowerer;
use crate::check::builtin::Builtin;
use crate::check::tree;
use crate::ir::{Type, Value};
use reconverge_isa::Op;
use reconverge_planted::Planted;

/// The operation of a built-in that threads do together.
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
        _ => return None,
    })
}

/// Whether the first argument names the lanes that take part.
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
    )
}

impl Lowerer<'_> {
    /// A call of such a built-in: with a mask, its lanes are first brought together. Others may come
    /// along with masks of their own, so that votes are counted by mask.
    pub(super) fn together(
        &mut self,
        builtin: Builtin,
        op: Op,
        mut values: Vec<Value>,
    ) -> Option<Value> {
        if has_mask(builtin) {
            let mask = values.remove(0);
            self.builder.collective(Op::WarpSync, &[mask]);
            let all = self.builder.function().constant(mask) == Some(u32::MAX.into())
                || Planted::MaskNotCounted.is_on();
            if let (&[value], false) = (values.as_slice(), all) {
                return Some(self.masked_vote(op, mask, value));
            }
        }
        match (op, values.as_slice()) {
            (Op::Barrier | Op::WarpSync, operands) => {
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

    /// What the lanes of a mask vote.
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

//! Barriers, votes, shuffles: operations of the threads of a warp or block together.

use super::kernel::{Ins, Kernel};
use super::operand::{B32, PREDICATE, U32};
use super::{Refused, Result};
use crate::ir::{self, Value};
use crate::lower::collective::FENCE_WARP;
use reconverge_isa::{Op, Special};
use reconverge_ptx::barrier::has_count;
use reconverge_ptx::tree::{Kind, Operand, OperandKind};

/// The number of barriers that a block has.
const BARRIERS: u32 = 16;

impl Kernel<'_, '_> {
    /// Barriers.
    pub fn barrier(&mut self, ins: Ins) -> Result<()> {
        if ins.has("warp") {
            let mask = self.value(ins.operand(0)?, B32)?;
            let scope = self.builder.word(FENCE_WARP);
            self.builder.collective(Op::Fence, &[scope]);
            self.builder.collective(Op::WarpSync, &[mask]);
            return Ok(());
        }
        let reduces = ins.has("red");
        let number = ins.operand(usize::from(reduces))?;
        let constant = match number.kind {
            OperandKind::Constant(constant) => match constant.integer() {
                Some(number) if number < u64::from(BARRIERS) => Some(number as u32),
                _ => {
                    let message = format!("there are {BARRIERS} barriers, 0 to {}", BARRIERS - 1);
                    return Err(Refused::new(number.span, message).help("write `bar.sync 0`"));
                }
            },
            _ => None,
        };
        if has_count(ins.it) {
            return self.counted_barrier(ins, ins.it.operands.get(usize::from(reduces) + 1));
        }
        let counted = self.counted_barriers();
        match constant {
            Some(number) if counted.has(number) => self.counted_barrier(ins, None),
            Some(_) => self.barrier_of_all(ins, reduces),
            None if counted.any => self.counted_barrier(ins, None),
            None => {
                let number = self.value(number, U32)?;
                self.check_barrier(number);
                if counted.is_empty() {
                    return self.barrier_of_all(ins, reduces);
                }
                // The number decides which of both it is.
                let numbers = self.builder.word(counted.numbers.into());
                let moved = self.builder.compute(Op::ShrU32, &[numbers, number]);
                let one = self.builder.word(1);
                let bit = self.builder.compute(Op::And, &[moved, one]);
                let is_counted = self.builder.compute(Op::SetEqualI32, &[bit, one]);
                let [counts, waits, after] = [(); 3].map(|()| self.builder.block());
                self.builder.branch(is_counted, counts, waits);
                self.builder.enter_sealed(counts);
                self.counted_barrier(ins, None)?;
                self.builder.jump(after);
                self.builder.enter_sealed(waits);
                self.barrier_of_all(ins, reduces)?;
                self.builder.jump(after);
                self.builder.enter_sealed(after);
                Ok(())
            }
        }
    }

    /// A barrier of all threads of the block that have not ended.
    fn barrier_of_all(&mut self, ins: Ins, reduces: bool) -> Result<()> {
        if !reduces {
            self.builder.collective(Op::Barrier, &[]);
            return Ok(());
        }
        let holds = self.predicate(ins, 2)?;
        let op = match ins.one_of(&["popc", "and", "or"]) {
            Some("popc") => Op::BarrierCount,
            Some("and") => Op::BarrierAnd,
            _ => Op::BarrierOr,
        };
        let value = self.builder.collective(op, &[holds]);
        let ty = if op == Op::BarrierCount { U32 } else { PREDICATE };
        self.result(ins, value, ty)
    }

    /// A barrier with a count of threads, for which the lanes of a warp meet first: it counts a warp once, with all its live lanes.
    /// Without an operand the count is that of the block's threads.
    fn counted_barrier(&mut self, ins: Ins, count: Option<&Operand>) -> Result<()> {
        let number = self.value(ins.operand(usize::from(ins.has("red")))?, U32)?;
        let count = match count {
            Some(count) => self.value(count, U32)?,
            None => self.threads(),
        };
        let all = self.builder.word(u32::MAX);
        self.builder.collective(Op::WarpSync, &[all]);
        let (op, ty) = match ins.one_of(&["arrive", "popc", "and", "or"]) {
            Some("popc") => (Op::CountedBarrierCount, U32),
            Some("and") => (Op::CountedBarrierAnd, PREDICATE),
            Some("or") => (Op::CountedBarrierOr, PREDICATE),
            Some(_) => {
                self.builder.collective(Op::CountedBarrierArrive, &[number, count]);
                return Ok(());
            }
            None => {
                self.builder.collective(Op::CountedBarrier, &[number, count]);
                return Ok(());
            }
        };
        let holds = self.predicate(ins, ins.it.operands.len() - 1)?;
        let value = self.builder.collective(op, &[number, count, holds]);
        self.result(ins, value, ty)
    }

    /// Traps if there is no barrier of a number.
    fn check_barrier(&mut self, number: Value) {
        let most = self.builder.word(BARRIERS);
        let is_none = self.builder.compute(Op::SetGreaterEqualU32, &[number, most]);
        if self.builder.function().constant(is_none) == Some(0) {
            return;
        }
        let (traps, goes_on) = (self.builder.block(), self.builder.block());
        self.builder.branch(is_none, traps, goes_on);
        self.builder.enter_sealed(traps);
        let reason = self.builder.word(reconverge_isa::NO_BARRIER);
        self.builder.collective(Op::Trap, &[reason]);
        self.builder.jump(goes_on);
        self.builder.enter_sealed(goes_on);
    }

    /// Votes, shuffles and their like.
    pub fn warp(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.types.first.unwrap_or(PREDICATE);
        if ins.mnemonic() == "activemask" {
            let all = self.builder.constant(ir::Type::Pred, 1);
            let value = self.builder.collective(Op::VoteBallot, &[all]);
            return self.result(ins, value, B32);
        }
        let mask = match ins.has("sync") {
            true => {
                let last = ins.it.operands.len().saturating_sub(1);
                let mask = self.value(ins.operand(last)?, B32)?;
                self.builder.collective(Op::WarpSync, &[mask]);
                Some(mask)
            }
            false => None,
        };
        match ins.mnemonic() {
            "shfl" => self.shuffle(ins),
            "vote" => self.vote(ins, mask),
            "match" => {
                let Some(mask) = mask else {
                    return Err(ins.refused("has no mask"));
                };
                self.matching(ins, mask)
            }
            _ => {
                let value = self.value(ins.operand(1)?, ty)?;
                let Some(mask) = mask else {
                    return Err(ins.refused("has no mask"));
                };
                let signed = ty.kind == Kind::Signed;
                let words = ["add", "min", "max", "and", "or", "xor"];
                let op = match ins.one_of(&words) {
                    Some("add") => Op::ReduceAdd,
                    Some("min") if signed => Op::ReduceMinS32,
                    Some("min") => Op::ReduceMinU32,
                    Some("max") if signed => Op::ReduceMaxS32,
                    Some("max") => Op::ReduceMaxU32,
                    Some("and") => Op::ReduceAnd,
                    Some("or") => Op::ReduceOr,
                    _ => Op::ReduceXor,
                };
                let value = self.builder.collective(op, &[value, mask]);
                self.result(ins, value, ty)
            }
        }
    }

    fn vote(&mut self, ins: Ins, synchronises: Option<Value>) -> Result<()> {
        let holds = self.predicate(ins, 1)?;
        // Others may come along with masks of their own, so that votes are counted by mask.
        let is_all =
            |&mask: &Value| self.builder.function().constant(mask) == Some(u32::MAX.into());
        let mask = synchronises.filter(|mask| !is_all(mask));
        let ballot = |kernel: &mut Self, holds: Value| {
            let ballot = kernel.builder.collective(Op::VoteBallot, &[holds]);
            match mask {
                Some(mask) => kernel.builder.compute(Op::And, &[ballot, mask]),
                None => ballot,
            }
        };
        if ins.has("ballot") {
            let value = ballot(self, holds);
            return self.result(ins, value, B32);
        }
        if let (None, false) = (mask, ins.has("uni")) {
            let op = if ins.has("all") { Op::VoteAll } else { Op::VoteAny };
            let value = self.builder.collective(op, &[holds]);
            return self.result(ins, value, PREDICATE);
        }
        let zero = self.builder.word(0);
        let value = if ins.has("any") {
            let any = ballot(self, holds);
            self.builder.compute(Op::SetNotEqualI32, &[any, zero])
        } else {
            let not = self.not(holds);
            let without = ballot(self, not);
            let all = self.builder.compute(Op::SetEqualI32, &[without, zero]);
            if ins.has("uni") {
                // A path may yield to others between the two ballots.
                if let Some(mask) = synchronises {
                    self.builder.collective(Op::WarpSync, &[mask]);
                }
                let with = ballot(self, holds);
                let none = self.builder.compute(Op::SetEqualI32, &[with, zero]);
                self.builder.compute(Op::OrPred, &[all, none])
            } else {
                all
            }
        };
        self.result(ins, value, PREDICATE)
    }

    /// `match`.
    fn matching(&mut self, ins: Ins, mask: Value) -> Result<()> {
        let ty = ins.ty()?;
        let value = self.value(ins.operand(1)?, ty)?;
        let same = match ty.bits {
            64 => {
                let halves = [Op::Low, Op::High].map(|half| {
                    let half = self.builder.compute(half, &[value]);
                    self.builder.collective(Op::MatchAny, &[half])
                });
                self.builder.compute(Op::And, &halves)
            }
            _ => self.builder.collective(Op::MatchAny, &[value]),
        };
        let found = self.builder.compute(Op::And, &[same, mask]);
        if ins.has("any") {
            return self.result(ins, found, B32);
        }
        let here = {
            let all = self.builder.constant(ir::Type::Pred, 1);
            let here = self.builder.collective(Op::VoteBallot, &[all]);
            self.builder.compute(Op::And, &[here, mask])
        };
        let agree = self.builder.compute(Op::SetEqualI32, &[found, here]);
        let zero = self.builder.word(0);
        let value = self.select(agree, here, zero);
        self.result_pair(ins, value, B32, |_| agree)
    }

    /// `shfl`.
    fn shuffle(&mut self, ins: Ins) -> Result<()> {
        let value = self.value(ins.operand(1)?, B32)?;
        let which = self.value(ins.operand(2)?, U32)?;
        let clamp = self.value(ins.operand(3)?, U32)?;
        let thirty_one = self.builder.word(31);
        let which = self.builder.compute(Op::And, &[which, thirty_one]);
        let kind = ins.one_of(&["up", "down", "bfly", "idx"]).unwrap_or("idx");
        let wants_predicate = matches!(
            &ins.operand(0)?.kind,
            OperandKind::Pair(_, second) if second.kind != OperandKind::Sink
        );
        // The usual segments are those of the machine's own shuffles.
        let constant = self.builder.function().constant(clamp);
        let usual = constant.and_then(|bits| segment(bits, kind)).filter(|_| !wants_predicate);
        if let Some(width) = usual {
            let op = match kind {
                "up" => Op::ShuffleUp,
                "down" => Op::ShuffleDown,
                "bfly" => Op::ShuffleXor,
                _ => Op::ShuffleIndex,
            };
            let width = self.builder.word(width);
            let found = self.builder.collective(op, &[value, which, width]);
            return self
                .result_pair(ins, found, B32, |kernel| kernel.builder.constant(ir::Type::Pred, 1));
        }
        let (from, inside) = self.source_lane(kind, which, clamp);
        let width = self.builder.special(Special::WarpSize);
        let found = self.builder.collective(Op::ShuffleIndex, &[value, from, width]);
        self.result_pair(ins, found, B32, |_| inside)
    }

    /// The lane that a shuffle reads, and true if it is in range.
    fn source_lane(&mut self, kind: &str, which: Value, clamp: Value) -> (Value, Value) {
        let lane = self.lane();
        let thirty_one = self.builder.word(31);
        let eight = self.builder.word(8);
        let limit = self.builder.compute(Op::And, &[clamp, thirty_one]);
        let segment = self.builder.compute(Op::ShrU32, &[clamp, eight]);
        let segment = self.builder.compute(Op::And, &[segment, thirty_one]);
        let first = self.builder.compute(Op::And, &[lane, segment]);
        let rest = self.builder.compute(Op::AndNot, &[limit, segment]);
        let last = self.builder.compute(Op::Or, &[first, rest]);
        let (from, op) = match kind {
            "up" => (self.builder.compute(Op::Sub, &[lane, which]), Op::SetGreaterEqualS32),
            "down" => (self.builder.compute(Op::Add, &[lane, which]), Op::SetLessEqualS32),
            "bfly" => (self.builder.compute(Op::Xor, &[lane, which]), Op::SetLessEqualS32),
            _ => {
                let within = self.builder.compute(Op::AndNot, &[which, segment]);
                (self.builder.compute(Op::Or, &[first, within]), Op::SetLessEqualS32)
            }
        };
        let inside = self.builder.compute(op, &[from, last]);
        (self.select(inside, from, lane), inside)
    }
}

/// The width of the segments that a constant asks for, if the machine's shuffles have such.
fn segment(bits: u64, kind: &str) -> Option<u32> {
    let (mask, limit) = (bits >> 8 & 31, bits & 31);
    let width = 32 - mask as u32;
    let whole = width.is_power_of_two() && (mask as u32 & (width - 1)) == 0;
    let right = if kind == "up" { limit == 0 } else { limit == 31 };
    (whole && right).then_some(width)
}
